"""`soulmem mcp` as its users run it: a process of its own, driven by the official client, over stdio and over HTTP."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio.from_thread
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

from daemon_fixture import Daemon
from served_process import PATIENCE_S, environment, served


class McpClient:
    """The official client in a thread of its own, for tests that wait."""

    def __init__(self, portal: Any, client: Client) -> None:
        self.portal = portal
        self.client = client

    def run(self, method: str, *arguments: Any, **named: Any) -> Any:
        """Call a method of the client."""
        return self.portal.call(lambda: getattr(self.client, method)(*arguments, **named))

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        result: CallToolResult = self.run("call_tool", tool, arguments)
        return result

    def facts(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool found; it may not fail."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        assert result.content[0].text  # type: ignore[union-attr]  # ours are texts
        found: dict[str, Any] = result.structured_content
        return found

    def text(self, tool: str, **arguments: Any) -> str:
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        return str(result.content[0].text)  # type: ignore[union-attr]  # ditto

    def fault(self, tool: str, **arguments: Any) -> str:
        """The one line with which a tool fails."""
        result = self.call(tool, **arguments)
        assert result.is_error, result.content
        line = str(result.content[0].text)  # type: ignore[union-attr]  # ditto
        assert line
        assert "\n" not in line
        assert "Traceback" not in line
        assert "internal" not in line.lower()
        return line


def command(socket: Path | str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "soulmem", "mcp", "--socket", str(socket), *arguments]


@contextlib.contextmanager
def connected(target: Any, mode: str) -> Iterator[McpClient]:
    with (
        anyio.from_thread.start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(target, mode=mode, read_timeout_seconds=PATIENCE_S)) as client,
    ):
        yield McpClient(portal, client)


@contextlib.contextmanager
def over_stdio(socket: Path | str, *arguments: str, mode: str = "auto") -> Iterator[McpClient]:
    """A client that starts the server itself, as desktop clients do."""
    words = command(socket, *arguments)
    server = StdioServerParameters(command=words[0], args=words[1:], env=environment())
    with open(os.devnull, "w") as silence, connected(stdio_client(server, errlog=silence), mode) as client:
        yield client


@contextlib.contextmanager
def http_server(socket: Path | str, *arguments: str, **env: str) -> Iterator[str]:
    """A server over HTTP on a free port; its address. It says where it is, and nothing else, and ends with 0."""
    asked = arguments if "--http" in arguments else ("--http", "127.0.0.1:0", *arguments)
    says = r"soulmem: MCP on (http://\S+/mcp)\n"
    with served(["mcp", "--socket", str(socket), *asked], says, then="", **env) as running:
        yield running.said[1]


@contextlib.contextmanager
def over_http(url: str, mode: str = "auto") -> Iterator[McpClient]:
    with connected(url, mode) as client:
        yield client


def until(condition: Any, timeout: float = 20.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def file_holds(daemon: Daemon, mind: str, words: str) -> bool:
    """Whether these words stand anywhere in the files of a mind."""
    files = list((daemon.state / "minds").glob(f"{mind}.db*"))
    assert files
    return any(words.encode() in path.read_bytes() for path in files)
