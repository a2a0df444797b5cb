"""A backup of a mind: a whole copy of its file, of one moment, checked before it takes its name.

Made from aside, while a daemon has the file open and writes to it or none runs. Called by `soulmem backup`.
Invariants: the copy holds all that was acknowledged before it was begun; what is damaged, or was cut off, never takes
the place of an earlier copy.
"""

from __future__ import annotations

from pathlib import Path

from soulmem.errors import ErrorName, SoulmemError
from soulmem.store.session import verify
from soulmem.store.sqlite import driver, offline_reader, vacuum
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


def _refuse_damaged(part: Path) -> None:
    found = verify.damages(part)
    if found:
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        raise SoulmemError(ErrorName.STORAGE_DAMAGED, "; ".join(found[:3]) + more)
