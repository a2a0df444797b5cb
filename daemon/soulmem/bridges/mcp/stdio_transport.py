"""The server over stdin and stdout, one message a line, for one client that started it.

Called by the command. stdout carries the protocol and nothing else: while it is served, whatever else writes there goes
to stderr. A line that is no message is answered, because its sender waits.
"""

from __future__ import annotations

import json
import signal
from typing import Any

import anyio
import mcp_types as wire
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from soulmem.bridges.mcp.mcp_server import MindServer


async def serve_stdio(server: MindServer) -> None:
    """Serve until the client closes stdin."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a thread reads stdin and hears no cancellation
        signal.signal(number, signal.SIG_DFL)
    protocol = server.protocol_server()
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as group:
        passed_on, messages = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        answers = outgoing.clone()

        async def sift() -> None:
            async with passed_on, answers:
                async for item in incoming:
                    if not isinstance(item, Exception):
                        await passed_on.send(item)
                    elif (refusal := _refusal(item)) is not None:
                        await answers.send(SessionMessage(refusal))

        group.start_soon(sift)
        await protocol.run(messages, outgoing, protocol.create_initialization_options())


def _refusal(error: Exception) -> wire.JSONRPCError | None:
    """The answer to a line that could not be read; None to what is no request."""
    line: Any = None
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False)[0]
        if first["type"] != "json_invalid":
            return None  # an object, but no message: whoever sent it waits for nothing that has an id
        line = first["input"]
    said, code, asker = "the line is not JSON", wire.PARSE_ERROR, None
    try:
        message = json.loads(line)
    except (TypeError, ValueError, RecursionError):
        message = None
    if isinstance(message, dict) and isinstance(message.get("id"), int | str):
        said, code, asker = (
            "the text holds a lone surrogate, which is no character; send valid Unicode",
            wire.INVALID_PARAMS,
            message["id"],
        )
    return wire.JSONRPCError(jsonrpc="2.0", id=asker, error=wire.ErrorData(code=code, message=said))
