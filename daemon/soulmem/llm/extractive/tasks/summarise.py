"""The rolling summary: what was kept before and what is new, ranked together under one budget.

Called by the engine with the previous summary and the fresh messages. Invariants: new text is at most
`NEW_SHARE` of the characters it stands for; messages that state anything leave at least one point, and of fewer
than `SHORT` characters the most salient statements, up to `FEW`, are kept as long as they stay within
`SHORT_SHARE`, because of a few lines a share would keep nothing; the whole fits the token budget; the previous
points are dropped least salient first (chatter fades from roll to roll, facts do not); every point keeps its
quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from soulmem.core.dates.date_parser import render_day
from soulmem.core.schema.note_requests import Role, SourceQuote, SummariseRequest, Summary, SummaryPoint, Turn
from soulmem.core.text.prompt_lines import named, one_line
from soulmem.core.text.tokens import estimate_tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts.self_facts import EXCLUSIVE, facts_of
from soulmem.llm.extractive.language.content_words import content_terms
from soulmem.llm.extractive.language.sentence_splitter import Sentence, language_of
from soulmem.llm.extractive.language.statement_similarity import (
    Pick,
    differ_by_number,
    diverse_order,
    likeness_among,
    overlap,
)
from soulmem.llm.extractive.reading.statements import Statement, statements_of
from soulmem.llm.extractive.wording.standalone_sentences import day_tag, display_name, said, untagged
from soulmem.ports import Embedder

NEW_SHARE = 0.4
SHORT = 600
SHORT_SHARE = 0.6
FEW = 3
_LASTING = 0.6  # salience from which a point does not fade
_FADING = 0.85  # per roll, below that
_OLD_SHARE = 0.75  # of the budget, kept for earlier points before newcomers compete
_SAME = 0.85  # overlap from which two points say the same
_LEAST = 0.3
_REPEATED = 0.75  # likeness from which a plain statement only repeats
_MOST_CANDIDATES = 32


def summarise(request: SummariseRequest, embedder: Embedder | None) -> Summary:
    """One roll. A trivial text (fewer than 3 messages and 200 characters) is taken over as it is."""
    turns = [turn for turn in request.turns if turn.role is not Role.SYSTEM and turn.text.strip()]
    old = list(request.previous.points) if request.previous else []
    if not turns:
        return request.previous or Summary("")
    characters = sum(len(turn.text) for turn in turns)
    trivial = len(turns) < 3 and characters < 200
    budget = 400 if trivial else int(characters * NEW_SHARE)
    fresh = [_verbatim(turn) for turn in turns] if trivial else _fresh_points(request, turns, budget, embedder)
    language = request.language or language_of(" ".join(turn.text[:300] for turn in turns))
    days = {render_day(point.at_ms, "en") for point in old}
    room = budget - sum(_cost(point, days) for point in fresh)
    fresh, old = _merged(fresh, old, room)
    points = _within_budget(old, fresh, request.max_tokens, language)
    return Summary(render(points, language), points)


def render(points: Iterable[SummaryPoint], language: str) -> str:
    """The text of a summary: a line with the day, then one line a point, oldest first."""
    lines: list[str] = []
    day = ""
    for point in points:
        if (today := render_day(point.at_ms, language)) != day:
            lines.append(today)
            day = today
        lines.append(_line(point))
    return "\n".join(lines)


def _line(point: SummaryPoint) -> str:
    return one_line(untagged(point.text, point.at_ms))


def _verbatim(turn: Turn) -> SummaryPoint:
    text = turn.text.strip()
    name = named(display_name(turn.speaker, language_of(text)))
    spoken = f"{name}{'：' if language_of(text) == 'zh' else ': '}{text}" if name else text
    tag = day_tag(turn.at_ms, language_of(text))
    salience = max((s.salience for s in statements_of((turn,))), default=0.1)
    return SummaryPoint(f"{spoken}{tag}", (SourceQuote(turn.seq, text),), turn.at_ms, salience)


def _fresh_points(
    request: SummariseRequest, turns: list[Turn], budget: int, embedder: Embedder | None
) -> list[SummaryPoint]:
    """The new points worth their length: salient, unlike one another, together within `budget` characters.

    Where fewer than `FEW` are that salient, plain statements fill up.
    """
    statements = [s for s in statements_of(turns, request.context) if s.salience >= _LEAST or s.informs]
    statements = sorted(statements, key=lambda s: -s.salience)[:_MOST_CANDIDATES]
    by_salience = {id(s): rank for rank, s in enumerate(statements)}
    statements.sort(key=lambda s: (s.turn.seq, s.sentence.start))
    foremost = sorted(range(len(statements)), key=lambda index: by_salience[id(statements[index])])
    likeness = likeness_among([s.sentence.text for s in statements], embedder, foremost)
    scores = [s.salience - 0.004 * estimate_tokens(s.sentence.text) for s in statements]
    order = diverse_order(scores, [s.terms for s in statements], likeness)
    characters = sum(len(turn.text) for turn in turns)
    choice = _Choice(request.previous, budget, int(characters * SHORT_SHARE) if characters < SHORT else 0)
    for pick in order:
        if statements[pick.index].salience >= _LEAST and pick.score >= _LEAST - 0.15:
            choice.offer(statements[pick.index])
    for pick in order:
        if len(choice.chosen) < FEW and _is_new(pick, statements):
            choice.offer(statements[pick.index])
    if not choice.chosen:
        return _least(statements, order, budget, choice.days, whole=characters < SHORT)
    choice.chosen.sort(key=lambda pair: _place(pair[0].sentence))
    return [point for _, point in choice.chosen]


def _is_new(pick: Pick, statements: list[Statement]) -> bool:
    return statements[pick.index].informs and pick.alike < _REPEATED


def _least(
    statements: list[Statement], order: list[Pick], budget: int, days: set[str], *, whole: bool
) -> list[SummaryPoint]:
    """The one point that is kept in any case: of a few lines the best as it is, of more the best cut short."""
    best = next((s for pick in order if (s := statements[pick.index]).informs), None)
    best = best or next((statements[pick.index] for pick in order), None)
    if best is None:
        return []
    if whole:
        return [_point(best)]
    shortened = _shortened(best, budget - 24)
    return [shortened] if shortened and _cost(shortened, days) <= budget else []


class _Choice:
    """The points chosen so far, and the characters left: of the share, and of what a few lines may take."""

    def __init__(self, previous: Summary | None, budget: int, short_budget: int) -> None:
        self.chosen: list[tuple[Statement, SummaryPoint]] = []
        self.days = {render_day(point.at_ms, "en") for point in previous.points} if previous else set()
        self._left = budget
        self._short_left = short_budget
        self._told: set[tuple[int, int]] = set()

    def offer(self, statement: Statement) -> None:
        """Take the statement if it is not told yet and there is room."""
        statement = _without_told_lead(statement, self._told)
        if _place(statement.sentence) in self._told:
            return
        point = _point(statement)
        cost = _cost(point, self.days)
        if cost > (max(self._left, self._short_left) if len(self.chosen) < FEW else self._left):
            return
        self.chosen.append((statement, point))
        self._told.update(_place(s) for s in statement.spoken)
        self.days.add(render_day(point.at_ms, "en"))
        self._left -= cost
        self._short_left -= cost


def _place(sentence: Sentence) -> tuple[int, int]:
    return sentence.seq, sentence.start


def _without_told_lead(statement: Statement, told: set[tuple[int, int]]) -> Statement:
    """A lead that has its own line already is not said twice."""
    if statement.lead is not None and _place(statement.lead) in told:
        return replace(statement, lead=None)
    return statement


def _cost(point: SummaryPoint, days: set[str]) -> int:
    """Characters a point adds to the text, its day's heading included when it is the first of its day."""
    heading = 0 if render_day(point.at_ms, "en") in days else len(render_day(point.at_ms, "en")) + 1
    return len(_line(point)) + 1 + heading


