"""kill -9 while notes that tell the same become one: however it dies, the mind is what one in peace is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from checking import checking
from daemon_fixture import Daemon, daemon_process
from killed_nights import CONTINUED, after_kill, copied, copied_amid
from soulmem.store.sqlite import driver

pytestmark = pytest.mark.usefixtures("warm_starts")

MIND = "mira"
START = "2026-03-02T18:00:00Z"
TOLD = (
    "We burnt the lasagne because Tom fell asleep.", "We burnt the lasagne cos Tom fell asleep, we laughed a lot!",
    "我在收容所领养了一只灰猫。", "我真的在收容所收养了一只灰猫，好开心！", "电车晚点了，司机在唱 opera。",
)  # fmt: skip
DELAYS = [0.0, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3]
LONG = bool(os.environ.get("SOULMEM_TORTURE"))


def picture(daemon: Daemon) -> dict[str, Any]:
    """What is told, what went into what, and which links there are."""
    api = checking(daemon)
    gone = api.notes(MIND, state="forgotten")
    return {
        "notes": [(note["id"], note["text"], note["tags"], note["sources"]) for note in api.notes(MIND)],
        "merged": [(note["id"], note["merged_into"]) for note in gone],
        "links": sorted((link["src"], link["dst"], link["kind"], link["initial"]) for link in api.links(MIND)),
        "found": [item["id"] for item in api.found(MIND, "lasagne 灰猫")],
    }


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A mind before the night in which it merges, and what it is after that night in peace."""
    root, other = tmp_path_factory.mktemp("peace"), tmp_path_factory.mktemp("before-night")
    with daemon_process(root, CONTINUED, START) as daemon:
        api = checking(daemon)
        settings = {"linking.merge": False, "forgetting.deletes": False}
        api.call("mind.create", mind=MIND, profile="companion", settings=settings)
        for number, text in enumerate(TOLD):
            api.say(MIND, text, speaker="Ann", id=f"t{number}")
            api.settle(MIND)
            api.call("idle.run", mind=MIND)
        api.call("mind.update", mind=MIND, settings={"linking.merge": True})
        copied_amid(daemon, root / "state", other / "state")
        api.call("idle.run", mind=MIND)
        api.settle(MIND)
        after = picture(daemon)
    assert len(after["merged"]) == 2
    return other / "state", after


def test_killed_at_any_moment_it_merges_the_same_once(evening: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    state, after = evening
    for number, delay in enumerate(DELAYS if LONG else DELAYS[1::3]):
        root = copied(state, tmp_path / str(number))
        assert after_kill(root, {"mind": MIND}, delay, picture) == after, delay


def test_killed_with_its_step_begun_it_ends_it(evening: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    """Its effects stand and its job does not say so, or the job stands and nothing is left to merge."""
    state, after = evening
    root = copied(state, tmp_path / "between")
    with daemon_process(root, CONTINUED) as daemon:
        daemon.call("idle.run", {"mind": MIND})
    connection = driver.writer(root / "state" / "minds" / f"{MIND}.db")()
    connection.execute("UPDATE job SET state = 'running', result = NULL, finished_at = NULL WHERE step = 'merge'")
    connection.close()
    with daemon_process(root, CONTINUED, name="again") as again:
        again.call("idle.run", {"mind": MIND})
        checking(again).settle(MIND)
        assert picture(again) == after
        jobs = again.call("job.list", {"mind": MIND, "limit": 500})["items"]
        assert {job["state"] for job in jobs if job["step"] == "merge"} == {"done"}
