"""The methods that look after minds: made, changed, shown, deleted, sent to idle, and the jobs of their digestion.

Called by `method_table` for `mind.*`, `idle.run`, `job.*` and `replay.undo`. Invariant: a mind is changed under its
idempotency key, in its own file; settings that cannot be are refused before anything is written.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from soulmem.core.calendar import iso8601
from soulmem.errors import ErrorName, SoulmemError
from soulmem.idle.run.digestion import STEPS
from soulmem.minds.replays import replay_calls
from soulmem.ops.settings.config_loader import mind_settings
from soulmem.ops.settings.setting_sections import Profile, fading_of
from soulmem.rpc.methods.method_service import Service, read_cursor
from soulmem.rpc.methods.result_shapes import JobShape, MindShape
from soulmem.rpc.methods.wire_shapes import (
    ID,
    Identifier,
    Label,
    Limit,
    LongLabel,
    MindParams,
    NextPage,
    PageParams,
    Params,
    RequestKey,
    Result,
    optional,
    preset,
)
from soulmem.rpc.transport.jsonrpc import Peer
from soulmem.store.journal import digestion_jobs, work_in_progress
from soulmem.store.journal.catalog import Entry
from soulmem.store.notes import element_rows
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.sqlite.driver import Connection

_ASIDE, _JOBS = "a", "s"  # cursor prefixes: what is set aside without a job, the steps of digestion, summary jobs
_OPEN = "open"  # the step of opening a mind


class CreateMind(MindParams):
    title: LongLabel = preset("", "its name as people know it, in any script")
    profile: Literal["companion", "assistant"] | None = optional(
        "companion forgets and blurs, assistant only ranks; without it as the daemon is set"
    )
    persona: LongLabel = preset("", "who the character is: it stands in every context")
    language: Label = preset("", "the language its notes are written in, like en or zh; without it that of the talk")
    settings: dict[str, Any] = Field(
        default_factory=dict, description="what it does otherwise than the daemon is set, like window.capacity"
    )
    key: RequestKey = None


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
    title: LongLabel | None = optional("its name as people know it, in any script")
    profile: Literal["companion", "assistant"] | None = optional("companion forgets and blurs, assistant only ranks")
    persona: LongLabel | None = optional("who the character is: it stands in every context")
    language: Label | None = optional(
        "the language its notes are written in, like en or zh; without it that of the talk"
    )
    settings: dict[str, Any] | None = optional("settings to change, like window.capacity; null takes one back")
    key: RequestKey = None


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
            mind_metadata.update(connection, given, now)
            element_rows.refit(connection, fading_of(settled.forgetting), now_exp)
            who = mind_metadata.load(connection)
            assert who is not None
            changed[:] = [who]
            return {}

        repeated = await mind.keep("mind.update", run, key=params.key, request=request)
        for who in changed:
            await mind.life.become(who)
            service.world.emit("mind_updated", mind=params.mind, keys=sorted(given))
    return {**await _shown(service, params.mind), **repeated}


async def get_mind(service: Service, params: MindParams, _peer: Peer) -> dict[str, Any]:
    return await _shown(service, params.mind)


async def _shown(service: Service, name: str) -> dict[str, Any]:
    async with service.minds.use(name) as mind:
        counts = await mind.workers.counts()
        who = mind.memory.who
        return {
            "mind": {
                "mind": name,
                "title": who.title,
                "profile": Profile(who.profile).value,
                "persona": who.persona,
                "language": who.language,
                "settings": who.settings,
                "state": mind.life.state.value,
                "messages": counts.messages,
                "notes": counts.notes,
                "links": counts.links,
                "recalls": counts.recalls,
                "created_at": iso8601.to_iso(who.created_at),
            }
        }


class MindPage(Result):
    items: list[dict[str, Any]]
    next_cursor: str | None


class ListMinds(Params):
    limit: Limit = 100
    cursor: NextPage = None


async def list_minds(service: Service, params: ListMinds, _peer: Peer) -> dict[str, Any]:
    entries = [entry for entry in await service.minds.entries() if params.cursor is None or entry.mind > params.cursor]
    shown = entries[: params.limit]
    more = len(entries) > params.limit
    items = [{**summary(service, entry), "profile": entry.profile} for entry in shown]
    return {"items": items, "next_cursor": shown[-1].mind if more else None}


def summary(service: Service, entry: Entry) -> dict[str, Any]:
    """A mind as `system.status` shows it; `trouble` where its file cannot be read or written."""
    trouble = service.minds.trouble(entry.mind)
    return {
        "mind": entry.mind,
        "title": entry.title,
        "state": entry.state,
        "messages": entry.messages,
        "notes": entry.notes,
        "links": entry.links,
        "pending_jobs": entry.pending_jobs,
        "embed_backlog": entry.embed_backlog,
        "pending_recalls": entry.pending_recalls,
        "quarantined": entry.quarantined,
        "trouble": None if trouble is None else {"error": trouble.name.value, "message": trouble.line},
    }


class DeleteMind(MindParams):
    confirm: str = Field(description="the name of the mind once more: everything it remembers goes")


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


class RunIdle(MindParams):
    steps: (
        list[
            Literal[
                "flush",
                "freeze",
                "summarise",
                "split",
                "link",
                "rederive",
                "reconcile",
                "merge",
                "reflect",
                "plans",
                "sweep",
                "replay",
                "drift",
            ]
        ]
        | None
    ) = optional("only these steps; without it all that are due")
    wait: bool = preset(True, "answer when it is done, not when it has begun")


class IdleResult(Result):
    state: Literal["idle", "working"]
    jobs: list[str]
    preempted: bool


async def run_idle(service: Service, params: RunIdle, _peer: Peer) -> dict[str, Any]:
    assert set(params.steps or ()) <= set(STEPS)
    async with service.minds.use(params.mind) as mind:
        return await mind.life.sleep(frozenset(params.steps) if params.steps else None, wait=params.wait)


class JobPage(Result):
    items: list[JobShape]
    next_cursor: str | None


class RetryJobs(MindParams):
    ids: Annotated[list[str] | None, ID] = optional(
        "ids of steps that are set aside, as job.list gives them; without it all", max_length=500
    )


class RetriedJobs(Result):
    retried: list[str]


async def retry_jobs(service: Service, params: RetryJobs, _peer: Peer) -> dict[str, Any]:
    """Let steps over which the daemon died be tried again, now if the mind is idle; its opening by opening it."""
    opening = [_OPEN] if service.world.underway.is_set_aside(params.mind, _OPEN) else []
    async with service.minds.use(params.mind) as mind:
        return {"retried": opening + await mind.life.retry(params.ids)}


class UndoReplay(MindParams):
    job: Annotated[Identifier | None, ID] = optional(
        "id of the night's job, like j17, as job.list gives it; without it the last"
    )
    key: RequestKey = None


class UndoneReplay(Result):
    job: str
    regions: int = Field(description="parts of the graph that are as they were")
    links: int = Field(description="links that are no more")
    concluded: int = Field(description="reflections that are no more")
    ended: int = Field(description="times that a note holds again")
    merged: int = Field(description="notes that came out of others again")
    rephrased: int = Field(description="notes that say again what they said")
    retagged: int = Field(description="notes that are listed under the topics of before")
    duplicate: bool | None = None


async def undo_replay(service: Service, params: UndoReplay, _peer: Peer) -> dict[str, Any]:
    """Let all be as it was before a night, but for what became of it since."""
    async with service.minds.use(params.mind) as mind:
        return await replay_calls.undo_night(mind, params.job, params.key)


async def list_jobs(service: Service, params: PageParams, _peer: Peer) -> dict[str, Any]:
    """What is set aside without a job, digestion steps and summary jobs; the cursor walks them in this order.

    A mind over whose opening the daemon died is not opened for it: who looks does no harm.
    """
    before, cursor, limit = list[dict[str, Any]](), params.cursor, params.limit
    if cursor is None or cursor.startswith(_ASIDE):
        begin = read_cursor(cursor[1:] if cursor else None)
        aside = work_in_progress.listed(service.world.underway, params.mind)
        before, cursor, limit = aside[begin : begin + limit], None, limit - len(aside[begin : begin + limit])
        if not limit:
            return {"items": before, "next_cursor": f"{_ASIDE}{begin + len(before)}"}
        if any(row["step"] == _OPEN for row in aside):
            return {"items": before, "next_cursor": None}
    summaries = (cursor or "").startswith(_JOBS)
    after = read_cursor(cursor[1:] if summaries and cursor else cursor)

    def read(connection: Connection) -> tuple[list[dict[str, Any]], str | None]:
        if not summaries:
            items = digestion_jobs.list_page(connection, after=after, limit=limit + 1, iso=iso8601.to_iso)
            if len(items) > limit:
                return items[:limit], items[limit - 1]["id"][1:]
            more = digestion_jobs.summary_jobs(connection, after=0, limit=limit - len(items) + 1, iso=iso8601.to_iso)
        else:
            items = []
            more = digestion_jobs.summary_jobs(connection, after=after, limit=limit + 1, iso=iso8601.to_iso)
        room = limit - len(items)
        shown = items + more[:room]
        if len(more) <= room:
            return shown, None
        return shown, f"{_JOBS}{more[room - 1]['id'][2:] if room else 0}"

    async with service.minds.use(params.mind) as mind:
        items, cursor = await mind.memory.database.read(read)
    return {"items": before + items, "next_cursor": cursor}
