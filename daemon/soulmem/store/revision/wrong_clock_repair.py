"""Wrong clock repair: what a mind forgot on a clock that was ahead comes back when the clock is put right.

Called by `mind_session` in the transaction that prepares a file, with the stretches of time that turned out never to
have been (`core/calendar/clock_leaps`); a mind follows each once. Invariants: what a client forgot stays forgotten;
what faded on the wrong clock has the strength it would have had; experienced time goes on from where it was before, as
if the clock had been right all along.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from soulmem.core.calendar.clock_leaps import WrongTime
from soulmem.core.calendar.experienced_time import ExperiencedTime
from soulmem.core.decay.traces import FAR_FUTURE_MS, Trace
from soulmem.core.schema.note_requests import LinkKind
from soulmem.fast_dataclasses import dataclass
from soulmem.store.graph import link_rows
from soulmem.store.notes import masked_indexing, note_writes, retention_queue
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed, public_id

_FOLLOWED = "wrong_times"  # in `meta`: the names of those that this mind has followed
_BY_ITSELF = "('faded', 'isolated', 'ceiling', 'note_forgotten')"  # reasons of tombstones that no client asked for
_SOME = 500  # notes whose masks are looked at together
# Columns of experienced time in which a moment of the wrong clock may stand; traces are moved one by one.
_MOMENTS = (
    ("note", "created_exp"), ("note", "recalled_exp"), ("note", "rewritten_exp"), ("note", "due_check"),
    ("recall", "at_exp"), ("recall_hit", "at_exp"), ("reinforcement", "at_exp"), ("link_memory", "at_exp"),
    ("link_memory_log", "at_exp"), ("feedback", "at_exp"), ("drift", "tried_exp"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CameBack:
    """How many notes and links are there again."""

    notes: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class _Shift:
    """Experienced times from `from_exp` on lie `by_exp` too late."""

    from_exp: int
    by_exp: int
    floor_exp: int

    def of(self, exp: int) -> int:
        return max(self.floor_exp, exp - self.by_exp) if exp >= self.from_exp else exp


def prepare(connection: Connection, known: Sequence[WrongTime]) -> None:
    """A mind that comes into being has nothing to follow: it is made after all that is known."""
    _remember(connection, [each.name for each in known])


def follow(
    connection: Connection, who: Identity, known: Sequence[WrongTime], *, after_ms: int, rate_ppm: int
) -> CameBack:
    """Undo what this mind forgot in the stretches of wrong time that it has not followed yet.

    Args:
        after_ms: how long a silence lasts before experienced time slows down, and
        rate_ppm: how fast it then passes, in millionths.
    """
    done = _followed(connection)
    total = CameBack()
    for wrong in known:
        if wrong.name in done:
            continue
        came = _follow_one(connection, who, wrong, after_ms=after_ms, rate_ppm=rate_ppm)
        who = mind_metadata.load(connection) or who
        total = CameBack(total.notes + came.notes, total.links + came.links)
        done.append(wrong.name)
        _remember(connection, done)
    return total


def _follow_one(connection: Connection, who: Identity, wrong: WrongTime, *, after_ms: int, rate_ppm: int) -> CameBack:
    stored = ExperiencedTime(who.wall_anchor_at, who.exp_anchor, after_ms, rate_ppm)
    if who.created_at > wrong.now_ms:  # it was made on the wrong clock, and knows no other
        mind_metadata.save_anchor(connection, wrong.now_ms, stored.at(wrong.until_ms))
        return CameBack()
    if not wrong.was_ahead:
        return _follow_from_behind(connection, stored, wrong)
    wall, exp = _last_right(connection, who, wrong)
    right = ExperiencedTime(wall, exp, after_ms, rate_ppm)
    last_exp = connection.execute("SELECT max(at_exp) FROM recall").fetchone()[0]
    wrong_now, right_now = max(stored.at(wrong.until_ms), last_exp or 0), right.at(wrong.now_ms)
    shift = _Shift(right.at(wrong.after_ms), wrong_now - right_now, right.at(wrong.before_ms))
    if shift.by_exp <= 0:
        return CameBack()
    _move_moments(connection, shift)
    _move_traces(connection, shift)
    mind_metadata.save_anchor(connection, wrong.now_ms, right_now)
    came = _bring_back(connection, wrong, right_now)
    connection.execute(  # what a client forgot then can be brought back as long as anything
        "UPDATE tombstone SET forgotten_at = ?, purge_at = purge_at - (forgotten_at - ?) WHERE forgotten_at >= ?",
        (wrong.now_ms, wrong.now_ms, wrong.after_ms),
    )
    living = [row[0] for row in connection.execute("SELECT id FROM note WHERE lifecycle <> 'forgotten' ORDER BY id")]
    for first in range(0, len(living), _SOME):
        masked_indexing.refresh(connection, living[first : first + _SOME], right_now)
    retention_queue.demand(connection, living)
    return came


def _follow_from_behind(connection: Connection, stored: ExperiencedTime, wrong: WrongTime) -> CameBack:
    """The clock was behind, and no years passed when it was put right."""
    right_now = stored.at(wrong.now_ms)
    if wrong.after_ms <= stored.wall_anchor_ms <= wrong.until_ms:  # somebody talked meanwhile
        right_now = stored.at(wrong.until_ms)
        mind_metadata.save_anchor(connection, wrong.now_ms, right_now)
    connection.execute(  # what a client forgot then can be brought back as long as anything
        "UPDATE tombstone SET forgotten_at = ?, purge_at = purge_at + (? - forgotten_at) "
        "WHERE forgotten_at BETWEEN ? AND ?",
        (wrong.now_ms, wrong.now_ms, wrong.after_ms, wrong.until_ms),
    )
    return CameBack()


def _last_right(connection: Connection, who: Identity, wrong: WrongTime) -> tuple[int, int]:
    """The last moment before the clock was wrong of which both times are known: (wall, experienced)."""
    found = [(who.created_at, 0)]  # a mind is born at experienced time 0
    if who.wall_anchor_at <= wrong.before_ms:
        found.append((who.wall_anchor_at, who.exp_anchor))
    for query in (
        "SELECT at, at_exp FROM recall WHERE at <= ? ORDER BY id DESC LIMIT 1",
        "SELECT created_at, created_exp FROM note WHERE created_at <= ? AND lifecycle <> 'forgotten' "
        "ORDER BY id DESC LIMIT 1",
    ):
        row = connection.execute(query, (wrong.before_ms,)).fetchone()
        if row is not None:
            found.append((row[0], row[1]))
    return max(found)


def _move_moments(connection: Connection, shift: _Shift) -> None:
    for table, column in _MOMENTS:
        connection.execute(
            f"UPDATE {table} SET {column} = max(?, {column} - ?) WHERE {column} >= ? AND {column} < ?",
            (shift.floor_exp, shift.by_exp, shift.from_exp, FAR_FUTURE_MS),
        )


def _move_traces(connection: Connection, shift: _Shift) -> None:
    """Traces that were made or strengthened then, with what falls due of them."""
    for due in ("due_blur", "due_blank", "due_next"):
        connection.execute(
            f"UPDATE element SET {due} = max(?, {due} - ?) WHERE t0 >= ? AND {due} < ?",
            (shift.floor_exp, shift.by_exp, shift.from_exp, FAR_FUTURE_MS),
        )
    connection.execute(
        "UPDATE element SET t0 = max(?, t0 - ?) WHERE t0 >= ?", (shift.floor_exp, shift.by_exp, shift.from_exp)
    )
    connection.execute(
        "UPDATE element SET last_growth = max(?, last_growth - ?) WHERE last_growth >= ?",
        (shift.floor_exp, shift.by_exp, shift.from_exp),
    )
    for link, src, dst, kind, verb, a0, t0, stability, grown, due in connection.execute(
        "SELECT id, src, dst, kind, verb, a0, t0, stability, last_growth, due_delete FROM link WHERE t0 >= ?",
        (shift.from_exp,),
    ).fetchall():
        trace = Trace(a0, shift.of(t0), stability, None if grown is None else shift.of(grown))
        connection.execute(
            "UPDATE link SET t0 = ?, last_growth = ?, due_delete = ?, hash = ? WHERE id = ?",
            (
                trace.t0_ms, trace.grown_ms, due if due >= FAR_FUTURE_MS else shift.of(due),
                link_rows.content_hash(src, dst, LinkKind(kind), verb, trace), link,
            ),
        )  # fmt: skip


def _bring_back(connection: Connection, wrong: WrongTime, right_now: int) -> CameBack:
    """Notes and links that were forgotten by themselves while the clock was wrong."""
    asked = f"forgotten_at >= ? AND reason IN {_BY_ITSELF}"
    gone = connection.execute(f"SELECT item FROM tombstone WHERE kind = 'note' AND {asked}", (wrong.after_ms,))
    back = [row[0] for row in gone.fetchall()]
    for note in back:
        note_writes.bring_back(connection, note, now=wrong.now_ms, now_exp=right_now)
    tied = [
        row[0]
        for row in connection.execute(
            "SELECT t.item FROM tombstone t JOIN link l ON l.id = t.item "
            "JOIN note s ON s.id = l.src JOIN note d ON d.id = l.dst "
            f"WHERE t.kind = 'link' AND {asked} AND s.lifecycle <> 'forgotten' AND d.lifecycle <> 'forgotten'",
            (wrong.after_ms,),
        ).fetchall()
    ]
    connection.execute(f"UPDATE link SET forgotten = 0 WHERE id {AMONG}", (listed(tied),))
    connection.execute(f"DELETE FROM tombstone WHERE kind = 'link' AND item {AMONG}", (listed(tied),))
    connection.executemany(
        "INSERT INTO history (at, action, item, detail) VALUES (?, 'link_restored', ?, ?)",
        [(wrong.now_ms, public_id("l", link), dump_json({"reason": "clock"})) for link in tied],
    )
    return CameBack(len(back), len(tied))


def _followed(connection: Connection) -> list[str]:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_FOLLOWED,)).fetchone()
    found: list[str] = json.loads(row[0]) if row else []
    return found


def _remember(connection: Connection, names: Sequence[str]) -> None:
    if names:
        connection.execute(
            "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (_FOLLOWED, dump_json(list(names))),
        )
