"""One client's connection: bytes to requests, replies to bytes, and the bounds that keep it honest.

Owns a transport, its deadlines and what follows when a peer reads too slowly; made by `rpc/transport/server.py`, which
executes what it reads. What waits to be written is in its `Outbox`. An `asyncio.BufferedProtocol`: streams take twice
the CPU a request, and a plain protocol a new buffer of 256 KiB for each. Invariants: at most `Limits.write_high_bytes`
plus one turn's replies wait to be written (C1); one connection occupies the loop for at most `LINES_PER_TURN` lines at
a time (C2); requests are handed on in their order of arrival (C3).
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from soulmem.errors import ErrorName, SoulmemError
from soulmem.rpc.transport.jsonrpc import Refusal, Request, encode_error, encode_notification, parse_request
from soulmem.rpc.transport.line_framing import BANNER, Fault, FrameReader, Item
from soulmem.rpc.transport.outbox import Outbox
from soulmem.rpc.transport.peer_access import Credentials, Rights
from soulmem.rpc.transport.request_limits import Limits, Turns

LINES_PER_TURN = 64
_LINGER_SECONDS = 0.5


class Owner(Protocol):
    """What a connection needs of its server."""

    @property
    def limits(self) -> Limits: ...

    @property
    def arrivals(self) -> memoryview:
        """What connections read into, by turns: each takes its bytes out at once."""
        ...

    def received(self, connection: Connection, request: Request) -> None:
        """Execute a request, or refuse it with a reply."""
        ...

    def refused(self, reason: str, peer: Credentials, connection: Connection | None = None) -> None:
        """Log why a peer is being turned away."""
        ...

    def joined(self, connection: Connection) -> None: ...
    def left(self, connection: Connection, *, reason: str, lasted_ms: float) -> None: ...
    def may_go_on(self, connection: Connection) -> None: ...


class Connection(asyncio.BufferedProtocol):
    """The server's end of one connection; what methods see as their `Peer`."""

    __slots__ = (
        "_arrivals",
        "_credentials",
        "_discarded_bytes",
        "_ended_by",
        "_eof",
        "_farewell",
        "_frames",
        "_held_up",
        "_leaving",
        "_loop",
        "_number",
        "_on_close",
        "_opened_at",
        "_outbox",
        "_owner",
        "_partial_since",
        "_pumping",
        "_rights",
        "_transport",
        "in_flight",
        "requests",
        "turns",
    )

    def __init__(
        self,
        owner: Owner,
        number: int,
        credentials: Credentials,
        rights: Rights,
        *,
        farewell: tuple[str, SoulmemError] | None = None,
    ) -> None:
        limits = owner.limits
        self._owner = owner
        self._arrivals = owner.arrivals
        self._number = number
        self._credentials = credentials
        self._rights = rights
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._frames = FrameReader(frame_bytes=limits.frame_bytes, depth=limits.depth)
        self._on_close: list[Callable[[], None]] = []
        self._outbox = Outbox(self._loop)
        self._pumping = False  # lines wait for the loop's next turn
        self._held_up = False  # they wait until the peer has read, rather
        self._leaving = False  # closing: nothing more is read or written
        self._eof = False
        self._partial_since: float | None = None
        self._opened_at = self._loop.time()
        self._ended_by = ""
        self._farewell = farewell  # reason and error for a peer that is not let in
        self._discarded_bytes = 0
        self.turns = Turns(limits)
        self.in_flight = 0  # those that wait for their turn included
        self.requests = 0

    @property
    def number(self) -> int:
        return self._number

    @property
    def credentials(self) -> Credentials:
        return self._credentials

    @property
    def rights(self) -> Rights:
        return self._rights

    @property
    def is_closed(self) -> bool:
        return self._leaving

    @property
    def is_turned_away(self) -> bool:  # only told why it may not come in
        return self._farewell is not None

    def notify(self, method: str, params: Mapping[str, Any], *, urgent: bool = False) -> bool:
        return not self._leaving and self.push(encode_notification(method, params), urgent=urgent)

    def push(self, line: bytes, *, urgent: bool = False) -> bool:
        if self._leaving or (not urgent and self._outbox.waiting_bytes > self._owner.limits.push_bytes):
            return False
        self.send(line)
        return True

    def on_close(self, callback: Callable[[], None]) -> None:
        if self._leaving:
            callback()
        else:
            self._on_close.append(callback)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._outbox.open(self._transport, high_bytes=self._owner.limits.write_high_bytes)
        self._partial_since = self._loop.time()  # until the first frame is in
        self._owner.joined(self)
        if self._farewell is not None:
            self.end(self._farewell[0], encode_error(None, self._farewell[1]))

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._arrivals

    def buffer_updated(self, nbytes: int) -> None:
        if self._leaving:
            self._discard(nbytes)
            return
        self._frames.feed(self._arrivals[:nbytes])
        if not self._pumping:
            self._pump()

    def eof_received(self) -> bool:
        if self._leaving:  # it has heard our last line
            return False
        for item in self._frames.finish():
            self._handle(item)
        if not self._leaving and self._is_deserted():  # its requests are carried out, but hold no place here
            self.abort()
        if self._leaving:
            return False
        self._eof, self._partial_since = True, None
        if not self.in_flight:
            self.close()
        return True  # half-closed: the replies still go out, then we close

    def pause_writing(self) -> None:
        self._outbox.choke()
        self._steer_reading()

    def resume_writing(self) -> None:
        self._outbox.unchoke()
        self._loop.call_soon(self._owner.may_go_on, self)
        if self._held_up:
            self._held_up = False
            self._loop.call_soon(self._pump)
        if self._partial_since is not None:
            self._partial_since = self._loop.time()  # we did not read meanwhile: not the peer's delay
        self._steer_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is not None:
            self._ended_by = type(exc).__name__
        self._leave()
        lasted_ms = (self._loop.time() - self._opened_at) * 1000
        self._owner.left(self, reason=self._ended_by or "client", lasted_ms=lasted_ms)

    def _pump(self) -> None:
        """Handle the complete lines at hand, but no more than a fair share of them (C2)."""
        self._pumping = False
        before = self._frames.frames
        for item in self._frames.take(LINES_PER_TURN):
            if self._leaving:
                return
            self._handle(item)
        if self._frames.has_more:
            self._pumping = True
            self._held_up = self._outbox.is_choked
            if not self._held_up:
                self._loop.call_soon(self._pump)
        if self._frames.frames and not self._frames.is_partial:
            self._partial_since = None
        elif self._frames.frames != before or (self._partial_since is None and self._frames.is_partial):
            self._partial_since = self._loop.time()
        self._steer_reading()

    def _handle(self, item: Item) -> None:
        if not isinstance(item, Fault):
            parsed = parse_request(item)
            if isinstance(parsed, Refusal):
                self.send(encode_error(parsed.id, parsed.error))
            else:
                self._owner.received(self, parsed)
        elif item.banner:
            self.end("not_json_rpc", BANNER)
        elif item.closes:
            self.end("oversize", encode_error(None, item.error()))
        else:
            self.send(encode_error(item.id, item.error()))

    def _steer_reading(self) -> None:
        transport = self._transport
        if transport is None or self._eof or self._leaving:
            return
        if self._outbox.is_choked or self._pumping:
            transport.pause_reading()
        else:
            transport.resume_reading()

    @property
    def unread_bytes(self) -> int:
        """What waits for a peer that reads too slowly; 0 while it keeps up."""
        return self._outbox.waiting_bytes if self.is_choked else 0

    @property
    def is_choked(self) -> bool:
        """True while the peer reads too slowly for its replies."""
        return self._outbox.is_choked and not self._leaving

    async def until_writable(self) -> None:
        await self._outbox.until_writable()

    def finish(self, line: bytes | None) -> None:
        """End one request in flight, with its reply if it gets one."""
        self.in_flight -= 1
        if line is not None:
            self.send(line)
        if self._eof and not self.in_flight:
            self.close()

    def send(self, line: bytes) -> None:
        """Write a line; while requests are in flight, lines of one loop turn share a system call."""
        if self._leaving or self._transport is None:
            return
        self._outbox.put(line, more_may_come=bool(self.in_flight))

    def end(self, reason: str, line: bytes) -> None:
        """Say why in one last line, then close.

        Closing at once, with bytes of the peer still unread, would reset the connection, and many a client then
        loses the line. So we end our half, pass over what still comes, and close when the peer does or soon.
        """
        if self._leaving or self._transport is None:
            return
        self._owner.refused(reason, self._credentials, self)
        self._ended_by = reason
        self.send(line)
        self._outbox.flush()
        self._transport.write_eof()
        self._transport.resume_reading()
        self._leave()
        self._loop.call_later(_LINGER_SECONDS, self.abort)

    def _is_deserted(self) -> bool:
        """At the end of its stream: has the peer gone altogether, or does it wait for replies?"""
        assert self._transport is not None
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket"), 0)
        return any(event & select.POLLHUP for _, event in poll.poll(0))

    def _discard(self, size_bytes: int) -> None:
        self._discarded_bytes += size_bytes
        if self._discarded_bytes > self._owner.limits.frame_bytes and self._transport is not None:
            self._transport.pause_reading()  # it is not listening

    def close(self) -> None:
        """Close once everything written so far has gone out."""
        if not self._leaving and self._transport is not None:
            self._outbox.flush()
            self._ended_by = self._ended_by or ("client" if self._eof else "daemon")
            self._outbox.expect_reading()
            self._transport.close()
            self._leave()

    def abort(self) -> None:
        """Close now; what waits to be written is dropped."""
        if self._transport is not None:
            self._transport.abort()
        self._leave()

    def check(self, now: float) -> None:
        """Enforce the deadlines; `now` is the loop's time. The server calls it every so often."""
        limits = self._owner.limits
        stalled_s = self._outbox.stalled_s(now)
        if stalled_s is not None:
            if stalled_s > limits.stall_ms / 1000:
                self._owner.refused("slow_reader", self._credentials, self)
                self._ended_by = "slow_reader"
                self.abort()
        elif self._partial_since is not None and not self._leaving:
            allowed_ms = limits.frame_ms if self._frames.frames else limits.first_frame_ms
            if now - self._partial_since > allowed_ms / 1000:
                error = SoulmemError(
                    ErrorName.PARSE_ERROR,
                    f"no complete line within {allowed_ms} ms",
                    hint="end each request with a line feed; a connection may rest between requests",
                )
                self.end("deadline", encode_error(None, error))

    def _leave(self) -> None:
        self._leaving = True
        self._outbox.release()
        self._loop.call_soon(self._owner.may_go_on, self)  # what was asked is done, though nobody hears of it
        for callback in self._on_close:
            self._loop.call_soon(callback)  # each in its own turn: one that raises hides no other
        self._on_close = []
