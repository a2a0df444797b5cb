"""The garbage collector of the interpreter, set up for a process that must answer within a millisecond.

Called by the command that runs the daemon before anything is loaded, and by `daemon` when everything is. What is loaded
then (libraries, schemas, word lists: a hundred thousand objects) lives as long as the process: to look through it while
it is being loaded takes a twelfth of the start, and to look through it again and again later would hold everybody up
for tens of milliseconds. So nothing is collected until then, and it is set aside for good; from then on the collector
looks at new objects alone, in larger portions. Cycles that come about later are found as ever. What died while it was
loaded, the first versions of classes mostly, stays: two thousand objects, fewer than a request leaves behind.
"""

from __future__ import annotations

import gc

# New objects at which the youngest are looked through; then generations by tens, as is usual. A message leaves about
# twenty: at the usual 700 somebody would wait for the collector every few dozen messages.
_YOUNGEST = 5_000
_OLDER = 10


def rest_while_loading() -> None:
    """Collect nothing until `set_aside_what_is_loaded`."""
    gc.disable()


def set_aside_what_is_loaded() -> None:
    """Keep what lives now out of every later collection."""
    gc.freeze()
    # The oldest are looked through once those that joined them are a quarter of all that were seen there last: let that
    # not be what was set aside, or what grew old and died would wait for a hundred thousand others.
    gc.collect()
    gc.set_threshold(_YOUNGEST, _OLDER, _OLDER)
    gc.enable()
