"""A reserve of disk: a file that stands for nothing, and is let go when a full disk keeps a file from being opened.

Even to read, SQLite lays an index of the log beside a file, 32 KiB; on a disk without a byte nothing could be opened,
neither the catalogue nor a mind. Kept at the start and with each heartbeat where there is plenty of room; called by
`world`, `minds` and `health`. Invariant: it is never made where room is scarce, and to lose it harms nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from soulmem.store.sqlite import mind_files

RESERVE_BYTES = 2 * 1024 * 1024  # sixty files may be opened
PLENTY_BYTES = 64 * 1024 * 1024
NAME = "reserve"


def keep(state: Path) -> None:
    """Lay the reserve up in a state directory, unless it is there or room is scarce."""
    path = state / NAME
    with suppress(OSError):
        free = os.statvfs(state)
        if path.exists():
            mind_files.tighten(path)
            return
        if free.f_bavail * free.f_frsize < PLENTY_BYTES:
            return
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
        except OSError:
            path.unlink()
        finally:
            os.close(descriptor)


def release(state: Path) -> bool:
    """Let the reserve go; False when there is none."""
    try:
        (state / NAME).unlink()
    except OSError:
        return False
    return True
