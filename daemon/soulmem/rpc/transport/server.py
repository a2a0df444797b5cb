"""The socket server: accepts clients, executes their requests, and stops gracefully.

Owns the accept loop, the open connections and one task a request; run by `daemon.py` in its task group.
Invariants: nothing a client or a handler does ends the accept loop (S1); every bound of `Limits` is answered with
an error, never with a hang (S2); every request task belongs to this server and ends with it (S3).
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections import deque
from collections.abc import Collection

import anyio

from soulmem.errors import ErrorName, SoulmemError
from soulmem.gradual_start import GradualStart
from soulmem.ports import Emit
from soulmem.rpc.transport.connection import Connection
from soulmem.rpc.transport.jsonrpc import Dispatcher, Request, encode_error, encode_result
from soulmem.rpc.transport.listener import Listener
from soulmem.rpc.transport.peer_access import AccessPolicy, Credentials, Rights, peer_credentials, rights_of
from soulmem.rpc.transport.request_limits import Limits, Rates

_PASSING = frozenset({errno.ECONNABORTED, errno.EINTR, errno.EAGAIN, errno.EPROTO})
_ARRIVAL_BYTES = 65_536  # read at once
_AT_ONCE = 32  # clients that are let in together
_SWEEP_SECONDS = 1.0
_FLUSH_SECONDS = 1.0
_LINGERING = 64  # peers being told why they are not let in; further ones are told in passing
_STOPPING = SoulmemError(ErrorName.STOPPING, "the daemon is stopping", hint="try again", retry_after_ms=1000)


class Server:
    """Serves a `Dispatcher` on a `Listener`: `serve()` runs until `drain()` has finished or it is cancelled.

    `while_draining` names the methods that are answered even then.
    """

    def __init__(
        self,
        listener: Listener,
        dispatcher: Dispatcher,
        *,
        emit: Emit,
        limits: Limits | None = None,
        others: Rights = Rights.NONE,
        while_draining: Collection[str] = ("system.status", "system.ping"),
    ) -> None:
        self.limits = limits or Limits()
        self.arrivals = memoryview(bytearray(_ARRIVAL_BYTES))
        self.requests = 0  # answered or refused since the start
        self._listener = listener
        self._dispatcher = dispatcher
        self._emit = emit
        self._policy = AccessPolicy(owner_uid=os.geteuid(), group_gid=listener.group_gid, others=others)
        self._while_draining = frozenset(while_draining)
        self._rates = Rates(self.limits.requests_per_s)
        self._starts = GradualStart()
        self._connections: set[Connection] = set()
        self._arriving: set[Connection] = set()  # let in, and not yet among those
        self._turned_away: set[Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = 0
        self._draining = False
        self._accepting = anyio.CancelScope()
        self._stopped = asyncio.Event()
        self._deserted = asyncio.Event()  # the last connection has left

    @property
    def connections(self) -> int:
        """How many clients are connected."""
        return len(self._connections)

    @property
    def in_flight(self) -> int:
        """How many requests are being executed."""
        return len(self._tasks)

    async def serve(self) -> None:
        """Accept and answer until drained; on cancellation everything is cut off at once."""
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._accept_all)
                group.start_soon(self._sweep)
                await self._stopped.wait()
                group.cancel_scope.cancel()
        finally:
            self._listener.close()
            with anyio.CancelScope(shield=True):
                await self._cancel_requests()
            for connection in self._connections | self._turned_away:
                connection.abort()

    async def drain(self, grace_seconds: float) -> None:
        """Stop accepting, refuse new requests with `stopping`, let those in flight end within the grace.

        After the grace they are cancelled and answered `stopping` too. Returns when all connections are closed.
        """
        if self._draining:
            await self._stopped.wait()
            return
        self._draining = True
        self._accepting.cancel()
        self._listener.close()
        with anyio.move_on_after(grace_seconds):
            while self._tasks:  # some start when others are done
                await asyncio.wait(self._tasks)
        await self._cancel_requests()
        for connection in tuple(self._connections):
            connection.close()
        if self._connections:
            self._deserted.clear()
            with anyio.move_on_after(_FLUSH_SECONDS):
                await self._deserted.wait()
        self._stopped.set()

    async def _accept_all(self) -> None:
        loop = asyncio.get_running_loop()
        paused = False
        with self._accepting:
            while self._listener.sock.fileno() >= 0:
                try:
                    sock, _ = await loop.sock_accept(self._listener.sock)
                    paused = False
                    await self._welcome_all(sock)
                except OSError as error:
                    if error.errno in _PASSING:
                        continue
                    if not paused:  # once an episode, however often it is retried
                        self._emit(
                            "accept_paused",
                            error=errno.errorcode.get(error.errno or 0, "unknown"),
                            pause_ms=self.limits.accept_pause_ms,
                        )
                    paused = True
                    await anyio.sleep(self.limits.accept_pause_ms / 1000)

    async def _welcome_all(self, first: socket.socket) -> None:
        """Let in who has come and who waits behind: one by one, each would take turns of a busy loop.

        Raises OSError: no more can be accepted; who was is in.
        """
        behind, failure = self._listener.accept_waiting(_AT_ONCE - 1)
        waiting = deque([first, *behind])
        try:
            async with anyio.create_task_group() as group:
                for _ in tuple(waiting):
                    group.start_soon(self._welcome_next, waiting)
        finally:
            for sock in waiting:
                sock.close()
        if failure is not None:
            raise failure

    async def _welcome_next(self, waiting: deque[socket.socket]) -> None:
        sock = waiting.popleft()
        try:
            rights = rights_of(peer := peer_credentials(sock), self._policy)
        except OSError:  # gone already
            sock.close()
            return
        farewell = self._farewell(rights)
        if farewell is not None and len(self._turned_away) >= _LINGERING:
            self._turn_away(sock, peer, *farewell)
            return
        self._numbers += 1
        connection = Connection(self, self._numbers, peer, rights, farewell=farewell)
        if farewell is None:
            self._arriving.add(connection)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, sock)
        except OSError:
            sock.close()
        finally:
            self._arriving.discard(connection)

    def _farewell(self, rights: Rights) -> tuple[str, SoulmemError] | None:
        """Reason and error for a peer that may not come in."""
        if rights is Rights.NONE:
            hint = "join the group of its socket"
            return "access_denied", SoulmemError(ErrorName.ACCESS_DENIED, "you may not use this daemon", hint=hint)
        if len(self._connections) + len(self._arriving) >= self.limits.connections:
            message = f"{self.limits.connections} clients are connected already"
            return "too_many", SoulmemError(ErrorName.OVERLOADED, message, hint="try again", retry_after_ms=1000)
        return None

    def _turn_away(self, sock: socket.socket, peer: Credentials, reason: str, error: SoulmemError) -> None:
        self.refused(reason, peer)
        with sock:
            sock.setblocking(False)
            try:
                sock.send(encode_error(None, error))
            except OSError:
                return  # it did not wait to hear

    async def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        shortest_ms = min(self.limits.first_frame_ms, self.limits.frame_ms, self.limits.stall_ms)
        pause = min(_SWEEP_SECONDS, shortest_ms / 4000)
        while True:
            await anyio.sleep(pause)
            now = loop.time()
            for connection in tuple(self._connections):
                connection.check(now)

    def joined(self, connection: Connection) -> None:
        self._arriving.discard(connection)
        if connection.is_turned_away:
            self._turned_away.add(connection)
            return
        self._connections.add(connection)
        uid = connection.credentials.uid
        self._emit("client_connected", conn=connection.number, uid=uid, access=connection.rights.label)

    def left(self, connection: Connection, *, reason: str, lasted_ms: float) -> None:
        if connection.is_turned_away:
            self._turned_away.discard(connection)
            return
        self._connections.discard(connection)
        self._emit(
            "client_disconnected",
            conn=connection.number,
            requests=connection.requests,
            ms=round(lasted_ms, 1),
            reason=reason,
        )
        if not self._connections:
            self._deserted.set()

    def refused(self, reason: str, peer: Credentials, connection: Connection | None = None) -> None:
        fields = {"conn": connection.number} if connection is not None else {}
        self._emit("client_refused", reason=reason, uid=peer.uid, **fields)

    def received(self, connection: Connection, request: Request) -> None:
        self.requests += 1
        connection.requests += 1
        if (refusal := self._refusal(connection, request)) is not None:
            connection.send(encode_error(request.id, refusal))
            return
        connection.in_flight += 1
        connection.turns.join(request, is_long=self._dispatcher.is_long(request.method))
        self.may_go_on(connection)

    def may_go_on(self, connection: Connection) -> None:
        """Start the requests of a connection whose turn it is."""
        while (turn := connection.turns.next(connection.unread_bytes)) is not None:
            request, expected_bytes = turn
            if expected_bytes and connection.is_closed:  # a long answer for nobody
                connection.turns.done(expected_bytes)
                connection.finish(None)
                continue
            task = asyncio.get_running_loop().create_task(self._answer(connection, request, expected_bytes))
            self._tasks.add(task)

    def _refusal(self, connection: Connection, request: Request) -> SoulmemError | None:
        limits = self.limits
        if connection.in_flight >= limits.in_flight:
            message = f"{limits.in_flight} requests of this connection are in flight"
            return SoulmemError(
                ErrorName.OVERLOADED, message, hint="wait for a reply before the next request", retry_after_ms=50
            )
        # Clients that leave requests behind and come back must not pile them up either.
        if len(self._tasks) >= limits.in_flight * limits.connections:
            return SoulmemError(ErrorName.OVERLOADED, "too many requests are in flight", retry_after_ms=1000)
        if self._draining and request.method not in self._while_draining:
            return _STOPPING
        wait_ms, is_first = self._rates.spend(connection.credentials.uid, asyncio.get_running_loop().time())
        if wait_ms:
            if is_first:
                self.refused("too_fast", connection.credentials, connection)
            message = f"more than {limits.requests_per_s} requests a second by one user"
            hint = "send them more slowly, or raise server.requests_per_s"
            return SoulmemError(ErrorName.OVERLOADED, message, hint=hint, retry_after_ms=wait_ms)
        return None

    async def _answer(self, connection: Connection, request: Request, expected_bytes: int) -> None:
        line: bytes | None = None
        turns, held_bytes = connection.turns, 0
        try:
            try:
                line = await self._execute(connection, request)
            finally:
                turns.done(expected_bytes)
            if connection.is_choked:
                held_bytes = len(line or b"")
                turns.held_bytes += held_bytes
                await connection.until_writable()
        except asyncio.CancelledError:
            if line is None and request.id is not None:
                line = encode_error(request.id, _STOPPING)
            raise
        finally:
            if (task := asyncio.current_task()) is not None:  # a callback of its end would cost a turn of the loop
                self._tasks.discard(task)
            turns.held_bytes -= held_bytes
            connection.finish(line)
            self.may_go_on(connection)

    async def _execute(self, connection: Connection, request: Request) -> bytes | None:
        """The reply line of a request; None for a notification. Whatever a handler raises ends here."""
        try:
            if request.method not in self._while_draining:
                await self._starts.turn()
            result = await self._dispatcher.dispatch(request, connection)
            if request.id is None:
                return None
            line = encode_result(request.id, result)
            if len(line) <= self.limits.reply_bytes:
                return line
            message = f"the answer has {len(line)} bytes, at most {self.limits.reply_bytes} are sent"
            failure = SoulmemError(ErrorName.TOO_LARGE, message, hint="ask for less: a smaller limit, k or max_tokens")
        except SoulmemError as error:
            failure = error
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            failure = self._internal(connection, request, error)  # a handler's own stray cancellation
        except Exception as error:  # the per-connection guard: one bad request ends nothing else
            failure = self._internal(connection, request, error)
        return encode_error(request.id, failure) if request.id is not None else None

    def _internal(self, connection: Connection, request: Request, error: BaseException) -> SoulmemError:
        """Log the failure with its traceback and return what the client may know."""
        self._emit(
            "request_failed",
            conn=connection.number,
            method=request.method[:64],
            error=type(error).__name__,
            exc_info=error,
        )
        return SoulmemError(
            ErrorName.INTERNAL,
            "the daemon failed to answer this request",
            hint=f"its log says more: request_failed of conn {connection.number}",
        )

    async def _cancel_requests(self) -> None:
        for connection in tuple(self._connections):
            for request in connection.turns.leave():
                connection.finish(encode_error(request.id, _STOPPING) if request.id is not None else None)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_FLUSH_SECONDS)
