"""Power cuts in all that a daemon does: what was acknowledged is there, what was deleted is gone for good.

The disks that `power` makes of one traced life, part by part: see `power_lives`. `make torture` looks at 300 disks of
each part (`TORTURE_IMAGES` sets how many, `TORTURE_IMAGE` where to begin), `make test` at a few.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process, wait_ready
from power import Call, Disk, read_trace, replies, strace_command
from power_lives import PARTS, Deed, Part, before_the_life, play

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))
IMAGES = int(os.environ.get("TORTURE_IMAGES", "300")) if TORTURE else 4
FIRST = int(os.environ.get("TORTURE_IMAGE", "0"))
SERVED = 8 if TORTURE else 0  # of those, opened by a whole daemon, where minds come and go
CARELESS = 12
START = "2026-03-02T09:00:00Z"

pytestmark = [
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
    pytest.mark.usefixtures("warm_starts"),
]


@dataclass(frozen=True)
class Life:
    """What the daemon did, what it was asked, and which line of the trace acknowledged what."""

    state: Path
    before: Path
    calls: list[Call]
    deeds: list[Deed]
    acknowledged: dict[str, Call]

    def of(self, part: Part) -> list[Deed]:
        return [deed for deed in self.deeds if deed.id.startswith(f"{part.name}-")]

    def span(self, part: Part) -> tuple[int, int]:
        """The lines in which a part was lived: from the answer before to a while after its last."""
        mine = [self.acknowledged[deed.id].began for deed in self.of(part)]
        earlier = [call.began for call in self.acknowledged.values() if call.began < mine[0]]
        return max(earlier, default=self.calls[0].began), mine[-1] + (mine[-1] - mine[0]) // 20


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Life:
    root = tmp_path_factory.mktemp("lives")
    state, path, trace, before = root / "state", root / "d.sock", root / "trace", root / "before"
    state.mkdir(mode=0o700)
    before_the_life(state)
    shutil.copytree(state, before)
    command = [*strace_command(trace), sys.executable, "-m", "soulmem", "daemon", "--simulated-clock", START]
    environment = {**os.environ, "SOULMEM_EMBEDDER_NAME": "hashing", "SOULMEM_STRICT_EVENTS": "1"}
    with (root / "d.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--state", str(state), "--socket", str(path)], stdout=log, stderr=log, env=environment
        )
    daemon = Daemon(process, state, path, root / "d.log")
    try:
        wait_ready(daemon, 60)
        pid = daemon.call("system.status")["pid"]
        deeds = play(path)
        os.kill(pid, signal.SIGTERM)
        assert process.wait(60) == 0, daemon.log_path.read_text()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
    calls = read_trace(trace)
    acknowledged: dict[str, Call] = {}
    for reply in replies(calls):
        for deed in deeds:
            if deed.id not in acknowledged and f'"id":"{deed.id}"'.encode() in reply.data:
                acknowledged[deed.id] = reply
    assert set(acknowledged) == {deed.id for deed in deeds}, "the trace must show every reply"
    return Life(state, before, calls, deeds, acknowledged)


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_power_cuts_lose_nothing(life: Life, part: Part, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(part.name)
    low, high = life.span(part)
    cuts = sorted(chance.randint(low, high) for _ in range(IMAGES))
    served = set(chance.sample(range(IMAGES), min(IMAGES, SERVED))) if part.name == "minds" else set()
    disk, owed_in_all, began = Disk(life.state, life.calls, life.before), 0, time.monotonic()
    for number, cut in enumerate(cuts):
        disk.replay(cut)
        if number < FIRST:
            continue
        target = tmp_path / f"image-{number}"
        disk.image(target / "state", random.Random(f"{part.name}-{number}"), part.file)
        owed_in_all += _check(life, part, target / "state", cut, f"{part.name}, image {number} cut at line {cut}")
        if number in served:
            _serve(target)
        shutil.rmtree(target)
    with capsys.disabled():
        print(
            f"\npower cuts, {part.name}: {IMAGES - FIRST} images, {owed_in_all} acknowledgements owed, 0 lost, ", end=""
        )
        print(f"{time.monotonic() - began:.1f} s")


def _check(life: Life, part: Part, state: Path, cut: int, what: str) -> int:
    deeds = life.of(part)
    owed = [deed for deed in deeds if life.acknowledged[deed.id].began <= cut]
    under_way = deeds[len(owed)] if len(owed) < len(deeds) else None
    try:
        return part.check(state, owed, under_way)
    except AssertionError as error:
        raise AssertionError(f"{what}: {error}") from error


def _serve(target: Path) -> None:
    """A daemon that starts on what is left knows every mind that is there, and makes and deletes others."""
    with daemon_process(target) as daemon:
        client = daemon.client()
        for each in client.call("mind.list", {})["items"]:
            client.call("mind.get", {"mind": each["mind"]})
        client.call("mind.create", {"mind": "four"})
        client.call("mind.delete", {"mind": "four", "confirm": "four"})
        assert "four" not in {each["mind"] for each in client.call("mind.list", {})["items"]}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_daemon_that_does_not_sync_would_be_noticed(life: Life, part: Part, tmp_path: Path) -> None:
    """The same life with its syncs struck out, looked at when all of the part was acknowledged."""
    careless = [call for call in life.calls if call.kind != "sync"]
    disk = Disk(life.state, careless, life.before)
    cut = life.acknowledged[life.of(part)[-1].id].began
    disk.replay(cut)
    losing = 0
    for number in range(CARELESS):
        target = tmp_path / f"image-{number}"
        disk.image(target / "state", random.Random(number), part.file)
        try:
            _check(life, part, target / "state", cut, "without syncs")
        except Exception:  # a file may be damaged in any way
            losing += 1
        shutil.rmtree(target)
        if losing > 2:
            return
    pytest.fail(f"{losing} of {CARELESS} images lost something")
