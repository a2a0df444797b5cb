"""A clock that is moved while clients write: nothing acknowledged is lost, nothing fades by it, nothing is forgotten.

Once on the daemon's own clock source (`clock.jump`), once on the machine's as the daemon sees it: `libfaketime` moves
the wall clock of its process and leaves alone the one that nobody can set. The second is skipped where that is missing.
"""

from __future__ import annotations

import datetime as dt
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from checking import Checking, checking
from daemon_fixture import WARM, Daemon, daemon_process
from soulmem.store.session import verify
from stream import Sent, check_stored, speakers, stored

LONG = bool(os.environ.get("SOULMEM_TORTURE"))
ROUNDS = 12 if LONG else 1
AWAY_S = 1.0 if LONG else 0.1  # how long the clock stays where it was moved to
WRITERS = 4 if LONG else 1
START = "2026-03-01T08:00:00Z"
HOUR, DAY = 3600, 86_400
LIBRARIES = [  # as distributions have it; all that lies below is not for each start of the tests to go through
    found for place in ("", "*/") for found in sorted(Path("/usr/lib").glob(f"{place}faketime/libfaketimeMT.so.1"))
]
LEAPS: dict[str, Callable[[float], float]] = {
    "an hour back": lambda _: -HOUR,
    "a month ahead": lambda _: 30 * DAY,
    "in 1970": lambda now: DAY - now,
    "in 2099": lambda now: 73 * 365.25 * DAY,
}
Move = Callable[[float], None]  # to so many seconds from where the clock should be
Clock = Callable[[Path], AbstractContextManager[tuple[Daemon, Move]]]


@contextmanager
def own_clock(root: Path) -> Iterator[tuple[Daemon, Move]]:
    with daemon_process(root, "--simulated-clock", START) as daemon:
        is_off = 0.0

        def move(seconds: float) -> None:
            nonlocal is_off
            daemon.call("clock.jump", {"seconds": round(seconds - is_off)})
            is_off = round(seconds)

        yield daemon, move


@contextmanager
def clock_of_the_machine(root: Path) -> Iterator[tuple[Daemon, Move]]:
    if not LIBRARIES:
        pytest.skip("libfaketime is not installed")
    off = root / "off"

    def move(seconds: float) -> None:
        new = off.with_suffix(".new")
        new.write_text(f"{seconds:+.0f}\n", encoding="ascii")
        new.rename(off)  # it is read at every look at the clock

    move(0)
    moved = {
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME_TIMESTAMP_FILE": str(off),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # else who waits for the interpreter waits for seconds
        "NO_FAKE_STAT": "1",
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(WARM, raising=False)  # what is forked has its libraries already
        with daemon_process(root, env=moved) as daemon:
            yield daemon, move


def _now(api: Checking) -> dt.datetime:
    return dt.datetime.fromisoformat(api.call("system.ping")["now"])


def _lead_a_life(api: Checking) -> None:
    """What would fade, die or be forgotten at once, were a month believed."""
    api.call("mind.create", mind="mira", settings={"forgetting.clock": "wall"})
    centre = api.note("mira", "the harbour 港口", pinned=True)
    for number, strength in enumerate((0.06, 0.3, 0.9)):
        boat = api.note("mira", f"boat {number} 船{number}号", importance=0.2)
        api.call("link.add", mind="mira", src=centre, dst=boat, strength=strength)
    api.note("mira", "a passing cloud 一朵云", importance=0.0)
    api.settle("mira")


def _known(api: Checking) -> dict[str, float]:
    """Every note with how clear it is, every link with its strength."""
    opacities = {
        f"{note['id']} {element['id']}": element["opacity"]
        for note in api.notes("mira")
        for element in note["elements"]
    }
    return (
        {note["id"]: 1.0 for note in api.notes("mira")}
        | opacities
        | {link["id"]: link["strength"] for link in api.links("mira")}
    )


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("clock", [own_clock, clock_of_the_machine], ids=lambda each: each.__name__)
def test_a_clock_moved_amid_talk_costs_nothing(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(20260301)
    said: list[Sent] = []
    with clock(tmp_path) as (daemon, move):
        api = checking(daemon)
        _lead_a_life(api)
        before, began, was = _known(api), time.monotonic(), _now(api)
        clients = speakers(daemon.socket, "luna", "clock")[:WRITERS]
        for client in clients:
            client.start()
        leaps = [leap for _ in range(ROUNDS) for leap in chance.sample(sorted(LEAPS), len(LEAPS))]
        for number, leap in enumerate(leaps):
            move(LEAPS[leap](was.timestamp()))
            time.sleep(AWAY_S)
            off_s = (_now(api) - was).total_seconds()
            assert abs(off_s) > HOUR / 2, "the daemon's clock was moved"
            assert _known(api) == pytest.approx(before, rel=1e-3), leap
            if number % 4 == 1:
                api.call("idle.run", mind="mira")
            assert api.call("recall", mind="mira", query="boats at the harbour 港口的船", record=False)["items"]
            move(0)
            assert abs((_now(api) - was).total_seconds()) < time.monotonic() - began + 60
            assert _known(api) == pytest.approx(before, rel=1e-3), f"back from {leap}"
        for client in clients:
            client.stop()
        for client in clients:
            client.join()
            assert not client.refused, client.refused[:3]
            said += client.sent.values()
        api.until(lambda: daemon.events("clock_jumped"), "it is told")
        api.until(lambda: daemon.events("clock_trusted"), "that it is well again is told")
        assert check_stored(said, stored(daemon.client(), "luna")) == 0
        assert not api.notes("mira", state="forgotten")
        assert not daemon.events("step_failed")
    if LONG:
        again = ["--simulated-clock", START] if clock is own_clock else []
        with daemon_process(tmp_path, *again, name="after") as daemon:
            assert check_stored(said, stored(daemon.client(), "luna")) == 0
            assert _known(checking(daemon)) == pytest.approx(before, rel=1e-3)
    for mind in ("mira", "luna"):
        assert verify.damages(tmp_path / "state" / "minds" / f"{mind}.db") == []
    with capsys.disabled():
        print(f"\n{clock.__name__} moved {len(leaps)} times amid talk: {len(said)} messages acknowledged, 0 lost")
