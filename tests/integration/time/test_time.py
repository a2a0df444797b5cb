"""Time on the simulated clock: fading without a write, dying on time, sleeping through silence, doubting the clock."""

from __future__ import annotations

import datetime as dt
import hashlib
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from soulmem.client import SoulmemRemoteError
from tied_notes import strengths, tied

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


def image(daemon: Daemon, mind: str) -> str:
    """What the mind's file holds, its log included, byte for byte."""
    digest = hashlib.sha256()
    for suffix in ("", "-wal"):
        path = daemon.state / "minds" / f"{mind}.db{suffix}"
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


# -- fading --------------------------------------------------------------------------------------------------


def test_strength_is_the_exponential_and_costs_no_write(daemon: Daemon, api: Checking) -> None:
    made = tied(api, "mira", [0.9, 0.6, 1.0, 0.31])
    semantic = tied(api, "mira", [0.7], kind="semantic", confidence=0.9)
    stable = {**dict.fromkeys(made, 7.0), **dict.fromkeys(semantic, 42.0)}
    made |= semantic
    api.settle("mira")
    before = image(daemon, "mira")
    days = 0.0
    for step in (1 / 24, 0.5 - 1 / 24, 1.0, 1.0, 0.4):
        api.call("clock.advance", seconds=step * DAY)
        days += step
        for link, strength in strengths(api, "mira").items():
            assert strength == pytest.approx(made[link] * math.exp(-days / stable[link]), abs=1e-6), (link, days)
    assert image(daemon, "mira") == before
    assert days == pytest.approx(2.9)
    for note in api.notes("mira"):
        for element in note["elements"]:
            assert element["state"] == "clear", "pinned notes do not fade"


def test_notes_fade_without_a_write(daemon: Daemon, api: Checking) -> None:
    notes = {
        api.note("mira", f"picnic {share} 野餐", importance=share, elements=[]): share for share in (0.0, 0.5, 1.0)
    }
    lore = api.note("mira", "the map of the realm 地图", kind="lore")
    api.settle("mira")
    before = image(daemon, "mira")
    for days in (0.5, 1.0, 2.0, 2.5, 3.0):
        now = dt.datetime.fromisoformat(api.call("system.ping")["now"])
        gone = (now - dt.datetime.fromisoformat(START)).total_seconds() / DAY
        api.call("clock.advance", seconds=(days - gone) * DAY)
        for note, importance in notes.items():
            (element,) = api.call("note.get", mind="mira", id=note)["note"]["elements"]
            assert element["opacity"] == pytest.approx(0.9 * math.exp(-days / (30 * (0.5 + importance))), abs=1e-6)
        (element,) = api.call("note.get", mind="mira", id=lore)["note"]["elements"]
        assert (element["state"], element["blurs_at"]) == ("clear", None)
    assert image(daemon, "mira") == before


def test_an_element_blurs_and_blanks_when_it_says_so(daemon: Daemon, api: Checking) -> None:
    api.call("mind.create", mind="mira", settings=WALL)
    note = api.note("mira", "the smell of hay 干草的味道", importance=0.5)
    api.call("link.add", mind="mira", src=note, dst=api.note("mira", "summer 夏天"), kind="trigger", strength=1.0)

    def element() -> Json:
        return dict(api.call("note.get", mind="mira", id=note)["note"]["elements"][0])

    first = element()
    for state, name, ratio in (("blurred", "blurs_at", 0.5), ("blank", "blanks_at", 0.2)):
        at = dt.datetime.fromisoformat(first[name])
        expected = 30 * math.log(0.9 / ratio)
        start = dt.datetime.fromisoformat(START)
        assert (at - start).total_seconds() / DAY == pytest.approx(expected, abs=1e-4)
        now = dt.datetime.fromisoformat(api.call("system.ping")["now"])
        api.call("clock.advance", seconds=(at - now).total_seconds() - 60)
        assert element()["state"] != state
        api.call("clock.advance", seconds=120)
        assert element()["state"] == state
        assert api.call("note.get", mind="mira", id=note)["note"]["text"] == "the smell of hay 干草的味道"


