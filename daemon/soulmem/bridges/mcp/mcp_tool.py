"""A tool as MCP knows it: its name and words for a model, what it takes and gives, and what it does to the memory.

Called by the files that define tools, and by `bridges/mcp/mcp_server`, which lists and runs them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import mcp_types as wire

from soulmem.bridges.mcp.mind_door import MindDoor
from soulmem.bridges.mcp.tool_arguments import Arguments, plain_schema, read_arguments


class Effect(Enum):
    """What a tool does to the memory."""

    NONE = "none"
    TRACE = "trace"  # it counts as remembering; read-only, it leaves none
    ADDS = "adds"
    CHANGES = "changes"  # what was there before is no longer so


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool found: for programs, and in words."""

    facts: Mapping[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """`repeatable`: done again with the same arguments, it changes nothing more."""

    name: str
    title: str
    does: str
    takes: type[Arguments]
    gives: type
    run: Callable[[MindDoor, Any], Awaitable[Answer]]
    effect: Effect = Effect.NONE
    repeatable: bool = True

    @property
    def only_reads(self) -> bool:
        """Whether it is of use where nothing may be changed."""
        return self.effect in (Effect.NONE, Effect.TRACE)

    def described(self, *, read_only: bool) -> wire.Tool:
        reads = self.effect is Effect.NONE or (read_only and self.effect is Effect.TRACE)
        return wire.Tool(
            name=self.name,
            title=self.title,
            description=self.does,
            input_schema=plain_schema(self.takes),
            output_schema=plain_schema(self.gives),
            annotations=wire.ToolAnnotations(
                title=self.title,
                read_only_hint=reads,
                destructive_hint=self.effect is Effect.CHANGES,
                idempotent_hint=self.repeatable,
                open_world_hint=False,
            ),
        )

    async def call(self, door: MindDoor, given: Mapping[str, Any] | None) -> wire.CallToolResult:
        """Raises ToolFaultError: one line that says why not."""
        answer = await self.run(door, read_arguments(self.takes, given))
        return wire.CallToolResult(
            content=[wire.TextContent(text=answer.text)], structured_content=dict(answer.facts), is_error=False
        )
