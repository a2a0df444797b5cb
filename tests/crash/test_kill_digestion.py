"""kill -9 while a mind digests: however often it dies, it ends in the same notes and links as one left in peace.

A daemon that is started again with `--simulated-clock` and no time goes on at the last time it stored, and that is what
makes two runs comparable: with the first time given again the clock would stand before what has already happened, be
suspect, and forget nothing. So every restart here says `--simulated-clock` alone, and what is left of an interrupted
`clock.advance` is walked from wherever the clock then stands.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process, start, wait_ready
from slowness import PATIENCE_S
from soulmem.client import Client, DaemonUnavailable
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.store.sqlite import driver
from story import MIND, START, Line, all_items, ask, first_evening, portrait, second_evening, tell

pytestmark = pytest.mark.usefixtures("warm_starts")

TORTURE = bool(os.environ.get("SOULMEM_TORTURE"))
DAY_S = 86_400
CONTINUED = "--simulated-clock"
STEPS = ("summarise", "split", "link", "reconcile", "sweep")
HAPPENINGS = ("epoch_frozen", "summary_rolled", "note_created", "link_created", "step_finished")
WATCHED = ("step_started", "sweep_finished", "link_forgotten", "clock_advanced", *HAPPENINGS)
DIGESTED = {"event": "step_finished", "step": "sweep"}
ARRIVED = {"event": "clock_advanced"}

Picture = dict[str, list[Any]]


def last_words() -> tuple[list[Line], list[Line]]:
    """The second evening but for its last four lines; and those, which are said in one breath before the night."""
    lines = second_evening()
    return lines[:-4], lines[-4:]


def blurt(client: Client, lines: list[Line]) -> None:
    """Say lines without letting their recalls, vectors and summaries end."""
    for line in lines:
        client.call("message.add", line.params())


def night(daemon: Daemon) -> None:
    """Digest, then let forty days pass, in which links fade."""
    with Client(daemon.socket, timeout=60.0) as client:
        client.call("idle.run", {"mind": MIND})


def advance_to(daemon: Daemon, target_ms: int) -> None:
    with Client(daemon.socket, timeout=60.0) as client:
        now = parse_iso(client.call("clock.advance", {"seconds": 0})["now"])
        assert now <= target_ms, "the clock went past the time it was to walk to"
        client.call("clock.advance", {"seconds": (target_ms - now) / 1000})


def now_ms(daemon: Daemon) -> int:
    return parse_iso(daemon.call("system.status")["now"])


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Picture, Picture, int]:
    """A mind left in peace, and its files as a kill just before its second night would have left them.

    Returns those files, and what the peaceful mind remembers after the night, after forty days, and when that is.
    """
    root, other = tmp_path_factory.mktemp("peace"), tmp_path_factory.mktemp("before-night")
    evening, breath = last_words()
    with daemon_process(root, CONTINUED, START) as daemon:
        client = daemon.client()
        tell(client, first_evening())
        client.call("idle.run", {"mind": MIND})
        client.call("clock.advance", {"seconds": DAY_S})
        tell(client, evening)
        ask(client)
        blurt(client, breath)
        daemon.process.send_signal(signal.SIGSTOP)  # nothing that a killed one had not written gets into the copy
        shutil.copytree(root / "state", other / "state")
        daemon.process.send_signal(signal.SIGCONT)
        night(daemon)
        after_night = portrait(daemon)
        target = now_ms(daemon) + 40 * DAY_S * 1000
        advance_to(daemon, target)
        after_weeks = portrait(daemon)
    origins = {link[4] for link in after_night["links"]}
    assert "hebb" in origins, "the talk must leave links that only recalls explain"
    assert len(after_weeks["links"]) < len(after_night["links"]), "something must have been forgotten"
    return other / "state", after_night, after_weeks, target


def copied(state: Path, root: Path) -> Path:
    root.mkdir()
    shutil.copytree(state, root / "state")
    return root


class Witness:
    """Watches a daemon's events over its own connection, so that a kill can follow one of them at once."""

    def __init__(self, daemon: Daemon, over: dict[str, str]) -> None:
        self._daemon = daemon
        self._over = over
        self._sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._sock.settimeout(PATIENCE_S)
        self._sock.connect(str(daemon.socket))
        self._lines = self._sock.makefile("rb")
        watched = {"events": list(WATCHED)}  # steps begin at debug level: told only to who asks by name
        request = {"jsonrpc": "2.0", "id": 1, "method": "events.watch", "params": watched}
        self._sock.sendall(json.dumps(request).encode() + b"\n")
        assert "result" in json.loads(self._lines.readline())

    def kill_after(self, wanted: Callable[[dict[str, Any]], bool], delay_s: float) -> bool:
        """Kill the daemon `delay_s` after the first event that is wanted; False if the round ended before."""
        try:
            for line in self._lines:
                event = json.loads(line)["params"]
                if wanted(event):
                    time.sleep(delay_s)
                    self._daemon.kill()
                    return True
                if self._over.items() <= event.items():
                    return False
        finally:
            self.close()
        return False

    def close(self) -> None:
        self._lines.close()
        self._sock.close()


