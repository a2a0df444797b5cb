"""Digestion jobs: one row a step and epoch, so that a crash repeats no effect and loses no step.

Owns `job`, `tombstone`'s purge and `idempotency`. A step's effects and its `done` are one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from soulmem.core.schema.blind_ids import ItemId
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import dump_json, public_id

DONE = "done"
KEY_LIFE_MS = 30 * 86_400_000


@dataclass(frozen=True, slots=True)
class Job:
    id: int
    step: str
    conversation: int | None
    epoch: int | None
    state: str
    attempts: int
    preempted: int
    created_at: int
    result: dict[str, Any] | None
    quarantined_at: int | None = None  # it is tried no more (`store/journal/step_quarantine`)


_SHOWN = (
    "c.name, j.epoch, j.state, j.attempts, j.created_at, j.started_at, j.finished_at, j.result, j.error, "
    "j.quarantined_at"
)
_COLUMNS = "id, step, conversation, epoch, state, attempts, preempted, created_at, result, quarantined_at"


def _job(row: Row) -> Job:
    values = [*row[:8], json.loads(row[8]) if row[8] else None, row[9]]
    return Job(*values)


def ensure(connection: Connection, step: str, conversation: int | None, epoch: int | None, now: int) -> Job:
    """The job of this step and epoch, made if it is missing; a step without an epoch continues its open job."""
    if conversation is not None:
        connection.execute(
            "INSERT OR IGNORE INTO job (step, conversation, epoch, created_at) VALUES (?, ?, ?, ?)",
            (step, conversation, epoch, now),
        )
        row = connection.execute(
            f"SELECT {_COLUMNS} FROM job WHERE step = ? AND conversation = ? AND epoch = ?", (step, conversation, epoch)
        ).fetchone()
        return _job(row)
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM job WHERE step = ? AND conversation IS NULL "
        "AND (state NOT IN ('done', 'failed') OR quarantined_at IS NOT NULL) ORDER BY id LIMIT 1",
        (step,),
    ).fetchone()
    if row is None:
        row = connection.execute(
            f"INSERT INTO job (step, created_at) VALUES (?, ?) RETURNING {_COLUMNS}", (step, now)
        ).fetchone()
    return _job(row)


def is_open(connection: Connection, step: str) -> bool:
    """Whether a step without an epoch was begun and is not over."""
    row = connection.execute(
        "SELECT 1 FROM job WHERE step = ? AND conversation IS NULL AND state NOT IN ('done', 'failed') "
        "AND quarantined_at IS NULL LIMIT 1",
        (step,),
    ).fetchone()
    return row is not None


def last_told(connection: Connection, step: str, name: str) -> int | None:
    """When a step's last job ended that told more than nothing under a name, wall milliseconds."""
    row = connection.execute(
        "SELECT max(finished_at) FROM job WHERE step = ? AND (result ->> ?) > 0", (step, f"$.{name}")
    ).fetchone()
    return row[0] if row[0] is not None else None


def told_since(connection: Connection, step: str, name: str, since: int) -> int:
    """The sum of what a step's jobs that ended since then told under a name."""
    row = connection.execute(
        "SELECT coalesce(sum(result ->> ?), 0) FROM job WHERE step = ? AND finished_at >= ?", (f"$.{name}", step, since)
    ).fetchone()
    return int(row[0])


def start(connection: Connection, job: int, now: int) -> None:
    connection.execute(
        "UPDATE job SET state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, ?) WHERE id = ?",
        (now, job),
    )


def finish(connection: Connection, job: int, result: dict[str, Any], now: int) -> None:
    connection.execute(
        "UPDATE job SET state = 'done', finished_at = ?, result = ?, error = NULL, deaths = 0 WHERE id = ?",
        (now, dump_json(result), job),
    )


def reopen(connection: Connection, step: str, conversation: int, epoch: int, now: int) -> None:
    """Let a step of an epoch be done once more, whatever came of it before; what it left half done is kept."""
    connection.execute(
        "INSERT INTO job (step, conversation, epoch, created_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (conversation, epoch, step) WHERE conversation IS NOT NULL DO UPDATE SET "
        "result = CASE WHEN state = 'done' THEN NULL ELSE result END, state = 'pending', attempts = 0, preempted = 0, "
        "created_at = excluded.created_at, started_at = NULL, finished_at = NULL, error = NULL, deaths = 0, "
        "quarantined_at = NULL",
        (step, conversation, epoch, now),
    )


def keep(connection: Connection, job: int, result: dict[str, Any]) -> None:
    """Note what a step that is not over yet has made so far."""
    connection.execute("UPDATE job SET result = ? WHERE id = ?", (dump_json(result), job))


def preempt(connection: Connection, job: int) -> None:
    connection.execute(
        "UPDATE job SET state = 'preempted', preempted = preempted + 1 WHERE id = ? AND state = 'running'", (job,)
    )


def fail(connection: Connection, job: int, error: str, now: int) -> None:
    connection.execute("UPDATE job SET state = 'failed', error = ?, finished_at = ? WHERE id = ?", (error, now, job))


