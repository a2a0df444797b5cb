"""The MCP server of one mind: lists its tools and resources, runs and reads them, and turns failures into answers.

Called by the two transports. Invariant: whatever a tool raises becomes a tool error of one line; a name that is none
becomes an error of the protocol.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import mcp_types as wire
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

import soulmem
from soulmem.bridges.mcp import mind_resources
from soulmem.bridges.mcp.graph_tools import GRAPH_ADDRESS, GRAPH_TOOLS, graph_resource, read_graph_resource
from soulmem.bridges.mcp.mcp_tool import Tool
from soulmem.bridges.mcp.memory_changes import CHANGING_TOOLS
from soulmem.bridges.mcp.memory_tools import FINDING_TOOLS
from soulmem.bridges.mcp.mind_door import MindDoor, ToolFaultError, fault_line
from soulmem.bridges.mcp.recall_tools import RECALL_TOOLS
from soulmem.core.text.did_you_mean import did_you_mean

_OWN = (*FINDING_TOOLS, *CHANGING_TOOLS, *RECALL_TOOLS)
SETS: Mapping[str, Sequence[Tool]] = {
    "own": _OWN,
    "reference": GRAPH_TOOLS,
    "both": (*_OWN, *GRAPH_TOOLS),
}
_INSTRUCTIONS = (
    "This is a long-term memory. Before you answer about a person or the past, call {look}. When you learn something "
    "that will matter later, call {keep} with one whole sentence. If nothing is found, say that you do not know."
)
_Context = ServerRequestContext[Any]
_LOG = logging.getLogger(__name__)
_OF_THE_LIBRARY = "mcp"  # it tells of clients that err, at length; they are told by their answers
logging.getLogger(_OF_THE_LIBRARY).addHandler(logging.NullHandler())
logging.getLogger(_OF_THE_LIBRARY).propagate = False


class MindServer:
    """The handlers of one mind's server."""

    def __init__(self, door: MindDoor, tool_set: str = "own") -> None:
        self.door = door
        self.with_graph = tool_set != "own"
        read_only = door.setting.read_only
        self.tools = {tool.name: tool for tool in SETS[tool_set] if tool.only_reads or not read_only}
        self._described = [tool.described(read_only=read_only) for tool in self.tools.values()]

    def protocol_server(self) -> Server[Any]:
        look, keep = ("recall", "add_memory") if "recall" in self.tools else ("search_nodes", "add_observations")
        said = _INSTRUCTIONS.format(look=look, keep=keep)
        if self.door.setting.read_only:
            said = said.replace(
                f" When you learn something that will matter later, call {keep} with one whole sentence.", ""
            )
        return Server(
            "soulmem",
            version=soulmem.__version__,
            title="soulmem",
            instructions=said,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_completion=self.complete,
        )

    async def list_tools(self, _: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListToolsResult:
        return wire.ListToolsResult(tools=self._described)

    async def call_tool(self, _: _Context, asked: wire.CallToolRequestParams) -> wire.CallToolResult:
        tool = self.tools.get(asked.name)
        if tool is None:
            hint = did_you_mean(asked.name, self.tools, otherwise=f"the tools are {', '.join(self.tools)}")
            raise MCPError(wire.INVALID_PARAMS, f"there is no tool {asked.name[:80]!r}; {hint}")
        try:
            return await tool.call(self.door, asked.arguments)
        except ToolFaultError as fault:
            line = str(fault)
        except Exception as error:
            _LOG.exception("the tool %s failed", asked.name)
            line = fault_line(error, self.door.setting)
        return wire.CallToolResult(content=[wire.TextContent(text=line)], is_error=True)

    async def list_resources(self, _: _Context, __: wire.PaginatedRequestParams | None) -> wire.ListResourcesResult:
        graph = [graph_resource()] if self.with_graph else []
        return wire.ListResourcesResult(resources=mind_resources.resources(self.door.setting.mind) + graph)

    async def list_templates(
        self, _: _Context, __: wire.PaginatedRequestParams | None
    ) -> wire.ListResourceTemplatesResult:
        return wire.ListResourceTemplatesResult(resource_templates=mind_resources.templates(self.door.setting.mind))

    async def complete(self, _: _Context, asked: wire.CompleteRequestParams) -> wire.CompleteResult:
        try:
            found = await mind_resources.completions(self.door, asked.ref, asked.argument)
        except ToolFaultError:  # a suggestion that fails is none
            found = []
        return wire.CompleteResult(completion=wire.Completion(values=found))

    async def read_resource(self, _: _Context, asked: wire.ReadResourceRequestParams) -> wire.ReadResourceResult:
        try:
            if self.with_graph and asked.uri == GRAPH_ADDRESS:
                found = await read_graph_resource(self.door)
            else:
                found = await mind_resources.read(self.door, asked.uri)
        except ToolFaultError as fault:
            raise MCPError(wire.INVALID_PARAMS, str(fault)) from None
        return wire.ReadResourceResult(contents=[found])
