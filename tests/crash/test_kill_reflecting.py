"""kill -9 while a mind thinks over what it noted: however often it dies, it concludes what one in peace concludes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from killed_nights import CONTINUED, after_kill, copied, copied_amid
from recurring_weeks import CONCLUDED, START, live, reflections
from soulmem.store.sqlite import driver

pytestmark = pytest.mark.usefixtures("warm_starts")

MIND = "mira"
# How long after the night began the daemon dies: before the step, in it, and after it.
DELAYS = [0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.35]
LONG = bool(os.environ.get("SOULMEM_TORTURE"))


def picture(daemon: Daemon) -> dict[str, Any]:
    """What is concluded, on what it rests, how often that was done, and which links there are."""
    listed = reflections(daemon, MIND)
    links = daemon.call("link.list", {"mind": MIND, "limit": 500})["items"]
    jobs = daemon.call("job.list", {"mind": MIND, "limit": 500})["items"]
    return {
        "reflections": [{key: each[key] for key in ("id", "text", "depth", "stale", "evidence")} for each in listed],
        "links": sorted((each["src"], each["dst"], each["kind"]) for each in links if each["kind"] == "evidence"),
        "runs": sum(job["result"]["runs"] for job in jobs if job["step"] == "reflect" and job["state"] == "done"),
        "notes": [note["id"] for note in daemon.call("note.list", {"mind": MIND, "limit": 500})["items"]],
    }


@pytest.fixture(scope="module", params=["en", "zh"])
def evening(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any], str]:
    """A mind that was told enough, before the night in which it thinks it over; and what it then concludes in peace."""
    root, other = tmp_path_factory.mktemp("peace"), tmp_path_factory.mktemp("before-night")
    with daemon_process(root, CONTINUED, START) as daemon:
        daemon.call("mind.create", {"mind": MIND, "profile": "assistant", "settings": {"reflection.enabled": False}})
        live(daemon, MIND, request.param)
        daemon.call(
            "mind.update", {"mind": MIND, "settings": {"reflection.enabled": True, "reflection.threshold": 30.0}}
        )
        copied_amid(daemon, root / "state", other / "state")
        daemon.call("idle.run", {"mind": MIND})
        after = picture(daemon)
    assert CONCLUDED[request.param] in [each["text"] for each in after["reflections"]]
    assert after["runs"] == 1
    return other / "state", after, request.param


def test_killed_at_any_moment_it_concludes_the_same_once(
    evening: tuple[Path, dict[str, Any], str], tmp_path: Path
) -> None:
    state, after, _ = evening
    died = 0

    def watched(daemon: Daemon) -> None:
        nonlocal died
        died += not [line for line in daemon.events("step_finished") if line.get("step") == "sweep"]

    for number, delay in enumerate(DELAYS if LONG else DELAYS[::2]):
        root = copied(state, tmp_path / str(number))
        assert after_kill(root, {"mind": MIND}, delay, picture, watched) == after, delay
    assert died >= 1, "no kill came before the end of the night"


def test_killed_right_after_its_transaction_it_does_nothing_twice(
    evening: tuple[Path, dict[str, Any], str], tmp_path: Path
) -> None:
    """The step's effects stand and its job is not done yet: it finds that nothing is left to conclude."""
    state, after, _ = evening
    root = copied(state, tmp_path / "between")
    with daemon_process(root, CONTINUED) as daemon:
        daemon.call("idle.run", {"mind": MIND})
    connection = driver.writer(root / "state" / "minds" / f"{MIND}.db")()
    connection.execute("UPDATE job SET state = 'running', result = NULL, finished_at = NULL WHERE step = 'reflect'")
    connection.close()
    with daemon_process(root, CONTINUED, name="again") as again:
        again.call("idle.run", {"mind": MIND})
        found = picture(again)
        assert json.dumps(found["reflections"]) == json.dumps(after["reflections"])
        assert found["links"] == after["links"]
        assert found["notes"] == after["notes"]
