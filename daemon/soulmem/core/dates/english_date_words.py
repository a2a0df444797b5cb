"""The words that English dates are made of: months, weekdays, counts, parts of a day and times of the clock.

Used by `core/dates/english_dates.py`, and by whoever writes a date in English.
"""

from __future__ import annotations

from re import Match

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Anchor, Period, Wording
from soulmem.core.numbers.number_words import TENS, UNITS, english_value
from soulmem.core.regex.lazy_regex import CaselessPattern

MONTHS = """
    January February March April May June July August September October November December
    """.split()
WEEKDAYS = """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday
    """.split()
MONTH_NUMBER = {name.lower(): index + 1 for index, name in enumerate(MONTHS)}
MONTH_NUMBER |= {name[:3].lower(): index + 1 for index, name in enumerate(MONTHS)} | {"sept": 9}
WEEKDAY_NUMBER = {name.lower(): index for index, name in enumerate(WEEKDAYS)}
WEEKDAY_NUMBER |= {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4}
WEEKDAY_NUMBER |= {"sat": 5, "sun": 6}
_MISSPELT = {"teusday": 1, "tuseday": 1, "wendesday": 2, "wensday": 2, "wednsday": 2, "wedensday": 2, "thrusday": 3}
_MISSPELT |= {"thurday": 3, "thursdy": 3, "firday": 4, "saterday": 5, "satuday": 5, "saturdy": 5}
WEEKDAY_NUMBER |= _MISSPELT
_VAGUE = {"couple": 2, "few": 3, "several": 4}
_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth
    twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first
    """.split()
ORDINAL = "(" + "|".join(word.replace("-", "[ -]") for word in sorted(_ORDINALS, key=len, reverse=True)) + ")"
ORDINAL_HEADS = "|".join(sorted({word[:3] for word in _ORDINALS}))
DAY_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 23), "night": (18, 30)}

MONTH = "(" + "|".join(sorted(MONTH_NUMBER, key=len, reverse=True)) + ")"
OF_MONTHS = "|".join(name.lower() for name in MONTHS)  # for patterns
FULL_MONTH = f"({OF_MONTHS})"
FULL_WEEKDAY = "(" + "|".join([*(name.lower() for name in WEEKDAYS), *_MISSPELT]) + ")"
WEEKDAY = FULL_WEEKDAY[:-1] + r"|mon|tues?|weds?|thu(?:rs?)?|fri)(?![\w-])"
WEEKDAY_LED = FULL_WEEKDAY[:-1] + r"|mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)(?![\w-])"
SEASON = "(spring|summer|autumn|fall|winter)"
_SMALL = "|".join(sorted(UNITS[1:], key=len, reverse=True))
_NUMBER = rf"(?:(?:{'|'.join(TENS)})(?:[ -](?:{_SMALL}))?|{_SMALL})"
COUNT = rf"(\d{{1,3}}(?:\.5)?|(?:a )?(?:couple|few)(?: of)?|several|half an?|a hundred|{_NUMBER}|an?)"
HALF = r"( and a half)?"
UNIT = "(minute|min|hour|hr|day|night|weekend|week|wk|fortnight|month|year|yr|decade)s?"
PART = r"(?: (?:in the )?(morning|afternoon|evening|night)\b(?!s))?"
_HOUR = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|midday"
TIME = (
    r"(?:(?:,? (?:at |around |@ ?)| |, (?=\d{1,2}(?:[:.]\d\d| ?[ap]\.?m\b)|noon|midnight|midday|half past|quarter ))"
    rf"(?:(half past|quarter past|quarter to) )?((?:1?\d|2[0-4])(?!\d)|{_HOUR})"
    r"(?:[:.](\d\d))? ?"
    r"(am|pm|a\.m\.|p\.m\.|o['’]clock)?(?![\w:%/-]|\.\d)"
    r"(?! ?(?:am|pm|years?|days?|weeks?|months?|hours?|minutes?|mins?|seconds?|miles?|k|km|kilos?|quid|"
    rf"pounds?|euros?|dollars?|times|people|of|{MONTH[1:-1]})\b))?"
)
YEAR = r"((?:19|20)\d\d|['’]\d\d)"
_FROM_MONDAY = CaselessPattern(r"\bmon(?:day)?s?\s?(?:to|-|–|till|through|thru)\s?(?:thu|fri|sat)")
# What is so each year is of no year: "I go quiet in February", "in June I get hay fever", "at Christmas we do jigsaws".
_CUSTOM_VERB = (
    r"(?:feel|hate|love|like|dread|suffer|struggle|sneeze|ache|plant|sow|pick|harvest|prune|wear|eat|drink|bake|cook"
    r"|decorate|celebrate|cry|miss|avoid|hibernate|sing|swim|fish|ski|grow|bloom|flower|blossom|snow|rain|freeze|flood"
    r"|smell|crack|itch|swell|flare|die back|moult|shed|tend to)"
)
_CUSTOM = CaselessPattern(
    r"\b(?:i|we|they|you|people|it|he|she|that|who|mum|dad|my [a-z]+|our [a-z]+)"
    r"(?: (?:still|just|only|really|all|both|always|usually|often|never|sometimes|mostly)){0,2}"
    rf" (?:{_CUSTOM_VERB}s?"
    r"|gets? (?!(?:my|the|an?|our|his|her|back|home|married|paid|it|to|up|out|in)\b)"
    r"|(?:go|goes) (?:quiet|mad|crazy|grey|gray|under|dark|silent|down|to pieces|off|brown|bare|wild)"
    r"|do(?:es)? (?!my\b|the\b|an?\b|it\b|this\b|that\b|not\b))\b[^.,;!?]{0,40}$"
)
_PLANNED_ONCE = CaselessPattern(
    r"\b(?:going to|gonna|will|shall|this year|next year|again|booked|planning|want to|hope to|first)\b|['’]ll\b"
)
# It was so, and goes on: which of the two years is meant nobody said ("we've been together six years in May").
_LASTING = CaselessPattern(
    r"(?:(?<!will )(?<!['’]ll )\b(?:have|has)|['’]ve|['’]s) (?:been|known|had|lived|worked|done)\b"
    r"[^.,;!?]{0,40}\b(?:years|months) $|\b\w+ years? (?:gone|dead|married|sober|clean|together|widowed|retired) $"
)
_COMING = 5  # years ahead that are told by two figures
_NAMED_UNITS = {"min": "minute", "hr": "hour", "wk": "week", "yr": "year", "night": "day"}


def count_of(word: str) -> tuple[float, bool]:
    """The number a word stands for, and whether it is vague."""
    word = word.lower()
    for vague, value in _VAGUE.items():
        if vague in word:
            return value, True
    if word in {"a", "an"}:
        return 1, False
    return float(word) if word[:1].isdigit() else english_value(word) or 1, False


def ordinal_of(word: str) -> int:
    """The number that a word like `twenty-first` stands for."""
    return _ORDINALS.index(word.lower().replace(" ", "-")) + 1


def year_of(text: str, at: Anchor) -> tuple[int, Wording]:
    """The year that "1968" or "'68" is, and what the expression lacks: of two figures the latest year that has come."""
    if text[:1].isdigit():
        return int(text), Wording.COMPLETE
    century = at.year // 100 * 100
    number = century + int(text[1:])
    return (number if number <= at.year + _COMING else number - 100), Wording.RELATIVE


def unit_of(word: str) -> str:
    return _NAMED_UNITS.get(word.lower(), word.lower())


def hour_of(match: Match[str], group: int, part: str | None) -> tuple[int, int] | None:
    """Hour and minute from `group` on (half past, hour, minute, am); None if they leave open which half of the day."""
    if match[group + 1] is None:
        return None
    word, half = match[group + 1].lower(), (match[group + 3] or "").lower()
    if word in {"noon", "midday"}:
        return 12, 0
    if word == "midnight":
        return None
    hour, minute = int(count_of(word)[0]), int(match[group + 2] or 0)
    lead = (match[group] or "").lower()
    if lead:
        minute = 30 if lead.startswith("half") else 15 if lead.endswith("past") else -15
    if hour > 24 or not -15 <= minute < 60:
        return None
    if half.startswith("p") or (not half.startswith("a") and part in {"afternoon", "evening"}):
        hour += 12 * (hour < 12)
    elif half.startswith("a") or part == "morning":
        hour %= 12
    elif part == "night":
        hour += 12 * (5 < hour < 12)
        if hour < 18:
            return None
    elif hour <= 12:
        return None  # "tomorrow at 8": nobody said in which half of the day
    return divmod(hour * 60 + minute, 60) if hour < 24 else None


def with_time(day: int, part: str | None, match: Match[str], group: int) -> Period:
    """A day, or the part of it or the time named at `group` and behind it."""
    part = part.lower() if part else None
    moment = hour_of(match, group, part)
    if moment is not None:
        return calendar_math.clock_time(day, *moment)
    return calendar_math.hours(day, *DAY_PARTS[part], part) if part else calendar_math.one_day(day)


def tells_custom(match: Match[str]) -> bool:
    """Whether the clause of a month or a feast tells what is so each year, and so of no year."""
    text, (start, end) = match.string, match.span()
    before, behind = text[max(0, start - 80) : start], text[end : end + 60]
    behind = behind[: min((at for mark in ".,;!?" if (at := behind.find(mark)) >= 0), default=60)]
    if _PLANNED_ONCE.search(before) is not None or _PLANNED_ONCE.search(behind) is not None:
        return False
    return _CUSTOM.search(before) is not None or (not before.strip() and _CUSTOM.search(behind) is not None)


def tells_lasting(match: Match[str]) -> bool:
    """Whether something is told to have lasted so many years in a month: it may be over, or be reached yet."""
    return _LASTING.search(match.string, max(0, match.start() - 80), match.start()) is not None


def is_of_work_week(match: Match[str]) -> bool:
    """Monday to Friday is every week's."""
    text, (start, end) = match.string, match.span()
    return bool(_FROM_MONDAY.match(text, start) or _FROM_MONDAY.search(text, max(0, start - 12), end))
