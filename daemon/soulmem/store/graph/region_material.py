"""Region material: the notes around one and what ties them, as a sleeping mind goes over them.

Read by `idle/replay`, one neighbourhood at a time and never the whole graph. Invariants: what is forgotten, holds no
more or is not digested yet is not there; with `apart`, neither is what was heard elsewhere than the note it begins
with; at most `_MOST_TIES` ties of a note are read, those that last longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from soulmem.core.decay.traces import Trace
from soulmem.core.schema.note_requests import NoteKind
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.graph_columns import BACKWARD
from soulmem.store.conversation_state import audience
from soulmem.store.index import vectors
from soulmem.store.notes import replay_queue
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed

_MOST_TIES = 64
_PASSED = dump_json(sorted({*replay_queue.KINDS, NoteKind.REFLECTION}))
_FADED = 1e-3  # what is tied more weakly is not


@dataclass(frozen=True, slots=True)
class Node:
    """A note that may be gone over. `talk`: the conversation and epoch it is of; `tokens`: about how many it has."""

    note: int
    kind: NoteKind
    version: int
    importance: float
    recalls: int
    created_exp: int
    pinned: bool
    talk: tuple[int | None, int | None]
    tokens: int
    homes: frozenset[int]
    is_waiting: bool
    replayed_at: int | None
    times: int


def nodes(connection: Connection, ids: Sequence[int]) -> dict[int, Node]:
    """Those of these notes that may be gone over."""
    rows = connection.execute(
        "SELECT n.id, n.kind, n.version, n.importance, n.recalls, n.created_exp, n.pinned, n.conversation, n.epoch, "
        "length(n.text), d.note IS NOT NULL, r.at, coalesce(r.times, 0) FROM note n "
        "LEFT JOIN replay_due d ON d.note = n.id LEFT JOIN replayed r ON r.note = n.id "
        f"WHERE n.id {AMONG} AND n.lifecycle = 'consolidated' AND n.kind IN (SELECT value FROM json_each(?)) "
        "AND NOT EXISTS (SELECT 1 FROM ending e WHERE e.note = n.id)",
        (listed(ids), _PASSED),
    ).fetchall()
    heard = audience.homes(connection, [row[0] for row in rows]) if rows else {}
    found = {}
    for number, kind, *values, pinned, conversation, epoch, length, is_waiting, at, times in rows:
        told: list[Any] = [number, NoteKind(kind), *values, bool(pinned), (conversation, epoch), 8 + length // 2]
        found[number] = Node(*[*told, heard.get(number, frozenset()), bool(is_waiting), at, times])
    return found


class Surroundings:
    """The graph around notes as it is read in one transaction; what was read once is not read again."""

    def __init__(self, connection: Connection, now_exp: int, *, apart: bool) -> None:
        self._connection = connection
        self._now_exp = now_exp
        self._apart = apart
        self._nodes: dict[int, Node | None] = {}
        self._rows: dict[int, dict[int, float]] = {}

    def node(self, note: int) -> Node | None:
        self._read([note])
        return self._nodes[note]

    def row(self, note: int) -> dict[int, float]:
        """What a note is tied to, and how strongly; of several ties between two the strongest."""
        if note not in self._rows:
            self._rows[note] = self._row(note)
        return self._rows[note]

    def cosines(self, fingerprint: str, note: int, most: int) -> list[float]:
        """How like a note those are that it is tied to most."""
        row = self.row(note)
        ends = sorted(row, key=lambda end: (-row[end], end))[:most]
        found = vectors.of_items(self._connection, fingerprint, [("note", each) for each in (note, *ends)])
        own = found["note", note]
        return [float(own[0] @ found["note", end][0]) for end in ends if own and found["note", end]]

    def _row(self, note: int) -> dict[int, float]:
        own = self.node(note)
        found: dict[int, float] = {}
        for near, far, backward in (("src", "dst", False), ("dst", "src", True)):
            for end, kind, a0, t0, stability in self._connection.execute(
                f"SELECT {far}, kind, a0, t0, stability FROM link WHERE {near} = ? AND forgotten = 0 "
                "AND valid_to IS NULL ORDER BY due_delete DESC, id LIMIT ?",
                (note, _MOST_TIES),
            ).fetchall():
                felt = Trace(a0, t0, stability).strength(self._now_exp) * (BACKWARD[kind] if backward else 1.0)
                if felt >= _FADED and end != note:
                    found[end] = max(felt, found.get(end, 0.0))
        self._read(list(found))
        met = {end: felt for end, felt in found.items() if (other := self._nodes[end]) and self._meet(own, other)}
        return dict(sorted(sorted(met.items(), key=lambda each: (-each[1], each[0]))[:_MOST_TIES]))

    def _meet(self, one: Node | None, other: Node) -> bool:
        return one is not None and (not self._apart or one.homes == other.homes)

    def _read(self, notes: Sequence[int]) -> None:
        new = [note for note in notes if note not in self._nodes]
        if new:
            found = nodes(self._connection, new)
            self._nodes |= {note: found.get(note) for note in new}
