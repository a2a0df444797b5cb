"""Judging changes that no rule reads: measured on freely worded pairs of both languages, and laws for any text."""

# Cases stand on long lines, as tables.

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes.change_clauses import statement_of
from soulmem.core.changes.change_features import NAMES
from soulmem.core.changes.change_probability import is_likely, pairs
from soulmem.core.changes.change_tone import WEIGHTS, tone_of
from soulmem.core.changes.contradiction import Told, ruled
from soulmem.core.schema.engine_tasks import FactEvent
from spoken_texts import texts

CORPUS = Path(__file__).parents[3] / "corpora" / "changes_free.tsv"
ROWS = [line.split("\t") for line in CORPUS.read_text(encoding="utf-8").splitlines()]
START = 1_772_442_000_000  # a Monday
LATER = START + 9 * DAY_MS


def is_over(old: str, new: str, *, then: str = "Ana", now: str = "Ana") -> bool:
    earlier, later = Told(1, old, then, (START, 1)), Told(2, new, now, (LATER, 2))
    return ruled(later, earlier) in {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


def seems_later(old: str, new: str) -> bool:
    return is_likely(statement_of(new, "Ana", LATER), statement_of(old, "Ana", START), (LATER, START))


def test_the_corpus_is_large_in_both_languages_and_halves() -> None:
    assert len(ROWS) >= 300
    assert len([row for row in ROWS if row[1] == "zh"]) >= 150
    for half in ("train", "test"):
        for label in ("over", "both"):
            assert len([row for row in ROWS if row[0] == half and row[2] == label]) >= 60


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "least"), [("en", 0.15), ("zh", 0.25)])
def test_of_changes_worded_freely_a_good_part_is_known_and_hardly_anything_ends_wrongly(
    language: str, least: float
) -> None:
    rows = [row for row in ROWS if row[0] == "test" and row[1] == language]
    changed = [is_over(old, new) for _, _, label, old, new, _ in rows if label != "both"]
    stayed = [is_over(old, new) for _, _, label, old, new, _ in rows if label == "both"]
    assert sum(changed) >= least * len(changed)
    assert sum(stayed) <= 0.03 * len(stayed)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_more_is_likely_than_is_sure(language: str) -> None:
    rows = [row for row in ROWS if row[0] == "test" and row[1] == language]
    changed = [seems_later(old, new) for _, _, label, old, new, _ in rows if label != "both"]
    stayed = [seems_later(old, new) for _, _, label, old, new, _ in rows if label == "both"]
    assert sum(changed) >= 0.45 * len(changed)
    assert sum(stayed) <= 0.15 * len(stayed)


@every_row([
        ("I cycle to the allotment on Sundays.", "Yes, I cycle to the allotment on Sundays."),  # told again
        ("Lou keeps goats.", "Lou's friend had to sell his goats."),  # of another
        ("I sing in a gospel choir.", "Marta always says 'I'm leaving the gospel choir'."),  # quoted
        ("I play the oboe.", "If my teeth get worse I'll give up the oboe."),  # supposed
        ("I play the oboe.", "Should I give up the oboe?"),  # asked
        ("I swim before breakfast.", "I didn't swim before breakfast today."),  # of today
        ("I have a banjo.", "I've bought a second banjo."),  # beside it
        ("我养了一池锦鲤", "邻居家的锦鲤死光了"),
        ("我在乡下教书", "如果不在乡下教书了，我就去开店"),
        ("我每天练毛笔字", "今天没练毛笔字"),
        ("我有一把二胡", "我又买了一把二胡"),
        ("我每天练毛笔字", "我还要不要练毛笔字了？"),
    ], unpack=True)  # fmt: skip
def test_what_is_of_another_or_of_today_or_not_so_ends_nothing(old: str, new: str) -> None:
    assert not is_over(old, new)


@settings(max_examples=150, deadline=None)
@given(texts, texts)
def test_every_feature_is_finite(new: str, old: str) -> None:
    later, earlier = statement_of(new, "Ana", LATER), statement_of(old, "Ana", START)
    for each in pairs(later, earlier, (LATER, START)):
        assert len(each.features) == len(NAMES) == len(WEIGHTS)
        assert all(math.isfinite(value) and 0 <= value <= 1.01 for value in each.features)


@pytest.mark.parametrize("text", ["我把工作辞了，现在在家", "They moved it to Friday, so not Tuesday now."])
def test_what_surely_is_likely(text: str) -> None:
    assert tone_of(text) > tone_of("我是医生" if text[0] == "我" else "I am a doctor.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "I'm lucky to have my sisters, they keep me going and we laugh a lot, above all at the lake in summer.",
            "Flowers bring joy to my sisters and to me. They remind us to look at small things, and we grew lilies.",
        ),
        (
            "我喜欢和姐妹们去湖边，夏天大家笑个不停，回来还要做一大桌子菜",
            "姐妹们送的花开了，看着心里就亮堂，人啊还是要多看看小东西，日子才过得有滋味，是不是",
        ),
    ],
)
def test_long_talk_that_shares_a_word_with_what_was_told_ends_nothing(old: str, new: str) -> None:
    assert not is_over(old, new)
