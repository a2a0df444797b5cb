"""How a memory is shown to an MCP client: the fields that tell something, in bounded size, and one line of text.

Called by the tools that find or change memories. A memory shows as it has faded; what was told of it beside its words
is left out then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

LISTED_TEXT = 1_000  # characters of a memory in a list


class Source(TypedDict):
    """A message that a memory rests on."""

    conversation: str
    id: str
    quote: NotRequired[str]


class Memory(TypedDict):
    """One memory in a list."""

    id: Annotated[str, Field(description="its id, for the other tools")]
    kind: Annotated[str, Field(description="episodic, semantic, ...; or message or summary, which are no notes")]
    text: Annotated[str, Field(description=f"as it is remembered now, at most {LISTED_TEXT} characters")]
    state: Annotated[
        str,
        Field(description="how much of it is still there: clear, blurred, blank; rewritten: what faded was filled in"),
    ]
    truncated: NotRequired[Annotated[bool, Field(description="there is more text: get_memory")]]
    score: NotRequired[Annotated[float, Field(description="how well it fits the query, 0 to 1")]]
    at: NotRequired[Annotated[str, Field(description="when it happened")]]
    speaker: NotRequired[str]
    tags: NotRequired[list[str]]
    pinned: NotRequired[bool]
    held_until: NotRequired[Annotated[str, Field(description="it holds no more: until when it was so")]]
    replaced_by: NotRequired[Annotated[str, Field(description="id of the memory that holds instead")]]
    sources: NotRequired[Annotated[list[Source], Field(description="the messages it was made of")]]


def memory_view(item: Mapping[str, Any], *, sources: bool = False) -> Memory:
    """A memory out of an item of a recall, or out of a note."""
    text = str(item.get("rendered", item["text"]))
    faded = item["state"] in ("blurred", "blank")
    shown: dict[str, Any] = {
        "id": item["id"],
        "kind": item["kind"],
        "text": text[:LISTED_TEXT],
        "state": item["state"],
        "truncated": len(text) > LISTED_TEXT or None,
        "score": round(item["score"], 3) if "score" in item else None,
        "at": item.get("at") or item.get("created_at"),
        "speaker": item.get("speaker"),
        "tags": None if faded else item.get("tags") or None,
        "pinned": item.get("pinned") or None,
        "held_until": item.get("valid_to"),
        "replaced_by": item.get("superseded_by"),
        "sources": source_views(item.get("sources", ()), quotes=not faded) or None if sources else None,
    }
    return {name: value for name, value in shown.items() if value is not None}  # type: ignore[return-value]  # as built


def source_views(sources: Sequence[Mapping[str, Any]], *, quotes: bool) -> list[Source]:
    shown: list[Source] = []
    for each in sources[:20]:
        source: Source = {"conversation": str(each["conversation"]), "id": str(each["id"])}
        if quotes and each.get("quote"):
            source["quote"] = str(each["quote"])[:LISTED_TEXT]
        shown.append(source)
    return shown


def memory_line(memory: Memory) -> str:
    """Its id, what it is, its words."""
    about = [memory["kind"], str(memory.get("at", ""))[:10], memory.get("speaker", "")]
    if memory.get("pinned"):
        about.append("pinned")
    if memory["state"] != "clear":
        about.append(memory["state"])
    if "held_until" in memory:
        about.append("holds no more")
    told = ", ".join(each for each in about if each)
    more = " … (cut; get_memory has all of it)" if memory.get("truncated") else ""
    return f"{memory['id']} [{told}] {memory['text']}{more}"


def listed(memories: Sequence[Memory], otherwise: str) -> str:
    return "\n".join(memory_line(each) for each in memories) or otherwise
