"""The socket server when peers are many, read slowly or say too much: nobody else waits, each gets what is its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from pathlib import Path

import anyio
import anyio.lowlevel

from echoing import House, call, reply, serving
from soulmem.gradual_start import GradualStart
from soulmem.rpc.transport.jsonrpc import encode_notification
from soulmem.rpc.transport.request_limits import Limits


async def one_guest(house: House, requests: int, took: list[float]) -> None:
    reader, writer = await house.open()
    for number in range(requests):
        started = time.monotonic()
        writer.write(call(number, n=number))
        assert (await reply(reader, 20))["id"] == number
        took.append(time.monotonic() - started)
    writer.close()


async def test_a_thousand_clients(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(connections=1200)) as house:
        took: list[float] = []
        async with anyio.create_task_group() as group:
            for _ in range(1000):
                group.start_soon(one_guest, house, 3, took)
        assert len(took) == 3_000
        await house.until(lambda: not house.server.connections)
        assert not house.named("client_refused")


async def test_a_crowd_is_let_in_together_by_a_busy_loop(tmp_path: Path) -> None:
    """Turns of the loop are what is scarce there: each takes long, and one client in two of them was let in."""
    crowd, turns = 200, 0
    async with serving(tmp_path, Limits(connections=crowd)) as house:
        socks = [house.raw() for _ in range(crowd)]
        while house.server.connections < crowd:
            turns += 1
            await anyio.lowlevel.checkpoint()
        assert turns < crowd / 2
        for sock in socks:
            sock.close()


async def test_of_a_crowd_so_many_are_let_in_as_may_be(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(connections=10)) as house:
        guests = [await house.open() for _ in range(50)]
        said = 0
        for number, (reader, writer) in enumerate(guests):
            writer.write(call(number))
            answer = await reply(reader, 20)
            said += "result" in answer
            assert "result" in answer or answer["error"]["data"]["name"] == "overloaded"
            if "error" not in answer:
                assert answer["id"] == number
        assert said == 10 == house.server.connections
        for _, writer in guests:
            writer.close()


async def test_requests_that_come_together_begin_little_by_little(tmp_path: Path) -> None:
    """All that is ready in one turn of the loop runs before anybody else is looked at."""
    crowd, each = 40, 8
    async with serving(tmp_path) as house:
        guests = [await house.open() for _ in range(crowd)]
        other, asking = await house.open()
        for number, (_, writer) in enumerate(guests):
            writer.write(b"".join(call(at, "work", n=(number, at), ms=3) for at in range(each)))
        await house.until(lambda: bool(house.echo.done))
        waited = []
        while len(house.echo.done) < crowd * each - 30:
            before = len(house.echo.done)
            asking.write(call(0, "system.status"))
            assert "result" in await reply(other, 20)
            waited.append(len(house.echo.done) - before - 1)
        assert len(waited) > 5, "he was answered again and again"
        assert max(waited) < 30
        for reader, _ in guests:
            assert [(await reply(reader, 20))["id"] for _ in range(each)] == list(range(each))
        begun = [n for n in house.echo.started if n is not None]
        assert all([at for other, at in begun if other == number] == list(range(each)) for number in range(crowd))


async def test_who_is_cut_off_before_its_turn_keeps_nobody_from_his(tmp_path: Path) -> None:
    start, begun = GradualStart(), list[int]()

    async def request(number: int) -> None:
        await start.turn()
        begun.append(number)
        time.sleep(0.002)  # noqa: ASYNC251 it holds the loop: that is the point

    tasks = [asyncio.create_task(request(number)) for number in range(60)]
    await anyio.lowlevel.checkpoint()
    for number in range(10, 60, 3):
        tasks[number].cancel()
    await asyncio.wait(tasks, timeout=20)
    cut = [number for number, task in enumerate(tasks) if task.cancelled()]
    assert cut
    assert begun == [number for number in range(60) if number not in cut]
    await anyio.sleep(0.01)
    await asyncio.wait_for(request(99), 5)
    assert begun[-1] == 99


async def test_readers_that_never_read_are_bounded_and_dropped(tmp_path: Path) -> None:
    limits = Limits(stall_ms=400, write_high_bytes=65_536)
    async with serving(tmp_path, limits) as house:
        deaf = [house.raw() for _ in range(10)]
        for sock in deaf:
            sock.send(b"".join(call(n, "big", bytes=600_000) for n in range(16)))
        took: list[float] = []
        await one_guest(house, 50, took)
        waiting = [c._outbox.waiting_bytes for c in house.server._connections]
        assert max(waiting) <= limits.write_high_bytes + 700_000, "one reply over the mark, no more"
        await house.until(lambda: not house.server.connections, 10)
        assert [f["reason"] for f in house.named("client_refused")] == ["slow_reader"] * 10
        assert house.server.in_flight == 0
        for sock in deaf:
            sock.close()


async def test_a_slow_reader_that_does_read_gets_everything(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(stall_ms=300, write_high_bytes=65_536)) as house:
        sock = house.raw()
        sock.send(b"".join(call(n, "big", bytes=300_000) for n in range(10)))
        received = bytearray()
        with anyio.fail_after(10):
            while received.count(b"\n") < 10:
                await anyio.sleep(0.01)
                try:
                    received += sock.recv(65_536)
                except BlockingIOError:
                    continue
        assert sorted(json.loads(line)["id"] for line in received.splitlines()) == list(range(10))
        sock.close()


async def test_who_sends_much_before_reading_gets_everything(tmp_path: Path) -> None:
    """Lines that come at once and are answered at once: answers stop at their bound, and go on when it is read."""
    lines = 20_000
    async with serving(tmp_path, Limits(write_high_bytes=65_536)) as house:
        sock = house.raw()
        assert sock.send(b"x\n" * lines) == 2 * lines
        await house.until(lambda: any(c.is_choked for c in house.server._connections))
        received = bytearray()

        async def read(count: int) -> None:
            with anyio.fail_after(10):
                while received.count(b"\n") < count:
                    await anyio.sleep(0.001)
                    with contextlib.suppress(BlockingIOError):
                        received.extend(sock.recv(1 << 20))
                    assert max(c._outbox.waiting_bytes for c in house.server._connections) < 1 << 18

        await read(lines)
        assert received.count(b"\n") == lines
        sock.send(call(1, "echo"))
        await read(lines + 1)
        assert json.loads(received.splitlines()[-1])["id"] == 1
        sock.close()


async def test_a_flood_of_garbage_does_not_starve_the_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        flood = house.raw()
        loop = asyncio.get_running_loop()

        async def pour() -> None:
            while True:
                await loop.sock_sendall(flood, b"x\n" * 100_000)

        async with anyio.create_task_group() as group:
            group.start_soon(pour)
            await anyio.sleep(0.1)
            took: list[float] = []
            with anyio.fail_after(5):
                await one_guest(house, 50, took)
            group.cancel_scope.cancel()
        flooding = max(c._outbox.waiting_bytes for c in house.server._connections)
        assert flooding < 1 << 20
        flood.close()


async def test_pushed_lines_stop_at_their_bound(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(push_bytes=100_000)) as house:
        reader, writer = await house.open()
        writer.write(call(1, "events.watch"))
        await reply(reader)
        (peer,) = house.echo.watchers
        assert peer.notify("event", {"event": "note_created", "text": "新笔记"})
        assert (await reply(reader))["params"]["text"] == "新笔记"
        deaf = house.raw()
        deaf.send(call(1, "events.watch"))
        await house.until(lambda: len(house.echo.watchers) == 2)
        line = encode_notification("event", {"text": "x" * 10_000})
        other = house.echo.watchers[1]
        pushed = 0
        while other.push(line):
            pushed += 1
            assert pushed < 1000
        assert not other.notify("event", {})
        assert other.notify("lagged", {}, urgent=True)
        number = other.number
        deaf.close()
        await house.until(lambda: house.echo.gone == [number])
        assert other.is_closed
        assert not other.push(line)
        late: list[int] = []
        other.on_close(lambda: late.append(1))
        assert late == [1]
