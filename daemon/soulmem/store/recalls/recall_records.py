"""Recall records: who asked what and when, and which items came back.

Owns `recall`, `recall_epoch` and `recall_hit`. A user message's recall is stored as pending in the very
transaction that stores the message, so that each causes exactly one, whatever crashes in between. `counts` turns
the records of an epoch into what the Hebbian rule needs: distinct turns, first and last time, co-occurrence.
What stood in a prompt only because there was room is on record as `BESIDE`: handed out, but never brought to mind.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from soulmem.core.details.rehearsal import RETURNED
from soulmem.core.search.score_calibration import rank_share
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.notes import note_writes, rehearsal_writes
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

BESIDE = "beside"  # the tier of what was handed out without having been brought to mind


@dataclass(frozen=True, slots=True)
class PendingRecall:
    id: int
    message: int
    query: str
    conversation: int
    seq: int
    at: int
    mood: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    kind: str  # note | message
    item: int
    score: float
    tier: str = "vector"
    entry: str | None = None  # of a tendency to act: how it came to mind, `working.recall.graph_recall.Entry`


@dataclass(frozen=True, slots=True)
class NoteHit:
    """One return of a note in one user turn of an epoch; `at`: experienced milliseconds."""

    note: int
    turn: int
    at: int
    score: float
    used: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment by both clocks: wall and experienced milliseconds."""

    at: int
    at_exp: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was asked, what was replied with the help of a recall, and what the person said to that."""

    recall: int
    query: str
    reply: str
    message: int
    reaction: str


def insert(
    connection: Connection, *, query: str, depth: str, k: int, at: int, at_exp: int, state: str,
    message: int | None = None,
) -> int:  # fmt: skip
    number: int = connection.execute(
        "INSERT INTO recall (message, query, depth, k, state, at, at_exp) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (message, query, depth, k, state, at, at_exp),
    ).fetchone()[0]
    return number


def attach(connection: Connection, recall: int, conversation: int | None) -> None:
    """Count the recall for the conversation's open epoch, or, without one, for every epoch that is open."""
    clause = "AND e.conversation = ?" if conversation is not None else ""
    connection.execute(
        "INSERT OR IGNORE INTO recall_epoch (conversation, epoch, recall, turn) "
        "SELECT e.conversation, e.epoch, ?, c.user_turns FROM epoch e JOIN conversation c ON c.id = e.conversation "
        f"WHERE e.state = 'open' {clause}",
        (recall,) if conversation is None else (recall, conversation),
    )


def finish(
    connection: Connection, recall: int, hits: Sequence[Hit], at_exp: int, scope: Scope = WHOLE, *,
    was_shown: bool = True, beside: Sequence[Hit] = (),
) -> None:  # fmt: skip
    """Store what came back, no longer what another recall brought, and what was handed out `beside` it.

    Nothing is stored of a recall that was run already, so that it counts once, or is on record no longer
    (`journal_pruning`). `scope`: of the conversation it was made in; what others know too shows nothing of it.
    `was_shown`: somebody waits for it: what shows of the notes is rehearsed, by its share of the best score.
    """
    settled = connection.execute(
        "UPDATE recall SET state = 'done', coalesced_into = NULL WHERE id = ? AND state <> 'done'", (recall,)
    )
    if not settled.rowcount:
        return
    connection.executemany(
        "INSERT OR REPLACE INTO recall_hit (recall, rank, kind, item, tier, score, entry, at_exp) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (recall, rank, hit.kind, hit.item, hit.tier if rank <= len(hits) else BESIDE, hit.score, hit.entry, at_exp)
            for rank, hit in enumerate((*hits, *beside), start=1)
        ],
    )
    marked = scope.may_mark(connection, (hit.item for hit in hits if hit.kind == "note"))
    noted = [hit for hit in hits if hit.kind == "note" and hit.item in marked]
    note_writes.touch_recalled(connection, [hit.item for hit in noted], at_exp)
    if was_shown:
        best = max((hit.score for hit in hits), default=0.0)
        weights = {hit.item: RETURNED * rank_share(hit.score, best) for hit in noted}
        rehearsal_writes.rehearse(connection, weights, at_exp, was_used=False)


