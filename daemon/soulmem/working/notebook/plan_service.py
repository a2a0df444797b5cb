"""Plan service: plans that clients make, move, settle and replace (algorithms.md §8.4).

Called by `minds/plans/plan_calls`. A plan is a note with a time, so that it is recalled, fades, is hidden and deleted
as any other; what is decided of times is `core/plans/plan_items`. Every change is one transaction of the caller's.
Invariants: of two plans that cannot both be kept the newer stands, for everybody who may see it; a plan does not begin
to fade before its time is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from soulmem.core.calendar.iso8601 import EARLIEST_MS, LATEST_MS
from soulmem.core.plans.plan_items import (
    TO_KEEP,
    PlanLevel,
    PlanStatus,
    Slot,
    Yielded,
    clash,
    finer,
    from_then_on,
    giving_way,
    is_part,
    with_parts,
)
from soulmem.core.plans.plan_times import shown_span
from soulmem.core.schema.blind_ids import Sentence
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.search.relevance_scoring import speaker_key
from soulmem.core.text.tokens import wording_language
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.messages import conversations
from soulmem.store.notes import note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.plans import plan_rows, plan_writes
from soulmem.store.plans.plan_rows import PlanItem
from soulmem.store.plans.plan_writes import Times
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.working.notebook.note_drafts import Draft, Found
from soulmem.working.notebook.note_service import NoteService

_GIST = {"en": "something planned", "zh": "一个计划"}


@dataclass(frozen=True, slots=True)
class NewPlan:
    """One plan as a client makes it."""

    text: str
    times: Times
    importance: float | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """New plans of one person, parts of one plan or of none; `drafts` are their notes, in their order."""

    plans: tuple[NewPlan, ...]
    whose: str = ""
    parent: int | None = None
    drafts: tuple[Draft, ...] = ()
    conversation: str | None = None

    @property
    def slots(self) -> list[Slot]:
        who = speaker_key(self.whose) if self.whose else ""
        return [Slot(each.times.level, each.times.start_ms, each.times.end_ms, who) for each in self.plans]


@dataclass(frozen=True, slots=True)
class Stretch:
    """From when, and until when at most, other plans take the place of those there are; of a level and those finer."""

    begin_ms: int
    end_ms: int | None = None
    level: PlanLevel | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What of a plan changes; None: it stays. `version`: that of its note which the caller saw."""

    text: str | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    offset_min: int | None = None
    status: PlanStatus | None = None
    importance: float | None = None
    version: int | None = None
    found: Found | None = None

    @property
    def moves(self) -> bool:
        return self.start_ms is not None or self.end_ms is not None


@dataclass(slots=True)
class Outcome:
    """The plans that were made or changed, and what gave way to them, as a whole or in part."""

    plans: list[int] = field(default_factory=list)
    over: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


