"""No pattern holds the interpreter for long: said by every pattern the daemon holds, at the texts that suit it worst.

`re` tries every way to divide a text that repeats what a pattern repeats, and holds the interpreter meanwhile. Each
pattern is asked as the daemon asks it, at the begin of a text or all through it, and about as long a text as it is ever
given: most read a sentence, of which none has more than 320 characters (`sentence_splitter`), some a question, some the
stretches of a message. There it takes less than 20 ms, and what takes more than a trifle grows no faster than the text.
"""

from __future__ import annotations

import importlib
import os
import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import soulmem
from hostile_texts import KINDS, amid_words, hostile
from loop_watch import processor_slowness
from pattern_pumps import held_patterns, patterns_in_use, pumped, pumps
from reading_steps import STEPS
from slowness import within
from soulmem.core.regex.lazy_regex import LazyPattern

# How many characters are given to a pattern at the most; a clause without a subject is given one. A message or note
# that is given whole may have 256 KiB: what keeps its pace over `_WHOLE` keeps it beyond.
_SENTENCE, _CLAUSE, _QUESTION, _MESSAGE, _WHOLE = 320, 330, 2_300, 6_100, 16_400
_GIVEN = {
    "soulmem.core.names.english_name_usage._OPENS": 6,  # what stands right before a word
    # where more than a sentence is; `test_no_pattern_is_given_more` looks whether that is so
    "soulmem.core.changes.change_clauses._ASIDE": _QUESTION,
    "soulmem.core.changes.life_changes.": _QUESTION,
    "soulmem.core.dates.adjacent_dates.": _MESSAGE,
    "soulmem.core.dates.chinese_composed_dates.": _MESSAGE,
    "soulmem.core.dates.chinese_dates.": _MESSAGE,
    "soulmem.core.dates.date_parser.": _MESSAGE,
    "soulmem.core.dates.english_date_meaning._OF_THE_DAY": _MESSAGE,
    "soulmem.core.dates.english_dates.": _MESSAGE,
    "soulmem.core.dates.following_days.": _MESSAGE,
    "soulmem.core.details.gists.": _WHOLE,
    "soulmem.core.facts.chinese_fact_patterns.": _QUESTION,
    "soulmem.core.facts.clause_reader.": _QUESTION,
    "soulmem.core.facts.english_fact_patterns.": _QUESTION,
    "soulmem.core.facts.fact_reader.": _QUESTION,
    "soulmem.core.facts.topic_terms.": _MESSAGE,
    "soulmem.core.grounding.date_grounding.": _MESSAGE,
    "soulmem.core.grounding.grounding_gate.": _QUESTION,
    "soulmem.core.grounding.injected_instructions.": _MESSAGE,
    "soulmem.core.grounding.name_grounding.": _WHOLE,
    "soulmem.core.grounding.number_grounding.": _MESSAGE,
    "soulmem.core.grounding.overlap_checks.": _WHOLE,
    "soulmem.core.grounding.small_talk.": _MESSAGE,
    "soulmem.core.importance.sentence_signs.": _QUESTION,
    "soulmem.core.importance.importance_rating.": _QUESTION,
    "soulmem.core.names.chinese_name_claims.": _QUESTION,
    "soulmem.core.names.chinese_names.": _WHOLE,
    "soulmem.core.names.english_name_usage.": _MESSAGE,
    "soulmem.core.names.name_recogniser.": _WHOLE,
    "soulmem.core.names.place_names.": _MESSAGE,
    "soulmem.core.numbers.amount_parser.": _MESSAGE,
    "soulmem.core.numbers.chinese_amounts.": _MESSAGE,
    "soulmem.core.numbers.english_amounts.": _MESSAGE,
    "soulmem.core.numbers.rough_numbers.": _MESSAGE,
    "soulmem.core.questions.advice_questions.": _QUESTION,
    "soulmem.core.questions.list_questions.": _QUESTION,
    "soulmem.core.names.other_script.": _QUESTION,
    "soulmem.core.profiles.": _QUESTION,
    "soulmem.core.questions.question_concepts.": _MESSAGE,
    "soulmem.core.questions.question_detection.": _QUESTION,
    "soulmem.core.questions.question_detection._FINITE": _SENTENCE,
    "soulmem.core.questions.question_detection._ASKS_WITHIN": _SENTENCE,
    "soulmem.core.questions.question_detection._NO_STATEMENT": _SENTENCE,
    "soulmem.core.questions.question_detection._STATES_ZH": _SENTENCE,
    "soulmem.core.questions.asked.asked_stretches.": _QUESTION,
    "soulmem.core.questions.time_questions.": _QUESTION,
    "soulmem.core.text.shingles.": _WHOLE,
    "soulmem.core.reflection.": _QUESTION,
    "soulmem.core.reranking.reflection_ranking.": _QUESTION,
    "soulmem.core.regex.caseless_classes.": _MESSAGE,  # our own patterns
    "soulmem.core.regex.regex_prefilter.": _WHOLE,
    "soulmem.core.search.relevance_scoring.": _QUESTION,
    "soulmem.core.tense.": 600,
    "soulmem.core.tense.verb_tense.": _MESSAGE,
    "soulmem.core.text.prompt_lines.": _QUESTION,
    "soulmem.core.text.tokens.": _WHOLE,
    "soulmem.llm.extractive.details.detail_finding.ENGLISH[": _QUESTION,  # the lexicon
    "soulmem.llm.extractive.details.detail_finding.ENGLISH[0]": _SENTENCE,  # its small talk
    "soulmem.llm.extractive.details.detail_finding.ENGLISH[1]": _CLAUSE,  # what its sentences open with
    "soulmem.llm.extractive.details.detail_kinds.": _MESSAGE,
    "soulmem.llm.extractive.facts.chinese_self_facts.PATTERNS": _CLAUSE,
    "soulmem.core.questions.query_cues.": _QUESTION,
    "soulmem.llm.extractive.facts.claims.": _QUESTION,
    "soulmem.llm.extractive.facts.english_self_facts.PATTERNS": _CLAUSE,
    "soulmem.llm.extractive.language.chinese_lexicon.": _QUESTION,
    "soulmem.llm.extractive.language.chinese_lexicon._PATTERNS[0]": _SENTENCE,
    "soulmem.llm.extractive.language.chinese_lexicon._PATTERNS[1]": _CLAUSE,
    "soulmem.llm.extractive.details.detail_finding.": _MESSAGE,
    "soulmem.llm.extractive.details.detail_titles.": _MESSAGE,
    "soulmem.llm.extractive.language.content_words.": _WHOLE,
    "soulmem.llm.extractive.language.asker_concern.": _QUESTION,
    "soulmem.llm.extractive.language.sentence_splitter.": _MESSAGE,
    "soulmem.llm.extractive.tasks.analyse_query.": _QUESTION,
    "soulmem.llm.extractive.tasks.account._ENDS": _WHOLE,
    "soulmem.llm.extractive.tasks.feedback.": _QUESTION,
    "soulmem.llm.extractive.tasks.judge.": _QUESTION,
    "soulmem.llm.extractive.tasks.link.": _WHOLE,
    "soulmem.llm.extractive.tasks.misremember.": _MESSAGE,
    "soulmem.llm.extractive.tasks.rate_importance.": _QUESTION,
    "soulmem.llm.extractive.wording.comparable_wording.": _QUESTION,
    "soulmem.llm.extractive.wording.standalone_sentences.": _QUESTION,
}
_LENGTH = 160  # characters at which one that is worse than the square is noticed
_BOUND_S = 0.02
_TRIFLE_S = 0.01  # what costs less at its full length may grow as it likes
_GROWTH = 3.0  # times, for twice the length; the square takes four
_PATIENCE_S = 1.0
_SURELY = 8  # times that it is measured before it is said to break the rule
_LONG = bool(os.environ.get("SOULMEM_TORTURE"))
_MOST_PUMPS = 20
_PUMPS = _MOST_PUMPS if _LONG else 2  # texts for each pattern that reads no more than a sentence
_METHODS = {"match", "fullmatch", "search", "finditer", "findall", "split", "sub"}
_AT_THE_BEGIN = {"match", "fullmatch"}
_ASKS = rf"\s*\.({'|'.join(sorted(_METHODS))})\b"
_ONE = re.compile(rf"([A-Za-z_]\w*){_ASKS}")  # `PATTERN.match`, `module.PATTERN.match`
_EITHER = re.compile(rf"\((?:\w+\.)*(\w+) if [^()]* else (?:\w+\.)*(\w+)\){_ASKS}")  # `(CHINESE if ... else ENGLISH)`


