"""A neighbourhood of the graph, as clients see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from soulmem.core.schema.note_requests import LinkKind
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.notes import note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.sqlite import list_pages
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import faces, shown_verb
from soulmem.store.views.wire_views import active_notes


def verbs(connection: Connection, found: Sequence[Note], edges: Sequence[Link], now_exp: int) -> dict[int, str]:
    """The verbs of these links among these notes as a reader gets them, by the number of the link."""
    shown = faces(connection, found, now_exp)
    return {edge.id: shown_verb(edge, shown) for edge in edges}


def probabilities(
    connection: Connection, links: Sequence[Link], now_exp: int, scope: Scope = WHOLE
) -> dict[int, float]:
    """How probably the situation of each trigger link leads to its action, by the number of the link.

    What is left of its strength, as a share of all of the same situation where these are more than 1 together.
    """
    asked = {link.src for link in links if link.kind is LinkKind.TRIGGER}
    if not asked:
        return {}
    strengths = {
        link.id: (link.src, link.trace.strength(now_exp))
        for link in link_rows.of_notes(connection, sorted(asked), scope)
        if link.kind is LinkKind.TRIGGER and link.src in asked
    }
    totals: dict[int, float] = defaultdict(float)
    for src, strength in strengths.values():
        totals[src] += strength
    shown = {link.id for link in links}
    return {
        number: strength / max(1.0, totals[src]) for number, (src, strength) in strengths.items() if number in shown
    }


def neighbourhood(
    connection: Connection, start: int | None, depth: int, limit: int, scope: Scope = WHOLE
) -> tuple[list[Note], list[Link], bool]:
    """The notes within `depth` links of one, at most `limit` (or the newest notes), with the links among them.

    Never reads more of the graph than it returns and its rim.
    """
    if start is None:
        chosen = note_rows.newest(connection, limit + 1, scope)
        truncated = len(chosen) > limit
        ids = chosen[:limit]
    else:
        ids, truncated = [start], False
        rim = [start]
        for _ in range(depth):
            near = {end for link in link_rows.of_notes(connection, rim, scope) for end in (link.src, link.dst)}
            rim = sorted(near.difference(ids))
            room = limit - len(ids)
            truncated = truncated or len(rim) > room
            rim = rim[:room]
            ids += rim
            if not rim:
                break
    inside = set(ids)
    edges = (
        [link for link in link_rows.of_notes(connection, ids, scope) if link.src in inside and link.dst in inside]
        if ids
        else []
    )
    found = {note.id: note for note in active_notes(connection, list(note_rows.get_many(connection, ids, scope)))}
    standing = [found[note] for note in ids if note in found]
    kept = list_pages.shown(standing, limit, note_rows.text_size)
    if len(kept) == len(standing):
        return standing, edges, truncated
    inside = {note.id for note in kept}
    return kept, [link for link in edges if link.src in inside and link.dst in inside], True
