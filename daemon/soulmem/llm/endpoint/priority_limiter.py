"""Who may call the endpoint now: at most `limit` at once, those somebody waits for ahead of those nobody waits for.

Owned by `endpoint_calls`. An interactive call that finds all slots taken breaks off an idle one in flight, which waits
at the head of its queue and is repeated. Invariants: never more than `limit` calls run; within a lane they run in the
order of their arrival; a call broken off `patience` times runs to its end; a cancelled caller leaves nothing behind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio
from anyio.lowlevel import checkpoint

from soulmem.ports import Lane

T = TypeVar("T")


class _Ticket:
    """One caller, from its arrival to its end."""

    __slots__ = ("breaking", "broken_off", "granted", "lane", "scope")

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.granted = anyio.Event()
        self.scope: anyio.CancelScope | None = None  # around the work while it runs
        self.breaking = False  # it has been asked to give its slot up
        self.broken_off = 0

    def break_off(self) -> None:
        self.breaking = True
        if self.scope is not None:
            self.scope.cancel()


class PriorityLimiter:
    """The slots of one endpoint. For one event loop."""

    def __init__(self, limit: int = 1, *, patience: int = 3) -> None:
        self._limit, self._patience = max(1, limit), patience
        self._running: list[_Ticket] = []
        self._waiting: dict[Lane, deque[_Ticket]] = {Lane.INTERACTIVE: deque(), Lane.IDLE: deque()}

    @property
    def running(self) -> int:
        return len(self._running)

    def waiting(self, lane: Lane) -> int:
        return len(self._waiting[lane])

    async def run(self, lane: Lane, work: Callable[[], Awaitable[T]], *, wait_s: float | None = None) -> T:
        """Do the work in a slot. On the idle lane it may be cancelled and called anew, `patience` times at most.

        Raises TimeoutError: when there was no slot within `wait_s`.
        """
        ticket = _Ticket(lane)
        while True:
            with anyio.fail_after(wait_s):
                await self._enter(ticket)
            try:
                with anyio.CancelScope() as ticket.scope:
                    if ticket.breaking:  # between being let in and getting here
                        ticket.scope.cancel()
                        await checkpoint()
                    return await work()
            finally:
                self._leave(ticket)
            ticket.broken_off += 1

    async def _enter(self, ticket: _Ticket) -> None:
        if len(self._running) < self._limit:
            self._running.append(ticket)
            return
        queue = self._waiting[ticket.lane]
        ticket.granted = anyio.Event()
        if ticket.broken_off:
            queue.appendleft(ticket)
        else:
            queue.append(ticket)
        self._make_room()
        try:
            await ticket.granted.wait()
        except BaseException:
            if ticket in queue:
                queue.remove(ticket)
            else:
                self._leave(ticket)
            raise

    def _leave(self, ticket: _Ticket) -> None:
        self._running.remove(ticket)
        ticket.scope, ticket.breaking = None, False
        for queue in (self._waiting[Lane.INTERACTIVE], self._waiting[Lane.IDLE]):
            if queue:
                successor = queue.popleft()
                self._running.append(successor)
                successor.granted.set()
                return

    def _make_room(self) -> None:
        """Break off as many idle calls as somebody waits for slots, the youngest first: they lose the least."""
        wanted = len(self._waiting[Lane.INTERACTIVE]) - sum(ticket.breaking for ticket in self._running)
        for ticket in reversed(self._running):
            if wanted <= 0:
                return
            if ticket.lane is Lane.IDLE and not ticket.breaking and ticket.broken_off < self._patience:
                ticket.break_off()
                wanted -= 1
