"""Topic detection: notices by itself that the talk has turned to something else.

`message_ingest` asks as each user message arrives, by its words alone; `embedding_queue` asks once more when its vector
is there, and stores the answer with it. A yes marks the message, which then triggers a summary when it slides out. The
latest messages of each conversation are kept at hand; what is kept is known by the content hash of the last of them, so
a restart or a rolled-back write changes no decision, and whoever changes what was said tells it to forget.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import replace

from soulmem.core.conversation import topic_shift
from soulmem.core.conversation.topic_shift import Utterance
from soulmem.core.schema.note_requests import Role
from soulmem.core.schema.two_part_vectors import shared_from
from soulmem.ports import FloatVector
from soulmem.store.index import vectors
from soulmem.store.messages import message_log
from soulmem.store.messages.message_insert import Scene
from soulmem.store.messages.message_log import Message
from soulmem.store.sqlite.driver import Connection

_KEPT = 64  # conversations whose latest messages are kept at hand


class TopicDetection:
    """Used by the writer thread alone, inside its transactions."""

    def __init__(self) -> None:
        # By conversation: the hash of its last message, and the latest ones.
        self._recent: OrderedDict[int, tuple[bytes | None, deque[Utterance]]] = OrderedDict()

    def follows(self, conversation: int, before_hash: bytes | None) -> bool:
        """Whether what was said up to the message with this hash is at hand."""
        return conversation in self._recent and self._recent[conversation][0] == before_hash

    def is_change(self, connection: Connection, scene: Scene, said: Utterance) -> bool:
        """Whether the message about to come opens a new topic, as far as words tell."""
        return topic_shift.is_change(said, tuple(self.before(connection, scene)))

    def before(self, connection: Connection, scene: Scene) -> deque[Utterance]:
        """The latest messages of a conversation; where they are not at hand, they must have been written."""
        if not self.follows(scene.home, scene.before_hash):
            said = message_log.before(connection, scene.home, scene.seq, topic_shift.WINDOW)
            recent = deque((_utterance(message) for message in said), maxlen=topic_shift.WINDOW)
            self._recent[scene.home] = (scene.before_hash, recent)
        self._recent.move_to_end(scene.home)
        if len(self._recent) > _KEPT:
            self._recent.popitem(last=False)
        return self._recent[scene.home][1]

    def remember(self, scene: Scene, recent: deque[Utterance], said: Utterance) -> None:
        """Take in the message that the conversation was just moved on by."""
        recent.append(said)
        self._recent[scene.home] = (scene.before_hash, recent)

    def forget(self) -> None:
        self._recent.clear()


def turns(connection: Connection, fingerprint: str, made: Mapping[int, FloatVector]) -> list[Message]:
    """Which of these messages open a new topic, now that their vectors are made; those before have theirs stored."""
    asked = {
        message.id: message
        for message in message_log.get_many(connection, list(made)).values()
        if message.role is Role.USER and not message.boundary and not message.deleted
    }
    recent = message_log.before_each(connection, list(asked), topic_shift.WINDOW)
    looked_at = {message.id: message for those in (asked.values(), *recent.values()) for message in those}
    known = {**vectors.own(connection, fingerprint, list(looked_at)), **made}
    heard: dict[int, Utterance] = {}  # a message stands before several others; its words are read once

    def utterance(message: Message) -> Utterance:
        if message.id not in heard:
            vector = known.get(message.id)
            heard[message.id] = topic_shift.utterance(message.content, vector=vector, boundary=message.boundary)
        return heard[message.id]

    opening = []
    for message in sorted(asked.values(), key=lambda each: each.id):
        said = utterance(message)
        before = [utterance(each) for each in recent[message.id]]
        if topic_shift.is_change(said, before, shared_from=shared_from(fingerprint)):
            opening.append(message)
            heard[message.id] = replace(said, boundary=True)  # for those after it, however many are asked at once
    return opening


def _utterance(message: Message) -> Utterance:
    return topic_shift.utterance(message.content, boundary=message.boundary)
