"""What clients ask of a mind's links: to add one, to list them, to see a neighbourhood."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soulmem.core.schema.blind_ids import Sentence
from soulmem.core.schema.note_requests import LinkKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import ClientCall, Found, Mind
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.notes import note_rows
from soulmem.store.revision import note_withdrawal
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import graph_views, wire_views

_ROUNDING = 1e-6


async def add_link(
    mind: Mind, call: ClientCall, src_id: str, dst_id: str, kind: LinkKind, verb: str, strength: float | None,
    confidence: float, prob: float | None = None,
) -> Found:  # fmt: skip
    """Link two notes, or strengthen the link there is; `prob`: how probably a situation leads to an action.

    Raises SoulmemError: `invalid_params` where probabilities of one situation would sum to more than 1.
    """
    src, dst = private_id("n", src_id), private_id("n", dst_id)
    scope = await mind.scoping.in_front_of(call.conversation)

    def check(connection: Connection) -> None:
        for end in (src, dst):
            note_rows.get(connection, end, scope)

    def run(connection: Connection) -> Found:
        check(connection)
        if prob is not None:
            _check_probability(connection, src, dst, prob, mind.view_time().now_exp, scope)
        given = strength if prob is None else prob
        number, created = mind.workers.notebook.link(connection, src, dst, kind, verb, given, confidence)
        return {"id": public_id("l", number), "created": created}

    def after(result: Found) -> None:
        event = "link_created" if result["created"] else "link_strengthened"
        mind.world.emit(event, mind=mind.name, count=1, origin="client")

    def again(connection: Connection, first: Found) -> Found:
        check(connection)
        return first

    return await mind.keep(call, "link.add", run, after, again)


def _check_probability(connection: Connection, src: int, dst: int, prob: float, now_exp: int, scope: Scope) -> None:
    """What nobody here may know of counts for nothing. Raises SoulmemError: `invalid_params`."""
    others = [
        each.trace.strength(now_exp)
        for each in link_rows.of_notes(connection, [src], scope)
        if each.kind is LinkKind.TRIGGER and each.src == src and each.dst != dst
    ]
    if sum(others) + prob > 1.0 + _ROUNDING:
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            Sentence("prob: what ", public_id("n", src), f" leads to would sum to {sum(others) + prob:.2f}, at most 1"),
            hint=f"its other actions have {sum(others):.2f} by now",
        )


async def find_links(
    mind: Mind, note_id: str | None, conversation: str | None
) -> Callable[[Connection, int, int], list[Found]]:
    """What reads a page of links as they show, of one note or of all."""
    number = private_id("n", note_id) if note_id else None
    scope = await mind.scoping.in_front_of(conversation)

    def read(connection: Connection, after: int, limit: int) -> list[Found]:
        if number is None:
            links = link_rows.list_page(connection, after=after, limit=limit, scope=scope)
        else:
            note_rows.get(connection, number, scope)
            links = [link for link in link_rows.of_notes(connection, [number], scope) if link.id > after][:limit]
        return _views(mind, connection, links, scope)

    return read


def _views(mind: Mind, connection: Connection, links: Sequence[Link], scope: Scope) -> list[Found]:
    """Links as clients get them, those of situations with their probabilities."""
    probable = graph_views.probabilities(connection, links, mind.view_time().now_exp, scope)
    return [
        mind.view_link(link) | ({"prob": round(probable[link.id], 6)} if link.id in probable else {})
        for link in links
    ]  # fmt: skip


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
            "links": [
                shown | {"verb": verbs[edge.id]}
                for edge, shown in zip(edges, _views(mind, connection, edges, scope), strict=True)
            ],
            "truncated": truncated,
        }

    return await mind.memory.database.read(read)
