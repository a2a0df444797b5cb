"""What a client can read of a mind without a tool: who the character is, what was said lately, and one note by its id.

Called by `bridges/mcp/mcp_server`. The list of resources is short and the same for every mind; notes are behind a
template, because a mind has as many as it has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import mcp_types as wire

from soulmem.bridges.mcp.memory_tools import PAGE_TEXT, GetMemory, get_memory
from soulmem.bridges.mcp.mind_door import MindDoor, ToolFaultError

RECENT_TOKENS = 4_000  # of the recent talk
_LOOKED_AT, _SUGGESTED = 500, 100
_PLAIN = "text/plain"
_ADDRESS = re.compile(r"soulmem://mind/([^/]+)/(persona|recent|notes/([^/]+))\Z")


def resources(mind: str) -> list[wire.Resource]:
    """The resources that there always are."""
    return [
        wire.Resource(
            name="persona",
            title="Who the character is",
            uri=f"soulmem://mind/{mind}/persona",
            description="The persona of this mind, with its pinned memories: what stands in every prompt.",
            mime_type=_PLAIN,
        ),
        wire.Resource(
            name="recent",
            title="Recent talk",
            uri=f"soulmem://mind/{mind}/recent",
            description=f"The rolling summary and the last messages, at most {RECENT_TOKENS} tokens.",
            mime_type=_PLAIN,
        ),
    ]


def templates(mind: str) -> list[wire.ResourceTemplate]:
    return [
        wire.ResourceTemplate(
            name="note",
            title="One memory",
            uri_template=f"soulmem://mind/{mind}/notes/{{id}}",
            description=f"One memory by its id, like n17, as it is remembered now, at most {PAGE_TEXT} characters.",
            mime_type=_PLAIN,
        )
    ]


async def read(door: MindDoor, address: str) -> wire.TextResourceContents:
    """What stands at an address.

    Raises ToolFaultError: nothing does; the line says what there is.
    """
    found = _ADDRESS.match(address)
    if found is None or found[1] != door.setting.mind:
        there = ", ".join(each.uri for each in resources(door.setting.mind))
        raise ToolFaultError(f"there is no resource {address[:120]!r}; there are {there}")
    if found[2] == "persona":
        text = _blocks(await door.ask_here("context.get", max_tokens=RECENT_TOKENS), ("core", "behaviour"))
    elif found[2] == "recent":
        text = _blocks(await door.ask_here("context.get", max_tokens=RECENT_TOKENS), ("summary", "window"))
    else:
        text = str((await get_memory(door, GetMemory(id=found[3]))).facts["text"])
    return wire.TextResourceContents(uri=address, mime_type=_PLAIN, text=text)


async def completions(
    door: MindDoor, ref: wire.ResourceTemplateReference | wire.PromptReference, argument: wire.CompletionArgument
) -> list[str]:
    """Ids of notes that begin so, where the id of a note is typed."""
    known = [each.uri_template for each in templates(door.setting.mind)]
    if not isinstance(ref, wire.ResourceTemplateReference) or ref.uri not in known or argument.name != "id":
        return []
    notes = (await door.ask_here("note.list", limit=_LOOKED_AT))["items"]
    return [note["id"] for note in notes if note["id"].startswith(argument.value)][:_SUGGESTED]


def _blocks(context: dict[str, Any], kinds: Sequence[str]) -> str:
    return "\n\n".join(block["text"] for block in context["blocks"] if block["kind"] in kinds)
