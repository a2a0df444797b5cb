"""The Chinese grammar of dates: patterns and what each means, reckoned from a message's own time.

Called by `core/dates/date_parser.py` only. Weeks begin on Monday: 上周五 is the Friday of last week whatever today is,
and 周五 by itself follows the tense. Beside each pattern stand the characters that such a date is never without: one of
each group.
"""

from __future__ import annotations

from dataclasses import replace
from re import Match

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Anchor, Granularity, Period, Tense, Wording, either
from soulmem.core.dates import chinese_composed_dates as composed
from soulmem.core.dates import chinese_lunar_dates as moon
from soulmem.core.dates import holidays
from soulmem.core.dates.chinese_date_words import (
    COUNT,
    DAYS,
    NUMBER,
    NUMERAL,
    OF,
    PARTS,
    SEASONS,
    SHORT_YEAR,
    TIME,
    UNITS,
    WEEK,
    WEEKDAY,
    YEAR,
    YEARS,
    Rule,
    count_of,
    numeral,
    rule,
    week_shift,
    weekday_number,
    with_time,
)
from soulmem.core.regex.lazy_regex import LazyPattern

# Behind what one does for years 过两年 is how long it was: 待过两年, 学过几年.
_ONCE = "待呆住学当干做练上去来在养谈处教打跑读租用吃病看写爱交开带过活留混守躺熬戴种拉唱跳画弹卖摆修站站议"
_LISTED = ("和", "跟", "与", "及", "、")
_STILL = "(?:再过|还有|还剩|再有|过(?=[^了，。]{2,4}[就要能会]))"
_WEEKLY = LazyPattern("(?<![上下这本个])(?:周|星期|礼拜)[一二三四五六日天][到至]$")  # 周一到周五上班
_FAR_MS = 60 * calendar_math.DAY_MS  # from which a month of another year would be told by its year


def _near_day(match: Match[str], at: Anchor) -> Period | None:
    return with_time(at.day + DAYS[match[1]], match, 2)


def week(match: Match[str], at: Anchor) -> Period | None:
    """上周, 下下个星期, 本周 with a weekday, 末 (the weekend) or nothing."""
    shift, which = week_shift(match[1]), match[2]
    day = at.day + 7 * shift
    if which is None:
        return calendar_math.week(day)
    if which == "末":
        over = shift == 0 and at.tense is Tense.BEHIND and calendar_math.weekday(at.day) < 2
        return calendar_math.weekend(day - 7 * over)
    return with_time(calendar_math.monday(day) + weekday_number(which), match, 3)


def _bare_weekday(match: Match[str], at: Anchor) -> Period | None:
    """周六 on its own: ahead or behind as the clause tells; where nothing does and it is over this week, either."""
    before = match.string[max(0, match.start() - 5) : match.start()]
    if _WEEKLY.search(before) or (match.string.startswith("都", match.end()) and not before.endswith(_LISTED)):
        return None  # 周四都在家 is any Thursday; of 周二和周四都不在 each is one
    if match[1] == "末":
        if calendar_math.weekday(at.day) >= 5:
            return calendar_math.weekend(at.day)
        return calendar_math.by_tense(at, calendar_math.weekend(at.day - 7), calendar_math.weekend(at.day))
    offset = (weekday_number(match[1]) - calendar_math.weekday(at.day)) % 7

    def read(day: int) -> Period:
        return with_time(day, match, 2)

    behind = read(at.day - ((7 - offset) % 7 or 7))
    ahead = read(at.day + offset) if offset else either(read(at.day), read(at.day + 7))
    over = at.unmarked and calendar_math.weekday(at.day) + offset > 6
    if at.tense is Tense.UNTOLD or at.habit or over:
        return either(read(at.day + offset), behind)
    return ahead if at.tense is Tense.AHEAD else behind


def relative_month(match: Match[str], at: Anchor) -> Period | None:
    year, month, _ = calendar_math.civil(calendar_math.day_number(at.year, at.month + week_shift(match[1]), 1))
    if match[3] is not None:
        day = numeral(match[3])
        return (
            with_time(calendar_math.day_number(year, month, day), match, 4)
            if calendar_math.valid_day(year, month, day)
            else None
        )
    if match[2] is not None:
        return calendar_math.month_part(year, month, PARTS[match[2]])
    return calendar_math.month(year, month)


