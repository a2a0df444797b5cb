"""Step jobs: each step of a round is run as its job, whose row says whether it is done or is to be tried again.

Called by `idle/run/digestion`. A step's effects and its `done` commit together; a step that fails ends no round. Once
called off `PATIENCE` times it is called off no more, and runs beside the talk.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from soulmem.errors import SoulmemError
from soulmem.idle.run.digestion_needs import Report
from soulmem.ports import World
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

PATIENCE = 3  # cancellations after which a step is no longer called off
_FIRST_RETRY_MS = 30_000
_LONGEST_RETRY_MS = 600_000

Work = Callable[[Job], Awaitable[dict[str, Any]]]


class StepJobs:
    """Runs the steps of one mind's rounds."""

    def __init__(self, memory: OpenMind, world: World) -> None:
        self._memory = memory
        self._world = world
        self._scope: anyio.CancelScope | None = None
        self._retries = 0
        self._before: int | None = None
        self.retry_at: int | None = None  # wall time at which a step that failed is tried again
        """Set after a round in which a step could not be done now; cleared by a whole one in which all were."""

    def abandon(self) -> None:
        """Even a step that talk no longer calls off waits for the next time."""
        if self._scope is not None:
            self._scope.cancel()

    def begin_round(self, *, whole: bool) -> None:
        """A round begins; a whole one tries all that failed anew."""
        self._before = self.retry_at
        if whole:
            self.retry_at = None

    def end_round(self, *, whole: bool, preempted: bool) -> None:
        """A round ended; one that was called off leaves to be tried again what was before it."""
        if preempted:
            self.retry_at = self.retry_at or self._before
        elif whole and self.retry_at is None:
            self._retries = 0

    async def run(self, step: str, epoch: EpochRow | None, work: Work, report: Report) -> dict[str, Any] | None:
        """Run a step as its job; returns its stored result, or None if it failed."""
        conversation, number = (epoch.conversation, epoch.epoch) if epoch else (None, None)

        def begin(connection: Connection) -> Job:
            job = digestion_jobs.ensure(connection, step, conversation, number, self._world.clock.now_ms())
            if job.state != digestion_jobs.DONE and job.quarantined_at is None:
                digestion_jobs.start(connection, job.id, self._world.clock.now_ms())
            return job

        with anyio.CancelScope(shield=True):  # begun or not, never half: a call-off counts from the work on
            job = await self._memory.database.write("step.begin", begin)
        if job.state == digestion_jobs.DONE:
            return job.result or {}
        if job.quarantined_at is not None:
            return None
        report.jobs.append(public_id("j", job.id))
        where = {"conversation": epoch.conversation_name, "epoch": epoch.epoch} if epoch else {}
        facts = {"mind": self._memory.name, "step": step, "job": public_id("j", job.id), **where}
        self._world.emit("step_started", attempt=job.attempts + 1, **facts)
        started = self._world.clock.monotonic_ms()
        try:
            with anyio.CancelScope(shield=job.preempted >= PATIENCE) as self._scope:
                result = await work(job)
            if self._scope.cancelled_caught:  # the mind is being closed
                await anyio.sleep_forever()
        except Exception as error:  # the guard of a job: one step that fails must not end the mind's idle life
            await self._note_failure(job, step, error)
            return None
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._memory.database.write(
                    "step.preempt", lambda connection: digestion_jobs.preempt(connection, job.id)
                )
            took = round(self._world.clock.monotonic_ms() - started, 1)
            self._world.emit("step_preempted", mind=self._memory.name, step=step, job=public_id("j", job.id), ms=took)
            raise
        self._world.emit(
            "step_finished", ms=round(self._world.clock.monotonic_ms() - started, 1), result=result, **facts
        )
        return result

    async def _note_failure(self, job: Job, step: str, error: Exception) -> None:
        text = error.line if isinstance(error, SoulmemError) else f"{type(error).__name__}: {error}"
        now = self._world.clock.now_ms()
        comes_again = isinstance(error, SoulmemError) and error.retryable
        end = digestion_jobs.wait if comes_again else digestion_jobs.fail
        await self._memory.database.write("step.fail", lambda connection: end(connection, job.id, text, now))
        number, attempt = public_id("j", job.id), job.attempts + 1
        self._world.emit("step_failed", mind=self._memory.name, step=step, job=number, attempt=attempt, error=text)
        if isinstance(error, SoulmemError) and comes_again:
            pause = min(_FIRST_RETRY_MS << min(self._retries, 8), _LONGEST_RETRY_MS)
            self._retries += 1
            self.retry_at = now + max(pause, min(error.retry_after_ms or 0, _LONGEST_RETRY_MS))
