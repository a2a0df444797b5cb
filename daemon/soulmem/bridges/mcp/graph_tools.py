"""The nine tools of the reference memory server, by its names and shapes, over the notes of a mind.

Called by `bridges/mcp/mcp_server`, where they are asked for, so that prompts written for that server go on working.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NotRequired

import mcp_types as wire
from pydantic import Field
from typing_extensions import TypedDict

from soulmem.bridges.mcp import graph_notes
from soulmem.bridges.mcp.graph_notes import Entity, Graph, Relation
from soulmem.bridges.mcp.mcp_tool import Answer, Effect, Tool
from soulmem.bridges.mcp.mind_door import MindDoor, ToolFaultError
from soulmem.bridges.mcp.tool_arguments import Arguments

GRAPH_ADDRESS = "memory://knowledge-graph"
PAGE_CHARACTERS = 200_000  # of a graph in one answer
MOST_ITEMS = 500  # of each list in one call
_FOUND = 10  # memories that a question may bring, where no word of it stands in the graph
_BY_LINKS = "ppr"  # found over links alone

Many = Field(max_length=MOST_ITEMS)


class EntityGiven(Arguments):
    name: Annotated[str, Field(description="The name of the entity")]
    entityType: Annotated[str, Field(description="The type of the entity")]  # noqa: N815 - the reference server's name
    observations: Annotated[
        list[str],
        Field(max_length=MOST_ITEMS, description="An array of observation contents associated with the entity"),
    ]


class RelationGiven(Arguments):
    from_: Annotated[str, Field(alias="from", description="The name of the entity where the relation starts")]
    to: Annotated[str, Field(description="The name of the entity where the relation ends")]
    relationType: Annotated[str, Field(description="The type of the relation, in active voice")]  # noqa: N815 - ditto


class ObservationsGiven(Arguments):
    entityName: Annotated[str, Field(description="The name of the entity to add the observations to")]  # noqa: N815
    contents: Annotated[list[str], Field(max_length=MOST_ITEMS, description="An array of observation contents to add")]


class ObservationsGone(Arguments):
    entityName: Annotated[str, Field(description="The name of the entity containing the observations")]  # noqa: N815
    observations: Annotated[list[str], Field(max_length=MOST_ITEMS, description="An array of observations to delete")]


class CreateEntities(Arguments):
    entities: Annotated[list[EntityGiven], Many]


class CreateRelations(Arguments):
    relations: Annotated[list[RelationGiven], Many]


class AddObservations(Arguments):
    observations: Annotated[list[ObservationsGiven], Many]


class DeleteEntities(Arguments):
    entityNames: Annotated[list[str], Field(max_length=MOST_ITEMS, description="An array of entity names to delete")]  # noqa: N815


class DeleteObservations(Arguments):
    deletions: Annotated[list[ObservationsGone], Many]


class DeleteRelations(Arguments):
    relations: Annotated[
        list[RelationGiven], Field(max_length=MOST_ITEMS, description="An array of relations to delete")
    ]


class PageOfGraph(Arguments):
    cursor: Annotated[
        str | None, Field(description="next_cursor of the page before, where a graph is too large for one answer")
    ] = None


class SearchNodes(PageOfGraph):
    query: Annotated[str, Field(description="The search query to match against names, types, and observation content")]


class OpenNodes(PageOfGraph):
    names: Annotated[list[str], Field(max_length=MOST_ITEMS, description="An array of entity names to retrieve")]


class EntityShape(TypedDict):
    name: str
    entityType: str
    observations: list[str]


RelationShape = TypedDict("RelationShape", {"from": str, "to": str, "relationType": str})


class AddedShape(TypedDict):
    entityName: str
    addedObservations: list[str]


class EntitiesResult(TypedDict):
    entities: list[EntityShape]


class RelationsResult(TypedDict):
    relations: list[RelationShape]


class AddedResult(TypedDict):
    results: list[AddedShape]


class DeletedResult(TypedDict):
    success: bool
    message: str


class GraphResult(TypedDict):
    entities: list[EntityShape]
    relations: list[RelationShape]
    next_cursor: NotRequired[Annotated[str, Field(description="there is more: the same call with it as cursor")]]


def _entity(entity: Entity) -> EntityShape:
    return {
        "name": entity.name,
        "entityType": entity.kind,
        "observations": [words for words, _ in entity.observations],
    }


def _relation(relation: Relation) -> RelationShape:
    return {"from": relation.source, "to": relation.target, "relationType": relation.kind}


def _given(relations: Iterable[RelationGiven]) -> list[Relation]:
    return [Relation(each.from_, each.to, each.relationType) for each in relations]


def _told(facts: Mapping[str, Any], shown: Any) -> Answer:
    return Answer(facts, json.dumps(shown, ensure_ascii=False, indent=2))


async def create_entities(door: MindDoor, asked: CreateEntities) -> Answer:
    wanted = [(each.name, each.entityType, each.observations) for each in asked.entities]
    made = [_entity(each) for each in await graph_notes.create_entities(door, wanted)]
    return _told({"entities": made}, made)


async def create_relations(door: MindDoor, asked: CreateRelations) -> Answer:
    made = [_relation(each) for each in await graph_notes.create_relations(door, _given(asked.relations))]
    return _told({"relations": made}, made)


async def add_observations(door: MindDoor, asked: AddObservations) -> Answer:
    wanted = [(each.entityName, each.contents) for each in asked.observations]
    added = await graph_notes.add_observations(door, wanted)
    results: list[AddedShape] = [{"entityName": name, "addedObservations": fresh} for name, fresh in added]
    return _told({"results": results}, results)


def _deleted(what: str) -> Answer:
    said = f"{what} deleted successfully"
    return Answer({"success": True, "message": said}, said)


async def delete_entities(door: MindDoor, asked: DeleteEntities) -> Answer:
    await graph_notes.delete_entities(door, asked.entityNames)
    return _deleted("Entities")


async def delete_observations(door: MindDoor, asked: DeleteObservations) -> Answer:
    await graph_notes.delete_observations(door, [(each.entityName, each.observations) for each in asked.deletions])
    return _deleted("Observations")


async def delete_relations(door: MindDoor, asked: DeleteRelations) -> Answer:
    await graph_notes.delete_relations(door, _given(asked.relations))
    return _deleted("Relations")


async def read_graph(door: MindDoor, asked: PageOfGraph) -> Answer:
    graph = await graph_notes.read_graph(door)
    return _page(list(graph.entities.values()), graph.relations, asked.cursor)


async def search_nodes(door: MindDoor, asked: SearchNodes) -> Answer:
    """The entities in which the words stand; where none does, those that the question brings to mind."""
    graph, words = await graph_notes.read_graph(door), asked.query.lower()
    names = {name for name, entity in graph.entities.items() if words in _searched(entity)}
    if not names and graph.entities and asked.query.strip():
        found = await door.ask_here("recall", query=asked.query, k=_FOUND, kinds=["note"], record=False)
        ids = {item["id"] for item in found["items"] if item["tier"] != _BY_LINKS}
        names = {name for name, entity in graph.entities.items() if ids & _notes(entity)}
    return _part(graph, names, asked.cursor)


async def open_nodes(door: MindDoor, asked: OpenNodes) -> Answer:
    return _part(await graph_notes.read_graph(door), set(asked.names), asked.cursor)


def _searched(entity: Entity) -> str:
    return "\n".join((entity.name, entity.kind, *(words for words, _ in entity.observations))).lower()


def _notes(entity: Entity) -> set[str]:
    return {entity.note, *(note for _, note in entity.observations)}


def _part(graph: Graph, names: set[str], cursor: str | None) -> Answer:
    """These entities, and the relations of which one end is among them."""
    entities = [entity for name, entity in graph.entities.items() if name in names]
    found = {entity.name for entity in entities}
    return _page(entities, [each for each in graph.relations if found & {each.source, each.target}], cursor)


def _page(entities: Sequence[Entity], relations: Sequence[Relation], cursor: str | None) -> Answer:
    """As much as one answer holds, entities first, from where the page before ended; at least one of them."""
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise ToolFaultError("`cursor`: not one of this graph; pass next_cursor of the page before")
    begin = place = int(cursor or 0)
    shown: dict[str, list[Any]] = {"entities": [], "relations": []}
    room = PAGE_CHARACTERS
    rows = [
        *(("entities", _entity(each)) for each in entities),
        *(("relations", _relation(each)) for each in relations),
    ]
    for place, (kind, row) in enumerate(rows[begin:], begin):
        room -= len(json.dumps(row, ensure_ascii=False))
        if room < 0 and place > begin:
            break
        shown[kind].append(row)
    else:
        return _told(shown, shown)
    facts = {**shown, "next_cursor": str(place)}
    return _told(facts, facts)


def graph_resource() -> wire.Resource:
    return wire.Resource(
        name="knowledge-graph",
        title="Knowledge Graph",
        uri=GRAPH_ADDRESS,
        description=f"The knowledge graph with its entities and relations, at most {PAGE_CHARACTERS} characters of it.",
        mime_type="application/json",
    )


async def read_graph_resource(door: MindDoor) -> wire.TextResourceContents:
    answer = await read_graph(door, PageOfGraph())
    return wire.TextResourceContents(uri=GRAPH_ADDRESS, mime_type="application/json", text=answer.text)


GRAPH_TOOLS = (
    Tool(
        "create_entities", "Create Entities",
        "Create multiple new entities in the knowledge graph. Those whose name exists already are left as they are.",
        CreateEntities, EntitiesResult, create_entities, Effect.ADDS,
    ),
    Tool(
        "create_relations", "Create Relations",
        "Create multiple new relations between entities in the knowledge graph. Relations should be in active voice.",
        CreateRelations, RelationsResult, create_relations, Effect.ADDS,
    ),
    Tool(
        "add_observations", "Add Observations",
        "Add new observations to existing entities in the knowledge graph.",
        AddObservations, AddedResult, add_observations, Effect.ADDS,
    ),
    Tool(
        "delete_entities", "Delete Entities",
        "Delete multiple entities with their observations and relations, for good.",
        DeleteEntities, DeletedResult, delete_entities, Effect.CHANGES,
    ),
    Tool(
        "delete_observations", "Delete Observations",
        "Delete specific observations from entities in the knowledge graph, for good.",
        DeleteObservations, DeletedResult, delete_observations, Effect.CHANGES,
    ),
    Tool(
        "delete_relations", "Delete Relations",
        "Delete multiple relations from the knowledge graph, for good.",
        DeleteRelations, DeletedResult, delete_relations, Effect.CHANGES,
    ),
    Tool(
        "read_graph", "Read Graph",
        f"Read the entire knowledge graph; one of more than {PAGE_CHARACTERS} characters page by page.",
        PageOfGraph, GraphResult, read_graph,
    ),
    Tool(
        "search_nodes", "Search Nodes",
        "Search for nodes in the knowledge graph: by words in names, types and observations, or by a question.",
        SearchNodes, GraphResult, search_nodes,
    ),
    Tool(
        "open_nodes", "Open Nodes",
        "Open specific nodes in the knowledge graph by their names.",
        OpenNodes, GraphResult, open_nodes,
    ),
)  # fmt: skip
