"""The two halves of a mind: the workers of both, made here and joined to each other.

`life` adds when which half works, `mind` what clients ask. Each worker knows its own work only: what one of them has to
do because another did something is said here. Invariant: a worker that fails is told of and tried again after a pause;
it never takes the others along.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import anyio.abc

from soulmem.errors import SoulmemError
from soulmem.idle import digest
from soulmem.idle.digest import Digesting, Needs
from soulmem.llm.detailing import details_of
from soulmem.ops.config import Config, MindSettings
from soulmem.ops.settings import dormancy_of
from soulmem.ports import World
from soulmem.store import identity
from soulmem.store.identity import Counts
from soulmem.store.notes import Note
from soulmem.store.open_mind import OpenMind
from soulmem.working.absorb import Absorbing
from soulmem.working.amend import Amending
from soulmem.working.analyse import Analysing
from soulmem.working.blurring import Blurring
from soulmem.working.converse import Conversing
from soulmem.working.erasing import Erasing
from soulmem.working.feedback import Feedback
from soulmem.working.indexing import Indexing
from soulmem.working.listen import Listening
from soulmem.working.notebook import Notebook
from soulmem.working.pace import Pace
from soulmem.working.reacting import Reacting
from soulmem.working.recall import Recalling
from soulmem.working.recall_queue import RecallQueue
from soulmem.working.reconstructing import Reconstructing
from soulmem.working.scope import Scoping
from soulmem.working.shelving import Shelving
from soulmem.working.summarise import Summarising

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0


class Halves:
    """The workers of an open mind, and the settings all of them look at."""

    def __init__(self, memory: OpenMind, world: World, config: Config, pace: Pace) -> None:
        self.memory = memory
        self.world = world
        self._config = config
        self._pace = pace
        self.settings: MindSettings
        self.apply_settings()
        current = self.current_settings
        self.listening = Listening(memory, world, current, self._wake)
        self.amending = Amending(memory, world, current, self._wake, self.listening.forget_talk)
        self.notebook = Notebook(memory, world, current, details_of)
        self.blurring = Blurring(memory, world, self._wake)
        memory.up_to_date = self.blurring.keep_up
        self.recalling = Recalling(memory, world, current)
        self.recalls = RecallQueue(memory, world, current, pace, self.recalling)
        self.absorbing = Absorbing(memory, world, current, pace, self.listening.forget_talk)
        self.indexing = Indexing(memory, pace)
        self.shelving = Shelving(memory, current, pace, self.absorbing.wake)
        self.summarising = Summarising(memory, world, current, pace, self.absorbing.wake)
        analysing = Analysing(memory, world, self.recalling, config.engine.analysis)
        self.feedback = Feedback(memory, world)
        self.recalls.on_followed = self.feedback.remember
        self.erasing = Erasing(memory, world, self.feedback.relearn)
        self.amending.erasing = self.erasing
        self.amending.forget_recalls = self.feedback.forget_recalls
        self.scoping = Scoping(memory, current)
        memory.in_front_of = self.scoping.in_front_of
        self.reconstructing = Reconstructing(memory, world, self.note_changed)
        self.conversing = Conversing(
            memory, world, current, self.listening, self.recalling, self.recalls, analysing, self.feedback,
            self.scoping, self.reconstructing,
        )  # fmt: skip
        self.reacting = Reacting(memory, world, current, pace, self.feedback)
        self.recalls.embedding_works = lambda: self.absorbing.works
        self.recalls.embedding_goes_on = lambda: self.absorbing.progress
        needs = Needs(
            summary_rolled=self.summarising.rolled,
            recalls_done=self.recalls.settled,
            notes_absorbed=self.absorbing.notes_absorbed,
            hurry_summaries=self.summarising.hurry,
            wake=self._wake,
            blur=self.blurring.catch_up,
            details_of=details_of,
        )
        self.digesting = Digesting(memory, world, current, needs)
        memory.when_prepared = self._wake_all

    def note_changed(self, note: Note) -> None:
        """After a commit: the index follows, and a new text gets its vector."""
        self.notebook.follow(note)
        self.absorbing.wake()

    @property
    def name(self) -> str:
        return self.memory.name

    def current_settings(self) -> MindSettings:
        return self.settings

    def apply_settings(self) -> None:
        """Take over changed settings: the dormancy of experienced time changes from now on, without a jump."""
        self.settings = self._config.for_mind(self.memory.who.profile, self.memory.who.settings)
        after_ms, rate_ppm = dormancy_of(self.settings.forgetting)
        self.memory.time = self.memory.time.with_dormancy(
            self.memory.time.wall_anchor_ms, after_ms=after_ms, rate_ppm=rate_ppm
        )

    def start_workers(self, group: anyio.abc.TaskGroup) -> None:
        """Let the workers run in this group until it is cancelled."""
        group.start_soon(self._keep_running, "summarise", self.summarising.run)
        group.start_soon(self._keep_running, "absorb", self.absorbing.run)
        group.start_soon(self._keep_running, "index", self.indexing.run)
        group.start_soon(self._keep_running, "shelve", self.shelving.run)
        group.start_soon(self._keep_running, "recall", self.recalls.run)
        group.start_soon(self._keep_running, "feedback", self.feedback.run)
        group.start_soon(self._keep_running, "recollect", self.feedback.recollect)
        group.start_soon(self._keep_running, "react", self.reacting.run)
        group.start_soon(self._keep_running, "erase", self.erasing.run)

    async def _keep_running(self, step: str, work: Callable[[], Awaitable[None]]) -> None:
        """The guard of a worker: what fails is told and tried again after a pause; it never takes others along."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                await work()
            except Exception as error:  # a guard of jobs: a disk that is full must not end the mind
                text = error.message if isinstance(error, SoulmemError) else f"{type(error).__name__}: {error}"
                self.world.emit("job_failed", mind=self.name, job="", step=step, error=text[:200])
                await anyio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)

    async def settled(self) -> None:
        """Wait until no background work is left: recalls, vectors, what goes on the shelf or comes back from it."""
        while True:
            counts = await self.counts()
            is_busy = counts.embed_backlog or not self.shelving.is_resting
            if not is_busy and not await self.memory.database.read(digest.pending_recalls):
                return
            if counts.embed_backlog and not self.absorbing.works:
                return
            await anyio.sleep(0.01)

    async def counts(self) -> Counts:
        return await self.memory.database.read(identity.counts)

    def _wake_all(self) -> None:
        for kind in ("summary", "embed", "index", "shelve", "recall"):
            self._wake(kind)

    def _wake(self, kind: str) -> None:
        match kind:
            case "summary":
                self.summarising.wake()
            case "embed":
                self.absorbing.wake()
            case "index":
                self.indexing.wake()
            case "shelve":
                self.shelving.wake()
            case "recall":
                self.recalls.wake()
            case _:
                raise ValueError(kind)
