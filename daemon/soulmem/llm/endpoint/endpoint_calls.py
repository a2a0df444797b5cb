"""Everything between a request that is to be made and its answer: whose turn it is, retries, deadline, breaker, ledger.

Used by `structured_output_ladder`, one `Work` a task. Invariants: a call is in the journal before it is sent, and is
closed there however it ends, called off included; whatever an endpoint may have charged for is charged to the budgets;
a breaker that is open is asked before anybody is made to wait or broken off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Generic, TypeVar

import anyio
import anyio.to_thread

from soulmem.core.schema.engine_tasks import Task
from soulmem.core.text.tokens import estimate_tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.endpoint.budgets import Budgets, cost_of
from soulmem.llm.endpoint.circuit_breaker import Breaker
from soulmem.llm.endpoint.endpoint_failures import EndpointError, Failure, Kind, left_alone, no_turn
from soulmem.llm.endpoint.endpoint_options import EngineOptions
from soulmem.llm.endpoint.openai_request import Ask, Endpoint, Reply
from soulmem.llm.endpoint.priority_limiter import PriorityLimiter
from soulmem.llm.endpoint.retries import TimeLeft, pause_ms
from soulmem.ports import Call, CallEnd, CallEntry, CallOutcome, Clock, Emit, Lane

A = TypeVar("A")

_LEAST_MS = 100.0  # with less time left, a call is not repeated
_ASIDE = frozenset({401, 402, 403})  # wrong settings of which an endpoint tires


@dataclass(frozen=True, slots=True)
class Verdict(Generic[A]):
    """What a reply was worth. `value` of an invalid one: what could still be made of it.

    `answer`: its JSON, of a valid one alone; `in_shape`: it kept to what its rung promises.
    """

    reply: Reply
    outcome: CallOutcome = CallOutcome.OK
    value: A | None = None
    answer: str | None = None
    error: str = ""
    in_shape: bool = True

    @property
    def valid(self) -> bool:
        return self.outcome is not CallOutcome.INVALID


@dataclass(slots=True)
class Work:
    """One task being done, and what it has taken so far. Made anew for every task."""

    task: Task
    model: str
    prompt_hash: str
    call: Call | None = None
    attempts: int = 0  # entered in the journal
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    calls_ms: float = 0.0
    left: TimeLeft | None = None

    @property
    def lane(self) -> Lane:
        return Lane.IDLE if self.call is None else self.call.lane


class Caller:
    """Makes the calls to one endpoint. For one event loop."""

    def __init__(
        self, options: EngineOptions, endpoint: Endpoint, budgets: Budgets, clock: Clock, emit: Emit, random: Random
    ) -> None:
        self._options, self._endpoint, self._budgets = options, endpoint, budgets
        self._clock, self._emit, self._random = clock, emit, random
        self.lanes = PriorityLimiter(options.concurrency)
        # a slow endpoint is away for those who wait, and not for those who do not
        self._breakers = {
            lane: Breaker(pause_ms=options.pause_s * 1000, longest_ms=options.pause_s * 20_000) for lane in Lane
        }

    def pause_ms(self, lane: Lane) -> int:
        """How long the endpoint is still left alone; 0 if it is not."""
        return self._breakers[lane].left_ms(self._clock.monotonic_ms())

    async def ask(self, work: Work, ask: Ask, judge: Callable[[Reply], Verdict[A]] | None = None) -> Verdict[A]:
        """Make a call, again if need be, and have its answer judged. Without a judge it is no work of the journal.

        Raises:
            EndpointError: when there is no answer within the deadline.
            SoulmemError: the storage errors, from the journal.
        """
        left, setting = self._time_left(work)
        failures = 0
        while True:
            if not self._breakers[work.lane].admits(self._clock.monotonic_ms()):
                raise EndpointError(left_alone(self.pause_ms(work.lane)))
            wait_s = left.ms / 1000 if work.lane is Lane.INTERACTIVE else None
            try:
                attempt = partial(self._attempt, work, ask, judge, left, setting)
                return await self.lanes.run(work.lane, attempt, wait_s=wait_s)
            except TimeoutError:
                raise EndpointError(no_turn()) from None
            except EndpointError as error:
                failures += 1
                pause = pause_ms(failures, self._random, retry_after_ms=error.failure.retry_after_ms)
                too_late = pause + _LEAST_MS > left.ms
                if not error.failure.passing or failures > self._options.retries or too_late:
                    raise
            await anyio.sleep(pause / 1000)
            left.spend(pause)

    def _time_left(self, work: Work) -> tuple[TimeLeft, str]:
        own = self._options.of_task(work.task).deadline_s
        waits = work.lane is Lane.INTERACTIVE
        if own is not None:
            limit, setting = own, f"engine.tasks.{work.task.value}.deadline_s"
        elif waits:
            limit, setting = self._options.interactive_deadline_s, "engine.interactive_deadline_s"
        else:
            limit, setting = self._options.deadline_s, "engine.deadline_s"
        if work.left is None or not waits:  # while somebody waits, one deadline holds for all calls of the task
            work.left = TimeLeft(self._clock.monotonic_ms, limit * 1000, somebody_waits=waits)
        return work.left, setting

    async def _attempt(
        self, work: Work, ask: Ask, judge: Callable[[Reply], Verdict[A]] | None, left: TimeLeft, setting: str
    ) -> Verdict[A]:
        """One HTTP request, in a slot; may be cancelled for somebody who talks."""
        breaker = self._breakers[work.lane]
        if not breaker.enter(self._clock.monotonic_ms()):
            raise EndpointError(left_alone(self.pause_ms(work.lane)))
        entered, answered = None, False
        started = self._clock.monotonic_ms()
        end = CallEnd(CallOutcome.PREEMPTED, rung=ask.rung)
        try:
            if work.call is not None and judge is not None:
                entered = await self._entered(work.call, work, ask)
            end = replace(end, tokens_in=_estimated(ask), estimated=True)
            reply = await self._endpoint.ask(ask, seconds=max(left.ms, 1.0) / 1000, setting=setting)
            with anyio.CancelScope(shield=True):  # it is paid for: whoever is called off now, the answer is kept
                verdict = await _judged(judge, reply)
            self._has_answered(work.lane)
            end, answered = _end_of(verdict, end), True
            return verdict
        except EndpointError as error:
            self._has_failed(work.lane, error.failure, left.ms - (self._clock.monotonic_ms() - started))
            end = _end_of_failure(error.failure, end)
            raise
        finally:
            breaker.abandoned()
            took = self._clock.monotonic_ms() - started
            if end.outcome is not CallOutcome.PREEMPTED:
                left.spend(took)
            await self._close(work, ask, entered, replace(end, took_ms=round(took, 1)), answered=answered)

    async def _entered(self, call: Call, work: Work, ask: Ask) -> int:
        work.attempts += 1
        entry = CallEntry(
            key=call.key,
            task=work.task,
            model=ask.model,
            lane=call.lane,
            prompt_hash=work.prompt_hash,
            attempt=work.attempts,
            run=call.run,
            at_ms=self._clock.now_ms(),
        )
        with anyio.CancelScope(shield=True):
            number = await call.journal.begin(entry)
        return number  # noqa: RET504 - by its type, a scope might swallow what is returned within

    async def _close(self, work: Work, ask: Ask, entered: int | None, end: CallEnd, *, answered: bool) -> None:
        """Count what the call took, wherever such things are counted."""
        end = replace(end, cost=cost_of(self._options.prices, ask.model, end.tokens_in, end.tokens_out))
        work.calls += 1
        work.tokens_in += end.tokens_in
        work.tokens_out += end.tokens_out
        work.calls_ms += end.took_ms
        call = work.call
        if call is not None and (end.tokens_in or end.tokens_out):
            self._budgets.charge(call.mind, call.run, end.tokens_in + end.tokens_out, end.cost)
        if answered:
            self._emit(
                "model_called",
                task=work.task.value,
                engine=f"openai:{self._options.model}",
                model=ask.model,
                tokens_in=end.tokens_in,
                tokens_out=end.tokens_out,
                ms=end.took_ms,
                outcome=end.outcome.value,
            )
        if call is not None and entered is not None:
            with anyio.CancelScope(shield=True):
                await call.journal.end(entered, end)

    def _has_answered(self, lane: Lane) -> None:
        """An answer to those who wait shows that it is back for all; one to those who do not may have been slow."""
        for each in Lane if lane is Lane.INTERACTIVE else (lane,):
            if self._breakers[each].succeeded():
                self._emit("breaker_closed", endpoint=self._named(each))

    def _has_failed(self, lane: Lane, failure: Failure, left_ms: float) -> None:
        if failure.kind is not Kind.AWAY:
            self._has_answered(lane)
            return
        if failure.misset and failure.status not in _ASIDE:
            return  # it is there; another model, or another path, may be served
        told = failure.retry_after_ms or 0
        now = self._clock.monotonic_ms()
        for each in (lane,) if failure.timed_out else Lane:
            pause = self._breakers[each].failed(now, retry_after_ms=told if told > left_ms else None)
            if pause is not None:
                self._emit("breaker_opened", endpoint=self._named(each), pause_ms=pause)

    def _named(self, lane: Lane) -> str:
        endpoint = self._endpoint.address.endpoint
        return f"{endpoint} (interactive)" if lane is Lane.INTERACTIVE else endpoint


async def _judged(judge: Callable[[Reply], Verdict[A]] | None, reply: Reply) -> Verdict[A]:
    """In a thread: finding quotations and mending JSON may take a while."""
    return Verdict(reply) if judge is None else await anyio.to_thread.run_sync(judge, reply)


def _estimated(ask: Ask) -> int:
    return sum(estimate_tokens(message["content"]) for message in ask.messages)


def _end_of(verdict: Verdict[A], sent: CallEnd) -> CallEnd:
    """`sent`: what was known when the request went out, its tokens estimated."""
    reply = verdict.reply
    counted = reply.tokens_in is not None and reply.tokens_out is not None
    return replace(
        sent,
        outcome=verdict.outcome,
        tokens_in=sent.tokens_in if reply.tokens_in is None else reply.tokens_in,
        tokens_out=estimate_tokens(reply.text) if reply.tokens_out is None else reply.tokens_out,
        estimated=not counted,
        answer=verdict.answer,
        error=verdict.error,
    )


def _end_of_failure(failure: Failure, sent: CallEnd) -> CallEnd:
    """Who refuses does no work; who did not answer in time, or answered nonsense, may have done it all."""
    if failure.timed_out:
        return replace(sent, outcome=CallOutcome.TIMEOUT, error=failure.message)
    if failure.kind is Kind.GARBLED:
        return replace(sent, outcome=CallOutcome.INVALID, error=failure.message)
    return replace(sent, outcome=CallOutcome.FAILED, tokens_in=0, estimated=False, error=failure.message)
