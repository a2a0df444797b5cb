"""A message that is recalled before it is a note makes its note hot: what was told meanwhile is linked to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import checking
from daemon_fixture import daemon_process

TALK = {
    "en": ("Marta keeps bees on the roof of the bakery.", "What does Marta keep on the roof?",
           "My grandfather repaired violins in Bergen."),
    "zh": ("玛塔在面包店的屋顶上养蜜蜂。", "玛塔在屋顶上养什么？", "我爷爷在卑尔根修过小提琴。"),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_recalled_as_a_message_is_linked_like_a_note(tmp_path: Path, language: str) -> None:
    known, asked, told = TALK[language]
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-02T18:00:00Z") as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", profile="companion")
        api.say("m", known, speaker="Ann", conversation="first")
        api.settle("m")
        api.call("clock.advance", seconds=30)
        for text in (asked, asked, told):
            api.say("m", text, speaker="Ann", conversation="second", recall=True)
            api.call("clock.advance", seconds=30)
        api.call("clock.advance", seconds=86_400)
        api.settle("m")
        notes = {note["text"]: note["id"] for note in api.notes("m")}
        bees = next(note for text, note in notes.items() if ("bees" in text or "蜜蜂" in text))
        violins = next(note for text, note in notes.items() if ("violins" in text or "小提琴" in text))
        ends = [{link["src"], link["dst"]} for link in api.links("m") if link["origin"] != "similarity"]
        assert {bees, violins} in ends
