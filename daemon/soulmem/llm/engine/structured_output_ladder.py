"""Structured output ladder: from a task to a valid answer, by ever weaker ways of holding a model to its shape.

Used by `engine`. json_schema, json_object, plain text, whichever the endpoint is known to hold to; what comes back
is read strictly, then mended; one retry carries the error; then what the first answer was good for, if anything, else
`UnansweredError`, and the caller takes the extractive answer. Every rung and outcome is counted. Invariant: whatever
is returned went through the contract's checks.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import ValidationError

from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import TaskRequest
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.endpoint.capabilities import Capabilities, Capability, Rung, holds, probe, response_format
from soulmem.llm.endpoint.endpoint_calls import Caller, Verdict, Work
from soulmem.llm.endpoint.endpoint_failures import EndpointError, Feature, Kind
from soulmem.llm.endpoint.endpoint_options import EngineOptions
from soulmem.llm.endpoint.json_parsing import UnreadableError, find_object
from soulmem.llm.endpoint.openai_request import Ask, Message, Reply
from soulmem.llm.engine.answer_schema import strict_schema
from soulmem.ports import CallOutcome, Lane

if TYPE_CHECKING:
    from soulmem.llm.prompts import Prompt, Prompts

Q = TypeVar("Q", bound=TaskRequest)
A = TypeVar("A")

_STEPS = 8  # every parameter there is may be refused once, and an answer rejected once
_SHOWN_CHARS = 4000  # of a rejected answer, when the model is shown it again
_SHOWN_ERRORS = 5

_schema = cache(strict_schema)


class UnansweredError(Exception):
    """The model answered, and nothing usable came of it."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Q, A]):
    """A task's request together with its words in one language."""

    contract: Contract[Q, Any, A]
    request: Q
    prompt: Prompt
    language: str


def judged(question: Question[Q, A], reply: Reply, *, last: bool) -> Verdict[A]:
    """What an answer is worth. One that was cut off, or is right in parts, passes only if there will be no other."""
    contract = question.contract
    complaint = ""
    try:
        if reply.declined:
            raise RejectedAnswerError("the model declined to answer")
        if not reply.text.strip():
            raise UnreadableError("the answer was cut off before it began" if reply.cut else "the answer is empty")
        found = find_object(reply.text, _fields(contract.answer))
        try:
            value = contract.read(contract.answer.model_validate(found.value), question.request)
        except RejectedAnswerError as error:
            if error.rest is None:
                raise
            value, complaint = error.rest, str(error)
    except RejectedAnswerError as error:
        return Verdict(reply, CallOutcome.INVALID, error=str(error))
    except ValidationError as error:
        return Verdict(reply, CallOutcome.INVALID, error=_listed(error), in_shape=False)
    except UnreadableError as error:
        return Verdict(reply, CallOutcome.INVALID, error=str(error), in_shape=False)
    except Exception as error:  # nothing a model says may get further than this
        return Verdict(reply, CallOutcome.INVALID, error=type(error).__name__)
    if found.cut:
        complaint = "the answer was cut off; answer more briefly"
    if complaint and not last:
        return Verdict(reply, CallOutcome.INVALID, value, error=complaint, in_shape=not found.mended)
    outcome = CallOutcome.REPAIRED if found.mended or complaint else CallOutcome.OK
    answer = json.dumps(found.value, ensure_ascii=False, separators=(",", ":"))
    return Verdict(reply, outcome, value, answer, complaint, in_shape=not found.mended)


def reread(question: Question[Q, A], answer: str) -> Verdict[A]:
    """What an answer of the journal is worth today."""
    return judged(question, Reply(answer), last=True)


def _fields(answer: type[Answer]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in answer.model_fields.items())


