"""Who belongs to a family is a fact of its own, but not what is taken back in the same breath."""

from __future__ import annotations

import pytest

from soulmem.core.schema.note_requests import Role, Turn
from soulmem.idle.steps.kin_facts import kin_facts

AT = 1_780_000_000_000
TAKEN_BACK = (
    "外孙豆豆今年九岁，学围棋……不对，豆豆是我儿子的孩子，该叫孙子。",
    "我外甥叫小军，说错了，是侄子。",
    "My nephew Boris, no wait, he's my cousin.",
    "我 nephew 叫 Bo，不对，是 cousin。",
)
TOLD = ("我外孙叫豆豆，今年九岁，学围棋。", "My nephew Boris is nine.", "我外甥叫小军，他说不对付那家公司。")


def drafted(text: str) -> list[str]:
    return [draft.text for draft in kin_facts([Turn(1, Role.USER, "Ann", text, AT)], [])]


@pytest.mark.parametrize("text", TAKEN_BACK)
def test_what_is_taken_back_is_no_fact(text: str) -> None:
    assert drafted(text) == []


@pytest.mark.parametrize("text", TOLD)
def test_what_stands_is(text: str) -> None:
    assert len(drafted(text)) == 1
