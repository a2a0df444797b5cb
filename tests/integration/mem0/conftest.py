"""A memory in Mem0's words over a real daemon, a mind of its own for each test."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from daemon_fixture import Daemon, daemon_process
from soulmem.mem0 import Memory


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("mem0")) as found:
        yield found


@pytest.fixture
def memory(daemon: Daemon, request: pytest.FixtureRequest) -> Iterator[Memory]:
    name = hashlib.sha256(request.node.name.encode()).hexdigest()[:20]
    with Memory({"soulmem": {"mind": name, "socket": str(daemon.socket)}}) as found:
        yield found
