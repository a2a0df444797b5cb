"""What English expressions of time mean, reckoned from the moment and the tense they are said in.

Called by the rules of `core/dates/english_dates.py`: each function takes the match of its pattern and the anchor, and
gives a period, or None where the words turn out not to be a date. What is as often meant one way as the other keeps
both readings ("next Saturday", "last Tuesday" said on a Wednesday).
"""

from __future__ import annotations

from dataclasses import replace
from re import Match

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Anchor, Granularity, Period, Tense, Wording, either
from soulmem.core.dates.english_date_words import (
    MONTH_NUMBER,
    WEEKDAY_NUMBER,
    count_of,
    is_of_work_week,
    ordinal_of,
    tells_custom,
    tells_lasting,
    unit_of,
    with_time,
)
from soulmem.core.regex.lazy_regex import CaselessPattern

# Words by which somebody means the coming season, not any.
_INTENT = CaselessPattern(
    r"\b(?:going (?:to|back)|gonna|moving|getting|starting|leaving|plans? (?:to|on)|planning|hope to|hoping|want to|"
    r"'ll|will|booked|due)\b|['’]ll\b"
)
_TO_DATE = CaselessPattern(r"(?:\b(?:is|on|by|until|till|for|since|from|due|was|to|of|its)|['’]s|[,(:]|^)\s?$")
_OF_THE_DAY = CaselessPattern(r"['’]s [a-z]+ (?:\w+ )?(?:got|was|were|has|been|is)\b")
_BACK = CaselessPattern(r"\bback $")
_STORY = CaselessPattern(r"(?:on|by|until|till) the ")
_EVENING_MS = 18 * calendar_math.HOUR_MS  # from then on hardly anything of the day lies ahead
_JUST_OVER_MS = 45 * calendar_math.DAY_MS
_HALVES = {"year": (6, "month"), "day": (12, "hour"), "hour": (30, "minute"), "month": (15, "day"), "week": (3, "day")}


def _away(count_word: str, unit_word: str, sign: int, at: Anchor, *, half: bool = False) -> Period | None:
    unit = unit_of(unit_word)
    if count_word.lower().startswith("half"):
        if unit not in _HALVES:
            return None
        return calendar_math.units_away(
            at, sign * _HALVES[unit][0], _HALVES[unit][1], approximate=unit in {"month", "week"}
        )
    count, vague = count_of(count_word)
    if unit == "decade":
        count, unit, vague = count * 10, "year", True
    if unit == "fortnight":
        count, unit = count * 2, "week"
    if half or count % 1:
        return calendar_math.half_units_away(at, sign, int(count), unit)
    return calendar_math.units_away(at, sign * int(count), unit, approximate=vague)


def ago(match: Match[str], at: Anchor) -> Period | None:
    sign = 1 if match[5].lower().startswith("from") else -1
    return _away(match[1], match[3], sign, at, half=bool(match[2] or match[4]))


def within(match: Match[str], at: Anchor) -> Period | None:
    if match[1].lower() in {"a", "an", "one"} and unit_of(match[3]) in {"day", "hour", "minute"}:
        return None
    if at.tense is not Tense.AHEAD:
        return None  # "I learned it in two weeks" tells how long
    return _away(match[1], match[3], 1, at, half=bool(match[2] or match[4]))


def near_day(match: Match[str], at: Anchor) -> Period | None:
    word = match[1].lower()
    offset = 1
    if "before" in word or "after" in word:
        offset = -2 if "before" in word else 2
    elif word.startswith(("y", "last")):
        offset = -1
    elif word.startswith("to") and word[2] in "dn":
        offset = 0
    part = match[2] or ("night" if "night" in word else None)
    return with_time(at.day + offset, part, match, 3)


def this_part(match: Match[str], at: Anchor) -> Period | None:
    return with_time(at.day, match[1], match, 2)


def _sign(word: str) -> int:
    word = word.lower()
    if word in {"last", "past", "this past", "previous"}:
        return -1
    return 0 if word == "this" else 1


