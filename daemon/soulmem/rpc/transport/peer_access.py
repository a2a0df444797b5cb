"""Who may do what: the peer's uid and groups, read from the kernel, turned into a level of rights.

Owns the levels and the rule; `rpc/transport/server.py` asks it once a connection, `rpc/methods/method_table.py` once a
request. Invariant: rights come from SO_PEERCRED and SO_PEERGROUPS alone, never from anything the peer says (A1).
"""

from __future__ import annotations

import socket
import struct
from dataclasses import field
from enum import IntEnum

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass

_UCRED = struct.Struct("3i")  # pid, uid, gid
_SO_PEERGROUPS = 59  # Linux 4.13; no constant in the standard library
_GROUPS_BYTES = 1024  # the most Python's getsockopt returns: 256 groups


class Rights(IntEnum):
    """Levels in rising order; each contains those below."""

    NONE = 0
    READ = 1
    WRITE = 2
    ADMIN = 3

    @property
    def label(self) -> str:
        """The name as config, schemas and messages spell it."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Credentials:
    """A peer as the kernel saw it when it connected. `groups`: its supplementary groups."""

    pid: int
    uid: int
    gid: int
    groups: frozenset[int] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """Whose daemon this is. `group_gid` is the socket's group, None when there is none to speak of."""

    owner_uid: int
    group_gid: int | None
    others: Rights = Rights.NONE


def rights_of(peer: Credentials, policy: AccessPolicy) -> Rights:
    """The owner and root administer, the socket's group writes, all others get `policy.others`."""
    if peer.uid in (0, policy.owner_uid):
        return Rights.ADMIN
    if policy.group_gid is not None and (peer.gid == policy.group_gid or policy.group_gid in peer.groups):
        return max(Rights.WRITE, policy.others)
    return policy.others


def require(held: Rights, needed: Rights, method: str) -> None:
    """Pass when the rights suffice. Raises SoulmemError: `access_denied`, naming both levels."""
    if held < needed:
        raise SoulmemError(
            ErrorName.ACCESS_DENIED,
            f"{method} needs {needed.label} rights, this connection has {held.label}",
            hint="run as the daemon's user, or join the socket's group for write rights",
        )


def peer_credentials(sock: socket.socket) -> Credentials:
    """Read the peer of a connected Unix socket from the kernel."""
    packed = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
    pid, uid, gid = _UCRED.unpack(packed)
    return Credentials(pid=pid, uid=uid & 0xFFFFFFFF, gid=gid & 0xFFFFFFFF, groups=_peer_groups(sock))


def _peer_groups(sock: socket.socket) -> frozenset[int]:
    try:
        packed = sock.getsockopt(socket.SOL_SOCKET, _SO_PEERGROUPS, _GROUPS_BYTES)
    except OSError:  # an old kernel, or more groups than fit: the primary group still counts
        return frozenset()
    return frozenset(struct.unpack(f"{len(packed) // 4}I", packed))
