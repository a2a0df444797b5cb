"""Finding the details of a note: speech and titles, dates, numbers and codes, names and places, plain nouns.

Called by `details`, which decides what becomes of them. Each finder gives spans of the text with their kind; the first
to claim a stretch keeps it, so no two details overlap. All occurrences of a wording are found, for one that stays would
tell what the others hide. Offsets are code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import islice

from soulmem.core import civil
from soulmem.core.civil import Period
from soulmem.core.dates import find_dates
from soulmem.core.elements import MOST_ELEMENTS
from soulmem.core.gists import Kind
from soulmem.core.quantities import CHINESE_NUMBER, ENGLISH_NUMBER, value_of
from soulmem.llm.extractive import detail_words as words
from soulmem.llm.extractive.lexicon_english import ENGLISH
from soulmem.llm.extractive.sentences import CJK, language_of
from soulmem.llm.extractive.terms import entities_of, key_terms
from soulmem.records import dataclass

LOOKED_AT = 4_000  # characters of a note in which details are looked for

_QUOTED = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^“”\n]{1,300})”|「([^「」\n]{1,300})」|『([^『』\n]{1,300})』|《([^《》\n]{1,60})》"
)
_CODE = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z-]{0,12}\d)[A-Za-z0-9](?:[A-Za-z0-9]|-(?=[A-Za-z0-9])){2,30}(?![A-Za-z0-9])"
)
_ENGLISH_NUMBER = re.compile(
    rf"(?<![\w.,:/-])[$€£¥]?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|bn|million|thousand|hundred|dozen)\b)?(?![\d:/)）]|[A-Za-z])|\b{ENGLISH_NUMBER}\b",
    re.IGNORECASE,
)
_CHINESE_NUMBER = re.compile(
    rf"(?<![\d.几第初A-Za-z])\d[\d,]*(?:\.\d+)?[百千万亿]*(?![\d:)）年月日号点时A-Za-z])"
    rf"|(?<![几第初周期])(?!十分(?!钟)|万一|千万[别不要]|一[个次下些点起样直天定般旦共边])({CHINESE_NUMBER})(?=[{words.MEASURES}])"
)
_NAME = re.compile(r"[A-ZÀ-Þ][\w'’-]+(?: (?:of |the |de )?[A-ZÀ-Þ][\w'’-]+)*")
_BRACKET = re.compile(r"\s?[(（][^()（）]{1,60}[)）]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LED = re.compile(r"\b(?:on|in) $", re.IGNORECASE)
_SPEECH_END = re.compile(r"[.!?…。！？~～]$")
_FEW_OTHERS = 3  # Chinese key terms of no known kind


@dataclass(frozen=True, slots=True)
class Detail:
    """A span of the text with its kind; `period` of a date, `pronoun` of who spoke."""

    start: int
    end: int
    kind: Kind
    period: Period | None = None
    pronoun: str = ""


@dataclass(slots=True)
class _Claims:
    """What has been found, without overlap."""

    taken: list[tuple[int, int]]
    found: list[Detail] = field(default_factory=list)

    def claim(self, details: Iterable[Detail]) -> None:
        for each in details:
            if each.start < each.end and not any(each.start < end and start < each.end for start, end in self.taken):
                self.taken.append((each.start, each.end))
                self.found.append(each)


def found_in(text: str, at_ms: int, *, speaker: str = "", names: frozenset[str] = frozenset()) -> list[Detail]:
    """The details of a note's text in order.

    Args:
        at_ms: what "yesterday" is counted from.
        speaker: whose note it is; that name is its frame, not a detail.
        names: known names of people.
    """
    claims = _Claims([])
    seen = text[:LOOKED_AT]
    claims.claim(_spoken(seen))
    claims.taken += occurrences(seen, speaker) if speaker else ()
    claims.claim(_dates(seen, at_ms))
    claims.claim(_codes(seen))
    claims.claim(_named(text, seen, speaker, names))
    claims.claim(_numbers(seen))
    claims.claim(_nouns(text, seen))
    return sorted(claims.found, key=lambda each: each.start)


def occurrences(text: str, wording: str) -> Iterator[tuple[int, int]]:
    """Where a wording stands: as words of their own in Latin letters, anywhere in Chinese."""
    pattern = re.escape(wording)
    if not CJK.search(wording):
        pattern = rf"(?<![A-Za-z0-9]){pattern}(?![A-Za-z0-9])"
    return (match.span() for match in re.finditer(pattern, text))


def _few(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """All spans of a wording; none of one that stands there too often for all of them to fade."""
    found = list(islice(spans, MOST_ELEMENTS))
    return found if len(found) < MOST_ELEMENTS else []


def kind_of(wording: str, at_ms: int, names: frozenset[str] = frozenset()) -> tuple[Kind, Period | None]:
    """Of which kind a wording is by itself, and the period a date means."""
    spans = find_dates(wording, at_ms)
    if spans and spans[0].end - spans[0].start >= len(wording.strip()) - 4:
        return Kind.TIME, spans[0].period
    if wording in names:
        return Kind.PERSON, None
    if _CODE.fullmatch(wording) and (len(wording) >= 6 or wording[0] == "0"):
        return Kind.CODE, None
    number = value_of(wording)
    if number is not None and len(wording) <= 24:
        return Kind.NUMBER, None
    entities = entities_of(wording, names)
    if _NAME.fullmatch(wording) or (entities and len(entities[0]) >= len(wording) - 2):
        return _named_kind(wording, "", names), None
    tables = words.CHINESE_KINDS if CJK.search(wording) else words.ENGLISH_NOUNS
    kind = next((kind for kind, pattern in tables if pattern.search(wording)), None)
    long = len(wording) > (8 if CJK.search(wording) else 30)
    return kind if kind and not long else Kind.CLAUSE if long else Kind.THING, None


# -- speech, titles ------------------------------------------------------------------------------------------


def _spoken(text: str) -> Iterator[Detail]:
    for match in _QUOTED.finditer(text):
        group = next(i for i, held in enumerate(match.groups(), 1) if held)
        start, end = match.span()
        inner, ahead = match[group], text[max(0, match.start() - 60) : match.start()]
        long = len(inner.split()) >= 5 or len(CJK.findall(inner)) >= 8
        if not any(map(str.isalnum, inner)):
            continue
        if group == 5 or not (long or words.SPEECH_AHEAD.search(ahead) or _SPEECH_END.search(inner)):
            yield Detail(start, end, Kind.TITLE)
        elif words.QUESTION_AHEAD.search(ahead) or inner.rstrip()[-1:] in "?？":
            yield Detail(start, end, Kind.QUESTION)
        else:
            yield Detail(start, end, Kind.SPEECH, pronoun=_pronoun(ahead))


def _pronoun(ahead: str) -> str:
    said = [match[0].lower() for match in words.PRONOUN.finditer(ahead)]
    return words.PRONOUNS.get(said[-1], "they") if said else ""


# -- dates, numbers, codes -----------------------------------------------------------------------------------


def _dates(text: str, at_ms: int) -> Iterator[Detail]:
    """Dates, with the absolute day in brackets that explains them and the preposition that leads to them."""
    spans = list(find_dates(text, at_ms))
    while spans:
        span = spans.pop(0)
        start, end, period = span.start, span.end, span.period
        bracket = _BRACKET.match(text, end)
        if bracket and spans and spans[0].end <= bracket.end():
            end, period = bracket.end(), spans[0].period
            spans = [later for later in spans if later.start >= end]
        led = _LED.search(text, max(0, start - 4), start)
        yield Detail(led.start() if led else start, end, Kind.TIME, period)


def _codes(text: str) -> Iterator[Detail]:
    for match in _CODE.finditer(text):
        bare = match[0].isdigit() and (len(match[0]) >= 6 or match[0][0] == "0")
        if bare or words.CODE_AHEAD.search(text, max(0, match.start() - 60), match.start()):
            yield Detail(match.start(), match.end(), Kind.CODE)


def _numbers(text: str) -> Iterator[Detail]:
    patterns = [_ENGLISH_NUMBER] if language_of(text) == "en" else [_CHINESE_NUMBER, _ENGLISH_NUMBER]
    for pattern in patterns:
        for match in pattern.finditer(text):
            value = value_of(match[0])
            if _YEAR.fullmatch(match[0]):
                yield Detail(match.start(), match.end(), Kind.TIME, civil.year(int(match[0])))
            elif value is not None and value >= 2 and match[0].lower() not in {"couple", "twice"}:
                yield Detail(match.start(), match.end(), Kind.NUMBER)


# -- names, places, nouns ------------------------------------------------------------------------------------


def _named(text: str, seen: str, speaker: str, names: frozenset[str]) -> Iterator[Detail]:
    known = frozenset(name for name in names if name and name in seen)
    found = dict.fromkeys((*sorted(known, key=lambda name: (-len(name), name)), *entities_of(seen, known)))
    found |= dict.fromkeys(match[0] for match in words.PLACES.finditer(seen) if match[0][:1].isupper())
    for pattern in (words.CHINESE_PLACES, words.FOREIGN):
        found |= dict.fromkeys(match[0] for match in pattern.finditer(seen))
    for name in sorted(found, key=lambda each: (-len(each), each)):
        if name == speaker or len(name) < 2 or not any(map(str.isalpha, name)):
            continue
        for start, end in _few(occurrences(text, name)):
            yield Detail(start, end, _named_kind(name, text[max(0, start - 24) : start], names))


def _named_kind(name: str, ahead: str, names: frozenset[str]) -> Kind:
    if name in names:
        return Kind.PERSON
    if words.PLACES.fullmatch(name) or words.CHINESE_PLACES.fullmatch(name) or words.PLACE_END.search(name):
        return Kind.PLACE
    if CJK.search(name) or words.PERSON_AHEAD.search(ahead):
        return Kind.PERSON
    if words.NO_PERSON.search(name):
        return Kind.THING
    return Kind.PLACE if words.PLACE_AHEAD.search(ahead) else Kind.PERSON


def _nouns(text: str, seen: str) -> Iterator[Detail]:
    found: dict[str, Kind] = {}
    for kind, pattern in words.ENGLISH_NOUNS:
        for match in pattern.finditer(seen):
            if match[0].lower() not in ENGLISH.stop:
                found.setdefault(match[0], kind)
    others = 0
    for term in key_terms(seen, limit=10) if language_of(seen) == "zh" else ():
        wording, kind_of_it = _chinese_noun(term)
        others += kind_of_it is Kind.THING
        if wording and (kind_of_it is not Kind.THING or others <= _FEW_OTHERS):
            found.setdefault(wording, kind_of_it)
    for wording in sorted(found, key=lambda each: (-len(each), each)):
        for start, end in _few(occurrences(text, wording)):
            yield Detail(start, end, found[wording])


def _chinese_noun(term: str) -> tuple[str, Kind]:
    """The noun of a run of characters, with its kind; "" if it is none."""
    for kind, pattern in words.CHINESE_KINDS:
        if match := pattern.search(term):
            first = next((at for at in range(match.start()) if term[at] not in words.VERBAL), match.start())
            return term[first:], kind
    return ("" if words.VERBAL.intersection(term) else term), Kind.THING
