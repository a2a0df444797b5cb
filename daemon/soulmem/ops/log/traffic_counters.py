"""The traffic of the last seconds: messages and recalls by mind, their latencies, refusals and failures.

Per-message and per-recall events are too many for a log, so the daemon counts here after each of them and
`ops/log/event_bus.py` writes one `traffic` event every ten seconds in which something happened. Invariant: the sums of
all `traffic` events are the messages acknowledged, each once.
"""

from __future__ import annotations

import math
import threading
from collections import Counter

from soulmem.ports import Clock, Emit

MINDS_PER_LINE = 45  # keeps a line below its cap of 8 KiB with the longest names
_FLOOR_MS = 0.01
_STEP = math.log(1.05)
_BUCKETS = 320  # 0.01 ms * 1.05^320 = 60 s


class Latencies:
    """A histogram with buckets 5 % apart from 0.01 ms to 60 s; a quantile is right within 2.5 %."""

    __slots__ = ("_buckets", "_count")

    def __init__(self) -> None:
        self._buckets = [0] * _BUCKETS
        self._count = 0

    def add(self, ms: float) -> None:
        index = int(math.log(ms / _FLOOR_MS) / _STEP) if ms > _FLOOR_MS else 0
        self._buckets[min(index, _BUCKETS - 1)] += 1
        self._count += 1

    def quantile(self, share: float) -> float | None:
        """Return the value below which `share` (0..1) of all lie, in milliseconds; None when there are none."""
        wanted = max(1, math.ceil(share * self._count))
        seen = 0
        for index, count in enumerate(self._buckets):
            seen += count
            if seen >= wanted:
                return float(f"{_FLOOR_MS * math.exp((index + 0.5) * _STEP):.3g}")
        return None


class TrafficMeter:
    """Counts what goes through. Thread-safe; each call costs about a microsecond."""

    def __init__(self, emit: Emit, clock: Clock) -> None:
        self._emit = emit
        self._clock = clock
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._start_ms = self._clock.monotonic_ms()
        self._messages: Counter[str] = Counter()
        self._recalls: Counter[str] = Counter()
        self._add_ms = Latencies()
        self._recall_ms = Latencies()
        self._refused = 0
        self._errors = 0

    def message(self, mind: str, ms: float) -> None:
        """Count a message that is durable and was not there before; `ms` from request to acknowledgement."""
        with self._lock:
            self._messages[mind] += 1
            self._add_ms.add(ms)

    def imported(self, mind: str, count: int) -> None:
        """Count messages that became durable together: nobody waited for each, so they tell no latency."""
        with self._lock:
            self._messages[mind] += count

    def recall(self, mind: str, ms: float) -> None:
        with self._lock:
            self._recalls[mind] += 1
            self._recall_ms.add(ms)

    def refused(self) -> None:
        """Count a request refused for a mistake of the client."""
        with self._lock:
            self._refused += 1

    def error(self) -> None:
        """Count a request that failed by our fault."""
        with self._lock:
            self._errors += 1

    def flush(self, mind: str | None = None) -> None:
        """Emit what was counted since the last time, if anything was, and begin anew.

        `mind`: only what went through this one; latencies, which are those of all, and failures wait for the others.
        """
        if mind is not None:
            self._flush_one(mind)
            return
        with self._lock:
            messages, recalls = self._messages, self._recalls
            refused, errors = self._refused, self._errors
            add_ms, recall_ms = self._add_ms, self._recall_ms
            window_s = round((self._clock.monotonic_ms() - self._start_ms) / 1000, 3)
            self._begin()
        if not (messages or recalls or refused or errors):
            return
        minds = sorted(messages.keys() | recalls.keys())
        for first in range(0, max(1, len(minds)), MINDS_PER_LINE):
            part = minds[first : first + MINDS_PER_LINE]
            self._emit(
                "traffic",
                window_s=window_s,
                messages={mind: messages[mind] for mind in part if mind in messages},
                recalls={mind: recalls[mind] for mind in part if mind in recalls},
                messages_total=sum(messages[mind] for mind in part),
                recalls_total=sum(recalls[mind] for mind in part),
                adds_p50_ms=add_ms.quantile(0.5),
                adds_p99_ms=add_ms.quantile(0.99),
                recalls_p50_ms=recall_ms.quantile(0.5),
                recalls_p95_ms=recall_ms.quantile(0.95),
                refused=0 if first else refused,
                errors=0 if first else errors,
            )

    def _flush_one(self, mind: str) -> None:
        with self._lock:
            messages, recalls = self._messages.pop(mind, 0), self._recalls.pop(mind, 0)
            window_s = round((self._clock.monotonic_ms() - self._start_ms) / 1000, 3)
        if not (messages or recalls):
            return
        self._emit(
            "traffic",
            window_s=window_s,
            messages={mind: messages} if messages else {},
            recalls={mind: recalls} if recalls else {},
            messages_total=messages,
            recalls_total=recalls,
            adds_p50_ms=None,
            adds_p99_ms=None,
            recalls_p50_ms=None,
            recalls_p95_ms=None,
            refused=0,
            errors=0,
        )
