"""Two hundred clients that never finish a line, while another pings: he waits no longer, they are told and closed.

Some send a byte at a time, some begin a long line, some stop in the middle of one, some say nothing. Who is slow and
done in time is answered. `make test` looks for a few seconds, `make torture` for a minute in which each comes again.
"""

from __future__ import annotations

import json
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

import pytest

import loop_watch
from checking import checking
from daemon_fixture import Daemon, daemon_process
from pinging import pinging, summary
from slowness import within

LONG = bool(os.environ.get("SOULMEM_TORTURE"))
DEADLINE_S = 10.0 if LONG else 5.0
TURNS, TURN_S = (20, 1.5) if LONG else (3, 0.5)  # of dripping, and as long of silence
BETWEEN_S = 0.1  # bytes of one sender
WORST_MS = 150
A_BYTE_MS = 0.2  # of the daemon's processor, though the line it is added to is long
_CALL = b'{"jsonrpc":"2.0","id":7,"method":"system.ping"}\n'
_WITHOUT_END = _CALL[:-2] + b" " * 100_000
_LONG_LINE = _CALL[:-2] + b" " * 900_000


class Sender:
    """One slow client: what it sends at once, and what it would send then, byte by byte."""

    def __init__(self, path: Path, at_once: bytes, rest: bytes) -> None:
        self._path, self._at_once, self._rest = path, at_once, rest
        self._open()

    def _open(self) -> None:
        self.sent, self.heard, self.is_closed, self.told = 0, b"", False, ""
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(self._path))
        self._socket.sendall(self._at_once)
        self._socket.setblocking(False)

    def drip(self) -> int:
        """Send the next byte; how many were sent."""
        if self.sent == len(self._rest) or self.heard:
            return 0
        with suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            self.sent += self._socket.send(self._rest[self.sent : self.sent + 1])
            return 1
        return 0

    def listen(self) -> None:
        """Take what the daemon said; once it has closed, who was closed upon and why."""
        try:
            got = self._socket.recv(4096)
            self.heard += got
            self.is_closed = not got
        except BlockingIOError:
            pass
        except ConnectionResetError:  # it was told, and its last bytes were not read any more
            self.is_closed = True
        if self.heard.endswith(b"\n"):
            said = json.loads(self.heard)
            self.told = "answered" if "result" in said else said["error"]["data"]["name"]

    def again(self) -> None:
        self._socket.close()
        self._open()

    def close(self) -> None:
        self._socket.close()


def _senders(path: Path) -> list[Sender]:
    return [
        *(Sender(path, b"", _WITHOUT_END) for _ in range(100)),
        *(Sender(path, _LONG_LINE, b" " * 10_000) for _ in range(20)),
        *(Sender(path, _CALL[: 5 + number % 40], b"") for number in range(60)),
        *(Sender(path, b"", b"") for _ in range(20)),
    ]


def _used_ms(daemon: Daemon) -> float:
    """What the daemon has had of the processor."""
    fields = Path(f"/proc/{daemon.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _drip(senders: list[Sender], seconds: float) -> int:
    sent, ends = 0, time.monotonic() + seconds
    while (began := time.monotonic()) < ends:
        sent += sum(sender.drip() for sender in senders)
        for sender in senders:
            sender.listen()
        time.sleep(max(0.0, began + BETWEEN_S - time.monotonic()))
    return sent


def _p99(took_ms: list[float]) -> float:
    return took_ms[int(len(took_ms) * 0.99)]


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_who_never_finishes_a_line_keeps_nobody_waiting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = {"SOULMEM_SERVER_FRAME_DEADLINE_S": str(DEADLINE_S)}
    bytes_sent, used_ms, told = 0, 0.0, {"parse_error": 0, "answered": 0}
    slow: list[tuple[float, float]] = []
    calm: list[tuple[float, float]] = []
    with daemon_process(tmp_path, env=settings) as daemon, pinging(daemon.socket) as pings:
        began = time.monotonic()
        senders = _senders(daemon.socket)
        timely = [Sender(daemon.socket, _CALL[:40], _CALL[40:]) for _ in range(10)]
        for _ in range(TURNS):
            at, used = time.monotonic(), _used_ms(daemon)
            time.sleep(TURN_S)
            calm.append((at, time.monotonic()))
            used_ms -= _used_ms(daemon) - used
            at, used = time.monotonic(), _used_ms(daemon)
            bytes_sent += _drip([*senders, *timely], TURN_S)
            slow.append((at, time.monotonic()))
            used_ms += _used_ms(daemon) - used
            for sender in senders:
                sender.listen()
                if LONG and sender.is_closed:
                    told[sender.told] += 1
                    sender.again()
        while not LONG and any(not sender.is_closed for sender in senders) and time.monotonic() < began + 60:
            _drip([*senders, *timely], BETWEEN_S)
            for sender in senders:
                sender.listen()
        for each in [*timely, *senders]:
            each.listen()
            each.close()
        ended = time.monotonic()
        assert {each.told for each in timely} == {"answered"}, "slow, and done in time"
        if LONG:
            assert told["parse_error"] > 200, "each was closed upon and came again"
            assert not told["answered"]
        else:
            assert {(each.told, each.is_closed) for each in senders} == {("parse_error", True)}
        checking(daemon).until(lambda: daemon.call("system.status")["connections"] <= 3, "only who pings is left")
        assert {event["reason"] for event in daemon.events("client_refused")} == {"deadline"}
    waits = {name: min(_p99(pings.during(*each)) for each in turns) for name, turns in (("slow", slow), ("calm", calm))}
    every, a_byte_ms = pings.during(began, ended), used_ms / bytes_sent
    with capsys.disabled():
        print(
            f"\n200 slow senders, {bytes_sent} bytes one by one, {a_byte_ms:.2f} ms of the processor each: "
            f"{summary(every)}; p99 at best {waits['slow']:.1f} ms, without their bytes {waits['calm']:.1f} ms"
        )
    assert every[-1] <= within(WORST_MS)
    assert waits["slow"] <= 2 * waits["calm"] + within(2.0)
    assert a_byte_ms <= A_BYTE_MS * loop_watch.processor_slowness()
