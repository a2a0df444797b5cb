"""Every setting, every parameter of a method and every field of a model's answer is read, and settings have tests.

A switch that nothing reads is worse than none: whoever turns it believes that something happens.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import soulmem
from soulmem.ops.settings.setting_keys import KEYS, variable_name

SOURCES = Path(soulmem.__file__).parent
TESTS = Path(__file__).parents[1]
METHODS = sorted((SOURCES / "schemas" / "rpc").glob("*.json"))
CONTRACTS = sorted((SOURCES / "llm" / "contracts").glob("*.py"))
_NAMED_ONLY = {"test_config.py", "test_config_schema.py", "test_variables.py", Path(__file__).name}


@cache
def source(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def reads(file: Path) -> frozenset[str]:
    """The attributes that the code of a file reads, and does not only set."""
    nodes = ast.walk(ast.parse(source(file)))
    return frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load))


def is_read(name: str, files: Iterable[Path]) -> bool:
    """Whether any of the files reads this attribute; only those that hold the name are parsed, up to one that does."""
    return any(name in reads(file) for file in files if f".{name}" in source(file))


@cache
def lines_of_tests() -> str:
    files = (file for file in TESTS.rglob("*.py") if file.name not in _NAMED_ONLY)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_setting_is_read() -> None:
    sections = SOURCES / "ops" / "settings" / "setting_sections.py"  # some are read together there: `fading_of`
    files = [sections, *sorted(SOURCES.rglob("*.py"))]
    keys = {key for key in KEYS if not key.endswith(".api_key_file")}  # read by name, where secrets are found
    assert [key for key in keys if not is_read(key.rpartition(".")[2], files)] == []
    assert "api_key_file" in (SOURCES / "ops" / "settings" / "setting_sources.py").read_text(encoding="utf-8")


def test_every_setting_has_a_test_of_its_effect() -> None:
    assert [key for key in KEYS if not _is_turned(key)] == []


def _is_turned(key: str) -> bool:
    name = re.escape(key.rpartition(".")[2])
    named = rf"\b{re.escape(key)}\b" if "." in key else rf'"{name}"|\b{name}='
    ways = re.compile(rf'{named}|\b{variable_name(key)}\b|"{name}": |\b{name}=|^{name} = ')
    return any(ways.search(line) for word in (name, variable_name(key)) for line in _lines_with(word))


def _lines_with(word: str) -> Iterator[str]:
    """The lines of the tests that hold a word: to look for that alone costs a twentieth of a pattern."""
    text, at = lines_of_tests(), -1
    while (at := text.find(word, at + 1)) >= 0:
        end = text.find("\n", at)
        yield text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)]
        at = end if end >= 0 else len(text)


@pytest.mark.parametrize("file", METHODS, ids=lambda file: file.stem)
def test_a_parameter_is_read(file: Path) -> None:
    described = json.loads(file.read_text(encoding="utf-8"))
    given = described.get("params", {}).get("properties", {})
    files = sorted((SOURCES / "rpc" / "methods").rglob("*.py"))
    assert [name for name in given if not is_read(name, files) and not is_read(f"{name}_", files)] == []


@pytest.mark.parametrize("file", CONTRACTS, ids=lambda file: file.stem)
def test_a_field_of_an_answer_is_read(file: Path) -> None:
    classes = [node for node in ast.parse(source(file)).body if isinstance(node, ast.ClassDef)]
    fields = [
        each.target.id
        for one in classes
        for each in one.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    assert [name for name in fields if name not in reads(file)] == []
