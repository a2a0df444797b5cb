"""Digestion: what a mind does while nobody talks, step by step.

Run by `mind` whenever it is idle. Entering idle flushes and freezes every conversation that was talked in; then one
(conversation, epoch) at a time, oldest first: take back what was asked to be forgotten, wait for summaries, split them
into notes, link those, reconcile them with what was known; then let what tells the same be one and think over what was
noted; last, find what was planned and missed, forget what has faded, and at night go over what is new. Each step but
the first is a durable job: its effects and `done` commit together, so kill -9 loses none and repeats none. A request
calls it off: the step under way finishes its transaction or is cancelled at its model call, and goes on in the next
idle time; once called off three times it runs beside the talk.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio
import anyio.lowlevel

from soulmem.core.conversation.sliding_window import JobReason
from soulmem.core.schema.audience import Sharing
from soulmem.idle.merging import merge_step
from soulmem.idle.reflection import reflect_step
from soulmem.idle.replay import replay_step
from soulmem.idle.run.digestion_needs import Needs, Report
from soulmem.idle.run.step_jobs import StepJobs, Work
from soulmem.idle.steps.link_step import link
from soulmem.idle.steps.reconcile_step import reconcile
from soulmem.idle.steps.rederive_step import rederive, reopen
from soulmem.idle.steps.split_step import split
from soulmem.idle.upkeep import drift_step, forgetting_sweep, plan_step
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import World
from soulmem.store.conversation_state import window_state
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.index import embedding_backlog
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.messages import amendments, message_log, rolling_summaries
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

STEPS = tuple("flush freeze summarise split link rederive reconcile merge reflect plans sweep replay drift".split())
NIGHT = frozenset({"plans", "replay"})  # what falls due in silence, beside the sweep
_REST_MS = 3_600_000


class Digestion:
    """The idle half of one mind."""

    def __init__(self, memory: OpenMind, world: World, settings: SettingsNow, needs: Needs) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._needs = needs
        self._scope: anyio.CancelScope | None = None
        self._run = ""
        self._jobs = StepJobs(memory, world)
        self.drift_rests_until = 0  # wall time before which an idle mind is not woken to let details drift
        self.replay_rests_until = 0  # … or to go over what is new

    def call_off(self) -> None:
        """Somebody talks: stop at the next point where nothing is lost."""
        if self._scope is not None:
            self._scope.cancel()

    def abandon(self) -> None:
        """The mind is being closed: even a step that talk no longer calls off waits for the next time."""
        self.call_off()
        self._jobs.abandon()

    @property
    def retry_at(self) -> int | None:
        """Wall time at which a step that could not be done is tried again."""
        return self._jobs.retry_at

    async def digest(self, steps: frozenset[str] | None = None) -> Report:
        """One round over everything there is to digest; ends early when called off.

        `steps`: only these steps; None is all.
        """
        report = Report()
        wanted = steps or frozenset(STEPS)
        self._run = f"{self._memory.name}@{self._world.clock.now_ms()}"
        self._jobs.begin_round(whole=steps is None)
        with anyio.CancelScope() as scope:
            self._scope = scope
            try:
                if steps is None:
                    started = partial(digestion_jobs.begin_round, now=self._world.clock.now_ms())
                    await self._memory.database.write("digest.begin", started)
                # What the talk brought to mind is settled before it becomes notes, or those would be recalled by it.
                await self._needs.recalls_done()
                if wanted & {"flush", "freeze"}:
                    await self._flush_all(report)
                for epoch in await self._memory.database.read(window_state.frozen):
                    await self._digest_epoch(epoch, wanted, report)
                if "rederive" in wanted:
                    await self._rederive_all(report)
                if "merge" in wanted:
                    begin, absorbed = partial(self._jobs.run, "merge", None, report=report), self._needs.notes_absorbed
                    await merge_step.merge_all(self._memory, self._world, self._settings(), absorbed, begin, self._run)
                if "reflect" in wanted:
                    await self._reflect(report)
                if "plans" in wanted and await plan_step.is_due(self._memory, self._world):
                    await self._jobs.run("plans", None, partial(plan_step.miss, self._memory, self._world), report)
                if "sweep" in wanted:
                    await self._jobs.run("sweep", None, self._sweep, report)
                if "replay" in wanted:  # what is cheaper comes before it
                    await self._replay(report, is_asked=steps is not None and not steps >= NIGHT)
                if wanted & {"drift", "sweep"} and drift_step.is_on(self._memory, self._settings()):
                    await self._jobs.run("drift", None, self._drift, report)
            finally:
                self._scope = None
        report.preempted = scope.cancelled_caught
        self._jobs.end_round(whole=steps is None, preempted=report.preempted)
        return report

    async def _flush_all(self, report: Report) -> None:
        for epoch in await self._memory.database.read(window_state.open_with_messages):
            done, frozen = await self._memory.database.write("freeze", partial(self._freeze, epoch=epoch))
            report.jobs += done
            if frozen:
                self._needs.wake("summary")
                self._needs.wake("embed")
                self._world.emit(
                    "epoch_frozen",
                    mind=self._memory.name,
                    conversation=epoch.conversation_name,
                    epoch=epoch.epoch,
                    messages=frozen,
                )
            await anyio.lowlevel.checkpoint()

    def _freeze(self, connection: Connection, epoch: EpochRow) -> tuple[list[str], int]:
        """In the writer thread: assign what is fresh, end the epoch, open the next; both steps at once."""
        held = window_state.load(connection, epoch.conversation)
        if held is None or held[0].epoch != epoch.epoch:
            return [], 0
        now = self._world.clock.now_ms()
        said = message_log.of_epoch(connection, epoch.conversation, epoch.epoch)
        plan, _ = window_state.end_epoch(connection, epoch.conversation, held[0], JobReason.IDLE, now)
        embedding_backlog.enqueue(connection, [("message", said[-1].id, "context")])
        done: list[str] = []
        for step, result in (("flush", {"assigned": len(plan.assigned)}), ("freeze", {"messages": len(said)})):
            job = digestion_jobs.ensure(connection, step, epoch.conversation, epoch.epoch, now)
            digestion_jobs.start(connection, job.id, now)
            digestion_jobs.finish(connection, job.id, result, now)
            done.append(public_id("j", job.id))
        for step in ("summarise", "split", "link", "reconcile"):
            digestion_jobs.ensure(connection, step, epoch.conversation, epoch.epoch, now)
        return done, len(said)

    async def _digest_epoch(self, epoch: EpochRow, wanted: frozenset[str], report: Report) -> None:
        made: list[int] = []
        await self._needs.honour_requests(epoch)

        async def split_epoch(job: Job) -> dict[str, Any]:
            apart = self._settings().recall.sharing is not Sharing.OPEN
            result = await split(self._memory, self._world, epoch, job, self._run, apart=apart)
            made.extend(result.notes)
            self._needs.wake("embed")
            return {"created": result.created, "refused": result.refused, "left_out": result.left_out}

        async def link_epoch(job: Job) -> dict[str, Any]:
            await self._needs.notes_absorbed()  # whom a note is like must not depend on who was embedded first
            result = await link(self._memory, self._world, self._settings(), epoch, made, job, self._run)
            return {"created": result.created, "strengthened": result.strengthened, "hot": len(result.hot)}

        works: tuple[tuple[str, Work], ...] = (
            ("summarise", partial(self._await_summaries, epoch)), ("split", split_epoch), ("link", link_epoch),
            ("reconcile", partial(self._reconcile, epoch)),
        )  # fmt: skip
        for step, work in works:
            if step not in wanted:
                return  # the steps of an epoch build on one another
            done = await self._jobs.run(step, epoch, work, report)
            if done is None:
                return
            if step == "link":
                self._needs.wake("shelve")  # the epoch is digested
            if step == "split" and not made:
                made.extend(done.get("notes", ()))

    async def _reconcile(self, epoch: EpochRow, job: Job) -> dict[str, Any]:
        await self._needs.notes_absorbed()
        apart = self._settings().recall.sharing is not Sharing.OPEN
        result = await reconcile(
            self._memory, self._world, self._settings(), epoch, job, self._run, self._needs.details_of, apart=apart
        )
        if result.corrected:
            self._needs.wake("embed")
        return result.view()

    async def _rederive_all(self, report: Report) -> None:
        """What was corrected or deleted after it became notes."""
        if not await self._memory.database.read(amendments.due):
            return
        for epoch in await reopen(self._memory, self._world):

            async def work(job: Job, epoch: EpochRow = epoch) -> dict[str, Any]:
                await self._needs.notes_absorbed()
                absorb = partial(self._needs.wake, "embed")
                return await rederive(self._memory, self._world, self._settings(), epoch, job, self._run, absorb)

            if await self._jobs.run("rederive", epoch, work, report) is not None:
                self._needs.wake("embed")
                self._needs.wake("shelve")
                await self._jobs.run("reconcile", epoch, partial(self._reconcile, epoch), report)

    async def _reflect(self, report: Report) -> None:
        """What was noted is thought over, where enough of it has come together."""
        apart = self._settings().recall.sharing is not Sharing.OPEN

        async def work(job: Job) -> dict[str, Any]:
            await self._needs.notes_absorbed()
            done = await reflect_step.reflect(self._memory, self._world, self._settings(), job, self._run, apart=apart)
            if done.made or done.renewed:
                self._needs.wake("embed")
            return done.view()

        if await reflect_step.due(self._memory, self._world, self._settings(), apart=apart):
            await self._jobs.run("reflect", None, work, report)

    async def _await_summaries(self, epoch: EpochRow, job: Job) -> dict[str, Any]:
        """Wait until the epoch's summary jobs are done, or the deadline: then its raw messages stand in."""
        self._needs.hurry_summaries()
        left, where = list[Any](), (epoch.conversation, epoch.epoch)
        with anyio.move_on_after(self._settings().summary.deadline_ms / 1000):
            while True:
                rolled = self._needs.summary_rolled
                left = await self._memory.database.read(rolling_summaries.unfinished_jobs, *where)
                if not left:
                    break
                with anyio.move_on_after(0.25):
                    await rolled()
        result = {"unfinished": len(left)}
        finish = partial(digestion_jobs.finish, job=job.id, result=result, now=self._world.clock.now_ms())
        await self._memory.database.write("summarise.done", finish)
        return result

    async def _sweep(self, job: Job) -> dict[str, Any]:
        return await forgetting_sweep.run(
            self._memory, self._world, self._settings(), job,
            wake=self._needs.wake, blur=self._needs.blur, details_of=self._needs.details_of,
        )  # fmt: skip

    async def _replay(self, report: Report, *, is_asked: bool) -> None:
        begin = partial(self._jobs.run, "replay", None, report=report)
        self.replay_rests_until = self._world.clock.now_ms() + _REST_MS
        absorbed = self._needs.notes_absorbed
        if await replay_step.replay_all(
            self._memory, self._world, self._settings(), absorbed, begin, self._run, is_asked=is_asked
        ):
            self._needs.wake("embed")

    async def _drift(self, job: Job) -> dict[str, Any]:
        self.drift_rests_until = self._world.clock.now_ms() + _REST_MS
        result = await drift_step.drift(self._memory, self._world, self._settings(), job, self._run)
        if result["drifted"]:
            self._needs.wake("embed")
        return result
