"""A client fills in the gaps of what it was shown, and what was told can be brought back.

Minds live by the wall clock, so that a day is a day of forgetting; details fade, the sentences around them stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from checking import Json
from daemon_fixture import daemon_process
from faded_minds import DAY, LANGUAGES, PLANTED, House, block

START = "2026-03-01T08:00:00Z"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A daemon without a model."""
    env = {"SOULMEM_EMBEDDER_NAME": "hashing"}
    with daemon_process(tmp_path_factory.mktemp("alone"), "--simulated-clock", START, env=env) as daemon:
        yield House(daemon, None)


# -- the client's way ---------------------------------------------------------------------------------------


def faded(house: House, mind: str, language: str) -> Json:
    found: Json = block(house.context(mind, language))["faded"][0]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_client_fills_in_what_it_was_shown(alone: House, language: str) -> None:
    text, quote, gist, _, said = PLANTED[language]
    mind, note = alone.planted(language)
    shown = faded(alone, mind, language)
    assert (shown["id"], shown["version"]) == (note, 1)
    start = text.index(quote)
    assert shown["segments"] == [
        {"number": 1, "state": "clear", "length": start, "text": text[:start]},
        {"number": 2, "state": "blurred", "length": len(quote), "gist": gist},
        {"number": 3, "state": "clear", "length": len(text) - start - len(quote), "text": text[start + len(quote) :]},
    ]
    given: Json = {"mind": mind, "id": note, "version": 1, "shown": shown["shown"], "key": "k"}
    fills = [{"segment": 2, "text": said}]
    new = text.replace(quote, said)
    made = alone.api.client.reconstruct(mind, note, 1, {2: said}, shown=shown["shown"], key="k")["note"]
    assert (made["text"], made["state"], made["version"]) == (new, "rewritten", 2)
    again = alone.api.call("note.reconstruct", **given, fills=fills)
    assert again["duplicate"]
    assert alone.note(mind, note)["version"] == 2
    assert new in alone.text(mind, language)
    assert "faded" not in block(alone.context(mind, language))


def test_segments_are_filled_as_they_were_numbered_when_they_were_shown(alone: House) -> None:
    text = "Mira hid the violet lantern behind the old bakery in the harbour of Lisbon."
    spans = [
        {"quote": "violet lantern", "level": 2, "gist": "some lamp"},
        {"quote": "behind the old bakery", "level": 1, "gist": "somewhere"},
    ]
    mind, _ = alone.planted("en", 0)
    note = alone.api.note(mind, text, elements=spans)
    alone.wait(6)
    shown = next(each for each in block(alone.context(mind, "en"))["faded"] if each["id"] == note)
    assert [each["state"] for each in shown["segments"]] == ["clear", "blurred", "clear"]
    alone.wait(0.9)
    fills = [{"segment": 2, "text": "rusty lamp"}]
    made = alone.api.call("note.reconstruct", mind=mind, id=note, version=1, shown=shown["shown"], fills=fills)
    assert made["note"]["text"].startswith("Mira hid the rusty lamp behind")
    for wrong in (shown["shown"] + 30 * DAY * 1000, shown["shown"] - 3 * DAY * 1000):
        alone.api.refused("invalid_params", "note.reconstruct", mind=mind, id=note, version=2, shown=wrong, fills=fills)


BAD = {
    "unknown_segment": [{"segment": 9, "text": "lamp"}],
    "not_masked": [{"segment": 1, "text": "lamp"}],
    "filled_twice": [{"segment": 2, "text": "lamp"}, {"segment": 2, "text": "lamp"}],
    "empty_fill": [{"segment": 2, "text": " . "}],
    "fill_too_long": [{"segment": 2, "text": "lamp " * 20}],
    "placeholder_in_fill": [{"segment": 2, "text": "a xxx"}],
    "markup_in_fill": [{"segment": 2, "text": "**lamp**"}],
}


@pytest.mark.parametrize("reason", BAD)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fill_that_cannot_be_used_is_refused_by_name(alone: House, language: str, reason: str) -> None:
    mind, note = alone.planted(language)
    given: Json = {"mind": mind, "id": note, "version": 1}
    error = alone.api.refused("invalid_params", "note.reconstruct", **given, fills=BAD[reason])
    assert reason in str(error)
    assert alone.note(mind, note)["text"] == PLANTED[language][0]
    assert alone.note(mind, note)["version"] == 1


