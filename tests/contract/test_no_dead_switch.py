"""Every setting, every parameter of a method and every field of a model's answer is read, and settings have tests.

A switch that nothing reads is worse than none: whoever turns it believes that something happens.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import soulmem
from soulmem.ops.settings.setting_keys import KEYS, variable_name

SOURCES = Path(soulmem.__file__).parent
TESTS = Path(__file__).parents[1]
# Read by code, and turned by no test: none may be added here.
UNTURNED = {
    "window.include_context", "recall.coalesce_above", "embedder.api_key_file", "engine.pause_s",
    "forgetting.sweep_cap", "forgetting.clause_days", "forgetting.journal_days",
}  # fmt: skip
METHODS = sorted((SOURCES / "schemas" / "rpc").glob("*.json"))
CONTRACTS = sorted((SOURCES / "llm" / "contracts").glob("*.py"))
_NAMED_ONLY = {"test_config.py", "test_config_schema.py", "test_variables.py", Path(__file__).name}


@cache
def trees() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in SOURCES.rglob("*.py")}


def read_in(tree: ast.AST) -> Iterator[str]:
    """The attributes that code reads, and does not only set."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr


@cache
def attributes_read() -> frozenset[str]:
    """… anywhere but where settings are declared."""
    return frozenset(
        name for file, tree in trees().items() if file.name != "setting_sections.py" for name in read_in(tree)
    )


@cache
def texts_of_tests() -> str:
    files = (file for file in TESTS.rglob("*.py") if file.name not in _NAMED_ONLY)
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_setting_is_read() -> None:
    sections = SOURCES / "ops" / "settings" / "setting_sections.py"
    by_hand = set(read_in(trees()[sections]))  # some are read together there: `fading_of`, `dormancy_of`
    keys = {key for key in KEYS if not key.endswith(".api_key_file")}  # read by name, where secrets are found
    assert [key for key in keys if key.rpartition(".")[2] not in attributes_read() | by_hand] == []
    assert "api_key_file" in (SOURCES / "ops" / "settings" / "setting_sources.py").read_text(encoding="utf-8")


def test_every_setting_has_a_test_of_its_effect() -> None:
    assert {key for key in KEYS if not _is_turned(key)} == UNTURNED


def _is_turned(key: str) -> bool:
    name = re.escape(key.rpartition(".")[2])
    named = rf"\b{re.escape(key)}\b" if "." in key else rf'"{name}"|\b{name}='
    ways = rf'{named}|\b{variable_name(key)}\b|"{name}": |\b{name}=|^{name} = '
    return re.search(ways, texts_of_tests(), re.MULTILINE) is not None


@pytest.mark.parametrize("file", METHODS, ids=lambda file: file.stem)
def test_a_parameter_is_read(file: Path) -> None:
    described = json.loads(file.read_text(encoding="utf-8"))
    given = described.get("params", {}).get("properties", {})
    folder = SOURCES / "rpc" / "methods"
    read = {name for path, tree in trees().items() if folder in path.parents for name in read_in(tree)}
    assert [name for name in given if name not in read and f"{name}_" not in read] == []


@pytest.mark.parametrize("file", CONTRACTS, ids=lambda file: file.stem)
def test_a_field_of_an_answer_is_read(file: Path) -> None:
    tree = trees()[file]
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    fields = [
        each.target.id
        for one in classes
        for each in one.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    ]
    assert [name for name in fields if name not in set(read_in(tree))] == []
