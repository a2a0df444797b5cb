"""Cutting a long epoch into requests that a small model can read and answer in full.

Used by `engine` for the splitter alone: its answer is bounded (ALGORITHMS §6.3, twelve notes), so a long talk put at
once would be remembered in twelve notes, and one longer than the model's context not even read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from soulmem.core.drafts import NoteDraft, SplitRequest, Turn
from soulmem.core.tokens import estimate_tokens

PART_TOKENS = 2_000
"""Of the talk, a request; with prompt and answer it fits a context of 8,000 tokens, and mostly one of 4,000."""
_FRAME_TOKENS = 12  # label, time and speaker of a line


def parts_of(request: SplitRequest) -> list[SplitRequest]:
    """The request in parts of about equal length, each with the whole summary; one where that is enough."""
    sizes = [estimate_tokens(turn.text) + _FRAME_TOKENS for turn in request.turns]
    count = -(-sum(sizes) // PART_TOKENS)
    if count <= 1:
        return [request]
    return [replace(request, turns=tuple(turns)) for turns in _cut(request.turns, sizes, sum(sizes) / count)]


def _cut(turns: Sequence[Turn], sizes: Sequence[int], share: float) -> Iterator[list[Turn]]:
    part: list[Turn] = []
    filled, wanted = 0, share
    for turn, size in zip(turns, sizes, strict=True):
        if part and filled + size / 2 > wanted:
            yield part
            part, wanted = [], wanted + share
        part.append(turn)
        filled += size
    if part:
        yield part


def joined(parts: Sequence[Sequence[NoteDraft]]) -> tuple[NoteDraft, ...]:
    """All drafts under labels of one count."""
    drafts = [draft for part in parts for draft in part]
    return tuple(replace(draft, label=f"N{place}") for place, draft in enumerate(drafts, start=1))
