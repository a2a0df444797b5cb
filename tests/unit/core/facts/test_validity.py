"""Two times of a fact: when it held and when that was learnt; what an engine may end, and what not."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS, day_number
from soulmem.core.changes.contradiction import MOST_UNREAD, Outcome, Refused, Told, outcomes, ruled
from soulmem.core.facts.corrected_statements import corrected
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.spoken_corrections import correction_of
from soulmem.core.facts.validity_intervals import (
    MARK,
    Ending,
    Interval,
    interval_of,
    is_over,
    marked,
    marked_earlier,
    settle,
)
from soulmem.core.reranking.validity_ranking import asks_past, relations_asked, subjects_asked
from soulmem.core.schema.engine_tasks import FactEvent

NOW = day_number(2026, 3, 10) * DAY_MS


def year(number: int) -> int:
    return day_number(number, 1, 1) * DAY_MS


def test_what_contradiction_makes_of_two_intervals() -> None:
    """The vectors of the specification."""
    old, new = Interval(year(2020)), Interval(year(2023))
    settled = settle(old, new, NOW, told_old=year(2020), told_new=year(2023))
    assert settled.old == Interval(year(2020), year(2023), NOW)
    assert settled.new == new
    apart = Interval(year(2020), year(2021))
    assert settle(apart, new, NOW, told_old=year(2020), told_new=year(2023)).old == apart
    late = settle(Interval(year(2023)), Interval(year(2020)), NOW, told_old=year(2023), told_new=NOW)
    assert late.old == Interval(year(2023))
    assert late.new == Interval(year(2020), year(2023), NOW)


moments = st.one_of(st.none(), st.integers(year(1), year(9999)))


@given(moments, moments, st.integers(year(1), year(9999)), st.integers(year(1), year(9999)))
def test_one_of_two_ends_and_neither_before_it_began(old: int | None, new: int | None, one: int, other: int) -> None:
    settled = settle(Interval(old), Interval(new), NOW, told_old=one, told_new=other)
    over = [each for each in (settled.old, settled.new) if each.expired_at is not None]
    assert len(over) == 1
    assert over[0].valid_to is not None
    assert over[0].valid_from is None or over[0].valid_from <= over[0].valid_to


def test_what_was_taken_back_never_held() -> None:
    wrong = (Ending(2, "correct", None, NOW),)
    span = interval_of(None, wrong)
    assert span.valid_from == span.valid_to == NOW
    assert not span.holds_at(NOW)
    assert is_over(wrong, 0)


def test_it_is_said_until_when() -> None:
    until = (Ending(2, "supersede", NOW, NOW, "home", "Tom lives in Berlin"),)
    assert marked("Tom lives in Berlin", until, NOW) == "Tom lives in Berlin (until March 2026)"
    assert marked("小林住在杭州", until, NOW) == "小林住在杭州（到2026年3月为止）"
    assert marked("Tom lives in Berlin", until, NOW - 1) == "Tom lives in Berlin"
    part = (Ending(2, "supersede", NOW, NOW, "home", "I live in Berlin", whole=False),)
    assert marked("I live in Berlin. I love rain.", part, NOW).endswith("(“I live in Berlin” until March 2026)")
    assert "Berlin" not in marked("I live in xxx. I love rain.", part, NOW), "what is masked is not told by the mark"
    named = [replace(part[0], said="我开一辆旧的高尔夫")]
    comes, visits = ([replace(part[0], said=said)] for said in ("my sister comes next week", "下个月我妈要来"))
    dated = marked("Tom: my sister comes next week (the week of 9 March 2026). I love rain.", comes, NOW)
    assert dated.endswith("(“my sister comes next week” until March 2026)"), "the day of a note is none of its words"
    assert marked("小林：下个月（2026年4月）我妈要来", visits, NOW).endswith("（“下个月我妈要来”到2026年3月为止）")
    assert marked("苏禾开一辆旧的高尔夫，空调坏了", named, NOW).endswith("（“开一辆旧的高尔夫”到2026年3月为止）")
    named = [replace(part[0], said="I drive an old Volvo")]
    assert marked("Nell drives an old Volvo. It leaks.", named, NOW).endswith("(“an old Volvo” until March 2026)")


def told(note: int, text: str, at: int, speaker: str = "Tom", **more: object) -> Told:
    return Told(note, text, speaker, (at, note), **more)  # type: ignore[arg-type]


def test_who_told_later_is_right_whichever_is_new() -> None:
    berlin, lisbon = told(1, "Tom lives in Berlin", NOW), told(2, "Tom moved to Lisbon", NOW + DAY_MS)
    for new, known in ((lisbon, berlin), (berlin, lisbon)):
        (outcome,) = outcomes(new, known, FactEvent.SUPERSEDE, NOW)  # type: ignore[misc]
        assert isinstance(outcome, Outcome)
        assert (outcome.ended, outcome.by, outcome.event) == (1, 2, "supersede")


def test_what_is_only_a_part_of_a_note_ends_a_part_of_it() -> None:
    both = told(1, "Tom: I live in Berlin. My knee hurts since I fell off the ladder.", NOW)
    (part,) = outcomes(told(2, "I moved to Lisbon", NOW + DAY_MS), both, FactEvent.SUPERSEDE, NOW)  # type: ignore[misc]
    assert isinstance(part, Outcome)
    assert not part.whole
    assert part.said == "I live in Berlin"
    fact = told(1, "Tom lives in Berlin", NOW, is_fact=True)
    (whole,) = outcomes(told(2, "I moved to Lisbon", NOW + DAY_MS), fact, FactEvent.SUPERSEDE, NOW)  # type: ignore[misc]
    assert isinstance(whole, Outcome)
    assert whole.whole


EVERYTHING = [
    "Tom likes jazz", "Tom's sister is called Anna", "Tom works at Siemens", "Anna lives in York", "Tom: the lamp is blue",
    "Tom saw a heron at the pond", "小林喜欢爵士乐", "小林养了一只猫", "Tom speaks Polish", "Tom is allergic to nuts",
]  # fmt: skip


@every_row(EVERYTHING, [FactEvent.SUPERSEDE, FactEvent.INVALIDATE])
def test_an_engine_that_supersedes_everything_is_refused_with_a_reason(text: str, event: FactEvent) -> None:
    new = told(99, "Tom moved to Lisbon", NOW + DAY_MS)
    refused = outcomes(new, told(1, text, NOW, speaker=text.split(maxsplit=1)[0]), event, NOW)
    assert isinstance(refused, Refused)
    assert refused.reason == "unrelated"
    assert "n99" in refused.detail


def test_what_code_cannot_read_an_engine_may_end_but_not_much_of_it() -> None:
    new = told(99, "Tom: turns out the blue kitchen lamp went to the flea market", NOW + DAY_MS)
    old = told(1, "Tom: the blue kitchen lamp hangs crooked", NOW)
    assert not isinstance(outcomes(new, old, FactEvent.INVALIDATE, NOW), Refused)
    refused = outcomes(new, old, FactEvent.INVALIDATE, NOW, unread=MOST_UNREAD)
    assert isinstance(refused, Refused)
    assert refused.reason == "too_many"


def test_rules_leave_to_an_engine_what_they_cannot_read() -> None:
    assert ruled(told(2, "Tom moved to Lisbon", NOW + 1), told(1, "Tom lives in Berlin", NOW)) is FactEvent.SUPERSEDE
    assert ruled(told(2, "Tom lives in Berlin", NOW + 1), told(1, "Tom lives in Berlin", NOW)) is FactEvent.REINFORCE
    assert ruled(told(2, "the lamp broke for good", NOW + 1), told(1, "Tom: the lamp hangs crooked", NOW)) is None


CORRECTIONS = [
    ("My flat is number 24", "sorry, typo: 42", "My flat is number 42"), ("I was born in Graz", "oops I mean Linz", "I was born in Linz"),
    ("The meeting starts at 3pm", "wait no, 4pm", "The meeting starts at 4pm"), ("The exam is on Monday", "it's Tuesday, not Monday", "The exam is on Tuesday"),
    ("my rent is 800", "Sorry, 850.", "my rent is 850"), ("我妹妹叫小红", "打错了，小虹", "我妹妹叫小虹"), ("会议在周二", "不是周二，是周三", "会议在周三"),
    ("我的航班是8点", "啊不，9点", "我的航班是9点"), ("我住在三楼", "说错了，是四楼", "我住在四楼"),
    ("My exam is on the 26th", "Sorry, I said the exam was on the 26th. It was the 19th", "My exam is on the 19th"),
]  # fmt: skip
NO_CORRECTIONS = [
    "no worries", "No way!", "No I can't come", "sorry I'm late", "It was at low tide, I will not forget it.", "not bad, thanks",
    "wait, what?", "no, she is fine", "actually I like it", "No. Dinner was great", "no, Monday was fun", "不是很喜欢", "不对劲",
    "等等我", "抱歉，我迟到了", "不是吧", "我不是不想去，是没时间",
]  # fmt: skip


@every_row(CORRECTIONS, unpack=True)
def test_a_correction_takes_the_place_of_its_kind(said: str, correction: str, right: str) -> None:
    found = correction_of(correction)
    assert found is not None
    assert corrected(said, found, NOW) == right


@every_row(NO_CORRECTIONS)
def test_what_corrects_nothing_changes_nothing(text: str) -> None:
    found = correction_of(text)
    for said in ("My dentist appointment is on Tuesday.", "I live in Graz", "我住在三楼", "I have two cats"):
        assert found is None or corrected(said, found, NOW) is None, (text, said)


def test_an_age_is_of_whom_the_words_before_were() -> None:
    def ages(text: str) -> list[tuple[str, str]]:
        return [(each.subject, each.object) for each in readings_of(text, "苏禾") if each.relation == "age"]

    assert ages("我叫苏禾，禾苗的禾，今年三十三，在苏州做古籍修复。") == [("苏禾", "三十三")]
    assert ages("我妈姓沈，叫沈月华，今年六十一，高血压。") == [("苏禾›妈", "六十一")]
    assert ages("老公叫陆川，是地铁司机，我们有个女儿叫米粒，七岁。") == []  # she is seven, not he
    assert ages("今年十月去日本。") == []
    assert ages("家里平时是我婆婆帮忙带豆豆，她姓冯，今年六十五，有糖尿病。") == []


def test_what_a_question_is_about_and_of_whom() -> None:
    assert relations_asked("What does Joss do?") == {"job", "work"}
    assert relations_asked("What does Joss do on Sundays?") == set()
    assert relations_asked("Where do I live?") == relations_asked("我住在哪里？") == {"home"}
    assert relations_asked("what did we eat?") == frozenset()
    known = ["tom", "tom›sister", "anna"]
    assert subjects_asked("Where does my sister live?", known, "tom") == ["tom›sister"]
    assert subjects_asked("Where does Anna live?", known, "tom") == ["anna"]
    assert subjects_asked("where do I live", known, "tom") == ["tom"]
    assert subjects_asked("where do people live", known, "tom") == []
    assert asks_past("Where did I live before?")
    assert asks_past("我以前住哪？")
    assert not asks_past("Where do I live now?")


@pytest.mark.parametrize("text", ["I work nights", "我上夜班", "我在 Greggs 上夜班"])
def test_the_word_of_an_earlier_answer_is_known_as_ours_when_it_is_pasted_back(text: str) -> None:
    told = marked_earlier(text)
    assert told.startswith(text)
    assert MARK.sub("", told) == text
