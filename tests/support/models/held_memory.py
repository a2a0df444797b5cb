"""How much memory an object holds, with all that it holds in turn: arrays by their bytes, what they share once."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np


def held_bytes(thing: object) -> int:
    """Bytes of an object of ours and of the arrays, dicts and lists in it."""
    seen: dict[int, object] = {}
    waiting: list[Any] = [thing]
    total = 0
    while waiting:
        each = waiting.pop()
        while isinstance(each, np.ndarray) and isinstance(each.base, np.ndarray):
            each = each.base
        if id(each) in seen or callable(each):
            continue
        seen[id(each)] = each
        total += each.nbytes if isinstance(each, np.ndarray) else sys.getsizeof(each)
        waiting += _parts(each)
    return total


def _parts(each: Any) -> Iterator[Any]:
    if isinstance(each, Mapping):
        yield from each.keys()
        yield from each.values()
    elif isinstance(each, list | tuple | set | frozenset):
        yield from each
    elif type(each).__module__.startswith("soulmem"):
        yield from getattr(each, "__dict__", {}).values()
        yield from (getattr(each, name) for name in getattr(type(each), "__slots__", ()) if hasattr(each, name))
