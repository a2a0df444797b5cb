"""Where the door listens, a port of this machine or a Unix socket, and how it ends. Called by the command."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
from typing import ClassVar

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from soulmem.bridges.http.http_door import HttpDoor
from soulmem.bridges.http_server import StoppableServer, listening, shown_place
from soulmem.bridges.mcp.http_address import HttpAddress

logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # no line for a request that is none
_STOP_S = 3
_CLIENTS = 512


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 with an end to all waiting for a client: a request that does not come to its end, an answer that nobody
    takes, keep a connection for a bounded time, and no more of its bytes than a buffer.

    `arrival_s`: from the first byte of a request, or from connecting, to its end; `stall_s`: of an answer.
    """

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


async def serve_door(door: HttpDoor, place: HttpAddress | Path, token_path: Path | None) -> None:
    """Serve until it is told to stop (SIGTERM, Ctrl-C); stderr says where, once it listens.

    Raises OSError: the place is taken, or not ours.
    """
    with listening(place) as listener:
        told = f", token in {token_path}" if token_path is not None else ""
        sys.stderr.write(f"soulmem: HTTP on {shown_place(place, listener)}{told}\n")
        sys.stderr.flush()
        try:
            await StoppableServer(door_config(door), door.stop).serve(sockets=[listener])
        finally:
            await door.close()


def door_config(
    door: HttpDoor, protocol: type[BoundedProtocol] = BoundedProtocol, stop_s: int = _STOP_S
) -> uvicorn.Config:
    return uvicorn.Config(
        door, http=protocol, ws="none", log_config=None, access_log=False, server_header=False, lifespan="off",
        limit_concurrency=_CLIENTS, proxy_headers=False, timeout_graceful_shutdown=stop_s,
    )  # fmt: skip
