"""Learning from recalls, through the real store: it lasts, no lesson is lost, and wrong praise is unlearnt."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.drafts import LinkKind, LinkOrigin, NoteKind
from soulmem.core.tasks import Reaction
from soulmem.core.traces import DAY_MS, Trace
from soulmem.embed.hashing import HashingEmbedder
from soulmem.embed.worker import EmbedWorker
from soulmem.errors import ErrorName, SoulmemError
from soulmem.graph.adjacency import WorkingGraph
from soulmem.graph.expansion import FOLLOW_ABOVE, Seed, expand
from soulmem.graph.learning import Update, enhanced, penalised
from soulmem.graph.memories import MEMORY_STABILITY_MS
from soulmem.graph.records import GraphLink, GraphNote
from soulmem.graph.stance import Stance
from soulmem.graph.trail import Trail, TrailLink
from soulmem.graph.weighing import Weights
from soulmem.llm.extractive.engine import ExtractiveEngine
from soulmem.ops.clock import SimulatedClock
from soulmem.ports import World
from soulmem.store import driver, link_memory, links, migrations, notes, recalls
from soulmem.store.driver import Connection
from soulmem.store.links import NewLink
from soulmem.store.open_mind import OpenMind
from soulmem.working.feedback import Feedback

NOW = 1_780_000_000_000
EMBEDDER = HashingEmbedder()
SISTER, BEES, TEA = "What does Tom's sister keep?", "小林养的是什么？", "谁 drinks oolong 茶？"
X, Y = np.eye(2, dtype=np.float32)
EXPERIENCED = 0  # what a mind that was made at NOW has experienced then
_FURNISHED: set[Path] = set()


class Bench:
    """The learning half of a mind over a file of its own, with notes 1..6 and a chain of links between them."""

    def __init__(self, memory: OpenMind, worker: EmbedWorker) -> None:
        self.memory = memory
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.clock = SimulatedClock(NOW)
        world = World(
            self.clock, lambda event, **more: self.told.append((event, more)), worker, ExtractiveEngine(EMBEDDER)
        )
        self.feedback = Feedback(memory, world)

    async def recall(self, query: str = SISTER, hits: Sequence[int] = (2, 3), state: str = "done") -> int:
        def store(connection: Connection) -> int:
            number = recalls.insert(
                connection, query=query, depth="normal", k=10, at=self.clock.now_ms(), at_exp=NOW, state=state
            )
            if state == "done":
                recalls.finish(connection, number, [recalls.Hit("note", hit, 0.9) for hit in hits], NOW)
            return number

        return await self.memory.database.write("recall", store)

    async def vector(self, link: int, *, backward: bool = False) -> np.ndarray:
        found = await self.memory.database.read(link_memory.load, self.memory.fingerprint, EMBEDDER.dimension, 100)
        for each in found:
            if (each.link, each.is_backward) == (link, backward):
                return each.vector
        return np.zeros(EMBEDDER.dimension, dtype=np.float32)

    async def agreement(self, link: int, query: str = SISTER) -> float:
        return float(await self.vector(link) @ EMBEDDER.embed([query])[0])

    async def rows(self, sql: str) -> list[Any]:
        return await self.memory.database.read(lambda connection: connection.execute(sql).fetchall())


def furnish(connection: Connection, kinds: Sequence[LinkKind] = (LinkKind.ASSOCIATION,) * 5) -> None:
    """Notes 1..6 and links 1..5, each from one to the next."""
    for number in range(1, 7):
        notes.insert(
            connection,
            notes.NewNote(NoteKind.EPISODIC, f"note {number} 笔记", NOW, NOW, NOW, NOW + DAY_MS),
        )
    for number, kind in enumerate(kinds, start=1):
        trace = Trace(0.5, NOW, 1000 * DAY_MS)
        new = NewLink(number, number + 1, kind, LinkOrigin.CLIENT, trace, NOW + 1000 * DAY_MS, NOW)
        assert links.insert(connection, new) == number


@asynccontextmanager
async def bench(path: Path, *, fingerprint: str = EMBEDDER.fingerprint) -> AsyncIterator[Bench]:
    fresh = path not in _FURNISHED
    _FURNISHED.add(path)
    memory, _ = await OpenMind.open(path, fingerprint=fingerprint, dimension=EMBEDDER.dimension, now=NOW)
    worker = EmbedWorker(EMBEDDER)
    try:
        if fresh:
            await memory.database.write("furnish", furnish)
        yield Bench(memory, worker)
    finally:
        await worker.close()
        await memory.close()


def trail_of(
    ways: Sequence[tuple[int, int, int]] = ((1, 1, 2), (2, 2, 3), (4, 4, 5)),
    returned: Sequence[int] = (3, 2),
    texts: Sequence[str] = (SISTER,),
    question: int = 0,
) -> Trail:
    followed = tuple(TrailLink(link, src, dst, src > dst, question) for link, src, dst in ways)
    return Trail(EMBEDDER.embed(list(texts)), tuple(texts), followed, returned=tuple(returned))


# -- good and bad -------------------------------------------------------------------------------------------


async def test_praise_teaches_the_ways_to_what_was_used_and_no_others(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        recall = await house.recall()
        await house.feedback.remember(recall, trail_of())
        outcome = await house.feedback.apply(f"r{recall}", Reaction.GOOD, 1.0, ["n3"])
        assert (outcome.enhanced, outcome.penalised, outcome.warnings) == (2, 0, ())
        assert await house.agreement(1) > 0.99
        assert await house.agreement(2) > 0.99
        assert not (await house.vector(4)).any(), "it led elsewhere"
        assert await house.rows("SELECT item, used FROM recall_hit ORDER BY rank") == [(2, 0), (3, 1)]
        assert house.told == [
            (
                "feedback_applied",
                {
                    "mind": "a", "recall": f"r{recall}", "source": "client", "verdict": "good", "enhanced": 2,
                    "penalised": 0,
                },
            )
        ]  # fmt: skip


async def test_a_verdict_counts_once_and_another_corrects_it_once(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        recall = f"r{await house.recall()}"
        await house.feedback.remember(1, trail_of())
        first = await house.feedback.apply(recall, Reaction.GOOD, 1.0, ["n3"])
        praised = await house.vector(2)
        again = await house.feedback.apply(recall, Reaction.GOOD, 1.0, ["n3"])
        assert again.is_duplicate
        assert again.view() == {**first.view(), "duplicate": True}
        other = await house.feedback.apply(recall, Reaction.GOOD, 0.2, ["n2"])
        assert other.is_duplicate
        assert other.warnings, "it says that nothing came of the difference"
        assert np.array_equal(await house.vector(2), praised)
        corrected = await house.feedback.apply(recall, Reaction.BAD, 1.0, ["n3"])
        assert (corrected.enhanced, corrected.penalised, corrected.is_duplicate) == (0, 2, False)
        assert await house.agreement(2) < FOLLOW_ABOVE
        assert (await house.feedback.apply(recall, Reaction.BAD, 1.0, ["n3"])).is_duplicate
        assert await house.rows("SELECT used FROM recall_hit WHERE item = 3") == [(0,)]
        assert len(house.told) == 2


async def test_without_a_list_the_first_three_stand_for_what_was_used_at_half_the_weight(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        recall = await house.recall()
        ways = [(1, 1, 2), (2, 2, 3), (3, 3, 4), (4, 4, 5), (5, 5, 6)]
        await house.feedback.remember(recall, trail_of(ways, returned=[2, 3, 4, 6]))
        outcome = await house.feedback.apply(f"r{recall}", Reaction.GOOD)
        assert outcome.enhanced == 3
        assert await house.agreement(3) == pytest.approx(0.5 * 2 / math.pi, abs=1e-3)
        assert not (await house.vector(5)).any()
        assert await house.rows("SELECT max(used) FROM recall_hit") == [(0,)], "a guess is no use"


async def test_an_empty_list_says_that_nothing_was_used(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(await house.recall(), trail_of())
        outcome = await house.feedback.apply("r1", Reaction.GOOD, 1.0, [])
        assert outcome.view() == {
            "recall_id": "r1", "applied": 0, "enhanced": 0, "penalised": 0, "duplicate": False,
        }  # fmt: skip


@pytest.mark.parametrize("named", [True, False])
async def test_wrong_praise_is_unlearnt(tmp_path: Path, named: bool) -> None:
    """After a few bad verdicts a link that was praised to the limit is followed for that question no more."""
    used = ["n3"] if named else None
    async with bench(tmp_path / "a.db") as house:
        for _ in range(3):
            await house.feedback.remember(recall := await house.recall(), trail_of())
            await house.feedback.apply(f"r{recall}", Reaction.GOOD, 1.0, ["n3"])
        assert await house.agreement(2) > 0.99
        fell = []
        for _ in range(6):
            await house.feedback.remember(recall := await house.recall(), trail_of())
            await house.feedback.apply(f"r{recall}", Reaction.BAD, 1.0, used)
            fell.append(await house.agreement(2))
        assert fell == sorted(fell, reverse=True)
        assert fell[1 if named else 4] < FOLLOW_ABOVE
        assert min(fell) >= -1e-3, "it is not taught the opposite"


async def test_a_judge_lets_what_was_followed_in_vain_lose(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.judged(1, [3, 5])
        await house.feedback.remember(await house.recall(), trail_of())
        outcome = await house.feedback.judged(2, [3])
        assert (outcome.enhanced, outcome.penalised) == (2, 1)
        assert await house.agreement(2) > 0.9
        assert await house.agreement(4) < 0.5
        assert (await house.feedback.judged(2, [5])).is_duplicate


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
        house.memory.time = house.memory.time.with_dormancy(NOW, after_ms=0, rate_ppm=1_000_000)
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


# -- trails -------------------------------------------------------------------------------------------------------


async def test_trails_are_kept_for_a_day_and_the_last_fifty_longer(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        for _ in range(70):
            await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.flush()
        assert await house.rows("SELECT count(*) FROM recall_trail") == [(70,)], "a day's worth, however many"
        house.clock.advance(DAY_MS + 1000)
        await house.feedback.remember(71, trail_of())
        assert await house.recall() == 71
        await house.feedback.flush()
        assert await house.rows("SELECT min(recall), count(*) FROM recall_trail") == [(22, 50)]
        late = await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n3"])
        assert (late.view()["applied"], len(late.warnings)) == (0, 1)
        assert await house.rows("SELECT used FROM recall_hit WHERE recall = 1 AND item = 3") == [(1,)]
        assert (await house.feedback.apply("r22", Reaction.GOOD, 1.0, ["n3"])).enhanced == 2


async def test_a_trail_of_a_recall_that_was_never_recorded_is_passed_over(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(77, trail_of())
        await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.flush()
        assert await house.rows("SELECT recall FROM recall_trail") == [(1,)]


async def test_a_damaged_trail_or_vector_costs_what_it_held_and_no_more(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        for _ in range(2):
            await house.feedback.remember(await house.recall(), trail_of())
        await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n3"])

        def wound(connection: Connection) -> None:
            connection.execute("UPDATE recall_trail SET trail = x'0102' WHERE recall = 1")
            nan = np.full(EMBEDDER.dimension, np.nan, dtype=np.float16).tobytes()
            connection.execute("UPDATE link_memory SET vector = ? WHERE link = 1", (nan,))
            connection.execute("UPDATE link_memory SET vector = x'00' WHERE link = 2")

        await house.memory.database.write("wound", wound)
        assert not (await house.vector(1)).any()
        assert (await house.feedback.apply("r1", Reaction.BAD, 1.0, ["n3"])).warnings
        assert (await house.feedback.apply("r2", Reaction.GOOD, 1.0, ["n3"])).enhanced == 2
        assert await house.agreement(1) > 0.99


async def test_feedback_on_a_recall_that_another_stands_for(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        waiting = await house.recall(state="pending", hits=())
        early = await house.feedback.apply(f"r{waiting}", Reaction.GOOD)
        assert early.warnings == (f"r{waiting} has not been answered yet",)
        ran = await house.recall()
        await house.memory.database.write("merge", lambda connection: recalls.coalesce(connection, [waiting], ran))
        await house.feedback.remember(ran, trail_of())
        outcome = await house.feedback.apply(f"r{waiting}", Reaction.GOOD, 1.0, ["n3"])
        assert (outcome.recall, outcome.enhanced, outcome.is_duplicate) == (waiting, 2, False)
        assert await house.rows("SELECT used FROM recall_hit WHERE item = 3") == [(1,)]


# -- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recall_id", ["r1", "r999", "n1", "", "r", "r-1", "r1e3", "r٣", "r" + "9" * 30])
async def test_a_recall_that_is_not_of_this_mind_is_not_found(tmp_path: Path, recall_id: str) -> None:
    async with bench(tmp_path / "a.db") as other, bench(tmp_path / "b.db") as house:
        await other.feedback.remember(await other.recall(), trail_of())
        with pytest.raises(SoulmemError) as caught:
            await house.feedback.apply(recall_id, Reaction.GOOD)
        assert caught.value.name is ErrorName.NOT_FOUND
        assert house.told == []


@pytest.mark.parametrize("strength", [math.nan, math.inf, -0.1, 1.1])
async def test_a_strength_that_is_none_is_refused(tmp_path: Path, strength: float) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(await house.recall(), trail_of())
        with pytest.raises(SoulmemError) as caught:
            await house.feedback.apply("r1", Reaction.GOOD, strength, ["n3"])
        assert caught.value.name is ErrorName.INVALID_PARAMS
        assert await house.rows("SELECT * FROM link_memory UNION ALL SELECT * FROM link_memory") == []


async def test_ids_that_say_nothing_here_are_named_in_warnings(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        await house.feedback.remember(await house.recall(), trail_of())
        outcome = await house.feedback.apply("r1", Reaction.GOOD, 1.0, ["n3", "n6", "n404", "謎", "n3", "n3' OR 1=1"])
        assert outcome.enhanced == 2
        assert list(outcome.warnings) == [
            "used: there is no 'n404' in this mind",
            "used: there is no '謎' in this mind",
            'used: there is no "n3\' OR 1=1" in this mind',
            "used: n6 did not come back in this recall",
        ]


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


def attach(house: Bench) -> WorkingGraph:
    """Give the mind a graph in memory that holds the furniture."""
    graph = WorkingGraph(EMBEDDER.dimension)
    for number in range(1, 7):
        graph.put_note(GraphNote(number, "episodic"))
    for number in range(1, 6):
        graph.put_link(GraphLink(number, number, number + 1, "association", 0.5, EXPERIENCED, 1000 * DAY_MS))
    house.memory.graph = graph  # type: ignore[attr-defined,unused-ignore]
    house.memory.follow_graph = lambda effect: effect(graph)  # type: ignore[method-assign,attr-defined,unused-ignore]
    if (ready := getattr(house.memory, "graph_ready", None)) is not None:
        ready.set()
    return graph


def reached(graph: WorkingGraph, question: np.ndarray) -> list[int]:
    forest = expand(Weights(graph, Stance(EXPERIENCED, question)), [Seed(1)], max_notes=6, max_depth=4)
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
def test_no_vector_grows_beyond_one_or_holds_what_is_no_number(steps: list[tuple[int, bool, int, float, int]]) -> None:
    connection = driver.writer(Path(":memory:"))()
    try:
        migrations.migrate(connection, Path(":memory:"), "mind")
        furnish(connection, [LinkKind.ASSOCIATION, LinkKind.EVIDENCE, LinkKind.ASSOCIATION])
        now = NOW
        for link, is_backward, question, weight, passed in steps:
            now += passed
            update = Update(link, is_backward, question, weight)
            learned = link_memory.learn(connection, "f0", [update, update], QUESTIONS, [SISTER, BEES, TEA], now_exp=now)
            for each in learned.memories:
                assert np.isfinite(each.vector).all()
                assert np.linalg.norm(each.vector.astype(np.float64)) <= 1.0
            stored = {(each.link, each.is_backward): each.vector for each in link_memory.load(connection, "f0", 256, 9)}
            for each in learned.memories:
                assert np.array_equal(stored[each.link, each.is_backward], each.vector)
        assert not any(is_backward for link, is_backward in stored_owners(connection) if link == 2)
        lessons = connection.execute(
            "SELECT max(n) FROM (SELECT count(*) n FROM link_memory_log GROUP BY link, backward)"
        )
        assert (lessons.fetchone()[0] or 0) <= link_memory.LESSONS
    finally:
        connection.close()


def stored_owners(connection: Connection) -> list[tuple[int, bool]]:
    return [(link, bool(back)) for link, back in connection.execute("SELECT link, backward FROM link_memory")]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.0, 1.0), max_size=12), st.integers(0, 2))
def test_whatever_was_praised_enough_blame_unlearns_it(strengths: list[float], question: int) -> None:
    connection = driver.writer(Path(":memory:"))()
    try:
        migrations.migrate(connection, Path(":memory:"), "mind")
        furnish(connection)
        texts = [SISTER, BEES, TEA]
        for strength in strengths:
            link_memory.learn(
                connection, "f0", [Update(1, False, question, max(1.0, 2 * strength))], QUESTIONS, texts, now_exp=NOW
            )
        for _ in range(3):
            link_memory.learn(connection, "f0", [Update(1, False, question, -2.0)], QUESTIONS, texts, now_exp=NOW)
        for each in link_memory.load(connection, "f0", len(QUESTIONS[0]), 9):
            assert float(each.vector @ QUESTIONS[question]) < 0.05 < FOLLOW_ABOVE
    finally:
        connection.close()
