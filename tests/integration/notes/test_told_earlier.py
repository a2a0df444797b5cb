"""Told earlier: of two answers that no word of change parts, the one told last stands first and the other says so."""

from __future__ import annotations

from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from real_model import installed_minilm, installed_multilingual
from soulmem.client import Client

START = "2026-03-02T09:00:00Z"
DAY = 86_400

MARKS = ("(said earlier, may be outdated)", "（早先说的，可能已过时）")

# (speaker, told first, told nine days later, question, a word of the later one, a word of the earlier one)
ANSWERS = {
    "debt": (
        "Ravi",
        "Cousin Bhavesh owes me six hundred quid for the clutch.",
        "Cousin Bhavesh owes me three hundred and fifty quid for the clutch.",
        "How much does Bhavesh owe me?",
        "three hundred and fifty",
        "six hundred",
    ),
}


def say(client: Client, mind: str, text: str, speaker: str) -> None:
    said = {"mind": mind, "conversation": "main", "role": "user", "speaker": speaker, "content": text}
    client.call("message.add", said)
    client.call("clock.advance", {"seconds": 60})


def recall(client: Client, mind: str, query: str, **more: Any) -> list[Any]:
    asked = {"mind": mind, "conversation": "main", "query": query, "k": 6, "record": False, **more}
    found: list[Any] = client.call("recall", asked)["items"]
    return found


def tell(client: Any, mind: str, told: tuple[str, str, str], *, digested: bool = True) -> None:
    """Who speaks tells two things, nine days apart; the first is slept over, the second where it is digested."""
    speaker, first, then = told
    say(client, mind, first, speaker)
    client.call("idle.run", {"mind": mind})
    client.call("clock.advance", {"seconds": 9 * DAY})
    say(client, mind, then, speaker)
    if digested:
        client.call("idle.run", {"mind": mind})


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    env = {"SOULMEM_PROFILE": "assistant"}
    with daemon_process(tmp_path_factory.mktemp("told"), "--simulated-clock", START, env=env) as daemon:
        yield daemon


@pytest.mark.parametrize("digested", [True, False], ids=["digested", "in the window"])
@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_told_last_is_first_and_the_other_is_marked(house: Daemon, name: str, digested: bool) -> None:
    speaker, first, then, question, new, old = ANSWERS[name]
    mind = f"t{list(ANSWERS).index(name)}{int(digested)}"
    house.call("mind.create", {"mind": mind, "profile": "assistant"})
    with house.client() as client:
        tell(client, mind, (speaker, first, then), digested=digested)
        items = recall(client, mind, question)
        earlier = [item for item in items if old in item["text"]]
        assert new in items[0]["text"]
        assert earlier
        for item in earlier:
            assert item["text"].endswith(MARKS)
            assert item["later"] in {each["id"] for each in items if new in each["text"]}
            assert (item.get("valid_to"), item.get("superseded_by")) == (None, None)  # it is not known to be over
        assert not any(item["text"].endswith(MARKS) for item in items if new in item["text"])


# (speaker, told first, told nine days later of something else, question, a word of what answers)
OTHERS = {
    "boots": (
        "Tess",
        "I paid two hundred and forty euros for the sewing machine.",
        "Got my first thing for the new job: a pair of steel toe boots, they were 89 euros.",
        "How much did I pay for the sewing machine?",
        "two hundred and forty",
    ),
    "cat": (
        "许知遥",
        "我体重五十四公斤，想减到五十二。",
        "豆沙体检花了三百八，医生说它有点胖，5.8公斤。",
        "我想减到多少斤？",
        "五十四",
    ),
}


@pytest.fixture(scope="module")
def reading_house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A daemon that reads as it does for whoever installs it."""
    installed_minilm()
    installed_multilingual()
    env = {"SOULMEM_PROFILE": "assistant", "SOULMEM_EMBEDDER_NAME": "auto"}
    with daemon_process(tmp_path_factory.mktemp("read"), "--simulated-clock", START, env=env) as daemon:
        yield daemon


def told_and_asked(house: Daemon, mind: str, told: tuple[str, str, str, str, str]) -> tuple[list[Any], str]:
    """What comes to mind of two statements nine days apart, each slept over, and the word that is looked for."""
    speaker, first, then, question, word = told
    house.call("mind.create", {"mind": mind, "profile": "assistant"})
    with house.client() as client:
        tell(client, mind, (speaker, first, then))
        return recall(client, mind, question), word


@pytest.mark.parametrize("name", OTHERS)
def test_what_was_told_later_of_something_else_takes_no_place(reading_house: Daemon, name: str) -> None:
    """The answer is the only one that has what is asked for: it stands first, and nothing calls it outdated."""
    items, word = told_and_asked(reading_house, name, OTHERS[name])
    assert word in items[0]["text"]
    assert not [item["text"] for item in items if item["text"].endswith(MARKS)]


# (speaker, told first, told nine days later of a move to come, question, a word of where somebody is)
MOVES = {
    "picker": (
        "Gareth",
        "Dylan's in Australia, picking fruit near Bundaberg.",
        "Dylan's moving to Auckland with Aroha at Christmas.",
        "Where is Dylan?",
        "Bundaberg",
    ),
    "rider": (
        "谭立冬",
        "谭鑫在广州送外卖。",
        "谭鑫过完年要跟小芸去长沙。",
        "谭鑫在哪儿？",
        "广州",
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_where_somebody_is_stands_until_they_move(reading_house: Daemon, name: str) -> None:
    items, word = told_and_asked(reading_house, name, MOVES[name])
    held = [item["text"] for item in items if word in item["text"]]
    assert held
    assert not [text for text in held if text.endswith(MARKS)]
