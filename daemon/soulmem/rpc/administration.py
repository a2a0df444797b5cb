"""Looking after the daemon: the methods of the system, the minds, idle work and the simulated clock."""

from __future__ import annotations

from typing import Any, Literal

import anyio.to_thread
from pydantic import Field

from soulmem import __version__
from soulmem.core import instants
from soulmem.errors import ErrorName, SoulmemError
from soulmem.idle.digest import STEPS
from soulmem.ops.clock import SimulatedClock
from soulmem.ops.config import mind_settings
from soulmem.ops.settings import Profile, fading_of
from soulmem.rpc.protocol import Peer, encode_notification
from soulmem.rpc.service import Service, read_cursor
from soulmem.rpc.shapes import (
    JobShape,
    Key,
    Label,
    LongLabel,
    MindName,
    MindParams,
    MindShape,
    PageParams,
    Params,
    Result,
)
from soulmem.store import elements, identity, jobs
from soulmem.store.catalog import Entry
from soulmem.store.driver import Connection
from soulmem.store.identity import Identity

PROTOCOL = 1
_WATCH_BUFFER = 1000
_LONGEST_STEP_S = 100 * 365.25 * 86_400
_JOBS = "s"  # cursor prefix: summary jobs come after the steps of digestion


class Nothing(Params):
    pass


class Hello(Result):
    server: str
    version: str
    protocol: int


