"""Damage is detected: rows that no longer say what was written are named, in every table of truth."""

from __future__ import annotations

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from test_storage_damage import leaves

from daemon_fixture import daemon_process
from soulmem.store.session.verify import damages

TRIES = 400 if os.environ.get("SOULMEM_TORTURE") else 20
SAID = (
    ("user", "Ann", "My sister Ines moved from Porto to Ghent last week."),
    ("assistant", "Bo", "根特很远，她喜欢那里吗？"),
    ("user", "Ann", "她很喜欢，她在那里教大提琴。 She teaches the cello."),
    ("assistant", "Bo", "I hope you can visit her in May."),
)


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a mind with messages, a summary, notes and a link, closed in order."""
    root = tmp_path_factory.mktemp("verify")
    with daemon_process(root, "--simulated-clock", "2026-03-01T08:00:00Z") as daemon:
        for role, speaker, content in SAID:
            daemon.call("message.add", {"mind": "mira", "role": role, "speaker": speaker, "content": content})
        daemon.call("idle.run", {"mind": "mira"})
        ids = [
            daemon.call("note.add", {"mind": "mira", "kind": "semantic", "text": text})["id"]
            for text in ("Ghent has canals", "大提琴有四根弦")
        ]
        daemon.call("link.add", {"mind": "mira", "src": ids[0], "dst": ids[1]})
    return root / "state" / "minds" / "mira.db"


def test_a_sound_file_has_no_damages(mind: Path) -> None:
    assert damages(mind) == []


def changed(mind: Path, root: Path, change: str) -> Path:
    """A copy of the file, changed behind soulmem's back."""
    copy = root / "copy.db"
    copy.write_bytes(mind.read_bytes())
    with closing(sqlite3.connect(copy)) as connection, connection:
        assert connection.execute(change).rowcount > 0
    return copy


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE message SET content = 'Somebody else moved.' WHERE seq = 1", "message 1"),
        ("UPDATE message SET at = at + 1 WHERE seq = 2", "message 2"),
        ("UPDATE note SET text = text || '!' WHERE text LIKE 'Ghent%'", "note n"),
        ("UPDATE summary SET text = '一切都好'", "summary 1"),
        ("UPDATE link SET a0 = a0 * 0.5", "link l"),
    ],
)
def test_a_changed_row_is_named(mind: Path, tmp_path: Path, change: str, named: str) -> None:
    found = damages(changed(mind, tmp_path, change))
    assert found
    assert all(named in line for line in found)


def _content(mind: Path) -> list[tuple[int, int]]:
    """Where in the file the words of messages, notes and summaries stand, each once: (offset, bytes)."""
    with closing(sqlite3.connect(f"file:{mind}?mode=ro", uri=True)) as connection:
        texts = [
            (text.encode(), pages)
            for table, column in (("message", "content"), ("note", "text"), ("summary", "text"))
            for pages in [{page - 1 for page in leaves(mind, table)}]
            for (text,) in connection.execute(f"SELECT {column} FROM {table}")
        ]
    held, found = mind.read_bytes(), []
    for text, pages in texts:
        at = held.find(text)
        while at >= 0 and at // 4096 not in pages:
            at = held.find(text, at + 1)
        assert at >= 0, text
        found.append((at, len(text)))
    return found


def test_damage_to_what_rows_hold_is_found(mind: Path, tmp_path: Path) -> None:
    """One bit anywhere in the words of a row: SQLite's own check passes over most of it, the rows' hashes do not."""
    chance, whole, copy = random.Random(7), mind.read_bytes(), tmp_path / "copy.db"
    places = _content(mind)
    missed, passed = [], 0
    for _ in range(TRIES):
        at, length = chance.choice(places)
        where = at + chance.randrange(length)
        damaged = bytearray(whole)
        damaged[where] ^= 1 << chance.randrange(8)
        copy.write_bytes(damaged)
        if not damages(copy):
            missed.append(where)
        with closing(sqlite3.connect(copy)) as connection:
            passed += connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
    assert not missed
    assert passed > TRIES / 2, "what SQLite finds needs no hash"


def test_what_is_no_mind_is_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"not a database at all, but long enough to be read as one" * 20)
    assert len(damages(path)) == 1


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("UPDATE epoch SET shelved_through = 0", "is not in the full-text index"),
        ("INSERT INTO search_pending SELECT id FROM message", "though nobody searches it"),
        (
            "INSERT INTO vector (kind, item, variant, fingerprint, data) SELECT 'message', id, 'self', 'f', x'00' "
            "FROM message",
            "has a vector though nobody searches it",
        ),
    ],
)
def test_what_search_knows_of_messages_is_looked_at(mind: Path, tmp_path: Path, change: str, named: str) -> None:
    found = damages(changed(mind, tmp_path, change))
    assert len(found) == len(SAID)
    assert all(named in line for line in found)
