"""Expressions of time, Chinese and English: found, resolved from the message's own time, and said absolutely."""

from __future__ import annotations

import datetime
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.dates.date_parser import Granularity, find_dates, render_day, render_span, resolve_dates, time_range

EXAMPLES = 3000 if os.environ.get("SOULMEM_TORTURE") else 300


def moment(year: int, month: int, day: int, hour: int = 0) -> int:
    return calendar_math.day_number(year, month, day) * calendar_math.DAY_MS + hour * calendar_math.HOUR_MS


MONDAY = moment(2023, 5, 8, 14)  # 8 May 2023, a Monday

ENGLISH = [
    ("I went there yesterday.", "yesterday (7 May 2023)"),
    ("We met today", "today (8 May 2023)"),
    ("See you tomorrow!", "tomorrow (9 May 2023)"),
    ("the day before yesterday it rained", "the day before yesterday (6 May 2023)"),
    ("leaving the day after tomorrow", "the day after tomorrow (10 May 2023)"),
    ("I slept badly last night", "last night (7 May 2023)"),
    ("Are you free tonight?", "tonight (8 May 2023)"),
    ("this morning I ran", "this morning (8 May 2023)"),
    ("two days ago", "two days ago (6 May 2023)"),
    ("3 weeks ago", "3 weeks ago (the week of 17 April 2023)"),
    ("a month ago", "a month ago (April 2023)"),
    ("10 years ago", "10 years ago (2013)"),
    ("half a year ago", "half a year ago (November 2022)"),
    ("a few years ago", "a few years ago (around 2020)"),
    ("a couple of days ago", "a couple of days ago (around 6 May 2023)"),
    ("two weekends ago", "two weekends ago (29–30 April 2023)"),
    ("a decade ago", "a decade ago (around 2013)"),
    ("in two weeks we will go", "in two weeks (the week of 22 May 2023)"),
    ("I ran a race last Saturday", "last Saturday (6 May 2023)"),
    ("last Monday was quiet", "last Monday (1 May 2023)"),
    ("this Friday", "this Friday (12 May 2023)"),
    ("I signed up on Friday", "on Friday (5 May 2023)"),
    ("We will meet on Friday", "on Friday (12 May 2023)"),
    ("last Fri I went", "last Fri (5 May 2023)"),
    ("last week", "last week (the week of 1 May 2023)"),
    ("next week", "next week (the week of 15 May 2023)"),
    ("this weekend", "this weekend (13–14 May 2023)"),
    ("last weekend", "last weekend (6–7 May 2023)"),
    ("We hiked over the weekend", "over the weekend (6–7 May 2023)"),
    ("the week before last", "the week before last (the week of 24 April 2023)"),
    ("last month", "last month (April 2023)"),
    ("next month", "next month (June 2023)"),
    ("last year", "last year (2022)"),
    ("last summer", "last summer (summer 2022)"),
    ("last winter", "last winter (winter 2022–23)"),
    ("last May", "last May (May 2022)"),
    ("last Christmas", "last Christmas (25 December 2022)"),
    ("It happened in May", "in May 2023"),
    ("I was there in December", "in December 2022"),
    ("since early March", "early March 2023"),
    ("on 3 June", "on 3 June 2023"),
    ("June 3rd", "June 3rd, 2023"),
    ("tomorrow at 3 pm", "tomorrow at 3 pm (9 May 2023, 15:00)"),
    ("these past two years", "these past two years"),
    ("for the last two years", "the last two years (since about 2021)"),
]
CHINESE = [
    ("昨天我去了医院", "昨天（2023年5月7日）我去了医院"),
    ("前天", "前天（2023年5月6日）"),
    ("大前天晚上", "大前天晚上（2023年5月5日）"),
    ("后天早上8点半", "后天早上8点半（2023年5月10日08:30）"),
    ("明天下午三点", "明天下午三点（2023年5月9日15:00）"),
    ("昨晚没睡好", "昨晚（2023年5月7日）没睡好"),
    ("今早", "今早（2023年5月8日）"),
    ("上周五", "上周五（2023年5月5日）"),
    ("下周三", "下周三（2023年5月17日）"),
    ("上上周", "上上周（2023年4月24日当周）"),
    ("这周末", "这周末（2023年5月13日至14日）"),
    ("我打算周五去", "周五（2023年5月12日）去"),
    ("周五去了", "周五（2023年5月5日）去了"),
    ("礼拜天我在家休息了", "礼拜天（2023年5月7日）"),
    ("三天前", "三天前（2023年5月5日）"),
    ("两个星期前", "两个星期前（2023年4月24日当周）"),
    ("一个月后", "一个月后（2023年6月）"),
    ("半年前", "半年前（2022年11月）"),
    ("十几年前", "十几年前（2008年前后）"),
    ("前几天", "前几天（2023年5月5日前后）"),
    ("上个月", "上个月（2023年4月）"),
    ("上个月底", "上个月底（2023年4月下旬）"),
    ("下个月3号", "下个月3号（2023年6月3日）"),
    ("去年夏天", "去年夏天（2022年夏天）"),
    ("前年冬天", "前年冬天（2021年冬天）"),
    ("去年10月3号", "去年10月3号（2022年10月3日）"),
    ("今年", "今年（2023年）"),
    ("年底", "年底（2023年底）"),
    ("5月3号", "2023年5月3号"),
    ("五月三号", "2023年五月三号"),
    ("1月中旬我去了广州", "2023年1月中旬"),
    ("去年国庆", "去年国庆（2022年10月1日至7日）"),
    ("最近三个月", "最近三个月（大约2023年2月以来）"),
    ("两个小时前", "两个小时前（2023年5月8日12:00）"),
]


