"""The English grammar of dates: the patterns, and which meaning each has.

Called by `core/dates/date_parser.py` only. Beside each pattern stand the words that such a date is never without
(`core/regex/regex_prefilter`); the meanings are in `core/dates/english_date_meaning.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from re import Match

from soulmem.core.calendar.calendar_math import Anchor, Granularity, Period
from soulmem.core.dates import english_composed_dates as composed
from soulmem.core.dates import english_date_meaning as means
from soulmem.core.dates import holidays
from soulmem.core.dates.english_date_words import (
    COUNT,
    FULL_MONTH,
    HALF,
    MONTH,
    MONTH_NUMBER,
    ORDINAL,
    ORDINAL_HEADS,
    PART,
    SEASON,
    TIME,
    UNIT,
    WEEKDAY,
    WEEKDAY_LED,
    WEEKDAY_NUMBER,
    YEAR,
)
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.regex.regex_prefilter import DIGIT, Needs, needs_of

Meaning = Callable[[Match[str], Anchor], Period | None]
Rule = tuple[LazyPattern, Needs, Meaning]

_DISTANCE = r"\b(last|past|this past|previous|this|this coming|next|coming|upcoming|(?<!the )following) "


def _rule(pattern: str, words: str, meaning: Meaning) -> Rule:
    return CaselessPattern(pattern), needs_of(words), meaning


_NEAR = (
    r"((?:the )?day before yesterday|(?:the )?day after (?:tomorrow|tmrw?)|yesterday|yday|today|tonight|tonite|"
    r"tomorrow|tomorow|tommorow|tommorrow|tmrw?|tomoz|last night(?! of\b(?! all\b)))"
)
_LEAD = (
    r"(in|come|from|since|until|till|by|during|through|throughout|around|for|early|mid|"
    r"late|(?:the )?(?:beginning|start|middle|end) of)"
)

# "the 21st" is a day where a preposition leads to it or its clause ends or goes on behind it; "the 21st floor" is none.
_BARE_DAY = r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|floor|storey|grade|row|form|attempt|place|century)\b)"
_LEADS = ("on", "by", "until", "till", "since", "for", "from", "before", "after", "to")
_LED = "|".join(rf"(?<=\b{lead} the \d{{{n}}}[a-z][a-z])" for lead in _LEADS for n in (1, 2))
_DAY_LED = rf"(?:{_LED})(?=[\s.,;:!?)]|$)"
_DAY_FOLLOWED = (
    r"(?=\s*(?:[,;:!?()]|\.(?!\d)|$)|\s(?:at|is|was|in the|and|or|but|we|i|he|she|they|it|with|because|so|if|when|"
    r"then|after|before|until|through|to|works|suits|now|instead|please|not|at the latest|latest)\b)"
)

_BEHIND_WEEKDAY = "|".join(rf"(?<=\b{name} )" for name in WEEKDAY_NUMBER)
_MONTHS, _WEEKDAYS, _SEASONS = "|".join(MONTH_NUMBER), "|".join(WEEKDAY_NUMBER), SEASON[1:-1]
_UNITS = "minute|min|hour|hr|hrs|day|night|weekend|week|wk|wks|fortnight|month|year|yr|yrs|decade"
_DISTANCES = "last|past|this|previous|next|coming|upcoming|following"
_NO_WEEKDAY = (
    r"(?<!every )(?<!each )(?<!black )(?<!good )(?<!ash )(?<!easter )(?<!palm )(?<!cyber )"
    r"(?<!shrove )(?<!advent )(?<!remembrance )(?<!trinity )(?<!freaky )(?<!casual )(?<!whit )(?<!mothering )"
    r"(?<!pancake )(?<!ruby )(?<!bin day is )(?<!bin day['’]s )(?<!bins are )(?<!market day is )(?<!market day['’]s )"
    r"(?<!wash day is )(?<!rest day is )(?<!recycling is )(?<!recycling day is )(?<!rubbish day is )"
)
_PLURAL = (
    r"(?! (?:best|league|school|drivers?|papers?|mornings|afternoons|evenings|nights"
    r"|(?:of|in) (?:the|every|each|any) month|of (?:the|my|our|his|her|their|term|summer|three|two|four|five|\d+))\b)"
)

RULES: tuple[Rule, ...] = (
    _rule(
        rf"\b{COUNT}{HALF} {UNIT}{HALF} (ago|back\b(?! (?:to|in|then))|from (?:now|today))\b",
        f"ago|back|from {_UNITS}",
        means.ago,
    ),
    _rule(
        rf"\b(?:in|within) {COUNT}{HALF} {UNIT}{HALF}(?:['’]?s?['’]? time)?\b(?! of\b| ago)",
        f"in|within {_UNITS}",
        means.within,
    ),
    _rule(
        rf"(?<!like )(?<!like just )(?<!was just )\b{_NEAR}{PART}{TIME}(?!\w)(?!['’]s world)",
        "yesterday|yday|today|tonight|tonite|tomorrow|tomorow|tommorow|tmrw|tmr|tomoz|night|day",
        means.near_day,
    ),
    _rule(rf"\bthis (morning|afternoon|evening){TIME}(?!\w)", "this morning|afternoon|evening", means.this_part),
    _rule(rf"{_DISTANCE}(weekend|week|month|year)\b(?! of\b|-)", f"{_DISTANCES} week|month|year", means.distant_unit),
    _rule(rf"{_DISTANCE}{WEEKDAY_LED}{_PLURAL}{PART}{TIME}(?!\w)", f"{_DISTANCES} {_WEEKDAYS}", means.distant_weekday),
    _rule(
        rf"(?:\b(?:on )?{WEEKDAY}{PART},? (?:of )?(last|this|next) week\b"
        rf"|\b(last|this|next) week,? (?:on )?{WEEKDAY}{PART}){TIME}(?!\w)",
        f"last|this|next week {_WEEKDAYS}",
        means.weekday_of_week,
    ),
    _rule(
        rf"{_NO_WEEKDAY}\b(?:(on|since|by|until|till) (?:the )?{WEEKDAY_LED}|{WEEKDAY}){_PLURAL}{PART}{TIME}(?!\w)",
        _WEEKDAYS,
        means.bare_weekday,
    ),
    _rule(
        rf"\b(?:(?:on|by|until|till|next|this) )?(?:{WEEKDAY}|(tomorrow|today|yesterday)) (week|fortnight)\b",
        f"week|fortnight tomorrow|today|yesterday|{_WEEKDAYS}",
        composed.weekday_week,
    ),
    _rule(rf"{_DISTANCE}{FULL_MONTH}\b(?! \d)", f"{_DISTANCES} {_MONTHS}", means.distant_month),
    _rule(rf"{_DISTANCE}{SEASON}\b(?! break of)", f"{_DISTANCES} {_SEASONS}", means.distant_season),
    _rule(rf"\b{SEASON},?(?: of)? {YEAR}\b", f"{DIGIT} {_SEASONS}", composed.season_of_year),
    _rule(rf"\b(?:over|during|in) the {SEASON}\b(?! of\b)", f"over|during|in {_SEASONS}", means.in_season),
    _rule(
        r"(?:\bthe |^|(?<=[.,!?;] ))(week|weekend|month|year) (before last|after next)\b",
        "before|after last|next",
        composed.before_last,
    ),
    _rule(rf"\bthe {SEASON} before last\b", f"before last {_SEASONS}", composed.season_before_last),
    _rule(
        r"\b(early|mid|late|(?:the )?(?:beginning|start|middle|end) of)[ -](last|this|next|the) (week|month|year)\b",
        "early|mid|late|beginning|start|middle|end week|month|year",
        means.part_of,
    ),
    _rule(
        r"\b(?:(?:over|on|at|during|for) the|on|my|our|your|all) weekend\b"
        r"(?! (?:jobs?|shifts?|work|starts|bag|home|house|cottage)\b)",
        "weekend over|on|at|during|for|my|our|your|all",
        means.the_weekend,
    ),
    _rule(
        rf"\b{MONTH}\.? (?:the )?(\d{{1,2}})(st|nd|rd|th)?\b(?!:|%|\s?(?:am|pm)\b)(?:,? (\d{{4}})\b)?",
        f"{DIGIT} {_MONTHS}",
        means.month_day,
    ),
    _rule(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: and | & | to | till | until | ?[-–] ?)(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?"
        rf"(?: of)? {MONTH}(?!\w)(?:\.?,? (\d{{4}})\b)?",
        f"{DIGIT} {_MONTHS}",
        composed.days_of_month,
    ),
    _rule(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {MONTH}(?!\w)(?:\.?,? (\d{{4}})\b)?",
        f"{DIGIT} {_MONTHS}",
        means.day_month,
    ),
    _rule(
        rf"\b(?:the )?{ORDINAL} (?:of )?{MONTH}(?!\w)(?:,? (\d{{4}})\b)?"
        rf"|\b{MONTH} (?:the )?{ORDINAL}(?!\w)(?:,? (\d{{4}})\b)?",
        f"{ORDINAL_HEADS} {_MONTHS}",
        means.worded_day,
    ),
    _rule(
        rf"(?:(?<=\bon )|(?<=\bby )|(?<=\bsince )|(?<=\buntil )|(?<=\btill )|(?<=\bfrom ))the {ORDINAL}\b(?! of\b)"
        rf"{_DAY_FOLLOWED}",
        f"{ORDINAL_HEADS} the",
        means.worded_day_of_month,
    ),
    _rule(r"(?<![\d-])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])", DIGIT, means.iso),
    _rule(
        r"(?:(?<=\bon )|(?<=\bby )|(?<=\bdue )|(?<=\buntil )|(?<=\bsince )|(?<=\bfrom ))"
        r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d\d))?(?![\d/])",
        f"{DIGIT} on|by|due|until|since|from",
        means.slashed,
    ),
    _rule(  # a fraction is none: one of both is no month
        r"(?:(?<=\bis )|(?<=\bfor )|(?<=\bthe ))(?=(?:1[3-9]|2\d|3[01])/|\d{1,2}/(?:1[3-9]|2\d|3[01])\b)"
        r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d\d))?(?![\d/])",
        f"{DIGIT} is|for|the",
        means.slashed,
    ),
    _rule(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\d/])", DIGIT, means.slashed),
    _rule(
        rf"\b{_LEAD}[ -]{FULL_MONTH}\b(?! (?:the )?\d{{1,2}}(?:st|nd|rd|th)?\b)(?:,? (\d{{4}})\b)?",
        f"{_MONTHS} in|come|from|since|until|till|by|during|through|throughout|around|for|early|mid|late"
        "|beginning|start|middle|end",
        means.month_alone,
    ),
    _rule(rf"(?<!\d )(?<!\d[a-z][a-z] )(?<! of )\b{MONTH}\.?,? {YEAR}\b", f"{DIGIT} {_MONTHS}", composed.month_year),
    _rule(
        rf"\b(?:in|since|by|until|around|during|of|year|from) {YEAR}\b(?![-/\d]|年)",
        f"{DIGIT} in|since|by|until|around|during|of|year|from",
        composed.year,
    ),
    _rule(rf"\b(?:the|these) (?:past|last) {COUNT} {UNIT}\b", f"past|last {_UNITS}", means.past_stretch),
    _rule(
        rf"\b(a |one |two |three |(?=fortnight ago))(week|fortnight)s? (?:(from|on|ago|last) )?"
        rf"(today|tomorrow|yesterday|{_WEEKDAYS})\b",
        f"week|fortnight today|tomorrow|yesterday|{_WEEKDAYS}",
        composed.weeks_from,
    ),
    _rule(rf"{_BARE_DAY}(?:{_DAY_LED}|{_DAY_FOLLOWED})", f"{DIGIT} the", means.day_of_month),
    _rule(
        rf"(?:{_BEHIND_WEEKDAY})(\d{{1,2}})(?:st|nd|rd|th)\b"
        r"(?! of\b| (?:floor|time|grade|year|form|round|place|attempt)\b)",
        f"{DIGIT} {_WEEKDAYS}",
        means.day_of_month,
    ),
    _rule(  # "she flies home on 31st"
        r"(?:(?<=\bon )|(?<=\buntil )|(?<=\btill )|(?<=\bby )|(?<=\bto ))(\d{1,2})(?:st|nd|rd|th)\b"
        r"(?! (?:of|floor|street|avenue|ave|st|road|time|attempt|birthday|anniversary|place|grade|year|round|try)\b)",
        f"{DIGIT} on|until|till|by|to",
        means.day_of_month,
    ),
    _rule(r"(?<=\bon )(\d{1,2})(?= (?:it|we|i|there|was|is)\b|,)", f"{DIGIT} on", means.day_of_month),  # "on 26 we met"
    _rule(r"\bthe (\d{1,2})(?:st|nd|rd|th) of (this|last|next|the) month\b", f"{DIGIT} month", means.day_of_near_month),
    _rule(rf"\bthe {ORDINAL} of (this|last|next) month\b", f"{ORDINAL_HEADS} month", means.day_of_near_month),
    _rule(
        rf"\b{COUNT} (week|fortnight|month|year)s? ago(?: on)?(?: (last|this|next))? "
        rf"(today|tomorrow|yesterday|tonight|week|month|{_WEEKDAYS}|(?:(?<=last )|(?<=this )|(?<=next )){FULL_MONTH})"
        r"\b(?!-)",
        f"ago today|tomorrow|yesterday|tonight|week|month|{_WEEKDAYS}|{_MONTHS}",
        composed.ago_from,
    ),
    _rule(
        rf"\b{COUNT} ({_WEEKDAYS})s ago\b",
        f"ago {'|'.join(f'{day}s' for day in _WEEKDAYS.split('|'))}",
        composed.weekdays_ago,
    ),
    _rule(
        rf"\b{COUNT} (spring|summer|autumn|fall|winter)s ago\b",
        "ago springs|summers|autumns|falls|winters",
        composed.seasons_ago,
    ),
    _rule(r"\bthe night before last\b", "night before last", composed.night_before_last),
    _rule(r"\b(?:around |about )?this time (last|next) year\b", "this time last|next year", composed.time_of_year),
    _rule(
        rf"(?:\bon )?(?:\bthe |^|(?<=[.,!?;] ))(first|second|third|fourth|last|1st|2nd|3rd|4th) "
        rf"(day|week|weekend|{_WEEKDAYS}) (?:of|in) "
        rf"(?:(this|next|last|the) month|{MONTH}(?!\w)(?:,? (\d{{4}})\b)?)",
        f"day|week|weekend|{_WEEKDAYS} month|{_MONTHS} first|second|third|fourth|last|{DIGIT}",
        composed.nth_in_month,
    ),
    _rule(
        rf"\b(?:on )?the {WEEKDAY} (after next|before last)\b",
        f"after|before next|last {_WEEKDAYS}",
        composed.weekday_beyond,
    ),
    (holidays.ENGLISH, holidays.ENGLISH_NEEDS, holidays.english),
)
# Within which stretch told of before ("next year I marry in June") each of these is meant.
FRAMED = {
    means.bare_weekday: Granularity.WEEK,
    means.day_of_month: Granularity.MONTH,
    means.worded_day_of_month: Granularity.MONTH,
    means.month_alone: Granularity.YEAR,
    means.month_day: Granularity.YEAR,
    means.worded_day: Granularity.YEAR,
    means.day_month: Granularity.YEAR,
    composed.days_of_month: Granularity.YEAR,
    means.in_season: Granularity.YEAR,
    holidays.english: Granularity.YEAR,
}
NEEDED = frozenset().union(*(rule[1][0] for rule in RULES))  # of these any date has one
