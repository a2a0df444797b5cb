"""HTTP/1.1 as the server speaks it, with an end to all waiting for a client.

Beyond what the library bounds: a request that does not come to its end, and an answer that nobody takes. Invariant: a
client that says nothing or hears nothing keeps a connection for a bounded time, and no more of its bytes than a buffer.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class BoundedProtocol(H11Protocol):
    """`arrival_s`: from the first byte of a request, or from connecting, to its end; `stall_s`: of an answer."""

    arrival_s: ClassVar[float] = 30.0
    stall_s: ClassVar[float] = 20.0
    _arriving: asyncio.TimerHandle | None = None
    _stalling: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its parent does
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # so that what waits is told of at once
        self._arriving = self.loop.call_later(self.arrival_s, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        is_between = self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]
        if is_between or self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._has_arrived()
        elif self._arriving is None:
            self._arriving = self.loop.call_later(self.arrival_s, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalling is None:
            self._stalling = self.loop.call_later(self.stall_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._is_taken()

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_arrived()
        self._is_taken()
        super().connection_lost(exc)

    def _has_arrived(self) -> None:
        if self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def _is_taken(self) -> None:
        if self._stalling is not None:
            self._stalling.cancel()
            self._stalling = None
