"""A note of what happened at an event has the day that was told of the event, and follows it; both languages."""

from __future__ import annotations

import pytest

from checking import Json
from household import DAY, Home

TALK = {
    "en": {
        "speaker": "Devin",
        "told": "We've got a gig on 13 March in a basement.",
        "moved": "We've got a gig on 14 March in a basement.",
        "cancelled": "The gig on 13 March has been cancelled.",
        "happened": "At the gig our amp caught fire.",
        "asked": "What happened on 13 March?",
        "word": "amp",
        "days": ("13 March 2026", "14 March 2026"),
    },
    "zh": {
        "speaker": "玉珍",
        "told": "3月13号我们合唱团在文化宫有演出。",
        "moved": "3月14号我们合唱团在文化宫有演出。",
        "cancelled": "3月13号的演出取消了。",
        "happened": "演出那天我一上台全忘词儿了。",
        "asked": "3月13号发生了什么？",
        "word": "忘词",
        "days": ("2026年3月13日", "2026年3月14日"),
    },
}


def _told(house: Home, talk: dict[str, object]) -> str:
    """A mind that heard of the event, slept, and heard three weeks later what happened there."""
    mind = house.mind(profile="companion")
    house.api.say(mind, str(talk["told"]), id="told", speaker=talk["speaker"])
    house.api.call("idle.run", mind=mind)
    house.pass_time(21 * DAY)
    house.api.say(mind, str(talk["happened"]), id="happened", speaker=talk["speaker"])
    house.api.call("idle.run", mind=mind)
    return mind


def _note(house: Home, mind: str, word: object) -> Json:
    [note] = [note for note in house.api.notes(mind) if str(word) in note["text"]]
    return note


@pytest.mark.parametrize("language", TALK)
def test_a_note_has_the_day_of_its_event_and_follows_it(house: Home, language: str) -> None:
    talk = TALK[language]
    first, second = talk["days"]
    mind = _told(house, talk)
    note = _note(house, mind, talk["word"])
    assert str(first) in note["text"]
    assert note["at"].startswith("2026-03-13")
    found = house.api.found(mind, str(talk["asked"]), k=3)
    assert any(str(talk["word"]) in item["text"] for item in found), found
    house.api.call("message.update", mind=mind, id="told", content=talk["moved"])
    house.api.call("idle.run", mind=mind)
    assert str(second) in _note(house, mind, talk["word"])["text"]
    house.api.call("message.delete", mind=mind, id="told")
    house.api.call("idle.run", mind=mind)
    left = repr([house.api.notes(mind), house.api.found(mind, str(talk["asked"]), k=10)])
    assert str(second) not in left
    assert str(talk["word"]) in left


@pytest.mark.parametrize("language", TALK)
def test_what_was_called_off_lends_no_day(house: Home, language: str) -> None:
    talk = TALK[language]
    mind = house.mind(profile="companion")
    for told, days in ((talk["told"], 2), (talk["cancelled"], 19), (talk["happened"], 0)):
        house.api.say(mind, str(told), speaker=talk["speaker"])
        house.api.call("idle.run", mind=mind)
        house.pass_time(days * DAY)
    assert str(talk["days"][0]) not in _note(house, mind, talk["word"])["text"]


@pytest.mark.parametrize("language", TALK)
def test_no_other_conversation_lends_a_day(house: Home, language: str) -> None:
    talk = TALK[language]
    mind = house.mind(profile="companion")
    house.api.say(mind, str(talk["told"]), speaker=talk["speaker"], conversation="other")
    house.api.call("idle.run", mind=mind)
    house.pass_time(21 * DAY)
    house.api.say(mind, str(talk["happened"]), speaker=talk["speaker"])
    house.api.call("idle.run", mind=mind)
    assert str(talk["days"][0]) not in _note(house, mind, talk["word"])["text"]
