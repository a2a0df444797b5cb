"""Connections to the daemon, each lent to one request at a time.

So what one request does to its connection (too long a line, an answer that takes minutes) no other one feels.
Invariant: a connection that broke, or that still owes an answer, is closed and never lent again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from soulmem.bridges.http.http_replies import HttpRefusal
from soulmem.client import AsyncClient, SoulmemRemoteError

_MOST, _KEPT = 64, 8  # of the 256 that the daemon has for everybody
_PATIENCE_S = 10.0
_CALL_S = 600.0  # a night may take so long


class DaemonLeases:
    """One for all requests. `socket` None: the daemon's usual place."""

    def __init__(self, socket: Path | None, most: int = _MOST) -> None:
        self._socket = socket
        self._idle: list[AsyncClient] = []
        self._places = asyncio.Semaphore(most)

    @contextlib.asynccontextmanager
    async def lend(self) -> AsyncIterator[AsyncClient]:
        """A connection for one request. Raises HttpRefusal: all are lent out."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self._places.acquire()
        except TimeoutError:
            raise HttpRefusal("overloaded", "too many requests are under way", "try again", retryable=True) from None
        client = self._next()
        owes = True
        try:
            try:
                yield client
                owes = False
            except SoulmemRemoteError:  # answered, if not as was hoped
                owes = False
                raise
        finally:
            self._places.release()
            if owes or not client.is_connected or len(self._idle) >= _KEPT:
                await client.aclose()
            else:
                self._idle.append(client)

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().aclose()

    def _next(self) -> AsyncClient:
        while self._idle:
            client = self._idle.pop()
            if client.is_connected:
                return client
        return AsyncClient(self._socket, timeout=_CALL_S)
