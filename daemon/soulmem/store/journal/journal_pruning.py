"""Pruning: records that nobody asks for any more are removed for good, so that a mind does not grow by its journals.

Reads and deletes what `jobs`, `summaries`, `recalls`, `refusals` and `link_rows` own, and has `call_ledger` fold the
model calls of whole days; called by the sweep. Kept however old they are: everything of an epoch that is not digested
yet, and what a conversation may still ask of the last one (what was handed out in it, `served_texts`; which notes it
became, `verbatim_messages`); the last recalls, by which feedback and the clock find their way. What can be restored is
nobody's record: notes, links, their versions and history go with their tombstones. Each table is looked through from
its oldest row on and left at the first young one, so looking costs what is old. A row from later than now was written
while the clock was ahead: it is as old as what came after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass
from soulmem.store.journal import call_ledger
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, listed

LAST_RECALLS = 200  # kept however old they are
_LAST_SAID = 64  # messages of a conversation whose epochs may still be asked for, beside those of its window
_LOOKED_AT = 500  # recalls in one statement
_MOST_LOOKED_AT = 2_000  # recalls in one look: nobody who reads waits long behind it


@dataclass(frozen=True, slots=True)
class Old:
    """Rows that may go, by table."""

    jobs: tuple[int, ...] = ()
    summary_jobs: tuple[int, ...] = ()
    summaries: tuple[tuple[int, int], ...] = ()  # (conversation, epoch)
    recalls: tuple[int, ...] = ()
    refusals: tuple[int, ...] = ()
    reinforcements: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        records = self.jobs, self.summary_jobs, self.summaries, self.recalls, self.refusals
        return sum(map(len, (*records, self.reinforcements, self.calls)))


@dataclass(slots=True)
class _Asked:
    """Epochs of which something may still be asked. `from_epoch`: by conversation, that one and all later ones."""

    from_epoch: dict[int, int] = field(default_factory=dict)
    undigested: set[tuple[int, int]] = field(default_factory=set)

    def holds(self, conversation: int, epoch: int) -> bool:
        return epoch >= self.from_epoch.get(conversation, 0) or (conversation, epoch) in self.undigested


@dataclass(frozen=True, slots=True)
class _Young:
    """What was recorded from `since` to `now` stays; milliseconds of either time."""

    since: int
    now: int

    def holds(self, at: int) -> bool:
        return self.since <= at <= self.now


def old(connection: Connection, age_ms: int, now: int, now_exp: int, most: int) -> Old:
    """What may go now but for recalls, at most so many rows of each table.

    `age_ms`: what was recorded in the last so many milliseconds stays; `now`: wall milliseconds; `now_exp`: experienced
    milliseconds.
    """
    asked = _asked(connection)
    # Days of calls are kept one by one or as sums, so that what a day came to is never asked of both.
    day = _Young((now - age_ms) // DAY_MS * DAY_MS, now)
    calls = "SELECT id, at FROM model_call WHERE outcome <> 'running' AND answer IS NULL"
    young, young_exp = _Young(now - age_ms, now), _Young(now_exp - age_ms, now_exp)
    return Old(
        jobs=_jobs(connection, asked, young, most),
        summary_jobs=_summary_jobs(connection, asked, young, most),
        summaries=_summaries(connection, asked, young.since, most),
        refusals=_first(connection, "SELECT id, at FROM refusal", young, most),
        reinforcements=_first(connection, "SELECT id, at_exp FROM reinforcement", young_exp, most),
        calls=_first(connection, calls, day, most),
    )


def old_recalls(connection: Connection, age_ms: int, now: int, most: int, after: int) -> tuple[Old, int]:
    """The recalls after this one that may go now, at most so many, and the last one that was looked at.

    None was looked at when that is `after` again. A mind with many talks keeps some recalls of each for ever, so they
    are looked through in parts.
    """
    last = connection.execute("SELECT id FROM recall ORDER BY id DESC LIMIT 1 OFFSET ?", (LAST_RECALLS,)).fetchone()
    if last is None:
        return Old(), after
    asked = _asked(connection)
    found: list[int] = []
    rows = connection.execute("SELECT id, at, state FROM recall WHERE id > ? AND id <= ? ORDER BY id", (after, *last))
    aged = _aged(rows, _Young(now - age_ms, now))
    for part in islice(_parts(aged), _MOST_LOOKED_AT // _LOOKED_AT):
        needed = _needed(connection, asked, part)
        found += [recall for recall in part if recall not in needed]
        after = part[-1]
        if len(found) >= most:
            after = found[most - 1]
            break
    rows.close()
    return Old(recalls=tuple(found[:most])), after


def remove(connection: Connection, rows: Old) -> None:
    """Remove rows for good; with a recall goes all that hangs on it."""
    for table, ids in (("job", rows.jobs), ("summary_job", rows.summary_jobs), ("refusal", rows.refusals),
                       ("reinforcement", rows.reinforcements)):  # fmt: skip
        if ids:
            connection.execute(f"DELETE FROM {table} WHERE id {AMONG}", (listed(ids),))
    if rows.calls:
        call_ledger.fold(connection, rows.calls)
    connection.executemany("DELETE FROM summary WHERE conversation = ? AND epoch = ?", rows.summaries)
    if rows.recalls:
        for table, column in (("recall_hit", "recall"), ("recall_epoch", "recall"), ("recall", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {column} {AMONG}", (listed(rows.recalls),))


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


def _jobs(connection: Connection, asked: _Asked, young: _Young, most: int) -> tuple[int, ...]:
    rows = connection.execute("SELECT id, created_at, conversation, epoch, state, finished_at FROM job ORDER BY id")
    over = (
        job
        for job, _, conversation, epoch, state, finished_at in _aged(rows, young)
        if state == "done" and not young.holds(finished_at)
        if conversation is None or not asked.holds(conversation, epoch)
    )
    found = tuple(islice(over, most))
    rows.close()
    return found


def _summary_jobs(connection: Connection, asked: _Asked, young: _Young, most: int) -> tuple[int, ...]:
    rows = connection.execute("SELECT id, created_at, conversation, epoch, state FROM summary_job ORDER BY id")
    over = (
        job
        for job, _, conversation, epoch, state in _aged(rows, young)
        if state == "done" and not asked.holds(conversation, epoch)
    )
    found = tuple(islice(over, most))
    rows.close()
    return found


def _aged(rows: Iterable[Row], young: _Young) -> Iterator[Row]:
    """The rows (id, time, ...) before the first young one, by id."""
    ahead: list[Row] = []
    for row in rows:
        if row[1] > young.now:
            ahead.append(row)
        elif row[1] >= young.since:
            return
        else:
            yield from ahead
            ahead.clear()
            yield row


def _summaries(connection: Connection, asked: _Asked, before: int, most: int) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for conversation, first in asked.from_epoch.items():
        found += connection.execute(
            "SELECT conversation, epoch FROM summary WHERE conversation = ? AND epoch < ? GROUP BY epoch "
            "HAVING max(created_at) < ? ORDER BY epoch LIMIT ?",
            (conversation, first, before, most),
        ).fetchall()
    return tuple(each for each in found if each not in asked.undigested)[:most]


def _parts(rows: Iterator[Row]) -> Iterator[list[int]]:
    settled = (recall for recall, _, state in rows if state != "pending")
    while part := list(islice(settled, _LOOKED_AT)):
        yield part


def _needed(connection: Connection, asked: _Asked, recalls: Sequence[int]) -> set[int]:
    """Those of these recalls that count for an epoch of which something may still be asked.

    An epoch that was opened and then not talked in asks nothing, whatever the system said in it: recalls without a
    conversation count for it for ever.
    """
    rows = connection.execute(
        "SELECT r.recall, r.conversation, r.epoch FROM recall_epoch r JOIN epoch e ON e.conversation = r.conversation "
        f"AND e.epoch = r.epoch WHERE r.recall {AMONG} AND (e.state <> 'open' OR EXISTS "
        "(SELECT 1 FROM message m WHERE m.conversation = r.conversation AND m.epoch = r.epoch "
        "AND +m.pos IS NOT NULL))",
        (listed(recalls),),
    )
    return {recall for recall, conversation, epoch in rows if asked.holds(conversation, epoch)}


def _first(connection: Connection, select: str, young: _Young, most: int) -> tuple[int, ...]:
    """The first rows as long as they are old."""
    rows = connection.execute(f"{select} ORDER BY id")
    found = tuple(row[0] for row in islice(_aged(rows, young), most))
    rows.close()
    return found
