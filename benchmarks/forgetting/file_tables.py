"""What of a mind's file belongs to which table: its pages, with those of its indexes and its search index.

Called by the year of `forget` for a copy that nobody else has open. Pages are counted with SQLite's `dbstat`, which the
driver of the daemon may lack, so the standard module looks at the file; where that lacks it too, there is nothing to
tell.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

FREE = "(free pages)"
_SEARCH = {"message_search": "message (search)", "note_search": "note (search)"}


def bytes_by_table(path: Path) -> Counter[str]:
    """The bytes of each table's pages and of the pages that are free; empty where nobody can tell."""
    found: Counter[str] = Counter()
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as connection:
        try:
            pages = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall()
        except sqlite3.OperationalError:
            return found
        owners = dict(connection.execute("SELECT name, tbl_name FROM sqlite_schema"))
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        for name, held in pages:
            found[_owner(owners.get(name, name))] += held
        found[FREE] = size * connection.execute("PRAGMA freelist_count").fetchone()[0]
    return found


def _owner(table: str) -> str:
    if table.startswith("vec_"):
        return "vector (vec0 index)"
    return next((name for prefix, name in _SEARCH.items() if table.startswith(prefix)), table)
