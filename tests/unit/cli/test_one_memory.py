"""Which memory the demo watches, and with what it fills the gaps."""

from __future__ import annotations

from typing import Any

from every_row import every_row
from soulmem.cli.demo.memory_biography import chosen_of, fills_for, vocabulary


def note(text: str, *details: tuple[str, str], importance: float = 0.5, **others: Any) -> dict[str, Any]:
    spans = [
        {"start": text.index(quote), "end": text.index(quote) + len(quote), "level": 2, "gist": gist}
        for quote, gist in details
    ]
    whole = {"start": 0, "end": len(text), "level": 0, "gist": "something"}
    plain = {"kind": "episodic", "pinned": False, "state": "clear"}
    return {"text": text, "elements": [whole, *spans], "importance": importance, **plain, **others}


ANN = note("Ann saw a seal in Leeds.", ("Ann", "someone"), ("Leeds", "somewhere"))
LIN = note("小林在成都看见了熊猫。", ("小林", "某人"), ("成都", "某个地方"), ("熊猫", "某种动物"))


def test_the_memory_with_the_most_details_is_watched() -> None:
    assert chosen_of([ANN, LIN]) is LIN
    weighty = note("Bo met Cy in Bern.", ("Bo", "someone"), ("Bern", "somewhere"), importance=0.9)
    assert chosen_of([ANN, weighty]) is weighty


@every_row([{"pinned": True}, {"kind": "semantic"}, {"state": "blurred"}, {"elements": []}, {"text": "x" * 500}])
def test_one_that_cannot_be_watched_is_not(other: dict[str, Any]) -> None:
    assert chosen_of([ANN | other]) is None


def test_a_gap_gets_other_words_of_its_gist_once() -> None:
    bo = note("Bo met Maximiliana in Bern.", ("Bo", "someone"), ("Maximiliana", "someone"), ("Bern", "somewhere"))
    words = vocabulary([ANN, bo])
    assert words == {"someone": ["Ann", "Bo", "Maximiliana"], "somewhere": ["Leeds", "Bern"]}
    segments = [
        {"number": 1, "state": "blurred", "gist": "someone", "length": 3},
        {"number": 2, "state": "clear", "text": " saw a seal in ", "length": 15},
        {"number": 3, "state": "blurred", "gist": "somewhere", "length": 5},
        {"number": 4, "state": "blurred", "gist": "someone", "length": 3},
        {"number": 5, "state": "blank", "length": 11},
        {"number": 6, "state": "blank", "length": 0},
    ]
    fills = fills_for(segments, words, ANN["text"])
    assert fills == [
        {"segment": 1, "text": "Bo"},
        {"segment": 3, "text": "Bern"},
        {"segment": 4, "text": None},  # the other one is too long
        {"segment": 5, "text": "Maximiliana"},  # nothing is known of it: any word may do
    ]


def test_what_was_told_is_not_put_back_by_chance() -> None:
    gap = [{"number": 1, "state": "blurred", "gist": "某人", "length": 2}]
    assert fills_for(gap, vocabulary([LIN]), LIN["text"]) == [{"segment": 1, "text": None}]
