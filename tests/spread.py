"""Tables of which `make test` tries a part: each entry of each column once, with another of the others each time.

A table is the product of its columns, and grows with each. What goes wrong in one cell nearly always goes wrong in its
row or its column as well, so the fast form has as many cells as the longest column has entries; `make torture` has all.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Collection, Sequence
from typing import Any

IN_FULL = "SOULMEM_TORTURE" in os.environ


def spread(*columns: Collection[Any], in_full: bool = IN_FULL) -> list[tuple[Any, ...]]:
    """The cells of the table that are tried, in its order: rows for `parametrize`, or for a loop in a test.

    A column that is as long as a former one, or a divisor of it, moves on by one whenever it is through: else the same
    two would always meet.
    """
    held = [tuple(column) for column in columns]
    assert all(held), "a column without entries proves nothing"
    if in_full:
        return list(itertools.product(*held))
    return [
        tuple(column[_place(number, held, at)] for at, column in enumerate(held))
        for number in range(max(map(len, held)))
    ]


def _place(number: int, columns: Sequence[Sequence[Any]], at: int) -> int:
    """Where in a column the cell of this number lies."""
    size = len(columns[at])
    through = sum(number // math.lcm(size, len(former)) for former in columns[:at])
    return (number + through) % size


def every(step: int, entries: Collection[Any], *, in_full: bool = IN_FULL) -> list[Any]:
    """Of many entries alike, every so many-th, the first among them; all of them in torture."""
    return list(entries) if in_full else list(entries)[::step]
