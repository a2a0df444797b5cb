"""Faded notes without a model: whatever is asked, nothing is made up and nothing is changed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.schema.detail_tasks import MaskedNote, ReconstructRequest, Segment, SegmentState
from soulmem.llm.extractive import ExtractiveEngine
from spoken_texts import texts

NOTES = [
    (Segment(1, SegmentState.BLANK, length=12),),
    (Segment(1, SegmentState.BLUR, gist="an outing", length=20), Segment(2, SegmentState.CLEAR, "black cat", length=9)),
    (Segment(1, SegmentState.BLUR, gist="某个地方", length=4), Segment(2, SegmentState.CLEAR, "黑猫", length=2)),
    (),
]


@pytest.mark.parametrize("segments", NOTES)
async def test_nothing_is_made_up(segments: tuple[Segment, ...]) -> None:
    request = ReconstructRequest((MaskedNote("N1", segments),), persona="A poet", mood="calm", language="zh")
    assert await ExtractiveEngine().reconstruct(request) == ()


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SegmentState), texts, texts), max_size=5), texts)
async def test_whatever_is_asked(rows: list[tuple[SegmentState, str, str]], persona: str) -> None:
    segments = tuple(Segment(i, state, text, gist, len(text)) for i, (state, text, gist) in enumerate(rows, 1))
    assert await ExtractiveEngine().reconstruct(ReconstructRequest((MaskedNote("N1", segments),), persona)) == ()
