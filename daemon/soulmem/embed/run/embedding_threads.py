"""The threads in which embedding happens, so that the event loop never computes.

Built by the daemon around one embedder; the idle half and the listening half call it. Two lanes: background work
runs in batches of at most 8, at the lowest priority if it computes outside of the interpreter; one query at a time runs
at normal priority and never queues behind it. Invariant: a cancelled caller costs at most the batch that is running,
and after `close` nothing runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Self, TypeVar

import anyio
import anyio.to_thread
import numpy as np

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import BLIND_BELOW, Embedder, FloatMatrix, FloatVector
from soulmem.text_similarity import likenesses

T = TypeVar("T")

_BATCH_TEXTS = 8
_BEGUN = 4  # queries that are embedded before somebody asks for them; a fifth takes the place of the first
_REMEMBERED = 256
_KEPT, _LONGEST_KEPT = 512, 2_000  # texts whose vectors are at hand for the next one that says the same
_LOWEST_PRIORITY = 19
_CLOSE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Identity:
    """What vectors are stored under."""

    name: str
    fingerprint: str
    dimension: int


class EmbedWorker:
    """Runs one embedder in threads. Use as `async with EmbedWorker(embedder) as worker`."""

    def __init__(self, embedder: Embedder, *, background_threads: int = 1, query_threads: int = 1) -> None:
        """More background threads use more cores for a backlog; more query threads serve slow endpoints."""
        self.embedder = embedder
        self._background_threads = background_threads
        self._background = ThreadPoolExecutor(
            background_threads, "soulmem-embed", initializer=_yield_to_others, initargs=(embedder,)
        )
        self._queries = ThreadPoolExecutor(query_threads, "soulmem-query")
        self._remembered: OrderedDict[str, FloatMatrix] = OrderedDict()
        self._begun: OrderedDict[str, asyncio.Future[FloatMatrix]] = OrderedDict()  # that nobody has asked for yet
        self._lately: OrderedDict[str, FloatVector] = OrderedDict()
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def identify(self) -> Identity:
        """Name, fingerprint and dimension; may ask an endpoint, hence not a property.

        Raises SoulmemError: `model_unavailable`, when an endpoint does not answer; `stopping`, when closed.
        """
        embedder = self.embedder
        return await self._run(self._queries, lambda: Identity(embedder.name, embedder.fingerprint, embedder.dimension))

    def begin(self, text: str) -> None:
        """Have the vector of a query computed, for who is about to ask for it (`embed_now`) and has more to do."""
        if self._closed or text in self._remembered or text in self._begun:
            return
        self._begun[text] = self._start(text)
        self._begun[text].add_done_callback(_notice)
        while len(self._begun) > _BEGUN:
            self._begun.popitem(last=False)[1].cancel()

    async def embed_now(self, text: str, meanwhile: Callable[[], None] | None = None) -> FloatMatrix:
        """The unit vector (dimension,) of a query, read-only; the last 256 are remembered.

        Args: meanwhile: work of the caller's that needs no vector: done beside the computation, if there is one.
        Raises: SoulmemError: `model_unavailable`, when an endpoint does not answer; `stopping`, when closed.
        """
        if (known := self._remembered.get(text)) is not None:
            self._remembered.move_to_end(text)
            return known
        if (under_way := self._begun.pop(text, None)) is None:
            self._refuse_closed()
            under_way = self._start(text)
        matrix = await self._end(under_way, meanwhile)
        vector: FloatMatrix = matrix[0].copy()
        vector.setflags(write=False)
        self._remembered[text] = vector
        while len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return vector

    def forget(self) -> None:
        """Remember no query and no text: one of them may say what was deleted."""
        self._remembered.clear()
        self._lately.clear()
        while self._begun:
            self._begun.popitem()[1].cancel()

    async def embed_background(self, texts: Sequence[str]) -> FloatMatrix:
        """The (n, dimension) matrix of texts, computed when nobody else needs the processor.

        A text that stands there twice, or that was embedded shortly before, is computed once.

        Raises SoulmemError: `model_unavailable`, when an endpoint does not answer; `stopping`, when closed.
        """
        if not texts:
            return await self._run(self._background, partial(self.embedder.embed, []))
        self._refuse_closed()
        known = {text: self._lately[text] for text in texts if text in self._lately}
        new = sorted(set(texts) - known.keys(), key=len)  # alike lengths: little padding
        batches = iter([new[start : start + _BATCH_TEXTS] for start in range(0, len(new), _BATCH_TEXTS)])
        done: list[tuple[list[str], FloatMatrix]] = []
        helpers = min(self._background_threads, -(-len(new) // _BATCH_TEXTS))
        if helpers == 1:
            await self._work_off(batches, done)
        elif helpers:
            await self._share_out(helpers, batches, done)
        for batch, vectors in done:
            known |= zip(batch, vectors, strict=True)
        self._keep(new, known)
        return np.stack([known[text] for text in texts])

    def _keep(self, texts: Sequence[str], known: Mapping[str, FloatVector]) -> None:
        for text in texts:
            if len(text) <= _LONGEST_KEPT:
                self._lately[text] = known[text].copy()  # a row would hold its whole batch
        while len(self._lately) > _KEPT:
            self._lately.popitem(last=False)

    async def readable(self, texts: Sequence[str]) -> list[bool]:
        """Whether the embedder reads enough of each text to embed it, found out when nobody else needs the processor.

        Raises SoulmemError: `stopping`, when closed.
        """
        covers = self.embedder.coverage
        return await self._run(self._background, lambda: [covers(text) >= BLIND_BELOW for text in texts])

    async def likenesses(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
        """How like the texts of each pair are (`soulmem.text_similarity`), computed when nobody else needs the
        processor.

        Raises SoulmemError: `model_unavailable`, when an endpoint does not answer; `stopping`, when closed.
        """
        return await self._run(self._background, partial(likenesses, self.embedder, pairs))

    async def close(self) -> None:
        """Refuse new work, drop what waits, wait briefly for what runs. Safe to call twice."""
        self._closed = True
        with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
            await anyio.to_thread.run_sync(self._shut, abandon_on_cancel=True)

    def _shut(self) -> None:
        lanes = (self._background, self._queries)
        for lane in lanes:
            lane.shutdown(wait=False, cancel_futures=True)
        close = getattr(self.embedder, "close", None)
        if close is not None:  # an endpoint's request in flight ends here, not at its deadline
            close()
        for lane in lanes:
            lane.shutdown(wait=True)

    async def _share_out(
        self,
        helpers: int,
        batches: Iterator[list[str]],
        done: list[tuple[list[str], FloatMatrix]],
    ) -> None:
        try:
            async with anyio.create_task_group() as group:
                for _ in range(helpers):
                    group.start_soon(self._work_off, batches, done)
        except* SoulmemError as errors:
            failure: BaseException = errors
            while isinstance(failure, BaseExceptionGroup):
                failure = failure.exceptions[0]
            raise failure from None

    async def _work_off(self, batches: Iterator[list[str]], done: list[tuple[list[str], FloatMatrix]]) -> None:
        for batch in batches:
            done.append((batch, await self._run(self._background, partial(self.embedder.embed, batch))))

    def _start(self, text: str) -> asyncio.Future[FloatMatrix]:
        return asyncio.get_running_loop().run_in_executor(self._queries, partial(self.embedder.embed, [text]))

    async def _run(self, lane: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        self._refuse_closed()
        return await self._end(asyncio.get_running_loop().run_in_executor(lane, work))

    def _refuse_closed(self) -> None:
        if self._closed:
            raise _stopping()

    async def _end(self, under_way: asyncio.Future[T], meanwhile: Callable[[], None] | None = None) -> T:
        if meanwhile is not None:
            meanwhile()
        try:
            return await under_way
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._closed and task is not None and not task.cancelling():
                # `close` dropped the work; nobody cancelled the caller, so this must not look as if
                raise _stopping() from None
            raise


def _notice(begun: asyncio.Future[FloatMatrix]) -> None:
    """Take note of how it ended: nobody may ask, and a failure that nobody hears of is an alarm."""
    if not begun.cancelled():
        begun.exception()


def _stopping() -> SoulmemError:
    return SoulmemError(ErrorName.STOPPING, "embedding has stopped because the daemon is stopping")


def _yield_to_others(embedder: Embedder) -> None:
    """Give this thread the lowest priority, unless it is to hold the interpreter while it computes.

    Only Linux counts threads apart from their process.
    """
    if sys.platform == "linux" and not getattr(embedder, "holds_interpreter", False):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)
