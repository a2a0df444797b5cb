"""Corrections applied: what a correction says, and the statement that it puts right as it should have been.

Called by the step that reconciles notes, at recall, and by `core/facts/spoken_corrections.py`, which reads corrections.
A correction takes the place of a word of its own kind: a day of a day, a number of a number, a name of a name. Pure.
Invariant: where nothing of the same kind stands in the statement, nothing is corrected.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.dates.date_parser import DateSpan, find_dates
from soulmem.core.facts.corrected_values import (
    day_put_right,
    is_surname,
    names_no_day,
    surname_put_right,
    tells_event,
)
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.relations import DOES
from soulmem.core.facts.topic_terms import KIN_CHARACTERS, content
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.numbers.number_words import TENS, WORDS, chinese_value, english_value
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.fast_dataclasses import dataclass

LOOKED_BACK = 6  # messages of the same speaker in which the mistake is looked for
LOOKED_BACK_FOR_QUOTED = 200  # the same, where the correction says again what it was that was wrong
_DIGITS_OF_ITS_OWN = 3  # that no other number has by chance: 6.40
_LONGEST_OBJECT = 24  # characters that a correction without a kind takes the place of
MEASURE_ZH = r"[\d一二两三四五六七八九十百半]{1,9}(?:\.\d{1,9})?(?:公斤|千克|斤|克|公分|厘米|公里|米|岁|块|元|平米|平方|度)[一二两三四五六七八九半\d]?[两毛分寸]?"
MEASURE = CaselessPattern(
    r"\d{1,9}(?:[.,]\d{1,9})?\s?(?:lbs?|pounds?|kg|kilos?|grams?|g|oz|st|stone|cm|mm|km|miles?|metres?|meters?|m|ft|feet|inch(?:es)?)\b(?:\s?\d+(?:\s?(?:oz|lb|in|cm))?)?"
    rf"|{MEASURE_ZH}"
)
LENGTH = CaselessPattern(
    r"(?P<count>[\d一二两三四五六七八九十百半]{1,6})个?(?P<unit>年|月|星期|礼拜|周|天|小时)"
    rf"|(?P<count2>\d{{1,4}}|(?:(?:{'|'.join(TENS)})[- ])?(?:{'|'.join(sorted(WORDS, key=len, reverse=True))}))[ -](?P<unit2>year|month|week|day|hour)s?\b"
)
_NEAR = 1.5  # as many times as long: 三十七年 is put in the place of 三十八年, not of 十一年
_AGED = CaselessPattern(
    rf"(?:\b(?:s?he|it)(?:['’]?s| is)|['’]s|\bis|\baged?|\bturn(?:ed|s|ing))(?: (?:only|just|nearly|almost|already|about))? (?P<age>\d{{1,3}}|{'|'.join(sorted(WORDS, key=len, reverse=True))})(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?(?=\s*(?:[.,;!)…—–]|$)|\s+(?:and|now|today|years?)\b)"
)
_WEEKDAY = CaselessPattern(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期|礼拜)[一二三四五六日天]")
_NUMBER = LazyPattern(
    r"(?<![\w.])(?:[$€£¥]\s?)?\d+(?:[.,:]\d+)*(?:\s\d{3,})*(?:\s?(?:%|kg|km|cm|am|pm|°))?(?![\w])|[零一二两三四五六七八九十百千万]{1,8}(?=[个只条次岁块元斤公米平层号点分倍人])"
)
_NAME = LazyPattern(r"(?<![.!?]\s)(?<!^)(?<!\w)(?!I\b)[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?")
_SAYS_MORE = CaselessPattern(
    r"\b(?:i|you|he|she|we|they|it|is|are|was|were|can|can['’]t|don['’]t|do|did|will|have|has|worries|way|problem|thanks)\b|[我你他她]|没|不|很|吗|[，；。]|是"
)
_NUMERALS = "零一二两三四五六七八九十百千万亿"
_MORE = LazyPattern(r"[.!?。！？\n][^\w.!?。！？\n]*\w")  # another sentence
# Words before the last, and what Chinese puts before a name.
_LEADS = LazyPattern(r"[^\W\d_]+\.? |^(?:姓|叫|是|在|住|去|到)")


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction says: `wording` what is right, `wrong` what it is instead of, `about` what it says again.

    `in_passing`: by itself it is true, and may stand among other things; so may what it puts right. `counts`: it tells
    how many or how old.
    """

    wording: str
    wrong: str = ""
    about: str = ""
    in_passing: bool = False
    counts: bool = False

    @property
    def reach(self) -> int:
        """How many messages back the mistake may stand."""
        is_plain = self.counts and sum(map(str.isdigit, self.wrong)) >= _DIGITS_OF_ITS_OWN
        return LOOKED_BACK_FOR_QUOTED if self.about or is_plain else LOOKED_BACK