def test_notes_that_are_not_filled_in(alone: House) -> None:
    mind, note = alone.planted("en")
    fills = [{"segment": 2, "text": "rusty lamp"}]

    def refused(name: str, why: str, **given: Any) -> None:
        params = {"mind": mind, "id": note, "version": 1, "fills": fills} | given
        assert why in str(alone.api.refused(name, "note.reconstruct", **params))

    refused("version_conflict", "wrong_version", version=3)
    refused("not_found", "n999", id="n999")
    refused("invalid_params", "fills", fills=[])
    habit = alone.api.note(mind, "Ann waters the ferns on Sundays", kind="procedural")
    refused("invalid_params", "not_episodic", id=habit)
    alone.api.call("note.pin", mind=mind, id=note)
    refused("invalid_params", "pinned")
    alone.api.call("note.unpin", mind=mind, id=note)
    refused("invalid_params", "no_gaps")  # unpinned it begins to fade again
    spans = [{"quote": quote, "level": 2} for quote in ("violet lantern", "bakery")]
    both = alone.api.note(mind, PLANTED["en"][0], elements=spans)
    alone.wait(6)
    alone.api.call("note.reconstruct", mind=mind, id=both, version=1, fills=fills)
    refused("invalid_params", "rewritten_lately", id=both, version=2)
    alone.api.call("note.forget", mind=mind, id=note)
    refused("invalid_params", "forgotten")
    assistant = alone.api.call("mind.create", mind="sober", profile="assistant")["mind"]["mind"]
    kept = alone.api.note(assistant, PLANTED["en"][0], elements=[{"quote": "violet lantern", "level": 2}])
    alone.wait(40)
    refused("invalid_params", "no_gaps", mind=assistant, id=kept)
    assert "violet lantern" in alone.text(assistant, "en")


ECHOED = {"en": "harbour", "zh": "港口"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_handed_out_with_gaps_is_not_remembered_anew(alone: House, language: str) -> None:
    _, _, gist, asked, _ = PLANTED[language]
    mind, note = alone.planted(language)
    shown = alone.api.say(mind, asked, recall=True)["context"]
    line = next(text for text in block(shown)["text"].splitlines() if gist in text).partition("] ")[2]
    stranger = f"{mind}-stranger"
    for who in (mind, stranger):
        alone.api.say(who, line)
        alone.api.call("idle.run", mind=who)
    made = [each["text"] for each in alone.api.notes(mind) if each["id"] != note]
    assert all(ECHOED[language] not in text for text in made), "it came from the memory"
    told = [each["text"] for each in alone.api.notes(stranger)]
    assert any(ECHOED[language] in text for text in told), "of somebody who says it himself it is believed"


# -- what it was --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_told_can_be_brought_back(alone: House, language: str) -> None:
    text, quote, _, _, said = PLANTED[language]
    mind, note = alone.planted(language)
    alone.api.call("note.reconstruct", mind=mind, id=note, version=1, fills=[{"segment": 2, "text": said}])
    assert all(quote not in each["text"] for each in alone.api.call("recall", mind=mind, query=quote)["items"])
    back = alone.api.call("note.restore", mind=mind, id=note, version=1)["note"]
    assert (back["text"], back["state"], back["version"], back["fidelity"]) == (text, "clear", 3, 1.0)
    assert back["tags"] == [quote, "kept"]
    assert all(element["opacity"] > 0.8 for element in back["elements"]), "it is told anew"
    found = alone.api.call("recall", mind=mind, query=quote, tags=[quote])["items"]
    assert [item["text"] for item in found] == [text]
    versions = alone.api.call("note.history", mind=mind, id=note)["versions"]
    assert [each["version"] for each in versions] == [1, 2]
    alone.api.refused("not_found", "note.restore", mind=mind, id=note, version=9)
    alone.api.call("note.forget", mind=mind, id=note)
    both = alone.api.call("note.restore", mind=mind, id=note, version=2)["note"]
    assert both["lifecycle"] != "forgotten"
    assert both["text"] == text.replace(quote, said)
