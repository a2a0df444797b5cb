"""Files that are damaged, emptied, another program's or a newer soulmem's: said so, left alone, nobody else harmed."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import daemon_process, start, wait_ready
from probing import SAID, add, error_of, ids, outcome, stopped
from spread import every

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))


def _random_header(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.write(random.Random(1).randbytes(100))


def _random_start(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.seek(100)
        opened.write(random.Random(2).randbytes(4096 - 100))


def _truncated(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 3)


def _emptied(file: Path) -> None:
    os.truncate(file, 0)


def _foreign(file: Path) -> None:
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipe (name TEXT)")
    connection.execute("INSERT INTO recipe VALUES ('麻婆豆腐')")
    connection.commit()
    connection.close()


def _text(file: Path) -> None:
    file.write_text("购物清单: eggs, milk, 豆腐\n" * 40, encoding="utf-8")


def _newer(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("UPDATE meta SET value = '999' WHERE key IN ('schema_version', 'compat_version')")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


# Those at odd places are done to the catalogue below; in torture all of them.
HARMS = (_random_header, _truncated, _random_start, _text, _foreign, _emptied, _newer)


@pytest.fixture(scope="module")
def two_minds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of two minds in good order."""
    root = tmp_path_factory.mktemp("two")
    with daemon_process(root) as daemon:
        for number in range(40):
            add(daemon, "mira", number)
            add(daemon, "luna", number)
        daemon.settle("mira")
    return root / "state"


@pytest.mark.parametrize("harm", every(2, HARMS), ids=lambda harm: harm.__name__.strip("_"))
def test_damaged_mind(tmp_path: Path, two_minds: Path, harm: Callable[[Path], None]) -> None:
    shutil.copytree(two_minds, tmp_path / "state")
    file = tmp_path / "state" / "minds" / "mira.db"
    harm(file)
    damaged = file.read_bytes()
    with daemon_process(tmp_path) as daemon:
        error = error_of(lambda: ids(daemon, "mira"))
        assert (error.name, error.retryable) == ("storage_damaged", False)
        assert "mira.db" in error.message
        assert [event["mind"] for event in daemon.events("storage_damaged")] == ["mira"]
        assert error_of(lambda: add(daemon, "mira", 99)).name == "storage_damaged"
        assert error_of(lambda: daemon.call("recall", {"mind": "mira", "query": "key"})).name == "storage_damaged"
        assert len(ids(daemon, "luna")) == 40
        assert add(daemon, "luna", 40)["seq"] == 41
        listed = {line["mind"] for line in daemon.call("system.status")["minds"]}
        assert {"mira", "luna"} <= listed
        assert stopped(daemon) == ""
    assert file.read_bytes() == damaged, "a file that cannot be read must be left as it is"


