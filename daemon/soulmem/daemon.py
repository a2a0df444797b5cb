"""The daemon: everything is opened in order, runs in one task group on one page, and is closed in reverse.

The composition root. Nothing below knows how it is put together; nothing here decides anything about memory. It starts,
runs, drains on the first signal and stops at the second, and says so to the log and to the service manager.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from soulmem import __version__
from soulmem.core.conversation.sliding_window import JobReason
from soulmem.core.questions import question_concepts
from soulmem.core.regex import lazy_regex
from soulmem.embed.run.embedding_threads import EmbedWorker
from soulmem.errors import SoulmemError, StartupError
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.endpoint.budgets import Budgets
from soulmem.llm.engine.engine_choice import close_engine, load_engine, prepare_engine
from soulmem.minds.health import DaemonHealth
from soulmem.minds.registry import MindRegistry
from soulmem.minds.state_machines import DaemonLifecycle, DaemonTrigger
from soulmem.minds.ticks import MindTicks
from soulmem.ops.log.event_bus import EventBus
from soulmem.ops.log.log_output import capture_libraries, open_log
from soulmem.ops.process import file_descriptors, pattern_cache, process_memory, systemd
from soulmem.ops.process.clock import SimulatedClock, SystemClock
from soulmem.ops.process.garbage_collector import set_aside_what_is_loaded
from soulmem.ops.settings.config_loader import Config, load_config
from soulmem.ports import LanguageModel, World
from soulmem.rpc.methods import schema_writer
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.method_table import Methods
from soulmem.rpc.transport.listener import adopt_listener, open_listener
from soulmem.rpc.transport.peer_access import Rights
from soulmem.rpc.transport.server import Server
from soulmem.store.journal.budget_log import SpendingBook
from soulmem.store.journal.catalog_file import CatalogFile
from soulmem.store.journal.work_in_progress import UnderwayFile
from soulmem.store.sqlite import driver, mind_files
from soulmem.store.sqlite.lock import StateLock
from soulmem.wiring import (
    budgets_of,
    complete_embedding,
    engine_options,
    open_book,
    open_clock,
    open_embedding,
    prepare_directories,
    socket_limits,
    take_over_config,
)

# Background threads must not hold the interpreter for long while a message waits for its answer.
_SWITCH_INTERVAL_S = 0.0005
_FIRST_COME_S = 0.2
_DRAIN_GRACE_S = 2.0


@dataclass(frozen=True, slots=True)
class DaemonOptions:
    """What the command line says; None leaves it to the configuration."""

    state: Path | None = None
    socket: Path | None = None
    config: Path | None = None
    simulated_clock: str | None = None
    log_level: str | None = None


def main(options: DaemonOptions) -> int:
    """Run the daemon; returns its exit code (a sysexits number when it could not start)."""
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # the first call would seek them in all that is installed
    try:
        flags = {"state_dir": options.state, "socket": options.socket, "log.level": options.log_level}
        given = {name: str(value) for name, value in flags.items() if value is not None}
        file_descriptors.raise_limit()
        process_memory.keep_few_arenas()
        pattern_cache.load()
        load = partial(load_config, given, config_file=options.config)
        return anyio.run(partial(_Daemon(load, options.simulated_clock).run))
    except StartupError as error:
        print(f"soulmem: {error}", file=sys.stderr)  # noqa: T201 - there is no log yet
        return error.exit_code
    except KeyboardInterrupt:
        return 130


class _Daemon:
    """One run of the daemon."""

    def __init__(self, load: Callable[[], Config], simulated: str | None) -> None:
        self._load = load
        self._config = load()
        self._reloading = anyio.Lock()
        self._simulated = simulated
        self._machine = DaemonLifecycle()
        self._notifier = systemd.SystemdNotifier()
        self._clock: SystemClock | SimulatedClock
        self._bus: EventBus
        self._book: CatalogFile
        self._minds: MindRegistry
        self._time: MindTicks
        self._vitals: DaemonHealth
        self._server: Server
        self._embedding: EmbedWorker
        self._spending: SpendingBook
        self._budgets: Budgets
        self._model: LanguageModel
        self._started_ms = 0.0
        self._signals = 0
        self._is_ready = False
        self._reason = "stopped"

    async def run(self) -> int:
        async with AsyncExitStack() as stack:
            try:
                return await self._run(stack)
            except Exception as error:
                if not self._is_ready and (refusal := file_descriptors.refusal(error)) is not None:
                    raise refusal from error
                raise

    async def _run(self, stack: AsyncExitStack) -> int:
        config = self._config
        prepare_directories(config.state_dir)
        driver.require_usable_driver()
        lock = StateLock(config.state_dir)
        lock.acquire()
        if config.socket.parent != config.state_dir:  # who may come to the socket is for others to say
            mind_files.tighten_state(config.state_dir)
        stack.callback(lock.release)
        stack.push_async_callback(anyio.to_thread.run_sync, pattern_cache.save)
        self._book = await open_book(config.state_dir / "catalog.db")
        stack.push_async_callback(self._book.close)
        self._clock = await open_clock(config, self._book, self._simulated)
        self._started_ms = self._clock.monotonic_ms()
        self._bus = EventBus(open_log(config.log), self._clock)
        stack.callback(self._bus.close)
        stack.enter_context(capture_libraries(self._bus))
        self._bus(
            "daemon_started",
            version=__version__,
            pid=os.getpid(),
            state_dir=str(config.state_dir),
            socket=str(config.socket),
            simulated=self._clock.simulated,
        )
        try:
            world = await self._open_world(stack)
            self._minds = MindRegistry(config.state_dir, config, world, self._book, self._budgets.learn)
            self._time = MindTicks(self._minds, self._clock, self._bus, self._book)
            self._vitals = DaemonHealth(
                config, world, self._machine, self._minds, self._time, self._book, self._notifier,
                started_ms=self._started_ms, connections=lambda: self._server.connections,
            )  # fmt: skip
            self._server = self._open_server(world)
        except StartupError as error:
            self._bus("daemon_refused", reason=str(error), exit_code=error.exit_code)
            raise
        await self._serve(world)
        self._bus.close()  # what is still counted comes before the last line
        self._bus(
            "daemon_stopped",
            exit_code=0,
            uptime_s=round(self._vitals.uptime_s(), 1),
            ms=round(self._clock.monotonic_ms() - self._drain_ms, 1),
        )
        return 0

    async def _open_world(self, stack: AsyncExitStack) -> World:
        config = self._config
        self._embedding = await open_embedding(config, self._bus, stack)
        self._spending = SpendingBook(self._book)
        self._budgets = budgets_of(config, self._clock, self._bus, self._spending.note)
        for each in await self._spending.load(self._budgets.day):
            self._budgets.learn(each.mind, each.day, each.tokens, each.cost)
        self._model = load_engine(
            config.engine.name.value,
            engine_options(config.engine, config),
            self._budgets,
            self._embedding.embedder,
            self._clock,
            self._bus,
        )
        stack.push_async_callback(close_engine, self._model)
        underway = UnderwayFile(config.state_dir)
        stack.callback(underway.close)
        return World(self._clock, self._bus, self._embedding, self._model, underway)

    def _open_server(self, world: World) -> Server:
        config = self._config.server
        sockets = systemd.listen_fds()
        listener = (
            adopt_listener(sockets[0])
            if sockets
            else open_listener(str(self._config.socket), mode=config.mode_bits, group=None)
        )
        service = Service(
            minds=self._minds,
            world=world,
            config=self._config,
            bus=self._bus,
            meter=self._bus.traffic,
            vitals=self._vitals,
            time=self._time,
            budgets=self._budgets,
            watchers=self._start,
            schemas=schema_writer.description,
        )
        return Server(
            listener,
            Methods(service),
            emit=self._bus,
            limits=socket_limits(self._config),
            others=Rights[config.others.value.upper()],
        )

    async def _serve(self, world: World) -> None:
        async with anyio.create_task_group() as group:
            self._group = group
            await group.start(self._minds.run)
            group.start_soon(self._bus.run)
            for name, work in (
                ("spending", self._spending.run),
                ("engine", partial(prepare_engine, self._model)),
                ("ticks", self._time.work_ticks),
                ("heartbeat", self._vitals.beat),
                ("clock", self._time.watch_clock),
                ("watchdog", self._vitals.watch_dog),
            ):
                group.start_soon(file_descriptors.outlast, name, work, self._bus)
            group.start_soon(self._server.serve)
            await group.start(self._heed_signals)
            if not self._clock.simulated:
                self._time.schedule.hand_out()  # now, before anybody is served whom a checkpoint would hold up
            self._ready(world)
            group.start_soon(file_descriptors.outlast, "complete", self._complete, self._bus)
            await self._drain_wanted.wait()
            await self._drain()
            group.cancel_scope.cancel()

    def _ready(self, world: World) -> None:
        self._is_ready = True
        set_aside_what_is_loaded()
        self._fire(DaemonTrigger.READY)
        self._bus(
            "daemon_ready",
            ms=round(self._clock.monotonic_ms() - self._started_ms, 1),
            minds=self._minds.found,
            engine=world.model.name,
            embedder=world.embedding.embedder.name,
            socket=str(self._config.socket),
        )
        self._notifier.notify(READY="1", STATUS="running")

    async def _heed_signals(self, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        self._drain_wanted = anyio.Event()
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
            task_status.started()
            async for number in signals:
                if number == signal.SIGHUP:  # a closed terminal sends it too
                    self._group.start_soon(self._reload)
                    continue
                self._signals += 1
                if self._signals > 1:
                    os._exit(130)  # asked twice: acknowledged writes are on the disk already
                self._reason = signal.Signals(number).name
                self._drain_wanted.set()

    async def _reload(self) -> None:
        """Read the configuration anew; what can change while it runs does, of the rest the log says so."""
        async with self._reloading:
            try:
                fresh = await anyio.to_thread.run_sync(self._load)
            except StartupError as error:
                self._bus("config_refused", reason=str(error))
                return
            await take_over_config(self._config, fresh, self._bus, self._budgets, self._minds)

    async def _complete(self) -> None:
        """What READY did not wait for, because nobody needs it at once; in a thread, beside those who are served.

        Two libraries hold the interpreter for thirty milliseconds each, once: not while who waited for READY asks.
        """
        await anyio.sleep(_FIRST_COME_S)
        await anyio.to_thread.run_sync(importlib.import_module, "numpy.ma")  # the first `np.unique` would do it
        await complete_embedding(self._embedding, self._config.embedder.name, self._bus)
        await anyio.to_thread.run_sync(lazy_regex.compile_all, lambda: not self._drain_wanted.is_set())
        if not self._drain_wanted.is_set():
            await anyio.to_thread.run_sync(question_concepts.prepare)
            await anyio.to_thread.run_sync(pattern_cache.save)
        if not self._clock.simulated:
            await self._time.schedule.prepare()
            if not self._drain_wanted.is_set():
                self._time.schedule.start()

    async def _drain(self) -> None:
        """Stop in the order that loses nothing: no new requests, no new ticks, minds closed, files checkpointed."""
        self._drain_ms = self._clock.monotonic_ms()
        self._fire(DaemonTrigger.DRAIN)
        self._notifier.notify(STOPPING="1", STATUS="draining")
        self._bus("daemon_draining", reason=self._reason, connections=self._server.connections)
        await self._server.drain(_DRAIN_GRACE_S)
        await self._time.schedule.stop()
        for mind in self._minds.open_minds:
            with suppress(SoulmemError):  # a full disk keeps nobody from stopping; the window is kept as it was
                await mind.life.flush(JobReason.SHUTDOWN)
        await self._minds.close()
        with suppress(SoulmemError):  # the minds' own ledgers hold the same
            await self._spending.flush()
        await self._time.note_time()
        self._fire(DaemonTrigger.DRAINED)

    def _fire(self, trigger: DaemonTrigger) -> None:
        before = self._machine.state
        after = self._machine.fire(trigger)
        if after is not before:
            self._bus("state_changed", machine="daemon", before=before.value, after=after.value, trigger=trigger.value)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._group.start_soon(_await, work)


async def _await(work: Coroutine[Any, Any, None]) -> None:
    await work
