"""Insights without a model: what several statements say together, stated in their own words (algorithms.md §8.3).

From the statements that bear on a question four kinds of generalisation are read: a value that changed (a home, a
job), values that add up (what somebody likes), something that keeps coming back, a mood that turned. Where there are
none, what is known is set side by side. Each names the labels it rests on, two at least, all among those shown. To
condense is to merge insights that say the same and to keep the best of the rest; the citations of those that go are
taken over by the most similar one that stays.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from soulmem.core.dates.date_parser import render_day
from soulmem.core.schema.engine_tasks import CondenseRequest, Insight, InsightsRequest, Labelled
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts.claims import SELF, Claim, claim_of
from soulmem.llm.extractive.language.chinese_lexicon import CHINESE
from soulmem.llm.extractive.language.content_words import amount, content_terms, key_terms
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.life_topics import Topic
from soulmem.llm.extractive.language.sentence_splitter import CJK, language_of
from soulmem.llm.extractive.language.statement_similarity import differ_by_number, diverse_order, overlap
from soulmem.llm.extractive.tasks.questions import questions, topics_asked, topics_in
from soulmem.llm.extractive.wording.comparable_wording import (
    LOOKED_AT,
    names_in,
    subject_of,
    subject_terms,
    subjects_of,
    without_day,
)
from soulmem.llm.extractive.wording.insight_wording import Wording

__all__ = ["condense", "insights", "questions"]

_MOST_STATEMENTS = 200
_MOST_INSIGHTS = 20
_MOST_EVIDENCE = 8
_LEAST_OFTEN = 3  # statements in which something comes back
_LEAST_MOODS = 4
_TURN = 0.35  # difference of mean valence that is a turn
_ALIKE = 0.8  # share of content words from which two insights say the same
_MOST_OVERVIEW = 3
_ANYTHING = subject_terms("known know told tell said say things about 知道 都知 道些 关于 说过 过些 些什 了解 事情")


@dataclass(frozen=True)
class _Said:
    """A statement with what can be read from it, each when first asked for."""

    note: Labelled
    subject: str

    @cached_property
    def text(self) -> str:
        return " ".join(without_day(self.note.text).split())

    @cached_property
    def claim(self) -> Claim | None:
        return claim_of(self.note.text)

    @cached_property
    def topics(self) -> frozenset[Topic]:
        return topics_in(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        return subject_terms(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Content words fit to be named: of Chinese whole runs, never half a word."""
        own = frozenset(fold(self.subject).split())
        latin = {term for term in content_terms(self.text) if term.isalpha() and not CJK.search(term)} - own
        pairs = {f"{one} {other}" for one, other in pairwise(re.findall(r"[a-z]+", self.text.lower()))}
        phrases = {pair for pair in pairs if latin.intersection(pair.split()) and own.isdisjoint(pair.split())}
        phrases = {pair for pair in phrases if ENGLISH.stop.isdisjoint(pair.split())}
        return frozenset(latin | phrases | set(key_terms(self.text.removeprefix(self.subject), 8)))

    @cached_property
    def valence(self) -> float:
        return max((ENGLISH.valence(self.text), CHINESE.valence(self.text)), key=abs)


def insights(request: InsightsRequest) -> tuple[Insight, ...]:
    """Up to `count` generalisations over the statements that bear on the question, the best supported first."""
    notes = list({note.label: note for note in request.statements if note.text.strip()}.values())[:_MOST_STATEMENTS]
    subjects = subjects_of([note.text for note in notes])
    said = [_Said(note, subject) for note, subject in zip(notes, subjects, strict=True)]
    count = max(0, min(request.count, _MOST_INSIGHTS))
    about, bearing = _relevant(request.question[:LOOKED_AT], said)
    if count == 0 or len(about) < 2 or not bearing:
        return ()
    joined = " ".join(one.text[:300] for one in about)
    chinese = (request.language or language_of(joined)).lower().startswith("zh")
    wording = Wording("zh" if chinese else "en")
    found = [*_changes(about, wording), *_sums(about, wording), *_habits(about, wording)]
    found = [insight for insight in found if not bearing.isdisjoint(insight.evidence)]
    cited = {label for insight in found for label in insight.evidence}
    found += _overviews([one for one in about if one.note.label in bearing - cited], wording)
    found += [insight for insight in _turns(about, wording) if not bearing.isdisjoint(insight.evidence)]
    return tuple({insight.text: insight for insight in found}.values())[:count]