def reopen(connection: Connection, recalls: Sequence[int]) -> None:
    """Let recalls that were given up, with nothing found, be run."""
    connection.executemany(
        "UPDATE recall SET state = 'pending' WHERE id = ? AND state = 'done' "
        "AND NOT EXISTS (SELECT 1 FROM recall_hit h WHERE h.recall = recall.id)",
        [(recall,) for recall in recalls],
    )


def coalesce(connection: Connection, recalls: Sequence[int], into: int) -> None:
    """Let one recall stand for older ones that nobody had time to run."""
    connection.executemany(
        "UPDATE recall SET state = 'coalesced', coalesced_into = ? WHERE id = ? AND state = 'pending'",
        [(into, recall) for recall in recalls],
    )


_PENDING = (
    "SELECT r.id, r.message, r.query, m.conversation, m.seq, r.at, coalesce(m.mood, '') "
    "FROM recall r JOIN message m ON m.id = r.message WHERE r.state = 'pending'"
)


def pending(connection: Connection, limit: int) -> list[PendingRecall]:
    rows = connection.execute(f"{_PENDING} ORDER BY r.id LIMIT ?", (limit,)).fetchall()
    return [PendingRecall(*row) for row in rows]


def pending_count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM recall WHERE state = 'pending'").fetchone()[0])


