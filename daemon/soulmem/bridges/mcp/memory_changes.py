"""The tools that change what is there already: to update, and to delete for good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from soulmem.bridges.mcp.mcp_tool import Answer, Effect, Tool
from soulmem.bridges.mcp.memory_tools import Importance, MemoryId
from soulmem.bridges.mcp.memory_views import Memory, memory_line, memory_view
from soulmem.bridges.mcp.mind_door import MindDoor, ToolFaultError
from soulmem.bridges.mcp.tool_arguments import Arguments


class UpdateMemory(Arguments):
    id: MemoryId
    text: Annotated[str | None, Field(description="what it says from now on; the former wording is kept")] = None
    tags: Annotated[list[str] | None, Field(max_length=64, description="its tags from now on")] = None
    importance: Importance | None = None
    happened_at: Annotated[str | None, Field(description="when it happened, ISO 8601")] = None

    @model_validator(mode="after")
    def _something(self) -> UpdateMemory:
        if (self.text, self.tags, self.importance, self.happened_at) == (None,) * 4:
            raise ValueError("say what changes: `text`, `tags`, `importance` or `happened_at`")
        return self


async def update_memory(door: MindDoor, asked: UpdateMemory) -> Answer:
    changed = await door.write_here(
        "note.update", id=asked.id, text=asked.text, tags=asked.tags, importance=asked.importance, at=asked.happened_at
    )
    memory = memory_view(changed["note"])
    return Answer(memory, "changed: " + memory_line(memory))


class DeleteMemory(Arguments):
    id: Annotated[str, Field(description="id of what is to go, like n17")]
    kind: Annotated[
        Literal["memory", "message"],
        Field(description="message: the id is that of a message; with it goes all that was made of it"),
    ] = "memory"
    with_sources: Annotated[
        bool,
        Field(description="of a memory: also the messages it was made of, which still say it, and all made of them"),
    ] = False
    conversation: Annotated[str | None, Field(description="of a message: the conversation it was said in")] = None


class Saying(TypedDict):
    """What still says what was deleted."""

    kind: Annotated[str, Field(description="message or memory, as delete_memory takes it")]
    id: str
    conversation: NotRequired[Annotated[str, Field(description="of a message: where it was said")]]


class Deleted(TypedDict):
    deleted: Annotated[list[str], Field(description="ids of what is gone for good")]
    still_said_in: Annotated[list[Saying], Field(description="messages and memories that still say it")]
    erased: Annotated[bool, Field(description="whether its bytes are out of the file by now; else they soon are")]
    copies: Annotated[list[str], Field(description="older copies of the file that still hold it")]


async def delete_memory(door: MindDoor, asked: DeleteMemory) -> Answer:
    own = door.setting.conversation
    if own is not None and asked.conversation not in (None, own):
        raise ToolFaultError(f"this server speaks in the conversation {own!r} only")
    gone: list[str] = []
    deeds: list[Mapping[str, Any]] = []
    still: list[Mapping[str, Any]] = []
    messages: list[Mapping[str, Any]] = [{"conversation": asked.conversation or own or "main", "id": asked.id}]
    if asked.kind == "memory":
        purged = await door.write_here("note.purge", id=asked.id)
        gone, deeds = [asked.id], [purged]
        messages, still = (purged["sources"], []) if asked.with_sources else ([], purged["sources"])
    for each in messages:
        done = await door.ask_mind("message.delete", conversation=each["conversation"], id=each["id"])
        gone += [name for name in (each["id"], *done["purged"]) if name not in gone]
        deeds.append(done)
        still += done.get("repeats") or []
    sayings = [_saying(each) for each in still if each["id"] not in gone]
    facts = {
        "deleted": gone,
        "still_said_in": sayings,
        "erased": all(each.get("erased", True) for each in deeds),
        "copies": sorted({str(copy) for each in deeds for copy in each.get("copies") or ()}),
    }
    text = f"deleted for good: {', '.join(gone)}"
    if sayings:
        text += f"; still said in {', '.join(each['id'] for each in sayings)}: delete those too if it is to go entirely"
    return Answer(facts, text)


def _saying(each: Mapping[str, Any]) -> Saying:
    saying: Saying = {"kind": "memory" if each.get("kind") == "note" else "message", "id": str(each["id"])}
    if each.get("conversation"):
        saying["conversation"] = str(each["conversation"])
    return saying


CHANGING_TOOLS = (
    Tool(
        "update_memory", "Change a memory",
        "Change one memory by its id: give only what changes. The former wording is kept in its history.",
        UpdateMemory, Memory, update_memory, Effect.CHANGES,
    ),
    Tool(
        "delete_memory", "Delete a memory",
        "Remove one memory for good, when somebody asks that it be forgotten. It cannot be undone. The answer names "
        "the messages that still say it; with `with_sources` they go too.",
        DeleteMemory, Deleted, delete_memory, Effect.CHANGES,
    ),
)  # fmt: skip
