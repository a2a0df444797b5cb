"""What digestion asks of the other workers of its mind, and what a round tells."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import field

from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.correction_step import DetailsOf
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.recalls import recall_records
from soulmem.store.sqlite.driver import Connection


@dataclass(slots=True)
class Report:
    """What one round of digestion did."""

    jobs: list[str] = field(default_factory=list)
    preempted: bool = False


@dataclass(frozen=True, slots=True)
class Needs:
    """What digestion waits for: the workers of the same mind."""

    summary_rolled: Callable[[], Awaitable[None]]
    recalls_done: Callable[[], Awaitable[None]]
    notes_absorbed: Callable[[], Awaitable[None]]
    hurry_summaries: Callable[[], None]
    wake: Callable[[str], None]
    blur: Callable[[int], Awaitable[int]]
    honour_requests: Callable[[EpochRow], Awaitable[int]]
    details_of: DetailsOf


def pending_recalls(connection: Connection) -> bool:
    """Whether any user message's recall is still to be run."""
    return bool(recall_records.pending(connection, 1))
