"""Bulk load: a working graph built from the columns of the store in one go.

Called when a mind opens. A million links take about a second this way, ten times longer one by one. Invariant: the
result answers exactly like a graph into which the same notes and links were put one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.state.graph_columns import LINK_KINDS, NOTE_KINDS
from soulmem.graph.state.id_table import NOWHERE, FloatArray, IntArray
from soulmem.graph.state.working_graph import WorkingGraph


@dataclass(frozen=True, slots=True)
class NoteColumns:
    """Notes as parallel arrays; kinds are places in `records.NOTE_KINDS`."""

    ids: IntArray
    kinds: NDArray[np.uint8]
    valences: FloatArray
    talks: IntArray


@dataclass(frozen=True, slots=True)
class LinkColumns:
    """Links as parallel arrays; kinds are places in `records.LINK_KINDS`, times experienced milliseconds."""

    ids: IntArray
    srcs: IntArray
    dsts: IntArray
    kinds: NDArray[np.uint8]
    a0: FloatArray
    t0_ms: IntArray
    stability_ms: IntArray
    confidences: FloatArray


def load(graph: WorkingGraph, notes: NoteColumns, links: LinkColumns) -> None:
    """Fill an empty graph; of an id that comes twice the last one counts.

    What is unsound is refused. Beyond `graph.max_links` the newest links stay, and the notes that lost
    one are marked as not whole. Raises ValueError when the graph holds something already, or a kind is unknown.
    """
    if graph.notes.used or graph.links.used:
        raise ValueError("a graph is loaded once, while it is empty")
    if (notes.kinds >= len(NOTE_KINDS)).any() or (links.kinds >= len(LINK_KINDS)).any():
        raise ValueError("a kind that no note or link has")
    graph.version += 1
    _load_notes(graph, notes)
    src, dst = graph.notes.table.rows(links.srcs), graph.notes.table.rows(links.dsts)
    chosen = _last_of_each(links.ids)
    chosen = chosen[_sound(links, src, dst)[chosen]]
    dropped, chosen = chosen[: -graph.max_links], chosen[-graph.max_links :]
    graph.notes.whole[src[dropped]] = graph.notes.whole[dst[dropped]] = False
    _load_links(graph, links, chosen, src[chosen].astype(np.int32), dst[chosen].astype(np.int32))


def _load_notes(graph: WorkingGraph, columns: NoteColumns) -> None:
    chosen, records = _last_of_each(columns.ids), graph.notes
    records.reserve(len(chosen))
    records.used = len(chosen)
    records.ids[:] = columns.ids[chosen]
    records.table.fill(records.ids)
    records.kinds[:] = columns.kinds[chosen]
    records.valences[:] = np.clip(np.nan_to_num(columns.valences[chosen]), -1.0, 1.0)
    records.whole[:] = True
    records.talks[:] = columns.talks[chosen]
    graph.arcs.reserve(len(chosen))


def _load_links(
    graph: WorkingGraph, columns: LinkColumns, chosen: IntArray, src: NDArray[np.int32], dst: NDArray[np.int32]
) -> None:
    records = graph.links
    records.reserve(len(chosen))
    records.used = len(chosen)
    records.ids[:] = columns.ids[chosen]
    records.table.fill(records.ids)
    records.sources[:], records.targets[:] = src, dst
    records.kinds[:] = columns.kinds[chosen]
    records.a0[:] = columns.a0[chosen]
    records.trust[:] = np.sqrt(columns.confidences[chosen])
    records.t0_ms[:] = columns.t0_ms[chosen]
    records.stability_ms[:] = columns.stability_ms[chosen]
    codes = np.arange(len(chosen), dtype=np.int32) << 1
    graph.arcs.fill(
        np.concatenate([src, dst]),
        np.concatenate([dst, src]),
        np.concatenate([codes, codes | 1]),
        row_count=len(graph.notes.ids),
    )


def _last_of_each(ids: IntArray) -> IntArray:
    """Places of the last of each id, by id."""
    order = np.argsort(ids, kind="stable")
    if not len(order):
        return order
    last = np.append(ids[order][1:] != ids[order][:-1], True)
    places: IntArray = order[last]
    return places


def _sound(links: LinkColumns, src: IntArray, dst: IntArray) -> NDArray[np.bool_]:
    """Which links may be held (I2)."""
    strong = (links.a0 > 0.0) & (links.a0 <= 1.0) & (links.stability_ms >= 1)
    numbers = strong & (links.confidences > 0.0) & (links.confidences <= 1.0)
    straight = links.srcs != links.dsts
    known = (src != NOWHERE) & (dst != NOWHERE)
    sound: NDArray[np.bool_] = straight & numbers & known
    return sound
