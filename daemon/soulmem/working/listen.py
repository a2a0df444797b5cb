"""Listening: a message comes in, the window decides, one transaction stores everything, then it is acknowledged.

Called by `mind` for `message.add`. Nothing here waits for a model: what follows from a message (a summary, its
vectors, the recall that every user message causes) is stored as rows in the same transaction and done later by
others. Invariant: the decision and its effects commit together, so that a crash leaves all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from soulmem.core import tokens, topic
from soulmem.core.drafts import Role
from soulmem.core.index import SearchIndex
from soulmem.core.rows import ItemKind
from soulmem.core.topic import Utterance
from soulmem.core.window import Force, JobRange, WindowParams, WindowState, push, resize, surviving
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.config import MindSettings
from soulmem.ports import World
from soulmem.store import messages, recalls, vectors, windows
from soulmem.store.driver import Connection
from soulmem.store.messages import Conversation, NewMessage
from soulmem.store.open_mind import OpenMind
from soulmem.store.rows import row_hash
from soulmem.working.topics import Topics

_SHORT = 8_000  # characters whose words are read in passing


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message as the client gave it. `at` is when it happened, UTC milliseconds."""

    conversation: str
    role: Role
    content: str
    speaker: str
    at: int
    id: str | None = None
    mark: str | None = None
    mood: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of it. `message` is its row; `recall` the recall it causes, if it is a user's."""

    message: int
    id: str
    seq: int
    duplicate: bool
    window: WindowState | None
    jobs: tuple[int, ...] = ()
    recall: int | None = None
    conversation: int = 0
    boundary: bool = False
    evicted: int = 0
    frozen_epoch: int | None = None


class Listening:
    """The way in. `wake(kind)` tells the background workers that there is something for them."""

    def __init__(
        self, memory: OpenMind, world: World, settings: Callable[[], MindSettings], wake: Callable[[str], None]
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._wake = wake
        self._topics = Topics()

    async def hear(self, incoming: Incoming, *, reserve: Callable[[int], None] | None = None) -> Heard:
        """Store one message; returns after its commit.

        Args:
            reserve: told the recall's number before any background worker can take it.

        Raises:
            SoulmemError: `idempotency_conflict`, or the storage errors.
        """
        arrived_at = self._world.clock.now_ms()
        # Reading the words of a very long message would hold up everybody else: that is left to the writer thread.
        short = len(incoming.content) <= _SHORT
        ready = [_prepared(incoming, arrived_at)] if short else []
        force = {"topic": Force.TOPIC, "end": Force.END}.get(incoming.mark or "")
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())

        def store(connection: Connection) -> Heard:
            if not ready:
                ready.append(_prepared(incoming, arrived_at))
            return self._store(connection, incoming.conversation, *ready[0], force, now_exp)

        def after(heard: Heard) -> None:
            if heard.duplicate:
                return
            if incoming.role in messages.SEARCHABLE:
                terms = np.frombuffer(ready[0][0].terms, dtype=np.uint32)
                self._memory.follow(lambda index: _index(index, heard, incoming, terms))
                self._wake("embed")
            if heard.recall is not None:
                if reserve is not None:
                    reserve(heard.recall)
                self._wake("recall")
            if heard.jobs:
                self._wake("summary")
            if heard.boundary and incoming.mark is None:
                self._world.emit(
                    "topic_marked",
                    mind=self._memory.name,
                    conversation=incoming.conversation,
                    message_seq=heard.seq,
                    drift="words",
                )

        return await self._memory.database.write("message.add", store, after=after)

    def _store(
        self,
        connection: Connection,
        conversation: str,
        new: NewMessage,
        said: Utterance,
        force: Force | None,
        now_exp: int,
    ) -> Heard:
        """In the writer thread: refuse or repeat a known id, else push the message through its window."""
        settings = self._settings()
        home = messages.ensure_conversation(connection, conversation, new.arrived_at)
        if new.client_id is not None:
            known = messages.by_client_id(connection, home.id, new.client_id)
            if known is not None:
                return _repeat(connection, home, known, new)
        if new.role is Role.SYSTEM:
            held = windows.load(connection, home.id)
            epoch = held[0].epoch if held else 1
            message, name = messages.insert(connection, home, new, pos=None, marker="none", boundary=False, epoch=epoch)
            return Heard(message, name, home.next_seq, False, held[0] if held else None)
        if force is None and new.role is Role.USER and settings.window.topic_marks:
            change = self._topics.is_change(connection, home.id, home.next_seq, said)
            force = Force.TOPIC if change else None
        heard = push_message(connection, home, new, force, settings, now_exp)
        self._topics.remember(connection, home.id, home.next_seq, replace(said, boundary=heard.boundary))
        return heard


