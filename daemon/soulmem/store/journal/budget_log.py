"""What was spent today, kept in the catalogue, so that a restart forgets no budget: minds may be closed, or deleted.

Made and hosted by `daemon`. `note` is called after every charge and returns at once; `run` writes what changed, as one
transaction for all that came meanwhile. Should the last moments before a crash be missing here, each mind's own ledger
holds them and tells them when the mind is opened.
"""

from __future__ import annotations

from contextlib import suppress

import anyio

from soulmem.errors import SoulmemError
from soulmem.store.journal import catalog
from soulmem.store.journal.catalog import Spending
from soulmem.store.journal.catalog_file import CatalogFile

KEPT_DAYS = 31
_PAUSE_S = 5.0


class SpendingBook:
    """Writes the spending of each mind and day into the catalogue."""

    def __init__(self, book: CatalogFile) -> None:
        self._book = book
        self._changed: dict[tuple[str, int], Spending] = {}
        self._work = anyio.Event()

    async def load(self, day: int) -> list[Spending]:
        """What is known of a UTC day; what is long past is dropped."""
        with suppress(SoulmemError):  # where nothing can be written, it is dropped another time
            await self._book.write("spending.trim", lambda c: catalog.forget_spending(c, day - KEPT_DAYS))
        return await self._book.read(catalog.spending, day)

    def note(self, mind: str, day: int, tokens: int, cost: float) -> None:
        """Take note of what a mind has spent on a day so far."""
        self._changed[mind, day] = Spending(mind, day, tokens, cost)
        self._work.set()

    async def run(self) -> None:
        """Write what changed until cancelled; a catalogue that cannot be written is tried again."""
        while True:
            await self._work.wait()
            self._work = anyio.Event()
            try:
                await self.flush()
            except SoulmemError:  # a full disk: the minds' own ledgers hold the same
                self._work.set()
                await anyio.sleep(_PAUSE_S)

    async def flush(self) -> None:
        """Write what changed now. Raises SoulmemError: the storage errors; what changed is kept for the next time."""
        changed, self._changed = self._changed, {}
        if not changed:
            return
        try:
            with anyio.CancelScope(shield=True):
                await self._book.write("spending", lambda c: catalog.put_spending(c, list(changed.values())))
        except BaseException:
            self._changed = changed | self._changed
            raise
