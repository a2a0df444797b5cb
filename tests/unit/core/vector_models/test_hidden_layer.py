"""A network of the vector models says of two vectors what its parts say of them, added up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.vector_models.hidden_layer import Network, judged, product

WIDTH, UNITS, RANKS = 6, 5, 3


def network(chance: np.random.Generator) -> Network:
    hidden = [chance.normal(size=(WIDTH, UNITS)).astype(np.float32) for _ in range(3)]
    across = [chance.normal(size=(WIDTH, RANKS)).astype(np.float32) for _ in range(2)]
    bias, last = (chance.normal(size=UNITS).astype(np.float32) for _ in range(2))
    return Network(*hidden, bias, last, *across, chance.normal(size=WIDTH).astype(np.float32), float(chance.normal()))


@given(st.integers(0, 10_000), st.integers(1, 5))
def test_a_logit_is_the_sum_of_what_each_part_says(seed: int, count: int) -> None:
    chance = np.random.default_rng(seed)
    using = network(chance)
    first = chance.normal(size=WIDTH).astype(np.float32)
    second = chance.normal(size=(count, WIDTH)).astype(np.float32)
    expected = []
    for each in second:
        agree = product(first[None, :], each[None, :])[0]
        lit = first @ using.first + each @ using.second + agree @ using.product + using.hidden_bias
        across = (first @ using.across_first) @ (each @ using.across_second)
        expected.append(np.maximum(lit, 0) @ using.last + across + each @ using.alone + using.bias)
    assert np.allclose(judged(using, first, second), expected, atol=1e-3)
