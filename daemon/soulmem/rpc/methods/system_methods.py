"""The methods of the daemon itself: who it is, how it stands, what happens in it, and its simulated clock.

Called by `methods` for `system.*`, `events.watch` and `clock.*`. Invariant: `system.status` and `system.ping` need no
mind to be opened, so that they are answered in every state.
"""

from __future__ import annotations

from typing import Any

import anyio.to_thread
from pydantic import Field

from soulmem import __version__
from soulmem.core.calendar import iso8601
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.process.clock import SimulatedClock
from soulmem.rpc.methods.method_service import Service
from soulmem.rpc.methods.mind_methods import summary
from soulmem.rpc.methods.wire_shapes import MindName, Params, optional
from soulmem.rpc.transport.jsonrpc import Peer, encode_notification

PROTOCOL = 1
_WATCH_BUFFER = 1000
_LONGEST_STEP_S = 100 * 365.25 * 86_400


class Nothing(Params):
    pass


async def hello(_service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    return {"server": "soulmem", "version": __version__, "protocol": PROTOCOL}


async def ping(service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    return {"now": iso8601.to_iso(service.world.clock.now_ms())}


async def describe(service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    return await anyio.to_thread.run_sync(service.schemas)


async def status(service: Service, _params: Nothing, _peer: Peer) -> dict[str, Any]:
    minds = [summary(service, entry) for entry in await service.minds.entries()]
    return {
        **service.vitals.facts(),
        "minds": minds,
        "budget": service.budgets.spent_today(),
        "embed_backlog": sum(mind["embed_backlog"] for mind in minds),
        "now": iso8601.to_iso(service.world.clock.now_ms()),
        "clock": "simulated"
        if service.world.clock.simulated
        else "suspect"
        if service.world.clock.suspect
        else "system",
    }


class Watch(Params):
    events: list[str] | None = optional("only events of these names; without it all", max_length=200)
    mind: MindName | None = optional("only events of this mind")


async def watch(service: Service, params: Watch, peer: Peer) -> dict[str, Any]:
    """Subscribe; events follow as `event` notifications until the connection ends or the watcher lags.

    A connection has one subscription: a second takes the place of the first.
    """
    subscription = service.bus.subscribe(params.events, params.mind, maxlen=_WATCH_BUFFER)
    before = service.watching.get(peer.number)
    service.watching[peer.number] = subscription
    if before is not None:
        before.close()
    else:
        peer.on_close(lambda: service.watching.pop(peer.number).close())
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


class AdvanceClock(Params):
    seconds: float = Field(ge=0, le=_LONGEST_STEP_S, description="how much time passes; what falls due in it is done")


async def advance_clock(service: Service, params: AdvanceClock, _peer: Peer) -> dict[str, Any]:
    clock = _simulated(service)
    target = clock.now_ms() + round(params.seconds * 1000)

    async def step(by_ms: int) -> None:
        clock.advance(by_ms)
        await service.time.note_time()

    fired, done = await service.time.advance(target, step)
    service.world.emit("clock_advanced", seconds=params.seconds, fired=fired, now_ms=clock.now_ms())
    return {"now": iso8601.to_iso(clock.now_ms()), "fired": fired, "jobs": done}


class JumpClock(Params):
    seconds: float = Field(
        ge=-_LONGEST_STEP_S,
        le=_LONGEST_STEP_S,
        description="how far the clock leaps, as a wrong one does; no time passes",
    )


async def jump_clock(service: Service, params: JumpClock, _peer: Peer) -> dict[str, Any]:
    clock = _simulated(service)
    clock.jump(round(params.seconds * 1000))
    await service.time.check_clock()
    return {"now": iso8601.to_iso(clock.now_ms()), "suspect": clock.suspect}


def _simulated(service: Service) -> SimulatedClock:
    clock = service.world.clock
    if not isinstance(clock, SimulatedClock):
        raise SoulmemError(
            ErrorName.SIMULATED_CLOCK_ONLY,
            "the daemon runs on the real clock",
            hint="start it with --simulated-clock to move time by hand",
        )
    return clock