class _TooLongError(Exception):
    pass


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """`re` looks for signals every few thousand steps."""

    def stop(*_: object) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _seconds(pattern: re.Pattern[str], text: str, *, begin: bool = False) -> float:
    began = time.thread_time()
    try:
        with _at_most(_PATIENCE_S):
            if begin:
                pattern.match(text)
                pattern.fullmatch(text)
            else:
                for _ in pattern.finditer(text):
                    pass
    except _TooLongError:
        return _PATIENCE_S
    return time.thread_time() - began


def _asked_at_the_begin() -> set[str]:
    """The patterns, by module and name, that are only ever asked whether a text begins so, or is so."""
    asked = defaultdict[str, set[str]](set)
    root = Path(soulmem.__path__[0])
    for path in root.rglob("*.py"):
        module = ".".join(("soulmem", *path.relative_to(root).with_suffix("").parts))
        text = path.read_text("utf-8")
        for *names, method in (found.groups() for each in (_ONE, _EITHER) for found in each.finditer(text)):
            for name in names:
                asked[f"{module}.{name}" if name.startswith("_") else name].add(method)
    return {name for name, methods in asked.items() if methods <= _AT_THE_BEGIN}


def _given(place: str) -> int:
    starts = [start for start in _GIVEN if place.startswith(start)]
    return _GIVEN[max(starts, key=len)] if starts else _SENTENCE


