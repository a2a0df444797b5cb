"""Directories of minds: which files stand for one, who may read them, and how a directory survives a power cut.

A new one is certain only when the directory above it was flushed. Invariant: what is made here nobody but its owner may
read, whatever the umask; what was made otherwise is tightened where it is ours alone. Nothing is opened as a database
that is no file (`refuse_irregular`).
"""

from __future__ import annotations

import errno
import os
import resource
import stat
from contextlib import suppress
from pathlib import Path

from soulmem import file_kinds
from soulmem.errors import ErrorName, SoulmemError

COPIED_BEFORE = ".before-"  # in the name of a copy, between the name of its mind and a version of the schema
_ROOM_BYTES = 1 << 20
_DESCRIPTORS = 4  # that SQLite has open at once for one connection: file, log, index, directory
_DIRECTORY, _FILE = 0o700, 0o600  # what may be done, by the owner alone
_PARTS = ("", "-wal", "-shm", "-journal")  # of a database: its file, and what SQLite opens beside it
_OURS = frozenset(
    {"minds", "models", "prompts", "soulmem.lock", "endpoints.json", "reserve", "underway"}
)  # in a state directory


def make(path: Path) -> None:
    """Make a private directory with its parents and flush every level that is new.

    Raises OSError: as `mkdir` does; where something else stands, it says what.
    """
    if (what := file_kinds.irregular(path, folder=True)) is not None:
        raise NotADirectoryError(errno.ENOTDIR, f"it is {what}", os.fspath(path))
    missing = [level for level in (path, *path.parents) if not level.exists()]
    for level in reversed(missing):
        level.mkdir(mode=_DIRECTORY, exist_ok=True)
    path.mkdir(mode=_DIRECTORY, exist_ok=True)
    for level in missing:
        flush(level.parent)


def make_private(database: Path) -> None:
    """Make the file of a new database, empty, so that it and the files beside it are its owner's alone.

    One that exists is not opened: to close a file that SQLite has open in this process would end its locks. Where none
    can be made, SQLite says why.
    """
    with suppress(OSError):
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE))


def tighten(database: Path) -> None:
    """Take from all but its owner what they may do with a database and the files beside it; only where it is ours."""
    for suffix in ("", "-wal", "-shm"):
        _tighten(Path(f"{database}{suffix}"), _FILE)


def tighten_directory(path: Path) -> None:
    """The same for a directory."""
    _tighten(path, _DIRECTORY)


def tighten_state(path: Path) -> None:
    """The same for a state directory, if nothing but ours lies in it: somebody may have chosen his home."""
    with suppress(OSError):
        if all(entry.name in _OURS or entry.name.startswith("catalog.") for entry in path.iterdir()):
            _tighten(path, _DIRECTORY)


def is_of_minds(folder: Path) -> bool:
    """Whether a directory is that of the minds by its name, and so ours whatever lies in it."""
    return folder.name == "minds"


def tighten_folder(folder: Path) -> None:
    """The same for the directory of the minds, or for a state directory: no other is ours to close."""
    if is_of_minds(folder):
        tighten_directory(folder)
    else:
        tighten_state(folder)


def _tighten(path: Path, mode: int) -> None:
    with suppress(OSError):  # it is gone, or lies where modes mean nothing
        status = path.stat(follow_symlinks=False)
        if status.st_uid == os.geteuid() and not stat.S_ISLNK(status.st_mode) and status.st_mode & 0o077:
            path.chmod(mode)


def refuse_irregular(database: Path) -> None:
    """Refuse what is no file in the place of a database or beside it: it would be waited for, or written through.

    Raises SoulmemError: `storage_damaged`; `storage_readonly` where that may not be looked at.
    """
    for part in (Path(f"{database}{suffix}") for suffix in _PARTS):
        try:
            what = file_kinds.irregular(part)
        except OSError as error:
            raise unreadable(database.parent, error) from error
        if what is not None:
            raise SoulmemError(ErrorName.STORAGE_DAMAGED, f"{part.name} is {what}", hint="move it out of the way")


def unreadable(directory: Path, error: OSError) -> SoulmemError:
    """A directory of minds cannot be looked into: what is in it is neither gone nor damaged."""
    message = f"the directory {directory.name} cannot be read: {error.strerror or type(error).__name__}"
    return SoulmemError(
        ErrorName.STORAGE_READONLY, message, hint="check the owner and permissions of the state directory"
    )


def is_there(database: Path) -> bool:
    """Whether anything stands in the place of a database, be it a link that leads nowhere.

    Raises SoulmemError: `storage_damaged` where its directory is none; `storage_readonly` where that cannot be read.
    """
    try:
        database.lstat()
        return True
    except OSError as error:
        folder = database.parent
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            raise unreadable(folder, error) from error
        if (what := file_kinds.irregular(folder, folder=True)) is not None:
            raise SoulmemError(
                ErrorName.STORAGE_DAMAGED, f"{folder.name} is {what}", hint="move it out of the way"
            ) from error
        return False


def mind_files(directory: Path) -> list[Path]:
    """The files of minds, by name; none where there is no directory. A copy that `migrations` made of one is none.

    Raises OSError: the directory cannot be read.
    """
    try:
        names = os.listdir(directory)
    except FileNotFoundError:
        return []
    minds = (directory / name for name in names if name.endswith(".db") and COPIED_BEFORE not in name)
    return sorted(minds, key=lambda path: path.stem)


def copies_of(database: Path) -> list[Path]:
    """The copies that `migrations` made of the file of a mind.

    By hand: `glob` would keep a pattern of each name it was ever asked for, those of deleted minds too.
    """
    begins = f"{database.stem}{COPIED_BEFORE}"
    return sorted(path for path in _listed(database.parent) if path.name.startswith(begins) and path.suffix == ".db")


def _listed(directory: Path) -> list[Path]:
    with suppress(OSError):
        return list(directory.iterdir())
    return []


def set_aside(database: Path) -> None:
    """Rename a damaged database and drop its log, so that a new one can take its place."""
    database.rename(database.with_suffix(".damaged"))
    remove(database, but_file=True)


def remove(database: Path, *, but_file: bool = False) -> None:
    """Delete a database with its log; it does not come back after a power cut."""
    for suffix in ("-wal", "-shm") if but_file else ("", "-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)
    flush(database.parent)


def size(path: Path) -> int:
    """Bytes of a file; 0 when it is not there."""
    return path.stat().st_size if path.exists() else 0


def signature(path: Path) -> tuple[int, int]:
    """(size, time of change in nanoseconds): whether a file was replaced or mended since; zeros where none is seen."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_size, status.st_mtime_ns)


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


def forbids(database: Path) -> bool:
    """Whether a file cannot be opened because of what it is or where it lies."""
    folder = database.parent
    try:
        is_readonly = bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return True
    if is_readonly or not os.access(folder, os.W_OK | os.X_OK):
        return True
    return database.exists() and not (database.is_file() and os.access(database, os.R_OK | os.W_OK))


def lacks_descriptors() -> bool:
    """Whether this process, or the machine, has too few descriptors left to open a database."""
    opened: list[int] = []
    try:
        while len(opened) < _DESCRIPTORS:
            opened.append(os.open("/", os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    finally:
        for descriptor in opened:
            os.close(descriptor)
    return False


def flush(path: Path) -> None:
    """Make a directory's entries certain, or how long a log is: SQLite does not flush that it was cut off.

    Not for a database that is open: to close it here would let go of its locks.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
