"""Rolling summaries and the jobs that make them.

Owns `summary` and `summary_job`. There is one summary an epoch; each roll is a new version that covers more, and
storing it and finishing its job are one transaction, so running a job twice repeats no effect.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from soulmem.core.conversation.sliding_window import JobReason
from soulmem.core.conversation.summary_schedule import JobStatus, SummaryJob
from soulmem.core.schema.note_requests import SourceQuote, Summary, SummaryPoint
from soulmem.fast_dataclasses import dataclass
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed, row_hash

KEPT_VERSIONS = 5


@dataclass(frozen=True, slots=True)
class SummaryRow:
    conversation: int
    epoch: int
    version: int
    summary: Summary
    covers_hi: int


def latest(connection: Connection, conversation: int, epoch: int) -> SummaryRow | None:
    row = connection.execute(
        "SELECT version, text, points, covers_hi FROM summary WHERE conversation = ? AND epoch = ? "
        "ORDER BY version DESC LIMIT 1",
        (conversation, epoch),
    ).fetchone()
    if row is None:
        return None
    return SummaryRow(conversation, epoch, row[0], Summary(row[1], _points(row[2])), row[3])


@dataclass(frozen=True, slots=True)
class Current:
    """The summary of a conversation that is not digested yet; `at` is when it was last rolled."""

    conversation: int
    conversation_name: str
    summary: Summary
    at: int


def current(connection: Connection, conversations: Sequence[int] | None = None) -> list[Current]:
    """The newest summary of every epoch that has not become notes yet (of these conversations)."""
    chosen = "" if conversations is None else f"AND s.conversation {AMONG}"
    rows = connection.execute(
        "SELECT s.conversation, c.name, s.text, s.points, s.created_at FROM summary s "
        "JOIN conversation c ON c.id = s.conversation "
        "JOIN epoch e ON e.conversation = s.conversation AND e.epoch = s.epoch "
        "WHERE e.state <> 'consolidated' AND s.text <> '' AND s.version = (SELECT max(version) FROM summary t "
        f"WHERE t.conversation = s.conversation AND t.epoch = s.epoch) {chosen} ORDER BY s.conversation, s.epoch",
        () if conversations is None else (listed(conversations),),
    ).fetchall()
    newest = {row[0]: Current(row[0], row[1], Summary(row[2], _points(row[3])), row[4]) for row in rows}
    return list(newest.values())


def conversations_with_jobs(connection: Connection) -> list[int]:
    rows = connection.execute(
        "SELECT DISTINCT conversation FROM summary_job WHERE state IN ('pending', 'running') ORDER BY conversation"
    )
    return [row[0] for row in rows]


def unfinished_jobs(connection: Connection, conversation: int, epoch: int | None = None) -> list[SummaryJob]:
    clause = "" if epoch is None else "AND epoch = ?"
    values = (conversation,) if epoch is None else (conversation, epoch)
    rows = connection.execute(
        "SELECT id, epoch, lo, hi, state, attempts FROM summary_job WHERE conversation = ? "
        f"AND state <> 'done' AND quarantined_at IS NULL {clause} ORDER BY lo",
        values,
    ).fetchall()
    return [SummaryJob(str(row[0]), row[1], row[2], row[3], JobStatus(row[4]), row[5]) for row in rows]


def reason(connection: Connection, job: int) -> JobReason:
    """What caused the job."""
    return JobReason(connection.execute("SELECT reason FROM summary_job WHERE id = ?", (job,)).fetchone()[0])


def is_over(connection: Connection, conversation: int, epoch: int) -> bool:
    """Whether the talk that is summarised has ended, and becomes notes next."""
    row = connection.execute(
        "SELECT state FROM epoch WHERE conversation = ? AND epoch = ?", (conversation, epoch)
    ).fetchone()
    return row is not None and row[0] != "open"


def wanted_at(connection: Connection, job: int) -> int:
    """When the job was assigned, wall time."""
    return int(connection.execute("SELECT created_at FROM summary_job WHERE id = ?", (job,)).fetchone()[0])


def reset_running(connection: Connection) -> None:
    """At open: a job that was running belongs to a process that is gone."""
    connection.execute("UPDATE summary_job SET state = 'pending' WHERE state = 'running'")


def start(connection: Connection, job: int, base_version: int, now: int) -> None:
    connection.execute(
        "UPDATE summary_job SET state = 'running', attempts = attempts + 1, base_version = ?, started_at = ? "
        "WHERE id = ?",
        (base_version, now, job),
    )


def release(connection: Connection, job: int, error: str | None) -> None:
    """A call that failed or was called off: the job waits to run again."""
    connection.execute(
        "UPDATE summary_job SET state = 'pending', error = ? WHERE id = ? AND state = 'running'", (error, job)
    )


def finish(connection: Connection, job: int, conversation: int, epoch: int, hi: int, summary: Summary, now: int) -> int:
    """Store a roll and finish its job; returns the version. A roll that is already covered is not stored again."""
    before = latest(connection, conversation, epoch)
    version = before.version if before else 0
    if before is None or before.covers_hi < hi:
        version += 1
        points = dump_points(summary.points)
        connection.execute(
            "INSERT INTO summary (conversation, epoch, version, text, points, covers_hi, created_at, hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                conversation, epoch, version, summary.text, points, hi, now,
                row_hash(conversation, epoch, version, summary.text, points),
            ),
        )  # fmt: skip
        embedding_backlog.enqueue(connection, [("summary", conversation, "self")])
        connection.execute(
            "DELETE FROM summary WHERE conversation = ? AND epoch = ? AND version <= ?",
            (conversation, epoch, version - KEPT_VERSIONS),
        )
    connection.execute(
        "UPDATE summary_job SET state = 'done', finished_at = ?, error = NULL, result = ?, deaths = 0 WHERE id = ?",
        (now, dump_json({"version": version, "characters": len(summary.text)}), job),
    )
    return version


def rewind(connection: Connection, conversation: int, epoch: int, pos: int) -> bool:
    """Take back every roll that covers this place, and let what it covered be rolled again; False if none does.

    What was rolled before that place stands. A digested epoch is summarised no more.
    """
    covered = connection.execute(
        "DELETE FROM summary WHERE conversation = ? AND epoch = ? AND covers_hi >= ?", (conversation, epoch, pos)
    ).rowcount
    if not covered:
        return False
    connection.execute(
        "UPDATE summary_job SET state = 'pending', attempts = 0, started_at = NULL, finished_at = NULL, result = NULL, "
        "error = NULL, deaths = 0, quarantined_at = NULL "
        "WHERE conversation = ? AND epoch = ? AND state <> 'pending' AND hi > "
        "(SELECT coalesce(max(covers_hi), 0) FROM summary WHERE conversation = ? AND epoch = ?) AND EXISTS "
        "(SELECT 1 FROM epoch e WHERE e.conversation = ? AND e.epoch = ? AND e.state <> 'consolidated')",
        (conversation, epoch) * 3,
    )
    vectors.remove(connection, "summary", conversation)
    if current(connection, [conversation]):
        embedding_backlog.enqueue(connection, [("summary", conversation, "self")])
    return True


def dump_points(points: tuple[SummaryPoint, ...]) -> str:
    return dump_json(
        [
            {
                "text": point.text,
                "sources": [[source.seq, source.quote] for source in point.sources],
                "at": point.at_ms,
                "salience": point.salience,
            }
            for point in points
        ]
    )


def _points(text: str) -> tuple[SummaryPoint, ...]:
    items: list[dict[str, Any]] = json.loads(text)
    return tuple(
        SummaryPoint(
            item["text"], tuple(SourceQuote(*source) for source in item["sources"]), item["at"], item["salience"]
        )
        for item in items
    )
