"""The lanes: never more calls than slots, those somebody waits for first, nobody lost, nothing leaked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import anyio
import pytest
from anyio.lowlevel import checkpoint
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.llm.endpoint.priority_limiter import PriorityLimiter
from soulmem.ports import Lane

PATIENCE = 3


@dataclass(frozen=True)
class Caller:
    """Who comes when, how long the call takes, and when the caller gives up; all in turns of the event loop."""

    lane: Lane
    comes: int
    takes: int
    gives_up: int | None


@dataclass
class Log:
    """What happened. `begun` and `ended` hold callers by number, in order."""

    begun: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    running: int = 0
    most: int = 0


async def turns(count: int) -> None:
    for _ in range(count):
        await checkpoint()


async def call(lanes: PriorityLimiter, number: int, caller: Caller, log: Log) -> None:
    async def work() -> int:
        log.begun.append(number)
        log.running += 1
        log.most = max(log.most, log.running)
        try:
            await turns(caller.takes)
        finally:
            log.running -= 1
        return number

    await turns(caller.comes)
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:
            if caller.gives_up is not None:
                group.start_soon(_give_up, scope, caller.gives_up)
            assert await lanes.run(caller.lane, work) == number
            log.ended.append(number)
            group.cancel_scope.cancel()


async def _give_up(scope: anyio.CancelScope, after: int) -> None:
    await turns(after)
    scope.cancel()


async def play(limit: int, callers: list[Caller]) -> Log:
    lanes, log = PriorityLimiter(limit, patience=PATIENCE), Log()
    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            for number, caller in enumerate(callers):
                group.start_soon(call, lanes, number, caller, log)
    assert lanes.running == 0
    assert all(lanes.waiting(lane) == 0 for lane in Lane)
    return log


callers = st.builds(
    Caller,
    lane=st.sampled_from(list(Lane)),
    comes=st.integers(0, 30),
    takes=st.integers(0, 20),
    gives_up=st.none() | st.integers(0, 40),
)


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 3), st.lists(callers, max_size=14))
def test_whoever_comes_and_goes(limit: int, callers: list[Caller]) -> None:
    log = anyio.run(play, limit, callers)
    assert log.most <= limit
    assert log.running == 0
    for number, caller in enumerate(callers):
        if caller.gives_up is None:
            assert log.ended.count(number) == 1
        assert log.ended.count(number) <= 1
        most = 1 + PATIENCE if caller.lane is Lane.IDLE else 1
        assert log.begun.count(number) <= most
    for lane in Lane:
        patient = [n for n, caller in enumerate(callers) if caller.lane is lane and caller.gives_up is None]
        first = [
            log.begun.index(number) for number in sorted(patient, key=lambda number: (callers[number].comes, number))
        ]
        if limit == 1 and lane is Lane.INTERACTIVE:
            assert first == sorted(first)


async def test_somebody_who_waits_breaks_off_what_nobody_waits_for() -> None:
    lanes, happened = PriorityLimiter(), list[str]()
    release = anyio.Event()

    async def digest() -> None:
        happened.append("digest begins")
        try:
            await release.wait()
        except BaseException:
            happened.append("digest broken off")
            raise
        happened.append("digest done")

    async def talk() -> None:
        happened.append("talk")

    async with anyio.create_task_group() as group:
        group.start_soon(lanes.run, Lane.IDLE, digest)
        await anyio.wait_all_tasks_blocked()
        for _ in range(PATIENCE):
            await lanes.run(Lane.INTERACTIVE, talk)
            await anyio.wait_all_tasks_blocked()
        assert happened == ["digest begins", "digest broken off", "talk"] * PATIENCE + ["digest begins"]
        with pytest.raises(TimeoutError):  # broken off three times: now it runs to its end
            await lanes.run(Lane.INTERACTIVE, talk, wait_s=0.02)
        assert lanes.waiting(Lane.INTERACTIVE) == 0
        release.set()
    assert happened[-1] == "digest done"


async def test_the_youngest_loses_its_slot_and_only_as_many_as_are_needed() -> None:
    lanes, broken = PriorityLimiter(3), list[int]()
    release = anyio.Event()

    async def digest(number: int) -> None:
        try:
            await release.wait()
        except BaseException:
            broken.append(number)
            raise

    async with anyio.create_task_group() as group:
        for number in range(3):
            group.start_soon(lanes.run, Lane.IDLE, lambda number=number: digest(number))
            await anyio.wait_all_tasks_blocked()
        group.start_soon(lanes.run, Lane.INTERACTIVE, release.wait)
        await anyio.wait_all_tasks_blocked()
        assert broken == [2]
        release.set()


async def test_nobody_who_waits_breaks_off_another_who_waits() -> None:
    lanes, order = PriorityLimiter(), list[int]()

    async def talk(number: int) -> None:
        await turns(3)
        order.append(number)

    async with anyio.create_task_group() as group:
        for number in range(5):
            group.start_soon(lanes.run, Lane.INTERACTIVE, lambda number=number: talk(number))
    assert order == [0, 1, 2, 3, 4]


async def test_a_result_that_is_there_is_not_thrown_away() -> None:
    """Asked to give up its slot in the very moment it is done, a call keeps what it was paid for."""
    lanes, begun = PriorityLimiter(), list[int]()
    received = anyio.Event()

    async def digest() -> str:
        begun.append(1)
        with anyio.CancelScope(shield=True):
            await received.wait()
        return "answer"

    async def talk() -> None:
        pass

    answers: list[str] = []

    async def keep() -> None:
        answers.append(await lanes.run(Lane.IDLE, digest))

    async with anyio.create_task_group() as group:
        group.start_soon(keep)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(lanes.run, Lane.INTERACTIVE, talk)
        await anyio.wait_all_tasks_blocked()
        received.set()
    assert (answers, begun) == (["answer"], [1])


@pytest.mark.parametrize("first", ["cancelled", "broken off"])
async def test_a_task_cancelled_while_it_is_broken_off_leaves_nothing(first: str) -> None:
    """Cancelled as asyncio does it, in the same turn in which somebody wants its slot."""
    lanes = PriorityLimiter()

    async def nothing() -> None:
        pass

    for _ in range(3):
        digest = asyncio.create_task(lanes.run(Lane.IDLE, anyio.sleep_forever))
        await anyio.wait_all_tasks_blocked()
        talk = asyncio.create_task(lanes.run(Lane.INTERACTIVE, nothing))
        if first == "broken off":
            await asyncio.sleep(0)
        digest.cancel()
        with pytest.raises(asyncio.CancelledError):
            await digest
        await talk
        assert (lanes.running, lanes.waiting(Lane.IDLE), lanes.waiting(Lane.INTERACTIVE)) == (0, 0, 0)


async def test_an_error_of_the_work_frees_its_slot() -> None:
    lanes = PriorityLimiter()

    async def fail() -> None:
        message = "no"
        raise ValueError(message)

    for _ in range(3):
        with pytest.raises(ValueError, match="no"):
            await lanes.run(Lane.IDLE, fail)
    assert lanes.running == 0
