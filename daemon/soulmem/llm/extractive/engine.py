"""The engine without a model: every task of the `LanguageModel` port by extraction, Chinese and English.

Made by the composition root, and asked by the engine with a model whenever that has no answer. It only ever repeats
what was said, with names and dates made explicit, and judges by words, dates and the embedder. The work runs in a
worker thread, so the event loop keeps answering; the same request gives the same answer, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import anyio.to_thread

from soulmem.core.drafts import LinkDraft, LinkRequest, NoteDraft, SplitRequest, SummariseRequest, Summary
from soulmem.core.tasks import (
    CondenseRequest,
    Feedback,
    FeedbackRequest,
    Fill,
    ImportanceRequest,
    Insight,
    InsightsRequest,
    Judgement,
    JudgeRequest,
    Merged,
    MergeRequest,
    QueryAnalysis,
    QueryRequest,
    QuestionsRequest,
    ReconcileRequest,
    Reconciliation,
    ReconstructRequest,
)
from soulmem.llm.extractive import (
    importance,
    judging,
    links,
    merging,
    notes,
    query,
    reactions,
    reconciling,
    reconstructing,
    reflecting,
    rolling,
)
from soulmem.ports import Call, Embedder

R = TypeVar("R")


class ExtractiveEngine:
    """`LanguageModel` by extraction. With an embedder, likeness is also recognised in other words.

    Nothing is paid for here, so `call` is never looked at.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        return "extractive"

    async def summarise(self, request: SummariseRequest, call: Call | None = None) -> Summary:
        """Roll the summary on by the request's turns; within `max_tokens`."""
        return await _in_thread(partial(rolling.summarise, request, self._embedder))

    async def split(self, request: SplitRequest, call: Call | None = None) -> tuple[NoteDraft, ...]:
        """Cut an epoch into notes, each with verbatim quotes of its sources."""
        return await _in_thread(partial(notes.split, request, self._embedder))

    async def link(self, request: LinkRequest, call: Call | None = None) -> tuple[LinkDraft, ...]:
        """Propose links among new and hot notes; at most 3·new + hot."""
        return await _in_thread(partial(links.link, request))

    async def judge(self, request: JudgeRequest, call: Call | None = None) -> Judgement:
        """Whether the notes answer the questions, what is missing, and which of them were of use."""
        return await _in_thread(partial(judging.judge, request, self._embedder))

    async def rate_importance(self, request: ImportanceRequest, call: Call | None = None) -> tuple[int, ...]:
        """1..10 for each item, in order."""
        return await _in_thread(partial(importance.rate, request))

    async def analyse_query(self, request: QueryRequest, call: Call | None = None) -> QueryAnalysis:
        """What is asked for, when it was, how hard to think, and the state the asker is in."""
        return await _in_thread(partial(query.analyse, request))

    async def reconcile(self, request: ReconcileRequest, call: Call | None = None) -> tuple[Reconciliation, ...]:
        """What each new fact is to the known ones, in order."""
        return await _in_thread(partial(reconciling.reconcile, request))

    async def questions(self, request: QuestionsRequest, call: Call | None = None) -> tuple[str, ...]:
        """Up to `count` questions that the statements can answer."""
        return await _in_thread(partial(reflecting.questions, request))

    async def insights(self, request: InsightsRequest, call: Call | None = None) -> tuple[Insight, ...]:
        """Up to `count` generalisations that answer the question, each citing its statements."""
        return await _in_thread(partial(reflecting.insights, request))

    async def condense(self, request: CondenseRequest, call: Call | None = None) -> tuple[Insight, ...]:
        """At most `limit` insights that together cite what these cite."""
        return await _in_thread(partial(reflecting.condense, request))

    async def reconstruct(self, request: ReconstructRequest, call: Call | None = None) -> tuple[Fill, ...]:
        """Nothing: without a model nothing is made up."""
        return reconstructing.reconstruct(request)

    async def merge(self, request: MergeRequest, call: Call | None = None) -> Merged:
        """Whether the notes tell the same, and their merged or common wording."""
        return await _in_thread(partial(merging.merge, request))

    async def feedback(self, request: FeedbackRequest, call: Call | None = None) -> Feedback:
        """Whether a reaction is praise or blame, and how strong."""
        return await _in_thread(partial(reactions.feedback, request))


async def _in_thread(work: Callable[[], R]) -> R:
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
