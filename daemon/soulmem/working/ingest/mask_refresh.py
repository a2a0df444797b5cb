"""Mask refresh: letting search know what of a mind's notes has faded.

Opacity is computed when read, but indexes hold words. When an element crosses a threshold its note is indexed anew by
what still shows; nothing is written between crossings. The sweep of an idle mind does it, and before any search what is
overdue, so that nobody finds a note by words that are masked by now, however long the talk. Made by `mind`. While the
clock is suspect nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable

from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import World
from soulmem.store.notes import element_rows, heard_names, masked_indexing, note_index_rows, note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

_CHUNK = 16  # notes in one transaction: whoever else writes never waits long


class MaskRefresh:
    """Keeps what search knows of one mind's notes in step with what shows of them."""

    def __init__(self, memory: OpenMind, world: World, wake: Callable[[str], None]) -> None:
        self._memory = memory
        self._world = world
        self._wake = wake

    @property
    def is_due(self) -> bool:
        """Whether something crossed a threshold that search does not know of; costs nothing to ask."""
        due = self._memory.fades_exp
        return due is not None and due <= self._now_exp() and not self._world.clock.suspect

    async def catch_up(self, most: int | None = None) -> int:
        """Index anew what is overdue; how many notes are found by other words now.

        `most`: notes to change, about; None is all.
        """
        done = 0
        while self.is_due and (most is None or done < most):
            done += await self._some()
        return done

    async def keep_up(self) -> None:
        """`catch_up` before a search. A disk that takes no more keeps nobody from searching what is known."""
        try:
            await self.catch_up()
        except SoulmemError as error:
            if error.name not in {ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY}:
                raise

    async def _some(self) -> int:
        """One transaction: how many notes changed."""
        now_exp = self._now_exp()

        def step(connection: Connection) -> tuple[int | None, list[Note]]:
            due = element_rows.overdue(connection, now_exp, _CHUNK)
            heard_names.keep(connection, due, now_exp)
            changed = masked_indexing.refresh(connection, due, now_exp)
            found = list(note_rows.get_many(connection, changed).values()) if changed else []
            return element_rows.next_due(connection), found

        def after(found: tuple[int | None, list[Note]]) -> None:
            self._memory.fades_exp, changed = found  # in the order of commits, so a later one has the last word
            self._memory.follow(lambda index: note_index_rows.put(index, changed))
            blurred = sum(note.shown is not None for note in changed)
            if blurred:
                self._world.emit("note_blurred", mind=self._memory.name, count=blurred)
            if changed:
                self._wake("embed")

        _, changed = await self._memory.database.write("blur", step, after=after)
        return len(changed)

    def _now_exp(self) -> int:
        return self._memory.now(self._world.clock.trusted_now_ms())
