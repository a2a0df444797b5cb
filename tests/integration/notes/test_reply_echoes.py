"""A reply that says no more than it was handed becomes no note, nor does mere praise; what it adds does."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import checking
from daemon_fixture import daemon_process

DAY_S = 86_400
TOLD = {"en": "Ivo won the chess cup in Ghent.", "zh": "我弟弟伊沃在根特赢了象棋杯。"}
TALK = {
    "en": (("What did Ivo win?", "Ivo won the chess cup in Ghent, didn't he?"), ("You remembered!", "Of course.")),
    "zh": (("你还记得伊沃赢了什么吗？", "伊沃在根特赢了象棋杯呀。"), ("你居然记得！", "当然。")),
}  # fmt: skip
OWN = {"en": "I will bake a walnut cake for Ivo on Sunday.", "zh": "星期天我会给伊沃烤一个核桃蛋糕。"}
PLAIN = {"en": "And what else?", "zh": "还有呢？"}
ADDED = {"en": "walnut cake", "zh": "核桃蛋糕"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_echo_is_no_memory_of_its_own(tmp_path: Path, language: str) -> None:
    with daemon_process(tmp_path, "--simulated-clock", "2026-03-02T18:00:00Z") as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", profile="companion")

        def say(role: str, text: str) -> None:
            api.say("m", text, role=role, speaker="Ann" if role == "user" else "Pell", recall=role == "user")
            api.call("clock.advance", seconds=60)

        say("user", TOLD[language])
        for _ in range(3):
            api.call("clock.advance", seconds=DAY_S)
            api.settle("m")
            for user, assistant in TALK[language]:
                say("user", user)
                say("assistant", assistant)
        say("user", PLAIN[language])
        say("assistant", OWN[language])
        api.call("clock.advance", seconds=DAY_S)
        api.settle("m")
        told = [note["text"] for note in api.notes("m") if "Pell" in note["text"]]
        assert len(told) == 1, told
        assert ADDED[language] in told[0]
        left = {(each["reason"], each["text"]) for each in api.pages("audit.list", mind="m")}
        assert ("said_before", TALK[language][0][1]) in left
        assert ("small_talk", TALK[language][1][0]) in left
