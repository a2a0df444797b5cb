"""Implicit feedback: what a person says next tells how good the recall behind the reply was.

Only for minds that care (`recall.cares`). Called by `mind` for every user message; a worker in the idle lane asks the
language model whether it praises or blames, and hands the verdict to `feedback`. Source: algorithms.md §3.9.
Invariants: no message waits for this; each message counts once as a reaction; where a person speaks faster than the
model reads, the newest message of each conversation is read and older ones teach nothing.
"""

from __future__ import annotations

import anyio

from soulmem.core.schema.engine_tasks import FeedbackRequest, Reaction
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import World
from soulmem.store.recalls import recall_records
from soulmem.store.recalls.recall_records import Exchange
from soulmem.store.recalls.recall_traces import Source
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.row_hash import public_id
from soulmem.working.feedback.feedback_outcome import Outcome
from soulmem.working.feedback.recall_feedback import Feedback
from soulmem.working.runtime.backpressure import Pace

_READ = 2_000  # characters of each text that are looked at


class ImplicitFeedback:
    """Listens to how one mind's replies are taken."""

    def __init__(self, memory: OpenMind, world: World, settings: SettingsNow, pace: Pace, feedback: Feedback) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._pace = pace
        self._feedback = feedback
        self._waiting: dict[str, int] = {}  # by conversation: the place of the newest message nobody has looked at
        self._work = anyio.Event()

    def notice(self, conversation: str, seq: int) -> None:
        """A person said something; it is looked at when there is time."""
        if self._settings().recall.cares:
            self._waiting[conversation] = seq
            self._work.set()

    async def run(self) -> None:
        """Look at what was said, until cancelled."""
        while True:
            self._work = anyio.Event()
            while self._waiting:
                await self._pace.calm()
                conversation = next(iter(self._waiting))
                exchange = await self._memory.database.read(
                    recall_records.exchange_before, conversation, self._waiting.pop(conversation)
                )
                if exchange is not None:
                    await self.heard(exchange)
            await self._work.wait()

    async def heard(self, exchange: Exchange) -> Outcome | None:
        """What a reaction teaches; None where nobody cares, it says neither good nor bad, or no model answers."""
        if not self._settings().recall.cares:
            return None
        request = FeedbackRequest(
            exchange.query[:_READ],
            exchange.reply[:_READ],
            exchange.reaction[:_READ],
            language=self._memory.who.language or None,
            cast=self._memory.who.cast(),
        )
        key = f"feedback:{exchange.recall}:{exchange.message}"
        call = self._memory.call(key, wanted_at_ms=self._world.clock.now_ms())
        try:
            answer = await self._world.model.feedback(request, call)
            if answer.verdict is Reaction.NEUTRAL:
                return None
            return await self._feedback.apply(
                public_id("r", exchange.recall), answer.verdict, answer.strength, source=Source.MESSAGE
            )
        except SoulmemError as error:
            if error.name not in (ErrorName.MODEL_UNAVAILABLE, ErrorName.BUDGET_EXHAUSTED):
                raise
            return None  # a reaction that nobody could read teaches nothing; the next one may
