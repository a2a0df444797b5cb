"""Embedding queue: the background worker that gives every text its vectors.

One worker a mind, run by `mind`; the waiting list is the table `embed_pending`, filled in the transaction that
stored the text, so a crash forgets nothing and a changed embedder is served by the same loop. A message is embedded
once; its surroundings are the mean of its vector and those of its neighbours (`core.text.passage_weights`), which find
as much as what was embedded of all three together, for nothing. A page has none. Texts the embedder is blind to get no
vector: words lead there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

import anyio
import numpy as np

from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.text.passage_weights import lends, stands_alone
from soulmem.errors import SoulmemError
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import FloatVector, World
from soulmem.store.conversation_state import window_state
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.index.embedding_backlog import Pending
from soulmem.store.messages import message_log, rolling_summaries
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import note_rows
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.working.ingest import topic_detection
from soulmem.working.runtime.backpressure import Pace

Known = dict[tuple[str, int], list[FloatVector]]
Items = list[tuple[Pending, FloatVector | None]]

_IN_CONTEXT = ("message", "context")
_TINY = 1e-6
_BATCH = 64
_STORED = 8  # vectors in one transaction while messages stream in: none of them waits long behind it
_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0


class EmbeddingQueue:
    """Works off the embedding backlog of one mind. `works` is False while the embedder fails.

    `forget_talk`: called in the writer thread where a topic is marked, for whoever keeps the latest messages.
    """

    def __init__(
        self, memory: OpenMind, world: World, settings: SettingsNow, pace: Pace, forget_talk: Callable[[], None]
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._pace = pace
        self._forget_talk = forget_talk
        self._work = anyio.Event()
        self._hurry = anyio.Event()
        self._progress = anyio.Event()
        self._opened_ms = world.clock.monotonic_ms()
        self.works = True

    def wake(self) -> None:
        self._work.set()

    def hurry(self) -> None:
        """Somebody waits for vectors: the next batch is not put off, whoever else talks."""
        self._hurry.set()

    @property
    def progress(self) -> anyio.Event:
        """Set when the next batch has its vectors, or could not get them."""
        return self._progress

    async def notes_absorbed(self) -> None:
        """Wait until every note has its vector, or the embedder fails."""
        while self.works and await self._memory.database.read(embedding_backlog.waits_before, 0):
            self.wake()
            await anyio.sleep(0.01)

    async def run(self) -> None:
        """Work until cancelled."""
        pause = _FIRST_PAUSE_S
        while True:
            self._work, self._hurry = anyio.Event(), anyio.Event()
            calm = await self._pace.calm(hurry=self._hurry)
            pending = await self._memory.database.read(embedding_backlog.pending, _BATCH if calm else _STORED)
            if not pending:
                await self._all_absorbed()
                await self._work.wait()
                continue
            died = [item for item in pending if self._world.underway.deaths(self._memory.name, "embed", _key(item))]
            try:
                await self._absorb(died[:1] or pending)  # where it may have been any of them, one at a time
                self.works, pause = True, _FIRST_PAUSE_S
                self._tell()
            except SoulmemError as error:
                if self.works:  # once an episode
                    self._world.emit(
                        "embedding_failed", mind=self._memory.name, count=len(pending), error=error.line[:300]
                    )
                self.works = False
                self._tell()
                await anyio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)

    def _tell(self) -> None:
        told, self._progress = self._progress, anyio.Event()
        told.set()

    async def _all_absorbed(self) -> None:
        """After a change of embedder: everything has its new vectors, so the former ones may go."""
        if not self._memory.finish_reembedding():
            return
        fingerprint = self._memory.fingerprint
        count = await self._memory.database.write(
            "vectors.settle", lambda connection: vectors.forget_other_fingerprints(connection, fingerprint)
        )
        self._world.emit(
            "reembedding_finished",
            mind=self._memory.name,
            embedder=self._world.embedding.embedder.name,
            count=count,
            ms=round(self._world.clock.monotonic_ms() - self._opened_ms, 1),
        )

    async def _absorb(self, pending: Sequence[Pending]) -> None:
        texts = await self._memory.database.read(_texts, pending)
        vectors_of: dict[str, FloatVector] = {}
        if not self._set_aside(pending):
            with self._world.underway.at(self._memory.name, "embed", [_key(item) for item in pending]):
                vectors_of = await self._embedded(sorted({text for text in texts if text}))
        found = [vectors_of.get(text) for text in texts]
        fingerprint = self._memory.fingerprint
        first = 0
        while first < len(pending):
            # When it is calm they go together: every transaction costs as much as the vectors of a few texts.
            part = slice(first, first + (_BATCH if await self._pace.calm(0) else _STORED))
            first = part.stop
            items: Items = list(zip(pending[part], found[part], strict=True))
            await self._store(fingerprint, items, await self._opening(fingerprint, items))

    async def _opening(self, fingerprint: str, items: Items) -> list[Message]:
        """The messages among these that open a new topic by their vectors."""
        made = {item.item: vector for item, vector in items if vector is not None and _is_said(item)}
        if not made or not self._settings().window.topic_marks:
            return []
        return await self._memory.database.read(topic_detection.turns, fingerprint, made)

    async def _store(self, fingerprint: str, items: Items, opening: Sequence[Message]) -> None:
        """Vectors and the marks they set in one transaction: what has its vector has its mark, whoever is killed."""

        def store(connection: Connection) -> tuple[Known, list[Message]]:
            known = _put(connection, fingerprint, items)
            marked = [each for each in opening if window_state.mark_topic(connection, each.conversation, each.id)]
            if marked:
                self._forget_talk()
            return known, marked

        def after(stored: tuple[Known, list[Message]]) -> None:
            known, marked = stored
            self._memory.follow(lambda index: _follow(index, known))
            self._memory.follow_summaries(lambda rolled: _follow(rolled, known))
            for each in marked:
                self._world.emit(
                    "topic_marked",
                    mind=self._memory.name,
                    conversation=each.conversation_name,
                    message_seq=each.seq,
                    drift="meaning",
                )

        await self._memory.database.write("vectors.put", store, after=after)

    async def _embedded(self, texts: Sequence[str]) -> dict[str, FloatVector]:
        """The vector of each text that the embedder reads."""
        embedding = self._world.embedding
        legible = [text for text, reads in zip(texts, await embedding.readable(texts), strict=True) if reads]
        return dict(zip(legible, await embedding.embed_background(legible), strict=True)) if legible else {}

    def _set_aside(self, pending: Sequence[Pending]) -> bool:
        """Whether this is a text over which the daemon died as often as it may: it gets no vector."""
        name, underway = self._memory.name, self._world.underway
        if len(pending) > 1 or not underway.is_set_aside(name, "embed", _key(pending[0])):
            return False
        deaths = underway.deaths(name, "embed", _key(pending[0]))
        self._world.emit("step_quarantined", mind=name, step="embed", job="", deaths=deaths)
        return True


def _is_said(item: Pending) -> bool:
    return (item.kind, item.variant) == ("message", "self")


def _key(item: Pending) -> str:
    return f"{item.kind}.{item.item}.{item.variant}"


def _follow(index: SearchIndex, known: Known) -> None:
    for (kind, item), found in known.items():
        if found and (ItemKind(kind), item) in index:
            index.set_vectors(ItemKind(kind), item, *found)


def _texts(connection: Connection, pending: Sequence[Pending]) -> list[str]:
    """The text to embed for each item; empty for one that is gone, or that nobody searches."""
    noted = note_rows.get_many(connection, [item.item for item in pending if item.kind == "note"])
    said = message_log.get_many(connection, [item.item for item in pending if item.kind == "message"])
    shelved = window_state.shelved(connection, list(said))
    texts = []
    for item in pending:
        if item.kind == "note":
            note = noted.get(item.item)
            texts.append(note.indexed if note is not None and note.lifecycle != note_rows.FORGOTTEN else "")
        elif item.kind == "summary":
            rolled = rolling_summaries.current(connection, [item.item])
            texts.append(rolled[0].summary.text if rolled else "")
        elif item.item not in said or said[item.item].deleted or item.item in shelved:
            texts.append("")
        else:
            texts.append(said[item.item].content if item.variant == "self" else "")
    return texts


def _put(connection: Connection, fingerprint: str, items: Items) -> Known:
    """Store vectors; those of surroundings follow from what is stored of the messages by then."""
    known = vectors.put(connection, fingerprint, [each for each in items if not _is_in_context(each[0])])
    waiting = [pending for pending, _ in items if _is_in_context(pending)]
    beside = message_log.neighbours(connection, [pending.item for pending in waiting])
    near = sorted({each for each in (*beside, *chain(*beside.values())) if each is not None})
    own, lengths = vectors.own(connection, fingerprint, near), message_log.lengths(connection, near)

    def among(message: int) -> FloatVector | None:
        if message not in own or stands_alone(lengths[message]):
            return None
        mean = own[message].copy()
        for each in beside[message]:
            if each in own:
                mean += np.float32(lends(lengths[each])) * own[each]
        length = float(np.linalg.norm(mean))
        return mean / np.float32(length) if length > _TINY else own[message]

    return known | vectors.put(connection, fingerprint, [(pending, among(pending.item)) for pending in waiting])


def _is_in_context(item: Pending) -> bool:
    return (item.kind, item.variant) == _IN_CONTEXT
