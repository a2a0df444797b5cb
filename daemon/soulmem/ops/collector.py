"""The garbage collector of the interpreter, set up for a process that must answer within a millisecond.

Called once by `daemon` when everything is loaded. What is loaded then (libraries, schemas, word lists: some hundred
thousand objects) lives as long as the process; looking through it again and again holds everybody up for tens of
milliseconds. So it is set aside for good, and the collector looks at new objects alone, in larger portions. Cycles that
come about later are found as ever.
"""

from __future__ import annotations

import gc

# New objects at which the youngest are looked through; then generations by tens, as is usual. A message leaves about
# twenty: at the usual 700 somebody would wait for the collector every few dozen messages.
_YOUNGEST = 5_000
_OLDER = 10


def set_aside_what_is_loaded() -> None:
    """Keep what lives now out of every later collection."""
    gc.collect()  # what is set aside is never collected, so what is dead goes first
    gc.freeze()
    # The oldest are looked through once those that joined them are a quarter of all that were seen there last: let that
    # not be what was set aside, or what grew old and died would wait for a hundred thousand others.
    gc.collect()
    gc.set_threshold(_YOUNGEST, _OLDER, _OLDER)
