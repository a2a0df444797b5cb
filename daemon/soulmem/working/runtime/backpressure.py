"""Backpressure: background work keeps out of the way while messages stream in.

One pace for the whole daemon; every request touches it, every background worker asks it before each small batch. Work
waits until it has been calm for a moment, but never longer than a bound, so that a stream that does not end starves
nobody. Such a stream is no talk of people: it is a history that is read in, or a test. A small batch is felt for some
ten milliseconds by all who write meanwhile; at these bounds that is less than a hundredth of the stream.

Recalls give way to each other too (`turn`): sixteen that come together are ready together at every step, and all that
is ready runs before anybody else is looked at. Their parts on the event loop begin in the order in which they became
ready, a few milliseconds of them at a time; who is alone begins at once.
"""

from __future__ import annotations

import anyio
from anyio.lowlevel import RunVar

from soulmem.gradual_start import GradualStart
from soulmem.ports import Clock

CALM_MS = 25.0  # without a request: nobody is in a hurry now
LONGEST_MS = 2_000.0  # that a small batch is put off: each one is felt by the messages that meet it
PATIENT_MS = 5_000.0  # the same for work that computes for long, such as a summary
_turns: RunVar[GradualStart] = RunVar("soulmem_loop_turns")


class Pace:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_ms = -CALM_MS

    def touch(self) -> None:
        """Somebody is being served."""
        self._last_ms = self._clock.monotonic_ms()

    async def calm(self, longest_ms: float = LONGEST_MS, hurry: anyio.Event | None = None) -> bool:
        """Return True when it is calm; False when it was not for long enough, so do only a little.

        `hurry`: once it is set nothing is put off any more, for somebody waits for this very work.
        """
        began = self._clock.monotonic_ms()
        while True:
            now = self._clock.monotonic_ms()
            calm_at, latest = self._last_ms + CALM_MS, began + longest_ms
            if now >= min(calm_at, latest) or (hurry is not None and hurry.is_set()):
                return now >= calm_at
            with anyio.move_on_after((min(calm_at, latest) - now) / 1000):
                await (anyio.sleep_forever() if hurry is None else hurry.wait())


async def turn() -> None:
    """Wait until it is the caller's turn, which is at once unless other parts of recalls ran just before."""
    try:
        turns = _turns.get()
    except LookupError:
        turns = GradualStart()
        _turns.set(turns)
    await turns.turn()
