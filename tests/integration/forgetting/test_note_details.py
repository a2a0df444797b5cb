"""The details of a note that fade: those a client gives with it, and those found in what was told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Json
from daemon_fixture import Daemon, daemon_process
from fading_minds import PLANTED, START, House


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("f"), "--simulated-clock", START) as found:
        yield found


@pytest.fixture
def house(daemon: Daemon) -> Iterator[House]:
    """A house without minds: those of other tests would have to live through the weeks of this one."""
    found = House(daemon)
    yield found
    for name in found.minds:
        found.api.call("mind.delete", mind=name, confirm=name)


@pytest.mark.parametrize(
    ("elements", "flaw"),
    [
        ([{"quote": "a green lantern", "level": 2}], "elements.0: quote_not_found"),
        ([{"quote": "violet", "level": 2}, {"quote": "violet", "level": 1}], "elements.1: duplicate"),
        ([{"quote": "violet", "level": 0}], "elements.0: unknown_level"),
        ([{"quote": PLANTED[0][0][at : at + 3], "level": 2} for at in range(12)], "elements.11: too_many"),
    ],
)  # fmt: skip
def test_a_flawed_element_is_refused_by_name(house: House, elements: list[Json], flaw: str) -> None:
    api, mind = house.api, house.mind()
    error = api.refused("invalid_params", "note.add", mind=mind, kind="episodic", text=PLANTED[0][0], elements=elements)
    assert error.message.startswith(flaw), error.message
    error = api.refused(
        "invalid_params", "note.add", mind=mind, kind="procedural", text=PLANTED[0][0],
        elements=[{"quote": "violet", "level": 2}],
    )  # fmt: skip
    assert error.message.startswith("elements.0: not_episodic")


def test_elements_of_a_client_stand_where_their_words_are(house: House) -> None:
    api, mind = house.api, house.mind()
    text = "米拉 saw 米拉's cat in Évora, a cat of cats."
    note = api.note(
        mind, text,
        elements=[
            {"quote": "cat", "occurrence": 2, "level": 2, "gist": "a cat", "anchor": "forced"},
            {"quote": "in Évora", "level": 1, "gist": "somewhere"},
        ],
    )  # fmt: skip
    whole, place, cat = api.call("note.get", mind=mind, id=note)["note"]["elements"]
    assert (whole["start"], whole["end"], whole["level"]) == (0, len(text), 0)
    assert text[place["start"] : place["end"]] == "in Évora"
    assert (cat["start"], cat["end"], cat["anchor"]) == (
        text.index("a cat of") + 2,
        text.index("a cat of") + 5,
        "forced",
    )
    assert "cat" not in cat["gist"], "a gist that tells it is replaced"
    changed = api.call("note.update", mind=mind, id=note, text="Mira moved to Lisbon with 42 goats.")["note"]
    assert {changed["text"][e["start"] : e["end"]] for e in changed["elements"]} >= {"Lisbon", "42"}, "found anew"
    assert api.call("note.get", mind=mind, id=api.note(mind, text, elements=[]))["note"]["elements"][1:] == []


def test_what_was_told_is_split_into_notes_with_details(house: House) -> None:
    api, mind = house.api, house.mind()
    for text in (
        "Yesterday I went to Lisbon with my sister Olga and we saw 42 pelicans at the old harbour.",
        "昨天我和小王去了苏州，在平江路吃了一碗蟹黄面，花了八十块。",
        'It was overwhelming, I cried when Olga said "I will never leave you".',
    ):
        api.say(mind, text, speaker="Ann")
    api.call("idle.run", mind=mind)
    events = [note for note in api.notes(mind, kind="episodic") if not note["pinned"]]
    assert events
    for note in events:
        assert [e["level"] for e in note["elements"] if e["end"] - e["start"] == len(note["text"])] == [0]
        assert any(e["level"] == 2 for e in note["elements"]), note["text"]
    masked = {note["text"][e["start"] : e["end"]] for note in events for e in note["elements"] if e["level"] == 2}
    assert masked & {"Lisbon", "Olga", "42", "42 pelicans"}
    assert any("苏州" in each or "小王" in each for each in masked)
