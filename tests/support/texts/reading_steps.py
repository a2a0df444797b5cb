"""Every step that reads a text of somebody else's, as a function of that text alone.

What runs where a message or a note comes in, where a question is asked, and where a talk is digested without a model.
"""

from __future__ import annotations

from collections.abc import Callable

from soulmem.core.changes.change_clauses import statement_of, topics_of
from soulmem.core.conversation.message_features import read
from soulmem.core.dates import date_parser
from soulmem.core.details.elements import fitting
from soulmem.core.facts import fact_reader
from soulmem.core.facts.topic_terms import matter_of
from soulmem.core.grounding import echo_masking, grounding_gate
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.grounding.served_text_index import ServedIndex
from soulmem.core.importance import importance_rating
from soulmem.core.names import name_recogniser
from soulmem.core.numbers import amount_parser, rough_numbers
from soulmem.core.questions import time_questions
from soulmem.core.questions.question_detection import is_question
from soulmem.core.reflection import recurrence
from soulmem.core.reflection.insight_admission import Shown, admit
from soulmem.core.reflection.recurrence import Occasion
from soulmem.core.schema.detail_tasks import FadedDetail, MisrememberRequest
from soulmem.core.schema.engine_tasks import (
    FeedbackRequest,
    ImportanceRequest,
    Insight,
    JudgeRequest,
    Labelled,
    MergeRequest,
    QueryRequest,
    ReconcileRequest,
)
from soulmem.core.schema.note_requests import (
    LinkNode,
    LinkRequest,
    NoteDraft,
    NoteKind,
    Role,
    SplitRequest,
    SummariseRequest,
    Summary,
    Turn,
)
from soulmem.core.schema.sentence_accounting import AccountRequest
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text import tokens  # fmt: skip
from soulmem.llm.extractive.details import note_details
from soulmem.llm.extractive.tasks import (
    account,
    analyse_query,
    feedback,
    judge,
    link,
    merge,
    misremember,
    reconcile,
    split,
    summarise,
)
from soulmem.llm.extractive.tasks import rate_importance as rating

AT = 1_772_000_000_000  # UTC milliseconds
_QUERY = 2_000  # characters of a question that are looked at
_SHOWN = {"N1": Shown(1, "Ann went climbing."), "N2": Shown(2, "安去攀岩了。")}


def _turn(text: str) -> Turn:
    return Turn(1, Role.USER, "Ann", text, AT)


def _split(text: str) -> tuple[NoteDraft, ...]:
    return split.split(SplitRequest(summary=Summary(""), turns=(_turn(text),)))


def _account(text: str) -> object:
    return account.account(AccountRequest(turns=(_turn(text),), notes=()))


def _masked(text: str) -> tuple[tuple[Turn, tuple[object, ...]], ...]:
    return echo_masking.read_turns((_turn(text),), ServedIndex(()))


def _judged(text: str) -> object:
    drafts = _split(text)
    grounds = Grounds(tuple(Ground(*each) for each in echo_masking.read_turns((_turn(text),), ServedIndex(()))))
    grounding_gate.unknown_names(drafts, grounds)
    return grounding_gate.judge(drafts, grounds)


_OTHER = "Ann: I live in Oslo with my dog Rex. 我住在北京"


def _beside(text: str) -> tuple[Labelled, ...]:
    """The text as a note, and another one."""
    return Labelled("N1", text, AT, "Ann"), Labelled("N2", _OTHER, AT, "Ann")


def _node(label: str, text: str) -> LinkNode:
    return LinkNode(label, NoteKind.EPISODIC, text, ("Ann",), AT)


def _noted(text: str) -> object:
    importance_rating.weigh(text, AT)
    return fitting(text, NoteKind.EPISODIC, note_details.details(text, AT))


def _asked(text: str) -> object:
    read_question(text[:_QUERY], frozenset({"Ann"}), asker="Ann", at_ms=AT)
    return time_questions.read_time(text[:_QUERY], AT, [])


STEPS: dict[str, Callable[[str], object]] = {
    "message.add": lambda text: read(text, opens=True),
    "note.add": _noted,
    "recall": _asked,
    "recall: is it a question": is_question,
    "recall: deep": lambda text: analyse_query.analyse(QueryRequest(query=text[:_QUERY], now_ms=AT)),
    "recall: what the talk says": lambda text: fact_reader.readings_of(text, "Ann"),
    "feedback": lambda text: feedback.feedback(FeedbackRequest("Who is Ann?", "My friend.", text)),
    "digest: what was handed out": _masked,
    "digest: split": _split,
    "digest: account": _account,
    "digest: gate": _judged,
    "digest: what it is about": lambda text: matter_of(text, AT, "Ann"),
    "digest: what changes": lambda text: topics_of(statement_of(text, "Ann", AT)),
    "digest: rate": lambda text: rating.rate(ImportanceRequest(items=(Labelled("N1", text),))),
    "digest: summarise": lambda text: summarise.summarise(
        SummariseRequest(previous=Summary(""), turns=(_turn(text),), is_last=True, max_tokens=200), None
    ),
    "note: is linked": lambda text: link.link(LinkRequest((_node("N1", text),), (_node("N2", _OTHER),))),
    "note: is merged": lambda text: merge.merge(MergeRequest(_beside(text))),
    "note: is reconciled": lambda text: reconcile.reconcile(ReconcileRequest(_beside(text)[:1], _beside(text)[1:])),
    "note: is thought over": lambda text: recurrence.findings(
        [Occasion(number, number, text, "Ann") for number in range(3)]
    ),
    "note: is what a model concludes": lambda text: admit([Insight(text, ("N1", "N2"))], _SHOWN, (text,)),
    "note: is judged": lambda text: judge.judge(JudgeRequest((text[:_QUERY],), _beside(text))),
    "note: is misremembered": lambda text: misremember.misremember(
        MisrememberRequest((FadedDetail("E1", text, "something", text, text, AT, ("Ann", "Oslo")),))
    ),
    "names": name_recogniser.find_names,
    "amounts": amount_parser.find_amounts,
    "numbers": rough_numbers.value_of,
    "dates": lambda text: date_parser.find_dates(text, AT),
    "words": tokens.segment,
}
