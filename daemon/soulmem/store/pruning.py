"""Pruning: records that nobody asks for any more are removed for good, so that a mind does not grow by its journals.

Reads and deletes what `jobs`, `summaries`, `recalls`, `refusals` and `links` own; called by the sweep. Kept however old
they are: everything of an epoch that is not digested yet, and what a conversation may still ask of the last one (what
was handed out in it, `served`; which notes it became, `recent`); the last recalls, by which feedback and the clock find
their way. What can be restored is nobody's record: notes, links, their versions and history go with their tombstones.
Each table is looked through from its oldest row on and left at the first young one, so looking costs what is old.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from soulmem.store.driver import Connection
from soulmem.store.rows import AMONG, listed

LAST_RECALLS = 200  # kept however old they are
_LAST_SAID = 64  # messages of a conversation whose epochs may still be asked for, beside those of its window
_LOOKED_AT = 500  # rows of a journal in one go


@dataclass(frozen=True, slots=True)
class Old:
    """Rows that may go, by table."""

    jobs: tuple[int, ...] = ()
    summary_jobs: tuple[int, ...] = ()
    summaries: tuple[tuple[int, int], ...] = ()  # (conversation, epoch)
    recalls: tuple[int, ...] = ()
    refusals: tuple[int, ...] = ()
    reinforcements: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        several = self.jobs, self.summary_jobs, self.summaries, self.recalls, self.refusals, self.reinforcements
        return sum(map(len, several))


@dataclass(slots=True)
class _Asked:
    """Epochs of which something may still be asked. `from_epoch`: by conversation, that one and all later ones."""

    from_epoch: dict[int, int] = field(default_factory=dict)
    undigested: set[tuple[int, int]] = field(default_factory=set)

    def holds(self, conversation: int, epoch: int) -> bool:
        return epoch >= self.from_epoch.get(conversation, 0) or (conversation, epoch) in self.undigested


def old(connection: Connection, before: int, before_exp: int, most: int) -> Old:
    """What may go now, at most so many rows of each table.

    Args:
        before: wall milliseconds; what was recorded since stays.
        before_exp: the same in experienced milliseconds.
    """
    asked = _asked(connection)
    return Old(
        jobs=_jobs(connection, asked, before, most),
        summary_jobs=_summary_jobs(connection, asked, before, most),
        summaries=_summaries(connection, asked, before, most),
        recalls=_recalls(connection, asked, before, most),
        refusals=_first(connection, "SELECT id, at FROM refusal", before, most),
        reinforcements=_first(connection, "SELECT id, at_exp FROM reinforcement", before_exp, most),
    )


def remove(connection: Connection, rows: Old) -> None:
    """Remove rows for good; with a recall goes all that hangs on it."""
    for table, ids in (("job", rows.jobs), ("summary_job", rows.summary_jobs), ("refusal", rows.refusals),
                       ("reinforcement", rows.reinforcements)):  # fmt: skip
        if ids:
            connection.execute(f"DELETE FROM {table} WHERE id {AMONG}", (listed(ids),))
    connection.executemany("DELETE FROM summary WHERE conversation = ? AND epoch = ?", rows.summaries)
    if rows.recalls:
        for table, column in (("recall_hit", "recall"), ("recall_epoch", "recall"), ("recall", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {column} {AMONG}", (listed(rows.recalls),))


# -- what may go --------------------------------------------------------------------------------------------------


def _asked(connection: Connection) -> _Asked:
    asked = _Asked()
    for conversation, epoch, first in connection.execute(
        "SELECT conversation, epoch, min(win_lo, max_pos - ?) FROM window", (_LAST_SAID,)
    ).fetchall():
        row = connection.execute(
            "SELECT epoch FROM message WHERE conversation = ? AND pos >= ? ORDER BY pos LIMIT 1", (conversation, first)
        ).fetchone()
        asked.from_epoch[conversation] = min(epoch - 1, row[0]) if row else epoch - 1
    frozen = connection.execute("SELECT conversation, epoch FROM epoch WHERE state = 'frozen'")
    asked.undigested = {(conversation, epoch) for conversation, epoch in frozen}
    return asked


def _jobs(connection: Connection, asked: _Asked, before: int, most: int) -> tuple[int, ...]:
    rows = connection.execute("SELECT id, conversation, epoch, state, created_at, finished_at FROM job ORDER BY id")
    found: list[int] = []
    for job, conversation, epoch, state, created_at, finished_at in rows:
        if created_at >= before or len(found) >= most:
            break
        is_over = state == "done" and finished_at < before
        if is_over and (conversation is None or not asked.holds(conversation, epoch)):
            found.append(job)
    rows.close()
    return tuple(found)


def _summary_jobs(connection: Connection, asked: _Asked, before: int, most: int) -> tuple[int, ...]:
    rows = connection.execute("SELECT id, conversation, epoch, state, created_at FROM summary_job ORDER BY id")
    found: list[int] = []
    for job, conversation, epoch, state, created_at in rows:
        if created_at >= before or len(found) >= most:
            break
        if state == "done" and not asked.holds(conversation, epoch):
            found.append(job)
    rows.close()
    return tuple(found)


def _summaries(connection: Connection, asked: _Asked, before: int, most: int) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for conversation, first in asked.from_epoch.items():
        found += connection.execute(
            "SELECT conversation, epoch FROM summary WHERE conversation = ? AND epoch < ? GROUP BY epoch "
            "HAVING max(created_at) < ? ORDER BY epoch LIMIT ?",
            (conversation, first, before, most),
        ).fetchall()
    return tuple(each for each in found if each not in asked.undigested)[:most]


def _recalls(connection: Connection, asked: _Asked, before: int, most: int) -> tuple[int, ...]:
    last = connection.execute("SELECT id FROM recall ORDER BY id DESC LIMIT 1 OFFSET ?", (LAST_RECALLS,)).fetchone()
    if last is None:
        return ()
    found: list[int] = []
    rows = connection.execute("SELECT id, at, state FROM recall WHERE id <= ? ORDER BY id", last)
    for part in _old_parts(rows, before):
        needed = _needed(connection, asked, part)
        found += [recall for recall in part if recall not in needed]
        if len(found) >= most:
            break
    rows.close()
    return tuple(found[:most])


def _old_parts(rows: Iterator[tuple[int, int, str]], before: int) -> Iterator[list[int]]:
    part: list[int] = []
    for recall, at, state in rows:
        if at >= before:
            break
        if state != "pending":
            part.append(recall)
        if len(part) >= _LOOKED_AT:
            yield part
            part = []
    if part:
        yield part


def _needed(connection: Connection, asked: _Asked, recalls: Sequence[int]) -> set[int]:
    """Those of these recalls that count for an epoch of which something may still be asked.

    An epoch that was opened and then not talked in asks nothing: recalls without a conversation count for it for ever.
    """
    rows = connection.execute(
        "SELECT r.recall, r.conversation, r.epoch FROM recall_epoch r JOIN epoch e ON e.conversation = r.conversation "
        f"AND e.epoch = r.epoch WHERE r.recall {AMONG} AND (e.state <> 'open' OR EXISTS "
        "(SELECT 1 FROM message m WHERE m.conversation = r.conversation AND m.epoch = r.epoch))",
        (listed(recalls),),
    )
    return {recall for recall, conversation, epoch in rows if asked.holds(conversation, epoch)}


def _first(connection: Connection, select: str, before: int, most: int) -> tuple[int, ...]:
    """The first rows as long as they are old."""
    found = []
    for row, at in connection.execute(f"{select} ORDER BY id LIMIT ?", (most,)).fetchall():
        if at >= before:
            break
        found.append(row)
    return tuple(found)
