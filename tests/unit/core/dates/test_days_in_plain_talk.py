"""Days of plain talk: on which one comes back, by when, what a day is now, the weekday after."""

from __future__ import annotations

import datetime as dt

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.dates.date_parser import find_dates, resolve_dates

WEDNESDAY = round(dt.datetime(2026, 6, 17, 13, tzinfo=dt.UTC).timestamp() * 1000)
DATED = (
    ("I leave on the 28th and come back on the 4th.", "on the 4th (4 July 2026)"),
    ("We're away from the 29th, home on the 1st.", "on the 1st (1 July 2026)"),
    ("29号飞昆明，5号回来", "5号（2026年7月5日）回来"),
    ("Nora had a cold, so it's Saturday now", "Saturday (20 June 2026) now"),
    ("first practice with the quartet on Friday", "on Friday (19 June 2026)"),
    ("We can't on the 20th, so the Saturday after.", "the Saturday after (27 June 2026)"),
    ("瓷砖周五到货", "周五（2026年6月19日）到货"),
    ("晚上的班凑不齐人，给并到周六了", "周六（2026年6月20日）了"),
    ("相亲那个说要抢修，挪周日了", "周日（2026年6月21日）了"),
    ("飞机延误到周日了", "周日（2026年6月21日）了"),
    ("她周日去爬山了", "周日（2026年6月14日）去爬山了"),
    ("元旦中心发了米", "元旦（2026年1月1日）中心发了米"),
    ("五一小长假去了青岛", "五一（2026年5月1日至5日）小长假去了青岛"),
    ("新同事周五到岗", "周五（2026年6月19日）到岗"),
    ("国庆的票买了 不是三十号晚上 三十号没了 买的一号早上的", "三十号（2026年6月30日）没了"),
    ("二十号的票没了，二十五号约满了", "二十号（2026年6月20日）的票没了，二十五号（2026年6月25日）约满了"),
    ("We meet next Friday, the 3rd.", "the 3rd (3 July 2026)"),
    ("The scan is Wednesday week, the 24th, at nine.", "the 24th (24 June 2026)"),
    ("we'd planned it for the 12th, then that fell through", "the 12th (12 June 2026)"),
    ("By Tuesday I'd given up", "By Tuesday (16 June 2026)"),
    ("By Tuesday I'll have given up", "By Tuesday (23 June 2026)"),
    ("导师让我周一前答复", "周一（2026年6月22日）前答复"),
    ("first Saturday of next month we're in Leeds", "first Saturday of next month (4 July 2026)"),
    ("We moved at the end of the month.", "at the end of the month (late May 2026)"),
    ("I was on holiday from the 12th to the 19th.", "the 12th (12 May 2026) to the 19th (19 May 2026)"),
    ("I'm on holiday from the 14th to the 21st.", "the 14th (14 July 2026) to the 21st (21 July 2026)"),
    ("我从十四号到二十一号休假", "十四号（2026年7月14日）到二十一号（2026年7月21日）"),
    ("I planted the garlic in October", "in October 2025"),
    ("I get my results in August", "in August 2026"),
    ("At Christmas we're going to Wales", "At Christmas (25 December 2026)"),
)
# What is so each year is of none, nor what has lasted so many years in a month; nor the moon of a cake.
OF_NO_YEAR = (
    "so that you know why I go quiet in February", "I always get low in November", "In June I get hay fever",
    "At Christmas we do jigsaws", "We've been together six years in May", "He rings on a Sunday night",
    "我六月生的", "我五月份跟他在一起六年了", "中秋我都吃不下月饼", "礼拜天他都打电话来", "九月我老是花粉过敏",
)  # fmt: skip
AS_SAID = (
    "Bin day is Thursday", "Halloween was cancelled",
    "Last night of three. Sleep.", "the last Friday of my contract",
    "周一到周五上班", "他周末才回来", "I usually come back on the 3rd of never", "周一前我就交了",
    "the tickets for the 30th are sold out 没票了",
)  # fmt: skip


@every_row(DATED, unpack=True)
def test_a_day_of_plain_talk_is_found(text: str, dated: str) -> None:
    assert dated in resolve_dates(text, WEDNESDAY)


@every_row(OF_NO_YEAR)
def test_what_is_so_each_year_or_week_gets_no_day(text: str) -> None:
    assert resolve_dates(text, WEDNESDAY) == text


@every_row(AS_SAID)
def test_what_is_no_day_ahead_gets_none(text: str) -> None:
    told = resolve_dates(text, WEDNESDAY)
    assert told in (text, text.replace("周一", "周一（2026年6月15日）"))


def test_a_bare_day_behind_another_month_keeps_its_words() -> None:
    """It may be of that month or of this one, and a wrong date is worse than none."""
    said = calendar_math.day_number(2026, 9, 18) * calendar_math.DAY_MS
    for text in (
        "we had tickets for wolf alice 21 november, my bday present from him. bday is the 20th. so what now",
        "演唱会 was 11月21号，我生日是20号",
    ):
        day = find_dates(text, said)[-1]
        assert not day.certain, text
    for text, then in (
        ("flying out 3 december, back on the 10th", (2026, 12, 10)),
        ("exam is november 21, results on the 5th", (2026, 12, 5)),
        ("我们12月3号飞，10号回来", (2026, 12, 10)),
    ):
        day = find_dates(text, said)[-1]
        assert day.certain, text
        assert day.from_ms == calendar_math.day_number(*then) * calendar_math.DAY_MS


@every_row(["我是老谭，谭立冬，五十八了", "象棋谭立冬不下了", "张国庆来我家吃饭", "李白露说她不来"])
def test_a_day_in_somebodys_name_is_none(text: str) -> None:
    assert not find_dates(text, WEDNESDAY)


@every_row(
    [("今年立冬吃饺子", "立冬"), ("王国庆假期要加班", "国庆"), ("国庆去北京", "国庆"), ("于国庆期间休息", "国庆")],
    unpack=True,
)
def test_the_same_day_told_as_a_day_is_one(text: str, day: str) -> None:
    assert [text[each.start : each.end][-2:] for each in find_dates(text, WEDNESDAY)] == [day]
