"""The replacement model reads pairs of vectors: each pair by itself, of the encoders it was fitted on alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.vector_models import hidden_layer
from soulmem.core.vector_models.hidden_layer import ENGLISH, PAIRS, prepared, reads
from soulmem.core.vector_models.replacement_model import logits

WIDTHS = tuple(PAIRS)


def vectors(count: int, seed: int, *, english: float = 0.9) -> hidden_layer.Floats:
    """Rows of unit length, of whose squared length a share lies in the first part, of either pair of encoders."""
    drawn = np.random.default_rng(seed).normal(size=(count, WIDTHS[seed % len(WIDTHS)])).astype(np.float32)
    drawn[:, :ENGLISH] *= np.sqrt(english) / np.linalg.norm(drawn[:, :ENGLISH], axis=1, keepdims=True)
    drawn[:, ENGLISH:] *= np.sqrt(1 - english) / np.linalg.norm(drawn[:, ENGLISH:], axis=1, keepdims=True)
    return drawn


def test_only_vectors_of_both_encoders_side_by_side_are_read() -> None:
    assert not reads(0, ENGLISH)
    for width in WIDTHS:
        assert reads(ENGLISH, width)
        assert not reads(0, width - ENGLISH)
        assert not reads(0, width)
        assert not reads(ENGLISH, width + 1)


@given(st.integers(1, 9), st.integers(0, 1_000), st.sampled_from([0.0, 0.4, 0.9]))
def test_a_pair_is_judged_by_its_own_vectors_alone(count: int, seed: int, english: float) -> None:
    table = vectors(count, seed, english=english)
    found = logits(table)
    assert found.shape == (count, count)
    assert np.isfinite(found).all()
    some = table[: max(1, count // 2)]
    assert np.allclose(logits(some), found[: len(some), : len(some)], atol=1e-4)
    turned = logits(table[::-1].copy())[::-1, ::-1]
    assert np.allclose(turned, found, atol=1e-4)


@given(st.integers(0, 1_000))
def test_the_earlier_and_the_later_are_not_the_same_to_it(seed: int) -> None:
    found = logits(vectors(2, seed))
    assert abs(float(found[0, 1] - found[1, 0])) > 1e-6


@given(st.integers(0, 1_000), st.floats(0.05, 0.9))
def test_both_parts_are_read_at_unit_length_however_much_is_english(seed: int, english: float) -> None:
    every = prepared(vectors(3, seed, english=english))[:, ENGLISH:]
    assert np.allclose(np.linalg.norm(every, axis=1), 8.0, atol=1e-3)


def test_a_text_without_a_vector_is_no_error() -> None:
    assert all(np.isfinite(logits(np.zeros((2, width), np.float32))).all() for width in WIDTHS)
