"""What one depth of recall may spend on spreading."""

from __future__ import annotations

from soulmem.fast_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """What one depth may spend. `enough`: so many notes of tier 1 make tier 2 unnecessary; None: it always runs."""

    seeds: int  # of each sub-question
    max_notes: int
    max_depth: int
    teleport: float
    top_k: int
    delta: float
    enough: int | None = None


# As in §3.2, but for the delta of normal: with 1e-4 it takes three times as long for two points on one of two sets.
BUDGETS: dict[str, Budget] = {
    "skim": Budget(seeds=3, max_notes=12, max_depth=2, teleport=0.6, top_k=5, delta=1e-3, enough=3),
    "normal": Budget(seeds=5, max_notes=32, max_depth=4, teleport=0.5, top_k=10, delta=2e-4),
    # A hard question that is answered at once: what was learnt is followed as far as deep, at the price of normal.
    "hard": Budget(seeds=5, max_notes=64, max_depth=5, teleport=0.5, top_k=10, delta=2e-4),
    "deep": Budget(seeds=8, max_notes=64, max_depth=5, teleport=0.3, top_k=20, delta=3e-5),
}
