"""Memory vectors that last: no lesson is lost between two recalls, wrong praise is unlearnt, embedders may change."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning_bench import BEES, EMBEDDER, EXPERIENCED, NOW, SISTER, TEA, Bench, bench, furnish, trail_of
from mind_file import mind_file
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.core.schema.note_requests import LinkKind
from soulmem.graph.learning.edge_learning import Update, enhanced, penalised
from soulmem.graph.learning.recall_trace import Trail
from soulmem.graph.query.edge_weights import Weights
from soulmem.graph.query.query_context import QueryContext
from soulmem.graph.state.edge_memory import MEMORY_STABILITY_MS
from soulmem.graph.state.graph_columns import GraphLink, GraphNote
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.graph.walk.edge_expansion import FOLLOW_ABOVE, Seed, expand
from soulmem.store.graph import link_memory
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection

X, Y = np.eye(2, dtype=np.float32)


@pytest.fixture(scope="module")
def mind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    with mind_file(tmp_path_factory.mktemp("v") / "m.db") as connection:
        yield connection


@contextmanager
def undone(connection: Connection) -> Iterator[None]:
    """Whatever is written within is taken back, so that one file serves for many examples."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


# -- what is kept ---------------------------------------------------------------------------------------------


async def test_two_recalls_on_one_link_lose_no_lesson(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        numbers = [await house.recall(query) for query in (SISTER, BEES, TEA) * 2]
        for number, query in zip(numbers, (SISTER, BEES, TEA) * 2, strict=True):
            await house.feedback.remember(number, trail_of(texts=[query]))
        done = await asyncio.gather(
            *(house.feedback.apply(f"r{number}", Reaction.GOOD, 0.0, ["n2"]) for number in numbers)
        )
        assert [outcome.enhanced for outcome in done] == [1] * 6
        assert await house.rows("SELECT enhanced FROM link_memory WHERE link = 1") == [(6,)]
        assert await house.rows("SELECT count(*) FROM link_memory_log WHERE link = 1") == [(6,)]


def test_two_connections_racing_for_one_link_lose_no_lesson(tmp_path: Path) -> None:
    """Twice twenty lessons from two threads; every one of them is in the vector's count."""
    path = tmp_path / "a.db"
    first = driver.writer(path)()
    migrations.migrate(first, path, "mind")
    furnish(first)
    barrier, faults = threading.Barrier(2), list[BaseException]()

    def teach(question: np.ndarray, text: str) -> None:
        connection = driver.writer(path)()
        try:
            barrier.wait()
            for _ in range(20):
                connection.execute("BEGIN IMMEDIATE")
                link_memory.learn(connection, "f0", [Update(1, False, 0, 0.01)], question[None], [text], now_exp=NOW)
                connection.execute("COMMIT")
        except BaseException as error:
            faults.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=teach, args=each) for each in ((X, SISTER), (Y, BEES))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert first.execute("SELECT enhanced FROM link_memory").fetchall() == [(40,)]
    (vector,) = [each.vector for each in link_memory.load(first, "f0", 2, 10)]
    assert vector[0] == pytest.approx(vector[1], abs=0.01)
    assert 0.1 < vector[0] < 0.13, "forty small steps, twenty each way"
    first.close()


