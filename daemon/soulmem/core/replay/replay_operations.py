"""Replay operations: what of a model's answer may be done to the notes that were gone over (algorithms.md §6.9).

Called by `idle/replay` with the operations and the notes behind the labels. Pure. Invariants: nothing is deleted and no
note's words change; what is pinned never ends; a tie is new and no stronger than `STRONGEST`; what is read out of notes
rests on notes of talk alone; there are no more operations than were asked for; of two notes neither ends the other
where the answer says both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from soulmem.core.replay.closed_triads import STRONGEST, Tie
from soulmem.core.schema.engine_tasks import Insight, Operation, OperationKind
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass

MOST = 10
LEAST_STRENGTH = 0.15  # of a tie that a model doubts
_TOLD = frozenset({NoteKind.EPISODIC, NoteKind.SEMANTIC, NoteKind.PROCEDURAL})


class Why(StrEnum):
    """Why an operation is not done."""

    UNKNOWN = "unknown_note"
    TIED = "tied_already"
    KIND = "wrong_kind"
    PINNED = "pinned"
    BOTH = "ends_both"
    MANY = "too_many"


@dataclass(frozen=True, slots=True)
class Shown:
    """A note behind a label."""

    note: int
    kind: NoteKind
    pinned: bool


@dataclass(frozen=True, slots=True)
class Admitted:
    """What may be done. `over`: pairs (the note that is said to hold no more, the one that does)."""

    ties: tuple[Tie, ...]
    insights: tuple[Insight, ...]
    over: tuple[tuple[int, int], ...]
    refused: Mapping[str, int]


def admit(
    operations: Sequence[Operation], shown: Mapping[str, Shown], are_tied: Callable[[int, int], bool]
) -> Admitted:
    """The operations that may be done; `are_tied`: whether two notes are tied already."""
    ties: dict[tuple[int, int], Tie] = {}
    insights: list[Insight] = []
    over: list[tuple[int, int]] = []
    refused = Counter[str]()
    said_over = {each.notes for each in operations if each.kind is OperationKind.CONTRADICTION}
    for place, each in enumerate(operations):
        if (why := _fault(each, shown, are_tied, said_over) if place < MOST else Why.MANY) is not None:
            refused[why.value] += 1
            continue
        if each.kind is OperationKind.ABSTRACT:
            insights.append(Insight(each.text, each.notes))
            continue
        first, second = (shown[label].note for label in each.notes)
        if each.kind is OperationKind.LINK:
            ends = (min(first, second), max(first, second))
            ties.setdefault(ends, Tie(*ends, max(LEAST_STRENGTH, STRONGEST * min(1.0, each.strength))))
        else:
            over.append((first, second))
    return Admitted(tuple(ties.values()), tuple(insights), tuple(over), refused)


def _fault(
    operation: Operation, shown: Mapping[str, Shown], are_tied: Callable[[int, int], bool],
    said_over: set[tuple[str, ...]],
) -> Why | None:  # fmt: skip
    notes = [shown[label] for label in operation.notes if label in shown]
    if len(notes) < max(2, len(operation.notes)) or len({each.note for each in notes}) < len(notes):
        return Why.UNKNOWN
    if operation.kind is OperationKind.ABSTRACT:
        return None if all(each.kind in _TOLD for each in notes) else Why.KIND
    first, second = notes
    if operation.kind is OperationKind.LINK:
        if NoteKind.REFLECTION in (first.kind, second.kind):
            return Why.KIND
        return Why.TIED if are_tied(first.note, second.note) else None
    if first.kind not in _TOLD or second.kind not in _TOLD:
        return Why.KIND
    if first.pinned:
        return Why.PINNED
    return Why.BOTH if operation.notes[::-1] in said_over else None
