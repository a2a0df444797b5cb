"""A note that is dated wrongly is told with the day that was said, or without any: it is not lost for one number.

Called by `grounding_gate` with a draft whose quotations are right. A model counts days badly; what happened it has
read. Of the words it quotes, a single date takes the place of the wrong one; where there is none, or there are several,
the note does without (algorithms.md §6.3: a wrong date is worse than none). Pure. Invariant: nothing is added that was
not said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from soulmem.core.calendar.calendar_math import Granularity
from soulmem.core.dates.date_parser import DateSpan, find_dates, render_span
from soulmem.core.grounding.evidence import Evidence, Place
from soulmem.core.schema.note_requests import ElementDraft, NoteDraft
from soulmem.core.text.tokens import wording_language

_MOST = 4  # dates of one note that are mended
_LEAST_LEFT = 8  # letters of a note without its date; a Chinese one says as much in half of them
_LED_BY = r"(?:[\s,]*\b(?:on|in|at|since|by|from|until|till|around|about|before|after|during|of|for)(?:\s+the)?\s+)?"
_LED_BY_CHINESE = r"(?:[，、]?(?:在|于|从|自|到|至|约|大约)?)"
_PREPOSITION = re.compile(r"(on|in|at|since|by|from|until|till|before|after|during)\s", re.IGNORECASE)
_LEFT_HANGING = re.compile(r"(?:\b(?:is|was|are|were|be|been|on|in|at|by|for|of|the)|[是在为于到从])\s*[.。!！]?$")
_NUMERAL = re.compile(r"[\d零一二三四五六七八九十百千万]")
_BRACKETS = r"\s*[(（]\s*{0}\s*[)）]"


def dated_rightly(draft: NoteDraft, places: Sequence[Place], evidence: Evidence) -> NoteDraft:
    """The draft itself where its dates were told; else with them mended, as far as something is left of it."""
    mended = draft
    for _ in range(_MOST):
        wrong = evidence.missing_date(mended, places)
        if not wrong:
            return mended
        text = _mended(mended.text, wrong, list(_said(places)))
        if text is None:
            return draft
        mended = replace(mended, text=text, elements=tuple(_still_there(mended, text)))
    return draft


def _said(places: Iterable[Place]) -> Iterator[DateSpan]:
    """The dates in the quoted words, reckoned from the day of saying them."""
    for place in places:
        yield from find_dates(place.words, place.ground.turn.at_ms)


def _mended(text: str, wrong: str, said: Sequence[DateSpan]) -> str | None:
    """The text with the day that was said in place of the wrong one; else without it; None where that cannot be."""
    at = text.find(wrong)
    if at < 0 or _NUMERAL.match(text[at - 1 : at]) or _NUMERAL.match(text[at + len(wrong) : at + len(wrong) + 1]):
        return None  # a number that looks like a day: 今年三十五岁
    wrong = next((words for words in _dates_of(text) if wrong in words), wrong)
    if len(said) == 1 and said[0].certain:
        span = said[0]
        right = _led(wrong, span, render_span(span, wording_language(text)))
        return text.replace(wrong, right, 1) if right != wrong else None
    without = _without(text, wrong)
    letters = sum(map(str.isalnum, without))
    least = _LEAST_LEFT if wording_language(text) == "en" else _LEAST_LEFT // 2
    says_nothing = without == text or letters < least or _LEFT_HANGING.search(without)
    return None if says_nothing else without


def _dates_of(text: str) -> Iterator[str]:
    for span in find_dates(text, 0):
        yield text[span.start : span.end]


def _led(wrong: str, span: DateSpan, right: str) -> str:
    """The right date behind the word that leads to such a one, where one led to the wrong date."""
    led = _PREPOSITION.match(wrong)
    if led is None or not right.isascii():
        return right
    if led[1].lower() not in {"on", "in", "at"}:
        return f"{led[1]} {right}"
    word = "in" if span.granularity in {Granularity.MONTH, Granularity.YEAR} else "on"
    return f"{word.capitalize() if led[1][0].isupper() else word} {right}"


def _without(text: str, words: str) -> str:
    """The text without a date and the word that leads to it."""
    date = re.escape(words)
    for pattern in (_BRACKETS.format(date), _LED_BY_CHINESE + date if not words.isascii() else _LED_BY + date):
        left, count = re.subn(pattern, "", text, count=1, flags=re.IGNORECASE)
        if count:
            return " ".join(left.split()).lstrip("，,、 ").replace(" .", ".")
    return text


def _still_there(draft: NoteDraft, text: str) -> Iterator[ElementDraft]:
    """The elements whose words still stand in the text."""
    for each in draft.elements:
        start = text.find(draft.text[each.start : each.end])
        if start >= 0 and text.count(draft.text[each.start : each.end]) == 1:
            yield replace(each, start=start, end=start + each.end - each.start)
