"""Where a cosine stands among all: what is like beyond chance comes first, whatever words say; nothing else moves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from soulmem.core.search.cosine_calibration import MOST_SURE, SURE_FROM, Scale
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit, SearchIndex, _total
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import text_hashes

NOTE = ItemKind.NOTE
Floats = NDArray[np.float32]
WIDTH = 64


def unit(draw: np.random.Generator) -> Floats:
    vector = draw.standard_normal(WIDTH).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def filled(count: int, near: float, *, seed: int = 5) -> tuple[SearchIndex, Floats]:
    """Notes of which one shares every word of the question and another, the last, lies `near` (cosine) by meaning."""
    draw, index = np.random.default_rng(seed), SearchIndex()
    asked = unit(draw)
    for key in range(1, count + 1):
        text = "我最近老是失眠 trouble at night" if key == 1 else f"别的 number {key}"
        index.add(NOTE, key, terms=text_hashes(text))
        vector = unit(draw)
        if key == count:
            aside = vector - (vector @ asked) * asked
            vector = near * asked + np.sqrt(1 - near**2) * aside / np.linalg.norm(aside)
        index.set_vectors(NOTE, key, vector.astype(np.float32))
    return index, asked


def found(index: SearchIndex, asked: Floats, k: int = 10) -> list[Hit]:
    return index.search(Query(question=read_question("我最近老是失眠"), k=k, vector=asked))


def test_likeness_beyond_chance_ranks_before_words() -> None:
    index, asked = filled(300, near=0.95)
    first, second = found(index, asked)[:2]
    assert (first.key, second.key) == (300, 1)
    assert first.channels == {"lexical": 0.0, "dense": pytest.approx(1.0)}
    assert 0 < second.score < first.score <= 1


@pytest.mark.parametrize(("count", "near"), [(300, 0.45), (20, 0.95), (2, 0.95)])
def test_what_chance_might_make_does_not(count: int, near: float) -> None:
    index, asked = filled(count, near)
    assert found(index, asked)[0].key == 1


def test_how_sure_is_counted_from_where_chance_ends() -> None:
    cosines = np.array([*np.linspace(-0.2, 0.2, 400), 0.9], dtype=np.float32)
    scale = Scale.of(cosines)
    above = (0.9 - cosines.mean()) / cosines.std()
    assert above > SURE_FROM
    assert scale.surest == pytest.approx(min(MOST_SURE, above - SURE_FROM), abs=1e-3)
    sure = scale.sure(cosines)
    assert sure is not None
    assert not sure[:-1].any()
    assert sure[-1] == pytest.approx(scale.surest, abs=1e-3)
    assert Scale.of(cosines[:-1]).sure(cosines[:-1]) is None
    assert Scale.of(cosines[:1]).surest == Scale.of(np.zeros(9, dtype=np.float32)).surest == 0


@pytest.mark.thorough
@given(st.integers(0, 10_000), st.floats(0.1, 0.99), st.integers(1, 12))
def test_what_is_left_out_could_not_have_come_back(seed: int, near: float, k: int) -> None:
    index, asked = filled(60, near, seed=seed)
    query = Query(question=read_question("我最近老是失眠"), k=k, vector=asked)
    worded = index.words_of(query)
    likeness = index._likeness(query.vector, worded.rows)
    total = _total(index._evidence(worded, np.arange(len(worded.rows)), likeness))
    best = index._best(total, worded.rows, k)
    assert [hit.key for hit in index.search(query)] == index._data.rows.key[worded.rows[best]].tolist()
