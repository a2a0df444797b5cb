"""Which stretch of time a question asks about, and what belongs to it by when it happened; both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.questions.event_times import Belonging, belongs, goes_somewhere
from soulmem.core.questions.time_questions import asks_habit, may_ask_time, read_time
from soulmem.working.recall.time_window_recall import elsewhen


def ms(year: int, month: int, day: int, hour: int = 0) -> int:
    return int(datetime(year, month, day, hour, tzinfo=UTC).timestamp() * 1000)


NOW = ms(2026, 5, 13, 15)  # a Wednesday


def days(first: tuple[int, int, int], last: tuple[int, int, int]) -> tuple[int, int]:
    return ms(*first), ms(*last)


YESTERDAY = days((2026, 5, 12), (2026, 5, 13))
LISTS = [
    ("what did I do yesterday", YESTERDAY),
    ("what happened yesterday?", YESTERDAY),
    ("what did we get up to last weekend", days((2026, 5, 9), (2026, 5, 11))),
    ("what did I do in March?", days((2026, 3, 1), (2026, 4, 1))),
    ("what did I do in October?", days((2025, 10, 1), (2025, 11, 1))),
    ("what are my plans in October?", days((2026, 10, 1), (2026, 11, 1))),
    ("what is coming up next week", days((2026, 5, 18), (2026, 5, 25))),
    ("do I have anything on tomorrow?", days((2026, 5, 14), (2026, 5, 15))),
    ("what was going on two days ago", days((2026, 5, 11), (2026, 5, 12))),
    ("how did I spend yesterday?", YESTERDAY),
    ("how did yesterday go?", YESTERDAY),
    ("how was my weekend?", days((2026, 5, 9), (2026, 5, 11))),
    ("what's in my diary for tomorrow?", days((2026, 5, 14), (2026, 5, 15))),
    ("have I any appointments next week?", days((2026, 5, 18), (2026, 5, 25))),
    ("what have I got lined up for tomorrow?", days((2026, 5, 14), (2026, 5, 15))),
    ("昨天我做了什么", YESTERDAY),
    ("昨天发生了什么事？", YESTERDAY),
    ("昨天干啥了", YESTERDAY),
    ("上周二我干了什么", days((2026, 5, 5), (2026, 5, 6))),
    ("三月我做了什么？", days((2026, 3, 1), (2026, 4, 1))),
    ("这周末我有什么安排", days((2026, 5, 16), (2026, 5, 18))),
    ("明天有什么计划？", days((2026, 5, 14), (2026, 5, 15))),
    ("上个月过得怎么样", days((2026, 4, 1), (2026, 5, 1))),
    ("yesterday 我做了什么", YESTERDAY),
]
LISTS += [
    ("what happened in the first week of May?", days((2026, 5, 1), (2026, 5, 8))),
    ("what did I do during the week of the 4th?", days((2026, 5, 4), (2026, 5, 11))),
    ("what did I do between the 5th and the 9th?", days((2026, 5, 5), (2026, 5, 10))),
    ("what happened from Monday to Wednesday?", days((2026, 5, 11), (2026, 5, 14))),
    ("What happened in spring?", days((2026, 3, 1), (2026, 6, 1))),
    ("what am I doing over the winter?", days((2026, 12, 1), (2027, 3, 1))),
    ("how was my April?", days((2026, 4, 1), (2026, 5, 1))),
    ("what am I doing at Christmas?", days((2026, 12, 25), (2026, 12, 26))),
    ("what have I done since Monday?", (ms(2026, 5, 11), NOW + 1)),
    ("what do I have to do before Friday?", (NOW, ms(2026, 5, 15))),
    ("what do I have to do by Friday?", (NOW, ms(2026, 5, 16))),
    ("五月头一个礼拜我干了什么？", days((2026, 5, 1), (2026, 5, 8))),
    ("4号那周我干嘛了？", days((2026, 5, 4), (2026, 5, 11))),
    ("从周一到周三我都干什么了？", days((2026, 5, 11), (2026, 5, 14))),
    ("五月五号到五月九号我在干嘛了？", days((2026, 5, 5), (2026, 5, 10))),
    ("寒假我干了什么？", days((2025, 12, 1), (2026, 3, 1))),
    ("冬天我打算干什么？", days((2026, 12, 1), (2027, 3, 1))),
    ("端午节我怎么过？", days((2026, 6, 19), (2026, 6, 20))),
    ("去年中秋我怎么过的？", days((2025, 10, 6), (2025, 10, 7))),
]
CONTENT = [
    ("what did I eat yesterday", YESTERDAY),
    ("who did Mara visit last weekend?", days((2026, 5, 9), (2026, 5, 11))),
    ("which bus did I take yesterday", YESTERDAY),
    ("what did I spend on the roof yesterday?", YESTERDAY),
    ("how did the dentist appointment go yesterday?", YESTERDAY),
    ("昨天晚饭吃的什么", YESTERDAY),
    ("上周二谁来修锅炉了？", days((2026, 5, 5), (2026, 5, 6))),
    ("昨天我买了什么", YESTERDAY),
]
NEITHER = [
    "what is my dog called?", "I was ill yesterday.", "昨天我病了。", "what have I done since March?", "我有几个孩子？",
    "what did I do before 2020?", "what happened after the 3rd of May?", "三月以前我住在哪里？", "昨天",
]  # fmt: skip


@pytest.mark.parametrize(("text", "period"), LISTS)
def test_whatever_happened_is_wanted(text: str, period: tuple[int, int]) -> None:
    asked = read_time(text, NOW)
    assert asked is not None
    assert (asked.periods, asked.is_list) == ((period,), True)


@every_row(CONTENT, unpack=True)
def test_something_of_that_time_is_wanted(text: str, period: tuple[int, int]) -> None:
    asked = read_time(text, NOW)
    assert asked is not None
    assert (asked.is_list, asked.units.tells) == (False, True)
    assert all(start < period[1] and period[0] < end for start, end in asked.periods)


@every_row(NEITHER)
def test_what_asks_of_no_time_is_left_alone(text: str) -> None:
    assert read_time(text, NOW) is None


@pytest.mark.parametrize("text", ["what have I been up to lately?", "我最近在忙什么？"])
def test_lately_is_the_last_week(text: str) -> None:
    asked = read_time(text, NOW)
    assert asked is not None
    assert asked.is_list
    assert asked.periods[0][0] == NOW - 7 * DAY_MS
    assert may_ask_time(text, NOW)


@every_row(
    [
        ("Yesterday I planted the beans.", ms(2026, 5, 13, 9), Belonging.SAYS_SO),
        ("the beans went in on 12 May 2026", ms(2026, 5, 30), Belonging.SAYS_SO),
        ("planted the beans!", ms(2026, 5, 12, 9), Belonging.TOLD),
        ("yesterday I planted the beans", ms(2026, 5, 12, 9), None),
        ("planted the beans!", ms(2026, 5, 13, 9), None),
        ("In 2026 I began to garden.", ms(2026, 5, 12, 9), None),
        ("昨天把豆子种下了", ms(2026, 5, 13, 9), Belonging.SAYS_SO),
        ("豆子种下了", ms(2026, 5, 12, 9), Belonging.TOLD),
        ("前天把豆子种下了", ms(2026, 5, 13, 9), None),
        ("2026年5月12日种的豆子", ms(2026, 6, 1), Belonging.SAYS_SO),
    ],
    unpack=True,
)
def test_when_a_message_happened(text: str, told: int, known: Belonging | None) -> None:
    assert belongs(text, told, (YESTERDAY,)) is known


@every_row(
    [
        ("Ida planted the beans.", ms(2026, 5, 12), Belonging.HAPPENED),
        ("Ida (12 May 2026): the beans are in", ms(2026, 5, 12), Belonging.HAPPENED),
        ("Ida (13 May 2026): the beans went in yesterday (12 May 2026)", ms(2026, 5, 12), Belonging.SAYS_SO),
        ("Ida (12 May 2026): the fair is on 20 May 2026", ms(2026, 5, 20), None),
        ("Ida planted the beans.", ms(2026, 5, 11), None),
        ("依达（2026年5月12日）：豆子种下了", ms(2026, 5, 12), Belonging.HAPPENED),
        ("依达（2026年5月12日）：集市是2026年5月20日", ms(2026, 5, 20), None),
        ("Ida: chocolates from work, last year (2025) it was shampoo", ms(2026, 5, 12), Belonging.HAPPENED),
        ("依达：中心发了一提纸，去年（2025年）好歹还是洗发水", ms(2026, 5, 12), Belonging.HAPPENED),
    ],
    unpack=True,
)
def test_when_a_note_happened(text: str, at: int, known: Belonging | None) -> None:
    assert belongs(text, at, (YESTERDAY,), dated=True) is known


@pytest.mark.parametrize(
    ("text", "day", "known"),
    [
        ("Ida (2 May 2026): I was in Rome from the 5th (5 May 2026) to the 9th (9 May 2026)", 7, Belonging.ROUGHLY),
        ("Ida (2 May 2026): I was in Rome from the 5th (5 May 2026) to the 9th (9 May 2026)", 10, None),
        ("依达（2026年5月2日）：五号（2026年5月5日）到九号（2026年5月9日）我在成都", 7, Belonging.ROUGHLY),
        ("依达（2026年5月2日）：五号（2026年5月5日）到九号（2026年5月9日）我在成都", 11, None),
        ("Ida: away the week of 4 May 2026", 7, None),
    ],
)
def test_what_goes_on_from_one_day_to_another_is_of_each_day_between(
    text: str, day: int, known: Belonging | None
) -> None:
    period = days((2026, 5, day), (2026, 5, day + 1))
    assert belongs(text, ms(2026, 5, 5), (period,), dated=True) is known


@given(st.text(max_size=200), st.integers(-(10**15), 10**15))
def test_any_text_at_any_time_is_read(text: str, at: int) -> None:
    asked = read_time(text + "?", at)
    if asked is not None:
        assert all(start < end for start, end in asked.periods)
        assert belongs(text, at, asked.periods) in (None, *Belonging)


def test_last_thursday_may_be_that_of_last_week_or_the_latest() -> None:
    sunday = ms(2026, 5, 17, 20)
    asked = read_time("what happened last Thursday?", sunday)
    assert asked is not None
    assert set(asked.periods) == {days((2026, 5, 7), (2026, 5, 8)), days((2026, 5, 14), (2026, 5, 15))}
    assert asked.is_past
    ahead = read_time("what is on next week?", sunday)
    assert ahead is not None
    assert not ahead.is_past


@every_row(
    [
        ("the stew was eaten on Saturday night", ms(2026, 5, 11, 9), (2026, 5, 9), Belonging.SAYS_SO),
        ("the stew was eaten on Saturday night", ms(2026, 5, 11, 9), (2026, 5, 10), None),
        ("she starts at the mill on the ninth of May", ms(2026, 5, 4), (2026, 5, 9), Belonging.SAYS_SO),
        (
            "yesterday I met Ivo, first time since the summer of 2023",
            ms(2026, 5, 10, 9),
            (2026, 5, 9),
            Belonging.SAYS_SO,
        ),
        ("周末终于睡到十点", ms(2026, 5, 10, 9), (2026, 5, 9), Belonging.ROUGHLY),
        ("昨天去爬山了，腿废了", ms(2026, 5, 10, 9), (2026, 5, 9), Belonging.SAYS_SO),
    ],
    unpack=True,
)
def test_a_night_belongs_to_the_day_it_began_on_and_a_day_says_more_than_a_weekend(
    text: str, told: int, day: tuple[int, int, int], known: Belonging | None
) -> None:
    start = ms(*day)
    assert belongs(text, told, [(start, start + DAY_MS)]) == known


@every_row([
        "Rae (13 September 2026): I used to play the zither", "Rae (13 September 2026): if I won I'd move to Malta",
        "Rae's uncle can't have oats (13 September 2026)", "阿蓉以前弹古筝（2026年9月13日）",
        "要是中了奖阿蓉就搬去大连（2026年9月13日）", "阿蓉的舅舅不能吃燕麦（2026年9月13日）",
    ])  # fmt: skip
def test_what_is_no_event_did_not_happen_when_it_was_told(text: str) -> None:
    at = ms(2026, 9, 13, 20)
    assert belongs(text, at, [(at - 3_600_000, at + 3_600_000)], dated=True) is None


@pytest.mark.parametrize("text", ["Rae (13 September 2026): baked a plum tart", "阿蓉（2026年9月13日）：烤了个李子派"])
def test_what_was_told_in_the_evening_belongs_to_the_evening_and_not_to_the_morning(text: str) -> None:
    at = ms(2026, 9, 13, 20)
    assert belongs(text, at, [(at - 3_600_000, at + 3_600_000)], dated=True) is not None
    assert belongs(text, at, [(at - 12 * 3_600_000, at - 8 * 3_600_000)], dated=True) is None


@every_row([
        ("what is coming up?", True), ("do I have any plans this week?", True), ("what have I got on Thursday?", False),
        ("what did I do this week?", False), ("接下来我有什么安排？", True), ("这周我做了什么？", False),
    ], unpack=True)  # fmt: skip
def test_of_what_lies_ahead_nothing_that_is_over_is_meant(text: str, ahead: bool) -> None:
    asked = read_time(text, NOW)
    assert asked is not None
    assert asked.is_list
    assert asked.from_ms == (NOW if ahead else None)
    if ahead:
        over = belongs("this morning I planted the beans", NOW - 3_600_000, asked.periods, from_ms=asked.from_ms)
        to_come = belongs("tomorrow I plant the beans", NOW - 3_600_000, asked.periods, from_ms=asked.from_ms)
        assert (over, to_come) == (None, Belonging.SAYS_SO)


def test_what_have_i_got_asks_of_what_comes() -> None:
    asked = read_time("what have I got on Thursday?", NOW)
    assert asked is not None
    assert asked.periods == (days((2026, 5, 14), (2026, 5, 15)),)


@every_row([
        "I always swim on Tuesdays", "the kiln is fired every Friday", "I want to learn the cello", "每周四我练字",
        "我一般六点起床", "特别想学大提琴",
    ])  # fmt: skip
def test_what_is_usual_or_only_wanted_happened_on_no_day(text: str) -> None:
    assert belongs(text, ms(2026, 5, 12, 9), (YESTERDAY,)) is None


def test_a_night_is_that_of_its_own_day() -> None:
    night = (ms(2026, 5, 8, 18), ms(2026, 5, 9, 6))  # of a Friday
    assert belongs("on Saturday I climbed the hill", ms(2026, 5, 11, 9), (night,)) is None
    assert belongs("on Friday night I danced", ms(2026, 5, 11, 9), (night,)) is Belonging.SAYS_SO
    told = "Ida: tonight (8 May 2026) I'm off to dance"
    assert belongs(told, ms(2026, 5, 8, 20), (night,), dated=True) is Belonging.SAYS_SO


@pytest.mark.parametrize(
    ("bare", "of_many_parts", "of_a_month"),
    [
        (
            "what did Ann buy yesterday?",
            "what did Ann buy for the pottery workshop with the neighbours from Dresden yesterday?",
            "what did Ann buy in February?",
        ),
        (
            "安娜昨天买了什么花？",
            "安娜昨天和邻居在陶艺工作坊讨论预算以后买了什么颜色的釉料？",
            "安娜二月买了什么花？",
        ),
    ],
)
def test_a_time_counts_as_one_of_the_parts_that_are_asked_for(bare: str, of_many_parts: str, of_a_month: str) -> None:
    few, many, long = (elsewhen(asked) for text in (bare, of_many_parts, of_a_month) if (asked := read_time(text, NOW)))
    assert many < 0.7 * few
    assert long == pytest.approx(few / 2)


@every_row(
    [
        ("周五晚上我一般做什么？", True),
        ("我现在周日去哪里钓鱼？", True),
        ("我每个星期三晚上做什么？", True),
        ("逢周二我做什么？", True),
        ("What do I usually do on Friday nights?", True),
        ("Where do I go on Sundays?", True),
        ("上周五我一般几点到的？", False),
        ("周五晚上我做什么了？", False),
        ("下周三我有什么安排？", False),
        ("What did I do on Friday?", False),
        ("What am I doing on Friday?", False),
        ("我平时爱吃什么？", False),
    ],
    unpack=True,
)
def test_a_day_of_every_week_is_no_date(question: str, expected: bool) -> None:
    assert asks_habit(question) is expected


@every_row(
    [
        ("昨天清明，回双城给我妈上坟", True),
        ("昨儿去了趟阿城，来回四百", True),
        ("早上跑到城南送货", True),
        ("I went down to Ghent for the day", True),
        ("we drove up to the lake", True),
        ("客厅支了个上下铺，俩人昨晚抢遥控器", False),
        ("昨晚吃的火锅，真辣", False),
        ("I baked two loaves", False),
    ],
    unpack=True,
)
def test_what_tells_where_somebody_went(text: str, expected: bool) -> None:
    assert goes_somewhere(text) is expected


def test_where_one_went_is_asked_of_a_time() -> None:
    for question, expected in (
        ("昨天我去哪里了？", True),
        ("Where did I go yesterday?", True),
        ("昨天我做什么了？", False),
    ):
        asked = read_time(question, NOW)
        assert asked is not None
        assert asked.is_where is expected
