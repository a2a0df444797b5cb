"""Windows and epochs: the durable state of a conversation's short-term memory.

Owns `window` and `epoch`. What is in the window follows from these numbers and the markers on the messages;
nothing about it lives only in memory. The decisions come from `core/conversation/sliding_window`.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.conversation.sliding_window import JobRange, JobReason, Marker, WindowPlan, WindowState, live_markers
from soulmem.core.conversation.sliding_window import flush as flush_window
from soulmem.core.conversation.sliding_window import freeze as freeze_window
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

ALL_SHELVED = 1 << 62
# Whether the message `m` is on the shelf: in no search index (see `index_eviction`). One whose notes are to be made
# anew is searched itself until they are there.
SHELVED = (
    "(EXISTS (SELECT 1 FROM epoch s WHERE s.conversation = m.conversation AND s.epoch = m.epoch "
    "AND s.shelved_through >= m.id) AND m.id NOT IN (SELECT message FROM rederive))"
)


@dataclass(frozen=True, slots=True)
class EpochRow:
    conversation: int
    conversation_name: str
    epoch: int
    state: str


def load(connection: Connection, conversation: int) -> tuple[WindowState, int] | None:
    """The window and the tokens of its fresh messages; None for a conversation that has none yet."""
    row = connection.execute(
        "SELECT capacity, win_lo, block_origin, hwm, max_pos, epoch, fresh_tokens FROM window WHERE conversation = ?",
        (conversation,),
    ).fetchone()
    return (WindowState(*row[:6]), row[6]) if row else None


def ensure(connection: Connection, conversation: int, capacity: int, now: int) -> tuple[WindowState, int]:
    found = load(connection, conversation)
    if found is not None:
        return found
    connection.execute(
        "INSERT INTO window (conversation, capacity, win_lo, block_origin, hwm, max_pos, epoch) "
        "VALUES (?, ?, 1, 1, 0, 0, 1)",
        (conversation, capacity),
    )
    connection.execute("INSERT INTO epoch (conversation, epoch, opened_at) VALUES (?, 1, ?)", (conversation, now))
    return WindowState(capacity=capacity), 0


def save(connection: Connection, conversation: int, state: WindowState, fresh_tokens: int) -> None:
    connection.execute(
        "UPDATE window SET capacity = ?, win_lo = ?, block_origin = ?, hwm = ?, max_pos = ?, epoch = ?, "
        "fresh_tokens = ? WHERE conversation = ?",
        (
            state.capacity, state.win_lo, state.block_origin, state.hwm, state.max_pos, state.epoch,
            fresh_tokens, conversation,
        ),
    )  # fmt: skip


def markers(connection: Connection, conversation: int, state: WindowState) -> dict[int, Marker]:
    """The markers of live messages."""
    return live_markers(
        connection.execute(
            "SELECT pos, marker FROM message WHERE conversation = ? AND marker <> 'none' AND pos BETWEEN ? AND ?",
            (conversation, state.win_lo, state.max_pos),
        ).fetchall()
    )


def clear_markers(connection: Connection, conversation: int, through: int) -> None:
    """A flush satisfies every marker up to `through`."""
    connection.execute(
        "UPDATE message SET marker = 'none' WHERE conversation = ? AND marker <> 'none' AND pos <= ?",
        (conversation, through),
    )


def mark_topic(connection: Connection, conversation: int, message: int) -> bool:
    """Mark a live, unmarked message as the start of a topic, after the fact; False when it is too late."""
    state = load(connection, conversation)
    if state is None:
        return False
    changed = connection.execute(
        "UPDATE message SET boundary = 1, marker = CASE marker WHEN 'none' THEN 'forced' ELSE marker END "
        "WHERE id = ? AND boundary = 0 AND pos > ? AND pos >= ?",
        (message, state[0].hwm, state[0].win_lo),
    ).rowcount
    return changed > 0


def insert_jobs(connection: Connection, conversation: int, jobs: tuple[JobRange, ...], now: int) -> list[int]:
    """Store summary jobs; returns their numbers."""
    return [
        connection.execute(
            "INSERT INTO summary_job (conversation, epoch, lo, hi, reason, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            (conversation, job.epoch, job.lo, job.hi, job.reason, now),
        ).fetchone()[0]
        for job in jobs
    ]


def flush(connection: Connection, conversation: int, reason: JobReason, now: int) -> int:
    """Assign what is fresh, and how many messages that is; they stay in the window."""
    held = load(connection, conversation)
    if held is None:
        return 0
    plan = flush_window(held[0], reason)
    insert_jobs(connection, conversation, plan.assigned, now)
    save(connection, conversation, plan.state, 0)
    if plan.cleared_through is not None:
        clear_markers(connection, conversation, plan.cleared_through)
    return held[0].fresh


def freeze(connection: Connection, conversation: int, epoch: int, now: int) -> None:
    """End an epoch and open its successor."""
    connection.execute(
        "UPDATE epoch SET state = 'frozen', frozen_at = ? WHERE conversation = ? AND epoch = ? AND state = 'open'",
        (now, conversation, epoch),
    )
    connection.execute(
        "INSERT OR IGNORE INTO epoch (conversation, epoch, opened_at) VALUES (?, ?, ?)", (conversation, epoch + 1, now)
    )


def end_epoch(
    connection: Connection, conversation: int, state: WindowState, reason: JobReason, now: int
) -> tuple[WindowPlan, list[int]]:
    """Assign what is fresh, end the epoch, open the next, all at once: what was planned, the numbers of its jobs."""
    plan = freeze_window(state, reason)
    numbers = insert_jobs(connection, conversation, plan.assigned, now)
    save(connection, conversation, plan.state, 0)
    if plan.cleared_through is not None:
        clear_markers(connection, conversation, plan.cleared_through)
    freeze(connection, conversation, state.epoch, now)
    return plan, numbers


def consolidate(connection: Connection, conversation: int, epoch: int, now: int) -> None:
    connection.execute(
        "UPDATE epoch SET state = 'consolidated', consolidated_at = ? WHERE conversation = ? AND epoch = ?",
        (now, conversation, epoch),
    )


EPOCHS = "SELECT e.conversation, c.name, e.epoch, e.state FROM epoch e JOIN conversation c ON c.id = e.conversation "
# Of an epoch `e`: it is notes by now which nothing was compared with.
UNCOMPARED = (
    "(e.conversation, e.epoch) IN (SELECT j.conversation, j.epoch FROM job j "
    "WHERE j.state NOT IN ('done', 'failed') AND j.step = 'reconcile')"
)


def shelved(connection: Connection, messages: Sequence[int]) -> frozenset[int]:
    """Those of these messages that are in no search index, because they are recalled through notes alone."""
    rows = connection.execute(f"SELECT m.id FROM message m WHERE m.id {AMONG} AND {SHELVED}", (listed(messages),))
    return frozenset(row[0] for row in rows)


def open_with_messages(connection: Connection) -> list[EpochRow]:
    """Open epochs that hold at least one message: what entering idle has to digest."""
    rows = connection.execute(
        EPOCHS + "WHERE e.state = 'open' AND EXISTS (SELECT 1 FROM message m "
        "WHERE m.conversation = e.conversation AND m.epoch = e.epoch AND m.pos IS NOT NULL) "
        "ORDER BY e.opened_at, e.conversation"
    ).fetchall()
    return [EpochRow(*row) for row in rows]


def frozen(connection: Connection) -> list[EpochRow]:
    """Epochs waiting to be digested, oldest first; those too that are notes by now which nothing was compared with."""
    rows = connection.execute(
        f"{EPOCHS} WHERE e.state = 'frozen' OR {UNCOMPARED} ORDER BY e.frozen_at, e.conversation, e.epoch"
    ).fetchall()
    return [EpochRow(*row) for row in rows]


def unfinished(connection: Connection) -> bool:
    """Whether any message still waits to be digested."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM epoch e WHERE e.state = 'frozen') OR EXISTS (SELECT 1 FROM job j "
        "WHERE j.state NOT IN ('done', 'failed') AND j.step = 'reconcile') OR EXISTS (SELECT 1 FROM epoch e "
        "JOIN message m ON m.conversation = e.conversation AND m.epoch = e.epoch AND m.pos IS NOT NULL "
        "WHERE e.state = 'open')"
    ).fetchone()
    return bool(row[0])
