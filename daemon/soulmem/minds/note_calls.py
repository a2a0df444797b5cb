"""What clients ask of a mind's notes: each write is one transaction, done once under the client's key.

Called by the methods of the protocol. Invariants: what may not surface in the caller's conversation is answered as if
it were not there; a request sent again is answered with what may be told of it now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from soulmem.core.importance.importance_rating import weigh
from soulmem.core.schema.blind_ids import Sentence
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import Again, ClientCall, Found, Mind
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.messages import unmet_requests
from soulmem.store.notes import note_rows, note_writes
from soulmem.store.notes.note_rows import Asked, Note
from soulmem.store.plans import plan_rows
from soulmem.store.reflections import reflection_rows
from soulmem.store.revision import note_merging, note_withdrawal, tombstones
from soulmem.store.sqlite import list_pages
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import wire_views
from soulmem.working.notebook.note_drafts import Draft
from soulmem.working.notebook.note_forecast import Present, forecast


def _view(mind: Mind, connection: Connection, note: Note, scope: Scope) -> Found:
    return wire_views.note_views(connection, [note], mind.view_time(), scope)[0]


def _shown_again(mind: Mind, number: int, scope: Scope) -> Again:
    """A call sent again is answered with the note of now."""

    def again(connection: Connection, _: Found) -> Found:
        return {"note": _view(mind, connection, note_withdrawal.shown(connection, number, scope), scope)}

    return again


async def add_note(mind: Mind, call: ClientCall, draft: Draft) -> Found:
    """Write a note; its id."""
    notebook = mind.workers.notebook
    draft = await notebook.detailed(draft)
    scope = await mind.scoping.in_front_of(call.conversation)
    made: list[Note] = []

    def run(connection: Connection) -> Found:
        number = notebook.add(connection, draft, scope)
        made[:] = [note_rows.get(connection, number)]
        return {"id": public_id("n", number)}

    def after(_: Found) -> None:
        mind.workers.note_changed(made[0])
        mind.world.emit("note_created", mind=mind.name, count=1, origin="client")

    return await mind.keep(call, "note.add", run, after)


async def get_note(mind: Mind, note_id: str, conversation: str | None) -> Found:
    """A note, and why it matters where that gives nothing away that is masked."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(conversation)

    def read(connection: Connection) -> Found:
        note = note_withdrawal.shown(connection, number, scope)
        shown = tombstones.told(connection, [number], [_view(mind, connection, note, scope)], scope)[0]
        if shown["state"] not in ("clear", "rewritten"):
            return {"note": shown}
        return {"note": shown, "why_important": [each.value for each in weigh(note.text, note.created_at).reasons]}

    return await mind.memory.database.read(read)


async def list_notes(mind: Mind, scope: Scope, asked: Asked, *, is_whole: bool) -> Found:
    """A page of notes by number; `is_whole`: also how many of which kind went for good, and what was asked in vain."""

    def read(connection: Connection) -> Found:
        rows = note_rows.list_page(connection, asked, scope)
        shown = list_pages.shown(rows, asked.limit, note_rows.text_size)
        items = wire_views.note_readings(connection, shown, mind.view_time(), scope)
        if asked.forgotten:
            items = tombstones.told(connection, [note.id for note in shown], items, scope)
        more = len(rows) > len(shown)
        page = {"items": items, "next_cursor": items[-1]["id"] if more else None}
        if not is_whole:
            return page
        return page | {
            "purged": tombstones.gone(connection),
            "unmet": unmet_requests.still_open(connection, mind.asked_since()),
        }

    return await mind.memory.database.read(read)


async def update_note(
    mind: Mind, call: ClientCall, note_id: str, changes: dict[str, Any], version: int | None
) -> Found:
    """Change a note; refused when it is not of this version any more."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(call.conversation)
    # Before any work: how long a refusal takes must not tell whether there is such a note.
    await mind.memory.database.read(note_withdrawal.shown, number, scope)
    if "at" in changes:
        await mind.memory.database.read(_refuse_plan, number)
    notebook = mind.workers.notebook
    found = await notebook.elements_of_change(number, changes)
    change = partial(notebook.update, note=number, changes=changes, version=version, found=found)
    return await _change(mind, call, "note.update", number, scope, change)


def _refuse_plan(connection: Connection, number: int) -> None:
    """The time of a plan is its own: a note of it alone would be found at another than it is kept at."""
    if plan_rows.is_plan(connection, number):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, Sentence(public_id("n", number), " is a plan: its times are not the note's"),
            hint="plan.update gives it other words and times",
        )  # fmt: skip


async def pin_note(mind: Mind, call: ClientCall, note_id: str, *, pinned: bool) -> Found:
    """Keep a note for ever, or let it fade again."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(call.conversation)
    change = partial(mind.workers.notebook.pin, note=number, pinned=pinned)
    return await _change(mind, call, "note.pin" if pinned else "note.unpin", number, scope, change)


async def _change(
    mind: Mind, call: ClientCall, method: str, number: int, scope: Scope, change: Callable[[Connection], Note]
) -> Found:
    changed: list[Note] = []

    def run(connection: Connection) -> Found:
        note_withdrawal.shown(connection, number, scope)
        changed[:] = [change(connection)]
        return {"note": _view(mind, connection, changed[0], scope)}

    def after(_: Found) -> None:
        mind.workers.note_changed(changed[0])
        mind.world.emit("note_updated", mind=mind.name, count=1, change=method.partition(".")[2])

    return await mind.keep(call, method, run, after, _shown_again(mind, number, scope))