@every_row(ENGLISH + CHINESE, unpack=True)
def test_relative_expressions_are_made_absolute(said: str, resolved: str) -> None:
    assert resolved in resolve_dates(said, MONDAY)


@every_row([
        "I may go there", "We march on", "every Friday we dance", "He has lost the Wednesday calls.",
        "Our Sunday lunches are holy.", "the last straw", "it feels like yesterday",
        "每周五都去", "前天气不好", "3号线很挤", "以前天天跑步", "下午三点",
        "四十年，一直在这儿", "十八年，够久了", "in 2019 I moved", "since 2016",
        "2023-06-03", "2023年5月3日", "summer of 2019", "my birthday is on 3 June", "我的生日是六月三号",
    ])  # fmt: skip
def test_what_is_no_relative_date_stays_as_it_is(said: str) -> None:
    assert resolve_dates(said, MONDAY) == said


@every_row(
    [
        ("What did Ann do in May 2022?", moment(2022, 5, 1), moment(2022, 6, 1)),
        ("What happened on 3 June 2022?", moment(2022, 6, 3), moment(2022, 6, 4)),
        ("Where was she in 2019?", moment(2019, 1, 1), moment(2020, 1, 1)),
        ("2022年1月中旬，他去了哪里？", moment(2022, 1, 11), moment(2022, 1, 21)),
        ("上周他做了什么？", moment(2023, 5, 1), moment(2023, 5, 8)),
        ("二〇二二年夏天", moment(2022, 6, 1), moment(2022, 9, 1)),
    ],
    unpack=True,
)
def test_a_question_names_a_time_range(question: str, first: int, end: int) -> None:
    assert time_range(question, MONDAY) == (first, end)


def test_no_date_no_range() -> None:
    assert time_range("What is her cat called?", MONDAY) is None
    assert time_range("她的猫叫什么？", MONDAY) is None


def test_a_date_without_year_follows_its_clause() -> None:
    april = moment(2024, 4, 17)
    assert "2024" in resolve_dates("The wedding is on 20 May", april)
    assert "2023年11月" in resolve_dates("11月我去了广州", april)
    assert "2024年11月" in resolve_dates("我打算11月去广州", april)


