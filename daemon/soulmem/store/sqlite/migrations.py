"""Numbered SQL files brought into a database, each with its record in one transaction; into a new one all in one.

`schema_version` is what the file holds; `compat_version` is the oldest program that may still open it. A copy is
made before the first pending change to a file that already holds something; a newer file is refused, and who has gone
back to an older soulmem is told which copy that one can read.
"""

from __future__ import annotations

import re
import sys
import threading
from functools import cache
from importlib.resources import files
from pathlib import Path

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite import driver, mind_files, vacuum
from soulmem.store.sqlite.driver import APPLICATION_ID, Connection

_NAME = re.compile(r"(\d{4})_([a-z_]+)\.sql$")
_COLUMN = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+) ")
_INDEX = re.compile(r"CREATE INDEX (\w+) ON ")
_AS_FIRST_WRITTEN = 1  # of this change no part was added after a file could have it


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    compat: int
    sql: str


@cache
def migrations(schema: str) -> tuple[Migration, ...]:
    """The numbered changes of `mind` or `catalog`, oldest first."""
    folder = files("soulmem").joinpath("schemas", "sql" if schema == "mind" else f"sql/{schema}")
    found = []
    for entry in folder.iterdir():
        match = _NAME.search(entry.name)
        if match:
            sql = entry.read_text(encoding="utf-8")
            compat = re.search(r"^-- compat: (\d+)$", sql, re.MULTILINE)
            found.append(Migration(int(match[1]), int(compat[1]) if compat else 1, sql))
    return tuple(sorted(found, key=lambda migration: migration.version))


def versions(connection: Connection) -> tuple[int, int]:
    """(schema_version, compat_version) of the file; (0, 0) for an empty one."""
    table = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta' AND type = 'table'").fetchone()
    if table is None:
        return 0, 0
    rows = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('schema_version', 'compat_version')"))
    return int(rows.get("schema_version", 0)), int(rows.get("compat_version", 0))


def migrate(connection: Connection, path: Path, schema: str) -> int:
    """Bring the file up to date; returns its schema version.

    Raises SoulmemError: `storage_damaged` when the file is of a newer soulmem.
    """
    have, compat = versions(connection)
    known = migrations(schema)
    newest = known[-1].version
    if compat > newest:
        raise SoulmemError(
            ErrorName.STORAGE_DAMAGED,
            f"{path.name} was written by a newer soulmem "
            f"(schema {have}, needs at least {compat}; this one knows {newest})",
            hint=f"update soulmem; nothing in the file was changed; {_way_back(path, newest)}",
        )
    pending = [migration for migration in known if migration.version > have]
    if pending and have:
        copy = path.with_name(f"{path.stem}{mind_files.COPIED_BEFORE}{pending[0].version:04d}.db")
        if not copy.exists():
            vacuum.copy_whole(connection, copy)
    for copy in mind_files.copies_of(path):
        mind_files.tighten(copy)
    if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone():
        with _BEGUN:
            begun(schema).backup(connection)
        return newest
    _complete(connection, [migration for migration in known if _AS_FIRST_WRITTEN < migration.version <= have])
    for migration in pending:
        _apply(connection, migration)
    return newest


def begin_at(connection: Connection, schema: str, version: int) -> None:
    """Make of an empty file one of an older schema, as it was then."""
    for migration in migrations(schema):
        if migration.version <= version:
            _apply(connection, migration)


def finish(connection: Connection, schema: str) -> None:
    """Bring a file up to date of which nobody needs a copy, for it was made just now."""
    have, _ = versions(connection)
    for migration in migrations(schema):
        if migration.version > have:
            _apply(connection, migration)


_BEGUN = threading.Lock()  # a connection is used by one thread at a time


@cache
def begun(schema: str) -> Connection:
    """What a new file holds, worked out once: to copy it takes a twentieth of the time, and is one transaction."""
    made = driver.in_memory()
    for migration in migrations(schema):
        _apply(made, migration)
    return made


def _complete(connection: Connection, changes: list[Migration]) -> None:
    """Add the columns and indexes of changes that the file has, which it lacks nevertheless.

    Some changes were given further columns and indexes when files had them already; such a file passes for one of the
    schema and is not. All that came so may be empty at first.
    """
    indexes = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index'")}
    columns = {
        table: {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
        for table in {found[1] for each in changes for found in _COLUMN.finditer(each.sql)}
    }
    missing = [
        statement
        for each in changes
        for statement in _statements(each.sql)
        if ((column := _COLUMN.match(statement)) and column[2] not in columns[column[1]])
        or ((index := _INDEX.match(statement)) and index[1] not in indexes)
    ]
    if missing:
        _in_one(connection, missing)


def _way_back(path: Path, newest: int) -> str:
    """Say which copy a soulmem of schema `newest` reads instead of a file that is too new for it, if there is one."""
    fitting = [(before, copy) for copy in mind_files.copies_of(path) if (before := _copied_before(copy)) <= newest + 1]
    if not fitting:
        return "no copy of it from before its update is there to go back to"
    copy = max(fitting)[1]
    return (
        f"or stop the daemon, move {path.name}, {path.name}-wal and {path.name}-shm away and rename {copy.name} to "
        f"{path.name}: it holds all that was there before the update, and nothing since"
    )


def _copied_before(copy: Path) -> int:
    """The schema version whose coming a copy was made for."""
    told = copy.stem.rpartition(mind_files.COPIED_BEFORE)[2]
    return int(told) if told.isascii() and told.isdigit() else sys.maxsize


def _apply(connection: Connection, migration: Migration) -> None:
    told = [
        f"INSERT INTO meta (key, value) VALUES ('{key}', '{value}') ON CONFLICT (key) DO UPDATE SET value = '{value}'"
        for key, value in (("schema_version", migration.version), ("compat_version", migration.compat))
    ]
    own = f"PRAGMA application_id = {APPLICATION_ID}"
    _in_one(connection, [*_statements(migration.sql), own, *told])


def _in_one(connection: Connection, statements: list[str]) -> None:
    """Run all of them in one transaction, or none."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in statements:
            connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(sql: str) -> list[str]:
    """The statements of a file; those of a trigger belong together."""
    without_comments = "\n".join(line for line in sql.splitlines() if not line.lstrip().startswith("--"))
    found: list[str] = []
    open_trigger = False
    for part in (part.strip() for part in without_comments.split(";")):
        if open_trigger:
            found[-1] += f";\n{part}"
        elif part:
            found.append(part)
        open_trigger = (open_trigger or part.startswith("CREATE TRIGGER")) and part != "END"
    return found
