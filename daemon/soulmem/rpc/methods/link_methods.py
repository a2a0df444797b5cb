"""The graph by hand: the methods of links and of the neighbourhood of a note."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from soulmem.core.schema.note_requests import LinkKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds import link_calls
from soulmem.results import note_results as results
from soulmem.rpc.methods.method_service import Service, page
from soulmem.rpc.methods.note_methods import call_of
from soulmem.rpc.methods.wire_shapes import (
    ID,
    Identifier,
    InFrontOf,
    ItemPageParams,
    Label,
    MindParams,
    NoteId,
    RequestKey,
    Share,
    optional,
    preset,
)
from soulmem.rpc.transport.jsonrpc import Peer

MOST_NEIGHBOURS = 500


class AddLink(MindParams):
    src: NoteId = Field(description="id of the note it goes from")
    dst: NoteId = Field(description="id of the note it goes to")
    kind: results.LinkKind = preset("association", "how they belong together")
    verb: Label = preset("", "the same in a word, like causes or 导致")
    strength: float | None = optional("how strong a new one is; without it as its kind is", gt=0, le=1)
    prob: float | None = optional(
        "of a trigger: how probably the situation leads to the action, instead of strength; those of one situation "
        "sum to at most 1",
        gt=0,
        le=1,
    )
    confidence: Share = preset(0.5, "how sure it is; an existing link is strengthened the more")
    key: RequestKey = None
    conversation: InFrontOf = None


async def add_link(service: Service, params: AddLink, _peer: Peer) -> dict[str, Any]:
    if params.prob is not None and (params.kind != "trigger" or params.strength is not None):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            "prob: it is of a trigger alone, and instead of strength",
            hint="a trigger leads from a situation to an action",
        )
    async with service.minds.use(params.mind) as mind:
        return await link_calls.add_link(
            mind, call_of(params), params.src, params.dst, LinkKind(params.kind), params.verb, params.strength,
            params.confidence, params.prob,
        )  # fmt: skip


class ListLinks(ItemPageParams):
    note: Annotated[Identifier | None, ID] = optional("only links of this note, like n17")
    conversation: InFrontOf = None


async def list_links(service: Service, params: ListLinks, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        read = await link_calls.find_links(mind, params.note, params.conversation)
        return await page(mind, params, read, view=lambda link: link, cursor=_own_id, letter="l")


def _own_id(link: dict[str, Any]) -> str:
    """Its id as it stands there, which knows in what form it goes to whom."""
    own: str = link["id"]
    return own


class GetGraph(MindParams):
    around: Annotated[Identifier | None, ID] = optional("id of the note in the middle; without it the newest notes")
    depth: int = preset(2, "at most so many links away from it", ge=0, le=6)
    limit: int = preset(100, "at most so many notes", ge=1, le=MOST_NEIGHBOURS)
    conversation: InFrontOf = None


async def get_graph(service: Service, params: GetGraph, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await link_calls.get_graph(mind, params.around, params.depth, params.limit, params.conversation)
