"""A history that is heard at once: the method `message.import`.

Each message is checked by itself, so that one which cannot be taken is told by its place and its reason and harms no
other. How much one call may hold is bounded before any of it is read (`line_framing`, `read_params`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, WrapValidator

from soulmem.core.schema.note_requests import Role
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.rpc.methods.message_methods import event_time
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.wire_shapes import (
    MOST_ITEMS,
    Identifier,
    InConversation,
    IsoTime,
    Label,
    MessageAttributes,
    MindParams,
    Mood,
    Params,
    Text,
    holds_half_character,
    optional,
    preset,
    read_params,
    stored_attributes,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.working.ingest.message_import import Imported, Line
from soulmem.working.ingest.message_ingest import IncomingMessage

_ID_CHARS = 256
_OBJECT = "with role, content, at, and what else there is"


class ImportedMessage(Params):
    conversation: InConversation = "main"
    role: Literal["user", "assistant", "system"] = Field(
        description="who spoke: user are the people, assistant the character itself"
    )
    content: Text = Field(description="what was said, as it was said; 1 B to 256 KiB of UTF-8")
    speaker: Label | None = optional("name of who spoke; without it the role stands for it")
    at: IsoTime = Field(description="when it was said, ISO 8601, at most a day ahead")
    id: Identifier | None = optional(
        "your id of it: imported again with the same id, it is heard once; without one it is known by its "
        "conversation, role, speaker, time and words"
    )
    mark: Literal["topic", "end"] | None = optional(
        "topic: with this message another topic began; end: with it the conversation ended"
    )
    mood: Mood = None
    attributes: MessageAttributes = None


@dataclass(frozen=True, slots=True)
class Unread:
    """What stands in a history and cannot be taken; `id` is the client's, if it can be read."""

    id: str | None
    error: SoulmemError


def _each_alone(value: Any, _check: Callable[[Any], Any]) -> ImportedMessage | Unread:
    """A message, or why it is none: the others of its list are not harmed."""
    if not isinstance(value, dict):
        return Unread(None, SoulmemError(ErrorName.INVALID_PARAMS, "a message is an object", hint=_OBJECT))
    try:
        checked = read_params(ImportedMessage, value)
    except SoulmemError as error:
        name = value.get("id")
        return Unread(name if isinstance(name, str) and not holds_half_character(name) else None, error)
    assert isinstance(checked, ImportedMessage)
    return checked


class ImportMessages(MindParams):
    alone: ClassVar[frozenset[str]] = frozenset({"messages"})

    messages: list[Annotated[ImportedMessage, WrapValidator(_each_alone)]] = Field(
        min_length=1,
        max_length=MOST_ITEMS,
        description="what was said, in any order: it is heard in the order of its times. At most 1,000 in one call",
    )
    recall: bool = preset(False, "let each message of a user cause a recall, as message.add does")
    continues: bool = preset(
        False, "more of this history follows in another call: the silence since its last message ends nothing yet"
    )
    age: Literal["as_new", "as_then"] = preset(
        "as_new",
        "as_then: what is made of it fades as if the mind had heard it when it was said, so much of an old history has "
        "faded or is gone; as_new: as if it had been told today. What was digested before keeps its age",
    )


async def import_messages(service: Service, params: ImportMessages, _peer: Peer) -> dict[str, Any]:
    done, lines = Imported(), list[Line]()
    read: Sequence[ImportedMessage | Unread] = params.messages
    for index, each in enumerate(read):
        line = _read(service, index, each)
        if isinstance(line, Line):
            lines.append(line)
        else:
            done.refused.append(line)
    state = await _hear(service, params, lines, done) if lines else None
    return {
        "stored": done.stored,
        "duplicates": done.duplicates,
        "deleted": done.deleted,
        "refused": [
            {
                "index": index,
                "id": name[:_ID_CHARS] if name is not None else None,
                "error": error.name.value,
                "message": error.message,
                "hint": error.hint,
            }
            for index, name, error in done.refused
        ],
        "reordered": done.reordered,
        "late": done.late,
        "sessions": done.sessions,
        "state": state,
    }


async def _hear(service: Service, params: ImportMessages, lines: list[Line], done: Imported) -> str:
    async with service.minds.use(params.mind, create=True) as mind:
        return await mind.hear_history(
            lines, done, recall=params.recall, continues=params.continues, ages=params.age == "as_then",
            progress=partial(_tell, service, params.mind, len(params.messages)),
        )  # fmt: skip


def _read(service: Service, index: int, each: ImportedMessage | Unread) -> Line | tuple[int, str | None, SoulmemError]:
    if isinstance(each, Unread):
        return index, each.id, each.error
    try:
        at = event_time(service, each.at)
    except SoulmemError as error:
        return index, each.id, error
    mood = json.dumps(each.mood, ensure_ascii=False) if each.mood else None
    message = IncomingMessage(
        each.conversation,
        Role(each.role),
        each.content,
        each.speaker or each.role,
        at,
        each.id,
        each.mark,
        mood,
        stored_attributes(each.attributes),
    )
    return Line(index, message)


def _tell(service: Service, mind: str, total: int, part: Imported, done: Imported) -> None:
    """What one commit of an import did, for whoever watches."""
    if part.stored:
        service.meter.imported(mind, part.stored)
    service.world.emit(
        "messages_imported",
        mind=mind,
        stored=part.stored,
        duplicates=len(part.duplicates),
        refused=len(part.refused),
        done=done.seen,
        total=total,
    )
