"""Decay forecast: what the coming days do to a memory if nobody talks till then.

Called by the forecast of a note. Decay is a formula and experienced time has one too, so what a note will look like on
a day is computed, never simulated: the curve bends where a silence grows long, because from there on time is
experienced slowly. Pure; traces in experienced milliseconds, days in wall days from now. Invariants: at most 120
points, evenly spaced, the first one now; what is told of a day is what a reader of that day would see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.experienced_time import ExperiencedTime
from soulmem.core.decay import pruning_policy
from soulmem.core.decay.pruning_policy import Exemption, NoteStanding
from soulmem.core.decay.traces import FAR_FUTURE_MS, Trace
from soulmem.fast_dataclasses import dataclass

MOST_POINTS = 120
FARTHEST_DAYS = 3_650
LEAST_DAYS = 14
_DIGITS = 6
_A_DAY_IN = (24, 12, 8, 6, 4, 3, 2, 1)  # parts of a day that people count in
_MOST_CHECKS = 4_000  # weekly looks at a note: more than seventy years


@dataclass(frozen=True, slots=True)
class Horizon:
    """From when and how far to look: `now_ms` is trusted wall time, `days` at least 1."""

    now_ms: int
    time: ExperiencedTime
    days: int

    @property
    def now_exp(self) -> int:
        return self.time.at(self.now_ms)

    def sampled(self) -> tuple[float, ...]:
        """The days that are looked at: whole parts of a day where they fit, else equal steps."""
        parts = next((parts for parts in _A_DAY_IN if parts * self.days < MOST_POINTS), None)
        steps = parts * self.days if parts else MOST_POINTS - 1
        return tuple(round(self.days * step / steps, _DIGITS) for step in range(steps + 1))

    def points(self, trace: Trace, *, dies_exp: int | None = None) -> list[tuple[float, float]]:
        """(day, strength) of a trace; nothing is left of it from `dies_exp` on."""
        found: list[tuple[float, float]] = []
        for day in self.sampled():
            at = self.time.at(self.now_ms + round(day * DAY_MS))
            gone = dies_exp is not None and at >= dies_exp
            found.append((day, 0.0 if gone else round(trace.strength(at), _DIGITS)))
        return found

    def level(self, strength: float) -> list[list[float]]:
        """The points of what does not fade."""
        return [[day, round(strength, _DIGITS)] for day in self.sampled()]


def days_until_gone(now_ms: int, time: ExperiencedTime, gone_exp: Iterable[int]) -> int:
    """How far to look to see the last of several things go: 14 to 3650 days, rounded up to a number one can say."""
    walls = [time.wall_at(at) for at in gone_exp if at < FAR_FUTURE_MS]
    last = max((wall for wall in walls if wall is not None), default=now_ms)
    needed = max(LEAST_DAYS, math.ceil((last - now_ms) / DAY_MS) + 1)
    step = 1 if needed <= 30 else 10 if needed <= 300 else 50
    return min(FARTHEST_DAYS, math.ceil(needed / step) * step)


@dataclass(frozen=True, slots=True)
class End:
    """When a note is forgotten for want of links, experienced time; None, and what it is `kept_by`."""

    at_exp: int | None
    kept_by: Exemption | None = None


def end_of(
    standing: NoteStanding, *, links_die: Sequence[int], evidence_until: int, clear_until: int, check: int | None,
    now_exp: int,
) -> End:  # fmt: skip
    """Follow the looks that the sweep will take at a note, until it finds nothing that keeps it.

    It is looked at when its last link dies (`links_die`), when the last of its details blurs (`clear_until`), when a
    time passes that kept it (`evidence_until`: the last link dies by which a reflection cites it, 0 if none does), and
    at `check`. What keeps it for good (a pin, lore, a detail that never blurs, undigested talk) is not waited for.
    """
    for_good = (
        (standing.pinned, Exemption.PINNED),
        (standing.lore, Exemption.LORE),
        (standing.in_open_epoch, Exemption.OPEN_EPOCH),
        (clear_until >= FAR_FUTURE_MS, Exemption.CLEAR),
    )
    for holds, reason in for_good:
        if holds:
            return End(None, reason)
    last = max(links_die, default=None)
    if last is not None and last >= FAR_FUTURE_MS:
        return End(None)
    events = [at for at in (last, clear_until) if at is not None and at > now_exp]
    if last is not None and last <= now_exp:
        check = now_exp
    for _ in range(_MOST_CHECKS):
        looks = [*events, *([check] if check is not None else [])]
        if not looks:
            return End(None)
        at = max(now_exp, min(looks))
        events = [event for event in events if event > at]
        check = None
        if last is None or at >= last:
            then = replace(standing, is_evidence=at <= evidence_until, has_clear_element=clear_until > at)
            kept_by = pruning_policy.exemption(then, at)
            if kept_by is None:
                return End(at)
            check = pruning_policy.next_check_ms(then, kept_by, at)
    return End(None)
