"""Cutting an epoch for a model that reads and writes little at a time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.schema.note_requests import Cast, NoteDraft, NoteKind, Role, SplitRequest, Summary, Turn
from soulmem.core.text.tokens import estimate_tokens
from soulmem.llm.engine.epoch_parts import OVERLAP, PART_TOKENS, SLACK, joined, parts_of


def request(texts: list[str]) -> SplitRequest:
    turns = tuple(Turn(seq, Role.USER, "Ann", text, seq) for seq, text in enumerate(texts, start=1))
    return SplitRequest(Summary("they talked"), turns, cast=Cast("Mira"))


def test_a_short_talk_stays_whole() -> None:
    asked = request(["I moved to Lisbon.", "我对榛子过敏。"])
    assert parts_of(asked) == [asked]
    assert parts_of(request([])) == [request([])]


@given(st.lists(st.sampled_from(["hm", "word " * 90, "今天下雨了，" * 40, "x " * 900]), max_size=80))
def test_every_turn_is_in_one_part_and_no_part_is_too_long(texts: list[str]) -> None:
    asked = request(texts)
    parts = parts_of(asked)
    assert [turn for part in parts for turn in part.turns] == list(asked.turns)
    assert all(part.summary == asked.summary and part.cast.character == "Mira" for part in parts)
    longest = max((estimate_tokens(text) for text in texts), default=0) + 12
    for part in parts:
        size = sum(estimate_tokens(turn.text) + 12 for turn in part.turns)
        assert size <= PART_TOKENS * (1 + 2 * SLACK) + 2 * longest
        assert part.turns or len(parts) == 1
    for before, part in pairwise(parts):
        assert part.context == before.turns[-OVERLAP:] or part.context[-len(before.turns) :] == before.turns


def test_a_slice_ends_where_the_talk_turns_to_something_else() -> None:
    turns = [Turn(seq, Role.USER, "Ann", "word " * 60, seq, boundary=seq == 20) for seq in range(1, 51)]
    parts = parts_of(SplitRequest(Summary(""), tuple(turns)))
    assert 20 in {part.turns[0].seq for part in parts[1:]}
    even = parts_of(SplitRequest(Summary(""), tuple(replace(turn, boundary=False) for turn in turns)))
    assert len(even) == len(parts)


def test_labels_are_counted_through() -> None:
    def draft(label: str) -> NoteDraft:
        return NoteDraft(label, NoteKind.EPISODIC, label, (), 0)

    assert [each.label for each in joined([[draft("N1"), draft("N2")], [draft("N1")]])] == ["N1", "N2", "N3"]
