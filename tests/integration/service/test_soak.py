"""A daemon that lives at a thousand times the speed of time: what it takes of the machine stays level.

Minds come to be, talk in both languages, sleep, forget and are deleted; one stays and is talked to all the time.
Memory, descriptors and threads are looked at again and again, each time when the minds that come and go are gone.
`make torture` takes half an hour (`TORTURE_SOAK_S` sets how many seconds), `make test` a few.
"""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from checking import Checking, checking
from daemon_fixture import Daemon, daemon_process
from household import DAY, START

SPEED = 1_000
SECONDS = float(os.environ.get("TORTURE_SOAK_S", "1800"))
FAST_S = 5.0
GROWTH_MB = 4  # of memory from the third quarter to the last; what a mind left behind grows on
TALK = [
    "I moved to Ghent in March and teach the cello.", "我上周三去了成都，见到了小林。",
    "My sister Ines is allergic to nuts.",
    "What did I tell you about Ines?", "我妈妈的生日是六月三号。",
    "On Friday I meet Rui at the harbour, at half past three.",
]  # fmt: skip


@dataclass
class Taken:
    """What the process took of the machine, at one moment after another."""

    memory_mb: list[float] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)

    def look(self, pid: int) -> None:
        told = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines())
        self.memory_mb.append(int(told["VmRSS"].split()[0]) / 1024)
        self.threads.append(int(told["Threads"]))
        self.descriptors.append(len(os.listdir(f"/proc/{pid}/fd")))

    def __str__(self) -> str:
        parts = [
            f"{name} {min(seen)} to {max(seen)}, last {seen[-1]}"
            for name, seen in (("descriptors", self.descriptors), ("threads", self.threads))
        ]
        third = max(1, len(self.memory_mb) // 3)
        by_third = [statistics.median(self.memory_mb[at : at + third]) for at in range(0, third * 3, third)]
        return f"{', '.join(parts)}, memory by thirds {', '.join(f'{each:.1f} MB' for each in by_third)}"


def _life(api: Checking, daemon: Daemon, number: int) -> None:
    """A mind that is talked to, sleeps and is deleted; the one that stays hears a sentence and a question."""
    mind, began = f"life-{number}", time.monotonic()
    for turn, line in enumerate(TALK):
        said = f"{line} ({number}-{turn})"
        api.say(mind, said, speaker="Ann", conversation=("tea", "茶")[turn % 2])
    api.say("stays", TALK[number % len(TALK)], speaker="Ann", id=f"s{number}")
    api.note("stays", f"A note that is deleted again, {number}. 会被删除的笔记。")
    api.call("recall", mind="stays", query="Where does Ines live? 伊内斯住在哪里？")
    api.call("idle.run", mind=mind)
    api.call("idle.run", mind="stays")
    for note in api.notes("stays")[40:]:  # it keeps no more than it had: what grows is not what it knows
        api.call("note.purge", mind="stays", id=note["id"])
    for message in api.messages("stays", "main")[:-20]:
        api.call("message.delete", mind="stays", id=message["id"])
    api.call("mind.delete", mind=mind, confirm=mind)
    api.call("clock.advance", seconds=min(DAY, round((time.monotonic() - began) * SPEED)))
    daemon.settle("stays")


def _soak(tmp_path: Path, seconds: float) -> tuple[Taken, int]:
    taken, lives = Taken(), 0
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        ends = time.monotonic() + seconds
        while time.monotonic() < ends or lives < 3:
            _life(api, daemon, lives)
            lives += 1
            taken.look(daemon.process.pid)
    return taken, lives


def _assert_level(taken: Taken) -> None:
    warm = len(taken.threads) // 3
    assert max(taken.threads[warm:]) <= max(taken.threads[: warm + 1]) + 2, str(taken)
    assert max(taken.descriptors[warm:]) <= max(taken.descriptors[: warm + 1]) + 8, str(taken)


@pytest.mark.thorough
def test_what_a_daemon_takes_stays_level(tmp_path: Path) -> None:
    taken, _ = _soak(tmp_path, FAST_S)
    _assert_level(taken)


@pytest.mark.torture
@pytest.mark.timeout(9000)
def test_half_an_hour_at_a_thousand_times_the_speed_of_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    taken, lives = _soak(tmp_path, SECONDS)
    with capsys.disabled():
        print(f"\n{SECONDS:.0f} s at {SPEED} times the speed of time, {lives} minds came and went: {taken}")
    _assert_level(taken)
    half = len(taken.memory_mb) // 2
    later, last = taken.memory_mb[half : half + half // 2], taken.memory_mb[half + half // 2 :]
    assert statistics.median(last) <= statistics.median(later) + GROWTH_MB, str(taken)
