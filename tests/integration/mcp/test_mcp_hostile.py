"""Clients that break the rules, calls that are called off, and a daemon that goes and comes back."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from daemon_fixture import Daemon, daemon_process, start, wait_ready
from mcp_bench import command, http_server, over_http, over_stdio, until
from served_process import environment

GREETING = [
    {
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
]  # fmt: skip


class Wire:
    """A server over stdio, spoken to in bytes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, *lines: bytes | dict[str, Any]) -> None:
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        assert self.process.stdout
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return message

    def ask(self, number: int, tool: str, **arguments: Any) -> None:
        call = {"name": tool, "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("hostile")) as running:
        yield running


@pytest.fixture(scope="module")
def wire(daemon: Daemon) -> Iterator[Wire]:
    process = subprocess.Popen(
        command(daemon.socket, "--mind", "wire"), env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        wire = Wire(process)
        wire.send(*GREETING)
        assert wire.read()["result"]["serverInfo"]["name"] == "soulmem"
        wire.ask(1, "add_memory", text="Wires hum in the wind, 风里电线在响。")
        assert wire.read()["result"]["isError"] is False
        yield wire
        rest, errors = process.communicate(timeout=20)  # closes stdin, upon which it ends by itself
        assert (rest, errors, process.returncode) == (b"", b"", 0)
    finally:
        process.kill()
        process.wait()


def test_lines_that_are_no_messages_are_answered_and_survived(wire: Wire) -> None:
    wire.send(b"nonsense")
    answer = wire.read()
    assert (answer["id"], answer["error"]["code"]) == (None, -32700)
    wire.send(b"\xff\xfe\x00", b"{" * 50_000)
    assert [wire.read()["error"]["code"] for _ in range(2)] == [-32700] * 2
    wire.send(b"[]", b"{}", b'"x"', b'{"jsonrpc":"2.0","id":9,"result":{}}')
    wire.send({"jsonrpc": "2.0", "method": "no/such"})
    wire.send({"jsonrpc": "2.0", "id": 2, "method": "ping"})
    assert wire.read() == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_a_lone_surrogate_is_refused_under_the_number_of_its_call(wire: Wire) -> None:
    call = b'{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"recall","arguments":{"query":"%s"}}}'
    wire.send(call % (b'"s1"', rb"\ud83d"))
    answer = wire.read()
    assert answer["id"] == "s1"
    assert "lone surrogate" in answer["error"]["message"]
    wire.send(call % (b"3", rb"\ud83d\ude00 wires"))
    assert wire.read()["result"]["isError"] is False


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"name": "no_such_tool", "arguments": {}}, -32602),
        ({"name": "recal", "arguments": {"query": "x"}}, -32602),
        ({"name": 5}, -32602),
        ({"name": "recall", "arguments": "x"}, -32602),
        ({"name": "recall", "arguments": ["x"]}, -32602),
        ({}, -32602),
    ],
)
def test_calls_that_are_none_are_errors_of_the_protocol(wire: Wire, params: dict[str, Any], code: int) -> None:
    wire.send({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": params})
    error = wire.read()["error"]
    assert error["code"] == code
    assert "Traceback" not in error["message"]
    if params.get("name") == "recal":
        assert "did you mean recall?" in error["message"]


def test_methods_and_resources_that_are_none_are_errors_too(wire: Wire) -> None:
    for method, params in (
        ("no/such", {}), ("resources/read", {"uri": "file:///etc/passwd"}),
        ("resources/read", {"uri": "soulmem://mind/other/persona"}),
        ("resources/read", {"uri": "soulmem://mind/wire/notes/../persona"}),
    ):  # fmt: skip
        wire.send({"jsonrpc": "2.0", "id": 5, "method": method, "params": params})
        assert "error" in wire.read()


@pytest.mark.parametrize("text", ["x" * 262_144, "好" * 87_381], ids=["english", "chinese"])
def test_texts_of_256_kib_pass_and_larger_ones_are_refused(wire: Wire, text: str) -> None:
    wire.ask(6, "add_memory", text=text)
    made = wire.read()["result"]["structuredContent"]["id"]
    wire.ask(7, "add_memory", text=text + "好")
    refused = wire.read()["result"]
    assert refused["isError"] is True
    assert "at most 262144 are taken" in refused["content"][0]["text"]
    wire.ask(8, "search_memories", limit=50)
    assert len(json.dumps(wire.read())) < 50_000
    wire.ask(9, "delete_memory", id=made)
    assert wire.read()["result"]["isError"] is False


def test_a_call_that_is_called_off_is_not_answered(wire: Wire) -> None:
    wire.ask(20, "reflect")
    wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 20}})
    wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "never"}})
    wire.ask(21, "memory_status")
    answers = [wire.read()]
    if answers[0]["id"] == 20:  # it was done before it was called off
        answers.append(wire.read())
    assert answers[-1]["id"] == 21


