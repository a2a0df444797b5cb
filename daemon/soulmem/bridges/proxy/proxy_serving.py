"""Where the proxy listens: a port of this machine, or a Unix socket.

Called by the command. Owns the end: what is still to be told is told first.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import uvicorn

from soulmem.bridges.http_server import StoppableServer, listening, shown_place
from soulmem.bridges.mcp.http_address import HttpAddress
from soulmem.bridges.proxy.memory_door import MemoryDoor, MemorySetting
from soulmem.bridges.proxy.proxy_app import ProxyApp, ProxySetting
from soulmem.bridges.proxy.upstream_calls import Upstream, UpstreamSetting
from soulmem.client import AsyncClient

logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # no line for an answer that breaks off
_STOP_S = 3


async def serve_proxy(
    setting: ProxySetting, upstream: UpstreamSetting, memory: MemorySetting, daemon: Path | None,
    place: HttpAddress | Path,
) -> None:  # fmt: skip
    """Serve until it is told to stop (SIGTERM, Ctrl-C); stderr says where, once it listens.

    Raises OSError: the place is taken, or not ours.
    """
    with listening(place) as listener:
        behind, door = Upstream(upstream), MemoryDoor(AsyncClient(daemon), memory)
        sys.stderr.write(
            f"soulmem: OpenAI proxy on {shown_place(place, listener)}/v1, before {upstream.address.shown}\n"
        )
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
