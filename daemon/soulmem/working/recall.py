"""Recall: a query comes in, what belongs to it comes back, and the recall itself is remembered.

Tier 0 of retrieval: words and vectors over notes and raw messages, fused with calibration (`core/ranking`). Called by
`mind` for `recall`, `context.get` and for every user message. Invariant: every user message causes exactly one
recorded recall; those that nobody waits for run in the background, in order, over what was known when the message
arrived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio

from soulmem.core.index import Hit, Query
from soulmem.core.ranking import read_question
from soulmem.core.rows import ItemKind
from soulmem.core.scope import Audience
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.config import MindSettings
from soulmem.ports import BLIND_BELOW, FloatVector, World
from soulmem.store import messages, notes, recalls, search, vectors
from soulmem.store.driver import Connection
from soulmem.store.open_mind import OpenMind, build_index
from soulmem.store.recalls import PendingRecall
from soulmem.store.scope import Scope
from soulmem.working.pace import Pace

_DISK_WHOLE = 4_096  # rows that are read in whole for one search, so that it ranks as in memory
_DISK_CANDIDATES = 200  # a channel, when a mind is too large for memory
_DISK_REACH = 2  # neighbouring turns loaded with each candidate
_TIER = "vector"
_READ = 2_000  # characters of a query that are looked at: what it is about stands in front


# What a user message brings to mind. Summaries are left out: whether one is rolled yet must not decide what is linked.
SAID_AND_NOTED = frozenset({"message", "note"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """One recall as a client asks for it; times are UTC milliseconds, `exclude` are (kind, row) pairs."""

    query: str
    k: int
    depth: str = "normal"
    conversation: str | None = None
    kinds: frozenset[str] | None = None
    speaker: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    tags: frozenset[str] = frozenset()
    exclude: frozenset[tuple[ItemKind, int]] = frozenset()
    before: tuple[int, int] | None = None
    asker: str | None = None
    mood: str = ""
    audience: Audience | None = None  # conversations whose memories may surface, by `working.scope`; None: all


class Recalling:
    """Answers recalls of one mind and runs those that nobody waits for."""

    def __init__(self, memory: OpenMind, world: World, settings: Callable[[], MindSettings], pace: Pace) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._pace = pace
        self._work = anyio.Event()
        self._reserved: set[int] = set()
        self.waiting = 0
        self.on_served: Callable[[float, int], None] = lambda _ms, _hits: None

    # -- asked ------------------------------------------------------------------------------------------

    async def search(self, wanted: Wanted) -> list[Hit]:
        """The best items for a query, best first; records nothing."""
        await self._memory.index_ready.wait()
        index = self._memory.index
        speakers = index.speakers_within(wanted.audience) if index is not None else frozenset[str]()
        # Words like "last week" are read from the latest thing that happened, which is the present of the talk.
        present = index.newest_within(wanted.audience) if index is not None else self._world.clock.now_ms()
        question = read_question(wanted.query[:_READ], speakers, asker=wanted.asker, at_ms=present)
        vector = await self._vector(question.embed_text)
        kinds = _item_kinds(wanted.kinds)
        note_kinds = (wanted.kinds or frozenset()) - {"message", "summary", "note"}
        narrow = bool(note_kinds) or bool(wanted.tags)
        query = Query(
            question=question,
            vector=vector,
            k=min(wanted.k * 8, 4000) if narrow else wanted.k,
            kinds=kinds,
            speaker=wanted.speaker,
            from_ms=wanted.from_ms,
            to_ms=wanted.to_ms,
            before=wanted.before,
            exclude=wanted.exclude,
            audience=wanted.audience,
        )
        index = self._memory.index
        hits: list[Hit] = []
        if kinds:
            hits = index.search(query) if index is not None else await self._search_disk(query, wanted.query[:_READ])
        if len(hits) < wanted.k and (wanted.kinds is None or "summary" in wanted.kinds):
            # A summary repeats what its messages say; it fills the places that they leave.
            rest = replace(query, kinds=frozenset({ItemKind.SUMMARY}), k=wanted.k - len(hits))
            last = hits[-1].score if hits else 1.0
            hits += [replace(hit, score=min(hit.score, last)) for hit in self._memory.rolled.search(rest)]
        if narrow:
            hits = await self._memory.database.read(_matching, hits, note_kinds, wanted.tags)
        return hits[: wanted.k]

    async def record(self, wanted: Wanted, hits: Sequence[Hit]) -> int:
        """Remember a recall that a client asked for; returns its number after the commit."""
        now = self._world.clock.now_ms()
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())

        def store(connection: Connection) -> int:
            conversation = messages.conversation(connection, wanted.conversation) if wanted.conversation else None
            recall = recalls.insert(
                connection, query=wanted.query, depth=wanted.depth, k=wanted.k, at=now, at_exp=now_exp, state="done"
            )
            recalls.attach(connection, recall, conversation.id if conversation else None)
            recalls.finish(connection, recall, _stored(hits), now_exp)
            return recall

        return await self._memory.database.write("recall.record", store)

    async def serve(self, recall: int, wanted: Wanted) -> list[Hit]:
        """Run the recall of a user message at once, because its sender waits for it."""
        try:
            hits = await self.search(wanted)
            await self._finish([(recall, hits)])
        finally:
            self._reserved.discard(recall)
        return hits

    async def replay(self, recall: int) -> list[Hit]:
        """What a recall brought back the first time, for a message that was sent again."""
        found = await self._memory.database.read(recalls.hits_of, recall)
        return [Hit(ItemKind(hit.kind), hit.item, hit.score) for hit in found]

    async def settled(self) -> None:
        """Wait until no recall is pending."""
        while await self._memory.database.read(recalls.pending, 1):
            self.wake()
            await anyio.sleep(0.01)

    def reserve(self, recall: int) -> None:
        """Keep a pending recall from the background worker; `serve` will run it."""
        self._reserved.add(recall)

    # -- in the background --------------------------------------------------------------------------------

    def wake(self) -> None:
        self._work.set()

    async def run(self) -> None:
        """Run pending recalls in order, until cancelled."""
        while True:
            self._work = anyio.Event()
            await self._pace.calm()
            limit = self._settings().recall.coalesce_above
            pending = await self._memory.database.read(recalls.pending, limit + 1 + len(self._reserved))
            pending = [recall for recall in pending if recall.id not in self._reserved]
            self.waiting = len(pending)
            if not pending:
                await self._work.wait()
            elif len(pending) > limit:
                await self._coalesce()
            else:
                await self._run_one(pending[0])

    async def _run_one(self, pending: PendingRecall) -> None:
        # Vectors of what was said before are waited for, so that the same talk is always recalled the same way.
        await self._vectors_before(pending.message)
        started = self._world.clock.monotonic_ms()
        k = self._settings().recall.k
        wanted = Wanted(pending.query, k, kinds=SAID_AND_NOTED, before=(pending.conversation, pending.seq))
        hits = await self.search(wanted)
        await self._finish([(pending.id, hits)])
        self.on_served(self._world.clock.monotonic_ms() - started, len(hits))

    async def _vectors_before(self, message: int) -> None:
        while True:
            behind = await self._memory.database.read(vectors.waits_before, message)
            if not behind or not self.embedding_works():
                return
            await anyio.sleep(0.02)

    embedding_works: Callable[[], bool] = staticmethod(lambda: True)

    async def _coalesce(self) -> None:
        """Under load, let the newest waiting recall of each conversation stand for the older ones."""
        pending = await self._memory.database.read(recalls.pending, 100_000)
        newest: dict[int, PendingRecall] = {}
        for recall in pending:
            if recall.id not in self._reserved:
                newest[recall.conversation] = recall
        older: dict[int, list[int]] = {}
        for recall in pending:
            chosen = newest.get(recall.conversation)
            if chosen is not None and recall.id != chosen.id and recall.id not in self._reserved:
                older.setdefault(chosen.id, []).append(recall.id)

        def store(connection: Connection) -> None:
            for into, those in older.items():
                recalls.coalesce(connection, those, into)

        await self._memory.database.write("recall.coalesce", store)
        self._world.emit("recall_coalesced", mind=self._memory.name, count=sum(map(len, older.values())))
        for recall in newest.values():
            await self._run_one(recall)

    async def _finish(self, done: Sequence[tuple[int, Sequence[Hit]]]) -> None:
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())

        def store(connection: Connection) -> None:
            for recall, hits in done:
                recalls.finish(connection, recall, _stored(hits), now_exp)

        await self._memory.database.write("recall.finish", store)

    # -- inside -----------------------------------------------------------------------------------------

    async def _vector(self, text: str) -> FloatVector | None:
        embedding = self._world.embedding
        if embedding.embedder.coverage(text) < BLIND_BELOW:
            return None
        try:
            return await embedding.embed_now(text)
        except SoulmemError as error:
            if error.name is not ErrorName.MODEL_UNAVAILABLE:
                raise
            return None  # an endpoint that is down: the lexical channel answers alone

    async def _search_disk(self, query: Query, text: str) -> list[Hit]:
        """Search a mind that is not in memory: candidates from FTS5 and vec0, ranked as ever."""
        hide = not self._settings().recall.digested_messages
        fingerprint = self._memory.fingerprint
        scope = Scope(query.audience)

        def gather(connection: Connection) -> list[Hit]:
            if messages.count(connection) + notes.count(connection) <= _DISK_WHOLE:
                said = messages.index_rows(connection, hide_consolidated=hide)
                noted = notes.index_rows(connection)
                return build_index(connection, fingerprint, said, noted).search(query)
            found: dict[str, set[int]] = {"message": set(), "note": set()}
            for kind, items in found.items():
                items.update(item for item, _ in search.find(connection, kind, text, _DISK_CANDIDATES, scope))
                if query.vector is not None:
                    near = vectors.nearest_within(
                        connection, fingerprint, query.vector, _DISK_CANDIDATES, scope, kind=kind
                    )
                    items.update(item for item, _ in near)
            found["message"].update(search.find_waiting(connection, text))
            spoken = list(found["message"])
            near_said = messages.around(connection, spoken, reach=_DISK_REACH) if spoken else []
            index = build_index(
                connection,
                fingerprint,
                messages.index_rows(connection, hide_consolidated=hide, ids=near_said),
                notes.index_rows(connection, list(found["note"])),
            )
            return index.search(query)

        return await self._memory.database.read(gather)


def _item_kinds(kinds: frozenset[str] | None) -> frozenset[ItemKind]:
    if kinds is None:
        return frozenset({ItemKind.MESSAGE, ItemKind.NOTE})
    chosen = {ItemKind.MESSAGE} if "message" in kinds else set()
    if kinds - {"message", "summary"}:
        chosen.add(ItemKind.NOTE)
    return frozenset(chosen)


def _matching(connection: Connection, hits: list[Hit], kinds: frozenset[str], tags: frozenset[str]) -> list[Hit]:
    """Keep the notes of these kinds and with all these tags; messages only when no tag is asked for."""
    found = notes.get_many(connection, [hit.key for hit in hits if hit.kind is ItemKind.NOTE])
    kept = []
    for hit in hits:
        if hit.kind is not ItemKind.NOTE:
            fits = not tags
        else:
            note = found.get(hit.key)
            fits = note is not None and (not kinds or note.kind.value in kinds) and tags.issubset(note.tags)
        if fits:
            kept.append(hit)
    return kept


def _stored(hits: Sequence[Hit]) -> list[recalls.Hit]:
    return [recalls.Hit(hit.kind.value, hit.key, hit.score, _TIER) for hit in hits]


def explain(hit: Hit) -> dict[str, Any]:
    """Why an item came back: its evidence by channel, each 0..1."""
    return {"channels": {name: round(value, 4) for name, value in hit.channels.items()}}
