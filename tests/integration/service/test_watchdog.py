"""The watchdog of a real daemon: it is pinged while the event loop and the writer live, and no longer than both do.

The daemon is started by a small program that stalls one of the two when a signal asks for it; everything else is the
daemon's own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon_fixture import Daemon, wait_ready
from slowness import within

PERIOD_S = 0.5  # of pings: half of what the service manager allows
STALL_S = 4.0
STALLS = f"""
import asyncio, signal, sys, time
from soulmem.store.sqlite.database import Database
from soulmem.cli.main import run

opened = Database.open.__func__
books = []

async def remember(cls, path, *, schema):
    book = await opened(cls, path, schema=schema)
    if schema == "catalog":
        books.append((asyncio.get_running_loop(), book))
    return book

Database.open = classmethod(remember)

def stall_the_writer(*_):
    loop, book = books[-1]
    tasks.append(loop.create_task(book.write("stall", lambda connection: time.sleep({STALL_S}))))

tasks = []
signal.signal(signal.SIGUSR1, lambda *_: time.sleep({STALL_S}))  # a handler runs in the thread of the loop
signal.signal(signal.SIGUSR2, stall_the_writer)
run(sys.argv[1:])
"""


@dataclass
class Watched:
    """A daemon and the end of its service manager."""

    daemon: Daemon
    manager: socket.socket

    def told(self, seconds: float) -> list[str]:
        """The datagrams of the next seconds."""
        heard, deadline = [], time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.manager.settimeout(left)
            with contextlib.suppress(TimeoutError):
                heard.append(self.manager.recv(4096).decode())
        return heard

    def pings(self, seconds: float) -> int:
        return sum(line == "WATCHDOG=1" for line in self.told(seconds))

    def pinged(self, timeout: float) -> bool:
        deadline = time.monotonic() + within(timeout)
        while time.monotonic() < deadline:
            if self.pings(PERIOD_S):
                return True
        return False


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        environment = {
            **os.environ, "NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": str(int(PERIOD_S * 2_000_000)),
            "SOULMEM_EMBEDDER_NAME": "hashing", "SOULMEM_STRICT_EVENTS": "1",
        }  # fmt: skip
        state, at, log = tmp_path / "state", tmp_path / "s.sock", tmp_path / "log"
        command = [sys.executable, "-c", STALLS, "daemon", "--state", str(state), "--socket", str(at)]
        with log.open("wb") as stderr:
            process = subprocess.Popen(command, env=environment, stderr=stderr)
        daemon = Daemon(process, state, at, log)
        try:
            wait_ready(daemon)
            yield Watched(daemon, manager)
        finally:
            process.kill()
            process.wait(10)


def test_it_is_ready_before_it_pings_and_pings_while_it_lives(watched: Watched) -> None:
    heard = watched.told(within(3 * PERIOD_S))
    assert heard[0].startswith("READY=1")
    assert heard.count("WATCHDOG=1") >= 2
    assert watched.daemon.terminate() == 0
    assert any(line.startswith("STOPPING=1") for line in watched.told(0.2))


@pytest.mark.parametrize(("stall", "number"), [("loop", signal.SIGUSR1), ("writer", signal.SIGUSR2)])
def test_a_stall_of_either_ends_the_pings(watched: Watched, stall: str, number: signal.Signals) -> None:
    assert watched.pinged(5)
    watched.daemon.process.send_signal(number)
    began = time.monotonic()
    watched.told(1.5 * PERIOD_S)  # one may be under way
    assert watched.pings(STALL_S / 2 - (time.monotonic() - began)) == 0, f"it pings though the {stall} hangs"
    if stall == "writer":  # the loop is well: whoever needs no writer is served
        assert watched.daemon.call("system.ping") is not None
    assert watched.pinged(2 * STALL_S), "it pings again when the stall is over"


def test_a_writer_that_is_refused_is_alive(watched: Watched) -> None:
    """The catalogue is taken away, another program wants it: no reason to be killed for."""
    assert watched.pinged(5)
    catalogue = watched.daemon.state / "catalog.db"
    other = sqlite3.connect(catalogue, isolation_level=None, timeout=0.1)
    with contextlib.closing(other), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    catalogue.rename(catalogue.with_suffix(".away"))
    watched.told(2 * PERIOD_S)
    assert watched.pinged(5)
    catalogue.with_suffix(".away").rename(catalogue)
    assert watched.pinged(5)
    assert watched.daemon.process.poll() is None
