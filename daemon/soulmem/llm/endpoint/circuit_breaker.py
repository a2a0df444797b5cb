"""Circuit breaker: leaves an endpoint alone that failed several times in a row, and tries it again with one call.

Owned by `endpoint_calls`, one for those who wait and one for those who do not. A pure state machine on monotonic
milliseconds: closed -> open after `threshold` failures -> half-open once the pause is over, for a single probe.
Each probe that fails doubles the pause, up to `longest_ms`; a success closes. Invariant: while open, nothing is let
through before the pause is over; while half-open, one call at a time.
"""

from __future__ import annotations

from enum import StrEnum

HOUR_MS = 3_600_000.0


class State(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Breaker:
    """Ask `admits`, then `enter` before a call, and tell how it ended: `succeeded`, `failed` or `abandoned`."""

    def __init__(self, *, threshold: int = 3, pause_ms: float = 30_000.0, longest_ms: float = 600_000.0) -> None:
        self._threshold, self._first_ms, self._longest_ms = threshold, pause_ms, longest_ms
        self._state = State.CLOSED
        self._failures = 0
        self._pause_ms = pause_ms  # the length of the next pause
        self._until_ms = 0.0

    def state(self, now_ms: float) -> State:
        """As it is seen from outside: an open breaker whose pause is over waits for its probe."""
        return State.HALF_OPEN if self._state is State.OPEN and now_ms >= self._until_ms else self._state

    def left_ms(self, now_ms: float) -> int:
        """How long nothing is let through; 0 while closed or due for a probe."""
        return max(0, round(self._until_ms - now_ms)) if self._state is State.OPEN else 0

    def admits(self, now_ms: float) -> bool:
        """Whether a call may be made now; changes nothing."""
        return self._state is State.CLOSED or (self._state is State.OPEN and now_ms >= self._until_ms)

    def enter(self, now_ms: float) -> bool:
        """Take leave to make a call; False if it may not be made. The first after a pause is the probe."""
        if not self.admits(now_ms):
            return False
        if self._state is State.OPEN:
            self._state = State.HALF_OPEN
        return True

    def succeeded(self) -> bool:
        """The endpoint answered; True when that closed the breaker."""
        closed = self._state is not State.CLOSED
        self._state, self._failures, self._pause_ms = State.CLOSED, 0, self._first_ms
        return closed

    def failed(self, now_ms: float, *, retry_after_ms: float | None = None) -> int | None:
        """The endpoint did not answer; the length of the pause, in ms, when that opened the breaker.

        An endpoint that says itself how long it wants to be left alone is believed at once, up to an hour.
        """
        self._failures += 1
        told = min(retry_after_ms or 0.0, HOUR_MS)
        if self._state is State.OPEN:  # a call that began before the breaker opened
            self._until_ms = max(self._until_ms, now_ms + told)
            return None
        pause = told
        if self._state is State.HALF_OPEN or self._failures >= self._threshold:
            pause = max(self._pause_ms, told)
            self._pause_ms = min(self._pause_ms * 2, self._longest_ms)
        if not pause:
            return None
        self._state, self._until_ms = State.OPEN, now_ms + pause
        return round(pause)

    def abandoned(self) -> None:
        """The call was broken off before anything was learnt; the next one may be the probe."""
        if self._state is State.HALF_OPEN:
            self._state = State.OPEN