def leaves(file: Path, table: str) -> list[int]:
    """The pages that hold a table's rows, numbered from 1, in the order of its keys."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
    connection.close()
    content = file.read_bytes()

    def below(number: int) -> list[int]:
        page = content[(number - 1) * 4096 : number * 4096]
        if page[0] == 0x0D:
            return [number]
        assert page[0] == 0x05, "neither a leaf nor an inner page of a table"
        cells = [
            int.from_bytes(page[12 + 2 * at : 14 + 2 * at], "big") for at in range(int.from_bytes(page[3:5], "big"))
        ]
        children = [int.from_bytes(page[cell : cell + 4], "big") for cell in cells]
        return [leaf for child in [*children, int.from_bytes(page[8:12], "big")] for leaf in below(child)]

    return below(root)


@pytest.mark.parametrize("table", every(2, ["message", "vector", "recall", "note", "conversation"]))
def test_damaged_table_takes_nobody_along(tmp_path: Path, two_minds: Path, table: str) -> None:
    """Rows of one mind that cannot be read, whoever needs them first: the daemon and the other mind live on."""
    shutil.copytree(two_minds, tmp_path / "state")
    file = tmp_path / "state" / "minds" / "mira.db"
    wounded = leaves(file, table)
    with file.open("r+b") as opened:
        for leaf in wounded[len(wounded) // 3 : len(wounded) // 3 + 2]:
            opened.seek((leaf - 1) * 4096)
            opened.write(b"\xff" * 64)
    with daemon_process(tmp_path) as daemon:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("message.list", {"mind": "mira"}),
            ("recall", {"mind": "mira", "query": "the key, 钥匙"}),
            ("message.add", {"mind": "mira", "role": "user", "content": SAID}),
            ("idle.run", {"mind": "mira"}),
            ("note.list", {"mind": "mira"}),
        ]
        answers = {method: outcome(partial(daemon.call, method, params)) for method, params in calls}
        time.sleep(0.3)  # for what goes on in the background
        assert set(answers.values()) <= {"answered", "storage_damaged"}, answers
        if table == "message":
            assert "storage_damaged" in answers.values(), "rows that cannot be read must not be missed in silence"
        assert add(daemon, "luna", 40)["seq"] == 41
        assert daemon.call("system.status")["state"] == "running"
        assert stopped(daemon) == ""


def _wounds(size: int, chance: random.Random, *, heavy: bool) -> list[int]:
    """Where to write rubbish: in three places, or over the heads of every second page but the first ones."""
    if heavy:
        return [page * 4096 for page in range(3, size // 4096) if chance.random() < 0.5]
    return [chance.randrange(4096, size - 64) for _ in range(3)]


def test_damage_in_the_middle_is_never_a_crash(tmp_path: Path, two_minds: Path) -> None:
    """Random bytes anywhere: an answer or `storage_damaged`, never an internal error, and the neighbour works."""
    chance = random.Random(5)
    for number in range(40) if TORTURE else (2, 3):
        root = tmp_path / f"case-{number}"
        root.mkdir()
        shutil.copytree(two_minds, root / "state")
        file = root / "state" / "minds" / "mira.db"
        with file.open("r+b") as opened:
            for place in _wounds(file.stat().st_size, chance, heavy=number % 4 == 3):
                opened.seek(place)
                opened.write(chance.randbytes(64))
        with daemon_process(root, check_log=False) as daemon:
            for call in (
                partial(ids, daemon, "mira"),
                partial(add, daemon, "mira", 77),
                partial(daemon.call, "recall", {"mind": "mira", "query": "the key, 钥匙"}),
                partial(daemon.call, "idle.run", {"mind": "mira"}),
            ):
                assert outcome(call) in {"answered", "storage_damaged"}, f"case {number}"
            assert add(daemon, "luna", 40)["seq"] == 41
            assert stopped(daemon) == ""
            assert daemon.events("request_failed") == [], f"case {number}"


@pytest.mark.parametrize(
    "harm", [_random_header, _truncated, _emptied, _text], ids=lambda harm: harm.__name__.strip("_")
)
def test_damaged_catalogue_is_rebuilt(tmp_path: Path, two_minds: Path, harm: Callable[[Path], None]) -> None:
    shutil.copytree(two_minds, tmp_path / "state")
    harm(tmp_path / "state" / "catalog.db")
    with daemon_process(tmp_path) as daemon:
        assert [line["mind"] for line in daemon.call("system.status")["minds"]] == ["luna", "mira"]
        assert len(ids(daemon, "mira")) == 40
        status = {line["mind"]: line["messages"] for line in daemon.call("system.status")["minds"]}
        assert status["mira"] == 40
        assert stopped(daemon) == ""


@pytest.mark.parametrize("harm", [_newer, _foreign], ids=["newer", "foreign"])
def test_catalogue_that_is_not_ours_to_touch(tmp_path: Path, two_minds: Path, harm: Callable[[Path], None]) -> None:
    """A newer soulmem's catalogue is refused as it stands; another program's is set aside, never lost."""
    shutil.copytree(two_minds, tmp_path / "state")
    file = tmp_path / "state" / "catalog.db"
    harm(file)
    content = file.read_bytes()
    daemon = start(tmp_path)
    if harm is _foreign:
        wait_ready(daemon)
        assert stopped(daemon) == ""
        assert (tmp_path / "state" / "catalog.damaged").read_bytes() == content
        return
    assert daemon.process.wait(20) == 78
    said = [line for line in daemon.log_path.read_text(encoding="utf-8").splitlines() if not line.startswith("{")]
    assert len(said) == 1, said
    assert "newer" in said[0]
    assert file.read_bytes() == content