def distant_unit(match: Match[str], at: Anchor) -> Period | None:
    """last / this / next week, weekend, month, year."""
    sign, unit, word = _sign(match[1]), match[2].lower(), match[1].lower()
    if word in {"past", "previous", "following"} and unit == "year":
        return None
    if unit != "weekend":
        return calendar_math.units_away(at, sign, unit, approximate=False)
    today = calendar_math.weekday(at.day)
    this = calendar_math.weekend(at.day)
    if sign == 0:
        return calendar_math.weekend(at.day - 7) if at.tense is Tense.BEHIND and today < 5 else this
    if "past" in word or "coming" in word:
        return calendar_math.weekend(at.day - 7 * ("past" in word and today < 6))
    if sign > 0:  # of the coming weekend, or of the one of next week
        return calendar_math.weekend(at.day + 7) if today >= 5 else either(this, calendar_math.weekend(at.day + 7))
    return calendar_math.weekend(at.day - 7)


def distant_weekday(match: Match[str], at: Anchor) -> Period | None:
    number, word = WEEKDAY_NUMBER[match[2].lower()], match[1].lower()
    today = calendar_math.weekday(at.day)
    last, coming = at.day - ((today - number - 1) % 7 + 1), at.day + ((number - today - 1) % 7 + 1)

    def read(day: int) -> Period:
        return with_time(day, match[3], match, 4)

    if "past" in word:
        return read(last)
    if "coming" in word:
        return read(coming)
    if word == "this":
        behind = at.tense is Tense.BEHIND
        if behind and number > today:  # "I saw her this Sunday", "he's been clean for two years this Sunday"
            return either(read(coming), read(last))
        return read(last if behind and number != today else at.day if number == today else coming)
    if _sign(word) < 0:  # the last there was, or the one of last week
        return read(last) if number >= today else either(read(last - 7), read(last))
    if coming == at.day + 1:  # the coming one is tomorrow, and would be called so
        return read(coming + 7) if number > today else either(read(coming + 7), read(coming))
    return read(coming) if number <= today else either(read(coming), read(coming + 7))


def weekday_of_week(match: Match[str], at: Anchor) -> Period | None:
    """Tuesday next week, next week on Tuesday, Friday of last week: never to be mistaken."""
    name, word = (match[1], match[3]) if match[1] else (match[5], match[4])
    shift = {"last": -1, "this": 0, "next": 1}[word.lower()]
    day = calendar_math.monday(at.day) + 7 * shift + WEEKDAY_NUMBER[name.lower()]
    return with_time(day, match[2] or match[6], match, 7)


def bare_weekday(match: Match[str], at: Anchor) -> Period | None:
    number = WEEKDAY_NUMBER[(match[2] or match[3]).lower()]
    lead = (match[1] or "").lower()
    if at.tense is not Tense.BEHIND and not lead and is_of_work_week(match):
        return None
    if _STORY.match(match[0]):
        at = replace(at, tense=Tense.UNTOLD)  # "on the Monday I fell ill": of a week that was told of
    ahead = (number - calendar_math.weekday(at.day)) % 7
    behind = (7 - ahead) % 7 or 7

    def read(day: int) -> Period:
        return with_time(day, match[4], match, 5)

    if lead == "since":
        return read(at.day - behind)
    if at.tense is Tense.BEHIND and _OF_THE_DAY.match(match.string, match.end()):
        at = replace(at, tense=Tense.UNTOLD)  # "Tuesday's appointment got cancelled"
    coming = read(at.day + ahead)
    if not ahead:  # today is called today; "Monday 9am: the plumber" may be said of it
        is_over = lead == "on" and at.at_ms % calendar_math.DAY_MS >= _EVENING_MS
        coming = read(at.day + 7) if is_over else either(read(at.day + 7), read(at.day))
    if lead in {"by", "until", "till"} and at.tense is Tense.UNTOLD and not at.habit and ahead:
        return coming
    if at.tense is Tense.UNTOLD or at.habit:
        return either(read(at.day + (ahead or 7)), read(at.day - behind))
    return coming if at.tense is Tense.AHEAD else read(at.day - behind)