def _too_costly(
    pattern: re.Pattern[str], length: int, slowness: float, *, begin: bool
) -> tuple[float, float, str] | None:
    """(milliseconds, times as much as for half, what is said again and again) where that breaks the rule."""
    trifle = slowness * _TRIFLE_S
    for unit in pumps(pattern, _PUMPS if length <= _CLAUSE else 2 * _PUMPS if length < _WHOLE else _MOST_PUMPS):
        for place, text in enumerate(pumped(unit, length)):
            if (took := _seconds(pattern, text, begin=begin)) <= trifle:
                continue
            if took >= 10 * slowness * _BOUND_S:
                return round(took * 1000, 1), 0.0, unit[:20]
            half = _PATIENCE_S
            for times in (
                2,
                _SURELY,
            ):  # what seems to break the rule is looked at again: the processor is not ours alone
                now = max(slowness, processor_slowness())
                took = min(took, *(_seconds(pattern, text, begin=begin) for _ in range(times)))
                again = (_seconds(pattern, pumped(unit, length // 2)[place], begin=begin) for _ in range(times + 1))
                half = min(half, *again)
                breaks = took > now * _BOUND_S or (took > now * _TRIFLE_S and took > _GROWTH * half)
                if not breaks:
                    break
            if breaks:
                return round(took * 1000, 1), round(took / max(half, 1e-6), 1), unit[:20]
    return None


@pytest.mark.thorough
def test_no_pattern_takes_long_for_what_it_is_given() -> None:
    patterns = patterns_in_use()
    assert len(patterns) > 1500, "all that the modules hold are looked at"
    at_the_begin = _asked_at_the_begin()
    assert len(at_the_begin) > 100
    costly, slowness = {}, within(1.0)
    for place, pattern in patterns.items():
        full, number = place[:-1].rsplit("[", 1)
        names = {full, full.rpartition(".")[2]} if number == "0" else set()
        if found := _too_costly(pattern, _given(place), slowness, begin=bool(names & at_the_begin)):
            costly[place] = *found, pattern.pattern[:100]
    assert not costly, "\n".join(f"{place}: {told}" for place, told in costly.items())


@pytest.mark.thorough
def test_no_pattern_is_given_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step reads hostile texts and plain ones, and every pattern notes how long what it is given is."""
    longest: dict[str, int] = {}
    _listen(monkeypatch, longest)
    said = "I live in Oslo and my sister Ines was born on 3 May 1990 and she has three cats and owes me $40 while "
    texts = [said * 40, "我上周三去了成都，见到了小林，他今年三十岁，欠我四十块钱，" * 120]
    texts += [
        texts[0].replace(" ", ", "),
        texts[1].replace("，", ""),
        "My dog Rex was born on Monday, did you know? " * 90,
    ]
    texts = [text[:_LOOKED_AT] for text in texts]
    kinds = list(KINDS)[:: 4 if _LONG else 40]
    # Each kind alone and amid words; in the fast form by turns, and each step reads another part of them.
    odd = [hostile(kind, 3_000) for kind in (kinds if _LONG else kinds[::2])]
    odd += [amid_words(kind, 3_000) for kind in (kinds if _LONG else kinds[1::2])]
    for number, step in enumerate(STEPS.values()):
        plain = texts if _LONG else [*texts[:2], texts[2 + number % 3]]
        for text in (*plain, *(odd if _LONG else odd[number % 4 :: 4])):
            step(text)
    assert len(longest) > 250
    beyond = {place: length for place, length in longest.items() if length > _given(place)}
    assert not beyond, "\n".join(f"{place}: {length} of {_given(place)}" for place, length in beyond.items())


def _listen(monkeypatch: pytest.MonkeyPatch, longest: dict[str, int]) -> None:
    """Let each pattern note the longest text that it is given; of those that are compiled at once, each with a name."""

    def noting(place: str, ask: Callable[..., Any], at: int) -> Callable[..., Any]:
        def asked(*given: Any, **more: Any) -> Any:
            length = given[2] - given[1] if len(given) > 2 and not at else len(given[at])
            longest[place] = max(longest.get(place, 0), length)
            return ask(*given, **more)

        return asked

    class Noting:
        def __init__(self, place: str, pattern: re.Pattern[str]) -> None:
            self.place, self.pattern = place, pattern

        def __getattr__(self, name: str) -> Any:
            value = getattr(self.pattern, name)
            return noting(self.place, value, int(name == "sub")) if name in _METHODS else value

    for place, held in held_patterns().items():
        module, _, name = place.partition("[")[0].rpartition(".")
        if isinstance(held, LazyPattern):
            held.compiled()
            for method in _METHODS:
                monkeypatch.setattr(held, method, noting(place, getattr(held, method), int(method == "sub")))
        elif place.endswith("[0]") and isinstance(getattr(importlib.import_module(module), name, None), re.Pattern):
            monkeypatch.setattr(f"{module}.{name}", Noting(place, held))


_LOOKED_AT = 4_000  # characters of a note whose details are looked for in one piece
_NUMBERS = (
    "numerals",
    "large_numerals",
    "ten_thousand",
    "digits",
    "digits_apart",
    "thousands",
    "spelt",
    "twenty",
    "money",
)
_HOLDS_S = 0.02  # the interpreter, from one match to the next; runs of number words held it ten times as long


@pytest.mark.thorough
def test_no_pattern_of_details_holds_the_interpreter_over_what_is_looked_at() -> None:
    rooms = ("soulmem.llm.extractive.details.", "soulmem.core.numbers.")
    patterns = {place: each for place, each in patterns_in_use().items() if place.startswith(rooms)}
    assert len(patterns) > 40
    bound, held = within(_HOLDS_S), {}
    for kind in _NUMBERS:
        text = hostile(kind, 4 * _LOOKED_AT)[:_LOOKED_AT]
        for place, pattern in patterns.items():
            if _longest(pattern, text) > bound and _longest(pattern, text) > bound:
                held[place] = kind
    assert not held


def _longest(pattern: re.Pattern[str], text: str) -> float:
    """The longest time between two matches, of the processor."""
    matches, longest = pattern.finditer(text), 0.0
    while True:
        began = time.thread_time()
        found = next(matches, None)
        longest = max(longest, time.thread_time() - began)
        if found is None:
            return longest


@pytest.mark.parametrize("harmful", [r"(?:刚刚?|又)*到", r"(a|a)*b", r"^\s*\s*(.+?)\s*x$", r"(?:\w+\s?)+:"])
def test_a_harmful_one_would_be_noticed(harmful: str) -> None:
    pattern = re.compile(harmful)
    texts = [text for unit in pumps(pattern) for text in pumped(unit, _LENGTH)]
    assert any(_seconds(pattern, text) > _BOUND_S for text in texts)
