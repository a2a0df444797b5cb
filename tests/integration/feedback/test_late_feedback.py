"""Feedback on a recall whose record goes (`journal_pruning`) while it is given: there is no such recall any more."""

from __future__ import annotations

import threading
from pathlib import Path

import anyio

from mind_bench import hosted
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.journal import journal_pruning
from soulmem.working.recall.recall_request import RecallRequest


async def test_a_recall_that_goes_before_the_verdict_is_written_is_not_found(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", works=False) as host:
        database, feedback = host.mind.memory.database, host.mind.workers.feedback
        await host.note("Ann's sister keeps bees in Porto.")
        answer = await host.mind.recall(RecallRequest("bees", 3), [], record=True, explained=False)
        await feedback.flush()
        held, refused = threading.Event(), list[ErrorName]()

        async def judge() -> None:
            try:
                await feedback.apply(answer["recall_id"], Reaction.GOOD)
            except SoulmemError as error:
                refused.append(error.name)

        async def hold_up() -> None:
            await database.write("hold up", lambda _connection: held.wait(10))

        async def prune() -> None:
            gone = journal_pruning.Old(recalls=(1,))
            await database.write("prune", lambda connection: journal_pruning.remove(connection, gone))

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                try:
                    for step in (hold_up, prune, judge):  # in this order: the verdict finds it, and is written too late
                        group.start_soon(step)
                        await anyio.sleep(0.1)
                finally:
                    held.set()
        assert refused == [ErrorName.NOT_FOUND]
        assert await host.rows("SELECT count(*) FROM feedback") == [(0,)]
