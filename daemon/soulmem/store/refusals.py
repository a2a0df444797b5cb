"""Refusals: what was kept out of the graph, and why.

Owns `refusal`. Rows are written in the transaction that stores what was admitted, and never changed, so `soulmem audit`
can show every draft that an engine made and every stretch of a message that was our own text coming back, as long as
records are kept (`pruning`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from soulmem.records import dataclass
from soulmem.store.driver import Connection
from soulmem.store.rows import public_id

MOST_TEXT = 500  # characters of a refused text or quotation that are kept


@dataclass(frozen=True, slots=True)
class NewRefusal:
    """`task` is the task that drafted it, or `mask` for what was cut out of a message before it was read.

    `message` is the row of the message it named; `detail` says what was found wrong.
    """

    at: int
    task: str
    engine: str
    reason: str
    text: str
    quote: str = ""
    detail: str = ""
    conversation: int | None = None
    epoch: int | None = None
    message: int | None = None


def insert(connection: Connection, rows: Sequence[NewRefusal]) -> None:
    connection.executemany(
        "INSERT INTO refusal (at, task, engine, conversation, epoch, reason, text, quote, detail, message) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                row.at, row.task, row.engine, row.conversation, row.epoch, row.reason, row.text[:MOST_TEXT],
                row.quote[:MOST_TEXT], row.detail[:MOST_TEXT], row.message,
            )
            for row in rows
        ],
    )  # fmt: skip


def list_page(
    connection: Connection, *, after: int, limit: int, reason: str | None, iso: Callable[[int], str]
) -> list[dict[str, Any]]:
    """Refusals by number, `after` excluded, as the protocol shows them.

    Args:
        iso: how a time is written.
    """
    clause = "" if reason is None else "AND r.reason = ?"
    rows = connection.execute(
        "SELECT r.id, r.at, r.task, r.engine, c.name, r.epoch, r.reason, r.detail, r.text, r.quote, m.client_id, m.seq "
        "FROM refusal r LEFT JOIN conversation c ON c.id = r.conversation LEFT JOIN message m ON m.id = r.message "
        f"WHERE r.id > ? {clause} ORDER BY r.id LIMIT ?",
        (after, *((reason,) if reason is not None else ()), limit),
    ).fetchall()
    names = ("task", "engine", "conversation", "epoch", "reason", "detail", "text", "quote", "message", "seq")
    return [{"id": public_id("x", row[0]), "at": iso(row[1]), **dict(zip(names, row[2:], strict=True))} for row in rows]


def counts(connection: Connection, since: int) -> dict[str, int]:
    """How many refusals there are of each reason since then, most first."""
    rows = connection.execute(
        "SELECT reason, count(*) FROM refusal WHERE at >= ? GROUP BY reason ORDER BY count(*) DESC, reason", (since,)
    )
    return {reason: int(number) for reason, number in rows}


def drafts_refused(connection: Connection, since: int) -> int:
    """How many drafts of engines were refused since then: without what was cut out of messages."""
    refused = "SELECT count(*) FROM refusal WHERE task <> 'mask' AND at >= ?"
    return int(connection.execute(refused, (since,)).fetchone()[0])