class PlanService:
    """Writes of one mind's plans. Each method but `detailed` takes the connection of its transaction."""

    def __init__(self, world: World, notebook: NoteService) -> None:
        self._world = world
        self._notebook = notebook

    async def detailed(self, made: Made) -> Made:
        """The same with the notes that the plans are to be, weighed."""
        drafts = [
            Draft(
                kind=NoteKind.PLAN, text=each.text, at=each.times.start_ms, importance=each.importance, tags=each.tags,
                conversation=made.conversation, speaker=made.whose, until=each.times.end_ms,
                gist=_GIST[wording_language(each.text)],
            )
            for each in made.plans
        ]  # fmt: skip
        return replace(made, drafts=tuple([await self._notebook.detailed(each) for each in drafts]))

    def add(self, connection: Connection, made: Made, scope: Scope) -> Outcome:
        """Make plans; what cannot be kept beside them gives way.

        Raises SoulmemError: `not_found` for the plan they are parts of, `invalid_params` where they are none of it or
        cannot all be kept.
        """
        slots = made.slots
        self._check(connection, made, scope)
        yielded = self._meeting(connection, slots, frozenset(), scope)
        return self._make(connection, made, yielded, scope)

    def supersede(self, connection: Connection, made: Made, stretch: Stretch, scope: Scope) -> Outcome:
        """Let plans take the place of all that is planned from a time on; what runs then ends there.

        Raises SoulmemError: as `add`; `invalid_params` for a plan that begins before that time.
        """
        self._check(connection, made, scope)
        for place, each in enumerate(made.plans):
            begins = each.times.start_ms
            if begins < stretch.begin_ms or (stretch.end_ms is not None and begins >= stretch.end_ms):
                message = f"items.{place}: begins outside of the time whose plans are replaced"
                raise SoulmemError(ErrorName.INVALID_PARAMS, message, hint="plan.add takes it as it is")
        slots = made.slots
        broadest = stretch.level or min((each.level for each in slots), key=_breadth, default=PlanLevel.DAY)
        standing = plan_rows.standing(connection, finer(broadest), stretch.begin_ms, stretch.end_ms, scope)
        who = speaker_key(made.whose) if made.whose else ""
        own = [each for each in standing if each.slot.whose == who and each.plan != made.parent]
        then = from_then_on(own, stretch.begin_ms, stretch.end_ms, slots)
        met = self._meeting(connection, slots, frozenset({*then.over, *then.cut}), scope)
        return self._make(connection, made, Yielded(met.over | then.over, met.cut | then.cut), scope)

    def update(self, connection: Connection, plan: int, change: Change, scope: Scope) -> Outcome:
        """Give a plan other words or times, or say what became of it. Its parts move along, and are dropped with it.

        Raises SoulmemError: `not_found`, `version_conflict`, `invalid_time` for one that ends before it begins,
        `invalid_params` for what cannot be done with it any more.
        """
        now, item = self._world.clock.now_ms(), plan_rows.get(connection, plan, scope)
        times = _moved(item, change)
        if item.is_over and not (change.moves or change.status):
            raise SoulmemError(
                ErrorName.INVALID_PARAMS, Sentence(public_id("n", plan), " is superseded and not to be kept"),
                hint="give it a time or the status planned, or make another with plan.add",
            )  # fmt: skip
        status = change.status or (PlanStatus.PLANNED if change.moves else item.stored)
        if change.status is PlanStatus.PLANNED and times.end_ms <= now:
            raise SoulmemError(ErrorName.INVALID_PARAMS, "its time is over", hint="give it another start and end")
        outcome = Outcome([plan])
        moved = {plan: times}
        if change.moves:
            moved |= self._parts_along(connection, item, times, scope)
        for each, when in moved.items():
            fields = _fields(change) if each == plan else {}
            found = change.found if each == plan else None
            self._notebook.update(
                connection, each, {**fields, **({"at": when.start_ms} if change.moves else {})},
                change.version if each == plan else None, found, when.end_ms,
            )  # fmt: skip
            if change.moves:
                plan_writes.move(connection, each, when, now)
        if status is not item.stored or item.is_over or status is PlanStatus.DROPPED:
            plan_writes.settle(connection, plan, status, now, item.conversation)
        if status is PlanStatus.DROPPED:
            for part in plan_rows.parts_of(connection, [plan], scope):
                plan_writes.settle(connection, part.plan, status, now, item.conversation)
                outcome.over.append(part.plan)
        elif status is PlanStatus.PLANNED:
            self._detach(connection, moved, scope)
            held = plan_rows.get_many(connection, list(moved), scope)
            numbers = list(held)
            yielded = self._meeting(connection, [held[each].slot for each in numbers], frozenset(moved), scope)
            self._yield(connection, yielded, numbers, item.conversation, scope, outcome)
        outcome.notes = list(note_rows.get_many(connection, list(moved)).values())
        return outcome

    def _check(self, connection: Connection, made: Made, scope: Scope) -> None:
        """Refuse plans that cannot all be kept, or are no parts of what they are said to be parts of."""
        met = clash(made.slots)
        if met is not None:
            message = f"items.{met[0]} and items.{met[1]} overlap on the level {made.slots[met[0]].level.value}"
            hint = "plans of one person on one level follow one another; parts of a plan are of a finer level"
            raise SoulmemError(ErrorName.INVALID_PARAMS, message, hint=hint)
        if made.parent is None:
            return
        whole = plan_rows.get(connection, made.parent, scope)
        if whole.status(self._world.clock.now_ms()) not in TO_KEEP:
            over = Sentence("parent: ", public_id("n", made.parent), " is not to be kept any more")
            raise SoulmemError(ErrorName.INVALID_PARAMS, over)
        for place, each in enumerate(made.slots):
            if not is_part(each.level, whole.level) or each.whose != whole.slot.whose:
                message = f"items.{place}: no part of a plan of the level {whole.level.value}, or somebody else's"
                raise SoulmemError(
                    ErrorName.INVALID_PARAMS, message, hint="parts are of a finer level: day, hour, action"
                )
            if each.start_ms < whole.start_ms or each.end_ms > whole.end_ms:
                when = shown_span(whole.start_ms, whole.end_ms, whole.offset_min)
                raise SoulmemError(
                    ErrorName.INVALID_PARAMS, f"items.{place}: lies outside of the plan it is a part of, {when}"
                )  # fmt: skip

    def _meeting(
        self, connection: Connection, slots: Sequence[Slot], apart: frozenset[int], scope: Scope
    ) -> Yielded:  # fmt: skip
        """What cannot be kept beside these; `apart`: plans that are not looked at."""
        if not slots:
            return Yielded()
        levels = sorted({each.level for each in slots})
        begin, end = min(each.start_ms for each in slots), max(each.end_ms for each in slots)
        standing = plan_rows.standing(connection, levels, begin, end, scope)
        return giving_way((each for each in standing if each.plan not in apart), slots)

    def _make(self, connection: Connection, made: Made, yielded: Yielded, scope: Scope) -> Outcome:
        now, outcome, there = self._world.clock.now_ms(), Outcome(), made.conversation
        if there is None and made.parent is not None:  # what is a part of a plan is known where that is
            whole = plan_rows.get(connection, made.parent, scope).conversation
            there = conversations.conversation_name(connection, whole) if whole is not None else None
        for new, draft in zip(made.plans, made.drafts, strict=True):
            note = self._notebook.add(connection, replace(draft, conversation=there), scope)
            plan_writes.insert(connection, note, new.times, made.parent, now)
            outcome.plans.append(note)
        home = conversations.ensure_conversation(connection, there, now).id if there is not None else None
        self._yield(connection, yielded, outcome.plans, home, scope, outcome)
        outcome.notes = list(note_rows.get_many(connection, outcome.plans).values())
        return outcome

    def _yield(
        self, connection: Connection, yielded: Yielded, new: Sequence[int], heard: int | None, scope: Scope,
        outcome: Outcome,
    ) -> None:  # fmt: skip
        """Let plans give way, with their parts. `heard`: where that is told, if nothing takes their time."""
        wholes = [*yielded.over, *yielded.cut]
        parts = [each for each in plan_rows.parts_of(connection, wholes, scope) if each.plan not in new]
        found, now = with_parts(yielded, parts), self._world.clock.now_ms()
        for plan, place in found.over.items():
            plan_writes.give_way(connection, plan, None if place is None else new[place], now, heard)
            outcome.over.append(plan)
        for plan, (place, at) in found.cut.items():
            plan_writes.cut(connection, plan, None if place is None else new[place], at, heard)
            outcome.cut.append(plan)

    def _parts_along(self, connection: Connection, item: PlanItem, times: Times, scope: Scope) -> dict[int, Times]:
        """The parts of a plan that is moved, as much later or earlier as it is."""
        by = times.start_ms - item.start_ms
        parts = plan_rows.parts_of(connection, [item.note], scope) if by else []
        held = plan_rows.get_many(connection, [each.plan for each in parts], scope)
        try:
            return {
                each.note: checked_times(
                    each.level, each.start_ms + by, each.told_end_ms + by, each.offset_min
                )
                for each in held.values()
            }  # fmt: skip
        except SoulmemError as error:
            raise SoulmemError(ErrorName.INVALID_TIME, "its parts would lie outside the years 0001 to 9999") from error

    def _detach(self, connection: Connection, moved: dict[int, Times], scope: Scope) -> None:
        """What was moved away from the plan it was a part of is a part of it no more."""
        items = plan_rows.get_many(connection, list(moved), scope)
        wholes = plan_rows.get_many(connection, [each.parent for each in items.values() if each.parent], scope)
        for each in items.values():
            whole = wholes.get(each.parent) if each.parent else None
            if whole is not None and (each.start_ms < whole.start_ms or each.end_ms > whole.end_ms):
                plan_writes.detach(connection, each.note)


