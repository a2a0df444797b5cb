"""What was concluded is told only where all it rests on may be told; conversations that do not share think apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process
from recurring_weeks import CONCLUDED, DAY, SPEAKER, START, WEEKS, live, reflections
from soulmem.store.session.verify import damages

LANGUAGES = ["en", "zh"]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Daemon]:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        yield daemon


def made(daemon: Daemon, mind: str, sharing: str) -> None:
    settings = {"recall.sharing": sharing, "reflection.threshold": 30.0}
    daemon.call("mind.create", {"mind": mind, "profile": "assistant", "settings": settings})


def seen(daemon: Daemon, mind: str, conversation: str | None, language: str) -> list[str]:
    """All that may tell the reflection in front of a conversation: its list, the notes, recalls, links."""
    here = {"mind": mind} if conversation is None else {"mind": mind, "conversation": conversation}
    texts = [each["text"] for each in reflections(daemon, **here)]
    texts += [each["text"] for each in daemon.call("note.list", {**here, "limit": 500})["items"]]
    for query in (WEEKS[language][4], WEEKS[language][0]):
        found = daemon.call("recall", {**here, "query": query, "k": 50, "record": False, "min_score": 0})
        texts += [each["text"] for each in found["items"]]
        texts.append(daemon.call("context.get", {**here, "query": query})["text"])
    return texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_one_conversation_tells_is_concluded_in_it_alone(house: Daemon, language: str) -> None:
    made(house, "apart", "conversation")
    live(house, "apart", language, conversation="own")
    house.call(
        "message.add",
        {
            "mind": "apart",
            "conversation": "other",
            "role": "user",
            "speaker": "Zoe",
            "content": "The kettle is broken.",
        },
    )
    house.call("idle.run", {"mind": "apart"})
    told = CONCLUDED[language]
    assert told in [each["text"] for each in reflections(house, "apart", conversation="own")]
    assert any(told in text for text in seen(house, "apart", "own", language))
    assert not any(told in text for text in seen(house, "apart", "other", language))
    assert told in [each["text"] for each in reflections(house, "apart")], "its owner sees all"
    assert damages(house.state / "minds" / "apart.db") == []


def tell_by_turns(house: Daemon, mind: str, language: str) -> None:
    """The weeks, now told in one conversation and now in another, and slept on."""
    client = house.client(timeout=600)
    before = 0
    for number, (day, text) in enumerate(WEEKS[language].items()):
        client.call("clock.advance", {"seconds": (day - before) * DAY})
        before = day
        client.call(
            "message.add",
            {
                "mind": mind, "conversation": ("one", "two")[number % 4 // 2], "role": "user",
                "speaker": SPEAKER[language], "content": text,
            },
        )  # fmt: skip
    client.call("clock.advance", {"seconds": DAY})
    client.call("idle.run", {"mind": mind})


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_two_conversations_tell_is_told_in_neither_once_they_do_not_share(house: Daemon, language: str) -> None:
    """Told while they shared: the mind concluded it from both, and shows it to neither when they share no more."""
    made(house, "open", "open")
    tell_by_turns(house, "open", language)
    told = CONCLUDED[language]
    assert any(told in text for text in seen(house, "open", "one", language))
    house.call("mind.update", {"mind": "open", "settings": {"recall.sharing": "conversation"}})
    for conversation in ("one", "two", "three"):
        assert not any(told in text for text in seen(house, "open", conversation, language)), conversation
    assert told in [each["text"] for each in reflections(house, "open")]
    assert damages(house.state / "minds" / "open.db") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_conversations_that_do_not_share_conclude_nothing_together(house: Daemon, language: str) -> None:
    made(house, "split", "conversation")
    tell_by_turns(house, "split", language)
    assert CONCLUDED[language] not in [each["text"] for each in reflections(house, "split")]
