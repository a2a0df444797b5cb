"""The client library against the real server, blocking (in a thread) and asynchronous."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest

from echoing import House, serving
from soulmem.client import AsyncClient, CallTimeout, Client, DaemonUnavailable, SoulmemRemoteError, socket_path
from soulmem.rpc.transport.request_limits import Limits

T = TypeVar("T")


async def blocking(work: Callable[[], T]) -> T:
    with anyio.fail_after(20):
        return await asyncio.to_thread(work)


# -- blocking ------------------------------------------------------------------------------------------


async def test_calls_results_and_errors(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:

        def work() -> None:
            with Client(house.path) as client:
                assert client.call("echo", {"text": "杭州 🐝"}) == {"text": "杭州 🐝"}
                assert client.call("echo") == {}
                with pytest.raises(SoulmemRemoteError) as failed:
                    client.call("fail")
                assert failed.value.name == "mind_not_found"
                assert failed.value.message == "no mind named mira"
                assert failed.value.hint == "did you mean mirâ?"
                assert failed.value.code == 101
                assert not failed.value.retryable
                client.notify("echo", {"n": 5})
                assert client.call("echo", {"text": "\ud800"}) == {"text": "\ufffd"}

        await blocking(work)
        assert 5 in house.echo.done


async def test_the_spelt_out_methods_send_what_they_are_given(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:

        def work() -> dict[str, Any]:
            with Client(house.path) as client:
                at = datetime(2024, 5, 1, 9, 30, tzinfo=UTC)
                return client.add_message("mira", "你好", speaker="小林", at=at, id="m-1", mark="topic")

        assert await blocking(work) == {
            "mind": "mira",
            "content": "你好",
            "role": "user",
            "speaker": "小林",
            "at": "2024-05-01T09:30:00+00:00",
            "id": "m-1",
            "mark": "topic",
        }


async def test_many_calls_keep_their_order(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:

        def work() -> list[Any]:
            with Client(house.path) as client:
                calls = [("slow" if n % 10 == 0 else "echo", {"n": n, "seconds": 0.02}) for n in range(300)]
                assert [r["n"] for r in client.call_many(calls) if isinstance(r, dict)] == list(range(300))
                mixed = [("echo", {"n": 1}), ("fail", None), ("echo", {"n": 2})]
                with pytest.raises(SoulmemRemoteError, match="mind_not_found"):
                    client.call_many(mixed)
                assert client.call_many([]) == []
                return client.call_many(mixed, errors="return")

        first, failed, second = await blocking(work)
        assert (first, second) == ({"n": 1}, {"n": 2})
        assert isinstance(failed, SoulmemRemoteError)
        assert house.echo.started[:300] == list(range(300))


async def test_the_items_of_a_list_come_page_by_page(tmp_path: Path) -> None:
    async with serving(tmp_path) as house, AsyncClient(house.path) as waiting:

        def work() -> list[dict[str, Any]]:
            with Client(house.path) as client:
                first = next(client.items("list", {"limit": 3}))  # of what nobody asks for nothing more is read
                assert first == {"n": 0, "text": "忆 memory 0"}
                assert len(house.echo.started) == 1
                house.echo.drops = 1  # a list is read again where the connection breaks
                assert [each["n"] for each in client.items("list", {})] == list(range(10))
                return list(client.items("list", {"limit": 3, "cursor": "4"}))

        assert [each["n"] for each in await blocking(work)] == [4, 5, 6, 7, 8, 9]
        assert [each["n"] async for each in waiting.items("list", {"limit": 4})] == list(range(10))


async def test_many_large_calls_with_large_replies_do_not_jam(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(write_high_bytes=65_536)) as house:

        def work() -> int:
            with Client(house.path, timeout=10) as client:
                text = "蜂" * 100_000
                results = client.call_many([("echo", {"text": text})] * 40 + [("big", {"bytes": 500_000})] * 40)
                return sum(len(r["text"]) for r in results if isinstance(r, dict))

        assert await blocking(work) == 40 * 100_000 + 40 * (500_000 // 3)


async def test_a_reply_that_comes_too_late_is_not_taken_for_another(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:

        def work() -> None:
            with Client(house.path) as client:
                with pytest.raises(CallTimeout, match="slow"):
                    client.call("slow", {"seconds": 0.2, "n": 1}, timeout=0.05)
                for n in range(2, 60):
                    assert client.call("slow", {"seconds": 0.01, "n": n}) == {"seconds": 0.01, "n": n}

        await blocking(work)


async def test_a_broken_connection_is_retried_only_with_an_id(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:

        def work() -> None:
            with Client(house.path) as client:
                client.call("echo")
                house.echo.drops = 1
                assert client.add_message("mira", "hello", id="m-1")["id"] == "m-1"
                house.echo.drops = 1
                with pytest.raises(DaemonUnavailable):
                    client.add_message("mira", "hello")
                with pytest.raises(DaemonUnavailable, match="connect"):
                    client.call("echo")
                client.connect()
                assert client.call("echo", {"n": 1}) == {"n": 1}
                house.echo.drops = 2
                with pytest.raises(DaemonUnavailable):
                    client.add_message("mira", "hello", id="m-2")

        await blocking(work)


async def test_why_the_daemon_closed_is_heard(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(connections=1, frame_bytes=5000)) as house:

        def work() -> None:
            with Client(house.path) as client, Client(house.path) as late:
                client.call("echo")
                for _ in range(3):
                    late.connect()
                    with pytest.raises(SoulmemRemoteError) as refused:
                        late.call("echo")
                    assert refused.value.name == "overloaded"
                    assert refused.value.retryable
                    assert refused.value.retry_after_ms == 1000
                with pytest.raises(SoulmemRemoteError, match="too_large"):
                    client.call("echo", {"text": "x" * 400_000})

        await blocking(work)


async def test_watching_events(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:
        seen: list[Any] = []

        def watch() -> None:
            seen.extend(Client(house.path).watch("note_created", mind="mira"))

        async with anyio.create_task_group() as group:
            group.start_soon(blocking, watch)
            await house.until(lambda: house.echo.watchers)
            (peer,) = house.echo.watchers
            for n in range(3):
                peer.notify("event", {"event": "note_created", "seq": n})
            peer.notify("event", {"event": "lagged", "seq": 3})
        assert [event["seq"] for event in seen] == [0, 1, 2, 3]
        await house.until(lambda: house.echo.gone == [peer.number])


async def test_a_watcher_hears_that_the_daemon_went(tmp_path: Path) -> None:
    async with serving(tmp_path) as house:

        def watch() -> None:
            with pytest.raises(DaemonUnavailable):
                list(Client(house.path).watch())

        async with anyio.create_task_group() as group:
            group.start_soon(blocking, watch)
            await house.until(lambda: house.echo.watchers)
            await house.server.drain(1)


def test_no_daemon_is_one_clear_sentence(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    with pytest.raises(DaemonUnavailable) as away:
        Client(path).call("echo")
    assert str(path) in str(away.value)
    assert "soulmem daemon" in str(away.value)
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(path))
    with pytest.raises(DaemonUnavailable, match="none is running"):
        Client(path).add_message("mira", "hello", id="m-1")


def test_something_else_on_the_socket_is_named(tmp_path: Path) -> None:
    path = tmp_path / "s.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()

        def smtp() -> None:
            guest, _ = other.accept()
            with guest:
                guest.sendall(b"220 mail.example ESMTP\r\n")
                guest.recv(4096)

        thread = threading.Thread(target=smtp)
        thread.start()
        with Client(path, timeout=5) as client, pytest.raises(DaemonUnavailable, match="ESMTP"):
            client.call("echo")
        thread.join()


def test_where_the_socket_is(tmp_path: Path) -> None:
    runtime = {"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)}
    usual = f"{tmp_path}/soulmem/soulmem.sock"
    assert socket_path(env=runtime) == usual
    assert socket_path(env=runtime | {"RUNTIME_DIRECTORY": "/run/a:/run/b"}) == "/run/a/soulmem.sock"
    assert socket_path(env=runtime | {"SOULMEM_SOCKET": "/x/y.sock"}) == "/x/y.sock"
    assert socket_path("/explicit.sock", env=runtime | {"SOULMEM_SOCKET": "/x/y.sock"}) == "/explicit.sock"
    (tmp_path / "soulmem").mkdir()
    Path(usual).touch()
    assert socket_path(env=runtime | {"RUNTIME_DIRECTORY": "/nowhere"}) == usual, "the first that exists"


def test_importing_the_client_loads_nothing_heavy() -> None:
    code = "import sys, soulmem.client; print(sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    for heavy in ("asyncio", "anyio", "numpy", "pydantic", "dataclasses", "inspect", "logging"):
        assert f"'{heavy}'" not in loaded


# -- asynchronous --------------------------------------------------------------------------------------


async def test_async_calls_share_one_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as house, AsyncClient(house.path) as client:
        got: list[int] = []

        async def ask(n: int) -> None:
            got.append((await client.call("slow", {"n": n, "seconds": 0.01}))["n"])

        async with anyio.create_task_group() as group:
            for n in range(200):  # more than fit at once: the others wait their turn
                group.start_soon(ask, n)
        assert sorted(got) == list(range(200))
        assert len(house.named("client_connected")) == 1
        with pytest.raises(SoulmemRemoteError, match="mind_not_found"):
            await client.call("fail")
        said = await client.add_message("mira", "我搬到里斯本了。", id="m-1")
        assert said["content"] == "我搬到里斯本了。"


async def test_async_many_calls(tmp_path: Path) -> None:
    async with serving(tmp_path) as house, AsyncClient(house.path) as client:
        results = await client.call_many(("echo", {"n": n}) for n in range(300))
        assert [r["n"] for r in results if isinstance(r, dict)] == list(range(300))
        mixed = [("echo", {"n": 1}), ("fail", None)]
        assert isinstance((await client.call_many(mixed, errors="return"))[1], SoulmemRemoteError)
        with pytest.raises(SoulmemRemoteError):
            await client.call_many(mixed)
        house.echo.drops = 1
        with pytest.raises(DaemonUnavailable):
            await client.call_many([("gate", {})] * 10)


async def test_async_timeout_and_late_reply(tmp_path: Path) -> None:
    async with serving(tmp_path) as house, AsyncClient(house.path) as client:
        with pytest.raises(CallTimeout, match="slow"):
            await client.call("slow", {"seconds": 0.1}, timeout=0.02)
        await anyio.sleep(0.15)
        assert await client.call("echo", {"n": 2}) == {"n": 2}


async def test_async_broken_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as house, AsyncClient(house.path) as client:
        await client.call("echo")
        house.echo.drops = 1
        assert (await client.add_message("mira", "hello", id="m-1"))["id"] == "m-1"
        house.echo.drops = 1
        with pytest.raises(DaemonUnavailable):
            await client.add_message("mira", "hello")
        with pytest.raises(DaemonUnavailable, match="connect"):
            await client.call("echo")
        await client.connect()
        assert await client.call("echo", {"n": 1}) == {"n": 1}
    with pytest.raises(DaemonUnavailable, match="none is running"):
        await AsyncClient(tmp_path / "none.sock").call("echo")


async def test_async_refusal_of_the_whole_connection(tmp_path: Path) -> None:
    async with serving(tmp_path, Limits(frame_bytes=5000)) as house, AsyncClient(house.path) as client:
        with pytest.raises(SoulmemRemoteError, match="too_large"):
            await client.call("echo", {"text": "x" * 6000})


async def notify_later(house: House) -> None:
    await house.until(lambda: house.echo.watchers)
    for n in range(3):
        house.echo.watchers[0].notify("event", {"event": "note_created", "seq": n})


async def test_async_watching(tmp_path: Path) -> None:
    async with serving(tmp_path) as house, AsyncClient(house.path) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(notify_later, house)
            events = client.watch(["note_created"])
            assert [(await anext(events))["seq"] for _ in range(3)] == [0, 1, 2]
            await events.aclose()  # type: ignore[attr-defined]  # an async generator
        await house.until(lambda: house.echo.gone)
