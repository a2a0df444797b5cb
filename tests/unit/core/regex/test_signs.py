"""A pattern is left out only where it cannot match: whatever it matches has the signs that stand beside it."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from every_row import every_row
from pattern_pumps import said_by
from soulmem.core.dates import chinese_dates, english_dates
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.regex_prefilter import DIGIT, Needs, may_hold, needs_of, signs_of, words_of
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.core.schema.note_topics import Topic
from soulmem.llm.extractive.facts import chinese_self_facts, english_self_facts
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.lexicon import Openings
from soulmem.llm.extractive.reading.statements import statements_of

Row = tuple[re.Pattern[str], Callable[[str], bool]]  # a pattern, and whether it is looked for in a text

_TEXTS, _TRIES = 12, 200  # that match each pattern and are made at random, and how many are made for them
_PLACES = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
_AROUND = ["", " ", "so ", "Well, ", "x", "9", "(", "每", "-", "’"]
_CASES: list[Callable[[str], str]] = [str, str.upper, str.title, lambda text: text.replace("s", "ſ")]


def _by_words(pattern: re.Pattern[str], needs: Needs) -> Row:
    return pattern, lambda text: may_hold(signs_of(text), needs)


def _by_characters(pattern: re.Pattern[str], needs: Needs) -> Row:
    return pattern, lambda text: may_hold(frozenset(text), needs)


def _by_topic(place: int, topic: Topic, pattern: re.Pattern[str]) -> Row:
    def opens(text: str) -> bool:
        assert ENGLISH.openings is not None
        return place in ENGLISH.openings.possible(text) and topic in ENGLISH.topics_of(text)

    return pattern, opens


_KINDS: dict[str, list[Row]] = {
    "English date": [_by_words(rule[0].compiled(), rule[1]) for rule in english_dates.RULES],
    "English fact": [_by_words(row[0].compiled(), row[1]) for row in english_self_facts.PATTERNS],
    "Chinese date": [_by_characters(rule[0].compiled(), rule[1]) for rule in chinese_dates.RULES],
    "Chinese fact": [
        (row[0].compiled(), lambda text: chinese_self_facts.SELF in text) for row in chinese_self_facts.PATTERNS
    ],
    "topic": [_by_topic(place, topic, each.compiled()) for place, (topic, each) in enumerate(ENGLISH.topics)],
}
_ROWS = [(kind, at) for kind, rows in _KINDS.items() for at in range(len(rows))]


def _is_looked_for(row: Row, data: st.DataObject) -> bool:
    """In a text in which the pattern matches, in upper case at times; what stands around may prevent that it does."""
    pattern, may_match = row
    told = data.draw(st.sampled_from(_CASES))(data.draw(st.from_regex(pattern)))
    text = data.draw(st.sampled_from(_AROUND)) + told + data.draw(st.sampled_from(_AROUND))
    return pattern.search(text) is None or may_match(text)


def test_letters_beyond_ascii_that_match_those_of_ascii_have_their_sign() -> None:
    beyond = "".join(map(chr, range(128, 0x110000)))
    alike = re.findall("[a-z]", beyond, re.IGNORECASE)
    assert alike == ["İ", "ı", "ſ", "\u212a"]
    for char in alike:
        (plain,) = (letter for letter in "iks" if re.match(letter, char, re.IGNORECASE))
        assert signs_of(char) == {plain}
        assert words_of(f"{char}x") == (f"{plain}x",)


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_signs_are_the_beginnings_of_all_words(text: str) -> None:
    words = words_of(text)
    assert {word[:3] for word in words} == signs_of(text) - ({DIGIT} - {word[:3] for word in words})
    assert (DIGIT in signs_of(text)) == (re.search(r"\d", text) is not None)
    assert len(words) == len(re.findall(r"\w+", text))
    assert signs_of(text * 200) >= signs_of(text) - ({words[-1][:3], words[0][:3]} if words else set())


def test_of_each_group_one_is_needed() -> None:
    needs = needs_of("last|next week|month")
    assert may_hold(signs_of("I was away the LAST two months."), needs)
    assert not may_hold(signs_of("I was away for two months."), needs)
    assert not may_hold(signs_of("At last!"), needs)


@pytest.mark.parametrize("kind", _KINDS)
@given(data=st.data())
@_PLACES
def test_whatever_a_pattern_matches_has_its_signs(kind: str, data: st.DataObject) -> None:
    """Some of the patterns, on texts that are looked for until one breaks it."""
    assert _is_looked_for(data.draw(st.sampled_from(_KINDS[kind])), data)


@pytest.mark.torture
@pytest.mark.parametrize(("kind", "at"), _ROWS)
@given(data=st.data())
@_PLACES
def test_whatever_each_pattern_matches_has_its_signs(kind: str, at: int, data: st.DataObject) -> None:
    assert _is_looked_for(_KINDS[kind][at], data)


def test_texts_that_are_made_for_each_pattern_have_its_signs() -> None:
    missed, shown = [], 0
    for kind, at in _ROWS:
        pattern, may_match = _KINDS[kind][at]
        chance = random.Random(at)
        texts = (_amid(pattern, chance) for _ in range(_TRIES))
        matching = list(itertools.islice(filter(pattern.search, texts), _TEXTS))
        shown += bool(matching)
        missed += [(kind, at, text) for text in matching if not may_match(text)]
    assert not missed
    assert shown > 0.95 * len(_ROWS), "what a pattern looks at beside itself is not made, and few need it"


def _amid(pattern: re.Pattern[str], chance: random.Random) -> str:
    told = chance.choice(_CASES)(said_by(pattern, chance))
    return chance.choice(_AROUND) + told + chance.choice(_AROUND)


@every_row([
        ("a roadtrip", Topic.TRAVEL), ("It was US$20.", Topic.MONEY), ("Feelings... I felt it", Topic.FEELING),
        ("i’ll come", Topic.PLAN), ("NEIGHBORS", Topic.HOME), ("dogs", Topic.PET),
    ], unpack=True)  # fmt: skip
def test_topics_whose_words_begin_in_several_ways(text: str, topic: Topic) -> None:
    assert topic in ENGLISH.topics_of(text)


@pytest.mark.parametrize("alternatives", ["work|(?:un)?paid", "work|[ab]c", r"work|\w+ing"])
def test_a_list_that_begins_anyhow_is_refused(alternatives: str) -> None:
    with pytest.raises(ValueError, match="how does it begin"):
        Openings([alternatives])


def test_a_sentence_without_any_of_its_words_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes a roll cheap: not one of all these patterns is looked for where none of their words stands."""
    searched: list[str] = []

    class Listening:
        def __init__(self, pattern: Any) -> None:
            self.pattern = pattern

        def finditer(self, text: str, *bounds: int) -> Any:
            searched.append(text)
            return self.pattern.finditer(text, *bounds)

    rules = tuple((Listening(pattern), *rest) for pattern, *rest in english_dates.RULES)
    facts = tuple((Listening(pattern), *rest) for pattern, *rest in english_self_facts.PATTERNS)
    monkeypatch.setattr(english_dates, "RULES", rules)
    monkeypatch.setattr(english_self_facts, "PATTERNS", facts)
    plain, dated = "The old piano stood near a window by a wooden door.", "I live in Denver since last week."
    statements_of((Turn(1, Role.USER, "Ann", plain, 0),))
    assert searched == []
    statements_of((Turn(1, Role.USER, "Ann", dated, 0),))
    assert dated in searched
    assert find_dates(dated, 0)
