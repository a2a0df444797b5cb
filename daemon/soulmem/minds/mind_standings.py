"""How all minds stand: what the catalogue knows of closed ones, and open ones with their present numbers.

Part of a `MindRegistry`. The catalogue is an index: whatever becomes of its file, the minds go on, and what is known of
open ones is told without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import anyio.to_thread

from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import Mind
from soulmem.minds.mind_troubles import MindTroubles
from soulmem.ports import World
from soulmem.store.journal import catalog
from soulmem.store.journal.catalog import Entry
from soulmem.store.journal.catalog_file import CatalogFile


class MindStandings:
    """Asks open minds, and keeps the catalogue up to what they say."""

    def __init__(
        self, world: World, book: CatalogFile, troubles: MindTroubles, open_minds: Callable[[], Sequence[Mind]]
    ) -> None:
        self._world = world
        self._book = book
        self._troubles = troubles
        self._open_minds = open_minds

    def follow(self, names: Callable[[], Sequence[str]], made_anew: Callable[[], object]) -> None:
        """Tell the log what becomes of the catalogue. Args: as those of `CatalogFile.follow`."""
        exposed = partial(self._world.emit, "storage_exposed")
        self._book.follow(names, told=self._told, exposed=lambda what: exposed(detail=what), made_anew=made_anew)

    def _told(self, error: SoulmemError | None) -> None:
        if error is None:
            self._world.emit("storage_recovered")
        elif error.name is ErrorName.STORAGE_DAMAGED:
            self._world.emit("storage_damaged", detail=f"{error.message}: it is made anew from the minds")
        else:
            self._world.emit("storage_readonly", detail=error.message)

    async def put(self, mind: Mind, *, closed: bool = False) -> None:
        """Write a mind's present numbers into the catalogue."""
        entry = await mind.entry(closed=closed)
        await self._book.write("catalog.put", partial(catalog.put, entry=entry))

    async def entries(self) -> list[Entry]:
        """All minds; one that cannot be read as it was last, and with what is wrong in the troubles."""
        former = {entry.mind: entry for entry in await self._book.read(catalog.entries)}
        present: dict[str, Entry] = {}
        minds = [mind for mind in self._open_minds() if not mind.life.closed.is_set()]
        refusals = await anyio.to_thread.run_sync(lambda: [mind.memory.database.refusal() for mind in minds])
        for mind, refusal in zip(minds, refusals, strict=True):
            self._troubles.compare(mind.name, mind.memory.database, refusal)
            try:
                present[mind.name] = entry = await mind.entry(closed=False)
            except SoulmemError as error:
                self._troubles.enter(mind.name, mind.memory.database.broken or error)
                continue
            if (before := former.get(mind.name)) is not None and entry.tells_as(before):
                continue
            with suppress(SoulmemError):  # a disk that takes no more keeps nobody from being told
                await self._book.write("catalog.put", partial(catalog.put, entry=entry))
        known = {entry.mind: entry for entry in await self._book.read(catalog.entries)}
        still_open = {mind.name for mind in self._open_minds()}
        told = known | {name: entry for name, entry in present.items() if name in known or name in still_open}
        aside = self._world.underway.aside
        return [told[name].beside(len(aside(name))) for name in sorted(told)]
