"""What is learnt of a recall from a judge, and what feedback on it came to, as its sender is told."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.edge_learning import JUDGED
from soulmem.store.graph.link_memory import LinkMemory
from soulmem.store.sqlite.row_hash import public_id


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verdict changed: `enhanced` and `penalised` count memory vectors."""

    recall: int
    enhanced: int = 0
    penalised: int = 0
    is_duplicate: bool = False
    is_recorded: bool = True
    warnings: tuple[str, ...] = ()
    memories: tuple[LinkMemory, ...] = field(default=(), repr=False)

    def view(self) -> dict[str, Any]:
        """As clients see it."""
        shown: dict[str, Any] = {
            "recall_id": public_id("r", self.recall),
            "applied": self.enhanced + self.penalised,
            "enhanced": self.enhanced,
            "penalised": self.penalised,
            "duplicate": self.is_duplicate,
        }
        return shown | ({"warnings": list(self.warnings)} if self.warnings else {})


@dataclass(frozen=True, slots=True)
class JudgeLesson:
    """What a judge found useful of a recall: notes, and links by number and direction; `weight` of it."""

    useful: tuple[int, ...]
    links: frozenset[tuple[int, bool]] = frozenset()
    weight: float = JUDGED