async def hello(_service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    return {"server": "soulmem", "version": __version__, "protocol": PROTOCOL}


class Pong(Result):
    now: str


async def ping(service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    return {"now": instants.to_iso(service.world.clock.now_ms())}


class Description(Result):
    methods: dict[str, Any]
    events: dict[str, Any]
    errors: dict[str, Any]


async def describe(service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    return await anyio.to_thread.run_sync(service.schemas)


class Status(Result):
    state: Literal["starting", "running", "draining", "stopped"]
    minds: list[dict[str, Any]]
    engine: str
    model: dict[str, Any] | None
    budget: dict[str, Any]
    embedder: str
    embed_backlog: int
    pid: int
    uptime_s: float
    version: str
    rss_bytes: int
    connections: int
    state_dir: str
    socket: str
    sqlite: str
    driver: str
    now: str
    clock: Literal["system", "simulated", "suspect"]


async def status(service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    minds = [_summary(entry) for entry in await service.minds.entries()]
    return {
        **service.vitals.facts(),
        "minds": minds,
        "budget": service.budgets.spent_today(),
        "embed_backlog": sum(mind["embed_backlog"] for mind in minds),
        "now": instants.to_iso(service.world.clock.now_ms()),
        "clock": "simulated"
        if service.world.clock.simulated
        else "suspect"
        if service.world.clock.suspect
        else "system",
    }


class Watch(Params):
    events: list[str] | None = Field(default=None, max_length=200)
    mind: MindName | None = None


class Watching(Result):
    watching: list[str] | None


async def watch(service: Service, params: Watch, peer: Peer) -> dict[str, Any]:
    """Subscribe; events follow as `event` notifications until the connection ends or the watcher lags."""
    subscription = service.bus.subscribe(params.events, params.mind, maxlen=_WATCH_BUFFER)
    peer.on_close(subscription.close)
    service.watchers(_feed(service, subscription, peer))
    return {"watching": params.events}


async def _feed(service: Service, subscription: Any, peer: Peer) -> None:
    async for record in subscription:
        if not peer.push(encode_notification("event", record)):
            subscription.close()
            if not peer.is_closed:
                service.world.emit("watcher_lagged", bound=_WATCH_BUFFER)
                peer.notify("lagged", {"hint": "read faster, or watch fewer events"}, urgent=True)
            return
    if subscription.lagged and not peer.is_closed:
        peer.notify("lagged", {"hint": "read faster, or watch fewer events"}, urgent=True)


# ---------------------------------------------------------------------------------------------------- minds


class CreateMind(MindParams):
    title: LongLabel = ""
    profile: Literal["companion", "assistant"] | None = None
    persona: LongLabel = ""
    language: Label = ""
    settings: dict[str, Any] = Field(default_factory=dict)
    key: Key | None = None


class MindResult(Result):
    mind: MindShape
    duplicate: bool | None = None


async def create_mind(service: Service, params: CreateMind, _peer: Peer) -> dict[str, Any]:
    now = service.world.clock.now_ms()
    profile = params.profile or service.config.profile.value
    settings = mind_settings({}, params.settings)
    service.config.for_mind(profile, settings)
    who = Identity(
        params.mind, params.title, profile, params.persona, params.language, settings, now, now,
        service.world.clock.trusted_now_ms(), 0,
    )  # fmt: skip
    request = params.model_dump(exclude={"key"})
    try:
        await service.minds.create(who)
    except SoulmemError as error:
        if error.name is not ErrorName.MIND_EXISTS or params.key is None:
            raise
        exists = error

        def refuse(_connection: Connection) -> dict[str, Any]:
            raise exists

        async with service.minds.use(params.mind) as mind:
            return await mind.keep("mind.create", refuse, key=params.key, request=request)
    shown = await _shown(service, params.mind)
    async with service.minds.use(params.mind) as mind:
        return await mind.keep("mind.create", lambda _connection: shown, key=params.key, request=request)


class UpdateMind(MindParams):
    title: LongLabel | None = None
    profile: Literal["companion", "assistant"] | None = None
    persona: LongLabel | None = None
    language: Label | None = None
    settings: dict[str, Any] | None = None
    key: Key | None = None


async def update_mind(service: Service, params: UpdateMind, _peer: Peer) -> dict[str, Any]:
    given = params.model_dump(exclude={"mind", "key"}, exclude_none=True)
    request = {"mind": params.mind, **given}
    async with service.minds.use(params.mind) as mind:
        if "settings" in given:
            given["settings"] = mind_settings(mind.memory.who.settings, given["settings"])
        profile = given.get("profile", mind.memory.who.profile)
        settled = service.config.for_mind(profile, given.get("settings", mind.memory.who.settings))
        now = service.world.clock.now_ms()
        now_exp = mind.memory.now(service.world.clock.trusted_now_ms())
        changed: list[Identity] = []

        def run(connection: Connection) -> dict[str, Any]:
            identity.update(connection, given, now)
            elements.refit(connection, fading_of(settled.forgetting), now_exp)
            who = identity.load(connection)
            assert who is not None
            changed[:] = [who]
            return {}

        repeated = await mind.keep("mind.update", run, key=params.key, request=request)
        for who in changed:
            await mind.become(who)
            service.world.emit("mind_updated", mind=params.mind, keys=sorted(given))
    return {**await _shown(service, params.mind), **repeated}


async def get_mind(service: Service, params: MindParams, _peer: Peer) -> dict[str, Any]:
    return await _shown(service, params.mind)


async def _shown(service: Service, name: str) -> dict[str, Any]:
    async with service.minds.use(name) as mind:
        counts = await mind.counts()
        who = mind.memory.who
        return {
            "mind": {
                "mind": name,
                "title": who.title,
                "profile": Profile(who.profile).value,
                "persona": who.persona,
                "language": who.language,
                "settings": who.settings,
                "state": mind.state.value,
                "messages": counts.messages,
                "notes": counts.notes,
                "links": counts.links,
                "recalls": counts.recalls,
                "created_at": instants.to_iso(who.created_at),
            }
        }


class MindPage(Result):
    items: list[dict[str, Any]]
    next_cursor: str | None


class ListMinds(Params):
    limit: int = Field(default=100, ge=1, le=500)
    cursor: str | None = Field(default=None, max_length=64)


async def list_minds(service: Service, params: ListMinds, _peer: Peer) -> dict[str, Any]:
    entries = [entry for entry in await service.minds.entries() if params.cursor is None or entry.mind > params.cursor]
    shown = entries[: params.limit]
    more = len(entries) > params.limit
    items = [{**_summary(entry), "profile": entry.profile} for entry in shown]
    return {"items": items, "next_cursor": shown[-1].mind if more else None}


def _summary(entry: Entry) -> dict[str, Any]:
    """A mind as `system.status` shows it."""
    return {
        "mind": entry.mind,
        "title": entry.title,
        "state": entry.state,
        "messages": entry.messages,
        "notes": entry.notes,
        "links": entry.links,
        "pending_jobs": entry.pending_jobs,
        "embed_backlog": entry.embed_backlog,
    }


class DeleteMind(MindParams):
    confirm: str


class DeletedMind(Result):
    deleted: str
    remains: list[str]


async def delete_mind(service: Service, params: DeleteMind, _peer: Peer) -> dict[str, Any]:
    if params.confirm != params.mind:
        raise SoulmemError(
            ErrorName.INVALID_PARAMS,
            "confirm must repeat the name of the mind",
            hint=f"to delete everything {params.mind!r} remembers, pass confirm: {params.mind!r}",
        )
    remains = await service.minds.delete(params.mind)
    service.world.emit("mind_deleted", mind=params.mind)
    return {"deleted": params.mind, "remains": remains}


# ----------------------------------------------------------------------------------------------------- idle


class RunIdle(MindParams):
    steps: list[Literal["flush", "freeze", "summarise", "split", "link", "sweep", "drift"]] | None = None
    wait: bool = True


class IdleResult(Result):
    state: Literal["idle", "working"]
    jobs: list[str]
    preempted: bool


async def run_idle(service: Service, params: RunIdle, _peer: Peer) -> dict[str, Any]:
    assert set(params.steps or ()) <= set(STEPS)
    async with service.minds.use(params.mind) as mind:
        return await mind.sleep(frozenset(params.steps) if params.steps else None, wait=params.wait)


class JobPage(Result):
    items: list[JobShape]
    next_cursor: str | None


async def list_jobs(service: Service, params: PageParams, _peer: Peer) -> dict[str, Any]:
    """Digestion steps and summary jobs; the cursor walks the former, then the latter."""
    summaries = (params.cursor or "").startswith(_JOBS)
    after = read_cursor(params.cursor[1:] if summaries and params.cursor else params.cursor)

    def read(connection: Connection) -> tuple[list[dict[str, Any]], str | None]:
        limit = params.limit
        if not summaries:
            items = jobs.list_page(connection, after=after, limit=limit + 1, iso=instants.to_iso)
            if len(items) > limit:
                return items[:limit], items[limit - 1]["id"][1:]
            more = jobs.summary_jobs(connection, after=0, limit=limit - len(items) + 1, iso=instants.to_iso)
        else:
            items = []
            more = jobs.summary_jobs(connection, after=after, limit=limit + 1, iso=instants.to_iso)
        room = limit - len(items)
        shown = items + more[:room]
        if len(more) <= room:
            return shown, None
        return shown, f"{_JOBS}{more[room - 1]['id'][2:] if room else 0}"

    async with service.minds.use(params.mind) as mind:
        items, cursor = await mind.memory.database.read(read)
    return {"items": items, "next_cursor": cursor}


# ----------------------------------------------------------------------------------------------------- clock


class AdvanceClock(Params):
    seconds: float = Field(ge=0, le=_LONGEST_STEP_S)


class Advanced(Result):
    now: str
    fired: int
    jobs: list[str]


async def advance_clock(service: Service, params: AdvanceClock, _peer: Peer) -> dict[str, Any]:
    clock = _simulated(service)
    target = clock.now_ms() + round(params.seconds * 1000)

    async def step(by_ms: int) -> None:
        clock.advance(by_ms)
        await service.time.note_time()

    fired, done = await service.time.advance(target, step)
    service.world.emit("clock_advanced", seconds=params.seconds, fired=fired, now_ms=clock.now_ms())
    return {"now": instants.to_iso(clock.now_ms()), "fired": fired, "jobs": done}


class JumpClock(Params):
    seconds: float = Field(ge=-_LONGEST_STEP_S, le=_LONGEST_STEP_S)


class Jumped(Result):
    now: str
    suspect: bool


async def jump_clock(service: Service, params: JumpClock, _peer: Peer) -> dict[str, Any]:
    clock = _simulated(service)
    clock.jump(round(params.seconds * 1000))
    service.time.check_clock()
    return {"now": instants.to_iso(clock.now_ms()), "suspect": clock.suspect}


def _simulated(service: Service) -> SimulatedClock:
    clock = service.world.clock
    if not isinstance(clock, SimulatedClock):
        raise SoulmemError(
            ErrorName.SIMULATED_CLOCK_ONLY,
            "the daemon runs on the real clock",
            hint="start it with --simulated-clock to move time by hand",
        )
    return clock
