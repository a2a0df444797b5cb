"""What has faded wholly is no line of a prompt: one line says that something has faded, and no gist is searched."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Json
from daemon_fixture import daemon_process
from faded_minds import DAY, PLANTED, House

START = "2026-03-01T08:00:00Z"
TALES = {
    "en": ("Mara baked a walnut cake for Jonah.", "Mara knows Jonah well.", "What does Mara know of Jonah?", "faded"),
    "zh": ("阿宁给老周烤了一个核桃蛋糕。", "阿宁跟老周很熟。", "阿宁跟老周熟吗？", "记不清"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    env = {"SOULMEM_EMBEDDER_NAME": "hashing"}
    with daemon_process(tmp_path_factory.mktemp("lost"), "--simulated-clock", START, env=env) as daemon:
        yield House(daemon, None)


def whole(text: str, gist: str) -> Json:
    """The note as one thing that fades."""
    return {"quote": text, "level": 0, "gist": gist}


def context(house: House, mind: str, query: str) -> Json:
    found: Json = house.api.call("context.get", mind=mind, query=query)
    return found


@pytest.mark.parametrize("language", TALES)
def test_a_blank_note_is_no_line_and_one_line_says_that_something_faded(house: House, language: str) -> None:
    tale, fresh, query, sign = TALES[language]
    mind = f"lost-{language}"
    house.api.call("mind.create", mind=mind, settings={"forgetting.clock": "wall", "forgetting.deletes": False})
    gist = "a treat" if language == "en" else "一样点心"
    lost = house.api.note(mind, tale, elements=[whole(tale, gist)])
    assert sign not in context(house, mind, query)["text"]
    house.api.call("clock.advance", seconds=60 * DAY)
    kept = house.api.note(mind, fresh, kind="semantic")
    house.api.call("link.add", mind=mind, src=kept, dst=lost, kind="association")
    note = house.api.call("note.get", mind=mind, id=lost)["note"]
    assert note["state"] == "blank"
    body = context(house, mind, query)
    text = body["text"]
    assert fresh in text
    assert "xxx" not in text
    recalled = [item["id"] for item in house.api.call("recall", mind=mind, query=query, record=False)["items"]]
    assert kept in recalled
    assert (lost in recalled) == (sign in text)
    assert lost in recalled, "by its link"
    assert text.count(sign) == 1
    items = [item for part in body["blocks"] for item in part["items"]]
    assert lost not in items


@pytest.mark.parametrize(("query", "language"), [("a treat", "en"), ("点心", "zh")])
def test_nobody_finds_a_note_by_the_gist_of_what_faded(house: House, query: str, language: str) -> None:
    mind = f"gist-{language}"
    house.api.call("mind.create", mind=mind, settings={"forgetting.clock": "wall", "forgetting.deletes": False})
    tale, fresh, *_ = TALES[language]
    gist = "a treat" if language == "en" else "一样点心"
    lost = house.api.note(mind, tale, elements=[whole(tale, gist)])
    house.api.note(mind, fresh)
    house.api.call("clock.advance", seconds=25 * DAY)
    note = house.api.call("note.get", mind=mind, id=lost)["note"]
    assert gist in note["rendered"], "it is blurred as a whole"
    found = house.api.call("recall", mind=mind, query=query, record=False)["items"]
    assert lost not in [item["id"] for item in found]


@pytest.mark.parametrize("language", TALES)
def test_a_recall_says_of_what_kind_the_lost_thing_was(house: House, language: str) -> None:
    gist = {"en": "something to eat or drink", "zh": "某种吃喝的东西"}[language]
    told = {"quote": PLANTED[language][1], "level": 2, "gist": gist}
    mind, note = house.planted(language, days=30, elements=[told])
    items = house.api.call("recall", mind=mind, query=PLANTED[language][3], record=False, min_score=0)["items"]
    item = next(each for each in items if each["id"] == note)
    assert item["state"] != "clear", item
    assert item.get("faded"), item
    assert PLANTED[language][1] not in " ".join(item["faded"])
    fresh = house.api.note(mind, "The lamp oil is in the cellar. 灯油在地窖里。")
    found = house.api.call("recall", mind=mind, query="灯油 lamp oil cellar", record=False, min_score=0)["items"]
    assert "faded" not in next(each for each in found if each["id"] == fresh)