def _within_year(year: int, match: Match[str], group: int, wording: Wording) -> Period | None:
    """A year, or its season, part, month, part of a month or day named from `group` on (five groups and a time)."""
    season, edge, month_text, part, day_text = (match[group + i] for i in range(5))
    if season:
        return calendar_math.season(year, SEASONS[season], wording)
    if edge:
        return replace(calendar_math.year_part(year, PARTS[edge]), wording=wording)
    if not month_text:
        return calendar_math.year(year, wording)
    return _within_month(year, numeral(month_text), part, day_text, match, group + 5, wording)


def _within_month(
    year: int, month: int, part: str | None, day_text: str | None, match: Match[str], group: int, wording: Wording
) -> Period | None:
    if not 1 <= month <= 12:
        return None
    if day_text:
        day = numeral(day_text)
        if not calendar_math.valid_day(year, month, day):
            return None
        return with_time(calendar_math.day_number(year, month, day), match, group, wording)
    return (
        calendar_math.month_part(year, month, PARTS[part], wording)
        if part
        else calendar_math.month(year, month, wording)
    )


def _relative_year(match: Match[str], at: Anchor) -> Period | None:
    return _within_year(at.year + YEARS[match[1]], match, 2, Wording.RELATIVE)


def _absolute_year(match: Match[str], at: Anchor) -> Period | None:
    year = numeral(match[1])
    return _within_year(year, match, 2, Wording.COMPLETE) if year else None


def _short_year(match: Match[str], at: Anchor) -> Period | None:
    """26年5月, 03年出生, 是七八年进的厂."""
    year = int(match[1]) if match[1].isdecimal() else numeral(match[1])
    year += 1900 if year > 50 else 2000
    return _within_year(year, match, 2, Wording.COMPLETE)


def _same_day(match: Match[str], at: Anchor) -> Period | None:
    """去年今天."""
    _, month, day = calendar_math.civil(at.day)
    return calendar_math.day_of(at.year + YEARS[match[1]], month, day)


