"""Link rows: the decaying edges of the graph.

Owns `link` and `reinforcement`. A link stores its trace (a0, t0, stability, in experienced milliseconds) and the
indexed moment it falls below the threshold; its strength is computed when read and never written back on a timer.
The same (src, dst, kind, verb) is one row for ever: again means stronger, under the same id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from soulmem.core.decay.traces import Trace
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.notes import retention_queue
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed, not_there, public_id, row_hash

_COLUMNS = (
    "id, src, dst, kind, verb, origin, initial, confidence, a0, t0, stability, last_growth, due_delete, "
    "created_at, valid_from, valid_to, forgotten"
)
DIRECTED = frozenset(kind for kind in LinkKind if kind is not LinkKind.ASSOCIATION)


@dataclass(frozen=True, slots=True)
class Link:
    id: int
    src: int
    dst: int
    kind: LinkKind
    verb: str
    origin: LinkOrigin
    initial: float
    confidence: float
    trace: Trace
    due_delete: int
    created_at: int
    valid_from: int | None
    valid_to: int | None
    forgotten: bool


@dataclass(frozen=True, slots=True)
class NewLink:
    src: int
    dst: int
    kind: LinkKind
    origin: LinkOrigin
    trace: Trace
    due_delete: int
    created_at: int
    verb: str = ""
    confidence: float = 0.5


def ends(src: int, dst: int, kind: LinkKind) -> tuple[int, int]:
    """An association is read both ways and stored once, lower number first; others keep their direction."""
    return (min(src, dst), max(src, dst)) if kind not in DIRECTED else (src, dst)


def _link(row: Row) -> Link:
    return Link(
        row[0], row[1], row[2], LinkKind(row[3]), row[4], LinkOrigin(row[5]), row[6], row[7],
        Trace(row[8], row[9], row[10], row[11]), row[12], row[13], row[14], row[15], bool(row[16]),
    )  # fmt: skip


def _links(connection: Connection, condition: str, values: Sequence[Any]) -> list[Link]:
    """The links `l` of which this is true."""
    return [_link(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM link l WHERE {condition}", values)]


def content_hash(src: int, dst: int, kind: LinkKind, verb: str, trace: Trace) -> bytes:
    return row_hash(src, dst, str(kind), verb, trace.a0, trace.t0_ms, trace.stability_ms)


def find(connection: Connection, src: int, dst: int, kind: LinkKind, verb: str) -> Link | None:
    src, dst = ends(src, dst, kind)
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM link WHERE src = ? AND dst = ? AND kind = ? AND verb = ?", (src, dst, kind, verb)
    ).fetchone()
    return _link(row) if row else None


def joined(connection: Connection, one: int, other: int) -> bool:
    """Whether there ever was a link between two notes, of any kind, living or forgotten."""
    row = connection.execute(
        "SELECT 1 FROM link WHERE (src = ? AND dst = ?) OR (src = ? AND dst = ?) LIMIT 1", (one, other, other, one)
    ).fetchone()
    return row is not None


def insert(connection: Connection, new: NewLink) -> int:
    src, dst = ends(new.src, new.dst, new.kind)
    number: int = connection.execute(
        "INSERT INTO link (src, dst, kind, verb, origin, initial, confidence, a0, t0, stability, due_delete, "
        "created_at, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            src, dst, new.kind, new.verb, new.origin, new.trace.a0, new.confidence, new.trace.a0, new.trace.t0_ms,
            new.trace.stability_ms, new.due_delete, new.created_at,
            content_hash(src, dst, new.kind, new.verb, new.trace),
        ),
    ).fetchone()[0]  # fmt: skip
    return number


def set_trace(
    connection: Connection, link: Link, trace: Trace, *, due_delete: int, cause: str, before: float, now_exp: int
) -> None:
    """Store a strengthened (or revived) trace; the former strength is kept in `reinforcement`."""
    connection.execute(
        "UPDATE link SET a0 = ?, t0 = ?, stability = ?, due_delete = ?, last_growth = ?, forgotten = 0, hash = ? "
        "WHERE id = ?",
        (
            trace.a0, trace.t0_ms, trace.stability_ms, due_delete, trace.grown_ms,
            content_hash(link.src, link.dst, link.kind, link.verb, trace), link.id,
        ),
    )  # fmt: skip
    if link.forgotten:
        connection.execute("DELETE FROM tombstone WHERE kind = 'link' AND item = ?", (link.id,))
    connection.execute(
        "INSERT INTO reinforcement (link, cause, before, after, at_exp) VALUES (?, ?, ?, ?, ?)",
        (link.id, cause, before, trace.a0, now_exp),
    )


def get(connection: Connection, link: int) -> Link:
    """One link, forgotten or not. Raises SoulmemError: `not_found`."""
    row = connection.execute(f"SELECT {_COLUMNS} FROM link WHERE id = ?", (link,)).fetchone()
    if row is None:
        raise not_there("l", public_id("l", link))
    return _link(row)


def get_many(connection: Connection, ids: Sequence[int]) -> list[Link]:
    """Those of these links that there are, living or not."""
    return _links(connection, f"id {AMONG}", (listed(ids),))


def of_notes(connection: Connection, notes: Sequence[int], scope: Scope = WHOLE) -> list[Link]:
    """Living links that touch any of the notes."""
    clause, values = scope.links("l")
    ends = listed(notes)
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM link l WHERE forgotten = 0 AND src {AMONG} AND {clause} "
        f"UNION SELECT {_COLUMNS} FROM link l WHERE forgotten = 0 AND dst {AMONG} AND {clause} ORDER BY 1",
        (ends, *values, ends, *values),
    ).fetchall()
    return [_link(row) for row in rows]


def between(connection: Connection, notes: Sequence[int]) -> list[Link]:
    """Living links of which both ends are among the notes."""
    ends = listed(notes)
    return _links(connection, f"forgotten = 0 AND src {AMONG} AND dst {AMONG} ORDER BY id", (ends, ends))


def alike(connection: Connection, notes: Sequence[int]) -> Counter[int]:
    """How many living links of likeness each of the notes has."""
    ends = listed(notes)
    rows = connection.execute(
        f"SELECT src FROM link WHERE forgotten = 0 AND origin = 'similarity' AND src {AMONG} "
        f"UNION ALL SELECT dst FROM link WHERE forgotten = 0 AND origin = 'similarity' AND dst {AMONG}",
        (ends, ends),
    )
    return Counter(row[0] for row in rows)


def carry(connection: Connection, olds: Sequence[int], new: int, now: int) -> None:
    """Give a note that takes the place of others their associations, as strong as they are."""
    taken = {new, *olds}
    for link in of_notes(connection, olds):
        other = link.dst if link.src in olds else link.src
        if link.kind is LinkKind.ASSOCIATION and other not in taken:
            taken.add(other)
            insert(
                connection,
                NewLink(
                    new, other, link.kind, link.origin, link.trace, link.due_delete, now, link.verb, link.confidence
                ),
            )


def list_page(connection: Connection, *, after: int, limit: int, scope: Scope = WHOLE) -> list[Link]:
    clause, values = scope.links("l")
    return _links(connection, f"forgotten = 0 AND id > ? AND {clause} ORDER BY id LIMIT ?", (after, *values, limit))


def due(connection: Connection, now_exp: int, limit: int) -> list[Link]:
    """Living links whose crossing time has passed, by when they fell due."""
    return _links(connection, "forgotten = 0 AND due_delete <= ? ORDER BY due_delete, id LIMIT ?", (now_exp, limit))


def next_due(connection: Connection) -> int | None:
    row = connection.execute("SELECT min(due_delete) FROM link WHERE forgotten = 0").fetchone()
    return row[0] if row else None


def degree(connection: Connection, note: int) -> int:
    row = connection.execute(
        "SELECT (SELECT count(*) FROM link WHERE forgotten = 0 AND src = ?) + "
        "(SELECT count(*) FROM link WHERE forgotten = 0 AND dst = ?)",
        (note, note),
    ).fetchone()
    return int(row[0])


def bury(
    connection: Connection, link: int, reason: str, strength: float | None, forgotten_at: int, purge_at: int
) -> None:
    """Set the tombstone of a link, in the place of one that it has."""
    connection.execute(
        "INSERT OR REPLACE INTO tombstone (kind, item, reason, strength, forgotten_at, purge_at) "
        "VALUES ('link', ?, ?, ?, ?, ?)",
        (link, reason, strength, forgotten_at, purge_at),
    )


def forget(connection: Connection, links: Iterable[Link], *, reason: str, now: int, purge_at: int) -> None:
    """Put links behind tombstones; whom they joined is looked at by the next sweep."""
    links = list(links)
    retention_queue.demand(connection, dict.fromkeys(end for link in links for end in (link.src, link.dst)))
    for link in links:
        connection.execute("UPDATE link SET forgotten = 1 WHERE id = ?", (link.id,))
        bury(connection, link.id, reason, link.trace.a0, now, purge_at)
        connection.execute(
            "INSERT INTO history (at, action, item, detail) VALUES (?, 'link_forgotten', ?, ?)",
            (now, public_id("l", link.id), dump_json({"reason": reason})),
        )


def forgotten_with(connection: Connection, note: int) -> list[Link]:
    """Forgotten links of a note whose other end is alive: what `note.restore` brings back."""
    other_lives = (
        "EXISTS (SELECT 1 FROM note n WHERE n.id = CASE WHEN l.src = ? THEN l.dst ELSE l.src END "
        "AND n.lifecycle <> 'forgotten')"
    )
    condition = f"forgotten = 1 AND (src = ? OR dst = ?) AND {other_lives} ORDER BY id"
    return _links(connection, condition, (note, note, note))


def purge(connection: Connection, link: int) -> None:
    """Remove a forgotten link for good, with what became of it."""
    connection.execute("DELETE FROM tombstone WHERE kind = 'link' AND item = ?", (link,))
    connection.execute("DELETE FROM history WHERE item = ?", (public_id("l", link),))
    connection.execute("DELETE FROM link WHERE id = ?", (link,))


def count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM link WHERE forgotten = 0").fetchone()[0])


def view(link: Link, *, strength: float, dies_at: str | None, iso: Any) -> dict[str, Any]:
    """The link as the protocol shows it."""
    return {
        "id": public_id("l", link.id),
        "src": public_id("n", link.src),
        "dst": public_id("n", link.dst),
        "kind": link.kind.value,
        "verb": link.verb,
        "origin": link.origin.value,
        "strength": round(strength, 9),
        "initial": link.initial,
        "stability_days": link.trace.stability_ms / 86_400_000,
        "confidence": link.confidence,
        "created_at": iso(link.created_at),
        "dies_at": dies_at,
        "valid_from": iso(link.valid_from) if link.valid_from is not None else None,
        "valid_to": iso(link.valid_to) if link.valid_to is not None else None,
    }
