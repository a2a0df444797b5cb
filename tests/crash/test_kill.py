"""kill -9 while four clients talk: what was acknowledged is there once, the rest wholly or not at all.

`make torture` kills two thousand times, in batches of a hundred that are tests of their own: each has its own seed, so
that one may be run again, and a run that was cut off goes on behind the last (`-k "torment-07"`). One start in ten is
as users start it, and timed; the others are forked from a process that has read the modules, which is most of a start
and leaves the same files.
"""

from __future__ import annotations

import os
import random
import shutil
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from daemon_fixture import Daemon, start, wait_ready
from slowness import within
from soulmem.store.journal import work_in_progress
from stream import Sent, check_file, check_stored, set_aside, speakers, stored

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))
CYCLES = 100 if TORTURE else 5
BATCHES = 20 if TORTURE else 1
COLD_EVERY = 10 if TORTURE else 3
CYCLES_A_MIND = 5
CHECK_EVERY = 4
READY_WITHIN_S = 1.5


@dataclass
class Figures:
    sent: int = 0
    acknowledged: int = 0
    kept_unacknowledged: int = 0
    duplicates: int = 0
    kills: int = 0
    ready_s: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        ready = sorted(self.ready_s)
        return (
            f"{self.kills} kills, {self.sent} sent, {self.acknowledged} acknowledged, 0 lost, "
            f"{self.kept_unacknowledged} stored unacknowledged, {self.duplicates} duplicates recognised, "
            f"{len(ready)} cold starts ready after {statistics.median(ready):.2f} s (worst {ready[-1]:.2f} s)"
        )


def restart(root: Path, figures: Figures, cold: bool) -> Daemon:
    """A new daemon on the same files; of a cold one, how long until it answered, from before its process began."""
    began = time.monotonic()
    daemon = start(root, warm=not cold)
    wait_ready(daemon)
    if cold:
        figures.ready_s.append(time.monotonic() - began)
    return daemon


def say_until_killed(daemon: Daemon, mind: str, tag: str, seconds: float) -> list[Sent]:
    clients = speakers(daemon.socket, mind, tag)
    for client in clients:
        client.start()
    time.sleep(seconds)
    daemon.kill()
    for client in clients:
        client.join()
        assert not client.refused, client.refused[:3]
    return [message for client in clients for message in client.sent.values()]


def check_after_restart(daemon: Daemon, mind: str, sent: list[Sent], figures: Figures) -> None:
    """Compare before any retry, then retry everything in order and compare again."""
    client = daemon.client()
    try:
        found = stored(client, mind)
    except Exception as error:
        if getattr(error, "name", "") != "mind_not_found":
            raise
        found = {}  # killed before the mind's first message
    figures.sent += len(sent)
    figures.acknowledged += sum(message.seq is not None for message in sent)
    figures.kept_unacknowledged += check_stored(sent, found)
    for message in sent:
        answer = client.call("message.add", message.params())
        known = found.get((message.conversation, message.id))
        assert answer["duplicate"] is (known is not None), message
        if known is not None:
            assert answer["seq"] == known["seq"]
            figures.duplicates += 1
        message.seq = answer["seq"]
    again = stored(client, mind)
    assert set(again) == set(found) | {(message.conversation, message.id) for message in sent}
    assert check_stored(sent, again) == 0
    client.close()


def check_copy(daemon: Daemon, mind: str, folder: Path) -> None:
    """Look into the files as the kill left them, without the daemon's help."""
    source = daemon.state / "minds" / f"{mind}.db"
    if not source.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for suffix in ("", "-wal"):
        if Path(f"{source}{suffix}").exists():
            shutil.copy(f"{source}{suffix}", f"{folder / source.name}{suffix}")
    shutil.copy(daemon.state / work_in_progress.NAME, folder)
    check_file(folder / source.name, set_aside(folder, mind))


@pytest.mark.timeout(6000)
@pytest.mark.parametrize("batch", range(BATCHES), ids="torment-{:02}".format)
def test_acknowledged_messages_survive_kill(tmp_path: Path, capsys: pytest.CaptureFixture[str], batch: int) -> None:
    chance = random.Random(20260301 + batch)
    figures = Figures()
    daemon = restart(tmp_path, figures, cold=False)
    everything: dict[str, list[Sent]] = {}
    try:
        for cycle in range(CYCLES):
            mind = f"kill-{cycle // CYCLES_A_MIND}"
            sent = say_until_killed(daemon, mind, f"c{cycle}", chance.uniform(0.02, 0.3))
            figures.kills += 1
            if cycle % CHECK_EVERY == 0:
                check_copy(daemon, mind, tmp_path / "copy")
            daemon = restart(tmp_path, figures, cold=cycle % COLD_EVERY == 0)
            check_after_restart(daemon, mind, sent, figures)
            everything.setdefault(mind, []).extend(sent)
        client = daemon.client()
        for mind, sent in everything.items():
            found = stored(client, mind)
            assert len(found) == len(sent), mind
            assert check_stored(sent, found) == 0
        client.close()
        assert daemon.terminate() == 0
        for mind, sent in everything.items():
            assert check_file(daemon.state / "minds" / f"{mind}.db", set_aside(daemon.state, mind)) == len(sent)
        critical = [record for record in daemon.log() if record["level"] == "critical"]
        assert critical == []
    finally:
        if daemon.process.poll() is None:
            daemon.kill()
    with capsys.disabled():
        print(f"\nkill -9 while talking: {figures}")
    if TORTURE:
        assert statistics.median(figures.ready_s) < within(READY_WITHIN_S)
