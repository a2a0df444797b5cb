"""Lines that are no calls, thousands of them over real sockets: each is answered or closed upon, and nothing is kept.

Made of calls that are right, by what breaks them in transit or in a careless client, and of the kept ones of
`test_framing`. After each the same connection answers an ordinary call. `make torture` sends ten thousand.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from checking import Wire, registry
from daemon_fixture import Daemon, daemon_process

LONG = bool(os.environ.get("SOULMEM_TORTURE"))
FRAMES = 10_000 if LONG else 200
GROWTH_MB = 10
_CALLS = [
    b'{"jsonrpc":"2.0","id":7,"method":"system.ping"}',
    b'{"jsonrpc":"2.0","id":7,"method":"recall","params":{"mind":"mira","query":"hazelnuts"}}',
    '{"jsonrpc":"2.0","id":7,"method":"message.list","params":{"mind":"mira","conversation":"书房"}}'.encode(),
]
_ODD: list[bytes] = [
    b"\0", b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\r", b"\t", b"NaN", b"-Infinity", b"1e400",
    b'"\\ud800"', b"18446744073709551616", b"[" * 70, b"{}", b"[]", b'""', b"null", b"true", b"\\u0000", b"\x85",
    "\u2028".encode(), "，".encode("gbk"), b"9" * 5_000,
]  # fmt: skip


def _cut(call: bytes, chance: random.Random) -> bytes:
    return call[: chance.randrange(1, len(call))]


def _flip(call: bytes, chance: random.Random) -> bytes:
    broken = bytearray(call)
    for _ in range(chance.randint(1, 4)):
        broken[chance.randrange(len(broken))] = chance.choice([n for n in range(256) if n != ord("\n")])
    return bytes(broken)


def _insert(call: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(call) + 1)
    return call[:at] + chance.choice(_ODD) + call[at:]


def _swap(call: bytes, chance: random.Random) -> bytes:
    """Another value where one stands, or twice the same key."""
    fields = json.loads(call)
    key = chance.choice(sorted(fields))
    value = chance.choice(_ODD)
    whole = json.dumps({name: each for name, each in fields.items() if name != key}, ensure_ascii=False).encode()
    return whole[:-1] + b',"' + key.encode() + b'":' + value + b"}"


def _twice(call: bytes, chance: random.Random) -> bytes:
    return chance.choice(
        [call + call, b"[" + call + b"]", call[:-1] + b',"id":8}', call.replace(b'"id":7', b'"id":[7]')]
    )


def _deep(call: bytes, chance: random.Random) -> bytes:
    deep = chance.randint(65, 10_000)
    return call[:-1] + b',"params":' + b"[" * deep + b"]" * chance.choice([0, deep]) + b"}"


def _noise(_: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(chance.randint(1, 200)).replace(b"\n", b"\r")


BREAKS: list[Callable[[bytes, random.Random], bytes]] = [_cut, _flip, _insert, _swap, _twice, _deep, _noise]


def _memory_mb(daemon: Daemon) -> float:
    told = Path(f"/proc/{daemon.process.pid}/status").read_text("utf-8").split("VmRSS:")[1]
    return int(told.split()[0]) / 1024


def _answers(wire: Wire, frame: bytes, number: int) -> list[str] | None:
    """How a frame was answered before the call behind it was; None where the connection was closed upon it."""
    wire.send(frame)
    wire.send(b'{"jsonrpc":"2.0","id":%d,"method":"system.ping"}' % number)
    names = []
    while (answer := wire.receive()) is not None:
        if answer.get("id") == number:
            assert "result" in answer, (frame, answer)
            return names
        names.append(answer["error"]["data"]["name"] if "error" in answer else "answered")
    return None


@pytest.mark.thorough
@pytest.mark.timeout(3000)
def test_a_frame_that_is_broken_costs_nobody_anything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance, ends, closed = random.Random(20260301), Counter[str](), list[bytes]()
    with daemon_process(tmp_path) as daemon:
        daemon.call(
            "message.add", {"mind": "mira", "role": "user", "content": "hazelnuts 榛子", "conversation": "书房"}
        )
        daemon.settle("mira")
        wire, warm = Wire(daemon), 0.0
        for number in range(FRAMES):
            if number == FRAMES // 10:
                warm = _memory_mb(daemon)
            frame = chance.choice(BREAKS)(chance.choice(_CALLS), chance)
            try:
                names = _answers(wire, frame, 1_000 + number)
            except ConnectionError:
                names = None
            if names is None:
                closed.append(frame)
                wire.close()
                wire = Wire(daemon)
                continue
            ends.update(names or ["taken for a notification"])
        wire.close()
        grown = _memory_mb(daemon) - warm
        said = [event for event in daemon.log() if event["level"] in {"error", "critical"}]
    with capsys.disabled():
        print(f"\n{FRAMES} malformed frames: {dict(ends)}, {len(closed)} closed, memory {grown:+.1f} MB")
    assert set(ends) <= {*registry(), "answered", "taken for a notification"}
    assert not ends["internal"]
    assert closed == []
    assert said == []
    assert grown < GROWTH_MB
