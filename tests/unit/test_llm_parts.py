"""Cutting an epoch for a model that reads and writes little at a time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.drafts import NoteDraft, NoteKind, Role, SplitRequest, Summary, Turn
from soulmem.core.tokens import estimate_tokens
from soulmem.llm.parts import PART_TOKENS, joined, parts_of


def request(texts: list[str]) -> SplitRequest:
    turns = tuple(Turn(seq, Role.USER, "Ann", text, seq) for seq, text in enumerate(texts, start=1))
    return SplitRequest(Summary("they talked"), turns, character="Mira")


def test_a_short_talk_stays_whole() -> None:
    asked = request(["I moved to Lisbon.", "我对榛子过敏。"])
    assert parts_of(asked) == [asked]
    assert parts_of(request([])) == [request([])]


@given(st.lists(st.sampled_from(["hm", "word " * 90, "今天下雨了，" * 40, "x " * 900]), max_size=80))
def test_every_turn_is_in_one_part_and_no_part_is_too_long(texts: list[str]) -> None:
    asked = request(texts)
    parts = parts_of(asked)
    assert [turn for part in parts for turn in part.turns] == list(asked.turns)
    assert all(part.summary == asked.summary and part.character == "Mira" for part in parts)
    longest = max((estimate_tokens(text) for text in texts), default=0) + 12
    for part in parts:
        size = sum(estimate_tokens(turn.text) + 12 for turn in part.turns)
        assert size <= PART_TOKENS + longest
        assert part.turns or len(parts) == 1


def test_labels_are_counted_through() -> None:
    def draft(label: str) -> NoteDraft:
        return NoteDraft(label, NoteKind.EPISODIC, label, (), 0)

    assert [each.label for each in joined([[draft("N1"), draft("N2")], [draft("N1")]])] == ["N1", "N2", "N3"]
