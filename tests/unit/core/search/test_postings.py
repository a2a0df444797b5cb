"""Postings: appended, loaded, merged or rebuilt, they list the same rows."""

from __future__ import annotations

import random

import numpy as np
import pytest

from held_memory import held_bytes
from soulmem.core.search import postings
from soulmem.core.search.postings import Postings


def listed(held: Postings, terms: range) -> dict[int, list[int]]:
    return {term: held.rows(term).tolist() for term in terms if len(held.rows(term))}


@pytest.mark.parametrize("seed", range(8))
def test_whatever_came_in_between_the_rows_of_a_term_are_its_occurrences(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "_MERGED", 60)  # so that blocks stay apart
    monkeypatch.setattr(postings, "_NOTED", 9)
    chance = random.Random(seed)
    held = Postings()
    truth: dict[int, list[int]] = {}
    row = 0
    terms = range(25)
    for _ in range(400):
        drawn = chance.random()
        if drawn < 0.8:
            row += chance.randint(1, 2)
            said = [chance.choice(terms) for _ in range(chance.randint(0, 6))]
            held.append(row, np.array(said, dtype=np.uint32))
            for term in said:
                truth.setdefault(term, []).append(row)
        elif drawn < 0.85:
            rows = np.arange(row + 1, row + 5, dtype=np.int32)
            held.extend(rows, np.full(4, 7, dtype=np.uint32))
            truth.setdefault(7, []).extend(rows.tolist())
            row += 4
        elif drawn < 0.88:
            gone = chance.randint(1, max(1, row))
            new_row = np.arange(row + 1, dtype=np.int32)
            new_row[gone] = 0
            held.rebuild(new_row)
            truth = {term: kept for term, rows in truth.items() if (kept := [r for r in rows if r != gone])}
        elif drawn < 0.9:
            found_rows, found_terms = held.pairs()
            pairs = sorted(zip(found_terms.tolist(), found_rows.tolist(), strict=True))
            assert pairs == sorted((term, r) for term, rows in truth.items() for r in rows)
        else:
            assert listed(held, terms) == {term: truth[term] for term in terms if term in truth}
    assert listed(held, terms) == {term: truth[term] for term in terms if term in truth}


def test_blocks_stay_few_and_appending_waits_for_a_question() -> None:
    held = Postings()
    for row in range(1, 5001):
        held.append(row, np.array([row % 50, 3], dtype=np.uint32))
        if row % 7 == 0:
            held.rows(3)
    assert len(held._blocks) <= 14
    assert held.rows(3).tolist() == sorted([*range(1, 5001), *range(3, 5001, 50)])
    assert held.rows(99).tolist() == []
    assert 0 < held_bytes(held) < 40 * 10_000
