"""A question is answered over a link: what is unlike it, but belongs to what is like it, is recalled (§3.3-3.6)."""

from __future__ import annotations

import pytest

from checking import Checking
from household import Home

TOLD = {
    "en": (
        "The harbour journal is printed by the Tern Press.",
        "Tern Press",
        "Oona Varga, 1911, a cellar full of cats.",
        "What prints the harbour journal?",
        "The harbour journal reports on ship number {} today.",
        "ship number {}",
    ),
    "zh": (
        "《港口日报》由燕鸥印社印刷。",
        "燕鸥印社",
        "王小满，一九一一年，满地窖都养着猫。",
        "谁印刷《港口日报》？",
        "《港口日报》今天报道了第{}号船。",
        "第{}号船",
    ),
}


@pytest.fixture(scope="module")
def api(home: Home) -> Checking:
    return home.api


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_belongs_to_a_hit_is_recalled_and_concepts_take_no_place_of_it(api: Checking, language: str) -> None:
    told, name, answer, question, report, ship = TOLD[language]
    mind = f"linked-{language}"

    def note(kind: str, text: str) -> str:
        return str(api.call("note.add", mind=mind, kind=kind, text=text)["id"])

    def link(src: str, dst: str, strength: float) -> None:
        api.call("link.add", mind=mind, src=src, dst=dst, strength=strength, confidence=1.0)

    printed, press, founded = note("episodic", told), note("semantic", name), note("episodic", answer)
    link(printed, press, 0.8)
    link(founded, press, 0.8)
    for number in range(40):
        reported, seen = note("episodic", report.format(number)), note("semantic", ship.format(number))
        link(reported, seen, 0.5)
        link(printed, seen, 0.3)

    def recalled() -> list[dict[str, object]]:
        wanted = {"query": question, "k": 5, "kinds": ["episodic"], "record": False}
        items: list[dict[str, object]] = api.call("recall", mind=mind, **wanted)["items"]
        return items

    api.call("mind.update", mind=mind, settings={"recall": {"graph": False}})
    assert founded not in {item["id"] for item in recalled()}
    api.call("mind.update", mind=mind, settings={"recall": {"graph": True}})
    items = recalled()
    assert {item["kind"] for item in items} == {"episodic"}
    brought = next(item for item in items if item["id"] == founded)
    assert brought["tier"] == "ppr"
