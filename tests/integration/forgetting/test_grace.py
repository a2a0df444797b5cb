"""What was forgotten waits for whoever was away, and what went for good is told by kind and count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, checking
from daemon_fixture import Daemon, daemon_process

START = "2026-03-01T08:00:00Z"
DAY = 86_400


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    with daemon_process(tmp_path, "--simulated-clock", START) as made:
        yield made


def planted(api: Checking, mind: str, text: str) -> str:
    api.say(mind, "good morning")
    note = api.note(mind, text)
    api.call("note.forget", mind=mind, id=note)
    return note


@pytest.mark.parametrize(
    ("text", "word"), [("The abbot sold the ferry.", "hello again"), ("方丈卖掉了渡轮。", "你好呀")]
)
def test_after_months_of_silence_it_can_still_be_brought_back(daemon: Daemon, text: str, word: str) -> None:
    api = checking(daemon)
    note = planted(api, "away", text)
    for silent in (70, 400):
        api.call("clock.advance", seconds=silent * DAY)
        api.say("away", word)
        api.call("idle.run", mind="away")
    assert [each["id"] for each in api.notes("away", state="forgotten")] == [note]
    assert api.call("note.list", mind="away", state="forgotten")["purged"] == []
    api.call("note.restore", mind="away", id=note)
    assert note in [each["id"] for each in api.notes("away")]


def test_who_is_there_every_day_loses_it_after_a_month(daemon: Daemon) -> None:
    api = checking(daemon)
    note = planted(api, "there", "The abbot sold the ferry. 方丈卖掉了渡轮。")
    for day in range(36):
        assert day > 29 or note in [each["id"] for each in api.notes("there", state="forgotten")]
        api.say("there", f"day {day}, nothing new")
        api.call("clock.advance", seconds=DAY)
    page = api.call("note.list", mind="there", state="forgotten")
    assert note not in [each["id"] for each in page["items"]]
    [lost] = [each for each in page["purged"] if each["item"] == "note" and each["kind"] == "episodic"]
    assert (lost["reason"], lost["count"]) == ("forgotten", 1)
    assert "ferry" not in str(page)


def test_nothing_goes_while_the_clock_is_suspect(daemon: Daemon) -> None:
    api = checking(daemon)
    note = planted(api, "late", "The abbot sold the ferry.")
    assert api.call("clock.jump", seconds=90 * DAY)["suspect"]
    for _ in range(3):
        api.say("late", "still here")
        api.call("idle.run", mind="late")
    assert [each["id"] for each in api.notes("late", state="forgotten")] == [note]


def test_by_the_wall_clock_a_month_is_a_month(daemon: Daemon) -> None:
    api = checking(daemon)
    api.call("mind.create", mind="wall", settings={"forgetting.clock": "wall"})
    planted(api, "wall", "The abbot sold the ferry.")
    api.call("clock.advance", seconds=32 * DAY)
    api.call("idle.run", mind="wall")
    assert api.notes("wall", state="forgotten") == []


@pytest.mark.parametrize(
    ("speaker", "line", "reason"),
    [
        ("Robin", "I carry an inhaler because of my asthma.", "medicine"),
        ("小满", "我对花粉严重过敏，一到春天就喘。", "allergy"),
        ("Robin", "Our wedding is on 20 September!", "date_ahead"),
        ("小满", "九月二十号我和小雨办婚礼。", "date_ahead"),
    ],
)
def test_what_matters_is_clear_after_months_of_other_days(daemon: Daemon, speaker: str, line: str, reason: str) -> None:
    api = checking(daemon)
    api.call("mind.create", mind="kept", settings={"forgetting.clock": "wall"})
    api.say("kept", line, speaker=speaker)
    api.say("kept", "今天下雨。It rained and I had soup for lunch.", speaker=speaker)
    api.call("idle.run", mind="kept")
    api.call("clock.advance", seconds=150 * DAY)
    [vital, *_] = [note for note in api.notes("kept") if note["sources"][0]["seq"] == 1]
    answer = api.call("note.get", mind="kept", id=vital["id"])
    found = answer["note"]
    assert found["importance"] >= 0.75
    assert found["state"] == "clear" or found["rendered"].count("xxx") <= 2
    if found["state"] == "clear":
        assert reason in answer["why_important"]
    assert not [note for note in api.notes("kept") if note["sources"][0]["seq"] == 2 and note["state"] == "clear"]
