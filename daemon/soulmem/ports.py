"""The ports: what the mind needs from the world, as protocols. Adapters live in `embed/`, `llm/`, `ops/`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema import engine_tasks as tasks
from soulmem.core.schema.detail_tasks import Fill, Misremembered, MisrememberRequest, ReconstructRequest
from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import LinkDraft, LinkRequest, NoteDraft, SplitRequest, SummariseRequest, Summary
from soulmem.core.schema.sentence_accounting import Account, AccountRequest
from soulmem.fast_dataclasses import dataclass

FloatMatrix = NDArray[np.float32]
FloatVector = NDArray[np.float32]


BLIND_BELOW = 0.5
"""Share of known tokens under which an embedder's vector of a text means little: words lead there."""


class Clock(Protocol):
    """The one source of time. All values are integer milliseconds."""

    def now_ms(self) -> int:
        """Wall time, UTC."""
        ...

    def trusted_now_ms(self) -> int:
        """Wall time as decay uses it: an unexplained jump does not move it until it is accepted."""
        ...

    def monotonic_ms(self) -> float:
        """Real elapsed time since an arbitrary start, for durations; never simulated."""
        ...

    @property
    def suspect(self) -> bool:
        """True while the wall clock has jumped and nothing irreversible may happen."""
        ...

    @property
    def simulated(self) -> bool: ...


class Embedder(Protocol):
    """Turns text into unit vectors. Synchronous and thread-safe; callers run it in a worker thread."""

    @property
    def name(self) -> str:
        """For people: `minilm`, `hashing`, `openai:<model>`, `onnx:<folder name>`."""
        ...

    @property
    def fingerprint(self) -> str:
        """12 hex characters of what decides the vectors; equal fingerprints mean comparable vectors.

        What follows them says of which parts a vector is (`core.schema.two_part_vectors`).
        """
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Embed texts into an (n, dimension) float32 matrix with rows of unit length.

        Raises SoulmemError: `model_unavailable`, when an endpoint does not answer properly.
        """
        ...

    def coverage(self, text: str) -> float:
        """Share 0..1 of the text's tokens the model knows; below 0.5 its vector means little."""
        ...


