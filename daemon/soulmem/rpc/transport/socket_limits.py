"""The bounds of the socket: what one client may ask of the daemon, and how long it may take.

Chosen by `daemon` from the configuration; the server and its connections keep to them. Invariant: whatever a client can
make grow or make wait has its bound here.
"""

from __future__ import annotations

from soulmem.fast_dataclasses import dataclass
from soulmem.rpc.transport.line_framing import DEPTH, FRAME_BYTES


@dataclass(frozen=True, slots=True)
class Limits:
    """Every bound of the socket."""

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