def _prepared(incoming: Incoming, arrived_at: int) -> tuple[NewMessage, Utterance]:
    """All that the words of a message decide; they are read once."""
    words = tokens.segment(incoming.content)
    said = topic.utterance(incoming.content, terms=words, opens=incoming.role is Role.USER)
    new = NewMessage(
        client_id=incoming.id,
        role=incoming.role,
        speaker=incoming.speaker,
        content=incoming.content,
        at=incoming.at,
        arrived_at=arrived_at,
        tokens=tokens.estimate_tokens(incoming.content),
        terms=tokens.stored_hashes(words, asking=tokens.asks(incoming.content)),
        indexed=" ".join(words),
        request_hash=row_hash(str(incoming.role), incoming.content, incoming.speaker),
        mood=incoming.mood,
    )
    return new, said


def _index(index: SearchIndex, heard: Heard, incoming: Incoming, hashes: NDArray[np.uint32]) -> None:
    index.add(
        ItemKind.MESSAGE,
        heard.message,
        conversation=heard.conversation,
        seq=heard.seq,
        speaker=incoming.speaker,
        at_ms=incoming.at,
        terms=hashes,
    )


def push_message(
    connection: Connection,
    home: Conversation,
    new: NewMessage,
    force: Force | None,
    settings: MindSettings,
    now_exp: int,
) -> Heard:
    """Decide with `core/window`, then write exactly what the plan says."""
    state, fresh_tokens = windows.ensure(connection, home.id, settings.window.capacity, new.arrived_at)
    params = WindowParams(settings.window.min_fresh, settings.window.max_fresh_tokens)
    full = state.size >= min(state.capacity, settings.window.capacity)  # only then does anybody leave
    markers = windows.markers(connection, home.id, state) if full else {}
    jobs: list[JobRange] = []
    if state.capacity != settings.window.capacity:
        resized = resize(state, settings.window.capacity, markers=markers, params=params)
        jobs += resized.assigned
        markers = surviving(markers, resized)
        state = resized.state
    plan = push(state, markers=markers, force=force, tokens=new.tokens, fresh_tokens=fresh_tokens, params=params)
    jobs += plan.assigned
    message, name = messages.insert(
        connection, home, new, pos=plan.pos, marker=plan.marker, boundary=plan.boundary, epoch=plan.epoch
    )
    fresh = 0 if plan.state.fresh == 0 else new.tokens if plan.assigned else fresh_tokens + new.tokens
    windows.save(connection, home.id, plan.state, fresh)
    if plan.cleared_through is not None:
        windows.clear_markers(connection, home.id, plan.cleared_through)
    numbers = windows.insert_jobs(connection, home.id, tuple(jobs), new.arrived_at)
    recall = None
    if new.role is Role.USER:
        recall = recalls.insert(
            connection,
            query=new.content,
            depth="normal",
            k=settings.recall.k,
            at=new.arrived_at,
            at_exp=now_exp,
            state="pending",
            message=message,
        )
        recalls.attach_turn(connection, recall, home.id, plan.epoch, home.user_turns + 1)
    if new.role in messages.SEARCHABLE:
        waiting = [("message", message, "self")]
        before = messages.searchable_before(connection, home.id, home.next_seq)
        if before is not None:
            waiting.append(("message", before, "context"))
        vectors.enqueue(connection, waiting)
    if plan.frozen_epoch is not None:
        vectors.enqueue(connection, [("message", message, "context")])
        windows.freeze(connection, home.id, plan.frozen_epoch, new.arrived_at)
    return Heard(
        message,
        name,
        home.next_seq,
        False,
        plan.state,
        tuple(numbers),
        recall,
        home.id,
        plan.boundary,
        len(plan.evicted),
        plan.frozen_epoch,
    )


def _repeat(
    connection: Connection, home: Conversation, known: tuple[messages.Message, bytes], new: NewMessage
) -> Heard:
    message, request_hash = known
    if request_hash != new.request_hash:
        raise SoulmemError(
            ErrorName.IDEMPOTENCY_CONFLICT,
            f"the message id {message.client_id[:80]!r} was used for another message in {home.name!r}",
            hint="give each message its own id, or use message.update to change one",
        )
    held = windows.load(connection, home.id)
    return Heard(
        message.id,
        message.client_id,
        message.seq,
        True,
        held[0] if held else None,
        (),
        recalls.of_message(connection, message.id),
        home.id,
    )
