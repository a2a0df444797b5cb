"""Loop turns: the parts of recalls that run on the event loop begin in turn, a few milliseconds of them at a time.

Called by what recalls wherever it goes on after waiting. Sixteen recalls that come together are ready together at every
step, and all that is ready runs before anybody else is looked at: a tenth of a second, in parts of four milliseconds.
Invariant: parts begin in the order in which they became ready; who is alone begins at once.
"""

from __future__ import annotations

from anyio.lowlevel import RunVar

from soulmem.gradual_start import GradualStart

_turns: RunVar[GradualStart] = RunVar("soulmem_loop_turns")


async def turn() -> None:
    """Wait until it is the caller's turn, which is at once unless other parts of recalls ran just before."""
    try:
        turns = _turns.get()
    except LookupError:
        turns = GradualStart()
        _turns.set(turns)
    await turns.turn()
