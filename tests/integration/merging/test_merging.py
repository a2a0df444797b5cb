"""Notes that tell the same become one while a mind is idle, and come apart again exactly."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Json, checking
from daemon_fixture import Daemon, daemon_process
from leftovers import tables_with
from soulmem.store.session.verify import damages
from soulmem.store.sqlite import driver, offline_reader

START = "2026-03-02T18:00:00Z"
HOUR_S = 3_600
MARK = "quarzplover"
SETTINGS: Json = {"forgetting.clock": "wall", "forgetting.deletes": False}
TWICE = {
    "en": (
        "We burnt the lasagne because Tom fell asleep.",
        "We burnt the lasagne cos Tom fell asleep, we laughed a lot!",
    ),
    "zh": ("我在收容所领养了一只灰猫。", "我真的在收容所收养了一只灰猫，好开心！"),
    "mixed": ("我在 Lidl 买了一个 pizza stone。", "我真的在 Lidl 购买了一个 pizza stone！"),
}
APART = {
    "en": ("My sister Lena works at the harbour.", "My sister Lina works at the harbour."),
    "zh": ("我姐姐李娜在码头工作。", "我姐姐李娟在码头工作。"),
}
OTHER = {
    "en": "The tram was late and the driver sang opera.",
    "zh": "电车晚点了，司机在唱歌剧。",
    "mixed": "电车晚点了，司机在唱 opera。",
}
NAMES = {"en": ("Lena", "Lina"), "zh": ("李娜", "李娟")}
LANGUAGES = tuple(TWICE)


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon, self.api, self.made = daemon, checking(daemon), 0

    def mind(self, **settings: object) -> str:
        self.made += 1
        self.api.call("mind.create", mind=f"m{self.made}", profile="companion", settings={**SETTINGS, **settings})
        return f"m{self.made}"

    def tell(self, mind: str, text: str, hours: float = 1.0, **params: object) -> None:
        """Say something, let the mind digest it, and let hours go by."""
        self.api.say(mind, text, speaker="Ann", **params)
        self.api.settle(mind)
        self.api.call("idle.run", mind=mind)
        self.api.call("clock.advance", seconds=int(hours * HOUR_S))
        self.api.settle(mind)

    def one_of(self, mind: str, language: str) -> tuple[Json, Json]:
        """A mind that was told a thing twice: the note that stays and the one that went into it."""
        for number, text in enumerate(TWICE[language]):
            self.tell(mind, text, id=f"t{number}")
        found = self.api.notes(mind)
        assert len(found) == 1, [note["text"] for note in found]
        (gone,) = self.api.notes(mind, state="forgotten")
        return found[0], gone


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("g"), "--simulated-clock", START) as daemon:
        yield House(daemon)


@pytest.fixture(autouse=True)
def _left(house: House) -> Iterator[None]:
    yield
    house.api.delete_minds()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_told_twice_in_an_evening_is_one_note(house: House, language: str) -> None:
    mind = house.mind()
    stays, gone = house.one_of(mind, language)
    assert gone["reason"] == "merged"
    assert gone["merged_into"] == stays["id"]
    assert {source["id"] for source in stays["sources"]} == {"t0", "t1"}
    assert house.api.call("note.get", mind=mind, id=gone["id"])["note"]["merged_into"] == stays["id"]
    merged = [event for event in house.daemon.events("note_merged") if event["mind"] == mind]
    assert [event["count"] for event in merged] == [1]


def content(daemon: Daemon, mind: str) -> dict[str, list[tuple[Any, ...]]]:
    """All that a mind's file holds, by table: without the log of what was done, and numbers that stand for nothing."""

    def read(connection: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
        tables = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).fetchall()
        names = {
            name for (name,) in tables if not name.startswith(("sqlite_", "message_search", "note_search", "vec_"))
        }
        found = {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in names - LOG}
        found["vector"] = sorted(row[1:] for row in found["vector"])
        return found

    return offline_reader.look(daemon.state / "minds" / f"{mind}.db", read)


