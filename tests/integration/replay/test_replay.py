"""A sleeping mind goes over what is new with what belongs to it: once a night, within its bounds, and never twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Json, checking
from daemon_fixture import Daemon, daemon_process
from shell import Shell
from soulmem.idle.replay import replay_writes
from soulmem.idle.replay.replay_step import MOST_REGIONS
from soulmem.store.session.verify import damages
from soulmem.store.sqlite import offline_reader

START = "2026-03-02T18:00:00Z"
DAY_S = 86_400
SETTINGS: Json = {"forgetting.clock": "wall", "forgetting.deletes": False, "idle.after_s": 600}
OLD = {
    "en": "My gran Odile had her knee operated in the clinic of Lyon.",
    "zh": "我奶奶陈秀英在上海的医院做了膝盖手术。",
    "mixed": "我奶奶 Odile 在 Lyon 的诊所做了膝盖手术。",
}
NEW = {
    "en": "The nurse of gran Odile gave me a green umbrella.",
    "zh": "照顾奶奶的护士送了我一把绿色的雨伞。",
    "mixed": "照顾 Odile 的护士送了我一把 green umbrella。",
}
LANGUAGES = tuple(OLD)
NOTHING: Json = dict.fromkeys(replay_writes.COUNTS, 0)
SIDES = {"en": ("a lamp", "a tram", "a kite"), "zh": ("一盏灯", "一辆电车", "一只风筝")}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon, self.api, self.made = daemon, checking(daemon), 0

    def mind(self, **settings: object) -> str:
        self.made += 1
        self.api.call("mind.create", mind=f"m{self.made}", profile="companion", settings={**SETTINGS, **settings})
        return f"m{self.made}"

    def tell(self, mind: str, text: str, **params: object) -> None:
        """Say something and let the mind digest it."""
        self.api.say(mind, text, speaker="Ann", **params)
        self.settle(mind)

    def settle(self, mind: str) -> None:
        self.api.settle(mind)
        self.api.call("idle.run", mind=mind)
        self.api.settle(mind)

    def sleep(self, days: float = 1.0) -> None:
        self.api.call("clock.advance", seconds=int(days * DAY_S))

    def replays(self, mind: str) -> list[Json]:
        jobs = self.api.call("job.list", mind=mind, limit=500)["items"]
        return [job["result"] for job in jobs if job["step"] == "replay" and job["state"] == "done"]

    def square(self, mind: str, language: str = "en") -> list[str]:
        """What was told and three things beside it, each tied to the next and the last to the first."""
        self.tell(mind, NEW[language])
        notes = [self.api.notes(mind)[0]["id"], *(self.api.note(mind, text) for text in SIDES[language])]
        for one, other in zip(notes, [*notes[1:], notes[0]], strict=True):
            self.api.call("link.add", mind=mind, src=one, dst=other, kind="association", strength=0.7)
        self.api.settle(mind)
        return notes

    def now(self, mind: str) -> None:
        self.api.call("idle.run", mind=mind, steps=["replay"])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("r"), "--simulated-clock", START) as daemon:
        yield House(daemon)


def lasts(house: House, mind: str, note: str) -> list[Any]:
    """When each detail of a note blurs."""
    return [element["blurs_at"] for element in house.api.call("note.get", mind=mind, id=note)["note"]["elements"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_belongs_to_what_is_new_lasts_longer(house: House, language: str) -> None:
    """Two minds of one life: the one that goes over it at night keeps the old matter longer."""
    kept: list[list[Any]] = []
    for replays in (False, True):
        mind = house.mind(**{"idle.replay": replays})
        house.tell(mind, OLD[language], id="old")
        (old,) = [note["id"] for note in house.api.notes(mind) if note["kind"] == "episodic"]
        house.api.call("clock.advance", seconds=5 * DAY_S)
        house.tell(mind, NEW[language], id="new")
        (new,) = [note["id"] for note in house.api.notes(mind) if note["sources"][0]["id"] == "new"]
        if not any({old, new} == {link["src"], link["dst"]} for link in house.api.links(mind)):
            house.api.call("link.add", mind=mind, src=old, dst=new, kind="association", strength=0.6)
        before = lasts(house, mind, old)
        house.sleep()
        kept.append([(after, was) for after, was in zip(lasts(house, mind, old), before, strict=True)])
        assert len(house.replays(mind)) == (2 if replays else 0), "a night after each evening"
    off, on = kept
    assert all(after == was for after, was in off)
    assert all(after > was for after, was in on if was is not None), on
    done = [event for event in house.daemon.events("replay_finished") if event["mind"] == mind]
    assert [event["notes"] >= 1 for event in done] == [True, True]


@pytest.mark.parametrize("language", SIDES)
def test_what_two_things_bind_is_tied_once_and_weakly(house: House, language: str) -> None:
    mind = house.mind()
    notes = house.square(mind, language)
    house.now(mind)
    tied = [link for link in house.api.links(mind) if link["origin"] == "hebb"]
    across = [{notes[0], notes[2]}, {notes[1], notes[3]}]
    assert tied
    for link in tied:
        assert {link["src"], link["dst"]} in across
        assert (link["kind"], link["initial"] <= 0.3) == ("association", True)
    assert house.replays(mind) == [{**NOTHING, "regions": 1, "notes": 4, "tied": len(tied)}]
    made = [e["count"] for e in house.daemon.events("link_created") if e["mind"] == mind and e["origin"] == "hebb"]
    assert made == [len(tied)]
    assert damages(house.daemon.state / "minds" / f"{mind}.db") == []


def content(daemon: Daemon, mind: str) -> dict[str, list[tuple[Any, ...]]]:
    """What a mind's file holds of its graph and of what was gone over."""
    tables = ("note", "link", "element", "replayed", "replay_due", "replay_link", "reinforcement")

    def read(connection: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}

    return offline_reader.look(daemon.state / "minds" / f"{mind}.db", read)


