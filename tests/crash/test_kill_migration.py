"""kill -9 inside a migration: whatever statement it dies at, the file opens afterwards with all that it held.

A file of the first schema is brought up to date by a process that kills itself at the n-th statement of the
migration, or in the middle of making the copy that is kept from before it. Minds with everything in them, of every
released schema, die in `test_kill_upgrade`.
"""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.database import Database

ROWS = 3000
# What a file of the first schema has in columns that are there from then on.
_HELD = {
    "mind": "id, conversation, seq, pos, client_id, role, speaker, content, at, arrived_at, marker, boundary, epoch, "
    "tokens, terms, mood, version, deleted, request_hash, hash FROM message",
    "catalog": "mind, title, profile, state, messages, notes, links, pending_jobs, embed_backlog, due_at, closed, "
    "updated_at FROM catalog",
}
DIES = """
import os, signal, sys
from pathlib import Path
from soulmem.store.sqlite import driver, migrations

path, schema, place, left = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
connection = driver.writer(path)()

def die(*_):
    global left
    left -= 1
    if left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)

if place == "statement":
    connection.set_trace_callback(die)
else:
    connection.set_progress_handler(die, 200)
migrations.migrate(connection, path, schema)
connection.set_trace_callback(None)
connection.set_progress_handler(None, 0)
connection.close()
"""


def old_file(path: Path, schema: str) -> None:
    """A file of the first schema with something in it."""
    connection = driver.writer(path)()
    migrations._apply(connection, migrations.migrations(schema)[0])
    connection.execute("BEGIN")
    if schema == "mind":
        connection.execute("INSERT INTO conversation (id, name, created_at) VALUES (1, 'main', 0)")
        connection.executemany(
            "INSERT INTO message (conversation, seq, client_id, role, speaker, content, at, arrived_at, epoch, tokens, "
            "terms, request_hash, hash) VALUES (1, ?, ?, 'user', 'Ann', ?, 0, 0, 1, 1, x'', x'', x'')",
            [(number, f"m{number}", f"{number}: 我喜欢喝茶, and tea it is") for number in range(1, ROWS + 1)],
        )
    else:
        connection.executemany(
            "INSERT INTO catalog VALUES (?, '米拉', 'companion', 'idle', 1, 2, 3, 0, 0, NULL, 1, 0)",
            [(f"m{number}",) for number in range(ROWS)],
        )
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def content(path: Path, schema: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return connection.execute(f"SELECT {_HELD[schema]}").fetchall()
    finally:
        connection.close()


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()[0])
    finally:
        connection.close()


def migrate_dying(path: Path, schema: str, place: str, left: int) -> bool:
    """True if it died on the way, False if it came to its end before that."""
    done = subprocess.run(
        [sys.executable, "-c", DIES, str(path), schema, place, str(left)], capture_output=True, check=False, timeout=60
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
    return done.returncode != 0


@pytest.mark.parametrize(
    ("schema", "place", "step"),
    [
        ("mind", "statement", 29),
        ("catalog", "statement", 5),
        pytest.param("mind", "statement", 9, marks=pytest.mark.torture),
        pytest.param("catalog", "statement", 2, marks=pytest.mark.torture),
        pytest.param("mind", "copy", 12, marks=pytest.mark.torture),
        pytest.param("catalog", "copy", 4, marks=pytest.mark.torture),
    ],
)
async def test_dying_anywhere_in_a_migration_loses_nothing(tmp_path: Path, schema: str, place: str, step: int) -> None:
    died = 0
    for left in count(1, step):
        folder = tmp_path / str(left)
        folder.mkdir()
        path = folder / "mira.db"
        old_file(path, schema)
        before = content(path, schema)
        dead = migrate_dying(path, schema, place, left)
        died += dead
        await (await Database.open(path, schema=schema)).close()
        assert content(path, schema) == before, f"died at {place} {left}"
        assert version(path) == migrations.migrations(schema)[-1].version
        copies = {copy.name: copy for copy in sorted(folder.glob("*.before-*"))}
        assert "mira.before-0002.db" in copies, f"the copy from before all of it, died at {place} {left}"
        for name, copy in copies.items():  # one that died between two migrations keeps a copy from there as well
            assert content(copy, schema) == before, f"{name} is whole, died at {place} {left}"
            assert name == f"mira.before-{version(copy) + 1:04d}.db", "and no half one beside it"
        if not dead:
            break
    assert died >= 3, "it must die inside the migration for the test to mean anything"
