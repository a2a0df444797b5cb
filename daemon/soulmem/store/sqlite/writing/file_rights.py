"""Whether the files under an open mind may still be written by us, and by nobody else be read.

SQLite goes on with what it has open, whatever becomes of the rights to it: what it takes then can be opened by nobody
after a restart, or is read by everybody. Asked by `file_replacement_check` before each commit with what it has found of
the files, and by whoever tells how a mind stands. Invariant: what was so when the file was opened is no change.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.sqlite import mind_files

Rights = tuple[int, int, int]  # mode, owner, group
_OTHERS = 0o077
_OF_A_FILE, _OF_A_FOLDER = os.R_OK | os.W_OK, os.W_OK | os.X_OK


class FileRights:
    """Of a database, its log and the directory they lie in.

    `exposed`: what others could read meanwhile and was closed to them again, to be told on the event loop.
    """

    def __init__(self, database: str) -> None:
        self._database = database
        self._files = (database, f"{database}-wal")
        self._folder = os.path.dirname(database)
        self._known: dict[str, Rights] = {}  # as they were when nothing was amiss
        self._checked: tuple[Rights | None, ...] = ()  # in the order of the paths, when all was well last
        self._turn = threading.Lock()
        self.exposed: deque[str] = deque()

    def remember(self) -> None:
        """These are the rights: the files were just opened."""
        with self._turn, suppress(PermissionError):
            self._known.clear()
            self._checked = ()
            for path in (*self._files, self._folder):
                if (found := _rights(_stat(path))) is not None:
                    self._known[path] = found
            if self._folder in self._known and mind_files.is_of_minds(Path(self._folder)):
                # It was closed at the start, and may have been opened while no mind was.
                mode, *owners = self._known[self._folder]
                self._known[self._folder] = (mode & ~_OTHERS, owners[0], owners[1])

    def check(self, *found: os.stat_result | None) -> None:
        """Look whether we may write, and take from others what they were given meanwhile.

        Args: found: what was just found of the file and of its log; None where there is none.
        Raises: SoulmemError: `storage_readonly`, until it is put right.
        """
        now = tuple(map(_rights, (*found, _stat(self._folder))))
        if now == self._checked:
            return
        with self._turn:
            for path, rights in zip((*self._files, self._folder), now, strict=True):
                if rights is not None and self._known.get(path) != rights:
                    self._known[path] = self._put_right(path, rights)
            self._checked = now

    def refusal(self) -> SoulmemError | None:
        """Why nothing can be written; None where it can, or where more is amiss than rights. In any thread."""
        try:
            self.check(*(_stat(path) for path in self._files))
        except PermissionError:
            return lost(self._database)
        except SoulmemError as error:
            return error
        return None

    def _put_right(self, path: str, now: Rights) -> Rights:
        """The rights to go on with. Raises SoulmemError: `storage_readonly`, where they cannot be put right."""
        if not os.access(path, _OF_A_FOLDER if path == self._folder else _OF_A_FILE):
            raise lost(path)
        if not self._is_opened_up(path, now):
            return now
        name = os.path.basename(path)
        if path == self._folder:
            mind_files.tighten_folder(Path(self._folder))
            closed = _rights(_stat(path)) or now
            if not self._is_opened_up(path, closed):
                self.exposed.append(f"others were allowed into the directory {name}; they are no more")
            return closed  # one in which more lies than ours is for its owner to open
        mind_files.tighten(Path(self._database))
        after = _rights(_stat(path))
        if after is None or self._is_opened_up(path, after):
            raise _refused(f"others may read {name}, which is not ours to forbid")
        self.exposed.append(f"others were allowed to read {name}; they are no more")
        return after

    def _is_opened_up(self, path: str, now: Rights) -> bool:
        """Whether others may do with a file or the directory what they could not before."""
        before = self._known.get(path, now)
        return bool(now[0] & _OTHERS & ~before[0])


def lost(path: str) -> SoulmemError:
    """What is said of a file that may not be written any more, or not be looked at."""
    return _refused(f"{os.path.basename(path)} may not be written any more: its rights were changed")


def _refused(message: str) -> SoulmemError:
    return SoulmemError(
        ErrorName.STORAGE_READONLY,
        message,
        hint="put its owner and permissions back; writing goes on by itself then, and reading meanwhile",
    )


def _rights(status: os.stat_result | None) -> Rights | None:
    return None if status is None else (status.st_mode, status.st_uid, status.st_gid)


def _stat(path: str) -> os.stat_result | None:
    """Raises PermissionError: nobody lets us look."""
    try:
        return os.stat(path)
    except PermissionError:
        raise
    except OSError:
        return None
