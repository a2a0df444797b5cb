"""Graph sync: notes and links as the working graph reads them, all at once or those that a commit touched.

Owns no table. Temporary triggers write down which notes and links each transaction touches, so the graph in memory
follows every commit whoever wrote it, and what was rolled back was never noted; likewise whether any element falls due
at another time. Called by `mind_session`, and by `associate` for what is not in memory. Invariants: a graph loaded
before a commit and told what it touched is the graph loaded after it; a link that comes into the graph, new or again,
remembers what the file says at once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from soulmem.core.names.kin_names import own_kin
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.bulk_load import LinkColumns, NoteColumns, load
from soulmem.graph.state.graph_columns import LINK_CODES, NO_TALK, NOTE_CODES, GraphLink, GraphNote
from soulmem.graph.state.name_hubs import KIN
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.store.conversation_state import audience
from soulmem.store.graph import link_memory
from soulmem.store.graph.link_memory import LinkMemory
from soulmem.store.notes import element_rows
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, listed

# A talk is a conversation and an epoch of it; a note that a client wrote has neither.
_TALK = f"CASE WHEN epoch IS NULL THEN {NO_TALK} ELSE (coalesce(conversation, 0) << 32) + epoch + 1 END"
_NOTE_COLUMNS = f"id, kind, valence, {_TALK}"
_NAME_COLUMNS = "id, text, shown, speaker, entities"
_LINK_COLUMNS = "id, src, dst, kind, a0, t0, stability, confidence"
# What the graph knows of a note and of a link; other columns change without its notice.
_WATCHED = (
    ("note", "INSERT", "NEW.id"),
    ("note", "UPDATE OF kind, valence, lifecycle, conversation, epoch, text, shown, speaker, entities", "NEW.id"),
    ("note", "DELETE", "OLD.id"),
    ("note_source", "INSERT", "NEW.note"),
    ("note_source", "DELETE", "OLD.note"),
    ("reflection_home", "INSERT", "NEW.note"),
    ("reflection_home", "DELETE", "OLD.note"),
    ("link", "INSERT", "NEW.id"),
    ("link", "UPDATE OF src, dst, kind, a0, t0, stability, confidence, valid_to, forgotten", "NEW.id"),
    ("link", "DELETE", "OLD.id"),
    ("element", "INSERT", "0"),
    ("element", "UPDATE OF due_next", "0"),
    ("element", "DELETE", "0"),
)
_TOUCHES = {"note_source": "note", "reflection_home": "note"}  # a note has other homes
_CHUNK = 20_000  # ids in one statement


@dataclass(frozen=True, slots=True)
class Touched:
    """What a commit changed: the notes and links as they are now, and those that are no more.

    `memories` are the vectors of those links, for they may have been away. `fades`: elements changed; `fades_exp`: when
    the next one falls due now. `homes`: of the notes that were heard in conversations.
    """

    notes: tuple[GraphNote, ...]
    links: tuple[GraphLink, ...]
    gone_notes: tuple[int, ...]
    gone_links: tuple[int, ...]
    memories: tuple[LinkMemory, ...] = ()
    fades: bool = False
    fades_exp: int | None = None
    homes: Mapping[int, frozenset[int]] = field(default_factory=dict)

    def apply(self, graph: WorkingGraph) -> None:
        """Bring the graph in step: first what went, then notes, then their links."""
        for link in self.gone_links:
            graph.remove_link(link)
        for note in self.gone_notes:
            graph.remove_note(note)
        for each in self.notes:
            graph.put_note(each)
        for bond in self.links:
            graph.put_link(bond)
        link_memory.follow(graph, self.memories)


def prepare(connection: Connection) -> None:
    """Give a writing connection the triggers that note what is touched; they last as long as the connection."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS touched (kind TEXT, item INTEGER, PRIMARY KEY (kind, item))")
    for number, (table, event, item) in enumerate(_WATCHED):
        connection.execute(
            f"CREATE TEMP TRIGGER IF NOT EXISTS touched_{number} AFTER {event} ON main.{table} "
            f"BEGIN INSERT OR IGNORE INTO touched VALUES ('{_TOUCHES.get(table, table)}', {item}); END"
        )


def collect(connection: Connection, fingerprint: str = "") -> Touched | None:
    """What the transaction touched so far, read in its last moment; None when it was nothing of all that.

    `fingerprint`: of the embedder whose vectors links remember by.
    """
    found = connection.execute("SELECT kind, item FROM temp.touched ORDER BY kind, item").fetchall()
    if not found:
        return None
    connection.execute("DELETE FROM temp.touched")
    notes = [item for kind, item in found if kind == "note"]
    links = [item for kind, item in found if kind == "link"]
    fades = any(kind == "element" for kind, _ in found)
    named = _named(connection, notes)
    kept_notes = [
        GraphNote(row[0], row[1], row[2], talk=row[3], names=named.get(row[0], ()))
        for row in _of_ids(connection, f"SELECT {_NOTE_COLUMNS} FROM note WHERE lifecycle <> 'forgotten'", notes)
    ]
    living = f"SELECT {_LINK_COLUMNS} FROM link WHERE forgotten = 0 AND valid_to IS NULL"
    kept_links = [GraphLink(*row) for row in _of_ids(connection, living, links)]
    # A note that came back brings links along that were not touched themselves.
    others = {link.id for link in kept_links}
    back = [note.id for note in kept_notes]
    for end in ("src", "dst"):
        kept_links += [GraphLink(*row) for row in _of_ids(connection, living, back, by=end) if row[0] not in others]
        others = {link.id for link in kept_links}
    return Touched(
        tuple(kept_notes),
        tuple(kept_links),
        tuple(sorted(set(notes) - {note.id for note in kept_notes})),
        tuple(sorted(set(links) - {link.id for link in kept_links})),
        _memories(connection, kept_links, fingerprint),
        fades,
        element_rows.next_due(connection) if fades else None,
        audience.homes(connection, back) if back else {},
    )