def test_granularity_and_language_of_rendering() -> None:
    span = find_dates("last summer", MONDAY)[0]
    assert span.granularity is Granularity.SEASON
    assert render_span(span, "zh") == "2022年夏天"
    assert render_day(MONDAY, "en") == "8 May 2023"
    assert resolve_dates("我 last week 很忙", MONDAY) == "我 last week (the week of 1 May 2023) 很忙"


def test_civil_calendar_agrees_with_the_standard_library() -> None:

    for day in range(-719_000, 2_900_000, 997):
        expected = datetime.date(1970, 1, 1) + datetime.timedelta(days=day)
        assert calendar_math.civil(day) == (expected.year, expected.month, expected.day)
        assert calendar_math.day_number(*calendar_math.civil(day)) == day
        assert calendar_math.weekday(day) == expected.weekday()


FRAGMENTS = st.sampled_from(
    [said for said, _ in ENGLISH + CHINESE]
    + [
        "31 February",
        "99月",
        "2月30号",
        "0000-00-00",
        "999 years ago",
        "999年前",
        "at 25:99",
        "十十十月",
        "下下下下个月",
        "9999年",
        "tomorrow (my birthday)",
    ]
)
TEXTS = st.lists(FRAGMENTS | st.text(max_size=12), max_size=6).map(" ".join)
MOMENTS = st.integers(moment(1, 1, 1), moment(9999, 12, 31))


@settings(max_examples=EXAMPLES, deadline=None)
@given(text=TEXTS, at_ms=MOMENTS)
def test_any_text_at_any_time_resolves_within_bounds(text: str, at_ms: int) -> None:
    end = 0
    for span in find_dates(text, at_ms):
        assert end <= span.start < span.end <= len(text)
        assert span.from_ms < span.to_ms
        assert render_span(span, "en")
        assert render_span(span, "zh")
        end = span.end
    once = resolve_dates(text, at_ms)
    if moment(2000, 1, 1) <= at_ms < moment(9000, 1, 1):  # every year written then has four digits
        assert resolve_dates(once, at_ms) == once


def test_the_weekday_of_a_date_is_not_a_date_of_its_own() -> None:
    march = moment(2026, 3, 2)
    assert (
        resolve_dates("The exam is on Saturday the 21st of March.", march)
        == "The exam is on Saturday the 21st of March 2026."
    )
    assert resolve_dates("考试在六月六号，周六，打算裸考", march) == "考试在2026年六月六号，周六，打算裸考"


