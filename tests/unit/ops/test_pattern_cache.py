"""What is made of patterns is kept for the next process, and nothing but that: no stale, damaged or foreign codes."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import soulmem.core
import soulmem.llm.extractive
import written_patterns
from soulmem.core.regex import lazy_regex, pattern_codes
from soulmem.core.regex.caseless_classes import with_caseless_classes
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.regex.pattern_codes import codes_of, pattern_of

_PROCESS = """
import sys, re
from soulmem.core.regex import lazy_regex
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.ops.process import pattern_cache
pattern_cache.load()
given = len(lazy_regex._given)
one, other = LazyPattern(sys.argv[1]), LazyPattern("岁|[a-z]+", re.IGNORECASE)
assert one.search("x 12 y")[0] == "12" and other.findall("A岁") == ["A", "岁"]
print(given, len(lazy_regex._fresh))
pattern_cache.save()
assert not lazy_regex._fresh
"""


@pytest.mark.thorough
def test_of_its_codes_each_pattern_is_made_as_it_is_compiled() -> None:
    for package in (soulmem.core, soulmem.llm.extractive):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    assert len(lazy_regex._made) > 1_000
    for each in lazy_regex._made[:: 1 if "SOULMEM_TORTURE" in os.environ else 4]:
        text = with_caseless_classes(each._text) if each._flags & re.IGNORECASE else each._text
        codes = codes_of((text, int(each._flags)))
        assert codes is not None, "this build of Python is known"
        made = pattern_of((text, int(each._flags)), codes)
        assert made == re.compile(text, each._flags), each
        assert made.groupindex == re.compile(text, each._flags).groupindex


@given(st.text("ab B1", max_size=12))
def test_made_of_codes_it_finds_the_same(text: str) -> None:
    key = r"(b)|(?P<word>[a-z]+)|(?:(?P<number>\d)|\b)+ ", int(re.IGNORECASE)
    codes = codes_of(key)
    assert codes is not None
    made, own = pattern_of(key, codes), re.compile(*key)
    assert made is not None
    found = [(each.span(), each.groups(), each.groupdict(), each.lastgroup) for each in made.finditer(text)]
    assert found == [(each.span(), each.groups(), each.groupdict(), each.lastgroup) for each in own.finditer(text)]


def test_what_are_no_codes_is_compiled_from_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = codes_of((r"\d+", 0))
    assert codes is not None
    for numbers in (codes[1][:-4], b"\xff\xff\xff\xff" * 5, b"", b"abc"):
        assert pattern_of((r"\d+", 0), (codes[0], numbers, *codes[2:])) is None
        monkeypatch.setattr(lazy_regex, "_given", {(r"\d+", 0): (codes[0], numbers, *codes[2:])})
        pattern = LazyPattern(r"\d+")
        lazy_regex._made.remove(pattern)
        assert pattern.findall("a12") == ["12"]


def test_where_re_is_another_it_compiles_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_codes, "_HALVES", None)
    monkeypatch.setattr(lazy_regex, "_fresh", {})
    pattern = LazyPattern(r"\d+")
    lazy_regex._made.remove(pattern)
    assert pattern.findall("a12") == ["12"]
    assert lazy_regex.take_fresh_codes() == {}


def _started(place: Path, pattern: str = r"\d+", **environment: str) -> tuple[int, int]:
    """How many codes a process was given, and how many it had to make."""
    names = {**os.environ, "PYTHONPYCACHEPREFIX": str(place), "PYTHONDONTWRITEBYTECODE": "", **environment}
    run = subprocess.run(
        [sys.executable, "-c", _PROCESS, pattern], env=names, check=True, timeout=60, capture_output=True, text=True
    )
    given_codes, made = map(int, run.stdout.split())
    return given_codes, made


def _kept(place: Path) -> list[Path]:
    return [*place.rglob("patterns*")]


@pytest.mark.thorough
def test_the_next_process_compiles_none_of_them(tmp_path: Path) -> None:
    assert _started(tmp_path) == (0, 2)
    assert _started(tmp_path) == (2, 0)
    assert _started(tmp_path, r"\d\d") == (2, 1), "another pattern is made anew"
    assert _started(tmp_path, r"\d\d") == (3, 0)
    (file,) = _kept(tmp_path)
    held = file.read_bytes()
    for damaged in (held[:-1], held[:40] + b"\0" + held[41:], b"", b"soulmem", held[:19], held[:19] + bytes(4)):
        file.write_bytes(damaged)
        assert _started(tmp_path) == (0, 2), "a damaged file is as none, and is replaced"
    assert _started(tmp_path) == (2, 0)


@pytest.mark.thorough
def test_who_wants_no_such_files_gets_none(tmp_path: Path) -> None:
    assert _started(tmp_path, PYTHONDONTWRITEBYTECODE="1") == (0, 2)
    assert not _kept(tmp_path)


@pytest.mark.thorough
def test_where_nothing_can_be_written_all_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")
    assert _started(tmp_path / "file") == (0, 2)
    assert _started(tmp_path / "file") == (0, 2)


_WRITTEN = """
import json, sys
sys.path[:0] = sys.argv[1:]
from written_patterns import written
print(json.dumps(written()))
"""


@pytest.mark.thorough
def test_every_process_writes_the_patterns_alike() -> None:
    """Else what was kept of one would be of no use, and each start would keep another.

    This process is one of the two; tests may have made patterns in it besides.
    """
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    other = subprocess.run(
        [sys.executable, "-c", _WRITTEN, str(Path(written_patterns.__file__).parent)],
        env={**os.environ, "PYTHONHASHSEED": seed}, check=True, timeout=60, capture_output=True,
    ).stdout  # fmt: skip
    theirs, ours = set(map(tuple, json.loads(other))), set(written_patterns.written())
    assert len(theirs) > 1_000
    assert theirs <= ours
