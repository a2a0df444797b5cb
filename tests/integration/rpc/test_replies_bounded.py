"""What one client may be owed: replies stop being made while it does not read, lists end where an answer is full."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import anyio

from checking import Wire, checking
from daemon_fixture import Daemon, daemon_process
from echoing import call, serving
from soulmem.errors import ErrorName
from soulmem.rpc.transport.line_framing import VALUES, Fault, decode_line
from soulmem.rpc.transport.request_limits import Limits, Rates

_LONG = "忆" * 80_000  # near the longest text there may be
_ASKED = 32


def _resident_bytes(daemon: Daemon) -> int:
    status = Path(f"/proc/{daemon.process.pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def test_who_reads_nothing_is_owed_little(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon, Wire(daemon) as deaf:
        api = checking(daemon)
        for number in range(12):
            api.say("mira", f"{number} {_LONG}", role="system")
        list(api.messages("mira"))
        before = _resident_bytes(daemon)
        for number in range(_ASKED):
            deaf.send(call(number, "message.list", mind="mira", limit=500).rstrip())
        took = []
        for _ in range(20):
            began = time.monotonic()
            api.call("system.ping")
            took.append(time.monotonic() - began)
            time.sleep(0.02)
        grown = _resident_bytes(daemon) - before
        assert grown < 24_000_000, f"{grown} bytes for one client that does not read"
        answers = [deaf.receive() for _ in range(_ASKED)]
        assert sorted(answer["id"] for answer in answers if answer) == list(range(_ASKED))
        assert all(answer and answer["result"]["items"] == answers[0]["result"]["items"] for answer in answers)  # type: ignore[index]
        assert max(took) < 5


def test_lists_end_where_a_page_is_full_and_go_on_from_there(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        for number in range(7):
            api.say("mira", f"{number} {_LONG}", role="system")
            api.note("mira", f"{number} {_LONG}", kind="lore")
        first = api.call("message.list", mind="mira")
        assert 1 <= len(first["items"]) < 7
        assert [int(each["content"].split()[0]) for each in api.messages("mira")] == list(range(7))
        assert [int(each["text"].split()[0]) for each in api.notes("mira")] == list(range(7))
        graph = api.call("graph.get", mind="mira")
        assert graph["truncated"]
        assert graph["notes"]
        number = graph["notes"][0]["id"]
        for version in range(7):
            api.call("note.update", mind="mira", id=number, text=f"{version} {_LONG}")
        versions = api.call("note.history", mind="mira", id=number)["versions"]
        assert [each["version"] for each in versions] == sorted(each["version"] for each in versions)
        assert 1 <= len(versions) < 7


async def test_an_answer_that_is_too_long_is_refused_and_the_connection_stays(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(reply_bytes=10_000)) as house:
        reader, writer = await house.open()
        writer.write(call(1, "big", bytes=30_000) + call(2, "big", bytes=3_000))
        refused, answered = [json.loads(await reader.readline()) for _ in range(2)]
        assert refused["error"]["data"]["name"] == "too_large"
        assert answered["id"] == 2


async def test_replies_stop_being_made_when_enough_of_them_wait(tmp_path: Path) -> None:
    limits = Limits(owed_bytes=1_000_000, expected_bytes=250_000, write_high_bytes=65_536)
    async with serving(tmp_path, limits) as house:
        sock = house.raw()
        sock.send(b"".join(call(number, "big", n=number, bytes=600_000) for number in range(16)))
        await anyio.sleep(0.3)
        assert len(house.echo.started) <= 4, "as many as were expected to fit"
        received = bytearray()
        with anyio.fail_after(10):
            while received.count(b"\n") < 16:
                await anyio.sleep(0.001)
                try:
                    received += sock.recv(1 << 20)
                except BlockingIOError:
                    continue
        assert [json.loads(line)["id"] for line in received.splitlines()] == list(range(16))
        assert house.echo.started == list(range(16)), "in their order"


async def test_what_waited_for_its_turn_is_done_though_its_client_is_gone(tmp_path: Path) -> None:
    limits = Limits(owed_bytes=100_000, expected_bytes=50_000, write_high_bytes=16_384)
    async with serving(tmp_path, limits) as house:
        sock = house.raw()
        sock.send(call(0, "big", n=0, bytes=600_000) * 3 + b"".join(call(n, "echo", n=n) for n in range(1, 5)))
        await anyio.sleep(0.1)
        assert 4 not in house.echo.done
        sock.close()
        await house.until(lambda: house.echo.done[-4:] == [1, 2, 3, 4])
        await house.until(lambda: not house.server.in_flight)


async def test_a_drain_tells_those_who_wait_for_their_turn(tmp_path: Path) -> None:
    limits = Limits(owed_bytes=100_000, expected_bytes=50_000, write_high_bytes=16_384)
    async with serving(tmp_path, limits) as house:
        sock = house.raw()
        sock.send(call(0, "big", n=0, bytes=600_000) * 3 + call(1, "echo", n=1))
        await anyio.sleep(0.1)
        with anyio.fail_after(5):
            await house.server.drain(0.2)
        assert house.server.in_flight == 0
        assert 1 not in house.echo.done


async def test_each_user_has_so_many_requests_a_second(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(requests_per_s=50, in_flight=1000)) as house:
        reader, writer = await house.open()
        writer.write(b"".join(call(number) for number in range(200)))
        answers: list[dict[str, Any]] = [json.loads(await reader.readline()) for _ in range(200)]
        refused = [answer["error"]["data"] for answer in answers if "error" in answer]
        assert 100 < len(refused) <= 150
        assert {each["name"] for each in refused} == {"overloaded"}
        assert all(each["retryable"] and 0 < each["retry_after_ms"] <= 20 for each in refused)
        assert [each["reason"] for each in house.named("client_refused")] == ["too_fast"], "told once"
        await anyio.sleep(0.5)
        writer.write(call(1))
        assert "result" in json.loads(await reader.readline())


def test_a_budget_is_each_users_own_and_fills_again() -> None:
    rates = Rates(10)
    assert [rates.spend(1, 0.0)[0] for _ in range(11)] == [0] * 10 + [100]
    assert rates.spend(2, 0.0) == (0, False)
    assert rates.spend(1, 0.05) == (50, False)
    assert rates.spend(1, 0.2) == (0, False)
    assert Rates(0).spend(1, 0.0) == (0, False)
    crowd = Rates(10)
    assert all(crowd.spend(uid, 0.0) == (0, False) for uid in range(5000))


def test_crowds_of_values_are_refused_before_they_are_read() -> None:
    text = ',"' * 100_000
    fine = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"text": text}}).encode()
    assert not isinstance(decode_line(fine), Fault), "commas and quotes in a text are no values"
    many = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "echo", "params": {"n": [1] * (VALUES - 10)}}).encode()
    assert not isinstance(decode_line(many), Fault)
    for crowd in ("1," * 300_000 + "1", '"x",' * 100_000 + "1", '{"a":[1]},' * 40_000 + "1"):
        found = decode_line(f'{{"jsonrpc":"2.0","id":"a","method":"echo","params":{{"n":[{crowd}]}}}}'.encode())
        assert isinstance(found, Fault)
        assert (found.name, found.id, found.closes) == (ErrorName.INVALID_PARAMS, "a", False)
