"""The engine with a model: every task of the `LanguageModel` port by way of an OpenAI-compatible endpoint.

Made by the composition root with the engine that stands in for it. Invariants: a task is answered properly or raises
`model_unavailable`, which only work that nobody waits for does, and for `patience_s` at most; an answer that was paid
for is never paid for again; a piece of work at which calls were lost twice is not given to the model a third time.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread

from soulmem.core.schema import engine_tasks as tasks
from soulmem.core.schema.detail_tasks import Fill, Misremembered, MisrememberRequest, ReconstructRequest
from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import (
    LinkDraft,
    LinkRequest,
    NoteDraft,
    SplitRequest,
    SummariseRequest,
    Summary,
    TaskRequest,
)
from soulmem.core.schema.sentence_accounting import Account, AccountRequest
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.contracts.analyse_query import ANALYSE_QUERY
from soulmem.llm.contracts.feedback import FEEDBACK
from soulmem.llm.contracts.identify import IDENTIFY
from soulmem.llm.contracts.insights import INSIGHTS
from soulmem.llm.contracts.judge import JUDGE
from soulmem.llm.contracts.link import LINK
from soulmem.llm.contracts.merge import MERGE
from soulmem.llm.contracts.misremember import MISREMEMBER
from soulmem.llm.contracts.parts.contract_base import Contract
from soulmem.llm.contracts.rate_importance import RATE_IMPORTANCE
from soulmem.llm.contracts.reconcile import RECONCILE
from soulmem.llm.contracts.reconstruct import RECONSTRUCT
from soulmem.llm.contracts.replay import REPLAY
from soulmem.llm.contracts.split import SPLIT
from soulmem.llm.contracts.summarise import SUMMARISE
from soulmem.llm.endpoint.budgets import Budgets
from soulmem.llm.endpoint.capabilities import Capabilities, Capability
from soulmem.llm.endpoint.endpoint_calls import Caller, Work
from soulmem.llm.endpoint.endpoint_failures import EndpointError, Failure, Kind
from soulmem.llm.endpoint.endpoint_options import EngineOptions
from soulmem.llm.endpoint.openai_request import Endpoint
from soulmem.llm.engine.epoch_parts import joined, parts_of
from soulmem.llm.engine.structured_output_ladder import Ladder, Question, UnansweredError, reread
from soulmem.ports import Call, Clock, Emit, Lane, LanguageModel

if TYPE_CHECKING:
    from soulmem.llm.prompts import Prompt, Prompts

Q = TypeVar("Q", bound=TaskRequest)
A = TypeVar("A")

_MOST_LOST = 2
_AGAIN_MS = 30_000  # when to come back to an endpoint that does not say
_MISSET_AGAIN_MS = 60_000


@dataclass(frozen=True, slots=True)
class Report:
    """How a task went the last time. `rung` and `error` are empty where there was none."""

    task: Task
    model: str
    answered: bool  # by the model
    rung: str
    calls: int
    took_ms: float
    tokens_in: int
    tokens_out: int
    error: str = ""
    hint: str = ""


class OpenAIEngine:
    """`LanguageModel` behind an endpoint. For one event loop."""

    def __init__(
        self,
        options: EngineOptions,
        prompts: Prompts,
        budgets: Budgets,
        fallback: LanguageModel,
        clock: Clock,
        emit: Emit,
    ) -> None:
        """Asks nothing of the endpoint yet. Raises SoulmemError: `model_unavailable`, when `base_url` cannot be one."""
        self._options, self._prompts, self._budgets, self._fallback = options, prompts, budgets, fallback
        self._clock, self._emit = clock, emit
        self._endpoint = Endpoint(options, clock)
        self._caller = Caller(options, self._endpoint, budgets, clock, emit, Random())  # noqa: S311 - spreads pauses
        self._capabilities = Capabilities(options.capabilities_file, self._endpoint.address.shown)
        self._ladder = Ladder(options, self._caller, self._capabilities, prompts)
        self._reports: dict[Task, Report] = {}

    @property
    def name(self) -> str:
        return f"openai:{self._options.model}"

    async def open(self) -> None:
        """Load what the first call would have to wait for; the endpoint is not asked."""
        await self._endpoint.open()

    async def aclose(self) -> None:
        """Let go of the endpoint's connections; the engine may be used again."""
        await self._endpoint.aclose()

    async def summarise(self, request: SummariseRequest, call: Call | None = None) -> Summary:
        """As the port says; the last lines of a talk that is over are summed up without the model.

        The splitter reads the same messages themselves a moment later, so the model would be paid for reading them
        twice, for a summary that nobody is shown.
        """
        if request.is_last:
            return await self._fallback.summarise(request, call)
        return await self._perform(SUMMARISE, request, call, self._fallback.summarise)

    async def split(self, request: SplitRequest, call: Call | None = None) -> tuple[NoteDraft, ...]:
        parts = [
            await self._perform(SPLIT, part, call, self._fallback.split) for part in parts_of(request)
        ]  # under one key: what tells them apart in the ledger is their words
        return parts[0] if len(parts) == 1 else joined(parts)

    async def account(self, request: AccountRequest) -> Account:
        return await self._fallback.account(request)  # a count of what was said is no matter of opinion

    async def link(self, request: LinkRequest, call: Call | None = None) -> tuple[LinkDraft, ...]:
        return await self._perform(LINK, request, call, self._fallback.link)

    async def judge(self, request: tasks.JudgeRequest, call: Call | None = None) -> tasks.Judgement:
        async def guess(request: tasks.JudgeRequest, call: Call | None) -> tasks.Judgement:
            return replace(await self._fallback.judge(request, call), is_guess=True)

        return await self._perform(JUDGE, request, call, guess)

    async def rate_importance(self, request: tasks.ImportanceRequest, call: Call | None = None) -> tuple[int, ...]:
        return await self._perform(RATE_IMPORTANCE, request, call, self._fallback.rate_importance)

    async def analyse_query(self, request: tasks.QueryRequest, call: Call | None = None) -> tasks.QueryAnalysis:
        return await self._perform(ANALYSE_QUERY, request, call, self._fallback.analyse_query)

    async def reconcile(
        self, request: tasks.ReconcileRequest, call: Call | None = None
    ) -> tuple[tasks.Reconciliation, ...]:
        return await self._perform(RECONCILE, request, call, self._fallback.reconcile)

    async def insights(self, request: tasks.InsightsRequest, call: Call | None = None) -> tuple[tasks.Insight, ...]:
        return await self._perform(INSIGHTS, request, call, self._fallback.insights)

    async def reconstruct(self, request: ReconstructRequest, call: Call | None = None) -> tuple[Fill, ...]:
        return await self._perform(RECONSTRUCT, request, call, self._fallback.reconstruct)

    async def merge(self, request: tasks.MergeRequest, call: Call | None = None) -> tasks.Merged:
        return await self._perform(MERGE, request, call, self._fallback.merge)

    async def feedback(self, request: tasks.FeedbackRequest, call: Call | None = None) -> tasks.Feedback:
        return await self._perform(FEEDBACK, request, call, self._fallback.feedback)

    async def misremember(self, request: MisrememberRequest, call: Call | None = None) -> tuple[Misremembered, ...]:
        return await self._perform(MISREMEMBER, request, call, self._fallback.misremember)

    async def identify(self, request: tasks.IdentifyRequest, call: Call | None = None) -> tuple[tasks.SameName, ...]:
        return await self._perform(IDENTIFY, request, call, self._fallback.identify)

    async def replay(self, request: tasks.ReplayRequest, call: Call | None = None) -> tuple[tasks.Operation, ...]:
        return await self._perform(REPLAY, request, call, self._fallback.replay)

    def report(self, task: Task) -> Report | None:
        """How the task went the last time it was put to the model; None if it never was."""
        return self._reports.get(task)

    def standing(self) -> dict[str, Any]:
        """The endpoint as `system.status` shows it; no credentials."""
        idle, interactive = (self._caller.pause_ms(lane) for lane in (Lane.IDLE, Lane.INTERACTIVE))
        return {
            "endpoint": self._endpoint.address.shown,
            "model": self._options.model,
            "pause_ms": idle,
            "interactive_pause_ms": interactive,
            "calls_running": self._caller.lanes.running,
            "calls_waiting": sum(self._caller.lanes.waiting(lane) for lane in Lane),
            "rungs": {model: known.rung.value for model, known in self._capabilities.all().items()},
            "answers": self.counts(),
        }

    def counts(self) -> dict[str, int]:
        """How answers were come by: `json_schema.ok`, `text.repaired`, …, and `extractive`, since the start."""
        counts: dict[str, int] = {}
        for (_, rung, outcome), count in self._ladder.counts.items():
            name = f"{rung}.{outcome}" if outcome else rung
            counts[name] = counts.get(name, 0) + count
        return counts

    async def probe(self, model: str | None = None) -> Capability:
        """Find out anew what a model can be held to.

        Raises SoulmemError: `model_unavailable`, one line and the setting to mend.
        """
        model = model or self._options.model
        try:
            return await self._ladder.probe(Work(Task.SUMMARISE, model, prompt_hash=""))
        except EndpointError as error:
            raise self._unavailable(error.failure) from error
        finally:
            await self._remember()

    async def _perform(
        self,
        contract: Contract[Q, Any, A],
        request: Q,
        call: Call | None,
        fallback: Callable[[Q, Call | None], Awaitable[A]],
    ) -> A:
        question = await anyio.to_thread.run_sync(self._put, contract, request)  # a long talk takes 0.2 s to put
        model = self._options.of_task(contract.task).model or self._options.model
        work = Work(contract.task, model, _hash(contract.task, question.prompt), call)
        try:
            if call is not None:
                past = await call.journal.past(call.key, work.prompt_hash)
                if past.answer is not None:
                    known = await anyio.to_thread.run_sync(reread, question, past.answer)
                    if known.valid:
                        return known.value  # type: ignore[return-value]  # a valid verdict has one
                if past.lost >= _MOST_LOST:
                    return await self._instead(fallback, request, work, "lost")
                if self._budgets.exhausted(call.mind, call.run) is not None:
                    self._count_extractive(contract.task)
                    return await fallback(request, call)
            value = await self._ladder.climb(question, work)
        except UnansweredError as error:
            return await self._instead(fallback, request, work, "invalid_answer", str(error))
        except EndpointError as error:
            failure = error.failure
            if failure.kind is Kind.AWAY and self._may_wait(call):
                self._report(work, failure.message, failure.hint)
                raise self._unavailable(failure) from error
            name = "model_unavailable" if failure.kind is Kind.AWAY else failure.kind.value
            return await self._instead(fallback, request, work, name, failure.message, failure.hint)
        except SoulmemError as error:  # the journal's: without it nothing is sent
            if work.lane is Lane.IDLE:
                raise
            return await self._instead(fallback, request, work, error.name.value)
        finally:
            await self._remember()
        self._report(work)
        return value

    def _put(self, contract: Contract[Q, Any, A], request: Q) -> Question[Q, A]:
        language = self._prompts.language(request.language, contract.sample(request))
        prompt = self._prompts.render(contract.task, language, contract.describe(request))
        return Question(contract, request, prompt, language)

    async def _instead(
        self,
        fallback: Callable[[Q, Call | None], Awaitable[A]],
        request: Q,
        work: Work,
        error: str,
        message: str = "",
        hint: str = "",
    ) -> A:
        """The answer without a model, and a word about it."""
        self._count_extractive(work.task)
        self._report(work, message or error, hint)
        self._emit("model_failed", task=work.task.value, engine=self.name, error=error)
        return await fallback(request, work.call)

    def _count_extractive(self, task: Task) -> None:
        self._ladder.counts[task, "extractive", ""] += 1

    def _may_wait(self, call: Call | None) -> bool:
        """Whether there is time for the endpoint to come back."""
        if call is None or call.lane is not Lane.IDLE:
            return False
        return self._clock.now_ms() - call.wanted_at_ms < self._options.patience_s * 1000

    def _unavailable(self, failure: Failure) -> SoulmemError:
        again_ms = _MISSET_AGAIN_MS if failure.misset else _AGAIN_MS
        return SoulmemError(
            ErrorName.MODEL_UNAVAILABLE,
            f"the endpoint {self._endpoint.address.shown} {failure.message}",
            hint=failure.hint,
            retry_after_ms=self._caller.pause_ms(Lane.IDLE) or failure.retry_after_ms or again_ms,
        )

    def _report(self, work: Work, error: str = "", hint: str = "") -> None:
        self._reports[work.task] = Report(
            task=work.task,
            model=work.model,
            answered=not error,
            rung=self._capabilities.of(work.model).rung.value,
            calls=work.calls,
            took_ms=round(work.calls_ms, 1),
            tokens_in=work.tokens_in,
            tokens_out=work.tokens_out,
            error=error,
            hint=hint,
        )

    async def _remember(self) -> None:
        if self._capabilities.unsaved:
            # without the file the worst is one tiny call too many
            with contextlib.suppress(OSError), anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(self._capabilities.save)


def _hash(task: Task, prompt: Prompt) -> str:
    """What makes two requests the same: the task and its words, whichever model answered them."""
    text = "\x00".join((task.value, prompt.system, prompt.user))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
