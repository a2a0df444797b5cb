"""Plan items: what is intended from when until when, on which level, and what gives way to what (algorithms.md §8.4).

A day holds broad strokes, they hold hours, and those hold actions. Called by the plan service and by whoever shows
plans. Pure; times in UTC milliseconds, half-open. Invariants: on one level no two plans of one person that are still to
be kept overlap, for of two the newer wins; what is done, dropped or missed gives way to nothing; a part goes with the
whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from enum import StrEnum

from soulmem.core.calendar.calendar_math import DAY_MS, HOUR_MS, MINUTE_MS
from soulmem.fast_dataclasses import dataclass


class PlanLevel(StrEnum):
    """How broad a stroke is; coarse ones first."""

    DAY = "day"
    HOUR = "hour"
    ACTION = "action"


class PlanStatus(StrEnum):
    """What became of a plan, or is to."""

    PLANNED = "planned"
    ACTIVE = "active"
    DONE = "done"
    DROPPED = "dropped"
    MISSED = "missed"
    SUPERSEDED = "superseded"


LEVELS = tuple(PlanLevel)
LASTS_MS = {PlanLevel.DAY: DAY_MS, PlanLevel.HOUR: HOUR_MS, PlanLevel.ACTION: 15 * MINUTE_MS}
TO_KEEP = frozenset({PlanStatus.PLANNED, PlanStatus.ACTIVE})


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch of somebody's time on a level. `whose`: by which he is known from others; "" is the character."""

    level: PlanLevel
    start_ms: int
    end_ms: int
    whose: str = ""

    def meets(self, other: Slot) -> bool:
        """Whether both cannot be kept: they overlap, on one level, for one person."""
        return (
            self.level is other.level
            and self.whose == other.whose
            and self.start_ms < other.end_ms
            and other.start_ms < self.end_ms
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """A plan that is still to be kept, and the plan it is a part of."""

    plan: int
    slot: Slot
    parent: int | None = None


@dataclass(slots=True)
class Yielded:
    """What gives way, each plan to the place of a new one; None: to nothing that is planned instead.

    `over`: it is not to be kept any more; `cut`: from when on it is not.
    """

    over: dict[int, int | None] = field(default_factory=dict)
    cut: dict[int, tuple[int | None, int]] = field(default_factory=dict)


def finer(level: PlanLevel) -> tuple[PlanLevel, ...]:
    """A level and those that its strokes are made of."""
    return LEVELS[LEVELS.index(level) :]


def is_part(level: PlanLevel, whole: PlanLevel) -> bool:
    """Whether strokes of a level may be parts of those of another."""
    return LEVELS.index(level) > LEVELS.index(whole)


def clash(slots: Sequence[Slot]) -> tuple[int, int] | None:
    """The places of the first two that cannot both be kept; None where all can."""
    order = sorted(range(len(slots)), key=lambda place: (slots[place].level, slots[place].whose, slots[place].start_ms))
    furthest: int | None = None
    for place in order:
        if furthest is not None and slots[furthest].meets(slots[place]):
            return min(furthest, place), max(furthest, place)
        furthest = place
    return None


def giving_way(standing: Iterable[Standing], new: Sequence[Slot]) -> Yielded:
    """What of what stands gives way to what is new: what has begun before ends where that begins."""
    found = Yielded()
    ordered = sorted(range(len(new)), key=lambda place: new[place].start_ms)
    for each in standing:
        by = next((place for place in ordered if new[place].meets(each.slot)), None)
        if by is None:
            continue
        if each.slot.start_ms < new[by].start_ms:
            found.cut[each.plan] = by, new[by].start_ms
        else:
            found.over[each.plan] = by
    return found


def from_then_on(
    standing: Iterable[Standing], begin_ms: int, end_ms: int | None, new: Sequence[Slot]
) -> Yielded:  # fmt: skip
    """Everything that begins from a time on, and before another, gives way; what runs at that time ends there.

    Each to the new plan that takes its time, else to the first.
    """
    found = Yielded()
    for each in standing:
        slot = each.slot
        if slot.end_ms <= begin_ms or (end_ms is not None and slot.start_ms >= end_ms):
            continue
        by = next((place for place, other in enumerate(new) if other.meets(slot)), 0 if new else None)
        if slot.start_ms < begin_ms:
            found.cut[each.plan] = by, begin_ms
        else:
            found.over[each.plan] = by
    return found


def with_parts(yielded: Yielded, parts: Iterable[Standing]) -> Yielded:
    """The same with the parts of what gives way: those of what is over, and of what is cut those that come after.

    Args: parts: of every depth, a whole before its parts.
    """
    over, cut = dict(yielded.over), dict(yielded.cut)
    for each in parts:
        if each.plan in over or each.parent is None:
            continue
        if each.parent in over:
            over[each.plan] = over[each.parent]
            cut.pop(each.plan, None)
        elif each.parent in cut and each.slot.end_ms > cut[each.parent][1]:
            by, at = cut[each.parent]
            if each.slot.start_ms >= at:
                over[each.plan] = by
                cut.pop(each.plan, None)
            elif each.plan not in cut or cut[each.plan][1] > at:
                cut[each.plan] = by, at
    return Yielded(over, cut)


def status_of(stored: PlanStatus, start_ms: int, end_ms: int, now_ms: int, *, is_over: bool) -> PlanStatus:
    """What a plan is now. What was settled stays so; else what gave way is superseded; else time tells."""
    if stored in (PlanStatus.DONE, PlanStatus.DROPPED):
        return stored
    if is_over:
        return PlanStatus.SUPERSEDED
    if stored is PlanStatus.PLANNED and start_ms <= now_ms < end_ms:
        return PlanStatus.ACTIVE
    return stored
