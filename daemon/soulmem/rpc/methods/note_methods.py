"""Notes by hand: the methods that write, read, change, forget, restore and reconstruct them."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pydantic import Field

from soulmem.core.schema.note_requests import Anchor, NoteKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds import note_calls
from soulmem.minds.mind_api import ClientCall
from soulmem.results import note_results as results
from soulmem.rpc.methods.message_methods import event_time
from soulmem.rpc.methods.method_service import Service, read_cursor
from soulmem.rpc.methods.wire_shapes import (
    MOST_ITEMS,
    TIME_WORDS,
    AskedTime,
    HeardIn,
    Identifier,
    InConversation,
    InFrontOf,
    IsoTime,
    ItemPageParams,
    Label,
    MessageId,
    MindParams,
    NoteId,
    Params,
    RequestKey,
    Share,
    Text,
    Valence,
    asked_as_of,
    optional,
    preset,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.notes.note_rows import Asked
from soulmem.working.notebook.note_drafts import Draft, Quoted, named_elements


class SourceParam(Params):
    conversation: InConversation = "main"
    id: MessageId
    quote: Text | None = optional("words of the message that say so")


class ElementParam(Params):
    """A detail that may fade by itself, by its words."""

    quote: Text = Field(description="words of the note's text")
    occurrence: int = preset(1, "which, where they stand there more than once", ge=1, le=1000)
    level: Literal[0, 1, 2] = Field(description="0 the whole text, 1 a clause, 2 a detail")
    gist: Label = preset("", "vaguer words that hold none of the quote; else words of its kind")
    anchor: results.AnchorKind = preset(
        "none", "spontaneous struck at once and stays for months, forced was learnt on purpose"
    )


class AddNote(MindParams):
    kind: results.NoteKind = Field(
        description="what sort: episodic happened, semantic is so, lore is the world's, trigger brings others to mind"
    )
    text: Text = Field(description="what is remembered; 1 B to 256 KiB of UTF-8")
    at: IsoTime | None = optional("when it happened, ISO 8601, at most a day ahead; without it now")
    importance: Share | None = optional(
        "0 a trifle, from 0.75 vital; without it 0.5, or more where the words show it to be vital"
    )
    valence: Valence = preset(0.0, "how it feels, from -1, bad, to 1, good")
    tags: list[Label] = Field(default_factory=list, max_length=64, description="words of yours to find it by")
    pinned: bool = preset(False, "it stands in every context and never fades")
    sources: list[SourceParam] = Field(default_factory=list, max_length=256, description="the messages it rests on")
    attributes: dict[str, Any] = Field(default_factory=dict, description="whatever else belongs to it, kept as it is")
    elements: list[ElementParam] | None = optional(
        "its details; without them those of an episodic note are found", max_length=64
    )
    key: RequestKey = None
    conversation: Identifier | None = optional(
        "where it was heard: it surfaces where this conversation's memories may; else common"
    )


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
        return await note_calls.add_note(mind, call_of(params), draft)


class NoteParams(MindParams):
    id: NoteId
    conversation: InFrontOf = None


class KeyedNoteParams(NoteParams):
    key: RequestKey = None


async def get_note(service: Service, params: NoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.get_note(mind, params.id, params.conversation)


class MessageRef(Params):
    conversation: InConversation = "main"
    id: MessageId


class ListNotes(ItemPageParams):
    kind: results.NoteKind | None = optional("only notes of this kind")
    state: Literal["active", "forgotten"] = preset(
        "active", "the notes there are, or those that are forgotten and can be restored"
    )
    as_of: AskedTime | None = optional(f"only notes of what held then (valid time); {TIME_WORDS}: at their end")
    order: Literal["oldest", "latest"] = preset("oldest", "which comes first, by when they were noted")
    conversation: InFrontOf = None
    heard_in: HeardIn = None
    made_of: list[MessageRef] | None = optional("only notes that rest on one of these messages", max_length=MOST_ITEMS)


async def list_notes(service: Service, params: ListNotes, _peer: Peer) -> dict[str, Any]:
    forgotten = params.state == "forgotten"
    is_all = params.conversation is None and params.heard_in is None and params.made_of is None
    asked = Asked(
        forgotten=forgotten,
        kind=params.kind,
        after=read_cursor(params.cursor, "n"),
        limit=params.limit,
        as_of=asked_as_of(params.as_of, service.world.clock.now_ms()),
        made_of=[(each.conversation, each.id) for each in params.made_of] if params.made_of is not None else None,
        is_latest_first=params.order == "latest",
    )
    async with service.minds.use(params.mind) as mind:
        scope = await mind.scoping.within(params.conversation, params.heard_in)
        return await note_calls.list_notes(mind, scope, asked, is_whole=forgotten and params.cursor is None and is_all)


class UpdateNote(NoteParams):
    text: Text | None = optional("its new wording; 1 B to 256 KiB of UTF-8")
    at: IsoTime | None = optional("when it happened, ISO 8601, at most a day ahead")
    importance: Share | None = optional("0 a trifle, from 0.75 vital")
    valence: Valence | None = optional("how it feels, from -1, bad, to 1, good")
    tags: list[Label] | None = optional("its tags from now on, instead of those it has", max_length=64)
    attributes: dict[str, Any] | None = optional("its attributes from now on, instead of those it has")
    version: int | None = optional(
        "the version you have seen: if it changed since, nothing is changed (version_conflict)"
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
    async with service.minds.use(params.mind) as mind:
        return await note_calls.update_note(mind, call_of(params), params.id, changes, params.version)


async def pin_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.pin_note(mind, call_of(params), params.id, pinned=True)


async def unpin_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.pin_note(mind, call_of(params), params.id, pinned=False)


async def forget_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.forget_note(mind, call_of(params), params.id)


async def purge_note(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.purge_note(mind, params.id, params.conversation, params.key)


class RestoreNote(KeyedNoteParams):
    version: int | None = optional(
        "an earlier version that it is to be again, as note.history lists them", ge=1, le=1_000_000_000
    )


async def restore_note(service: Service, params: RestoreNote, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.restore_note(mind, call_of(params), params.id, params.version)


class FillParam(Params):
    segment: int = Field(ge=1, description="its number in context.get")
    text: Text | None = Field(description="what the character says stood there; null: it does not remember")


class ReconstructNote(KeyedNoteParams):
    version: int = Field(description="of the note whose segments were shown")
    fills: list[FillParam] = Field(min_length=1, max_length=200, description="what stands in its gaps from now on")
    shown: int | None = optional("as context.get gave it beside the segments, which are numbered as they were then")


async def reconstruct_note(service: Service, params: ReconstructNote, _peer: Peer) -> dict[str, Any]:
    fills = [(fill.segment, fill.text) for fill in params.fills]
    async with service.minds.use(params.mind) as mind:
        return await note_calls.reconstruct_note(mind, call_of(params), params.id, params.version, fills, params.shown)


async def note_history(service: Service, params: NoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.note_history(mind, params.id, params.conversation)


class KeyedParams(Protocol):
    """The parameters of a write."""

    @property
    def conversation(self) -> str | None: ...
    @property
    def key(self) -> str | None: ...
    def model_dump(self, *, exclude: set[str]) -> dict[str, Any]: ...


def call_of(params: KeyedParams) -> ClientCall:
    """What makes two calls the same is everything but the key; what is left out is as before there was such a thing."""
    said = params.model_dump(exclude={"key"})
    for name in ("conversation", "elements"):
        if name in said and said[name] is None:
            del said[name]
    if isinstance(params, RestoreNote) and params.version is None:
        del said["version"]
    return ClientCall(params.conversation, params.key, said)
