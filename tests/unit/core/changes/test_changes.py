"""Changes in any words: pairs of talk in both languages, and laws that hold for any text."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes.change_clauses import MOST, statement_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.changes.contradiction import Told, outcomes, ruled
from soulmem.core.changes.supersession import Effect
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.topic_terms import match, weight
from soulmem.core.schema.engine_tasks import FactEvent
from spoken_texts import texts

CORPUS = Path(__file__).parents[3] / "corpora" / "changes.tsv"
PAIRS = [line.split("\t") for line in CORPUS.read_text(encoding="utf-8").splitlines()]
TOPICS = ("meet", "appoint", "dentist", "rent", "房租", "考试", "猫")
START = 1_772_442_000_000  # a Monday


def is_over(old: str, new: str, *, before: str = "", context: str = "", speaker: str = "Ana") -> bool:
    """Whether what was told nine days later ends what was told; `before` and `context`: what was said before each."""
    earlier = Told(1, old, speaker, (START, 1), before=before)
    later = Told(2, new, speaker, (START + 9 * DAY_MS, 2), before=context)
    return ruled(later, earlier) in {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


def test_the_corpus_has_both_languages_and_both_verdicts() -> None:
    for chinese in (False, True):
        mine = [verdict for verdict, _, new in PAIRS if any(char >= "\u4e00" for char in new) is chinese]
        assert mine.count("over") >= 50
        assert mine.count("both") >= 35


@every_row(PAIRS, unpack=True)
def test_a_word_of_change_about_the_same_ends_it_and_nothing_else_does(verdict: str, old: str, new: str) -> None:
    assert is_over(old, new) is (verdict == "over")


@every_row(PAIRS, unpack=True)
def test_what_was_told_before_is_never_ended_by_itself_told_again(verdict: str, old: str, new: str) -> None:
    assert not [each for each in changes(statement_of(old, "Ana", START), statement_of(old, "Ana", START))
                if each.effect is Effect.SUPERSEDE]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "before", "new", "context"),
    [
        ("They want to operate on the third of May.", "I have a bad shoulder.", "They've moved my shoulder to the ninth of May.", ""),
        ("He takes iron tablets every morning.", "My uncle Piet is anaemic.", "He came off the iron tablets.", "I rang uncle Piet."),
        ("他在南京做会计。", "我表弟叫李航。", "他下个月要调到武汉去了。", "李航今天来了"),
        ("她想学法律。", "我妹妹今年高考。", "我妹妹不想学法律了，想学护理", ""),
    ],
)  # fmt: skip
def test_who_he_is_and_what_it_is_stands_before(old: str, before: str, new: str, context: str) -> None:
    assert is_over(old, new, before=before, context=context)


@pytest.mark.parametrize(
    ("old", "before", "new", "context"),
    [
        ("He takes iron tablets every morning.", "My uncle Piet is anaemic.", "He came off the iron tablets.", "I rang my son Max."),
        ("他在南京做会计。", "我表弟叫李航。", "他下个月要调到武汉去了。", "王伟今天来了"),
    ],
)  # fmt: skip
def test_another_he_changes_nothing(old: str, before: str, new: str, context: str) -> None:
    assert not is_over(old, new, before=before, context=context)


@pytest.mark.parametrize(
    ("first", "then"),
    [("Choir is on Fridays now.", "Choir is on Thursdays and Fridays."), ("瑜伽课改周四了。", "瑜伽课在周四晚上。")],
)
def test_a_word_of_change_ends_nothing_that_is_told_after_it(first: str, then: str) -> None:
    told = Told(1, first, "Ana", (START, 1))
    assert ruled(Told(2, then, "Ana", (START + DAY_MS, 2)), told) is not FactEvent.SUPERSEDE


@pytest.mark.parametrize(
    ("one", "other"), [("My rent went down to 800 now.", "My rent is 900."), ("房租降到八百了。", "我房租九百。")]
)
def test_of_two_rents_the_one_told_last_holds_whichever_is_asked_about(one: str, other: str) -> None:
    first, last = Told(1, one, "Ana", (START, 1)), Told(2, other, "Ana", (START + DAY_MS, 2))
    for new, known in ((last, first), (first, last)):
        found = outcomes(new, known, FactEvent.SUPERSEDE, START + 2 * DAY_MS)
        assert isinstance(found, tuple)
        assert [(each.ended, each.by) for each in found] == [(1, 2)]


@pytest.mark.parametrize(
    ("old", "new", "stays"),
    [
        ("My mum's called Winifred, she turns 70 on the 2nd of May.", "I told you wrong: mum turns 71, not 70.", "Winifred"),
        ("我妈叫秀芬，五月二号满六十五，我们一起吃午饭。", "我妈是满六十六，不是六十五", "秀芬"),
        ("Rosie's seven, Kit's three.", "I said Rosie's seven, she's eight.", "Kit"),
        ("大宝七岁，小宝三岁。", "说错了，大宝八岁，不是七岁。", "小宝"),
    ],
)  # fmt: skip
def test_of_a_note_that_is_wrong_in_one_detail_the_rest_stays(old: str, new: str, stays: str) -> None:
    found = outcomes(
        Told(2, new, "Ana", (START + DAY_MS, 2)), Told(1, old, "Ana", (START, 1)), FactEvent.SUPERSEDE, START + DAY_MS
    )
    assert isinstance(found, tuple)
    assert found
    assert all(not each.whole and stays not in each.said for each in found)


LISTS = [
    "And Tilly, the youngest, thirty-three, a biologist, off in Tasmania.", "Two grandchildren: Rob, eight, and Nell who is five.",
    "Our car is a green van, eleven years old.", "Did I say I was born in Cork? We left when I was three.",
    "My last day there is next Friday.", "Yesterday I met Petra, we hadn't spoken since the summer of 2019.",
    "Change of plan, they want me a week later, so I start on the 23rd now.", "The tray slid off in the car.",
    "今年六十三了，属龙的", "有条老狗，叫大黄，十二了，耳朵背", "早上量血糖，九点八，有点高", "橘子寄出去了，二十三块", "我养了只橘猫，一岁半，怕打雷",
]  # fmt: skip


@every_row(LISTS, LISTS)
def test_ages_days_and_prices_of_many_end_none_of_each_other(old: str, new: str) -> None:
    assert not is_over(old, new)


@settings(deadline=None)
@given(texts, texts)
def test_of_any_two_texts_only_what_was_said_is_found_and_each_clause_once(new: str, old: str) -> None:
    later, earlier = statement_of(new, "Ana", START), statement_of(old, "Ana", START)
    assert len(later.clauses) <= MOST
    found = changes(later, earlier)
    assert len({each.old.said for each in found}) == len(found)
    assert all(each.old.said in {one.said for one in earlier.clauses} for each in found)
    assert all(each.new.said in {one.said for one in later.clauses} for each in found)


@every_row([pair[1:] for pair in PAIRS if not set(".!?。！？…:") & set(pair[2].rstrip(".!。！"))], unpack=True)
def test_a_question_changes_nothing(old: str, new: str) -> None:
    asked = statement_of(new.rstrip(".!。！") + "?", "Ana", START + DAY_MS)
    assert changes(asked, statement_of(old, "Ana", START)) == ()


@given(
    st.frozensets(st.sampled_from(TOPICS)),
    st.frozensets(st.sampled_from(TOPICS)),
)
def test_topics_are_the_same_whichever_comes_first(one: frozenset[str], other: frozenset[str]) -> None:
    assert match(one, other) is match(other, one)
    assert not (match(one, other) and not weight(one & other))


def test_a_wall_of_text_is_read_to_its_bound() -> None:
    for wall in ("the rent went up to 900 and " * 20_000, "房租涨到三千了，" * 50_000, "not " * 50_000, "改" * 100_000):
        assert len(statement_of(wall, "Ana", START).clauses) <= MOST


LONG = (
    "I'm speeding up my budget tracker, and the API answers in 180 ms now instead of before. "
    "I want the layout to stay simple and the code to be readable for everybody who comes after me. "
    "So far there is one table, one route and one page, and nobody has complained about how it looks. "
    "Can you help me cache it, and I'd like the answer to use bullet points instead of paragraphs?"
)
LONG_ZH = (
    "我的记账程序接口现在只要180毫秒了，表只有一张，页面也只有一页，"
    + "希望布局保持简单，代码以后谁来都看得懂，" * 14
    + "能帮我写缓存吗？"
)


@pytest.mark.parametrize(
    ("known", "plain", "task"),
    [
        ("The API of my budget tracker answers in 250 ms", "The API of my budget tracker answers in 180 ms now", LONG),
        ("我的记账程序接口要250毫秒", "我的记账程序接口现在只要180毫秒了", LONG_ZH),
    ],
)
def test_a_task_told_at_length_is_no_news_of_a_life(known: str, plain: str, task: str) -> None:
    earlier = statement_of(known, "Mara", 1)
    assert changes(statement_of(plain, "Mara", 2), earlier)
    assert len(task) > 300
    assert not changes(statement_of(task, "Mara", 2), earlier)


@pytest.mark.parametrize(
    "text", ["Here's my current code: ```python\nrent = 950\n```", "我的代码如下：```\nrent = 950 # 我住在杭州\n```"]
)
def test_what_is_only_shown_says_nothing_of_anybody(text: str) -> None:
    assert not readings_of(text, "Mara")
    assert readings_of(f"I live in Riga. {text}", "Mara")
