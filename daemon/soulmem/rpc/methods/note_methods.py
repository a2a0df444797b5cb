"""Notes by hand: the methods that write, read, change, forget, restore and reconstruct them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from soulmem.core.importance.importance_rating import weigh
from soulmem.core.schema.note_requests import Anchor, NoteKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import Mind
from soulmem.rpc.methods.method_service import Service, read_cursor
from soulmem.rpc.methods.talk_methods import event_time
from soulmem.rpc.methods.wire_shapes import (
    Identifier,
    InConversation,
    InFrontOf,
    IsoTime,
    Label,
    LinkShape,
    MessageId,
    MindParams,
    NoteId,
    NoteShape,
    PageParams,
    Params,
    RequestKey,
    Result,
    Share,
    Text,
    Valence,
    parsed_time,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.graph import link_rows
from soulmem.store.notes import note_rows, note_writes
from soulmem.store.revision import note_withdrawal, tombstones
from soulmem.store.sqlite import list_pages
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import wire_views
from soulmem.working.notebook.note_service import Draft, Found, Quoted, named_elements

_KINDS = Literal["episodic", "abstract", "semantic", "procedural", "trigger", "reflection", "plan", "lore"]


class SourceParam(Params):
    conversation: InConversation = "main"
    id: MessageId
    quote: Text | None = Field(default=None, description="words of the message that say so")


class ElementParam(Params):
    """A detail that may fade by itself, by its words."""

    quote: Text = Field(description="words of the note's text")
    occurrence: int = Field(default=1, ge=1, le=1000, description="which, where they stand there more than once")
    level: Literal[0, 1, 2] = Field(description="0 the whole text, 1 a clause, 2 a detail")
    gist: Label = Field(default="", description="vaguer words that hold none of the quote; else words of its kind")
    anchor: Literal["none", "spontaneous", "forced"] = Field(
        default="none", description="spontaneous struck at once and stays for months, forced was learnt on purpose"
    )


class AddNote(MindParams):
    kind: _KINDS = Field(
        description="what sort: episodic happened, semantic is so, lore is the world's, trigger brings others to mind"
    )
    text: Text = Field(description="what is remembered; 1 B to 256 KiB of UTF-8")
    at: IsoTime | None = Field(
        default=None, description="when it happened, ISO 8601, at most a day ahead; without it now"
    )
    importance: Share | None = Field(
        default=None,
        description="0 a trifle, from 0.75 vital; without it 0.5, or more where the words show it to be vital",
    )
    valence: Valence = Field(default=0.0, description="how it feels, from -1, bad, to 1, good")
    tags: list[Label] = Field(default_factory=list, max_length=64, description="words of yours to find it by")
    pinned: bool = Field(default=False, description="it stands in every context and never fades")
    sources: list[SourceParam] = Field(default_factory=list, max_length=256, description="the messages it rests on")
    attributes: dict[str, Any] = Field(default_factory=dict, description="whatever else belongs to it, kept as it is")
    elements: list[ElementParam] | None = Field(
        default=None, max_length=64, description="its details; without them those of an episodic note are found"
    )
    key: RequestKey = None
    conversation: Identifier | None = Field(
        default=None, description="where it was heard: it surfaces where this conversation's memories may; else common"
    )


class IdResult(Result):
    id: str
    duplicate: bool | None = None


async def add_note(service: Service, params: AddNote, _peer: Peer) -> dict[str, Any]:
    kind = NoteKind(params.kind)
    given = [
        Quoted(each.quote, each.level, each.occurrence, each.gist, Anchor(each.anchor))
        for each in params.elements or ()
    ]
    draft = Draft(
        kind=kind,
        text=params.text,
        at=event_time(service, params.at),
        importance=params.importance,
        valence=params.valence,
        tags=tuple(params.tags),
        pinned=params.pinned,
        attributes=params.attributes,
        sources=tuple((source.conversation, source.id, source.quote) for source in params.sources),
        conversation=params.conversation,
        elements=named_elements(params.text, kind, given) if params.elements is not None else None,
    )
    async with service.minds.use(params.mind, create=True) as mind:
        draft = await mind.notebook.detailed(draft)
        made: list[note_rows.Note] = []
        scope = await mind.in_front_of(params.conversation)

        def run(connection: Connection) -> dict[str, Any]:
            number = mind.notebook.add(connection, draft, scope)
            made[:] = [note_rows.get(connection, number)]
            return {"id": public_id("n", number)}

        def after(_: dict[str, Any]) -> None:
            mind.note_changed(made[0])
            service.world.emit("note_created", mind=mind.name, count=1, origin="client")

        return await mind.keep("note.add", run, key=params.key, request=same_request(params), after=after)


class NoteParams(MindParams):
    id: NoteId
    conversation: InFrontOf = None


class SourceOf(Result):
    conversation: str
    id: str


class KeyedNoteParams(NoteParams):
    key: RequestKey = None


class NoteResult(Result):
    note: NoteShape


class FoundNote(NoteResult):
    why_important: list[str] | None = Field(
        default=None, description="of a note that shows whole: what its words show of why it matters, or why not"
    )


async def get_note(service: Service, params: NoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.id)
        scope = await mind.in_front_of(params.conversation)

        def read(connection: Connection) -> dict[str, Any]:
            note = note_withdrawal.shown(connection, number, scope)
            views_of = wire_views.note_views(connection, [note], mind.view_time(), scope)
            shown = tombstones.told(connection, [number], views_of)[0]
            if shown["state"] != "clear":  # why it matters would give away what is masked
                return {"note": shown}
            why = [reason.value for reason in weigh(note.text, note.created_at).reasons]
            return {"note": shown, "why_important": why}

        return await mind.memory.database.read(read)


class ListNotes(PageParams):
    kind: _KINDS | None = Field(default=None, description="only notes of this kind")
    state: Literal["active", "forgotten"] = Field(
        default="active", description="the notes there are, or those that are forgotten and can be restored"
    )
    as_of: IsoTime | None = Field(default=None, description="only notes of what held then (valid time); ISO 8601")
    conversation: InFrontOf = None


class PurgedShape(Result):
    """How much of a kind went for good, and when; nothing of what it said is left."""

    item: Literal["message", "note", "link"]
    kind: str = Field(description="the role of a message, the kind of a note or of a link")
    reason: str = Field(description="client: asked for, source: what it rested on was deleted, forgotten: in time")
    count: int
    first_at: str
    last_at: str


class NotePage(Result):
    items: list[NoteShape]
    next_cursor: str | None
    purged: list[PurgedShape] | None = Field(
        default=None, description="of forgotten notes, on the first page: what of the mind went for good"
    )


async def list_notes(service: Service, params: ListNotes, _peer: Peer) -> dict[str, Any]:
    after = read_cursor(params.cursor)
    as_of = parsed_time(params.as_of) if params.as_of is not None else None
    async with service.minds.use(params.mind) as mind:
        scope = await mind.in_front_of(params.conversation)

        wants_purged = params.state == "forgotten" and params.cursor is None and params.conversation is None

        def read(connection: Connection) -> tuple[list[dict[str, Any]], bool, list[dict[str, Any]] | None]:
            rows = note_rows.list_page(
                connection,
                forgotten=params.state == "forgotten",
                kind=params.kind,
                after=after,
                limit=params.limit + 1,
                scope=scope,
                as_of=as_of,
            )
            shown = list_pages.shown(rows, params.limit, note_rows.text_size)
            seen = wire_views.note_readings(connection, shown, mind.view_time(), scope)
            if params.state == "forgotten":
                seen = tombstones.told(connection, [note.id for note in shown], seen)
            return seen, len(rows) > len(shown), tombstones.gone(connection) if wants_purged else None

        items, more, gone = await mind.memory.database.read(read)
    page = {"items": items, "next_cursor": items[-1]["id"][1:] if more else None}
    return page | {"purged": gone} if gone is not None else page


class UpdateNote(NoteParams):
    text: Text | None = Field(default=None, description="its new wording; 1 B to 256 KiB of UTF-8")
    at: IsoTime | None = Field(default=None, description="when it happened, ISO 8601, at most a day ahead")
    importance: Share | None = Field(default=None, description="0 a trifle, from 0.75 vital")
    valence: Valence | None = Field(default=None, description="how it feels, from -1, bad, to 1, good")
    tags: list[Label] | None = Field(
        default=None, max_length=64, description="its tags from now on, instead of those it has"
    )
    attributes: dict[str, Any] | None = Field(
        default=None, description="its attributes from now on, instead of those it has"
    )
    version: int | None = Field(
        default=None,
        description="the version you have seen: if it changed since, nothing is changed (version_conflict)",
    )
    key: RequestKey = None


async def update_note(service: Service, params: UpdateNote, _peer: Peer) -> dict[str, Any]:
    changes: dict[str, Any] = {
        name: value
        for name in ("text", "importance", "valence", "tags", "attributes")
        if (value := getattr(params, name)) is not None
    }
    if params.at is not None:
        changes["at"] = event_time(service, params.at)
    if not changes:
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            "nothing to change",
            hint="give any of text, at, importance, valence, tags, attributes",
        )

    found: list[Found | None] = []

    async def prepare(mind: Mind, number: int) -> None:
        found[:] = [await mind.notebook.elements_of_change(number, changes)]

    def change(mind: Mind, connection: Connection, number: int) -> note_rows.Note:
        return mind.notebook.update(connection, number, changes, params.version, found[0])

    return await _change(service, params, "note.update", change, prepare)


async def pin_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    return await _change(service, params, "note.pin", lambda mind, c, n: mind.notebook.pin(c, n, True))


async def unpin_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    return await _change(service, params, "note.unpin", lambda mind, c, n: mind.notebook.pin(c, n, False))


async def _change(
    service: Service, params: UpdateNote | KeyedNoteParams, method: str, change: Any, prepare: Any = None
) -> dict[str, Any]:
    """Change a note in one transaction and show what it is now; `prepare` is awaited before."""
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.id)
        scope = await mind.in_front_of(params.conversation)
        if prepare is not None:
            # Before any work: how long a refusal takes must not tell whether there is such a note.
            await mind.memory.database.read(note_withdrawal.shown, number, scope)
            await prepare(mind, number)
        changed: list[note_rows.Note] = []

        def run(connection: Connection) -> dict[str, Any]:
            note_withdrawal.shown(connection, number, scope)
            changed[:] = [change(mind, connection, number)]
            return {"note": wire_views.note_views(connection, changed, mind.view_time(), scope)[0]}

        def again(connection: Connection, _: dict[str, Any]) -> dict[str, Any]:
            now = note_withdrawal.shown(connection, number, scope)
            return {"note": wire_views.note_views(connection, [now], mind.view_time(), scope)[0]}

        def after(_: dict[str, Any]) -> None:
            mind.note_changed(changed[0])
            service.world.emit("note_updated", mind=mind.name, count=1, change=method.partition(".")[2])

        return await mind.keep(method, run, key=params.key, request=same_request(params), after=after, again=again)


class ForgetResult(Result):
    id: str
    forgotten: bool


async def forget_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.id)
        scope = await mind.in_front_of(params.conversation)
        gone: list[tuple[note_rows.Note, int]] = []

        def run(connection: Connection) -> dict[str, Any]:
            note_withdrawal.shown(connection, number, scope)
            linked = len(link_rows.of_notes(connection, [number]))
            if mind.notebook.forget(connection, number):
                gone[:] = [(note_rows.get(connection, number), linked)]
            return {"id": params.id, "forgotten": True}

        def after(_: dict[str, Any]) -> None:
            for note, linked in gone:
                mind.note_changed(note)
                service.world.emit("note_forgotten", mind=mind.name, count=1, reason="client")
                if linked:
                    service.world.emit("link_forgotten", mind=mind.name, count=linked, reason="note_forgotten")

        def again(connection: Connection, first: dict[str, Any]) -> dict[str, Any]:
            note_withdrawal.shown(connection, number, scope)
            return first

        return await mind.keep(
            "note.forget", run, key=params.key, request=same_request(params), after=after, again=again
        )


class PurgeResult(Result):
    id: str
    purged: bool
    sources: list[SourceOf] = Field(description="the messages it was made of, which still say it: message.delete")
    erased: bool = Field(description="whether its bytes are out of the file by now; else erasure_finished tells when")
    copies: list[str] = Field(description="copies of the file, made before it was brought up to date, that hold it")
    duplicate: bool | None = None


async def purge_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.id)
        scope = await mind.in_front_of(params.conversation)
        if scope.audience is not None:
            await mind.memory.database.read(note_rows.get, number, scope)
        return await mind.purge(number, key=params.key)


class RestoreNote(KeyedNoteParams):
    version: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000_000,
        description="an earlier version that it is to be again, as note.history lists them",
    )


class RestoreResult(Result):
    note: NoteShape
    links: list[LinkShape]
    restored: bool = Field(description="false: it stands, holds, and nothing had to be brought back")


async def restore_note(service: Service, params: RestoreNote, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.id)
        scope = await mind.in_front_of(params.conversation)
        version, found = params.version, None
        if version is not None:
            await mind.memory.database.read(note_rows.get, number, scope)
            found = await mind.notebook.elements_of_version(number, version)
        back: list[tuple[note_rows.Note, int]] = []
        changed: list[note_rows.Note] = []

        def run(connection: Connection) -> dict[str, Any]:
            note_withdrawal.shown(connection, number, scope)
            restored, tied = mind.notebook.restore(connection, number)
            if version is not None and found is not None:
                changed[:] = [mind.notebook.put_back(connection, number, version, found)]
            note = note_rows.get(connection, number)
            if restored:
                back[:] = [(note, len(tied))]
            seen = scope.may_surface(connection, {end for link in tied for end in (link.src, link.dst)})
            now = [link_rows.get(connection, link.id) for link in tied if {link.src, link.dst} <= seen]
            return {
                "note": wire_views.note_views(connection, [note], mind.view_time(), scope)[0],
                "links": [mind.view_link(link) for link in now],
                "restored": restored or bool(changed),
            }

        def after(_: dict[str, Any]) -> None:
            for note in changed:
                mind.note_changed(note)
                service.world.emit("note_updated", mind=mind.name, count=1, change="restore")
            for note, tied in back:
                mind.note_changed(note)
                service.world.emit("note_restored", mind=mind.name, count=1)
                if tied:
                    service.world.emit("link_restored", mind=mind.name, count=tied)

        def again(connection: Connection, first: dict[str, Any]) -> dict[str, Any]:
            note = note_withdrawal.shown(connection, number, scope)
            found = link_rows.get_many(connection, [private_id("l", each["id"]) for each in first["links"]])
            seen = scope.may_surface(connection, {end for link in found for end in (link.src, link.dst)})
            shown = [mind.view_link(link) for link in found if {link.src, link.dst} <= seen]
            return {
                **first,
                "note": wire_views.note_views(connection, [note], mind.view_time(), scope)[0],
                "links": shown,
            }

        return await mind.keep(
            "note.restore", run, key=params.key, request=same_request(params), after=after, again=again
        )


class FillParam(Params):
    segment: int = Field(ge=1, description="its number in context.get")
    text: Text | None = Field(description="what the character says stood there; null: it does not remember")


class ReconstructNote(KeyedNoteParams):
    version: int = Field(description="of the note whose segments were shown")
    fills: list[FillParam] = Field(min_length=1, max_length=200, description="what stands in its gaps from now on")
    shown: int | None = Field(
        default=None, description="as context.get gave it beside the segments, which are numbered as they were then"
    )


async def reconstruct_note(service: Service, params: ReconstructNote, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.id)
        scope = await mind.in_front_of(params.conversation)
        given = [(fill.segment, fill.text) for fill in params.fills]
        changed: list[note_rows.Note] = []

        def run(connection: Connection) -> dict[str, Any]:
            note = note_withdrawal.shown(connection, number, scope)
            changed[:] = [mind.reconstructing.rewrite(connection, note, params.version, given, params.shown)]
            return {"note": wire_views.note_readings(connection, changed, mind.view_time(), scope)[0]}

        def after(_: dict[str, Any]) -> None:
            mind.reconstructing.told(changed)

        def again(connection: Connection, _: dict[str, Any]) -> dict[str, Any]:
            note = note_withdrawal.shown(connection, number, scope)
            return {"note": wire_views.note_readings(connection, [note], mind.view_time(), scope)[0]}

        return await mind.keep(
            "note.reconstruct", run, key=params.key, request=same_request(params), after=after, again=again
        )


class HistoryResult(Result):
    id: str
    versions: list[dict[str, Any]] = Field(description="oldest first; of very long ones only the latest")
    history: list[dict[str, Any]]


async def note_history(service: Service, params: NoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        number = private_id("n", params.id)
        scope = await mind.in_front_of(params.conversation)
        versions, acts = await mind.memory.database.read(note_writes.history, number, scope)
    return {"id": params.id, "versions": wire_views.with_times(versions), "history": wire_views.with_times(acts)}


def same_request(params: Params) -> Any:
    """What makes two calls the same: everything but the key."""
    said = params.model_dump(exclude={"key"})
    if said.get("conversation") is None:  # a call that names none is the same as before there was one to name
        said.pop("conversation", None)
    if said.get("elements") is None:
        said.pop("elements", None)
    if isinstance(params, RestoreNote) and params.version is None:
        del said["version"]
    return said
