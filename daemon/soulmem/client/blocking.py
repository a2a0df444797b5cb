"""The blocking client: one socket, one thread, calls in order or pipelined.

Owns a connection made on first use. Invariants: a reply is matched by its id, so one that comes after its
deadline is dropped, never taken for another (B1); a broken connection is reported, and made anew only by
`connect` or a call that said `retry` (B2).
"""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from soulmem.client.calls import Result
from soulmem.client.chat_messages import chat_messages
from soulmem.client.faults import CallTimeout, DaemonUnavailable, SoulmemRemoteError
from soulmem.client.socket_paths import socket_path
from soulmem.client.typed_calls import BlockingCalls
from soulmem.client.wire import IN_FLIGHT, ReplyReader, encode_call, outcome, watch_params

_CHUNK_BYTES = 262_144
_PIPELINE_BYTES = 98_304  # fits the socket's buffer: sending must never wait for replies we do not read yet

_Place = tuple[int, int]  # index of a call's result, bytes of its request


class Client(BlockingCalls):
    """Talks to the daemon from one thread; use a client a thread.

    `path`: the socket, found as by `socket_path` when None; `timeout`: seconds a call may take unless it says more.

    >>> with Client() as memory:  # doctest: +SKIP
    ...     memory.status()["state"]
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, timeout: float = 30.0) -> None:
        self._given_path = path
        self.path = os.fspath(path) if path else ""
        self.timeout = timeout
        self._sock: socket.socket | None = None
        self._broken = False
        self._reader = ReplyReader()
        self._numbers = itertools.count(1)

    def connect(self) -> Client:
        """Connect, or connect anew. Calls do so by themselves the first time.

        The daemon closes a connection that stays silent for ten seconds before its first call.

        Raises DaemonUnavailable: nothing answers, or we may not connect.
        """
        self.close()
        self.path = socket_path(self._given_path)
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.settimeout(self.timeout)
            sock.connect(self.path)
        except OSError as error:
            sock.close()
            raise DaemonUnavailable(self.path, _reason(error)) from error
        self._sock = sock
        return self

    def close(self) -> None:
        """Close the connection; the next call opens a new one."""
        if self._sock is not None:
            self._sock.close()
        self._sock = None
        self._broken = False
        self._reader = ReplyReader()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(
        self, method: str, params: Mapping[str, Any] | None = None, *, timeout: float | None = None, retry: bool = False
    ) -> Result:
        seconds = self.timeout if timeout is None else timeout
        deadline = _now() + seconds
        try:
            try:
                result = self._exchange(method, params, deadline)
            except DaemonUnavailable:
                if not retry or self._sock is None:  # never connected: nothing to repeat
                    raise
                self.connect()
                result = self._exchange(method, params, deadline)
        except DaemonUnavailable:
            raise
        except TimeoutError as error:
            raise CallTimeout(method, seconds) from error
        if isinstance(result, SoulmemRemoteError):
            raise result
        return result

    def call_many(
        self,
        calls: Iterable[tuple[str, Mapping[str, Any] | None]],
        *,
        errors: Literal["raise", "return"] = "raise",
        timeout: float | None = None,
    ) -> list[Result | SoulmemRemoteError]:
        """Make many calls over one connection, up to 32 under way at once; results in the order of the calls.

        The daemon starts them in that order too. With `errors="return"` a failed call's place holds its exception;
        otherwise the first failure is raised after all replies are in. `timeout` is for one call's wait.
        >>> with Client() as memory:  # doctest: +SKIP
        ...     memory.call_many(("message.add", {"mind": "mira", "role": "user", "content": t}) for t in lines)
        """
        seconds = self.timeout if timeout is None else timeout
        results: list[Result | SoulmemRemoteError] = []
        under_way: dict[int, _Place] = {}
        upcoming = self._number_calls(calls)
        waiting = next(upcoming, None)
        while waiting is not None or under_way:
            lines: list[bytes] = []
            while waiting is not None and _has_room(under_way, waiting[1]):
                number, line = waiting
                under_way[number] = (len(results), len(line))
                results.append({})
                lines.append(line)
                waiting = next(upcoming, None)
            try:
                deadline = _now() + seconds
                if lines:
                    self._send(b"".join(lines), deadline)
                self._collect(under_way, results, deadline)
            except DaemonUnavailable:
                raise
            except TimeoutError as error:
                raise CallTimeout("call_many", seconds) from error
        if errors == "raise":
            for result in results:
                if isinstance(result, SoulmemRemoteError):
                    raise result
        return results

    def add(
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
        """Hand over messages as chat APIs have them, in their order; what `message.add` answered to each.

        Each is `{"role", "content"}`, the content a text or parts; tools and pictures are left out. `speaker` names the
        user and `character` the assistant, unless a message has a `name`. `recall=True`: the answer to the user's last
        carries `context`. Hand over what is new; a message with an `id` may come again.
        >>> Client().add("mira", [{"role": "user", "content": "I keep bees."}])  # doctest: +SKIP
        """
        calls = chat_messages(
            mind, messages, conversation=conversation, speaker=speaker, character=character, recall=recall
        )
        answers = self.call_many((("message.add", each) for each in calls), timeout=timeout)
        return [each for each in answers if isinstance(each, dict)]

    def items(self, method: str, params: Mapping[str, Any], *, timeout: float | None = None) -> Iterator[Result]:
        """Each item of a list (`note.list`, `message.list`), of which no more than a page, of `limit`, is held.

        >>> with Client() as memory:  # doctest: +SKIP
        ...     texts = [note["rendered"] for note in memory.items("note.list", {"mind": "mira"})]
        """
        asked = {"limit": 500, **params}
        while True:
            page = self.call(method, asked, timeout=timeout, retry=True)
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            asked["cursor"] = page["next_cursor"]

    def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Call without waiting for, or ever getting, an answer."""
        self._send(encode_call(None, method, params), _now() + self.timeout)

    def watch(self, events: Iterable[str] | str | None = None, mind: str | None = None) -> Iterator[Result]:
        """Yield the daemon's events as they happen, over a connection of their own, until you stop or the daemon goes.

        Ends after an event named `lagged`: events came faster than they were read, some are lost.
        >>> for event in Client().watch("note_created"):  # doctest: +SKIP
        ...     print(event["seq"], event["event"])
        """
        with Client(self._given_path, timeout=self.timeout) as client:
            deadline = _now() + self.timeout
            number = next(client._numbers)
            client._send(encode_call(number, "events.watch", watch_params(events, mind)), deadline)
            subscribed = False
            while True:
                message = client._receive(None if subscribed else deadline)
                if "method" in message:
                    event = message.get("params")
                    yield event if isinstance(event, dict) else {}
                    if message["method"] == "lagged" or (isinstance(event, dict) and event.get("event") == "lagged"):
                        return
                    continue
                said = outcome(message)
                if isinstance(said, SoulmemRemoteError):
                    raise said
                subscribed = True

    def _exchange(self, method: str, params: Mapping[str, Any] | None, deadline: float) -> Result | SoulmemRemoteError:
        number = next(self._numbers)
        self._send(encode_call(number, method, params), deadline)
        while True:
            message = self._receive(deadline)
            if message.get("id") == number:
                return outcome(message)
            self._must_go_on(message)

    def _number_calls(self, calls: Iterable[tuple[str, Mapping[str, Any] | None]]) -> Iterator[tuple[int, bytes]]:
        for method, params in calls:
            number = next(self._numbers)
            yield number, encode_call(number, method, params)

    def _collect(
        self, under_way: dict[int, _Place], results: list[Result | SoulmemRemoteError], deadline: float
    ) -> None:
        """Wait for one message, and put every reply that has arrived into its place."""
        message: dict[str, Any] | None = self._receive(deadline)
        while message is not None:
            place = under_way.pop(message.get("id") or 0, None)
            if place is None:
                self._must_go_on(message)
            else:
                results[place[0]] = outcome(message)
            message = self._next_message()

    def _must_go_on(self, message: Mapping[str, Any]) -> None:
        """Pass over notifications and late replies (B1); an error under no id speaks of the whole connection."""
        if "error" in message and message.get("id") is None:
            self._break()
            raise SoulmemRemoteError.from_reply(message["error"])

    def _send(self, data: bytes, deadline: float) -> None:
        if self._broken:
            raise DaemonUnavailable(self.path, "the connection broke; connect() makes a new one")
        if self._sock is None:
            self.connect()
        assert self._sock is not None
        try:
            self._sock.settimeout(max(deadline - _now(), 0.001))
            self._sock.sendall(data)
        except TimeoutError:
            self._break()  # a request may be half sent: nothing after it could be understood
            raise
        except OSError as error:
            with contextlib.suppress(OSError, ValueError):
                self._hear_farewell()
            self._break()
            raise DaemonUnavailable(self.path, _reason(error)) from error

    def _hear_farewell(self) -> None:
        """The daemon closed before we wrote; it may have said why (too many clients, no access)."""
        assert self._sock is not None
        self._sock.settimeout(0.05)
        self._reader.feed(self._sock.recv(_CHUNK_BYTES))
        while (message := self._reader.next()) is not None:
            self._must_go_on(message)

    def _receive(self, deadline: float | None) -> dict[str, Any]:
        while (message := self._next_message()) is None:
            if self._sock is None:
                raise DaemonUnavailable(self.path, "not connected")
            if deadline is not None and (left := deadline - _now()) <= 0:
                raise TimeoutError
            try:
                self._sock.settimeout(None if deadline is None else left)
                data = self._sock.recv(_CHUNK_BYTES)
            except TimeoutError:
                raise
            except OSError as error:
                self._break()
                raise DaemonUnavailable(self.path, _reason(error)) from error
            if not data:
                self._break()
                raise DaemonUnavailable(self.path, "it closed the connection")
            self._reader.feed(data)
        return message

    def _next_message(self) -> dict[str, Any] | None:
        try:
            return self._reader.next()
        except ValueError as error:
            self._break()
            raise DaemonUnavailable(self.path, str(error)) from error

    def _break(self) -> None:
        self._broken = True


def _has_room(under_way: Mapping[int, _Place], line: bytes) -> bool:
    waiting_bytes = sum(size for _, size in under_way.values())
    return not under_way or (len(under_way) < IN_FLIGHT and waiting_bytes + len(line) <= _PIPELINE_BYTES)


def _now() -> float:
    return time.monotonic()  # noqa: TID251 a client lives in another process, without the daemon's clock


def _reason(error: OSError) -> str:
    if isinstance(error, (FileNotFoundError, ConnectionRefusedError)):
        return "none is running"
    if isinstance(error, TimeoutError):
        return "it does not accept connections"
    return error.strerror or str(error)
