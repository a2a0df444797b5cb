"""What a new fact is to the known ones, without a model (algorithms.md §9.1, §9.5).

Two facts that can be read (`core.facts.fact_reader`) are compared by subject, relation and object
(`core.changes.supersession`); any others by their words. Nothing is ever ended because it merely differs: only what
cannot hold together is (another home, another job, a liking that turned), or what is said to hold no more. Of two facts
the one told later counts, whichever of them is new. Bounds: answers in the order of the new facts, at least one for
each; `known` is among the labels shown, and None with `add` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes.supersession import Effect, findings
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.relations import Reading
from soulmem.core.schema.engine_tasks import FactEvent, ReconcileRequest, Reconciliation
from soulmem.llm.extractive.facts.claims import LAPSED, is_denied
from soulmem.llm.extractive.language.content_words import content_terms, lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import language_of
from soulmem.llm.extractive.wording.comparable_wording import Compared, is_within, numbers_in

_LEAST_TERMS = 2  # content words that two wordings must share to be the same fact
_EVENTS = {
    Effect.SUPERSEDE: FactEvent.SUPERSEDE,
    Effect.INVALIDATE: FactEvent.INVALIDATE,
    Effect.REINFORCE: FactEvent.REINFORCE,
}


class _Fact(Compared):
    """A fact that may end another."""

    @cached_property
    def readings(self) -> tuple[Reading, ...]:
        return readings_of(self.note.text, self.note.speaker)

    @cached_property
    def terms(self) -> frozenset[str]:
        return content_terms(LAPSED.sub(" ", self.text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        return numbers_in(self.text)

    @cached_property
    def is_negative(self) -> bool:
        return LAPSED.search(self.text) is not None or is_denied(self.text)

    @cached_property
    def is_event(self) -> bool:
        return lexicon_for(language_of(self.text)).happening.search(self.text) is not None


def reconcile(request: ReconcileRequest) -> tuple[Reconciliation, ...]:
    """What each new fact is to the known ones, in order."""
    known = [_Fact(note) for note in request.known if note.text.strip()]
    return tuple(answer for note in request.new for answer in _decided(_Fact(note), known))


def _decided(new: _Fact, known: Sequence[_Fact]) -> Iterator[Reconciliation]:
    found = [(event, old.note.label) for old in known if (event := _against(new, old)) is not FactEvent.ADD]
    if not new.text or not found:
        yield Reconciliation(new.note.label, FactEvent.ADD)
        return
    for event, label in found:
        yield Reconciliation(new.note.label, event, label)


def _against(new: _Fact, old: _Fact) -> FactEvent:
    """What a new fact is to one known fact; `add` where they have nothing to do with each other."""
    later, earlier = (old, new) if 0 < new.note.at_ms < old.note.at_ms else (new, old)
    if new.readings and old.readings:
        found = findings(later.readings, earlier.readings)
        if found:
            over = [each for each in found if each.effect is not Effect.REINFORCE]
            return _EVENTS[(over or found)[0].effect]
    if new.words and new.words == old.words:
        return FactEvent.ADD if _happened_apart(new, old) else FactEvent.REINFORCE
    return FactEvent.ADD if new.readings or old.readings else _by_words(later, earlier)


def _by_words(new: _Fact, old: _Fact) -> FactEvent:
    """Statements of unknown form are the same when one's names, numbers, times and content words hold the other's."""
    shared = new.terms & old.terms
    inside, around = is_within(new.words, old.words), is_within(old.words, new.words)
    if (len(shared) < _LEAST_TERMS and not (inside or around)) or _times_differ(new, old) or _happened_apart(new, old):
        return FactEvent.ADD
    if new.is_negative is not old.is_negative:
        ends = shared == new.terms if new.is_negative else shared == new.terms == old.terms
        return FactEvent.INVALIDATE if ends and new.names <= old.names else FactEvent.ADD
    if (inside or new.terms <= old.terms) and new.names <= old.names and new.numbers <= old.numbers:
        return FactEvent.REINFORCE
    if (around or new.terms > old.terms) and new.names >= old.names and new.numbers >= old.numbers:
        return FactEvent.REINFORCE
    return FactEvent.ADD


def _times_differ(new: _Fact, old: _Fact) -> bool:
    return bool(new.times) and bool(old.times) and new.times != old.times


def _happened_apart(new: _Fact, old: _Fact) -> bool:
    """Whether both tell of something done, more than a day apart: two visits to one museum are two facts."""
    if not (new.is_event and old.is_event):
        return False
    return bool(new.note.at_ms and old.note.at_ms) and abs(new.note.at_ms - old.note.at_ms) > DAY_MS
