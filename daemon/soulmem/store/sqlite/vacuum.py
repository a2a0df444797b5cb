"""Vacuum: a file of which much is free gets smaller.

Free pages are used again by whatever is written next, so a mind that holds about as much every day needs nothing of
this; it is for those of which much was dropped at once. Only files made with `auto_vacuum = incremental` can give pages
back (see `driver.writer`); older ones keep them for later.
"""

from __future__ import annotations

from soulmem.store.sqlite.driver import Connection

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


def give_back(connection: Connection, pages: int) -> None:
    """Move the last pages of the file into free ones, and cut it off behind them; this many at most."""
    connection.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()