SIXTH_OF_MARCH = moment(2026, 3, 6, 12)  # a Friday
EIGHTH_OF_MAY = moment(2026, 5, 8, 12)  # a Friday
NEAREST = [
    (SIXTH_OF_MARCH, "It is a week tomorrow, the 14th.", "a week tomorrow (14 March 2026), the 14th."),
    (SIXTH_OF_MARCH, "a week ago today", "a week ago today (27 February 2026)"),
    (SIXTH_OF_MARCH, "The 21st works for me.", "The 21st (21 March 2026) works"),
    (SIXTH_OF_MARCH, "Can you do the 14th?", "the 14th (14 March 2026)?"),
    (SIXTH_OF_MARCH, "I went there on the 21st.", "the 21st (21 February 2026)."),
    (SIXTH_OF_MARCH, "We will meet on the 2nd.", "the 2nd (2 April 2026)."),
    (moment(2026, 3, 30), "The 2nd suits me.", "The 2nd (2 April 2026)"),
    (SIXTH_OF_MARCH, "my party is on 6 June", "6 June 2026"),
    (SIXTH_OF_MARCH, "Christmas was cold", "Christmas (25 December 2025)"),
    (SIXTH_OF_MARCH, "I met her on St Patrick's Day", "St Patrick's Day (17 March 2025)"),
    (moment(2025, 10, 9), "I met her on St Patrick's Day", "St Patrick's Day (17 March 2025)"),
    (moment(2026, 2, 10), "We got engaged on Valentine's Day", "Valentine's Day (14 February 2025)"),
    (moment(2026, 6, 12), "我端午见过她", "端午（2025年5月31日）见过她"),
    (moment(2026, 2, 10), "上个端午节", "上个端午节（2025年5月31日）"),
    (moment(2026, 6, 12), "上一个端午我们去了杭州", "上一个端午（2025年5月31日）"),
    (moment(2026, 6, 12), "我去年端午认识她的", "去年端午（2025年5月31日）"),
    (moment(2026, 3, 12), "房租四月起涨到两千八了", "2026年四月起"),
    (moment(2026, 3, 12), "我二月起就不喝酒了", "2026年二月起"),
    (SIXTH_OF_MARCH, "we will have a Halloween party", "Halloween (31 October 2026)"),
    (SIXTH_OF_MARCH, "I met her on Valentine's Day", "Valentine's Day (14 February 2026)"),
    (SIXTH_OF_MARCH, "We ran on New Year's Day.", "New Year's Day (1 January 2026)"),
    (EIGHTH_OF_MAY, "二十七号我们去爬山", "二十七号（2026年5月27日）我们"),
    (EIGHTH_OF_MAY, "我二十七号去了杭州", "二十七号（2026年4月27日）去了"),
    (EIGHTH_OF_MAY, "3号我要出发", "3号（2026年6月3日）"),
    (moment(2026, 5, 30), "2号开会", "2号（2026年6月2日）"),
    (EIGHTH_OF_MAY, "下个月二十七号考试", "下个月二十七号（2026年6月27日）"),
    (EIGHTH_OF_MAY, "考试在六月六号", "2026年六月六号"),
    (moment(2026, 1, 10), "六月六号是婚礼", "2026年六月六号"),
    (moment(2026, 12, 20), "一月三号放假", "2027年一月三号"),
    (EIGHTH_OF_MAY, "六月六号我去了广州", "2025年六月六号"),
    (EIGHTH_OF_MAY, "周六看电影", "周六（2026年5月9日）"),
    (EIGHTH_OF_MAY, "星期六开会", "星期六（2026年5月9日）"),
    (EIGHTH_OF_MAY, "周六看了电影", "周六（2026年5月2日）"),
    (EIGHTH_OF_MAY, "星期六他来过", "星期六（2026年5月2日）"),
    (EIGHTH_OF_MAY, "国庆去旅游", "国庆（2026年10月1日至7日）"),
    (EIGHTH_OF_MAY, "今年圣诞节", "今年圣诞节（2026年12月25日）"),
    (EIGHTH_OF_MAY, "元旦我们见过面", "元旦（2026年1月1日）"),
]


@every_row(NEAREST, unpack=True)
def test_what_names_no_month_or_year_means_the_nearest(at_ms: int, said: str, resolved: str) -> None:
    assert resolved in resolve_dates(said, at_ms)


@pytest.mark.parametrize(
    ("at_ms", "said"),
    [(moment(2025, 12, 20), "I got him a bike for Christmas"), (moment(2026, 2, 10), "春节回老家了")],
)
def test_what_was_done_for_a_feast_that_may_be_to_come_keeps_its_words(at_ms: int, said: str) -> None:
    assert resolve_dates(said, at_ms) == said


@every_row([
        "the 21st floor", "the 21st century", "in the 2nd grade", "a Christmas tree", "Easter eggs", "on Easter Road",
        "清明上河图", "五一广场", "圣诞树", "去了3号岛", "住在5号楼", "他是7号选手", "坐3号线",
    ])  # fmt: skip
def test_what_is_named_after_feasts_floors_and_numbered_places_are_no_dates(said: str) -> None:
    assert resolve_dates(said, EIGHTH_OF_MAY) == said


def test_a_long_text_is_searched_in_stretches_and_nothing_is_lost() -> None:
    text = "I went to the shop and back. 我昨天去了医院。 We met on 3 June 2022, as planned! " * 300
    spans = find_dates(text, MONDAY)
    assert len(spans) == 600
    assert {text[span.start : span.end] for span in spans} == {"昨天", "3 June 2022"}
