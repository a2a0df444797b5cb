"""Recall judging: a model says afterwards what of a recall was of use, so that links learn though nobody waited for it.

Called by `minds/workers` with every recall that was recorded: of a message, of a context, of a client. Those that ask
something, and hard, are judged one after another when it is calm (algorithms.md §3.5). Invariants: no answer ever waits
for it; of one recall at most two calls, in the lane of work that nobody waits for; what is not judged teaches by the
reply, as without a model; nothing of a question that was deleted is asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection

import anyio

from soulmem.core.questions.question_detection import is_question
from soulmem.core.schema.engine_tasks import Depth
from soulmem.ops.settings.engine_settings import Analysis
from soulmem.ports import Lane
from soulmem.working.deliberation.deep_recall import DeepRecall, Limits
from soulmem.working.feedback.recall_feedback import Feedback
from soulmem.working.recall.recall_request import Brought, RecallRequest
from soulmem.working.runtime.backpressure import Pace

AFTERWARDS = Limits(calls=2, steps=0, reflections=0, longest_s=60.0, lane=Lane.IDLE)
_MOST_WAITING = 16  # of more the oldest are not judged


class RecallJudging:
    """Judges one mind's recalls after they were answered."""

    def __init__(self, thinking: DeepRecall, feedback: Feedback, pace: Pace, when: Analysis) -> None:
        """Args: when: which recalls a model thinks about."""
        self._thinking = thinking
        self._feedback = feedback
        self._pace = pace
        self._when = when
        self._waiting: OrderedDict[int, tuple[RecallRequest, Brought]] = OrderedDict()
        self._work = anyio.Event()

    def begin(self, recall: int, wanted: RecallRequest, found: Brought) -> None:
        """Judge a recall when there is time, if it is one that is judged."""
        if not self._is_judged(wanted, found):
            return
        self._waiting[recall] = wanted, found
        while len(self._waiting) > _MOST_WAITING:
            self._waiting.popitem(last=False)
        self._work.set()

    def _is_judged(self, wanted: RecallRequest, found: Brought) -> bool:
        if self._when is Analysis.NEVER or not self._thinking.works or wanted.depth == Depth.DEEP.value:
            return False  # what is asked for as deep was thought over before it was answered
        teaches = found.trail is not None and bool(found.hits)
        return teaches and is_question(wanted.query) and (found.guidance.is_hard or self._when is Analysis.NORMAL)

    def forget_recalls(self, recalls: Collection[int]) -> None:
        """These are judged no more: their questions were deleted."""
        for recall in recalls:
            self._waiting.pop(recall, None)

    async def run(self) -> None:
        """Judge what waits, until cancelled."""
        while True:
            self._work = anyio.Event()
            while self._waiting:
                await self._pace.calm()
                if self._waiting:  # it may have been deleted meanwhile
                    recall, (wanted, found) = self._waiting.popitem(last=False)
                    await self._judge(recall, wanted, found)
            await self._work.wait()

    async def _judge(self, recall: int, wanted: RecallRequest, found: Brought) -> None:
        thought_over, thought = await self._thinking.think(wanted, found, [wanted.query], AFTERWARDS)
        lesson = thought.lesson(found.hits)
        if lesson is None:
            return
        if thought_over.trail is not None:  # with the links that were named beyond those that were followed
            await self._feedback.remember(recall, thought_over.trail)
        self._feedback.remember_judgement(recall, lesson)
