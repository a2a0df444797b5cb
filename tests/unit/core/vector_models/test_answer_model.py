"""The answer model reads a question and statements by their vectors: each statement by itself."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.search.relevance_scoring import answering
from soulmem.core.vector_models.answer_model import by_cosines, logits, shares
from soulmem.core.vector_models.hidden_layer import ENGLISH, PAIRS, Floats, prepared


def vectors(count: int, seed: int) -> Floats:
    """Rows of unit length, nine tenths of whose squared length lie in the first part, of either pair of encoders."""
    drawn = np.random.default_rng(seed).normal(size=(count, tuple(PAIRS)[seed % len(PAIRS)])).astype(np.float32)
    for part, share in ((slice(0, ENGLISH), 0.9), (slice(ENGLISH, None), 0.1)):
        drawn[:, part] *= np.sqrt(share) / np.linalg.norm(drawn[:, part], axis=1, keepdims=True)
    return drawn


@given(st.integers(1, 9), st.integers(0, 1_000))
def test_a_statement_is_judged_by_its_own_vector_alone(count: int, seed: int) -> None:
    question, *told = vectors(count + 1, seed)
    table = np.stack(told)
    found = logits(question, table)
    assert found.shape == (count,)
    assert np.isfinite(found).all()
    assert np.allclose(logits(question, table[::-1].copy())[::-1], found, atol=1e-4)
    assert np.allclose(logits(question, table[:1]), found[:1], atol=1e-4)


@given(st.integers(0, 1_000))
def test_cosines_alone_are_the_sum_of_both_parts(seed: int) -> None:
    question, *told = vectors(3, seed)
    read = prepared(np.stack([question, *told]))
    english, every = slice(0, ENGLISH), slice(ENGLISH, None)
    expected = [
        3.0 * float(question[english] @ each[english] / 0.9 + question[every] @ each[every] / 0.1) for each in told
    ]
    assert np.allclose(by_cosines(read[0], read[1:]), expected, atol=1e-3)


def test_a_statement_without_a_vector_is_no_error() -> None:
    for seed in range(len(PAIRS)):
        question = vectors(1, seed)[0]
        assert np.isfinite(logits(question, np.zeros((2, len(question)), np.float32))).all()


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20))
def test_a_share_rises_with_the_logit_and_lies_within_nothing_and_all(values: list[float]) -> None:
    found = shares(np.array(sorted(values), dtype=np.float32))
    assert (np.diff(found) >= 0).all()
    assert found.min() >= 0
    assert found.max() <= 1


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 1) | st.just(float("nan")), st.booleans(), st.floats(0, 1)),
        min_size=1,
        max_size=20,
    )
)
def test_scores_stay_scores_and_what_was_not_read_overtakes_nothing(
    told: list[tuple[float, float, bool, float]],
) -> None:
    total, answers, notes, shares_told = (np.array(column) for column in zip(*told, strict=True))
    found = answering(*(each.astype(np.float32) for each in (total, answers)), notes, shares_told.astype(np.float32))
    assert ((found >= 0) & (found <= 1 + 1e-6)).all()
    for place in np.flatnonzero(answers == 0):  # it has a vector, and stands below all that was read
        assert not any(found[place] > found[other] + 1e-6 for other in np.flatnonzero(total >= total[place]))
    assert (found[np.isnan(answers)] <= total[np.isnan(answers)] + 1e-6).all()
    assert (found[total == 0] == 0).all()  # nothing that neither words nor a vector speak for comes up by it


def test_the_longer_a_note_the_less_its_vector_says_of_its_answering() -> None:
    total, answers = np.array([0.5, 0.5, 0.5], dtype=np.float32), np.array([0.9, 0.9, 0.9], dtype=np.float32)
    found = answering(total, answers, np.ones(3, dtype=bool), np.array([1.0, 0.5, 0.1], dtype=np.float32))
    assert found[0] > found[1] > found[2] > 0.5
