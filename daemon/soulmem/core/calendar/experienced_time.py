"""Experienced time: the clock by which a mind forgets.

A silence passes at full speed for `dormancy_after` and slowly after it, so a friend who returns after a year
is not a stranger. Owned by the mind: it stores one `ExperiencedTime` (two anchors) and touches it at every
activity; traces, their due times and the sweep all count in its milliseconds. Invariants: it never runs
backwards, whatever the wall clock does; a touch moves it nowhere; between two touches it is a pure function
of wall time with an exact inverse. Integer arithmetic throughout, so nothing drifts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class ExperiencedTime:
    """Anchored at the last activity: wall time `wall_anchor_ms` was experienced time `exp_anchor_ms`.

    `dormancy_rate_ppm`: speed after `dormancy_after_ms` of silence, in millionths; 1,000,000 is plain wall
    time, 0 stops. A new mind is anchored with both equal.
    """

    wall_anchor_ms: int
    exp_anchor_ms: int
    dormancy_after_ms: int = 3 * DAY_MS
    dormancy_rate_ppm: int = 100_000

    def __post_init__(self) -> None:
        if self.dormancy_after_ms < 0 or not 0 <= self.dormancy_rate_ppm <= _MILLION:
            raise ValueError(f"not a dormancy: {self!r}")

    def at(self, wall_ms: int) -> int:
        """Experienced time at a wall time, if nothing happened since the anchor; before it, the anchor."""
        return self.exp_anchor_ms + self.lived(max(0, wall_ms - self.wall_anchor_ms))

    def lived(self, silence_ms: int) -> int:
        """How much of a silence is experienced."""
        awake = min(silence_ms, self.dormancy_after_ms)
        return awake + (silence_ms - awake) * self.dormancy_rate_ppm // _MILLION

    def touch(self, wall_ms: int) -> ExperiencedTime:
        """Re-anchor at an activity. One dated before the anchor (a clock stepped back) changes nothing."""
        if wall_ms <= self.wall_anchor_ms:
            return self
        # Every message comes through here; `replace` costs three times as much.
        return ExperiencedTime(wall_ms, self.at(wall_ms), self.dormancy_after_ms, self.dormancy_rate_ppm)

    def wall_at(self, exp_ms: int) -> int | None:
        """First wall time at which `exp_ms` is reached if nothing happens any more; None if never.

        For a moment already passed: the anchor's wall time less the difference, an estimate for display.
        """
        ahead = exp_ms - self.exp_anchor_ms
        if ahead <= self.dormancy_after_ms:
            return self.wall_anchor_ms + ahead
        if self.dormancy_rate_ppm == 0:
            return None
        dormant = ahead - self.dormancy_after_ms
        return self.wall_anchor_ms + self.dormancy_after_ms - (-dormant * _MILLION // self.dormancy_rate_ppm)

    def rebase(self, *, before_ms: int, after_ms: int) -> ExperiencedTime:
        """Follow the wall clock over an accepted correction: `before_ms` and `after_ms` are one moment.

        For a clock set back for good; without it experienced time would stand still until it caught up.
        """
        return replace(self, wall_anchor_ms=after_ms, exp_anchor_ms=self.at(before_ms))

    def with_dormancy(self, wall_ms: int, *, after_ms: int, rate_ppm: int) -> ExperiencedTime:
        """Change the settings from `wall_ms` on, without a jump in what has been experienced."""
        anchored = self.touch(wall_ms)
        return replace(anchored, dormancy_after_ms=after_ms, dormancy_rate_ppm=rate_ppm)


def experienced_ages(time: ExperiencedTime, told_ms: Sequence[int], talked_ms: Sequence[int], now_ms: int) -> list[int]:
    """How much a mind would have experienced since each of these moments, had it been there.

    Args: talked_ms: when anything was said since the first of them, in order. What lies ahead has no age.
    """
    since = [0]  # from each moment of talk till now, the latest first
    later = now_ms
    for at in reversed(talked_ms):
        since.append(since[-1] + time.lived(max(0, later - at)))
        later = min(at, later)
    ages = []
    for told in told_ms:
        place = bisect_right(talked_ms, told)  # the first moment of talk behind it
        following = talked_ms[place] if place < len(talked_ms) else now_ms
        ages.append(since[len(talked_ms) - place] + time.lived(max(0, following - told)))
    return ages


def born(wall_ms: int) -> ExperiencedTime:
    """The experienced time of a mind that comes into being now."""
    return ExperiencedTime(wall_ms, wall_ms)
