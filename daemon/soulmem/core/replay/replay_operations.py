"""Replay operations: what of a model's answer may be done to the notes that were gone over (algorithms.md §6.9).

Called by `idle/replay` with the operations and the notes behind the labels. Pure. Invariants: nothing is deleted; what
is pinned never ends and keeps its words and topics; a tie is new and no stronger than `STRONGEST`; what is read out of
notes rests on notes of talk alone; other words are those that show of the note, and none beside them; a note that
becomes another, or says other words, is in no other operation but ties; there are no more operations than were asked
for; of two notes neither ends the other where the answer says both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from soulmem.core.replay.closed_triads import STRONGEST, Tie
from soulmem.core.schema.engine_tasks import Insight, Operation, OperationKind
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.schema.note_topics import Topic
from soulmem.core.text.repetition import is_carried
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass

MOST = 10
MOST_TOPICS = 3
LEAST_STRENGTH = 0.15  # of a tie that a model doubts
_TOLD = frozenset({NoteKind.EPISODIC, NoteKind.SEMANTIC, NoteKind.PROCEDURAL})
_SOLE = frozenset({OperationKind.MERGE, OperationKind.REPHRASE})  # after which a note is not the one that was shown
_OF_ONE = frozenset({OperationKind.REPHRASE, OperationKind.RETAG})
_LONGER = 1.2  # than what shows, at most


class Why(StrEnum):
    """Why an operation is not done."""

    UNKNOWN = "unknown_note"
    TIED = "tied_already"
    KIND = "wrong_kind"
    PINNED = "pinned"
    BOTH = "ends_both"
    MANY = "too_many"
    TWICE = "changed_twice"
    CLEAR = "still_clear"
    INVENTED = "invented_words"
    SAME = "nothing_new"
    OTHER = "not_one_telling"


@dataclass(frozen=True, slots=True)
class Shown:
    """A note behind a label. `text`: what shows of it; `is_vague`: nothing of it is clear and something shows."""

    note: int
    kind: NoteKind
    pinned: bool
    text: str = ""
    is_vague: bool = False
    topics: frozenset[Topic] = frozenset()


@dataclass(frozen=True, slots=True)
class Admitted:
    """What may be done. `over`: pairs (the note that is said to hold no more, the one that does); `merged`: pairs that
    are said to tell one thing; `rephrased` and `retagged`: notes with their new words, and their new topics."""

    ties: tuple[Tie, ...]
    insights: tuple[Insight, ...]
    over: tuple[tuple[int, int], ...]
    merged: tuple[tuple[int, int], ...]
    rephrased: tuple[tuple[int, str], ...]
    retagged: tuple[tuple[int, tuple[Topic, ...]], ...]
    refused: Mapping[str, int]


def admit(
    operations: Sequence[Operation], shown: Mapping[str, Shown], are_tied: Callable[[int, int], bool]
) -> Admitted:
    """The operations that may be done; `are_tied`: whether two notes are tied already."""
    done: dict[OperationKind, list[Operation]] = {kind: [] for kind in OperationKind}
    refused = Counter[str]()
    said_over = {each.notes for each in operations if each.kind is OperationKind.CONTRADICTION}
    used: dict[str, bool] = {}  # notes that are in an operation, and whether they are others after it
    for place, each in enumerate(operations):
        why = Why.MANY if place >= MOST else _fault(each, shown, are_tied, said_over) or _taken(each, used)
        if why is not None:
            refused[why.value] += 1
            continue
        done[each.kind].append(each)
        if each.kind is not OperationKind.LINK:
            used |= dict.fromkeys(each.notes, each.kind in _SOLE)

    def notes(kind: OperationKind) -> list[tuple[int, ...]]:
        return [tuple(shown[label].note for label in each.notes) for each in done[kind]]

    ties: dict[tuple[int, int], Tie] = {}
    for each in done[OperationKind.LINK]:
        first, second = (shown[label].note for label in each.notes)
        ends = (min(first, second), max(first, second))
        ties.setdefault(ends, Tie(*ends, max(LEAST_STRENGTH, STRONGEST * min(1.0, each.strength))))
    return Admitted(
        tuple(ties.values()),
        tuple(Insight(each.text, each.notes) for each in done[OperationKind.ABSTRACT]),
        tuple((old, new) for old, new in notes(OperationKind.CONTRADICTION)),
        tuple((min(pair), max(pair)) for pair in notes(OperationKind.MERGE)),
        tuple((shown[each.notes[0]].note, each.text) for each in done[OperationKind.REPHRASE]),
        tuple((shown[each.notes[0]].note, each.topics) for each in done[OperationKind.RETAG]),
        refused,
    )


def _taken(operation: Operation, used: Mapping[str, bool]) -> Why | None:
    """Whether a note would be changed beside what else becomes of it."""
    if operation.kind is OperationKind.LINK:
        return None
    is_sole = operation.kind in _SOLE
    return Why.TWICE if any(label in used and (is_sole or used[label]) for label in operation.notes) else None


def _fault(
    operation: Operation, shown: Mapping[str, Shown], are_tied: Callable[[int, int], bool],
    said_over: set[tuple[str, ...]],
) -> Why | None:  # fmt: skip
    least = 1 if operation.kind in _OF_ONE else 2
    notes = [shown[label] for label in operation.notes if label in shown]
    if len(notes) < max(least, len(operation.notes)) or len({each.note for each in notes}) < len(notes):
        return Why.UNKNOWN
    if operation.kind is OperationKind.LINK:
        first, second = notes
        if NoteKind.REFLECTION in (first.kind, second.kind):
            return Why.KIND
        return Why.TIED if are_tied(first.note, second.note) else None
    if not all(each.kind in _TOLD for each in notes):
        return Why.KIND
    match operation.kind:
        case OperationKind.CONTRADICTION:
            if notes[0].pinned:
                return Why.PINNED
            return Why.BOTH if operation.notes[::-1] in said_over else None
        case OperationKind.MERGE:
            is_over = operation.notes in said_over or operation.notes[::-1] in said_over
            return Why.KIND if notes[0].kind is not notes[1].kind else Why.OTHER if is_over else None
        case OperationKind.REPHRASE:
            return _fault_of_words(operation.text, notes[0])
        case OperationKind.RETAG:
            return _fault_of_topics(operation.topics, notes[0])
        case _:
            return None


def _fault_of_words(text: str, note: Shown) -> Why | None:
    """What is wrong with other words for a note: none may be in them that does not show of it."""
    if note.pinned:
        return Why.PINNED
    if not note.is_vague:
        return Why.CLEAR
    if fold(text) == fold(note.text):
        return Why.SAME
    is_short = 0 < len(text) <= max(8, round(_LONGER * len(note.text)))
    return None if is_short and is_carried([text], [note.text], ()) else Why.INVENTED


def _fault_of_topics(topics: Sequence[Topic], note: Shown) -> Why | None:
    if note.pinned:
        return Why.PINNED
    if not 0 < len(topics) <= MOST_TOPICS:
        return Why.MANY
    return Why.SAME if frozenset(topics) == note.topics else None
