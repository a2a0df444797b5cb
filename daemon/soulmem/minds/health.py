"""The vital signs of the daemon: its heartbeat in the log, its watchdog, the facts that `system.status` tells.

Made by `daemon`, which runs `beat` and `watch_dog` in its task group; read by the methods. Invariant: a full disk does
not stop the heart, nor does a wall clock that jumps: both intervals are slept by the monotonic clock.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from soulmem import __version__
from soulmem.errors import SoulmemError
from soulmem.llm.engine.engine_choice import standing_of
from soulmem.minds.registry import MindRegistry
from soulmem.minds.state_machines import DaemonLifecycle
from soulmem.minds.ticks import MindTicks
from soulmem.ops.process import systemd
from soulmem.ops.settings.config_loader import Config
from soulmem.ports import Notifier, World
from soulmem.store.journal.catalog_file import CatalogFile
from soulmem.store.sqlite import disk_reserve, driver

_HEARTBEAT_S = 30.0


class DaemonHealth:
    """Of one run of the daemon.

    Args:
        started_ms: when it was started, monotonic.
        connections: how many clients are connected.
    """

    def __init__(
        self, config: Config, world: World, machine: DaemonLifecycle, minds: MindRegistry, time: MindTicks, book:
        CatalogFile,
        notifier: Notifier, *, started_ms: float, connections: Callable[[], int],
    ) -> None:  # fmt: skip
        self._config = config
        self._world = world
        self._machine = machine
        self._minds = minds
        self._time = time
        self._book = book
        self._notifier = notifier
        self._started_ms = started_ms
        self._connections = connections
        self._loop_lag_ms = 0.0

    async def beat(self) -> None:
        """Write a heartbeat every so often, and the time with it, until cancelled."""
        while True:
            await self._time.note_time()
            await anyio.to_thread.run_sync(disk_reserve.keep, self._config.state_dir)
            try:
                entries = await self._minds.entries()
            except SoulmemError:  # a full disk must not stop the heart
                entries = []
            self._world.emit(
                "heartbeat",
                uptime_s=round(self.uptime_s(), 1),
                state=self._machine.state.value,
                minds_open=len(self._minds.open_minds),
                connections=self._connections(),
                pending_jobs=sum(entry.pending_jobs for entry in entries),
                embed_backlog=sum(entry.embed_backlog for entry in entries),
                rss_bytes=_rss_bytes(),
                loop_lag_ms=round(self._loop_lag_ms, 1),
            )
            before = self._world.clock.monotonic_ms()
            await anyio.sleep(_HEARTBEAT_S)
            self._loop_lag_ms = max(0.0, self._world.clock.monotonic_ms() - before - _HEARTBEAT_S * 1000)

    async def watch_dog(self) -> None:
        """Tell the service manager that both the event loop and the catalogue's writer thread are alive.

        A writer that is refused by its file has answered. That of a mind does not count: one mind whose disk hangs must
        not take the others down.
        """
        every = systemd.watchdog_interval_s()
        while every is not None:
            with suppress(SoulmemError, driver.DatabaseError):
                await self._book.write("watchdog", lambda connection: connection.execute("SELECT 1").fetchone())
            self._notifier.notify(WATCHDOG="1")
            await anyio.sleep(every)

    def facts(self) -> dict[str, Any]:
        """The process as `system.status` shows it."""
        return {
            "state": self._machine.state.value,
            "version": __version__,
            "engine": self._world.model.name,
            "model": standing_of(self._world.model),
            "embedder": self._world.embedding.embedder.name,
            "pid": os.getpid(),
            "uptime_s": round(self.uptime_s(), 3),
            "rss_bytes": _rss_bytes(),
            "connections": self._connections(),
            "state_dir": str(self._config.state_dir),
            "models_dir": str(self._config.embedder.models_dir),
            "socket": str(self._config.socket),
            "sqlite": driver.SQLITE_VERSION,
            "driver": driver.DRIVER,
        }

    def uptime_s(self) -> float:
        """How long the daemon has run, by the monotonic clock."""
        return (self._world.clock.monotonic_ms() - self._started_ms) / 1000


def _rss_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * resource.getpagesize()
