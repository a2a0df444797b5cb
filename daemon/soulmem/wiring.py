"""The world a daemon opens: its catalogue, its clock, its embedder, its language model, as the configuration asks.

Part of the composition root: `daemon` calls it once at start and closes what is returned in reverse. The settings
become the plain options of the adapters here, so that no adapter knows the configuration.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from soulmem.core.calendar import iso8601
from soulmem.core.schema.engine_tasks import Task
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, choose_embedder
from soulmem.embed.adapters.lazy_embedder import LateEmbedder
from soulmem.embed.run.embedding_threads import EmbedWorker
from soulmem.errors import ErrorName, SoulmemError, StartupError
from soulmem.llm.endpoint.budgets import Budgets
from soulmem.llm.endpoint.endpoint_options import BudgetOptions, EngineOptions, Price, TaskOptions
from soulmem.ops.log.event_bus import EventBus
from soulmem.ops.log.log_output import open_log
from soulmem.ops.process import process_memory
from soulmem.ops.process.clock import JumpLimits, SimulatedClock, SystemClock
from soulmem.ops.settings import config_loader, default_paths
from soulmem.ops.settings.config_loader import Config
from soulmem.ops.settings.engine_settings import EngineSettings
from soulmem.rpc.transport.request_limits import Limits
from soulmem.store.journal import catalog
from soulmem.store.journal.catalog_file import CatalogFile
from soulmem.store.sqlite import disk_reserve, mind_files

if TYPE_CHECKING:
    from soulmem.minds.registry import MindRegistry

_SIMULATED_START = "2026-01-01T00:00:00Z"


async def open_book(path: Path) -> CatalogFile:
    """The catalogue; one that is damaged is moved aside, because it can be rebuilt from the minds.

    What is no file is left where it is: a link that leads nowhere may lead to a disk that is not there yet.
    Raises StartupError: exit code 78, when it cannot be opened.
    """
    try:
        mind_files.refuse_irregular(path)
    except SoulmemError as error:
        raise StartupError(f"{path.parent}: {error.line}", exit_code=78) from error
    try:
        return await CatalogFile.open(path)
    except SoulmemError as error:
        if error.name is ErrorName.STORAGE_FULL and disk_reserve.release(path.parent):
            return await open_book(path)
        if error.name.value != "storage_damaged" or "newer" in error.message:
            raise StartupError(f"{error.message}: {error.hint}", exit_code=78) from error
        mind_files.set_aside(path)
        return await CatalogFile.open(path)


async def open_clock(config: Config, book: CatalogFile, simulated: str | None) -> SystemClock | SimulatedClock:
    """The clock: the system's, or with `simulated` (an ISO time, or empty to go on from the last run) one that stands.

    Raises StartupError: exit code 64, when the time is none.
    """
    limits = JumpLimits(
        forward_ms=round(config.clock.jump_limit_s * 1000), settle_ms=round(config.clock.settle_s * 1000)
    )
    seen = await book.read(catalog.fact, "last_seen_ms")
    last_seen_ms = int(seen) if seen else None
    clock = _clock(simulated, last_seen_ms, limits)
    if last_seen_ms is not None and not clock.suspect:
        with suppress(SoulmemError):  # a full disk: a clock that is ahead is not remembered to have leapt
            await book.write("clock", partial(catalog.step_clock, before_ms=last_seen_ms, after_ms=clock.now_ms()))
    return clock


def _clock(simulated: str | None, last_seen_ms: int | None, limits: JumpLimits) -> SystemClock | SimulatedClock:
    if simulated is None:
        return SystemClock(last_seen_ms=last_seen_ms, limits=limits)
    if simulated:
        try:
            start = iso8601.parse_iso(simulated)
        except iso8601.InvalidInstantError as error:
            raise StartupError(f"--simulated-clock: {error}; {error.hint}", exit_code=64) from error
        return SimulatedClock(start, last_seen_ms=last_seen_ms, limits=limits)
    return SimulatedClock(last_seen_ms or iso8601.parse_iso(_SIMULATED_START), limits=limits)


async def open_embedding(config: Config, bus: EventBus, stack: AsyncExitStack) -> EmbedWorker:
    """The embedder at work; a model that runs in this process is not loaded yet.

    Raises StartupError: exit code 78 for settings that name no model, 69 when an endpoint does not answer.
    """
    chosen = config.embedder
    spec = EmbedderSpec(
        name=chosen.name,
        base_url=chosen.base_url or None,
        model=chosen.model or None,
        api_key=chosen.api_key.reveal() if chosen.api_key else None,
    )
    models = chosen.models_dir or default_paths.models_directory(os.environ)
    embedder, reason = await anyio.to_thread.run_sync(choose_embedder, spec, models, process_memory.give_back)
    if reason:
        bus("model_missing", embedder=embedder.name, wanted=chosen.name, reason=reason)
    embedding = EmbedWorker(embedder, background_threads=min(2, os.cpu_count() or 1))
    stack.push_async_callback(embedding.close)
    if isinstance(embedder, LateEmbedder):
        return embedding
    try:
        await embedding.identify()
    except SoulmemError as error:
        raise StartupError(
            f"the embedder does not answer: {error.message}; {error.hint or ''}", exit_code=69
        ) from error
    return embedding


async def complete_embedding(embedding: EmbedWorker, wanted: str, bus: EventBus) -> None:
    """Load the model if nobody needed it yet, and say so if it is not the one that was wanted."""
    embedder = embedding.embedder
    if isinstance(embedder, LateEmbedder):
        used, reason = await anyio.to_thread.run_sync(embedder.loaded)
        if reason:
            bus("model_missing", embedder=used.name, wanted=wanted, reason=reason)


def budgets_of(
    config: Config,
    clock: SystemClock | SimulatedClock,
    bus: EventBus,
    spent: Callable[[str, int, int, float], None] | None = None,
) -> Budgets:
    """The budgets; `spent` is told what a mind spent on a day so far."""
    return Budgets(budget_limits(config), clock, bus, spent)


def budget_limits(config: Config) -> BudgetOptions:
    """What may be spent."""
    limits = config.budget
    return BudgetOptions(limits.tokens_per_day, limits.tokens_per_mind, limits.tokens_per_run, limits.cost_per_day)


async def take_over_config(config: Config, fresh: Config, bus: EventBus, budgets: Budgets, minds: MindRegistry) -> None:
    """Let a daemon that runs follow a configuration that was read anew; what needs a restart, the log says."""
    changed, fixed = config_loader.take_over(config, fresh)
    bus.log_to(open_log(config.log))
    budgets.limit_to(budget_limits(config))
    for name in [mind.name for mind in minds.open_minds]:
        try:
            async with minds.use(name) as mind:
                await mind.life.reconfigure()
        except SoulmemError as error:  # it goes on with what it had
            bus("config_refused", mind=name, reason=error.message)
    bus("config_reloaded", changed=changed)
    if fixed:
        bus("config_needs_restart", keys=fixed)


def socket_limits(config: Config) -> Limits:
    """What a client of the socket may ask for."""
    server = config.server
    deadline_ms = round(server.frame_deadline_s * 1000)
    return Limits(
        frame_bytes=server.frame_bytes,
        depth=server.depth,
        in_flight=server.in_flight,
        connections=server.connections,
        requests_per_s=server.requests_per_s,
        first_frame_ms=deadline_ms,
        frame_ms=deadline_ms,
    )


def engine_options(engine: EngineSettings, config: Config) -> EngineOptions:
    """What the adapter of an endpoint is told."""
    return EngineOptions(
        base_url=engine.base_url,
        model=engine.model,
        api_key=engine.api_key.reveal() if engine.api_key else None,
        temperature=engine.temperature,
        max_tokens=engine.max_tokens,
        deadline_s=engine.deadline_s,
        interactive_deadline_s=engine.interactive_deadline_s,
        concurrency=engine.concurrency,
        retries=engine.retries,
        patience_s=engine.patience_s,
        pause_s=engine.pause_s,
        tasks={
            Task(name): TaskOptions(each.model, each.temperature, each.max_tokens, each.deadline_s)
            for name, each in (engine.tasks or {}).items()
        },
        prices={name: Price(each.input, each.output) for name, each in (engine.prices or {}).items()},
        prompts_dir=engine.prompts_dir,
        capabilities_file=config.state_dir / "endpoints.json",
    )


def prepare_directories(state: Path) -> None:
    """Make what is not there yet. Raises StartupError: it cannot be made."""
    for directory, what, advice in (
        (state, "the state directory", "choose another with --state"),
        (
            state / "minds",
            "the directory of the minds",
            "move away what stands there, or check the owner of what is above it",
        ),
    ):
        try:
            mind_files.make(directory)
        except OSError as error:
            message = f"{what} {directory} cannot be made ({error.strerror}): {advice}"
            raise StartupError(message, exit_code=73) from error
