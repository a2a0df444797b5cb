"""The clock of one mind: its experienced time, and when somebody last talked.

Part of an `OpenMind`. Its anchor in the file follows so seldom that talk costs no write of its own, and often enough
that whoever opens the file takes no time to have slowed down that passed at full speed.
"""

from __future__ import annotations

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.experienced_time import ExperiencedTime
from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.recalls import recall_records
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.sqlite.database import Database

_ANCHOR_LASTS_MS = 3 * DAY_MS  # with the silence after which a file that is opened takes time to have slowed down


class MindClock:
    """`time` reads experienced milliseconds; `last_activity_at` is wall time, None where nobody ever talked."""

    def __init__(
        self, database: Database, who: Identity, recalled: recall_records.Moment | None, last_activity: int | None,
        now: int,
    ) -> None:  # fmt: skip
        self._database = database
        self._anchored_ms = who.wall_anchor_at  # of the anchor in the file
        self.time = _resumed(ExperiencedTime(who.wall_anchor_at, who.exp_anchor), recalled, last_activity, now)
        # A message of a clock that was ahead is no silence that begins when that time comes.
        self.last_activity_at = min(last_activity, now) if last_activity is not None else None

    def set_dormancy(self, *, after_ms: int, rate_ppm: int) -> None:
        """How experienced time slows down from now on, without a jump."""
        self.time = self.time.with_dormancy(self.time.wall_anchor_ms, after_ms=after_ms, rate_ppm=rate_ppm)

    def rebase(self, *, before_ms: int, after_ms: int) -> None:
        """The wall clock was set back for good, from one moment to the other: time goes on from where it was."""
        self.time = self.time.rebase(before_ms=before_ms, after_ms=after_ms)
        if self.last_activity_at is not None:
            self.last_activity_at = min(self.last_activity_at, after_ms)

    async def touch(self, now_ms: int, trusted_now_ms: int) -> None:
        """Note an activity. The file's anchor follows once it is so old that experienced time might have slowed down
        since: to whoever opens the file the last activity came within a time that passed at full speed. It also follows
        a clock that was set back for good.
        """
        self.last_activity_at = now_ms
        self.time = self.time.touch(trusted_now_ms)
        since_ms = self.time.wall_anchor_ms - self._anchored_ms
        if not 0 <= since_ms <= min(self.time.dormancy_after_ms, _ANCHOR_LASTS_MS):
            await self._anchor(self.time)

    async def _anchor(self, reached: ExperiencedTime) -> None:
        def anchored(_: None) -> None:
            self._anchored_ms = reached.wall_anchor_ms

        try:
            await self._database.write(
                "anchor",
                lambda connection: mind_metadata.save_anchor(connection, reached.wall_anchor_ms, reached.exp_anchor_ms),
                after=anchored,
            )
        except SoulmemError as error:  # a disk that takes no more keeps nobody from recalling; the next one tries again
            if error.name not in (ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY):
                raise


def _resumed(
    anchored: ExperiencedTime, recalled: recall_records.Moment | None, last_activity: int | None, now: int
) -> ExperiencedTime:
    """Experienced time as a file leaves it off: anchored there, known again at the last recall.

    What was recorded while the clock was ahead tells how far experienced time had come, but not when.
    """
    if recalled is not None and recalled.at_exp > anchored.exp_anchor_ms:
        wall = recalled.at if anchored.wall_anchor_ms < recalled.at <= now else anchored.wall_anchor_ms
        anchored = ExperiencedTime(wall, recalled.at_exp)
    return anchored.touch(last_activity) if last_activity is not None and last_activity <= now else anchored
