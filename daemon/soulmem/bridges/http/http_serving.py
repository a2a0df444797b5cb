"""Where the door listens, a port of this machine or a Unix socket, and how it ends. Called by the command."""

from __future__ import annotations

import logging
import socket
import sys
from pathlib import Path

import uvicorn

from soulmem.bridges.http.bounded_protocol import BoundedProtocol
from soulmem.bridges.http.http_door import HttpDoor
from soulmem.bridges.http_server import StoppableServer, listening, shown_place
from soulmem.bridges.mcp.http_address import HttpAddress

logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # no line for a request that is none
_STOP_S = 3
_CLIENTS = 512


async def serve_door(door: HttpDoor, place: HttpAddress | Path, token_path: Path | None) -> None:
    """Serve until it is told to stop (SIGTERM, Ctrl-C); stderr says where, once it listens.

    Raises OSError: the place is taken, or not ours.
    """
    with listening(place) as listener:
        told = f", token in {token_path}" if token_path is not None else ""
        sys.stderr.write(f"soulmem: HTTP on {shown_place(place, listener)}{told}\n")
        sys.stderr.flush()
        try:
            await DoorServer(door_config(door), door).serve(sockets=[listener])
        finally:
            await door.close()


def door_config(
    door: HttpDoor, protocol: type[BoundedProtocol] = BoundedProtocol, stop_s: int = _STOP_S
) -> uvicorn.Config:
    return uvicorn.Config(
        door, http=protocol, ws="none", log_config=None, access_log=False, server_header=False, lifespan="off",
        limit_concurrency=_CLIENTS, proxy_headers=False, timeout_graceful_shutdown=stop_s,
    )  # fmt: skip


class DoorServer(StoppableServer):
    """One whose streams end when it ends."""

    def __init__(self, config: uvicorn.Config, door: HttpDoor) -> None:
        super().__init__(config)
        self._door = door

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._door.stop()
        await super().shutdown(sockets)
