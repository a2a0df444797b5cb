"""The details of a note that fade by themselves, without a model: which, how vague their gists, what anchors them.

Called where notes are made from what was said. Names, places, dates, numbers, quotations and plain nouns become details
(level 2), subordinate clauses become clauses (level 1); the whole note (level 0) is added by `core.details.elements`.
What struck (surprise, strong emotion, words kept exactly) is anchored for long, what was learnt on purpose for a day.
Pure, Chinese and English. Invariants: spans lie inside the text, none twice, details never overlap one another; all
occurrences of a wording fade or none; no gist holds a wording that fades; at most eleven elements, two spontaneous and
three forced anchors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from soulmem.core.decay.anchors import MOST
from soulmem.core.details import gists
from soulmem.core.details.elements import MOST_ELEMENTS
from soulmem.core.details.gists import Kind
from soulmem.core.schema.note_requests import Anchor, ElementDraft
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.details import detail_kinds as words
from soulmem.llm.extractive.details.detail_finding import LOOKED_AT, Detail, found_in, kind_of
from soulmem.llm.extractive.language.content_words import lexicon_for
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.lexicon import GISTS
from soulmem.llm.extractive.language.sentence_splitter import CJK, Sentence, language_of, sentences_of

MOST_DETAILS = MOST_ELEMENTS - 1  # beside the whole note
_MOST_CLAUSES = 3
_LEAST_CLAUSE = {"en": 16, "zh": 6}  # characters
_MARKS = " \n\t\u3000,;:.!?，；：。！？"
_HEAD = 48  # characters of what may stand before the colon of a note: who, and when
_RANK = {
    Kind.CODE: 0, Kind.SPEECH: 0, Kind.QUESTION: 2, Kind.TITLE: 1, Kind.PERSON: 1, Kind.PLACE: 1, Kind.TIME: 1,
    Kind.NUMBER: 2, Kind.THING: 4,
}  # fmt: skip
# Of a sentence that struck, what it is that stays; of one learnt on purpose, what was learnt.
_STRIKING = (Kind.SPEECH, Kind.CODE, Kind.TITLE, Kind.PERSON, Kind.PLACE, Kind.ANIMAL, Kind.HEALTH, Kind.RELATIVE)
_LEARNT = (Kind.CODE, Kind.SPEECH, Kind.NUMBER, Kind.TITLE, Kind.TIME, Kind.STUDY, Kind.THING, Kind.PERSON, Kind.PLACE)


@dataclass(frozen=True, slots=True)
class _Element:
    """A detail or clause on its way to be an element."""

    detail: Detail
    level: int
    anchor: Anchor = Anchor.NONE

    @property
    def span(self) -> tuple[int, int]:
        return self.detail.start, self.detail.end


def details(
    text: str,
    at_ms: int,
    *,
    speaker: str = "",
    names: Iterable[str] = (),
) -> tuple[ElementDraft, ...]:
    """The elements of a note's text, in order, without the whole one.

    `at_ms`: when it was told, UTC milliseconds; `speaker`: whose note it is; that name does not fade by itself;
    `names`: known names of people.
    """
    people = frozenset(names) | ({speaker} if speaker else set())
    language = language_of(text)
    sentences = sentences_of(0, text[:LOOKED_AT])
    found = [_Element(detail, 2) for detail in found_in(text, at_ms, speaker=speaker, names=people)]
    found = _repeated_details(text, found, at_ms, people)
    found = _learnt(_struck(text, found, sentences), sentences)
    clauses = [e for e in _clauses(text, found, sentences, language) if e.span not in {f.span for f in found}]
    chosen = _chosen(text, found, clauses)
    quotes = [text[slice(*each.span)] for each in chosen]
    return tuple(
        ElementDraft(*each.span, each.level, _gist(each, quote, quotes, language), each.anchor)
        for each, quote in zip(chosen, quotes, strict=True)
    )


def arousal_of(text: str) -> float:
    """How stirred up the words are, 0..1: what struck, and how loud it is said."""
    text = text[:LOOKED_AT]
    struck = sum(1 for _ in words.STRIKING.finditer(text))
    return min(1.0, 0.4 * struck + 0.2 * (words.LOUD.search(text) is not None))


def _repeated_details(text: str, found: list[_Element], at_ms: int, names: frozenset[str]) -> list[_Element]:
    """Wordings that stand several times on end, as forced anchors."""
    spans = [
        match.span()
        for match in words.REPEATED.finditer(text, 0, LOOKED_AT)
        if _is_learnt(match[1], match[0].count(match[1]))
    ]
    forced: list[_Element] = []
    for start, end in spans[: MOST[Anchor.FORCED]]:
        if not any(start < other.detail.end and other.detail.start < end for other in forced):
            kind, period = kind_of(text[start:end], at_ms, names)
            kind = Kind.CODE if kind is Kind.NUMBER else kind  # what is learnt by heart is no amount
            forced.append(_Element(Detail(start, end, kind, period), 2, Anchor.FORCED))
    free = [
        e for e in found if not any(e.detail.start < f.detail.end and f.detail.start < e.detail.end for f in forced)
    ]
    return sorted((*free, *forced), key=lambda each: each.span)


def _is_learnt(wording: str, times: int) -> bool:
    """Whether saying it so often is more than a manner of speaking."""
    if any(map(str.isdigit, wording)):
        return True
    plain = wording.lower().strip("'’*")
    common = plain in ENGLISH.stop or plain in ENGLISH.generic or len(set(plain)) < 2
    return times >= 3 and not common and len(plain) >= (2 if CJK.search(plain) else 3)


def _struck(text: str, found: list[_Element], sentences: Sequence[Sentence]) -> list[_Element]:
    """The most telling detail of each striking sentence anchored, at most two."""
    left = MOST[Anchor.SPONTANEOUS]
    for sentence in sentences:
        sign = words.STRIKING.search(sentence.text)
        if sign is None or left <= 0:
            continue
        here = [e for e in found if _is_within(e.span, sentence) and e.anchor is Anchor.NONE]
        here = [e for e in here if not _is_framed(text, *e.span)]  # nor is it the day in the bracket that strikes
        # Who is the subject of a sentence struck nobody: what stands behind the sign did.
        at = sentence.start + sign.start()
        best = min(here, key=lambda e: (e.detail.start < at, _place(e.detail.kind, _STRIKING), e.span), default=None)
        if best is not None:
            found = [replace(e, anchor=Anchor.SPONTANEOUS) if e is best else e for e in found]
        else:
            start, end = _piece_around(text, sentence, sentence.start + sign.start(), found)
            found = [*found, _Element(Detail(start, end, Kind.CLAUSE), 1, Anchor.SPONTANEOUS)]
        left -= 1
    return found


def _is_framed(text: str, start: int, end: int) -> bool:
    """Whether a detail is all that stands in a bracket, as the day behind a name."""
    return text[max(0, start - 1) : start] + text[end : end + 1] in ("()", "（）")


def _learnt(found: list[_Element], sentences: Sequence[Sentence]) -> list[_Element]:
    """What was deliberately repeated anchored by force, at most three."""
    left = MOST[Anchor.FORCED] - sum(e.anchor is Anchor.FORCED for e in found)
    for sentence in sentences:
        sign = words.LEARNT.search(sentence.text)
        if left <= 0 or sign is None:
            continue
        at = sentence.start + sign.start()
        here = [
            e
            for e in found
            if e.level == 2 and e.anchor is Anchor.NONE and e.detail.kind in _LEARNT and _is_within(e.span, sentence)
        ]
        here = [e for e in here if e.detail.start >= at or e.detail.kind is not Kind.PERSON]  # not who learnt it
        best = sorted(here, key=lambda e: (_place(e.detail.kind, _LEARNT), e.span))[:left]
        found = [replace(e, anchor=Anchor.FORCED) if e in best else e for e in found]
        left -= len(best)
    return found


def _place(kind: Kind, order: Sequence[Kind]) -> int:
    return order.index(kind) if kind in order else len(order)


def _is_within(span: tuple[int, int], sentence: Sentence) -> bool:
    return sentence.start <= span[0] and span[1] <= sentence.start + len(sentence.text)


def _clauses(text: str, found: Sequence[_Element], sentences: Sequence[Sentence], language: str) -> Iterator[_Element]:
    """What is told beside the main clause, those of a known topic first, at most three."""
    lexicon = lexicon_for(language)
    pieces = [piece for sentence in sentences for piece in _pieces(text, sentence, found)]
    if pieces and text[pieces[0][1] : pieces[0][1] + 1] in (":", "：") and pieces[0][1] <= _HEAD:
        pieces = pieces[1:]  # who says it, and when
    least = _LEAST_CLAUSE[language]
    told = [piece for piece in pieces[1:] if piece[1] - piece[0] >= least]
    told.sort(key=lambda piece: not lexicon.topics_of(text[slice(*piece)]))
    for start, end in sorted(told[:_MOST_CLAUSES]):
        yield _Element(Detail(start, end, Kind.CLAUSE), 1)


def _pieces(text: str, sentence: Sentence, found: Sequence[_Element] = ()) -> Iterator[tuple[int, int]]:
    """A sentence cut at commas and conjunctions, never within a detail; blanks and marks at the ends left out."""
    end = sentence.start + len(sentence.text)
    opening = {each.detail.start for each in found}
    cuts = [
        match.start()
        for match in words.CLAUSE_CUT.finditer(text, sentence.start, end)
        if not any(e.detail.start < match.end() and match.start() < e.detail.end for e in found)
    ]
    for low, high in zip((sentence.start, *cuts), (*cuts, end), strict=True):
        first = next((at for at in range(low, high) if text[at].isalnum() or at in opening), high)
        last = len(text[first:high].rstrip(_MARKS)) + first
        if first < last:
            yield first, last


def _piece_around(text: str, sentence: Sentence, at: int, found: Sequence[_Element]) -> tuple[int, int]:
    pieces = list(_pieces(text, sentence, found))
    return next((piece for piece in pieces if piece[0] <= at < piece[1]), pieces[0])


def _chosen(text: str, found: Sequence[_Element], clauses: Sequence[_Element]) -> list[_Element]:
    """At most eleven: anchors, then details, all occurrences of a wording or none, then clauses."""
    groups: dict[str, list[_Element]] = {}
    for each in found:
        groups.setdefault(fold(text[slice(*each.span)]), []).append(each)
    room = MOST_DETAILS - min(len(clauses), 2)
    chosen: dict[tuple[int, int], _Element] = {}
    for group in sorted(groups.values(), key=_weight):
        if len(chosen) + len(group) <= room:
            chosen |= {each.span: each for each in group}
    for clause in clauses:
        if len(chosen) < MOST_DETAILS:
            chosen.setdefault(clause.span, clause)
    return sorted(chosen.values(), key=lambda each: (each.span[0], -each.span[1]))


def _weight(group: Sequence[_Element]) -> tuple[bool, int, int]:
    anchored = any(each.anchor is not Anchor.NONE for each in group)
    return not anchored, _RANK.get(group[0].detail.kind, 3), group[0].span[0]


def _gist(element: _Element, quote: str, quotes: Sequence[str], language: str) -> str:
    detail = element.detail
    if detail.kind is Kind.CLAUSE:
        return _clause_gist(quote, quotes, language)
    return gists.kind_gist(detail.kind, quote, language, hidden=quotes, period=detail.period, pronoun=detail.pronoun)


def _clause_gist(quote: str, quotes: Sequence[str], language: str) -> str:
    """What a clause is about, if its words tell."""
    lexicon = lexicon_for(language)
    topics = [GISTS[lexicon.language][topic] for topic in lexicon.topics_of(quote)]
    return gists.vaguer((*topics, *gists.ladder(Kind.CLAUSE, quote, language)), quotes, language)
