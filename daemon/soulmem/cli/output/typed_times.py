"""Times as people type them: ISO 8601, a month, or words like "last week" and 三天前, by the clock of this machine.

Called by the commands that take times. What the protocol gets is ISO 8601 with an offset. "Now" is the daemon's: a
simulated clock may be years away. Invariant: what cannot be read is one line, and nothing is sent.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from enum import StrEnum

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, wellformed

_WITH_A_CLOCK = re.compile(r"\d{4}-?\d\d-?\d\d[Tt ]\d\d.*", re.DOTALL)
_AGO = re.compile(r"\bago\b|前", re.IGNORECASE)
_WEEK_MS = 7 * 86_400_000
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - of the local calendar


class Edge(StrEnum):
    """What of a day, a month or a week is meant: its first moment, its end, or its last moment, at most now."""

    FIRST = "first"
    END = "end"
    AS_OF = "as of"


def typed_time(
    session: Session, text: str | None, edge: Edge = Edge.FIRST, *, is_ahead: bool = False, now: str | None = None
) -> str | None:
    """A time as the protocol takes it. `is_ahead`: a Friday is the next one, not the last; `now`: else the daemon's.

    Raises CommandError: it is no time, or may be either of two.
    """
    if text is None:
        return None
    try:
        if _WITH_A_CLOCK.fullmatch(text.strip()):
            return _with_offset(datetime.fromisoformat(text.strip()))
    except (ValueError, OverflowError):
        return wellformed(text)  # the daemon says what is wrong with it
    from soulmem.core.calendar.calendar_math import Tense  # noqa: PLC0415 - only times in words pay for it
    from soulmem.core.schema.requested_times import UnreadTimeError, read_stretch  # noqa: PLC0415 - only who needs it pays

    told = now or session.call("system.ping")["now"]
    try:
        here = _local_ms(datetime.fromisoformat(told).astimezone())
        first, end = read_stretch(wellformed(text).strip(), here, Tense.AHEAD if is_ahead else Tense.BEHIND)
        moment = first if edge is Edge.FIRST else end
        if edge is Edge.AS_OF and first < end:
            moment = max(first, min(end - 1, here))
            if _AGO.search(text) and (weeks := (here - first) // _WEEK_MS) and end - first == _WEEK_MS:
                moment = here - weeks * _WEEK_MS  # a week ago on a Monday was no Sunday
        return _with_offset(_EPOCH + timedelta(milliseconds=moment))
    except UnreadTimeError as error:
        raise CommandError(str(error), hint=error.hint, code=ExitCode.REFUSED_INPUT) from error
    except (ValueError, OverflowError) as error:
        raise CommandError(f"{text!r} lies at the end of the calendar", code=ExitCode.REFUSED_INPUT) from error


def _with_offset(moment: datetime) -> str:
    return (moment if moment.tzinfo else moment.astimezone()).isoformat()


def _local_ms(moment: datetime) -> int:
    """What the clock on the wall shows, as milliseconds of a calendar without offsets."""
    return (moment.replace(tzinfo=None) - _EPOCH) // timedelta(milliseconds=1)
