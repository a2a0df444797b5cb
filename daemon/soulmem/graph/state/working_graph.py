"""The working graph: notes and links of a mind in memory, as recall walks them.

Built from the store when a mind opens (`bulk_load`), changed with every commit, read by `edge_weights` and all that
stands on it. It holds facts (a trace, a kind, a confidence), never a computed strength: strengths are read for a
moment.

Invariants:
I1  What it answers depends on what it holds, never on the order in which that came in.
I2  A link has two ends that are held and differ, a finite strength in (0, 1] and a confidence in (0, 1]; anything
    else is refused, so nothing downstream ever meets a NaN (algorithms.md §4.6).
I3  It holds at most `max_links` links. A note whose row is not whole says so (`is_whole`): its neighbourhood must
    be loaded before anything is concluded from it.

Every link can be walked both ways: an association alike, a directed link backwards by a factor
(`graph_columns.BACKWARD`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from soulmem.graph.state.adjacency_rows import ArcRows
from soulmem.graph.state.edge_memory import MemoryVectors
from soulmem.graph.state.graph_columns import (
    ASSOCIATION,
    LINK_CODES,
    NOTE_CODES,
    NOTE_KINDS,
    SLOT_LIMIT,
    GraphLink,
    GraphNote,
    LinkRecords,
    NoteRecords,
    is_trace,
)
from soulmem.graph.state.id_table import NOWHERE, FloatArray, IntArray, Vector
from soulmem.graph.state.name_hubs import NameHubs
from soulmem.graph.state.out_weight_bounds import Crowds

_MAX_MEMORIES = 20_000  # vectors; 30 MB at 384 dimensions
_KEPT_WHEN_FULL = 0.9  # of the links: making room one link at a time would sort all notes each time


class WorkingGraph:
    """A mutable graph of one mind. Not thread-safe. `version` rises with every change."""

    def __init__(self, dimension: int = 0, *, max_links: int = 2_000_000, max_memories: int = _MAX_MEMORIES) -> None:
        self.max_links = max(1, min(max_links, SLOT_LIMIT))
        self.version = 0
        self.notes = NoteRecords()
        self.links = LinkRecords()
        self.arcs = ArcRows(lambda end, code: (int(self.notes.ids[end]), int(self.links.ids[code >> 1])))
        self.crowds = Crowds(self.notes, self.links, self.arcs)
        self.memories = MemoryVectors(dimension, max(1, max_memories))
        self.hubs = NameHubs()
        self._readings = 0

    @property
    def note_count(self) -> int:
        return len(self.notes)

    @property
    def link_count(self) -> int:
        return len(self.links)

    def is_whole(self, note: int) -> bool:
        """Whether all links of a note are held."""
        row = self.notes.table.row(note)
        return row != NOWHERE and bool(self.notes.whole[row])

    def kind_of(self, note: int) -> str | None:
        """The kind of a note; None when it is not held."""
        row = self.notes.table.row(note)
        return NOTE_KINDS[int(self.notes.kinds[row])] if row != NOWHERE else None

    def strengths(self, links: Sequence[int] | IntArray, now_ms: int) -> FloatArray:
        """a0 * exp(-(now - t0) / S) of links by id; 0 for those not held."""
        slots = self.links.table.rows(links)
        held = np.flatnonzero(slots != NOWHERE)
        found = np.zeros(len(slots))
        found[held] = self.links.strengths(slots[held], now_ms)
        return found

    def of_kinds(self, kinds: Collection[str]) -> IntArray:
        """The notes of these kinds, in no order."""
        rows = self.notes.live()
        codes = [NOTE_CODES[kind] for kind in kinds]
        found: IntArray = self.notes.ids[rows[np.isin(self.notes.kinds[rows], codes)]]
        return found

    def mark_read(self, rows: IntArray) -> None:
        """Remember that these rows are in use: they stay longest when room is needed."""
        self._readings += 1
        self.notes.read_at[rows] = self._readings

    def put_note(self, note: GraphNote, *, whole: bool = True) -> None:
        """Take a note in, or change what is known of it.

        `whole`, of a new note: all of its links are held, or will be from now on. Raises ValueError for a kind that
        no note has.
        """
        if note.kind not in NOTE_CODES:
            raise ValueError(f"no kind of note: {note.kind!r}")
        self.version += 1
        row = self.notes.table.row(note.id)
        if row == NOWHERE:
            row = self.notes.take(note.id, SLOT_LIMIT)
            self.arcs.reserve(len(self.notes.ids))
            self.notes.whole[row] = whole
            self.notes.read_at[row] = self._readings
            self.crowds.forget_row(row)
        elif self.notes.kinds[row] != NOTE_CODES[note.kind]:
            self.crowds.forget()
        self.notes.write(row, note)
        self.hubs.put(note.id, note.names)

    def set_whole(self, note: int) -> None:
        """Say that all links of a note are, or will be from now on, held. Nothing happens to an unknown note."""
        row = self.notes.table.row(note)
        if row != NOWHERE:
            self.version += 1
            self.notes.whole[row] = True

    def remove_note(self, note: int) -> bool:
        """Take a note out with all its links; False when it is not held."""
        row = self.notes.table.row(note)
        if row == NOWHERE:
            return False
        self.version += 1
        ends, codes = (part.tolist() for part in self.arcs.row(row))
        for end, code in zip(ends, codes, strict=True):
            self.arcs.remove(end, row, code ^ 1)
        self.arcs.clear(row)
        self.hubs.drop(note)
        for code in codes:
            self._give_up(code >> 1)
        self.notes.give_up(row)
        return True

    def put_link(self, link: GraphLink) -> bool:
        """Take a link in, or replace what is known of it; False when it is refused or needed by no whole note.

        Raises ValueError for a kind that no link has.
        """
        if link.kind not in LINK_CODES:
            raise ValueError(f"no kind of link: {link.kind!r}")
        src, dst = self.notes.table.row(link.src), self.notes.table.row(link.dst)
        is_sound = is_trace(link.a0, link.stability_ms) and 0.0 < link.confidence <= 1.0
        if link.src == link.dst or NOWHERE in (src, dst) or not is_sound:
            return False
        self.version += 1
        slot = self.links.table.row(link.id)
        if slot != NOWHERE and not self._is_same(slot, link, src, dst):
            self._take_out(slot)
            slot = NOWHERE
        if slot == NOWHERE:
            if self.link_count >= self.max_links:
                self.shrink(int(self.max_links * _KEPT_WHEN_FULL))
            if not (self.notes.whole[src] or self.notes.whole[dst]):
                return False
            slot = self.links.take(link.id, SLOT_LIMIT)
            self.links.sources[slot], self.links.targets[slot] = src, dst
            self.arcs.insert(src, dst, slot << 1)
            self.arcs.insert(dst, src, slot << 1 | 1)
        self.links.write(slot, link)
        self._note_change(slot)
        return True

    def set_trace(self, link: int, a0: float, t0_ms: int, stability_ms: int) -> bool:
        """Change the strength of a link; False when it is not held or these are no strength and stability."""
        slot = self.links.table.row(link)
        if slot == NOWHERE or not is_trace(a0, stability_ms):
            return False
        self.version += 1
        self.links.write_trace(slot, a0, t0_ms, stability_ms)
        self._note_change(slot)
        return True

    def remove_link(self, link: int) -> bool:
        """Take a link out; False when it is not held."""
        slot = self.links.table.row(link)
        if slot == NOWHERE:
            return False
        self.version += 1
        self._take_out(slot)
        return True

    def shrink(self, max_links: int) -> None:
        """Give up the neighbourhoods read longest ago until at most `max_links` links are held (I3)."""
        self.version += 1
        rows = self.notes.live()
        rows = rows[self.notes.whole[rows]]
        for row in rows[np.argsort(self.notes.read_at[rows], kind="stable")].tolist():
            if self.link_count <= max_links:
                return
            self.notes.whole[row] = False
            ends, codes = self.arcs.row(row)
            for slot in (codes[~self.notes.whole[ends]] >> 1).tolist():
                self._take_out(slot)

    def set_memory(self, link: int, vector: Vector, at_ms: int, *, backward: bool = False) -> bool:
        """Give a link its memory vector; an association has one a direction, others one for both (§3.4.3)."""
        slot = self.links.table.row(link)
        if slot == NOWHERE or vector.shape != (self.memories.dimension,) or not np.isfinite(vector).all():
            return False
        self.version += 1
        owner = self._memory_owner(slot, backward=backward)
        place, displaced = self.memories.put(owner, vector, at_ms)
        if displaced != NOWHERE:
            self._place_memory(displaced, NOWHERE)
        self._place_memory(owner, place)
        return True

    def memory(self, link: int, now_ms: int, *, backward: bool = False) -> Vector:
        """v_eff of a link at `now_ms`: a copy; zeros when it has none."""
        slot = self.links.table.row(link)
        place = NOWHERE
        if slot != NOWHERE:
            place = int(self.links.memory_places[self._memory_owner(slot, backward=backward)])
        if place == NOWHERE:
            return np.zeros(self.memories.dimension, dtype=np.float32)
        return self.memories.read(place, now_ms)

    def _is_same(self, slot: int, link: GraphLink, src: int, dst: int) -> bool:
        links = self.links
        same_ends = links.sources[slot] == src and links.targets[slot] == dst
        return bool(same_ends and links.kinds[slot] == LINK_CODES[link.kind])

    def _take_out(self, slot: int) -> None:
        src, dst = int(self.links.sources[slot]), int(self.links.targets[slot])
        self.arcs.remove(src, dst, slot << 1)
        self.arcs.remove(dst, src, slot << 1 | 1)
        self._give_up(slot)

    def _give_up(self, slot: int) -> None:
        self._note_change(slot)
        for owner in (slot << 1, slot << 1 | 1):
            if self.links.memory_places[owner] != NOWHERE:
                self.memories.drop(owner)
                self.links.memory_places[owner] = NOWHERE
        self.links.give_up(slot)

    def _note_change(self, slot: int) -> None:
        self.crowds.changed(int(self.links.sources[slot]))
        self.crowds.changed(int(self.links.targets[slot]))

    def _memory_owner(self, slot: int, *, backward: bool) -> int:
        return slot << 1 | int(backward and self.links.kinds[slot] == ASSOCIATION)

    def _place_memory(self, owner: int, place: int) -> None:
        self.links.memory_places[owner] = place
        if self.links.kinds[owner >> 1] != ASSOCIATION:
            self.links.memory_places[owner | 1] = place
