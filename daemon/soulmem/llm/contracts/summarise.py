"""The contract of `summarise`: a rolling summary as points, each with what it rests on (algorithms.md §1).

The model says only what changes: new points, points that take the place of earlier ones, points to drop. Whatever it
does not speak of stays as it was, so four new lines cost four lines, and a careless answer never costs what was known.
A point rests on earlier points, whose sources it inherits, or on new lines, by a quotation that code finds in them.
Invariants: every point has a source; the whole fits the budget of the request.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from pydantic import Field

from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import SummariseRequest, Summary, SummaryPoint
from soulmem.core.text.tokens import estimate_tokens, fold
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Items, Labels, ListAnswer, MaybeText, Text, one_line
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.quoted_sources import Grounds
from soulmem.llm.contracts.parts.short_labels import shown_list
from soulmem.llm.extractive.tasks.summarise import render

TRANSCRIPT_TOKENS = 4_000
CONTEXT_TOKENS = 50
LONGEST_POINT = 600  # characters
MOST_POINTS = 200
MOST_SOURCES = 6
LITTLE_TALK = 120  # tokens of talk up to which a summary may be empty
_SALIENCE = 0.6  # of a new point


class PointItem(Answer):
    """One point: P labels for what it keeps, T labels with a quotation for what is new."""

    from_: Labels = Field(default_factory=list, alias="from")
    quote: MaybeText = None
    text: Text = ""


class SummaryAnswer(ListAnswer):
    points: Items[PointItem]
    drop: Labels = Field(default_factory=list)


def _variables(request: SummariseRequest, lang: str) -> dict[str, str]:
    lines = prompt_wording.transcript(prompt_wording.spoken(request.turns), lang, tokens=TRANSCRIPT_TOKENS)
    context = prompt_wording.transcript(
        prompt_wording.spoken(request.context), lang, tokens=CONTEXT_TOKENS, label=False
    )
    everybody = (*prompt_wording.spoken(request.context), *prompt_wording.spoken(request.turns))
    return {
        "who": who_is_who(request.cast, lang, everybody),
        "previous": prompt_wording.points_of(request.previous, lang),
        "context": context,
        "transcript": lines,
        "length": str(max(20, round(request.max_tokens * (0.6 if lang == "en" else 0.8)))),
    }


def _read(answer: SummaryAnswer, request: SummariseRequest) -> Summary:
    earlier = request.previous.points if request.previous else ()
    grounds = Grounds(prompt_wording.spoken(request.turns), earlier)
    kept: dict[str, SummaryPoint] = {}
    replaced: set[str] = set()
    reasons: list[str] = []
    for item in answer.points[:MOST_POINTS]:
        lines, points = grounds.meant(item.from_)
        point = _point(item, lines, points, grounds)
        if isinstance(point, str):
            reasons.append(point)  # an earlier point whose change came to nothing stays as it was
        else:
            kept.setdefault(fold(point.text), point)
            replaced |= set(points)
    _, dropped = grounds.meant(answer.drop)
    if not kept and not dropped:
        _reject_unless_nothing_is_new(reasons, earlier, request)
    gone = replaced.union(dropped)
    staying = [point for label, point in grounds.points.items() if label not in gone and fold(point.text) not in kept]
    lang = prompt_wording.language_for(request.language, [SUMMARISE.sample(request)])
    return _within(list(kept.values()), staying, request.max_tokens, lang)


def _reject_unless_nothing_is_new(
    reasons: list[str], earlier: Sequence[SummaryPoint], request: SummariseRequest
) -> None:
    if reasons:
        raise RejectedAnswerError(reasons[0])
    talk = sum(estimate_tokens(turn.text) for turn in prompt_wording.spoken(request.turns))
    if not earlier and talk > LITTLE_TALK:
        raise RejectedAnswerError("points is empty, but there is more than small talk: say what was told")


def _point(item: PointItem, lines: tuple[str, ...], points: tuple[str, ...], grounds: Grounds) -> SummaryPoint | str:
    """The point, or why it cannot be one."""
    text = one_line(item.text)
    if not text:
        return "a point has no text"
    if len(text) > LONGEST_POINT:
        return f"a point is longer than {LONGEST_POINT} characters: say one thing a point"
    if not lines and not points:
        known = shown_list((*grounds.points, *grounds.turns))
        return f"the labels in from are not among those shown ({known})"
    quoted = [source for line in lines if (source := grounds.quoted(line, item.quote or "")) is not None]
    if lines and not quoted:
        return f"quote must be copied word for word from line {lines[0]}; it does not stand there"
    before = [grounds.points[label] for label in points]
    sources = tuple(dict.fromkeys((*grounds.inherited(points), *quoted)))[-MOST_SOURCES:]
    if not sources:
        return f"{points[0]} rests on nothing that is known"
    said = [grounds.turns[f"T{source.seq}"].at_ms for source in quoted]
    return SummaryPoint(
        text=text,
        sources=sources,
        at_ms=max(said) if said else max(point.at_ms for point in before),
        salience=max([point.salience for point in before] + ([_SALIENCE] if quoted else [])),
    )


def _within(points: list[SummaryPoint], staying: list[SummaryPoint], max_tokens: int, lang: str) -> Summary:
    """As many points as fit, in order of time: those of the answer first, the most salient and the latest of each."""
    if not points and not staying:
        return Summary("")

    def rank(point: SummaryPoint) -> tuple[float, int]:
        return point.salience, point.at_ms

    ranked = sorted(points, key=rank, reverse=True) + sorted(staying, key=rank, reverse=True)

    def ordered(count: int) -> tuple[SummaryPoint, ...]:
        return tuple(sorted(ranked[:count], key=lambda point: (point.at_ms, point.sources[-1].seq)))

    too_many = bisect_left(
        range(1, len(ranked) + 1), True, key=lambda count: estimate_tokens(render(ordered(count), lang)) > max_tokens
    )
    if too_many == 0:
        raise RejectedAnswerError(f"the summary is too long: at most about {max_tokens} tokens")
    fitting = ordered(too_many)
    return Summary(render(fitting, lang), fitting)


SUMMARISE = Contract(
    Task.SUMMARISE,
    SummaryAnswer,
    _variables,
    _read,
    lambda asked: (turn.text for turn in prompt_wording.spoken(asked.turns)),
)
