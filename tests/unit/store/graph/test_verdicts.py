"""Verdicts on recalls, through the real store: what gains, what loses, once, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import anyio
import numpy as np
import pytest

from learning_bench import EMBEDDER, bench, trail_of
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.errors import ErrorName, SoulmemError
from soulmem.graph.learning.edge_learning import JUDGED
from soulmem.graph.learning.recall_trace import Trail
from soulmem.graph.walk.edge_expansion import FOLLOW_ABOVE
from soulmem.store.recalls import recall_records
from soulmem.store.recalls.recall_traces import Recalled
from soulmem.store.sqlite.driver import Connection
from soulmem.working.feedback.feedback_outcome import JudgeLesson

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


async def test_without_a_list_all_that_came_back_stands_for_what_was_used(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house:
        recall = await house.recall()
        ways = [(1, 1, 2), (2, 2, 3), (3, 3, 4), (4, 4, 5), (5, 5, 6)]
        await house.feedback.remember(recall, trail_of(ways, returned=[2, 3, 4, 6]))
        outcome = await house.feedback.apply(f"r{recall}", Reaction.GOOD)
        assert outcome.enhanced == 5
        assert await house.agreement(3) == pytest.approx(2 * JUDGED / math.pi, abs=1e-3), "no more than a judge's word"
        assert (await house.vector(5)).any()
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
        await house.feedback.judged(1, JudgeLesson((3, 5)))
        await house.feedback.remember(await house.recall(), trail_of())
        outcome = await house.feedback.judged(2, JudgeLesson((3,)))
        assert (outcome.enhanced, outcome.penalised) == (2, 1)
        assert await house.agreement(2) > 0.9
        assert await house.agreement(4) < 0.5
        assert (await house.feedback.judged(2, JudgeLesson((5,)))).is_duplicate


async def test_a_judgement_that_nobody_waits_for_is_learnt_from_in_its_turn(tmp_path: Path) -> None:
    async with bench(tmp_path / "a.db") as house, anyio.create_task_group() as group:
        group.start_soon(house.feedback.run)
        await house.feedback.remember(recall := await house.recall(), trail_of())
        house.feedback.remember_judgement(recall, JudgeLesson((3,)))
        for _ in range(2_000):
            if await house.rows("SELECT 1 FROM feedback WHERE source = 'judge'"):
                break
            await anyio.sleep(0.005)
        assert await house.rows("SELECT link, enhanced FROM link_memory ORDER BY link") == [(1, 1), (2, 1)]
        group.cancel_scope.cancel()


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
        await house.memory.database.write(
            "merge", lambda connection: recall_records.coalesce(connection, [waiting], ran)
        )
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


async def test_a_question_that_is_deleted_while_it_is_learnt_from_is_kept_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(tmp_path / "a.db") as house:
        recall = await house.recall()
        await house.feedback.remember(recall, trail_of())
        await house.feedback.flush()
        present = house.feedback._present

        async def meanwhile(found: Recalled) -> Trail | None:
            trail = await present(found)
            await house.memory.database.write("erased", _erase)
            return trail

        monkeypatch.setattr(house.feedback, "_present", meanwhile)
        outcome = await house.feedback.apply(f"r{recall}", Reaction.GOOD, 1.0, ["n3"])
        assert outcome.enhanced == 0
        assert await house.rows("SELECT count(*) FROM link_memory_log") == [(0,)]


def _erase(connection: Connection) -> None:
    """What a deletion does with a recall whose question goes."""
    connection.execute("UPDATE recall SET query = ''")
    connection.execute("DELETE FROM recall_trail")