@contextlib.contextmanager
def mortal(root: Path) -> Iterator[Daemon]:
    """A daemon that continues the files under `root`, and is gone for certain at the end."""
    daemon = start(root, CONTINUED)
    try:
        wait_ready(daemon)
        yield daemon
    finally:
        for client in daemon.clients:
            client.close()
        if daemon.process.poll() is None:
            daemon.kill()
    assert [record for record in daemon.log() if record["level"] == "critical"] == []


def forgive(root: Path) -> None:
    """Take back that steps died: one that dies twice is set aside, and here all are to be done in the end."""
    with closing(driver.writer(root / "state" / "minds" / f"{MIND}.db")()) as connection:
        for table in ("job", "summary_job"):
            connection.execute(f"UPDATE {table} SET deaths = 0, state = 'pending' WHERE state = 'running'")


def die_at(root: Path, wanted: Callable[[dict[str, Any]], bool], delay_s: float) -> bool:
    """One life: digestion begins, and the daemon is killed shortly after a wanted event."""
    with mortal(root) as daemon:
        witness = Witness(daemon, DIGESTED)
        daemon.call("idle.run", {"mind": MIND, "wait": False})
        died = witness.kill_after(wanted, delay_s)
    forgive(root)
    return died


def live_on(root: Path, undisturbed_night: Picture, undisturbed_weeks: Picture, target_ms: int) -> None:
    """The last life: digestion is finished, and everything compared."""
    with mortal(root) as daemon:
        night(daemon)
        assert_same(portrait(daemon), undisturbed_night)
        jobs = all_items(daemon.client(), "job.list")
        assert {job["state"] for job in jobs} == {"done"}, jobs
        once = [
            (job["step"], job["conversation"], job["epoch"])
            for job in jobs
            if job["step"] in ("split", "link", "reconcile")
        ]
        assert len(once) == len(set(once))
        advance_to(daemon, target_ms)
        assert_same(portrait(daemon), undisturbed_weeks)
        assert daemon.terminate() == 0


def assert_same(got: Picture, expected: Picture) -> None:
    """Compare piece by piece, so that a difference names what differs."""
    for what, items in expected.items():
        missing = [item for item in items if item not in got[what]]
        surplus = [item for item in got[what] if item not in items]
        assert not missing, f"{len(missing)} {what} missing, first {missing[0]}; surplus: {surplus[:1]}"
        assert not surplus, f"{len(surplus)} {what} too many, first {surplus[0]}"
        assert got[what] == items


def started(step: str) -> Callable[[dict[str, Any]], bool]:
    return lambda event: event["event"] == "step_started" and event["step"] == step


