"""Speakers and companions whose names are words (June, May, Will, Hope, 高兴, 安静): what they say is theirs."""

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.grounding import grounding_gate
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.llm.extractive.reading.statements import statements_of
from soulmem.llm.extractive.tasks.split import drafts_of, speakers_of

AT = calendar_math.day_number(2026, 9, 13) * calendar_math.DAY_MS + 19 * calendar_math.HOUR_MS


def _told(speaker: str, text: str, *, role: Role = Role.USER, literal: bool = False) -> list[str]:
    turns = (Turn(1, role, speaker, text, AT),)
    drafts = drafts_of(statements_of(turns), speakers_of(turns), literal=literal)
    verdicts = grounding_gate.judge(drafts, Grounds(tuple(Ground(turn) for turn in turns)))
    assert [each.refusal for each in verdicts if each.refusal] == []
    return [each.draft.text for each in verdicts]


@every_row(["June", "May", "Will", "Hope", "April", "Grace"], [False, True], [Role.USER, Role.ASSISTANT])
def test_a_note_begins_with_who_said_it(speaker: str, literal: bool, role: Role) -> None:
    for text in ("I grew up in Mobile with three sisters.", "My dog Rex ate a shoe, I was furious!"):
        assert all(note.startswith(speaker) for note in _told(speaker, text, role=role, literal=literal))


@pytest.mark.parametrize("speaker", ["高兴", "安静", "夏天", "五月"])
def test_a_chinese_note_begins_with_who_said_it(speaker: str) -> None:
    notes = _told(speaker, "我在镇上开了家裁缝铺，养了一只猫。")
    assert notes
    assert all(note.startswith(speaker) for note in notes)


def test_somebody_called_hope_is_told_of() -> None:
    assert any("Hope wants to be a vet" in note for note in _told("Ray", "Hope wants to be a vet"))
    assert _told("Ray", "hope it works out") == []


@pytest.mark.parametrize(
    "text", ["doc says my A1C is 7.1", "I take B12 every day", "I play blues harp in A", "我的 A1C 是 7.1"]
)
def test_letters_and_digits_are_no_invented_name(text: str) -> None:
    assert _told("Ray", text)
    assert _told("Ray", text, literal=True)


def test_a_name_said_once_is_known_whatever_follows_it() -> None:
    turns = (
        Turn(1, Role.USER, "罗琳", "我表妹何苗考上了川大", AT),
        Turn(2, Role.USER, "罗琳", "她想学日语", AT + 40_000),
    )
    drafts = drafts_of(statements_of(turns), speakers_of(turns))
    verdicts = grounding_gate.judge(drafts, Grounds(tuple(Ground(turn) for turn in turns)))
    assert [each.refusal for each in verdicts if each.refusal] == []
    assert any("何苗想学日语" in each.draft.text for each in verdicts)
