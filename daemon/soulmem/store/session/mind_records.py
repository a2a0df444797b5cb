"""A mind as lines: every row of every table of truth, so that another daemon can be given the whole of it.

The first line says whose mind it is and of which schema, then comes a line for each row, in the order of the tables and
of their keys, and the last counts and seals them: the same mind always gives the same lines. What a daemon makes itself
is left out (search indexes, vectors), and what is its own (the ledger of model calls, answers under request keys, the
secret of blind ids). Invariant: nothing that was deleted or taken back is in it, nor the former words of that.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite import migrations
from soulmem.store.sqlite.driver import Connection

FORMAT = 1
MARK = "soulmem"  # the first line of such a file says that it is a mind
END = "end"
PACKED = "base64"
COUNTERS = "sqlite_sequence"  # numbers that were given once are never given again
NOT_TAKEN = frozenset(  # made anew where it is read, or of the daemon it was in
    {"vector", "embed_pending", "search_pending", "idempotency", "model_call", "model_day", "erasure"}
)
OWN_FACTS = ("schema_version", "compat_version", "blinding", "wrong_times", "imported")  # in `meta`
_ONLY = {
    "meta": f"key NOT IN ({', '.join(repr(each) for each in OWN_FACTS)})",
    "message_version": "message NOT IN (SELECT id FROM message WHERE deleted <> 0)",
}


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` as they stand in it, `keys` by which its rows are put in order."""

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]


def tables(connection: Connection) -> list[Table]:
    """The tables of truth, in the order in which they came into the schema."""
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").fetchall()
    virtual = tuple(f"{name}_" for name, sql in rows if sql.startswith("CREATE VIRTUAL"))
    found = []
    for name, sql in rows:
        is_index = sql.startswith("CREATE VIRTUAL") or name.startswith(virtual or "\x00")
        if not is_index and not name.startswith("sqlite_") and name not in NOT_TAKEN:
            told = connection.execute("SELECT name, pk FROM pragma_table_info(?)", (name,)).fetchall()
            keys = [column for column, place in sorted(told, key=lambda each: each[1]) if place]
            found.append(Table(name, tuple(column for column, _ in told), tuple(keys) or ("rowid",)))
    return found


def lines(connection: Connection) -> Iterator[bytes]:
    """The whole of a mind, each line with its end; to be read in one transaction."""
    name = connection.execute("SELECT name FROM mind").fetchone()[0]
    seal, count = hashlib.sha256(), 0
    head = {MARK: "mind", "format": FORMAT, "schema": migrations.versions(connection)[0], "mind": name}
    for line in _all(connection, head):
        seal.update(line)
        count += 1
        yield line
    yield _line({END: {"lines": count, "sha256": seal.hexdigest()}})


def _all(connection: Connection, head: dict[str, Any]) -> Iterator[bytes]:
    yield _line(head)
    taken = tables(connection)
    for table in taken:
        columns = ", ".join(f'"{column}"' for column in table.columns)
        order = ", ".join(f'"{key}"' for key in table.keys)
        query = f'SELECT {columns} FROM "{table.name}" WHERE {_ONLY.get(table.name, "1")} ORDER BY {order}'
        for row in connection.execute(query):
            values = zip(table.columns, row, strict=True)
            yield _line({table.name: {column: _shown(value) for column, value in values if value is not None}})
    known = {table.name for table in taken}
    for name, seq in connection.execute(f"SELECT name, seq FROM {COUNTERS} ORDER BY name"):
        if name in known:
            yield _line({COUNTERS: {"name": name, "seq": seq}})


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _shown(value: Any) -> Any:
    return {PACKED: base64.b64encode(value).decode()} if isinstance(value, bytes) else value
