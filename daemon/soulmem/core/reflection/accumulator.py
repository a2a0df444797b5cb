"""Accumulator: when a mind has noted enough to think about it (algorithms.md §8.3).

What is noted adds its importance, 1 to 10 each; what is concluded adds nothing. A run takes the threshold away and
leaves the rest, so that as many runs are made as the sum holds thresholds: never one more, whoever asks how often.
Pure. Source: Park et al. 2023, Generative Agents, which resets to zero.
"""

from __future__ import annotations

from dataclasses import replace

from soulmem.fast_dataclasses import dataclass

RAW = 10  # of an importance of 1
LEAST_NOTED = 10  # notes between two runs
PAUSE_MS = 4 * 3_600_000
WINDOW_DAYS = 60  # how far back a run looks for what recurs


@dataclass(frozen=True, slots=True)
class Tally:
    """`carried`: what former runs left; `counted`: the last note that is in it; `noted`, `weight`: how many notes came
    since, and their importances together, 0 to 1 each; `last`: the latest of them.
    """

    carried: float
    counted: int
    runs: int = 0
    ran_at: int | None = None
    noted: int = 0
    weight: float = 0.0
    last: int = 0

    @property
    def total(self) -> float:
        return self.carried + RAW * self.weight


def is_due(tally: Tally, threshold: float, now: int) -> bool:
    """Whether it is time for a run. A clock that went back to before the last one keeps nobody from thinking."""
    rested = tally.ran_at is None or not 0 <= now - tally.ran_at < PAUSE_MS
    return tally.noted >= LEAST_NOTED and tally.total >= threshold and rested


def after_run(tally: Tally, threshold: float, now: int) -> Tally:
    """What is left when a run was made."""
    return replace(
        tally, carried=round(tally.total - threshold, 6), counted=max(tally.counted, tally.last), runs=tally.runs + 1,
        ran_at=now, noted=0, weight=0.0,
    )  # fmt: skip
