"""What was on the mind together, and how much: from the records of recalls to the links among hot notes."""

from __future__ import annotations

import pytest

from soulmem.core.linking.hebbian_linking import hot_links
from soulmem.core.linking.recall_frequency import HotNote
from soulmem.core.search.score_calibration import scores
from soulmem.idle.steps.link_step import activity_of
from soulmem.store.recalls.recall_records import NoteHit


def hit(note: int, turn: int, share: float, *, used: bool = False) -> NoteHit:
    """A note that came up with this share of the best rank score, in a recall that was fairly sure."""
    return NoteHit(note, turn, turn * 20_000, scores([1.0, share], [1.0])[1], used)


def test_what_came_up_counts_by_how_strongly_and_what_was_used_in_full() -> None:
    hits = [hit(1, 1, 1.0), hit(2, 1, 0.25), hit(3, 1, 0.25, used=True), hit(1, 2, 0.3), hit(1, 2, 0.4), hit(4, 3, 0.0)]
    assert activity_of(hits) == {
        "n1": {1: 0.5, 2: 0.5},
        "n2": {1: pytest.approx(0.125, abs=1e-5)},
        "n3": {1: 1.0},
        "n4": {3: 0.5},
    }
    assert activity_of([]) == {}


def test_what_came_up_faintly_beside_each_does_not_take_the_links_of_two_that_were_on_the_mind() -> None:
    """Notes 1 and 2, then small talk, three times; three others that sound a little like each come with it."""
    hits = []
    for turn, spoken in ((1, 1), (2, 2), (4, 1), (5, 2), (7, 1), (8, 2)):
        hits.append(hit(spoken, turn, 1.0))
        hits += [hit(10 * spoken + like, turn, 0.5) for like in range(3)]
    notes = [HotNote(f"n{each}", 3, 0.03) for each in (1, 2, 10, 11, 12, 20, 21, 22)]
    links = hot_links(notes, activity_of(hits))
    assert ("n1", "n2") in [(link.key.src, link.key.dst) for link in links]
    strongest = max(links, key=lambda link: link.a0)
    assert (strongest.key.src, strongest.key.dst) == ("n1", "n2")
