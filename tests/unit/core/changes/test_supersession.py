"""What one thing that was said makes of another: pairs of chat in both languages, and laws that hold for any."""

# Cases stand on long lines, as tables.

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes.contradiction import Told, ruled
from soulmem.core.changes.supersession import findings
from soulmem.core.facts.fact_reader import LOOKED_AT, MOST, readings_of
from soulmem.core.facts.relations import Mode, Reading, alike, attribute, is_one
from soulmem.core.schema.engine_tasks import FactEvent
from spoken_texts import texts

CORPUS = Path(__file__).parents[3] / "corpora" / "currency.tsv"
PAIRS = [line.split("\t") for line in CORPUS.read_text(encoding="utf-8").splitlines()]
START = 1_772_442_000_000  # a Monday
SPEAKERS = ("Ana", "陈默", "user", "Maria del Mar")


def ended(new: str, old: str, speaker: str = "Ana") -> bool:
    """Whether a note ends one that was told nine days before, by its relations or by the form of what it says."""
    earlier, later = Told(1, old, speaker, (START, 1)), Told(2, new, speaker, (START + 9 * DAY_MS, 2))
    return ruled(later, earlier) in {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


def test_the_corpus_is_large_and_in_both_languages() -> None:
    chinese = [pair for pair in PAIRS if not pair[1].isascii() and any(char >= "\u4e00" for char in pair[1])]
    assert len(PAIRS) >= 700
    assert min(len(chinese), len(PAIRS) - len(chinese)) >= 300
    known = sum(verdict == "over" for verdict, _, _ in PAIRS)
    assert known >= 0.8 * sum(verdict != "both" for verdict, _, _ in PAIRS)
    assert {verdict for verdict, _, _ in PAIRS} == {"over", "both", "missed"}


# `missed` is what is over and what no rule knows yet: a row that is known becomes `over`.
@every_row(PAIRS, unpack=True)
def test_what_changed_ends_what_was(verdict: str, old: str, new: str) -> None:
    assert ended(new, old) is (verdict == "over"), [readings_of(text, "Ana") for text in (old, new)]


@pytest.mark.parametrize("speaker", SPEAKERS)
def test_whoever_says_it(speaker: str) -> None:
    assert ended("I moved to Ghent", "I live in Utrecht", speaker)
    assert ended("我搬到苏州了", "我住在南京", speaker)
    named = speaker if speaker != "user" else "The user"
    assert ended(f"{named} moved to Ghent.", f"{named} lives in Utrecht (2 March 2026)", speaker)


def test_the_same_is_read_of_a_note_as_of_what_was_said() -> None:
    for said, noted, speaker in (
        ("I moved to Lisbon last week!", "Tom moved to Lisbon last week (the week of 2 March 2026)!", "Tom"),
        ("My boyfriend is called Joost.", "Tom (2 March 2026): My boyfriend is called Joost.", "Tom"),
        ("我在花店工作", "小鹿在花店工作（2026年3月2日）。", "小鹿"),
        ("我和阿哲分手了", "小鹿：我和阿哲分手了", "小鹿"),
        ("Where I live? Lisbon.", 'Tom, asked "Where do you live?": Lisbon.', "Tom"),
    ):
        one, other = readings_of(said, speaker), readings_of(noted, speaker)
        assert [(r.subject, r.relation, r.object) for r in one] == [(r.subject, r.relation, r.object) for r in other]


@every_row([
     "Do you live in Rome?", "I wish I lived in Rome", "if I moved to Rome", "I might move to Rome", "你住在罗马吗？",
     "要是我住在罗马就好了", "我想搬到罗马", "She lives in Rome", "", "…", "？", "1234"])  # fmt: skip
def test_what_is_asked_or_wished_or_of_nobody_known_is_not_read(text: str) -> None:
    assert not [each for each in readings_of(text, "Ana") if each.relation == "home"]


def test_what_people_have_several_of_adds_up() -> None:
    assert not is_one(attribute("sister"))
    assert not is_one(attribute("best friend"))
    assert is_one(attribute("gym"))
    assert attribute("mobile number") == attribute("手机号") == "of:phone"
    assert attribute("girlfriend") == attribute("老公") == "partner"


def test_new_york_is_not_york() -> None:
    def home(place: str) -> Reading:
        return Reading("ana", "home", place, Mode.HOLDS)

    assert not alike(home("new york"), home("york"))
    assert alike(home("denver"), home("denver colorado"))


@settings(deadline=None)
@given(texts, st.sampled_from(SPEAKERS))
def test_any_text_is_read_the_same_again(text: str, speaker: str) -> None:
    found = readings_of(text, speaker)
    assert len(found) <= MOST
    assert found == readings_of(text, speaker)
    assert all(each.subject and each.relation for each in found)


@settings(deadline=None)
@given(texts, texts)
def test_nothing_is_found_twice_and_nothing_that_was_not_said(new: str, old: str) -> None:
    said, known = readings_of(new, "Ana"), readings_of(old, "Ana")
    found = findings(said, known)
    assert len({each.old for each in found}) == len(found)
    assert all(each.new in said and each.old in known for each in found)


def test_walls_of_text_are_read_to_their_bound() -> None:
    for wall in (
        "I live in Rome and " * 20_000,
        "我住在罗马，" * 50_000,
        "a" * 200_000,
        "我的" * 100_000,
        "not " * 50_000,
    ):
        assert len(readings_of(wall, "Ana")) <= MOST
    assert LOOKED_AT <= 2_000
