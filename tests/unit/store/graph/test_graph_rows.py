"""The graph in memory follows the file: after every commit it answers like one that is read afresh."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.graph.graph_exact import snapshot
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import Trace
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin, NoteKind
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.store.graph import graph_sync, link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.notes import note_writes
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection

NOW = 1_780_000_000_000
MOMENT = 20 * DAY_MS
STANCE = QueryContext(MOMENT, valence=0.6, arousal=0.9)
TEXT = "小王 missed the ferry 渡船"
NOTE_KINDS = st.sampled_from([NoteKind.EPISODIC, NoteKind.SEMANTIC, NoteKind.TRIGGER])
LINK_KINDS = st.sampled_from([LinkKind.ASSOCIATION, LinkKind.SEMANTIC, LinkKind.TRIGGER])
NUMBERS = st.integers(0, 30)  # which of the notes or links there are
STRENGTHS = st.floats(0.05, 1.0)

ACTS = st.one_of(
    st.tuples(st.just("note"), NOTE_KINDS, st.floats(-1, 1)),
    st.tuples(st.just("link"), NUMBERS, NUMBERS, LINK_KINDS, STRENGTHS),
    st.tuples(st.just("trace"), NUMBERS, STRENGTHS, st.integers(0, 40)),
    st.tuples(st.sampled_from(["forget note", "restore note", "purge note", "forget link", "purge link"]), NUMBERS),
    st.tuples(st.sampled_from(["forget note", "restore note"]), st.integers(0, 3)),  # often the same ones
    st.tuples(st.just("revalue"), NUMBERS, st.floats(-1, 1)),
    st.tuples(st.just("recalled"), NUMBERS),
)
# A transaction is a list of operations, each kept or rolled back alone; the whole may be given up too.
MOSTLY = st.sampled_from((True, True, True, False))
TRANSACTIONS = st.lists(st.tuples(st.lists(st.tuples(ACTS, MOSTLY), min_size=1, max_size=5), MOSTLY), max_size=20)


def picture(graph: WorkingGraph) -> tuple[object, ...]:
    """Everything recall can see of a graph."""
    ids, rows = snapshot(Weights(graph, STANCE))
    held = graph.notes.live()
    slots = sorted(graph.links.ids[: graph.links.used][graph.links.ids[: graph.links.used] >= 0].tolist())
    return (
        ids.tolist(), graph.notes.kinds[held].tolist(), graph.notes.valences[held].tolist(),
        [graph.is_whole(note) for note in ids.tolist()], slots, graph.strengths(slots, MOMENT).tolist(),
        rows.starts.tolist(), ids[rows.ends].tolist(), rows.weights.tolist(),
    )  # fmt: skip


def read(connection: Connection) -> WorkingGraph:
    graph = WorkingGraph()
    graph_sync.read(connection, graph)
    return graph


def add_note(connection: Connection, kind: NoteKind = NoteKind.EPISODIC, valence: float = 0.0) -> int:
    new = NewNote(kind, TEXT, NOW, NOW, 0, DAY_MS, valence=valence)
    return note_writes.insert(connection, new)


def add_link(
    connection: Connection, src: int, dst: int, kind: LinkKind = LinkKind.ASSOCIATION, strength: float = 0.5
) -> int:
    trace = Trace(strength, 0, 30 * DAY_MS)
    return link_rows.insert(connection, NewLink(src, dst, kind, LinkOrigin.CLIENT, trace, 50 * DAY_MS, NOW))


class Book:
    """A file with a writing connection that notes what it touches, and the graph that follows it."""

    def __init__(self, path: Path) -> None:
        self.connection = driver.writer(path)()
        migrations.migrate(self.connection, path, "mind")
        graph_sync.prepare(self.connection)
        self.graph = WorkingGraph()

    def all_of(self, table: str) -> list[int]:
        return [row[0] for row in self.connection.execute(f"SELECT id FROM {table} ORDER BY id")]

    def do(self, act: tuple[object, ...]) -> None:
        """One operation, on whatever note or link its number comes to."""
        connection = self.connection
        match act:
            case ("note", NoteKind() as kind, float() as valence):
                add_note(connection, kind, valence)
            case ("link", int() as one, int() as other, LinkKind() as kind, float() as strength):
                src, dst = self._one_of("note", one), self._one_of("note", other)
                known = src and dst and link_rows.find(connection, src, dst, kind, "")
                if src and dst and src != dst and not known:
                    add_link(connection, src, dst, kind, strength)
            case ("trace", int() as number, float() as strength, int() as days):
                self._set_trace(number, Trace(strength, days * DAY_MS, (days + 1) * DAY_MS))
            case (str() as what, int() as number):
                self._change(what, number)
            case ("revalue", int() as number, float() as valence):
                if note := self._one_of("note", number):
                    note_writes.update(
                        connection,
                        note,
                        changes={"valence": valence},
                        new_elements=None,
                        version=None,
                        now=NOW,
                        now_exp=NOW,
                    )

    def _one_of(self, table: str, number: int) -> int | None:
        found = self.all_of(table)
        return found[number % len(found)] if found else None

    def _set_trace(self, number: int, trace: Trace) -> None:
        if link := self._one_of("link", number):
            held = link_rows.get(self.connection, link)
            link_rows.set_trace(
                self.connection, held, trace, due_delete=90 * DAY_MS, cause="test", before=0.5, now_exp=MOMENT
            )

    def _change(self, what: str, number: int) -> None:
        connection = self.connection
        item = self._one_of("link" if "link" in what else "note", number)
        if item is None:
            return
        match what:
            case "forget note":
                note_writes.forget(connection, item, reason="test", now=NOW, purge_at=NOW)
            case "restore note":
                note_writes.restore(connection, item, now=NOW, now_exp=0, due_check=DAY_MS)
            case "purge note":
                note_writes.purge(connection, item)
            case "forget link":
                held = link_rows.get(connection, item)
                link_rows.forget(connection, [held], reason="test", now=NOW, purge_at=NOW)
            case "purge link":
                link_rows.purge(connection, item)
            case _:
                note_writes.touch_recalled(connection, [item], MOMENT)

    def transact(self, acts: list[tuple[tuple[object, ...], bool]], kept: bool) -> None:
        """Several operations, each of which may fail alone, then a commit or none; the graph is told as ever."""
        connection = self.connection
        connection.execute("BEGIN IMMEDIATE")
        for act, holds in acts:
            connection.execute("SAVEPOINT operation")
            self.do(act)
            if not holds:
                connection.execute("ROLLBACK TO operation")
            connection.execute("RELEASE operation")
        if kept:
            touched = graph_sync.collect(connection)
            connection.execute("COMMIT")
            if touched is not None:
                touched.apply(self.graph)
        else:
            connection.execute("ROLLBACK")


@contextmanager
def book() -> Iterator[Book]:
    with tempfile.TemporaryDirectory() as root:
        found = Book(Path(root) / "mira.db")
        try:
            yield found
        finally:
            found.connection.close()


@pytest.mark.thorough
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(TRANSACTIONS)
def test_the_graph_that_followed_is_the_graph_that_is_read(
    transactions: list[tuple[list[tuple[tuple[object, ...], bool]], bool]],
) -> None:
    with book() as held:
        ring = [("link", one, one + 1, LinkKind.ASSOCIATION, 0.5) for one in range(3)]
        held.transact([(act, True) for act in [("note", NoteKind.EPISODIC, 0.0)] * 4 + ring], kept=True)
        for acts, kept in transactions:
            held.transact(acts, kept)
            assert picture(held.graph) == picture(read(held.connection))


def test_a_note_that_comes_back_brings_its_links_although_nobody_touched_them() -> None:
    with book() as held:
        held.transact([(("note", NoteKind.EPISODIC, 0.0), True)] * 3, True)
        one, two, three = held.all_of("note")
        for src, dst in ((one, two), (two, three)):
            held.transact([(("link", src - 1, dst - 1, LinkKind.ASSOCIATION, 0.5), True)], True)
        assert held.graph.link_count == 2
        held.transact([(("forget note", 1), True)], True)
        assert (held.graph.note_count, held.graph.link_count) == (2, 0)
        held.transact([(("restore note", 1), True)], True)
        assert (held.graph.note_count, held.graph.link_count) == (3, 2)


def test_what_was_rolled_back_was_never_touched() -> None:
    with book() as held:
        held.transact([(("note", NoteKind.EPISODIC, 0.0), False)], True)
        held.transact([(("note", NoteKind.EPISODIC, 0.0), True)], False)
        assert held.connection.execute("SELECT count(*) FROM temp.touched").fetchone() == (0,)
        assert (held.graph.note_count, held.graph.version) == (0, 0)
        held.transact([(("recalled", 0), True)], True)
        assert held.graph.version == 0


def test_a_column_the_graph_does_not_know_touches_nothing() -> None:
    with book() as held:
        held.transact([(("note", NoteKind.EPISODIC, 0.0), True)] * 2, True)
        version = held.graph.version
        held.transact([(("recalled", 0), True), (("recalled", 1), True)], True)
        assert held.graph.version == version


# -- an open mind ------------------------------------------------------------------------------------------------


@contextmanager
def no_graph_differs(mind: OpenMind) -> Iterator[None]:
    yield
    assert mind.graph is not None
    fresh = WorkingGraph()
    connection = driver.reader(mind.database.path)()
    try:
        graph_sync.read(connection, fresh)
    finally:
        connection.close()
    assert picture(mind.graph) == picture(fresh)


async def open_mind(path: Path) -> OpenMind:
    memory, _ = await OpenMind.open(path, fingerprint="f0", dimension=8, now=NOW)
    return memory


async def test_what_is_committed_while_the_graph_is_loaded_is_in_it(tmp_path: Path) -> None:
    memory = await open_mind(tmp_path / "mira.db")
    try:
        first = [await memory.database.write("note", add_note) for _ in range(40)]

        def chain(connection: Connection) -> list[int]:
            return [add_link(connection, one, other) for one, other in pairwise(first)]

        made = await memory.database.write("chain", chain)
        with no_graph_differs(memory):
            loading = asyncio.ensure_future(memory.load_graph(most_links=10_000, dimension=0))
            changes = [
                memory.database.write("note", lambda c: add_link(c, add_note(c), first[0])),
                memory.database.write("gone", lambda c: link_rows.purge(c, made[0])),
                memory.database.write(
                    "forgotten", lambda c: note_writes.forget(c, first[5], reason="test", now=NOW, purge_at=NOW)
                ),
                memory.database.write(
                    "weaker",
                    lambda c: link_rows.set_trace(
                        c,
                        link_rows.get(c, made[9]),
                        Trace(0.11, 0, DAY_MS),
                        due_delete=0,
                        cause="t",
                        before=0,
                        now_exp=0,
                    ),
                ),
            ]
            await asyncio.gather(loading, *changes)
            assert memory.graph_ready.is_set()
    finally:
        await memory.close()


async def test_every_commit_is_told_before_its_writer_is_answered(tmp_path: Path) -> None:
    memory = await open_mind(tmp_path / "mira.db")
    try:
        await memory.load_graph(most_links=10_000, dimension=0)
        graph = memory.graph
        assert graph is not None
        with no_graph_differs(memory):
            one, other = await asyncio.gather(*(memory.database.write("note", add_note) for _ in range(2)))
            assert graph.note_count == 2
            link = await memory.database.write("link", lambda c: add_link(c, one, other))
            assert graph.strengths([link], 0).tolist() == [0.5]
            with pytest.raises(RuntimeError, match="no"):
                await memory.database.write("failing", _add_and_fail)
            assert graph.note_count == 2
            several = [memory.database.write("note", add_note) for _ in range(3)]
            outcome = await asyncio.gather(
                *several, memory.database.write("failing", _add_and_fail), return_exceptions=True
            )
            assert [isinstance(each, RuntimeError) for each in outcome] == [False] * 3 + [True]
            assert graph.note_count == 5
    finally:
        await memory.close()


def _add_and_fail(connection: Connection) -> None:
    add_note(connection)
    raise RuntimeError("no")


async def test_a_graph_of_some_links_alone_is_completed_from_the_file(tmp_path: Path) -> None:
    memory = await open_mind(tmp_path / "mira.db")
    try:
        made = [await memory.database.write("note", add_note) for _ in range(6)]

        def star(connection: Connection) -> list[int]:
            return [add_link(connection, made[0], other) for other in made[1:]]

        spokes = await memory.database.write("star", star)
        found = await memory.database.read(graph_sync.neighbourhood, [made[0]])
        assert sorted(link.id for link in found) == spokes
        await memory.database.write(
            "gone", lambda c: link_rows.forget(c, [link_rows.get(c, spokes[0])], reason="test", now=NOW, purge_at=NOW)
        )
        found = await memory.database.read(graph_sync.neighbourhood, made)
        assert sorted(link.id for link in found) == spokes[1:], "each once, however many of its ends were asked for"
    finally:
        await memory.close()
