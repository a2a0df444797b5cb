"""What is kept of texts is forgotten all at once, and nothing that keeps somebody's words is left out."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import soulmem
from soulmem.core.text import tokens
from soulmem.core.text.shingles import units_of
from soulmem.llm.extractive.details.detail_finding import occurrences
from soulmem.store.sqlite.mind_files import copies_of
from soulmem.text_memo import WordCache, forget_texts, text_memo

SOULMEM = Path(soulmem.__file__).parent
# Kept by what is no text of anybody: a leaning, a setting, a character, a day.
OF_NO_TEXT = {"text_memo.py", "graph/query/query_context.py", "store/notes/element_rows.py", "core/text/tokens.py",
              "core/calendar/lunar_calendar.py", "core/schema/blind_ids.py"}  # fmt: skip
CALLS: list[str] = []


@text_memo(2)
def length(text: str) -> int:
    CALLS.append(text)
    return len(text)


@pytest.fixture
def all_objects() -> Iterator[None]:
    """What the run has set aside from the collector (conftest) is found as well, and not collected meanwhile."""
    gc.disable()
    gc.unfreeze()
    yield
    gc.freeze()
    gc.enable()


def test_a_text_is_read_once_until_all_is_forgotten() -> None:
    forget_texts()
    CALLS.clear()
    assert [length("你好"), length("hello"), length("你好")] == [2, 5, 2]
    assert CALLS == ["你好", "hello"]
    assert forget_texts() == 2
    assert forget_texts() == 0
    assert length("你好") == 2
    assert CALLS == ["你好", "hello", "你好"]


def test_no_more_is_kept_than_was_said() -> None:
    forget_texts()
    for number in range(9):
        length(str(number))
    assert forget_texts() == 2


@pytest.mark.usefixtures("all_objects")
def test_words_are_forgotten_as_well() -> None:
    """One word alone may be what nobody else may know."""
    forget_texts()
    tokens.segment("quarz79190plover, zyzzogetons")
    caches: list[WordCache[object]] = [each for each in gc.get_objects() if type(each) is WordCache]
    assert any("zyzzogetons" in words for words in caches)
    forget_texts()
    assert not any("zyzzogetons" in words for words in caches)


def test_units_of_texts_are_forgotten_as_well() -> None:
    forget_texts()
    units_of("The kettle is on. 水开了。")
    assert forget_texts() >= 1
    assert forget_texts() == 0


def test_whoever_keeps_texts_keeps_them_so() -> None:
    code = {path: path.read_text("utf-8").partition('"""\n\nfrom __future__')[2] for path in SOULMEM.rglob("*.py")}
    found = {str(path.relative_to(SOULMEM)) for path, text in code.items() if re.search(r"\blru_cache\b", text)}
    assert found == OF_NO_TEXT


def _patterns_of(name: str) -> list[str]:
    found = [each.pattern for each in gc.get_objects() if type(each) is re.Pattern]
    return [pattern for pattern in found if isinstance(pattern, str) and name in pattern]


@pytest.mark.usefixtures("all_objects")
def test_no_pattern_of_a_name_stays_behind() -> None:
    assert list(occurrences("Zebulon came, and Ann.", "Zebulon")) == [(0, 7)]
    assert _patterns_of("Zebulon")
    forget_texts()
    assert _patterns_of("Zebulon") == []


@pytest.mark.usefixtures("all_objects")
def test_copies_are_found_without_a_pattern_of_a_name(tmp_path: Path) -> None:
    for name in ("zebulon.db", "zebulon.before-0007.db", "zebulon.before-0010.db", "zeb.before-0007.db",
                 "zebulon.before-0010.db-wal", "zebulon-2.before-0010.db"):  # fmt: skip
        (tmp_path / name).touch()
    assert [copy.name for copy in copies_of(tmp_path / "zebulon.db")] == [
        "zebulon.before-0007.db",
        "zebulon.before-0010.db",
    ]
    assert copies_of(tmp_path / "gone" / "zebulon.db") == []
    assert _patterns_of("zebulon") == []
