"""The limit on repeated log lines: the first 50 of an event in 10 seconds are written, the rest is summed up.

Called by `ops/log/event_bus.py` only. Invariant: nothing that counts is lost; events that carry a `count` are added up
and written as one line, of the others the number is told.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from soulmem.fast_dataclasses import dataclass
from soulmem.ops.log.event_catalogue import EventSpec

LIMIT = 50
WINDOW_MS = 10_000.0


@dataclass(slots=True)
class Held:
    """Events of one kind that were held back and are written as one line."""

    fields: dict[str, Any]
    events: int


@dataclass(slots=True)
class _Window:
    start_ms: float
    written: int = 0
    held: dict[tuple[Any, ...], Held] = field(default_factory=dict)


class Throttle:
    """Decides which log lines are written. Not thread-safe; its owner holds a lock."""

    def __init__(self, *, limit: int = LIMIT, window_ms: float = WINDOW_MS) -> None:
        self._limit = limit
        self._window_ms = window_ms
        self._windows: dict[str, _Window] = {}

    def admits(self, spec: EventSpec, fields: dict[str, Any], now_ms: float) -> bool:
        """Say whether an event is written now; one that is not is held for `release`."""
        if spec.level in {"debug", "critical"} or (spec.counts and not spec.summed):
            return True
        window = self._windows.get(spec.name)
        if window is None:
            window = self._windows[spec.name] = _Window(now_ms)
        if window.written < self._limit:
            window.written += 1
            return True
        if not spec.summed:
            window.held.setdefault((), Held({}, 0)).events += 1
            return False
        key = tuple(sorted((name, value) for name, value in fields.items() if name != "count"))
        held = window.held.setdefault(key, Held({**fields, "count": 0}, 0))
        held.fields["count"] += fields["count"]
        held.events += 1
        return False

    def release(self, now_ms: float, *, everything: bool = False) -> list[tuple[str, Held]]:
        """End the windows that are over (or all) and return what they held back."""
        over = [
            name for name, window in self._windows.items() if everything or now_ms - window.start_ms >= self._window_ms
        ]
        return [(name, held) for name in over for held in self._windows.pop(name).held.values()]

    def release_of(self, mind: str | None) -> list[tuple[str, Held]]:
        """Return the sums held back of one mind; the limits go on as they were."""
        of_it = [
            (name, window, key)
            for name, window in self._windows.items()
            for key in window.held
            if mind is not None and ("mind", mind) in key
        ]
        return [(name, window.held.pop(key)) for name, window, key in of_it]

    def is_over(self, name: str, now_ms: float) -> bool:
        """Say whether the window of an event is over, so that `release` is due."""
        window = self._windows.get(name)
        return window is not None and now_ms - window.start_ms >= self._window_ms
