"""Everything an endpoint can do wrong, for every task: a proper answer or a wait, never a crash, never for ever."""

from __future__ import annotations

import logging
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from engine_bench import KEY, NOON, Bench, extractive
from misbehaviours import AWAY, BAD, GOOD, M
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import CallOutcome, Lane
from spread import IN_FULL

USELESS = (M.NULL, M.NULL_CONTENT, M.EMPTY_CHOICES, M.NO_JSON, M.SCHEMA, M.HUGE, M.REFUSAL, M.BAD_REQUEST)
MENDS = {
    M.WRONG_KEY: "engine.api_key_file",
    M.NO_MODEL: "engine.model",
    M.NO_V1: "engine.base_url",
    M.HTML: "engine.base_url",
    M.DOWN: "engine.base_url",
    M.HANG: "engine.deadline_s",
    M.DRIP: "engine.deadline_s",
}
SILENT = (M.HANG, M.DRIP)
DEADLINE_S, AMPLE_S = 0.7, 10.0
_APART = 3


def language_of(task: Task) -> str:
    """Either, turn about."""
    return ("en", "zh")[list(Task).index(task) % 2]


def tasks_of(misbehaviour: M) -> list[Task]:
    """Those that meet it: a third of them, other ones with the next misbehaviour; all in torture."""
    tasks = list(Task)
    return tasks if IN_FULL else tasks[list(M).index(misbehaviour) % _APART :: _APART]


