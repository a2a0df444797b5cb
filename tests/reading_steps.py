"""Every step that reads a text of somebody else's, as a function of that text alone.

What runs where a message or a note comes in, where a question is asked, and where a talk is digested without a model.
"""

from __future__ import annotations

from collections.abc import Callable

from soulmem.core import (
    amounts,
    dates,
    gate,
    importance,
    injected,
    name_finding,
    quantities,
    readings,
    time_questions,
    tokens,
)  # fmt: skip
from soulmem.core.accounting import AccountRequest
from soulmem.core.drafts import NoteDraft, NoteKind, Role, SplitRequest, SummariseRequest, Summary, Turn
from soulmem.core.elements import fitting
from soulmem.core.grounds import Ground, Grounds
from soulmem.core.handed_out import ServedIndex
from soulmem.core.question_form import is_question
from soulmem.core.ranking import read_question
from soulmem.core.reading import read
from soulmem.core.tasks import FeedbackRequest, ImportanceRequest, Labelled, QueryRequest
from soulmem.llm.extractive import details, leftover, notes, query, reactions, rolling
from soulmem.llm.extractive import importance as rating

AT = 1_772_000_000_000  # UTC milliseconds
_QUERY = 2_000  # characters of a question that are looked at


def _turn(text: str) -> Turn:
    return Turn(1, Role.USER, "Ann", text, AT)


def _split(text: str) -> tuple[NoteDraft, ...]:
    return notes.split(SplitRequest(summary=Summary(""), turns=(_turn(text),)))


def _account(text: str) -> object:
    return leftover.account(AccountRequest(turns=(_turn(text),), notes=()))


def _masked(text: str) -> tuple[tuple[Turn, tuple[object, ...]], ...]:
    return injected.read_turns((_turn(text),), ServedIndex(()))


def _judged(text: str) -> object:
    drafts = _split(text)
    grounds = Grounds(tuple(Ground(*each) for each in injected.read_turns((_turn(text),), ServedIndex(()))))
    gate.unknown_names(drafts, grounds)
    return gate.judge(drafts, grounds)


def _noted(text: str) -> object:
    importance.weigh(text, AT)
    return fitting(text, NoteKind.EPISODIC, details.details(text, AT))


def _asked(text: str) -> object:
    read_question(text[:_QUERY], frozenset({"Ann"}), asker="Ann", at_ms=AT)
    return time_questions.read_time(text[:_QUERY], AT, [])


STEPS: dict[str, Callable[[str], object]] = {
    "message.add": lambda text: read(text, opens=True),
    "note.add": _noted,
    "recall": _asked,
    "recall: is it a question": is_question,
    "recall: deep": lambda text: query.analyse(QueryRequest(query=text[:_QUERY], now_ms=AT)),
    "recall: what the talk says": lambda text: readings.readings_of(text, "Ann"),
    "feedback": lambda text: reactions.feedback(FeedbackRequest("Who is Ann?", "My friend.", text)),
    "digest: what was handed out": _masked,
    "digest: split": _split,
    "digest: account": _account,
    "digest: gate": _judged,
    "digest: rate": lambda text: rating.rate(ImportanceRequest(items=(Labelled("N1", text),))),
    "digest: summarise": lambda text: rolling.summarise(
        SummariseRequest(previous=Summary(""), turns=(_turn(text),), is_last=True, max_tokens=200), None
    ),
    "names": name_finding.find_names,
    "amounts": amounts.find_amounts,
    "numbers": quantities.value_of,
    "dates": lambda text: dates.find_dates(text, AT),
    "words": tokens.segment,
}
