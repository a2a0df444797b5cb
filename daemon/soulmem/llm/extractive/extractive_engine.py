"""The engine without a model: every task of the `LanguageModel` port by extraction, Chinese and English.

Made by the composition root, and asked by the engine with a model whenever that has no answer. It only ever repeats
what was said, with names and dates made explicit, and judges by words, dates and the embedder. The work runs in a
worker thread, so the event loop keeps answering; the same request gives the same answer, byte for byte. A task's module
is loaded when the task is first asked for: the words they know take longer to load than all else a daemon starts with.
"""

# What a task answers is known where it is defined, not where its module is loaded by name.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import anyio.to_thread

from soulmem.core.schema import engine_tasks as tasks
from soulmem.core.schema.detail_tasks import Fill, Misremembered, MisrememberRequest, ReconstructRequest
from soulmem.core.schema.note_requests import LinkDraft, LinkRequest, NoteDraft, SplitRequest, SummariseRequest, Summary
from soulmem.core.schema.sentence_accounting import Account, AccountRequest
from soulmem.ports import Call, Embedder
from soulmem.reading_lanes import in_turn


class ExtractiveEngine:
    """`LanguageModel` by extraction. With an embedder, likeness is also recognised in other words.

    Nothing is paid for here, so `call` is never looked at.
    """

    name = "extractive"

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder

    async def summarise(self, request: SummariseRequest, call: Call | None = None) -> Summary:
        """Roll the summary on by the request's turns; within `max_tokens`."""
        return await _run_task("summarise", "summarise", request, self._embedder)

    async def split(self, request: SplitRequest, call: Call | None = None) -> tuple[NoteDraft, ...]:
        """Cut an epoch into notes, each with verbatim quotes of its sources."""
        return await _run_task("split", "split", request)

    async def account(self, request: AccountRequest) -> Account:
        """What no note of these tells: as notes where it tells something, else with the reason."""
        return await _run_task("account", "account", request)

    async def link(self, request: LinkRequest, call: Call | None = None) -> tuple[LinkDraft, ...]:
        """Propose links among new and hot notes; at most 3·new + hot."""
        return await _run_task("link", "link", request)

    async def judge(self, request: tasks.JudgeRequest, call: Call | None = None) -> tasks.Judgement:
        """Whether the notes answer the questions, what is missing, and which of them were of use."""
        return await _run_task("judge", "judge", request, self._embedder)

    async def rate_importance(self, request: tasks.ImportanceRequest, call: Call | None = None) -> tuple[int, ...]:
        """1..10 for each item, in order."""
        return await _run_task("rate_importance", "rate", request)

    async def analyse_query(self, request: tasks.QueryRequest, call: Call | None = None) -> tasks.QueryAnalysis:
        """What is asked for, when it was, how hard to think, and the state the asker is in."""
        # Somebody waits, maybe with many others; whatever else is done here takes seconds, or nobody waits for it.
        return await in_turn(request.query, _task("analyse_query", "analyse", request), abandon_on_cancel=True)

    async def reconcile(
        self, request: tasks.ReconcileRequest, call: Call | None = None
    ) -> tuple[tasks.Reconciliation, ...]:
        """What each new fact is to the known ones, in order."""
        return await _run_task("reconcile", "reconcile", request)

    async def insights(self, request: tasks.InsightsRequest, call: Call | None = None) -> tuple[tasks.Insight, ...]:
        """None: nothing is concluded without a model but what is counted."""
        return ()

    async def identify(self, request: tasks.IdentifyRequest, call: Call | None = None) -> tuple[tasks.SameName, ...]:
        """Unsure of each pair: what rules can tell of two names is told before (`core/profiles/identities`)."""
        return tuple(tasks.SameName(pair.label, tasks.OneOrTwo.UNSURE) for pair in request.pairs)

    async def replay(self, request: tasks.ReplayRequest, call: Call | None = None) -> tuple[tasks.Operation, ...]:
        """None: without a model what lies between two notes ties them (`core/replay/closed_triads`)."""
        return ()

    async def reconstruct(self, request: ReconstructRequest, call: Call | None = None) -> tuple[Fill, ...]:
        """Nothing: without a model nothing is made up."""
        return await _run_task("reconstruct", "reconstruct", request)

    async def merge(self, request: tasks.MergeRequest, call: Call | None = None) -> tasks.Merged:
        """Whether the notes tell the same, and their merged or common wording."""
        return await _run_task("merge", "merge", request)

    async def feedback(self, request: tasks.FeedbackRequest, call: Call | None = None) -> tasks.Feedback:
        """Whether a reaction is praise or blame, and how strong."""
        return await _run_task("feedback", "feedback", request)

    async def misremember(self, request: MisrememberRequest, call: Call | None = None) -> tuple[Misremembered, ...]:
        """What each detail could be taken for: vaguer by its kind, or another of that kind."""
        return await _run_task("misremember", "misremember", request)


async def _run_task(module: str, name: str, *arguments: Any) -> Any:  # what that function answers
    return await anyio.to_thread.run_sync(_task(module, name, *arguments), abandon_on_cancel=True)


def _task(module: str, name: str, *arguments: Any) -> Callable[[], Any]:  # ditto
    """A task's function for a worker thread; its module is loaded there the first time, for some take a while."""

    def work() -> Any:  # ditto
        return getattr(import_module(f"soulmem.llm.extractive.tasks.{module}"), name)(*arguments)

    return work
