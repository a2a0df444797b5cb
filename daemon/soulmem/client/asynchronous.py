"""The asynchronous client: one connection shared by all tasks of a loop.

Owns a transport and the calls waiting on it. Invariants: a reply is matched by its id (B1); a broken connection
fails every waiting call at once and is made anew only by `connect` or a call that said `retry` (B2); at most 32
calls are under way, the others wait their turn in order (B3).
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Literal, cast

from soulmem.client.calls import Result
from soulmem.client.chat_messages import chat_messages
from soulmem.client.faults import CallTimeout, DaemonUnavailable, SoulmemRemoteError
from soulmem.client.socket_paths import socket_path
from soulmem.client.typed_calls import AwaitedCalls
from soulmem.client.wire import IN_FLIGHT, ReplyReader, encode_call, outcome, watch_params


class _Link(asyncio.Protocol):
    """One connection: futures of the calls under way, and a queue of what arrives unasked."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.calls: dict[int, asyncio.Future[Result]] = {}
        self.events: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self.failure: Exception | None = None
        self.transport: asyncio.Transport | None = None
        self._reader = ReplyReader()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        try:
            while (message := self._reader.next()) is not None:
                self._take(message)
        except ValueError as error:
            self.fail(DaemonUnavailable(self.path, str(error)))

    def connection_lost(self, exc: Exception | None) -> None:
        reason = str(exc) if exc is not None else "it closed the connection"
        self.fail(DaemonUnavailable(self.path, reason))

    def fail(self, error: Exception) -> None:
        """End the connection; the first reason given is the one callers hear."""
        if self.failure is None:
            self.failure = error
        waiting, self.calls = self.calls, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(self.failure)
        self.events.put_nowait(None)
        if self.transport is not None:
            self.transport.close()

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message:
            self.events.put_nowait(message)
            return
        future = self.calls.pop(message.get("id") or 0, None)
        said = outcome(message)
        if future is not None and not future.done():
            if isinstance(said, SoulmemRemoteError):
                future.set_exception(said)
            else:
                future.set_result(said)
        elif isinstance(said, SoulmemRemoteError) and message.get("id") is None:
            self.fail(said)  # it speaks of the whole connection