def test_the_same_night_twice_changes_nothing_more(house: House) -> None:
    mind = house.mind()
    house.square(mind)
    house.now(mind)
    before = content(house.daemon, mind)
    assert before["replay_link"]
    assert before["replay_due"] == []
    for _ in range(2):
        house.now(mind)
        house.api.call("idle.run", mind=mind)
    assert content(house.daemon, mind) == before
    house.sleep(2)
    assert len(house.replays(mind)) == 1, "a night in which nothing is new is no work"
    assert content(house.daemon, mind)["replayed"] == before["replayed"]


def test_it_waits_for_the_night(house: House) -> None:
    mind = house.mind(**{"idle.replay_after_h": 6})
    house.square(mind)
    house.tell(mind, OLD["en"], id="old")
    assert house.replays(mind) == []
    house.api.call("clock.advance", seconds=5 * 3600)
    house.api.settle(mind)
    assert house.replays(mind) == [], "five hours are no night here"
    house.api.call("clock.advance", seconds=2 * 3600)
    house.api.settle(mind)
    assert len(house.replays(mind)) == 1


def test_a_budget_of_nothing_is_no_work(house: House) -> None:
    mind = house.mind(**{"idle.seconds_per_run": 0})
    house.square(mind)
    before = content(house.daemon, mind)
    house.now(mind)
    house.sleep(2)
    assert house.replays(mind) == []
    assert content(house.daemon, mind) == before
    house.api.call("mind.update", mind=mind, settings={"idle.seconds_per_run": 0.001})
    house.now(mind)
    assert [done["regions"] for done in house.replays(mind)] == [1], "a small one is one region"


def test_a_mind_without_links_has_nothing_to_go_over_together(house: House) -> None:
    mind = house.mind()
    house.tell(mind, NEW["en"])
    before = content(house.daemon, mind)
    house.now(mind)
    after = content(house.daemon, mind)
    assert [after[name] for name in ("note", "link", "element")] == [before[n] for n in ("note", "link", "element")]
    notes = len(before["replay_due"])
    assert house.replays(mind) == [{**NOTHING, "regions": notes, "notes": notes}]


def test_what_may_not_be_told_of_one_another_is_not_gone_over_together(house: House) -> None:
    mind = house.mind(**{"recall.sharing": "conversation"})
    for number, language in enumerate(("en", "mixed")):
        house.tell(mind, OLD[language], id=f"t{number}", conversation=f"with-{number}")
    one, other = (note["id"] for note in house.api.notes(mind) if note["kind"] == "episodic")
    house.api.call("link.add", mind=mind, src=one, dst=other, kind="association", strength=0.9)
    house.now(mind)
    before = content(house.daemon, mind)
    house.sleep(2)
    house.tell(mind, NEW["en"], id="t2", conversation="with-0")
    house.now(mind)
    number = int(other[1:])
    told = {row[0]: row[1:] for row in before["replayed"]}
    assert {row[0]: row[1:] for row in content(house.daemon, mind)["replayed"]}[number] == told[number]


def test_what_holds_no_more_is_left_alone(house: House) -> None:
    mind = house.mind()
    notes = house.square(mind)
    house.api.call("note.forget", mind=mind, id=notes[1])
    house.now(mind)
    assert [row[0] for row in content(house.daemon, mind)["replayed"]] == [int(notes[i][1:]) for i in (0, 2, 3)]
    assert not [link for link in house.api.links(mind) if link["origin"] == "hebb"], "one thing between binds nothing"


def test_a_year_of_missed_nights_is_bounded_work(house: House) -> None:
    mind = house.mind(**{"idle.replay": False})
    for number in range(MOST_REGIONS + 4):
        house.api.say(mind, f"{OLD['en' if number % 2 else 'zh']} {number}", speaker="Ann", conversation=f"c{number}")
    house.settle(mind)
    house.square(mind)
    assert len(content(house.daemon, mind)["replay_due"]) > MOST_REGIONS
    for _ in range(13):
        house.sleep(28)
    assert house.replays(mind) == []
    house.api.call("mind.update", mind=mind, settings={"idle.replay": True})
    house.sleep(1)
    house.api.settle(mind)
    nights = house.replays(mind)
    assert 1 <= len(nights) <= 2, "one when it is on again, one a day later: none for each that was missed"
    assert all(0 < done["regions"] <= MOST_REGIONS for done in nights)
    told = [event["regions"] for event in house.daemon.events("replay_finished") if event["mind"] == mind]
    assert told == [done["regions"] for done in nights], "one line tells of each"
    assert damages(house.daemon.state / "minds" / f"{mind}.db") == []


@pytest.mark.parametrize("language", SIDES)
def test_from_a_shell_the_last_night_is_taken_back(house: House, language: str, tmp_path: Path) -> None:
    mind, shell = house.mind(), Shell(house.daemon.socket, tmp_path)
    house.square(mind, language)
    before = content(house.daemon, mind)
    house.now(mind)
    assert content(house.daemon, mind)["link"] != before["link"]
    shown = shell("sleep", "--undo", "-m", mind).stdout
    assert "taken back" in shown
    assert "links" in shown
    after = content(house.daemon, mind)
    assert [after[name] for name in ("note", "link", "element")] == [before[n] for n in ("note", "link", "element")]
    assert shell("sleep", "--undo", "-m", mind, code=1).stderr.count("\n") == 1
