"""The client library: everything a program needs to talk to the daemon over its socket.

>>> from soulmem.client import Client                                  # doctest: +SKIP
>>> with Client() as memory:                                           # doctest: +SKIP
...     memory.add_message("mira", "我叫小林，住在杭州。", speaker="小林")
...     memory.recall("mira", "小林住在哪里？")["items"]

`Client` blocks, `AsyncClient` does not; both raise `SoulmemRemoteError` and `DaemonUnavailable`. Standard library
only; `AsyncClient`, and asyncio with it, is loaded when first named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from soulmem.client.blocking import Client
from soulmem.client.faults import CallTimeout, DaemonUnavailable, SoulmemRemoteError
from soulmem.client.socket_paths import socket_path

if TYPE_CHECKING:
    from soulmem.client.asynchronous import AsyncClient

__all__ = ["AsyncClient", "CallTimeout", "Client", "DaemonUnavailable", "SoulmemRemoteError", "socket_path"]


def __getattr__(name: str) -> Any:
    if name == "AsyncClient":
        from soulmem.client.asynchronous import AsyncClient  # noqa: PLC0415 loads asyncio, 25 ms

        return AsyncClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
