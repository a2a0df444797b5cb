"""Merge queue: the notes that are still to be compared with those that lie near them, and those that stay apart.

Owns `merge_due` and `kept_apart`, which also keeps of which two notes a model was asked whether their names are one's.
A note comes into the queue where it is made or made to say something else, in that transaction. Read by
`idle/merging/merge_step`, never all notes at once. Invariant: what may not become one with another is no candidate:
what a client wrote by hand, what holds no more, ends another or was made up anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from soulmem.core.details.elements import Element
from soulmem.core.merging.note_clusters import Candidate
from soulmem.core.merging.same_telling import Telling
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.index import fts, vectors
from soulmem.store.notes import note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

KINDS = frozenset({NoteKind.EPISODIC, NoteKind.SEMANTIC, NoteKind.PROCEDURAL})
_NAMES = 1 << 60  # from here on `until` says what a model said of the names of two notes, which stay two
NEAREST = 10  # notes that one is compared with
_ENDED = "EXISTS (SELECT 1 FROM ending e WHERE e.note = n.id OR e.by = n.id)"
# What a client wrote by hand is the client's, who asks for it by its id.
_BY_HAND = "n.epoch IS NULL"
_RESTED_ON = (
    "EXISTS (SELECT 1 FROM evidence v WHERE v.note = n.id) OR EXISTS (SELECT 1 FROM plan_cut c WHERE c.by = n.id)"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides how a note may become one with others; `told_at`: when it was told first, wall milliseconds."""

    note: Note
    told_at: int
    valid_from: int | None
    is_rested_on: bool
    holds: bool

    @property
    def may_go(self) -> bool:
        """Whether it may go into another: it is not kept for ever, and nothing rests on it."""
        return not self.note.pinned and not self.is_rested_on


def due(connection: Connection, limit: int) -> list[int]:
    """Notes that are to be compared, the longest waiting first; those of a talk that is not digested yet wait on."""
    rows = connection.execute(
        "SELECT d.note FROM merge_due d JOIN note n ON n.id = d.note WHERE n.lifecycle <> 'working' "
        "ORDER BY d.note LIMIT ?",
        (limit,),
    )
    return [row[0] for row in rows]


def looked_at(connection: Connection, notes: Iterable[int]) -> None:
    """These notes were compared."""
    connection.execute(f"DELETE FROM merge_due WHERE note {AMONG}", (listed(sorted(notes)),))


def as_read(connection: Connection, notes: Iterable[int], versions: Mapping[int, int]) -> list[int]:
    """Those of these notes that are of the version that was read, in their order; the others are due still."""
    asked = list(notes)
    rows = connection.execute(f"SELECT id, version FROM note WHERE id {AMONG}", (listed(sorted(asked)),))
    found = dict(rows.fetchall())
    return [note for note in asked if found.get(note) == versions.get(note)]


def demand(connection: Connection, note: int, kind: NoteKind) -> None:
    """A note is to be compared: it is new, says something else or is there again."""
    if kind in KINDS:
        connection.execute("INSERT OR IGNORE INTO merge_due (note) VALUES (?)", (note,))


def near(
    connection: Connection, fingerprint: str, note: int, least: float, scope: Scope = WHOLE
) -> list[tuple[int, float]]:
    """The notes nearest to one by their vectors, from this cosine on; by words where it has no vector."""
    own = vectors.of_items(connection, fingerprint, [("note", note)])["note", note]
    if not own:
        texts = [each.indexed for each in note_rows.get_many(connection, [note]).values()]  # none of one that went
        words = [hit for text in texts for hit in fts.find(connection, "note", text, NEAREST + 1, scope)]
        return [(other, 0.0) for other, _ in words if other != note]
    found = vectors.nearest_within(connection, fingerprint, own[0], NEAREST + 1, scope, kind="note")
    return [(other, cosine) for other, cosine in found if other != note and cosine >= least]


def facts(connection: Connection, notes: Sequence[int]) -> dict[int, Facts]:
    """Those of these notes that may become one with others."""
    rows = connection.execute(
        "SELECT n.id, coalesce((SELECT min(m.at) FROM note_source s JOIN message m ON m.id = s.message "
        f"WHERE s.note = n.id), n.created_at), n.valid_from, {_RESTED_ON}, "
        "EXISTS (SELECT 1 FROM merge g WHERE g.survivor = n.id) FROM note n "
        f"WHERE n.id {AMONG} AND n.lifecycle = 'consolidated' AND n.rewritten_exp IS NULL AND NOT {_ENDED} "
        f"AND NOT ({_BY_HAND})",
        (listed(notes),),
    ).fetchall()
    found = note_rows.get_many(connection, [row[0] for row in rows])
    return {row[0]: Facts(found[row[0]], row[1], row[2], bool(row[3]), bool(row[4])) for row in rows
            if found[row[0]].kind in KINDS}  # fmt: skip


def may_meet(one: Facts, other: Facts, *, apart: bool) -> bool:
    """Whether two notes may be one at all: heard where the other was if that matters (`apart`), and of the same."""
    # What a reflection rests on was heard where that was; a note heard in more places would take it away.
    if (apart or one.is_rested_on or other.is_rested_on) and one.note.homes != other.note.homes:
        return False
    if one.note.attributes != other.note.attributes:
        return False
    return one.valid_from is None or other.valid_from is None or one.valid_from == other.valid_from


def candidate(fact: Facts, spans: Sequence[Element], now_exp: int) -> Candidate:
    """A note as it is compared with others."""
    note = fact.note
    clear = 1.0 if note.lasts else max((each.opacity(now_exp) for each in spans if each.level == 0), default=1.0)
    telling = Telling(note.text, note.kind, note.speaker, note.at, fact.told_at)
    return Candidate(note.id, telling, note.importance * clear, note.pinned, fact.holds, fact.is_rested_on)


def keep_apart(connection: Connection, one: int, other: int, until: int | None = None) -> None:
    """Let two notes be two, for good or for a time."""
    connection.execute(
        "INSERT OR REPLACE INTO kept_apart (one, other, until) VALUES (?, ?, ?)",
        (min(one, other), max(one, other), until),
    )


def asked_of_names(connection: Connection, one: str, other: str) -> bool:
    """Whether a model was asked about two names, of notes that are there still."""
    row = connection.execute(
        "SELECT 1 FROM kept_apart k JOIN note a ON a.id = k.one JOIN note b ON b.id = k.other WHERE k.until >= ? AND "
        "((instr(a.text || ' ' || a.speaker, ?) AND instr(b.text || ' ' || b.speaker, ?)) OR "
        "(instr(b.text || ' ' || b.speaker, ?) AND instr(a.text || ' ' || a.speaker, ?))) LIMIT 1",
        (_NAMES, one, other, one, other),
    ).fetchone()
    return row is not None


def keep_verdict(connection: Connection, one: int, other: int, verdict: int) -> None:
    """Keep what a model said of the names that two notes bear: which verdict it was; it goes with either note."""
    keep_apart(connection, one, other, _NAMES + verdict)


def apart(connection: Connection, notes: Sequence[int], now: int) -> frozenset[tuple[int, int]]:
    """The pairs among these notes that are two."""
    rows = connection.execute(
        f"SELECT one, other FROM kept_apart WHERE one {AMONG} AND other {AMONG} AND (until IS NULL OR until > ?)",
        (listed(notes), listed(notes), now),
    )
    return frozenset((row[0], row[1]) for row in rows)