def _point(statement: Statement) -> SummaryPoint:
    return SummaryPoint(statement.text, statement.sources, statement.turn.at_ms, statement.salience)


def _shortened(statement: Statement, room: int) -> SummaryPoint | None:
    """The first clauses of a sentence that is too long for the whole budget; Chinese may be cut anywhere."""
    text, turn = statement.sentence.text, statement.turn
    head = text[: max(0, room - len(turn.speaker))]
    end = max((m.end() for m in re.finditer(r"[,，、;；\s]", head)), default=0)
    if statement.language == "zh" and end < len(head) // 2:
        end = len(head)
    quote = text[:end].rstrip(",，、;； ")
    if len(quote) < 12 and not (len(quote) >= 5 and statement.language == "zh"):
        return None
    spoken = said(turn.speaker, turn.at_ms, (quote + "…",), language=statement.language)
    return SummaryPoint(spoken, (SourceQuote(turn.seq, quote),), turn.at_ms, statement.salience)


def _merged(
    fresh: list[SummaryPoint], old: list[SummaryPoint], room: int
) -> tuple[list[SummaryPoint], list[SummaryPoint]]:
    """What is said again strengthens the earlier point; what contradicts an earlier fact is marked a change.

    `room`: characters left for such marks.
    """
    kept: list[SummaryPoint] = []
    old = [replace(p, salience=p.salience if p.salience >= _LASTING else round(p.salience * _FADING, 4)) for p in old]
    known = [content_terms(p.text) for p in old]
    facts = {key: value for point in old for key, value in _exclusive_facts(point).items()}
    for point in fresh:
        terms = content_terms(point.text)
        twin = next((i for i, other in enumerate(known) if _says_same(terms, other)), None)
        if twin is not None:
            same = old[twin]
            sources = same.sources + tuple(s for s in point.sources if s not in same.sources)
            old[twin] = replace(same, salience=max(same.salience, point.salience), sources=sources[:6])
            continue
        here = _exclusive_facts(point)
        before = [facts[key] for key, value in here.items() if key in facts and facts[key].lower() != value.lower()]
        facts |= here
        changed = _as_change(point, before[0]) if before else point
        marked = len(changed.text) - len(point.text) <= room
        room -= len(changed.text) - len(point.text) if marked else 0
        kept.append(changed if marked else point)
    return kept, old


