"""What is told to have happened at an event gets the day that was told of the event; both languages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.facts.event_dates import dated, event_days, meant
from soulmem.core.facts.event_references import references

# Cases stand on long lines, as tables.
# ruff: noqa: E501

Told = tuple[str, str]  # the day of telling, and the words


def ms(day: str) -> int:
    return int(datetime.fromisoformat(f"{day}T20:00:00").replace(tzinfo=UTC).timestamp() * 1000)


def day_of(earlier: Iterable[Told], now: Told) -> str:
    """The day that the last statement happened on, by what was told before it; "" where that is not sure."""
    at_ms = ms(now[0])
    for reference in dated(now[1], at_ms):
        known = [
            found
            for told, (day, text) in enumerate((*earlier, now))
            for found in event_days(text, ms(day), reference, told)
        ]
        if (found := meant(reference, now[1], at_ms, known)) is not None:
            return datetime.fromtimestamp(found[0] * DAY_MS / 1000, UTC).date().isoformat()
    return ""


GIG = ("2026-02-10", "We've got a gig this Friday in a basement on Locust Street.")
SHOW = ("2026-10-20", "29号我们合唱团在文化宫有演出。")
ROWS: list[tuple[Sequence[Told], Told, str]] = [
    ([GIG], ("2026-02-23", "At the gig our amp caught fire."), "2026-02-13"),
    ([GIG], ("2026-02-23", "The day after the gig I broke my wrist."), "2026-02-14"),
    ([GIG], ("2026-02-23", "Two days before the gig our drummer quit."), "2026-02-11"),
    ([("2026-08-01", "Gosia's wedding is on 25 August.")], ("2026-09-02", "I danced at Gosia's wedding."), "2026-08-25"),
    ([("2026-06-10", "Next Wednesday is the leavers party.")], ("2026-06-30", "At the leavers party he danced."), "2026-06-17"),
    ([("2026-06-30", "Hania has her birthday on 9 July.")], ("2026-08-04", "On her birthday the castle got a hole."), "2026-07-09"),
    ([("2026-06-29", "We moved to Cathcart on Saturday.")], ("2026-06-30", "The night before we moved I slept on the floor."), "2026-06-26"),
    ([("2026-06-01", "dentist june 3. cracked a molar")], ("2026-06-07", "day after the dentist i drooled"), "2026-06-04"),
    ([("2026-07-02", "They operate on my knee on 14 July.")], ("2026-07-19", "At the wedding it rained."), ""),
    ([("2026-07-02", "My surgery is on 14 July.")], ("2026-07-19", "three days after surgery Mateo came over"), "2026-07-17"),
    ([("2026-08-01", "They are getting married on 25 August.")], ("2026-09-02", "I danced at the wedding."), "2026-08-25"),
    ([("2026-08-01", "Tom’s wedding is on 25 August.")], ("2026-09-02", "At Tom’s wedding I cried."), "2026-08-25"),
    ([("2026-03-08", "The fête is on Saturday 14 March.")], ("2026-03-23", "At the fête I won a ham."), "2026-03-14"),
    ([("2026-03-08", "Tom moved to Leeds on Saturday.")], ("2026-03-23", "The day Tom moved, it rained."), "2026-03-07"),
    ([("2026-09-11", "十月三号宝音结婚。")], ("2026-10-05", "婚礼那天刮白毛风。"), "2026-10-03"),
    ([SHOW], ("2026-11-08", "演出那天我一上台全忘词儿了"), "2026-10-29"),
    ([SHOW], ("2026-11-08", "演出的前一天我嗓子哑了"), "2026-10-28"),
    ([SHOW], ("2026-11-08", "演出第二天我睡了一整天"), "2026-10-30"),
    ([("2026-11-18", "下周四去拔智齿，怕死了")], ("2026-11-30", "拔完牙第二天脸肿得像仓鼠"), "2026-11-27"),
    ([("2026-10-20", "这周六我们去东湖骑车")], ("2026-10-28", "骑车那天罗敏冲进湖里了"), "2026-10-24"),
    ([("2026-05-22", "我大姐下周四从攀枝花来耍")], ("2026-05-29", "我大姐到的那天打喷嚏，假牙飞了"), "2026-05-28"),
    ([GIG], ("2026-02-11", "I'll wear the green dress at the gig."), "2026-02-13"),
]  # fmt: skip
UNSURE: list[tuple[Sequence[Told], Told]] = [
    ([], ("2026-02-23", "At the gig our amp caught fire.")),
    ([GIG], ("2026-06-23", "At the gig our amp caught fire.")),  # of another one, months later
    ([GIG], ("2026-02-11", "At the gig our amp caught fire.")),  # it is still to come
    ([GIG], ("2026-02-23", "I'll wear the green dress at the gig.")),  # it is over
    ([GIG, ("2026-02-14", "Another gig is on 20 February.")], ("2026-02-23", "At the gig our amp caught fire.")),
    ([GIG, ("2026-02-12", "The gig got postponed.")], ("2026-02-23", "At the gig our amp caught fire.")),
    ([GIG, ("2026-02-12", "The gig on the 13th is cancelled.")], ("2026-02-23", "At the gig our amp caught fire.")),
    ([SHOW, ("2026-10-25", "29号的演出黄了。")], ("2026-11-08", "演出那天我一上台全忘词儿了")),
    ([("2025-12-15", "We've got a gig next Wednesday.")], ("2025-12-20", "At the gig our amp caught fire.")),  # either
    ([GIG], ("2026-02-23", "At every gig our amp breaks.")),
    ([GIG], ("2026-02-23", "On Sunday at the gig our amp caught fire.")),  # it says its day
    ([("2026-08-01", "Gosia's wedding is on 25 August.")], ("2026-09-02", "I danced at Anna's wedding.")),
    ([("2026-08-01", "I bought shoes for the wedding on Friday.")], ("2026-09-02", "At the wedding it rained.")),
    ([("2026-02-18", "They fly home on 28 February.")], ("2026-03-15", "The evening they flew home the dog howled.")),
    ([("2026-03-10", "It's my sister's birthday on Friday.")], ("2026-03-23", "At my birthday we had pizza.")),
    ([("2026-03-10", "妈妈生日是3月13号。")], ("2026-03-23", "生日那天我们吃了火锅。")),
    ([("2026-03-08", "I lost my keys on Saturday.")], ("2026-03-23", "The day we lost the match it rained.")),
    ([("2026-03-08", "Tom moved to Leeds on Saturday.")], ("2026-03-23", "The day before we moved I slept badly.")),
    ([("2026-03-10", "I have a meeting on Friday.")], ("2026-03-23", "I left my umbrella in the meeting room.")),
    ([("2026-03-10", "The spring ball is on Friday.")], ("2026-03-23", "She was really on the ball.")),
    ([], ("2026-11-08", "演出那天我一上台全忘词儿了")),
    ([SHOW, ("2026-10-25", "演出推迟了，日子还没定。")], ("2026-11-08", "演出那天我一上台全忘词儿了")),
    ([SHOW], ("2026-11-08", "每次演出那天我都紧张")),
    ([("2026-04-22", "小蕾昨晚上打电话来")], ("2026-05-04", "小蕾他们到的那天我整了十二个菜")),
    ([("2026-10-20", "29号我要买演出穿的裙子")], ("2026-11-08", "演出那天我一上台全忘词儿了")),
]


@every_row(ROWS, unpack=True)
def test_an_event_lends_its_day(earlier: Sequence[Told], now: Told, day: str) -> None:
    assert day_of(earlier, now) == day


@every_row(UNSURE, unpack=True)
def test_what_is_not_sure_has_no_day(earlier: Sequence[Told], now: Told) -> None:
    assert day_of(earlier, now) == ""


def test_an_event_that_was_moved_has_its_new_day() -> None:
    moved = ("2026-02-12", "The gig has been moved to 20 February.")
    assert day_of([GIG, moved], ("2026-02-23", "At the gig our amp caught fire.")) == "2026-02-20"
    later = ("2026-10-25", "演出改到31号了。")
    assert day_of([SHOW, later], ("2026-11-08", "演出那天我一上台全忘词儿了")) == "2026-10-31"


WORDS = st.sampled_from(
    "at the on day after before our gig wedding Gosia's birthday we moved was is 20 March 演出 那天 第二天 拔牙 小蕾 的 了 ，。. ,".split()
)


@given(st.lists(WORDS, max_size=24), st.integers(-400, 400))
def test_a_reference_lies_within_its_text_and_its_day_near_the_telling(words: list[str], shift: int) -> None:
    for text in (" ".join(words), "".join(words)):
        now = ms("2026-06-01")
        for reference in references(text):
            assert 0 <= reference.start < reference.end <= len(text)
            known = list(event_days(text, now + shift * DAY_MS, reference, 0))
            assert all(found.quote in text for found in known)
            if (found := meant(reference, text, now, known)) is not None:
                assert -60 <= found[0] - now // DAY_MS <= 200
