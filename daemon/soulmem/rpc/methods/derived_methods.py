"""What is put together from notes: forecasts and profiles when they are asked for, reflections in the idle hours."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from soulmem.core.decay.decay_forecast import FARTHEST_DAYS
from soulmem.core.schema.note_requests import LinkKind
from soulmem.minds import note_calls
from soulmem.rpc.methods.method_service import Service, read_cursor
from soulmem.rpc.methods.note_methods import NoteParams
from soulmem.rpc.methods.wire_shapes import (
    TIME_WORDS,
    AskedTime,
    Identifier,
    InFrontOf,
    ItemPageParams,
    MindParams,
    PageParams,
    Result,
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


class ElementForecast(Result):
    id: str
    level: Literal[0, 1, 2]
    anchor: Literal["none", "spontaneous", "forced"]
    state: Literal["clear", "blurred", "blank"]
    opacity: float
    stability_days: float
    blurs_at: str | None
    blanks_at: str | None
    quote: str | None = optional("of a clear one: its words as they show now")
    gist: str | None = optional("of a blurred one")
    points: Points = Field(description="[day, opacity], evenly spaced from now (day 0), at most 120")


class LinkForecast(Result):
    id: str
    note: str = Field(description="the note at its other end")
    kind: LinkKind
    verb: str
    strength: float
    stability_days: float
    dies_at: str | None
    points: Points = Field(description="[day, strength]; 0 once it is dead")


class EndShape(Result):
    at: str | None = Field(description="when it is forgotten, about; null for one that is kept")
    kept_by: str | None = Field(
        description="what keeps it: pinned, lore, open_epoch (its conversation is not digested yet), clear (a detail "
        "that never blurs), settings (the mind deletes nothing), tombstone (it is forgotten, and can be restored until "
        "`at`)"
    )


class ForecastResult(Result):
    id: str
    text: str = Field(description="as it shows now")
    state: Literal["clear", "blurred", "blank"]
    now: str
    days: int
    blur_below: float
    blank_below: float
    elements: list[ElementForecast]
    links: list[LinkForecast] = Field(description="the strongest 40")
    more_links: int
    dies: EndShape | None = optional("told to the owner only: not where a conversation is named")


async def forecast_note(service: Service, params: ForecastNote, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await note_calls.forecast_note(mind, params.id, params.days, params.conversation)


ListName = Literal["gifts", "trips", "pets", "books", "films", "courses", "illnesses", "homes"]


class GetProfile(MindParams):
    name: Identifier = Field(
        description="a person or thing: a name, an alias, or whose it is (my sister, Lena's sister, 妈妈, 林晓的妈妈)"
    )
    as_of: AskedTime | None = optional("what held then is wanted, not what holds now; " + TIME_WORDS)
    lists: Annotated[list[ListName] | None, Field(max_length=8)] = optional("only these lists; without it all")
    budget: int = preset(DEFAULT_TOKENS, "how long the text may be, in tokens", ge=0, le=100_000)
    conversation: InFrontOf = None


class ProfileEvidence(Result):
    id: str = Field(description="the note")
    at: str | None = Field(description="when it happened, as far as that is still known")
    quote: str = Field(description="the note as it shows now, at most 300 characters")


class ProfileValue(Result):
    value: str
    since: str | None = Field(description="null: nobody said")
    until: str | None = Field(description="null: it still holds, as far as is known")
    evidence: list[ProfileEvidence] = Field(description="the latest 8 notes that say so")


class ProfileAttribute(Result):
    name: str = Field(description="home, work, job, age, likes, allergy, …; or what somebody calls `my X`")
    now: list[ProfileValue]
    earlier: list[ProfileValue]


class ProfileRelationship(Result):
    relation: str = Field(description="the word that was used: sister, 妈妈, colleague, dog")
    name: str | None = Field(description="null: nobody said it")
    until: str | None
    evidence: list[ProfileEvidence]


class ProfileItem(Result):
    what: str
    at: str | None
    evidence: list[ProfileEvidence]


class ProfileList(Result):
    items: list[ProfileItem] = Field(description="oldest first; of more than 50 the latest")
    more: int


class ProfileResult(Result):
    name: str
    names: list[str] = Field(description="by which it is called, the name among them")
    known_as: str = Field(description="whose it is, where that tells it from others of its name")
    attributes: list[ProfileAttribute]
    relationships: list[ProfileRelationship]
    lists: dict[str, ProfileList] = Field(description="only those that have an entry")
    text: str = Field(description="the same in words, for a prompt, within the budget")


async def get_profile(service: Service, params: GetProfile, _peer: Peer) -> dict[str, Any]:
    at = asked_as_of(params.as_of, service.world.clock.now_ms())
    wanted = {"lists": tuple(params.lists)} if params.lists is not None else {}
    async with service.minds.use(params.mind) as mind:
        scope = await mind.in_front_of(params.conversation)
        return await mind.workers.profiles.get(Asked(params.name, at, budget=params.budget, **wanted), scope)


class GetBetween(MindParams):
    name: Identifier = Field(description="one of the two, as profile.get takes a name")
    other: Identifier = Field(description="the other, likewise")
    as_of: AskedTime | None = optional("how it was then is wanted, not how it is now; " + TIME_WORDS)
    budget: int = preset(DEFAULT_TOKENS, "how long the text may be, in tokens", ge=0, le=100_000)
    conversation: InFrontOf = None


class TieShape(Result):
    relation: str = Field(description="the word that was used: sister, 妈妈, colleague")
    who: str
    whose: str = Field(description="to whom he is that")
    until: str | None
    evidence: list[ProfileEvidence]


class BetweenResult(Result):
    name: str
    other: str
    ties: list[TieShape] = Field(description="what one is to the other")
    shared: list[ProfileEvidence] = Field(
        description="the notes that speak of both, in the order in which it happened; of more than 50 the latest"
    )
    more: int
    text: str = Field(description="the same in words, for a prompt, within the budget")


async def get_between(service: Service, params: GetBetween, _peer: Peer) -> dict[str, Any]:
    at = asked_as_of(params.as_of, service.world.clock.now_ms())
    async with service.minds.use(params.mind) as mind:
        scope = await mind.in_front_of(params.conversation)
        return await mind.workers.profiles.between(Asked(params.name, at, budget=params.budget), params.other, scope)


class ListProfiles(PageParams):
    conversation: InFrontOf = None


class KnownName(Result):
    name: str
    notes: int = Field(description="how many notes speak of it or come from it")


class KnownNames(Result):
    items: list[KnownName] = Field(description="those that most notes speak of first")
    next_cursor: str | None


async def list_profiles(service: Service, params: ListProfiles, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        scope, after = await mind.in_front_of(params.conversation), read_cursor(params.cursor)
        return await mind.workers.profiles.names(scope, after, params.limit)


class ListReflections(ItemPageParams):
    conversation: InFrontOf = None


class ReflectionShape(Result):
    id: str = Field(description="the note that says it")
    text: str = Field(description="as it shows now")
    state: Literal["clear", "blurred", "blank", "rewritten"]
    at: str | None = Field(description="when the latest of what it rests on happened")
    made_at: str = Field(description="when it was concluded, or last made anew")
    depth: int = Field(description="1: it rests on notes alone; one more than the deepest reflection it rests on", ge=1)
    stale: bool = Field(description="what it rests on changed since: it is made anew, and recalled by nobody meanwhile")
    by: str = Field(description="statistics, or the language model that concluded it")
    evidence: list[ProfileEvidence] = Field(description="what it rests on")


class ReflectionPage(Result):
    items: list[ReflectionShape] = Field(description="oldest first")
    next_cursor: str | None


async def list_reflections(service: Service, params: ListReflections, _peer: Peer) -> dict[str, Any]:
    after = read_cursor(params.cursor, "n")
    async with service.minds.use(params.mind) as mind:
        scope = await mind.in_front_of(params.conversation)
        return await note_calls.list_reflections(mind, scope, after=after, limit=params.limit)