def _month_day(match: Match[str], at: Anchor) -> Period | None:
    """5月3号, 五月, 1月中旬. Where nothing tells, one ahead is of this year: of a past one would be said 去年."""
    month = numeral(match[1])
    found = calendar_math.of_year(
        at, lambda year: _within_month(year, month, match[2], match[3], match, 4, Wording.YEARLESS)
    )
    if found is None or found.certain or at.habit:
        return found
    ahead = [each for each in found.readings if each.from_ms > at.at_ms]
    near = [each for each in ahead if calendar_math.civil(each.from_ms // calendar_math.DAY_MS)[0] == at.year]
    far = all(abs(each.from_ms - at.at_ms) > _FAR_MS for each in found.readings if each not in near)
    return replace(near[0], other=None) if len(near) == 1 and far else found


def _bare_edge(match: Match[str], at: Anchor) -> Period | None:
    """年初, 年底, 月初, 月底 on their own mean this year's or this month's, if the tense allows."""
    for shift in (0, 1 if at.tense is Tense.AHEAD else -1):
        found = (
            calendar_math.year_part(at.year + shift, PARTS[match[2]])
            if match[1] == "年"
            else calendar_math.month_part(at.year, at.month + shift, PARTS[match[2]])
        )
        over, begun = found.to_ms <= at.at_ms, found.from_ms <= at.at_ms
        if not ((at.tense is Tense.AHEAD and over) or (at.tense is Tense.BEHIND and not begun)):
            return found
    return None


def _away(match: Match[str], at: Anchor) -> Period | None:
    """三天前, 一个半小时前, 两个半月后, 一年半前, 十多年前."""
    count_text, half, more, unit_text, half_behind, more_behind, side = match.groups()
    sign = 1 if "后" in side else -1
    return _so_far(count_text, bool(half or half_behind), bool(more or more_behind), UNITS[unit_text], sign, at)


def _so_far(count_text: str, half: bool, more: bool, unit: str, sign: int, at: Anchor) -> Period | None:
    if count_text == "半":
        halves = {"year": (6, "month"), "month": (15, "day"), "day": (12, "hour"), "hour": (30, "minute")}
        if unit not in halves:
            return None
        return calendar_math.units_away(
            at, sign * halves[unit][0], halves[unit][1], approximate=unit == "month" or more
        )
    count, vague = count_of(count_text)
    if not count:
        return None
    if half or count % 1:
        return calendar_math.half_units_away(at, sign, int(count), unit, vague=vague)
    return calendar_math.units_away(at, sign * int(count), unit, approximate=vague or more)


def _still(match: Match[str], at: Anchor) -> Period | None:
    """再过三天, 还有两周就: so far ahead."""
    count_text, half, unit_text = match.groups()
    return _so_far(count_text, bool(half), False, UNITS[unit_text], 1, at)


def _recent_days(match: Match[str], at: Anchor) -> Period | None:
    """前几天, 前两天: some days back; 过几天, 过两天: some days ahead."""
    sign = -1 if match[1].startswith("前") else 1
    count = {"些": 4}.get(match[2]) or int(count_of(match[2])[0])
    return calendar_math.units_away(
        at, sign * count, {"天": "day", "日": "day"}.get(match[3], "year"), approximate=True
    )


def _past_stretch(match: Match[str], at: Anchor) -> Period | None:
    count, unit = int(count_of(match[1])[0]), UNITS[match[2]]
    if not count:
        return None
    start = calendar_math.units_away(at, -count, unit, approximate=False)
    return Period(start.from_ms, (at.day + 1) * calendar_math.DAY_MS, Granularity.RANGE, Wording.RELATIVE, True, unit)


def _day_of_month(match: Match[str], at: Anchor) -> Period | None:
    day = numeral(match[1])

    def read(period: Period) -> Period:
        return with_time(period.from_ms // calendar_math.DAY_MS, match, 2)

    found = calendar_math.of_month(at, day)
    if found is None:
        return None
    return read(found) if found.other is None else either(read(found), read(found.other))


def _iso(match: Match[str], at: Anchor) -> Period | None:
    year, month, day = (int(match[i]) for i in (1, 2, 3))
    return calendar_math.day_of(year, month, day, Wording.COMPLETE)


_YEAR_TAIL = (
    r"(?:(?:的)?(春|夏|秋|冬)(?:天|季)?(?![节装游])|年?(初|底|末|上半年|下半年)|"
    rf"(?:的)?{NUMBER}月(?:份)?(初(?![一二三四五六七八九十])|上旬|中旬|下旬|底|末)?(?:{NUMBER}[号日號])?{TIME})?"
)
_NUMBERED = "线楼店门院房机码桌位馆球桥选岛别文员仓窗厅路街树井柜屋室病床令称角钢柴公种站台厂塔矿车船舱队组场库区校"
_NO_DAY_BEFORE = rf"(?<![\d月第年.周号號码间房{NUMERAL}])"
_LED_DAY = (
    rf"{_NO_DAY_BEFORE}(?:(?<=[在到于从，,。 我你他她们咱定约等这个就订成])|(?<![我你他她]是)(?<=是)|^|(?<=下周))"
    rf"{NUMBER}[号號](?![{_NUMBERED}])"
)
_FOLLOWED_DAY = (
    rf"{_NO_DAY_BEFORE}(?<![我你他她]是){NUMBER}[号號](?=那天|早|上午|中午|下午|傍晚|晚|是|去|来|到(?!\d|[一二三四五六七八九十])|从[^，。]{{1,12}}(?:来|去|走|到|出发|动身|飞|回)|飞|走|回|过来|出发|要|会|有|我|你|他|她|开[始学会业]|结婚|"
    r"考试|出发|之?[前后]|[，。！？、,!?]|$|交[房货稿卷表]|开[课工庭业考演]|到[期货]|搬|出[院发差结成]|入[院职]|回|签|复[查诊]|做|拆|拿|"
    r"领|办|报[到名]|面试|体检|手术|上班|飞|放[假榜]|发[工薪布货]|返|离|比赛|决赛|首演|聚|过生日|满月|下葬|截止)"
)
_LUNAR_DAY = r"(初[一二三四五六七八九十]|三十|(?:二?十|廿)[一二三四五六七八九]?|[一二三四五六七八九](?!十))"
_SIDE = "(之?前(?!后)|以前|之?后(?![悔面边排果来])|以后)"
_UNIT = "(天|日|周|星期|礼拜|月|年|小时|钟头|分钟)"

_UNIT_CHARS = "天日周期拜月年时头钟"

RULES: tuple[Rule, ...] = (
    rule(
        rf"(?<!以)(大前|前|昨|今|明|大后|后|听(?=日(?![语本剧子]))|(?<!钢)琴(?=日)|[寻噚](?=日))(?:天(?!气(?![温死坏得压炸])|堂|文)|日|儿){OF}{TIME}",
        "前昨今明后听琴寻噚 天日儿",
        _near_day,
    ),
    rule(rf"(?<![聪文透说证])(昨|今|明)(?=早|晚|夜){TIME}", "昨今明 早晚夜", _near_day),
    rule(rf"(上{{1,8}}+个?|下{{1,8}}+个?|这个?|本){WEEK}{WEEKDAY}?{OF}{TIME}", "周期拜 上下这本", week),
    rule(
        rf"(?<![每上下这本个一两三四五六七八九十几半整逢小老\d]){WEEK}{WEEKDAY}(?![至年]|到(?![的了家站货期场岗账达手])){OF}{TIME}",
        "周期拜 一二三四五六日天末",
        _bare_weekday,
    ),
    rule(
        rf"(上{{1,8}}+个?|(?<!吃不)(?<!喝不)(?<!咽不)下{{1,8}}+个?|这个?|本)月(?!初[一二三四五六七八九十]|饼|亮|光|牙|季|子|嫂)"
        rf"(?:(初|上旬|中旬|下旬|底|末)|{NUMBER}[号日號])?{TIME}",
        "月 上下这本",
        relative_month,
    ),
    rule(rf"(?<!以)(大前|前|去|今|明|大后|后)年{_YEAR_TAIL}", "年 前去今明后", _relative_year),
    rule(r"(前|去|今|明)年(?:的)?今[天日]", "年 今", _same_day),
    rule(rf"(?<!\d){YEAR}年{_YEAR_TAIL}", "年", _absolute_year),
    rule(rf"(?<![\d.])(\d\d)年(?=\d{{1,2}}月|[出毕]){_YEAR_TAIL}", "年", _short_year),
    rule(rf"{SHORT_YEAR}{_YEAR_TAIL}", "年 五六七八", _short_year),
    rule(
        rf"(?<![\d个{NUMERAL}闰历]){NUMBER}月(?:份)?(初(?![一二三四五六七八九十])|上旬|中旬|下旬|底|末)?(?:{NUMBER}[号日號](?!线))?{TIME}(?!饼|嫂|台|天(?!气)|不知|流火|桂花)",
        "月",
        _month_day,
    ),
    rule(r"(?<![今去明前后\d个三两半一])(年|月)(初|底|末)(?![一二三四五六七八九十])", "年月 初底末", _bare_edge),
    rule("(?<![今去明前后年])(上半年|下半年)", "年 半", composed.half_year),
    rule(r"这个?(春|夏|秋|冬)(?:天|季)", "这 春夏秋冬", composed.season_now),
    rule(
        rf"(?<![第\d]){COUNT}个?(半)?个?(多)?{_UNIT}(半)?(多)?{_SIDE}",
        f"前后 {_UNIT_CHARS}",
        _away,
    ),
    rule(rf"{_STILL}{COUNT}个?(半)?个?{_UNIT}(?!时间)", f"过有剩 {_UNIT_CHARS}", _still),
    rule(
        rf"(前|(?<![{_ONCE}])(?<![工劳运创]作)(?<![学见实补]习)过)(几|两三|两|三四|些)([天日年])(?![前后])",
        "前过 天日年",
        _recent_days,
    ),
    rule(rf"(?:最近|过去|近)(?:的|这)?{COUNT}个?(天|周|星期|礼拜|月|年)", f"近去 {_UNIT_CHARS}", _past_stretch),
    rule(rf"{_LED_DAY}{TIME}", "号號", _day_of_month),
    rule(rf"{_FOLLOWED_DAY}{TIME}", "号號", _day_of_month),
    rule(r"(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])", "-/.", _iso),
    rule(
        rf"(?:(农历|阴历|旧历|老历)的?)?(?:(大前|前|去|今|明|后)年的?|{YEAR}年的?)?(闰)?(正|冬|腊|十[一二]|[一二三四五六七八九十])月(?!份){_LUNAR_DAY}?(?![号日號号])",
        "月",
        moon.lunar_date,
    ),
    rule(rf"(?<![历年{NUMERAL}])八月十五(?![号日號])", "月", moon.mid_autumn),
    rule(
        r"(?<![上读念大正升月到刚])(初[一二三四五六七八九十])(?=[去回走来早晚就才我他她咱搬请办要飞带见值，,]|下午|上午|中午|那天|开[工业门市]|拜)(?!那年)",
        "初 一二三四五六七八九十",
        moon.new_year_day,
    ),
    *composed.RULES,
    (holidays.CHINESE, holidays.CHINESE_NEEDS, holidays.chinese),
)
# Within which stretch told of before (明年我六月结婚) each of these is meant.
FRAMED = {
    _bare_weekday: Granularity.WEEK,
    _day_of_month: Granularity.MONTH,
    _month_day: Granularity.YEAR,
    holidays.chinese: Granularity.YEAR,
}
NEEDED = frozenset().union(*(rule[1][0] for rule in RULES))  # of these any date has one