def _says_same(terms: frozenset[str], other: frozenset[str]) -> bool:
    if len(terms) > len(other) + 2 or overlap(terms, other) < _SAME:
        return False
    return not differ_by_number(terms, other) and not any(term.isdigit() for term in terms ^ other)


def _exclusive_facts(point: SummaryPoint) -> dict[tuple[str, str], str]:
    """The one-valued facts a point's own words state, by speaker and relation."""
    speaker = re.split(r"[:：(（ ]", point.text, maxsplit=1)[0]
    quote = point.sources[-1]
    found = facts_of(Sentence(quote.seq, 0, quote.quote), speaker)
    return {(fact.subject, fact.relation): fact.object for fact in found if fact.relation in EXCLUSIVE}


def _as_change(point: SummaryPoint, before: str) -> SummaryPoint:
    mark = f"（此前：{before}）" if language_of(point.text) == "zh" else f" [before: {before}]"
    return replace(point, text=point.text + mark, salience=max(point.salience, 0.9))


@dataclass(slots=True)
class _Budget:
    """Tokens left, and the days whose heading is paid for."""

    left: float
    language: str
    days: set[str]

    def take(self, point: SummaryPoint) -> bool:
        day = render_day(point.at_ms, self.language)
        cost = estimate_tokens(_line(point)) + 1
        if day not in self.days:
            cost += estimate_tokens(day) + 1
        if cost > self.left:
            return False
        self.left -= cost
        self.days.add(day)
        return True


def _within_budget(
    old: list[SummaryPoint], fresh: list[SummaryPoint], max_tokens: int, language: str
) -> tuple[SummaryPoint, ...]:
    """Earlier points fill their share first, lasting and older ones ahead; then all the rest compete."""
    count = max(len(old), 1)
    points = old + fresh
    rank = [round(p.salience + (0.1 * (1 - i / count) if i < len(old) else 0.0), 4) for i, p in enumerate(points)]
    by_rank = sorted(range(len(points)), key=lambda i: (-rank[i], i))
    budget = _Budget(max_tokens * _OLD_SHARE, language, set())
    kept = {i for i in by_rank if i < len(old) and points[i].salience >= _LEAST and budget.take(points[i])}
    budget.left += max_tokens * (1 - _OLD_SHARE)
    kept |= {i for i in by_rank if i not in kept and budget.take(points[i])}
    return tuple(sorted((points[i] for i in sorted(kept)), key=lambda p: (p.at_ms, p.sources[-1].seq)))
