"""Recall: a query comes in, what belongs to it comes back, and the recall itself is remembered.

Words and vectors over notes and raw messages, fused with calibration (`core/ranking`), are tier 0; what belongs to what
they found comes over the links of the graph (`associate`), and `choose` sees to it that not everything says the same.
Called by `mind` for `recall`, `context.get` and for every user message. Invariant: every user message causes exactly
one recorded recall; those that nobody waits for run in the background, in order, over what was known when the message
arrived.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

import anyio

from soulmem.core.index import Hit, Query
from soulmem.core.ranking import read_question
from soulmem.core.rows import ItemKind
from soulmem.core.scope import Audience
from soulmem.core.stream import StreamWish
from soulmem.core.tasks import QueryAnalysis
from soulmem.errors import ErrorName, SoulmemError
from soulmem.graph.spreading import Spread
from soulmem.graph.trail import Trail
from soulmem.ops.config import MindSettings
from soulmem.ports import BLIND_BELOW, Embedding, FloatVector, World
from soulmem.store import messages, notes, recalls, search, vectors
from soulmem.store.driver import Connection
from soulmem.store.open_mind import OpenMind, build_index
from soulmem.store.recalls import PendingRecall
from soulmem.store.scope import Scope
from soulmem.working.associate import Associated, Associating, Entry, Step, entries_of, trail_of, ways_of
from soulmem.working.choose import Before, Suppressed, choose
from soulmem.working.pace import Pace

_DISK_WHOLE = 4_096  # rows that are read in whole for one search, so that it ranks as in memory
_DISK_CANDIDATES = 200  # a channel, when a mind is too large for memory
_DISK_REACH = 2  # neighbouring turns loaded with each candidate
_POOL = 60  # items that words and vectors bring up where the graph and the choice need more than are asked for
_NARROW_POOL = 200  # the same where kinds or tags are asked for: most may be of others
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
    after: Before | None = None  # the recalls whose memories need not come up again at once
    stream: StreamWish | None = None  # rank as the memory stream does (`working/stream`), not by association
    audience: Audience | None = None  # conversations whose memories may surface, by `working.scope`; None: all


@dataclass(frozen=True, slots=True)
class Brought:
    """What a recall brought to mind: items best first, the links that led to some, and what had to give way."""

    hits: list[Hit]
    ways: dict[int, tuple[Step, ...]] = field(default_factory=dict)
    suppressed: list[Suppressed] = field(default_factory=list)
    spread: Spread | None = None
    entries: dict[int, Entry] = field(default_factory=dict)
    trail: Trail | None = None  # what is to be remembered of it, should somebody say how good it was


class Recalling:
    """Answers recalls of one mind and runs those that nobody waits for."""

    def __init__(self, memory: OpenMind, world: World, settings: Callable[[], MindSettings], pace: Pace) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._pace = pace
        self._associating = Associating(memory, world, settings)
        self._work = anyio.Event()
        self._reserved: set[int] = set()
        self.waiting = 0
        self.on_served: Callable[[float, int], None] = lambda _ms, _hits: None
        self.on_followed: Callable[[int, Trail], Awaitable[None]] = _forget

    # -- asked ------------------------------------------------------------------------------------------

    async def search(self, wanted: Wanted, analysis: QueryAnalysis | None = None) -> Brought:
        """The best items for a query, best first; records nothing."""
        await self._memory.index_ready.wait()
        await self._memory.graph_ready.wait()
        await self._memory.up_to_date()
        index = self._memory.index
        speakers = index.speakers_within(wanted.audience) if index is not None else frozenset[str]()
        # Words like "last week" are read from the latest thing that happened, which is the present of the talk.
        present = index.newest_within(wanted.audience) if index is not None else self._world.clock.now_ms()
        question = read_question(wanted.query[:_READ], speakers, asker=wanted.asker, at_ms=present)
        vector = await embedded(self._world.embedding, question.embed_text)
        kinds = _item_kinds(wanted.kinds)
        note_kinds = (wanted.kinds or frozenset()) - {"message", "summary", "note"}
        narrow = bool(note_kinds) or bool(wanted.tags)
        query = Query(
            question=question,
            vector=vector,
            k=min(max(_NARROW_POOL, wanted.k * 8), 4000) if narrow else max(_POOL, wanted.k),
            kinds=kinds,
            speaker=wanted.speaker,
            from_ms=wanted.from_ms,
            to_ms=wanted.to_ms,
            before=wanted.before,
            exclude=wanted.exclude,
            audience=wanted.audience,
        )
        found = Associated([])
        if kinds:
            hits = await self._direct(query, wanted)
            if narrow:
                hits = await self._memory.database.read(_matching, hits, note_kinds, wanted.tags)
            found = await self._associate(query, wanted, hits, analysis)
        hits = found.hits
        chosen = await choose(self._memory, hits, wanted.k, wanted.after)
        hits = chosen.hits
        if len(hits) < wanted.k and not wanted.tags and (wanted.kinds is None or "summary" in wanted.kinds):
            # A summary repeats what its messages say; it fills the places that they leave.
            rest = replace(query, kinds=frozenset({ItemKind.SUMMARY}), k=wanted.k - len(hits))
            last = hits[-1].score if hits else 1.0
            hits += [replace(hit, score=min(hit.score, last)) for hit in self._memory.rolled.search(rest)]
        hits = hits[: wanted.k]
        ways = ways_of(found.spread, hits)
        trail = trail_of(found.spread, query.vector, wanted.query, hits, ways)
        return Brought(hits, ways, chosen.suppressed, found.spread, entries_of(found.spread, ways, hits), trail)

    async def _direct(self, query: Query, wanted: Wanted) -> list[Hit]:
        """What words and vectors find."""
        index = self._memory.index
        return index.search(query) if index is not None else await self._search_disk(query, wanted.query[:_READ])

    async def _associate(
        self, query: Query, wanted: Wanted, hits: list[Hit], analysis: QueryAnalysis | None
    ) -> Associated:
        """What belongs to that, within the client's filters."""
        if ItemKind.NOTE not in (query.kinds or frozenset()) or not self._associating.works:
            return Associated(hits)

        note_kinds = (wanted.kinds or frozenset()) - {"message", "summary", "note"}

        async def admits(keys: Collection[int]) -> Collection[int]:
            index = self._memory.index
            admitted: Collection[int]
            if index is not None:
                admitted = index.admits(query, ItemKind.NOTE, keys)
            else:
                admitted = await self._memory.database.read(self._admitted_on_disk, query, tuple(keys))
            graph = self._memory.graph
            if note_kinds and graph is not None:
                admitted = [key for key in admitted if graph.kind_of(key) in note_kinds]
            if not wanted.tags:
                return admitted
            found = [Hit(ItemKind.NOTE, key, 0.0) for key in admitted]
            kept = await self._memory.database.read(_matching, found, note_kinds, wanted.tags)
            return [hit.key for hit in kept]

        return await self._associating.extend(
            hits,
            vector=query.vector,
            depth=wanted.depth,
            admits=admits,
            barred=await self.hidden_from(wanted.audience),
            analysis=analysis,
        )

    async def hidden_from(self, audience: Audience | None) -> frozenset[int]:
        """The notes that do not exist for an audience: links lead neither to them nor through them."""
        if audience is None:
            return frozenset()
        return await self._memory.database.read(notes.hidden_from, Scope(audience))  # triggers are in no index

    @property
    def follows_links(self) -> bool:
        """Whether this mind has links, and may follow them."""
        return self._associating.works

    async def similarities(self, wanted: Wanted, keys: Sequence[int]) -> dict[int, float]:
        """How like the question each of these notes is, cosine; only those that the client's filters let through.

        A note without a vector has 0.
        """
        await self._memory.up_to_date()
        index = self._memory.index
        vector = await embedded(self._world.embedding, wanted.query[:_READ])
        query = Query(
            question=read_question(wanted.query[:_READ]),
            speaker=wanted.speaker, from_ms=wanted.from_ms, to_ms=wanted.to_ms, exclude=wanted.exclude,
            audience=wanted.audience,
        )  # fmt: skip
        if index is not None:
            admitted = index.admits(query, ItemKind.NOTE, keys)
            near = (
                index.cosines(vector, ItemKind.NOTE, admitted) if vector is not None else dict.fromkeys(admitted, 0.0)
            )
        else:
            near = dict.fromkeys(await self._memory.database.read(self._admitted_on_disk, query, tuple(keys)), 0.0)
        note_kinds = (wanted.kinds or frozenset()) - {"message", "summary", "note"}
        if note_kinds or wanted.tags:
            hits = [Hit(ItemKind.NOTE, key, 0.0) for key in near]
            kept = await self._memory.database.read(_matching, hits, note_kinds, wanted.tags)
            near = {hit.key: near[hit.key] for hit in kept}
        return near

    async def record(self, wanted: Wanted, found: Brought) -> int:
        """Remember a recall that a client asked for; returns its number after the commit."""
        hits = found.hits
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

        number = await self._memory.database.write("recall.record", store)
        await self._keep(number, found.trail)
        return number

    async def _keep(self, recall: int, trail: Trail | None) -> None:
        if trail is not None:
            await self.on_followed(recall, trail)

    async def serve(self, recall: int, wanted: Wanted) -> Brought:
        """Run the recall of a user message at once, because its sender waits for it."""
        try:
            found = await self.search(replace(wanted, after=_before(wanted, recall)))
            await self._finish([(recall, found.hits)])
            await self._keep(recall, found.trail)
        finally:
            self._reserved.discard(recall)
        return found

    async def replay(self, recall: int) -> Brought:
        """What a recall brought back the first time, for a message that was sent again."""
        found = await self._memory.database.read(recalls.hits_of, recall)
        return Brought([Hit(ItemKind(hit.kind), hit.item, hit.score, tier=hit.tier) for hit in found])

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
        found = await self.search(replace(wanted, after=_before(wanted, pending.id)))
        hits = found.hits
        await self._finish([(pending.id, hits)])
        await self._keep(pending.id, found.trail)
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

    def _admitted_on_disk(self, connection: Connection, query: Query, keys: Sequence[int]) -> Collection[int]:
        rows = notes.index_rows(connection, keys)
        return build_index(connection, self._memory.fingerprint, [], rows).admits(query, ItemKind.NOTE, keys)

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


async def embedded(embedding: Embedding, text: str) -> FloatVector | None:
    """The vector of a question; None where the embedder cannot read it or is away: then words answer alone."""
    if embedding.embedder.coverage(text) < BLIND_BELOW:
        return None
    try:
        return await embedding.embed_now(text)
    except SoulmemError as error:
        if error.name is not ErrorName.MODEL_UNAVAILABLE:
            raise
        return None


async def _forget(_recall: int, _trail: Trail) -> None:
    """Nobody learns."""


def _before(wanted: Wanted, recall: int) -> Before | None:
    return Before(wanted.before[0], recall) if wanted.before is not None else None


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
            fits = note is not None and (not kinds or note.kind.value in kinds) and tags.issubset(note.found_tags)
        if fits:
            kept.append(hit)
    return kept


def _stored(hits: Sequence[Hit]) -> list[recalls.Hit]:
    return [recalls.Hit(hit.kind.value, hit.key, hit.score, hit.tier) for hit in hits]
