"""Trails: the same links as the forest they were made of, and the same trail after it was stored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learning_bench import BEES, EMBEDDER, SISTER
from soulmem.graph.learning.edge_learning import Update, judged, reacted
from soulmem.graph.learning.recall_trace import Trail, TrailLink
from soulmem.graph.walk.edge_expansion import Forest, ForestLink, ForestNote
from soulmem.graph.walk.path_search import Path as Way
from soulmem.graph.walk.path_search import PathLink

X = np.array([1.0, 0.0], dtype=np.float32)


# -- made of a forest -------------------------------------------------------------------------------------------


@st.composite
def forests(draw: st.DrawFn) -> Forest:
    """Notes 0..n, each with parents among those before it."""
    count = draw(st.integers(1, 12))
    notes = []
    for note in range(count):
        parents = draw(st.lists(st.integers(0, note - 1), unique=True, max_size=3)) if note else []
        links = tuple(
            ForestLink(100 * src + note, src, note, draw(st.booleans()), draw(st.integers(0, 1)), 0.9, 0.5)
            for src in parents
        )
        notes.append(ForestNote(note, 0, len(links), 1.0, links))
    return Forest(tuple(notes))


def trail_of(
    forest: Forest,
    questions: np.ndarray,
    texts: tuple[str, ...],
    *,
    returned: tuple[int, ...] | range = (),
    paths: tuple[tuple[Way, int], ...] = (),
) -> Trail:
    """The trail of an expansion; `paths` are ways found afterwards, each with the question it belongs to."""
    followed = tuple(
        TrailLink(each.link, each.src, each.dst, each.is_backward, each.question) for each in forest.links()
    )
    found = tuple(
        TrailLink(step.link, step.src, step.dst, step.is_backward, question)
        for path, question in paths
        for step in path.links
    )
    return Trail(np.atleast_2d(np.asarray(questions, dtype=np.float32)), texts, followed, found, tuple(returned))


QUESTIONS = np.eye(2, 3, dtype=np.float32)
TEXTS = (SISTER, "谁?")


@given(forests(), st.lists(st.integers(0, 14), max_size=4))
def test_a_trail_teaches_what_its_forest_would(forest: Forest, useful: list[int]) -> None:
    linked = [note for note in useful if note < len(forest.notes) and forest.ways_to([note])]
    trail = trail_of(forest, QUESTIONS, TEXTS, returned=range(len(forest.notes)))
    for each in (trail, Trail.from_bytes(trail.to_bytes())):
        assert set(judged(each, useful)) == set(judged(forest, useful))
        assert set(reacted(each, linked, sign=-1, strength=0.5)) == set(reacted(forest, linked, sign=-1, strength=0.5))
        assert all(each.holds(note) for note in range(len(forest.notes)))
        assert not each.holds(99)


def test_ways_found_afterwards_gain_but_never_lose() -> None:
    way = Way((PathLink(7, 1, 2, False, 0.5), PathLink(8, 2, 3, True, 0.5)), 1.0, 0.1)
    trail = trail_of(Forest(), QUESTIONS, TEXTS, returned=(3,), paths=((way, 1),))
    assert judged(trail, [3]) == (Update(7, False, 1, 1.0), Update(8, True, 1, 1.0))
    assert judged(trail, []) == ()
    assert reacted(trail, [3], sign=-1, strength=1.0) == (Update(7, False, 1, -2.0), Update(8, True, 1, -2.0))


def test_ways_that_go_in_circles_end() -> None:
    ring = tuple(TrailLink(number, number, (number + 1) % 4, False, 0) for number in range(4))
    trail = Trail(X[None], (SISTER,), found=ring)
    assert [each.link for each in trail.ways_to([2])] == [0, 1, 2, 3]


# -- as bytes -----------------------------------------------------------------------------------------------------

WORDS = st.text(max_size=12) | st.sampled_from([SISTER, BEES, "\ud800", "\x00", "🧠"])
NUMBERS = st.integers(0, 2**62)


@st.composite
def kept(draw: st.DrawFn) -> Trail:
    texts = tuple(draw(st.lists(WORDS, min_size=1, max_size=3)))
    floats = st.floats(-1, 1, width=16)
    rows = [draw(st.lists(floats, min_size=4, max_size=4)) for _ in texts]
    links = st.builds(TrailLink, NUMBERS, NUMBERS, NUMBERS, st.booleans(), st.integers(0, len(texts) - 1))
    many = st.lists(links, max_size=5).map(tuple)
    returned = tuple(draw(st.lists(NUMBERS, max_size=5)))
    return Trail(np.array(rows, dtype=np.float32), texts, draw(many), draw(many), returned)


@given(kept())
def test_what_was_stored_is_read_as_it_was(trail: Trail) -> None:
    again = Trail.from_bytes(trail.to_bytes())
    assert (again.texts, again.followed, again.found, again.returned) == (
        trail.texts, trail.followed, trail.found, trail.returned,
    )  # fmt: skip
    assert np.array_equal(again.questions, trail.questions)


@given(kept(), st.data())
def test_what_is_no_trail_is_refused(trail: Trail, data: st.DataObject) -> None:
    """Cut off or with a byte changed it is refused, or is another sound trail; never anything else."""
    raw = bytearray(trail.to_bytes())
    if data.draw(st.booleans()):
        del raw[data.draw(st.integers(0, len(raw) - 1)) :]
    else:
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        read = Trail.from_bytes(bytes(raw))
    except ValueError:
        return
    assert np.isfinite(read.questions).all()
    assert len(read.questions) == len(read.texts)


@pytest.mark.parametrize("raw", [b"", b"\x01", b"\x02" + bytes(40), bytes(200)])
def test_other_bytes_are_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="trail"):
        Trail.from_bytes(raw)


@pytest.mark.parametrize(
    ("questions", "texts", "question"),
    [(X[None], (), 0), (X, (SISTER,), 0), (X[None] * np.nan, (SISTER,), 0), (X[None], (SISTER,), 1)],
)
def test_numbers_that_do_not_belong_together_make_no_trail(
    questions: np.ndarray, texts: tuple[str, ...], question: int
) -> None:
    with pytest.raises(ValueError, match="question"):
        Trail(questions, texts, (TrailLink(1, 1, 2, False, question),))


def test_a_trail_is_small() -> None:
    """A recall that thought hard: five questions, sixty links."""
    links = tuple(TrailLink(10_000 + 7 * number, number % 30, number, False, number % 5) for number in range(1, 61))
    trail = Trail(EMBEDDER.embed([f"{SISTER} {number}" for number in range(5)]), (SISTER,) * 5, links)
    assert len(trail.to_bytes()) < 5_000