class AsyncClient(AwaitedCalls):
    """Talks to the daemon from any number of tasks of one event loop; `path` and `timeout` as of `Client`.

    >>> async with AsyncClient() as memory:  # doctest: +SKIP
    ...     await memory.add_message("mira", "I moved to Lisbon.", id="chat-18")
    ...     async for event in memory.watch("note_created"):
    ...         print(event)
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, timeout: float = 30.0) -> None:
        self._given_path = path
        self.path = os.fspath(path) if path else ""
        self.timeout = timeout
        self._link: _Link | None = None
        self._connecting = asyncio.Lock()
        self._slots = asyncio.Semaphore(IN_FLIGHT)
        self._numbers = itertools.count(1)

    @property
    def is_connected(self) -> bool:
        """Whether it has a connection, and that has not broken."""
        return self._link is not None and self._link.failure is None

    async def connect(self) -> AsyncClient:
        """Connect, or connect anew. Calls do so by themselves the first time.

        Raises DaemonUnavailable: nothing answers, or we may not connect.
        """
        await self.aclose()
        self._link = await self._open()
        return self

    async def aclose(self) -> None:
        """Close the connection; calls under way fail, the next call opens a new one."""
        link, self._link = self._link, None
        if link is not None:
            link.fail(DaemonUnavailable(self.path, "this client was closed"))

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def call(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None, retry: bool = False
    ) -> Result:
        seconds = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(seconds), self._slots:
                link = await self._open_link()
                try:
                    return await self._exchange(link, method, params)
                except DaemonUnavailable:
                    if not retry:
                        raise
                return await self._exchange(await self._open_link(instead_of=link), method, params)
        except DaemonUnavailable:
            raise
        except TimeoutError as error:
            raise CallTimeout(method, seconds) from error

    async def call_many(
        self,
        calls: Iterable[tuple[str, Mapping[str, Any] | None]],
        *,
        errors: Literal["raise", "return"] = "raise",
        timeout: float | None = None,
    ) -> list[Result | SoulmemRemoteError]:
        """Make many calls, up to 32 under way at once; results in the order of the calls.

        With `errors="return"` a failed call's place holds its exception; otherwise the first failure is raised
        after all replies are in. `timeout` is for one call's wait, not for all of them.
        """
        results: list[Result | SoulmemRemoteError] = []

        async def one(place: int, method: str, params: Mapping[str, Any] | None) -> None:
            try:
                results[place] = await self.call(method, params, timeout=timeout)
            except SoulmemRemoteError as error:
                results[place] = error
            finally:
                window.release()

        window = asyncio.Semaphore(IN_FLIGHT)
        try:
            async with asyncio.TaskGroup() as group:
                for place, (method, params) in enumerate(calls):
                    await window.acquire()
                    results.append({})
                    group.create_task(one(place, method, params))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None  # the connection's end is one story, told once
        if errors == "raise":
            for result in results:
                if isinstance(result, SoulmemRemoteError):
                    raise result
        return results

    async def add(
        self,
        mind: str,
        messages: object,
        *,
        conversation: str | None = None,
        speaker: str | None = None,
        character: str | None = None,
        recall: bool | None = None,
        timeout: float | None = None,
    ) -> list[Result]:
        """Hand over messages as chat APIs have them, in their order, as `Client.add` does."""
        calls = chat_messages(
            mind, messages, conversation=conversation, speaker=speaker, character=character, recall=recall
        )
        answers = await self.call_many((("message.add", each) for each in calls), timeout=timeout)
        return [each for each in answers if isinstance(each, dict)]

    async def items(
        self, method: str, params: Mapping[str, Any], *, timeout: float | None = None
    ) -> AsyncIterator[Result]:
        """Each item of a list, as `Client.items`."""
        asked = {"limit": 500, **params}
        while True:
            page = await self.call(method, asked, timeout=timeout, retry=True)
            for item in page["items"]:
                yield item
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Call without waiting for, or ever getting, an answer."""
        link = await self._open_link()
        assert link.transport is not None
        link.transport.write(encode_call(None, method, params))

    async def watch(self, events: Iterable[str] | str | None = None, mind: str | None = None) -> AsyncIterator[Result]:
        """Yield the daemon's events as they happen, over a connection of their own, until you stop.

        Ends after an event named `lagged`: events came faster than they were read, some are lost.

        Raises DaemonUnavailable: the daemon has gone.
        """
        link = await self._open()
        try:
            await asyncio.wait_for(self._exchange(link, "events.watch", watch_params(events, mind)), self.timeout)
            while (message := await link.events.get()) is not None:
                event = message.get("params")
                yield event if isinstance(event, dict) else {}
                if message["method"] == "lagged" or (isinstance(event, dict) and event.get("event") == "lagged"):
                    return
            raise link.failure or DaemonUnavailable(self.path, "it closed the connection")
        finally:
            link.fail(DaemonUnavailable(self.path, "no longer watched"))

    async def _open(self) -> _Link:
        self.path = path = socket_path(self._given_path)
        try:
            async with asyncio.timeout(self.timeout):
                _, link = await asyncio.get_running_loop().create_unix_connection(lambda: _Link(path), path)
        except (FileNotFoundError, ConnectionRefusedError) as error:
            raise DaemonUnavailable(path, "none is running") from error
        except OSError as error:
            raise DaemonUnavailable(path, error.strerror or "it does not accept connections") from error
        return link

    async def _open_link(self, *, instead_of: _Link | None = None) -> _Link:
        """The connection; made on first use, or when `instead_of` is the broken one."""
        async with self._connecting:
            if self._link is None or self._link is instead_of:
                self._link = await self._open()
            return self._link

    async def _exchange(self, link: _Link, method: str, params: Mapping[str, Any] | None) -> Result:
        if link.failure is not None:
            raise DaemonUnavailable(self.path, "the connection broke; connect() makes a new one") from link.failure
        assert link.transport is not None
        number = next(self._numbers)
        line = encode_call(number, method, params)
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        link.calls[number] = future
        link.transport.write(line)
        try:
            return await future
        finally:
            link.calls.pop(number, None)
