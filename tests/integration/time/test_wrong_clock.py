"""A clock that is years ahead for a day costs no memory: what was forgotten on it comes back when it is put right."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from soulmem.store.session import verify

START = "2026-03-01T08:00:00Z"
HOUR, DAY = 3600, 86_400
YEARS = 3652 * DAY
LIFE = [
    "Ann moved to Lisbon in May.", "小林喜欢喝茶。", "The ferry left at noon with the goats.",
    "渡轮中午载着山羊离开了。", "Tom paints boats on Sundays.", "汤姆星期天画船。",
    "The bakery burnt down.", "面包房被烧毁了。", "Mira sold the violet lantern.", "米拉卖掉了紫灯笼。",
]  # fmt: skip
WALL: Json = {"forgetting.clock": "wall"}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    with daemon_process(tmp_path, "--simulated-clock", START) as found:
        yield found


def lead_a_life(api: Checking, mind: str, settings: Json | None = None) -> list[str]:
    """Eleven notes, linked in a ring but for the last, which is pinned."""
    api.call("mind.create", mind=mind, settings=settings or {})
    notes = [api.note(mind, text, importance=0.3) for text in LIFE]
    for src, dst in zip(notes, notes[1:] + notes[:1], strict=True):
        api.call("link.add", mind=mind, src=src, dst=dst, strength=0.6)
    notes.append(api.note(mind, "Greet Ann by name. 先叫她的名字。", pinned=True))
    api.say(mind, "Good morning 早上好", speaker="Ann")
    api.call("clock.advance", seconds=DAY)
    api.settle(mind)
    return notes


def alive(api: Checking, mind: str) -> dict[str, str]:
    return {note["id"]: note["rendered"] for note in api.notes(mind)}


def strengths(api: Checking, mind: str) -> dict[str, float]:
    return {link["id"]: link["strength"] for link in api.links(mind)}


def pass_days(api: Checking, days: float) -> None:
    """In two steps, so that what a clock that is believed by now lets happen happens."""
    api.call("clock.advance", seconds=2 * HOUR)
    api.call("clock.advance", seconds=days * DAY - 2 * HOUR)


@pytest.mark.parametrize("settings", [{}, WALL], ids=["experienced", "wall"])
def test_ten_years_ahead_for_a_day_forget_nothing(daemon: Daemon, settings: Json) -> None:
    api = checking(daemon)
    notes = lead_a_life(api, "mira", settings)
    before, held = alive(api, "mira"), strengths(api, "mira")
    assert list(before) == notes
    api.call("clock.jump", seconds=YEARS)
    pass_days(api, 1)
    assert len(alive(api, "mira")) < len(notes) / 2, "ten years were believed"
    assert not strengths(api, "mira")
    api.call("clock.jump", seconds=-YEARS)
    pass_days(api, 1)
    after = alive(api, "mira")
    assert after == before
    gone = 2.0
    assert strengths(api, "mira") == pytest.approx(
        {link: strength * math.exp(-gone / 7) for link, strength in held.items()}, rel=0.02
    )
    for text in (*LIFE[:2], LIFE[-1]):
        assert api.found("mira", text, k=3)[0]["text"] == text, "it is searched again, with all its words"
    assert not api.notes("mira", state="forgotten")
    assert verify.damages(daemon.state / "minds" / "mira.db") == []
    restored = [event for event in daemon.events("note_restored") if event["mind"] == "mira"]
    assert sum(event["count"] for event in restored) >= len(notes) / 2


def test_what_somebody_forgot_on_the_wrong_clock_stays_forgotten_and_can_be_restored(daemon: Daemon) -> None:
    api = checking(daemon)
    notes = lead_a_life(api, "mira")
    before = alive(api, "mira")
    api.call("clock.jump", seconds=YEARS)
    api.call("clock.advance", seconds=2 * HOUR)
    api.call("note.forget", mind="mira", id=notes[-1])
    told = api.note("mira", "Ann keeps geese now. 安现在养鹅。")
    api.say("mira", "The geese are loud 鹅很吵", speaker="Ann")
    pass_days(api, 1)
    api.call("clock.jump", seconds=-YEARS)
    pass_days(api, 1)
    assert alive(api, "mira").keys() - {told} >= before.keys() - {notes[-1]}
    assert told in alive(api, "mira"), "what was told on the wrong clock is told"
    (gone,) = [note for note in api.notes("mira", state="forgotten") if note["id"] == notes[-1]]
    now = dt.datetime.fromisoformat(api.call("system.ping")["now"])
    assert dt.timedelta(days=20) < dt.datetime.fromisoformat(gone["purge_at"]) - now < dt.timedelta(days=31)
    api.call("note.restore", mind="mira", id=notes[-1])
    new = api.call("note.get", mind="mira", id=told)["note"]
    assert new["state"] == "clear"
    pass_days(api, 300)
    assert told not in alive(api, "mira"), "and fades like anything else"


def test_a_closed_mind_follows_too_and_talk_goes_on_as_ever(tmp_path: Path) -> None:
    """The clock is wrong when the daemon starts, and right when it starts the next time."""
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        lead_a_life(api, "mira")
        before = alive(api, "mira")
        daemon.terminate()
    with daemon_process(tmp_path, "--simulated-clock", "2036-03-01T08:00:00Z", name="e") as daemon:
        api = checking(daemon)
        pass_days(api, 1)
        assert len(alive(api, "mira")) < len(before) / 2
        api.say("mira", "Is it so late? 这么晚了吗", speaker="Ann")
        api.call("idle.run", mind="mira")
        daemon.terminate()
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-03T08:00:00Z", name="f") as daemon:
        api = checking(daemon)
        assert api.call("clock.jump", seconds=0)["suspect"]
        pass_days(api, 0.5)
        assert alive(api, "mira").items() >= before.items()
        before = alive(api, "mira")
        daemon.terminate()
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-04T08:00:00Z", name="g") as daemon:
        api = checking(daemon)
        assert alive(api, "mira").items() >= before.items(), "once, and for good"
        api.say("mira", "Good night 晚安", speaker="Ann")
        pass_days(api, 1)
        assert api.status("mira")["state"] == "idle", "silence is silence again"
        assert not rows(daemon, "mira", "SELECT id FROM note WHERE created_exp > ?", 2_000_000_000_000)


def test_a_clock_that_is_behind_for_a_day_costs_nothing_either(daemon: Daemon) -> None:
    api = checking(daemon)
    lead_a_life(api, "mira")
    before, held = alive(api, "mira"), strengths(api, "mira")
    api.call("clock.jump", seconds=-YEARS)
    pass_days(api, 1)
    assert alive(api, "mira") == before
    api.say("mira", "What year is it? 哪一年了", speaker="Ann")
    gone = api.note("mira", "A slip of the tongue 口误")
    api.call("note.forget", mind="mira", id=gone)
    api.call("clock.jump", seconds=YEARS)
    pass_days(api, 1)
    assert alive(api, "mira") == before, "no ten years passed"
    left = {link: strength for link, strength in strengths(api, "mira").items() if link in held}
    assert left == pytest.approx({k: v * math.exp(-2 / 7) for k, v in held.items()}, rel=0.1)
    assert [note["id"] for note in api.notes("mira", state="forgotten")] == [gone], "it can still be restored"


def test_time_that_did_pass_is_not_taken_back(daemon: Daemon) -> None:
    """Years of silence that were no mistake: a small correction later brings nothing back."""
    api = checking(daemon)
    notes = lead_a_life(api, "mira", WALL)
    api.call("clock.advance", seconds=400 * DAY)
    left = alive(api, "mira")
    assert len(left) < len(notes)
    api.call("clock.jump", seconds=-3 * DAY)
    pass_days(api, 1)
    assert alive(api, "mira") == left
