"""A whole mind out of one daemon and into another: the methods `mind.export` and `mind.import`.

Both work in pieces, for a mind may be larger than any line. What travels is text: lines of JSON, one for each row
(`mind_records`); where a piece is cut means nothing.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from soulmem.errors import ErrorName, SoulmemError
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.wire_shapes import MindParams, NextPage, optional, preset
from soulmem.rpc.transport.jsonrpc import Peer

_PIECE_CHARS = 256 * 1024


class ExportMind(MindParams):
    cursor: NextPage = None


async def export_mind(service: Service, params: ExportMind, _peer: Peer) -> dict[str, Any]:
    return await service.exports.piece(service.minds, params.mind, params.cursor)


class ImportMind(MindParams):
    text: Annotated[str, Field(max_length=_PIECE_CHARS)] = preset(
        "", "the next piece of what mind.export gave; at most 256 Ki characters"
    )
    cursor: NextPage = None
    end: bool = preset(False, "this is the last piece: make the mind now")
    seal: str | None = optional(
        "of the first call: the sha256 of the last line; where the mind was made of the same, nothing is left to do",
        max_length=64,
    )


async def import_mind(service: Service, params: ImportMind, _peer: Peer) -> dict[str, Any]:
    uploads, cursor = service.uploads, params.cursor
    if params.cursor is None:
        cursor = await uploads.begin(service.minds, params.mind, params.seal)
        if cursor is None:
            return await _there(service, params.mind, duplicate=True)
    elif params.seal is not None:
        raise SoulmemError(ErrorName.INVALID_PARAMS, "seal: belongs to the first call", hint="leave it out")
    assert cursor is not None
    cursor = await uploads.take(params.mind, cursor, params.text)
    if not params.end:
        return {"next_cursor": cursor, "mind": None, "duplicate": False}
    await uploads.finish(service.minds, service.config, params.mind, cursor)
    there = await _there(service, params.mind, duplicate=False)
    async with service.minds.use(params.mind) as mind:
        service.world.emit("mind_created", mind=params.mind, profile=mind.memory.who.profile)
    return there


async def _there(service: Service, name: str, *, duplicate: bool) -> dict[str, Any]:
    async with service.minds.use(name) as mind:
        counts = await mind.workers.counts()
    return {
        "next_cursor": None, "mind": name, "duplicate": duplicate, "messages": counts.messages, "notes": counts.notes,
        "links": counts.links,
    }  # fmt: skip
