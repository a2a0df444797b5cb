"""What clients ask of a mind's plans: each write is one transaction, done once under the client's key.

Called by the methods of the protocol. Invariants: as of `note_calls`; a request that is sent again is answered with
what its plans are now, and with none that was deleted since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from soulmem.core.plans.plan_times import shown_moment
from soulmem.minds.mind_api import ClientCall, Found, Mind
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes.note_rows import Note
from soulmem.store.plans import plan_rows
from soulmem.store.plans.plan_rows import Asked, PlanItem
from soulmem.store.sqlite import list_pages
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views.rendered_notes import faces
from soulmem.store.views.wire_views import active_notes
from soulmem.working.notebook.plan_service import Change, Made, Outcome, Stretch

_MOST_TOLD = 500  # of what gave way, the first


def number_of(plan_id: str) -> int:
    """The number of a plan's note. Raises SoulmemError: `not_found`."""
    return private_id("n", plan_id)


async def add_plans(mind: Mind, call: ClientCall, made: Made, stretch: Stretch | None = None) -> Found:
    """Make plans; with a `stretch`, they take the place of all that is planned then."""
    planning = mind.workers.planning
    scope = await mind.scoping.in_front_of(call.conversation)
    made = await planning.detailed(made)

    def run(connection: Connection) -> Outcome:
        if stretch is None:
            return planning.add(connection, made, scope)
        return planning.supersede(connection, made, stretch, scope)

    return await _write(mind, call, "plan.add" if stretch is None else "plan.supersede", run, is_new=True)


async def update_plan(mind: Mind, call: ClientCall, plan_id: str, change: Change) -> Found:
    """Give a plan other words or times, or say what became of it."""
    plan = private_id("n", plan_id)
    scope = await mind.scoping.in_front_of(call.conversation)
    # Before any work: how long a refusal takes must not tell whether there is such a plan.
    await mind.memory.database.read(plan_rows.get, plan, scope)
    if change.text is not None:
        found = await mind.workers.notebook.elements_of_change(plan, {"text": change.text})
        change = replace(change, found=found)
    run = partial(mind.workers.planning.update, plan=plan, change=change, scope=scope)
    return await _write(mind, call, "plan.update", run, is_new=False)


async def _write(
    mind: Mind, call: ClientCall, method: str, run: Callable[[Connection], Outcome], *, is_new: bool
) -> Found:
    changed: list[Note] = []

    def kept(connection: Connection) -> Found:
        outcome = run(connection)
        changed[:] = outcome.notes
        return {"plans": outcome.plans, "over": outcome.over[:_MOST_TOLD], "cut": outcome.cut[:_MOST_TOLD]}

    def after(_: Found) -> None:
        for note in changed:
            mind.workers.note_changed(note)
        if changed and is_new:
            mind.world.emit("note_created", mind=mind.name, count=len(changed), origin="client")
        elif changed:
            mind.world.emit("note_updated", mind=mind.name, count=len(changed), change="plan")

    done = await mind.keep(call, method, kept, after)
    scope = await mind.scoping.in_front_of(call.conversation)  # a conversation begins with what is first written in it

    def view(connection: Connection) -> Found:
        told = {name: plan_rows.get_many(connection, done[name], scope) for name in ("plans", "over", "cut")}
        shown = {name: _views(connection, mind, list(items.values()), scope) for name, items in told.items()}
        return {
            "items": sorted(shown["plans"], key=lambda each: done["plans"].index(private_id("n", each["id"]))),
            "superseded": [each["id"] for each in shown["over"]],
            "shortened": [each["id"] for each in shown["cut"]],
        }

    found = await mind.memory.database.read(view)
    return found | ({"duplicate": True} if done.get("duplicate") else {})


async def list_plans(mind: Mind, asked: Asked, conversation: str | None) -> Found:
    """A page of plans, by their beginning."""
    scope = await mind.scoping.in_front_of(conversation)
    now = mind.world.clock.now_ms()

    def read(connection: Connection) -> Found:
        rows = plan_rows.page(connection, asked, now, scope)
        items = _views(connection, mind, rows[: asked.limit], scope)
        shown = list_pages.shown(items, asked.limit, lambda each: len(each["text"].encode()))
        more = len(rows) > len(shown)
        return {"items": shown, "next_cursor": shown[-1]["id"] if more and shown else None}

    return await mind.memory.database.read(read)


async def delete_plan(mind: Mind, plan_id: str, conversation: str | None, key: str | None) -> Found:
    """Remove a plan for good; what it took the place of holds again."""
    plan = private_id("n", plan_id)
    scope = await mind.scoping.in_front_of(conversation)
    # Deleted again under its key it is answered as then, to its owner: nobody else can tell it from what never was.
    if scope.audience is not None or key is None or await mind.memory.database.read(plan_rows.is_plan, plan):
        await mind.memory.database.read(plan_rows.check, plan, scope)
    return await mind.purge(plan, key=key)


def _views(connection: Connection, mind: Mind, items: Sequence[PlanItem], scope: Scope) -> list[dict[str, Any]]:
    """Plans as they show now, in the order given."""
    wholes = scope.may_surface(connection, {each.parent for each in items if each.parent is not None})
    now, now_exp = mind.world.clock.now_ms(), mind.view_time().now_exp
    shown = faces(connection, active_notes(connection, [each.note for each in items]), now_exp)
    views = []
    for each in items:
        face = shown.get(each.note)
        if face is None:
            continue
        cut = {} if each.end_ms == each.told_end_ms else {"told_end": shown_moment(each.told_end_ms, each.offset_min)}
        views.append(
            {
                "id": public_id("n", each.note),
                "text": face.text,
                "state": face.told_state,
                "level": each.level.value,
                "start": shown_moment(each.start_ms, each.offset_min),
                "end": shown_moment(each.end_ms, each.offset_min),
                **cut,
                "status": each.status(now).value,
                "whose": face.speaker or None,
                "parent": public_id("n", each.parent) if each.parent in wholes and each.parent else None,
                "superseded_by": public_id("n", each.by) if each.by is not None else None,
                "version": face.note.version,
                "created_at": face.created_at,
            }
        )
    return views
