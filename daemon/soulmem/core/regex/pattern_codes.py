"""Pattern codes: the numbers that `re` makes of a pattern before it can be asked, so that they can be kept.

To make them of our thousand patterns takes more than a second of processor, and most of what a daemon needs at first;
to make the patterns of them takes a fiftieth of that. `re` does both at once, so its own two halves are called here.
`lazy_regex` asks for codes, `ops/process/pattern_cache` keeps them from one start to the next. Invariants: a pattern
made of its codes equals that of `re.compile`; codes hold for the `BUILD` that made them and for no other.
"""

from __future__ import annotations

import re
import sys
from array import array
from importlib import import_module
from typing import Any

Key = tuple[str, int]  # a pattern as it is compiled, and its flags
Codes = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]

_NUMBER = "I"


def _halves() -> tuple[Any, Any, Any] | None:
    """The parser of `re`, its compiler and its engine; None where they are others than those that are known here."""
    try:
        parser, compiler, engine = map(import_module, ("re._parser", "re._compiler", "_sre"))
    except ImportError:
        return None
    is_known = hasattr(parser, "parse") and hasattr(compiler, "_code") and hasattr(engine, "compile")
    return (parser, compiler, engine) if is_known and array(_NUMBER).itemsize == engine.CODESIZE else None


_HALVES = _halves()
# What the codes depend on besides the pattern.
BUILD = (sys.implementation.cache_tag or "", sys.hexversion, _HALVES[2].MAGIC if _HALVES else 0, sys.byteorder)


def codes_of(key: Key) -> Codes | None:
    """What `re` makes of a pattern; None where it cannot be asked."""
    if _HALVES is None:
        return None
    text, flags = key
    parser, compiler, _ = _HALVES
    parsed = parser.parse(text, flags)
    state, names = parsed.state, parsed.state.groupdict
    named: list[str | None] = [None] * state.groups
    for name, group in names.items():
        named[group] = name
    numbers = array(_NUMBER, compiler._code(parsed, flags)).tobytes()
    return flags | state.flags, numbers, state.groups - 1, dict(names), tuple(named)


def pattern_of(key: Key, codes: Codes) -> re.Pattern[str] | None:
    """The pattern that has these codes; None if they are none, for the engine checks them."""
    if _HALVES is None:
        return None
    flags, numbers, groups, names, named = codes
    held = array(_NUMBER)
    try:
        held.frombytes(numbers)
        made: re.Pattern[str] = _HALVES[2].compile(key[0], flags, held.tolist(), groups, names, named)
    except (RuntimeError, TypeError, ValueError, OverflowError):
        return None
    return made