def _is_day_of(statement: str, about: str) -> bool:
    """Whether a statement tells the day of the matter that a correction is about: his exam, not his flight."""
    of_event = tells_event(statement, about)
    if of_event is not None or names_no_day(about):
        return of_event is True
    matter = about
    for each in find_names(about):
        matter = matter.replace(each.name, " ")
    (latin, han), (own_latin, own_han) = content(matter), content(statement)
    shared = len(latin & own_latin) + len((han - KIN_CHARACTERS) & own_han) / 2
    least = min(1.0, len(latin) + len(han - KIN_CHARACTERS) / 2)
    return shared >= least


def _is_about(statement: str, about: str) -> bool:
    """Whether a statement shares a word with what a correction says again: a name, else one that is no grammar."""
    if any(map(str.isdigit, about)) and about in statement:
        return True  # 800米: it is no word
    names = [each.name for each in find_names(about)] or ([about] if about.istitle() and about.isascii() else [])
    if names:
        return any(name in statement for name in names)
    latin, han = (here & there for here, there in zip(content(statement), content(about), strict=True))
    return bool(latin) or bool(han & KIN_CHARACTERS) or len(han) > 1


def corrected(statement: str, correction: Correction, at_ms: int) -> str | None:
    """The statement as it should have been; None where the correction fits nothing in it."""
    wording = correction.wording
    if correction.about and not _is_about(statement, correction.about):
        return None
    if correction.wrong:
        day = None if correction.counts else day_put_right(statement, wording, correction.wrong, at_ms)
        if day is not None or (correction.in_passing and not correction.counts and not is_surname(correction.wrong)):
            return day if day and _is_day_of(statement, correction.about) else None
        if is_surname(correction.wrong) and correction.about:
            return surname_put_right(statement, wording, correction.wrong, correction.about)
        found = re.search(_alone(correction.wrong), statement, re.IGNORECASE)
        at = found.start() if found is not None else -1
        wording = wording[_led(statement[: max(at, 0)], wording) :]  # "in Dublin" in the place of Galway
        return statement[:at] + wording + statement[at + len(correction.wrong) :] if at >= 0 else None
    if correction.counts:
        span = _age_in(statement, wording)
        return statement[: span[0]] + wording + statement[span[1] :] if span is not None else None
    is_measure = bool(correction.about) and not find_dates(wording, at_ms)
    span = _measured(statement, wording) if is_measure else place_of(statement, wording, at_ms)
    if span is None:
        return None
    return statement[: span[0]] + wording_for(wording, at_ms) + statement[span[1] :]


def _alone(wrong: str) -> str:
    """A pattern for what is wrong, and for a number only where it is no part of another number or of a code."""
    if wrong[:1].isdigit() or wrong[:1] in "$€£¥":
        return rf"(?<![A-Za-z\d.,-]){re.escape(wrong)}(?![A-Za-z\d%-]|[.,]\d)"
    if wrong.isascii() and wrong[:1].isalpha():  # seven is no part of seventy
        return rf"(?<![\w-]){re.escape(wrong)}(?![\w-])"
    if wrong[:1] in _NUMERALS:
        return rf"(?<![{_NUMERALS}点\d]){re.escape(wrong)}(?![{_NUMERALS}点\d])"
    return re.escape(wrong)


def takes_back(statement: str, correction: Correction, at_ms: int) -> bool:
    """Whether a whole message is taken back; what is put right in passing leaves the other sentences of it."""
    if corrected(statement, correction, at_ms) is None:
        return False
    return not correction.in_passing or _MORE.search(statement) is None


def _led(before: str, wording: str) -> int:
    """How many characters of a wording stand already before the place where it goes: "Mrs " of "Mrs Adeyemi", 姓 of 姓冉."""
    folded = f" {before.casefold()}"
    for match in reversed(list(_LEADS.finditer(wording))):
        lead = match[0] if not match[0].isascii() else f" {wording[: match.end()]}"
        if match.end() < len(wording) and folded.endswith(lead.casefold()):
            return match.end()
    return 0


