"""A backup of a mind: a whole copy of its file, of one moment, checked before it takes its name; and the way back.

Made from aside, while a daemon has the file open and writes to it or none runs. Called by `soulmem backup`; what puts
copies in the place of minds is called while no daemon runs (`soulmem restore`, `soulmem move`).
Invariants: the copy holds all that was acknowledged before it was begun; what is damaged, or was cut off, never takes
the place of an earlier copy; what stood in the place of a mind is kept beside it.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.session import mind_metadata, mind_records, verify
from soulmem.store.sqlite import driver, mind_files, offline_reader, vacuum
from soulmem.store.sqlite.driver import Connection


def save(file: Path, copy: Path) -> None:
    """Copy a mind's file, whatever happens to it meanwhile.

    Raises:
        SoulmemError: `storage_damaged` where the file, or what was made of it, is not what was written.
        OSError: it cannot be read or written, or is written to all the time.
    """
    part = copy.with_suffix(vacuum.PART)

    def copied(connection: Connection) -> None:
        driver.refuse_foreign(connection, file)
        vacuum.copy_into(connection, part)

    try:
        offline_reader.look(file, copied)
        _refuse_damaged(part)
        vacuum.keep(part, copy)
    except driver.DatabaseError as error:
        raise SoulmemError(ErrorName.STORAGE_DAMAGED, f"it cannot be read: {error}") from error
    finally:
        vacuum.discard(part)


def put_back(copy: Path, file: Path, name: str) -> Path | None:
    """Make a copy the file of a mind of this name; where what stood there is kept, if anything did.

    Raises:
        SoulmemError: `storage_damaged` where the copy is not what was written, or is no mind.
        OSError: it cannot be read or written.
    """
    part = file.with_suffix(vacuum.PART)
    try:
        offline_reader.look(copy, lambda connection: _copied_mind(connection, copy, part))
        _rename(part, name)
        _refuse_damaged(part)
        kept = _keep_former(file) if mind_files.is_there(file) else None
        vacuum.keep(part, file)
    except driver.DatabaseError as error:
        raise SoulmemError(ErrorName.STORAGE_DAMAGED, f"it cannot be read: {error}") from error
    finally:
        vacuum.discard(part)
        mind_files.remove(part)
    return kept


def is_same(one: Path, other: Path) -> bool:
    """Whether two files hold the same mind, whatever their indexes are."""
    lines = [
        offline_reader.look(each, lambda connection: deque(mind_records.lines(connection), 1)) for each in (one, other)
    ]
    return lines[0] == lines[1]  # the last line seals all before it


def _copied_mind(connection: Connection, copy: Path, part: Path) -> None:
    driver.refuse_foreign(connection, copy)
    if mind_metadata.load(connection) is None:
        raise SoulmemError(ErrorName.STORAGE_DAMAGED, f"{copy.name} is no mind")
    vacuum.copy_into(connection, part)


def _rename(part: Path, name: str) -> None:
    connection = driver.writer(part)()
    try:
        connection.execute("UPDATE mind SET name = ? WHERE name <> ?", (name, name))
    finally:
        connection.close()


def _keep_former(file: Path) -> Path:
    """Keep what stands in the place of a mind: as a whole copy, or as it lies where it is damaged."""
    kept = file.with_name(f"{file.stem}{mind_files.COPIED_BEFORE}restore.db")
    try:
        driver.writer(file)().close()  # its log goes into it
        save(file, kept)
    except (SoulmemError, driver.DatabaseError):
        kept = file.with_suffix(".damaged")
        log = Path(f"{file}-wal")
        if log.exists():
            log.rename(f"{kept}-wal")
        file.rename(kept)
    mind_files.remove(file, but_file=True)
    return kept


def _refuse_damaged(part: Path) -> None:
    found = verify.damages(part)
    if found:
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        raise SoulmemError(ErrorName.STORAGE_DAMAGED, "; ".join(found[:3]) + more)
