"""One client's connection: bytes to requests, replies to bytes, and the bounds that keep it honest.

Owns a transport's buffers, deadlines and backpressure; made by `rpc/server.py`, which executes what it reads.
An `asyncio.BufferedProtocol`: streams take twice the CPU a request, and a plain protocol a new buffer of 256 KiB for
each. Invariants: at most `Limits.write_high_bytes` plus one turn's replies wait to be written (C1); one connection
occupies the loop for at most `LINES_PER_TURN` lines at a time (C2); requests are handed on in their order of
arrival (C3).
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from soulmem.errors import ErrorName, SoulmemError
from soulmem.records import dataclass
from soulmem.rpc.access import Credentials, Rights
from soulmem.rpc.framing import BANNER, DEPTH, FRAME_BYTES, Fault, FrameReader, Item
from soulmem.rpc.protocol import Refusal, Request, encode_error, encode_notification, parse_request

LINES_PER_TURN = 64
_OUTBOX_BYTES = 65_536
_LINGER_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Limits:
    """Every bound of the socket."""

    frame_bytes: int = FRAME_BYTES
    depth: int = DEPTH
    connections: int = 256
    in_flight: int = 32  # requests of one connection
    first_frame_ms: int = 10_000  # from connecting to the end of the first line
    frame_ms: int = 10_000  # from a line's first byte to its last
    stall_ms: int = 30_000  # a peer that takes nothing of what waits for it
    write_high_bytes: int = 262_144  # beyond it nothing more is read from this peer
    push_bytes: int = 1_048_576  # beyond it `push` refuses
    accept_pause_ms: int = 100


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


class Connection(asyncio.BufferedProtocol):
    """The server's end of one connection; what methods see as their `Peer`."""

    __slots__ = (
        "_acked_bytes",
        "_arrivals",
        "_choked",
        "_credentials",
        "_discarded_bytes",
        "_ended_by",
        "_eof",
        "_farewell",
        "_frames",
        "_leaving",
        "_loop",
        "_number",
        "_on_close",
        "_opened_at",
        "_outbox",
        "_outbox_bytes",
        "_owner",
        "_partial_since",
        "_pumping",
        "_rights",
        "_stalled_since",
        "_transport",
        "_writable",
        "_written_bytes",
        "in_flight",
        "requests",
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
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        self._written_bytes = 0
        self._acked_bytes = 0
        self._choked = False  # the transport's buffer is over its high-water mark
        self._writable = asyncio.Event()
        self._pumping = False  # lines wait for the loop's next turn
        self._leaving = False  # closing: nothing more is read or written
        self._eof = False
        self._partial_since: float | None = None
        self._stalled_since: float | None = None
        self._opened_at = self._loop.time()
        self._ended_by = ""
        self._farewell = farewell  # reason and error for a peer that is not let in
        self._discarded_bytes = 0
        self.in_flight = 0
        self.requests = 0

    # -- the Peer that methods see ---------------------------------------------------------------

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
    def is_turned_away(self) -> bool:
        """True for a peer that is only told why it may not come in."""
        return self._farewell is not None

    def notify(self, method: str, params: Mapping[str, Any], *, urgent: bool = False) -> bool:
        return not self._leaving and self.push(encode_notification(method, params), urgent=urgent)

    def push(self, line: bytes, *, urgent: bool = False) -> bool:
        if self._leaving or (not urgent and self._waiting_bytes() > self._owner.limits.push_bytes):
            return False
        self.send(line)
        return True

    def on_close(self, callback: Callable[[], None]) -> None:
        if self._leaving:
            callback()
        else:
            self._on_close.append(callback)

    # -- asyncio's side ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        high = self._owner.limits.write_high_bytes
        self._transport.set_write_buffer_limits(high=high, low=high // 4)
        self._partial_since = self._loop.time()  # until the first frame is in
        self._owner.joined(self)
        if self._farewell is not None:
            reason, error = self._farewell
            self.end(reason, encode_error(None, error))

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
        if self._leaving:
            return False
        if self._is_deserted():  # its requests are carried out all the same, but hold no place here
            self.abort()
            return False
        self._eof = True
        self._partial_since = None
        if not self.in_flight:
            self.close()
        return True  # half-closed: the replies still go out, then we close

    def pause_writing(self) -> None:
        self._choked = True
        self._writable.clear()
        self._stalled_since = self._loop.time()
        self._acked_bytes = self._written_bytes - self._waiting_bytes()
        self._steer_reading()

    def resume_writing(self) -> None:
        self._choked = False
        if not self._leaving:  # else `close` waits for the last bytes to go, and not for ever
            self._stalled_since = None
        self._writable.set()
        if self._partial_since is not None:
            self._partial_since = self._loop.time()  # we did not read meanwhile: not the peer's delay
        self._steer_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is not None:
            self._ended_by = type(exc).__name__
        self._leave()
        lasted_ms = (self._loop.time() - self._opened_at) * 1000
        self._owner.left(self, reason=self._ended_by or "client", lasted_ms=lasted_ms)

    # -- requests in ------------------------------------------------------------------------------

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
            if not self._choked:
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
        elif item.closes:
            reason = "not_json_rpc" if item.banner else "oversize"
            self.end(reason, BANNER if item.banner else encode_error(None, item.error()))
        else:
            self.send(encode_error(None, item.error()))

    def _steer_reading(self) -> None:
        transport = self._transport
        if transport is None or self._eof or self._leaving:
            return
        if self._choked or self._pumping:
            transport.pause_reading()
            return
        transport.resume_reading()

    # -- replies out ------------------------------------------------------------------------------

    @property
    def is_choked(self) -> bool:
        """True while the peer reads too slowly for its replies."""
        return self._choked and not self._leaving

    async def until_writable(self) -> None:
        """Wait until the peer has read enough, or is gone."""
        while self.is_choked:
            await self._writable.wait()

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
        self._written_bytes += len(line)
        if not self.in_flight and not self._outbox:
            self._transport.write(line)
            return
        if not self._outbox:
            self._loop.call_soon(self._flush)
        self._outbox.append(line)
        self._outbox_bytes += len(line)
        if self._outbox_bytes > _OUTBOX_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._outbox and self._transport is not None:
            lines, self._outbox, self._outbox_bytes = self._outbox, [], 0
            self._transport.write(lines[0] if len(lines) == 1 else b"".join(lines))

    def _waiting_bytes(self) -> int:
        buffered = self._transport.get_write_buffer_size() if self._transport is not None else 0
        return buffered + self._outbox_bytes

    # -- leaving ----------------------------------------------------------------------------------

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
        self._flush()
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
            self._flush()
            self._ended_by = self._ended_by or ("client" if self._eof else "daemon")
            self._stalled_since = self._loop.time()
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
        if self._stalled_since is not None:
            acked = self._written_bytes - self._waiting_bytes()
            if acked != self._acked_bytes:
                self._acked_bytes, self._stalled_since = acked, now
            elif now - self._stalled_since > limits.stall_ms / 1000:
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
        self._writable.set()
        callbacks, self._on_close = self._on_close, []
        for callback in callbacks:
            self._loop.call_soon(callback)  # each in its own turn: one that raises hides no other
