"""The scan of all vectors in pieces, by whoever has time: every row once, and each as if it were done in one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from every_row import every_row
from soulmem.core.search import vector_matrix


def whole_numbers(rows: int, seed: int) -> vector_matrix.Floats:
    """Vectors whose products are exact, in whatever order they are added up."""
    return np.random.default_rng(seed).integers(-4, 5, (rows, 24)).astype(np.float32)


@every_row([0, 1, vector_matrix.PIECE - 1, vector_matrix.PIECE, vector_matrix.PIECE + 1, 7 * vector_matrix.PIECE + 5])
def test_every_row_is_done_once_whoever_does_it(rows: int) -> None:
    vectors, vector = whole_numbers(rows, 1), whole_numbers(1, 2)[0]
    for _ in range(20):
        found = vector_matrix.parallel_cosines(vectors, vector, worth_it=0)
        assert np.array_equal(found, vectors @ vector)


def test_real_vectors_have_the_same_cosines_in_pieces() -> None:
    random = np.random.default_rng(3)
    vectors = random.normal(size=(3 * vector_matrix.PIECE + 77, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vector = vectors[100]
    assert np.abs(vector_matrix.parallel_cosines(vectors, vector, worth_it=0) - vectors @ vector).max() < 1e-6


def test_a_helper_that_gets_no_turn_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that is busy: what was handed over and not begun is taken back."""
    vectors, vector = whole_numbers(5 * vector_matrix.PIECE, 4), whole_numbers(1, 5)[0]
    let_go = threading.Event()
    with ThreadPoolExecutor(1) as busy:
        busy.submit(let_go.wait)
        monkeypatch.setattr(vector_matrix, "_helper", lambda: busy)
        try:
            assert np.array_equal(vector_matrix.parallel_cosines(vectors, vector, worth_it=0), vectors @ vector)
        finally:
            let_go.set()


def test_what_fails_in_the_helper_fails() -> None:
    with pytest.raises(ValueError, match="matmul"):
        vector_matrix.parallel_cosines(
            whole_numbers(3 * vector_matrix.PIECE, 6), np.ones(7, dtype=np.float32), worth_it=0
        )
