"""The exclusive lock on a state directory: at most one daemon owns it, and the kernel frees it when that dies.

It is on a file, which names the owner, and on the directory itself: the file may be removed while it is held.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path

from soulmem import file_kinds
from soulmem.errors import StartupError
from soulmem.store.sqlite import mind_files

_MAY_BE_READ = (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT)


class StateLock:
    """Held from start to stop. The file stays; only the lock on it counts."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "soulmem.lock"
        self._descriptor: int | None = None
        self._folder: int | None = None

    def acquire(self) -> None:
        """Take the lock and write our pid into the file.

        Raises StartupError: 75 when another daemon holds it (naming its pid), 73 when the directory is not writable.
        """
        try:
            what = file_kinds.irregular(self._path)
            if what is not None:
                raise StartupError(f"{self._path} is {what}: move it out of the way", exit_code=73)
            descriptor = self._open()
        except OSError as error:
            raise StartupError(
                f"the state directory {self._path.parent} cannot be written ({error.strerror}): "
                "check its owner and permissions, or choose another with --state",
                exit_code=73,
            ) from error
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            owner = os.read(descriptor, 32).decode("ascii", "replace").strip() if is_file else ""
            os.close(descriptor)
            raise self._taken(f"pid {owner or 'unknown'}") from error
        if is_file:
            try:
                self._folder = self._lock_folder()
            except BlockingIOError as error:
                os.close(descriptor)
                raise self._taken(f"whose {self._path.name} was removed") from error
        mind_files.tighten(self._path)
        with suppress(OSError):  # a full disk, or one that is read-only: the lock holds without our pid
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor = descriptor

    def _open(self) -> int:
        """The file to lock; where none can be written, and there are minds to be read, as it is, or the directory."""
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            if error.errno not in _MAY_BE_READ or not (self._path.parent / "catalog.db").exists():
                raise
            readable = self._path if self._path.exists() else self._path.parent
            return os.open(readable, os.O_RDONLY | os.O_CLOEXEC)

    def _lock_folder(self) -> int | None:
        """The directory, locked; None where directories cannot be. Raises BlockingIOError: another daemon holds it."""
        try:
            descriptor = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:  # who may write it need not be allowed to read it
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise
            return None
        return descriptor

    def _taken(self, by: str) -> StartupError:
        return StartupError(
            f"another soulmem daemon ({by}) already runs on {self._path.parent}: "
            "stop it first, or choose another directory with --state",
            exit_code=75,
        )

    def release(self) -> None:
        for descriptor in (self._descriptor, self._folder):
            if descriptor is not None:
                os.close(descriptor)
        self._descriptor = self._folder = None
