"""The workers of a mind, working and idle, made here and handed to each other.

Made by `runtime`, which says when which half works. What one worker has to do because another did something is said
here. Invariant: a worker that fails is told of and tried again after a pause; it never takes the others along.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial

import anyio
import anyio.abc

from soulmem.errors import ErrorName, SoulmemError
from soulmem.idle.run import digestion_needs
from soulmem.idle.run.digestion import Digestion
from soulmem.idle.run.digestion_needs import Needs
from soulmem.idle.upkeep import forget_step
from soulmem.llm.engine.detail_service import details_of
from soulmem.ops.settings.config_loader import Config, MindSettings
from soulmem.ops.settings.setting_sections import dormancy_of
from soulmem.ports import World
from soulmem.store.index import embedding_backlog
from soulmem.store.journal import work_in_progress
from soulmem.store.notes.note_rows import Note
from soulmem.store.recalls import recall_records
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Counts
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.deliberation.deep_recall import DeepRecall
from soulmem.working.deliberation.query_analysis import QueryAnalyser
from soulmem.working.deliberation.recall_judging import RecallJudging
from soulmem.working.feedback.implicit_feedback import ImplicitFeedback
from soulmem.working.feedback.recall_feedback import Feedback
from soulmem.working.feedback.reply_usage import ReplyUsage
from soulmem.working.ingest.embedding_queue import EmbeddingQueue
from soulmem.working.ingest.erasure_worker import ErasureWorker
from soulmem.working.ingest.eviction_worker import EvictionWorker
from soulmem.working.ingest.fts_queue import FtsQueue
from soulmem.working.ingest.mask_refresh import MaskRefresh
from soulmem.working.ingest.message_edits import MessageEdits
from soulmem.working.ingest.message_import import MessageImport
from soulmem.working.ingest.message_ingest import MessageIngest
from soulmem.working.ingest.summary_worker import SummaryWorker
from soulmem.working.notebook.fills_from_replies import FillsFromReplies
from soulmem.working.notebook.note_service import NoteService
from soulmem.working.notebook.plan_service import PlanService
from soulmem.working.notebook.reconstruction_service import ReconstructionService
from soulmem.working.profiles.profile_service import ProfileService
from soulmem.working.recall.basic_recall import BasicRecall
from soulmem.working.recall.recall_queue import RecallQueue
from soulmem.working.recall.recall_request import Brought, RecallRequest
from soulmem.working.respond.dialogue_service import DialogueService
from soulmem.working.runtime.audience import AudienceLookup
from soulmem.working.runtime.backpressure import Pace
from soulmem.working.runtime.step_guard import StepGuard

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_EMBEDDER_AWAY_S = 30.0


class CurrentSettings:
    """The settings one open mind runs on, which a changed identity reaches here; called, it gives those of now."""

    def __init__(self, memory: OpenMind, config: Config) -> None:
        self._memory = memory
        self._config = config
        self.apply()

    def __call__(self) -> MindSettings:
        return self._settings

    def apply(self) -> None:
        """Take over changed settings: the dormancy of experienced time changes from now on, without a jump."""
        self._settings = self._config.for_mind(self._memory.who.profile, self._memory.who.settings)
        after_ms, rate_ppm = dormancy_of(self._settings.forgetting)
        self._memory.clock.set_dormancy(after_ms=after_ms, rate_ppm=rate_ppm)


class MindWorkers:
    """The workers of an open mind, each handed what it works with."""

    def __init__(
        self, memory: OpenMind, world: World, config: Config, settings: CurrentSettings, pace: Pace,
        rederive: Callable[[], None],
    ) -> None:  # fmt: skip
        """Args: rederive: called when notes are to be made anew, because the words they rest on were changed."""
        self._memory = memory
        self._world = world
        self._settled_at = -1  # the commit after which nothing was left to do in the background
        self.scoping = AudienceLookup(memory, settings)
        self.listening = MessageIngest(memory, world, settings, self._wake)
        self.importing = MessageImport(memory, world, settings, self._wake, self.listening)
        self.notebook = NoteService(memory, world, settings, details_of)
        self.planning = PlanService(world, self.notebook)
        self.blurring = MaskRefresh(memory, world, self._wake)
        memory.attach(self.blurring.keep_up, self.scoping.in_front_of, self._wake_all)
        self.feedback = Feedback(memory, world)
        self.guards = {step: StepGuard(memory.name, world, step) for step in ("index", "shelve", "erase", "recollect")}
        self.erasing = ErasureWorker(memory, world, self.feedback.relearn, self.guards["erase"])
        self.amending = MessageEdits(
            memory, world, settings, self._wake, self.listening.forget_talk, self._forget_recalls, rederive,
            self.erasing,
        )  # fmt: skip
        self.recalling = BasicRecall(memory, world, settings)
        self.profiles = ProfileService(memory, world)
        self.absorbing = EmbeddingQueue(memory, world, settings, pace, self.listening.forget_talk)
        thinking = DeepRecall(memory, world, self.recalling)
        analysing = QueryAnalyser(memory, world, self.recalling, thinking, config.engine.analysis)
        self.recalls = RecallQueue(
            memory, world, settings, pace, analysing.search_at_once, self.absorbing, self._recalled
        )  # fmt: skip
        self.indexing = FtsQueue(memory, pace, self.guards["index"])
        self.shelving = EvictionWorker(memory, settings, pace, self.absorbing.wake, self.guards["shelve"])
        self.summarising = SummaryWorker(memory, world, settings, pace, self.absorbing.wake)
        self.reconstructing = ReconstructionService(memory, world, self.note_changed)
        self.judging = RecallJudging(thinking, self.feedback, pace, config.engine.analysis)
        self.conversing = DialogueService(
            memory, world, settings, self.listening, self.recalling, self.recalls, analysing, self.feedback,
            self.scoping, self.reconstructing, self.profiles,
        )  # fmt: skip
        self.reacting = ImplicitFeedback(memory, world, settings, pace, self.feedback)
        filling = FillsFromReplies(memory, self.reconstructing.now_exp, details_of, self.reconstructing)
        self.replying = ReplyUsage(memory, world, pace, self.feedback, filling.take)
        needs = Needs(
            summary_rolled=self.summarising.rolled,
            recalls_done=self.recalls.settled,
            notes_absorbed=self.absorbing.notes_absorbed,
            hurry_summaries=self.summarising.hurry,
            wake=self._wake,
            blur=self.blurring.catch_up,
            honour_requests=partial(forget_step.honour, memory, world, settings, self.amending.take_back),
            details_of=details_of,
        )
        self.digesting = Digestion(memory, world, settings, needs)

    async def _recalled(self, recall: int, wanted: RecallRequest, found: Brought) -> None:
        """A recall is on record: what it followed is kept for whoever says how good it was, perhaps a judge."""
        if found.trail is not None:
            await self.feedback.remember(recall, found.trail)
        self.judging.begin(recall, wanted, found)

    def _forget_recalls(self, recalls: Collection[int]) -> None:
        self.feedback.forget_recalls(recalls)
        self.judging.forget_recalls(recalls)

    def note_changed(self, note: Note) -> None:
        """After a commit: the index follows, and a new text gets its vector."""
        self.notebook.follow(note)
        self.absorbing.wake()

    def start(self, group: anyio.abc.TaskGroup, digest: Callable[[], Awaitable[None]]) -> None:
        """Let the workers run in this group until it is cancelled, `digest` among them."""
        for step, work in (
            ("summarise", self.summarising.run),
            ("absorb", self.absorbing.run),
            ("index", self.indexing.run),
            ("shelve", self.shelving.run),
            ("recall", self.recalls.run),
            ("feedback", self.feedback.run),
            ("judge", self.judging.run),
            ("recollect", self._recollect),
            ("react", self.reacting.run),
            ("reconstruct", self.reconstructing.run),
            ("reply", self.replying.run),
            ("erase", self.erasing.run),
            ("digest", digest),
        ):
            group.start_soon(self._keep_running, step, work)

    async def _keep_running(self, step: str, work: Callable[[], Awaitable[None]]) -> None:
        """The guard of a worker: what fails is told and tried again after a pause; it never takes others along."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                await work()
            except Exception as error:  # a guard of jobs: a disk that is full must not end the mind
                text = error.message if isinstance(error, SoulmemError) else f"{type(error).__name__}: {error}"
                self._world.emit("job_failed", mind=self._memory.name, job="", step=step, error=text[:200])
                await anyio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)

    async def _recollect(self) -> None:
        """Bring what links remember into the graph once it is there, learn anew what must be, then wait for the end."""
        guard = self.guards["recollect"]
        await self._memory.graph_ready.wait()
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

    async def wait_settled(self, is_enough: Callable[[], bool] = lambda: False) -> None:
        """Wait until no background work is left: recalls, vectors, what goes on the shelf or comes back from it.

        Args: is_enough: whether nobody need wait any longer; who talks without end always leaves some.
        """
        database = self._memory.database
        while not is_enough():
            commits = database.commits
            if commits != self._settled_at:  # else nothing was written since nothing was left
                backlog, recalls = await database.read(_left)
                if backlog and not self.absorbing.works:
                    return
                if not backlog and not recalls:
                    await database.followed()
                    self._settled_at = commits
            # What was written while it was looked (a message that came back wants its vector) is looked at again.
            if database.commits == self._settled_at and self.shelving.is_resting and self.reconstructing.is_resting:
                return
            await anyio.sleep(0.01)

    async def counts(self) -> Counts:
        """How much there is in the file; what is set aside without a job of its own is not."""
        return await self._memory.database.read(mind_metadata.counts)

    async def release_underway(self, ids: Collection[str] | None) -> list[str]:
        """Let work without jobs that is set aside be tried again, all of it or what is called so; what it was."""
        aside = self._world.underway.release(self._memory.name, ids)
        texts = [(kind, int(item), variant) for step, key in aside if step == "embed"
                 for kind, item, variant in [key.split(".")]]  # fmt: skip
        recalls = [int(item) for step, item in aside if step == "recall"]

        def again(connection: Connection) -> None:  # they were done with: without a vector, and with nothing found
            embedding_backlog.enqueue(connection, texts)
            recall_records.reopen(connection, recalls)

        if texts or recalls:
            await self._memory.database.write("underway.again", again)
        for guard in self.guards.values():
            guard.release()
        if aside:
            self._wake_all()
        return [work_in_progress.id_of(step, item) for step, item in aside]

    def _wake_all(self) -> None:
        for kind in ("summary", "embed", "index", "shelve", "recall"):
            self._wake(kind)

    def _wake(self, kind: str) -> None:
        wakes = {
            "summary": self.summarising.wake,
            "embed": self.absorbing.wake,
            "index": self.indexing.wake,
            "shelve": self.shelving.wake,
            "recall": self.recalls.wake,
        }
        wakes[kind]()


def _left(connection: Connection) -> tuple[int, bool]:
    """(how much waits for its vector; whether a recall waits)."""
    return embedding_backlog.backlog(connection), digestion_needs.pending_recalls(connection)
