"""Talking with a mind: the methods of messages, recall, context and feedback.

Called through the table in `method_table`; each function checks nothing that its parameters have not already been
checked for, and asks the mind.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import Field

from soulmem.core.calendar import iso8601
from soulmem.core.reranking import filter_expressions
from soulmem.core.reranking.stream_ranking import Emphasis, StreamWish
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.core.schema.note_requests import NoteKind, Role
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import Mind
from soulmem.rpc.methods.method_service import Service, page
from soulmem.rpc.methods.wire_shapes import (
    ContextShape,
    Excluded,
    Identifier,
    InConversation,
    InFrontOf,
    IsoTime,
    ItemShape,
    Label,
    MessageId,
    MessageShape,
    MindParams,
    Mood,
    PageParams,
    RequestKey,
    Result,
    Share,
    Text,
    WindowShape,
    parsed_time,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.messages import message_log
from soulmem.store.sqlite import list_pages
from soulmem.working.ingest.message_ingest import IncomingMessage
from soulmem.working.recall.basic_recall import RecallRequest
from soulmem.working.respond.prompt_context import DEFAULT_TOKENS

_FUTURE_MS = 86_400_000  # a message may be dated up to a day ahead: clocks and zones differ


class AddMessage(MindParams):
    conversation: InConversation = "main"
    role: Literal["user", "assistant", "system"] = Field(
        description="who speaks: user are the people, assistant the character itself"
    )
    content: Text = Field(description="what was said, as it was said; 1 B to 256 KiB of UTF-8")
    speaker: Label | None = Field(
        default=None, description="name of who speaks, as it is to be remembered; without it the role stands for it"
    )
    at: IsoTime | None = Field(
        default=None, description="when it was said, ISO 8601, at most a day ahead; without it now"
    )
    id: Identifier | None = Field(
        default=None, description="your id of it: sent again with the same id, it is heard once"
    )
    mark: Literal["topic", "end"] | None = Field(
        default=None,
        description="topic: with this message another topic begins; end: with it the conversation ends for now",
    )
    recall: bool = Field(default=False, description="wait for what it brings to mind, and return it as context")
    mood: Mood = None


class AddMessageResult(Result):
    id: str
    seq: int
    duplicate: bool
    state: Literal["idle", "working"]
    window: WindowShape
    jobs: list[str]
    recall_id: str | None = None
    context: ContextShape | None = None
    deleted: bool | None = Field(
        default=None, description="the message of this id was deleted, and is not heard again; a new one needs a new id"
    )


def event_time(service: Service, text: str | None) -> int:
    """When something happened: given, or now.

    Raises:
        SoulmemError: `invalid_time`.
    """
    now = service.world.clock.now_ms()
    if text is None:
        return now
    at = parsed_time(text)
    if at > now + _FUTURE_MS:
        raise SoulmemError(
            ErrorName.INVALID_TIME,
            f"{text[:40]!r} lies more than a day in the future",
            hint=f"the daemon's clock says {iso8601.to_iso(now)}; `at` is when it happened",
        )
    return at


async def add_message(service: Service, params: AddMessage, _peer: Peer) -> dict[str, Any]:
    role = Role(params.role)
    incoming = IncomingMessage(
        conversation=params.conversation,
        role=role,
        content=params.content,
        speaker=params.speaker or params.role,
        at=event_time(service, params.at),
        id=params.id,
        mark=params.mark,
        mood=json.dumps(params.mood, ensure_ascii=False) if params.mood else None,
    )
    started = service.world.clock.monotonic_ms()
    async with service.minds.use(params.mind, create=True) as mind:
        result = await mind.hear(incoming, wait_for_recall=params.recall)
    took = service.world.clock.monotonic_ms() - started
    if not result["duplicate"]:
        service.meter.message(params.mind, took)
        service.world.emit(
            "message_recorded",
            mind=params.mind,
            conversation=params.conversation,
            message_seq=result["seq"],
            role=params.role,
            ms=round(took, 3),
        )
    return result


class ListMessages(PageParams):
    conversation: InConversation = "main"


class MessagePage(Result):
    items: list[MessageShape]
    next_cursor: str | None


async def list_messages(service: Service, params: ListMessages, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:

        def read(connection: Any, after: int, limit: int) -> list[message_log.Message]:
            home = message_log.conversation_named(connection, params.conversation)
            return message_log.list_page(connection, home.id, after=after, limit=limit)

        return await page(
            mind, params, read, view=lambda m: message_log.view(m, iso8601.to_iso), cursor=lambda m: m.seq,
            size_of=message_log.text_size,
        )  # fmt: skip


_KEEP_NOTES = Field(
    default=False,
    description="what was made of the former words stays, and these stay in the history; of what was summarised a "
    "correction is told",
)


class UpdateMessage(MindParams):
    conversation: InConversation = "main"
    id: MessageId
    content: Text = Field(description="what it says from now on; 1 B to 256 KiB of UTF-8")
    keep_notes: bool = _KEEP_NOTES
    key: RequestKey = None


class AmendedResult(Result):
    message: MessageShape
    corrected: bool = Field(description="with keep_notes: whether a correction was told, because it was summarised")
    jobs: list[str]
    withdrawn: list[str] = Field(description="notes that nobody finds any more until they are made anew, if they are")
    purged: list[str] = Field(description="notes that are gone for good")
    rederiving: int = Field(description="messages whose notes are made anew when the mind is idle; searched till then")
    summaries: int = Field(description="summaries that are rolled again without the former words")
    duplicate: bool | None = None
    again: bool | None = Field(default=None, description="it was so already; nothing was changed")


async def update_message(service: Service, params: UpdateMessage, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        result = await mind.amend(
            params.conversation, params.id, params.content, key=params.key, keep_notes=params.keep_notes
        )
    if not result.get("duplicate") and not result.get("again"):
        service.world.emit(
            "message_changed", mind=params.mind, conversation=params.conversation, message_seq=result["message"]["seq"]
        )
    return result


class DeleteMessage(MindParams):
    conversation: InConversation = "main"
    id: MessageId
    keep_notes: bool = _KEEP_NOTES
    key: RequestKey = None


class Repeat(Result):
    kind: Literal["message", "note"]
    id: str
    conversation: str | None = None


class DeletedMessage(AmendedResult):
    repeats: list[Repeat] | None = Field(
        default=None, description="what else says the same and was not deleted: other messages, and notes of those"
    )
    erased: bool | None = Field(
        default=None, description="whether its bytes are out of the file by now; else erasure_finished tells when"
    )
    copies: list[str] | None = Field(
        default=None, description="copies of the file, made before it was brought up to date, that still hold it"
    )


async def delete_message(service: Service, params: DeleteMessage, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        result = await mind.amend(params.conversation, params.id, None, key=params.key, keep_notes=params.keep_notes)
    if not result.get("duplicate") and not result.get("again"):
        service.world.emit("message_deleted", mind=params.mind, count=1, reason="client")
    return result


class Recall(MindParams):
    query: Text = Field(description="what is asked, or what the talk is about; 1 B to 256 KiB of UTF-8")
    k: int = Field(default=10, ge=1, le=500, description="at most so many items")
    depth: Literal["skim", "normal", "deep"] = Field(
        default="normal",
        description="how hard to think: skim follows few links, deep asks a language model, if there is one",
    )
    conversation: InFrontOf = None
    kinds: list[str] | None = Field(
        default=None, description="only these: message, summary, note, or kinds of notes like episodic"
    )
    speaker: Label | None = Field(default=None, description="only what this speaker said")
    from_: IsoTime | None = Field(
        default=None, alias="from", description="only what happened at or after this time, ISO 8601"
    )
    to: IsoTime | None = Field(default=None, description="only what happened before this time, ISO 8601")
    tags: list[Label] | None = Field(default=None, max_length=64, description="only notes with all of these tags")
    exclude: Excluded = None
    as_of: IsoTime | None = Field(
        default=None,
        description="what held then is wanted, not what holds now (valid time); ISO 8601, not in the future",
    )
    ranking: Literal["association", "stream"] = Field(
        default="association", description="stream ranks notes by how recent, important and relevant they are"
    )
    filter: str | None = Field(
        default=None, description=f"what passes in the memory stream, at most {filter_expressions.LONGEST} characters"
    )
    weights: Literal["even", "relevance"] | None = Field(
        default=None, description="what counts most in the memory stream: nothing, or relevance"
    )
    record: bool = Field(
        default=True, description="whether it counts as remembering, which strengthens what came; false leaves no trace"
    )
    explain: bool = Field(
        default=False, description="say of each item why it came: scores, and the links that led to it"
    )
    mood: Mood = None
    min_score: Share | None = Field(
        default=None,
        description="items that score less are not returned, 0 returns all; without it as the mind is set "
        "(recall.min_score), where a statement needs a third",
    )


class RecallResult(Result):
    recall_id: str | None
    items: list[ItemShape]
    analysis: dict[str, Any] | None = None
    deliberation: dict[str, Any] | None = None
    suppressed: list[dict[str, Any]] | None = None
    reason: str | None = Field(
        default=None, description="why there is no item: nothing_known, or what was wrong with the question"
    )
    warnings: list[str] | None = None
    elapsed_ms: float


async def recall(service: Service, params: Recall, _peer: Peer) -> dict[str, Any]:
    started = service.world.clock.monotonic_ms()
    stream = _stream(params)
    async with service.minds.use(params.mind) as mind:
        wanted = RecallRequest(
            params.query,
            k=params.k,
            depth=params.depth,
            conversation=params.conversation,
            kinds=_kinds(params.kinds),
            speaker=params.speaker,
            from_ms=parsed_time(params.from_) if params.from_ is not None else None,
            to_ms=parsed_time(params.to) if params.to is not None else None,
            tags=frozenset(params.tags or ()),
            mood=json.dumps(params.mood, ensure_ascii=False) if params.mood else "",
            stream=stream,
            as_of=parsed_time(params.as_of) if params.as_of is not None else None,
            min_score=params.min_score,
        )
        result = await mind.recall(wanted, params.exclude or (), record=params.record, explained=params.explain)
    if wanted.from_ms is not None and wanted.to_ms is not None and wanted.from_ms >= wanted.to_ms:
        result["reason"] = "no time lies between from and to: to must be later"
    took = service.world.clock.monotonic_ms() - started
    result["elapsed_ms"] = round(took, 3)
    _fit(result)
    _count_recall(service, mind, params, len(result["items"]), took)
    return result


def _fit(result: dict[str, Any]) -> None:
    """Of items whose texts are more than one answer holds, the first ones."""
    items = result["items"]
    kept = list_pages.shown(items, len(items), lambda item: len(item["text"].encode()) // 3)
    if len(kept) < len(items):
        left_out = f"items: {len(items) - len(kept)} of {len(items)} left out, their texts are too long for one answer"
        result["items"] = kept
        result["warnings"] = [*(result.get("warnings") or ()), left_out]


def _count_recall(service: Service, mind: Mind, params: Recall, hits: int, took: float) -> None:
    if params.record:
        service.meter.recall(params.mind, took)
    service.world.emit(
        "recall_served",
        mind=mind.name,
        conversation=params.conversation or "",
        recall="recorded" if params.record else "",
        hits=hits,
        depth=params.depth,
        ms=round(took, 3),
    )


class GiveFeedback(MindParams):
    recall_id: Identifier = Field(description="id of the recall, like r17")
    verdict: Literal["good", "bad"] = Field(description="whether what it brought was of use")
    strength: Share = Field(default=1.0, description="how strongly it is meant")
    used: list[Identifier] | None = Field(
        default=None,
        max_length=100,
        description="ids of the items that were of use, like n17; without it the first three notes, at half the weight",
    )
    conversation: InFrontOf = None


class FeedbackResult(Result):
    recall_id: str
    applied: int
    enhanced: int
    penalised: int
    duplicate: bool
    warnings: list[str] | None = None


async def give_feedback(service: Service, params: GiveFeedback, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        scope = await mind.in_front_of(params.conversation)
        outcome = await mind.feedback.apply(
            params.recall_id, Reaction(params.verdict), params.strength, params.used, scope=scope
        )
    return outcome.view()


_ITEM_KINDS = ("message", "summary", "note", *(kind.value for kind in NoteKind if kind is not NoteKind.TRIGGER))


def _kinds(kinds: list[str] | None) -> frozenset[str] | None:
    if kinds is None:
        return None
    for kind in kinds:
        if kind not in _ITEM_KINDS:
            raise SoulmemError(
                ErrorName.INVALID_PARAMS,
                f"kinds: there is no kind {kind[:40]!r}",
                hint=f"known: {', '.join(_ITEM_KINDS)}",
            )
    return frozenset(kinds)


def _stream(params: Recall) -> StreamWish | None:
    """How the memory stream is wanted, if it is; checked before anything is searched.

    Raises:
        SoulmemError: `invalid_params`.
    """
    if params.ranking == "association":
        for name in ("filter", "weights"):
            if getattr(params, name) is not None:
                raise SoulmemError(
                    ErrorName.INVALID_PARAMS,
                    f"{name}: belongs to the memory stream",
                    hint='ask with ranking "stream", or leave it out',
                )
        return None
    if params.kinds is not None and not set(params.kinds).difference(("message", "summary")):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            "kinds: the memory stream holds notes, neither messages nor summaries",
            hint='leave kinds out, or ask with ranking "association"',
        )
    try:
        chosen = filter_expressions.parse(params.filter) if params.filter is not None else None
    except filter_expressions.InvalidFilterError as error:
        raise SoulmemError(ErrorName.INVALID_PARAMS, f"filter: {error}", hint=error.hint) from error
    return StreamWish(chosen, Emphasis(params.weights or Emphasis.EVEN))


class GetContext(MindParams):
    conversation: Identifier | None = Field(
        default=None,
        description="whose summary and window are told, and in front of whom; without it the latest, for the owner",
    )
    query: Text | None = Field(default=None, description="what the talk is about: what it brings to mind is told too")
    max_tokens: int = Field(
        default=DEFAULT_TOKENS,
        ge=50,
        le=1_000_000,
        description="how long the text may be, in tokens as they are counted here",
    )
    exclude: Excluded = None
    mood: Mood = None
    min_score: Share | None = Field(
        default=None, description="what is recalled for the query scores so much; without it as the mind is set"
    )


async def get_context(service: Service, params: GetContext, _peer: Peer) -> dict[str, Any]:
    started = service.world.clock.monotonic_ms()
    async with service.minds.use(params.mind) as mind:
        result = await mind.context(
            params.conversation,
            query=params.query,
            max_tokens=params.max_tokens,
            exclude=params.exclude or (),
            mood=json.dumps(params.mood, ensure_ascii=False) if params.mood else "",
            min_score=params.min_score,
        )
    took = service.world.clock.monotonic_ms() - started
    if params.query:
        service.meter.recall(params.mind, took)
    service.world.emit(
        "context_served",
        mind=params.mind,
        conversation=params.conversation or "",
        tokens=sum(block["tokens"] for block in result["blocks"]),
        ms=round(took, 3),
    )
    return result
