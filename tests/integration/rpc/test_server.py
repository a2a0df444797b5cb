"""The socket server over real Unix sockets: every limit has an answer, and nobody takes the others down."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
import pytest

import echoing
from echoing import at_end, call, reply, serving
from soulmem.rpc.transport.line_framing import BANNER
from soulmem.rpc.transport.request_limits import Limits


async def test_echo_errors_and_notifications(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        writer.write(call("一", text="我叫小林 🐝", n=1))
        assert await reply(reader) == {"jsonrpc": "2.0", "id": "一", "result": {"text": "我叫小林 🐝", "n": 1}}
        writer.write(call(2, "fail"))
        assert (await reply(reader))["error"] == {
            "code": 101,
            "message": "no mind named mira",
            "data": {"name": "mind_not_found", "hint": "did you mean mirâ?"},
        }
        writer.write(call(3, "nothing"))
        assert (await reply(reader))["error"]["code"] == -32601
        writer.write(b'{"jsonrpc":"2.0","method":"echo","params":{"n":7}}\n{"jsonrpc":"2.0","method":"fail"}\n')
        writer.write(call(4, "admin"))
        said = await reply(reader)
        assert said["id"] == 4, "notifications are executed and not answered"
        assert 7 in house.echo.done
        writer.close()
        await house.until(lambda: not house.server.connections)
        (left,) = house.named("client_disconnected")
        assert (left["requests"], left["reason"]) == (6, "client")


async def test_what_a_handler_raises_ends_one_request_only(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        for number, method in enumerate(["crash", "stray", "unsayable"]):
            writer.write(call(number, method))
            said = await reply(reader)
            assert said["error"]["code"] == -1
            assert said["error"]["data"]["name"] == "internal"
            assert "secret" not in json.dumps(said), "the client never sees the exception"
        writer.write(call(9, n=9))
        assert (await reply(reader))["result"] == {"n": 9}
        failed = house.named("request_failed")
        assert [f["error"] for f in failed] == ["ZeroDivisionError", "CancelledError", "TypeError"]
        assert all(f["exc_info"].__traceback__ is not None for f in failed)


async def test_garbage_is_answered_and_the_connection_kept(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        for line, code in [
            (b"hello\n", -32700),
            (b"\xff\xfe\n", -32700),
            (b'{"a":NaN}\n', -32700),
            (b"[1]\n", -32600),
            (b'{"jsonrpc":"2.0","id":5,"method":"echo","params":[1]}\n', -32602),
            (b'{"id":5,"method":"echo"}\n', -32600),
        ]:
            writer.write(line)
            said = await reply(reader)
            assert (said["error"]["code"], said["id"]) == (code, 5 if b'"id":5' in line else None)
        writer.write(b"\r\n\n" + call(6)[:-1] + b"\r\n")
        assert (await reply(reader))["id"] == 6


async def test_http_gets_one_readable_line(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        writer.write(b"GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert await reader.readline() == BANNER
        assert b"JSON-RPC 2.0" in BANNER
        assert await at_end(reader)
        assert house.named("client_refused")[0]["reason"] == "not_json_rpc"


async def test_an_oversize_line_is_refused_at_the_limit(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(frame_bytes=4096)) as house:
        reader, writer = await house.open()
        writer.write(call(1, text="x" * 3000))
        assert (await reply(reader))["id"] == 1
        sock = house.raw()
        sent = 0
        while sent < 1 << 30:  # an endless line: cut off long before the end
            try:
                sent += sock.send(b"{" * 65_536)
            except BlockingIOError:
                await anyio.sleep(0.001)
            except (BrokenPipeError, ConnectionResetError):
                break
        assert sent < 16 << 20
        said = json.loads(sock.recv(4096))
        assert said["error"]["data"]["name"] == "too_large"
        sock.close()
        writer.write(call(2))
        assert (await reply(reader))["id"] == 2


async def test_half_frames_and_silence_meet_their_deadline(tmp_path: Path) -> None:
    limits = Limits(first_frame_ms=200, frame_ms=200)
    async with serving(tmp_path, limits) as house:
        silent, _keep = await house.open()
        half, half_writer = await house.open()
        half_writer.write(call(1)[:-5])
        resting, resting_writer = await house.open()
        resting_writer.write(call(1))
        assert (await reply(resting))["id"] == 1
        dripping, dripping_writer = await house.open()
        started = time.monotonic()

        async def drip() -> None:
            for byte in call(1, text="x" * 2000):
                dripping_writer.write(bytes([byte]))
                await anyio.sleep(0.02)

        async with anyio.create_task_group() as group:
            group.start_soon(drip)
            for reader in (silent, half, dripping):
                said = await reply(reader, 2)
                assert said["error"]["code"] == -32700
                assert "200 ms" in said["error"]["message"]
                assert await at_end(reader)
            assert time.monotonic() - started < 5, "counted from the first byte, not the last"
            group.cancel_scope.cancel()
        await anyio.sleep(0.3)
        resting_writer.write(call(2))
        assert (await reply(resting))["id"] == 2, "a connection may rest between requests"


async def test_a_half_closed_client_gets_its_replies(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        writer.write(call(1, "slow") + call(2)[:-1])  # as from `printf … | nc`: no line feed at the end
        writer.write_eof()
        assert {(await reply(reader))["id"], (await reply(reader))["id"]} == {1, 2}
        assert await at_end(reader)
        reader, writer = await house.open()
        writer.write(b'{"jsonrpc":')
        writer.write_eof()
        assert (await reply(reader))["error"]["code"] == -32700
        assert await at_end(reader)


async def test_pipelined_requests_start_in_order_and_replies_overlap(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        writer.write(call(0, "slow", seconds=0.2, n=0) + b"".join(call(n, n=n) for n in range(1, 32)))
        order = [(await reply(reader))["id"] for _ in range(32)]
        assert order[-1] == 0, "a slow request holds up no other"
        assert order[:-1] == list(range(1, 32))
        assert house.echo.started == list(range(32))


async def test_the_33rd_request_in_flight_is_refused_by_its_id(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        writer.write(b"".join(call(n, "gate", n=n) for n in range(35)))
        for expected in (32, 33, 34):
            said = await reply(reader)
            assert said["id"] == expected
            assert said["error"]["data"]["name"] == "overloaded"
            assert said["error"]["data"]["retryable"] is True
            assert said["error"]["data"]["retry_after_ms"] > 0
        house.echo.gate.set()
        assert sorted([(await reply(reader))["id"] for _ in range(32)]) == list(range(32))
        writer.write(call(40))
        assert (await reply(reader))["id"] == 40


async def test_one_client_too_many_is_told_so(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(connections=3)) as house:
        guests = [await house.open() for _ in range(3)]
        await house.until(lambda: house.server.connections == 3)
        reader, _writer = await house.open()
        said = await reply(reader)
        assert (said["id"], said["error"]["data"]["name"]) == (None, "overloaded")
        assert await at_end(reader)
        assert [f["reason"] for f in house.named("client_refused")] == ["too_many"]
        guests[0][1].close()
        await house.until(lambda: house.server.connections == 2)
        reader, writer = await house.open()
        writer.write(call(1))
        assert (await reply(reader))["id"] == 1


async def test_requests_left_behind_do_not_pile_up(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(connections=2, in_flight=2)) as house:
        for left_behind in (2, 4):
            _, writer = await house.open()
            writer.write(call(1, "gate") + call(2, "gate"))
            await house.until(lambda expected=left_behind: house.server.in_flight == expected)
            writer.close()
            await house.until(lambda: not house.server.connections)
        reader, writer = await house.open()
        writer.write(call(3))
        assert (await reply(reader))["error"]["data"]["name"] == "overloaded"
        house.echo.gate.set()
        await house.until(lambda: not house.server.in_flight)
        writer.write(call(4))
        assert (await reply(reader))["id"] == 4


STRANGER = """
import os, socket, sys
os.setgroups([]), os.setgid(int(sys.argv[3])), os.setuid(int(sys.argv[2]))
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(sys.argv[1])
    sock.sendall(b'{"jsonrpc":"2.0","id":1,"method":"admin"}\\n')
    print(sock.recv(4096).decode())
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
async def test_strangers_are_turned_away_and_the_group_may_write() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        os.chmod(name, 0o755)
        async with serving(Path(name), mode=0o666) as house:

            def as_user(uid: int, gid: int) -> dict[str, Any]:
                command = [sys.executable, "-c", STRANGER, house.path, str(uid), str(gid)]
                run = subprocess.run(command, capture_output=True, check=True)
                return dict(json.loads(run.stdout)["error"])

            stranger = await asyncio.to_thread(as_user, 65_533, 65_533)
            assert stranger["data"]["name"] == "access_denied"
            assert "may not use" in stranger["message"]
            member = await asyncio.to_thread(as_user, 65_533, os.getegid())
            assert "this connection has write" in member["message"]
            assert [f["reason"] for f in house.named("client_refused")] == ["access_denied"]


