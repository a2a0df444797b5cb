"""Blurred details drift where that is wanted: silently, once, in one piece, and never elsewhere.

The hashing embedder takes shared words for likeness, so the details here are long ones that lose a word.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from checking import Json, checking, rows
from daemon_fixture import daemon_process
from drifting_minds import (
    BOTH,
    CASES,
    DAY,
    DRIFTING,
    LATE,
    START,
    Case,
    House,
    engine,
    history_of,
    note_of,
    plant,
    said,
    vaguer,
)
from scripted_answers import task_of
from scripted_endpoint import M, scripted_endpoint
from soulmem.client import SoulmemRemoteError
from soulmem.core.schema.engine_tasks import Task


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with scripted_endpoint() as endpoint:
        endpoint.answer = vaguer
        root = tmp_path_factory.mktemp("drift")
        with daemon_process(root, "--simulated-clock", START, env=engine(endpoint)) as daemon:
            yield House(daemon, endpoint)


@pytest.fixture(autouse=True)
def _fresh(request: pytest.FixtureRequest) -> None:
    if "house" in request.fixturenames:
        house: House = request.getfixturevalue("house")
        for each in house.api.call("mind.list")["items"]:  # they all live by the same clock
            house.api.call("mind.delete", mind=each["mind"], confirm=each["mind"])
        house.endpoint.requests.clear()


# -- what drifts -----------------------------------------------------------------------------------------------


@BOTH
def test_a_blurred_detail_turns_into_another_and_nothing_else_changes(house: House, case: Case) -> None:
    api, mind = house.api, house.mind()
    tags, attributes = ["walk", case.detail], {"where": case.detail, "who": "Mira"}
    note = plant(api, mind, case, tags=tags, attributes=attributes)
    before = note_of(api, mind, note)
    house.wait(LATE - 1)
    assert note_of(api, mind, note)["version"] == 1, "blurred for days, but not yet faint enough"
    house.wait(1)
    after = note_of(api, mind, note)
    wanted = case.text.replace(case.detail, case.gist)
    assert after["text"] == wanted
    assert set(said(after)) == {case.gist, case.other}
    drifted, other = said(after)[case.gist], said(after)[case.other]
    assert other["gist"] == case.other_gist
    assert other["end"] - said(before)[case.other]["end"] == len(wanted) - len(case.text)
    for was, now in zip(before["elements"], after["elements"], strict=True):
        assert (was["blurs_at"], was["blanks_at"]) == (now["blurs_at"], now["blanks_at"]), "as faded as before"
    assert drifted["state"] == "blurred"
    assert drifted["gist"]
    assert case.gist not in drifted["gist"], "a gist must not tell what the note says now"
    assert case.gist not in after["rendered"]
    assert case.clear in after["rendered"]
    assert (after["tags"], after["attributes"]) == (["walk"], {"who": "Mira"}), "nothing beside it tells what it was"
    told = history_of(api, mind, note)
    assert [(each["reason"], each["text"]) for each in told["versions"]] == [("drifted", case.text)]
    assert told["versions"][0]["tags"] == tags
    assert told["versions"][0]["attributes"] == attributes
    act = told["history"][-1]
    assert (act["action"], act["detail"]["version"]) == ("note_drifted", 2)
    assert act["detail"]["details"][0]["likeness"] >= 0.55
    assert case.detail not in json.dumps(told["history"], ensure_ascii=False)
    assert [each["count"] for each in house.daemon.events("note_drifted") if each["mind"] == mind] == [1]
    assert any(job["step"] == "drift" and job["result"] == {"tried": 1, "drifted": 1} for job in api.jobs(mind))


@BOTH
def test_search_knows_the_note_by_what_shows_of_it_now(house: House, case: Case) -> None:
    api, mind = house.api, house.mind()
    note = plant(api, mind, case)
    house.wait(LATE)
    api.settle(mind)
    assert note_of(api, mind, note)["version"] == 2
    assert [item["id"] for item in api.found(mind, case.clear)][:1] == [note]
    for words in (case.detail, case.gist):
        hits = [item for item in api.found(mind, words, explain=True) if item["id"] == note]
        assert all(not item["why"]["channels"].get("lexical") for item in hits), "no word of it leads there"
    number = int(note[1:])
    [(shown, version)] = rows(house.daemon, mind, "SELECT shown, version FROM note WHERE id = ?", number)
    assert version == 2
    again = house.mind({**DRIFTING, "forgetting.drift": False})
    fresh = api.note(again, shown, elements=[])
    terms = "SELECT terms FROM note WHERE id = ?"
    assert rows(house.daemon, mind, terms, number) == rows(house.daemon, again, terms, int(fresh[1:]))


def test_what_it_said_can_be_had_back(house: House) -> None:
    api, mind, case = house.api, house.mind(), CASES["en"]
    note = plant(api, mind, case)
    house.wait(LATE)
    assert note_of(api, mind, note)["text"] != case.text
    api.call("note.restore", mind=mind, id=note, version=1)
    again = note_of(api, mind, note)
    assert (again["text"], again["version"], again["state"]) == (case.text, 3, "clear")
    api.settle(mind)
    assert [item["id"] for item in api.found(mind, case.detail)][:1] == [note]


def test_a_model_is_shown_the_detail_and_of_the_rest_what_shows(house: House) -> None:
    api, mind, case = house.api, house.mind(), CASES["en"]
    elements = [
        {"quote": case.detail, "level": 2, "gist": case.gist},
        {"quote": case.other, "level": 2, "gist": case.other_gist},
    ]
    note = api.note(mind, case.text, elements=elements)
    house.wait(LATE)
    [asked] = house.asked()
    assert case.detail in asked
    assert case.clear in asked
    lines = asked.splitlines()
    first = next(place for place, line in enumerate(lines) if case.detail in line)
    assert case.other not in "\n".join(lines[first : first + 3]), "another masked detail is no neighbour of this one"
    assert note_of(api, mind, note)["text"] == case.text.replace(case.detail, case.gist)


# -- once, and only there --------------------------------------------------------------------------------------


def test_a_detail_is_looked_at_once_while_it_is_blurred_and_again_the_next_time(house: House) -> None:
    api, mind = house.api, house.mind()
    text = "Mira hid nine crates of oranges near the pier."
    note = api.note(mind, text, elements=[{"quote": "nine crates of oranges", "level": 2, "gist": "a lot of fruit"}])

    def tried() -> int:
        return sum(job["result"]["tried"] for job in api.jobs(mind) if job["step"] == "drift")

    house.wait(LATE)
    assert (tried(), len(house.asked())) == (1, 1)
    assert note_of(api, mind, note)["text"] == text, "the original was the nearest of all"
    assert history_of(api, mind, note)["versions"] == []
    for _ in range(3):
        house.wait(0.2)
        api.call("idle.run", mind=mind)
    assert tried() == 1
    api.call("note.pin", mind=mind, id=note)
    api.call("note.unpin", mind=mind, id=note)  # clear again
    house.wait(4)
    assert tried() == 1
    house.wait(LATE - 4)
    assert (tried(), len(house.asked())) == (2, 1), "what a model said of the same words is not paid for again"
    api.call("mind.update", mind=mind, settings={**DRIFTING, "forgetting.scale": 1.5})
    house.wait(1.35)
    api.call("idle.run", mind=mind)
    [element] = said(note_of(api, mind, note)).values()
    assert element["state"] == "blurred"
    assert tried() == 2, "settings that move the crossings begin no other episode"


@pytest.mark.parametrize(
    ("settings", "profile", "params"),
    [
        ({"forgetting.clock": "wall"}, "companion", {}),
        ({**DRIFTING, "forgetting.drift": False}, "companion", {}),
        (DRIFTING, "assistant", {}),
        ({**DRIFTING, "forgetting.blurs": True}, "assistant", {}),
        ({**DRIFTING, "forgetting.blurs": False}, "companion", {}),
        (DRIFTING, "companion", {"pinned": True}),
        (DRIFTING, "companion", {"kind": "lore", "elements": []}),
        (DRIFTING, "companion", {"kind": "semantic", "elements": []}),
    ],
)
def test_elsewhere_nothing_drifts(house: House, settings: Json, profile: str, params: Json) -> None:
    api, mind, case = house.api, house.mind(settings, profile=profile), CASES["en"]
    note = plant(api, mind, case, **params) if "kind" not in params else api.note(mind, case.text, **params)
    for _ in range(2):
        house.wait(LATE / 2)
        api.call("idle.run", mind=mind)
    after = note_of(api, mind, note)
    assert (after["text"], after["version"]) == (case.text, 1)
    assert house.asked() == []
    assert rows(house.daemon, mind, "SELECT * FROM drift") == []
    on = settings is DRIFTING and profile == "companion"
    assert any(job["step"] == "drift" for job in api.jobs(mind)) == on, "off, it is not even a step"


def test_a_mind_that_is_talked_to_does_not_drift(house: House) -> None:
    api, case = house.api, CASES["en"]
    mind = house.mind({**DRIFTING, "idle.after_s": 31_536_000})
    note = plant(api, mind, case)
    api.say(mind, "good morning")
    house.wait(LATE)
    assert note_of(api, mind, note)["version"] == 1
    api.call("idle.run", mind=mind)
    assert note_of(api, mind, note)["version"] == 2


def test_a_model_that_is_away_leaves_the_note_to_the_built_in_engine(house: House) -> None:
    api, mind, case = house.api, house.mind(), CASES["en"]
    house.endpoint.misbehaviour = M.DOWN
    try:
        note = plant(api, mind, case)
        house.wait(LATE)
    finally:
        house.endpoint.misbehaviour = M.NONE
    assert note_of(api, mind, note)["text"] == case.text, "it knows nothing that comes near"
    assert len(rows(house.daemon, mind, "SELECT * FROM drift")) == 1


# -- in one piece ----------------------------------------------------------------------------------------------


def test_a_change_while_the_model_thinks_wins(house: House) -> None:
    api, mind, case = house.api, house.mind({**DRIFTING, "idle.after_s": 31_536_000}), CASES["en"]
    note = plant(api, mind, case)
    api.say(mind, "good morning")
    house.wait(LATE)
    changed = "Mira hid nothing."

    def meanwhile(body: Mapping[str, Any]) -> Any:
        if task_of(body) is Task.MISREMEMBER:
            house.daemon.call("note.update", {"mind": mind, "id": note, "text": changed})
        return vaguer(body)

    house.endpoint.answer = meanwhile
    try:
        api.call("idle.run", mind=mind)
    finally:
        house.endpoint.answer = vaguer
    assert len(house.asked()) == 1
    assert note_of(api, mind, note)["text"] == changed
    assert [each["reason"] for each in history_of(api, mind, note)["versions"]] == ["updated"]
    assert rows(house.daemon, mind, "SELECT * FROM drift") == []


def test_kill_9_leaves_no_half_effect(tmp_path: Path) -> None:
    case = CASES["en"]
    with scripted_endpoint() as endpoint, contextlib.ExitStack() as stack:
        env = engine(endpoint)
        first = stack.enter_context(daemon_process(tmp_path, "--simulated-clock", START, env=env, name="a"))
        api = checking(first)
        api.call("mind.create", mind="m", settings={**DRIFTING, "idle.after_s": 31_536_000})
        note = plant(api, "m", case)
        api.say("m", "good morning")
        api.call("clock.advance", seconds=LATE * DAY)
        api.settle("m")

        def dying(body: Mapping[str, Any]) -> Any:
            if task_of(body) is Task.MISREMEMBER:
                first.kill()
            return vaguer(body)

        endpoint.answer = dying
        with pytest.raises((SoulmemRemoteError, ConnectionError, OSError)):
            api.call("idle.run", mind="m")
        endpoint.answer = vaguer
        second = stack.enter_context(daemon_process(tmp_path, "--simulated-clock", env=env, name="b"))
        with contextlib.suppress(ConnectionError, OSError):
            drifted = rows(second, "m", "SELECT version FROM note WHERE id = ?", int(note[1:])) == [(2,)]
            assert drifted == bool(rows(second, "m", "SELECT * FROM drift")), "both or neither"
            second.call("idle.run", {"mind": "m", "wait": False})
        deadline = time.monotonic() + 20
        while not second.events("note_drifted"):
            assert time.monotonic() < deadline
        second.kill()
        third = stack.enter_context(daemon_process(tmp_path, "--simulated-clock", env=env, name="c"))
        api = checking(third)
        for _ in range(2):
            after = note_of(api, "m", note)
            assert after["text"] == case.text.replace(case.detail, case.gist)
            assert set(said(after)) == {case.gist, case.other}
            told = history_of(api, "m", note)
            assert [each["reason"] for each in told["versions"]] == ["drifted"]
            assert [each["action"] for each in told["history"]].count("note_drifted") == 1
            assert len(rows(third, "m", "SELECT * FROM drift")) == 1
            api.call("idle.run", mind="m")