class Embedding(Protocol):
    """The embedder at work: in the background for what was written, at once for what is asked."""

    @property
    def embedder(self) -> Embedder: ...

    def forget(self) -> None:
        """Remember no query and no text: one of them may say what was deleted."""
        ...

    async def embed_background(self, texts: Sequence[str]) -> FloatMatrix: ...

    async def readable(self, texts: Sequence[str]) -> list[bool]:
        """Whether the embedder reads enough of each text to embed it, in the background."""
        ...

    async def likenesses(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """The cosine of each two short texts, in any languages, in the background; None where one cannot be read."""
        ...

    def begin(self, text: str) -> None:
        """Begin to compute the vector of a query, for who will ask for it and has other work first."""
        ...

    async def embed_now(self, text: str, meanwhile: Callable[[], None] | None = None) -> FloatVector:
        """The vector of a query; `meanwhile` is called while it is computed, if it has to be."""
        ...


class Lane(StrEnum):
    """Who waits for a call of a language model: somebody who talks, or nobody."""

    INTERACTIVE = "interactive"
    IDLE = "idle"


class CallOutcome(StrEnum):
    """How a call of a language model ended."""

    RUNNING = "running"  # it was sent; found at start, it is entered as lost
    OK = "ok"  # the answer was valid as it stood
    REPAIRED = "repaired"  # valid after its JSON was mended
    INVALID = "invalid"  # no valid answer could be read from it
    FAILED = "failed"  # the endpoint refused, was not reached, or broke off
    TIMEOUT = "timeout"
    PREEMPTED = "preempted"  # broken off for somebody who talks
    LOST = "lost"  # in flight when the daemon died


@dataclass(frozen=True, slots=True)
class CallEntry:
    """What is known of a call before it is sent. `attempt` counts from 1 within one task's work."""

    key: str
    task: Task
    model: str
    lane: Lane
    prompt_hash: str
    attempt: int
    run: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class CallEnd:
    """What became of it. `answer` is kept for valid answers alone; `estimated`: the endpoint counted no tokens."""

    outcome: CallOutcome
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    took_ms: float = 0.0
    cost: float = 0.0
    rung: str = ""
    answer: str | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class PastCalls:
    """What a mind's ledger knows of a piece of work: a valid answer already paid for, and how many calls were lost."""

    answer: str | None = None
    lost: int = 0


class Journal(Protocol):
    """The ledger of one mind: every call is entered before it is sent and closed when it ended."""

    async def past(self, key: str, prompt_hash: str) -> PastCalls: ...

    async def begin(self, entry: CallEntry) -> int:
        """Enter a call durably; its number."""
        ...

    async def end(self, number: int, end: CallEnd) -> None: ...


@dataclass(frozen=True, slots=True)
class Call:
    """For whom a task is done. The same `key` and prompt is never paid for twice.

    `run` names the round of digestion it belongs to, for the budget of a run; `wanted_at_ms` is the wall time at which
    the work was first wanted, for how long it may wait for an endpoint that is away.
    """

    mind: str
    key: str
    journal: Journal
    lane: Lane = Lane.IDLE
    run: str = ""
    wanted_at_ms: int = 0


class LanguageModel(Protocol):
    """The tasks of a language model, each with its own request and answer.

    Every implementation answers properly or raises `model_unavailable` (with `retry_after_ms`): later, not never.
    Without a `call` nothing is entered into a ledger, and nobody's budget is charged.
    """

    @property
    def name(self) -> str:
        """For people: `extractive`, `openai:<model>`."""
        ...

    async def summarise(self, request: SummariseRequest, call: Call | None = None) -> Summary: ...

    async def split(self, request: SplitRequest, call: Call | None = None) -> tuple[NoteDraft, ...]: ...

    async def account(self, request: AccountRequest) -> Account:
        """What the notes leave untold: as notes of its own, or with the reason. Never the work of a model."""
        ...

    async def link(self, request: LinkRequest, call: Call | None = None) -> tuple[LinkDraft, ...]: ...

    async def judge(self, request: tasks.JudgeRequest, call: Call | None = None) -> tasks.Judgement: ...

    async def rate_importance(self, request: tasks.ImportanceRequest, call: Call | None = None) -> tuple[int, ...]: ...

    async def analyse_query(self, request: tasks.QueryRequest, call: Call | None = None) -> tasks.QueryAnalysis: ...

    async def reconcile(
        self, request: tasks.ReconcileRequest, call: Call | None = None
    ) -> tuple[tasks.Reconciliation, ...]: ...

    async def insights(self, request: tasks.InsightsRequest, call: Call | None = None) -> tuple[tasks.Insight, ...]: ...

    async def reconstruct(self, request: ReconstructRequest, call: Call | None = None) -> tuple[Fill, ...]: ...

    async def merge(self, request: tasks.MergeRequest, call: Call | None = None) -> tasks.Merged: ...

    async def feedback(self, request: tasks.FeedbackRequest, call: Call | None = None) -> tasks.Feedback: ...

    async def misremember(self, request: MisrememberRequest, call: Call | None = None) -> tuple[Misremembered, ...]: ...

    async def identify(
        self, request: tasks.IdentifyRequest, call: Call | None = None
    ) -> tuple[tasks.SameName, ...]: ...

    async def replay(self, request: tasks.ReplayRequest, call: Call | None = None) -> tuple[tasks.Operation, ...]: ...


class Emit(Protocol):
    """Writes one event of `schemas/events.json` to the log and to `events.watch`."""

    def __call__(self, event: str, /, **fields: Any) -> None: ...


class Notifier(Protocol):
    """Tells the service manager about our state (systemd's sd_notify)."""

    def notify(self, **fields: str) -> None: ...


class Underway(Protocol):
    """What background work is at, and how often the daemon died over it (`store/journal/work_in_progress`)."""

    def at(self, mind: str, step: str, items: Sequence[str] = ("",)) -> AbstractContextManager[None]: ...
    def deaths(self, mind: str, step: str, item: str = "") -> int: ...
    def is_set_aside(self, mind: str, step: str, item: str = "") -> bool: ...
    def aside(self, mind: str) -> list[tuple[str, str]]: ...
    def release(self, mind: str, ids: Collection[str] | None = None) -> list[tuple[str, str]]: ...


@dataclass(frozen=True, slots=True)
class World:
    """Everything a mind reaches beyond its own file."""

    clock: Clock
    emit: Emit
    embedding: Embedding
    model: LanguageModel
    underway: Underway
