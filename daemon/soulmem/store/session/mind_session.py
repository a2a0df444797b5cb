"""An open mind's memory: its file, and what of it is held in RAM while the mind is in use.

Made by `minds`, used by both halves of the mind. The search index in RAM follows every commit through the `after`
effects of writes; SQLite stays the truth, so the index can be dropped and loaded again at any time. A mind with more
rows than the bound is searched on disk instead (`store/index/fts`, `store/index/vectors`). Invariant: whoever looks at
the index sees every commit that was answered, in the order of the commits; new messages may wait for that look, for a
crowd of them costs a third of what they cost one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.experienced_time import ExperiencedTime
from soulmem.core.schema.two_part_vectors import shared_from
from soulmem.core.search.memory_index import SearchIndex
from soulmem.errors import ErrorName, SoulmemError
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.ports import Call, Journal, Lane
from soulmem.store.conversation_state.audience import WHOLE, NoteHomes, Scope, Speakers
from soulmem.store.graph import graph_sync
from soulmem.store.index import embedding_backlog, vectors
from soulmem.store.journal import call_ledger, digestion_jobs, step_quarantine
from soulmem.store.journal.step_quarantine import SetAside
from soulmem.store.messages import message_insert, rolling_summaries
from soulmem.store.notes import element_rows
from soulmem.store.recalls import recall_records
from soulmem.store.session import mind_metadata
from soulmem.store.session.index_building import load_index, load_summaries
from soulmem.store.session.mind_clock import MindClock
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection

_LEAST_GAPS = 256  # in an index, half a megabyte with their vectors
_MOST_EFFECTS = 64  # that wait: half a millisecond for whoever brings the last


class OpenMind:
    """Holds the one `Database` of a mind, its identity, its experienced clock and its search index."""

    def __init__(self, database: Database, who: Identity, fingerprint: str, clock: MindClock) -> None:
        self.database = database
        self.who = who
        self.clock = clock
        self.fingerprint = fingerprint
        self._index: SearchIndex | None = None
        self._effects: deque[Callable[[SearchIndex], None]] = deque()  # of commits, on the index, not applied yet
        # Apart from the rest: a summary that comes or goes must not change how the others are weighed.
        self.rolled = SearchIndex(shared_from=shared_from(fingerprint))
        self._late: list[Callable[[SearchIndex], None]] | None = None  # what happens to them while they are loaded
        self.speakers = Speakers()
        self.homes = NoteHomes()
        self.index_ready = anyio.Event()
        self._loading: list[Callable[[SearchIndex], None]] | None = None
        self.graph: WorkingGraph | None = None
        self.graph_ready = anyio.Event()
        self._graph_waits: list[Callable[[WorkingGraph], None]] | None = None
        self.fades_exp: int | None = None  # when search must next hear that something faded, experienced time
        self._journal: Journal | None = None  # the ledger of model calls, while somebody hosts the mind
        self.spent = (0, call_ledger.Spent())  # what model calls cost on the UTC day it was opened
        self.set_aside: tuple[SetAside, ...] = ()  # steps over which the daemon died, found when it was opened
        self.reembedding = False  # the embedder changed: everything gets new vectors
        self._keep_up: Callable[[], Awaitable[object]] | None = None
        self._in_front_of: Callable[[str | None], Awaitable[Scope]] | None = None
        self._when_prepared: Callable[[], None] | None = None

    def attach(
        self,
        keep_up: Callable[[], Awaitable[object]] | None = None,
        in_front_of: Callable[[str | None], Awaitable[Scope]] | None = None,
        when_prepared: Callable[[], None] | None = None,
    ) -> None:
        """Name who works on this memory.

        `keep_up`: lets the index hear of what faded; `in_front_of`: what a conversation may know; `when_prepared`: told
        when a file that was opened on a full disk has found room.
        """
        self._keep_up, self._in_front_of, self._when_prepared = keep_up, in_front_of, when_prepared

    def finish_reembedding(self) -> bool:
        """Whether the embedder had changed; from now on it has not."""
        was, self.reembedding = self.reembedding, False
        return was

    def enter_calls(self, journal: Journal) -> None:
        """Let calls of language models be entered there from now on."""
        self._journal = journal

    async def up_to_date(self) -> None:
        """Let the index hear of what faded, before it is searched."""
        if self._keep_up is not None:
            await self._keep_up()

    async def in_front_of(self, conversation: str | None) -> Scope:
        """What a conversation may know; all, where nobody was named who knows better."""
        return WHOLE if self._in_front_of is None else await self._in_front_of(conversation)

    @property
    def name(self) -> str:
        return self.who.name

    @property
    def time(self) -> ExperiencedTime:
        return self.clock.time

    def become(self, who: Identity) -> None:
        """Take over a changed identity."""
        self.who = who

    @property
    def index(self) -> SearchIndex | None:
        """All that can be recalled; None while it is loaded, and for a mind that is too large."""
        if self._effects and self._index is not None:
            self._apply(self._index)
        return self._index

    def replace_index(self, index: SearchIndex | None) -> None:
        """Search this from now on; None: it is searched on disk until another is loaded."""
        self._effects.clear()
        self._index = index

    def _apply(self, index: SearchIndex) -> None:
        while self._effects:
            self._effects.popleft()(index)

    @classmethod
    async def open(
        cls, path: Path, *, fingerprint: str, dimension: int, now: int, create: Identity | None = None,
        mend: Callable[[Connection, Identity, bool], None] | None = None,
    ) -> tuple[OpenMind, int]:  # fmt: skip
        """Open the file (making it from `create` if that is given); returns it with how many texts lack a vector.

        Args: mend: called in the transaction that prepares the file, with the mind and whether it has just come to be.
        Raises: SoulmemError: the storage errors.
        """
        database = await Database.open(path, schema="mind")

        day = now // DAY_MS

        def look(
            connection: Connection,
        ) -> tuple[Identity | None, int | None, recall_records.Moment | None, int, call_ledger.Spent, int | None]:
            last_activity, backlog = mind_metadata.last_activity(connection), embedding_backlog.backlog(connection)
            spent, fades = call_ledger.spent_on(connection, day), element_rows.next_due(connection)
            return (
                mind_metadata.load(connection),
                last_activity,
                recall_records.last_moment(connection),
                backlog,
                spent,
                fades,
            )

        set_aside: list[SetAside] = []

        def prepare(connection: Connection) -> bool:
            found = mind_metadata.load(connection)
            if found is None:
                mind_metadata.create(
                    connection, create or Identity(path.stem, "", "companion", "", "", {}, now, now, now, 0)
                )
            if mend is not None and (who := found or mind_metadata.load(connection)) is not None:
                mend(connection, who, found is None)
            message_insert.prepare(connection)
            graph_sync.prepare(connection)
            set_aside[:] = step_quarantine.take_stock(connection, now)
            rolling_summaries.reset_running(connection)
            digestion_jobs.reset_running(connection)
            call_ledger.lose_running(connection, now)
            call_ledger.forget_answers(connection, now)
            changed = vectors.ensure_index(connection, fingerprint, dimension)
            # Vectors of another embedder that are still here: it was not done when the daemon died, or went back.
            unfinished = vectors.has_others(connection, fingerprint)
            missing = embedding_backlog.enqueue_all(connection, fingerprint) if changed or unfinished else 0
            return unfinished or missing > 0

        try:
            unprepared: SoulmemError | None = None
            changed = False
            try:
                changed = await database.write("prepare", prepare)
            except SoulmemError as error:
                # On a disk that is full what is there can be read; the first write that finds room prepares the file.
                if error.name not in (ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY):
                    raise
                unprepared = error
            who, last_activity, recalled, backlog, spent, fades = await database.read(look)
            if who is None:
                raise unprepared or SoulmemError(ErrorName.STORAGE_DAMAGED, f"{path.name} has lost its identity")
        except BaseException:
            await database.close()
            raise
        mind = cls(database, who, fingerprint, MindClock(database, who, recalled, last_activity, now))
        mind.fades_exp = fades
        mind.reembedding = changed
        mind.set_aside = tuple(set_aside)
        mind.spent = (day, spent)
        database.watch(lambda connection: graph_sync.collect(connection, fingerprint), mind._follow_touched)
        if unprepared is not None:
            database.owe(prepare, mind._prepared)
        return mind, backlog

    def call(self, key: str, *, wanted_at_ms: int, run: str = "", lane: Lane = Lane.IDLE) -> Call | None:
        """For whom a task of the language model is done: this mind, whose ledger enters what it costs."""
        if self._journal is None:
            return None
        return Call(self.name, key, self._journal, lane, run, wanted_at_ms)

    def now(self, trusted_now_ms: int) -> int:
        """The mind's experienced time, milliseconds."""
        return self.clock.time.at(trusted_now_ms)

    async def load_index(self, *, hide_digested: bool, most_rows: int) -> None:
        """Bring all that can be recalled into memory, unless it is more than `most_rows`; once is enough."""
        if self._loading is not None or self.index is not None:
            return
        self._loading = []
        try:
            await self._load_summaries()
            index = await self.database.read(load_index, self.fingerprint, hide_digested, most_rows)
            if index is not None:
                for effect in self._loading:
                    effect(index)
            self.replace_index(index)
        finally:
            self._loading = None
            self.index_ready.set()

    def compact(self) -> None:
        """Give back the memory of what left the indexes, once it is more than what is in them.

        For a calm moment: it takes tens of milliseconds per 10 k items, but only after as many have left.
        """
        for index in (self.index, self.rolled):
            if index is not None and index.gap_count > max(_LEAST_GAPS, index.row_count):
                index.compact()

    async def _load_summaries(self) -> None:
        self._late = []
        try:
            rolled = await self.database.read(load_summaries, self.fingerprint)
            for effect in self._late:
                effect(rolled)
            self.rolled = rolled
        finally:
            self._late = None

    def _prepared(self) -> None:
        if self._when_prepared is not None:
            self._when_prepared()

    def follow(self, effect: Callable[[SearchIndex], None], *, waits: bool = False) -> None:
        """Bring a committed change into the index in memory; kept until loading is over if it is under way.

        `waits`: until somebody looks at the index, or there is more to bring.
        """
        if self._loading is not None:
            self._loading.append(effect)
        elif self._index is not None:
            self._effects.append(effect)
            if not waits or len(self._effects) >= _MOST_EFFECTS:
                self._apply(self._index)

    def follow_summaries(self, effect: Callable[[SearchIndex], None]) -> None:
        """Bring a committed change of rolling summaries into memory; what is loaded meanwhile hears of it too."""
        effect(self.rolled)
        if self._late is not None:
            self._late.append(effect)

    async def load_graph(self, *, most_links: int, dimension: int) -> None:
        """Bring the graph into memory; what is committed meanwhile follows."""
        if self._graph_waits is not None or self.graph is not None:
            return
        self._graph_waits = []
        try:
            graph = WorkingGraph(dimension, max_links=most_links)
            await self.database.read(graph_sync.read, graph)
            for effect in self._graph_waits:
                effect(graph)
            self.graph = graph
        finally:
            self._graph_waits = None
            self.graph_ready.set()

    def follow_graph(self, effect: Callable[[WorkingGraph], None]) -> None:
        """Bring a committed change into the graph in memory; kept until loading is over if it is under way."""
        if self._graph_waits is not None:
            self._graph_waits.append(effect)
        elif self.graph is not None:
            effect(self.graph)

    def _follow_touched(self, touched: graph_sync.Touched) -> None:
        if touched.fades:
            self.fades_exp = touched.fades_exp
        self.homes.follow((note.id for note in touched.notes), touched.gone_notes, touched.homes)
        self.follow_graph(touched.apply)

    async def close(self, because: SoulmemError | None = None) -> None:
        """Close the file; calls that still come are answered with `because`.

        What is large goes at once: who hosts a mind is part of many cycles, and those are seldom looked for.
        """
        self.replace_index(None)
        self.graph = None
        await self.database.close(because)
        self.rolled, self.speakers, self.homes = SearchIndex(), Speakers(), NoteHomes()
