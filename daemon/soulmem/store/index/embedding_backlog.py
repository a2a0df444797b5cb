"""What still has to be embedded: asked for in the transaction that writes the text, so no crash forgets it."""

from __future__ import annotations

from collections.abc import Iterable

from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.window_state import SHELVED
from soulmem.store.sqlite.driver import Connection, snapshot

_SHORTLY = 1_000  # messages


@dataclass(frozen=True, slots=True)
class Pending:
    """A request for a vector; `asked` counts how often it came while it waited."""

    kind: str
    item: int
    variant: str
    asked: int


def enqueue(connection: Connection, items: Iterable[tuple[str, int, str]]) -> None:
    """Ask for vectors; what waits already is asked for once more, so that one under way for former words is not it."""
    connection.executemany(
        "INSERT INTO embed_pending (kind, item, variant) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET asked = asked + 1",
        list(items),
    )


def enqueue_all(connection: Connection, fingerprint: str) -> int:
    """Ask for all that is searched and has no vector of this fingerprint (after a change of embedder); how many."""
    before = backlog(connection)
    searched = f"m.deleted = 0 AND m.role IN ('user', 'assistant') AND NOT {SHELVED}"
    connection.execute(
        "INSERT OR IGNORE INTO embed_pending (kind, item, variant) "
        "SELECT 'note', id, 'self' FROM note WHERE lifecycle <> 'forgotten' "
        f"UNION ALL SELECT 'message', id, 'self' FROM message m WHERE {searched} "
        f"UNION ALL SELECT 'message', id, 'context' FROM message m WHERE {searched}"
    )
    connection.execute(
        "DELETE FROM embed_pending WHERE EXISTS (SELECT 1 FROM vector v WHERE v.kind = embed_pending.kind "
        "AND v.item = embed_pending.item AND v.variant = embed_pending.variant AND v.fingerprint = ?)",
        (fingerprint,),
    )
    return backlog(connection) - before


def pending(connection: Connection, limit: int) -> list[Pending]:
    """What waits to be embedded: notes and summaries, then messages in order of arrival, then their surroundings.

    These follow from the vectors of the messages themselves. All is read as of one moment: else the last query would
    find the surroundings of a message that came after the one before it.
    """
    with snapshot(connection):
        rows = connection.execute(
            "SELECT kind, item, variant, asked FROM embed_pending WHERE kind <> 'message' LIMIT ?", (limit,)
        ).fetchall()
        for variant in ("self", "context"):
            if len(rows) < limit:
                rows += connection.execute(
                    "SELECT kind, item, variant, asked FROM embed_pending WHERE kind = 'message' AND variant = ? "
                    "ORDER BY item LIMIT ?",
                    (variant, limit - len(rows)),
                ).fetchall()
    return [Pending(*row) for row in rows]


def waits_before(connection: Connection, message: int) -> bool:
    """Whether any note, or any message that came shortly before, still waits for a vector.

    Nobody is kept waiting by a long past that is embedded anew.
    """
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM embed_pending WHERE kind = 'message' AND item BETWEEN ? AND ?) "
        "OR EXISTS (SELECT 1 FROM embed_pending WHERE kind = 'note')",
        (message - _SHORTLY, message - 1),
    ).fetchone()
    return bool(row[0])


def backlog(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM embed_pending").fetchone()[0])
