"""What is corrected is told right from then on: the former words are nobody's any more but the owner's history."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from spread import spread

START = "2026-03-02T09:00:00Z"
# (said, corrected, the old value, the new one, around it, a question)
CASES = {
    "en": (
        "My sister Marta lives in Zagreb with her two cats.",
        "My sister Brigitte lives in Zagreb with her two cats.",
        "Marta",
        "Brigitte",
        ("I work as a nurse in the children's hospital.", "Every Thursday I play chess at the library."),
        "What is my sister called?",
    ),
    "zh": (
        "我妹妹马小燕住在昆明，养了两只猫。",
        "我妹妹马晓燕住在大理，养了两只猫。",
        "昆明",
        "大理",
        ("我在儿童医院当护士。", "我每周四在图书馆下棋。"),
        "我妹妹住在哪里？",
    ),
}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api: Checking = checking(daemon)
        self.made = 0

    def mind(self, profile: str = "companion", **settings: object) -> str:
        self.made += 1
        flat = {key.replace("__", "."): value for key, value in settings.items()}
        self.api.call("mind.create", mind=f"c{self.made}", profile=profile, settings=flat)
        return f"c{self.made}"

    def tell(self, mind: str, language: str) -> None:
        said, _, _, _, around, _ = CASES[language]
        self.api.say(mind, around[0], id="before", speaker="Ann")
        self.api.say(mind, said, id="wrong", speaker="Ann")
        self.api.say(mind, around[1], id="after", speaker="Ann")

    def told(self, mind: str, question: str) -> Json:
        """What a reply may be made of, and what notes there are."""
        call = self.api.call
        return {
            "recall": call("recall", mind=mind, query=question, k=50)["items"],
            "context": call("context.get", mind=mind, conversation="main", query=question)["text"],
            "elsewhere": call("context.get", mind=mind, query=question)["text"],
            "notes": self.api.notes(mind),
            "forgotten": self.api.notes(mind, state="forgotten"),
            "graph": call("graph.get", mind=mind),
        }


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("c"), "--simulated-clock", START) as daemon:
        yield House(daemon)


@pytest.mark.parametrize(("language", "profile"), spread(CASES, ["companion", "assistant"]))
def test_a_correction_after_digestion(house: House, language: str, profile: str) -> None:
    mind = house.mind(profile)
    house.tell(mind, language)
    house.api.call("idle.run", mind=mind)
    _, right, old, new, _, question = CASES[language]
    before = {note["id"]: note for note in house.api.notes(mind) if old in note["text"]}
    assert before
    house.api.say(mind, "Hello again. 又来了。", id="later", speaker="Ann")  # the mind works: nothing is made anew yet
    changed = house.api.call("message.update", mind=mind, id="wrong", content=right)
    assert before.keys() <= set(changed["withdrawn"])
    others = {note["id"] for note in house.api.notes(mind)} - set(changed["withdrawn"])
    assert len(others) >= 2, "what was said before and after it"
    assert (changed["corrected"], changed["jobs"], changed["rederiving"]) == (False, [], 1)
    told = house.told(mind, question)
    assert old not in repr(told), "from the reply on"
    assert any(new in item["text"] for item in told["recall"]), "the new wording is there at once"
    house.daemon.settle(mind)
    assert old not in repr(house.told(mind, question))
    house.api.call("idle.run", mind=mind)
    after = {note["id"]: note for note in house.api.notes(mind)}
    assert any(new in note["text"] for note in after.values())
    assert others <= after.keys(), "what was not corrected stands"
    told = house.told(mind, question)
    assert old not in repr(told)
    assert any(new in item["text"] for item in told["recall"])
    back = next(note for note in before if note in after)
    versions = house.api.call("note.history", mind=mind, id=back)["versions"]
    assert any(old in version["text"] for version in versions), "the owner may see what it said"
    assert rows(house.daemon, mind, "SELECT content FROM message_version")
    if profile == "companion":
        kinds = {item["kind"] for item in told["recall"] if new in item["text"]}
        assert "message" not in kinds, "digested messages are recalled through notes again"


@pytest.mark.parametrize("language", CASES)
def test_a_correction_of_what_was_summarised(house: House, language: str) -> None:
    mind = house.mind(window__capacity=2, window__topic_marks=False)
    house.tell(mind, language)
    _, right, old, new, around, question = CASES[language]
    for number, text in enumerate(around * 2):
        house.api.say(mind, text, id=f"more{number}", speaker="Ann")
    house.api.settle(mind)
    house.api.until(lambda: old in repr(rows(house.daemon, mind, "SELECT text FROM summary")), "a summary")
    changed = house.api.call("message.update", mind=mind, id="wrong", content=right)
    assert changed["summaries"] == 1
    assert old not in repr(house.told(mind, question))
    house.api.until(lambda: new in repr(rows(house.daemon, mind, "SELECT text FROM summary")), "another summary")
    assert old not in repr(rows(house.daemon, mind, "SELECT text, points FROM summary"))
    assert rows(house.daemon, mind, "SELECT count(*) FROM message WHERE role = 'correction'") == [(0,)]
    house.api.call("idle.run", mind=mind)
    assert old not in repr(house.told(mind, question))
    assert new in repr(house.api.notes(mind))


@pytest.mark.parametrize("language", CASES)
def test_what_was_recalled_before_the_correction_is_not_told_again(house: House, language: str) -> None:
    mind = house.mind("assistant")
    house.tell(mind, language)
    house.api.call("idle.run", mind=mind)
    _, right, old, _, _, question = CASES[language]
    first = house.api.say(mind, question, id="asked", speaker="Ann", recall=True)
    assert old in repr(first["context"])
    changed = house.api.call("message.update", mind=mind, id="wrong", content=right)
    again = house.api.say(mind, question, id="asked", speaker="Ann", recall=True)
    assert again["duplicate"] is True
    assert old not in repr(again["context"])
    for note in changed["withdrawn"]:
        for method in ("note.get", "note.pin", "note.restore", "note.forecast", "graph.get"):
            params = {"around" if method == "graph.get" else "id": note}
            house.api.refused("not_found", method, mind=mind, **params)
    house.api.call("message.delete", mind=mind, id="wrong")
    again = house.api.say(mind, question, id="asked", speaker="Ann", recall=True)
    assert right not in repr(again["context"])
