"""The account of an epoch: what no note tells yet becomes one, what tells nothing is named with its reason.

Called by the engine after the notes of an epoch were admitted, whoever wrote them: a model's notes leave things out,
and the write gate refuses some. A sentence counts as told where a note rests on most of it and says its content, or
repeats nearly all of it. Invariants: every sentence looked at is told by a note given, told by a note made here, or
left out with a reason; what is left out is at most one row for each message and reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.note_requests import NoteDraft, SourceQuote, Turn
from soulmem.core.schema.sentence_accounting import Account, AccountRequest, LeftOut, Untold
from soulmem.core.text.quote_matching import find_quote
from soulmem.llm.extractive.language.content_words import content_terms
from soulmem.llm.extractive.language.sentence_splitter import LONGEST, language_of
from soulmem.llm.extractive.reading.pronoun_antecedents import USUAL, looked_at
from soulmem.llm.extractive.reading.statements import MOST_TOLD, Statement, statements_of
from soulmem.llm.extractive.tasks.split import drafts_of, heard, speakers_of

_QUOTED = 0.5  # share of a sentence that a quotation holds, from which a note rests on it
_SAID = 0.34  # share of its terms in the text of a note that rests on it
_RETOLD = 0.6  # … in the text of one that rests on its message alone
_REPEATED = 0.8  # … in the text of any
_LEAST_TERMS = 4  # of what may be recognised in a note that rests on another message
_MOST_HOLDERS = 64  # a term in more notes tells nothing
_SETTLED = -1  # stands for a note that was refused for good
_SHOWN = 500  # characters of what is left out of one message for one reason
_ENDS = LazyPattern(r"[.!?。！？\n]+")


def account(request: AccountRequest) -> Account:
    """Notes of what the notes given leave untold, and what is left out, in the order it was said."""
    turns = heard(request.turns)
    statements = statements_of(turns, most=MOST_TOLD)
    told = _Told(request.notes, turns, request.settled)
    held = [told.holds(statement) for statement in statements]
    known = {_same(s) for s, is_told in zip(statements, held, strict=True) if is_told}
    again = [
        is_told or (s.untold is None and (_same(s) in known or told.repeats(s)))
        for s, is_told in zip(statements, held, strict=True)
    ]
    # What is told already is only there to be leant on.
    rest = [
        replace(s, untold=s.untold or Untold.SAID_BEFORE, facts=()) if is_known else s
        for s, is_known in zip(statements, again, strict=True)
    ]
    drafts: list[NoteDraft] = []
    if any(statement.untold is None for statement in rest):
        drafts = drafts_of(rest, speakers_of(turns), literal=request.literal)
        drafts.sort(key=lambda draft: (draft.sources[-1].seq, draft.text))
    told_now = {source for draft in drafts for source in draft.sources}
    left_out: dict[tuple[int, Untold], list[str]] = {}
    for statement, is_told in zip(rest, held, strict=True):
        quote = SourceQuote(statement.turn.seq, statement.sentence.text)
        if statement.untold is not None and not is_told and quote not in told_now:
            left_out.setdefault((statement.turn.seq, statement.untold), []).append(statement.sentence.text)
    rows = [LeftOut(seq, reason, _shown(texts), len(texts)) for (seq, reason), texts in left_out.items()]
    return Account(tuple(drafts), tuple(sorted((*rows, *_unread(turns)), key=lambda row: row.seq)))


def _same(statement: Statement) -> tuple[str, int, tuple[str, ...]]:
    """Speaker, day and words: what is the same is said again."""
    return statement.turn.speaker, statement.turn.at_ms // DAY_MS, statement.sentence.words


def _shown(texts: Iterable[str]) -> str:
    shown = ""
    for text in texts:
        shown = f"{shown} … {text}" if shown else text
        if len(shown) > _SHOWN:
            return shown[:_SHOWN]
    return shown


def _unread(turns: Iterable[Turn]) -> list[LeftOut]:
    """What lies between the beginning and the end of walls of text."""
    rows: list[LeftOut] = []
    for turn in turns:
        if len(turn.text) <= MOST_TOLD:  # not so many sentences
            continue
        seen = looked_at(turn, MOST_TOLD)
        if len(seen) < 2 or (len(seen) < MOST_TOLD and len(turn.text) <= MOST_TOLD * USUAL):
            continue
        gaps = [(b.start - a.start - len(a.text), a.start + len(a.text), b.start) for a, b in pairwise(seen)]
        _, start, end = max(gaps)
        gap = turn.text[start:end]
        if any(map(str.isalnum, gap)):
            count = max(1, len(_ENDS.findall(gap)), len(gap) // LONGEST)
            rows.append(LeftOut(turn.seq, Untold.TOO_LONG, gap[:_SHOWN].strip(), count))
    return rows


class _Told:
    """What the notes of an epoch tell, by message and by term."""

    def __init__(self, notes: Sequence[NoteDraft], turns: Sequence[Turn], settled: Sequence[SourceQuote]) -> None:
        self._texts = {turn.seq: turn.text for turn in turns}
        self._speakers = {turn.seq: turn.speaker for turn in turns}
        self._notes = notes
        self._terms = [content_terms(note.text) for note in notes]
        self._spans: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        self._quotes: set[SourceQuote] = set()
        self._holding: dict[str, list[int]] = defaultdict(list)
        for place, note in enumerate(notes):
            for source in note.sources:
                self._rest_on(source, place)
            for term in self._terms[place]:
                self._holding[term].append(place)
        for source in settled:
            self._rest_on(source, _SETTLED)

    def _rest_on(self, source: SourceQuote, place: int) -> None:
        text = self._texts.get(source.seq)
        self._quotes.add(source)
        span = find_quote(source.quote, text) if text is not None else None
        if span is not None:
            self._spans[source.seq].append((*span, place))

    def holds(self, statement: Statement) -> bool:
        """Whether the notes tell it."""
        if SourceQuote(statement.turn.seq, statement.sentence.text) in self._quotes:
            return True
        begin = statement.sentence.start
        end = begin + len(statement.sentence.text)
        resting = sorted(self._spans.get(statement.turn.seq, ()))
        covered, reached = 0, begin
        for start, stop, _ in resting:
            covered += max(0, min(stop, end) - max(start, reached))
            reached = max(reached, min(stop, end))
        over = {place for start, stop, place in resting if start < end and begin < stop}
        if covered >= _QUOTED * (end - begin) and (_SETTLED in over or self._share(statement, over) >= _SAID):
            return True
        if statement.untold is not None or not statement.terms:
            return False
        near = {place for *_, place in resting if place != _SETTLED and self._speaks_alike(statement, place)}
        # A note that only quotes a question of this message tells what somebody else said.
        near = {p for p in near if self._speakers.get(self._notes[p].sources[-1].seq) == statement.turn.speaker}
        return self._share(statement, near) >= _RETOLD

    def _speaks_alike(self, statement: Statement, place: int) -> bool:
        return language_of(self._notes[place].text) == statement.language

    def _share(self, statement: Statement, places: Iterable[int]) -> float:
        """How much of its content these notes hold together; of notes in another language nobody can tell."""
        held = [place for place in places if place != _SETTLED]
        if not statement.terms or not all(self._speaks_alike(statement, p) for p in held):
            return 1.0 if held else 0.0
        said = frozenset().union(*(self._terms[place] for place in held))
        return len(statement.terms & said) / len(statement.terms)

    def repeats(self, statement: Statement) -> bool:
        """Whether a note that rests on other words of the same speaker holds nearly all of it."""
        if statement.untold is not None or len(statement.terms) < _LEAST_TERMS:
            return False
        shared: Counter[int] = Counter()
        for term in statement.terms:
            holding = self._holding.get(term, ())
            if len(holding) <= _MOST_HOLDERS:
                shared.update(holding)
        return any(
            count >= _REPEATED * len(statement.terms)
            and any(self._speakers.get(s.seq) == statement.turn.speaker for s in self._notes[place].sources)
            for place, count in shared.items()
        )
