"""The minds of former schemas that lie in `tests/upgrades`: which there are, and how one is laid out for a daemon."""

from __future__ import annotations

import lzma
import sqlite3
from pathlib import Path
from typing import Any

from soulmem.store.sqlite import offline_reader

FOLDER = Path(__file__).parents[2] / "upgrades"
VERSIONS = sorted(int(path.name[:4]) for path in FOLDER.glob("*.mind.xz"))
NEVER_RELEASED = {10, 11, 14, 16}  # they came out together with 12, with 15, and with 17


def thaw(version: int, name: str, path: Path) -> Path:
    """Lay out a file of a former schema; `name` is `mind` or `catalog`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.decompress((FOLDER / f"{version:04d}.{name}.xz").read_bytes()))
    return path


def thawed_state(version: int, root: Path) -> Path:
    """Lay out a state directory of a former daemon under `root`; the file of its mind."""
    thaw(version, "catalog", root / "state" / "catalog.db")
    return thaw(version, "mind", root / "state" / "minds" / "mira.db")


def schema_version(path: Path) -> int:
    return int(rows(path, "SELECT value FROM meta WHERE key = 'schema_version'")[0][0])


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    def asked(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
        return connection.execute(sql).fetchall()

    return offline_reader.look(path, asked)


def told(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """What a file holds that no later schema may change: what was said, noted, linked and recalled."""
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]
    return {
        "messages": rows(path, "SELECT client_id, role, speaker, content, at, seq, epoch FROM message ORDER BY id"),
        "notes": rows(path, "SELECT id, kind, text, at, pinned FROM note ORDER BY id"),
        "links": rows(path, "SELECT src, dst, kind FROM link ORDER BY id"),
        "recalls": rows(path, "SELECT id, query FROM recall ORDER BY id"),
    }
