"""What is said to a mind: the methods that add, list, change and delete messages."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import Field

from soulmem.core.calendar import iso8601
from soulmem.core.schema.note_requests import Role
from soulmem.errors import ErrorName, SoulmemError
from soulmem.rpc.methods.method_service import Service, page
from soulmem.rpc.methods.wire_shapes import (
    TIME_WORDS,
    AskedTime,
    Identifier,
    InConversation,
    IsoTime,
    Label,
    MessageAttributes,
    MessageId,
    MindParams,
    Mood,
    PageParams,
    RequestKey,
    Text,
    asked_span,
    optional,
    parsed_time,
    preset,
    stored_attributes,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.messages import conversations, message_log
from soulmem.store.sqlite.row_hash import public_id
from soulmem.working.ingest.message_ingest import IncomingMessage

_FUTURE_MS = 86_400_000  # a message may be dated up to a day ahead: clocks and zones differ


class AddMessage(MindParams):
    conversation: InConversation = "main"
    role: Literal["user", "assistant", "system"] = Field(
        description="who speaks: user are the people, assistant the character itself"
    )
    content: Text = Field(description="what was said, as it was said; 1 B to 256 KiB of UTF-8")
    speaker: Label | None = optional("name of who speaks, as it is to be remembered; without it the role stands for it")
    at: IsoTime | None = optional("when it was said, ISO 8601, at most a day ahead; without it now")
    id: Identifier | None = optional("your id of it: sent again with the same id, it is heard once")
    mark: Literal["topic", "end"] | None = optional(
        "topic: with this message another topic begins; end: with it the conversation ends for now"
    )
    recall: bool = preset(False, "wait for what it brings to mind, and return it as context")
    mood: Mood = None
    attributes: MessageAttributes = None


def event_time(service: Service, text: str | None) -> int:
    """When something happened: given, or now. Raises SoulmemError: `invalid_time`."""
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
        attributes=stored_attributes(params.attributes),
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
    from_: AskedTime | None = optional(f"only what was said at or after this time, {TIME_WORDS}", alias="from")
    to: AskedTime | None = optional(f"only what was said before this time, {TIME_WORDS}: before their end")
    order: Literal["oldest", "latest"] = preset("oldest", "which comes first, by the numbers in the conversation")


async def list_messages(service: Service, params: ListMessages, _peer: Peer) -> dict[str, Any]:
    since, until = asked_span(params.from_, params.to, service.world.clock.now_ms())
    is_latest_first = params.order == "latest"
    async with service.minds.use(params.mind) as mind:

        def read(connection: Any, after: int, limit: int) -> list[message_log.Message]:
            home = conversations.conversation_named(connection, params.conversation)
            return message_log.list_page(
                connection, home.id, after=after, limit=limit, since=since, until=until, is_latest_first=is_latest_first
            )

        return await page(
            mind, params, read, view=lambda m: message_log.view(m, iso8601.to_iso), cursor=lambda m: str(m.seq),
            size_of=message_log.text_size,
        )  # fmt: skip


class ListConversations(PageParams):
    speakers: bool = preset(False, "also tell who spoke in each: it looks through what was said")


async def list_conversations(service: Service, params: ListConversations, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        found = await page(
            mind, params, conversations.list_page, cursor=lambda row: public_id("c", row[0]), letter="c",
            view=lambda row: {
                "id": public_id("c", row[0]), "name": row[1], "messages": row[2], "created_at": iso8601.to_iso(row[3]),
            },
        )  # fmt: skip
        if params.speakers:
            names = [each["name"] for each in found["items"]]
            spoke = await mind.memory.database.read(conversations.speakers, names)
            for each in found["items"]:
                each["speakers"] = spoke[each["name"]]
        return found


_KEEP_NOTES = Field(
    default=False,
    description="what was made of the former words stays, and these stay in the history; of what was summarised a "
    "correction is told",
)


class UpdateMessage(MindParams):
    conversation: InConversation = "main"
    id: MessageId
    content: Text | None = optional("what it says from now on; 1 B to 256 KiB of UTF-8; without it what it says now")
    attributes: MessageAttributes = Field(
        default=None, description="its attributes from now on, instead of those it has; {} takes them away"
    )
    keep_notes: bool = _KEEP_NOTES
    key: RequestKey = None


async def update_message(service: Service, params: UpdateMessage, _peer: Peer) -> dict[str, Any]:
    if params.content is None and params.attributes is None:
        raise SoulmemError(ErrorName.INVALID_PARAMS, "there is nothing to change", hint="give content or attributes")
    attributes = None if params.attributes is None else stored_attributes(params.attributes) or "{}"
    async with service.minds.use(params.mind) as mind:
        result = await mind.amend(
            params.conversation, params.id, params.content, key=params.key, keep_notes=params.keep_notes,
            attributes=attributes,
        )  # fmt: skip
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


async def delete_message(service: Service, params: DeleteMessage, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        result = await mind.amend(params.conversation, params.id, None, key=params.key, keep_notes=params.keep_notes)
    if not result.get("duplicate") and not result.get("again"):
        service.world.emit("message_deleted", mind=params.mind, count=1, reason="client")
    return result