@pytest.mark.parametrize("clock", ["experienced", "wall"])
def test_every_link_dies_within_one_sweep_of_its_time(daemon: Daemon, api: Checking, clock: str) -> None:
    api.call("mind.create", mind="mira", settings={"forgetting.clock": clock})
    made = tied(api, "mira", [0.055, 0.06, 0.07, 0.1, 0.2])
    due = {link["id"]: dt.datetime.fromisoformat(link["dies_at"]) for link in api.links("mira")}
    for link, at in due.items():
        lived = (at - dt.datetime.fromisoformat(START)).total_seconds() / DAY
        needed = 7 * math.log(made[link] / 0.05)
        silent = needed if clock == "wall" or needed <= 3 else 3 + (needed - 3) / 0.1
        assert lived == pytest.approx(silent, abs=1e-4)
    for link, at in sorted(due.items(), key=lambda pair: pair[1]):
        now = dt.datetime.fromisoformat(api.call("system.ping")["now"])
        ahead = (at - now).total_seconds() - 1
        if ahead > 0:
            api.call("clock.advance", seconds=ahead)
        assert link in strengths(api, "mira")
        fired = api.call("clock.advance", seconds=1 + SWEEP)
        assert link not in strengths(api, "mira")
        assert fired["fired"] >= 1
    assert api.links("mira") == []
    forgotten = [event for event in daemon.events("link_forgotten") if event["mind"] == "mira"]
    assert sum(event["count"] for event in forgotten) == len(due)
    assert rows(daemon, "mira", "SELECT count(*) > 0 FROM tombstone WHERE kind = 'link'") == [(1,)]


