"""An engine at a scripted endpoint, with a journal and a log that keep everything and hold it to what is promised."""

from __future__ import annotations

from typing import Any

import anyio.lowlevel

from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.errors import SoulmemError
from soulmem.llm.endpoint.budgets import Budgets
from soulmem.llm.endpoint.endpoint_options import BudgetOptions, EngineOptions
from soulmem.llm.engine.model_engine import OpenAIEngine
from soulmem.llm.engine.sample_requests import sample
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.prompts import Prompts
from soulmem.ops.log.event_catalogue import catalogue
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ports import Call, CallEnd, CallEntry, CallOutcome, Lane, PastCalls

NOON = 1_778_328_000_000  # 9 May 2026, 12:00 UTC
KEY = "sk-very-secret"


class RecordingJournal:
    """The `Journal` port in memory. `broken`, if set, is raised instead of writing."""

    def __init__(self) -> None:
        self.entries: dict[int, CallEntry] = {}
        self.ends: dict[int, CallEnd] = {}
        self.lost: dict[str, int] = {}
        self.broken: SoulmemError | None = None

    async def past(self, key: str, prompt_hash: str) -> PastCalls:
        await anyio.lowlevel.checkpoint()
        answers = [
            self.ends[number].answer
            for number, entry in self.entries.items()
            if (entry.key, entry.prompt_hash) == (key, prompt_hash) and number in self.ends
        ]
        return PastCalls(next((answer for answer in answers if answer is not None), None), self.lost.get(key, 0))

    async def begin(self, entry: CallEntry) -> int:
        if self.broken is not None:
            raise self.broken
        await anyio.sleep(0.001)
        number = len(self.entries) + 1
        self.entries[number] = entry
        return number

    async def end(self, number: int, end: CallEnd) -> None:
        assert number in self.entries
        assert number not in self.ends, "closed twice"
        await anyio.sleep(0.001)
        self.ends[number] = end

    @property
    def outcomes(self) -> list[CallOutcome]:
        return [self.ends[number].outcome for number in self.entries]

    def check(self) -> None:
        """Every call that was entered was closed, in a way that the ports allow."""
        assert self.entries.keys() == self.ends.keys()
        for end in self.ends.values():
            assert end.outcome not in (CallOutcome.RUNNING, CallOutcome.LOST)
            assert (end.answer is not None) == (end.outcome in (CallOutcome.OK, CallOutcome.REPAIRED))
            assert end.took_ms >= 0
            assert min(end.tokens_in, end.tokens_out) >= 0
            assert end.rung
            assert "\n" not in end.error

    def call(self, key: str = "job-1", *, lane: Lane = Lane.IDLE, mind: str = "ann", **more: Any) -> Call:
        return Call(mind, key, self, lane, **more)


class RecordingLog:
    """The `Emit` port: keeps what was emitted, and holds it against the catalogue."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, event: str, /, **fields: Any) -> None:
        spec = catalogue()[event]
        assert spec.fault(fields) is None, spec.fault(fields)
        assert spec.type_fault(fields) is None, spec.type_fault(fields)
        self.events.append((event, fields))

    def of(self, name: str) -> list[dict[str, Any]]:
        return [fields for event, fields in self.events if event == name]


class Bench:
    """An engine, and everything around it that a test looks at."""

    def __init__(self, endpoint: ScriptedEndpoint, budget: BudgetOptions | None = None, **options: Any) -> None:
        self.endpoint = endpoint
        self.clock = SimulatedClock(NOON)
        self.journal, self.log = RecordingJournal(), RecordingLog()
        self.budgets = Budgets(budget or BudgetOptions(), self.clock, self.log)
        chosen: dict[str, Any] = {
            "base_url": endpoint.url,
            "model": "tiny",
            "api_key": KEY,
            "deadline_s": 10.0,
        } | options
        self.engine = OpenAIEngine(
            EngineOptions(**chosen), Prompts(), self.budgets, ExtractiveEngine(), self.clock, self.log
        )

    async def __aenter__(self) -> Bench:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.engine.aclose()
        assert KEY not in repr(self.log.events) + repr(self.journal.ends) + repr(self.engine.standing())

    async def do(self, task: Task, language: str = "en", *, key: str | None = None, **call: Any) -> Any:
        made = self.journal.call(key or f"{task.value}-{language}", **({"wanted_at_ms": NOON} | call))
        return await getattr(self.engine, task.value)(sample(task, language), made)


async def extractive(task: Task, language: str = "en") -> Any:
    return await getattr(ExtractiveEngine(), task.value)(sample(task, language))
