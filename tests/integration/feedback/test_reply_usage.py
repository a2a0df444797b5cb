"""What a reply was made of teaches: what it used is rehearsed, and the links on the ways to it gain; once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from checking import Checking, checking, rows
from daemon_fixture import Daemon, daemon_process

LANGUAGES = ("en", "zh")
TOLD = {
    "en": ("Marta keeps bees on the roof.", "Marta sells lavender honey on Saturdays.", "Marta fears dark lifts.",
           "Marta plays the accordion badly."),
    "zh": ("玛塔在屋顶上养蜜蜂。", "玛塔星期六卖薰衣草蜂蜜。", "玛塔害怕黑暗的电梯。", "玛塔手风琴拉得很差。"),
}  # fmt: skip
ASKED = {"en": "And what does Marta sell?", "zh": "玛塔卖些什么？"}
USES = {"en": "On Saturdays there is lavender honey to be had!", "zh": "星期六有薰衣草蜂蜜可以买！"}
NOTHING = {"en": "Oh, I see.", "zh": "嗯嗯。"}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api: Checking = checking(daemon)

    def mind(self, name: str, language: str) -> list[str]:
        """A mind that knows four things, a chain of links between them."""
        self.api.call("mind.create", mind=name)
        notes = [self.api.note(name, text) for text in TOLD[language]]
        for src, dst in pairwise(notes):
            self.api.call("link.add", mind=name, src=src, dst=dst, kind="association", strength=0.6)
        self.api.settle(name)
        return notes

    def asked(self, name: str, language: str) -> list[str]:
        """Ask; the notes that come back."""
        self.api.say(name, ASKED[language], speaker="Ann", recall=True)
        brought = rows(self.daemon, name, "SELECT item FROM recall_hit WHERE kind = 'note'")
        return [f"n{item}" for (item,) in brought]

    def replied(self, name: str, text: str) -> None:
        self.api.say(name, text, role="assistant", speaker="Pell")
        self.api.until(lambda: _verdicts(self.daemon, name), "what the reply taught")


def _verdicts(daemon: Daemon, mind: str) -> list[tuple[object, ...]]:
    return rows(daemon, mind, "SELECT recall, source, verdict, strength, enhanced FROM feedback ORDER BY recall")


def _used(daemon: Daemon, mind: str) -> set[str]:
    return {f"n{item}" for (item,) in rows(daemon, mind, "SELECT item FROM recall_hit WHERE used = 1")}


def _learnt(daemon: Daemon, mind: str) -> list[tuple[object, ...]]:
    return rows(daemon, mind, "SELECT link, backward, enhanced, penalised FROM link_memory ORDER BY link, backward")


def _stability(daemon: Daemon, mind: str) -> dict[str, int]:
    found = rows(daemon, mind, "SELECT note, max(last_growth) FROM element GROUP BY note")
    return {f"n{note}": grown for note, grown in found}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("u")) as daemon:
        yield House(daemon)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_reply_used_is_marked_and_the_ways_to_it_gain(house: House, language: str) -> None:
    mind = f"uses-{language}"
    _, honey, _, _ = house.mind(mind, language)
    assert honey in house.asked(mind, language)
    house.replied(mind, USES[language])
    assert _used(house.daemon, mind) == {honey}
    ((_, source, verdict, strength, enhanced),) = _verdicts(house.daemon, mind)
    assert (source, verdict, strength) == ("message", "judged", 1.0)
    assert enhanced
    assert _learnt(house.daemon, mind)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_that_used_nothing_teaches_by_half(house: House, language: str) -> None:
    mind = f"nothing-{language}"
    house.mind(mind, language)
    house.asked(mind, language)
    house.replied(mind, NOTHING[language])
    assert not _used(house.daemon, mind)
    ((*_, strength, _),) = _verdicts(house.daemon, mind)
    assert strength == 0.5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_that_recites_everything_teaches_by_half(house: House, language: str) -> None:
    mind = f"recites-{language}"
    house.mind(mind, language)
    house.asked(mind, language)
    house.replied(mind, " ".join(TOLD[language]))
    assert not _used(house.daemon, mind)
    ((*_, strength, _),) = _verdicts(house.daemon, mind)
    assert strength == 0.5


def test_what_a_client_said_comes_first(house: House) -> None:
    notes = house.mind("outranked", "en")
    answer = house.api.say("outranked", ASKED["en"], speaker="Ann", recall=True)
    recall = answer["recall_id"]
    house.api.call("feedback", mind="outranked", recall_id=recall, verdict="good", used=[notes[0]])
    before = _learnt(house.daemon, "outranked")
    house.api.say("outranked", USES["en"], role="assistant", speaker="Pell")
    house.api.until(lambda: len(_verdicts(house.daemon, "outranked")) == 2, "that the reply was read")
    assert _used(house.daemon, "outranked") == {notes[0]}
    assert _learnt(house.daemon, "outranked") == before


def test_a_reply_teaches_once_however_often_the_daemon_is_killed(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        house = House(daemon)
        _, honey, _, _ = house.mind("killed", "en")
        house.asked("killed", "en")
        house.api.say("killed", USES["en"], role="assistant", speaker="Pell", id="reply")
        daemon.kill()
    learnt = []
    for _ in range(2):
        with daemon_process(tmp_path) as daemon:
            house = House(daemon)
            house.api.say("killed", USES["en"], role="assistant", speaker="Pell", id="reply")  # sent again
            house.api.until(lambda: _verdicts(daemon, "killed"), "what the reply taught")
            assert _used(daemon, "killed") == {honey}
            learnt.append(_learnt(daemon, "killed"))
            daemon.kill()
    assert learnt[0] == learnt[1]


def test_praise_falls_on_what_the_reply_used(house: House) -> None:
    _, honey, _, lifts = house.mind("praised", "en")
    answer = house.api.say("praised", ASKED["en"], speaker="Ann", recall=True)
    house.replied("praised", USES["en"])
    grown = _stability(house.daemon, "praised")
    house.api.call("feedback", mind="praised", recall_id=answer["recall_id"], verdict="good")
    assert _used(house.daemon, "praised") == {honey}
    assert _stability(house.daemon, "praised")[lifts] == grown[lifts]
    verdicts = {verdict: strength for _, _, verdict, strength, _ in _verdicts(house.daemon, "praised")}
    assert verdicts == {"judged": 1.0, "good": 1.0}
    weights = [weight for (weight,) in rows(house.daemon, "praised", "SELECT weight FROM link_memory_log")]
    assert max(weights) == 2.0, "what a client says weighs more than what the mind learns by itself"
