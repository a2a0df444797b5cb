"""Full-text search on disk: the FTS5 indexes of messages and notes, fed with our own segmentation.

The tables hold no text of their own (contentless), so removing a row needs the terms it was indexed with; the callers
pass the text again. Used for minds too large to keep in memory. Notes are indexed at once; messages stand in
`search_pending` from the transaction that stores them until `feed` indexes them, in crowds and in calm, because that
costs as much as all else about a message; digested ones may be taken out again (`index_eviction`). Invariant: a message
that may be found is in the index or in `search_pending`, never in both, so nobody takes out what is not in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from soulmem.core.text import tokens
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

_DONE_BELOW = 2  # rows changed by a merge that has nothing to do (sqlite.org/fts5.html, section 6.8)
_TABLES = {"message": "message_search", "note": "note_search"}


def put(connection: Connection, kind: str, item: int, indexed: str) -> None:
    """Index an item; `indexed` is `tokens.index_text(text)`."""
    connection.execute(f"INSERT INTO {_TABLES[kind]} (rowid, terms) VALUES (?, ?)", (item, indexed))


def remove(connection: Connection, kind: str, item: int, text: str) -> None:
    """Take an item out, or off the list of those that wait; `text` is what it was indexed with."""
    if kind == "message" and connection.execute("DELETE FROM search_pending WHERE item = ?", (item,)).rowcount:
        return
    table = _TABLES[kind]
    connection.execute(
        f"INSERT INTO {table} ({table}, rowid, terms) VALUES ('delete', ?, ?)", (item, tokens.index_text(text))
    )


def drop_leavings(connection: Connection, kind: str) -> None:
    """Empty the index of a kind of which nothing is left in it: what was taken out leaves its marks there."""
    table = _TABLES[kind]
    if connection.execute(f"SELECT rowid FROM {table} LIMIT 1").fetchone() is None:
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")


def merge(connection: Connection, kind: str, pages: int, *, first: bool) -> bool:
    """Join the parts of an index, some pages of it, so that nothing is left of what was taken out; False when done.

    `first`: begin with all parts there are now.
    """
    table, before = _TABLES[kind], connection.total_changes
    connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", (-pages if first else pages,))
    return connection.total_changes - before >= _DONE_BELOW


def feed(connection: Connection, most: int, only: Sequence[int] | None = None) -> int:
    """Index the messages that have waited longest, or of `only` these those that wait; how many."""
    chosen, values = ("", ()) if only is None else (f"WHERE p.item {AMONG} ", (listed(only),))
    rows = connection.execute(
        f"SELECT m.id, m.content FROM search_pending p JOIN message m ON m.id = p.item {chosen}ORDER BY p.item LIMIT ?",
        (*values, most),
    ).fetchall()
    connection.executemany(
        "INSERT INTO message_search (rowid, terms) VALUES (?, ?)",
        [(item, tokens.index_text(content)) for item, content in rows],
    )
    connection.executemany("DELETE FROM search_pending WHERE item = ?", [(item,) for item, _ in rows])
    return len(rows)


def waiting(connection: Connection) -> int:
    """How many messages wait to be indexed."""
    return int(connection.execute("SELECT count(*) FROM search_pending").fetchone()[0])


def first_waiting(connection: Connection, most: int) -> list[int]:
    """The messages that have waited longest to be indexed."""
    rows = connection.execute("SELECT item FROM search_pending ORDER BY item LIMIT ?", (most,)).fetchall()
    return [row[0] for row in rows]


def find(
    connection: Connection,
    kind: str,
    query: str,
    limit: int,
    scope: Scope = WHOLE,
    *,
    among: Sequence[int] | None = None,
) -> list[tuple[int, float]]:
    """Indexed items that share words with the query, as (item, BM25 score, larger is better), best first.

    With `among`, only of these.
    """
    expression = tokens.fts_query(query)
    if not expression:
        return []
    table = _TABLES[kind]
    clause, values = scope.items(kind, f"{table}.rowid")
    if scope.audience is not None:
        return _find_within(connection, kind, query, limit, scope, among)
    if among is not None:
        # The plus keeps SQLite from asking the index once for each of them.
        clause += f" AND +{table}.rowid {AMONG}"
        values = (*values, listed(among))
    rows = connection.execute(
        f"SELECT rowid, -bm25({table}) AS score FROM {table} WHERE {table} MATCH ? AND {clause} "
        "ORDER BY score DESC, rowid LIMIT ?",
        (expression, *values, limit),
    ).fetchall()
    return [(item, float(score)) for item, score in rows]


def _find_within(
    connection: Connection, kind: str, query: str, limit: int, scope: Scope, among: Sequence[int] | None
) -> list[tuple[int, float]]:
    """`find` for an audience. FTS5 weighs words by the whole table; here they are weighed by what may be seen of it."""
    table, terms = _TABLES[kind], tokens.query_terms(query)
    clause, values = scope.items(kind, f"{table}.rowid")
    chosen = None if among is None else frozenset(among)
    found: dict[int, float] = {}
    holding = {
        term: [
            row[0]
            for row in connection.execute(
                f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND {clause}", (f'"{term}"', *values)
            )
        ]
        for term in terms
    }
    most = max(map(len, holding.values()), default=0)
    for items in holding.values():
        worth = math.log1p(most / len(items)) if items else 0.0  # the rarer of them, the more it says
        for item in items:
            if chosen is None or item in chosen:
                found[item] = found.get(item, 0.0) + worth
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))[:limit]


def spread(connection: Connection, kind: str, terms: Sequence[str], scope: Scope = WHOLE) -> list[int]:
    """In how many indexed items that a call may see each of these terms stands."""
    clause, values = scope.items(kind, f"{_TABLES[kind]}.rowid")
    counted = f"SELECT count(*) FROM {_TABLES[kind]} WHERE {_TABLES[kind]} MATCH ? AND {clause}"
    return [int(connection.execute(counted, (f'"{term}"', *values)).fetchone()[0]) for term in terms]


def find_waiting(connection: Connection, query: str, scope: Scope = WHOLE) -> list[int]:
    """Every message that shares words with the query and waits to be indexed, in order of arrival."""
    clause, values = scope.items("message", "p.item")
    rows = connection.execute(
        f"SELECT m.id, m.terms FROM search_pending p JOIN message m ON m.id = p.item WHERE {clause} ORDER BY p.item",
        values,
    ).fetchall()
    if not rows:
        return []
    held = np.frombuffer(b"".join(terms for _, terms in rows), dtype=np.uint32)
    owner = np.repeat(np.array([item for item, _ in rows]), [len(terms) // 4 for _, terms in rows])
    return [int(item) for item in np.unique(owner[np.isin(held, tokens.term_hashes(tokens.query_terms(query)))])]