def _relevant(question: str, said: Sequence[_Said]) -> tuple[list[_Said], frozenset[str]]:
    """The statements about whom a question names, oldest first, and the labels of those that bear on what it asks.

    All of them bear on a question that asks for nothing in particular ("what is known about Anna?").
    """
    known = frozenset(one.subject for one in said if one.subject)
    asked = frozenset(fold(name) for name in names_in(question, known))
    asked |= frozenset(fold(name) for name in (subject_of(question),) if name)
    topics = topics_asked(question)
    terms = subject_terms(question) - frozenset(term for name in asked for term in subject_terms(name)) - _ANYTHING
    about = [one for one in said if not asked or any(name in fold(one.text) for name in asked)]
    general = not topics and not terms and bool(asked)
    bearing = frozenset(one.note.label for one in about if general or one.topics & topics or one.terms & terms)
    return sorted(about, key=lambda one: one.note.at_ms), bearing


def _changes(said: Sequence[_Said], wording: Wording) -> list[Insight]:
    """Relations that hold one value at a time, and had several."""
    values: dict[tuple[str, str], list[_Said]] = defaultdict(list)
    for one in said:
        if one.claim is not None and one.claim.is_exclusive and not (one.claim.lapsed or one.claim.past):
            values[one.claim.subject, one.claim.relation].append(one)
    found = []
    for (subject, relation), told in sorted(values.items()):
        steps: list[tuple[str, int]] = []
        for one in told:
            value = one.claim.object if one.claim else ""
            if not steps or fold(steps[-1][0]) != fold(value):
                steps.append((value, one.note.at_ms))
        if len(steps) > 1:
            found.append(_insight(wording.change(_named(subject, told), relation, steps), told))
    return found


def _sums(said: Sequence[_Said], wording: Wording) -> list[Insight]:
    """Relations that hold many values: what somebody likes, fears, owns."""
    values: dict[tuple[str, str, bool], list[_Said]] = defaultdict(list)
    for one in said:
        if one.claim is not None and not one.claim.is_exclusive and not one.claim.past:
            values[one.claim.subject, one.claim.relation, one.claim.lapsed].append(one)
    found = []
    for (subject, relation, lapsed), told in sorted(values.items()):
        objects = list({fold(one.claim.object): one.claim.object for one in told if one.claim}.values())
        text = wording.sum(_named(subject, told), relation, objects, lapsed=lapsed)
        if len(objects) > 1 and text:
            found.append(_insight(text, told))
    return sorted(found, key=lambda insight: -len(insight.evidence))


def _habits(said: Sequence[_Said], wording: Wording) -> list[Insight]:
    """What comes back in several statements about one person, the most frequent first; each statement is used once."""
    heard: dict[str, set[str]] = defaultdict(set)
    for one in said:
        heard[one.subject] |= one.words
    holders: dict[tuple[str, str], list[_Said]] = defaultdict(list)
    for one in said:
        if one.claim is None:
            own = (word for word in sorted(heard[one.subject]) if word in one.words or _is_in(word, one.text))
            for word in own:
                holders[one.subject, word].append(one)
    order = sorted(holders, key=lambda key: (-len(holders[key]), -len(key[1]), key))
    used: Counter[str] = Counter()
    found = []
    for subject, word in order:
        told = [one for one in holders[subject, word] if not used[one.note.label]]
        if len(told) < _LEAST_OFTEN:
            continue
        used.update(one.note.label for one in told)
        days = sorted({one.note.at_ms for one in told if one.note.at_ms})
        found.append(_insight(wording.habit(subject, word, len(told), days), told))
    return found


