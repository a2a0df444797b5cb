"""The tools that every client of a memory knows: to add, search and get one."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from soulmem.bridges.mcp.mcp_tool import Answer, Effect, Tool
from soulmem.bridges.mcp.memory_views import Memory, listed, memory_line, memory_view
from soulmem.bridges.mcp.mind_door import MindDoor, ToolFaultError
from soulmem.bridges.mcp.tool_arguments import Arguments

PAGE_TEXT = 20_000  # characters of one memory in one answer
MOST_FOUND = 200  # of one query, all pages together
_MOST_LINKS = 20
_MOST_ATTRIBUTES = 4_000  # characters of them as JSON

MemoryId = Annotated[str, Field(description="id of the memory, as search_memories or recall shows it, like n17")]
Tags = Annotated[list[str], Field(max_length=64, description="a few words to sort it by")]
Importance = Annotated[float, Field(ge=0, le=1, description="0 a trifle, 0.5 ordinary, from 0.75 vital")]
Kept = Annotated[dict[str, Any], Field(description='a small object of yours to keep with it, like {"topic": "bees"}')]
Having = Annotated[
    dict[str, Any],
    Field(
        description='only memories with these attributes: {"topic": "bees"}, {"stars": {"gte": 4}}, with eq ne in nin '
        'gt gte lt lte contains icontains, "*" for any value, and AND, OR, NOT of lists'
    ),
]
HappenedAt = Annotated[str, Field(description="when it happened, ISO 8601 like 2026-03-01T10:30:00Z; without it now")]


class Turn(Arguments):
    role: Annotated[Literal["user", "assistant"], Field(description="user: a person; assistant: the character")]
    content: Annotated[str, Field(description="what was said, word for word; at most 256 KiB")]
    speaker: Annotated[str | None, Field(description="name of who said it")] = None


class AddMemory(Arguments):
    text: Annotated[
        str | None,
        Field(description="one thing to remember, as a whole sentence with names and dates; at most 256 KiB"),
    ] = None
    kind: Annotated[
        Literal["semantic", "episodic", "procedural", "plan"],
        Field(description="semantic: it is so; episodic: it happened; procedural: how to do it; plan: it is intended"),
    ] = "semantic"
    tags: Tags = Field(default_factory=list)
    importance: Importance | None = None
    happened_at: HappenedAt | None = None
    attributes: Kept | None = None
    pinned: Annotated[bool, Field(description="true: it never fades, and stands in every prompt; for very little")] = (
        False
    )
    messages: Annotated[
        list[Turn] | None,
        Field(
            min_length=1,
            max_length=100,
            description="instead of text: turns of a talk, oldest first, for the mind to hear; it makes memories of "
            "them when it rests (reflect)",
        ),
    ] = None

    @model_validator(mode="after")
    def _either(self) -> AddMemory:
        if (self.text is None) == (self.messages is None):
            raise ValueError("give either `text` or `messages`")
        return self


class Added(TypedDict):
    id: NotRequired[Annotated[str, Field(description="id of the memory")]]
    heard: NotRequired[Annotated[list[str], Field(description="ids of the messages that were heard")]]


async def add_memory(door: MindDoor, asked: AddMemory) -> Answer:
    if asked.messages is not None:
        return await _hear(door, asked.messages, asked.attributes)
    made = await door.write_here(
        "note.add",
        kind=asked.kind,
        text=asked.text,
        tags=list(asked.tags),
        importance=asked.importance,
        at=asked.happened_at,
        pinned=asked.pinned,
        attributes=asked.attributes,
    )
    return Answer({"id": made["id"]}, f"remembered as {made['id']}")


async def _hear(door: MindDoor, turns: list[Turn], attributes: dict[str, Any] | None) -> Answer:
    """Hand over messages one by one; those before one that is refused stay heard, and the refusal says so."""
    heard: list[str] = []
    for turn in turns:
        speaker = turn.speaker or (door.setting.speaker if turn.role == "user" else None)
        try:
            done = await door.ask_here(
                "message.add",
                role=turn.role,
                content=turn.content,
                speaker=speaker,
                id=f"mcp-{uuid.uuid4().hex}",
                attributes=attributes,
            )
        except ToolFaultError as fault:
            if len(turns) == 1:
                raise
            raise ToolFaultError(f"{len(heard)} of {len(turns)} messages were heard, not the next: {fault}") from fault
        heard.append(str(done["id"]))
    count = "1 message" if len(heard) == 1 else f"{len(heard)} messages"
    return Answer(
        {"heard": heard}, f"heard {count}; when the mind rests, memories are made of it (reflect does it now)"
    )


class SearchMemories(Arguments):
    query: Annotated[
        str | None, Field(description="what is looked for, a question or words; without it all memories are listed")
    ] = None
    limit: Annotated[int, Field(ge=1, le=50, description="at most so many memories")] = 10
    cursor: Annotated[str | None, Field(description="next_cursor of the page before; without it the first page")] = None
    tags: Annotated[list[str] | None, Field(description="with a query: only memories with all of these tags")] = None
    speaker: Annotated[str | None, Field(description="with a query: only what this person said")] = None
    attributes: Having | None = None
    since: Annotated[str | None, Field(description="with a query: only what happened at or after it, ISO 8601")] = None
    until: Annotated[str | None, Field(description="with a query: only what happened before it, ISO 8601")] = None

    @model_validator(mode="after")
    def _narrowed(self) -> SearchMemories:
        narrowing = {
            "tags": self.tags,
            "speaker": self.speaker,
            "since": self.since,
            "until": self.until,
            "attributes": self.attributes,
        }
        given = next((name for name, value in narrowing.items() if value is not None), None)
        if self.query is None and given:
            raise ValueError(f"`{given}` needs a `query`")
        return self


class Found(TypedDict):
    memories: list[Memory]
    next_cursor: NotRequired[Annotated[str, Field(description="there are more: the same call with it as cursor")]]
    reason: NotRequired[Annotated[str, Field(description="why there is none: nothing_known, ...")]]


async def search_memories(door: MindDoor, asked: SearchMemories) -> Answer:
    found, after = await (_listed_page(door, asked) if asked.query is None else _found_page(door, asked))
    memories = [memory_view(item) for item in found.get("items", ())]
    facts: dict[str, Any] = {"memories": memories}
    if after is not None:
        facts["next_cursor"] = after
    if not memories and found.get("reason"):
        facts["reason"] = found["reason"]
    nothing = "nothing is known of that" if asked.query is not None else "there are no memories"
    more = f"\nmore: cursor={after}" if after is not None else ""
    return Answer(facts, listed(memories, nothing) + more)


async def _listed_page(door: MindDoor, asked: SearchMemories) -> tuple[dict[str, Any], str | None]:
    page = await door.ask_here("note.list", limit=asked.limit, cursor=asked.cursor)
    return page, page["next_cursor"]


async def _found_page(door: MindDoor, asked: SearchMemories) -> tuple[dict[str, Any], str | None]:
    """One page of what a query finds; the order is the same on every page, so a page begins where the last ended."""
    cursor = asked.cursor or "0"
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= len(str(MOST_FOUND))):
        raise ToolFaultError("`cursor`: not one of this search; pass next_cursor of the page before")
    begin = int(cursor)
    end = min(begin + asked.limit, MOST_FOUND)
    if begin >= end:
        return {"items": []}, None
    found = await door.ask_here(
        "recall", query=asked.query, k=end + 1, tags=asked.tags, speaker=asked.speaker, to=asked.until, record=False,
        attributes=asked.attributes, **{"from": asked.since},
    )  # fmt: skip
    items = found["items"]
    more = len(items) > end and end < MOST_FOUND
    return {**found, "items": items[begin:end]}, str(end) if more else None


class GetMemory(Arguments):
    id: MemoryId
    from_character: Annotated[
        int,
        Field(ge=0, description=f"of a long one: where its text begins; an answer has at most {PAGE_TEXT} characters"),
    ] = 0


class Tie(TypedDict):
    """A link to another memory."""

    to: Annotated[str, Field(description="id of the other memory")]
    kind: str
    verb: NotRequired[str]
    strength: float


class WholeMemory(Memory):
    next_character: NotRequired[
        Annotated[int, Field(description="there is more text: from_character of the next call")]
    ]
    importance: float
    version: int
    created_at: NotRequired[str]
    attributes: NotRequired[Annotated[dict[str, Any], Field(description="what else was stored with it")]]
    links: Annotated[list[Tie], Field(description=f"the {_MOST_LINKS} first of its links")]


async def get_memory(door: MindDoor, asked: GetMemory) -> Answer:
    note = (await door.ask_here("note.get", id=asked.id))["note"]
    ties = (await door.ask_here("link.list", note=asked.id, limit=_MOST_LINKS))["items"]
    text, begin = str(note["rendered"]), asked.from_character
    piece, end = text[begin : begin + PAGE_TEXT], begin + PAGE_TEXT
    memory = memory_view(note, sources=True)
    memory.pop("truncated", None)
    whole: dict[str, Any] = {
        **memory,
        "text": piece,
        "importance": note["importance"],
        "version": note["version"],
        "links": [_tie(each, asked.id) for each in ties],
    }
    if end < len(text):
        whole |= {"truncated": True, "next_character": end}
    if note.get("created_at"):
        whole["created_at"] = note["created_at"]
    attributes = note["attributes"]
    if note["state"] in ("clear", "rewritten") and attributes and len(json.dumps(attributes)) <= _MOST_ATTRIBUTES:
        whole["attributes"] = attributes
    shown: Memory = {**memory, "text": piece}
    more = f"\nmore: from_character={end}" if end < len(text) else ""
    return Answer(whole, memory_line(shown) + more)


def _tie(link: Mapping[str, Any], note: str) -> Tie:
    other = link["dst"] if link["src"] == note else link["src"]
    tie: Tie = {"to": str(other), "kind": str(link["kind"]), "strength": round(float(link["strength"]), 3)}
    if link.get("verb"):
        tie["verb"] = str(link["verb"])
    return tie


FINDING_TOOLS = (
    Tool(
        "add_memory", "Add a memory",
        "Remember something. Give `text`: one fact or event in one whole sentence, with names instead of he or she "
        "('Mara is allergic to hazelnuts.'). It can be found at once. Or give `messages`, turns of a talk, if you "
        "want the mind to make its own memories of them. Look with search_memories first whether it is known already.",
        AddMemory, Added, add_memory, Effect.ADDS, repeatable=False,
    ),
    Tool(
        "search_memories", "Search memories",
        "Find memories by a question or by words, best first; or list all of them, oldest first, without `query`. "
        "Leaves no trace. Use it before you change or delete something. At most 50 a page; `next_cursor` leads on, "
        f"up to {MOST_FOUND} for one query.",
        SearchMemories, Found, search_memories,
    ),
    Tool(
        "get_memory", "Get a memory",
        "Read one memory by its id: its whole text, where it comes from, its tags and its links to others.",
        GetMemory, WholeMemory, get_memory,
    ),
)  # fmt: skip
