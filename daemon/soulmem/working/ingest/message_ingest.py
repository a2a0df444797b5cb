"""Message ingest: a message comes in, the window decides, one transaction stores everything, then it is acknowledged.

Called by `mind` for `message.add`. Nothing here waits for a model: what follows from a message (a summary, its
vectors, the recall that every user message causes) is stored as rows in the same transaction and done later by
others. Invariant: the decision and its effects commit together, so that a crash leaves all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from soulmem.core.conversation.message_features import is_prepared, read
from soulmem.core.conversation.sliding_window import Force, JobRange, WindowParams, WindowState, push, resize, surviving
from soulmem.core.conversation.topic_shift import Utterance
from soulmem.core.schema.note_requests import Role
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import MindSettings, SettingsNow
from soulmem.ports import World
from soulmem.store.conversation_state import window_state
from soulmem.store.index import embedding_backlog
from soulmem.store.messages import conversations, message_log
from soulmem.store.messages.message_insert import MOST_ROWS, Asked, Intake, Scene, Scenes, TooMuchError
from soulmem.store.messages.message_log import NewMessage
from soulmem.store.recalls import recall_records
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection, IntegrityError
from soulmem.store.sqlite.row_hash import row_hash
from soulmem.store.sqlite.writing.group_commit import Joint
from soulmem.working.ingest.session_borders import end_by_silence
from soulmem.working.ingest.topic_detection import TopicDetection

_SHORT = 8_000  # characters whose words are read in passing


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message as the client gave it. `at` is when it happened, UTC milliseconds."""

    conversation: str
    role: Role
    content: str
    speaker: str
    at: int
    id: str | None = None
    mark: str | None = None
    mood: str | None = None
    attributes: str | None = None  # JSON


@dataclass(frozen=True, slots=True)
class StoredMessage:
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
    is_gone: bool = False  # it was deleted for good since it was sent first
    is_late: bool = False  # something that was said after it was heard before it
    ended_epoch: int | None = None  # the silence before it ended this one


@dataclass(frozen=True, slots=True)
class Told:
    """A message with all that its words decide, ready for the writer thread.

    `now_exp`: experienced milliseconds of the recall that a user's message causes, None for no recall. `silence_ms`:
    what was said further away in time than this is another epoch; None where the clock on the wall ends epochs.
    """

    conversation: str
    new: NewMessage
    said: Utterance
    force: Force | None
    now_exp: int | None
    silence_ms: int | None = None


