"""Days that were told wrong: what names the right day and the wrong one, and a statement with the right one in it.

Called by `core/facts/spoken_corrections.py`. Pure. Invariant: a statement without the wrong day is not altered.
"""

# Patterns stand on long lines.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.calendar import calendar_math
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.wordlists.dated_events import event_called, event_words, words_of_event

# "got her date wrong, it's the 18th of April not the 11th"; 酒席是21号，周六，不是22; 主管是姓冉不是阮
_DAY = r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*(?: \d{1,2}(?:st|nd|rd|th)?)?|(?:the )?\d{1,2}(?:st|nd|rd|th)"
NOT_THE = LazyPattern(
    rf"(?:['’]s|\b(?:is|was|be))(?: actually| really)?(?: on)? (?P<new>{_DAY}),? (?:and )?not (?:on )?(?P<old>{_DAY}|(?:the )?\d{{1,2}})(?=[\s,.;!)]|$)"
    r"|是(?P<new2>(?:[\d一二三四五六七八九十]{1,3}月)?[\d一二三四五六七八九十]{1,3}[号日])(?:[，,][^，,。是]{1,6})?[，,]?(?:而)?不是(?P<old2>(?:[\d一二三四五六七八九十]{1,3}月)?[\d一二三四五六七八九十]{1,3}[号日]?)(?=[，,。！!；\s]|$)"
    r"|是(?P<new3>[姓叫][\u4e00-\u9fff]{1,4})[，,]?不是[姓叫]?(?P<old3>[\u4e00-\u9fff]{1,4}?)(?=[，,。！!；\s]|$)",
    re.IGNORECASE,
)
_DAY_OF_MONTH = LazyPattern(
    r"(?<![\d一二三四五六七八九十])(?P<day>[\d一二三四五六七八九十]{1,3})(?:st|nd|rd|th|[号日])?(?![\d月])",
    re.IGNORECASE,
)
_MONTH = LazyPattern(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|月", re.IGNORECASE)
_WEEKDAY = LazyPattern(
    r"\b(?P<en>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|(?:周|星期|礼拜)[一二三四五六日天]", re.IGNORECASE
)
_NEAR = 5  # characters between a day and its weekday: 21号（周六）
_ENGLISH = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CHINESE = "一二三四五六日"

_EVENT = LazyPattern(rf"\b(?:{event_words('en')})\b|{event_words('zh')}", re.IGNORECASE)


def is_of_another_event(statement: str, about: str) -> bool:
    """Whether what is put right is the day of an event of which a statement does not tell: her birthday, not her flight."""
    events = {event_called(match[0].lower()) for match in _EVENT.finditer(about)}
    told = statement.lower()
    return bool(events) and not any(word in told for event in events for word in words_of_event(event))


def day_put_right(statement: str, wording: str, wrong: str, at_ms: int) -> str | None:
    """A statement with the day `wording` for `wrong`, however it words that: "11 April" of "the 11th".

    Empty where it has not that day; None where these are no two days of a month.
    """
    new, old = _DAY_OF_MONTH.search(wording), _DAY_OF_MONTH.search(wrong)
    dates = find_dates(wording, at_ms)
    if new is None or old is None or not dates or new["day"] == old["day"]:
        return None
    for span in find_dates(statement, at_ms):
        text = statement[span.start : span.end]
        there = _DAY_OF_MONTH.search(text)
        if there is None or there["day"] != old["day"]:
            continue
        suffix = new[0][len(new["day"]) :] if there[0] != there["day"] else ""
        right = f"{text[: there.start()]}{new['day']}{suffix}{text[there.end() :]}"
        if _MONTH.search(wording) and _MONTH.search(text) and _month(dates[0].from_ms) != _month(span.from_ms):
            led = re.match(r"(?:(?:on|by|until) )?", text, re.IGNORECASE)
            right = f"{led[0] if led else ''}{wording}"
        told = statement[: span.start] + right + statement[span.end :]
        return _on_its_weekday(told, statement, span.start, at_ms)
    return ""


def _on_its_weekday(statement: str, before: str, start: int, at_ms: int) -> str:
    """A statement with the weekday beside the day at `start` that this day falls on; `before`: with the wrong day."""
    named, days = _weekday_beside(statement, start, at_ms)
    was, wrong_days = _weekday_beside(before, start, at_ms)
    if named is None or was is None or not days:
        return statement
    told = _falls_of(named)
    if told not in {_falls(day) for day in wrong_days}:  # it never was that of the wrong day
        if told in {_falls(day) for day in days}:
            return statement
        wrong_days = []
    years = [_year(day) for day in wrong_days if _falls(day) == told]
    falls = _falls(next((day for day in days if _year(day) in years), days[0]))
    right = _ENGLISH[falls] if named["en"] else named[0][:-1] + _CHINESE[falls]
    return statement[: named.start()] + right + statement[named.end() :]


def _weekday_beside(statement: str, start: int, at_ms: int) -> tuple[re.Match[str] | None, list[int]]:
    """The weekday beside the day at `start`, and that day, as numbers, in each year that may be meant."""
    day = next((span for span in find_dates(statement, at_ms) if span.start >= start), None)
    first, end = (day.start, day.end) if day is not None else (start, start)
    beside = [
        each for each in _WEEKDAY.finditer(statement) if each.end() >= first - _NEAR and each.start() <= end + _NEAR
    ]
    if not beside:
        return None, []
    named = min(beside, key=lambda each: max(first - each.end(), each.start() - end))
    apart = statement[: named.start()] + " " * len(named[0]) + statement[named.end() :]
    alone = next((span for span in find_dates(apart, at_ms) if span.end > start), None)
    periods = (alone.period, alone.period.other) if alone is not None else ()
    return named, [each.from_ms // calendar_math.DAY_MS for each in periods if each is not None]


def _falls_of(named: re.Match[str]) -> int:
    return _ENGLISH.index(named[0].capitalize()) if named["en"] else _CHINESE.index(named[0][-1].replace("天", "日"))


def _falls(day: int) -> int:
    return calendar_math.weekday(day)


def _year(day: int) -> int:
    return calendar_math.civil(day)[0]


def _month(ms: int) -> int:
    return calendar_math.civil(ms // calendar_math.DAY_MS)[1]
