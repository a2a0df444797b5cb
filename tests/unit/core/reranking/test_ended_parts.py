"""What holds instead of a part of something stands before it where the question is about that part, and only there."""

from __future__ import annotations

import pytest

from soulmem.core.facts.validity_intervals import Ending
from soulmem.core.reranking.validity_ranking import Asked, Known, arranged
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

OLD, NEW, OTHER = ((ItemKind.NOTE, key) for key in (1, 2, 3))
NOW = 1_000


def hits(old: float | None, new: float | None) -> list[Hit]:
    """The old one first, then another, then what holds instead; `old`, `new`: how surely these answer."""
    told = [(OLD, 0.9, old), (OTHER, 0.5, 0.2), (NEW, 0.1, new)]
    return [Hit(*ref, score, {} if sure is None else {"answers": sure}) for ref, score, sure in told]


def order(found: list[Hit], *, whole: bool, surely: bool = False) -> list[tuple[ItemKind, int]]:
    ending = Ending(NEW[1], "supersede", NOW, NOW, "anew", "they paint on the 28th", whole=whole)
    known = {OLD: Known(0, endings=(ending,), successors=(("anew", NEW),), is_surely_asked=surely)}
    arranged_hits, _ = arranged(found, known, Asked(NOW + 1), admitted=())
    return [(hit.kind, hit.key) for hit in arranged_hits]


@pytest.mark.parametrize(("old", "new"), [(0.5, 0.6), (0.5, 0.4), (None, None), (None, 0.1)])
def test_what_holds_instead_of_the_part_that_is_asked_for_comes_first(old: float | None, new: float | None) -> None:
    found = order(hits(old, new), whole=False)
    assert found.index(NEW) < found.index(OLD)


@pytest.mark.parametrize("new", [0.1, None])
def test_what_says_far_less_is_of_another_part_and_stays_where_it_was(new: float | None) -> None:
    """Of "rent is 105, and they paint on the 28th" the new day of the painter tells nobody the rent."""
    assert order(hits(0.5, new), whole=False) == [OLD, OTHER, NEW]


def test_where_the_question_has_words_of_that_part_alone_it_is_that_part_that_is_asked_for() -> None:
    """Of "I'm seeing someone, his name is Emeka": "am I seeing someone?", and later "we broke up"."""
    found = order(hits(0.5, 0.1), whole=False, surely=True)
    assert found.index(NEW) < found.index(OLD)


def test_what_ended_as_a_whole_stands_behind_whatever_holds_instead() -> None:
    found = order(hits(0.9, 0.1), whole=True)
    assert found.index(NEW) < found.index(OLD)
