"""The tools that only a mind has: what comes to mind and why, keeping for ever, resting, and how it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from soulmem.bridges.mcp.mcp_tool import Answer, Effect, Tool
from soulmem.bridges.mcp.memory_tools import Having, MemoryId
from soulmem.bridges.mcp.memory_views import Memory, listed, memory_line, memory_view
from soulmem.bridges.mcp.mind_door import MindDoor, ToolFaultError, one_line
from soulmem.bridges.mcp.tool_arguments import Arguments

REST_S = 45.0  # how long reflect waits; a client's patience is a minute
_MOST_MADE = 20  # memories that reflect tells
_QUOTE = 80  # characters of a memory on the way to another


class Recall(Arguments):
    query: Annotated[str, Field(description="what the talk is about now, or a question, in plain words")]
    limit: Annotated[int, Field(ge=1, le=20, description="at most so many memories")] = 8
    since: Annotated[str | None, Field(description="only what happened at or after it, ISO 8601")] = None
    until: Annotated[str | None, Field(description="only what happened before it, ISO 8601")] = None
    attributes: Having | None = None


class Recalled(TypedDict):
    memories: list[Memory]
    recall_id: NotRequired[str]
    reason: NotRequired[Annotated[str, Field(description="why there is none: nothing_known, ...")]]
    more: NotRequired[Annotated[int, Field(description="where all of something is asked for: how many more there are")]]


async def recall(door: MindDoor, asked: Recall) -> Answer:
    found = await door.ask_here(
        "recall", query=asked.query, k=asked.limit, to=asked.until, record=not door.setting.read_only,
        attributes=asked.attributes, **{"from": asked.since},
    )  # fmt: skip
    memories = [memory_view(item, sources=True) for item in found["items"]]
    facts: dict[str, Any] = {"memories": memories}
    facts |= {name: found[name] for name in ("recall_id", "reason", "more") if found.get(name) is not None}
    return Answer(facts, listed(memories, "nothing is known of that: say so rather than guess"))


class ExplainRecall(Arguments):
    query: Annotated[str, Field(description="the question or the words of the recall that is to be explained")]
    limit: Annotated[int, Field(ge=1, le=20, description="at most so many memories")] = 5


class Explained(Memory):
    evidence: Annotated[dict[str, float], Field(description="how strongly words, meaning and links spoke for it")]
    path: Annotated[list[str], Field(description="the links that led to it, one step each")]


class Explanation(TypedDict):
    memories: list[Explained]
    held_back: Annotated[list[str], Field(description="what was found and not shown, and why")]
    below_floor: Annotated[int, Field(description="how many were found and fit too little to be shown")]
    reason: NotRequired[str]


async def explain_recall(door: MindDoor, asked: ExplainRecall) -> Answer:
    found = await door.ask_here("recall", query=asked.query, k=asked.limit, record=False, explain=True)
    memories = [_explained(item) for item in found["items"]]
    held = [_held_back(each) for each in (found.get("suppressed") or ())[: asked.limit]]
    facts: dict[str, Any] = {"memories": memories, "held_back": held, "below_floor": found["below_floor"]}
    if found.get("reason"):
        facts["reason"] = found["reason"]
    lines = []
    for each in memories:
        lines.append(memory_line(each))
        lines.append("  " + ", ".join(f"{name} {value}" for name, value in each["evidence"].items()))
        lines += [f"  {step}" for step in each["path"]]
    lines += [f"held back: {each}" for each in held]
    if found["below_floor"]:
        lines.append(f"{found['below_floor']} more were found and fit too little")
    return Answer(facts, "\n".join(lines) or "nothing is known of that")


def _explained(item: Mapping[str, Any]) -> Explained:
    why = item.get("why") or {}
    evidence = {name: round(float(value), 3) for name, value in (why.get("channels") or {}).items()}
    path = [_step(each) for each in (why.get("path") or ())]
    return {**memory_view(item, sources=True), "evidence": evidence, "path": path}


def _step(step: Mapping[str, Any]) -> str:
    """One link as it was walked; the arrow points the way the link was made."""
    name = step.get("verb") or step.get("kind") or "link"
    arrow = f"<-[{name}]-" if step.get("backward") else f"-[{name}]->"
    return one_line(f"{step.get('src')} “{str(step.get('from') or '')[:_QUOTE]}” {arrow} {step.get('dst')}")


def _held_back(item: Mapping[str, Any]) -> str:
    return one_line(f"{item.get('id')} “{str(item.get('text'))[:_QUOTE]}”: {item.get('because')}")


class PinMemory(Arguments):
    id: MemoryId
    pinned: Annotated[bool, Field(description="false: let it fade again like any other")] = True


async def pin_memory(door: MindDoor, asked: PinMemory) -> Answer:
    done = await door.write_here("note.pin" if asked.pinned else "note.unpin", id=asked.id)
    memory = memory_view(done["note"])
    return Answer(memory, ("kept for ever: " if asked.pinned else "may fade again: ") + memory_line(memory))


class Reflect(Arguments):
    """Takes nothing."""


class Reflected(TypedDict):
    done: Annotated[bool, Field(description="false: it is still at it, or was called back by somebody who talked")]
    made: Annotated[int, Field(description="how many memories were made of what was heard")]
    memories: Annotated[list[Memory], Field(description=f"the first {_MOST_MADE} of them")]


async def reflect(door: MindDoor, _asked: Reflect) -> Answer:
    """Send the mind to rest; what it makes of what it heard are sentences that were said, with names and dates."""
    try:
        rest = await door.ask_mind("idle.run", wait=True, timeout=REST_S)
    except ToolFaultError as fault:
        if not isinstance(fault.__cause__, TimeoutError):
            raise
        return Answer(
            {"done": False, "made": 0, "memories": []},
            "the mind is still resting on what it heard; memory_status tells when it has no more to do",
        )
    numbers = await _made(door, set(rest["jobs"]))
    memories = []
    for number in numbers[:_MOST_MADE]:
        try:
            memories.append(memory_view((await door.ask_here("note.get", id=f"n{number}"))["note"]))
        except ToolFaultError:  # it may not surface here, or went since
            continue
    done = not rest["preempted"]
    told = listed(memories, "there was nothing new to make memories of")
    if not done:
        told += "\nsomebody talked meanwhile, so it stopped early; the rest is done when it is quiet"
    return Answer({"done": done, "made": len(numbers), "memories": memories}, told)


async def _made(door: MindDoor, jobs: set[str]) -> list[int]:
    """The numbers of the notes that these steps made."""
    made: list[int] = []
    cursor: str | None = None
    while jobs:
        page = await door.ask_mind("job.list", limit=500, cursor=cursor)
        for job in page["items"]:
            if job["id"] in jobs:
                jobs.discard(job["id"])
                notes = (job.get("result") or {}).get("notes")
                made += notes if isinstance(notes, list) else ()  # other steps count notes
        cursor = page["next_cursor"]
        if cursor is None:
            break
    return list(dict.fromkeys(made))


class MemoryStatus(Arguments):
    """Takes nothing."""


class Status(TypedDict):
    mind: str
    exists: Annotated[bool, Field(description="false: nothing was remembered in it yet")]
    conversation: NotRequired[Annotated[str, Field(description="the conversation this server speaks in")]]
    read_only: bool
    title: NotRequired[str]
    profile: NotRequired[Annotated[str, Field(description="companion forgets and blurs, assistant only ranks")]]
    state: NotRequired[Annotated[str, Field(description="working: somebody talked lately; idle: it rests")]]
    messages: NotRequired[int]
    memories: NotRequired[int]
    links: NotRequired[int]
    to_do: Annotated[int, Field(description="steps, vectors and recalls that are still to be done")]
    trouble: NotRequired[Annotated[str, Field(description="what keeps it from working")]]
    engine: Annotated[str, Field(description="who makes memories: extractive (no model), or a language model")]
    version: str


async def memory_status(door: MindDoor, _asked: MemoryStatus) -> Answer:
    daemon = await door.ask_daemon("system.status")
    setting = door.setting
    seen = next((each for each in daemon["minds"] if each["mind"] == setting.mind), None)
    facts: dict[str, Any] = {
        "mind": setting.mind, "exists": seen is not None, "read_only": setting.read_only, "to_do": 0,
        "engine": daemon["engine"], "version": daemon["version"],
    }  # fmt: skip
    if setting.conversation is not None:
        facts["conversation"] = setting.conversation
    if seen is None:
        return Answer(facts, f"the mind {setting.mind!r} remembers nothing yet")
    facts["to_do"] = sum(int(seen.get(name) or 0) for name in ("pending_jobs", "embed_backlog", "pending_recalls"))
    if seen.get("trouble"):
        facts["trouble"] = one_line(str(seen["trouble"]))
        return Answer(facts, f"the mind {setting.mind!r} is in trouble: {facts['trouble']}")
    mind = (await door.ask_mind("mind.get"))["mind"]
    facts |= {"memories": mind["notes"]} | {
        name: mind[name] for name in ("title", "profile", "state", "messages", "links") if mind[name] != ""
    }
    text = (
        f"mind {setting.mind!r} ({mind['profile']}, {mind['state']}): memories {mind['notes']}, links {mind['links']}, "
        f"messages heard {mind['messages']}, still to do {facts['to_do']}; memories are made by: {daemon['engine']}"
    )
    return Answer(facts, text)


RECALL_TOOLS = (
    Tool(
        "recall", "Recall",
        "What comes to mind: the memories that belong to what is talked about, with those linked to them. Call it "
        "before you answer somebody about himself, his people or the past. It counts as remembering: what is recalled "
        "often stays longer. Nothing comes if nothing is known; then say that you do not know.",
        Recall, Recalled, recall, Effect.TRACE, repeatable=False,
    ),
    Tool(
        "pin_memory", "Pin a memory",
        "Keep one memory for ever: it never fades and stands in every prompt. For names, allergies, promises. "
        "`pinned` false undoes it.",
        PinMemory, Memory, pin_memory, Effect.ADDS,
    ),
    Tool(
        "explain_recall", "Explain a recall",
        "Why a query brings what it brings: how strongly words, meaning and links spoke for each memory, over which "
        "links it came, and what was held back. Leaves no trace. For finding out, not for answering.",
        ExplainRecall, Explanation, explain_recall,
    ),
    Tool(
        "reflect", "Rest on what was heard",
        "Send the mind to rest now: it makes memories of the messages it heard and links them, and what is due to be "
        "forgotten goes. Tells which memories were made. Without a language model they are sentences that were said, "
        f"not conclusions. Waits at most {REST_S:.0f} seconds. It does the same by itself when it is quiet.",
        Reflect, Reflected, reflect, Effect.ADDS,
    ),
    Tool(
        "memory_status", "Status of the memory",
        "How the memory is: whether it runs, how much it holds, what is still to be done.",
        MemoryStatus, Status, memory_status,
    ),
)  # fmt: skip
