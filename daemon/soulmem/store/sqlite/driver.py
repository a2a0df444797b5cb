"""The SQLite driver: which library speaks to the file, and how a connection is set up.

Many Pythons cannot load extensions, and SQLite before 3.51.3 has a bug in WAL mode that can lose committed data
when two connections write or checkpoint at once (sqlite.org/wal.html, section 11). So the `pysqlite3` wheel is
preferred where it exists; the standard module serves if it can load extensions; otherwise the daemon refuses to
start and says how to mend it. Called by `database` and by `soulmem doctor`.

Files are opened by the VFS `unix-excl`: while this process has one open, no other may open it, and the index of its
log is memory of this process, not a file that SQLite maps into it (sqlite.org/vfs.html). Who cuts such a file off ends
whoever has it mapped; here there is none. Who only looks (`offline_reader`) needs no lock.
"""

from __future__ import annotations

import sqlite3 as _types  # the type of both drivers' connections, and the fallback driver
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import quote

import sqlite_vec

from soulmem.errors import ErrorName, SoulmemError, StartupError
from soulmem.store.sqlite import mind_files

Connection = _types.Connection
T = TypeVar("T")
P = ParamSpec("P")
Row = Any  # a tuple as the driver returns it; each table maps its own in one function

APPLICATION_ID = 0x534F554C  # "SOUL": tells our files from other people's
WAL_BUG_FIXED_IN = (3, 51, 3)
ALONE = "unix-excl"  # see above
WAL_BUG_BACKPORTS = {(3, 44): 6, (3, 50): 7}


def _load_module() -> tuple[Any, str]:
    try:
        import pysqlite3  # noqa: PLC0415 - optional: only where a wheel exists

        return pysqlite3, "pysqlite3"
    except ImportError:
        return _types, "sqlite3"


_module, DRIVER = _load_module()
DatabaseError: type[Exception] = _module.DatabaseError
OperationalError: type[Exception] = _module.OperationalError
IntegrityError: type[Exception] = _module.IntegrityError
SQLITE_VERSION: str = _module.sqlite_version


def _can_load_extensions() -> bool:
    return hasattr(_module.Connection, "enable_load_extension")


def require_usable_driver() -> None:
    """Check that the driver can load sqlite-vec. Raises StartupError: exit code 78, naming the fix."""
    if not _can_load_extensions():
        raise StartupError(
            "this Python's sqlite3 module cannot load extensions and pysqlite3 is not installed: "
            "run `pip install pysqlite3`, or use a Python whose sqlite3 was built with extension loading",
            exit_code=78,
        )


def has_wal_bug(version: str = SQLITE_VERSION) -> bool:
    """Whether this SQLite has the WAL-reset bug; harmless to us as one connection writes and checkpoints."""
    numbers = tuple(int(part) for part in version.split(".")[:3])
    patched = WAL_BUG_BACKPORTS.get((numbers[0], numbers[1]))
    return numbers < WAL_BUG_FIXED_IN and (patched is None or numbers[2] < patched)


def _with_vec(connection: Any) -> Connection:
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    return connection  # type: ignore[no-any-return]  # both drivers share the standard module's interface


def refuse_foreign(connection: Connection, path: Path) -> None:
    """Leave another program's database alone, before anything in it could change.

    Raises SoulmemError: `storage_damaged`.
    """
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if tables and application != APPLICATION_ID:
        raise SoulmemError(
            ErrorName.STORAGE_DAMAGED,
            f"{path.name} is an SQLite file of another program",
            hint="move it out of the state directory; it was left unchanged",
        )


_AUTO_VACUUM = "PRAGMA auto_vacuum = INCREMENTAL"  # see `vacuum`


def writer(path: Path) -> Callable[[], Connection]:
    """A connector for the one connection that writes and checkpoints `path`."""

    def connect() -> Connection:
        mind_files.refuse_irregular(path)
        mind_files.make_private(path)
        connection = _connect(path, "rwc")
        try:
            refuse_foreign(connection, path)
            mind_files.tighten(path)
            _with_vec(connection)
            if connection.execute("PRAGMA page_count").fetchone()[0] == 0:  # else it would be written at every opening
                connection.execute(_AUTO_VACUUM)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten, not only given up
            connection.execute("PRAGMA cache_size = -8000")
            # One checkpoint per some hundred writes (a message is about twelve pages) stays out of the 99th percentile;
            # ticks checkpoint in calm. The log then takes 32 MB at most.
            connection.execute("PRAGMA wal_autocheckpoint = 8000")
        except BaseException:
            connection.close()
            raise
        return connection  # type: ignore[no-any-return]  # see _with_vec

    return connect


def in_memory() -> Connection:
    """A database in memory whose pages are laid out as those of a new file, to be copied into one."""
    connection = _with_vec(_connect(Path(":memory:"), ""))
    connection.execute(_AUTO_VACUUM)
    return connection


def reader(path: Path, *, traceless: bool = False) -> Callable[[], Connection]:
    """A connector for a read-only connection beside the writer; it can neither write nor checkpoint.

    `traceless`: there may be no writer. Where the log is empty, the file is read as it lies, and nothing is made beside
    it.
    """

    def connect() -> Connection:
        mind_files.refuse_irregular(path)
        at_rest = traceless and not mind_files.size(Path(f"{path}-wal"))
        connection = _connect(path, "ro&immutable=1" if at_rest else "ro")
        try:
            _with_vec(connection)
            connection.execute("PRAGMA cache_size = -8000")
            if not at_rest:  # what it needs is opened now, not by whoever reads first
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection  # type: ignore[no-any-return]  # see _with_vec

    return connect


_TELLS_FRAMES = tuple(int(part) for part in SQLITE_VERSION.split(".")[:2]) >= (3, 51)  # else it would checkpoint


def _connect(path: Path, mode: str) -> Any:
    uri = str(path) if str(path) == ":memory:" else f"file:{quote(str(path))}?mode={mode}&vfs={ALONE}"
    connection = _module.connect(
        uri, uri=uri.startswith("file:"), isolation_level=None, cached_statements=256, check_same_thread=False
    )
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA temp_store = MEMORY")  # no text of anybody's in a directory for all
    return connection


def committed_frames(connection: Connection) -> int | None:
    """How many frames of the log are committed, asked between two transactions; None where SQLite does not tell.

    That is before 3.51, and where it refuses: what was committed does not fail because of a question about it.
    """
    if not _TELLS_FRAMES:
        return None
    try:
        return int(connection.execute("PRAGMA wal_checkpoint(NOOP)").fetchone()[1])
    except DatabaseError:
        return None


@contextmanager
def snapshot(connection: Connection) -> Iterator[None]:
    """All that is read within is of one moment, whatever commits meanwhile; within another, of that one's."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:  # SQLite has already rolled back after some errors
            connection.execute("COMMIT")


def of_one_moment(
    connection: Connection, run: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """What `run(connection, ...)` makes of one moment, however many statements it takes and whatever commits between.

    It must have read all its rows when it returns: a cursor that is left open keeps the moment.
    """
    with snapshot(connection):
        return run(connection, *args, **kwargs)


def describe() -> dict[str, Any]:
    """What `soulmem doctor` reports about the driver."""
    report: dict[str, Any] = {
        "driver": DRIVER,
        "sqlite": SQLITE_VERSION,
        "extensions": _can_load_extensions(),
        "wal_bug": has_wal_bug(),
        "sqlite_vec": None,
    }
    if report["extensions"]:
        connection = _with_vec(_module.connect(":memory:"))
        report["sqlite_vec"] = connection.execute("SELECT vec_version()").fetchone()[0]
        connection.close()
    return report
