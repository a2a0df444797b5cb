"""Nights that a kill -9 cuts short: a mind as it was before, the kill, and what it is after two nights in peace."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from checking import checking
from daemon_fixture import Daemon, daemon_process, start, wait_ready
from soulmem.client import DaemonUnavailable
from soulmem.store.session.verify import damages

T = TypeVar("T")
CONTINUED = "--simulated-clock"


def copied_amid(daemon: Daemon, state: Path, to: Path) -> None:
    """Copy the state directory of a daemon that runs; nothing that a killed one had not written gets into the copy."""
    daemon.process.send_signal(signal.SIGSTOP)
    shutil.copytree(state, to)
    daemon.process.send_signal(signal.SIGCONT)


def copied(state: Path, root: Path) -> Path:
    """A root of its own for a copy of a state directory."""
    root.mkdir()
    shutil.copytree(state, root / "state")
    return root


def after_kill(
    root: Path,
    night: Mapping[str, Any],
    delay: float,
    picture: Callable[[Daemon], T],
    killed: Callable[[Daemon], None] = lambda _: None,
) -> T:
    """What `picture` shows of a mind whose daemon is killed so many seconds into a night, and which then sleeps twice.

    Args: night: the parameters of `idle.run`; killed: looks at the daemon right before it dies.
    """
    daemon = start(root, CONTINUED)
    wait_ready(daemon)
    client = daemon.client()
    try:
        client.call("idle.run", {**night, "wait": False})
        time.sleep(delay)
    except DaemonUnavailable:
        pass
    client.close()
    killed(daemon)
    daemon.kill()
    with daemon_process(root, CONTINUED, name="again") as again:
        for _ in range(2):
            again.call("idle.run", dict(night))
            checking(again).settle(night["mind"])
        found = picture(again)
    assert damages(root / "state" / "minds" / f"{night['mind']}.db") == []
    return found