LOG = {"history", "job", "meta", "merge_due", "kept_apart", "idempotency"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_undone_all_is_as_before(house: House, language: str) -> None:
    mind = house.mind(**{"linking.merge": False})
    for number, text in enumerate((*TWICE[language], OTHER[language])):
        house.tell(mind, text, id=f"t{number}")
    other = next(note["id"] for note in house.api.notes(mind) if note["sources"][0]["id"] == "t2")
    for note in (first["id"] for first in house.api.notes(mind) if first["id"] != other):
        house.api.call("link.add", mind=mind, src=note, dst=other, kind="semantic", verb="beside", strength=0.4)
        house.api.call("link.add", mind=mind, src=other, dst=note, kind="association", strength=0.2)
    house.api.settle(mind)
    before, found = content(house.daemon, mind), house.api.notes(mind)
    house.api.call("mind.update", mind=mind, settings={"linking.merge": True})
    house.api.call("idle.run", mind=mind)
    (gone,) = house.api.notes(mind, state="forgotten")
    joined = [link for link in house.api.links(mind) if gone["merged_into"] in (link["src"], link["dst"])]
    beside = [link for link in joined if link["verb"] == "beside"]
    assert [0.6 < link["strength"] < 0.65 for link in beside] == [True], "1 - 0.6 * 0.6"
    back = house.api.call("note.restore", mind=mind, id=gone["id"])
    assert (back["restored"], back["note"]["lifecycle"]) == (True, "consolidated")
    house.api.call("mind.update", mind=mind, settings={"linking.merge": False})
    house.api.settle(mind)
    after = content(house.daemon, mind)
    differing = {name: (before[name], after[name]) for name in before if before[name] != after[name] and name != "mind"}
    assert not differing
    assert house.api.notes(mind) == found
    house.api.call("mind.update", mind=mind, settings={"linking.merge": True})
    house.api.call("idle.run", mind=mind)
    assert not house.api.notes(mind, state="forgotten"), "what somebody took apart stays so"


@pytest.mark.parametrize(("language", "which"), [("en", 0), ("zh", 1), ("mixed", 0)])
def test_a_deleted_message_takes_its_part_along(house: House, language: str, which: int) -> None:
    mind = house.mind()
    house.one_of(mind, language)
    house.api.call("message.delete", mind=mind, conversation="main", id=f"t{which}")
    house.api.settle(mind)
    (left,) = [note for note in house.api.notes(mind) if note["kind"] == "episodic"]
    assert {source["id"] for source in left["sources"]} == {f"t{1 - which}"}
    assert not house.api.notes(mind, state="forgotten")
    assert any(item["id"] == left["id"] for item in house.api.found(mind, TWICE[language][1 - which]))


@pytest.mark.parametrize("text", [f"{TWICE['en'][0][:-1]}, {MARK} mood!", f"{TWICE['zh'][0][:-1]}，{MARK}！"])
def test_nothing_of_a_deleted_message_is_left_in_what_it_went_into(house: House, text: str) -> None:
    mind, other = house.mind(), next(pair[0] for pair in TWICE.values() if pair[0][:8] == text[:8])
    house.tell(mind, other, id="t0")
    house.tell(mind, text, id="t1")
    assert [note["reason"] for note in house.api.notes(mind, state="forgotten")] == ["merged"]
    house.api.call("message.delete", mind=mind, conversation="main", id="t1")
    house.api.settle(mind)
    file = house.daemon.state / "minds" / f"{mind}.db"
    assert tables_with(file, MARK) == []
    assert [note["sources"][0]["id"] for note in house.api.notes(mind)] == ["t0"]
    assert damages(file) == []


@pytest.mark.parametrize("language", APART)
def test_an_edited_message_takes_its_part_along(house: House, language: str) -> None:
    mind = house.mind()
    house.one_of(mind, language)
    house.api.call("message.update", mind=mind, conversation="main", id="t1", content=OTHER[language])
    house.api.settle(mind)
    house.api.call("idle.run", mind=mind)
    told = {source["id"]: note["text"] for note in house.api.notes(mind) for source in note["sources"]}
    assert set(told) == {"t0", "t1"}
    assert told["t0"] != told["t1"]


@pytest.mark.parametrize("language", APART)
def test_with_a_purged_note_goes_what_went_into_it(house: House, language: str) -> None:
    mind = house.mind()
    stays, gone = house.one_of(mind, language)
    house.api.call("note.purge", mind=mind, id=stays["id"])
    house.api.settle(mind)
    assert not house.api.notes(mind)
    house.api.refused("not_found", "note.get", mind=mind, id=gone["id"])


@pytest.mark.parametrize("language", APART)
def test_what_may_not_be_told_of_one_another_stays_apart(house: House, language: str) -> None:
    mind = house.mind(**{"recall.sharing": "participants"})
    for number, text in enumerate(TWICE[language]):
        house.tell(mind, text, id=f"t{number}", conversation=f"with-{number}")
    assert len(house.api.notes(mind)) == 2


@pytest.mark.parametrize("language", APART)
def test_what_differs_by_a_name_stays_two(house: House, language: str) -> None:
    mind = house.mind()
    for text in APART[language]:
        house.tell(mind, text)
    told = {note["text"] for note in house.api.notes(mind)}
    assert all(any(name in text for text in told) for name in NAMES[language]), told
    assert not house.api.notes(mind, state="forgotten")


def test_the_doctor_knows_what_cannot_come_apart(house: House, tmp_path: Path) -> None:
    mind = house.mind()
    stays, gone = house.one_of(mind, "en")
    file = tmp_path / "ill.db"
    assert damages(house.daemon.state / "minds" / f"{mind}.db") == []
    for end in ("", "-wal"):  # nobody writes to it meanwhile
        shutil.copy(f"{house.daemon.state}/minds/{mind}.db{end}", f"{file}{end}")
    connection = driver.writer(file)()
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("UPDATE merge SET undo = '{}'")
    connection.execute("UPDATE note SET lifecycle = 'consolidated' WHERE id = ?", (int(gone["id"][1:]),))
    connection.execute("UPDATE note SET merged_into = 999 WHERE id = ?", (int(stays["id"][1:]),))
    connection.close()
    found = "\n".join(damages(file))
    for said in ("is there still", "cannot come out of it", f"{stays['id']} says that it went into n999"):
        assert said in found
