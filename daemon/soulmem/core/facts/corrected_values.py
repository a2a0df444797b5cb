"""Days, amounts and surnames told wrong: what names the right one and the wrong one, and a statement with the right one.

Called by `core/facts/spoken_corrections.py`. Pure. Invariants: a statement without the wrong day is not altered, nor one
in which it stands twice, in a range, in another month, or is the day of another matter; what somebody only supposes, or
says that others say, puts nothing right; one character stands in other names and in words, so a surname is put right
only where a statement says of the same person that it is his.
"""

# ruff: noqa: E501 (patterns stand on long lines)

from __future__ import annotations

import re

from soulmem.core.calendar import calendar_math
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.dates.english_date_words import MONTH, WEEKDAY_LED
from soulmem.core.facts import chinese_fact_patterns, english_fact_patterns
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.wordlists.dated_events import event_called, event_words, words_of_event

_MONTHS = rf"(?:{MONTH[1:-1]})\b"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)"
# With its month or with "the": who came 2nd, not 3rd, tells no day.
_DAY = rf"(?:(?:the )?(?:{_ORDINAL}|\d{{1,2}})(?: of)? {_MONTHS}|{_MONTHS} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b|the {_ORDINAL})"
_DAY_ZH = r"(?:[\d一二三四五六七八九十]{1,3}月)?[\d一二三四五六七八九十]{1,3}[号日]"
# "got her date wrong, it's the 18th of April not the 11th"; 酒席是21号，周六，不是22; 主管是姓冉不是阮
NOT_THE = CaselessPattern(
    rf"(?:['’]s|\b(?:is|was|be))(?: actually| really)?(?: on)? (?P<new>{_DAY}),? (?:and )?not (?:on )?(?P<old>{_DAY}|{_ORDINAL})(?=\s*(?:[,.;!)…—–]|$)|\s+(?:and|but|so|because|sorry|btw|though)\b)"
    rf"|是(?P<new2>{_DAY_ZH})(?:[，,][^，,。是]{{1,6}})?[，,]?(?:而)?不是(?P<old2>{_DAY_ZH}|[\d一二三四五六七八九十]{{1,3}})(?=[，,。！!；\s]|$)"
    r"|是(?P<new3>[姓叫][\u4e00-\u9fff]{1,4})[，,]?不是[姓叫]?(?P<old3>[\u4e00-\u9fff]{1,4}?)(?=[，,。！!；\s]|$)"
)
# A number that stands for itself: a price, a year, a weight in grams.
OWN_NUMBER = r"(?:[$€£¥]\s?)?(?:\d{1,3}(?:,\d{3})+|\d{3,9})(?:\.\d+)?|[一二两三四五六七八九十百]{1,4}[千万][零一二两三四五六七八九十百千]{0,6}"
# "It's 1,150 actually, not 1,050"; 房租是两千五，不是两千三
AMOUNT_NOT = CaselessPattern(
    rf"(?:['’]s|\b(?:is|are|was|were|be)) (?P<new>{OWN_NUMBER})(?: actually| really| in fact)?,? (?:and )?not (?P<old>{OWN_NUMBER})(?=\s*(?:[,.;!)…—–]|$))"
    rf"|是(?P<new2>{OWN_NUMBER})[块元]?[，,]?(?:而)?不是(?P<old2>{OWN_NUMBER})[块元]?(?=[，,。！!；\s]|$)"
)
# What others say or somebody took for so; what would be, each language's facts know by `UNREAL`.
_REPORTED = CaselessPattern(
    r"\b(?:thought|thinks?|believe[sd]?|guess|suppose|says?|said(?! (?:it|that) wrong)|claims?|heard|true|unless|whether)\b"
    r"|以为|觉得|听说|据说|(?<![我你])说(?!错)|猜"
)
_UNREAL = (_REPORTED, english_fact_patterns.UNREAL, chinese_fact_patterns.UNREAL)
_TAKEN_BACK = CaselessPattern(
    r"\b(?:s?he|they|that|it)(?:['’](?:s|re)| is| was| are| were) (?:wrong|mistaken)\b|\b(?:not true|kidding|joking)\b"
    r"|其实[^，。]{0,4}错|[他她](?:们)?(?:记|说|搞|弄)错|骗你|开玩笑"
)
# What has a number of the same form: a room, a shirt, a berth.
_NO_DAY = CaselessPattern(
    r"住|房|门牌|球衣|座|床|[楼线路车]|排|名次|\b(?:floor|door|room|house|flat|child|place|line|seat|row|page)\b"
)
_DAY_OF_MONTH = CaselessPattern(
    r"(?<![\d一二三四五六七八九十周期拜])(?P<day>[\d一二三四五六七八九十]{1,3})(?:st|nd|rd|th|[号日])?(?![\d月])"
)
_MONTH = CaselessPattern(rf"\b{_MONTHS}|月")
_RANGE = CaselessPattern(r"\d(?:st|nd|rd|th|[号日])?\s?(?:-|–|—|to|till|until|and|到|至|和)\s?(?:the )?\d")
_EVENT = CaselessPattern(rf"\b(?:{event_words('en', told=True)})\b|{event_words('zh', told=True)}")
_WEEKDAY = rf"(?:\b{WEEKDAY_LED}|(?:周|星期|礼拜)[一二三四五六日天])"
# "Saturday the 11th", 周六11号; 11 April (Saturday), 11号（周六）
_BEFORE = CaselessPattern(rf"{_WEEKDAY}[\s,，（(]*(?P<the>the )?$")
_BEHIND = CaselessPattern(rf"\s?[（(]{_WEEKDAY}[)）]|(?:周|星期|礼拜)[一二三四五六日天]")
_WITHIN = CaselessPattern(_WEEKDAY)
_WEEK_MS = 7 * calendar_math.DAY_MS
_TITLE = LazyPattern(r"(?P<title>[\u4e00-\u9fff]{2})的?(?:名字)?$")  # 新馆长


