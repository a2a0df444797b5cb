"""What a new fact is to the known ones, without a model (ALGORITHMS §9.1, §9.5).

Two facts that can be read as claims are compared by subject, relation and object; any others by their words. Nothing is
ever superseded because it merely differs: only what cannot hold together is (another home, another job, a liking that
turned), or what is said to hold no more, and never across languages, across differing times, or by what was told
earlier. Bounds: one answer a new fact, in order; `known` is among the labels shown, and None with `add` alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from soulmem.core.civil import DAY_MS
from soulmem.core.dates import find_dates
from soulmem.core.tasks import FactEvent, Labelled, ReconcileRequest, Reconciliation
from soulmem.core.tokens import fold
from soulmem.llm.extractive.claims import ENDS, LAPSED, Claim, claim_of, is_denied
from soulmem.llm.extractive.notewording import is_within, names_in, numbers_in, without_day
from soulmem.llm.extractive.sentences import CJK, WORD, language_of
from soulmem.llm.extractive.terms import content_terms, lexicon_for
from soulmem.records import dataclass

_LEAST_TERMS = 2  # content words that two wordings must share to be the same fact
_PLACES_AND_NAMES = frozenset({"lives_in", "from", "works_at", "name", "called"})
_TIMELESS = frozenset({"birthday", "age"})
_CHANGING = re.compile(
    r"\b(?:moved|relocated|became|switched|changed|got|turned|now)\b|搬|换|改|成为|现在|了$", re.IGNORECASE
)
_ARTICLE = re.compile(r"^(?:an?|the|his|her|their|my|our) ", re.IGNORECASE)
_RANK = {FactEvent.NONE: 0, FactEvent.SUPERSEDE: 1, FactEvent.UPDATE: 2}


@dataclass(frozen=True)
class _Fact:
    """A fact with what can be read from its wording, each when first asked for."""

    note: Labelled

    @cached_property
    def text(self) -> str:
        return without_day(self.note.text).strip()

    @cached_property
    def claim(self) -> Claim | None:
        return claim_of(self.note.text)

    @cached_property
    def wording(self) -> tuple[str, ...]:
        return tuple(match[0] for match in WORD.finditer(fold(self.text)))

    @cached_property
    def terms(self) -> frozenset[str]:
        return content_terms(LAPSED.sub(" ", self.text))

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(fold(name) for name in names_in(self.text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        return numbers_in(self.text)

    @cached_property
    def is_negative(self) -> bool:
        return LAPSED.search(self.text) is not None or is_denied(self.text)

    @cached_property
    def times(self) -> frozenset[tuple[int, int]]:
        return frozenset((span.from_ms, span.to_ms) for span in find_dates(self.text, self.note.at_ms))

    @cached_property
    def is_event(self) -> bool:
        return lexicon_for(language_of(self.text)).happening.search(self.text) is not None


def reconcile(request: ReconcileRequest) -> tuple[Reconciliation, ...]:
    """One decision for each new fact, in order."""
    known = [_Fact(note) for note in request.known if note.text.strip()]
    return tuple(_decide(_Fact(note), known) for note in request.new)


def _decide(new: _Fact, known: Sequence[_Fact]) -> Reconciliation:
    """The strongest relation to a known fact: already known, else replacing (the latest), else richer."""
    found: list[tuple[int, int, int, FactEvent, str]] = []
    for order, old in enumerate(known):
        event = _against(new, old)
        if event is not FactEvent.ADD:
            found.append((_RANK[event], -old.note.at_ms, order, event, old.note.label))
    if not new.text or not found:
        return Reconciliation(new.note.label, FactEvent.ADD)
    *_, event, label = min(found)
    return Reconciliation(new.note.label, event, label, new.note.text if event is FactEvent.UPDATE else "")


def _against(new: _Fact, old: _Fact) -> FactEvent:
    """What a new fact is to one known fact; `add` where they have nothing to do with each other."""
    if new.wording and new.wording == old.wording and not _happened_apart(new, old):
        return FactEvent.NONE
    if new.claim is not None and old.claim is not None:
        return _by_claim(new, old, new.claim, old.claim)
    return _by_words(new, old)


def _by_claim(new: _Fact, old: _Fact, said: Claim, before: Claim) -> FactEvent:
    if said.subject != before.subject:
        return FactEvent.ADD
    if said.relation == ENDS and before.relation.startswith("activity"):
        ends = said.object in fold(old.text) and not before.lapsed and not _told_earlier(new, old)
        return FactEvent.SUPERSEDE if ends else FactEvent.ADD
    if said.relation != before.relation:
        return FactEvent.ADD
    fuller = _fuller(said.object, before.object, said.relation)
    over, was_over = said.lapsed or said.past, before.lapsed or before.past
    if fuller is not None:
        if over is was_over:
            return _same_fact(new, old, fuller)
        turned = over or before.lapsed  # "used to live there", and now lives there: both are true
        return FactEvent.SUPERSEDE if turned and not _told_earlier(new, old) else FactEvent.ADD
    if not said.is_exclusive and over is was_over:
        return _by_words(new, old)
    if over or was_over or not said.is_exclusive or not _may_replace(new, old, said):
        return FactEvent.ADD
    return FactEvent.SUPERSEDE


def _same_fact(new: _Fact, old: _Fact, fuller: int) -> FactEvent:
    """The same said again: worth keeping where its object or its wording tells more and denies nothing."""
    if fuller > 0 or (
        fuller == 0 and new.terms > old.terms and new.numbers >= old.numbers and not _times_differ(new, old)
    ):
        return FactEvent.UPDATE
    return FactEvent.NONE


def _fuller(one: str, other: str, relation: str) -> int | None:
    """0: the same object; 1: `one` holds the other and more; -1: the other way round; None: different objects."""
    left, right = _object(one), _object(other)
    if left == right:
        return 0
    place = relation.partition(":")[0] in _PLACES_AND_NAMES
    if _holds(left, right, place=place):
        return 1
    return -1 if _holds(right, left, place=place) else None


def _object(text: str) -> tuple[str, ...]:
    return tuple(match[0].rstrip(".,") for match in WORD.finditer(fold(_ARTICLE.sub("", text.strip()))))


def _holds(whole: tuple[str, ...], part: tuple[str, ...], *, place: bool) -> bool:
    """Whether an object says another and more: "Denver, Colorado" says Denver, but New York does not say York."""
    if not part or len(part) >= len(whole) or numbers_in(" ".join(whole)) < numbers_in(" ".join(part)):
        return False
    if whole[: len(part)] == part:
        return True
    chinese = all(CJK.match(word) for word in part)
    return whole[-len(part) :] == part and (not place or chinese)


def _may_replace(new: _Fact, old: _Fact, said: Claim) -> bool:
    """Whether the new value of an exclusive relation ends the old one: later told, comparable, of no other time."""
    if _told_earlier(new, old):
        return False
    if (CJK.search(said.object) is None) != (CJK.search(old.claim.object if old.claim else "") is None):
        return False  # 北京 may well be Beijing
    if said.relation in _TIMELESS or not new.times or new.times == old.times:
        return True
    if _CHANGING.search(new.text) is None:
        return False
    return not old.times or max(to for _, to in new.times) > max(to for _, to in old.times)


def _by_words(new: _Fact, old: _Fact) -> FactEvent:
    """Statements of unknown form are the same when one's names, numbers, times and content words hold the other's."""
    shared = new.terms & old.terms
    inside, around = is_within(new.wording, old.wording), is_within(old.wording, new.wording)
    if (len(shared) < _LEAST_TERMS and not (inside or around)) or _times_differ(new, old) or _happened_apart(new, old):
        return FactEvent.ADD
    if new.is_negative is not old.is_negative:
        ends = shared == new.terms if new.is_negative else shared == new.terms == old.terms
        return FactEvent.SUPERSEDE if ends and new.names <= old.names and not _told_earlier(new, old) else FactEvent.ADD
    if (inside or new.terms <= old.terms) and new.names <= old.names and new.numbers <= old.numbers:
        return FactEvent.NONE
    if (around or new.terms > old.terms) and new.names >= old.names and new.numbers >= old.numbers:
        return FactEvent.UPDATE
    return FactEvent.ADD


def _told_earlier(new: _Fact, old: _Fact) -> bool:
    return 0 < new.note.at_ms < old.note.at_ms


def _times_differ(new: _Fact, old: _Fact) -> bool:
    return bool(new.times) and bool(old.times) and new.times != old.times


def _happened_apart(new: _Fact, old: _Fact) -> bool:
    """Whether both tell of something done, more than a day apart: two visits to one museum are two facts."""
    if not (new.is_event and old.is_event) or (new.claim is not None and old.claim is not None):
        return False
    return bool(new.note.at_ms and old.note.at_ms) and abs(new.note.at_ms - old.note.at_ms) > DAY_MS