def test_many_calls_at_once_are_all_answered(wire: Wire) -> None:
    for number in range(100, 160):
        wire.ask(number, "search_memories", query="wires", limit=1)
    answers = [wire.read() for _ in range(60)]
    assert {each["id"] for each in answers} == set(range(100, 160))
    assert [each["result"] for each in answers if each["result"]["isError"]] == []


def test_it_comes_back_with_the_daemon(tmp_path: Path) -> None:
    with over_stdio(tmp_path / "d.sock", "--mind", "again") as client:
        line = client.fault("recall", query="tea")
        assert line.startswith("the memory is not running: no daemon on")
        assert "`soulmem daemon`" in line
        for round_ in range(2):
            running = start(tmp_path)
            try:
                wait_ready(running)
                made = client.facts("add_memory", text=f"Round {round_} was played, 第{round_}局。")["id"]
                assert client.facts("get_memory", id=made)["state"] == "clear"
                assert client.facts("memory_status")["memories"] == round_ + 1
            finally:
                running.terminate()
            assert "not running" in client.fault("memory_status")
            with pytest.raises(MCPError, match="not running"):
                client.run("read_resource", "soulmem://mind/again/recent")


def test_a_daemon_that_is_killed_amid_a_call_is_told(tmp_path: Path) -> None:
    with http_server(tmp_path / "d.sock", "--mind", "killed") as url, over_http(url) as client:
        running = start(tmp_path)
        wait_ready(running)
        client.facts("add_memory", text="Something before the fall.")
        lines: list[str] = []
        results: list[Any] = []

        def keep_asking() -> None:
            while not lines and time.monotonic() < deadline:
                result = client.call("add_memory", text="Something amid the fall.")
                (lines if result.is_error else results).append(result.content[0].text)

        deadline = time.monotonic() + 30
        asking = threading.Thread(target=keep_asking)
        asking.start()
        until(lambda: len(results) > 3)
        running.kill()
        asking.join(30)
        assert "not running" in lines[0]
        again = start(tmp_path)
        try:
            wait_ready(again)
            assert client.facts("memory_status")["memories"] >= 1 + len(results), "what was acknowledged is there"
        finally:
            again.terminate()


def test_two_servers_of_one_mind_agree(daemon: Daemon) -> None:
    arguments = ("--mind", "shared", "--tools", "both")
    with (
        http_server(daemon.socket, *arguments) as here, http_server(daemon.socket, *arguments) as there,
        over_http(here) as one, over_http(there) as other,
    ):  # fmt: skip
        entities = [{"name": f"n{number}", "entityType": "t", "observations": ["同一个"]} for number in range(5)]
        threads = [
            threading.Thread(target=each.facts, args=("create_entities",), kwargs={"entities": entities})
            for each in (one, other)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made = one.facts("add_memory", text="Both see it.")["id"]
        assert other.facts("get_memory", id=made)["text"] == "Both see it."
        graph = one.facts("read_graph")
        assert graph == other.facts("read_graph")
        assert sorted(each["name"] for each in graph["entities"]) == [f"n{number}" for number in range(5)]
        other.facts("delete_entities", entityNames=[each["name"] for each in entities])
        assert one.facts("read_graph") == {"entities": [], "relations": []}
