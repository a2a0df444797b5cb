"""MCP over HTTP: who is let in, who is not, and several clients of one server."""

from __future__ import annotations

import contextlib
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from household import Home
from mcp_bench import connected, http_server, over_http
from shell import Shell

TOKEN = "a-token-of-the-tests-0123456789"
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip


@pytest.fixture(scope="module")
def url(home: Home) -> Iterator[str]:
    with http_server(home.daemon.socket, "--mind", "web") as address:
        yield address


@pytest.fixture(scope="module")
def guarded(home: Home) -> Iterator[str]:
    with http_server(home.daemon.socket, "--mind", "guarded", SOULMEM_MCP_TOKEN=TOKEN) as address:
        yield address


def post(url: str, body: bytes | None = None, **headers: str) -> tuple[int, str]:
    """Status and text of what is answered to a greeting, or to other bytes."""
    given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body or json.dumps(HELLO).encode(), given)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read().decode()


def declared(url: str, size: int) -> int:
    """Status of what is answered to a body of this size before it comes."""
    with contextlib.closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)) as connection:
        connection.putrequest("POST", "/mcp")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(size))
        connection.endheaders()
        with connection.getresponse() as answer:
            return answer.status


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_both_eras_of_the_protocol_are_spoken(url: str, mode: str) -> None:
    with over_http(url, mode) as client:
        made = client.facts("add_memory", text=f"The {mode} ferry leaves at dusk, 渡船黄昏开。")["id"]
        assert client.facts("search_memories", query=f"{mode} ferry 渡船")["memories"][0]["id"] == made
        assert len(client.run("list_tools").tools) == 10
        assert client.fault("get_memory", id="n999") == "there is no note 'n999' in this mind"


def test_two_clients_share_the_mind(url: str) -> None:
    with over_http(url) as one, over_http(url) as other:
        made = one.facts("add_memory", text="Tilda mended the weathercock.")["id"]
        assert other.facts("get_memory", id=made)["text"] == "Tilda mended the weathercock."


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Host": "localhost.evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
        ({"Content_Type": "text/plain"}, 400),
    ],
)
def test_no_web_page_reaches_it_by_another_name(url: str, headers: dict[str, str], status: int) -> None:
    assert post(url, **headers)[0] == status


@pytest.mark.parametrize("given", [None, "Bearer wrong", f"Basic {TOKEN}", "Bearer", f"Bearer {TOKEN}x", "Bearer é"])
def test_without_the_token_nobody_is_heard(guarded: str, given: str | None) -> None:
    status, text = post(guarded, **({} if given is None else {"Authorization": given}))
    assert status == 401
    assert TOKEN not in text
    assert declared(guarded, 5_000_000) == 401


def test_with_the_token_it_works(guarded: str) -> None:
    @contextlib.asynccontextmanager
    async def bearing() -> Any:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            streamable_http_client(guarded, http_client=http) as streams,
        ):
            yield streams

    assert post(guarded, Authorization=f"bearer {TOKEN}")[0] == 200
    with connected(bearing(), "auto") as client:
        client.facts("add_memory", text="The token opens the door.")
        assert client.facts("memory_status")["memories"] == 1


@pytest.mark.parametrize(
    "body",
    [
        b"nonsense", b"[]", b"{}", b'"x"', b"\xff\xfe", b'{"jsonrpc":"2.0","id":1,"method":5}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"\\ud800"}}}',
        b"[" * 100_000,
    ],
)  # fmt: skip
def test_nonsense_is_refused_and_the_server_lives(url: str, body: bytes) -> None:
    status, text = post(url, body)
    assert 400 <= status < 500, text
    assert "Traceback" not in text
    assert post(url)[0] == 200


def test_a_body_without_end_is_refused(url: str) -> None:
    assert declared(url, 5_000_000) == 413
    assert post(url.replace("/mcp", "/"))[0] == 404


def test_it_listens_elsewhere_with_a_token_and_a_name_only(home: Home, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN + "\n")
    arguments = ("--http", "0.0.0.0:0", "--token-file", str(token), "--host-name", "memory.home.lan")
    with http_server(home.daemon.socket, *arguments) as address:
        near = f"http://127.0.0.1:{urlsplit(address).port}/mcp"
        bearer = f"Bearer {TOKEN}"
        assert post(near, Host="memory.home.lan", Authorization=bearer)[0] == 200
        assert post(near, Host="memory.home.lan:8080", Authorization=bearer)[0] == 200
        assert post(near, Authorization=bearer)[0] == 421
        assert post(near, Host="memory.home.lan")[0] == 401


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["--http", "0.0.0.0:0"], 78, "on 0.0.0.0 others could read this memory: it needs a token"),
        (["--http", "192.0.2.1:0"], 78, "needs a token"),
        (["--http", "[::]:0"], 78, "needs a token"),
        (["--http", "nonsense"], 2, "is no address"),
        (["--http", "127.0.0.1:70000"], 2, "is no address"),
        (["--http", "127.0.0.1:0", "--token-file", "/nowhere/at/all"], 78, "the token cannot be read"),
        (["--http", "127.0.0.1:0", "--token-file", "/dev/null"], 78, "at least 16"),
        (["--http", "0.0.0.0:0", "--token-file", "TOKEN"], 78, "by what name it is called"),
        (["--host-name", "x"], 2, "are for --http"),
        (["--mind", "No Mind"], 64, "cannot be the name of a mind"),
        (["--tools", "all"], 2, "all"),
    ],
)
def test_what_it_may_not_do_is_refused_in_one_line(tmp_path: Path, arguments: list[str], code: int, line: str) -> None:
    (tmp_path / "token").write_text(TOKEN)
    words = [str(tmp_path / "token") if each == "TOKEN" else each for each in arguments]
    done = Shell(tmp_path / "none.sock", tmp_path)("mcp", *words, code=code)
    assert line in done.stderr
    assert done.stdout == ""
    assert code == 2 or done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_told(url: str, tmp_path: Path) -> None:
    shell = Shell(tmp_path / "none.sock", tmp_path)
    done = shell("mcp", "--http", f"127.0.0.1:{urlsplit(url).port}", code=78)
    assert "it cannot listen on" in done.stderr
    assert done.stderr.count("\n") == 1
