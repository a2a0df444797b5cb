"""The embedding threads: queries pass the backlog, cancelled work stops, closing leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import anyio
import numpy as np
import pytest

from embedding_endpoint import running_endpoint
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.embed.adapters.openai_embedder import OpenAIEmbedder
from soulmem.embed.run.embedding_threads import EmbedWorker
from soulmem.errors import SoulmemError
from soulmem.ports import FloatMatrix
from tiny_model import write_model

TEXTS = [f"Anna 去了湖边 {number} " + "and stayed " * (number % 7) for number in range(60)]


class WatchedEmbedder(HashingEmbedder):
    """Hashing that takes a while, and notes who called it with how much."""

    holds_interpreter = False

    def __init__(self, takes_s: float = 0.0) -> None:
        self.takes_s = takes_s
        self.calls: list[tuple[str, int, int]] = []

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        niceness = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        self.calls.append((threading.current_thread().name, len(texts), niceness))
        time.sleep(self.takes_s)
        return super().embed(texts)


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(5):
        while not condition():  # noqa: ASYNC110  # what is waited for happens in threads
            await anyio.sleep(0.005)


@pytest.mark.parametrize("threads", [1, 2])
async def test_background_gives_the_same_as_at_once(threads: int) -> None:
    embedder = WatchedEmbedder()
    async with EmbedWorker(embedder, background_threads=threads) as worker:
        assert np.array_equal(await worker.embed_background(TEXTS), HashingEmbedder().embed(TEXTS))
        assert (await worker.embed_background([])).shape == (0, 256)
    assert max(size for _, size, _ in embedder.calls) <= 8


async def test_background_runs_at_the_lowest_priority_and_queries_do_not() -> None:
    embedder = WatchedEmbedder()
    before = os.getpriority(os.PRIO_PROCESS, 0)
    async with EmbedWorker(embedder) as worker:
        await worker.embed_background(TEXTS[:3])
        await worker.embed_now("安娜在哪里？")
    assert [niceness for _, _, niceness in embedder.calls] == [19, before]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


async def test_whoever_computes_in_the_interpreter_keeps_his_priority() -> None:
    """At the lowest one he would hold the interpreter's lock while others have the processors."""

    class Holding(WatchedEmbedder):
        holds_interpreter = True

    assert HashingEmbedder.holds_interpreter
    embedder = Holding()
    async with EmbedWorker(embedder) as worker:
        await worker.embed_background(TEXTS[:3])
    assert [niceness for _, _, niceness in embedder.calls] == [os.getpriority(os.PRIO_PROCESS, 0)]


async def test_a_query_passes_the_backlog() -> None:
    embedder = WatchedEmbedder(takes_s=0.05)
    async with EmbedWorker(embedder) as worker, anyio.create_task_group() as group:
        group.start_soon(worker.embed_background, TEXTS * 4)
        await until(lambda: bool(embedder.calls))
        begun = len(embedder.calls)
        await worker.embed_now("Where is Anna?")
        assert [size for _, size, _ in embedder.calls].index(1) <= begun + 1, "it went before thirty batches"
        group.cancel_scope.cancel()


async def test_cancelling_costs_at_most_the_running_batch() -> None:
    embedder = WatchedEmbedder(takes_s=0.03)
    async with EmbedWorker(embedder) as worker:
        with anyio.move_on_after(0.05) as scope:
            await worker.embed_background(TEXTS * 4)
        assert scope.cancelled_caught
        await anyio.sleep(0.1)
        made = len(embedder.calls)
        assert made <= 4
        await anyio.sleep(0.1)
        assert len(embedder.calls) == made
        assert (await worker.embed_background(TEXTS[:2])).shape == (2, 256)


async def test_recent_queries_are_remembered_and_old_ones_let_go() -> None:
    embedder = WatchedEmbedder()
    async with EmbedWorker(embedder) as worker:
        first = await worker.embed_now("question 0")
        with pytest.raises(ValueError, match="read-only"):
            first[0] = 1.0
        for number in range(1, 256):
            await worker.embed_now(f"question {number}")
        assert await worker.embed_now("question 0") is first
        assert len(embedder.calls) == 256
        await worker.embed_now("question 256")  # pushes out question 1, the longest unused
        await worker.embed_now("question 0")
        assert len(embedder.calls) == 257
        await worker.embed_now("question 1")
        assert len(embedder.calls) == 258


async def test_closing_fails_what_waits_and_refuses_what_comes() -> None:
    embedder = WatchedEmbedder(takes_s=0.1)
    worker = EmbedWorker(embedder)
    outcomes: list[str] = []

    async def ask(number: int) -> None:
        try:
            await worker.embed_now(f"question {number}")
            outcomes.append("answered")
        except SoulmemError as error:
            outcomes.append(error.name)

    async with anyio.create_task_group() as group:
        for number in range(4):
            group.start_soon(ask, number)
        await until(lambda: bool(embedder.calls))
        await worker.close()
    assert sorted(outcomes) == ["answered", "stopping", "stopping", "stopping"]
    with pytest.raises(SoulmemError, match="stopping"):
        await worker.embed_background(TEXTS)
    await worker.close()
    assert not [
        thread for thread in threading.enumerate() if thread.name.startswith(("soulmem-embed", "soulmem-query"))
    ]


