"""Vectors of two parts: texts of several languages are compared over what both have, and all else stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from soulmem.core.conversation import topic_shift
from soulmem.core.schema.two_part_vectors import MOSTLY_FIRST, cosines, cosines_to, marked, shared_from, shares
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.text import tokens

Floats = NDArray[np.float32]
START, WIDTH = 4, 10
ENGLISH, CHINESE = 0.9, 0.0  # of the squared length, the first part


def unit(draw: np.random.Generator, width: int) -> Floats:
    vector = draw.standard_normal(width).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def vector(first: Floats, second: Floats, part: float) -> Floats:
    return np.concatenate([np.sqrt(np.float32(part)) * first, np.sqrt(np.float32(1 - part)) * second])


def test_a_fingerprint_says_where_the_shared_part_begins() -> None:
    assert shared_from(marked("0123456789ab", 384)) == 384
    assert shared_from("0123456789ab") == shared_from("hashing") == shared_from("") == 0
    assert marked("0123456789ab", 384).isalnum(), "it is part of a table's name"


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1), st.floats(0, 0.95), st.floats(0, 0.95))
def test_it_is_a_weighted_mean_of_the_cosines_in_both_parts(seed: int, one: float, other: float) -> None:
    draw = np.random.default_rng(seed)
    firsts, seconds = [unit(draw, START) for _ in "ab"], [unit(draw, WIDTH - START) for _ in "ab"]
    left, right = (vector(f, s, part)[None] for f, s, part in zip(firsts, seconds, (one, other), strict=True))
    in_each = float(firsts[0] @ firsts[1]), float(seconds[0] @ seconds[1])
    found = float(cosines(left, right, START)[0, 0])
    assert min(in_each) - 1e-4 <= found <= max(in_each) + 1e-4
    if one == 0 or other == 0:
        assert found == pytest.approx(in_each[1], abs=1e-4)
    if max(float(shares(left[0], START)), float(shares(right[0], START))) < MOSTLY_FIRST:
        assert found == pytest.approx(in_each[0], abs=1e-4), "as if there were no second part"
    elif one == other:
        assert found == pytest.approx(float((left @ right.T)[0, 0]), abs=1e-4)
    assert float(cosines(left, right, 0)[0, 0]) == float((left @ right.T)[0, 0])
    nothing = np.zeros((1, WIDTH), dtype=np.float32)
    assert not cosines(nothing, left, START).any()


@pytest.mark.thorough
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.3, 0.9]), st.integers(0, 30), st.integers(0, 30))
def test_one_against_many_is_the_same_whatever_is_read(seed: int, part: float, english: int, chinese: int) -> None:
    draw = np.random.default_rng(seed)
    kinds = [ENGLISH] * english + [CHINESE] * chinese + [0.4]
    draw.shuffle(kinds)
    many = np.stack([vector(unit(draw, START), unit(draw, WIDTH - START), each) for each in kinds])
    asked = vector(unit(draw, START), unit(draw, WIDTH - START), part)
    found = cosines_to(many, shares(many, START), asked, START, np.matmul)
    assert found == pytest.approx(cosines(many, asked[None], START)[:, 0], abs=1e-5)


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_an_index_compares_over_what_both_have(language: float) -> None:
    draw = np.random.default_rng(7)
    index = SearchIndex(shared_from=START)
    told: dict[int, tuple[Floats, Floats, float]] = {}
    for key in range(1, 41):
        index.add(ItemKind.NOTE, key, terms=tokens.text_hashes(f"note {key}"))
        told[key] = unit(draw, START), unit(draw, WIDTH - START), ENGLISH if key % 2 else CHINESE
        index.set_vectors(ItemKind.NOTE, key, vector(*told[key]))
    first, second = unit(draw, START), unit(draw, WIDTH - START)
    asked = vector(first, second, language)

    def expected(key: int) -> float:
        own_first, own_second, part = told[key]
        if part == language == ENGLISH:
            return float(first @ own_first)
        return float(second @ own_second)

    def check() -> None:
        found = index.nearest(asked, 100)
        assert {hit.key: hit.score for hit in found} == {key: pytest.approx(expected(key), abs=1e-5) for key in told}
        assert index.cosines(asked, ItemKind.NOTE, told) == {
            key: pytest.approx(expected(key), abs=1e-5) for key in told
        }

    check()
    for gone in (2, 3, 5):
        index.remove(ItemKind.NOTE, gone)
        del told[gone]
    index.compact()
    index.replace_terms(ItemKind.NOTE, 8, tokens.text_hashes("other words"))
    index.set_vectors(ItemKind.NOTE, 9, vector(*told[9]), vector(*told[9]))
    check()


def test_another_language_is_no_other_topic() -> None:
    draw = np.random.default_rng(3)
    first, second = unit(draw, START), unit(draw, WIDTH - START)
    said = [
        topic_shift.utterance(text, vector=vector(first, second, ENGLISH))
        for text in ("We looked at flats near the harbour", "The rent was shocking everywhere", "Kitchens looked tiny")
    ]
    chinese = "我觉得那些房子的租金实在太贵了"
    same = topic_shift.utterance(chinese, vector=vector(first, second, CHINESE))
    other = topic_shift.utterance(chinese, vector=vector(first, -second, CHINESE))
    assert not topic_shift.is_change(same, said, shared_from=START)
    assert topic_shift.is_change(other, said, shared_from=START)
    assert topic_shift.is_change(same, said), "compared as if both were of one part, they would lie far apart"
