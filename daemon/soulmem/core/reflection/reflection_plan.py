"""Reflection plan: when a mind thinks about what it noted, and what becomes of its conclusions (algorithms.md §8.3).

Called by the step `reflect` with what recurs. What is noted adds its importance to an accumulator, 1 to 10 each; what
is concluded adds nothing. A run takes the threshold away and leaves the rest, so that as many runs are made as the sum
holds thresholds: never one more, whoever asks how often. Invariants: what stands is told once, and grows where it went
on; at most `MOST_NEW` are new in one run, the weightiest; what rests on nothing any more goes. Pure.

Source: Park et al. 2023, Generative Agents, which resets the sum to zero.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from soulmem.core.reflection.recurrence import Finding, Occasion, findings
from soulmem.fast_dataclasses import dataclass

MOST_NEW = 4
_MOST_LOOKED_AT = 50
_GROWN = 1.3  # times as many days
_SHARED = 0.6  # share of a finding's notes from which something that stands says it already


@dataclass(frozen=True, slots=True)
class Standing:
    """A reflection by counting, as it is. `is_shaken`: some of what it rests on was taken back, not only faded."""

    note: int
    topic: str
    evidence: frozenset[int]
    is_stale: bool = False
    is_shaken: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """`renewed`: by note, with what it says now; `kept`: it stands as it is; `gone`: nothing says it any more."""

    new: tuple[Finding, ...] = ()
    renewed: Mapping[int, Finding] = field(default_factory=dict)
    kept: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()


def plan(
    occasions: Sequence[Occasion], standing: Sequence[Standing], *, is_run: bool, again: Collection[int] = ()
) -> Plan:
    """What to do about what recurs.

    Args:
        standing: what was concluded before by counting, and rests on some of these notes or on what is gone.
        is_run: enough was noted to conclude something new.
        again: notes of which something new is concluded in any case.
    """
    renewed: dict[int, Finding] = {}
    kept, gone = list[int](), list[int]()
    for each in standing:
        if each.is_stale:
            own = [occasion for occasion in occasions if occasion.note in each.evidence]
            left = next((one for one in findings(own) if one.topic == each.topic), None)
            if left is not None:
                renewed[each.note] = left
            elif each.is_shaken or not own:
                gone.append(each.note)
            else:
                kept.append(each.note)
    if not is_run and not again:
        return Plan((), renewed, tuple(kept), tuple(gone))
    new = list[Finding]()
    stands = [each for each in standing if each.note not in gone]
    for found in findings(occasions)[:_MOST_LOOKED_AT]:
        cited = set(found.evidence)
        same = [each for each in stands if each.topic == found.topic and not cited.isdisjoint(each.evidence)]
        if same:
            latest = same[-1]
            if is_run and len(cited) >= _GROWN * len(latest.evidence) and latest.note not in kept:
                renewed[latest.note] = found
        elif (is_run or not cited.isdisjoint(again)) and not any(
            len(cited & each.evidence) >= _SHARED * len(cited) for each in stands
        ):
            new.append(found)
    return Plan(tuple(new[:MOST_NEW]), renewed, tuple(kept), tuple(gone))


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
