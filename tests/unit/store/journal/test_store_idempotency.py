"""Keys of writes: the same request again gets the first answer, another is a conflict, after thirty days it is new."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.journal import digestion_jobs
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection

DAY_MS = 86_400_000


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    found = driver.writer(tmp_path / "mira.db")()
    migrations.migrate(found, tmp_path / "mira.db", "mind")
    yield found
    found.close()


def counting() -> tuple[list[int], Callable[[Connection], dict[str, Any]]]:
    ran: list[int] = []

    def run(_connection: Connection) -> dict[str, Any]:
        ran.append(1)
        return {"id": f"n{len(ran)}", "text": "茶 \u2028 tea", "share": 0.1, "none": None}

    return ran, run


def test_the_same_request_runs_once(connection: Connection) -> None:
    ran, run = counting()
    first = digestion_jobs.once(connection, "键 key", "note.add", b"hash", 1000, run)
    again = digestion_jobs.once(connection, "键 key", "note.add", b"hash", 2000, run)
    assert again == first | {"duplicate": True}
    assert "duplicate" not in first
    assert len(ran) == 1


def test_without_a_key_it_runs_each_time(connection: Connection) -> None:
    ran, run = counting()
    for _ in range(3):
        digestion_jobs.once(connection, None, "note.add", b"hash", 1000, run)
    assert len(ran) == 3


@pytest.mark.parametrize(("method", "request_hash"), [("note.add", b"other"), ("note.pin", b"hash")])
def test_another_request_under_the_key_is_a_conflict(connection: Connection, method: str, request_hash: bytes) -> None:
    ran, run = counting()
    digestion_jobs.once(connection, "k", "note.add", b"hash", 1000, run)
    with pytest.raises(SoulmemError) as caught:
        digestion_jobs.once(connection, "k", method, request_hash, 1001, run)
    assert caught.value.name is ErrorName.IDEMPOTENCY_CONFLICT
    assert len(ran) == 1


def test_a_key_lives_thirty_days(connection: Connection) -> None:
    ran, run = counting()
    digestion_jobs.once(connection, "k", "note.add", b"hash", 0, run)
    assert digestion_jobs.once(connection, "k", "note.add", b"hash", 30 * DAY_MS - 1, run)["duplicate"] is True
    assert "duplicate" not in digestion_jobs.once(connection, "k", "note.add", b"another", 30 * DAY_MS, run)
    assert len(ran) == 2
    assert digestion_jobs.once(connection, "k", "note.add", b"another", 59 * DAY_MS, run)["id"] == "n2"


def test_old_keys_are_dropped_and_young_ones_kept(connection: Connection) -> None:
    _, run = counting()
    digestion_jobs.once(connection, "old", "note.add", b"h", 0, run)
    digestion_jobs.once(connection, "young", "note.add", b"h", DAY_MS, run)
    digestion_jobs.drop_old_keys(connection, 30 * DAY_MS)
    assert connection.execute("SELECT key FROM idempotency").fetchall() == [("young",)]


def test_a_write_that_fails_leaves_its_key_free(connection: Connection) -> None:
    ran, run = counting()

    def fail(_connection: Connection) -> dict[str, Any]:
        raise LookupError

    with pytest.raises(LookupError):
        digestion_jobs.once(connection, "k", "note.add", b"hash", 0, fail)
    assert digestion_jobs.once(connection, "k", "note.add", b"hash", 1, run)["id"] == "n1"
    assert len(ran) == 1
