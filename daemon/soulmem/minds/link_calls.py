"""What clients ask of a mind's links: to add one, to list them, to see a neighbourhood."""

from __future__ import annotations

from collections.abc import Callable

from soulmem.core.schema.note_requests import LinkKind
from soulmem.minds.mind_api import ClientCall, Found, Mind
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.notes import note_rows
from soulmem.store.revision import note_withdrawal
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import graph_views, wire_views


async def add_link(
    mind: Mind, call: ClientCall, src_id: str, dst_id: str, kind: LinkKind, verb: str, strength: float | None,
    confidence: float,
) -> Found:  # fmt: skip
    """Link two notes, or strengthen the link there is."""
    src, dst = private_id("n", src_id), private_id("n", dst_id)
    scope = await mind.scoping.in_front_of(call.conversation)

    def check(connection: Connection) -> None:
        for end in (src, dst):
            note_rows.get(connection, end, scope)

    def run(connection: Connection) -> Found:
        check(connection)
        number, created = mind.workers.notebook.link(connection, src, dst, kind, verb, strength, confidence)
        return {"id": public_id("l", number), "created": created}

    def after(result: Found) -> None:
        event = "link_created" if result["created"] else "link_strengthened"
        mind.world.emit(event, mind=mind.name, count=1, origin="client")

    def again(connection: Connection, first: Found) -> Found:
        check(connection)
        return first

    return await mind.keep(call, "link.add", run, after, again)


async def find_links(
    mind: Mind, note_id: str | None, conversation: str | None
) -> Callable[[Connection, int, int], list[Link]]:
    """What reads a page of links, of one note or of all."""
    number = private_id("n", note_id) if note_id else None
    scope = await mind.scoping.in_front_of(conversation)

    def read(connection: Connection, after: int, limit: int) -> list[Link]:
        if number is None:
            return link_rows.list_page(connection, after=after, limit=limit, scope=scope)
        note_rows.get(connection, number, scope)
        return [link for link in link_rows.of_notes(connection, [number], scope) if link.id > after][:limit]

    return read


async def get_graph(mind: Mind, around: str | None, depth: int, limit: int, conversation: str | None) -> Found:
    """A bounded neighbourhood of a note, or of the newest."""
    start = private_id("n", around) if around else None
    scope = await mind.scoping.in_front_of(conversation)

    def read(connection: Connection) -> Found:
        if start is not None:
            note_withdrawal.shown(connection, start, scope)
        found, edges, truncated = graph_views.neighbourhood(connection, start, depth, limit, scope)
        moment = mind.view_time()
        verbs = graph_views.verbs(connection, found, edges, moment.now_exp)
        return {
            "notes": wire_views.note_readings(connection, found, moment, scope),
            "links": [mind.view_link(edge) | {"verb": verbs[edge.id]} for edge in edges],
            "truncated": truncated,
        }

    return await mind.memory.database.read(read)
