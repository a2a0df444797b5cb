"""kill -9 amid plans: each call is done wholly or not at all, and once, however often; what is missed is missed once.

The same calls, under keys, are made by a client whose daemon dies again and again; what is planned in the end is what
it is for one that was left in peace.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process, start, wait_ready
from soulmem.client import Client, DaemonUnavailable
from soulmem.store.session.verify import damages

pytestmark = pytest.mark.usefixtures("warm_starts")

START, DAY_S = "2026-03-01T08:00:00Z", 86_400
MIND = "mira"
DEATHS = 40 if os.environ.get("SOULMEM_TORTURE") else 4
WORDS = ("Paint the shed 刷棚子", "Meet Ines 见伊内丝", "Swim 游泳", "看牙医 dentist")

Call = tuple[str, dict[str, Any]]


def calls() -> list[Call]:
    """Two days that are planned, moved about, settled and planned anew; ids are numbers of rows, so they are known."""
    found: list[Call] = []
    for number in range(24):
        day, hour = 2 + number % 2, 6 + number * 5 % 14
        items = [
            {"text": f"{WORDS[number % 4]} {number}", "start": f"2026-03-0{day}T{hour:02}:00:00Z",
             "end": f"2026-03-0{day}T{hour + 1 + number % 3:02}:00:00Z"}
        ]  # fmt: skip
        found.append(("plan.add", {"items": items}))
        if number % 5 == 3:
            found.append(("plan.update", {"id": f"n{number - 1}", "status": "done"}))
        if number % 7 == 5:
            found.append(("plan.update", {"id": f"n{number}", "start": f"2026-03-03T{hour:02}:30:00Z"}))
    found.append(("plan.supersede", {"from": "2026-03-03T12:00:00Z", "to": "2026-03-03T20:00:00Z"}))
    found.append(("plan.delete", {"id": "n9"}))
    return [(method, {"mind": MIND, "key": f"k{place}", **given}) for place, (method, given) in enumerate(found)]


def picture(daemon: Daemon) -> list[Any]:
    plans = daemon.call("plan.list", {"mind": MIND, "limit": 500})["items"]
    histories = [daemon.call("note.history", {"mind": MIND, "id": each["id"]}) for each in plans]
    told = [[[act["action"] for act in each["history"]], len(each["versions"])] for each in histories]
    return [plans, told]


def finish(daemon: Daemon) -> list[Any]:
    """Let the two days pass, and the mind find what was missed."""
    daemon.call("clock.advance", {"seconds": 3 * DAY_S})
    daemon.call("idle.run", {"mind": MIND})
    return picture(daemon)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Any], list[Any]]:
    with daemon_process(tmp_path_factory.mktemp("peace"), "--simulated-clock", START) as daemon:
        for method, given in calls():
            daemon.call(method, given)
        return picture(daemon), finish(daemon)


def disturbed(daemon: Daemon, work: list[Call], after_s: float) -> None:
    """Make calls until the daemon is killed under them."""
    timer = threading.Timer(after_s, daemon.kill)
    timer.start()
    with (
        contextlib.suppress(DaemonUnavailable, ConnectionError, OSError),
        Client(daemon.socket, timeout=20.0) as client,
    ):
        for method, given in work:
            client.call(method, given)
    timer.join()


def test_whenever_it_dies_what_is_planned_in_the_end_is_the_same(
    tmp_path: Path, undisturbed: tuple[list[Any], list[Any]]
) -> None:
    chance = random.Random(11)
    for _ in range(DEATHS):
        daemon = start(tmp_path, "--simulated-clock", START)
        wait_ready(daemon)
        disturbed(daemon, calls(), chance.uniform(0.0, 0.35))
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        for method, given in calls():
            daemon.call(method, given)
        assert picture(daemon) == undisturbed[0]
    assert damages(tmp_path / "state" / "minds" / f"{MIND}.db") == []


def test_whenever_it_dies_in_its_idle_hours_each_plan_is_missed_once(
    tmp_path: Path, undisturbed: tuple[list[Any], list[Any]]
) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        for method, given in calls():
            daemon.call(method, given)
    chance = random.Random(5)
    night: list[Call] = [("clock.advance", {"seconds": 3 * DAY_S}), ("idle.run", {"mind": MIND})]
    for number in range(DEATHS):
        daemon = start(tmp_path, "--simulated-clock")
        wait_ready(daemon)
        disturbed(daemon, night if number == 0 else night[1:], chance.uniform(0.0, 0.15))
    with daemon_process(tmp_path, "--simulated-clock") as daemon:
        plans, told = finish(daemon)
    expected_plans, expected_told = undisturbed[1]
    assert [(each["id"], each["status"]) for each in plans] == [(each["id"], each["status"]) for each in expected_plans]
    assert "missed" in {each["status"] for each in plans}
    assert told == expected_told
