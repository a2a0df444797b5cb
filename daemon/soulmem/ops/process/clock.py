"""The clock: the only place that reads wall, monotonic or boot time, and judges whether to believe it.

The daemon owns one clock and asks `check()` every few seconds. Wall time is compared with CLOCK_BOOTTIME,
which nobody can set and which runs through a suspend; where they disagree by a step back, or a step forward
beyond the limit, the clock is suspect: nothing irreversible may happen, and `trusted_now_ms()` runs on at the
boot clock's rate as if nothing had. Suspicion ends when the clock agrees again, or after it ran steadily for
an hour: then the new time is accepted. Invariant: a jump and its way back leave no trace in trusted time.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from enum import StrEnum

from soulmem.core.calendar.calendar_math import HOUR_MS, MINUTE_MS
from soulmem.fast_dataclasses import dataclass


class JumpKind(StrEnum):
    SUSPECT = "suspect"  # the wall clock left the expected time
    RECOVERED = "recovered"  # it came back
    ACCEPTED = "accepted"  # it stayed, running steadily: its time is trusted from now on


@dataclass(frozen=True, slots=True)
class ClockJump:
    """Wall time minus expected time. For `accepted`, trusted time moves by it: `before_ms` to `after_ms`."""

    kind: JumpKind
    delta_ms: int
    before_ms: int
    after_ms: int


@dataclass(frozen=True, slots=True)
class JumpLimits:
    """`forward_ms`: a larger step ahead is suspect; `tolerance_ms`: steps back and disagreement up to it are
    ordinary corrections; `settle_ms`: how long a jumped clock must run steadily to be believed."""

    forward_ms: int = HOUR_MS
    tolerance_ms: int = 2 * MINUTE_MS
    settle_ms: int = HOUR_MS


class JumpJudge:
    """Compares readings of wall and boot time; knows no clock itself. Both in integer ms."""

    def __init__(self, wall_ms: int, boot_ms: int, *, last_seen_ms: int | None, limits: JumpLimits) -> None:
        self._limits = limits
        self._wall_ms, self._boot_ms = wall_ms, boot_ms  # the last moment both were believed
        self._news: deque[ClockJump] = deque(maxlen=64)
        self._base_ms, self._base_boot_ms = wall_ms, boot_ms  # the first moment of the present line of time
        self._settling: tuple[int, int] | None = None  # where the present steady run of a jumped clock began
        if last_seen_ms is not None and wall_ms < last_seen_ms - limits.tolerance_ms:
            # It was later than this when we were last running: time has been set back while we were not.
            self._wall_ms = self._base_ms = last_seen_ms
            self._suspect_from(wall_ms, boot_ms)

    @property
    def suspect(self) -> bool:
        return self._settling is not None

    def expected_ms(self, boot_ms: int) -> int:
        return self._wall_ms + boot_ms - self._boot_ms

    def observe(self, wall_ms: int, boot_ms: int) -> int:
        """Judge a pair of readings and return the trusted time."""
        expected = self._wall_ms + boot_ms - self._boot_ms
        delta, limits = wall_ms - expected, self._limits
        if self._settling is None:
            # A step back is ordinary if it is small, or takes back a step ahead that was believed before.
            above_base = wall_ms - self._base_ms - (boot_ms - self._base_boot_ms)
            if max(delta, above_base) >= -limits.tolerance_ms and delta <= limits.forward_ms:
                self._wall_ms, self._boot_ms = wall_ms, boot_ms  # as `_believe`; several times a message
                return wall_ms
            self._suspect_from(wall_ms, boot_ms)
            return expected
        if abs(delta) <= limits.tolerance_ms:
            self._news.append(ClockJump(JumpKind.RECOVERED, delta, expected, wall_ms))
            return self._believe(wall_ms, boot_ms)
        began_wall_ms, began_boot_ms = self._settling
        if abs(wall_ms - began_wall_ms - (boot_ms - began_boot_ms)) > limits.tolerance_ms:
            self._suspect_from(wall_ms, boot_ms)
            return expected
        if boot_ms - began_boot_ms >= limits.settle_ms:
            self._news.append(ClockJump(JumpKind.ACCEPTED, delta, expected, wall_ms))
            self._base_ms, self._base_boot_ms = wall_ms, boot_ms
            return self._believe(wall_ms, boot_ms)
        return expected

    def next_news(self) -> ClockJump | None:
        return self._news.popleft() if self._news else None

    def _believe(self, wall_ms: int, boot_ms: int) -> int:
        self._wall_ms, self._boot_ms, self._settling = wall_ms, boot_ms, None
        return wall_ms

    def _suspect_from(self, wall_ms: int, boot_ms: int) -> None:
        expected = self.expected_ms(boot_ms)
        self._settling = (wall_ms, boot_ms)
        self._news.append(ClockJump(JumpKind.SUSPECT, wall_ms - expected, expected, wall_ms))


class _JudgedClock:
    """What both clocks share: judged readings. Safe to read from any thread."""

    def __init__(self, *, last_seen_ms: int | None, limits: JumpLimits | None) -> None:
        self._lock = threading.Lock()
        self._judge = JumpJudge(
            self.now_ms(), self._boot_now_ms(), last_seen_ms=last_seen_ms, limits=limits or JumpLimits()
        )

    def now_ms(self) -> int:
        raise NotImplementedError

    def _boot_now_ms(self) -> int:
        raise NotImplementedError

    def monotonic_ms(self) -> float:
        """Real elapsed time since an arbitrary start, for durations; never simulated."""
        return time.monotonic_ns() / 1e6

    def trusted_now_ms(self) -> int:
        """Time for decay and due work: wall time, or while it is suspect what it should be."""
        with self._lock:
            return self._judge.observe(self.now_ms(), self._boot_now_ms())

    @property
    def suspect(self) -> bool:
        """Whether the wall clock has jumped; judged at this moment, so nothing slips in between heartbeats."""
        self.trusted_now_ms()
        return self._judge.suspect

    def check(self) -> ClockJump | None:
        """The oldest change of belief not yet reported, or None. Ask until None."""
        self.trusted_now_ms()
        with self._lock:
            return self._judge.next_news()


class SystemClock(_JudgedClock):
    """The machine's clock. `last_seen_ms`: the latest wall time a former run stored, if any."""

    def __init__(self, *, last_seen_ms: int | None = None, limits: JumpLimits | None = None) -> None:
        super().__init__(last_seen_ms=last_seen_ms, limits=limits)

    @property
    def simulated(self) -> bool:
        return False

    def now_ms(self) -> int:
        """Wall time, UTC."""
        return time.time_ns() // 1_000_000

    def _boot_now_ms(self) -> int:
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000


class SimulatedClock(_JudgedClock):
    """A clock that stands still until told: `advance` lets time pass, `jump` steps the wall clock as a fault."""

    def __init__(self, start_ms: int, *, last_seen_ms: int | None = None, limits: JumpLimits | None = None) -> None:
        self._wall_ms = start_ms
        self._boot_ms = 0
        super().__init__(last_seen_ms=last_seen_ms, limits=limits)

    @property
    def simulated(self) -> bool:
        return True

    def now_ms(self) -> int:
        """Simulated wall time, UTC."""
        return self._wall_ms

    def advance(self, by_ms: int) -> None:
        """Let time pass. Raises ValueError: when asked to go back; that is what `jump` is for."""
        if by_ms < 0:
            message = f"time passes forward only, not by {by_ms} ms"
            raise ValueError(message)
        with self._lock:
            self._wall_ms += by_ms
            self._boot_ms += by_ms
        self.trusted_now_ms()

    def jump(self, by_ms: int) -> None:
        """Step the wall clock while no time passes."""
        with self._lock:
            self._wall_ms += by_ms
        self.trusted_now_ms()

    def _boot_now_ms(self) -> int:
        return self._boot_ms
