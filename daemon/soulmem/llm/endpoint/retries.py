"""How long to wait before a call is repeated, and how much time it has left. Pure but for the clock it is given.

Used by `endpoint_calls`. Pauses grow exponentially with full jitter (the pause is drawn from zero to the bound, so
callers that failed together do not return together); an endpoint that names a time with `Retry-After` gets at least
that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from random import Random

FIRST_PAUSE_MS = 500.0
LONGEST_PAUSE_MS = 30_000.0


def pause_ms(attempt: int, random: Random, *, retry_after_ms: float | None = None) -> float:
    """The pause before repeating what failed for the `attempt`-th time, counted from 1."""
    bound = min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** min(attempt - 1, 16))
    return max(random.uniform(0.0, bound), retry_after_ms or 0.0)


def retry_after_ms(headers: Mapping[str, str], now_ms: int) -> int | None:
    """What the headers (names in lower case) ask for; None if nothing, or nothing that makes sense.

    A date is compared with the server's own `Date` where it gives one, so a wrong clock on either side does not
    matter, else with `now_ms`, wall time.
    """
    if (exact := _number(headers.get("retry-after-ms"))) is not None:
        return round(exact)
    value = headers.get("retry-after")
    if (seconds := _number(value)) is not None:
        return round(seconds * 1000)
    at_ms = _date_ms(value)
    if at_ms is None:
        return None
    return max(0, at_ms - (_date_ms(headers.get("date")) or now_ms))


class TimeLeft:
    """What is left of a call's deadline.

    While somebody waits all time counts. Else only what `spend` is told, the calls and the pauses between them: work
    that queues behind other work at a slow endpoint must not fail for it.
    """

    def __init__(self, clock_ms: Callable[[], float], limit_ms: float, *, somebody_waits: bool) -> None:
        self._clock_ms, self._somebody_waits = clock_ms, somebody_waits
        self._end_ms = clock_ms() + limit_ms
        self._left_ms = limit_ms

    @property
    def ms(self) -> float:
        return max(0.0, self._end_ms - self._clock_ms() if self._somebody_waits else self._left_ms)

    def spend(self, took_ms: float) -> None:
        self._left_ms -= took_ms


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and 0 <= number < 1e9 else None


def _date_ms(value: str | None) -> int | None:
    try:
        moment = parsedate_to_datetime(value or "")
        return round(moment.timestamp() * 1000)
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None