def _listed(error: ValidationError) -> str:
    """The first few faults, without the values: `notes.0.text: Field required`."""
    faults = [
        f"{'.'.join(str(part) for part in fault['loc']) or 'answer'}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return "; ".join(faults[:_SHOWN_ERRORS])


class Ladder:
    """Gets tasks answered. `counts`: (task, rung, outcome) to how many answers."""

    def __init__(self, options: EngineOptions, caller: Caller, capabilities: Capabilities, prompts: Prompts) -> None:
        self._options, self._caller, self._prompts = options, caller, prompts
        self._capabilities = capabilities
        self.counts: Counter[tuple[Task, str, str]] = Counter()

    async def climb(self, question: Question[Q, A], work: Work) -> A:
        """The model's valid answer.

        Raises UnansweredError: when it gave none; EndpointError: when there was no answer at all; SoulmemError: the
        storage errors, from the journal.
        """
        if work.lane is Lane.IDLE and not self._capabilities.of(work.model).probed:
            await self.probe(work)
        rejected: Verdict[A] | None = None
        repeated = False
        for _ in range(_STEPS):
            known = self._capabilities.of(work.model)
            ask = self._ask(question, work, known, rejected)
            try:
                verdict = await self._caller.ask(work, ask, partial(judged, question, last=repeated))
            except EndpointError as error:
                failure = error.failure
                if failure.kind is Kind.UNSUPPORTED and self._capabilities.refused(work.model, failure.feature, known):
                    continue
                if failure.kind is Kind.GARBLED:
                    self.counts[work.task, known.rung.value, "garbled"] += 1
                if failure.kind is Kind.GARBLED and not repeated:
                    repeated = True
                    continue
                if rejected is not None and rejected.value is not None:
                    return self._rest(work, known, rejected.value)
                raise
            self._note(work, known, verdict)
            if verdict.valid:
                return verdict.value  # type: ignore[return-value]  # a valid verdict has one, and it may well be None
            if repeated and rejected is not None and rejected.value is not None:
                return self._rest(work, known, rejected.value)
            if repeated or verdict.reply.declined:
                raise UnansweredError(verdict.error)
            rejected, repeated = verdict, True
        raise UnansweredError("the endpoint refuses every form of the request")

    async def probe(self, work: Work) -> Capability:
        """Find out by tiny calls what the model can be held to.

        Raises EndpointError: when it cannot be found out now.
        """
        rung, name = Rung.JSON_SCHEMA, ""
        for _ in range(_STEPS):
            if rung is Rung.TEXT:
                break
            known = self._capabilities.of(work.model)
            try:
                verdict: Verdict[None] = await self._caller.ask(work, probe(work.model, rung, known))
                name = verdict.reply.model
                if holds(verdict.reply, rung):
                    break
            except EndpointError as error:
                if error.failure.kind is Kind.AWAY:
                    raise
                if error.failure.feature is Feature.MAX_TOKENS and self._capabilities.refused(
                    work.model, Feature.MAX_TOKENS, known
                ):
                    continue
            rung = rung.next
        return self._capabilities.found(work.model, rung, name)

    def _ask(self, question: Question[Q, A], work: Work, known: Capability, rejected: Verdict[A] | None) -> Ask:
        own, prompt, language = self._options.of_task(work.task), question.prompt, question.language
        schema = _schema(question.contract)
        shape = self._prompts.shape(language, schema)
        user = prompt.user if known.rung is Rung.JSON_SCHEMA else f"{prompt.user}\n\n{shape}"
        messages = [_message("system", prompt.system), _message("user", user)]
        max_tokens = own.max_tokens or self._options.max_tokens
        if rejected is not None:
            complaint = self._prompts.retry(language, rejected.error)
            if known.rung is Rung.JSON_SCHEMA and not rejected.in_shape:  # which the endpoint does not hold to
                complaint = f"{complaint}\n\n{shape}"
            said = rejected.reply.text.strip()[:_SHOWN_CHARS]
            if said:
                messages += [_message("assistant", said), _message("user", complaint)]
            else:
                messages[1] = _message("user", f"{user}\n\n{complaint}")
            if rejected.reply.cut:
                max_tokens *= 2
        temperature = self._options.temperature if own.temperature is None else own.temperature
        return Ask(
            model=work.model,
            messages=tuple(message for message in messages if message["content"]),
            max_tokens=max_tokens,
            temperature=temperature if known.takes_temperature else None,
            response_format=response_format(known.rung, schema),
            takes_max_tokens=known.takes_max_tokens,
            rung=known.rung.value,
        )

    def _rest(self, work: Work, known: Capability, value: A) -> A:
        """What could be made of a first answer, when the second brought no better."""
        self.counts[work.task, known.rung.value, "rest"] += 1
        return value

    def _note(self, work: Work, known: Capability, verdict: Verdict[A]) -> None:
        self.counts[work.task, known.rung.value, verdict.outcome.value] += 1
        by = verdict.reply.model
        self._capabilities.answered(work.model, known, by=by, in_shape=verdict.in_shape)


def _message(role: str, content: str) -> Message:
    return {"role": role, "content": content}
