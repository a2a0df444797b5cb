"""Where the proxy listens: a port of this machine, or a Unix socket.

Called by the command. Owns the listener and its end: what is still to be told is told first.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from soulmem.bridges.http_server import StoppableServer
from soulmem.bridges.mcp.http_address import HttpAddress
from soulmem.bridges.proxy.memory_door import MemoryDoor, MemorySetting
from soulmem.bridges.proxy.proxy_app import ProxyApp, ProxySetting
from soulmem.bridges.proxy.upstream_calls import Upstream, UpstreamSetting
from soulmem.client import AsyncClient

logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # no line for an answer that breaks off
_STOP_S = 3
_WAITING = 256  # connections that are not accepted yet


async def serve_proxy(
    setting: ProxySetting, upstream: UpstreamSetting, memory: MemorySetting, daemon: Path | None,
    place: HttpAddress | Path,
) -> None:  # fmt: skip
    """Serve until it is told to stop (SIGTERM, Ctrl-C); stderr says where, once it listens.

    Raises OSError: the place is taken, or not ours.
    """
    with _listener(place) as listener:
        behind, door = Upstream(upstream), MemoryDoor(AsyncClient(daemon), memory)
        sys.stderr.write(f"soulmem: OpenAI proxy on {_shown(place, listener)}, before {upstream.address.shown}\n")
        sys.stderr.flush()
        config = uvicorn.Config(
            ProxyApp(setting, behind, door), log_config=None, access_log=False, server_header=False, date_header=False,
            lifespan="off", timeout_graceful_shutdown=_STOP_S,
        )  # fmt: skip
        try:
            await StoppableServer(config).serve(sockets=[listener])
        finally:
            await door.close()
            await behind.close()


@contextlib.contextmanager
def _listener(place: HttpAddress | Path) -> Iterator[socket.socket]:
    if isinstance(place, HttpAddress):
        family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
        with socket.create_server((place.host, place.port), family=family, backlog=_WAITING) as listener:
            yield listener
        return
    _remove_stale(place)
    with socket.socket(socket.AF_UNIX) as listener:
        before = os.umask(0o177)  # for who runs it alone
        try:
            listener.bind(os.fspath(place))
        finally:
            os.umask(before)
        listener.listen(_WAITING)
        try:
            yield listener
        finally:
            place.unlink(missing_ok=True)


def _remove_stale(place: Path) -> None:
    """Remove the socket of a proxy that died; anything else stays. Raises OSError: somebody listens there."""
    if not place.exists() or not stat.S_ISSOCK(place.stat().st_mode):
        return
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.connect(os.fspath(place))
        except ConnectionRefusedError:
            place.unlink(missing_ok=True)


def _shown(place: HttpAddress | Path, listener: socket.socket) -> str:
    if isinstance(place, Path):
        return f"unix:{place}:/v1"
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/v1" if ":" in host else f"http://{host}:{port}/v1"