class MessageIngest:
    """The way in. `wake(kind)` tells the background workers that there is something for them."""

    def __init__(self, memory: OpenMind, world: World, settings: SettingsNow, wake: Callable[[str], None]) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._wake = wake
        self._topics = TopicDetection()
        self.scenes = Scenes()

    async def hear(self, incoming: IncomingMessage, *, reserve: Callable[[int], None] | None = None) -> StoredMessage:
        """Store one message; returns after its commit.

        Args: reserve: told the recall's number before any background worker can take it.
        Raises: SoulmemError: `idempotency_conflict`, or the storage errors.
        """
        arrived_at = self._world.clock.now_ms()
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())

        def told() -> Told:
            return told_of(incoming, arrived_at, now_exp)

        # Reading the words of a very long message, or of the first, for which patterns are still to be made, would hold
        # up everybody else: that is left to the writer thread.
        is_quick = len(incoming.content) <= _SHORT and is_prepared(incoming.content)
        ready = [told()] if is_quick else []

        def store(connection: Connection) -> StoredMessage:
            if not ready:
                ready.append(told())
            return self._store_one(connection, ready[0])

        def after(heard: StoredMessage) -> None:
            if heard.duplicate:
                return
            if incoming.role in message_log.SEARCHABLE:
                terms = np.frombuffer(ready[0].new.terms, dtype=np.uint32)
                self._memory.follow(lambda index: index_message(index, heard, incoming, terms), waits=True)
                self._wake("embed")
                self._wake("index")
            if incoming.role is Role.USER:
                self._memory.speakers.heard(heard.conversation, incoming.speaker)
            if heard.recall is not None:
                if reserve is not None:
                    reserve(heard.recall)
                self._wake("recall")
            if heard.jobs or (heard.window is not None and heard.window.fresh == heard.window.capacity // 2):
                self._wake("summary")
            if heard.boundary and incoming.mark is None:
                self._world.emit(
                    "topic_marked",
                    mind=self._memory.name,
                    conversation=incoming.conversation,
                    message_seq=heard.seq,
                    drift="words",
                )

        joint = Joint(self.store_all, ready[0], self._store_at_once) if ready else None
        return await self._memory.database.write("message.add", store, after=after, joint=joint)

    def _store_one(self, connection: Connection, told: Told) -> StoredMessage:
        """In the writer thread: repeat or refuse a known id, else store the message."""
        if told.new.client_id is not None:
            repeated = repeated_message(connection, told.conversation, told.new)
            if repeated is not None:
                return repeated
        try:
            return self.store_all(connection, (told,))[0]
        except IntegrityError:
            # A client chose our next name for a message of its own. The refused row was the first thing written.
            if not self.scenes.forget():
                raise
            return self.store_all(connection, (told,))[0]

    def store_all(self, connection: Connection, those: Sequence[Told]) -> list[StoredMessage]:
        """In the writer thread: push messages through their windows, in order.

        Raises IntegrityError: of the driver, when the id of one is known; then none of them is stored.
        """
        return self._store(connection, those, at_once=False)

    def _store_at_once(self, connection: Connection, those: Sequence[Told]) -> list[StoredMessage]:
        """In the writer thread, outside of any transaction: the same by one statement, as most messages need no more.

        Raises:
            TooMuchError: these need more; none of them is stored.
            IntegrityError: as `store_all`.
        """
        if len(those) > MOST_ROWS:
            raise TooMuchError
        return self._store(connection, those, at_once=True)

    def _store(self, connection: Connection, those: Sequence[Told], *, at_once: bool) -> list[StoredMessage]:
        settings = self._settings()
        database = self._memory.database
        self.scenes.resume(connection, database.withdrawn)
        intake = Intake(connection, [told.conversation for told in those], self.scenes, is_whole=at_once)
        heard = [self._put(connection, intake, told, settings) for told in those]
        intake.write()
        self.scenes.hold(connection, database.withdrawn)
        return heard

    def _put(self, connection: Connection, intake: Intake, told: Told, settings: MindSettings) -> StoredMessage:
        new, force = told.new, told.force
        scene = intake.scene(told.conversation, new, settings.window.capacity)
        if new.role is Role.SYSTEM:
            entered = intake.put(scene, new, None, 0, None)
            return StoredMessage(entered.message, entered.name, entered.seq, False, scene.window)
        is_late = scene.before_at is not None and new.at < scene.before_at
        ended = end_by_silence(connection, intake, scene, told.new, told.silence_ms)
        if not self._topics.follows(scene.home, scene.before_hash):
            intake.settle()  # the latest messages will be read anew
        if force is None and new.role is Role.USER and settings.window.topic_marks:
            change = self._topics.is_change(connection, scene, told.said)
            force = Force.TOPIC if change else None
        recent = self._topics.before(connection, scene)
        heard = push_message(connection, intake, scene, new, force, settings, told.now_exp)
        self._topics.remember(scene, recent, _marked(told.said, boundary=heard.boundary))
        if is_late or ended is not None:
            return replace(heard, is_late=is_late, ended_epoch=ended)
        return heard

    def forget_talk(self) -> None:
        """In the writer thread: what was said is being changed, so the latest messages must be read anew."""
        self._topics.forget()


def _marked(said: Utterance, *, boundary: bool) -> Utterance:
    return replace(said, boundary=True) if boundary else said


def told_of(incoming: IncomingMessage, arrived_at: int, now_exp: int | None, *, silence_ms: int | None = None) -> Told:
    """All that the words of a message decide; they are read once. The last two are as in `Told`."""
    reading = read(incoming.content, opens=incoming.role is Role.USER)
    new = NewMessage(
        client_id=incoming.id,
        role=incoming.role,
        speaker=incoming.speaker,
        content=incoming.content,
        at=incoming.at,
        arrived_at=arrived_at,
        tokens=reading.tokens,
        terms=reading.hashes,
        request_hash=row_hash(
            str(incoming.role), incoming.content, incoming.speaker, *filter(None, [incoming.attributes])
        ),
        mood=incoming.mood,
        attributes=incoming.attributes,
    )
    force = {"topic": Force.TOPIC, "end": Force.END}.get(incoming.mark or "")
    return Told(incoming.conversation, new, reading.said, force, now_exp, silence_ms)


def index_message(
    index: SearchIndex, heard: StoredMessage, incoming: IncomingMessage, hashes: NDArray[np.uint32]
) -> None:
    index.add(
        ItemKind.MESSAGE,
        heard.message,
        conversation=heard.conversation,
        seq=heard.seq,
        speaker=incoming.speaker,
        at_ms=incoming.at,
        terms=hashes,
        replies=incoming.role is Role.ASSISTANT,
    )


def push_message(
    connection: Connection,
    intake: Intake,
    scene: Scene,
    new: NewMessage,
    force: Force | None,
    settings: MindSettings,
    now_exp: int | None,
) -> StoredMessage:
    """Decide with `core/conversation/sliding_window`, then write exactly what the plan says; the message itself
    with `intake.write`.
    """
    state, fresh_tokens, markers = scene.window, scene.fresh_tokens, scene.markers
    assert state is not None
    params = WindowParams(settings.window.min_fresh, settings.window.max_fresh_tokens)
    jobs: tuple[JobRange, ...] = ()
    if state.capacity != settings.window.capacity:
        resized = resize(state, settings.window.capacity, markers=markers, params=params)
        jobs, markers, state = resized.assigned, surviving(markers, resized), resized.state
        scene.markers = markers
    plan = push(state, markers=markers, force=force, tokens=new.tokens, fresh_tokens=fresh_tokens, params=params)
    jobs += plan.assigned
    fresh = 0 if plan.state.fresh == 0 else new.tokens if plan.assigned else fresh_tokens + new.tokens
    asked = Asked(settings.recall.k, now_exp) if new.role is Role.USER and now_exp is not None else None
    # One job, the usual one of a message that slid out, goes in with its message.
    only = jobs[0] if len(jobs) == 1 and jobs[0].epoch == plan.epoch else None
    entered = intake.put(scene, new, plan, fresh, asked, only)
    numbers = [entered.job] if entered.job is not None else []
    if (jobs and only is None) or plan.cleared_through is not None:
        intake.settle(changes=True)
        if only is None:
            numbers = window_state.insert_jobs(connection, scene.home, jobs, new.arrived_at)
            intake.jobs_are_at(max(numbers, default=0))
        if plan.cleared_through is not None:
            window_state.clear_markers(connection, scene.home, plan.cleared_through)
        if plan.frozen_epoch is not None:
            embedding_backlog.enqueue(connection, [("message", entered.message, "context")])
            window_state.freeze(connection, scene.home, plan.frozen_epoch, new.arrived_at)
    return StoredMessage(
        entered.message,
        entered.name,
        entered.seq,
        False,
        plan.state,
        tuple(numbers),
        entered.recall,
        scene.home,
        plan.boundary,
        len(plan.evicted),
        plan.frozen_epoch,
    )


def repeated_message(connection: Connection, conversation: str, new: NewMessage) -> StoredMessage | None:
    """What became of the message that the client gave this id before; None if there is none.

    Raises SoulmemError: `idempotency_conflict`.
    """
    home = conversations.conversation(connection, conversation)
    known = message_log.by_client_id(connection, home.id, new.client_id or "") if home else None
    if home is None or known is None:
        return None
    message, request_hash = known
    if message.is_gone:  # nothing of it is left to compare with: whatever comes under its id is not heard again
        return StoredMessage(message.id, message.client_id, message.seq, True, None, conversation=home.id, is_gone=True)
    if request_hash != new.request_hash:
        raise SoulmemError(
            ErrorName.IDEMPOTENCY_CONFLICT,
            f"the message id {message.client_id[:80]!r} was used for another message in {home.name!r}",
            hint="give each message its own id, or use message.update to change one",
        )
    held = window_state.load(connection, home.id)
    return StoredMessage(
        message.id,
        message.client_id,
        message.seq,
        True,
        held[0] if held else None,
        (),
        recall_records.of_message(connection, message.id),
        home.id,
    )
