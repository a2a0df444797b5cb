"""A file that cannot be written where it lies: on a file system that is read-only, or without the right to.

SQLite needs to write even to read a file with a log. So one whose log is empty is read as it lies, and of one with a
log a copy is read, into which the log was folded; it is nobody else's, and goes when the file is closed or can be
written again. Asked by `database` when it opens a file, and before each write. Invariant: nothing of what lies there is
changed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite import driver, mind_files

_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a private directory in it, where there is one


class LockedAway:
    """A file that cannot be written. `readable` can be opened by `driver.reader` without a trace."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.readable = path
        log = Path(f"{path}-wal")
        if not mind_files.size(log):
            return
        self._folder = tempfile.TemporaryDirectory(prefix="soulmem-", dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None)
        self.readable = Path(self._folder.name) / path.name
        shutil.copyfile(path, self.readable)
        shutil.copyfile(log, f"{self.readable}-wal")
        driver.writer(self.readable)().close()  # the last one to close it folds the log into it

    @classmethod
    def of(cls, path: Path) -> LockedAway | None:
        """None where it can be written, or does not exist and SQLite is to say why it cannot be made.

        Raises SoulmemError: `storage_readonly`, when there is no room for a copy of it.
        """
        if not path.is_file() or _may_be_written(path):
            return None
        try:
            return cls(path)
        except OSError as error:
            raise _refusal(path) from error

    def check(self) -> None:
        """Raises: SoulmemError: `storage_readonly`, while it still cannot be written."""
        if not _may_be_written(self._path):
            raise _refusal(self._path)

    def leave(self) -> None:
        """Nobody reads it any more."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _may_be_written(path: Path) -> bool:
    try:
        is_readonly = bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return True  # it is gone, or cannot be asked: SQLite says more
    return not is_readonly and os.access(path, os.R_OK | os.W_OK) and os.access(path.parent, os.W_OK | os.X_OK)


def _refusal(path: Path) -> SoulmemError:
    return SoulmemError(
        ErrorName.STORAGE_READONLY,
        f"{path.name} cannot be written: its file system is read-only, or its owner is another",
        hint="check the mount, the owner and the permissions of the state directory; reading goes on meanwhile",
    )
