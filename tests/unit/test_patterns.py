"""Patterns that are compiled later find what they would have found at once, and none of them is mistaken."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

import soulmem.core
from soulmem.core import patterns
from soulmem.core.patterns import LazyPattern

TEXT, FLAGS = r"(b)|(?P<word>[a-z]+)", re.IGNORECASE
_LATE = """
import soulmem.daemon
from soulmem.core import patterns
assert len(patterns._made) > 100, "the patterns of dates and names are there"
assert not [each for each in patterns._made if each._compiled], "none is compiled by being imported"
"""


def test_reading_the_daemons_modules_compiles_none_of_them() -> None:
    subprocess.run([sys.executable, "-c", _LATE], check=True, timeout=60)


def test_every_one_can_be_compiled() -> None:
    for module in pkgutil.walk_packages(soulmem.core.__path__, "soulmem.core."):
        importlib.import_module(module.name)
    patterns.compile_all()
    assert all(each._compiled for each in patterns._made)


@given(st.text("abcB 1x", max_size=20), st.integers(0, 5), st.integers(0, 20))
def test_the_methods_are_those_of_a_compiled_one(text: str, start: int, end: int) -> None:
    now, later = re.compile(TEXT, FLAGS), LazyPattern(TEXT, FLAGS)
    patterns._made.remove(later)
    for method in ("search", "match", "fullmatch"):
        for bounds in ((), (start,), (start, end)):
            one, other = getattr(later, method)(text, *bounds), getattr(now, method)(text, *bounds)
            assert (one and (one.span(), one.groups())) == (other and (other.span(), other.groups()))
    spans = [match.span() for match in later.finditer(text, start, end)]
    assert spans == [match.span() for match in now.finditer(text, start, end)]
    assert later.findall(text) == now.findall(text)
    assert later.split(text, 2) == now.split(text, 2)
    assert later.sub(lambda match: match[0].upper(), text, 2) == now.sub(lambda match: match[0].upper(), text, 2)
    assert later.sub("-", text) == now.sub("-", text)