def distant_month(match: Match[str], at: Anchor) -> Period | None:
    sign, number = _sign(match[1]), MONTH_NUMBER[match[2].lower()]
    if sign == 0:
        return calendar_math.month(at.year, number)
    if sign < 0:
        last = calendar_math.month(at.year if number < at.month else at.year - 1, number)
        return last if number >= at.month else either(last, calendar_math.month(at.year - 1, number))
    if number <= at.month:
        return calendar_math.month(at.year + 1, number)
    return either(calendar_math.month(at.year, number), calendar_math.month(at.year + 1, number))


def distant_season(match: Match[str], at: Anchor) -> Period | None:
    sign, name = _sign(match[1]), match[2].lower().replace("fall", "autumn")
    if sign == 0:
        return calendar_math.season(at.year - (name == "winter" and at.month <= 2), name)
    years = range(at.year - 2, at.year + 2)
    seasons = [calendar_math.season(year, name) for year in years]
    if sign < 0:  # the latest one that is over; just after it, the one before is as likely
        over = [season for season in reversed(seasons) if season.to_ms <= at.at_ms]
        fresh = len(over) > 1 and at.at_ms - over[0].to_ms < _JUST_OVER_MS
        return either(over[1], over[0]) if fresh else next(iter(over), None)
    coming = next((season for season in seasons if season.from_ms > at.at_ms), None)
    if coming is None or calendar_math.civil(coming.from_ms // calendar_math.DAY_MS)[0] > at.year:
        return coming
    return either(coming, calendar_math.season(at.year + 1, name))


def in_season(match: Match[str], at: Anchor) -> Period | None:
    """Over the summer, where something is told of it or planned for it: what is true of any summer has no year."""
    if at.habit or at.tense is Tense.UNTOLD:
        return None
    if at.tense is Tense.AHEAD and _INTENT.search(match.string, max(0, match.start() - 80), match.end() + 80) is None:
        return None
    name = match[1].lower().replace("fall", "autumn")
    return calendar_math.of_year(at, lambda year: calendar_math.season(year, name))


def part_of(match: Match[str], at: Anchor) -> Period | None:
    """early next year, the end of the month, late last month, the end of next week."""
    lead = match[1].lower().removeprefix("the ").split()[0].rstrip("-")
    shift = {"last": -1, "next": 1}.get(match[2].lower(), 0)
    part = {"beginning": "early", "start": "early", "middle": "mid", "end": "late"}.get(lead, lead)
    unit = match[3].lower()
    if unit == "week":
        monday = calendar_math.monday(at.day) + 7 * shift
        bounds = {"early": (0, 2), "mid": (2, 2), "late": (3, 4)}[part]
        return calendar_math.days(monday + bounds[0], bounds[1], Granularity.RANGE)
    if unit == "month":
        found = calendar_math.month_part(at.year, at.month + shift, part)
        if not shift and at.tense is Tense.BEHIND and found.from_ms > at.at_ms:  # "we moved at the end of the month"
            return calendar_math.month_part(at.year, at.month - 1, part)
        return found
    return calendar_math.year_part(at.year + shift, part)


def the_weekend(match: Match[str], at: Anchor) -> Period | None:
    this = calendar_math.weekend(at.day)
    if calendar_math.weekday(at.day) >= 5:
        return this if at.tense is Tense.UNTOLD else calendar_math.by_tense(at, this, this)
    return calendar_math.by_tense(at, calendar_math.weekend(at.day - 7), this)


def _date(year_text: str | None, month: int, day: int, at: Anchor) -> Period | None:
    if year_text:
        year = int(year_text)
        if not calendar_math.valid_day(year, month, day):
            return None
        return calendar_math.one_day(calendar_math.day_number(year, month, day), Wording.COMPLETE)
    return calendar_math.of_year(at, lambda year: calendar_math.day_of(year, month, day, Wording.YEARLESS))


def month_day(match: Match[str], at: Anchor) -> Period | None:
    is_verb = match[1] == "may" and not match[3] and not match[4]  # "it may 9 times out of ten"
    if is_verb and _TO_DATE.search(match.string, max(0, match.start() - 12), match.start()) is None:
        return None
    return _date(match[4], MONTH_NUMBER[match[1].lower()], int(match[2]), at)


def day_month(match: Match[str], at: Anchor) -> Period | None:
    return _date(match[3], MONTH_NUMBER[match[2].lower()], int(match[1]), at)


def worded_day(match: Match[str], at: Anchor) -> Period | None:
    """the third of December, May the ninth, the fourteenth of June 2019."""
    month, day = (match[2], match[1]) if match[1] else (match[4], match[5])
    return _date(match[3] or match[6], MONTH_NUMBER[month.lower()], ordinal_of(day), at)


def worded_day_of_month(match: Match[str], at: Anchor) -> Period | None:
    """on the ninth, by the twenty-first."""
    return calendar_math.of_month(at, ordinal_of(match[1]))


def iso(match: Match[str], at: Anchor) -> Period | None:
    return _date(match[1], int(match[2]), int(match[3]), at)


def slashed(match: Match[str], at: Anchor) -> Period | None:
    """25/12, 3/14/2023; 3/4 may be in March or in April."""
    first, second = int(match[1]), int(match[2])
    year = f"20{match[3]}" if match[3] and len(match[3]) == 2 else match[3]
    american, european = _date(year, first, second, at), _date(year, second, first, at)
    if american is None or european is None:
        found = american or european
        return replace(found, wording=Wording.RELATIVE) if found and not year else found
    return either(replace(american, other=None), replace(european, other=None))


def month_alone(match: Match[str], at: Anchor) -> Period | None:
    number = MONTH_NUMBER[match[2].lower()]
    wording = Wording.COMPLETE if match[3] else Wording.YEARLESS
    lead = match[1].lower().removeprefix("the ")
    part = ""
    for name, words in (("early", ("early", "beginning", "start")), ("mid", ("mid",)), ("late", ("late", "end"))):
        part = name if lead.startswith(words) else part

    def made(year: int) -> Period:
        return (
            calendar_math.month_part(year, number, part, wording)
            if part
            else calendar_math.month(year, number, wording)
        )

    if match[3]:
        return made(int(match[3]))
    if tells_lasting(match) or (at.tense is not Tense.BEHIND and tells_custom(match)):
        return None
    at = replace(at, tense=Tense.BEHIND) if lead == "since" else at
    if lead == "in" and _BACK.search(match.string, max(0, match.start() - 6), match.start()):
        at = replace(at, tense=Tense.BEHIND)  # "back in March"
    at = replace(at, tense=Tense.UNTOLD) if lead == "from" else at  # "he agreed to it from April on"
    return calendar_math.of_year(at, made)


def past_stretch(match: Match[str], at: Anchor) -> Period | None:
    unit = unit_of(match[2])
    away = _away(match[1], unit, -1, at)
    if away is None or unit in {"hour", "minute"}:
        return None
    return Period(away.from_ms, (at.day + 1) * calendar_math.DAY_MS, Granularity.RANGE, Wording.RELATIVE, True, unit)


def day_of_month(match: Match[str], at: Anchor) -> Period | None:
    """the 21st, on its own: of the month that is near; since the 21st: of the last."""
    since = match.string[max(0, match.start() - 6) : match.start()].lower().endswith("since ")
    return calendar_math.of_month(replace(at, tense=Tense.BEHIND) if since else at, int(match[1]))


def day_of_near_month(match: Match[str], at: Anchor) -> Period | None:
    """the 3rd of next month, the twenty-fourth of this month."""
    shift = {"last": -1, "next": 1}.get(match[2].lower(), 0)
    year, month, _ = calendar_math.civil(calendar_math.day_number(at.year, at.month + shift, 1))
    return calendar_math.day_of(year, month, int(match[1]) if match[1].isdigit() else ordinal_of(match[1]))
