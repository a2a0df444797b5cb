"""Reply usage: what a reply was made of tells which of the recalled items were worth recalling, and by which links.

Called by `minds/mind_api` for every message of the assistant; a worker that nobody waits for reads the reply beside
what had been handed out (`core.grounding.reply_overlap`) and hands what it used to `recall_feedback`. Source:
algorithms.md §3.5. Invariants: each recall is learnt from once, for that it was is kept in the transaction that learns;
replies that were not read when the daemon ended are read when it is back; what a client or a judge said of the recall
comes first.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import anyio
import anyio.to_thread
import numpy as np

from soulmem.core.grounding import reply_overlap
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index.vectors import Vector
from soulmem.store.recalls import reply_rows
from soulmem.store.recalls.recall_traces import KEPT_MS
from soulmem.store.recalls.reply_rows import HandedOut, Reply
from soulmem.store.session.mind_session import OpenMind
from soulmem.working.feedback.recall_feedback import Feedback
from soulmem.working.runtime.backpressure import Pace

_MOST_WAITING = 256  # replies; of more the oldest teach nothing
_EARLY_S = 0.2  # until a recall that is still to come is looked for again
_EARLY_MOST = 50


class ReplyUsage:
    """Learns from what one mind's replies are made of."""

    def __init__(
        self, memory: OpenMind, world: World, pace: Pace, feedback: Feedback,
        fill: Callable[[Reply, Sequence[HandedOut], Scope], Awaitable[None]],
    ) -> None:  # fmt: skip
        """Args: fill: lets a reply fill the gaps of what it had been handed."""
        self._memory = memory
        self._world = world
        self._pace = pace
        self._feedback = feedback
        self._fill = fill
        self._waiting: dict[tuple[str, int], int] = {}  # (conversation, place): how often it was too early
        self._work = anyio.Event()

    def notice(self, conversation: str, seq: int) -> None:
        """The assistant said something; it is looked at when there is time."""
        self._waiting[conversation, seq] = 0
        if len(self._waiting) > _MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
        self._work.set()

    async def run(self) -> None:
        """Look at what was left unread, then at what is said, until cancelled."""
        since = self._world.clock.now_ms() - KEPT_MS
        left = await self._memory.database.read(reply_rows.unread, since)
        self._waiting = {**dict.fromkeys(left, 0), **self._waiting}
        while True:
            self._work = anyio.Event()
            late: dict[tuple[str, int], int] = {}
            while self._waiting:
                await self._pace.calm()
                place = next(iter(self._waiting))
                reply = await self._memory.database.read(reply_rows.reply_at, *place)
                tried = self._waiting.pop(place, 0)
                if reply is not None and reply.is_early and tried < _EARLY_MOST:
                    late[place] = tried + 1
                elif reply is not None:
                    await self._read(place[0], reply)
            self._waiting = {**late, **self._waiting}
            if late:
                await anyio.sleep(_EARLY_S)
            else:
                await self._work.wait()

    async def _read(self, conversation: str, reply: Reply) -> None:
        memory = self._memory
        scope = await memory.in_front_of(conversation)
        own = await memory.database.read(reply_rows.vectors_of, memory.fingerprint, reply.message)
        for recall in reply.recalls:
            items = await memory.database.read(reply_rows.handed_out, memory.fingerprint, recall, scope)
            used = await anyio.to_thread.run_sync(partial(_used, reply, items, own))
            recital = reply_overlap.is_recital(used, [item.text for item in items])
            if not recital:  # first: once the recall has taught, nobody reads this reply again
                await self._fill(reply, items, scope)
            named = [(items[place].kind, items[place].item) for place in used]
            try:
                await self._feedback.replied(recall, [] if recital else named, scope)
            except SoulmemError as error:  # its question was deleted meanwhile, or no embedder can read it
                if error.name not in (ErrorName.NOT_FOUND, ErrorName.MODEL_UNAVAILABLE):
                    raise


def _used(reply: Reply, items: list[HandedOut], own: list[Vector]) -> tuple[int, ...]:
    """The places of the items that a reply used, told by words and by meaning."""
    told = reply_overlap.used_of(reply.text, reply.question, [item.text for item in items], reply.speakers)
    cosines = {
        place: max(float(_unit(each) @ _unit(vector)) for each in item.vectors for vector in own)
        for place, item in enumerate(items)
        if item.vectors and own
    }
    return tuple(sorted({*told, *reply_overlap.near_of(cosines)}))


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0.0 else vector
