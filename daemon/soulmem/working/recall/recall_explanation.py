"""Recall explanation: why each item of a recall came back, and why others did not.

Called by `dialogue_service` when a client asks. Everything shown was used for the ranking itself: the evidence of each
channel, the links on the way with their strength now, and what an item that gave way had against it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.graph.walk.name_spread import BY_NAME
from soulmem.store.graph import link_rows
from soulmem.store.notes import note_rows
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views import wire_views
from soulmem.store.views.rendered_notes import RenderedNote, faces, shown_verb
from soulmem.working.recall.graph_recall import Step
from soulmem.working.recall.recall_request import Brought
from soulmem.working.recall.rerank import Suppressed

Json = dict[str, Any]
_TEXT = 120  # characters of a note on the way


def reasons(connection: Connection, brought: Brought, now_exp: int) -> dict[ItemRef, Json]:
    """For each item its evidence by channel, 0..1, how well it fits the question, which share of that it covers, 0..1,
    and by which links it was reached.
    """
    steps = [step for way in brought.ways.values() for step in way]
    held = {link.id: link for link in link_rows.get_many(connection, sorted({step.link for step in steps}))}
    ends = sorted({end for step in steps for end in (step.src, step.dst)})
    named = faces(connection, note_rows.get_many(connection, ends).values(), now_exp)

    def shown(step: Step) -> Json:
        link, note = held.get(step.link), named.get(step.src)
        by_name = step.link == BY_NAME
        return {
            "link": None if by_name else public_id("l", step.link),
            "src": public_id("n", step.src),
            "dst": public_id("n", step.dst),
            "backward": step.is_backward,
            "kind": "name" if by_name else link.kind.value if link else "",
            "verb": _common(named, step) if by_name else shown_verb(link, named) if link else "",
            "origin": link.origin.value if link else "",
            "strength": round(link.trace.strength(now_exp), 4) if link else 0.0,
            "weight": round(step.weight, 4),
            "from": note.text[:_TEXT] if note else "",
        }

    found: dict[ItemRef, Json] = {}
    for hit in brought.hits:
        why: Json = {"channels": {name: round(value, 4) for name, value in hit.channels.items()}}
        why |= {"fit": round(hit.fit, 4), "covers": round(hit.covers, 4)}
        if hit.kind is ItemKind.NOTE and hit.key in brought.ways:
            why["path"] = [shown(step) for step in brought.ways[hit.key]]
        found[hit.kind, hit.key] = why
    return found


def _common(named: Mapping[int, RenderedNote], step: Step) -> str:
    """Of whom or what both notes of a step speak, as far as both still show it."""
    ends = [named[end] for end in (step.src, step.dst) if end in named]
    both = ends[0].entities if len(ends) == 2 else ()  # who tells it is not whom it speaks of
    return next((name for name in both if name in ends[1].entities and name != ends[1].speaker), "")


def held_back(connection: Connection, suppressed: Sequence[Suppressed], now_exp: int) -> list[Json]:
    """Items that would have come back but for others that say the same, or for having come up just now."""
    concerned = [each.hit for each in suppressed] + [each.like for each in suppressed if each.like is not None]
    shown = wire_views.items(connection, concerned, now_exp)
    found = []
    for each in suppressed:
        item = shown.get((each.hit.kind.value, each.hit.key))
        like = shown.get((each.like.kind.value, each.like.key)) if each.like is not None else None
        if item is None:
            continue
        because = "came up a moment ago" if like is None else "says nearly the same as another"
        found.append(
            {"id": item["id"], "kind": item["kind"], "text": item["text"], "because": because}
            | ({"like": like["id"]} if like is not None else {})
        )
    return found
