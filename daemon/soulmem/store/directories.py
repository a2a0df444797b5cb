"""Directories of minds: which files stand for one, and how a directory survives a power cut.

A new one is certain only when the directory above it was flushed.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path

_ROOM_BYTES = 1 << 20


def make(path: Path) -> None:
    """Make a private directory with its parents and flush every level that is new.

    Raises:
        OSError: as `mkdir` does.
    """
    missing = [level for level in (path, *path.parents) if not level.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for level in missing:
        flush(level.parent)


def mind_files(directory: Path) -> list[Path]:
    """The files of minds, by name. A copy that `migrations` made of one is none."""
    return sorted((path for path in directory.glob("*.db") if ".before-" not in path.name), key=lambda path: path.stem)


def set_aside(database: Path) -> None:
    """Rename a damaged database and drop its log, so that a new one can take its place."""
    database.rename(database.with_suffix(".damaged"))
    remove(database, but_file=True)


def remove(database: Path, *, but_file: bool = False) -> None:
    """Delete a database with its log."""
    for suffix in ("-wal", "-shm") if but_file else ("", "-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)


def size(path: Path) -> int:
    """Bytes of a file; 0 when it is not there."""
    return path.stat().st_size if path.exists() else 0


def signature(path: Path) -> tuple[int, int]:
    """(size, time of change in nanoseconds): whether a file was replaced or mended since."""
    status = path.stat() if path.exists() else None
    return (status.st_size, status.st_mtime_ns) if status else (0, 0)


def is_full(database: Path) -> bool:
    """Whether an I/O error is explained by a disk, or a limit on files, that takes no more.

    The driver does not tell a failed write from a failed flush; what is not explained so was the flush. A disk that
    cannot be asked any more explains nothing.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        largest = max(size(database), size(Path(f"{database}-wal")))
        free = os.statvfs(database.parent)
    except OSError:
        return False
    if limit != resource.RLIM_INFINITY and largest + _ROOM_BYTES > limit:
        return True
    return free.f_bavail * free.f_frsize < _ROOM_BYTES


def flush(path: Path) -> None:
    """Make a directory's entries certain."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