def _age_in(statement: str, wording: str) -> tuple[int, int] | None:
    """Where a statement says how old the one is whom it names; None where it says so of nobody, or of two."""
    spans = [match.span("age") for match in _AGED.finditer(statement)]
    return spans[0] if len(spans) == 1 and statement[slice(*spans[0])] != wording else None


def _measured(statement: str, wording: str) -> tuple[int, int] | None:
    """Where the one measure of the same unit stands in a statement; None where there is none, or more."""
    unit = re.sub(r"[\d.,\s一二两三四五六七八九十百半]", "", wording)[:2].lower()
    spans = [
        match.span()
        for match in MEASURE.finditer(statement)
        if re.sub(r"[\d.,\s一二两三四五六七八九十百半]", "", match[0])[:2].lower() == unit
    ]
    return spans[0] if len(spans) == 1 and statement[slice(*spans[0])] != wording else None


def _lasting(statement: str, wording: str) -> tuple[int, int] | None:
    """Where a statement tells of a time about as long, in the same unit; None where it tells of none, or of two."""
    unit, length = _length(LENGTH.fullmatch(wording))
    spans = [
        match.span()
        for match in LENGTH.finditer(statement)
        if (told := _length(match))[0] == unit and length < told[1] * _NEAR and told[1] < length * _NEAR
    ]
    return spans[0] if len(spans) == 1 and statement[slice(*spans[0])] != wording else None


def _length(match: re.Match[str] | None) -> tuple[str, float]:
    """How long a time is: its unit, and how many of it."""
    if match is None:
        return "", 0.0
    if match["count"]:
        return match["unit"], chinese_value(match["count"]) or 0.0
    return match["unit2"].lower(), english_value(match["count2"]) or 0.0


def wording_for(wording: str, at_ms: int) -> str:
    """The right word alone: of "on Wednesday" the day, because the statement has its preposition."""
    dates = find_dates(wording, at_ms)
    if dates and len(wording) - (dates[0].end - dates[0].start) <= 6:
        return re.sub(r"^(?:on|at|in) ", "", wording[dates[0].start : dates[0].end], flags=re.IGNORECASE)
    return wording


def place_of(statement: str, wording: str, at_ms: int) -> tuple[int, int] | None:
    """Where in a statement stands what a wording takes the place of."""
    if len(wording) > 40 or wording.count(" ") > 4 or _SAYS_MORE.search(wording):
        return None
    dates = find_dates(wording, at_ms)
    if dates and len(wording) - (dates[0].end - dates[0].start) <= 8:
        found = [each for each in find_dates(statement, at_ms) if _is_as_long(each, dates[0])]
        if not found:
            return None
        chosen = found[-1]
        text = statement[chosen.start : chosen.end]
        led = re.match(r"(?:on|at|in) ", text, re.IGNORECASE)
        return chosen.start + (led.end() if led else 0), chosen.end
    if LENGTH.fullmatch(wording):
        return _lasting(statement, wording)
    measured = _measured(statement, wording) if MEASURE.fullmatch(wording) else None
    if measured is not None:
        return measured
    for pattern in (_WEEKDAY, _NUMBER, _NAME):
        if pattern.search(f"x {wording}" if pattern is _NAME else wording):
            spans = [match.span() for match in pattern.finditer(statement)]
            if not spans and pattern is _NUMBER:
                return None  # no number stands there that could be wrong
            if pattern is _NAME:  # "Dr Lindqvist" is no street, though a street was named last
                alike = [span for span in spans if _begins_alike(statement[slice(*span)], wording)]
                spans = alike or spans
            return spans[-1] if spans else _object(statement)
    return _object(statement)


def _is_as_long(told: DateSpan, meant: DateSpan) -> bool:
    """Whether two dates are of a day each, or both of longer: "the 22nd" is put in the place of no month."""
    return (told.to_ms - told.from_ms > DAY_MS) == (meant.to_ms - meant.from_ms > DAY_MS)


def _begins_alike(name: str, other: str) -> bool:
    """Whether two names begin with the same title, or the same three letters."""
    return name.split(maxsplit=1)[:1] == other.split(maxsplit=1)[:1] or name[:3].casefold() == other[:3].casefold()


def _object(statement: str) -> tuple[int, int] | None:
    """The object of what a statement says last, where it stands there word for word."""
    for reading in reversed(readings_of(statement)):
        is_thing = bool(reading.object) and reading.relation != DOES and len(reading.object) <= _LONGEST_OBJECT
        at = statement.casefold().rfind(reading.object) if is_thing else -1
        if at >= 0:
            return at, at + len(reading.object)
    return None
