"""Texts that make regular expressions go wrong, made from the expressions themselves.

Whatever an expression repeats is said again and again, behind what leads up to it and before what it cannot end with:
that is the text at which an engine that backtracks tries every way to divide it. Used by the test of what patterns cost
and by the torture of the steps that read texts.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import random
import re
import sys
from collections.abc import Iterator, Sequence
from re import _constants as code  # type: ignore[attr-defined]  # the parser of `re`, which has no types
from re import _parser  # type: ignore[attr-defined]  # ditto
from typing import Any

import soulmem
from soulmem.core.regex import lazy_regex
from soulmem.core.regex.lazy_regex import LazyPattern

LONG = 40  # a repetition that may be so long counts as one without an end
_TRIES = "a1 A一,，.。的\"\n-：:'"
_REPEATS = (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT)
_HOLDS_PARTS = {*_REPEATS, code.SUBPATTERN, code.BRANCH, code.ASSERT, code.ASSERT_NOT, code.ATOMIC_GROUP}
_PLAIN = {str, int, float, bytes, bool, type(None)}  # what most tables are made of
Parts = Sequence[tuple[Any, Any]]


Held = LazyPattern | re.Pattern[str]


def patterns_in_use() -> dict[str, re.Pattern[str]]:
    """All patterns for text that the modules of the daemon hold, by where they stand."""
    held = held_patterns().items()
    return {place: each.compiled() if isinstance(each, LazyPattern) else each for place, each in held}


def held_patterns() -> dict[str, Held]:
    """The same as the modules hold them: two of the same words are two, though `re` may compile them to one."""
    found: dict[int, tuple[str, Held]] = {}
    for module in pkgutil.walk_packages(soulmem.__path__, "soulmem."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    # The list of all that are compiled late comes last: where each stands says more.
    ours = (name for name in sys.modules if name.startswith("soulmem"))
    for name in sorted(ours, key=lambda name: (name.endswith(".lazy_regex"), name)):
        for key, value in vars(sys.modules[name]).items():
            if value is lazy_regex._compiled:
                continue  # what the others are compiled to, by whichever test came before: each is looked at itself
            for number, pattern in enumerate(_patterns_in(value, set())):
                found.setdefault(id(pattern), (f"{name}.{key}[{number}]", pattern))
    return dict(found.values())


def _patterns_in(value: Any, seen: set[int]) -> Iterator[Held]:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, LazyPattern):
        yield value
    elif isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        for each in (*value.keys(), *value.values()):
            if type(each) not in _PLAIN:
                yield from _patterns_in(each, seen)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            if type(each) not in _PLAIN:
                yield from _patterns_in(each, seen)
    elif type(value).__module__.startswith("soulmem") and not isinstance(value, type):
        for field in getattr(value, "__dataclass_fields__", ()):
            yield from _patterns_in(getattr(value, field, None), seen)


def pumps(pattern: re.Pattern[str], most: int = 20) -> tuple[str, ...]:
    """Units whose repetition is likely to cost this pattern most; the same for the same pattern."""
    tree = _parsed(pattern.pattern, pattern.flags)
    chance = random.Random(sum(map(ord, pattern.pattern)))
    units: dict[str, None] = {}
    for lead, body in _repetitions(tree, []):
        for each in _choices(body):
            said = _sample(each, chance)
            units.update(dict.fromkeys((said, _sample(lead, chance) + said)))
        units["".join(_sample(body, chance) for _ in range(3))] = None  # words that run into one another
    found = [unit for unit in units if unit]
    return tuple(found if len(found) <= most else chance.sample(found, most))


def said_by(pattern: re.Pattern[str], chance: random.Random) -> str:
    """A text that a pattern takes, but for what it only looks at."""
    return _sample(_parsed(pattern.pattern, pattern.flags), chance)


@functools.cache
def _parsed(text: str, flags: int) -> Parts:
    return list(_parser.parse(text, flags & ~re.UNICODE))


def pumped(unit: str, length: int) -> tuple[str, ...]:
    """So many characters of it, and something at the end that the pattern does not mean: no word, and a word.

    The last one stands amid words: there a pattern with one way for the begin of a text and another for its end, as
    that of what is stripped, tries the end from everywhere.
    """
    text = (unit * (length // len(unit) + 1))[:length]
    return text + "\x00", text + "qx", f"q{text}q"


def _repetitions(parts: Parts, lead: list[tuple[Any, Any]]) -> Iterator[tuple[Parts, Parts]]:
    """(what stands before it, what is repeated), for every repetition without an end."""
    for place, (kind, value) in enumerate(parts):
        if kind not in _HOLDS_PARTS:
            continue
        before = [*lead, *parts[:place]]
        if kind in _REPEATS:
            if value[1] is code.MAXREPEAT or value[1] >= LONG:
                yield before, value[2]
            yield from _repetitions(value[2], before)
        elif kind is code.SUBPATTERN:
            yield from _repetitions(value[3], before)
        elif kind is code.BRANCH:
            for branch in value[1]:
                yield from _repetitions(branch, before)
        elif kind in (code.ASSERT, code.ASSERT_NOT):
            yield from _repetitions(value[1], before)
        elif kind is code.ATOMIC_GROUP:
            yield from _repetitions(value, before)


def _choices(body: Parts) -> list[Parts]:
    """What is repeated, once for each word it may be."""
    parts = list(body)
    while len(parts) == 1 and parts[0][0] is code.SUBPATTERN:
        parts = list(parts[0][1][3])
    if len(parts) == 1 and parts[0][0] is code.BRANCH:
        return [list(branch) for branch in parts[0][1][1]]
    return [parts, parts]


def _sample(parts: Parts, chance: random.Random) -> str:
    """A text that these parts take; what is only looked at is left out."""
    said = []
    for kind, value in parts:
        if kind is code.LITERAL:
            said.append(chr(value))
        elif kind is code.NOT_LITERAL:
            said.append("b" if value == ord("a") else "a")
        elif kind is code.ANY:
            said.append(chance.choice("a一 "))
        elif kind is code.IN:
            said.append(_one_of(value, chance))
        elif kind is code.BRANCH:
            said.append(_sample(chance.choice(value[1]), chance))
        elif kind is code.SUBPATTERN:
            said.append(_sample(value[3], chance))
        elif kind is code.ATOMIC_GROUP:
            said.append(_sample(value, chance))
        elif kind in _REPEATS:
            times = min(value[0], 8) or chance.choice((0, 1))
            said += [_sample(value[2], chance) for _ in range(times)]
    return "".join(said)


def _one_of(items: Parts, chance: random.Random) -> str:
    named = [chr(value) for kind, value in items if kind is code.LITERAL]
    named += [chr(chance.randint(*value)) for kind, value in items if kind is code.RANGE]
    denied = any(kind is code.NEGATE for kind, _ in items)
    if named and not denied and chance.random() < 0.7:
        return chance.choice(named)
    one = _set_of(tuple(items))
    fitting = [each for each in (*_TRIES, *named) if one.match(each)]
    return chance.choice(fitting) if fitting else "a"


@functools.cache
def _set_of(items: tuple[tuple[Any, Any], ...]) -> re.Pattern[str]:
    """A pattern for one character; many patterns hold the same sets."""
    parts = _parser.SubPattern(_parser.State(), [(code.IN, list(items))])
    made: re.Pattern[str] = re._compiler.compile(parts)  # type: ignore[attr-defined]  # typeshed hides it
    return made