@pytest.mark.parametrize("threads", [1, 2])
async def test_a_failing_endpoint_fails_the_caller_with_its_own_error(threads: int) -> None:
    with running_endpoint() as server:
        remote = OpenAIEmbedder(server.url, "tiny", deadline_s=10.0)
        async with EmbedWorker(remote, background_threads=threads) as worker:
            assert (await worker.identify()).dimension == 256
            server.behaviour = "503"
            with pytest.raises(SoulmemError, match="503"):
                await worker.embed_background(TEXTS)
            with pytest.raises(SoulmemError, match="503"):
                await worker.embed_now("Anna")
            server.behaviour = "proper"  # a failure is not remembered
            assert (await worker.embed_now("Anna")).shape == (256,)


async def test_closing_does_not_wait_for_a_hanging_endpoint() -> None:
    with running_endpoint() as server:
        remote = OpenAIEmbedder(server.url, "tiny", deadline_s=60.0)
        worker = EmbedWorker(remote)
        await worker.identify()
        server.behaviour = "hang"
        asked = len(server.requests)
        async with anyio.create_task_group() as group:

            async def ask() -> None:
                with pytest.raises(SoulmemError):
                    await worker.embed_now("Anna")

            group.start_soon(ask)
            await until(lambda: len(server.requests) > asked)
            started_at = time.monotonic()
            await worker.close()
            assert time.monotonic() - started_at < 3.0


async def test_pairs_of_texts_are_compared_in_the_background() -> None:
    embedder = WatchedEmbedder()
    async with EmbedWorker(embedder) as worker:
        same, other = await worker.likenesses([(TEXTS[0], TEXTS[0]), (TEXTS[0], TEXTS[1])])
        assert await worker.likenesses([]) == []
    assert same == pytest.approx(1.0, abs=1e-6)
    assert other == pytest.approx(float(np.prod(HashingEmbedder().embed(TEXTS[:2]), axis=0).sum()), abs=1e-6)
    assert all(name.startswith("soulmem-embed") for name, _, _ in embedder.calls)


async def test_identity_is_the_embedders(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(write_model(tmp_path / "tiny"))
    async with EmbedWorker(embedder) as worker:
        identity = await worker.identify()
    assert (identity.name, identity.dimension) == ("onnx:tiny", 32)
    assert identity.fingerprint == embedder.fingerprint


async def test_other_work_is_done_while_a_query_is_computed() -> None:
    embedder = WatchedEmbedder(takes_s=0.05)
    done: list[float] = []
    async with EmbedWorker(embedder) as worker:
        began = time.monotonic()
        first = await worker.embed_now(TEXTS[0], lambda: done.append(time.monotonic()))
        assert done[0] - began < 0.05 <= time.monotonic() - began
        assert np.array_equal(await worker.embed_now(TEXTS[0], lambda: done.append(0.0)), first)
    assert len(done) == 1, "what is remembered leaves nobody time for anything"


async def test_a_query_that_was_begun_is_computed_once_and_waited_for() -> None:
    embedder = WatchedEmbedder(takes_s=0.05)
    async with EmbedWorker(embedder) as worker:
        worker.begin(TEXTS[0])
        worker.begin(TEXTS[0])
        vector = await worker.embed_now(TEXTS[0])
        worker.begin(TEXTS[0])  # it is remembered
        assert np.array_equal(await worker.embed_now(TEXTS[0]), vector)
        assert len(embedder.calls) == 1
    assert np.array_equal(vector, WatchedEmbedder().embed([TEXTS[0]])[0])


async def test_what_was_begun_is_forgotten_with_the_rest() -> None:
    embedder = WatchedEmbedder(takes_s=0.02)
    async with EmbedWorker(embedder) as worker:
        worker.begin("安娜的密码是什么？")
        worker.forget()
        assert not worker._begun
        await worker.embed_now("Where is Anna?")
        for number in range(9):
            worker.begin(f"question {number}")
        assert len(worker._begun) == 4
        worker.begin("question 0")
        assert (await worker.embed_now("question 0")).shape == (256,)


async def test_a_query_that_was_begun_and_fails_fails_who_asks_and_nobody_else() -> None:
    heard: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: heard.append(what))
    nobody = OpenAIEmbedder("http://127.0.0.1:9", "none", deadline_s=1.0)  # nothing listens there
    async with EmbedWorker(nobody) as worker:
        worker.begin("Anna?")
        worker.begin("安娜？")
        with pytest.raises(SoulmemError):
            await worker.embed_now("Anna?")
        await anyio.sleep(0.05)
    gc.collect()
    assert heard == []