async def test_an_association_learns_each_way_apart_and_a_directed_link_both_ways_together(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.memory.database.write(
            "kind", lambda connection: connection.execute("UPDATE link SET kind = 'evidence' WHERE id = 2")
        )
        await house.feedback.remember(await house.recall(), trail_of([(1, 2, 1), (2, 3, 2)], returned=[1]))
        await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n1"])
        assert await house.rows("SELECT link, backward FROM link_memory ORDER BY link") == [(1, 1), (2, 0)]


async def test_links_that_went_and_links_behind_a_tombstone_learn_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n3"])

        def lose(connection: Connection) -> None:
            connection.execute("DELETE FROM link WHERE id = 2")
            connection.execute("UPDATE link SET forgotten = 1 WHERE id = 1")

        await house.memory.database.write("lose", lose)
        assert await house.rows("SELECT link FROM link_memory UNION SELECT link FROM link_memory_log") == [(1,)]
        assert (await house.feedback.apply("r2", Reaction.GOOD, 1.0, ["n3"])).view()["applied"] == 0
        assert not (await house.vector(1)).any(), "it is not loaded while it is forgotten"


async def test_vectors_fade_between_lessons(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n3"])
        house.memory.clock.set_dormancy(after_ms=0, rate_ppm=1_000_000)
        house.clock.advance(MEMORY_STABILITY_MS)
        await house.feedback.remember(await house.recall(BEES), trail_of(texts=[BEES]))
        await house.feedback.apply("r2", Reaction.GOOD, 0.5, ["n3"])
        apart = float(EMBEDDER.embed([SISTER])[0] @ EMBEDDER.embed([BEES])[0])
        step = 2 / math.pi * math.cos(math.pi / 2 / math.e)
        assert await house.agreement(2) == pytest.approx(1 / math.e + step * apart, abs=2e-3)


# -- another embedder -------------------------------------------------------------------------------------------


async def test_another_embedder_learns_everything_anew_from_the_last_lessons(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with bench(path) as house:
        for query, verdict in ((SISTER, Reaction.GOOD), (BEES, Reaction.GOOD), (BEES, Reaction.BAD)):
            await house.feedback.remember(recall := await house.recall(query), trail_of(texts=[query]))
            await house.feedback.apply(f"r{recall}", verdict, 0.4, ["n3"])
        learnt = await house.vector(2)
    async with bench(path, fingerprint="other") as house:  # its vectors happen to be the same, under another name
        assert not (await house.vector(2)).any()
        late = await house.recall(TEA)
        await house.feedback.remember(late, trail_of([(1, 1, 2)], texts=[TEA], returned=[2]))
        await house.feedback.apply(f"r{late}", Reaction.GOOD, 0.4, ["n2"])
        assert await house.feedback.relearn() == 2
        assert await house.vector(2) == pytest.approx(learnt, abs=2e-3)
        sister, bees, tea = EMBEDDER.embed([SISTER, BEES, TEA])
        whole = enhanced(penalised(enhanced(enhanced(0 * sister, sister), bees), bees, 0.8), tea)
        assert await house.vector(1) == pytest.approx(whole, abs=2e-3), "what was said meanwhile is in it, in its turn"
        assert await house.feedback.relearn() == 0
        assert await house.rows("SELECT DISTINCT fingerprint FROM link_memory") == [("other",)]
        assert await house.rows("SELECT enhanced, penalised FROM link_memory WHERE link = 2") == [(2, 1)]
    async with bench(path) as house:
        assert await house.feedback.relearn() == 2, "back with the former one nothing stale is left"
        assert await house.vector(2) == pytest.approx(learnt, abs=2e-3)


async def test_feedback_on_a_recall_of_the_former_embedder_reads_its_words_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with bench(path) as house:
        recall = await house.recall()
        stale = Trail(np.roll(EMBEDDER.embed([SISTER]), 7, axis=1), (SISTER,), trail_of().followed, returned=(3,))
        await house.feedback.remember(recall, stale)
        await house.feedback.flush()
    async with bench(path, fingerprint="other") as house:
        await house.feedback.apply(f"r{recall}", Reaction.GOOD, 1.0, ["n3"])
        assert await house.agreement(2) > 0.99


async def test_only_the_last_lessons_are_kept(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        for number in range(link_memory.LESSONS + 3):
            await house.feedback.remember(await house.recall(), trail_of(texts=[f"question {number} 问题"]))
            await house.feedback.apply(f"r{number + 1}", Reaction.GOOD, 0.1, ["n2"])
        lessons = await house.memory.database.read(link_memory.lessons_of, 1, is_backward=False)
        assert [lesson.text for lesson in lessons] == [f"question {number} 问题" for number in range(3, 11)]


# -- the graph in memory ----------------------------------------------------------------------------------------


async def test_the_graph_in_memory_follows_and_a_link_is_then_followed(tmp_path: Path) -> None:
    path, question = tmp_path / "a.db", EMBEDDER.embed([SISTER])[0]
    async with bench(path) as house:
        graph = attach(house)
        assert reached(graph, question) == [1], "nothing was ever asked along these links"
        await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n3"])
        assert reached(graph, question) == [1, 2, 3]
        assert reached(graph, EMBEDDER.embed(["completely unrelated: 天气"])[0]) == [1]
        assert graph.memory(2, EXPERIENCED) == pytest.approx(await house.vector(2))
    async with bench(path) as house:
        graph = attach(house)
        await house.feedback.bring_back()
        assert reached(graph, question) == [1, 2, 3], "it lasts"


async def test_what_is_learnt_while_vectors_come_back_is_not_undone(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n3"])
        graph = attach(house)
        for _ in range(20):
            await house.feedback.remember(recall := await house.recall(BEES), trail_of(texts=[BEES]))
            verdict = house.feedback.apply(f"r{recall}", Reaction.GOOD, 0.0, ["n3"])
            await asyncio.gather(house.feedback.bring_back(), verdict, house.feedback.bring_back())
            assert np.array_equal(graph.memory(2, EXPERIENCED), await house.vector(2))


def attach(house: Bench) -> WorkingGraph:
    """Give the mind a graph in memory that holds the furniture."""
    graph = WorkingGraph(EMBEDDER.dimension)
    for number in range(1, 7):
        graph.put_note(GraphNote(number, "episodic"))
    for number in range(1, 6):
        graph.put_link(GraphLink(number, number, number + 1, "association", 0.5, EXPERIENCED, 1000 * DAY_MS))
    house.memory.graph = graph
    house.memory.graph_ready.set()
    return graph


def reached(graph: WorkingGraph, question: np.ndarray) -> list[int]:
    forest = expand(Weights(graph, QueryContext(EXPERIENCED, question)), [Seed(1)], max_notes=6, max_depth=4)
    return [each.note for each in forest.notes]


# -- whatever is said -------------------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 3]),
        st.booleans(),
        st.integers(0, 2),
        st.floats(-2.5, 2.5),
        st.integers(-DAY_MS, 900 * DAY_MS),
    ),
    max_size=25,
)
QUESTIONS = EMBEDDER.embed([SISTER, BEES, TEA])


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_no_vector_grows_beyond_one_or_holds_what_is_no_number(
    mind: Connection, steps: list[tuple[int, bool, int, float, int]]
) -> None:
    with undone(mind):
        furnish(mind, [LinkKind.ASSOCIATION, LinkKind.EVIDENCE, LinkKind.ASSOCIATION])
        now = NOW
        for link, is_backward, question, weight, passed in steps:
            now += passed
            update = Update(link, is_backward, question, weight)
            learned = link_memory.learn(mind, "f0", [update, update], QUESTIONS, [SISTER, BEES, TEA], now_exp=now)
            for each in learned.memories:
                assert np.isfinite(each.vector).all()
                assert np.linalg.norm(each.vector.astype(np.float64)) <= 1.0
            stored = {(each.link, each.is_backward): each.vector for each in link_memory.load(mind, "f0", 256, 9)}
            for each in learned.memories:
                assert np.array_equal(stored[each.link, each.is_backward], each.vector)
        assert not any(is_backward for link, is_backward in stored_owners(mind) if link == 2)
        lessons = mind.execute("SELECT max(n) FROM (SELECT count(*) n FROM link_memory_log GROUP BY link, backward)")
        assert (lessons.fetchone()[0] or 0) <= link_memory.LESSONS


def stored_owners(connection: Connection) -> list[tuple[int, bool]]:
    return [(link, bool(back)) for link, back in connection.execute("SELECT link, backward FROM link_memory")]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.0, 1.0), max_size=12), st.integers(0, 2))
def test_whatever_was_praised_enough_blame_unlearns_it(mind: Connection, strengths: list[float], question: int) -> None:
    with undone(mind):
        furnish(mind)
        texts = [SISTER, BEES, TEA]
        for strength in strengths:
            link_memory.learn(
                mind, "f0", [Update(1, False, question, max(1.0, 2 * strength))], QUESTIONS, texts, now_exp=NOW
            )
        for _ in range(3):
            link_memory.learn(mind, "f0", [Update(1, False, question, -2.0)], QUESTIONS, texts, now_exp=NOW)
        for each in link_memory.load(mind, "f0", len(QUESTIONS[0]), 9):
            assert float(each.vector @ QUESTIONS[question]) < 0.05 < FOLLOW_ABOVE
