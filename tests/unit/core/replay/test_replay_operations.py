"""Which operations of a model may be done: those of the list, on notes that were shown, few, weak and undoable."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.replay.closed_triads import STRONGEST
from soulmem.core.replay.replay_operations import MOST, MOST_TOPICS, Shown, Why, admit
from soulmem.core.schema.engine_tasks import Operation, OperationKind
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.schema.note_topics import TOPICS

LINK, ABSTRACT, OVER = OperationKind.LINK, OperationKind.ABSTRACT, OperationKind.CONTRADICTION
MERGE, REPHRASE, RETAG = OperationKind.MERGE, OperationKind.REPHRASE, OperationKind.RETAG
TAKES = {REPHRASE: 1, RETAG: 1}  # notes of one operation, where it is not two
KINDS = (NoteKind.SEMANTIC, NoteKind.EPISODIC, NoteKind.REFLECTION, NoteKind.ABSTRACT)
SHOWN = {f"N{n}": Shown(n, KINDS[n % 4], pinned=n == 5, text=f"xxx (word {n})", is_vague=n > 4) for n in range(9)}
LABELS = st.sampled_from([*SHOWN, "N99"])
OPERATIONS = st.lists(
    st.builds(Operation, st.sampled_from(OperationKind), st.lists(LABELS, min_size=1, max_size=4).map(tuple),
              st.text(max_size=9) | st.sampled_from(["word 5", "Word 8."]), st.floats(0, 1),
              st.lists(st.sampled_from(TOPICS), max_size=4).map(tuple)), max_size=20,
)  # fmt: skip


def cut(operation: Operation) -> Operation:
    """The operation with as many notes as it takes, as the contract lets it through."""
    if operation.kind is ABSTRACT:
        return operation
    least = TAKES.get(operation.kind, 2)
    return replace(operation, notes=(operation.notes * 2)[:least])


@given(OPERATIONS.map(lambda each: [cut(one) for one in each]))
def test_whatever_a_model_says_stays_within_bounds(operations: list[Operation]) -> None:
    done = admit(operations, SHOWN, lambda one, other: (one + other) % 3 == 0)
    made = (done.ties, done.insights, done.over, done.merged, done.rephrased, done.retagged)
    assert sum(map(len, made)) + sum(done.refused.values()) <= len(operations)
    assert sum(map(len, made)) <= MOST
    others = [note for pair in done.merged for note in pair] + [note for note, _ in done.rephrased]
    beside = [note for pair in done.over for note in pair] + [note for note, _ in done.retagged]
    beside += [SHOWN[label].note for each in done.insights for label in each.evidence]
    assert len(set(others)) == len(others), "a note becomes another once"
    assert set(others).isdisjoint(beside)
    for note, text in done.rephrased:
        assert SHOWN[f"N{note}"].is_vague
        assert text.strip(".").lower() == f"word {note}"
    for note, topics in done.retagged:
        assert note != 5
        assert 0 < len(topics) <= MOST_TOPICS
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
        (Operation(MERGE, ("N0", "N1")), Why.KIND),
        (Operation(MERGE, ("N0", "N99")), Why.UNKNOWN),
        (Operation(MERGE, ("N2", "N6")), Why.KIND),
        (Operation(REPHRASE, ("N0",), "word 0"), Why.CLEAR),
        (Operation(REPHRASE, ("N5",), "word 5"), Why.PINNED),
        (Operation(REPHRASE, ("N8",), "word 9"), Why.INVENTED),
        (Operation(REPHRASE, ("N8",), "word 8, " * 9), Why.INVENTED),
        (Operation(REPHRASE, ("N8",), "XXX (Word 8)"), Why.SAME),
        (Operation(REPHRASE, ("N99",), "word 8"), Why.UNKNOWN),
        (Operation(RETAG, ("N5",), topics=(TOPICS[0],)), Why.PINNED),
        (Operation(RETAG, ("N0",)), Why.MANY),
        (Operation(RETAG, ("N2",), topics=(TOPICS[0],)), Why.KIND),
    ],
)
def test_what_is_refused_says_why(operation: Operation, why: Why) -> None:
    done = admit([operation], SHOWN, lambda one, other: (one, other) == (0, 3))
    assert (done.refused, done.ties, done.over) == ({why.value: 1}, (), ())
    assert (done.merged, done.rephrased, done.retagged) == ((), (), ())


def test_who_ends_each_with_the_other_ends_neither() -> None:
    both = [Operation(OVER, ("N0", "N1")), Operation(OVER, ("N1", "N0"))]
    assert admit(both, SHOWN, lambda *_: False).over == ()
    assert admit(both[:1], SHOWN, lambda *_: False).over == ((0, 1),)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_other_words_are_those_that_show(language: str) -> None:
    shown = {"en": "Ann: xxx (somebody's visit at a harbour)", "zh": "xxx(去某个地方看望某个人)"}[language]
    fit = {"en": "Somebody's visit at a harbour.", "zh": "去某个地方看望某个人。"}[language]
    unfit = {"en": "Lena's visit at a harbour.", "zh": "去上海看望某个人。"}[language]
    vague = {"N1": Shown(1, NoteKind.EPISODIC, pinned=False, text=shown, is_vague=True)}
    said = [admit([Operation(REPHRASE, ("N1",), text)], vague, lambda *_: False).rephrased for text in (fit, unfit)]
    assert said == [((1, fit),), ()]


def test_what_is_said_to_be_over_is_not_one_with_what_ends_it() -> None:
    both = [Operation(OVER, ("N0", "N4")), Operation(MERGE, ("N4", "N0"))]
    done = admit(both, SHOWN, lambda *_: False)
    assert (done.over, done.merged) == (((0, 4),), ())
    assert admit(both[::-1], SHOWN, lambda *_: False).merged == ()
