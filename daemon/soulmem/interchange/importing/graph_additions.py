"""A graph that comes from a file, made of notes as the tools of the memory server make it, so that they give it back.

What is there already is left as it is: an entity by its name, an observation by its words, a relation by its ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from soulmem.bridges.mcp import graph_notes
from soulmem.bridges.mcp.graph_notes import Relation
from soulmem.bridges.mcp.mind_door import DoorSetting, MindDoor, ToolFaultError
from soulmem.client import AsyncClient, CallTimeout, DaemonUnavailable, SoulmemRemoteError
from soulmem.interchange.importing.import_tally import Tally
from soulmem.interchange.records import Observed, Related

_MOST = 1_000  # entities in one go
_MOST_RELATIONS = 50_000
_NOTE_BYTES = 255 * 1024  # with the name before it


class GraphAdditions:
    """Takes entities and relations one by one and adds them many at a time."""

    def __init__(self, socket: str | None, mind: str, tally: Tally, told: Callable[[], None]) -> None:
        self._socket, self._mind, self._tally, self._told = socket, mind, tally, told
        self._entities: list[Observed] = []
        self._relations: list[Related] = []

    def add(self, each: Observed | Related) -> None:
        if (why := _hindrance(each)) is not None:
            self._tally.refuse(each.place, "invalid_text", why)
        elif isinstance(each, Related):
            self._relations.append(each)  # after the entities, wherever these stand, for it is tied to them
        else:
            self._entities.append(each)
        if len(self._entities) >= _MOST or len(self._relations) >= _MOST_RELATIONS:
            relations = self._relations
            if len(relations) < _MOST_RELATIONS:
                self._relations = []
            self.end()
            self._relations = relations if len(relations) < _MOST_RELATIONS else []

    def end(self) -> None:
        """Send what is left."""
        if self._entities or self._relations:
            asyncio.run(self._send())
            self._entities, self._relations = [], []
            self._told()

    async def _send(self) -> None:
        async with AsyncClient(self._socket) as client:
            door = MindDoor(client, DoorSetting(mind=self._mind))
            try:
                made = await graph_notes.create_entities(door, [(each.name, each.kind, ()) for each in self._entities])
                wanted = [(each.name, list(dict.fromkeys(each.observations))) for each in self._entities]
                added = await graph_notes.add_observations(door, wanted)
                ends = [Relation(each.source, each.target, each.kind) for each in self._relations]
                related = await graph_notes.create_relations(door, list(dict.fromkeys(ends)))
            except ToolFaultError as fault:
                if isinstance(fault.__cause__, DaemonUnavailable | CallTimeout | SoulmemRemoteError):
                    raise fault.__cause__ from fault
                place = (self._entities or self._relations)[0].place
                self._tally.refuse(f"{place} and what follows it", "invalid_text", str(fault))
                return
        self._tally.entities += len(made)
        self._tally.relations += len(related)
        self._tally.observations += sum(len(words) for _, words in added)


def _hindrance(each: Observed | Related) -> str | None:
    """Why it cannot be kept, if so."""
    texts = [each.name, each.kind, *each.observations] if isinstance(each, Observed) else []
    texts = texts or [getattr(each, name) for name in ("source", "target", "kind")]
    if any("\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text) for text in texts):
        return "a text holds a NUL character or half of one"
    if sum(len(text.encode()) for text in texts[:2]) + max(len(text.encode()) for text in texts) > _NOTE_BYTES:
        return "a text has more than 256 KiB"
    return None
