"""The English grammar of dates: patterns and what each means, reckoned from a message's own time.

Called by `core/dates.py` only. Every rule is a pattern and a function from its match and the anchor to a
period, or None where the words turn out not to be a date; beside them stand the words that such a date is never
without (`core/signs`). "Last Friday" is the nearest Friday before today,
"next Friday" the Friday of next week.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match

from soulmem.core import civil, dates_holidays
from soulmem.core.civil import Anchor, Granularity, Period, Wording
from soulmem.core.patterns import LazyPattern
from soulmem.core.signs import DIGIT, Needs, needs_of

Rule = tuple[LazyPattern, Needs, Callable[[Match[str], Anchor], Period | None]]

MONTHS = """
    January February March April May June July August September October November December
    """.split()  # noqa: SIM905 (a list of words reads best as words)
WEEKDAYS = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    """.split()  # noqa: SIM905 (a list of words reads best as words)
_MONTH_NUMBER = {name.lower(): index + 1 for index, name in enumerate(MONTHS)}
_MONTH_NUMBER |= {name[:3].lower(): index + 1 for index, name in enumerate(MONTHS)} | {"sept": 9}
_WEEKDAY_NUMBER = {name.lower(): index for index, name in enumerate(WEEKDAYS)}
_WEEKDAY_NUMBER |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4}
_NUMBERS = {
    word: index
    for index, word in enumerate(
        """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    """.split()  # noqa: SIM905 (a list of words reads best as words)
    )
}
_NUMBERS |= {"a": 1, "an": 1, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_VAGUE = {"couple": 2, "few": 3, "several": 4}
_DAY_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 23), "night": (18, 30)}

_MONTH = "(" + "|".join(sorted(_MONTH_NUMBER, key=len, reverse=True)) + r")\.?"
_FULL_MONTH = "(" + "|".join(name.lower() for name in MONTHS) + ")"
_WEEKDAY = "(" + "|".join(name.lower() for name in WEEKDAYS) + ")"
_WEEKDAY_SHORT = _WEEKDAY[:-1] + "|mon|tues?|wed|thu(?:rs?)?|fri)"
_SEASON = "(spring|summer|autumn|fall|winter)"
_COUNT = (
    r"(\d{1,3}|(?:a )?(?:couple|few)(?: of)?|several|half an?|"
    + "|".join(sorted(_NUMBERS, key=len, reverse=True))
    + ")"
)
_UNIT = "(minute|hour|day|night|weekend|week|fortnight|month|year|decade)s?"
_PART = r"(?: (morning|afternoon|evening|night)\b)?"
_HOUR = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon"
_TIME = rf"(?: at (\d{{1,2}}|{_HOUR})(?::(\d\d))? ?(am|pm|a\.m\.|p\.m\.|o'clock)?(?![\d:%]))?"
_DISTANCE = r"\b(last|past|this past|previous|this|this coming|next|coming|upcoming|following) "


def _count(word: str) -> tuple[int, bool]:
    """The number a word stands for, and whether it is vague."""
    word = word.lower()
    if word.isdigit():
        return int(word), False
    for vague, value in _VAGUE.items():
        if vague in word:
            return value, True
    return _NUMBERS.get(word, 1), False


def _away(count_word: str, unit: str, sign: int, at: Anchor) -> Period | None:
    unit = unit.lower()
    if count_word.lower().startswith("half"):
        half = {"year": (6, "month"), "day": (12, "hour"), "hour": (30, "minute"), "month": (15, "day")}
        if unit not in half:
            return None
        return civil.units_away(at, sign * half[unit][0], half[unit][1], approximate=False)
    count, vague = _count(count_word)
    if unit == "decade":
        count, unit, vague = count * 10, "year", True
    if unit == "fortnight":
        count, unit = count * 2, "week"
    return civil.units_away(at, sign * count, "day" if unit == "night" else unit, approximate=vague)


def _ago(match: Match[str], at: Anchor) -> Period | None:
    return _away(match[1], match[2], 1 if match[3].lower().startswith("from") else -1, at)


def _within(match: Match[str], at: Anchor) -> Period | None:
    if match[1].lower() in {"a", "an", "one"} and match[2].lower() in {"day", "night", "hour", "minute"}:
        return None
    return _away(match[1], match[2], 1, at) if at.future else None


def _hour(match: Match[str], group: int, *, late: bool) -> tuple[int, int] | None:
    """Hour and minute named at `group`, `group + 1`, `group + 2` of a match; None if no such hour."""
    if match[group] is None:
        return None
    word = match[group].lower()
    if word == "noon":
        return 12, 0
    hour, minute = _count(word)[0], int(match[group + 1] or 0)
    half = (match[group + 2] or "").lower()
    if hour < 12 and (half.startswith("p") or (not half.startswith("a") and (late or hour < 7))):
        hour += 12
    elif hour == 12 and half.startswith("a"):
        hour = 0
    return (hour, minute) if hour < 24 and minute < 60 else None


