"""Result selection: which notes that links led to may be recalled at all.

Called by the walks and by exploring. Source: algorithms.md §3.6. Invariant: a conduit to actions is never a result,
however much it is sent.
"""

from __future__ import annotations

from soulmem.graph.state.graph_columns import NOTE_CODES
from soulmem.graph.state.id_table import NOWHERE
from soulmem.graph.state.working_graph import WorkingGraph

_TRIGGER = NOTE_CODES["trigger"]


def is_returnable(graph: WorkingGraph, note: int) -> bool:
    """Whether a note may be a result: held, and no trigger."""
    row = graph.notes.table.row(note)
    return row != NOWHERE and bool(graph.notes.kinds[row] != _TRIGGER)
