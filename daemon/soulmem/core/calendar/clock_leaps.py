"""Clock leaps: when the clock was set far ahead or back, and what that was once it turns out to have been wrong.

A clock that is ten years ahead and stays so is believed after a while (`ops/process/clock`), and what ten years fade
fades. If it then goes back to where it leapt from, that stretch of time never was; and one that was years behind makes
no years pass when it is put right. `ticks` notes leaps and asks here which of them a step takes back;
`store/revision/wrong_clock_repair` undoes in each mind what was forgotten meanwhile. Pure. All times are wall
milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass

LEAST_MS = DAY_MS  # what is forgotten within a day more is not worth a correction
MOST_KEPT = 50


@dataclass(frozen=True, slots=True)
class Leap:
    """The clock said `before_ms` and in the next moment `after_ms`: it was off so long, or it was set."""

    before_ms: int
    after_ms: int

    @property
    def length_ms(self) -> int:
        return abs(self.after_ms - self.before_ms)

    def is_taken_back_by(self, step: Leap) -> bool:
        """Whether a step leads back to the time that there would be without this leap."""
        if self.after_ms > self.before_ms:
            return self.before_ms <= step.after_ms < self.after_ms <= step.before_ms
        return self.after_ms <= step.before_ms < self.before_ms <= step.after_ms


@dataclass(frozen=True, slots=True)
class WrongTime:
    """From `after_ms` to `until_ms` the clock was wrong; it was right till `before_ms` and is from `now_ms` on."""

    before_ms: int
    after_ms: int
    until_ms: int
    now_ms: int

    @property
    def name(self) -> str:
        """What a mind remembers it by, once it has followed."""
        return f"{self.after_ms}-{self.until_ms}-{self.now_ms}"

    @property
    def was_ahead(self) -> bool:
        return self.after_ms > self.before_ms


def stepped(leaps: Sequence[Leap], before_ms: int, after_ms: int) -> tuple[WrongTime | None, list[Leap]]:
    """What turns out to have been wrong by a step of the clock, if anything does; and the leaps that are left.

    The first leap that it takes back was wrong, with all that came after it. One that takes nothing back is a leap
    itself, unless it is small; the largest `MOST_KEPT` are known, in their order.
    """
    step = Leap(before_ms, after_ms)
    for place, leap in enumerate(leaps):
        if leap.is_taken_back_by(step):
            return WrongTime(leap.before_ms, leap.after_ms, before_ms, after_ms), list(leaps[:place])
    if step.length_ms < LEAST_MS:
        return None, list(leaps)
    found = [*leaps, step]
    kept = sorted(found, key=lambda each: -each.length_ms)[:MOST_KEPT]
    return None, [leap for leap in found if leap in kept]
