"""The scan of all vectors in pieces, by whoever has time: every row once, and each as if it were done in one."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from soulmem.core.search import parallel_cosine


def whole_numbers(rows: int, seed: int) -> parallel_cosine.Floats:
    """Vectors whose products are exact, in whatever order they are added up."""
    return np.random.default_rng(seed).integers(-4, 5, (rows, 24)).astype(np.float32)


@pytest.mark.parametrize(
    "rows",
    [0, 1, parallel_cosine.PIECE - 1, parallel_cosine.PIECE, parallel_cosine.PIECE + 1, 7 * parallel_cosine.PIECE + 5],
)
def test_every_row_is_done_once_whoever_does_it(rows: int) -> None:
    vectors, vector = whole_numbers(rows, 1), whole_numbers(1, 2)[0]
    for _ in range(20):
        found = parallel_cosine.cosines(vectors, vector, worth_it=0)
        assert np.array_equal(found, vectors @ vector)


def test_real_vectors_have_the_same_cosines_in_pieces() -> None:
    random = np.random.default_rng(3)
    vectors = random.normal(size=(3 * parallel_cosine.PIECE + 77, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vector = vectors[100]
    assert np.abs(parallel_cosine.cosines(vectors, vector, worth_it=0) - vectors @ vector).max() < 1e-6


def test_a_helper_that_gets_no_turn_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that is busy: what was handed over and not begun is taken back."""
    vectors, vector = whole_numbers(5 * parallel_cosine.PIECE, 4), whole_numbers(1, 5)[0]
    let_go = threading.Event()
    with ThreadPoolExecutor(1) as busy:
        busy.submit(let_go.wait)
        monkeypatch.setattr(parallel_cosine, "_helper", lambda: busy)
        try:
            assert np.array_equal(parallel_cosine.cosines(vectors, vector, worth_it=0), vectors @ vector)
        finally:
            let_go.set()


def test_what_fails_in_the_helper_fails() -> None:
    with pytest.raises(ValueError, match="matmul"):
        parallel_cosine.cosines(whole_numbers(3 * parallel_cosine.PIECE, 6), np.ones(7, dtype=np.float32), worth_it=0)