def wait(connection: Connection, job: int, error: str, _now: int) -> None:
    """What could not be done now is still to be done, also after a restart."""
    connection.execute("UPDATE job SET state = 'pending', error = ? WHERE id = ?", (error, job))


def reset_running(connection: Connection) -> None:
    """At open: what ran belongs to a process that is gone; failed steps get another chance."""
    connection.execute(
        "UPDATE job SET state = 'pending' WHERE state IN ('running', 'failed') AND quarantined_at IS NULL"
    )


def pending_count(connection: Connection) -> int:
    row = connection.execute(
        "SELECT (SELECT count(*) FROM job WHERE state NOT IN ('done', 'failed')) + "
        "(SELECT count(*) FROM summary_job WHERE state IN ('pending', 'running'))"
    ).fetchone()
    return int(row[0])


def begin_round(connection: Connection, now: int) -> None:
    """Note when a round of digestion last began: where that cannot be written, none begins."""
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('digested_at', ?)", (str(now),))


def list_page(connection: Connection, *, after: int, limit: int, iso: Any) -> list[dict[str, Any]]:
    """Digestion jobs as the protocol shows them, newest last."""
    return _page(connection, "j", "j.step", "job j LEFT JOIN", after, limit, iso)


def summary_jobs(connection: Connection, *, after: int, limit: int, iso: Any) -> list[dict[str, Any]]:
    """Summary jobs in the same form (step `roll`, ids `js…`), newest last."""
    return _page(connection, "js", "'roll'", "summary_job j JOIN", after, limit, iso)


def _page(
    connection: Connection, letter: str, step: str, joined: str, after: int, limit: int, iso: Any
) -> list[dict[str, Any]]:
    rows = connection.execute(
        f"SELECT j.id, {step}, {_SHOWN} FROM {joined} conversation c ON c.id = j.conversation "
        "WHERE j.id > ? ORDER BY j.id LIMIT ?",
        (after, limit),
    )
    return [_view(letter, row, iso) for row in rows]


def _view(letter: str, row: tuple[Any, ...], iso: Any) -> dict[str, Any]:
    return {
        "id": public_id(letter, row[0]),
        "step": row[1],
        "conversation": row[2],
        "epoch": row[3],
        "state": row[4] if row[11] is None else "quarantined",
        "attempts": row[5],
        "created_at": iso(row[6]),
        "started_at": iso(row[7]) if row[7] is not None else None,
        "finished_at": iso(row[8]) if row[8] is not None else None,
        "result": json.loads(row[9]) if row[9] else None,
        "error": row[10],
    }


def once(
    connection: Connection, key: str | None, method: str, request_hash: bytes, now: int,
    run: Callable[[Connection], dict[str, Any]],
    again: Callable[[Connection, dict[str, Any]], dict[str, Any]] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Run a write under a client's idempotency key: the same request again gets the first result.

    Args: again: makes of the first result what may be told of it now: who asks may see less today, and a note shows
        less. Without it the first result is told as it was.
    Raises: SoulmemError: `idempotency_conflict` when the key was used for something else, and whatever `again` raises.
    """
    if key is None:
        return run(connection)
    row = connection.execute(
        "SELECT method, request_hash, result FROM idempotency WHERE key = ? AND created_at > ?",
        (key, now - KEY_LIFE_MS),
    ).fetchone()
    if row is not None:
        if (row[0], row[1]) != (method, request_hash):
            raise SoulmemError(
                ErrorName.IDEMPOTENCY_CONFLICT,
                f"the key {key[:80]!r} was used for a different request",
                hint="use a new key for a new request",
            )
        first = _with_ids(json.loads(row[2]))
        return {**(again(connection, first) if again is not None else first), "duplicate": True}
    result = run(connection)
    connection.execute(
        "INSERT OR REPLACE INTO idempotency (key, method, request_hash, result, created_at) VALUES (?, ?, ?, ?, ?)",
        (key, method, request_hash, dump_json(result), now),
    )
    return result


def _with_ids(result: dict[str, Any]) -> dict[str, Any]:
    """A kept result in which ids are known for such again."""
    known: dict[str, Any] = {"id": ItemId(result["id"])} if "id" in result else {}
    for name in ("jobs", "withdrawn", "purged"):
        if isinstance(result.get(name), list):
            known[name] = [ItemId(each) for each in result[name]]
    if "repeats" in result:
        known["repeats"] = [
            each | {"id": ItemId(each["id"])} if each["kind"] == "note" else each for each in result["repeats"]
        ]
    return result | known


def drop_results(connection: Connection, family: str, part: str, name: str) -> None:
    """Forget what calls of a family of methods (`note`, `message`) answered with this note or message in it.

    But for deletions: what was answered to those says nothing of it, and is answered again.
    """
    connection.execute(
        "DELETE FROM idempotency WHERE method LIKE ? || '.%' AND method NOT IN ('message.delete', 'note.purge') "
        "AND (result ->> '$.id' = ? OR result ->> ? = ?)",
        (family, name, f"$.{part}.id", name),
    )


def drop_old_keys(connection: Connection, now: int) -> None:
    connection.execute("DELETE FROM idempotency WHERE created_at <= ?", (now - KEY_LIFE_MS,))
