"""File systems that are as small as a test wants, and how they get full."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_fixture import Daemon
from probing import SAID, add
from soulmem.client import SoulmemRemoteError

BULK = SAID * 60


@contextlib.contextmanager
def small_disk(at: Path, *, megabytes: int) -> Iterator[Path]:
    """A file system of its own, as large as said."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    at.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(at)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip(f"no small file system here: {made.stderr.decode().strip()}")
    try:
        yield at
    finally:
        subprocess.run(["umount", "-l", str(at)], check=True)


def fill(daemon: Daemon, known: list[int]) -> None:
    """Add until the disk takes no more; `known` grows by what was acknowledged.

    When the log is folded into the file there may be room again for a while: full is what refuses five times in a row.
    """
    refused = 0
    for _ in range(3000):
        try:
            add(daemon, "mira", len(known), BULK)
        except SoulmemRemoteError as error:
            if (error.name, error.retryable) != ("storage_full", True):
                raise
            refused += 1
            if refused == 5:
                return
        else:
            known.append(len(known))
            refused = 0
    raise AssertionError("the disk never filled up")


def leave(disk: Path, free: int) -> None:
    """Fill a disk up to so many bytes."""
    filled = os.statvfs(disk)
    (disk / "filling").write_bytes(bytes(filled.f_bavail * filled.f_frsize - free))
