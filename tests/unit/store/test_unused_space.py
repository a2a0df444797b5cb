"""What stands where no row is: found also when later rows overwrote some of it, but not what a living row says too."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from soulmem.store.revision import unused_space

SAID = ["The safe opens with quarz-79190, remember.", "保险箱的密码藏在翡翠台阶下面。"]


def _file(path: Path, lines: list[str]) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("CREATE TABLE said (id INTEGER PRIMARY KEY, text TEXT)")
        connection.executemany("INSERT INTO said (text) VALUES (?)", [(line,) for line in lines])
        connection.commit()
    return path


def _leave(path: Path, text: bytes) -> None:
    """Write into the room between the list of the last page's cells and the cells themselves."""
    data = bytearray(path.read_bytes())
    page = len(data) - 4096
    begin = page + 8 + 2 * int.from_bytes(data[page + 3 : page + 5], "big") + 40
    assert data[page] == 13
    assert not any(data[begin : begin + len(text)])
    data[begin : begin + len(text)] = text
    path.write_bytes(data)


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize(
    "cut", [lambda raw: raw, lambda raw: raw[:-14], lambda raw: raw[12:]], ids=["all", "begin", "end"]
)
def test_a_copy_is_found_though_some_of_it_is_overwritten(
    tmp_path: Path, said: str, cut: Callable[[bytes], bytes]
) -> None:
    path = _file(tmp_path / "a.db", ["Something else stands here. 别的东西。"] * 20)
    assert not unused_space.holds_copy(path, [said])
    _leave(path, cut(said.encode()))
    assert unused_space.holds_copy(path, [said])


@pytest.mark.parametrize("said", SAID)
def test_what_a_living_row_says_too_gives_nothing_away(tmp_path: Path, said: str) -> None:
    path = _file(tmp_path / "a.db", [said])
    assert not unused_space.holds_copy(path, [said])
    _leave(path, said.encode()[:-14])
    assert not unused_space.holds_copy(path, [said])


@pytest.mark.parametrize("said", SAID)
def test_a_page_of_no_table_is_looked_at(tmp_path: Path, said: str) -> None:
    path = _file(tmp_path / "a.db", ["Something else."])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE stray (text)")
        connection.executemany("INSERT INTO stray VALUES (?)", [(said * 30,)] * 12)
        connection.commit()
        connection.execute("DROP TABLE stray")
        connection.commit()
    assert said.encode() in path.read_bytes()
    assert unused_space.holds_copy(path, [said])


def test_a_freed_cell_between_others_is_looked_at(tmp_path: Path) -> None:
    path = _file(tmp_path / "a.db", ["Something else."] * 5 + [SAID[0]] + ["And more."] * 5)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("DELETE FROM said WHERE text = ?", (SAID[0],))
        connection.commit()
    assert unused_space.holds_copy(path, SAID[:1])


@pytest.mark.parametrize("texts", [[], [""], ["a"], ["。"]])
def test_nothing_is_looked_for_in_nothing(tmp_path: Path, texts: list[str]) -> None:
    assert not unused_space.holds_copy(_file(tmp_path / "a.db", ["a"]), texts)


def test_of_too_much_the_file_is_written_anew_without_a_look(tmp_path: Path) -> None:
    assert unused_space.holds_copy(_file(tmp_path / "a.db", ["a"]), [" ".join(map(str, range(10_000, 40_000)))])