def _day_with_time(day: int, part: str | None, match: Match[str], group: int) -> Period:
    moment = _hour(match, group, late=part in {"afternoon", "evening", "night"})
    if moment is not None:
        return civil.clock_time(day, *moment)
    return civil.hours(day, *_DAY_PARTS[part]) if part else civil.one_day(day)


def _near_day(match: Match[str], at: Anchor) -> Period | None:
    word = match[1].lower()
    offsets = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1, "last night": -1}
    offset = offsets.get(word, -2 if "before" in word else 2)
    part = match[2].lower() if match[2] else ("night" if "night" in word else None)
    return _day_with_time(at.day + offset, part, match, 3)


def _this_part(match: Match[str], at: Anchor) -> Period | None:
    return _day_with_time(at.day, match[1].lower(), match, 2)


def _sign(word: str) -> int:
    word = word.lower()
    if word in {"last", "past", "this past", "previous"}:
        return -1
    return 0 if word == "this" else 1


def _distant_unit(match: Match[str], at: Anchor) -> Period | None:
    """last / this / next week, weekend, month, year."""
    sign, unit = _sign(match[1]), match[2].lower()
    if match[1].lower() in {"past", "previous", "following"} and unit == "year":
        return None
    if unit == "weekend":
        past_one = sign < 0 and civil.weekday(at.day) == 6 and "past" in match[1].lower()
        near = sign > 0 and "coming" in match[1].lower()
        return civil.weekend(at.day if past_one or near else at.day + 7 * sign)
    return civil.units_away(at, sign, unit, approximate=False)


def _distant_weekday(match: Match[str], at: Anchor) -> Period | None:
    sign, number = _sign(match[1]), _WEEKDAY_NUMBER[match[2].lower()]
    monday = civil.monday(at.day)
    if sign < 0:
        day = at.day - ((civil.weekday(at.day) - number - 1) % 7 + 1)
    elif sign > 0 and match[1].lower() in {"coming", "upcoming", "this coming"}:
        day = at.day + ((number - civil.weekday(at.day) - 1) % 7 + 1)
    else:
        day = monday + 7 * sign + number
    return _day_with_time(day, match[3].lower() if match[3] else None, match, 4)


def _bare_weekday(match: Match[str], at: Anchor) -> Period | None:
    number = _WEEKDAY_NUMBER[match[1].lower()]
    ahead = (number - civil.weekday(at.day)) % 7
    day = at.day + (ahead if at.future else -((7 - ahead) % 7))
    return _day_with_time(day, match[2].lower() if match[2] else None, match, 3)


def _distant_month(match: Match[str], at: Anchor) -> Period | None:
    sign, number = _sign(match[1]), _MONTH_NUMBER[match[2].lower()]
    if sign < 0:
        return civil.month(at.year if number < at.month else at.year - 1, number)
    if sign > 0:
        return civil.month(at.year if number > at.month else at.year + 1, number)
    return civil.month(at.year, number)


def _distant_season(match: Match[str], at: Anchor) -> Period | None:
    sign, name = _sign(match[1]), match[2].lower().replace("fall", "autumn")
    if sign == 0:
        return civil.season(at.year - (name == "winter" and at.month <= 2), name)
    if sign < 0:  # the latest one that is over
        years = (at.year - back for back in range(3))
        return next((s for y in years if (s := civil.season(y, name)).to_ms <= at.at_ms), None)
    return next((s for y in (at.year, at.year + 1) if (s := civil.season(y, name)).from_ms > at.at_ms), None)


def _season_of_year(match: Match[str], at: Anchor) -> Period | None:
    return civil.season(int(match[2]), match[1].lower().replace("fall", "autumn"), Wording.COMPLETE)


def _before_last(match: Match[str], at: Anchor) -> Period | None:
    return civil.units_away(at, -2, match[1].lower(), approximate=False)


def _the_weekend(match: Match[str], at: Anchor) -> Period | None:
    if at.future or civil.weekday(at.day) >= 5:
        return civil.weekend(at.day)
    return civil.weekend(at.day - 7)


def _date(year_text: str | None, month: int, day: int, at: Anchor) -> Period | None:
    year = int(year_text) if year_text else civil.nearest_year(at, month, day)
    if not civil.valid_day(year, month, day):
        return None
    return civil.one_day(civil.day_number(year, month, day), Wording.COMPLETE if year_text else Wording.YEARLESS)


def _month_day(match: Match[str], at: Anchor) -> Period | None:
    if match[1].islower() and match[1] in {"may", "march"} and not match[3]:
        return None
    return _date(match[3], _MONTH_NUMBER[match[1].lower()], int(match[2]), at)