def newest_pending(connection: Connection) -> int:
    """The number of the last recall that waits to be run; 0 where none does."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM recall WHERE state = 'pending'").fetchone()[0])


def passed_over(
    connection: Connection, apart: Collection[int]
) -> tuple[list[PendingRecall], list[tuple[int, list[int]]]]:
    """The newest waiting recall of each conversation, and by the number of each those that it may stand for.

    `apart`: recalls that somebody else runs.
    """
    older: dict[int, list[int]] = {}
    for recall, conversation in connection.execute(
        "SELECT r.id, m.conversation FROM recall r JOIN message m ON m.id = r.message "
        "WHERE r.state = 'pending' ORDER BY r.id"
    ):
        if recall not in apart:
            older.setdefault(conversation, []).append(recall)
    chosen = [waiting.pop() for waiting in older.values()]
    rows = connection.execute(f"{_PENDING} AND r.id {AMONG} ORDER BY r.id", (listed(chosen),)).fetchall()
    return [PendingRecall(*row) for row in rows], list(zip(chosen, older.values(), strict=True))


def is_answered(connection: Connection, recall: int) -> bool:
    """Whether a recall was run itself; one that waits, or for which another stands, was not."""
    row = connection.execute("SELECT state = 'done' FROM recall WHERE id = ?", (recall,)).fetchone()
    return row is None or bool(row[0])


def is_within(connection: Connection, recall: int, scope: Scope) -> bool:
    """Whether a call may know of a recall: it was made in a conversation that it knows, or in front of nobody."""
    if scope.audience is None:
        return True
    rows = connection.execute(
        "SELECT conversation FROM recall_epoch WHERE recall = ? "
        "UNION SELECT m.conversation FROM recall r JOIN message m ON m.id = r.message WHERE r.id = ?",
        (recall, recall),
    ).fetchall()
    return not rows or not scope.audience.isdisjoint(row[0] for row in rows)


def place(connection: Connection, recall: int) -> str | None:
    """The conversation a recall was made in; None for one in front of nobody."""
    rows = connection.execute(
        "SELECT c.name FROM recall r JOIN message m ON m.id = r.message JOIN conversation c ON c.id = m.conversation "
        "WHERE r.id = ? UNION SELECT c.name FROM recall_epoch e JOIN conversation c ON c.id = e.conversation "
        "WHERE e.recall = ?",
        (recall, recall),
    ).fetchall()
    return str(rows[0][0]) if len(rows) == 1 else None


def of_message(connection: Connection, message: int) -> int | None:
    row = connection.execute("SELECT id FROM recall WHERE message = ? ORDER BY id LIMIT 1", (message,)).fetchone()
    return row[0] if row else None


def exchange_before(connection: Connection, conversation: str, seq: int) -> Exchange | None:
    """The exchange that a user message answers to; None unless a reply to a user stands right before it."""
    rows = connection.execute(
        "SELECT m.id, m.role, m.content FROM message m JOIN conversation c ON c.id = m.conversation "
        "WHERE c.name = ? AND m.seq <= ? AND m.deleted = 0 AND m.role IN ('user', 'assistant') "
        "ORDER BY m.seq DESC LIMIT 3",
        (conversation, seq),
    ).fetchall()
    if [row[1] for row in rows] != ["user", "assistant", "user"]:
        return None
    (message, _, reaction), (_, _, reply), (asked, _, query) = rows
    recall = of_message(connection, asked)
    return Exchange(recall, query, reply, message, reaction) if recall is not None else None


def answer_of(connection: Connection, recall: int) -> list[Hit] | None:
    """What a recall brought back; None for one that was not run itself or is on record no
    longer (`journal_pruning`).
    """
    is_done = connection.execute("SELECT 1 FROM recall WHERE id = ? AND state = 'done'", (recall,)).fetchone()
    return hits_of(connection, recall) if is_done else None


def hits_of(connection: Connection, recall: int) -> list[Hit]:
    rows = connection.execute(
        "SELECT kind, item, score, tier, entry FROM recall_hit WHERE recall = ? AND tier <> ? ORDER BY rank",
        (recall, BESIDE),
    ).fetchall()
    return [Hit(*row) for row in rows]


def note_hits(connection: Connection, conversation: int, epoch: int) -> list[NoteHit]:
    """Every return of a living note in an epoch, in order; pinned notes and triggers are left out of the race."""
    return _returns(connection, "JOIN note n ON h.kind = 'note' AND n.id = h.item", conversation, epoch)


def message_hits(connection: Connection, conversation: int, epoch: int) -> list[NoteHit]:
    """Likewise of the notes that rest on messages of other talks, which came back because they were no notes yet."""
    made_of = (
        "JOIN message m ON h.kind = 'message' AND m.id = h.item AND (m.conversation <> e.conversation "
        "OR m.epoch <> e.epoch) JOIN note_source s ON s.message = m.id JOIN note n ON n.id = s.note"
    )
    return _returns(connection, made_of, conversation, epoch)


def _returns(connection: Connection, joined: str, conversation: int, epoch: int) -> list[NoteHit]:
    rows = connection.execute(
        "SELECT n.id, e.turn, h.at_exp, h.score, h.used FROM recall_epoch e JOIN recall_hit h ON h.recall = e.recall "
        f"{joined} WHERE e.conversation = ? AND e.epoch = ? AND n.lifecycle <> 'forgotten' AND n.pinned = 0 "
        "AND n.kind <> 'trigger' AND h.tier <> ? ORDER BY h.at_exp, e.recall, h.rank, n.id",
        (conversation, epoch, BESIDE),
    ).fetchall()
    return [NoteHit(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows]


def lately(connection: Connection, conversation: int, most: int, *, below: int | None) -> list[tuple[str, int, int]]:
    """What the last recalls of a conversation's open epoch brought back: (kind, item, how many recalls ago).

    `below`: only recalls with a lower number: those that came before it.
    """
    rows = connection.execute(
        "SELECT e.recall FROM epoch o CROSS JOIN recall_epoch e ON e.conversation = o.conversation "
        "AND e.epoch = o.epoch JOIN recall r ON r.id = e.recall AND r.state = 'done' "
        "WHERE o.conversation = ? AND o.state = 'open' AND e.recall < ? ORDER BY e.recall DESC LIMIT ?",
        (conversation, below if below is not None else 1 << 62, most),
    ).fetchall()
    return [
        (kind, item, before)
        for before, (recall,) in enumerate(rows, start=1)
        for kind, item in connection.execute(
            "SELECT kind, item FROM recall_hit WHERE recall = ? AND tier <> ?", (recall, BESIDE)
        )
    ]


def count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM recall").fetchone()[0])


def last_moment(connection: Connection) -> Moment | None:
    """When the last recall was asked for."""
    row = connection.execute("SELECT at, at_exp FROM recall ORDER BY id DESC LIMIT 1").fetchone()
    return Moment(*row) if row else None
