"""Patterns that are compiled later find what they would have found at once, and none of them is mistaken."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import soulmem.core
from slowness import within
from soulmem.core.regex import lazy_regex
from soulmem.core.regex.lazy_regex import KeptPattern, LazyPattern, begin_of_tail, in_slices
from soulmem.text_memo import WordCache, forget_texts

TEXT, FLAGS = r"(b)|(?P<word>[a-z]+)", re.IGNORECASE
_LATE = """
import soulmem.daemon
from soulmem.core.regex import lazy_regex
assert len(lazy_regex._made) > 100, "the patterns of dates and names are there"
assert not [each for each in lazy_regex._made if each._compiled], "none is compiled by being imported"
"""


@pytest.mark.thorough
def test_reading_the_daemons_modules_compiles_none_of_them() -> None:
    subprocess.run([sys.executable, "-c", _LATE], check=True, timeout=60)


def test_every_one_can_be_compiled() -> None:
    for module in pkgutil.walk_packages(soulmem.core.__path__, "soulmem.core."):
        importlib.import_module(module.name)
    lazy_regex.compile_all()
    assert all(each._compiled for each in lazy_regex._made)


def test_who_stops_waits_for_one_at_the_most() -> None:
    made = [LazyPattern(f"late {number}") for number in range(3)]
    asked = iter([True, False])
    try:
        lazy_regex._made[:0] = made
        lazy_regex.compile_all(lambda: next(asked))
        assert [each._compiled is not None for each in made] == [True, False, False]
    finally:
        for each in made:
            while each in lazy_regex._made:
                lazy_regex._made.remove(each)


@given(st.text("abcB 1x", max_size=20), st.integers(0, 5), st.integers(0, 20))
def test_the_methods_are_those_of_a_compiled_one(text: str, start: int, end: int) -> None:
    now, later = re.compile(TEXT, FLAGS), LazyPattern(TEXT, FLAGS)
    lazy_regex._made.remove(later)
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
    assert later.search == later.compiled().search, "once it is there, nothing stands between"


@given(st.text("ab cx", max_size=14))
def test_the_tail_begins_where_the_run_at_the_end_does(text: str) -> None:
    piece = LazyPattern(r"a|ab|b{1,3}c?|\bx")
    lazy_regex._made.remove(piece)
    found = re.search(rf"(?:{piece.compiled().pattern})+\Z", text)
    assert begin_of_tail(piece, text) == (found.start() if found else len(text))


def test_a_run_that_can_be_divided_in_many_ways_is_looked_at_once() -> None:
    piece = LazyPattern(r"从[\u4e00-\u9fff]{1,6}|家")
    lazy_regex._made.remove(piece)
    began = time.thread_time()
    assert begin_of_tail(piece, "从家家家" * 60 + "x") == 241
    assert begin_of_tail(piece, "x" + "从家家家" * 60) == 1
    assert time.thread_time() - began < within(0.05)


@given(st.text(alphabet="ab. \n。", max_size=40).map(lambda text: text * 1_000), st.integers(0, 3))
def test_what_is_sought_in_slices_is_what_is_found_at_once(text: str, behind: int) -> None:
    pattern = LazyPattern(r"(?<![ab])a[ab]{0,9}")  # no word goes beyond a blank, so no cut divides one
    text = " " * behind + text
    found = [match.span() for match in in_slices(pattern, text)]
    if " " in text.strip() or "\n" in text or "。" in text or len(text) <= lazy_regex._SLICE:
        assert found == [match.span() for match in pattern.finditer(text)]
    assert b"".join(text[begin:end].encode() for begin, end in found).count(b"a") <= text.count("a")


@given(st.lists(st.text("ab 岁", max_size=6), max_size=12), st.integers(0, 4), st.integers(0, 6))
def test_what_is_kept_of_short_texts_is_what_is_found(texts: list[str], start: int, end: int) -> None:
    kept, now = KeptPattern("a+|岁$"), re.compile("a+|岁$")
    lazy_regex._made.remove(kept)
    for text in texts * 2:
        for method in ("search", "match"):
            for bounds in ((), (start,), (start, end)):
                one, other = getattr(kept, method)(text, *bounds), getattr(now, method)(text, *bounds)
                assert (one and one.span()) == (other and other.span())


def test_a_pattern_keeps_few_answers_of_short_texts_and_forgets_them_with_the_texts() -> None:
    asked: list[str] = []
    answers = WordCache(asked.append, lazy_regex._MOST_KEPT, lazy_regex._LONGEST_KEPT)
    for text in ("short", "short", "long " * 100, "long " * 100):
        assert answers[text] is None
    assert asked == ["short", "long " * 100, "long " * 100]
    for number in range(lazy_regex._MOST_KEPT * 2):
        assert answers[str(number)] is None
    assert len(answers) <= lazy_regex._MOST_KEPT
    forget_texts()
    assert not answers
