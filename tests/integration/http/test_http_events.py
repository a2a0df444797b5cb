"""Events over HTTP: what is streamed and to whom, and what a stream leaves behind when either end goes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from daemon_fixture import daemon_process
from http_bench import TOKEN, HttpBench, door_in_thread, http_process
from mcp_bench import until


def connections(server: HttpBench) -> int:
    found: int = server.daemon.call("system.status")["connections"]
    return found


def test_events_come_as_they_happen(server: HttpBench) -> None:
    with server.events("?events=mind_created") as stream:
        server.call("mind.create", mind="watched-1", title="罗莎 Rosa")
        server.call("note.add", mind="watched-1", kind="lore", text="Not asked for. 没问过。")
        server.call("mind.create", mind="watched-2")
        first, second = stream.next(), stream.next()
    assert (first["event"], first["data"]["event"], first["data"]["mind"]) == ("mind_created",) * 2 + ("watched-1",)
    assert second["data"]["mind"] == "watched-2"
    assert int(first["id"]) == first["data"]["seq"] < int(second["id"])


def test_events_of_one_mind_and_of_several_names(server: HttpBench) -> None:
    server.call("mind.create", mind="watched-3")
    with server.events("?mind=watched-3&events=note_created,note_forgotten&events=mind_deleted") as stream:
        for mind in ("watched-3", "watched-4"):
            made = server.call("note.add", mind=mind, kind="lore", text="A seal came ashore. 海豹上岸了。")["id"]
            server.call("note.forget", mind=mind, id=made)
        server.call("mind.delete", mind="watched-3", confirm="watched-3")
        names = [stream.next()["event"] for _ in range(3)]
    assert names == ["note_created", "note_forgotten", "mind_deleted"]


def test_curl_reads_them(server: HttpBench) -> None:
    command = [
        "curl",
        "-sSN",
        "-m",
        "30",
        "-H",
        f"Authorization: Bearer {TOKEN}",
        f"{server.url}/events?events=mind_created",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as curl:
        assert curl.stdout is not None
        assert curl.stdout.readline() == b"retry: 2000\n"
        server.call("mind.create", mind="watched-5")
        lines = [curl.stdout.readline() for _ in range(5)]
        curl.kill()
    assert lines[2] == b"event: mind_created\n"
    assert json.loads(lines[3].removeprefix(b"data: "))["mind"] == "watched-5"


@pytest.mark.parametrize(
    ("query", "status", "name"),
    [
        ("?event=x", 400, "invalid_params"), ("?mind=No%20Such", 400, "invalid_params"),
        ("?mind=%E7%BD%97", 400, "invalid_params"), (f"?token={TOKEN}", 400, "invalid_request"),
        ("?events=" + ",".join("x" * 201), 400, "invalid_params"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_before_a_stream_begins(server: HttpBench, query: str, status: int, name: str) -> None:
    assert server.error("GET", f"/events{query}") == (status, name)


def test_without_the_token_nothing_is_streamed(server: HttpBench) -> None:
    assert server.curl("/events")[0] == 401
    assert server.error("POST", "/events") == (405, "wrong_verb")
    assert server.ask("HEAD", "/events").headers["content-type"].startswith("text/event-stream")


def test_who_hangs_up_leaves_nothing_behind(server: HttpBench) -> None:
    server.call("system.ping")
    before, files = connections(server), server.open_files()
    for _ in range(3):
        with contextlib.ExitStack() as streams:
            for _ in range(4):
                streams.enter_context(server.events())
            assert connections(server) == before + 4
        until(lambda: connections(server) == before)
    until(lambda: server.open_files() <= files + 1)  # the client keeps one open for its next request


def test_so_many_streams_and_no_more(server: HttpBench) -> None:
    before = connections(server)
    with contextlib.ExitStack() as streams:
        for _ in range(64):
            streams.enter_context(server.events())
        refused = server.ask("GET", "/events")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
        assert server.call("system.ping")["now"]
    until(lambda: connections(server) <= before)
    with server.events():
        pass


def test_in_silence_comments_come(server: HttpBench) -> None:
    with door_in_thread(server.daemon.socket, quiet_s=0.2) as url, httpx2.Client(verify=False, timeout=30) as client:
        asked = client.stream("GET", f"{url}/events?events=mind_deleted", headers=server.authorization)
        with asked as answer:
            lines = answer.iter_lines()
            assert [next(lines) for _ in range(6)] == ["retry: 2000", "", ": quiet", "", ": quiet", ""]


def test_a_deaf_reader_is_let_go_and_harms_nobody(server: HttpBench) -> None:
    before = connections(server)
    with door_in_thread(server.daemon.socket, stall_s=0.5) as url, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        place = urlsplit(url)
        deaf.connect((place.hostname, place.port))
        deaf.sendall(f"GET /events HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode())
        until(lambda: connections(server) > before)
        for number in range(40):
            server.call("note.add", mind="deaf", kind="lore", text=f"Line {number} of a long tale, 第{number}行。")
        with httpx2.stream("GET", f"{url}/events?events=mind_created", headers=server.authorization) as hearing:
            server.call("mind.create", mind="heard")
            assert "heard" in next(line for line in hearing.iter_lines() if line.startswith("data: "))
        until(lambda: connections(server) <= before)


def test_a_server_that_is_told_to_stop_ends_its_streams(server: HttpBench) -> None:
    ended = threading.Event()
    with http_process(server.daemon) as stopped, stopped.events() as stream:
        reading = threading.Thread(target=lambda: (stream.rest(), ended.set()))
        reading.start()
        stopped.process.send_signal(signal.SIGTERM)
        assert ended.wait(2.5)  # it waits three seconds for those that do not end
        reading.join()
        assert stopped.process.wait(10) == 0


def test_what_a_stopping_server_cannot_wait_for_is_told_so(tmp_path: Path) -> None:
    answers: list[httpx2.Response] = []

    def ask(url: str) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answers.append(httpx2.post(f"{url}/rpc/idle.run", json={"mind": "x"}, headers=headers, timeout=20))

    with scripted(tmp_path / "s.sock") as asked, door_in_thread(tmp_path / "s.sock", stop_s=1) as url:
        asking = threading.Thread(target=ask, args=(url,))
        asking.start()
        assert asked.wait(10)
    asking.join(10)
    assert (answers[0].status_code, answers[0].json()["error"]["data"]["name"]) == (503, "stopping")


def test_a_daemon_that_ends_ends_the_stream(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon, http_process(daemon) as server:
        with server.events("?events=mind_created") as stream:
            assert daemon.terminate() == 0
            while stream.block():
                pass
        assert server.error("GET", "/events") == (503, "daemon_unavailable")


@contextlib.contextmanager
def scripted(path: Path, *lines: bytes, is_open: bool = True) -> Iterator[threading.Event]:
    """Somebody who answers on a socket in place of the daemon, with these lines, and then hangs up or listens on."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        asked.set()
        writer.write(b"".join(lines))
        with contextlib.suppress(ConnectionError):
            await writer.drain()
            if is_open:
                await reader.read()
        writer.close()

    async def serve() -> None:
        async with await asyncio.start_unix_server(answer, path):
            ready.set()
            await asyncio.to_thread(ended.wait)

    ready, asked, ended = threading.Event(), threading.Event(), threading.Event()
    running = threading.Thread(target=asyncio.run, args=(serve(),))
    running.start()
    assert ready.wait(10)
    try:
        yield asked
    finally:
        ended.set()
        running.join(10)


