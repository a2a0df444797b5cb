"""What a situation calls for is told apart from what a character merely knows of itself (algorithms.md §6.1)."""

from __future__ import annotations

import pytest

from checking import Checking
from household import Home
from soulmem.client import SoulmemRemoteError

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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_one_situation_leads_to_sums_to_one_at_most(api: Checking, language: str) -> None:
    _, trigger, *acts, _, _ = TALK[language]
    mind = f"odds-{language}"

    def note(kind: str, text: str) -> str:
        return str(api.call("note.add", mind=mind, kind=kind, text=text)["id"])

    def odds() -> list[float]:
        return [each["prob"] for each in api.call("link.list", mind=mind, note=cue)["items"] if "prob" in each]

    cue, first, second = note("trigger", trigger), note("procedural", acts[0]), note("procedural", acts[1])
    for dst, prob in ((first, 0.7), (second, 0.3)):
        api.call("link.add", mind=mind, src=cue, dst=dst, kind="trigger", prob=prob)
    assert odds() == pytest.approx([0.7, 0.3], abs=0.02)
    third = note("procedural", acts[0] + acts[1])
    with pytest.raises(SoulmemRemoteError, match="at most 1"):
        api.call("link.add", mind=mind, src=cue, dst=third, kind="trigger", prob=0.2)
    with pytest.raises(SoulmemRemoteError, match="of a trigger alone"):
        api.call("link.add", mind=mind, src=first, dst=second, prob=0.2)
    # Whoever says only how strong it is takes his share of what there is.
    api.call("link.add", mind=mind, src=cue, dst=third, kind="trigger", strength=1.0)
    assert sum(odds()) == pytest.approx(1.0, abs=0.001)
    assert odds()[2] == pytest.approx(0.5, abs=0.02)
    around = api.call("graph.get", mind=mind, around=cue, depth=1)["links"]
    assert sum(each["prob"] for each in around) == pytest.approx(1.0, abs=0.001)
    api.call("link.add", mind=mind, src=first, dst=second, kind="association")
    assert all("prob" in each for each in api.call("link.list", mind=mind)["items"] if each["kind"] == "trigger")
    assert not any("prob" in each for each in api.call("link.list", mind=mind)["items"] if each["kind"] != "trigger")
