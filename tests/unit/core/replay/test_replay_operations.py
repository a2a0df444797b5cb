"""Which operations of a model may be done: those of the list, on notes that were shown, few, weak and undoable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.replay.closed_triads import STRONGEST
from soulmem.core.replay.replay_operations import MOST, Shown, Why, admit
from soulmem.core.schema.engine_tasks import Operation, OperationKind
from soulmem.core.schema.note_requests import NoteKind

LINK, ABSTRACT, OVER = OperationKind.LINK, OperationKind.ABSTRACT, OperationKind.CONTRADICTION
KINDS = (NoteKind.SEMANTIC, NoteKind.EPISODIC, NoteKind.REFLECTION, NoteKind.ABSTRACT)
SHOWN = {f"N{n}": Shown(n, KINDS[n % 4], pinned=n == 5) for n in range(9)}
LABELS = st.sampled_from([*SHOWN, "N99"])
OPERATIONS = st.lists(
    st.builds(Operation, st.sampled_from(OperationKind), st.lists(LABELS, max_size=4).map(tuple), st.text(max_size=9),
              st.floats(0, 1)), max_size=20,
)  # fmt: skip


@given(OPERATIONS.filter(lambda each: all(len(one.notes) == 2 or one.kind is ABSTRACT for one in each)))
def test_whatever_a_model_says_stays_within_bounds(operations: list[Operation]) -> None:
    done = admit(operations, SHOWN, lambda one, other: (one + other) % 3 == 0)
    assert len(done.ties) + len(done.insights) + len(done.over) + sum(done.refused.values()) <= max(
        MOST + done.refused.get("too_many", 0), len(operations)
    )
    assert len(done.ties) + len(done.insights) + len(done.over) <= MOST
    for tie in done.ties:
        assert tie.one < tie.other
        assert 0.0 < tie.strength <= STRONGEST
        assert (tie.one + tie.other) % 3 != 0
    for old, new in done.over:
        assert (new, old) not in done.over
        assert not SHOWN[f"N{old}"].pinned
        assert old != new
    for insight in done.insights:
        assert set(insight.evidence) <= set(SHOWN)
        assert len(set(insight.evidence)) == len(insight.evidence) >= 2


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (Operation(LINK, ("N0", "N99")), Why.UNKNOWN),
        (Operation(LINK, ("N1", "N1")), Why.UNKNOWN),
        (Operation(LINK, ("N0", "N3")), Why.TIED),
        (Operation(LINK, ("N1", "N6")), Why.KIND),
        (Operation(ABSTRACT, ("N0", "N2"), "x"), Why.KIND),
        (Operation(OVER, ("N3", "N1")), Why.KIND),
        (Operation(OVER, ("N5", "N1")), Why.PINNED),
    ],
)
def test_what_is_refused_says_why(operation: Operation, why: Why) -> None:
    done = admit([operation], SHOWN, lambda one, other: (one, other) == (0, 3))
    assert (done.refused, done.ties, done.over) == ({why.value: 1}, (), ())


def test_who_ends_each_with_the_other_ends_neither() -> None:
    both = [Operation(OVER, ("N0", "N1")), Operation(OVER, ("N1", "N0"))]
    assert admit(both, SHOWN, lambda *_: False).over == ()
    assert admit(both[:1], SHOWN, lambda *_: False).over == ((0, 1),)
