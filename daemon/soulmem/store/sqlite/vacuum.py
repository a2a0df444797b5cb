"""Vacuum: a file of which much is free gets smaller.

Free pages are used again by whatever is written next, so a mind that holds about as much every day needs nothing of
this; it is for those of which much was dropped at once. Only files made with `auto_vacuum = incremental` can give pages
back (see `driver.writer`); older ones keep them for later. A whole copy holds no free page at all.
"""

from __future__ import annotations

import os
from pathlib import Path

from soulmem.store.sqlite import mind_files
from soulmem.store.sqlite.driver import Connection

PART = ".part"  # what a copy is called until it is whole
_LEAST = 1024  # free pages below which a file is left as it is
_SHARE = 4  # and at least one in so many pages must be free
_INCREMENTAL = 2


def spare_pages(connection: Connection, most: int) -> int:
    """How many pages are to be given back now, at most so many; 0 where too few are free, or none can be given."""
    free, pages, mode = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("freelist_count", "page_count", "auto_vacuum")
    )
    if mode != _INCREMENTAL or free < _LEAST or free * _SHARE < pages:
        return 0
    return min(most, free)


def give_back(connection: Connection, pages: int) -> int:
    """Move the last pages of the file into free ones, and cut it off behind them; this many at most.

    Returns how many bytes are left. The file gets so short when a checkpoint comes to it, whoever's commit brings it.
    """
    connection.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()
    left, size = (int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "page_size"))
    return left * size


def copy_whole(connection: Connection, copy: Path) -> None:
    """Copy the file whole and certain, or not at all: what a crash cut off must never pass for the copy."""
    part = copy.with_suffix(PART)
    copy_into(connection, part)
    keep(part, copy)


def copy_into(connection: Connection, part: Path) -> None:
    """Write a whole copy to a file that takes the place of what an earlier attempt left."""
    discard(part)
    mind_files.make_private(part)  # SQLite takes an empty file, and would make one that all may read
    connection.execute("VACUUM INTO ?", (str(part),))


def discard(part: Path) -> None:
    """Remove what was begun of a copy."""
    for left in (part, Path(f"{part}-journal")):
        left.unlink(missing_ok=True)


def keep(part: Path, copy: Path) -> None:
    """Give what was written its name, certain from now on, in place of an earlier copy."""
    with part.open("rb") as written:
        os.fsync(written.fileno())  # SQLite does not flush what VACUUM INTO writes
    part.rename(copy)
    mind_files.flush(copy.parent)