def _day_month(match: Match[str], at: Anchor) -> Period | None:
    return _date(match[3], _MONTH_NUMBER[match[2].lower()], int(match[1]), at)


def _iso(match: Match[str], at: Anchor) -> Period | None:
    return _date(match[1], int(match[2]), int(match[3]), at)


def _month_alone(match: Match[str], at: Anchor) -> Period | None:
    number = _MONTH_NUMBER[match[2].lower()]
    year = int(match[3]) if match[3] else civil.nearest_year(at, number)
    wording = Wording.COMPLETE if match[3] else Wording.YEARLESS
    lead = match[1].lower()
    for part, words in (("early", ("early", "beginning", "start")), ("mid", ("mid",)), ("late", ("late", "end"))):
        if lead.startswith(words):
            return civil.month_part(year, number, part, wording)
    return civil.month(year, number, wording)


def _month_year(match: Match[str], at: Anchor) -> Period | None:
    return civil.month(int(match[2]), _MONTH_NUMBER[match[1].lower()], Wording.COMPLETE)


def _year(match: Match[str], at: Anchor) -> Period | None:
    return civil.year(int(match[1]), Wording.COMPLETE)


def _past_stretch(match: Match[str], at: Anchor) -> Period | None:
    count, unit = _count(match[1])[0], match[2].lower()
    away = _away(str(count), unit, -1, at)
    if away is None:
        return None
    return Period(away.from_ms, (at.day + 1) * civil.DAY_MS, Granularity.RANGE, Wording.RELATIVE, True)


def _weeks_from(match: Match[str], at: Anchor) -> Period | None:
    """a week tomorrow, two weeks ago today, a week on Friday."""
    weeks = _count(match[1])[0] * (2 if match[2].lower() == "fortnight" else 1)
    link, word = (match[3] or "").lower(), match[4].lower()
    if word in _WEEKDAY_NUMBER:
        if link == "ago":
            return None
        ahead = (_WEEKDAY_NUMBER[word] - civil.weekday(at.day) - 1) % 7 + 1
    else:
        ahead = {"today": 0, "tomorrow": 1, "yesterday": -1}[word]
    return civil.one_day(at.day + ahead + 7 * weeks * (-1 if word == "yesterday" or link == "ago" else 1))


def _day_of_month(match: Match[str], at: Anchor) -> Period | None:
    """the 21st, on its own: of the month that is near."""
    day = civil.nearest_day(at, int(match[1]))
    return None if day is None else civil.one_day(day)


def _rule(pattern: str, words: str, meaning: Callable[[Match[str], Anchor], Period | None]) -> Rule:
    return LazyPattern(pattern, re.IGNORECASE), needs_of(words), meaning


_NEAR = r"(the day before yesterday|the day after tomorrow|yesterday|today|tonight|tomorrow|tmrw|last night)"
_LEAD = r"(in|since|until|till|by|during|around|early|mid|late|(?:the )?(?:beginning|start|end) of)"

# "the 21st" is a day where a preposition leads to it or its clause ends or goes on behind it; "the 21st floor" is none.
_BARE_DAY = r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! of\b)"
_LEADS = ("on", "by", "until", "till", "since", "for", "from", "before", "after")
_LED = "|".join(rf"(?<=\b{lead} the \d{{{n}}}[a-z][a-z])" for lead in _LEADS for n in (1, 2))
_DAY_LED = rf"(?:{_LED})(?=[\s.,;:!?)]|$)"
_DAY_FOLLOWED = (
    r"(?=\s*(?:[,;:!?)]|\.(?!\d)|$)|\s(?:at|is|was|in the|and|or|but|we|i|he|she|they|it|with|because|so|if|when|then|"
    r"after|before|until|through|to|works|suits)\b)"
)

_MONTHS, _WEEKDAYS, _SEASONS = "|".join(_MONTH_NUMBER), "|".join(_WEEKDAY_NUMBER), _SEASON[1:-1]
_UNITS = _UNIT[1:].partition(")")[0]
_DISTANCES = "last|past|this|previous|next|coming|upcoming|following"

