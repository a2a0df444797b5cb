"""Words that lie beside the modules as text: how a file is read, and that each is in order, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import soulmem
from every_row import every_row
from soulmem.core.facts import chinese_fact_patterns, english_fact_patterns
from soulmem.core.schema.note_topics import Topic
from soulmem.core.text.word_file import read_rows, read_sections
from soulmem.core.wordlists.life_matters import MATTERS
from soulmem.llm.extractive.language.lexicon import GISTS, WORDS

PACKAGE = Path(soulmem.__file__).parent
FILES = sorted(path for path in PACKAGE.rglob("*.txt") if path.parent.name != "page")  # not what a browser is sent


def _name(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@every_row(FILES)
def test_a_file_says_what_it_holds_and_hides_nothing_at_the_end_of_a_line(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    assert lines[0].startswith("# "), "it opens with what it holds"
    assert not [line for line in lines if line != line.rstrip()], "an editor would take away what stands at an end"


@every_row(FILES)
def test_a_file_is_read_by_a_module_beside_it(path: Path) -> None:
    readers = [each for each in path.parent.glob("*.py") if f'"{_name(path)}"' in each.read_text("utf-8")]
    assert readers


def test_a_row_has_cells_continued_lines_and_named_patterns() -> None:
    rows = read_rows("core/wordlists/life_matters.txt", {name: f"<{name}>" for name in _named("life_matters")})
    assert {len(row) for row in rows} == {6}
    home = next(row for row in rows if row[0] == "home")
    assert "<_HOUSE>" in home[4], "a name stands for its pattern"
    assert "合租" in home[4], "a line that begins with a tab goes on with the cell"
    assert "搬" in home[5], "one that begins with two tabs is another cell"


def _named(stem: str) -> set[str]:
    return set(re.findall(r"\{([A-Z_]+)\}", (PACKAGE / f"core/wordlists/{stem}.txt").read_text("utf-8")))


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        read_rows("core/wordlists/life_matters.txt", {})


def test_sections_hold_chinese_and_english_words() -> None:
    assert "王" in read_sections("core/names/chinese_names.txt")["frequent"]
    assert "aaron" in read_sections("core/names/english_names.txt")["given"].split()


def test_each_matter_and_each_topic_is_told_in_both_languages() -> None:
    for matter in MATTERS:
        for pattern in (matter.holds, matter.turns):
            text = pattern.compiled().pattern
            assert re.search(r"[a-z]{3}", text), matter.name
            assert re.search("[\u4e00-\u9fff]", text), matter.name
    assert set(WORDS["en"]) == set(WORDS["zh"]) == set(GISTS["en"]) == set(GISTS["zh"]) == set(Topic)


def test_the_patterns_of_facts_compile_and_read_both_languages() -> None:
    english = {each.relation for each in english_fact_patterns.PATTERNS if each.pattern.search("I live in Lisbon")}
    chinese = {each.relation for each in chinese_fact_patterns.PATTERNS if each.pattern.search("我住在大理")}
    assert "home" in english & chinese
