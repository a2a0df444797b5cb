"""A question is no memory of itself: neither what was just asked nor its twins of the last turns come back as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import Checking, checking
from daemon_fixture import daemon_process

TOLD = {
    "en": ["My sister Ines keeps bees in Porto.", "I bought a green boat last week.", "The dentist is on Friday."],
    "zh": ["我妹妹小苇在波尔图养蜜蜂。", "我上周买了一条绿色的船。", "星期五要去看牙医。"],
    "mixed": ["我妹妹 Ines keeps bees 在波尔图。", "I bought 一条绿色的船 last week.", "星期五 the dentist."],
}
ASKED = {
    "en": ["Where does my sister Ines keep bees?", "Where does Ines keep her bees?"],
    "zh": ["我妹妹小苇在哪里养蜜蜂？", "小苇在哪里养蜜蜂呢？"],
    "mixed": ["我妹妹 Ines 在哪里 keeps bees?", "Ines 在哪里 keeps bees?"],
}
PLACE = {"en": "Porto", "zh": "波尔图", "mixed": "波尔图"}
PROFILES = {"en": "companion", "zh": "assistant", "mixed": "companion"}  # in `make test`; both of each in torture


def told(api: Checking, mind: str, language: str, profile: str) -> None:
    api.call("mind.create", mind=mind, profile=profile)
    for text in TOLD[language]:
        api.say(mind, text, speaker="Mara")


@pytest.mark.parametrize(
    ("language", "profile"),
    [
        pytest.param(language, profile, marks=[] if PROFILES[language] == profile else pytest.mark.torture)
        for language in TOLD
        for profile in ("companion", "assistant")
    ],
)
def test_no_question_comes_back_as_an_answer_to_itself(tmp_path: Path, language: str, profile: str) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        told(api, "m", language, profile)
        for round_of in ("in the window", "after sleep"):
            for question in (*ASKED[language], ASKED[language][0]):
                answer = api.say("m", question, speaker="Mara", recall=True)
                blocks = {block["kind"]: block["text"] for block in answer["context"]["blocks"]}
                assert not any(asked in blocks.get("notes", "") for asked in ASKED[language])
                for conversation in ({"conversation": "main"}, {}):
                    found = api.found("m", question, k=10, **conversation)
                    assert any(PLACE[language] in item["text"] for item in found), round_of
                    assert not {item["text"] for item in found} & set(ASKED[language]), round_of
                    assert all(item["speaker"] and item["at"] for item in found)
            api.say("m", "Thank you!" if language == "en" else "好的。", role="assistant", speaker="Pell")
            api.settle("m")
            api.call("idle.run", mind="m")
            api.settle("m")
        assert not any(asked in note["text"] for note in api.notes("m") for asked in ASKED[language])


ANSWERED = {
    "en": ('Orrin (8 September 2026), asked "Which vet do you use?": Young Farrah.', "Which vet looks after my sheep?"),
    "zh": ("大鹏（2026年9月8日）被问“你找哪个兽医？”：小方。", "我的羊找哪个兽医看？"),
}


def test_a_note_that_quotes_a_question_and_its_answer_tells(tmp_path: Path) -> None:
    """However short the answer is, it is one; a note that only asks stands below it."""
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        for language, (text, question) in ANSWERED.items():
            api.call("mind.create", mind=language)
            told = api.note(language, text)
            for other in (
                "The top field is dry. 山上很干。",
                "Which vet looks after sheep? 羊找哪个兽医看？",
            ):
                api.note(language, other)
            api.settle(language)
            assert api.found(language, question, k=3, min_score=0.0)[0]["id"] == told, language
