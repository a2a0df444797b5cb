"""Notes and links over their lives: by whom they are made, what forgetting takes along, what a restore brings back."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process

START = "2026-03-01T08:00:00Z"
DAY = 86_400


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)
        self.made = 0

    def mind(self) -> str:
        self.made += 1
        return f"n{self.made}"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("n"), "--simulated-clock", START) as daemon:
        yield House(daemon)


KINDS = ["episodic", "abstract", "semantic", "procedural", "trigger", "reflection", "plan", "lore"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_note_is_kept_as_it_was_given(house: House, kind: str) -> None:
    mind, api = house.mind(), house.api
    given: Json = {
        "text": "Mira keeps bees. 米拉养蜂。", "importance": 0.25, "valence": -0.75, "tags": ["bees", "蜂"],
        "attributes": {"hives": 3, "where": {"town": "Évora"}, "names": ["红", "blue"]}, "at": "2025-12-24T18:00:00Z",
        "pinned": True,
    }  # fmt: skip
    note = api.note(mind, given["text"], kind=kind, **{key: value for key, value in given.items() if key != "text"})
    shown = api.call("note.get", mind=mind, id=note)["note"]
    assert {key: shown[key] for key in given} == given
    assert (shown["kind"], shown["version"], shown["state"]) == (kind, 1, "clear")
    assert shown["lifecycle"] != "forgotten"
    assert shown["created_at"] == START
    whole, *details = shown["elements"]
    assert (whole["start"], whole["end"], whole["level"]) == (0, len(given["text"]), 0), "the whole note can fade"
    assert bool(details) == (kind == "episodic"), "only an event has details that fade by themselves"


@pytest.mark.parametrize(
    "wrong",
    [
        {"importance": 1.01}, {"importance": -0.1}, {"valence": 1.5}, {"valence": -2}, {"kind": "dream"},
        {"tags": "music"}, {"tags": [""] * 65}, {"attributes": []}, {"sources": [{"conversation": "main"}]},
        {"sources": [{"id": "x", "qoute": "a"}]}, {"importance": "0.5"},
    ],
)  # fmt: skip
def test_what_no_note_can_be(house: House, wrong: Json) -> None:
    params = {"mind": "refused", "kind": "episodic", "text": "x 某"} | wrong
    house.api.refused_raw("invalid_params", "note.add", params)
    house.api.refused("mind_not_found", "mind.get", mind="refused")


def test_a_quote_must_stand_in_its_source(house: House) -> None:
    mind, api = house.mind(), house.api
    api.say(mind, "The ferry leaves at nine 渡轮九点开", id="f", conversation="港")
    good = [{"conversation": "港", "id": "f", "quote": "九点"}, {"conversation": "港", "id": "f"}]
    note = api.note(mind, "The ferry leaves at nine", sources=good)
    sources = api.call("note.get", mind=mind, id=note)["note"]["sources"]
    assert [(source["id"], source["seq"], source.get("quote")) for source in sources] == [
        ("f", 1, "九点"),
        ("f", 1, None),
    ]
    wrong = {
        "mind": mind,
        "kind": "episodic",
        "text": "x",
        "sources": [{"conversation": "港", "id": "f", "quote": "ten"}],
    }
    api.refused_raw("invalid_text", "note.add", wrong)


def test_every_change_is_kept(house: House) -> None:
    mind, api = house.mind(), house.api
    note = api.note(mind, "Ann likes plums 李子", tags=["fruit"])
    api.call("note.update", mind=mind, id=note, text="Ann likes quinces 榅桲")
    api.call("note.update", mind=mind, id=note, importance=0.9, tags=[], attributes={"sure": True})
    api.call("note.pin", mind=mind, id=note)
    api.call("note.unpin", mind=mind, id=note)
    api.call("note.forget", mind=mind, id=note)
    api.call("note.restore", mind=mind, id=note)
    shown = api.call("note.get", mind=mind, id=note)["note"]
    assert (shown["text"], shown["importance"], shown["tags"]) == ("Ann likes quinces 榅桲", 0.9, [])
    told = api.call("note.history", mind=mind, id=note)
    assert "Ann likes plums 李子" in str(told["versions"])
    assert len(told["versions"]) >= 2
    actions = " ".join(str(act) for act in told["history"])
    for action in ("pin", "forg", "restore"):
        assert action in actions, told["history"]
    api.call("note.forget", mind=mind, id=note)
    assert api.call("note.history", mind=mind, id=note)["versions"] == told["versions"]


def test_one_of_many_writers_wins_a_version(house: House) -> None:
    mind, api = house.mind(), house.api
    note = api.note(mind, "count 0")
    calls = [("note.update", {"mind": mind, "id": note, "text": f"count by {n} 数", "version": 1}) for n in range(20)]
    answers = house.daemon.client().call_many(calls, errors="return")
    won = [answer for answer in answers if isinstance(answer, dict)]
    assert len(won) == 1
    assert {answer.name for answer in answers if not isinstance(answer, dict)} == {"version_conflict"}
    assert api.call("note.get", mind=mind, id=note)["note"] == won[0]["note"]


# -- forgetting and bringing back --------------------------------------------------------------------------


def test_forgetting_hides_a_note_with_its_links_and_restoring_brings_them_back(house: House) -> None:
    mind, api = house.mind(), house.api
    a, b, c = api.note(mind, "the well 井"), api.note(mind, "the rope 绳"), api.note(mind, "the bucket 桶")
    weak = api.call("link.add", mind=mind, src=a, dst=b, strength=0.1)["id"]
    strong = api.call("link.add", mind=mind, src=c, dst=a, strength=0.8)["id"]
    apart = api.call("link.add", mind=mind, src=b, dst=c, strength=0.5)["id"]
    assert api.call("note.forget", mind=mind, id=a) == {"id": a, "forgotten": True}
    assert [link["id"] for link in api.links(mind)] == [apart]
    assert {note["id"] for note in api.notes(mind)} == {b, c}
    (gone,) = api.notes(mind, state="forgotten")
    assert (gone["id"], gone["lifecycle"]) == (a, "forgotten")
    assert api.status(mind)["notes"] == 2
    assert api.status(mind)["links"] == 1
    api.refused("not_found", "link.add", mind=mind, src=b, dst=a)
    assert a not in {note["id"] for note in api.call("graph.get", mind=mind, around=b, depth=3)["notes"]}
    again = api.call("note.forget", mind=mind, id=a)
    assert again["id"] == a, "to forget twice is to forget once"

    back = api.call("note.restore", mind=mind, id=a)
    assert back["note"]["lifecycle"] != "forgotten"
    strengths = {link["id"]: link["strength"] for link in back["links"]}
    assert strengths.keys() == {weak, strong}
    assert strengths[weak] == pytest.approx(0.3), "links come back at 0.3 or more"
    assert strengths[strong] == pytest.approx(0.8, abs=1e-6)
    assert {link["id"] for link in api.links(mind)} == {weak, strong, apart}
    assert back["restored"] is True
    again = api.call("note.restore", mind=mind, id=a)
    assert (again["note"]["id"], again["restored"]) == (a, False), "there is nothing to bring back twice"
    assert api.status(mind)["links"] == 3


def test_a_link_between_two_forgotten_notes_waits_for_both(house: House) -> None:
    mind, api = house.mind(), house.api
    a, b = api.note(mind, "flint 燧石"), api.note(mind, "tinder 火绒")
    link = api.call("link.add", mind=mind, src=a, dst=b, strength=0.6)["id"]
    api.call("note.forget", mind=mind, id=a)
    api.call("note.forget", mind=mind, id=b)
    api.call("note.restore", mind=mind, id=a)
    assert api.links(mind) == [], "its other end is still forgotten"
    api.call("note.restore", mind=mind, id=b)
    assert [found["id"] for found in api.links(mind)] == [link]


def test_what_was_forgotten_can_be_restored_for_thirty_days(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        kept, lost = api.note("mira", "kept 留下"), api.note("mira", "lost 失去")
        for note in (kept, lost):
            api.call("note.forget", mind="mira", id=note)
        api.call("clock.advance", seconds=29 * DAY)
        assert api.call("note.restore", mind="mira", id=kept)["note"]["text"] == "kept 留下"
        api.call("clock.advance", seconds=2 * DAY)
        api.call("idle.run", mind="mira")
        api.refused("not_found", "note.restore", mind="mira", id=lost)
        api.refused("not_found", "note.get", mind="mira", id=lost)
        assert api.notes("mira", state="forgotten") == []
        for table in ("note", "note_version", "element", "vector"):
            column = "item" if table == "vector" else "id" if table == "note" else "note"
            left = rows(daemon, "mira", f"SELECT count(*) FROM {table} WHERE {column} = ?", int(lost[1:]))
            assert left == [(0,)], f"{table} still knows it"
        purged = daemon.events("tombstone_purged")
        assert sum(event["count"] for event in purged) == 1
        assert api.note("mira", "newer 更新") not in {kept, lost}, "an id is never used again"


def test_restoring_restarts_the_grace(tmp_path: Path) -> None:
    """An isolated note that blurred is forgotten by the sweep; brought back, it has seven days again."""
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="mira", settings={"forgetting.clock": "wall"})
        note = api.note("mira", "a lone thought 孤零零的念头", importance=0.0)
        gone = _day_of_forgetting(api)
        assert gone > 7
        api.call("note.restore", mind="mira", id=note)
        api.call("clock.advance", seconds=6 * DAY)
        assert [found["id"] for found in api.notes("mira")] == [note]


def _day_of_forgetting(api: Checking) -> int:
    """Let days pass until the sweep has taken the note; how many."""
    for day in range(1, 400):
        api.call("clock.advance", seconds=DAY)
        if not api.notes("mira"):
            return day
    return 0


# -- links ---------------------------------------------------------------------------------------------------

STABLE = {"association": 7.0, "semantic": 30.0, "abstract_of": 90.0, "trigger": 90.0, "evidence": 90.0}


@pytest.mark.parametrize("kind", STABLE)
def test_links_are_as_stable_as_their_kind(house: House, kind: str) -> None:
    mind, api = house.mind(), house.api
    one, two = api.note(mind, "smoke 烟"), api.note(mind, "fire 火")
    made = api.call("link.add", mind=mind, src=one, dst=two, kind=kind, strength=0.6, confidence=0.5, verb="follows")
    (link,) = api.links(mind)
    assert link["id"] == made["id"]
    assert link["stability_days"] == pytest.approx(STABLE[kind])
    assert (link["initial"], link["strength"], link["verb"], link["confidence"]) == (0.6, 0.6, "follows", 0.5)
    lives = STABLE[kind] * math.log(0.6 / 0.05)
    days = 3 + (lives - 3) / 0.1  # silent from now: three days at full speed, the rest slowly
    assert link["dies_at"] is not None
    left = dt.datetime.fromisoformat(link["dies_at"]) - dt.datetime.fromisoformat(START)
    assert left.total_seconds() / DAY == pytest.approx(days, abs=1e-3)


def test_confidence_makes_semantic_links_last(house: House) -> None:
    mind, api = house.mind(), house.api
    notes = [api.note(mind, f"fact {n}") for n in range(3)]
    for dst, confidence in ((notes[1], 0.0), (notes[2], 1.0)):
        api.call("link.add", mind=mind, src=notes[0], dst=dst, kind="semantic", confidence=confidence)
    assert [link["stability_days"] for link in api.links(mind)] == pytest.approx([15.0, 45.0])


def test_the_verb_makes_another_link(house: House) -> None:
    mind, api = house.mind(), house.api
    one, two = api.note(mind, "Ann 安"), api.note(mind, "Ben 本")
    made = {
        verb: api.call("link.add", mind=mind, src=one, dst=two, kind="semantic", verb=verb)["id"]
        for verb in ("trusts", "信任", "")
    }
    assert len(set(made.values())) == 3
    assert api.call("link.add", mind=mind, src=one, dst=two, kind="semantic", verb="信任")["id"] == made["信任"]


@pytest.mark.parametrize("strength", [0, -0.1, 1.0001, "strong"])
def test_strengths_lie_between_nothing_and_one(house: House, strength: object) -> None:
    mind, api = house.mind(), house.api
    one, two = api.note(mind, "one"), api.note(mind, "two")
    api.refused_raw("invalid_params", "link.add", {"mind": mind, "src": one, "dst": two, "strength": strength})


def test_the_neighbourhood_is_bounded(house: House) -> None:
    mind, api = house.mind(), house.api
    chain = [api.note(mind, f"bead {n} 珠子") for n in range(6)]
    for src, dst in pairwise(chain):
        api.call("link.add", mind=mind, src=src, dst=dst)

    def around(depth: int, limit: int = 100) -> Json:
        return api.call("graph.get", mind=mind, around=chain[0], depth=depth, limit=limit)

    for depth in range(5):
        found = around(depth)
        assert {note["id"] for note in found["notes"]} == set(chain[: depth + 1])
        assert len(found["links"]) == depth
        assert found["truncated"] is False
    few = around(5, limit=3)
    assert (len(few["notes"]), few["truncated"]) == (3, True)
    inside = {note["id"] for note in few["notes"]}
    assert all({link["src"], link["dst"]} <= inside for link in few["links"])
