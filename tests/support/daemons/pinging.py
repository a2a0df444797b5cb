"""A client that pings while others do something: how long the first byte of its answers takes.

A process of its own, so that what the test does does not make it wait. `pinging` gives a `Pings`, which can tell the
worst and the 99th percentile of a stretch; run as a program it pings until its standard input ends. On a machine where
others work too, the daemon's loop waits for a processor: how long is measured beside, where Linux tells.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_PAUSE_S = 0.002
_LINE = b'{"jsonrpc":"2.0","id":1,"method":"system.ping"}\n'


class Pings:
    """What the pinging process measured, once it has ended."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, float]] = []  # (when it was sent, monotonic; seconds until the first byte)
        self.queued: list[float] = []  # of each, seconds in which the loop could have run and had no processor

    def during(self, began: float, ended: float) -> list[float]:
        """Milliseconds of the pings that were under way in a stretch of monotonic time, in order of length."""
        return sorted(took * 1000 for at, took in self.taken if at + took >= began and at <= ended)

    def worst(self, began: float, ended: float) -> tuple[float, float]:
        """The latest ping of a stretch, and for how much of it the loop had no processor: milliseconds."""
        pings = zip(self.taken, self.queued, strict=True)
        late = [(took * 1000, queued * 1000) for (at, took), queued in pings if at + took >= began and at <= ended]
        return max(late, default=(0.0, 0.0))


def summary(took_ms: list[float]) -> str:
    """Count, median, 99th percentile and worst of milliseconds that are in order."""
    if not took_ms:
        return "no pings"
    middle, late = took_ms[len(took_ms) // 2], took_ms[min(len(took_ms) - 1, int(len(took_ms) * 0.99))]
    return f"{len(took_ms)} pings, p50 {middle:.1f} ms, p99 {late:.1f} ms, worst {took_ms[-1]:.1f} ms"


@contextlib.contextmanager
def pinging(path: Path, loop: int = 0) -> Iterator[Pings]:
    """Ping the daemon on a socket for the length of a block; the figures are there after it. `loop`: its process."""
    pings = Pings()
    process = subprocess.Popen(
        [sys.executable, __file__, str(path), str(loop)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()  # it has begun
    try:
        yield pings
    finally:
        said, _ = process.communicate(timeout=60)
        told = json.loads(said or "[]")
        pings.taken = [(at, took) for at, took, _ in told]
        pings.queued = [queued for _, _, queued in told]


def _queued_s(schedule: Path) -> float:
    """How long the first thread of a process has waited for a processor so far; it is the one of the loop."""
    try:
        return int(schedule.read_text("ascii").split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def _ping(path: str, schedule: Path) -> None:
    taken = []
    with socket.socket(socket.AF_UNIX) as sock:
        sock.connect(path)
        print("begun", flush=True)
        asked_to_stop = select.poll()
        asked_to_stop.register(0, select.POLLIN | select.POLLHUP)
        while not asked_to_stop.poll(0):
            queued, began = _queued_s(schedule), time.monotonic()
            sock.sendall(_LINE)
            first = sock.recv(1)
            took = time.monotonic() - began
            taken.append((began, took, _queued_s(schedule) - queued))
            while first and not first.endswith(b"\n"):
                first = sock.recv(4096)
            if not first:
                break
            time.sleep(_PAUSE_S)
    print(json.dumps(taken))


if __name__ == "__main__":
    _ping(sys.argv[1], Path(f"/proc/{sys.argv[2]}/task/{sys.argv[2]}/schedstat"))