def _is_in(word: str, text: str) -> bool:
    """Whether a Chinese word stands anywhere in a text; others stand as words of their own."""
    return CJK.search(word) is not None and word in text


def _turns(said: Sequence[_Said], wording: Wording) -> list[Insight]:
    """A mood that turned between the earlier and the later half of what is told of somebody, with its dates."""
    by_subject: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        if one.subject and one.note.at_ms and one.valence:
            by_subject[one.subject].append(one)
    found = []
    for subject, told in sorted(by_subject.items()):
        half = len(told) // 2
        before, after = told[:half], told[half:]
        if len(told) < _LEAST_MOODS or render_day(before[-1].note.at_ms, "en") == render_day(after[0].note.at_ms, "en"):
            continue
        change = sum(one.valence for one in after) / len(after) - sum(one.valence for one in before) / half
        if abs(change) >= _TURN:
            found.append(_insight(wording.turn(subject, after[0].note.at_ms, better=change > 0), told))
    return found


def _overviews(said: Sequence[_Said], wording: Wording) -> list[Insight]:
    """What is known of each, side by side: up to three statements that say different things."""
    by_subject: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        by_subject[one.subject].append(one)
    found = []
    for subject, told in sorted(by_subject.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        worth = [min(1.0, amount(content_terms(one.text)) / 8) for one in told]
        best = diverse_order(worth, [content_terms(one.text) for one in told])[:_MOST_OVERVIEW]
        chosen = [told[index] for index in sorted(pick.index for pick in best if pick.alike < _ALIKE)]
        if len(chosen) > 1:
            found.append(_insight(wording.overview(subject, [one.text for one in chosen]), chosen))
    return found


def _named(subject: str, told: Sequence[_Said]) -> str:
    """The name as it is written; the speaker's own where the claims are in first person."""
    written = next((one.subject for one in told if fold(one.subject) == subject), "")
    return written or ("" if subject == SELF else subject)


def _insight(text: str, told: Sequence[_Said]) -> Insight:
    return Insight(text, tuple(dict.fromkeys(one.note.label for one in told))[:_MOST_EVIDENCE])


def condense(request: CondenseRequest) -> tuple[Insight, ...]:
    """At most `limit` insights in their order, unlike one another; together they cite all that was cited."""
    given = [insight for insight in request.insights if insight.evidence]
    if request.limit < 1 or not given:
        return ()
    terms = [content_terms(insight.text) for insight in given]
    asked = content_terms(request.question[:LOOKED_AT])
    worth = [
        round(min(1.0, 0.15 * len(insight.evidence) + 0.05 * amount(own) + 0.1 * len(own & asked)), 4)
        for insight, own in zip(given, terms, strict=True)
    ]
    order = [pick.index for pick in diverse_order(worth, terms)]
    kept: list[int] = []
    for index in order:
        if len(kept) < request.limit and not any(_says_same(given, terms, index, other) for other in kept):
            kept.append(index)
    kept.sort()
    cited: dict[int, dict[str, None]] = {index: dict.fromkeys(given[index].evidence) for index in kept}
    wording = {index: given[index].text for index in kept}
    for index in range(len(given)):
        if index in cited:
            continue
        heir = max(kept, key=lambda other: (_likeness(terms[index], terms[other]), -other))
        cited[heir] |= dict.fromkeys(given[index].evidence)
        if _says_same(given, terms, index, heir) and terms[index] > content_terms(wording[heir]):
            wording[heir] = given[index].text
    return tuple(Insight(wording[index], tuple(cited[index])) for index in kept)


def _says_same(given: Sequence[Insight], terms: Sequence[frozenset[str]], one: int, other: int) -> bool:
    if fold(given[one].text.strip()) == fold(given[other].text.strip()):
        return True
    return overlap(terms[one], terms[other]) >= _ALIKE and not differ_by_number(terms[one], terms[other])


def _likeness(left: frozenset[str], right: frozenset[str]) -> float:
    return round(len(left & right) / len(left | right), 6) if left | right else 0.0
