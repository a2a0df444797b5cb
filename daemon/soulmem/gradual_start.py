"""A gradual start: of requests that come together, so many begin in one turn of the event loop as leave it short.

All that is ready in one turn runs before anything else is looked at. What a request does until it first waits may take
milliseconds; a thousand that came at once would hold up everybody else for all of theirs. Owned by the server.
Invariant: requests begin in the order in which they came.
"""

from __future__ import annotations

import asyncio
from collections import deque

_TURN_S = 0.005  # what a turn should take: longer, and fewer begin in the next; shorter, and more do
_MOST = 32  # in one turn, of those that had to wait


class GradualStart:
    """Lets requests begin."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._called = 0  # whose turn it is, and who have not begun yet
        self._began: float | None = None  # when the first request of this turn did
        self._a_turn = 1

    async def turn(self) -> None:
        """Wait until it is the caller's turn, which is at once unless many came together."""
        loop = asyncio.get_running_loop()
        if self._began is None:
            self._began = loop.time()
            loop.call_soon(self._next_turn, loop)
        elif self._waiting or self._called or loop.time() - self._began > _TURN_S:
            future = loop.create_future()
            self._waiting.append(future)
            try:
                await future
            finally:
                if not future.cancelled():
                    self._called -= 1

    def _next_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        now, calling = loop.time(), 0
        is_short = self._began is not None and now - self._began < _TURN_S
        self._a_turn = min(_MOST, self._a_turn * 2) if is_short else max(1, self._a_turn // 2)
        while self._waiting and calling < self._a_turn:
            future = self._waiting.popleft()
            if not future.done():  # else whoever waited is gone
                future.set_result(None)
                calling += 1
        self._called += calling
        if self._waiting or self._called:
            self._began = now
            loop.call_soon(self._next_turn, loop)
        else:
            self._began = None
