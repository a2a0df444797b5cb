"""The event bus: the one way by which anything in the daemon says that something happened.

Everybody holds it as the `Emit` port; it writes to the log and to those who watch. Invariants: every event and
field is in the catalogue; emitting never raises outside strict mode, never blocks on a watcher, and costs next to
nothing when nobody wants the event.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
import traceback
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from soulmem.core.text.did_you_mean import did_you_mean
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.log.event_catalogue import EventSpec, catalogue
from soulmem.ops.log.log_throttle import Held, Throttle
from soulmem.ops.log.traffic_counters import TrafficMeter
from soulmem.ports import Clock

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

__all__ = ["EventBus", "Subscription"]

EVERYTHING = "*"
TICK_S = 10.0
TRACEBACK_CHARS = 4000


class Subscription:
    """A watcher's queue. Iterate it from the event loop it was made in; ends when closed or lagged.

    `lagged` tells that the watcher was dropped because more than `maxlen` events waited.
    """

    def __init__(self, bus: EventBus, wanted: frozenset[str], mind: str | None, maxlen: int) -> None:
        self.wanted = wanted
        self.mind = mind
        self.maxlen = maxlen
        self.lagged = False
        self._bus = bus
        self._queue: deque[dict[str, Any]] = deque()
        self._closed = False
        self._thread = threading.get_ident()
        self._ready = asyncio.Event()
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None

    def offer(self, record: dict[str, Any]) -> bool:
        """Queue an event; False when the queue is full, and the watcher is dropped."""
        if len(self._queue) >= self.maxlen:
            self.lagged = True
            self._end()
            return False
        self._queue.append(record)
        self._wake()
        return True

    def take(self) -> list[dict[str, Any]]:
        """Return all waiting events at once."""
        taken = []
        while self._queue:
            taken.append(self._queue.popleft())
        return taken

    def close(self) -> None:
        self._bus.unsubscribe(self)
        self._end()

    def _end(self) -> None:
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        if threading.get_ident() == self._thread:
            self._ready.set()
        elif self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._ready.set)

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self

    async def __anext__(self) -> dict[str, Any]:
        while not self._queue:
            if self._closed:
                raise StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()
        return self._queue.popleft()


class EventBus:
    """Implements the `Emit` port; `logger` is of `ops.log.log_output`, `clock` also drives the limit of repeats.

    In `environ` `SOULMEM_STRICT_EVENTS=1` makes an uncatalogued event or field raise, as tests want, and
    `SOULMEM_EVENT_RECORD=<file>` appends the name of each event at its first appearance.
    """

    def __init__(
        self,
        logger: FilteringBoundLogger,
        clock: Clock,
        *,
        boot: str | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        environ = os.environ if environ is None else environ
        self.boot = boot or secrets.token_hex(4)
        self.traffic = TrafficMeter(self, clock)
        self._clock = clock
        self._strict = environ.get("SOULMEM_STRICT_EVENTS") == "1"
        record = environ.get("SOULMEM_EVENT_RECORD", "")
        self._record_path = Path(record) if record else None
        self._lock = threading.RLock()
        self._unheard: set[tuple[str, ...]] = set()  # event and fields, well formed, that nobody logs or watches
        self.log_to(logger)
        self._seq = 0
        self._throttle = Throttle()
        self._watchers: list[Subscription] = []
        self._wanted: frozenset[str] = frozenset()
        self._seen: set[str] = set()
        self._broken: set[str] = set()

    def log_to(self, logger: FilteringBoundLogger) -> None:
        """Write by this logger from now on: its level says which events the log holds."""
        with self._lock:
            self._write = {level: getattr(logger, level) for level in ("debug", "info", "warning", "error", "critical")}
            self._logged = frozenset(name for name, spec in catalogue().items() if logger.is_enabled_for(spec.number))
            self._unheard.clear()

    def __call__(self, event: str, /, exc_info: BaseException | None = None, **fields: Any) -> None:
        """Emit one event. `exc_info`: the exception behind it; its traceback goes to the log only.

        Raises ValueError: in strict mode, for an event, field or type that is not catalogued.
        """
        # Most events are per message and below the level of the log: they must cost next to nothing.
        if (shape := (event, *fields)) in self._unheard:
            return
        spec = catalogue().get(event)
        fault = f"{event} is not catalogued" if spec is None else spec.fault(fields)
        if fault is None and self._strict and spec is not None:
            fault = spec.type_fault(fields)
        if fault is not None:
            self._refuse(event, fields, fault)
            # what is not catalogued might be memory text, so it goes nowhere
            fields = {} if spec is None else {k: v for k, v in fields.items() if k in spec.allowed}
        if event not in self._seen:
            self._first_time(event)
        if spec is None:
            return
        if event not in self._logged and event not in self._wanted:
            if fault is None and not self._strict:
                with self._lock:
                    if event not in self._wanted:  # nobody began to watch meanwhile
                        self._unheard.add(shape)
            return
        with self._lock:
            if spec.baseline:
                # the counts of this mind begin anew here: what of it came before must stand before it
                self.traffic.flush(fields.get("mind"))
                self._release_of(fields.get("mind"))
            self._publish(spec, fields, exc_info, sound=fault is None)

    def _publish(self, spec: EventSpec, fields: dict[str, Any], error: BaseException | None, *, sound: bool) -> None:
        head = self._head()
        if spec.name in self._wanted:
            self._fan_out({"event": spec.name, "level": spec.level, **head, **fields})
        if spec.name not in self._logged:
            return
        now_ms = self._clock.monotonic_ms()
        if self._throttle.is_over(spec.name, now_ms):
            self._release()
        if not sound or self._throttle.admits(spec, fields, now_ms):
            trace = {} if error is None else {"traceback": _trace(error)}
            self._write[spec.level](spec.name, **head, **fields, **trace)

    def _head(self) -> dict[str, Any]:
        self._seq += 1
        return {"ts": _iso(self._clock.now_ms()), "seq": self._seq, "boot": self.boot}

    def _fan_out(self, record: dict[str, Any]) -> None:
        mind = record.get("mind")
        slow = [
            watcher
            for watcher in self._watchers
            if record["event"] in watcher.wanted
            and (watcher.mind is None or watcher.mind == mind)
            and not watcher.offer(record)
        ]
        for watcher in slow:
            self.unsubscribe(watcher)
        # Whoever cannot take the news of a lag lags himself: it is told once, or each would tell of the next.
        if slow and record["event"] != "watcher_lagged":
            for watcher in slow:
                self("watcher_lagged", bound=watcher.maxlen)

    def _release(self, *, everything: bool = False) -> None:
        """Write what the limit on repeated lines held back."""
        for name, held in self._throttle.release(self._clock.monotonic_ms(), everything=everything):
            if catalogue()[name].summed:
                self._write_sum(name, held)
            else:
                suppressed = {"name": name, "count": held.events}
                self._write["warning"]("log_suppressed", **self._head(), **suppressed)
                self._first_time("log_suppressed")

    def _release_of(self, mind: str | None) -> None:
        for name, held in self._throttle.release_of(mind):
            self._write_sum(name, held)

    def _write_sum(self, name: str, held: Held) -> None:
        self._write[catalogue()[name].level](name, **self._head(), **held.fields, suppressed=held.events - 1)

    def _refuse(self, event: str, fields: Mapping[str, Any], fault: str) -> None:
        if self._strict:
            raise ValueError(fault)
        if event in self._broken:
            return
        self._broken.add(event)
        self("invariant_broken", invariant="events are catalogued", detail=f"{fault}: {sorted(fields)}")

    def _first_time(self, event: str) -> None:
        if self._record_path is not None:
            try:
                with self._record_path.open("a", encoding="utf-8") as record:
                    record.write(event + "\n")
            except OSError:  # no descriptor for it: the next one is the first
                return
        self._seen.add(event)

    def subscribe(
        self, events: Iterable[str] | None = None, mind: str | None = None, maxlen: int = 1000
    ) -> Subscription:
        """Watch events from now on, of one mind or of all.

        Args: events: names, or `*` for all; None is everything at info and above. Debug events are made only for those
            who name them.
        Raises: SoulmemError: `invalid_params`, for a name that is not catalogued.
        """
        known = catalogue()
        if events is None:
            wanted = {name for name, spec in known.items() if spec.level != "debug"}
        else:
            wanted = set(events)
            if EVERYTHING in wanted:
                wanted = set(known)
        for name in sorted(wanted - known.keys()):
            hint = did_you_mean(name, known, otherwise="system.describe lists all events")
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"events: unknown event {name[:80]!r}", hint=hint)
        watcher = Subscription(self, frozenset(wanted), mind, maxlen)
        with self._lock:
            self._watchers.append(watcher)
            self._count_wanted()
        return watcher

    def unsubscribe(self, watcher: Subscription) -> None:
        with self._lock:
            if watcher in self._watchers:
                self._watchers.remove(watcher)
                self._count_wanted()

    def _count_wanted(self) -> None:
        self._wanted = frozenset[str]().union(*(watcher.wanted for watcher in self._watchers))
        self._unheard = {shape for shape in tuple(self._unheard) if shape[0] not in self._wanted}

    async def run(self) -> None:
        """Write the traffic and what was held back every ten seconds, until cancelled."""
        while True:
            await anyio.sleep(TICK_S)
            self.tick()

    def tick(self) -> None:
        self.traffic.flush()
        with self._lock:
            self._release()

    def close(self) -> None:
        """Write what is still counted or held back, and end all watchers. Emitting goes on working."""
        self.traffic.flush()
        with self._lock:
            self._release(everything=True)
            for watcher in tuple(self._watchers):
                watcher.close()


def _iso(at_ms: int) -> str:
    try:
        moment = datetime.fromtimestamp(at_ms // 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return str(at_ms)  # a clock gone mad must not silence the log
    return f"{moment.replace(tzinfo=None).isoformat(timespec='seconds')}.{at_ms % 1000:03d}Z"


def _trace(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-TRACEBACK_CHARS:]
