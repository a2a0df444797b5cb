"""The outbox of a connection: lines on their way to the peer, and how long it has taken none of them.

Owned by a `Connection`, which decides what is sent and what follows when the peer reads too slowly. Invariants: lines
leave in the order they were put in, none is held back beyond the loop's turn; a peer that takes anything at all of what
waits for it is not stalled.
"""

from __future__ import annotations

import asyncio

_TURN_BYTES = 65_536  # lines of one turn beyond it are written at once


class Outbox:
    """What waits for one peer, in our hands and in the transport's."""

    __slots__ = (
        "_acked_bytes",
        "_choked",
        "_lines",
        "_lines_bytes",
        "_loop",
        "_released",
        "_stalled_since",
        "_transport",
        "_writable",
        "_written_bytes",
    )

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._transport: asyncio.Transport | None = None
        self._lines: list[bytes] = []
        self._lines_bytes = 0
        self._written_bytes = 0
        self._acked_bytes = 0
        self._choked = False  # the transport's buffer is over its high-water mark
        self._released = False  # nobody shall wait for this peer any more
        self._writable = asyncio.Event()
        self._stalled_since: float | None = None

    def open(self, transport: asyncio.Transport, *, high_bytes: int) -> None:
        """Send through this transport; `choke` is due when more than `high_bytes` wait in it."""
        self._transport = transport
        transport.set_write_buffer_limits(high=high_bytes, low=high_bytes // 4)

    def put(self, line: bytes, *, more_may_come: bool) -> None:
        """Send a line; if more may come, together with the others of this loop turn, in one system call."""
        assert self._transport is not None
        self._written_bytes += len(line)
        if not more_may_come and not self._lines:
            self._transport.write(line)
            return
        if not self._lines:
            self._loop.call_soon(self.flush)
        self._lines.append(line)
        self._lines_bytes += len(line)
        if self._lines_bytes > _TURN_BYTES:
            self.flush()

    def flush(self) -> None:
        """Hand the lines of this turn to the transport."""
        if self._lines and self._transport is not None:
            lines, self._lines, self._lines_bytes = self._lines, [], 0
            self._transport.write(lines[0] if len(lines) == 1 else b"".join(lines))

    @property
    def waiting_bytes(self) -> int:
        """What the kernel has not taken yet."""
        buffered = self._transport.get_write_buffer_size() if self._transport is not None else 0
        return buffered + self._lines_bytes

    @property
    def is_choked(self) -> bool:
        """True while the peer reads too slowly for what it is sent."""
        return self._choked

    async def until_writable(self) -> None:
        """Wait until the peer has read enough, or is gone."""
        while self._choked and not self._released:
            await self._writable.wait()

    def choke(self) -> None:
        """Too much waits in the transport: from now on the peer has to take some of it."""
        self._choked = True
        self._writable.clear()
        self._acked_bytes = self._written_bytes - self.waiting_bytes
        self.expect_reading()

    def expect_reading(self) -> None:
        """From now on a peer that takes nothing is stalled."""
        self._stalled_since = self._loop.time()

    def unchoke(self) -> None:
        """The peer has read enough."""
        self._choked = False
        if not self._released:  # else the last bytes are to go, and not for ever
            self._stalled_since = None
        self._writable.set()

    def release(self) -> None:
        """Nobody waits for this peer any longer."""
        self._released = True
        self._writable.set()

    def stalled_s(self, now: float) -> float | None:
        """For how long the peer has taken nothing by the loop's time `now`; None while it is not expected to."""
        if self._stalled_since is None:
            return None
        acked = self._written_bytes - self.waiting_bytes
        if acked != self._acked_bytes:
            self._acked_bytes, self._stalled_since = acked, now
        return now - self._stalled_since
