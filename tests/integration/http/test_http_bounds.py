"""What a client may make the server hold or wait for, and what no client may."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from http_bench import TOKEN, HttpBench, door_in_thread
from mcp_bench import until

MB = 1 << 20


def rss_mb(server: HttpBench) -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


@contextlib.contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    place = urlsplit(url)
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as connection:
        yield connection


def head(url: str, *lines: str, path: str = "/rpc") -> bytes:
    known = [f"POST {path} HTTP/1.1", f"Host: {urlsplit(url).netloc}", f"Authorization: Bearer {TOKEN}", *lines]
    return ("\r\n".join(known) + "\r\n\r\n").encode()


@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize("path", ["/rpc", "/rpc/system.ping"])
def test_fifty_megabytes_are_refused_and_not_kept(server: HttpBench, path: str, chunked: bool) -> None:
    server.call("system.ping")
    before = rss_mb(server)
    headers = [
        "-H",
        f"Authorization: Bearer {TOKEN}",
        *(["-H", "Transfer-Encoding: chunked", "-H", "Expect:"] * chunked),
    ]
    status, text = server.curl(path, *headers, "--data-binary", "@-", body=b" " * (50 * MB))
    assert status == 413
    assert json.loads(text)["error"]["data"]["name"] == "too_large"
    assert rss_mb(server) < before + 16
    answer = server.ask("POST", path, b" " * (5 * MB))  # by a client that does not ask first
    assert answer.status_code == 413
    assert server.call("system.ping")["now"]


def test_what_is_just_short_enough_is_served(server: HttpBench) -> None:
    text = "湖 " * (64 * 1024)
    params = {"mind": "long", "role": "user", "content": text}
    assert server.call("message.add", **params)["seq"] == 1
    assert server.error("POST", "/rpc/message.add", params | {"content": text + "湖"}) == (413, "too_large")
    assert server.error("POST", "/rpc/message.add", params | {"content": text * 4}) == (413, "too_large")
    batch = [{"jsonrpc": "2.0", "id": number, "method": "system.ping", "params": {"x": text}} for number in range(15)]
    replies = server.ask("POST", "/rpc", batch)
    assert replies.status_code == 200
    assert [reply["error"]["data"]["name"] for reply in replies.json()] == ["invalid_params"] * 15


def test_a_packed_body_is_refused(server: HttpBench) -> None:
    assert server.error("POST", "/rpc", b"x", headers={"Content-Encoding": "gzip"}) == (400, "invalid_request")


def test_who_does_not_come_to_an_end_is_let_go(server: HttpBench) -> None:
    with door_in_thread(server.daemon.socket, arrival_s=0.4) as url:
        halves = [b"", b"POST /rpc HT", head(url, "Content-Length: 10"), head(url, "Content-Length: 10") + b"{"]
        for half in halves:
            with connected(url) as connection:
                connection.sendall(half)
                began = time.monotonic()
                with contextlib.suppress(ConnectionResetError):
                    assert connection.recv(4096) == b""
                assert 0.2 < time.monotonic() - began < 10
        with connected(url) as connection, contextlib.suppress(ConnectionError):  # one byte at a time
            for byte in head(url, "Content-Length: 0") * 10:
                connection.sendall(bytes([byte]))
                time.sleep(0.05)
            pytest.fail("it waited for ever")
        body = b'{"jsonrpc":"2.0","id":1,"method":"system.ping"}'
        with connected(url) as connection:  # who rests between two requests is served
            for _ in range(2):
                connection.sendall(head(url, f"Content-Length: {len(body)}") + body)
                got = b""
                while b'"result"' not in got:
                    got += connection.recv(4096) or pytest.fail("it hung up")
                time.sleep(0.6)


def test_an_answer_that_nobody_takes_is_thrown_away(server: HttpBench) -> None:
    size = len(server.ask("POST", "/rpc/system.describe").content)
    with door_in_thread(server.daemon.socket, stall_s=0.4) as url, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.connect((urlsplit(url).hostname, urlsplit(url).port))
        deaf.sendall(head(url, "Content-Length: 0", path="/rpc/system.describe"))
        time.sleep(1)
        got = b""
        with contextlib.suppress(ConnectionResetError):
            while piece := deaf.recv(65_536):
                got += piece
        assert 0 < len(got) < size / 2


def test_who_is_slow_gets_all_of_an_answer(server: HttpBench) -> None:
    whole = server.ask("POST", "/rpc/system.describe").content
    with door_in_thread(server.daemon.socket, stall_s=0.6) as url, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        slow.connect((urlsplit(url).hostname, urlsplit(url).port))
        slow.sendall(head(url, "Content-Length: 0", "Connection: close", path="/rpc/system.describe"))
        got, began = b"", time.monotonic()
        while piece := slow.recv(16_384):
            got += piece
            time.sleep(0.08)
    assert time.monotonic() - began > 0.9
    assert got.endswith(whole)


def test_who_hangs_up_frees_the_connection_that_worked_for_him(server: HttpBench) -> None:
    def count() -> int:
        found: int = server.daemon.call("system.status")["connections"]
        return found

    for number in range(8):
        server.call(
            "message.add", mind="hasty", role="user", content=f"The {number}th boat came in. 第{number}条船来了。"
        )
    before = count()
    body = b'{"mind":"hasty"}'
    for _ in range(3):
        with connected(server.url) as connection:
            connection.sendall(head(server.url, f"Content-Length: {len(body)}", path="/rpc/idle.run") + body)
            time.sleep(0.02)
    until(lambda: count() <= before)
    assert server.call("system.ping")["now"]


def test_many_at_once_are_all_answered(server: HttpBench) -> None:
    statuses: list[int] = []

    def ask(number: int) -> None:
        params = {"mind": f"crowd-{number % 4}", "role": "user", "content": f"Hello 你好 {number}"}
        statuses.append(server.ask("POST", "/rpc/message.add", params).status_code)

    crowd = [threading.Thread(target=ask, args=(number,)) for number in range(80)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join(60)
    assert statuses == [200] * 80
    heard = sum(len(server.call("message.list", mind=f"crowd-{number}")["items"]) for number in range(4))
    assert heard == 80
