"""A mind as the file of the reference memory server of MCP: entities with what was observed of them, and relations.

A graph that was told to this mind comes back as it was told. Every other note is an observation, as it shows, of whom
it names, else of who said it, else of the mind itself.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, BinaryIO

from soulmem.bridges.mcp import graph_notes
from soulmem.bridges.mcp.graph_notes import Graph
from soulmem.bridges.mcp.mind_door import DoorSetting, MindDoor, ToolFaultError
from soulmem.client import AsyncClient, Client
from soulmem.interchange.exporting import mind_pages

_MARK = "graph"  # the attribute that tells what a note is in the graph


def write(client: Client, mind: str, stream: BinaryIO) -> int:
    """Write all notes as a graph; how many lines. Raises OSError; SoulmemRemoteError."""
    graph = asyncio.run(_graph(client.path or None, mind))
    entities = {
        name: (entity.kind, [words for words, _ in entity.observations]) for name, entity in graph.entities.items()
    }
    title = client.call("mind.get", {"mind": mind}, retry=True)["mind"]["title"] or mind
    names = mind_pages.known_names(client, mind)
    for note in mind_pages.notes(client, mind):
        if _MARK in note["attributes"] or not note["rendered"].strip():
            continue
        named = mind_pages.named_in(note["rendered"], names)
        about = named[0] if named else note.get("speaker") or title
        entities.setdefault(about, ("person" if about != title else "mind", []))[1].append(note["rendered"])
    rows: list[dict[str, Any]] = [
        {"type": "entity", "name": name, "entityType": kind, "observations": list(dict.fromkeys(seen))}
        for name, (kind, seen) in entities.items()
    ]
    rows += [
        {"type": "relation", "from": each.source, "to": each.target, "relationType": each.kind}
        for each in graph.relations
    ]
    stream.write("\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode())
    return len(rows)


async def _graph(socket: str | None, mind: str) -> Graph:
    async with AsyncClient(socket) as client:
        try:
            return await graph_notes.read_graph(MindDoor(client, DoorSetting(mind=mind)))
        except ToolFaultError as fault:
            if fault.__cause__ is not None:
                raise fault.__cause__ from fault
            raise
