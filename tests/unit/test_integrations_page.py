"""The page of the parts for other programs names tests that exist, and every part there is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "integrations.md").read_text("utf-8")


def _tests() -> set[str]:
    named = set(re.findall(r"`(test_\w+\.py)::", PAGE))
    return {
        f"{path.name}::{node.name}"
        for path in (ROOT / "tests" / "integration").rglob("test_*.py")
        if path.name in named
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


def test_each_cell_names_a_test_that_exists() -> None:
    rows = [line for line in PAGE.splitlines() if "::test_" in line]
    cells = [cell.strip() for row in rows for cell in row.strip("|").split("|")[1:]]
    assert len(rows) == 18
    assert len(cells) == 9 * 4 + 9 * 2
    assert not {cell.strip("`") for cell in cells} - _tests()


def test_every_part_stands_on_the_page_and_has_a_readme_of_its_own() -> None:
    parts = [path for path in (ROOT / "integrations").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(parts) >= 5
    for part in parts:
        assert f"../integrations/{part.name}/README.md" in PAGE
        assert (part / "README.md").is_file()
        assert 2 <= len([path for path in part.iterdir() if path.is_file() and path.suffix != ".pyc"]) <= 5
