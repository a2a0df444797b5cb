"""Cutting a long epoch into requests that a small model can read and answer in full.

Used by `engine` for the splitter alone. A slice ends where the talk turns to something else, if it can; each but the
first is shown the last lines of the one before it, so that "she" and "there" can be understood, and no note is made of
those again. Invariant: every turn is in exactly one slice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from soulmem.core.schema.note_requests import NoteDraft, SplitRequest, Turn
from soulmem.core.text.tokens import estimate_tokens

PART_TOKENS = 1_800
"""Of the talk, a request; with prompt and answer it fits a context of 4,000 tokens."""
OVERLAP = 3  # turns of the slice before
_FRAME_TOKENS = 12  # label, day and speaker of a line
SLACK = 0.25  # of a slice: how far from its even share a change of topic may lie to be its end


def parts_of(request: SplitRequest) -> list[SplitRequest]:
    """The request in slices of about equal length; one where that is enough."""
    sizes = [estimate_tokens(turn.text) + _FRAME_TOKENS for turn in request.turns]
    count = -(-sum(sizes) // PART_TOKENS)
    if count <= 1:
        return [request]
    ends = [*_ends(request.turns, sizes, count), len(request.turns)]
    parts: list[SplitRequest] = []
    for begin, end in pairwise([0, *ends]):
        before = request.turns[max(0, begin - OVERLAP) : begin] if begin else request.context
        parts.append(replace(request, turns=request.turns[begin:end], context=before))
    return parts


def _ends(turns: Sequence[Turn], sizes: Sequence[int], count: int) -> list[int]:
    """Where all slices but the last end: at the turn nearest to an even share, rather where the topic changes there."""
    before = [0, *accumulate(sizes)]
    share = before[-1] / count
    ends: list[int] = []
    for number in range(1, count):
        ideal = share * number
        inside = range((ends[-1] if ends else 0) + 1, len(turns))
        near = [place for place in inside if turns[place].boundary and abs(before[place] - ideal) <= SLACK * share]
        if not (near or inside):
            break
        ends.append(min(near or inside, key=lambda place: abs(before[place] - ideal)))
    return ends


def joined(parts: Sequence[Sequence[NoteDraft]]) -> tuple[NoteDraft, ...]:
    """All drafts under labels of one count."""
    drafts = [draft for part in parts for draft in part]
    return tuple(replace(draft, label=f"N{place}") for place, draft in enumerate(drafts, start=1))
