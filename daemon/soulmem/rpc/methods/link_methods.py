"""The graph by hand: the methods of links and of the neighbourhood of a note."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from soulmem.core.schema.note_requests import LinkKind
from soulmem.rpc.methods.method_service import Service, page
from soulmem.rpc.methods.note_methods import same_request
from soulmem.rpc.methods.wire_shapes import (
    Identifier,
    InFrontOf,
    Label,
    LinkShape,
    MindParams,
    NoteId,
    NoteShape,
    PageParams,
    RequestKey,
    Result,
    Share,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.graph import link_rows
from soulmem.store.notes import note_rows
from soulmem.store.revision import note_withdrawal
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import wire_views

_LINK_KINDS = Literal["association", "semantic", "abstract_of", "trigger", "evidence", "supersedes"]
MOST_NEIGHBOURS = 500


class AddLink(MindParams):
    src: NoteId = Field(description="id of the note it goes from")
    dst: NoteId = Field(description="id of the note it goes to")
    kind: _LINK_KINDS = Field(default="association", description="how they belong together")
    verb: Label = Field(default="", description="the same in a word, like causes or 导致")
    strength: float | None = Field(
        default=None, gt=0, le=1, description="how strong a new one is; without it as its kind is"
    )
    confidence: Share = Field(default=0.5, description="how sure it is; an existing link is strengthened the more")
    key: RequestKey = None
    conversation: InFrontOf = None


class AddLinkResult(Result):
    id: str
    created: bool


async def add_link(service: Service, params: AddLink, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        src, dst = private_id("n", params.src), private_id("n", params.dst)
        scope = await mind.in_front_of(params.conversation)

        def run(connection: Connection) -> dict[str, Any]:
            for end in (src, dst):
                note_rows.get(connection, end, scope)
            number, created = mind.notebook.link(
                connection, src, dst, LinkKind(params.kind), params.verb, params.strength, params.confidence
            )
            return {"id": public_id("l", number), "created": created}

        def after(result: dict[str, Any]) -> None:
            event = "link_created" if result["created"] else "link_strengthened"
            service.world.emit(event, mind=mind.name, count=1, origin="client")

        def again(connection: Connection, first: dict[str, Any]) -> dict[str, Any]:
            for end in (src, dst):
                note_rows.get(connection, end, scope)
            return first

        return await mind.keep("link.add", run, key=params.key, request=same_request(params), after=after, again=again)


class ListLinks(PageParams):
    note: Identifier | None = Field(default=None, description="only links of this note, like n17")
    conversation: InFrontOf = None


class LinkPage(Result):
    items: list[LinkShape]
    next_cursor: str | None


async def list_links(service: Service, params: ListLinks, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.note) if params.note else None
        scope = await mind.in_front_of(params.conversation)

        def read(connection: Connection, after: int, limit: int) -> list[link_rows.Link]:
            if number is None:
                return link_rows.list_page(connection, after=after, limit=limit, scope=scope)
            note_rows.get(connection, number, scope)
            return [link for link in link_rows.of_notes(connection, [number], scope) if link.id > after][:limit]

        return await page(mind, params, read, view=mind.view_link, cursor=lambda link: link.id)


class GetGraph(MindParams):
    around: Identifier | None = Field(
        default=None, description="id of the note in the middle; without it the newest notes"
    )
    depth: int = Field(default=2, ge=0, le=6, description="at most so many links away from it")
    limit: int = Field(default=100, ge=1, le=MOST_NEIGHBOURS, description="at most so many notes")
    conversation: InFrontOf = None


class GraphResult(Result):
    notes: list[NoteShape]
    links: list[LinkShape]
    truncated: bool


async def get_graph(service: Service, params: GetGraph, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        start = private_id("n", params.around) if params.around else None
        scope = await mind.in_front_of(params.conversation)

        def read(connection: Connection) -> dict[str, Any]:
            if start is not None:
                note_withdrawal.shown(connection, start, scope)
            found, edges, truncated = wire_views.neighbourhood(connection, start, params.depth, params.limit, scope)
            moment = mind.view_time()
            verbs = wire_views.verbs(connection, found, edges, moment.now_exp)
            return {
                "notes": wire_views.note_readings(connection, found, moment, scope),
                "links": [mind.view_link(edge) | {"verb": verbs[edge.id]} for edge in edges],
                "truncated": truncated,
            }

        return await mind.memory.database.read(read)