def checked_times(level: PlanLevel, start_ms: int, end_ms: int, offset_min: int) -> Times:
    """Raises SoulmemError: `invalid_time` for what ends before it begins, or outside of the calendar."""
    if end_ms <= start_ms:
        message = "the plan ends before it begins, or takes no time at all"
        raise SoulmemError(ErrorName.INVALID_TIME, message, hint="give an end that is later than the start")
    if not (start_ms >= EARLIEST_MS and end_ms <= LATEST_MS + 1):
        raise SoulmemError(ErrorName.INVALID_TIME, "the plan lies outside the years 0001 to 9999")
    return Times(level, start_ms, end_ms, offset_min)


def _moved(item: PlanItem, change: Change) -> Times:
    """When a plan is to be kept after a change: with a new start alone it takes as long as it did."""
    start = item.start_ms if change.start_ms is None else change.start_ms
    lasts = item.told_end_ms - item.start_ms
    end = change.end_ms if change.end_ms is not None else start + lasts if change.moves else item.told_end_ms
    return checked_times(item.level, start, end, item.offset_min if change.offset_min is None else change.offset_min)


def _fields(change: Change) -> dict[str, Any]:
    given = {"text": change.text, "importance": change.importance}
    return {name: value for name, value in given.items() if value is not None}


def _breadth(level: PlanLevel) -> int:
    return -len(finer(level))
