"""A pattern is left out only where it cannot match: whatever it matches has the signs that stand beside it."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.dates import chinese_dates, english_dates
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.regex.regex_prefilter import DIGIT, may_hold, needs_of, signs_of, words_of
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.llm.extractive.facts import chinese_self_facts, english_self_facts
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.lexicon import Openings
from soulmem.llm.extractive.language.life_topics import Topic
from soulmem.llm.extractive.reading.statements import statements_of

_LONG = bool(os.environ.get("SOULMEM_TORTURE"))
_QUICK = settings(max_examples=60 if _LONG else 8, deadline=None, suppress_health_check=list(HealthCheck))
_AROUND = st.sampled_from(["", " ", "so ", "Well, ", "x", "9", "(", "每", "-", "’"])
_BETWEEN_THOUGHTS = 5  # one pattern of so many is tried in `make quick`, all of them in the longer rings


def _rows(rows: list[tuple[Any, ...]]) -> list[Any]:
    thorough = [pytest.mark.thorough]
    return [
        pytest.param(*row, id=str(at), marks=thorough if at % _BETWEEN_THOUGHTS else []) for at, row in enumerate(rows)
    ]


_FACTS = _rows([(row[0].compiled(), row[1]) for row in english_self_facts.PATTERNS])
_ENGLISH_DATES = _rows([(rule[0].compiled(), rule[1]) for rule in english_dates.RULES])
_CHINESE_DATES = _rows([(rule[0].compiled(), rule[1]) for rule in chinese_dates.RULES])


def _matching(data: st.DataObject, pattern: re.Pattern[str]) -> str | None:
    """A text in which the pattern matches, in upper case at times; None where what stands around prevents it."""
    case = data.draw(st.sampled_from([str, str.upper, str.title, lambda text: text.replace("s", "ſ")]))
    told = case(data.draw(st.from_regex(pattern)))
    text = data.draw(_AROUND) + told + data.draw(_AROUND)
    return text if pattern.search(text) else None


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


@pytest.mark.parametrize(("pattern", "needs"), _ENGLISH_DATES)
@given(data=st.data())
@_QUICK
def test_whatever_an_english_date_matches_has_its_signs(pattern: Any, needs: Any, data: st.DataObject) -> None:
    text = _matching(data, pattern)
    assert text is None or may_hold(signs_of(text), needs)


@pytest.mark.parametrize(("pattern", "needs"), _FACTS)
@given(data=st.data())
@_QUICK
def test_whatever_an_english_fact_is_told_in_has_its_signs(pattern: Any, needs: Any, data: st.DataObject) -> None:
    text = _matching(data, pattern)
    assert text is None or may_hold(signs_of(text), needs)


@pytest.mark.parametrize(("pattern", "needs"), _CHINESE_DATES)
@given(data=st.data())
@_QUICK
def test_whatever_a_chinese_date_matches_has_its_characters(pattern: Any, needs: Any, data: st.DataObject) -> None:
    text = _matching(data, pattern)
    assert text is None or may_hold(frozenset(text), needs)


@pytest.mark.parametrize("pattern", _rows([(row[0].compiled(),) for row in chinese_self_facts.PATTERNS]))
@given(data=st.data())
@_QUICK
def test_whatever_a_chinese_fact_is_told_in_has_the_word_for_oneself(pattern: Any, data: st.DataObject) -> None:
    text = _matching(data, pattern)
    assert text is None or chinese_self_facts.SELF in text


@pytest.mark.parametrize("place", _rows([(place,) for place in range(len(ENGLISH.topics))]))
@given(data=st.data())
@settings(max_examples=60 if _LONG else 20, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_touches_a_topic_opens_its_list(place: int, data: st.DataObject) -> None:
    assert ENGLISH.openings is not None
    topic, pattern = ENGLISH.topics[place]
    text = _matching(data, pattern.compiled())
    assert text is None or (place in ENGLISH.openings.possible(text) and topic in ENGLISH.topics_of(text))


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
