"""The bounds of the socket: what a client may have of the daemon at once, and how many requests in a second.

`Turns` belongs to a connection: a request starts while its replies, those on their way and those that may come, fit
into what the daemon keeps for a peer that does not read; later ones wait, in their order. `Rates` belongs to the
server: each user may ask so often, with a second's worth in hand. No clock in here, no I/O.
"""

from __future__ import annotations

from collections import deque

from soulmem.fast_dataclasses import dataclass
from soulmem.rpc.transport.jsonrpc import Request
from soulmem.rpc.transport.line_framing import DEPTH, FRAME_BYTES

_MOST_USERS = 1024  # remembered; whoever has all its budget is forgotten first


@dataclass(frozen=True, slots=True)
class Limits:
    """Every bound of the socket, chosen by `daemon` from the configuration: what a client can make grow or wait."""

    frame_bytes: int = FRAME_BYTES
    depth: int = DEPTH
    connections: int = 256
    in_flight: int = 32  # requests of one connection
    first_frame_ms: int = 10_000  # from connecting to the end of the first line
    frame_ms: int = 10_000  # from a line's first byte to its last
    stall_ms: int = 30_000  # a peer that takes nothing of what waits for it
    write_high_bytes: int = 262_144  # beyond it nothing more is read from this peer
    push_bytes: int = 1_048_576  # beyond it `push` refuses
    owed_bytes: int = 4_194_304  # of replies that wait for one peer: beyond it no further one is made
    reply_bytes: int = 4_194_304  # of one reply; a longer one is refused
    expected_bytes: int = 1_048_576  # what a reply that may be long is taken to come to until it is made
    requests_per_s: int = 10_000  # of one user, all its connections together; 0: as many as it likes
    accept_pause_ms: int = 100


class Turns:
    """The requests of one connection that wait, and the bytes that running ones may come to."""

    __slots__ = ("_expected_bytes", "_limits", "_waiting", "held_bytes")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waiting: deque[tuple[Request, int]] = deque()
        self._expected_bytes = 0  # of replies that are being made
        self.held_bytes = 0  # of replies that are made, and wait until the peer has read others

    def join(self, request: Request, *, is_long: bool) -> None:
        """Queue a request; `is_long`: its reply may be long."""
        self._waiting.append((request, self._limits.expected_bytes if is_long else 0))

    def next(self, unread_bytes: int) -> tuple[Request, int] | None:
        """The request whose turn it is, with the bytes it may come to (for `done`); None while there is none.

        `unread_bytes`: what waits in the outbox for the peer to read it.
        """
        if not self._waiting:
            return None
        owed_bytes = unread_bytes + self.held_bytes + self._expected_bytes
        if owed_bytes and owed_bytes + self._waiting[0][1] > self._limits.owed_bytes:
            return None
        request, expected_bytes = self._waiting.popleft()
        self._expected_bytes += expected_bytes
        return request, expected_bytes

    def done(self, expected_bytes: int) -> None:
        """A reply is made, or will never be."""
        self._expected_bytes -= expected_bytes

    def leave(self) -> list[Request]:
        """Take out what waits, to be started no more."""
        left = [request for request, _ in self._waiting]
        self._waiting.clear()
        return left


@dataclass(slots=True)
class _Budget:
    left: float
    at: float
    is_refused: bool = False


class Rates:
    """How often each user asks: so many requests a second, for all of its connections together."""

    def __init__(self, per_second: int) -> None:
        """Args: per_second: 0 is as often as they like."""
        self._per_second = per_second
        self._budgets: dict[int, _Budget] = {}

    def spend(self, uid: int, now: float) -> tuple[int, bool]:
        """Count one request of a user at the time `now`, in seconds.

        Returns:
            (milliseconds after which it may be sent again, 0 when it is within the budget; whether this is the first
            one to be refused since the budget was half full).
        """
        if not self._per_second:
            return 0, False
        budget = self._budgets.get(uid)
        if budget is None:
            if len(self._budgets) >= _MOST_USERS:
                self._forget(now)
            budget = self._budgets[uid] = _Budget(float(self._per_second), now)
        budget.left = min(self._per_second, budget.left + (now - budget.at) * self._per_second)
        budget.at = now
        if budget.left >= 1:
            budget.left -= 1
            if budget.left * 2 > self._per_second:
                budget.is_refused = False
            return 0, False
        is_first, budget.is_refused = not budget.is_refused, True
        return max(1, round((1 - budget.left) * 1000 / self._per_second)), is_first

    def _forget(self, now: float) -> None:
        fullest = max(self._budgets, key=lambda uid: self._budgets[uid].left + (now - self._budgets[uid].at))
        del self._budgets[fullest]
