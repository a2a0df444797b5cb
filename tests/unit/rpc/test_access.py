"""Rights as a matrix: who × policy, and level × need."""

from __future__ import annotations

import os
import socket

import pytest

from every_row import every_row
from soulmem.errors import ErrorName, SoulmemError
from soulmem.rpc.transport.peer_access import AccessPolicy, Credentials, Rights, peer_credentials, require, rights_of

OWNER, GROUP, STRANGER = 1000, 500, 2000

PEERS = {
    "root": Credentials(pid=1, uid=0, gid=0),
    "owner": Credentials(pid=2, uid=OWNER, gid=OWNER),
    "owner in the group": Credentials(pid=3, uid=OWNER, gid=GROUP),
    "primary member": Credentials(pid=4, uid=STRANGER, gid=GROUP),
    "further member": Credentials(pid=5, uid=STRANGER, gid=STRANGER, groups=frozenset({7, GROUP})),
    "stranger": Credentials(pid=6, uid=STRANGER, gid=STRANGER, groups=frozenset({7})),
    "root's group": Credentials(pid=7, uid=STRANGER, gid=0),
}
N, R, W, A = Rights.NONE, Rights.READ, Rights.WRITE, Rights.ADMIN
MATRIX = {  # columns: others none · others read · others write · no group, others none
    "root": (A, A, A, A),
    "owner": (A, A, A, A),
    "owner in the group": (A, A, A, A),
    "primary member": (W, W, W, N),
    "further member": (W, W, W, N),
    "stranger": (N, R, W, N),
    "root's group": (N, R, W, N),
}
POLICIES = (
    AccessPolicy(OWNER, GROUP),
    AccessPolicy(OWNER, GROUP, others=Rights.READ),
    AccessPolicy(OWNER, GROUP, others=Rights.WRITE),
    AccessPolicy(OWNER, None),
)


@every_row(PEERS, range(len(POLICIES)))
def test_who_gets_what(who: str, column: int) -> None:
    assert rights_of(PEERS[who], POLICIES[column]) is MATRIX[who][column]


@every_row(Rights, Rights)
def test_a_level_contains_those_below(held: Rights, needed: Rights) -> None:
    if held.value >= needed.value:
        require(held, needed, "note.forget")
        return
    with pytest.raises(SoulmemError) as refused:
        require(held, needed, "note.forget")
    assert refused.value.name is ErrorName.ACCESS_DENIED
    assert "note.forget" in refused.value.message
    assert needed.label in refused.value.message


def test_the_wire_names_are_stable() -> None:
    assert [(level.value, level.label) for level in Rights] == [(0, "none"), (1, "read"), (2, "write"), (3, "admin")]


def test_the_kernel_tells_who_is_there() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        found = peer_credentials(ours)
    assert (found.pid, found.uid, found.gid) == (os.getpid(), os.geteuid(), os.getegid())
    assert found.groups == frozenset(os.getgroups())
