"""What is put together from notes: forecasts and profiles when they are asked for, reflections in the idle hours."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from soulmem.core.decay.decay_forecast import FARTHEST_DAYS
from soulmem.minds import note_calls
from soulmem.rpc.methods.method_service import Service, read_cursor
from soulmem.rpc.methods.note_methods import NoteParams
from soulmem.rpc.methods.wire_shapes import (
    TIME_WORDS,
    AskedTime,
    Identifier,
    InFrontOf,
    ItemPageParams,
    Label,
    MindParams,
    PageParams,
    asked_as_of,
    optional,
    preset,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.working.profiles.profile_service import DEFAULT_TOKENS, Asked

Points = list[tuple[float, float]]


class ForecastNote(NoteParams):
    days: int | None = optional(
        "how many silent days to look ahead; without it, until the last ordinary detail is gone", ge=1, le=FARTHEST_DAYS
    )


async def forecast_note(service: Service, params: ForecastNote, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.forecast_note(mind, params.id, params.days, params.conversation)


ListName = Literal[
    "gifts", "trips", "pets", "books", "films", "courses", "illnesses", "homes", "activities", "instruments", "events",
    "made", "dishes", "concerts", "causes", "games", "collections", "purchases", "goals",
]  # fmt: skip


class GetProfile(MindParams):
    name: Identifier = Field(
        description="a person or thing: a name, an alias, or whose it is (my sister, Lena's sister, 妈妈, 林晓的妈妈)"
    )
    as_of: AskedTime | None = optional("what held then is wanted, not what holds now; " + TIME_WORDS)
    lists: Annotated[list[ListName] | None, Field(max_length=8)] = optional("only these lists; without it all")
    budget: int = preset(DEFAULT_TOKENS, "how long the text may be, in tokens", ge=0, le=100_000)
    conversation: InFrontOf = None


async def get_profile(service: Service, params: GetProfile, _peer: Peer) -> dict[str, Any]:
    at = asked_as_of(params.as_of, service.world.clock.now_ms())
    wanted = {"lists": tuple(params.lists)} if params.lists is not None else {}
    async with service.minds.use(params.mind) as mind:
        scope = await mind.scoping.in_front_of(params.conversation)
        return await mind.workers.profiles.get(Asked(params.name, at, budget=params.budget, **wanted), scope)


class GetBetween(MindParams):
    name: Identifier = Field(description="one of the two, as profile.get takes a name")
    other: Identifier = Field(description="the other, likewise")
    as_of: AskedTime | None = optional("how it was then is wanted, not how it is now; " + TIME_WORDS)
    budget: int = preset(DEFAULT_TOKENS, "how long the text may be, in tokens", ge=0, le=100_000)
    conversation: InFrontOf = None


async def get_between(service: Service, params: GetBetween, _peer: Peer) -> dict[str, Any]:
    at = asked_as_of(params.as_of, service.world.clock.now_ms())
    async with service.minds.use(params.mind) as mind:
        scope = await mind.scoping.in_front_of(params.conversation)
        return await mind.workers.profiles.between(Asked(params.name, at, budget=params.budget), params.other, scope)


class FindPath(MindParams):
    name: Identifier = Field(description="who it begins with, as profile.get takes a name")
    relations: list[Label] = Field(
        description="what leads from one to the next: sister, 妈妈, partner, work, home, …; * for any",
        min_length=1,
        max_length=4,
    )
    as_of: AskedTime | None = optional("how it was then is wanted, not how it is now; " + TIME_WORDS)
    conversation: InFrontOf = None


async def find_path(service: Service, params: FindPath, _peer: Peer) -> dict[str, Any]:
    at = asked_as_of(params.as_of, service.world.clock.now_ms())
    async with service.minds.use(params.mind) as mind:
        scope = await mind.scoping.in_front_of(params.conversation)
        return await mind.workers.profiles.path(Asked(params.name, at), params.relations, scope)


class ListProfiles(PageParams):
    conversation: InFrontOf = None


async def list_profiles(service: Service, params: ListProfiles, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        scope, after = await mind.scoping.in_front_of(params.conversation), read_cursor(params.cursor)
        return await mind.workers.profiles.names(scope, after, params.limit)


class ListReflections(ItemPageParams):
    conversation: InFrontOf = None


async def list_reflections(service: Service, params: ListReflections, _peer: Peer) -> dict[str, Any]:
    after = read_cursor(params.cursor, "n")
    async with service.minds.use(params.mind) as mind:
        scope = await mind.scoping.in_front_of(params.conversation)
        return await note_calls.list_reflections(mind, scope, after=after, limit=params.limit)
