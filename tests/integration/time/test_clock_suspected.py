"""A clock that jumps is doubted: nothing is deleted by it until it is trusted again, and nothing stored changes."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from tied_notes import strengths, tied

CASES = 20_000 if os.environ.get("SOULMEM_TORTURE") else int(os.environ.get("SOULMEM_TEST_EXAMPLES") or 300)
START = "2026-03-01T08:00:00Z"
HOUR, DAY = 3600, 86_400
SWEEP = HOUR  # what falls due within an hour is swept together
WALL = {"forgetting.clock": "wall"}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    with daemon_process(tmp_path, "--simulated-clock", START) as found:
        yield found


@pytest.fixture
def api(daemon: Daemon) -> Checking:
    return checking(daemon)


@pytest.mark.parametrize("days", [400, 0.5, -2, -400])
def test_while_the_clock_is_suspect_nothing_is_deleted(daemon: Daemon, api: Checking, days: float) -> None:
    api.call("mind.create", mind="mira", settings=WALL)
    made = tied(api, "mira", [0.06, 0.5])
    lone = api.note("mira", "lone 孤", importance=0.0)
    api.call("clock.advance", seconds=HOUR)
    before = strengths(api, "mira")
    jumped = api.call("clock.jump", seconds=days * DAY)
    assert jumped["suspect"] is True
    assert strengths(api, "mira") == pytest.approx(before, abs=1e-9), "a jump passes no time"
    api.call("idle.run", mind="mira")
    api.say("mira", "is it late? 很晚了吗")
    api.call("clock.advance", seconds=HOUR / 4)
    api.call("idle.run", mind="mira")
    assert strengths(api, "mira").keys() == made.keys()
    assert lone in {note["id"] for note in api.notes("mira")}
    back = api.call("clock.jump", seconds=-days * DAY)
    assert back["suspect"] is False
    expected = {link: a0 * math.exp(-(HOUR * 1.25 / DAY) / 7) for link, a0 in made.items()}
    assert strengths(api, "mira") == pytest.approx(expected, abs=1e-6)
    told = daemon.events("clock_jumped")
    assert told[0]["by_ms"] == days * DAY * 1000
    assert api.links("mira")


def test_what_falls_due_under_suspicion_dies_when_the_clock_is_trusted_again(daemon: Daemon, api: Checking) -> None:
    api.call("mind.create", mind="mira", settings=WALL)
    tied(api, "mira", [0.0502])  # 40 minutes
    (due,) = [dt.datetime.fromisoformat(link["dies_at"]) for link in api.links("mira")]
    assert (due - dt.datetime.fromisoformat(START)).total_seconds() == pytest.approx(
        7 * DAY * math.log(0.0502 / 0.05), abs=1
    )
    api.call("clock.jump", seconds=30 * DAY)
    api.call("clock.advance", seconds=0.9 * HOUR)
    api.call("idle.run", mind="mira")
    assert len(api.links("mira")) == 1
    api.call("clock.advance", seconds=3 * HOUR)  # it ran steadily for an hour: the new time is believed
    api.call("clock.advance", seconds=SWEEP)
    assert api.links("mira") == []
    api.call("clock.jump", seconds=0)
    assert daemon.events("clock_trusted")


def test_a_small_correction_is_no_jump(daemon: Daemon, api: Checking) -> None:
    tied(api, "mira", [0.5])
    for seconds in (30, -30, 600, -600):
        assert api.call("clock.jump", seconds=seconds)["suspect"] is False
    assert daemon.events("clock_jumped") == []


def test_a_clock_put_back_while_the_daemon_was_down_is_suspect(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", "2026-06-01T08:00:00Z") as daemon:
        api = checking(daemon)
        made = tied(api, "mira", [0.06, 0.5])
        api.call("clock.advance", seconds=HOUR)
        before = strengths(api, "mira")
        assert daemon.terminate() == 0
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-01T08:00:00Z", name="e") as daemon:
        api = checking(daemon)
        assert strengths(api, "mira") == pytest.approx(before, abs=1e-6)
        api.call("idle.run", mind="mira")
        assert strengths(api, "mira").keys() == made.keys()
        assert api.call("clock.jump", seconds=0)["suspect"] is True
        assert daemon.events("clock_jumped")


def test_a_clock_stepped_back_and_forward_changes_nothing_stored(daemon: Daemon, api: Checking) -> None:
    """Whatever the steps, and whatever is read meanwhile: no memory is other than it was."""
    api.call("mind.create", mind="mira", settings=WALL)
    tied(api, "mira", [0.3, 0.5])
    elements = [{"quote": "violet lantern", "level": 2, "gist": "something"}]
    note = api.note("mira", "Mira hid the violet lantern 紫灯笼 at the harbour.", elements=elements)
    api.call("clock.advance", seconds=DAY)
    api.settle("mira")
    before, opacities, ties = stored(daemon, "mira"), shown_opacities(api, note), strengths(api, "mira")
    assert all(before.values()), "there is something to lose"
    meanwhile: dict[str, Json] = {
        "recall": {"mind": "mira", "query": "lantern", "record": False},
        "idle.run": {"mind": "mira"},
    }

    @settings(max_examples=CASES, deadline=None)
    @given(st.lists(JUMPS, min_size=1, max_size=3).filter(is_incredible), st.sampled_from(["", *meanwhile]))
    def steps(jumps: list[int], method: str) -> None:
        for seconds in [*jumps, -sum(jumps)]:
            api.client.call("clock.jump", {"seconds": seconds})
            if method:
                api.client.call(method, meanwhile[method])
        assert stored(daemon, "mira") == before

    steps()
    assert shown_opacities(api, note) == pytest.approx(opacities, abs=1e-6)
    assert strengths(api, "mira") == pytest.approx(ties, abs=1e-6)


JUMPS = st.integers(-1_000 * DAY, 1_000 * DAY)


def is_incredible(jumps: list[int]) -> bool:
    """Whether none of the steps leads to within an hour of the true time, which would be believed."""
    return all(abs(off) > HOUR for off in itertools.accumulate(jumps))


def stored(daemon: Daemon, mind: str) -> dict[str, list[tuple[object, ...]]]:
    """All that is remembered, as it lies on disk."""
    tables = ("note", "element", "link", "history", "vector")
    return {table: rows(daemon, mind, f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables}


def shown_opacities(api: Checking, note: str) -> list[float]:
    return [element["opacity"] for element in api.call("note.get", mind="mira", id=note)["note"]["elements"]]