async def test_drain_finishes_what_is_in_flight(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        writer.write(call(1, "slow", seconds=0.3) + call(2, "gate"))
        await house.until(lambda: house.server.in_flight == 2)
        async with anyio.create_task_group() as group:
            group.start_soon(house.server.drain, 0.6)
            await house.until(lambda: not Path(house.path).exists())
            with pytest.raises(OSError, match=r"No such file|refused"):
                await house.open()
            writer.write(call(3) + call(4, "system.status", n=4))
            answers = {said["id"]: said for said in [await reply(reader) for _ in range(4)]}
            assert await at_end(reader)
        assert answers[1]["result"] == {"seconds": 0.3}
        assert answers[2]["error"]["data"]["name"] == "stopping", "cut off after the grace"
        assert answers[3]["error"]["data"]["name"] == "stopping"
        assert answers[4]["result"] == {"n": 4}, "status answers in every state"
        await house.server.serve()  # returns at once: drained


async def test_cancelling_the_server_leaves_nothing_behind(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        reader, writer = await house.open()
        writer.write(call(1, "gate"))
        await house.until(lambda: house.server.in_flight == 1)
    assert house.server.in_flight == house.server.connections == 0
    assert not (tmp_path / "s.sock").exists()
    assert await at_end(reader)


EXHAUSTION = """
import asyncio, json, resource, socket, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from echoing import serving

async def main(directory):
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    async with serving(Path(directory)) as house:
        print("ready", flush=True)
        await house.until(lambda: house.named("accept_paused"), 20)
        await house.until(lambda: house.server.connections == 0 and house.server.requests >= 200, 20)
        print(json.dumps([house.named("accept_paused"), house.server.requests]), flush=True)

asyncio.run(main(sys.argv[1]))
"""


async def test_running_out_of_descriptors_pauses_and_recovers(tmp_path: Path) -> None:
    tests = str(Path(echoing.__file__).parent)
    command = [sys.executable, "-c", EXHAUSTION, str(tmp_path), tests]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:  # noqa: ASYNC220 reads one line
        assert daemon.stdout is not None
        assert daemon.stdout.readline() == "ready\n"
        guests = []
        for _ in range(200):
            sock = socket.socket(socket.AF_UNIX)
            sock.settimeout(10)
            sock.connect(str(tmp_path / "s.sock"))
            sock.sendall(call(1))
            guests.append(sock)
        time.sleep(0.3)  # noqa: ASYNC251 the other process works meanwhile
        for sock in guests:  # each that leaves makes room for one that waits
            assert json.loads(sock.recv(4096))["id"] == 1
            sock.close()
        paused, requests = json.loads(daemon.stdout.read())
        assert daemon.wait(10) == 0
    assert requests == 200
    assert paused[0] == {"error": "EMFILE", "pause_ms": 100}
    assert len(paused) < 50, "one event an episode, not one a retry"
