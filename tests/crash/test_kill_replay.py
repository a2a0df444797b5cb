"""kill -9 while a mind goes over its day: however it dies, its notes and links are those of one that slept in peace."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from checking import checking
from daemon_fixture import Daemon, daemon_process, start, wait_ready
from killed_nights import CONTINUED, after_kill, copied, copied_amid
from soulmem.client import Client, DaemonUnavailable
from soulmem.store.session.verify import damages
from soulmem.store.sqlite import driver, offline_reader

pytestmark = pytest.mark.usefixtures("warm_starts")

MIND = "mira"
START = "2026-03-02T18:00:00Z"
NIGHT = {"mind": MIND, "steps": ["replay"]}
TOLD = (
    "The nurse of gran Odile gave me a green umbrella.", "My brother Tom repairs clocks in Bern.",
    "昨天我在菜市场遇见了小学同桌周洋。", "我的室友小米下周搬去深圳。", "The tram driver sang opera on my way home.",
    "I painted the kitchen yellow.", "我们科室来了三台新的呼吸机。", "The choir needs a new tenor 男高音.",
)  # fmt: skip
DELAYS = [0.0, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3]
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
TABLES = ("note", "link", "element", "replayed", "replay_due", "replay_link", "replay_region")


def picture(daemon: Daemon) -> dict[str, list[tuple[Any, ...]]]:
    """All that the file says of notes and links, and of what was gone over."""

    def read(connection: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in TABLES}

    return offline_reader.look(daemon.state / "minds" / f"{MIND}.db", read)


def with_regions(daemon: Daemon) -> dict[str, list[tuple[Any, ...]]]:
    """The same, and how many regions each night went over."""
    jobs = daemon.call("job.list", {"mind": MIND, "limit": 500})["items"]
    regions = [(job["result"]["regions"],) for job in jobs if job["step"] == "replay"]
    return picture(daemon) | {"regions": regions}


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[tuple[Any, ...]]]]:
    """A mind before a night of many regions, and what it is after that night in peace."""
    root, other = tmp_path_factory.mktemp("peaceful"), tmp_path_factory.mktemp("before-sleep")
    with daemon_process(root, CONTINUED, START) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind=MIND, profile="companion", settings={"forgetting.deletes": False})
        for number, text in enumerate(TOLD):
            api.say(MIND, text, speaker="Ann", id=f"t{number}", conversation=f"c{number}")
        api.settle(MIND)
        api.call("idle.run", mind=MIND)
        for told in api.notes(MIND):  # each in a ring of its own
            sides = [api.note(MIND, f"a lamp of the harbour 港口的灯 {told['id']} {place}") for place in range(3)]
            notes = [told["id"], *sides]
            for one, two in zip(notes, [*notes[1:], notes[0]], strict=True):
                api.call("link.add", mind=MIND, src=one, dst=two, kind="association", strength=0.9)
        api.settle(MIND)
        copied_amid(daemon, root / "state", other / "state")
        daemon.call("idle.run", NIGHT)
        api.settle(MIND)
        after = with_regions(daemon)
    assert [regions > 4 for (regions,) in after["regions"]] == [True]
    assert after["replay_link"]
    assert after["replay_due"] == []
    return other / "state", after


def test_killed_at_any_moment_it_goes_over_the_same_once(
    evening: tuple[Path, dict[str, list[tuple[Any, ...]]]], tmp_path: Path
) -> None:
    state, after = evening
    for number, delay in enumerate(DELAYS if LONG else DELAYS[3:5]):
        root = copied(state, tmp_path / str(number))
        assert after_kill(root, NIGHT, delay, with_regions) == after, delay


def test_killed_while_a_night_is_taken_back_it_is_there_whole_or_not_at_all(
    evening: tuple[Path, dict[str, list[tuple[Any, ...]]]], tmp_path: Path
) -> None:
    state, _ = evening
    before = copied(state, tmp_path / "before")
    with daemon_process(before, CONTINUED) as daemon:
        checking(daemon).settle(MIND)
        former = content(daemon)
        daemon.call("idle.run", NIGHT)
        checking(daemon).settle(MIND)
        after = content(daemon)
    assert former != after
    for number, delay in enumerate(DELAYS if LONG else (0.0, 0.02)):
        root = copied(before / "state", tmp_path / f"undo{number}")
        daemon = start(root, CONTINUED)
        wait_ready(daemon)
        client = daemon.client()
        undo = threading.Thread(target=_asked_and_cut_off, args=(client,))
        undo.start()
        time.sleep(delay)
        daemon.kill()
        undo.join()
        client.close()
        with daemon_process(root, CONTINUED, name="again") as again:
            found = content(again)
            assert found in (former, after), delay
            if found == after:
                again.call("replay.undo", {"mind": MIND})
            assert content(again) == former
        assert damages(root / "state" / "minds" / f"{MIND}.db") == []


def _asked_and_cut_off(client: Client) -> None:
    with contextlib.suppress(DaemonUnavailable):
        client.call("replay.undo", {"mind": MIND})


def content(daemon: Daemon) -> dict[str, list[tuple[Any, ...]]]:
    """What a mind's file holds of its notes and links, whatever it knows of nights."""
    queries = (
        "SELECT id, text, tags, importance, lifecycle, valid_from FROM note",
        "SELECT id, note, gist, a0, t0, stability, last_growth FROM element",
        "SELECT * FROM link",
    )
    file = daemon.state / "minds" / f"{MIND}.db"
    return offline_reader.look(
        file, lambda connection: {each: sorted(connection.execute(each), key=repr) for each in queries}
    )


def test_the_doctor_knows_its_bounds(evening: tuple[Path, dict[str, list[tuple[Any, ...]]]], tmp_path: Path) -> None:
    root = copied(evening[0], tmp_path / "ill")
    with daemon_process(root, CONTINUED) as daemon:
        daemon.call("idle.run", NIGHT)
    file = root / "state" / "minds" / f"{MIND}.db"
    assert damages(file) == []
    connection = driver.writer(file)()
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("UPDATE link SET initial = 0.9 WHERE id IN (SELECT link FROM replay_link)")
    connection.execute("INSERT INTO replay_due (note) VALUES (999)")
    connection.execute("INSERT INTO replayed (note, at, times) VALUES (998, 1, 1)")
    connection.execute("INSERT INTO replay_link (link, made_at) VALUES (997, 1)")
    connection.execute("UPDATE replay_region SET undo = '{}' WHERE id = (SELECT max(id) FROM replay_region)")
    connection.execute("INSERT INTO replay_region (job, made_at, undo) VALUES (996, 1, '[')")
    connection.execute("INSERT INTO replay_rewrite (note, version, region, elements) VALUES (1, 9, 1, '[]')")
    connection.execute("INSERT INTO replay_refused (kind, one, other) VALUES ('link', 995, 0)")
    connection.close()
    found = "\n".join(damages(file))
    for said in (
        "is no weak association", "n999 is to be gone over", "n998 was gone over", "l997 was made at night",
        "is of no night", "cannot be taken back", "n1 was given other words", "link of note n995",
    ):  # fmt: skip
        assert said in found
