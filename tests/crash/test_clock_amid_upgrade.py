"""A clock that jumps while a mind of a former schema is brought up to date: nothing is lost, and nothing forgotten.

The daemon dies in the middle of the update with a clock that is years off, finishes it with that clock, and is then put
right; or the clock jumps while the file is being opened. What is known must be what an undisturbed update leaves.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from test_kill_upgrade import nursery

from checking import Checking, checking
from daemon_fixture import daemon_process
from frozen_minds import VERSIONS, schema_version, thaw, thawed_state, told
from soulmem.store.session import verify
from soulmem.store.sqlite import migrations
from spread import spread

pytestmark = pytest.mark.usefixtures("warm_starts")

LATER = "2026-03-02T09:00:00Z"
YEARS = 3652 * 86_400
LEAPS = {"ahead": ("2036-03-02T09:00:00Z", YEARS), "behind": ("2016-03-02T09:00:00Z", -YEARS)}
NEWEST = migrations.migrations("mind")[-1].version
FORMER = [version for version in VERSIONS if version < NEWEST]


def _known(api: Checking, version: int) -> dict[str, Any]:
    """What a client sees of the mind, and nobody's clock decides: how what was said last is tied, its hour may."""
    held = {(f"n{src}", f"n{dst}", kind) for src, dst, kind in _links_of(version)}
    links = {(link["src"], link["dst"], link["kind"]) for link in api.links("mira")}
    kept = ("id", "kind", "text", "rendered", "at", "pinned", "importance")
    return {
        "said": [(each["id"], each["content"], each["at"]) for each in api.messages("mira")],
        "notes": [{key: note[key] for key in kept} for note in api.notes("mira")],
        "forgotten": [note["text"] for note in api.notes("mira", state="forgotten")],
        "links": sorted(held & links),
    }


def _links_of(version: int) -> list[tuple[Any, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        return told(thaw(version, "mind", Path(folder) / "former.db"))["links"]


def _pass_a_day(api: Checking) -> None:
    """In two steps: by the second a clock that was put right is believed."""
    for hours in (2, 22):
        api.call("clock.advance", seconds=hours * 3600)


def _undisturbed(root: Path, version: int) -> dict[str, Any]:
    thawed_state(version, root)
    with daemon_process(root, "--simulated-clock", LATER) as daemon:
        api = checking(daemon)
        _pass_a_day(api)
        return _known(api, version)


@pytest.mark.parametrize(("version", "leap"), spread([FORMER[0], FORMER[-1]], LEAPS))
def test_who_dies_amid_an_update_under_a_wrong_clock_loses_nothing(tmp_path: Path, version: int, leap: str) -> None:
    wanted = _undisturbed(tmp_path / "u", version)
    file = thawed_state(version, tmp_path / "k")
    at, _ = LEAPS[leap]
    with nursery() as migrate:
        assert migrate(file, 25) == "died"
    with daemon_process(tmp_path / "k", "--simulated-clock", at, name="wrong") as daemon:
        assert _known(checking(daemon), version)["said"] == wanted["said"]
    assert schema_version(file) == NEWEST
    with daemon_process(tmp_path / "k", "--simulated-clock", LATER, name="right") as daemon:
        api = checking(daemon)
        _pass_a_day(api)
        assert _known(api, version) == wanted
        assert not [event for event in daemon.log() if event["level"] == "critical"]
    assert verify.damages(file) == []


@pytest.mark.parametrize("leap", LEAPS)
def test_a_clock_that_jumps_while_a_file_is_brought_up_to_date_costs_nothing(tmp_path: Path, leap: str) -> None:
    version = FORMER[0]
    wanted = _undisturbed(tmp_path / "u", version)
    file = thawed_state(version, tmp_path / "j")
    (file.parent.parent / "catalog.db").unlink()  # or the mind would be opened at the start, before anybody can jump
    with daemon_process(tmp_path / "j", "--simulated-clock", LATER) as daemon, ThreadPoolExecutor(2) as pool:
        opening = pool.submit(daemon.call, "mind.get", {"mind": "mira"})
        jumping = pool.submit(daemon.call, "clock.jump", {"seconds": LEAPS[leap][1]})
        assert opening.result()["mind"]["mind"] == "mira"
        jumping.result()
        daemon.call("clock.jump", {"seconds": -LEAPS[leap][1]})
        api = checking(daemon)
        _pass_a_day(api)
        assert _known(api, version) == wanted
    assert schema_version(file) == NEWEST
    assert verify.damages(file) == []
