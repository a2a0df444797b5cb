"""Sixteen clients ask at once, short questions and such as are mostly signs, while another one pings.

Each keeps the interpreter busy for a twentieth of a second; read side by side they would make the event loop wait for
all of them whenever it wants it back. `make torture` asks in five rounds, of one mind and of sixteen, and prints the
worst.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from anyio.abc import TaskGroup

from daemon_fixture import Daemon, daemon_process
from pinging import Pings, pinging, summary
from slowness import PATIENCE_S, within
from soulmem.reading_lanes import SHORT, in_turn
from soulmem.working.runtime.backpressure import turn

_CROWD = 16
_WORST_MS = 150
_ROUNDS = 5
_QUESTIONS = {
    "plain": "what did I paint on Monday? 周一我画了什么？ {}",
    "signs": "lamp " + "，" * 1990 + " {}",
}


@contextmanager
def _asked(root: Path) -> Iterator[tuple[Daemon, Pings]]:
    """A daemon with sixteen minds that were told something and asked before, and somebody who pings it."""
    with daemon_process(root) as daemon, pinging(daemon.socket, daemon.process.pid) as pings:
        for number in range(_CROWD):
            mind = {"mind": f"m{number}"}
            daemon.call("message.add", {**mind, "role": "user", "content": "hello 你好 I painted a boat on Monday."})
            daemon.call("idle.run", mind)
        for question in _QUESTIONS.values():
            daemon.call("recall", {"mind": "m0", "query": question.format("first"), "depth": "deep"})
        yield daemon, pings


def _ask_together(daemon: Daemon, question: str, depth: str, minds: int) -> tuple[float, float, int]:
    """When sixteen clients began to ask and all were answered, and how many threads the daemon had meanwhile."""
    answered: list[dict[str, object]] = []

    def ask(number: int) -> None:
        params = {"mind": f"m{number % minds}", "query": question.format(number), "depth": depth}
        answered.append(daemon.call("recall", params))

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(_CROWD)]
    began = time.monotonic()
    for each in asking:
        each.start()
    threads = 0
    while any(each.is_alive() for each in asking):
        told = Path(f"/proc/{daemon.process.pid}/status").read_text("utf-8")
        threads = max(threads, int(told.split("Threads:")[1].split()[0]))
        time.sleep(0.01)
    assert len(answered) == _CROWD
    return began, time.monotonic(), threads


@pytest.mark.thorough
def test_sixteen_hard_questions_at_once_keep_nobody_waiting(tmp_path: Path) -> None:
    stretches: list[tuple[float, float, int]] = []
    with _asked(tmp_path) as (daemon, pings):
        before = len(list(Path(f"/proc/{daemon.process.pid}/task").iterdir()))
        for number, question in enumerate(_QUESTIONS.values()):
            stretches.append(_ask_together(daemon, f"{question} {number}", "deep", minds=1))
    worst = [pings.worst(began, ended)[0] for began, ended, _ in stretches]
    assert max(worst) <= within(_WORST_MS)
    assert max(threads for _, _, threads in stretches) - before < _CROWD // 2, "they are not all read side by side"


@pytest.mark.torture
@pytest.mark.timeout(600)
def test_crowds_that_ask_again_and_again_keep_nobody_waiting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = [(kind, depth, minds) for kind in _QUESTIONS for depth in ("normal", "deep") for minds in (1, _CROWD)]
    stretches: list[tuple[tuple[str, str, int], float, float]] = []
    with _asked(tmp_path) as (daemon, pings):
        for each in range(_ROUNDS):
            for kind, depth, minds in kinds:
                began, ended, _ = _ask_together(daemon, f"{_QUESTIONS[kind]} {each}", depth, minds)
                stretches.append(((kind, depth, minds), began, ended))
    worst: dict[tuple[str, str, int], tuple[float, float]] = {}
    with capsys.disabled():
        print()
        for what in kinds:
            of_kind = [(began, ended) for other, began, ended in stretches if other == what]
            worst[what] = max(pings.worst(*each) for each in of_kind)
            took = sorted(ms for each in of_kind for ms in pings.during(*each))
            slowest = max(ended - began for began, ended in of_kind)
            print(f"{what}: answered in {slowest:.2f} s; {summary(took)}, queued {worst[what][1]:.1f}")
    assert not {what: late for what, late in worst.items() if late[0] > within(_WORST_MS)}


async def test_long_questions_are_read_one_by_one_and_hold_up_no_short_one() -> None:
    order: list[str] = []
    reading: list[str] = []
    most: list[int] = []
    held = threading.Event()

    def read(name: str) -> Callable[[], None]:
        def work() -> None:
            reading.append(name)
            most.append(len(reading))
            assert name != "long 0" or held.wait(PATIENCE_S)
            order.append(name)
            reading.remove(name)

        return work

    async def ask(group: TaskGroup, kind: str, text: str) -> None:
        for number in range(8):
            group.start_soon(in_turn, text, read(f"{kind} {number}"))
            await anyio.lowlevel.checkpoint()

    with anyio.fail_after(PATIENCE_S):
        async with anyio.create_task_group() as group:
            await ask(group, "long", "，" * (SHORT + 1))
            while "long 0" not in reading:  # noqa: ASYNC110  # it happens in a thread
                await anyio.sleep(0.001)
            async with anyio.create_task_group() as others:
                await ask(others, "short", "why?")
            held.set()  # the short ones did not wait for the long one
    assert order == [f"{kind} {number}" for kind in ("short", "long") for number in range(8)]
    assert max(most) == 2


async def test_parts_of_recalls_that_are_ready_together_leave_turns_to_others() -> None:
    done, seen = 0, list[int]()

    async def part() -> None:
        nonlocal done
        await turn()
        time.sleep(0.006)  # noqa: ASYNC251 it holds the loop: that is the point
        done += 1

    async with anyio.create_task_group() as group:
        for _ in range(_CROWD):
            group.start_soon(part)
        while done < _CROWD:
            seen.append(done)
            await anyio.lowlevel.checkpoint()
    seen.append(done)
    assert max(later - before for before, later in pairwise(seen)) <= 2