def test_a_closed_mind_is_woken_when_something_falls_due(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        made = tied(api, "mira", [0.06])
        assert daemon.terminate() == 0
    with daemon_process(tmp_path, "--simulated-clock", START, name="e") as daemon:
        api = checking(daemon)
        api.call("clock.advance", seconds=2 * DAY)
        assert daemon.events("link_forgotten"), "nobody has opened the mind"
        assert not made.keys() & strengths(api, "mira").keys()


def test_a_damaged_mind_keeps_no_other_from_forgetting(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        made = {mind: tied(api, mind, [0.06]) for mind in ("anna", "mira")}  # by name, as they are gone through
        assert daemon.terminate() == 0
    (tmp_path / "state" / "minds" / "anna.db").write_text("购物清单: eggs, milk, 豆腐\n" * 400, encoding="utf-8")
    with daemon_process(tmp_path, "--simulated-clock", START, name="e") as daemon:
        api = checking(daemon)
        with pytest.raises(SoulmemRemoteError, match=r"anna\.db"):
            daemon.call("clock.advance", {"seconds": 2 * DAY})
        assert [event["mind"] for event in daemon.events("link_forgotten")] == ["mira"]
        assert not made["mira"].keys() & strengths(api, "mira").keys()


# -- who may stay --------------------------------------------------------------------------------------------


def days_lived(api: Checking, notes: dict[str, str], until: int, visit: dict[int, str] | None = None) -> dict[str, int]:
    """Let days pass; on which day each note was gone. `visit`: a note to recall at the end of a day."""
    lived: dict[str, int] = {}
    for day in range(1, until + 1):
        api.call("clock.advance", seconds=DAY + (SWEEP if day == 1 else 0))
        alive = {note["id"] for note in api.notes("mira")}
        for name, note in notes.items():
            if note not in alive:
                lived.setdefault(name, day)
        if visit and day in visit:
            api.call("recall", mind="mira", query=visit[day], k=1)
    return lived


def test_isolated_notes_go_unless_something_speaks_for_them(daemon: Daemon, api: Checking) -> None:
    api.call("mind.create", mind="mira", settings=WALL)
    words = {
        "plain": "gravel 砾石", "clear": "lantern 灯笼", "pinned": "compass 罗盘", "lore": "kingdom 王国",
        "recalled": "saffron 藏红花", "linked": "bridge 桥", "fact": "tannery 皮革厂",
    }  # fmt: skip
    notes = {
        name: api.note(
            "mira",
            text,
            kind={"lore": "lore", "fact": "semantic"}.get(name, "episodic"),
            importance=1.0 if name == "clear" else 0.0,
            pinned=name == "pinned",
            elements=[],
        )
        for name, text in words.items()
    }
    api.call("link.add", mind="mira", src=notes["linked"], dst=notes["pinned"], kind="trigger", strength=0.8)
    lived = days_lived(api, notes, 36, {8: "saffron 藏红花"})
    # blur of importance 0: 30·0.5·ln(0.9/0.5) = 8.8 d; of importance 1: 26.4 d; a recall keeps for a week; a fact stays
    # until it is blank, 30·0.5·ln(0.9/0.2) = 22.6 d
    assert lived == {"plain": 9, "recalled": 15, "clear": 27, "fact": 23}
    forgotten = {note["id"] for note in api.notes("mira", state="forgotten")}
    gone = {notes[name] for name in lived}
    assert gone - {notes["plain"]} <= forgotten <= gone


def test_a_note_whose_last_neighbour_is_forgotten_goes_with_the_next_sweep(daemon: Daemon, api: Checking) -> None:
    api.call("mind.create", mind="mira", settings=WALL)
    ends = [api.note("mira", text, importance=0.0, elements=[]) for text in ("gate 门", "wall 墙")]
    api.call("link.add", mind="mira", src=ends[0], dst=ends[1], kind="trigger", strength=0.8)
    api.call("clock.advance", seconds=12 * DAY)
    assert {note["id"] for note in api.notes("mira")} == set(ends), "faded, but tied to one another"
    api.call("note.forget", mind="mira", id=ends[0])
    api.call("clock.advance", seconds=2 * SWEEP)
    assert api.notes("mira") == []


def test_a_hundred_days_in_which_nothing_is_lost_write_nothing(daemon: Daemon, api: Checking) -> None:
    """Neither a note that nothing links to nor one that is linked is looked at for its own sake."""
    api.call("mind.create", mind="mira", settings={**WALL, "forgetting.scale": 1000.0})
    api.note("mira", "the lonely lighthouse 孤独的灯塔")
    tied(api, "mira", [0.8], kind="semantic", confidence=1.0)
    api.note("mira", "the quiet harbour 安静的港口", pinned=True)
    api.settle("mira")
    api.call("clock.advance", seconds=HOUR)
    before = image(daemon, "mira")
    api.call("clock.advance", seconds=100 * DAY)
    assert image(daemon, "mira") == before
    assert len(api.notes("mira")) == 4


def test_notes_of_an_open_epoch_and_young_ones_stay(daemon: Daemon, api: Checking) -> None:
    api.call("mind.create", mind="mira", settings=WALL)
    note = api.note("mira", "pebble 鹅卵石", importance=0.0)
    link_end = api.note("mira", "shore 岸", pinned=True)
    api.call("link.add", mind="mira", src=note, dst=link_end, strength=0.06)
    api.call("clock.advance", seconds=2 * DAY)
    assert api.links("mira") == [], "its only link has died"
    assert note in {found["id"] for found in api.notes("mira")}, "younger than seven days"


def test_the_end_of_a_note_takes_its_links_and_their_ends_along(daemon: Daemon, api: Checking) -> None:
    """a–b dies; b had nothing else: the cascade runs until nobody else becomes isolated."""
    api.call("mind.create", mind="mira", settings=WALL)
    a, b, c = (api.note("mira", text, importance=0.0) for text in ("ash 灰", "ember 余烬", "flame 火焰"))
    api.call("link.add", mind="mira", src=a, dst=b, strength=0.5)
    api.call("link.add", mind="mira", src=b, dst=c, strength=0.5)
    api.call("clock.advance", seconds=40 * DAY)
    assert api.notes("mira") == []
    assert api.links("mira") == []


def test_an_assistant_forgets_nothing(daemon: Daemon, api: Checking) -> None:
    api.call("mind.create", mind="mira", profile="assistant")
    lone = api.note("mira", "lone fact 孤立", importance=0.0, elements=[])
    made = tied(api, "mira", [0.06, 0.5])
    assert {link["dies_at"] for link in api.links("mira")} == {None}
    api.call("clock.advance", seconds=2000 * DAY)
    api.call("idle.run", mind="mira")
    assert strengths(api, "mira").keys() == made.keys()
    assert lone in {note["id"] for note in api.notes("mira")}
    (element,) = api.call("note.get", mind="mira", id=lone)["note"]["elements"]
    assert (element["state"], element["blurs_at"]) == ("clear", None)


# -- silence -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("settings", "felt"), [({}, 3.7), (WALL, 10.0), ({"forgetting.dormancy_rate": 0.5}, 6.5)])
def test_ten_silent_days(daemon: Daemon, api: Checking, settings: Json, felt: float) -> None:
    api.call("mind.create", mind="mira", settings=settings)
    ((link, a0),) = tied(api, "mira", [0.9]).items()
    api.call("clock.advance", seconds=10 * DAY)
    assert strengths(api, "mira")[link] == pytest.approx(a0 * math.exp(-felt / 7), abs=1e-6)
    api.say("mira", "I am back 我回来了")
    assert strengths(api, "mira")[link] == pytest.approx(a0 * math.exp(-felt / 7), abs=1e-6), "talk moves no time"
    api.call("clock.advance", seconds=10 * DAY)
    assert strengths(api, "mira")[link] == pytest.approx(a0 * math.exp(-2 * felt / 7), abs=1e-6), "silence begins anew"


def test_reading_is_no_activity_but_recall_is(daemon: Daemon, api: Checking) -> None:
    for mind in ("read", "asked"):
        tied(api, mind, [0.9])
    api.call("clock.advance", seconds=2.5 * DAY)
    for method in ("note.list", "link.list", "job.list", "mind.get", "graph.get"):
        api.call(method, mind="read")
    api.call("recall", mind="asked", query="harbour", record=False)
    api.call("clock.advance", seconds=2.5 * DAY)
    (quiet,), (asked,) = strengths(api, "read").values(), strengths(api, "asked").values()
    assert quiet == pytest.approx(0.9 * math.exp(-3.2 / 7), abs=1e-6)
    assert asked == pytest.approx(0.9 * math.exp(-5.0 / 7), abs=1e-6)


def test_experienced_time_survives_a_restart(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        ((link, a0),) = tied(api, "mira", [0.9]).items()
        api.call("clock.advance", seconds=5 * DAY)
        api.say("mira", "hello 你好")
        assert daemon.terminate() == 0
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-08T08:00:00Z", name="e") as daemon:
        api = checking(daemon)
        assert strengths(api, "mira")[link] == pytest.approx(a0 * math.exp(-(3.2 + 2) / 7), abs=1e-6)


def test_messages_dated_out_of_order_move_no_time(daemon: Daemon, api: Checking) -> None:
    ((link, a0),) = tied(api, "mira", [0.9]).items()
    for at in ("0001-01-01T00:00:00Z", "2026-03-02T07:00:00Z", "1999-12-31T23:59:59Z"):
        api.say("mira", "told out of order 乱序", at=at)
        assert strengths(api, "mira")[link] == pytest.approx(a0, abs=1e-6), "traces start at the daemon's now"
