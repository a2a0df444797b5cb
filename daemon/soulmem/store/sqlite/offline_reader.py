"""A look from aside: at the file of a mind that a daemon may have open, by a program that is none.

While a daemon has a file open nobody else may (`driver`), and whoever reads it without a lock may see half of a
change. So what lies still is read as it is, and what has a log is copied with it, from a moment in which neither was
begun anew: a file changes only where its log is folded into it, and a log is only added to until then.
Called by `soulmem doctor`.
Invariants: nothing is made, changed or locked beside the file; a copy is its maker's alone and goes with the look.
"""

from __future__ import annotations

import errno
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from soulmem.store.sqlite import driver, mind_files
from soulmem.store.sqlite.driver import Connection

T = TypeVar("T")

_TRIES = 5
_BETWEEN_S = 0.2
_LOG_HEADER_BYTES = 32
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a private directory in it, where there is one


def look(path: Path, read: Callable[[Connection], T]) -> T:
    """What `read` makes of the file, of one moment.

    Raises:
        DatabaseError: of the driver.
        OSError: it cannot be read, is written to all the time, or there is no room for a copy.
        SoulmemError: `storage_damaged`: what stands there, or beside it, is no file.
    """
    mind_files.refuse_irregular(path)
    for _ in range(_TRIES):
        before = _state(path)
        if mind_files.size(_log(path)):
            with tempfile.TemporaryDirectory(prefix="soulmem-", dir=_room()) as folder:
                copy = Path(folder) / path.name
                shutil.copyfile(path, copy)
                shutil.copyfile(_log(path), _log(copy))
                if _state(path) == before:
                    return _read(driver.writer(copy), read)  # the log has to be replayed
        else:
            try:
                found = _read(driver.reader(path, traceless=True), read)
            except driver.DatabaseError:
                if _state(path) == before:
                    raise
            else:
                if _state(path) == before and not mind_files.size(_log(path)):
                    return found
        time.sleep(_BETWEEN_S)
    raise OSError(errno.EAGAIN, "it is written to all the time", str(path))


def _read(connect: Callable[[], Connection], read: Callable[[Connection], T]) -> T:
    connection = connect()
    try:
        return read(connection)
    finally:
        connection.close()


def _log(path: Path) -> Path:
    return Path(f"{path}-wal")


def _state(path: Path) -> tuple[tuple[int, int], bytes]:
    """What changes when the log is folded into the file, or begun anew."""
    try:
        with _log(path).open("rb") as log:
            header = log.read(_LOG_HEADER_BYTES)
    except FileNotFoundError:
        header = b""
    return mind_files.signature(path), header


def _room() -> Path | None:
    return _IN_MEMORY if _IN_MEMORY.is_dir() else None
