"""What a mask hides cannot be had by asking: not by any call that shows memories, any query, filter, time or replay.

Secrets are planted by hand and by talk that is digested, in English, Chinese and both; then weeks pass by the wall
clock, and everything that a client may ask is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import daemon_process
from soulmem.core.text.tokens import fold
from spread import spread

START = "2026-03-01T08:00:00Z"
DAY = 86_400
WALL: Json = {"forgetting.clock": "wall", "forgetting.deletes": False}
# A sister's name is kept for years; here all fades alike.
NOTHING_MATTERS: Json = {
    "forgetting.trivial_factor": 1, "forgetting.ordinary_factor": 1, "forgetting.vital_factor": 1,
    "forgetting.detail_factor": 1,
    "forgetting.fact_days": 30,
}  # fmt: skip
FRAMES_STAY: Json = WALL | {"forgetting.whole_days": 3000.0}  # only details fade, so every note can still be found


@dataclass(frozen=True)
class Plant:
    """A note with a detail to forget. `pieces` are what must never be seen again, `near` what is asked around it."""

    text: str
    quote: str
    gist: str
    near: str
    random: str
    pieces: tuple[str, ...] = field(default=())

    @property
    def hidden(self) -> tuple[str, ...]:
        return self.pieces or (self.quote,)


PLANTS = [
    Plant(
        "Mira hid the violet lantern behind the old bakery in the harbour.", "violet lantern", "some lamp",
        "What did Mira hide behind the bakery?", "gentle tractor", ("violet", "lantern"),
    ),
    Plant(
        "米拉把紫水晶藏在港口的旧面包房后面。", "紫水晶", "某件东西", "米拉在面包房后面藏了什么？", "红木箱",
        ("紫水", "水晶"),
    ),
    Plant(
        "Mira 把 amethyst 钥匙藏在港口 bakery 后面。", "amethyst 钥匙", "某件东西", "Mira 在 bakery 后面藏了什么?",
        "mahogany 箱子", ("amethyst", "钥匙"),
    ),
    Plant(
        "The safe of the harbour office opens with QX48213 and a kick.", "QX48213", "some number",
        "How does the safe of the harbour office open?", "ZB59324",
    ),
]  # fmt: skip
DATED = "On 14 February 2026 Mira sold the ferry to the abbot."
TALK = {
    "en": ["My sister's name is Philippa Quarrington and she collects zithers.", "She lives in Ulverston since 1987."],
    "zh": ["我妹妹叫欧阳菲菲，她收藏古琴。", "她一九八七年搬到了柯桥，住在运河边上。"],
}
TOLD = {"en": ("Quarrington", "Philippa"), "zh": ("欧阳", "菲菲")}
_AS_ASKED = "<query>"
OTHERS = ["The ferry left at noon with all the goats.", "渡轮中午载着所有山羊离开了。", "Tom paints boats on Sundays."]


class House:
    """A mind in which notes are planted, and one that was told things; `first` is what they were asked once before."""

    def __init__(self, api: Checking) -> None:
        self.api = api
        api.call("mind.create", mind="planted", settings=FRAMES_STAY)
        api.call("mind.create", mind="told", settings=WALL | NOTHING_MATTERS)
        for text in OTHERS:
            api.note("planted", text, pinned=True)
        self.notes: list[str] = []
        for place, plant in enumerate(PLANTS):
            self.notes.append(self._plant(place, plant))
        date = {"quote": "14 February 2026", "level": 2, "gist": "in February 2026"}
        at = "2026-02-14T18:30:00Z"
        self.dated = api.note("planted", DATED, at=at, elements=[date], tags=["14 February"])
        for language, said in TALK.items():
            for place, text in enumerate(said):
                api.say("told", text, id=f"{language}{place}", conversation=language, speaker="Ann")
        self.first = {mind: api.call("message.add", **self.question(mind)) for mind in ("planted", "told")}
        for mind in self.first:
            api.call("idle.run", mind=mind)

    def question(self, mind: str) -> Json:
        """A message that brings all of it to mind; sent again it is answered from the record."""
        content = "Mira, the bakery, the harbour office and the sister 米拉 面包房 妹妹"
        asked = {"conversation": "q", "role": "user", "id": "again", "recall": True, "content": content}
        return {"mind": mind} | asked

    def _plant(self, place: int, plant: Plant) -> str:
        # What the system says is kept, but no note is made of it: there is only the one that is planted.
        said = self.api.call(
            "message.add", mind="planted", conversation="told", role="system", content=plant.text, id=f"p{place}"
        )
        element = {"quote": plant.quote, "level": 2, "gist": plant.gist}
        note = self.api.note(
            "planted", plant.text, elements=[element], tags=[plant.quote, f"t{place}"], importance=0.5,
            attributes={"what": plant.quote, "n": place, "more": {"of": [f"the {plant.quote}"]}},
            sources=[{"conversation": "told", "id": said["id"], "quote": plant.text}],
        )  # fmt: skip
        if place:
            verb = f"saw the {plant.quote}"
            self.api.call("link.add", mind="planted", src=note, dst=self.notes[-1], kind="semantic", verb=verb)
        return note

    def wait(self, days: float) -> None:
        self.api.call("clock.advance", seconds=days * DAY)

    def recall(self, query: str, mind: str = "planted", **more: Any) -> Json:
        return self.api.call("recall", mind=mind, query=query, **{"record": False, "k": 50, "explain": True} | more)

    def everything(self, queries: tuple[str, ...], mind: str = "planted") -> Iterator[tuple[str, Json]]:
        """All that a client is shown when it asks so, but for what only repeats the question; and what it asked."""
        recalls: list[Json] = [
            {}, {"depth": "skim"}, {"depth": "deep"}, {"kinds": ["episodic"]}, {"kinds": ["message"]},
            {"kinds": ["note", "message", "summary"]}, {"kinds": ["summary"]}, {"tags": ["t0"]}, {"speaker": "Ann"},
            {"tags": [_AS_ASKED]},
            {"from_": "2026-02-01", "to": "2026-12-31"}, {"ranking": "stream"}, {"ranking": "stream", "k": 200},
            {"ranking": "stream", "filter": "importance > 0"}, {"conversation": "told"}, {"conversation": "en"},
        ]  # fmt: skip
        for query, more in spread(queries, recalls):
            tags = {"tags": [query[:200]]} if more.get("tags") == [_AS_ASKED] else {}
            found = self.recall(query, mind, **more | tags)
            yield query, {name: part for name, part in found.items() if name not in {"analysis", "deliberation"}}
        contexts: list[Json] = [{}, *({"conversation": each} for each in ("told", "en", "zh", "q"))]
        for query, where in spread(queries, contexts):
            yield query, self.api.call("context.get", mind=mind, query=query, max_tokens=20_000, **where)
        yield "", self.api.call("context.get", mind=mind, max_tokens=20_000)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    env = {"SOULMEM_EMBEDDER_NAME": "hashing"}
    with daemon_process(tmp_path_factory.mktemp("h"), "--simulated-clock", START, env=env) as daemon:
        yield House(checking(daemon))


def seen(answer: Json) -> str:
    """What stands in an answer, folded; what a query repeats of itself is not in it."""
    return fold(json.dumps(answer, ensure_ascii=False))


def assert_hidden(answer: Json, secrets: tuple[str, ...], asked: str) -> None:
    shown = seen(answer)
    for secret in secrets:
        assert fold(secret) not in shown, f"{secret!r} came out of {asked!r}: {shown[:3000]}"


def test_while_it_is_clear_all_of_it_is_there(house: House) -> None:
    shown = seen(house.first["planted"])
    for plant in PLANTS[:2]:
        assert all(fold(secret) in shown for secret in plant.hidden), "or nothing below could fail"
    items = house.recall(PLANTS[0].quote, tags=[PLANTS[0].quote])["items"]
    assert [item["id"] for item in items] == [house.notes[0]]
    assert "violet lantern" in seen(house.recall(PLANTS[0].near))
    assert "quarrington" in seen(house.recall("What is the name of Ann's sister?", "told"))
    assert "欧阳" in seen(house.recall("妹妹叫什么名字", "told"))
    window = house.api.call("context.get", mind="told", conversation="en")["blocks"][-1]
    assert window["kind"] == "window"
    assert "Quarrington" in window["text"], "a talk goes on after a pause"


@pytest.mark.parametrize("days", [6, 34], ids=["blurred", "blank"])
def test_no_call_shows_what_is_masked(house: House, days: int) -> None:
    house.wait(days)
    for place, plant in enumerate(PLANTS):
        masked = house.api.call("note.get", mind="planted", id=house.notes[place])["note"]
        assert masked["state"] == ("blurred" if days == 6 else masked["state"]) != "clear"
        assert masked["text"] == plant.text, "its editor sees all of it"
        queries = (plant.near, plant.quote, f"{plant.near} {plant.quote}", "bakery 面包房 harbour 港口 safe")
        for query, answer in house.everything(queries):
            assert_hidden(answer, plant.hidden, query)
        assert_hidden(house.api.call("note.forecast", mind="planted", id=house.notes[place]), plant.hidden, "forecast")
    for method in ("note.list", "graph.get"):
        answer = house.api.call(method, mind="planted", limit=500)
        for plant in PLANTS:
            assert_hidden(answer, plant.hidden, method)
        notes = {note["id"]: note for note in answer.get("items", answer.get("notes"))}
        kept = notes[house.notes[0]]
        assert kept["tags"] == ["t0"]
        assert kept["attributes"] == {"n": 0, "more": {"of": []}}
        assert kept["sources"] == [{"conversation": "told", "seq": 1, "id": "p0"}], "where it came from, not its words"
        assert all("opacity" in element for element in kept["elements"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_told_and_digested_is_gone_too(house: House, language: str) -> None:
    house.wait(120)
    queries = ("What is the name of Ann's sister?", "妹妹叫什么名字", "Philippa 菲菲", *TALK[language])
    for query, answer in house.everything(queries, "told"):
        assert_hidden(answer, TOLD[language], query)


@pytest.mark.parametrize("mind", ["planted", "told"])
def test_a_message_that_is_sent_again_brings_nothing_back(house: House, mind: str) -> None:
    again = house.api.call("message.add", **house.question(mind))
    assert again["duplicate"]
    assert again["recall_id"] == house.first[mind]["recall_id"]
    for secrets in (*(plant.hidden for plant in PLANTS), *TOLD.values()):
        assert_hidden(again, secrets, "the same message")


def test_a_masked_date_is_told_by_no_field_and_found_by_no_filter(house: House) -> None:
    for _, answer in house.everything(("When did Mira sell the ferry to the abbot?",)):
        assert_hidden(answer, ("14 february", "2026-02-14"), "when")
    items = {item["id"]: item for item in house.recall("the ferry and the abbot")["items"]}
    assert items[house.dated]["at"] is None
    assert items[house.dated]["created_at"] is None
    for day in range(10, 18):
        between = house.recall("Mira sold the ferry", from_=f"2026-02-{day}", to=f"2026-02-{day + 1}")
        assert house.dated not in [item["id"] for item in between["items"]]


@pytest.mark.parametrize("place", range(len(PLANTS)))
def test_asking_for_the_secret_finds_no_more_than_asking_for_anything(house: House, place: int) -> None:
    plant, note = PLANTS[place], house.notes[place]

    def spoken_for(query: str, **more: Any) -> dict[str, float]:
        """What words, names and times say for the note; a vector has something to say to any word."""
        found = house.recall(query, **more)["items"]
        channels = [item["why"]["channels"] for item in found if item["id"] == note]
        vague = {"dense", "relevance", "association", "recency", "importance"}
        return {name: value for each in channels for name, value in each.items() if value and name not in vague}

    for query, more in (("{}", {}), ("the {}", {}), ("{}", {"ranking": "stream"}), ("{} Mira 米拉", {})):
        secret, other = (spoken_for(query.format(words), **more) for words in (plant.quote, plant.random))
        assert secret == other, query
    assert spoken_for("Mira 米拉 harbour", tags=[plant.quote]) == {}
    ranked = [[item["id"] for item in house.recall(w)["items"]] for w in (plant.quote, plant.random)]
    assert [note in ids[:1] for ids in ranked] == [False, False]
    found = house.recall(plant.near)["items"]
    assert note in [item["id"] for item in found], "by what still shows it is found"
