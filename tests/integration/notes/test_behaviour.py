"""What a situation calls for is told apart from what a character merely knows of itself (algorithms.md §6.1)."""

from __future__ import annotations

import pytest

from checking import Checking
from household import Home

TALK = {
    "en": (
        "A stray dog comes to the lighthouse door.",
        "A hungry animal asks for help.",
        "Mira always shares her supper.",
        "Kindness is what Mira lives by.",
        "What happened with the stray dog at the lighthouse?",
        "What does Mira live by, kindness?",
    ),
    "zh": (
        "一只流浪狗来到灯塔门口。",
        "饿着的动物来求助。",
        "米拉总是分出自己的晚饭。",
        "善良是米拉的信条。",
        "灯塔门口的流浪狗怎么了？",
        "米拉的信条是善良吗？",
    ),
}


@pytest.fixture(scope="module")
def api(home: Home) -> Checking:
    return home.api


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_tendency_is_called_for_by_a_situation_or_known_as_a_fact(api: Checking, language: str) -> None:
    scene, trigger, act, fact, at_the_door, about_her = TALK[language]
    mind = f"acts-{language}"

    def note(kind: str, text: str) -> str:
        return str(api.call("note.add", mind=mind, kind=kind, text=text)["id"])

    seen, cue = note("episodic", scene), note("trigger", trigger)
    shares, creed = note("procedural", act), note("semantic", fact)
    for src, dst, kind in ((seen, cue, "association"), (cue, shares, "trigger"), (creed, shares, "semantic")):
        api.call("link.add", mind=mind, src=src, dst=dst, kind=kind, strength=0.8)

    called = api.call("recall", mind=mind, query=at_the_door, k=5, explain=True, record=False)["items"]
    assert cue not in {item["id"] for item in called}, "a trigger leads on and is never told"
    acted = next(item for item in called if item["id"] == shares)
    assert acted["via"] == "trigger"
    assert [step["src"] for step in acted["why"]["path"]][-1] == cue
    known = api.call("recall", mind=mind, query=about_her, k=5, record=False)["items"]
    assert next(item for item in known if item["id"] == shares)["via"] == "semantic"
    assert all(item.get("via") is None for item in known if item["kind"] != "procedural")

    blocks = {block["kind"]: block["text"] for block in api.call("context.get", mind=mind, query=at_the_door)["blocks"]}
    assert act in blocks["behaviour"]
    assert act not in blocks.get("notes", "")
    blocks = {block["kind"]: block["text"] for block in api.call("context.get", mind=mind, query=about_her)["blocks"]}
    assert "behaviour" not in blocks
    assert act in blocks["notes"]
