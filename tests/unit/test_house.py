"""The house stays in order: small folders and files, names that say something, citations that lead somewhere."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

from every_row import every_row
from warm_start import WARM

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "daemon" / "soulmem"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)
FOLDERS = sorted({path.parent for path in FILES})
MOST_FILES, MOST_LINES = 14, 350
# one file for each command, task or method group: as many as there are
MANY_OF_ONE_KIND = {"cli/commands", "llm/contracts", "llm/extractive/tasks"}
BANNED = {"utils", "util", "helpers", "helper", "misc", "common", "stuff", "manager", "base"}
PARTS = [*(ROOT / "integrations").glob("*/README.md"), *(ROOT / "examples").glob("*/README.md")]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"), *PARTS])
CITING = sorted(
    path for folder in ("daemon", "tests", "benchmarks", "integrations") for path in (ROOT / folder).rglob("*.py")
)


def _name(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@every_row(FOLDERS)
def test_a_folder_is_small_and_says_what_it_holds(folder: Path) -> None:
    init = folder / "__init__.py"
    assert init.is_file()
    sentence = ast.get_docstring(ast.parse(init.read_text("utf-8"))) or ""
    assert sentence.split("\n\n")[0].rstrip().endswith("."), f"{_name(init)} has no sentence of purpose"
    modules = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    if _name(folder) not in MANY_OF_ONE_KIND:
        assert len(modules) <= MOST_FILES, f"{_name(folder)}: {len(modules)} files, divide it"


def test_files_are_short() -> None:
    lines = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in CITING}
    over = {name: count for name, count in lines.items() if count > MOST_LINES}
    assert not over, f"longer than {MOST_LINES} lines: {over}"


def test_names_say_something() -> None:
    named = {path.stem for path in FILES} | {path.name for path in FOLDERS}
    assert not named & BANNED - {"base"}, named & BANNED
    assert not {path.stem for path in FILES} & {"base"}


def test_a_basename_stands_once_or_for_the_same_thing_on_two_floors() -> None:
    places: dict[str, list[str]] = {}
    for path in FILES:
        if path.name != "__init__.py":
            places.setdefault(path.stem, []).append(_name(path))
    twice = {name: found for name, found in places.items() if len(found) > 1}
    # each task once by contract and once by extraction; an audience as a value, on disk, and of a call
    tasks = {"llm/contracts/{}.py", "llm/extractive/tasks/{}.py"}
    floors = {name: found for name, found in twice.items() if {each.replace(name, "{}") for each in found} != tasks}
    assert floors.keys() <= {"audience"}, floors


def test_each_module_opens_with_what_it_owns() -> None:
    bare = [_name(path) for path in FILES if not path.read_text("utf-8").startswith(('"""', 'r"""'))]
    assert not bare


def _named_paths(text: str) -> set[str]:
    return set(re.findall(r"`((?:daemon/soulmem|tests|benchmarks|schemas|systemd|examples|docs|\.ci)/[\w./-]+)`", text))


@every_row(PAGES)
def test_paths_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    short = set(re.findall(r"`([a-z_]+(?:/[a-z_0-9]+)+\.py)`", text))
    missing = {name for name in _named_paths(text) if "NNNN" not in name and not (ROOT / name).exists()}
    missing |= {name for name in short if not (PACKAGE / name).exists() and not (ROOT / name).exists()}
    assert not missing
    for link in re.findall(r"\]\(([^)#\s]+)", text):
        assert "://" in link or (page.parent / link).exists(), link


def _sections(page: Path) -> set[str]:
    return set(re.findall(r"^#+ (\d+(?:\.\d+)*)\b", page.read_text("utf-8"), re.MULTILINE))


def test_every_cited_section_exists() -> None:
    sections = _sections(ROOT / "docs" / "algorithms.md")
    assert len(sections) > 20
    lost = []
    for path in CITING:
        text = path.read_text("utf-8")
        for found in re.finditer(r"algorithms\.md ((?:§[\d.–-]+(?:, )?)+)", text):
            for cited in re.findall(r"§([\d.–-]+)", found.group(1)):
                ends = [each.strip(".") for each in re.split(r"[–-]", cited)]
                lost += [(path.name, each) for each in ends if each and each not in sections]
        lost += [
            (path.name, word) for word in ("ALGORITHMS" + " §", "ECOSYSTEM" + " §", "DESIGN" + " §") if word in text
        ]
    assert not lost


def test_module_names_in_prose_exist() -> None:
    """A comment or docstring that names a module by its path names one that is there."""
    tops = "|".join(sorted(path.name for path in FOLDERS if path.parent == PACKAGE))
    modules = {_name(path)[:-3] for path in FILES} | {_name(folder) for folder in FOLDERS}
    lost = []
    for path in FILES:
        for name in re.findall(rf"`((?:{tops})/[a-z_0-9/]+?)(?:\.py)?`", path.read_text("utf-8")):
            if name not in modules:
                lost.append((_name(path), name))
    assert not lost


def test_every_test_file_has_a_name_of_its_own() -> None:
    """pytest knows test files by their basename alone."""
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert not {name for name in names if names.count(name) > 1}


def test_the_files_whose_daemons_die_leave_those_of_all_others_warm() -> None:
    """This file comes after tests/crash, whose daemons start cold: a suite that stays cold takes twice as long."""
    assert WARM in os.environ
