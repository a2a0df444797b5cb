"""Moves to come: a move that is still to come leaves somebody where they are."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.reranking.moves_to_come import lies_ahead

TOLD = parse_iso("2026-11-06T09:00:00Z")


@every_row(
    [
        # (told on 6 November, asked on, whether it is still to come)
        ("Dylan's moving to Auckland with Aroha in the new year.", "2026-11-20T09:00:00Z", True),
        ("Dylan's moving to Auckland with Aroha in January.", "2027-03-01T09:00:00Z", False),
        ("I'm going to move to Leeds.", "2026-11-10T09:00:00Z", True),
        ("I'm going to move to Leeds.", "2027-02-10T09:00:00Z", False),
        ("I've moved to Leeds.", "2026-11-10T09:00:00Z", False),
        ("I live in Leeds.", "2026-11-10T09:00:00Z", False),
        ("My brother flies kites in Leeds.", "2026-11-10T09:00:00Z", False),
        ("谭鑫过完年要跟小芸去长沙。", "2026-11-20T09:00:00Z", True),
        ("谭鑫下个月要去长沙。", "2027-03-01T09:00:00Z", False),
        ("谭鑫打算搬到长沙。", "2026-11-20T09:00:00Z", True),
        ("谭鑫搬到长沙去了。", "2026-11-20T09:00:00Z", False),
        ("谭鑫在长沙上班。", "2026-11-20T09:00:00Z", False),
    ],
    unpack=True,
)
def test_until_the_day_comes_a_move_is_still_to_come(text: str, asked: str, is_to_come: bool) -> None:
    assert lies_ahead(text, TOLD, parse_iso(asked)) is is_to_come
