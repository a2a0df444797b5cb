"""Schemas that every client reads, arguments as models send them, addresses, and failures in one line."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from soulmem.bridges.mcp.http_address import HttpAddress, read_address
from soulmem.bridges.mcp.mcp_server import SETS
from soulmem.bridges.mcp.memory_tools import AddMemory, SearchMemories
from soulmem.bridges.mcp.memory_views import memory_line, memory_view
from soulmem.bridges.mcp.mind_door import DoorSetting, ToolFaultError, fault_line
from soulmem.bridges.mcp.tool_arguments import plain_schema, read_arguments
from soulmem.client import CallTimeout, DaemonUnavailable, SoulmemRemoteError


def parts(schema: Any) -> list[Any]:
    found = [schema]
    for each in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        found += parts(each)
    return found


def test_schemas_are_plain() -> None:
    for tool in SETS["both"]:
        for shape in (tool.takes, tool.gives):
            schema = plain_schema(shape)
            assert schema["type"] == "object"
            for each in parts(schema):
                if isinstance(each, dict):
                    assert not {"$ref", "$defs", "anyOf"} & each.keys(), (tool.name, each)
                    assert each.get("type") != "null"
                    assert not isinstance(each.get("title"), str) or "type" in schema["properties"].get("title", {})


def test_nothing_stands_for_what_is_left_out_and_digits_for_a_number() -> None:
    asked = read_arguments(SearchMemories, {"query": None, "limit": "7", "tags": None})
    assert isinstance(asked, SearchMemories)
    assert (asked.query, asked.limit) == (None, 7)
    assert read_arguments(SearchMemories, None) == SearchMemories()


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"txt": "x"}, "unknown argument `txt` — did you mean text?"),
        ({"": "x"}, "unknown argument ``"),
        ({"text": "x", "messages": [{"role": "user", "content": "x"}]}, "give either `text` or `messages`"),
        ({"text": "\ud800"}, "lone surrogate"),
        ({"text": "x", "tags": ["a", "\udfff"]}, "lone surrogate"),
        ({"text": "x", "tags": "a"}, "`tags`: input should be a valid list"),
        ({"text": "x", "kind": "dream"}, "`kind`: input should be 'semantic'"),
        ({"messages": [{"role": "user"}]}, "the argument `messages.0.content` is missing"),
        ({"messages": [{"role": "user", "content": "x", "name": "y"}]}, "unknown argument `messages.0.name`"),
        ({"text": {"a": ["b"] * 1000}}, "`text`: input should be a valid string"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(given: dict[str, Any], line: str) -> None:
    with pytest.raises(ToolFaultError) as fault:
        read_arguments(AddMemory, given)
    assert line in str(fault.value)
    assert "\n" not in str(fault.value)
    assert len(str(fault.value)) <= 400


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DaemonUnavailable("/run/x.sock", "none is running"), "`soulmem daemon`"),
        (CallTimeout("recall", 60), "did not answer in time"),
        (SoulmemRemoteError("mind_not_found", "there is no mind 'm'"), "add_memory brings it into being"),
        (SoulmemRemoteError("access_denied", "note.purge needs admin"), "daemon's owner"),
        (SoulmemRemoteError("internal", "internal error"), "its log tells why"),
        (SoulmemRemoteError("overloaded", "too much at once", retryable=True), "try again in a moment"),
        (SoulmemRemoteError("x", "one\ntwo", hint="three"), "one two — three"),
        (ValueError("secret words"), "ValueError"),
    ],
)
def test_a_failure_says_what_to_do(error: Exception, words: str) -> None:
    line = fault_line(error, DoorSetting("m"))
    assert words in line
    assert "\n" not in line
    assert "internal" not in line
    assert "secret" not in line


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("127.0.0.1:8765", ("127.0.0.1", 8765)), ("8765", ("127.0.0.1", 8765)), ("[::1]:1", ("::1", 1)),
        ("localhost:0", ("localhost", 0)), ("::1:80", None), ("host", None), (":80", None), ("h:80x", None),
        ("h:65536", None), ("h:-1", None), ("h:８０", None), ("", None), ("[]:80", None),
    ],
)  # fmt: skip
def test_addresses_are_read(text: str, place: tuple[str, int] | None) -> None:
    assert read_address(text) == place


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("10.0.0.1", False), ("localhost.evil.example", False)],
)  # fmt: skip
def test_what_is_loopback(host: str, loopback: bool) -> None:
    address = HttpAddress(host, 1, ("memory.lan",))
    assert address.is_loopback is loopback
    assert "memory.lan:*" in address.hosts
    assert "https://memory.lan" in address.origins
    assert not any("evil" in each for each in address.hosts) or host == "localhost.evil.example"
    assert ("127.0.0.1" in address.hosts) is loopback


def test_what_faded_keeps_its_tags_and_quotes_to_itself() -> None:
    source = {"conversation": "main", "id": "m1", "quote": "the secret"}
    note = {"id": "n1", "kind": "episodic", "text": "the secret", "rendered": "something", "state": "blurred",
            "tags": ["secret"], "sources": [source], "at": "2026-03"}  # fmt: skip
    shown = memory_view(note, sources=True)
    assert "secret" not in str(shown)
    assert memory_line(shown) == "n1 [episodic, 2026-03, blurred] something"


def test_other_commands_do_not_load_it() -> None:
    code = "import sys; from soulmem.cli.main import command_tree; command_tree('status'); command_tree('mcp'); "
    done = subprocess.run(
        [sys.executable, "-c", code + "print(sorted({'mcp', 'mcp_types', 'pydantic', 'uvicorn'} & set(sys.modules)))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_without_the_extra_one_line_says_how_to_get_it() -> None:
    """As where it was never installed: the finder finds no `mcp`."""
    code = (
        "import sys; from importlib.machinery import PathFinder as P; find = P.find_spec\n"
        "P.find_spec = lambda name, *rest: None if name.split('.')[0] in ('mcp', 'mcp_types') else find(name, *rest)\n"
        "from soulmem.cli.main import run; run(['mcp'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 78
    assert done.stderr == "soulmem: the extra for MCP is not installed — pip install 'soulmem[mcp]'\n"
    assert done.stdout == ""
