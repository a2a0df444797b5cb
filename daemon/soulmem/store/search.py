"""Full-text search on disk: the FTS5 indexes of messages and notes, fed with our own segmentation.

The tables hold no text of their own (contentless), so removing a row needs the terms it was indexed with; the
callers pass the text again. Used for minds too large to keep in memory.
"""

from __future__ import annotations

from soulmem.core import tokens
from soulmem.store.driver import Connection

_TABLES = {"message": "message_search", "note": "note_search"}


def put(connection: Connection, kind: str, item: int, indexed: str) -> None:
    """Index an item; `indexed` is `tokens.index_text(text)`."""
    connection.execute(f"INSERT INTO {_TABLES[kind]} (rowid, terms) VALUES (?, ?)", (item, indexed))


def remove(connection: Connection, kind: str, item: int, text: str) -> None:
    table = _TABLES[kind]
    connection.execute(
        f"INSERT INTO {table} ({table}, rowid, terms) VALUES ('delete', ?, ?)", (item, tokens.index_text(text))
    )


def find(connection: Connection, kind: str, query: str, limit: int) -> list[tuple[int, float]]:
    """Items that share words with the query, as (item, BM25 score, larger is better), best first."""
    expression = tokens.fts_query(query)
    if not expression:
        return []
    table = _TABLES[kind]
    rows = connection.execute(
        f"SELECT rowid, -bm25({table}) AS score FROM {table} WHERE {table} MATCH ? ORDER BY score DESC, rowid LIMIT ?",
        (expression, limit),
    ).fetchall()
    return [(item, float(score)) for item, score in rows]
