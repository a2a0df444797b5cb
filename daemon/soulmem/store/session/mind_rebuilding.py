"""A mind made anew from its lines (`mind_records`): a file of its own, checked before anybody sees it.

Rows are put into tables of the schema they were written by, which is then brought up to date; what searches are made of
is made from them. Invariant: of lines that are not all there, or do not fit together, nothing is left.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from soulmem.core.text import tokens
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state import window_state
from soulmem.store.index import fts
from soulmem.store.session import mind_metadata, mind_records, verify
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.sqlite import driver, migrations, mind_files, vacuum
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.storage_errors import storage_error

UNFINISHED = ".importing"  # how the name of a file ends until it is whole
_IMPORTED = "imported"  # in `meta`: the seal of the lines it was made of
_LINE_BYTES = 64 << 20
_AT_ONCE = 500  # notes


@dataclass(frozen=True, slots=True)
class Source:
    """Lines, and the name that the mind is to have."""

    stream: BinaryIO
    name: str
    check: Callable[[Identity], None]


def seal_of(file: Path) -> str | None:
    """What a mind was made of, if it was made of lines; None where the file cannot tell."""
    with suppress(driver.DatabaseError, SoulmemError, OSError):
        connection = driver.reader(file, traceless=True)()
        try:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (_IMPORTED,)).fetchone()
        finally:
            connection.close()
        return row[0] if row else None
    return None


def discard_unfinished(directory: Path) -> None:
    """Remove what a crash left of minds that were being made."""
    with suppress(OSError):
        for path in directory.iterdir():
            if path.name.endswith((UNFINISHED, f"{UNFINISHED}-wal", f"{UNFINISHED}-shm", f"{UNFINISHED}-journal")):
                path.unlink(missing_ok=True)


def build(source: Source, file: Path, after: Callable[[Connection], None]) -> None:
    """Write the file of a mind; `after` is the last that is done in it, in its transaction.

    Raises SoulmemError: `invalid_params` where the lines are no whole mind; the storage errors.
    """
    mind_files.make(file.parent)
    part = file.with_suffix(UNFINISHED)
    mind_files.remove(part)
    try:
        connection = driver.writer(part)()
        try:
            _fill(connection, source, after)
        finally:
            connection.close()
        if found := verify.damages(part):
            raise _refusal("; ".join(found[:3]))
        vacuum.keep(part, file)
    except driver.DatabaseError as error:
        translated = storage_error(error, part)
        raise translated from error
    finally:
        mind_files.remove(part)


def _fill(connection: Connection, source: Source, after: Callable[[Connection], None]) -> None:
    reader = _Lines(source.stream)
    head = reader.head()
    known = [each.version for each in migrations.migrations("mind")]
    if head.get("format") != mind_records.FORMAT or head.get("schema") not in known:
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            f"the mind was written by another soulmem (schema {head.get('schema')}; this one knows {known[-1]})",
            hint="update soulmem",
        )
    migrations.begin_at(connection, "mind", head["schema"])
    connection.execute("PRAGMA foreign_keys = OFF")  # rows come in the order of tables; looked at when all are there
    connection.execute("BEGIN IMMEDIATE")
    _insert(connection, reader)
    if lost := connection.execute("PRAGMA foreign_key_check").fetchone():
        raise _refusal(f"a row of {lost[0]} belongs to one of {lost[2]} that is not there")
    connection.execute("UPDATE mind SET name = ?", (source.name,))
    connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (_IMPORTED, reader.seal))
    connection.execute("COMMIT")
    migrations.finish(connection, "mind")
    connection.execute("BEGIN IMMEDIATE")
    who = mind_metadata.load(connection)
    if who is None:
        raise _refusal("it does not say whose mind it is")
    source.check(who)
    _index(connection)
    after(connection)
    connection.execute("COMMIT")


def _insert(connection: Connection, reader: _Lines) -> None:
    tables = {table.name: table for table in mind_records.tables(connection)}
    for row in reader.rows():
        ((name, values),) = row.items() if len(row) == 1 else (("", None),)
        table = tables.get(name)
        if name == mind_records.COUNTERS and isinstance(values, dict):
            _count(connection, values, tables.keys(), reader)
        elif table is None or not isinstance(values, dict):
            raise reader.refusal("is no row of a mind")
        elif name == "meta" and values.get("key") in mind_records.OWN_FACTS:
            raise reader.refusal("says what is for the daemon to say")
        elif values.keys() - set(table.columns):
            raise reader.refusal(f"has a column that {name} has not")
        else:
            marks = ", ".join("?" * len(table.columns))
            try:
                found = [_value(values.get(column)) for column in table.columns]
                connection.execute(f'INSERT INTO "{name}" VALUES ({marks})', found)
            except (driver.IntegrityError, LookupError, ValueError, TypeError, OverflowError) as error:
                raise reader.refusal(f"does not fit: {str(error)[:120]}") from error


def _count(connection: Connection, values: dict[str, Any], known: Any, reader: _Lines) -> None:
    name, seq = values.get("name"), values.get("seq")
    if name not in known or not isinstance(seq, int) or not 0 <= seq < 1 << 62:
        raise reader.refusal("counts what is not there")
    connection.execute(f"DELETE FROM {mind_records.COUNTERS} WHERE name = ?", (name,))
    connection.execute(f"INSERT INTO {mind_records.COUNTERS} (name, seq) VALUES (?, ?)", (name, seq))


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value[mind_records.PACKED], validate=True)
    if isinstance(value, list | bool):
        raise TypeError("a value of no kind that a row has")
    return value


def _index(connection: Connection) -> None:
    """What searches are made of: messages wait to be indexed, notes are."""
    connection.execute(
        "INSERT INTO search_pending (item) SELECT m.id FROM message m WHERE m.role IN ('user', 'assistant') "
        f"AND m.deleted = 0 AND NOT {window_state.SHELVED}"
    )
    after = 0
    while rows := connection.execute(
        "SELECT id, coalesce(shown, text) FROM note WHERE lifecycle <> 'forgotten' AND id > ? ORDER BY id LIMIT ?",
        (after, _AT_ONCE),
    ).fetchall():
        for note, text in rows:
            fts.put(connection, "note", note, tokens.index_text(text))
        after = rows[-1][0]


class _Lines:
    """Reads lines, counts them and looks at the end whether they are all there, as they were written."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._seal = hashlib.sha256()
        self._count = 0
        self.seal = ""

    def head(self) -> dict[str, Any]:
        line = self._next()
        if line is None or line.get(mind_records.MARK) != "mind":
            raise _refusal("it does not begin as a mind does")
        return line

    def rows(self) -> Iterator[dict[str, Any]]:
        while True:
            before = self._seal.hexdigest(), self._count
            line = self._next()
            if line is None:
                raise _refusal("it ends in the middle: it was cut off")
            if mind_records.END not in line:
                yield line
                continue
            if line[mind_records.END] != {"lines": before[1], "sha256": before[0]}:
                raise _refusal("it was changed since it was written, or lines of it are missing")
            self.seal = before[0]
            if self._stream.read(1):
                raise _refusal("something follows its end")
            return

    def refusal(self, what: str) -> SoulmemError:
        return _refusal(f"line {self._count} {what}")

    def _next(self) -> dict[str, Any] | None:
        line = self._stream.readline(_LINE_BYTES)
        if not line:
            return None
        self._seal.update(line)
        self._count += 1
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise self.refusal("is no JSON, or was cut off") from error
        if not isinstance(found, dict):
            raise self.refusal("is no row of a mind")
        return found


def _refusal(what: str) -> SoulmemError:
    return SoulmemError(
        ErrorName.INVALID_PARAMS, f"this is no whole mind: {what}", hint="nothing of it was kept; export it again"
    )