RULES: tuple[Rule, ...] = (
    _rule(
        rf"\b{_COUNT}(?: and a half)? {_UNIT} (ago|back\b(?! (?:to|in|then))|from (?:now|today))",
        f"ago|back|from {_UNITS}",
        _ago,
    ),
    _rule(rf"\b(?:in|within) {_COUNT} {_UNIT}(?:'? time)?\b(?! of\b| ago)", f"in|within {_UNITS}", _within),
    _rule(
        rf"(?<!like )(?<!like just )(?<!was just )\b{_NEAR}{_PART}{_TIME}\b(?!'s world)",
        "yesterday|today|tonight|tomorrow|tmrw|night",
        _near_day,
    ),
    _rule(rf"\bthis (morning|afternoon|evening){_TIME}\b", "this morning|afternoon|evening", _this_part),
    _rule(rf"{_DISTANCE}(weekend|week|month|year)\b(?! of\b|-)", f"{_DISTANCES} week|month|year", _distant_unit),
    _rule(rf"{_DISTANCE}{_WEEKDAY_SHORT}{_PART}{_TIME}\b", f"{_DISTANCES} {_WEEKDAYS}", _distant_weekday),
    _rule(
        rf"(?<!every )\b(?:on|since|by|until|till) (?:the )?{_WEEKDAY_SHORT}{_PART}{_TIME}\b",
        f"on|since|by|until|till {_WEEKDAYS}",
        _bare_weekday,
    ),
    _rule(rf"{_DISTANCE}{_FULL_MONTH}\b(?! \d)", f"{_DISTANCES} {_MONTHS}", _distant_month),
    _rule(rf"{_DISTANCE}{_SEASON}\b(?! break of)", f"{_DISTANCES} {_SEASONS}", _distant_season),
    _rule(rf"\b{_SEASON},?(?: of)? ((?:19|20)\d\d)\b", f"{DIGIT} {_SEASONS}", _season_of_year),
    _rule(r"\bthe (week|weekend|month|year) before last\b", "before last", _before_last),
    _rule(r"\b(?:over|on|during|for) the weekend\b", "weekend over|on|during|for", _the_weekend),
    _rule(
        rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:|%|\s?(?:am|pm)\b)(?:,? (\d{{4}})\b)?",
        f"{DIGIT} {_MONTHS}",
        _month_day,
    ),
    _rule(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}\b(?:,? (\d{{4}})\b)?",
        f"{DIGIT} {_MONTHS}",
        _day_month,
    ),
    _rule(r"(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])", DIGIT, _iso),
    _rule(
        rf"\b{_LEAD}[ -]{_FULL_MONTH}\b(?! \d{{1,2}}\b)(?:,? (\d{{4}})\b)?",
        f"{_MONTHS} in|since|until|till|by|during|around|early|mid|late|beginning|start|end",
        _month_alone,
    ),
    _rule(rf"\b{_MONTH},? ((?:19|20)\d\d)\b", f"{DIGIT} {_MONTHS}", _month_year),
    _rule(
        r"\b(?:in|since|by|until|around|during|of|year|from) ((?:19|20)\d\d)\b(?![-/\d]|年)",
        f"{DIGIT} in|since|by|until|around|during|of|year|from",
        _year,
    ),
    _rule(rf"\b(?:the|these) (?:past|last) {_COUNT} {_UNIT}\b", f"past|last {_UNITS}", _past_stretch),
    _rule(
        rf"\b(a|one|two|three) (week|fortnight)s? (?:(from|on|ago) )?(today|tomorrow|yesterday|{_WEEKDAY[1:-1]})\b",
        f"week|fortnight today|tomorrow|yesterday|{_WEEKDAYS}",
        _weeks_from,
    ),
    _rule(rf"{_BARE_DAY}(?:{_DAY_LED}|{_DAY_FOLLOWED})", f"{DIGIT} the", _day_of_month),
    (dates_holidays.ENGLISH, dates_holidays.ENGLISH_NEEDS, dates_holidays.english),
)
NEEDED = frozenset().union(*(rule[1][0] for rule in RULES))  # of these any date has one

# One cheap look decides whether any rule can match.
TRIGGER = LazyPattern(
    r"\d|\b(?:ago|back|from now|from today|yesterday|to(?:day|night|morrow)|tmrw|last|past|this|next|coming|upcoming|"
    r"previous|following|in|within|on|since|by|until|till|over|for|during|early|mid|late|end|start|beginning|before|"
    r"christmas|xmas|boxing|halloween|week|fortnight|new year['’]?s|valentine['’]?s?)\b",
    re.IGNORECASE,
)
PAST = LazyPattern(
    r"\b(?:was|were|went|had|did|took|got|made|saw|met|came|won|lost|bought|began|since|ago|ever|\w{3,}ed)\b",
    re.IGNORECASE,
)
FUTURE = LazyPattern(
    r"\b(?:will|won['’]t|gonna|going to|shall|plan(?:s|ning)?|hop(?:e|ing)|upcoming|soon|can['’]t wait|"
    r"look(?:ing)? forward|tomorrow|next|due|scheduled|let['’]s|let us|about to|booked|want to|"
    r"excited (?:for|to|about)|see you|deadline|gotta|need to)\b"
    r"|['’]ll\b|(?:['’](?:m|re|s)|\b(?:am|are|is)) (?!being|doing)(?:\w+ly )?"
    r"(?:go|com|hav|do|tak|leav|mov|start|meet|fly|visit|return|celebrat|host|perform|runn|gett|mak|plann|arriv|travel|head)ing\b",
    re.IGNORECASE,
)
