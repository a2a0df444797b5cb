"""The two halves of a mind: the workers of both, made here and joined to each other.

`runtime` adds when which half works, `mind` what clients ask. Each worker knows its own work only: what one of them has
to do because another did something is said here. Invariant: a worker that fails is told of and tried again after a
pause; it never takes the others along.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio
import anyio.abc

from soulmem.errors import ErrorName, SoulmemError
from soulmem.idle.run import digestion
from soulmem.idle.run.digestion import Digestion, Needs
from soulmem.llm.engine.detail_service import details_of
from soulmem.ops.settings.config_loader import Config, MindSettings
from soulmem.ops.settings.setting_sections import dormancy_of
from soulmem.ports import World
from soulmem.store.index import vectors
from soulmem.store.notes.note_rows import Note
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Counts
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.feedback.implicit_feedback import ImplicitFeedback
from soulmem.working.feedback.recall_feedback import Feedback
from soulmem.working.ingest.embedding_queue import EmbeddingQueue
from soulmem.working.ingest.erasure_worker import ErasureWorker
from soulmem.working.ingest.eviction_worker import EvictionWorker
from soulmem.working.ingest.fts_queue import FtsQueue
from soulmem.working.ingest.mask_refresh import MaskRefresh
from soulmem.working.ingest.message_edits import MessageEdits
from soulmem.working.ingest.message_ingest import MessageIngest
from soulmem.working.ingest.summary_worker import SummaryWorker
from soulmem.working.notebook.note_service import NoteService
from soulmem.working.notebook.reconstruction_service import ReconstructionService
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.query_analysis import QueryAnalyser
from soulmem.working.recall.recall_queue import RecallQueue
from soulmem.working.respond.dialogue_service import DialogueService
from soulmem.working.runtime.audience import AudienceLookup
from soulmem.working.runtime.backpressure import Pace
from soulmem.working.runtime.step_guard import StepGuard

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_EMBEDDER_AWAY_S = 30.0


class MindWorkers:
    """The workers of an open mind, and the settings all of them look at."""

    def __init__(self, memory: OpenMind, world: World, config: Config, pace: Pace) -> None:
        self.memory = memory
        self.world = world
        self._config = config
        self._pace = pace
        self.settings: MindSettings
        self.apply_settings()
        current = self.current_settings
        self.listening = MessageIngest(memory, world, current, self._wake)
        self.amending = MessageEdits(memory, world, current, self._wake, self.listening.forget_talk)
        self.notebook = NoteService(memory, world, current, details_of)
        self.blurring = MaskRefresh(memory, world, self._wake)
        memory.up_to_date = self.blurring.keep_up
        self.recalling = BasicRecall(memory, world, current)
        self.recalls = RecallQueue(memory, world, current, pace, self.recalling)
        self.absorbing = EmbeddingQueue(memory, world, current, pace, self.listening.forget_talk)
        self.guards = {step: StepGuard(memory.name, world, step) for step in ("index", "shelve", "erase", "recollect")}
        self.indexing = FtsQueue(memory, pace, self.guards["index"])
        self.shelving = EvictionWorker(memory, current, pace, self.absorbing.wake, self.guards["shelve"])
        self.summarising = SummaryWorker(memory, world, current, pace, self.absorbing.wake)
        analysing = QueryAnalyser(memory, world, self.recalling, config.engine.analysis)
        self.feedback = Feedback(memory, world)
        self.recalls.on_followed = self.feedback.remember
        self.erasing = ErasureWorker(memory, world, self.feedback.relearn, self.guards["erase"])
        self.amending.erasing = self.erasing
        self.amending.forget_recalls = self.feedback.forget_recalls
        self.scoping = AudienceLookup(memory, current)
        memory.in_front_of = self.scoping.in_front_of
        self.reconstructing = ReconstructionService(memory, world, self.note_changed)
        self.conversing = DialogueService(
            memory, world, current, self.listening, self.recalling, self.recalls, analysing, self.feedback,
            self.scoping, self.reconstructing,
        )  # fmt: skip
        self.reacting = ImplicitFeedback(memory, world, current, pace, self.feedback)
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
        self.digesting = Digestion(memory, world, current, needs)
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
        group.start_soon(self._keep_running, "recollect", self._recollect)
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

    async def _recollect(self) -> None:
        """Bring what links remember into the graph once it is there, learn anew what must be, then wait for the end."""
        guard = self.guards["recollect"]
        await self.memory.graph_ready.wait()
        await guard.until_free()
        with guard.at():
            await self.feedback.bring_back()
        while True:
            try:
                with guard.at():
                    await self.feedback.relearn()
                break
            except SoulmemError as error:
                if error.name is not ErrorName.MODEL_UNAVAILABLE:
                    raise
            await anyio.sleep(_EMBEDDER_AWAY_S)
        await anyio.sleep_forever()

    async def settled(self) -> None:
        """Wait until no background work is left: recalls, vectors, what goes on the shelf or comes back from it."""
        while True:
            counts = await self.counts()
            is_busy = counts.embed_backlog or not self.shelving.is_resting
            if not is_busy and not await self.memory.database.read(digestion.pending_recalls):
                return
            if counts.embed_backlog and not self.absorbing.works:
                return
            await anyio.sleep(0.01)

    async def counts(self) -> Counts:
        """How much there is; what is set aside without a job of its own included."""
        counts = await self.memory.database.read(mind_metadata.counts)
        return replace(counts, quarantined=counts.quarantined + len(self.world.underway.aside(self.name)))

    async def release_underway(self) -> list[str]:
        """Let work without jobs that is set aside be tried again; what it was, by step and item."""
        aside = self.world.underway.aside(self.name)
        self.world.underway.release(self.name)
        texts = [(kind, int(item), variant) for step, key in aside if step == "embed"
                 for kind, item, variant in [key.split(".")]]  # fmt: skip
        if texts:  # they were done with: without a vector
            await self.memory.database.write("vectors.again", lambda connection: vectors.enqueue(connection, texts))
        for guard in self.guards.values():
            guard.release()
        if aside:
            self._wake_all()
        return [f"{step} {item}".strip() for step, item in aside]

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
