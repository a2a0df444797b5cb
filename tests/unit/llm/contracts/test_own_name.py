"""Whose memory a prompt speaks of: the name a mind was given, else the one it speaks under, never a label."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.schema.note_requests import Cast
from soulmem.llm.contracts.parts.prompt_roles import who_is_who


@every_row(
    [
        ("en", "Mel", "This is Mel's memory; Ann talks with Mel."),
        ("en", "assistant", "This is the companion's memory; Ann talks with the companion."),
        ("en", "", "This is the companion's memory; Ann talks with the companion."),
        ("zh", "小梅", "小梅是这份记忆的主人；Ann在和小梅说话。"),
        ("zh", "assistant", "这位同伴是这份记忆的主人；Ann在和这位同伴说话。"),
    ],
    unpack=True,
)
def test_a_label_is_no_name(lang: str, character: str, told: str) -> None:
    assert who_is_who(Cast(character), lang, speakers=["Ann", character]) == told