def named(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda event: event["event"] == name


def test_killed_once_in_every_step(
    tmp_path: Path, undisturbed: tuple[Path, Picture, Picture, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """One mind dies in every step of the same night, one after the other."""
    state, night_picture, weeks_picture, target = undisturbed
    root = copied(state, tmp_path / "steps")
    points = {"freeze": named("epoch_frozen"), **{step: started(step) for step in STEPS}}
    deaths = {point: die_at(root, wanted, 0.0) for point, wanted in points.items()}
    live_on(root, night_picture, weeks_picture, target)
    assert all(deaths.values()), f"a step was over before it could be interrupted: {deaths}"
    with capsys.disabled():
        print(f"\nkill -9 in each step of one night: {len(deaths)} deaths, same notes and links")


@pytest.mark.torture
@pytest.mark.timeout(1500)
def test_killed_again_and_again(
    tmp_path: Path, undisturbed: tuple[Path, Picture, Picture, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Many nights, each with one to three deaths at a random moment of a random step."""
    state, night_picture, weeks_picture, target = undisturbed
    chance = random.Random(7)
    deaths: dict[str, int] = {}
    for number in range(25):
        root = copied(state, tmp_path / f"night-{number}")
        for _ in range(chance.randint(1, 3)):
            step = chance.choice((*STEPS, *HAPPENINGS))
            wanted = started(step) if step in STEPS else named(step)
            if die_at(root, wanted, chance.choice((0.0, chance.uniform(0, 0.03)))):
                deaths[step] = deaths.get(step, 0) + 1
        live_on(root, night_picture, weeks_picture, target)
        shutil.rmtree(root)
    assert sum(deaths.values()) >= 25
    with capsys.disabled():
        print(f"\nkill -9 at random moments of 25 nights: {deaths}, same notes and links each time")


def walk_and_die(root: Path, target_ms: int, wanted: Callable[[dict[str, Any]], bool], delay_s: float) -> bool:
    """One life: the clock walks to a time, and the daemon is killed shortly after a wanted event on the way."""
    with mortal(root) as daemon:
        witness = Witness(daemon, ARRIVED)
        walker = threading.Thread(target=_walk, args=(daemon, target_ms), daemon=True)
        walker.start()
        died = witness.kill_after(wanted, delay_s)
        walker.join(PATIENCE_S)
        assert not walker.is_alive()
    forgive(root)
    return died


def _walk(daemon: Daemon, target_ms: int) -> None:
    with contextlib.suppress(DaemonUnavailable), Client(daemon.socket, timeout=60.0) as client:
        now = parse_iso(client.call("system.status")["now"])
        client.call("clock.advance", {"seconds": (target_ms - now) / 1000})


def test_killed_while_time_passes(
    tmp_path: Path, undisturbed: tuple[Path, Picture, Picture, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """The clock walks over forty days; killed on the way and walked on, the same is forgotten at the same time."""
    state, _, weeks_picture, target = undisturbed
    root = copied(state, tmp_path / "weeks")
    with mortal(root) as daemon:
        night(daemon)
    chance = random.Random(11)
    points = ["step_started", "link_forgotten", "sweep_finished"] if TORTURE else ["link_forgotten"]
    deaths = [walk_and_die(root, target, named(point), chance.uniform(0, 0.003)) for point in points * 3]
    with mortal(root) as daemon:
        advance_to(daemon, target)
        assert_same(portrait(daemon), weeks_picture)
        assert daemon.terminate() == 0
    assert deaths[0], "the sweep was over before it could be interrupted"
    with capsys.disabled():
        print(f"\nkill -9 while forty days pass: {sum(deaths)} deaths on the way, the same is left")


def test_killed_when_quiet_falls(
    tmp_path: Path, undisturbed: tuple[Path, Picture, Picture, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Silence sends the mind to its digestion at a moment of its own; killed in it, that moment is not moved."""
    state, _, _, _ = undisturbed
    peaceful = copied(state, tmp_path / "peaceful")
    with mortal(peaceful) as daemon:
        target = now_ms(daemon) + 3_600_000
        advance_to(daemon, target)
        expected = portrait(daemon)
    root = copied(state, tmp_path / "quiet")
    points = ("split", "link", "reconcile", "sweep") if TORTURE else ("split",)
    deaths = [walk_and_die(root, target, started(point), 0.0) for point in points]
    with mortal(root) as daemon:
        advance_to(daemon, target)
        assert_same(portrait(daemon), expected)
        assert daemon.terminate() == 0
    assert deaths[0]
    with capsys.disabled():
        print(f"\nkill -9 while quiet falls: {sum(deaths)} deaths, same notes and links")


def test_interrupted_mind_goes_on_by_itself(tmp_path: Path) -> None:
    """On the real clock nobody has to speak first: a restart alone is enough for what was left to be digested."""
    env = {"SOULMEM_IDLE_AFTER_S": "1"}
    daemon = start(tmp_path, env=env)
    wait_ready(daemon)
    with Client(daemon.socket) as client:
        blurt(client, first_evening())
    daemon.kill()
    assert daemon.events("step_finished") == []
    with daemon_process(tmp_path, env=env) as daemon:
        deadline = time.monotonic() + 20
        while not any(DIGESTED.items() <= event.items() for event in daemon.events("step_finished")):
            assert time.monotonic() < deadline, "the mind was left as the kill left it"
            time.sleep(0.05)
        line = daemon.call("system.status")["minds"][0]
        assert (line["messages"], line["pending_jobs"]) == (len(first_evening()), 0)
        assert line["notes"] > 0