@pytest.fixture(params=["loopback", pytest.param("unix", marks=pytest.mark.torture)])
def endpoint(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint(tmp_path / "llm.sock" if request.param == "unix" else None) as running:
        yield running


_PROPER: dict[Task, Any] = {}


async def _proper(endpoint: ScriptedEndpoint) -> dict[Task, Any]:
    """What each task is answered by an endpoint that behaves; asked once for all that is held against it."""
    if not _PROPER:
        async with Bench(endpoint) as bench:
            _PROPER.update({task: await bench.do(task, language_of(task)) for task in Task})
    return _PROPER


@pytest.mark.parametrize("misbehaviour", GOOD)
async def test_a_good_answer_in_bad_clothes_is_a_good_answer(endpoint: ScriptedEndpoint, misbehaviour: M) -> None:
    expected = await _proper(endpoint)
    endpoint.misbehaviour = misbehaviour
    async with Bench(endpoint) as bench:
        for task in tasks_of(misbehaviour):
            assert await bench.do(task, language_of(task)) == expected[task]
        assert not bench.log.of("model_failed")
        bench.journal.check()


@pytest.mark.parametrize("misbehaviour", BAD)
async def test_a_bad_answer_ends_in_a_proper_one(endpoint: ScriptedEndpoint, misbehaviour: M) -> None:
    endpoint.misbehaviour = misbehaviour
    async with Bench(endpoint) as bench:
        for task in tasks_of(misbehaviour):
            answer, instead = await bench.do(task, language_of(task)), await extractive(task, language_of(task))
            assert type(answer) is type(instead)
            if misbehaviour in USELESS:
                assert answer == instead
        failed = [event["task"] for event in bench.log.of("model_failed")]
        assert failed == tasks_of(misbehaviour) if misbehaviour in USELESS else set(failed) <= set(Task)
        assert max(entry.attempt for entry in bench.journal.entries.values()) <= 3
        bench.journal.check()


@pytest.mark.parametrize("misbehaviour", AWAY)
async def test_work_waits_for_an_endpoint_that_is_away(endpoint: ScriptedEndpoint, misbehaviour: M) -> None:
    await _each_task(endpoint, misbehaviour, _waits)


@pytest.mark.parametrize("misbehaviour", AWAY)
async def test_work_that_has_waited_enough_is_done_without(endpoint: ScriptedEndpoint, misbehaviour: M) -> None:
    await _each_task(endpoint, misbehaviour, _is_done_without)


@pytest.mark.parametrize("misbehaviour", AWAY)
async def test_talk_waits_for_no_endpoint(endpoint: ScriptedEndpoint, misbehaviour: M) -> None:
    await _each_task(endpoint, misbehaviour, _talk_goes_on)


async def _each_task(endpoint: ScriptedEndpoint, misbehaviour: M, check: Any) -> None:
    """Every task with an engine of its own, all at once, so that no breaker keeps one from being tried."""
    await _warm_up(endpoint)
    endpoint.misbehaviour = misbehaviour
    started = time.monotonic()
    async with anyio.create_task_group() as group:
        for task in tasks_of(misbehaviour):
            group.start_soon(_one_task, endpoint, task, misbehaviour, check)
    assert time.monotonic() - started < AMPLE_S


async def _warm_up(endpoint: ScriptedEndpoint) -> None:
    """The client's library is imported by the first call, which would take half of its deadline here."""
    async with Bench(endpoint) as bench:
        await bench.do(Task.JUDGE)
    endpoint.requests.clear()


async def _one_task(endpoint: ScriptedEndpoint, task: Task, misbehaviour: M, check: Any) -> None:
    deadline_s = DEADLINE_S if misbehaviour in SILENT else AMPLE_S
    async with Bench(endpoint, deadline_s=deadline_s, interactive_deadline_s=deadline_s, retries=1) as bench:
        await check(bench, task, misbehaviour)
        bench.journal.check()


async def _waits(bench: Bench, task: Task, misbehaviour: M) -> None:
    with pytest.raises(SoulmemError) as raised:
        await bench.do(task, language_of(task))
    error = raised.value
    assert error.name is ErrorName.MODEL_UNAVAILABLE
    told = f"{error.message} {error.hint}"
    assert "\n" not in told
    assert KEY not in told
    assert bench.endpoint.url in error.message
    assert MENDS.get(misbehaviour, "") in told
    assert error.retry_after_ms is not None
    assert 1_000 <= error.retry_after_ms <= 3_600_000
    assert not bench.log.of("model_failed")


async def _is_done_without(bench: Bench, task: Task, misbehaviour: M) -> None:
    bench.clock.advance(600_000)
    answer = await bench.do(task, language_of(task), wanted_at_ms=NOON)
    assert answer == await extractive(task, language_of(task))
    (failed,) = bench.log.of("model_failed")
    assert failed["error"] == "model_unavailable"


async def _talk_goes_on(bench: Bench, task: Task, misbehaviour: M) -> None:
    answer = await bench.do(task, language_of(task), lane=Lane.INTERACTIVE)
    assert answer == await extractive(task, language_of(task))
    assert len(bench.log.of("model_failed")) == 1
    assert set(bench.journal.outcomes) <= {CallOutcome.FAILED, CallOutcome.TIMEOUT}
    assert bench.journal.outcomes


@pytest.mark.parametrize("misbehaviour", AWAY)
async def test_it_is_well_again_as_soon_as_the_endpoint_is(endpoint: ScriptedEndpoint, misbehaviour: M) -> None:
    async with Bench(endpoint, deadline_s=DEADLINE_S if misbehaviour in SILENT else AMPLE_S, retries=0) as bench:
        await bench.do(Task.JUDGE)
        endpoint.misbehaviour = misbehaviour
        with pytest.raises(SoulmemError):
            await bench.do(Task.INSIGHTS)
        pause_ms = bench.engine.standing()["pause_ms"]
        if misbehaviour is M.BUSY_FOR_LONG:
            assert pause_ms > 3_500_000
            return
        assert pause_ms == 0
        endpoint.misbehaviour = M.NONE
        assert await bench.do(Task.INSIGHTS) != await extractive(Task.INSIGHTS)
        bench.journal.check()


async def test_a_short_wait_is_kept_and_the_call_repeated(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        await bench.do(Task.JUDGE)
        endpoint.script.append(M.BUSY)
        assert await bench.do(Task.INSIGHTS) != await extractive(Task.INSIGHTS)
        assert bench.journal.outcomes[1:] == [CallOutcome.FAILED, CallOutcome.OK]
    refused, answered = endpoint.tasks[-2:]
    assert 0.99 <= answered.at - refused.at < 3


async def test_a_long_wait_leaves_the_endpoint_alone_until_then(endpoint: ScriptedEndpoint) -> None:
    async with Bench(endpoint) as bench:
        await bench.do(Task.JUDGE)
        endpoint.misbehaviour = M.BUSY_FOR_LONG
        for _ in range(2):
            with pytest.raises(SoulmemError) as raised:
                await bench.do(Task.INSIGHTS)
            assert raised.value.retry_after_ms is not None
            assert raised.value.retry_after_ms > 3_500_000
        assert len(endpoint.tasks) == 2
        assert {event["pause_ms"] for event in bench.log.of("breaker_opened")} == {3_600_000}


async def test_a_broken_endpoint_is_left_alone_after_three_failures(endpoint: ScriptedEndpoint) -> None:
    endpoint.misbehaviour = M.BROKEN
    async with Bench(endpoint, retries=0) as bench:
        for _ in range(6):
            with pytest.raises(SoulmemError):
                await bench.do(Task.INSIGHTS)
        assert len(endpoint.requests) == 3
        assert [event["pause_ms"] for event in bench.log.of("breaker_opened")] == [30_000, 30_000]
        assert await bench.do(Task.JUDGE, lane=Lane.INTERACTIVE) == await extractive(Task.JUDGE)
        assert len(endpoint.requests) == 3


async def test_an_answer_without_end_is_not_read_to_its_end(endpoint: ScriptedEndpoint) -> None:
    endpoint.misbehaviour = M.HUGE
    async with Bench(endpoint, answer_bytes=100_000) as bench:
        await bench.do(Task.JUDGE)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for turn in range(5):
            await bench.do(Task.JUDGE, key=f"job-{turn}")
        grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown_kb < 30_000  # the endpoint's own copies included
        assert "more than 100,000 bytes" in bench.journal.ends[1].error


async def test_a_url_without_v1_names_the_one_to_try(endpoint: ScriptedEndpoint) -> None:
    url = endpoint.url.removesuffix("/v1")
    async with Bench(endpoint, base_url=url + ("/" if url.startswith("unix:") else "")) as bench:
        with pytest.raises(SoulmemError) as raised:
            await bench.engine.probe()
        assert raised.value.hint == f"try {endpoint.url} as `engine.base_url`"


async def test_a_wrong_key_is_told_from_a_missing_one(endpoint: ScriptedEndpoint) -> None:
    endpoint.key = "another"
    for key, told in ((KEY, "refused the key"), (None, "wants a key")):
        async with Bench(endpoint, api_key=key) as bench:
            with pytest.raises(SoulmemError, match=told):
                await bench.engine.probe()
    endpoint.key = KEY
    async with Bench(endpoint) as bench:
        await bench.engine.probe()


async def test_libraries_write_neither_keys_nor_prompts(
    endpoint: ScriptedEndpoint, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    caplog.set_level(logging.DEBUG)
    async with Bench(endpoint, deadline_s=DEADLINE_S, retries=0) as bench:
        for misbehaviour in (M.NONE, M.WRONG_KEY, M.RESET, M.NO_JSON, M.HANG):
            endpoint.misbehaviour = misbehaviour
            await bench.do(Task.SPLIT, key=misbehaviour.value, wanted_at_ms=0)
    assert KEY not in caplog.text
    assert "hazelnuts" not in caplog.text
