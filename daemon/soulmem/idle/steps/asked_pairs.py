"""Asked pairs: which new and known notes are laid before an engine, to say whether the one leaves the other outdated.

Called by the step `reconcile`, away from the event loop. What code can read of a pair it decides; of the others an
engine is asked. People seldom name what changed ("handed the keys back"), so a language model is shown, for as many new
notes as a call has room for, the few known ones of the same person that share most words with them or mean most nearly
the same: on invented lives the note that a statement outdates is among these three nine times in ten. Pure. Invariants:
no pair of one message is asked about; a call shows at most `MOST_LINES` full lines of notes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

from soulmem.core.changes.change_probability import is_likely
from soulmem.core.changes.contradiction import Told, concern, of_one_person, ruled
from soulmem.core.facts.topic_terms import terms_in, weight
from soulmem.core.schema.engine_tasks import FactEvent
from soulmem.core.text.tokens import estimate_tokens, wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.change_cues import change_in
from soulmem.idle.steps.similar_notes import ASKED, Near

MOST_LINES = 16  # of notes, new and known, that a model is shown in one call; a short note takes a part of one
_LINE_TOKENS = {"en": 36, "zh": 48}  # of a full line, to which a longer note is shortened
_LABEL = 0.1  # of a line
MOST_ASKED = 3  # known notes that it is asked about for one new note
_LEAST = 0.6  # of what a pair weighs: one word of the topic, or nearly the same meaning
_OF_BEST = 0.4  # of what the plainest pair of a note weighs
_ALIKE_WEIGHS = 0.7  # of the two nearest by meaning
_MOST_ALIKE = 2
_LIKELY_WEIGHS = 1.0  # where code thinks it likely that one replaces the other
_NAMED_WEIGHS = 0.5  # somebody is named in both
_FEW_NOTES, _MANY_NOTES = 4, 0.08  # notes, or the share of those that are compared, that a word may stand in
_TURN = 4  # pairs after which others have theirs
_ALL_OF_ONE = 3  # pairs of one new note, all of which a model may not end
_FEW_PAIRS = 3  # of which a model may not end all without being thought careless
_MOST_ENDED = 0.6  # of more pairs than that

Unsure = dict[Told, list[tuple[float, int]]]


@dataclass(slots=True)
class Compared:
    """What code reads of pairs of notes, (event, known note) by the new one, and those it is unsure of, weighed."""

    read: dict[int, list[tuple[FactEvent, int]]] = field(default_factory=dict)
    unsure: Unsure = field(default_factory=dict)


def compared(batch: Sequence[Told], near: Near, *, is_model: bool, people: frozenset[str]) -> Compared:
    """Read each pair of a new note and a neighbour; a pair costs a third of a millisecond.

    `people`: who takes part in the talk, whom everybody names.
    """
    found = Compared()
    common = _common([*batch, *near.told.values()])
    empty = common.union(*(terms_in(each, ()) for each in people))
    for told in batch:
        for place, note in enumerate(near.of.get(told.note, ())):
            if place % _TURN == 0:
                time.sleep(0)  # whoever waits for the interpreter has his turn
            known = near.told[note]
            event = ruled(told, known)
            if event is not None and not (is_model and event is FactEvent.ADD):  # a model may see what rules do not
                found.read.setdefault(told.note, []).append((event, note))
                continue
            if is_model:
                weighs = _weight(told, known, near.alike.get(told.note, ()), people, empty)
            else:
                weighs = concern(told, known, people, common) if place < ASKED else 0.0
            if weighs > 0:
                found.unsure.setdefault(told, []).append((weighs, note))
    return found


def worth_asking(unsure: Unsure, known: Mapping[int, Told]) -> dict[Told, list[int]]:
    """The pairs that a model is asked about, in the order of telling, as many as have room.

    Those new notes come first that speak of a change, then those that have most in common with a known one.
    """
    plain: Unsure = {}
    for told, pairs in unsure.items():
        mine = [(weighs, note) for weighs, note in pairs if weighs >= _LEAST and told.order != known[note].order]
        if mine:
            mine.sort(key=lambda each: -each[0])
            plain[told] = [(weighs, note) for weighs, note in mine[:MOST_ASKED] if weighs >= _OF_BEST * mine[0][0]]
    shown: dict[int, float] = {}
    chosen: set[int] = set()
    for told in sorted(plain, key=lambda each: (-change_in(each.text), -plain[each][0][0])):
        lines = {told.note: _size(told)} | {note: _size(known[note]) for _, note in plain[told]}
        if sum((shown | lines).values()) <= MOST_LINES:
            shown |= lines
            chosen.add(told.note)
    return {told: [note for _, note in pairs] for told, pairs in plain.items() if told.note in chosen}


def _size(told: Told) -> float:
    """What a note takes of a full line, with its label."""
    return min(1.0, estimate_tokens(told.text) / _LINE_TOKENS[wording_language(told.text)]) + _LABEL


def is_careless(asked: Mapping[Told, Sequence[int]], over: Counter[Told]) -> bool:
    """Whether an answer ends whatever it was shown: all that one new note was held against, all of two or three pairs,
    or most of everything."""
    if any(over[told] >= _ALL_OF_ONE for told in asked):
        return True
    new = {told.note for told in asked}  # a new note among what another is held against is seldom named
    pairs = sum(note not in new for notes in asked.values() for note in notes) or sum(map(len, asked.values()))
    if pairs <= _FEW_PAIRS:
        return 1 < pairs <= over.total()
    return over.total() > _MOST_ENDED * pairs


def _weight(told: Told, known: Told, alike: Sequence[int], people: frozenset[str], empty: frozenset[str]) -> float:
    """How much a pair has in common: the words of its topic, its meaning, somebody who is named in both.

    `empty`: words that say nothing of a topic here.
    """
    if (named := of_one_person(told, known, people)) is None:
        return 0.0
    shared = terms_in(told.text, ()) & terms_in(known.text, ())
    weighs = weight(shared - empty) + _NAMED_WEIGHS * named + _ALIKE_WEIGHS * (known.note in alike[:_MOST_ALIKE])
    return weighs + _LIKELY_WEIGHS * _seems_to_follow(told, known) if weighs > 0 else 0.0


def _seems_to_follow(told: Told, known: Told) -> bool:
    """Whether of two notes of one speaker the later one seems to leave the other outdated, though not for certain."""
    later, earlier = (told, known) if told.order >= known.order else (known, told)
    moments = (later.at_ms, earlier.at_ms)
    return later.speaker == earlier.speaker and is_likely(later.statement, earlier.statement, moments)


def _common(told: Sequence[Told]) -> frozenset[str]:
    """The words that many of these notes share."""
    held = Counter(term for each in {each.note: each for each in told}.values() for term in each.matter)
    most = max(_FEW_NOTES, _MANY_NOTES * len(told))
    return frozenset(term for term, count in held.items() if count > most)