def is_supposed(text: str, start: int, end: int) -> bool:
    """Whether what stands at `[start, end)` of a text is only supposed, said by others or taken back."""
    return any(each.search(text[:start]) for each in _UNREAL) or _TAKEN_BACK.search(text[end:]) is not None


def tells_event(statement: str, about: str) -> bool | None:
    """Whether a statement tells of the event whose day is put right, by whatever word; None where it is of no event."""
    events = {event_called(match[0].lower()) for match in _EVENT.finditer(about)}
    told = statement.lower()
    return any(word in told for event in events for word in words_of_event(event)) if events else None


def names_no_day(about: str) -> bool:
    """Whether the number is that of a room or a floor."""
    return _NO_DAY.search(about) is not None


def day_put_right(statement: str, wording: str, wrong: str, at_ms: int) -> str | None:
    """A statement with the day `wording` for `wrong`, however it words that: "11 April" of "the 11th".

    Empty where it has not that day, or where it is not sure that it is meant; None where these are no two days.
    """
    new, old = _DAY_OF_MONTH.search(wording), _DAY_OF_MONTH.search(wrong)
    dates = find_dates(wording, at_ms)
    if new is None or old is None or not dates or new["day"] == old["day"]:
        return None
    days = [match["day"] for match in _DAY_OF_MONTH.finditer(statement)]
    if days.count(old["day"]) != 1 or _RANGE.search(statement) is not None:
        return ""
    month = _month_of(wrong, at_ms) or _month_of(wording, at_ms)
    for span in find_dates(statement, at_ms):
        text = statement[span.start : span.end]
        there = _DAY_OF_MONTH.search(text)
        if there is None or there["day"] != old["day"]:
            continue
        if month is not None and _MONTH.search(text) and _month(span) != month:
            return ""
        suffix = new[0][len(new["day"]) :] if there[0] != there["day"] else ""
        right = f"{text[: there.start()]}{new['day']}{suffix}{text[there.end() :]}"
        if _MONTH.search(wording) and _MONTH.search(text) and _month(dates[0]) != _month(span):
            led = re.match(r"(?:(?:on|by|until) )?", text, re.IGNORECASE)
            right = f"{led[0] if led else ''}{wording}"
        told = statement[: span.start] + right + statement[span.end :]
        now = _day_at(told, span.start, dates[0], at_ms)
        if now is None:  # there is no 31 April
            return ""
        is_weeks_off = (now.from_ms - span.from_ms) % _WEEK_MS == 0  # a Saturday, and a Saturday again
        return told if is_weeks_off else _without_weekday(told, span.start, span.start + len(right))
    return ""


def _day_at(statement: str, start: int, meant: DateSpan, at_ms: int) -> DateSpan | None:
    """The day that is read there, if it is of the month's day that is meant."""
    found = (span for span in find_dates(statement, at_ms) if span.end > start)
    return next((span for span in found if _civil(span)[2] == _civil(meant)[2]), None)


def _without_weekday(statement: str, start: int, end: int) -> str:
    """A statement without the weekday beside its day, which was that of another; empty where it cannot be taken out."""
    if _WITHIN.search(statement[start:end]):
        return ""
    behind = _BEHIND.match(statement[end:])
    if behind is not None:
        statement = statement[:end] + statement[end + behind.end() :]
    before = _BEFORE.search(statement[:start])
    if before is not None:
        statement = statement[: before.start()] + (before["the"] or "") + statement[start:]
    return statement


def _month_of(wording: str, at_ms: int) -> int | None:
    dates = find_dates(wording, at_ms) if _MONTH.search(wording) else ()
    return _month(dates[0]) if dates else None


def _month(span: DateSpan) -> int:
    return _civil(span)[1]


def _civil(span: DateSpan) -> tuple[int, int, int]:
    return calendar_math.civil(span.from_ms // calendar_math.DAY_MS)


def is_surname(wrong: str) -> bool:
    """Whether what is wrong is one Chinese character."""
    return len(wrong) == 1 and "\u4e00" <= wrong <= "\u9fff"


def surname_put_right(statement: str, wording: str, wrong: str, about: str) -> str | None:
    """A statement with another surname where it says 馆长姓阮 of whom it is about; None where it does not."""
    called = _TITLE.search(about)
    for lead in ("姓", "叫", "是姓") if called else ():
        told = f"{called['title'] if called else ''}{lead}{wrong}"
        at = statement.find(told)
        if at >= 0 and not "\u4e00" <= statement[at + len(told) : at + len(told) + 1] <= "\u9fff":
            right = wording.lstrip("姓叫") if wording[1:] else wording
            return statement[: at + len(told) - 1] + right + statement[at + len(told) :]
    return None
