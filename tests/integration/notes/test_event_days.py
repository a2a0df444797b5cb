"""A note of what happened at an event has the day that was told of the event, and follows it; both languages."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from checking import Json
from household import DAY, Home

AHEAD = 12  # days from the telling to the event
LATER = 21  # to the telling of what happened there
TALK = {
    "en": {
        "speaker": "Devin",
        "told": "We've got a gig on {day} in a basement.",
        "cancelled": "The gig on {day} has been cancelled.",
        "happened": "At the gig our amp caught fire.",
        "asked": "What happened on {day}?",
        "word": "amp",
    },
    "zh": {
        "speaker": "玉珍",
        "told": "{day}我们合唱团在文化宫有演出。",
        "cancelled": "{day}的演出取消了。",
        "happened": "演出那天我一上台全忘词儿了。",
        "asked": "{day}发生了什么？",
        "word": "忘词",
    },
}


class Gig:
    """A life in which an event lies ahead, in words of a language and by the clock of the house."""

    def __init__(self, house: Home, language: str) -> None:
        self.house, self.talk = house, TALK[language]
        self.mind = house.mind(profile="companion")
        self.chinese = language == "zh"
        now = datetime.fromisoformat(house.api.call("system.ping")["now"])
        self.day, self.other = now + timedelta(days=AHEAD), now + timedelta(days=AHEAD + 1)

    def written(self, day: datetime, *, year: bool) -> str:
        if self.chinese:
            return f"{f'{day.year}年' if year else ''}{day.month}月{day.day}{'日' if year else '号'}"
        return f"{day.day} {day:%B}{f' {day.year}' if year else ''}"

    def say(self, what: str, day: datetime | None = None, **params: object) -> None:
        text = self.talk[what].format(day=self.written(day or self.day, year=False))
        self.house.api.say(self.mind, text, id=what, **{"speaker": self.talk["speaker"], **params})
        self.sleep()

    def sleep(self) -> None:
        self.house.api.call("idle.run", mind=self.mind)

    def pass_days(self, days: int) -> None:
        self.house.pass_time(days * DAY)

    def note(self, word: str = "") -> Json:
        [note] = [each for each in self.house.api.notes(self.mind) if (word or self.talk["word"]) in each["text"]]
        return note


@pytest.fixture
def gig(house: Home, request: pytest.FixtureRequest) -> Gig:
    return Gig(house, getattr(request, "param", "en"))


def _happened(gig: Gig) -> None:
    """It is told of the event, and three weeks later what happened there."""
    gig.say("told")
    gig.pass_days(LATER)
    gig.say("happened")


@pytest.mark.parametrize("gig", TALK, indirect=True)
def test_a_note_has_the_day_of_its_event_and_follows_it(gig: Gig) -> None:
    api, mind = gig.house.api, gig.mind
    _happened(gig)
    assert gig.written(gig.day, year=True) in gig.note()["text"]
    assert gig.note()["at"].startswith(f"{gig.day:%Y-%m-%d}")
    asked = gig.talk["asked"].format(day=gig.written(gig.day, year=False))
    assert any(gig.talk["word"] in item["text"] for item in api.found(mind, asked, k=3))
    moved = gig.talk["told"].format(day=gig.written(gig.other, year=False))
    api.call("message.update", mind=mind, id="told", content=moved)
    gig.sleep()
    assert gig.written(gig.other, year=True) in gig.note()["text"]
    api.call("message.delete", mind=mind, id="told")
    gig.sleep()
    left = repr([api.notes(mind), api.found(mind, asked, k=10)])
    assert gig.written(gig.other, year=True) not in left
    assert f"{gig.other:%Y-%m-%d}" not in left
    assert gig.talk["word"] in left


@pytest.mark.parametrize("gig", TALK, indirect=True)
def test_what_was_called_off_lends_no_day(gig: Gig) -> None:
    gig.say("told")
    gig.pass_days(2)
    gig.say("cancelled")
    gig.pass_days(LATER - 2)
    gig.say("happened")
    assert gig.written(gig.day, year=True) not in gig.note()["text"]


@pytest.mark.parametrize("gig", TALK, indirect=True)
def test_no_other_conversation_lends_a_day(gig: Gig) -> None:
    gig.say("told", conversation="other")
    gig.pass_days(LATER)
    gig.say("happened")
    assert gig.written(gig.day, year=True) not in gig.note()["text"]


@pytest.mark.parametrize("gig", TALK, indirect=True)
def test_nobody_else_lends_a_day(gig: Gig) -> None:
    gig.say("told", speaker="Ann")
    gig.pass_days(LATER)
    gig.say("happened")
    assert gig.written(gig.day, year=True) not in gig.note()["text"]


def test_what_is_asked_and_what_the_companion_says_lends_no_day(gig: Gig) -> None:
    day = gig.written(gig.day, year=False)
    gig.house.api.say(gig.mind, f"Is the gig on {day}?", speaker="Devin")
    gig.house.api.say(gig.mind, f"Enjoy the gig on {day}!", role="assistant", speaker="Wren")
    gig.sleep()
    gig.pass_days(LATER)
    gig.say("happened")
    assert gig.written(gig.day, year=True) not in gig.note()["text"]


def test_a_note_that_is_purged_takes_no_day_from_others(gig: Gig) -> None:
    api = gig.house.api
    _happened(gig)
    api.say(gig.mind, "At the gig Tom sang flat.", id="sang", speaker="Devin")
    gig.sleep()
    api.call("note.purge", mind=gig.mind, id=gig.note()["id"])
    api.call("message.update", mind=gig.mind, id="sang", content="At the gig Tim sang flat.")
    gig.sleep()
    assert gig.written(gig.day, year=True) in gig.note("Tim sang")["text"]
