"""Plans: the methods that make, list, change, replace and delete what is intended, with their shapes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from soulmem.core.calendar.iso8601 import InvalidInstantError
from soulmem.core.plans.plan_items import LASTS_MS, PlanLevel, PlanStatus
from soulmem.core.plans.plan_times import read_moment
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.plans import plan_calls
from soulmem.results.note_results import PlanLevel as Level
from soulmem.results.note_results import PlanStatus as Status
from soulmem.rpc.methods.method_service import Service, read_cursor
from soulmem.rpc.methods.note_methods import KeyedNoteParams, NoteParams, call_of
from soulmem.rpc.methods.wire_shapes import (
    ID,
    TIME_WORDS,
    AskedTime,
    Identifier,
    InFrontOf,
    IsoTime,
    ItemPageParams,
    Label,
    MindParams,
    Params,
    RequestKey,
    Share,
    Text,
    asked_span,
    optional,
    parsed_time,
    preset,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.plans.plan_rows import Asked
from soulmem.store.plans.plan_writes import Times
from soulmem.working.notebook.plan_service import Change, Made, NewPlan, Stretch, checked_times

MOST_PLANS = 200  # of one call
PlanId = Annotated[Identifier | None, ID]


class NewPlanParam(Params):
    text: Text = Field(description="what is intended; 1 B to 256 KiB of UTF-8")
    start: IsoTime = Field(description="when it begins, ISO 8601; its offset is kept and shown again")
    end: IsoTime | None = optional(
        "when it is over, ISO 8601; without it a day, an hour or a quarter of one later, as its level is"
    )
    level: Level = preset("hour", "how broad a stroke: a day holds hours, those hold actions")
    importance: Share | None = optional("0 a trifle, from 0.75 vital; without it as the words show")
    tags: list[Label] = Field(default_factory=list, max_length=64, description="words of yours to find it by")


class AddPlans(MindParams):
    items: list[NewPlanParam] = Field(
        min_length=1, max_length=MOST_PLANS,
        description="the plans; on one level they follow one another, and what is planned there already gives way",
    )  # fmt: skip
    whose: Label = preset("", "whose plans they are, by name; without it the character's own")
    parent: PlanId = optional("the plan, of a broader level, that they are parts of")
    conversation: InFrontOf = None
    key: RequestKey = None


class SupersedePlans(MindParams):
    from_: IsoTime = Field(
        alias="from", description="from when on nothing holds of what was planned, ISO 8601; what runs then ends there"
    )
    to: IsoTime | None = optional("until when; what begins later stays planned. Without it nothing does")
    items: list[NewPlanParam] = Field(
        default_factory=list, max_length=MOST_PLANS, description="what is planned instead; begins in that time"
    )
    level: Level | None = optional(
        "only plans of this level and finer ones; without it those of the broadest of the items, and with none all"
    )
    whose: Label = preset("", "whose plans, by name; without it the character's own")
    parent: PlanId = optional("the plan, of a broader level, that the items are parts of; it stays itself")
    conversation: InFrontOf = None
    key: RequestKey = None


def _times(place: int, given: NewPlanParam) -> Times:
    level = PlanLevel(given.level)
    try:
        start, offset = _moment(given.start)
        end = _moment(given.end)[0] if given.end is not None else start + LASTS_MS[level]
        return checked_times(level, start, end, offset)
    except SoulmemError as error:
        raise SoulmemError(error.name, f"items.{place}: {error.message}", hint=error.hint) from error


def _moment(text: str) -> tuple[int, int]:
    try:
        return read_moment(text)
    except InvalidInstantError as error:
        raise SoulmemError(
            ErrorName.INVALID_TIME, str(error), hint="write it like 2026-03-01T18:30:00+08:00, years 0001 to 9999"
        ) from error


def _made(params: AddPlans | SupersedePlans) -> Made:
    plans = tuple(
        NewPlan(each.text, _times(place, each), each.importance, tuple(each.tags))
        for place, each in enumerate(params.items)
    )
    parent = plan_calls.number_of(params.parent) if params.parent is not None else None
    return Made(plans, params.whose, parent, conversation=params.conversation)


async def add_plans(service: Service, params: AddPlans, _peer: Peer) -> dict[str, Any]:
    made = _made(params)
    async with service.minds.use(params.mind, create=True) as mind:
        return await plan_calls.add_plans(mind, call_of(params), made)


async def supersede_plans(service: Service, params: SupersedePlans, _peer: Peer) -> dict[str, Any]:
    begin, end = parsed_time(params.from_), parsed_time(params.to) if params.to is not None else None
    if end is not None and end <= begin:
        raise SoulmemError(ErrorName.INVALID_TIME, "to: lies not after from", hint="leave it out to replace all")
    stretch = Stretch(begin, end, PlanLevel(params.level) if params.level is not None else None)
    made = _made(params)
    async with service.minds.use(params.mind) as mind:
        return await plan_calls.add_plans(mind, call_of(params), made, stretch)


class ListPlans(ItemPageParams):
    from_: AskedTime | None = optional(f"only plans that are not over at this time, {TIME_WORDS}", alias="from")
    to: AskedTime | None = optional(f"only plans that begin before this time, {TIME_WORDS}: before their end")
    level: Level | None = optional("only plans of this level")
    status: list[Status] | None = optional("only plans with one of these statuses", max_length=6)
    whose: Label | None = optional("only the plans of this person, by name; empty: the character's own")
    parent: PlanId = optional("only the parts of this plan")
    conversation: InFrontOf = None


async def list_plans(service: Service, params: ListPlans, _peer: Peer) -> dict[str, Any]:
    since, until = asked_span(params.from_, params.to, service.world.clock.now_ms())
    asked = Asked(
        from_ms=since,
        to_ms=until,
        level=PlanLevel(params.level) if params.level is not None else None,
        statuses=frozenset(map(PlanStatus, params.status)) if params.status is not None else None,
        whose=params.whose,
        parent=plan_calls.number_of(params.parent) if params.parent is not None else None,
        after=read_cursor(params.cursor, "n") if params.cursor is not None else None,
        limit=params.limit,
    )
    async with service.minds.use(params.mind) as mind:
        return await plan_calls.list_plans(mind, asked, params.conversation)


class UpdatePlan(NoteParams):
    text: Text | None = optional("its new wording; 1 B to 256 KiB of UTF-8")
    start: IsoTime | None = optional("when it begins from now on, ISO 8601; with it alone it takes as long as before")
    end: IsoTime | None = optional("when it is over from now on, ISO 8601")
    status: Literal["planned", "done", "dropped"] | None = optional(
        "what became of it; dropped drops its parts too; planned: it is to be kept after all"
    )
    importance: Share | None = optional("0 a trifle, from 0.75 vital")
    version: int | None = optional(
        "the version you have seen: if it changed since, nothing is changed (version_conflict)"
    )
    key: RequestKey = None


async def update_plan(service: Service, params: UpdatePlan, _peer: Peer) -> dict[str, Any]:
    start, offset = _moment(params.start) if params.start is not None else (None, None)
    change = Change(
        text=params.text,
        start_ms=start,
        end_ms=_moment(params.end)[0] if params.end is not None else None,
        offset_min=offset,
        status=PlanStatus(params.status) if params.status is not None else None,
        importance=params.importance,
        version=params.version,
    )
    if not (change.moves or change.text or change.status or change.importance is not None):
        raise SoulmemError(
            ErrorName.INVALID_PARAMS, "nothing to change", hint="give any of text, start, end, status, importance"
        )
    async with service.minds.use(params.mind) as mind:
        return await plan_calls.update_plan(mind, call_of(params), params.id, change)


async def delete_plan(service: Service, params: KeyedNoteParams, _peer: Peer) -> dict[str, Any]:
    async with service.minds.use(params.mind) as mind:
        return await plan_calls.delete_plan(mind, params.id, params.conversation, params.key)
