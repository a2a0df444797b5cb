"""Who waits for a model and who goes first: calls broken off by talk, bounded in number, given up when too slow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from engine_bench import Bench, extractive
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.ports import CallOutcome, Lane

LANGUAGES = ("en", "zh")


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint() as running:
        yield running


@pytest.fixture(params=["loopback", "unix"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint(tmp_path / "llm.sock" if request.param == "unix" else None) as running:
        yield running


async def test_talk_breaks_off_what_nobody_waits_for_and_it_is_done_afterwards(either: ScriptedEndpoint) -> None:
    async with Bench(either) as bench:
        await bench.do(Task.LINK)
        results: list[Any] = []

        async def digest() -> None:
            results.append(await bench.do(Task.SPLIT))

        async with anyio.create_task_group() as group:
            either.latency_s = 0.4
            group.start_soon(digest)
            await anyio.sleep(0.15)
            either.latency_s = 0.05
            with anyio.fail_after(0.35):
                assert await bench.do(Task.ANALYSE_QUERY, lane=Lane.INTERACTIVE)
        assert len(results[0]) == 3
        assert bench.journal.outcomes[1:] == [CallOutcome.PREEMPTED, CallOutcome.OK, CallOutcome.OK]
        entered = [(entry.task, entry.attempt) for entry in bench.journal.entries.values()][1:]
        assert entered == [(Task.SPLIT, 1), (Task.ANALYSE_QUERY, 1), (Task.SPLIT, 2)]
        broken_off = bench.journal.ends[2]
        assert broken_off.estimated
        assert broken_off.tokens_in > 0
        bench.journal.check()


async def test_a_call_that_was_broken_off_three_times_runs_to_its_end(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint, interactive_deadline_s=0.3) as bench:
        await bench.do(Task.LINK)
        endpoint.latency_s = 0.15
        async with anyio.create_task_group() as group:
            group.start_soon(bench.do, Task.SPLIT)
            for turn in range(3):
                await anyio.sleep(0.05)
                await bench.do(Task.JUDGE, lane=Lane.INTERACTIVE, key=f"talk-{turn}")
            await anyio.sleep(0.05)
            endpoint.latency_s = 0.0
            await bench.do(Task.JUDGE, lane=Lane.INTERACTIVE, key="talk-3")
        split = [
            bench.journal.ends[number].outcome
            for number, entry in bench.journal.entries.items()
            if entry.task is Task.SPLIT
        ]
        assert split == [CallOutcome.PREEMPTED] * 3 + [CallOutcome.OK]
        assert endpoint.most_at_once <= 2  # one that was broken off may still be at it when the next comes


async def test_a_step_that_is_called_off_leaves_a_closed_entry(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        await bench.do(Task.LINK)
        endpoint.latency_s = 5.0
        with anyio.move_on_after(0.1) as scope:
            await bench.do(Task.SPLIT)
        assert scope.cancelled_caught
        assert bench.journal.outcomes[-1] is CallOutcome.PREEMPTED
        assert bench.engine.standing()["calls_running"] == 0
        bench.journal.check()


async def test_no_more_calls_at_once_than_allowed(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint, concurrency=2) as bench:
        await bench.do(Task.LINK)
        endpoint.latency_s = 0.02
        async with anyio.create_task_group() as group:
            for language in LANGUAGES:
                for task in Task:
                    group.start_soon(bench.do, task, language)
        assert endpoint.most_at_once == 2
        bench.journal.check()


async def test_a_slow_model_gets_its_work_done_although_its_queue_is_longer_than_the_deadline(
    endpoint: ScriptedEndpoint,
) -> None:
    endpoint.latency_s = 0.2
    async with Bench(endpoint, deadline_s=0.7) as bench:
        async with anyio.create_task_group() as group:
            for task in tuple(Task)[:6]:
                group.start_soon(bench.do, task)
        assert set(bench.journal.outcomes) == {CallOutcome.OK}


async def test_those_who_wait_do_not_wait_for_a_model_that_is_too_slow_for_them(endpoint: ScriptedEndpoint) -> None:
    """It is left alone by them, and goes on working for those who do not wait."""
    endpoint.latency_s = 0.25
    async with Bench(endpoint, interactive_deadline_s=0.1, retries=0) as bench:
        for turn in range(5):
            talk = await bench.do(Task.JUDGE, lane=Lane.INTERACTIVE, key=f"talk-{turn}")
            assert talk == await extractive(Task.JUDGE)
        assert bench.journal.outcomes == [CallOutcome.TIMEOUT] * 3
        (opened,) = bench.log.of("breaker_opened")
        assert opened["endpoint"].endswith("(interactive)")
        assert await bench.do(Task.INSIGHTS) != await extractive(Task.INSIGHTS)