def _of_ids(connection: Connection, select: str, ids: Sequence[int], *, by: str = "id") -> list[Row]:
    rows: list[Row] = []
    for first in range(0, len(ids), _CHUNK):
        rows += connection.execute(f"{select} AND {by} {AMONG}", (listed(ids[first : first + _CHUNK]),)).fetchall()
    return rows


def read(connection: Connection, graph: WorkingGraph) -> None:
    """Fill an empty graph with all living notes and links."""
    noted = _columns(
        connection, f"SELECT {_NOTE_COLUMNS} FROM note WHERE lifecycle <> 'forgotten'", (int, NOTE_CODES, float, int)
    )
    linked = _columns(
        connection,
        f"SELECT {_LINK_COLUMNS} FROM link WHERE forgotten = 0 AND valid_to IS NULL ORDER BY id",
        (int, int, int, LINK_CODES, float, int, int, float),
    )
    notes = NoteColumns(noted[0], noted[1].astype(np.uint8), noted[2], noted[3])
    ids, srcs, dsts, kinds, a0, t0_ms, stability_ms, confidences = linked
    load(graph, notes, LinkColumns(ids, srcs, dsts, kinds.astype(np.uint8), a0, t0_ms, stability_ms, confidences))
    for row in connection.execute(f"SELECT {_NAME_COLUMNS} FROM note WHERE lifecycle <> 'forgotten'"):
        graph.hubs.put(row[0], spoken_of(*row[1:]))


def _named(connection: Connection, notes: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Of whom and what these notes speak."""
    rows = _of_ids(connection, f"SELECT {_NAME_COLUMNS} FROM note WHERE lifecycle <> 'forgotten'", notes)
    return {row[0]: spoken_of(*row[1:]) for row in rows}


def _columns(connection: Connection, select: str, kinds: Sequence[Any]) -> list[NDArray[Any]]:
    """What a statement finds, as an array a column; `kinds`: int, float, or a table of codes.

    Read part by part: a million rows as objects would take longer to keep apart than to read.
    """
    types = [np.float64 if kind is float else np.int64 for kind in kinds]
    parts = [[np.zeros(0, dtype=each)] for each in types]
    cursor = connection.execute(select)
    while rows := cursor.fetchmany(_CHUNK):
        for part, kind, dtype, values in zip(parts, kinds, types, zip(*rows, strict=True), strict=True):
            codes = values if isinstance(kind, type) else [kind[value] for value in values]
            part.append(np.array(codes, dtype=dtype))
    return [np.concatenate(part) for part in parts]


def around(connection: Connection, notes: Sequence[int], fingerprint: str) -> Touched:
    """All living links of these notes and what they remember, for a graph that does not hold them."""
    links = neighbourhood(connection, notes)
    return Touched((), tuple(links), (), (), _memories(connection, links, fingerprint))


def _memories(connection: Connection, links: Sequence[GraphLink], fingerprint: str) -> tuple[LinkMemory, ...]:
    found = link_memory.of_links(connection, fingerprint, [link.id for link in links]) if links and fingerprint else ()
    return tuple(found)


def neighbourhood(connection: Connection, notes: Sequence[int]) -> list[GraphLink]:
    """All living links of these notes."""
    living = f"SELECT {_LINK_COLUMNS} FROM link WHERE forgotten = 0 AND valid_to IS NULL"
    rows = _of_ids(connection, living, notes, by="src") + _of_ids(connection, living, notes, by="dst")
    return [GraphLink(*row) for row in dict.fromkeys(rows)]


_MOST_NAMES = 12  # names of a note
_OWN = ("my ", "our ", "My ", "Our ", "我", "咱", "俺", "'s ", "’s ", "的")  # without one of these no kin is spoken of


def spoken_of(text: str, shown: str | None, speaker: str, entities: str) -> tuple[str, ...]:
    """The names in a note as it shows now, folded; `entities` is JSON.

    A word for the speaker's own kin is a name too: it means the same person in all he tells. Nothing is told by a name
    that has faded; the note's own speaker is not among those it speaks of.
    """
    seen = text if shown is None else shown
    legible, own = fold(seen), fold(speaker)
    named = [fold(name) for name in json.loads(entities)[: 2 * _MOST_NAMES] if isinstance(name, str)]
    names = [name for name in named if len(name) > 1 and name != own and (shown is None or name in legible)]
    if own and any(each in seen for each in _OWN):
        names += [f"{own}{KIN}{kin}" for kin in own_kin(seen, speaker)]
    return tuple(dict.fromkeys(names))[:_MOST_NAMES]
