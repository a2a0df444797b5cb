"""What the engine behind an endpoint is told: where it is, which model does what, what it may cost.

Filled from the configuration by the composition root; nothing here reads a file or an environment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from soulmem.core.schema.engine_tasks import Task
from soulmem.fast_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """Money per million tokens, in the user's own currency."""

    input: float = 0.0
    output: float = 0.0


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """What differs for one task; None is as for all."""

    model: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    deadline_s: float | None = None


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """`base_url` is `http(s)://host:port/v1` or `unix:/path/of.sock[:/v1]`.

    `pause_s` is how long an endpoint is first left alone after three failures in a row.
    `deadline_s` bounds a call as a whole, its retries included, while nobody waits; `interactive_deadline_s` while
    somebody does. `patience_s` is how long work waits for an endpoint that is away before it is done without a model.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    temperature: float = 0.2
    max_tokens: int = 4096
    deadline_s: float = 300.0
    interactive_deadline_s: float = 4.0
    concurrency: int = 1
    retries: int = 2
    patience_s: float = 600.0
    pause_s: float = 30.0
    answer_bytes: int = 2_097_152
    tasks: Mapping[Task, TaskOptions] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    prompts_dir: Path | None = None
    capabilities_file: Path | None = None

    def of_task(self, task: Task) -> TaskOptions:
        return self.tasks.get(task, TaskOptions())


@dataclass(frozen=True, slots=True)
class BudgetOptions:
    """Limits of a UTC day and of one round of digestion; 0 is none. `cost_per_day` is in the currency of the prices."""

    tokens_per_day: int = 500_000
    tokens_per_mind: int = 0  # a day
    tokens_per_run: int = 100_000
    cost_per_day: float = 0.0
