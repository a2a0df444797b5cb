"""Reading a text takes time in proportion to its length, whatever it is made of: every step, every kind of text.

Told by the ratio of what two lengths cost in one run, in processor time of the thread; what costs next to nothing at
the greater length proves it by itself. The fast form takes 4 and 16 KiB of a fortieth of the kinds for each step,
another one for the next, and a sixth of the signs amid words; the long one all kinds up to 256 KiB.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable

import pytest

from hostile_texts import KINDS, amid_words, hostile
from reading_steps import STEPS
from slowness import exceeds
from soulmem.core.dates.date_parser import find_dates
from soulmem.core.dates.english_date_words import MONTHS
from soulmem.core.grounding import grounding_gate
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.schema.note_requests import Role, SplitRequest, Summary, Turn
from soulmem.llm.extractive.tasks import split

KIB = 1024
_ALLOWED = 2.5  # times what is in proportion: the first look at a word, and a collection of garbage, fall anywhere
_SPREAD = 40  # kinds of which one is tried on a step in the fast form
_TRIES = 2  # what grew too fast once is looked at again
_FREE_S = 0.06  # at 16 KiB; what costs less is not looked at twice


def _seconds(step: str, text: str) -> float:
    began = time.thread_time()
    STEPS[step](text)
    return time.thread_time() - began


def _beyond(step: str, kind: str, small: int, large: int) -> float | None:
    """How many times more than in proportion the greater length costs, where that is too much."""
    took = _seconds(step, hostile(kind, large))
    if not exceeds(took, _FREE_S * large / (16 * KIB)):
        return None
    for _ in range(1 + _TRIES):
        least = min(_seconds(step, hostile(kind, small) + "a" * each) for each in range(2))
        growth = took / max(least, 1e-4) / (large / small)
        if growth <= _ALLOWED:
            return None
        took = _seconds(step, hostile(kind, large))
    return growth


def test_there_are_enough_of_them() -> None:
    assert len(KINDS) * 4 >= 300, "kinds of text, each in four lengths at least"


@pytest.mark.thorough
@pytest.mark.parametrize("step", STEPS)
def test_cost_grows_no_faster_than_the_text(step: str) -> None:
    STEPS[step]("hello, I live in Oslo. 我住在北京")  # what is made once
    kinds = list(KINDS)[list(STEPS).index(step) % _SPREAD :: _SPREAD]
    grown = {kind: _beyond(step, kind, 4 * KIB, 16 * KIB) for kind in kinds}
    assert not {kind: growth for kind, growth in grown.items() if growth is not None}


_QUESTION = 1_900  # characters, of the 2,000 of a question that are looked at: above, all lengths of one cost the same
_SIGNS = [kind for kind, unit in KINDS.items() if not any(map(str.isalnum, unit))]  # alone no question, never read
_ANSWERED_S = 0.05  # what a pattern that tries the square of so many signs takes many times over
_SIGNS_SPREAD = 1 if os.environ.get("SOULMEM_TORTURE") else 6  # kinds of signs of which one is tried on a step


def _signs_for(step: str) -> list[str]:
    return _SIGNS[list(STEPS).index(step) % _SIGNS_SPREAD :: _SIGNS_SPREAD]


def _costly(step: str, kinds: list[str], characters: int, bound: float) -> dict[str, float]:
    """Kinds amid words that a step takes too long for, twice."""
    took = {}
    for kind in kinds:
        for each in range(2):
            took[kind] = _seconds(step, amid_words(kind, characters - each))
            if not exceeds(took[kind], bound):
                del took[kind]
                break
    return took


@pytest.mark.thorough
@pytest.mark.parametrize("step", [step for step in STEPS if step.startswith("recall")])
def test_a_question_of_signs_is_read_at_once(step: str) -> None:
    STEPS[step]("hello, I live in Oslo. 我住在北京")
    assert len(_SIGNS) > 20
    assert not _costly(step, _signs_for(step), _QUESTION, _ANSWERED_S)


_NOTED = 12_000  # characters of signs or digits within a message or a note, of which all is read
_NOTED_S = 0.3


@pytest.mark.thorough
@pytest.mark.parametrize("step", [step for step in STEPS if not step.startswith("recall")])
def test_signs_and_digits_amid_words_are_read_at_once(step: str) -> None:
    """Behind a word, signs are not stripped at once; a pattern that ends with the text is tried from each of them."""
    STEPS[step]("hello, I live in Oslo. 我住在北京")
    assert not _costly(step, [*_signs_for(step), "digits"], _NOTED, _NOTED_S)


@pytest.mark.torture
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("step", STEPS)
def test_cost_grows_no_faster_than_the_longest_text(step: str) -> None:
    STEPS[step]("hello, I live in Oslo. 我住在北京")
    for small, large in ((4 * KIB, 16 * KIB), (16 * KIB, 64 * KIB), (64 * KIB, 256 * KIB)):
        grown = {kind: _beyond(step, kind, small, large) for kind in KINDS}
        assert not {kind: growth for kind, growth in grown.items() if growth is not None}


def _took(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def _least(work: Callable[[], object]) -> float:
    return min(_took(work) for _ in range(3))


def _once_within(bound: float, work: Callable[[], object]) -> bool:
    """Whether the least of three times is within the bound; once one is, nobody needs the others."""
    return any(_took(work) <= bound for _ in range(3))


@pytest.mark.parametrize(
    ("told", "listed", "count"),
    [("我三月去了北京。", "三月", 400), ("I went there on Monday. ", "monday ", 165)],
    ids=["zh", "en"],
)  # in one stretch: what a stretch says once more is read once
def test_a_date_of_a_list_costs_no_more_than_one_that_is_told(told: str, listed: str, count: int) -> None:
    """What stands about a date is read for each; of a list, once: else a message of months takes a minute."""
    bound = 1.5 * _least(lambda: find_dates(told * count, 0))
    assert _once_within(bound, lambda: find_dates(listed * count, 0))


@pytest.mark.thorough
def test_what_a_long_message_says_over_and_over_is_read_once() -> None:
    once = _least(lambda: find_dates("三月" * 1_000, 0))
    assert _once_within(10 * once, lambda: find_dates("三月" * 20_000, 0)), "twenty times as long"


def _gate(count: int) -> Callable[[], object]:
    """What judges the notes of so many sentences, each of another day."""
    any_of = random.Random(1)
    days = ((any_of.randint(1, 28), any_of.choice(MONTHS), any_of.randint(1950, 2026)) for _ in range(count))
    text = "".join(f"On {day} {month} {year} I painted boat {n}. " for n, (day, month, year) in enumerate(days))
    turn = Turn(1, Role.USER, "Ann", text, 1_772_000_000_000)
    drafts = split.split(SplitRequest(summary=Summary(""), turns=(turn,)))
    return lambda: grounding_gate.judge(drafts, Grounds((Ground(turn),)))


@pytest.mark.thorough
def test_notes_of_one_message_are_held_against_all_its_days_in_time() -> None:
    _gate(10)()  # what is made once
    assert _once_within(6 * _ALLOWED * _least(_gate(20)), _gate(120))
