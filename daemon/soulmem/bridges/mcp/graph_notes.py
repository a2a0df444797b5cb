"""A knowledge graph of entities, observations and relations, kept as notes of a mind.

Called by `bridges/mcp/graph_tools`. Each entity, each observation and each relation is a note of its own, told from
others by its attributes, and tied to the note of its entity, so that they come to mind together. Invariants: the order
of the graph is that of the notes' numbers; an observation is the words of its note, without the name put before them
where they did not name whom they are about; what is deleted is purged.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from soulmem.bridges.mcp.mind_door import MindDoor, ToolFaultError

_MARK = "graph"  # the attribute that tells what a note is in the graph
_PAGE = 500
_MOST_BYTES = 256 * 1024  # of one note
_WRITES = asyncio.Lock()  # one change of the graph after the other, or two would make the same entity


@dataclass(slots=True)
class Entity:
    """`note`: the id of its note. `observations`: words, and the id of the note of each."""

    name: str
    kind: str
    note: str
    observations: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Relation:
    source: str
    target: str
    kind: str
    note: str = field(compare=False, default="")


@dataclass(slots=True)
class Graph:
    """`repeats`: notes that say what an earlier one says, of two servers that were told so at the same time."""

    entities: dict[str, Entity] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    repeats: list[str] = field(default_factory=list)


async def read_graph(door: MindDoor) -> Graph:
    """The whole graph; empty where the mind does not exist yet."""
    graph = Graph()
    observed: dict[str, list[tuple[str, str]]] = {}
    known: set[Relation] = set()
    async for note in _graph_notes(door):
        about, words = note["attributes"], str(note["text"])
        match about[_MARK]:
            case "entity":
                entity = Entity(str(about.get("name")), str(about.get("entity_type")), note["id"])
                if graph.entities.setdefault(entity.name, entity) is not entity:
                    graph.repeats.append(entity.note)
            case "observation":
                name = str(about.get("entity"))
                said = words.removeprefix(_label(name)) if about.get("labelled") else words
                observed.setdefault(name, []).append((said, note["id"]))
            case "relation":
                ends = str(about.get("from")), str(about.get("to")), str(about.get("relation_type"))
                relation = Relation(*ends, note["id"])
                if relation in known:
                    graph.repeats.append(relation.note)
                else:
                    known.add(relation)
                    graph.relations.append(relation)
    for name, observations in observed.items():
        if name in graph.entities:
            graph.entities[name].observations = observations
    return graph


async def _graph_notes(door: MindDoor) -> AsyncIterator[dict[str, Any]]:
    cursor: str | None = None
    while True:
        try:
            page = await door.ask_here("note.list", kind="semantic", limit=_PAGE, cursor=cursor)
        except ToolFaultError as fault:
            if getattr(fault.__cause__, "name", "") == "mind_not_found":
                return
            raise
        for note in page["items"]:
            if note["attributes"].get(_MARK) in ("entity", "observation", "relation"):
                yield note
        cursor = page["next_cursor"]
        if cursor is None:
            return


async def _withdraw_repeats(door: MindDoor, made: Sequence[Entity | Relation]) -> set[str]:
    """Take back what another server made in the same moment: who was first has the lower number, and both see so."""
    late = set((await read_graph(door)).repeats)
    lost = [each for each in made if each.note in late]
    for each in lost:
        seen = [note for _, note in each.observations] if isinstance(each, Entity) else []
        await _purge(door, [*seen, each.note])
    return {each.note for each in lost}


async def create_entities(door: MindDoor, wanted: Sequence[tuple[str, str, Sequence[str]]]) -> list[Entity]:
    """Make those that are not there yet; the new ones."""
    for name, kind, observations in wanted:
        _check([name, kind, *(_worded(name, each)[0] for each in observations)])
        if not name.strip():
            raise ToolFaultError("an entity needs a name")
    async with _WRITES:
        graph = await read_graph(door)
        made: list[Entity] = []
        for name, kind, observations in wanted:
            if name in graph.entities:
                continue
            text = f"{name} ({kind})" if kind.strip() else name
            entity = Entity(name, kind, await _write(door, text, "entity", name=name, entity_type=kind))
            graph.entities[name] = entity
            made.append(entity)
            for words in observations:
                entity.observations.append((words, await _observe(door, entity, words)))
        lost = await _withdraw_repeats(door, made) if made else set()
        return [each for each in made if each.note not in lost]


async def add_observations(door: MindDoor, wanted: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[str, list[str]]]:
    """Add what was not observed yet of entities that there are; of each what is new."""
    for name, contents in wanted:
        _check([_worded(name, each)[0] for each in contents])
    async with _WRITES:
        graph = await read_graph(door)
        missing = next((name for name, _ in wanted if name not in graph.entities), None)
        if missing is not None:
            raise ToolFaultError(f"Entity with name {missing[:120]} not found")
        added: list[tuple[str, list[str]]] = []
        for name, contents in wanted:
            entity = graph.entities[name]
            known = {words for words, _ in entity.observations}
            fresh = [words for words in contents if words not in known]
            for words in fresh:
                entity.observations.append((words, await _observe(door, entity, words)))
            added.append((name, fresh))
        return added


async def create_relations(door: MindDoor, wanted: Sequence[Relation]) -> list[Relation]:
    """Make those that are not there yet; the new ones. An end needs no entity."""
    for relation in wanted:
        _check([relation.source, relation.target, relation.kind])
    async with _WRITES:
        graph = await read_graph(door)
        made: list[Relation] = []
        for relation in wanted:
            if relation in graph.relations:
                continue
            words = " ".join(
                each for each in (relation.source, relation.kind.replace("_", " "), relation.target) if each.strip()
            )
            note = await _write(
                door, words or "—", "relation",
                **{"from": relation.source, "to": relation.target, "relation_type": relation.kind},
            )  # fmt: skip
            kept = replace(relation, note=note)
            graph.relations.append(kept)
            made.append(kept)
            for name in dict.fromkeys((relation.source, relation.target)):
                if name in graph.entities:
                    await _tie(door, graph.entities[name], note)
        lost = await _withdraw_repeats(door, made) if made else set()
        return [each for each in made if each.note not in lost]


async def delete_entities(door: MindDoor, names: Iterable[str]) -> None:
    """Purge entities, what was observed of them and every relation of theirs."""
    gone = set(names)
    async with _WRITES:
        graph = await read_graph(door)
        for name in gone & graph.entities.keys():
            entity = graph.entities[name]
            await _purge(door, [*(note for _, note in entity.observations), entity.note])
        await _purge(door, [each.note for each in graph.relations if gone & {each.source, each.target}])
        await _purge(door, graph.repeats)


async def delete_observations(door: MindDoor, wanted: Sequence[tuple[str, Sequence[str]]]) -> None:
    async with _WRITES:
        graph = await read_graph(door)
        for name, gone in wanted:
            entity = graph.entities.get(name)
            if entity is not None:
                await _purge(door, [note for words, note in entity.observations if words in gone])


async def delete_relations(door: MindDoor, gone: Sequence[Relation]) -> None:
    async with _WRITES:
        graph = await read_graph(door)
        await _purge(door, [each.note for each in graph.relations if each in gone])
        await _purge(door, graph.repeats)


def _label(name: str) -> str:
    return f"{name}: "


def _worded(name: str, observation: str) -> tuple[str, bool]:
    """The words of its note, and whether the name was put before them: alone they would not say whom they are about."""
    named = bool(observation.strip()) and name.casefold() in observation.casefold()
    return (observation, False) if named else (_label(name) + observation, True)


async def _observe(door: MindDoor, entity: Entity, observation: str) -> str:
    words, labelled = _worded(entity.name, observation)
    note = await _write(door, words, "observation", entity=entity.name, labelled=labelled)
    await _tie(door, entity, note)
    return note


async def _write(door: MindDoor, words: str, mark: str, **about: Any) -> str:
    made = await door.write_here("note.add", kind="semantic", text=words, attributes={_MARK: mark, **about})
    return str(made["id"])


async def _tie(door: MindDoor, entity: Entity, note: str) -> None:
    try:
        await door.write_here("link.add", src=entity.note, dst=note)
    except ToolFaultError as fault:
        if getattr(fault.__cause__, "name", "") != "not_found":  # another door deleted one of them meanwhile
            raise


async def _purge(door: MindDoor, notes: Iterable[str]) -> None:
    for note in notes:
        try:
            await door.write_here("note.purge", id=note)
        except ToolFaultError as fault:
            if getattr(fault.__cause__, "name", "") != "not_found":  # another door was faster
                raise


def _check(texts: Iterable[str]) -> None:
    """Refuse before anything is written what the mind would refuse halfway."""
    for text in texts:
        if "\x00" in text:
            raise ToolFaultError("a text holds a NUL character; remove U+0000")
        if len(text.encode()) > _MOST_BYTES:
            raise ToolFaultError(f"a text has {len(text.encode())} bytes, at most {_MOST_BYTES} are taken; split it")