async def forget_note(mind: Mind, call: ClientCall, note_id: str) -> Found:
    """Hide a note with its links; `restore_note` brings both back."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(call.conversation)
    gone: list[tuple[Note, int]] = []

    def run(connection: Connection) -> Found:
        note_withdrawal.shown(connection, number, scope)
        linked = len(link_rows.of_notes(connection, [number]))
        if mind.workers.notebook.forget(connection, number):
            gone[:] = [(note_rows.get(connection, number), linked)]
        return {"id": note_id, "forgotten": True}

    def after(_: Found) -> None:
        for note, linked in gone:
            mind.workers.note_changed(note)
            mind.world.emit("note_forgotten", mind=mind.name, count=1, reason="client")
            if linked:
                mind.world.emit("link_forgotten", mind=mind.name, count=linked, reason="note_forgotten")

    def again(connection: Connection, first: Found) -> Found:
        note_withdrawal.shown(connection, number, scope)
        return first

    return await mind.keep(call, "note.forget", run, after, again)


async def purge_note(mind: Mind, note_id: str, conversation: str | None, key: str | None) -> Found:
    """Remove a note for good."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(conversation)
    if scope.audience is not None:
        await mind.memory.database.read(note_rows.get, number, scope)
    return await mind.purge(number, key=key)


async def restore_note(mind: Mind, call: ClientCall, note_id: str, version: int | None) -> Found:
    """Bring a note back with its links, or let it be again what it was in an earlier version."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(call.conversation)
    notebook, found = mind.workers.notebook, None
    if version is not None:
        await mind.memory.database.read(note_rows.get, number, scope)
        await mind.memory.database.read(_refuse_plan, number)
        found = await notebook.elements_of_version(number, version)
    back: list[tuple[Note, int]] = []
    changed: list[Note] = []
    left: list[Note] = []  # what it came out of: it rests on less, and was heard in fewer places

    def seen(connection: Connection, links: Sequence[Link]) -> list[Link]:
        ends = scope.may_surface(connection, {end for link in links for end in (link.src, link.dst)})
        return [link for link in links if {link.src, link.dst} <= ends]

    def view(connection: Connection, note: Note, links: Sequence[Link]) -> Found:
        return {"note": _view(mind, connection, note, scope), "links": [mind.view_link(link) for link in links]}

    def run(connection: Connection) -> Found:
        note_withdrawal.shown(connection, number, scope)
        into = note_merging.merged_into(connection, [number]).get(number)
        restored, tied = notebook.restore(connection, number)
        left[:] = [note_rows.get(connection, into)] if into is not None else []
        if version is not None and found is not None:
            changed[:] = [notebook.put_back(connection, number, version, found)]
        note = note_rows.get(connection, number)
        if restored:
            back[:] = [(note, len(tied))]
        links = [link_rows.get(connection, link.id) for link in seen(connection, tied)]
        return view(connection, note, links) | {"restored": restored or bool(changed)}

    def after(_: Found) -> None:
        for note in changed:
            mind.workers.note_changed(note)
            mind.world.emit("note_updated", mind=mind.name, count=1, change="restore")
        for note in left:
            mind.workers.note_changed(note)
        for note, tied in back:
            mind.workers.note_changed(note)
            mind.world.emit("note_restored", mind=mind.name, count=1)
            if tied:
                mind.world.emit("link_restored", mind=mind.name, count=tied)

    def again(connection: Connection, first: Found) -> Found:
        note = note_withdrawal.shown(connection, number, scope)
        links = link_rows.get_many(connection, [private_id("l", each["id"]) for each in first["links"]])
        return first | view(connection, note, seen(connection, links))

    return await mind.keep(call, "note.restore", run, after, again)


async def reconstruct_note(
    mind: Mind, call: ClientCall, note_id: str, version: int, fills: Sequence[tuple[int, str | None]], shown: int | None
) -> Found:
    """Let a client fill what faded of a note."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(call.conversation)
    changed: list[Note] = []

    def read(connection: Connection, note: Note) -> Found:
        return {"note": wire_views.note_readings(connection, [note], mind.view_time(), scope)[0]}

    def run(connection: Connection) -> Found:
        note = note_withdrawal.shown(connection, number, scope)
        changed[:] = [mind.workers.reconstructing.rewrite(connection, note, version, fills, shown)]
        return read(connection, changed[0])

    def after(_: Found) -> None:
        mind.workers.reconstructing.told(changed)

    def again(connection: Connection, _: Found) -> Found:
        return read(connection, note_withdrawal.shown(connection, number, scope))

    return await mind.keep(call, "note.reconstruct", run, after, again)


async def note_history(mind: Mind, note_id: str, conversation: str | None) -> Found:
    """What a note was, and what was done with it."""
    scope = await mind.scoping.in_front_of(conversation)
    versions, acts = await mind.memory.database.read(note_writes.history, private_id("n", note_id), scope)
    return {"id": note_id, "versions": wire_views.with_times(versions), "history": wire_views.with_times(acts)}


async def forecast_note(mind: Mind, note_id: str, days: int | None, conversation: str | None) -> Found:
    """A note's coming days, if nobody talks till then."""
    number = private_id("n", note_id)
    scope = await mind.scoping.in_front_of(conversation)
    now, deletes = mind.world.clock.trusted_now_ms(), mind.life.settings().forgetting.deletes
    return await mind.memory.database.read(
        forecast, number, days, Present(now, mind.view_time(), deletes=deletes), scope
    )


async def list_reflections(mind: Mind, scope: Scope, *, after: int, limit: int) -> Found:
    """What the mind concluded, a page."""
    now_exp = mind.view_time().now_exp
    read = partial(reflection_rows.page, after=after, limit=limit, now_exp=now_exp, scope=scope)
    return await mind.memory.database.read(read)
