"""What a deliberation teaches is bounded: little where all is praised, nothing where the judge contradicts itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.schema.engine_tasks import Judgement
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.graph.learning.edge_learning import GUESSED, JUDGED
from soulmem.working.deliberation.deep_recall import GUESSED_NOTES, PRAISED_TOO_MUCH, Deliberation, Judged
from soulmem.working.recall.graph_recall import Step

NOTES = [(ItemKind.NOTE, number) for number in range(1, 13)]


def thought(shown: int, useful: set[ItemRef], *, contradicts: bool = False) -> Deliberation:
    said = Judged(shown, len(useful), sufficient=True, missing=(), followed=0, contradicts=contradicts)
    named = {(4, False): Step(4, 1, 2, False, 0.5)}
    return Deliberation(Judgement(True), useful, named, set(NOTES[:shown]), [said], calls=1)


HITS = [Hit(kind, number, 1.0 - number / 20) for kind, number in NOTES]


@given(st.integers(1, 12), st.sets(st.sampled_from(NOTES)), st.booleans())
def test_a_lesson_is_of_what_was_shown_and_praised(shown: int, useful: set[ItemRef], contradicts: bool) -> None:
    useful &= set(NOTES[:shown])
    made = thought(shown, useful, contradicts=contradicts)
    lesson = made.lesson(HITS)
    if contradicts:
        assert (lesson, made.doubt) == (None, "contradiction")
        return
    assert lesson is not None
    assert {(ItemKind.NOTE, note) for note in lesson.useful} <= useful
    if shown >= PRAISED_TOO_MUCH and len(useful) == shown:
        assert (made.doubt, lesson.weight, lesson.links) == ("all_useful", GUESSED, frozenset())
        assert lesson.useful == tuple(number for _, number in NOTES[:GUESSED_NOTES])
    else:
        assert (made.doubt, lesson.weight, lesson.links) == (None, JUDGED, {(4, False)})


def test_a_model_that_never_answered_teaches_nothing() -> None:
    assert Deliberation().lesson(HITS) is None