WATCHING = b'{"jsonrpc":"2.0","id":1,"result":{"watching":null}}\n'


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([WATCHING, b'{"jsonrpc":"2.0","method":"lagged","params":{"hint":"read faster"}}\n', b"never\n"],
         ["event: lagged", 'data: {"hint":"read faster"}', ""]),
        ([WATCHING, b"no JSON\n"], []),
        ([WATCHING, b"[]\n"], []),
        ([WATCHING, b"x" * 300_000 + b"\n"], []),
    ],
)  # fmt: skip
def test_who_is_dropped_is_told_and_what_is_no_event_ends_the_stream(
    tmp_path: Path, lines: list[bytes], told: list[str]
) -> None:
    place = tmp_path / "s.sock"
    with scripted(place, *lines), door_in_thread(place) as url:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with httpx2.stream("GET", f"{url}/events", headers=headers, timeout=20) as answer:
            assert list(answer.iter_lines()) == ["retry: 2000", "", *told]


@pytest.mark.parametrize(
    "said", [None, b"[]\n", b"no JSON\n", b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}\n']
)
def test_a_stream_that_cannot_begin_is_an_error(tmp_path: Path, said: bytes | None) -> None:
    place = tmp_path / "s.sock"
    with scripted(place, *([said] if said else []), is_open=said is not None), door_in_thread(place) as url:
        answer = httpx2.get(f"{url}/events", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=20)
        assert answer.status_code in (500, 503)
        assert answer.json()["detail"]
