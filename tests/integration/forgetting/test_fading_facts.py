"""A fact loses details before what it says, is put together anew like an episode, and comes back when told again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Checking, Json, checking
from daemon_fixture import daemon_process

START = "2026-01-07T19:00:00Z"
DAY = 86_400
# speaker, what is told, what it says, a detail of it, the gist, another that is told later, a word of it
FACTS = {
    "en": ("Robin", "I like badminton, mostly in the gym at Riverside Hall.", "badminton", "Riverside Hall",
           "the Sailors Club", "I like badminton, mostly in the gym in Lisbon.", "Lisbon"),
    "zh": ("小满", "我喜欢打羽毛球，一般在青岛体育馆。", "羽毛球", "青岛", "江边",
           "我喜欢打羽毛球，一般在上海体育馆。", "上海"),
}  # fmt: skip
LANGUAGES = sorted(FACTS)


class House:
    def __init__(self, api: Checking) -> None:
        self.api = api
        self.made = 0

    def mind(self, **settings: object) -> str:
        self.made += 1
        mind = f"f{self.made}"
        self.api.call("mind.create", mind=mind, settings={"forgetting.clock": "wall", **settings})
        return mind

    def told(self, mind: str, speaker: str, *lines: str) -> None:
        for line in lines:
            self.api.say(mind, line, speaker=speaker)
        self.api.settle(mind)
        self.api.call("idle.run", mind=mind)

    def facts(self, mind: str, word: str) -> list[Json]:
        """The notes that state a fact with this word, by all they say."""
        full = [self.api.call("note.get", mind=mind, id=each["id"])["note"] for each in self.api.notes(mind)]
        return [each for each in full if each["kind"] == "semantic" and word in each["text"]]

    def wait(self, days: float) -> None:
        self.api.call("clock.advance", seconds=days * DAY)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("facts"), "--simulated-clock", START) as daemon:
        yield House(checking(daemon))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fact_loses_its_details_first_and_they_come_back_when_told_again(house: House, language: str) -> None:
    speaker, text, says, detail, *_ = FACTS[language]
    mind = house.mind()
    house.told(mind, speaker, text)
    (fact,) = house.facts(mind, says)
    assert fact["rendered"] == fact["text"]
    by_words = {fact["text"][e["start"] : e["end"]]: e for e in fact["elements"]}
    assert by_words[detail]["blurs_at"] < by_words[fact["text"]]["blurs_at"]
    if says in by_words:
        assert by_words[says]["blurs_at"] == by_words[fact["text"]]["blurs_at"], "what it says keeps as the whole"
    house.wait(500)
    (faded,) = house.facts(mind, says)
    assert says in faded["rendered"], "what it says is known for years"
    assert detail not in faded["rendered"]
    assert faded["state"] == "blurred"
    opacity = {e["id"]: e["opacity"] for e in faded["elements"]}
    house.told(mind, speaker, text)
    (back,) = house.facts(mind, says)
    assert back["id"] == faded["id"], "it is the note it was"
    assert detail in back["rendered"]
    own = next(e for e in back["elements"] if back["text"][e["start"] : e["end"]] == detail)
    assert own["opacity"] > opacity[own["id"]]
    assert own["blurs_at"] is not None
    house.wait(300)
    (kept,) = house.facts(mind, says)
    assert detail in kept["rendered"], "and it keeps for longer than it did at first"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_contradicts_a_faded_detail_brings_none_of_it_back(house: House, language: str) -> None:
    speaker, text, says, detail, _, other, word = FACTS[language]
    mind = house.mind()
    house.told(mind, speaker, text)
    (fact,) = house.facts(mind, says)
    house.wait(500)
    house.told(mind, speaker, other)
    shown = house.api.call("note.get", mind=mind, id=fact["id"])["note"]
    assert detail not in shown["rendered"]
    texts = [each["rendered"] for each in house.api.notes(mind)]
    assert any(word in each for each in texts), "what is told now is remembered"
    assert not any(word in each and detail in each for each in texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fact_is_put_together_anew_but_none_is_made_up(house: House, language: str) -> None:
    speaker, text, says, detail, words, *_ = FACTS[language]
    mind = house.mind(**{"forgetting.deletes": False})
    house.told(mind, speaker, text)
    house.wait(500)
    (faded,) = house.facts(mind, says)
    query = {"en": "Which sport does Robin like?", "zh": "小满喜欢打什么球？"}[language]
    block = next(b for b in house.api.call("context.get", mind=mind, query=query)["blocks"] if b["kind"] == "notes")
    gapped = next(each for each in block["faded"] if each["id"] == faded["id"])
    gaps = [each["number"] for each in gapped["segments"] if each["state"] != "clear"]
    given: Json = {"mind": mind, "id": faded["id"], "version": faded["version"]}
    fills = [{"segment": number, "text": words} for number in gaps[:1]] + [
        {"segment": number, "text": None} for number in gaps[1:]
    ]
    made = house.api.call("note.reconstruct", **given, shown=gapped["shown"], fills=fills)["note"]
    assert words in made["text"]
    assert says in made["text"]
    assert detail not in made["text"]
    house.wait(6_000)
    (lost,) = [n for n in house.api.notes(mind) if n["id"] == faded["id"]]
    if lost["state"] == "blank":
        params = {**given, "version": lost["version"], "fills": [{"segment": 1, "text": words}]}
        error = house.api.refused("invalid_params", "note.reconstruct", **params)
        assert error.message.startswith("fact_lost")
