"""Gate rejections: what was kept out of the graph, and why.

Owns `refusal`. Rows are written in the transaction that stores what was admitted, and never changed, so `soulmem audit`
can show every draft that an engine made and every stretch of a message that was our own text coming back, as long as
records are kept (`journal_pruning`). What was said and says nothing stands here too, under the task `LEFT_OUT`: it was
not refused, and counts as no junk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.list_pages import read_page
from soulmem.store.sqlite.row_hash import public_id

LEFT_OUT = "left_out"  # the task of what was said and is in no note
MASK = "mask"  # the task of what was cut out of messages
MOST_TEXT = 500  # characters of a refused text or quotation that are kept


@dataclass(frozen=True, slots=True)
class NewRefusal:
    """`task` is the task that drafted it, `MASK` for what was cut out of a message before it was read, or `LEFT_OUT`.

    `message` is the row of the message it named; `detail` says what was found wrong; `count` is how many sentences it
    stands for.
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
    count: int = 1


def insert(connection: Connection, rows: Sequence[NewRefusal]) -> None:
    connection.executemany(
        "INSERT INTO refusal (at, task, engine, conversation, epoch, reason, text, quote, detail, message, count) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                row.at, row.task, row.engine, row.conversation, row.epoch, row.reason, row.text[:MOST_TEXT],
                row.quote[:MOST_TEXT], row.detail[:MOST_TEXT], row.message, row.count,
            )
            for row in rows
        ],
    )  # fmt: skip


def list_page(
    connection: Connection,
    *,
    after: int,
    limit: int,
    reason: str | None,
    outcome: str | None,
    iso: Callable[[int], str],
) -> list[dict[str, Any]]:
    """Refusals and what was left out by number, `after` excluded, as the protocol shows them.

    Args:
        outcome: only what was `refused`, or only what was `left_out`.
        iso: how a time is written.
    """
    clause = "" if reason is None else "AND r.reason = ?"
    if outcome is not None:
        clause += f" AND (r.task = '{LEFT_OUT}') = {outcome == 'left_out':d}"
    rows = connection.execute(
        "SELECT r.id, r.at, r.task, r.engine, c.name, r.epoch, r.reason, r.detail, r.text, r.quote, m.client_id, "
        "m.seq, r.count, iif(r.task = ?, 'left_out', 'refused') "
        "FROM refusal r LEFT JOIN conversation c ON c.id = r.conversation LEFT JOIN message m ON m.id = r.message "
        f"WHERE r.id > ? {clause} ORDER BY r.id LIMIT ?",
        (LEFT_OUT, after, *((reason,) if reason is not None else ()), limit),
    )
    names = ("task", "engine", "conversation", "epoch", "reason", "detail", "text", "quote", "message", "seq",
             "count", "outcome")  # fmt: skip
    found = (
        {"id": public_id("x", row[0]), "at": iso(row[1]), **dict(zip(names, row[2:], strict=True))} for row in rows
    )
    return read_page(found, text_size)


def text_size(refused: dict[str, Any]) -> int:
    """How much of a page a refusal takes."""
    return len(f"{refused['text']}{refused['quote']}".encode())


def counts(connection: Connection, since: int, *, left_out: bool = False) -> dict[str, int]:
    """How many drafts and stretches were refused for each reason since then, or how many sentences left out."""
    rows = connection.execute(
        f"SELECT reason, sum(count) FROM refusal WHERE at >= ? AND task {'=' if left_out else '<>'} ? "
        "GROUP BY reason ORDER BY sum(count) DESC, reason",
        (since, LEFT_OUT),
    )
    return {reason: int(number) for reason, number in rows}


def drafts_refused(connection: Connection, since: int) -> int:
    """How many drafts of engines were refused since then: without what was cut out of messages or left out."""
    refused = "SELECT count(*) FROM refusal WHERE task NOT IN (?, ?) AND at >= ?"
    return int(connection.execute(refused, (MASK, LEFT_OUT, since)).fetchone()[0])
