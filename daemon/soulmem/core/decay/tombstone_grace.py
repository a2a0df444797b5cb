"""The grace of tombstones: how much of it has run, told from when something was said or asked.

What was forgotten can be brought back for a month, and that month runs while there is somebody to do so: whoever comes
back after a year of silence finds it where it was. Called by the purge of tombstones. Pure. Invariants: presence is at
most the time that passed; it never falls as time goes on; a silence adds at most `lasts_ms`, however long it is.
"""

from __future__ import annotations

from collections.abc import Iterable


def present_ms(activity: Iterable[int], since: int, until: int, *, lasts_ms: int) -> int:
    """How much of the time from `since` to `until` lies within `lasts_ms` after an activity; all in milliseconds."""
    total, covered = 0, since
    for at in sorted(activity):
        begin, end = max(at, covered), min(at + lasts_ms, until)
        if end > begin:
            total += end - begin
            covered = end
    return total
