"""Memory vectors of links, and the lessons that made them.

Owns `link_memory` and `link_memory_log`. Vectors are stored in half precision, one for each link, direction and
embedder. Called by `working/feedback/recall_feedback`. Invariants: reading, changing and writing a vector happen in the
transaction of the caller, so that no lesson is lost between two recalls; a vector that is read again is never longer
than 1 and always finite; directed links have one vector for both directions (algorithms.md §3.4.3).

With another embedder all vectors are void; each is learnt anew from its last lessons, whose words are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from soulmem.core.schema.note_requests import LinkKind
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.edge_learning import Lesson, Update, relearned
from soulmem.graph.state.edge_memory import faded
from soulmem.graph.state.id_table import Vector
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

LESSONS = 8  # kept of each link and direction
_SHRINK = 1.0 - 2.0**-10  # one step of half precision
_INSERT = (
    "INSERT INTO link_memory (link, backward, fingerprint, vector, enhanced, penalised, at_exp) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True, slots=True)
class LinkMemory:
    """The vector of a link as of `at_exp`, experienced milliseconds."""

    link: int
    is_backward: bool
    vector: Vector
    at_exp: int


@dataclass(frozen=True, slots=True)
class Learned:
    """What updates changed: the vectors as they are now, and how many gained and lost."""

    memories: tuple[LinkMemory, ...] = ()
    enhanced: int = 0
    penalised: int = 0


def learn(
    connection: Connection,
    fingerprint: str,
    updates: Sequence[Update],
    questions: Vector,
    texts: Sequence[str],
    *,
    now_exp: int,
) -> Learned:
    """Apply updates in their order; those of links that are gone, or have nothing to lose, change nothing."""
    kinds = _kinds(connection, {update.link for update in updates})
    held: dict[tuple[int, bool], Vector] = {}
    gained: set[tuple[int, bool]] = set()
    lost: set[tuple[int, bool]] = set()
    for update in updates:
        if update.link not in kinds or update.weight == 0.0:
            continue
        owner = (update.link, update.is_backward and kinds[update.link] == LinkKind.ASSOCIATION)
        before = held[owner] if owner in held else _read(connection, fingerprint, owner, now_exp)
        if before is None:
            if update.weight < 0.0:
                continue
            before = np.zeros(questions.shape[1], dtype=np.float32)
        after = update.applied(before, questions)
        held[owner] = after
        if not np.array_equal(before, after):
            (gained if update.weight > 0.0 else lost).add(owner)
        _remember(connection, fingerprint, owner, Lesson(texts[update.question], update.weight, now_exp))
    memories = []
    for owner in gained | lost:
        kept = _write(connection, fingerprint, owner, held[owner], now_exp, gain=owner in gained, loss=owner in lost)
        memories.append(LinkMemory(*owner, kept, now_exp))
    return Learned(tuple(memories), len(gained), len(lost))


def load(connection: Connection, fingerprint: str, dimension: int, limit: int) -> list[LinkMemory]:
    """The vectors of this embedder, the `limit` changed last, oldest first; damaged ones are passed over."""
    rows = connection.execute(
        "SELECT m.link, m.backward, m.vector, m.at_exp FROM link_memory m JOIN link l ON l.id = m.link "
        "WHERE m.fingerprint = ? AND l.forgotten = 0 ORDER BY m.at_exp DESC, m.link DESC, m.backward DESC LIMIT ?",
        (fingerprint, limit),
    ).fetchall()
    sound = [row for row in reversed(rows) if len(row[2]) == 2 * dimension]
    data = b"".join(row[2] for row in sound)
    matrix = np.frombuffer(data, dtype=np.float16).astype(np.float32).reshape(len(sound), dimension)
    finite = np.flatnonzero(np.isfinite(matrix).all(axis=1)).tolist()
    return [LinkMemory(sound[row][0], bool(sound[row][1]), matrix[row], sound[row][3]) for row in finite]


def of_links(connection: Connection, fingerprint: str, links: Iterable[int]) -> list[LinkMemory]:
    """The vectors of some links, for a graph that takes them in; damaged ones are passed over."""
    rows = connection.execute(
        f"SELECT link, backward, vector, at_exp FROM link_memory WHERE fingerprint = ? AND link {AMONG} "
        "ORDER BY at_exp, link, backward",
        (fingerprint, listed(links)),
    ).fetchall()
    found = ((link, bool(backward), unpacked(data), at_exp) for link, backward, data, at_exp in rows)
    return [LinkMemory(link, backward, vector, at) for link, backward, vector, at in found if vector is not None]


def count(connection: Connection, fingerprint: str) -> int:
    found = connection.execute("SELECT count(*) FROM link_memory WHERE fingerprint = ?", (fingerprint,)).fetchone()
    return int(found[0])


def follow(graph: WorkingGraph, memories: Iterable[LinkMemory]) -> None:
    """Bring vectors into the graph in memory; those of links that it does not hold are left out."""
    for each in memories:
        if len(each.vector) == graph.memories.dimension and not graph.set_memory(
            each.link, each.vector, each.at_exp, backward=each.is_backward
        ):
            graph.version += 1  # whoever is about to bring the link in has read what it remembered before


def outdated(connection: Connection, fingerprint: str, limit: int) -> list[str]:
    """The words of lessons whose links must be learnt anew for this embedder."""
    rows = connection.execute(
        "SELECT DISTINCT o.text FROM link_memory_log o JOIN (SELECT DISTINCT link, backward FROM link_memory_log "
        "WHERE fingerprint <> ? ORDER BY link, backward LIMIT ?) s ON s.link = o.link AND s.backward = o.backward",
        (fingerprint, limit),
    ).fetchall()
    return [row[0] for row in rows]


def relearn(connection: Connection, fingerprint: str, questions: Mapping[str, Vector], limit: int) -> list[LinkMemory]:
    """Learn the first `limit` links anew from their lessons, those of whose words `questions` has all vectors."""
    owners = connection.execute(
        "SELECT DISTINCT link, backward FROM link_memory_log WHERE fingerprint <> ? ORDER BY link, backward LIMIT ?",
        (fingerprint, limit),
    ).fetchall()
    learned = []
    for link, backward in owners:
        lessons = lessons_of(connection, link, is_backward=bool(backward))
        if any(lesson.text not in questions for lesson in lessons):
            continue
        learned.append(_relearn_one(connection, fingerprint, (link, bool(backward)), lessons, questions.__getitem__))
    return learned


def lessons_of(connection: Connection, link: int, *, is_backward: bool) -> list[Lesson]:
    """The last lessons of a link, the oldest first."""
    rows = connection.execute(
        "SELECT text, weight, at_exp FROM link_memory_log WHERE link = ? AND backward = ? ORDER BY id",
        (link, is_backward),
    ).fetchall()
    return [Lesson(*row) for row in rows]


def _relearn_one(
    connection: Connection,
    fingerprint: str,
    owner: tuple[int, bool],
    lessons: Sequence[Lesson],
    question_of: Callable[[str], Vector],
) -> LinkMemory:
    vector, at_exp = relearned(lessons, question_of)
    gains = sum(lesson.weight > 0.0 for lesson in lessons)
    connection.execute("DELETE FROM link_memory WHERE link = ? AND backward = ?", owner)
    kept = half(vector)
    connection.execute(
        _INSERT,
        (*owner, fingerprint, kept.tobytes(), gains, len(lessons) - gains, at_exp),
    )
    connection.execute(
        "UPDATE link_memory_log SET fingerprint = ? WHERE link = ? AND backward = ?", (fingerprint, *owner)
    )
    return LinkMemory(*owner, kept.astype(np.float32), at_exp)


def half(vector: Vector) -> np.ndarray[tuple[int], np.dtype[np.float16]]:
    """In half precision, rounded so that it is no longer than 1."""
    rounded = vector.astype(np.float16)
    while float(np.linalg.norm(rounded.astype(np.float64))) > 1.0:
        rounded = (rounded.astype(np.float32) * np.float32(_SHRINK)).astype(np.float16)
    return rounded


def unpacked(data: bytes) -> Vector | None:
    """The vector as it was stored; None when that is no vector."""
    if len(data) % 2:
        return None
    vector = np.frombuffer(data, dtype=np.float16).astype(np.float32)
    return vector if np.isfinite(vector).all() else None


def _kinds(connection: Connection, links: Iterable[int]) -> dict[int, str]:
    """The kinds of those links that live."""
    rows = connection.execute(f"SELECT id, kind FROM link WHERE id {AMONG} AND forgotten = 0", (listed(sorted(links)),))
    return dict(rows.fetchall())


def _read(connection: Connection, fingerprint: str, owner: tuple[int, bool], now_exp: int) -> Vector | None:
    row = connection.execute(
        "SELECT vector, at_exp FROM link_memory WHERE link = ? AND backward = ? AND fingerprint = ?",
        (*owner, fingerprint),
    ).fetchone()
    vector = unpacked(row[0]) if row else None
    return faded(vector, now_exp - row[1]) if vector is not None else None


def _write(
    connection: Connection,
    fingerprint: str,
    owner: tuple[int, bool],
    vector: Vector,
    now_exp: int,
    *,
    gain: bool,
    loss: bool,
) -> Vector:
    kept = half(vector)
    connection.execute(
        f"{_INSERT} ON CONFLICT (link, backward, fingerprint) DO UPDATE SET "
        "vector = excluded.vector, at_exp = excluded.at_exp, enhanced = enhanced + excluded.enhanced, "
        "penalised = penalised + excluded.penalised",
        (*owner, fingerprint, kept.tobytes(), gain, loss, now_exp),
    )
    return kept.astype(np.float32)


def _remember(connection: Connection, fingerprint: str, owner: tuple[int, bool], lesson: Lesson) -> None:
    # A link whose older lessons were of another embedder keeps that mark until it is learnt anew, with this one.
    connection.execute(
        "INSERT INTO link_memory_log (link, backward, text, weight, at_exp, fingerprint) VALUES (?, ?, ?, ?, ?, ?)",
        (*owner, lesson.text, lesson.weight, lesson.at_ms, fingerprint),
    )
    connection.execute(
        "DELETE FROM link_memory_log WHERE link = ? AND backward = ? AND id NOT IN "
        "(SELECT id FROM link_memory_log WHERE link = ? AND backward = ? ORDER BY id DESC LIMIT ?)",
        (*owner, *owner, LESSONS),
    )
