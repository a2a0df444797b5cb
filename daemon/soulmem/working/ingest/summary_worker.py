"""Summary worker: the worker that rolls summaries while nobody waits for them.

One worker a mind, run by `mind`. It takes the jobs of each conversation strictly in sequence, because each needs
its predecessor's summary, and never joins ranges: what is summarised together follows from the messages alone, so
that a run that was interrupted ends in the same summary as one that was not. A failed job waits and is tried again;
its range stays assigned, so nothing is lost meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable

import anyio
import anyio.to_thread

from soulmem.core.conversation.sliding_window import JobReason
from soulmem.core.conversation.summary_schedule import (
    SummaryRun,
    context_positions,
    is_applied,
    is_due,
    is_trivial,
    next_run,
)
from soulmem.core.grounding.echo_masking import cut, index_of, read_turns
from soulmem.core.grounding.served_text_index import ServedText
from soulmem.core.schema.note_requests import SourceQuote, SummariseRequest, Summary, SummaryPoint, Turn
from soulmem.core.text import tokens
from soulmem.core.text.prompt_lines import named
from soulmem.errors import SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import MindSettings, SettingsNow
from soulmem.ports import Call, World
from soulmem.store.conversation_state import window_state
from soulmem.store.messages import amendments, conversations, message_log, rolling_summaries
from soulmem.store.session.index_building import put_summary
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import served_texts
from soulmem.working.runtime.backpressure import PATIENT_MS, Pace

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 60.0
_ENDINGS = frozenset({JobReason.IDLE, JobReason.END})  # the epoch is frozen with them, and split next


@dataclass(frozen=True, slots=True)
class _Begun:
    """What a job starts from; `handed_out` is what a client may have pasted back into the turns."""

    before: rolling_summaries.SummaryRow | None
    context: tuple[Turn, ...]
    turns: tuple[Turn, ...]
    handed_out: tuple[ServedText, ...]
    conversation: str
    wanted_at: int
    is_last: bool
    amended: int  # how often the epoch had been amended until it was read

    def opened(self) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
        """The turns and their context without what was handed out before: it was no event, and is no news."""
        index = index_of(self.handed_out)
        opened = [cut(turn, masked) for turn, masked in read_turns((*self.turns, *self.context), index)]
        turns, context = opened[: len(self.turns)], opened[len(self.turns) :]
        return tuple(t for t in turns if t.text), tuple(t for t in context if t.text)


class SummaryWorker:
    """Rolls the summaries of one mind. `rolled` is set anew after each finished job."""

    def __init__(
        self, memory: OpenMind, world: World, settings: SettingsNow, pace: Pace, absorb: Callable[[], None]
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._pace = pace
        self._absorb = absorb
        self._work = anyio.Event()
        self._hurry = anyio.Event()
        self._rolled = anyio.Event()
        self._failure: SoulmemError | None = None

    def wake(self) -> None:
        self._work.set()

    def hurry(self) -> None:
        """Digestion waits: try at once, even while pausing after a failure."""
        self._work.set()
        self._hurry.set()

    async def rolled(self) -> None:
        """Wait until some job is finished.

        Raises SoulmemError: `model_unavailable`, when the job at hand has to wait for its engine.
        """
        await self._rolled.wait()
        if self._failure is not None:
            raise self._failure

    async def run(self) -> None:
        """Work until cancelled."""
        pause = _FIRST_PAUSE_S
        while True:
            self._work, self._hurry = anyio.Event(), anyio.Event()
            try:
                busy = await self._round()
                pause = _FIRST_PAUSE_S
            except SoulmemError as error:
                self._world.emit(
                    "model_failed", task="summarise", engine=self._world.model.name, error=error.name.value
                )
                self._tell(error)
                with anyio.move_on_after(pause):
                    await self._hurry.wait()
                pause = min(pause * 2, _LONGEST_PAUSE_S)
                continue
            if not busy:
                await self._work.wait()

    def _tell(self, failure: SoulmemError | None) -> None:
        """Tell those who wait that a job ended, or why it did not."""
        self._failure = failure
        told, self._rolled = self._rolled, anyio.Event()
        told.set()

    async def _round(self) -> bool:
        """One job of each conversation that has any; False when there was none."""
        is_busy = False
        waiting = await self._memory.database.read(rolling_summaries.conversations_with_jobs)
        for conversation in waiting:
            await self._pace.calm(PATIENT_MS)
            jobs = await self._memory.database.read(rolling_summaries.unfinished_jobs, conversation)
            run = next_run(jobs, max_tokens=0)
            if run is not None and await self._memory.database.read(self._is_due, conversation, run):
                await self._roll(conversation, run)
                is_busy = True
        return is_busy

    def _is_due(self, connection: Connection, conversation: int, run: SummaryRun) -> bool:
        """A model is asked for what slid out of the window once that is much of it, or the talk has ended."""
        held = window_state.load(connection, conversation)
        return (
            self._world.model.name == "extractive"
            or held is None
            or rolling_summaries.reason(connection, int(run.id)) is not JobReason.AUTO
            or rolling_summaries.is_over(connection, conversation, run.epoch)
            or is_due(run.hi, newest=held[0].max_pos, capacity=held[0].capacity)
        )

    async def _roll(self, conversation: int, run: SummaryRun) -> None:
        started = self._world.clock.monotonic_ms()
        job = int(run.id)
        settings = self._settings()
        persona = self._memory.who.persona
        scope = await self._memory.in_front_of(
            await self._memory.database.read(conversations.conversation_name, conversation)
        )

        def begin(connection: Connection) -> _Begun:
            before = rolling_summaries.latest(connection, conversation, run.epoch)
            rolling_summaries.start(connection, job, before.version if before else 0, self._world.clock.now_ms())
            shown = context_positions(run.lo, limit=settings.window.include_context)
            context = message_log.between(connection, conversation, shown.start, shown.stop - 1) if len(shown) else []
            said = message_log.between(connection, conversation, run.lo, run.hi)
            return _Begun(
                before,
                tuple(m.turn() for m in context if m.epoch == run.epoch),
                tuple(m.turn() for m in said if m.content),
                served_texts.lately(connection, conversation, run.epoch, persona, scope, lo=run.lo, hi=run.hi),
                conversations.conversation_name(connection, conversation),
                rolling_summaries.wanted_at(connection, job),
                rolling_summaries.reason(connection, job) in _ENDINGS
                or rolling_summaries.is_over(connection, conversation, run.epoch),
                amendments.count(connection, conversation, run.epoch),
            )

        begun = await self._memory.database.write("summary.begin", begin)
        before, name = begun.before, begun.conversation
        summary = before.summary if before else None
        try:
            if before is None or not is_applied(before.covers_hi, run.hi):
                call = self._memory.call(f"summarise:{job}", wanted_at_ms=begun.wanted_at)
                turns, context = await anyio.to_thread.run_sync(begun.opened, abandon_on_cancel=True)
                summary = await self._summarise(summary, turns, context, settings, call, is_last=begun.is_last)
        except BaseException as error:
            with anyio.CancelScope(shield=True):
                text = str(error) or type(error).__name__
                await self._memory.database.write(
                    "summary.release", lambda connection: rolling_summaries.release(connection, job, text)
                )
            raise
        rolled = summary or Summary("")
        now = self._world.clock.now_ms()
        current = rolling_summaries.Current(conversation, name, rolled, now)

        def store(connection: Connection) -> int | None:
            if amendments.count(connection, conversation, run.epoch) != begun.amended:
                rolling_summaries.release(connection, job, None)  # it is rolled again from what is said there now
                return None
            return rolling_summaries.finish(connection, job, conversation, run.epoch, run.hi, rolled, now)

        def after(version: int | None) -> None:
            if rolled.text and version is not None:
                self._memory.follow_summaries(lambda held: put_summary(held, current))

        version = await self._memory.database.write("summary.finish", store, after=after)
        if version is None:
            return
        self._absorb()
        self._world.emit(
            "summary_rolled",
            mind=self._memory.name,
            conversation=name,
            epoch=run.epoch,
            version=version,
            count=run.hi - run.lo + 1,
            tokens=tokens.estimate_tokens(rolled.text),
            ms=round(self._world.clock.monotonic_ms() - started, 1),
        )
        self._tell(None)

    async def _summarise(
        self,
        previous: Summary | None,
        turns: tuple[Turn, ...],
        context: tuple[Turn, ...],
        settings: MindSettings,
        call: Call | None,
        *,
        is_last: bool,
    ) -> Summary:
        if not turns:
            return previous or Summary("")
        if is_trivial([turn.text for turn in turns], has_summary=previous is not None):
            return _verbatim(turns)
        return await self._world.model.summarise(
            SummariseRequest(
                previous=previous,
                turns=turns,
                context=context,
                max_tokens=settings.summary.max_tokens,
                language=self._memory.who.language or None,
                cast=self._memory.who.cast(),
                is_last=is_last,
            ),
            call,
        )


def _verbatim(turns: tuple[Turn, ...]) -> Summary:
    """A trivial text is its own best summary; no model is asked."""
    points = tuple(
        SummaryPoint(f"{named(turn.speaker)}: {turn.text}", (SourceQuote(turn.seq, turn.text),), turn.at_ms, 0.5)
        for turn in turns
    )
    return Summary("\n".join(point.text for point in points), points)
