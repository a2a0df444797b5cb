"""Blurring: letting search know what of a mind's notes has faded.

Opacity is computed when read, but indexes hold words. When an element crosses a threshold its note is indexed anew by
what still shows; nothing is written between crossings. The sweep of an idle mind does it, and before any search what is
overdue, so that nobody finds a note by words that are masked by now, however long the talk. Made by `mind`. While the
clock is suspect nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soulmem.core import tokens
from soulmem.core.drafts import NoteKind
from soulmem.core.index import SearchIndex
from soulmem.core.rows import ItemKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import World
from soulmem.store import elements, notes, showing
from soulmem.store.driver import Connection
from soulmem.store.notes import Note
from soulmem.store.open_mind import OpenMind

_CHUNK = 16  # notes in one transaction: whoever else writes never waits long


class Blurring:
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

        Args:
            most: notes to change, about; None is all.
        """
        done = 0
        while self.is_due and (most is None or done < most):
            looked_at, changed = await self._some()
            done += changed
            if not looked_at:  # what was known of it was out of date
                self._memory.fades_exp = await self._memory.database.read(elements.next_due)
        return done

    async def keep_up(self) -> None:
        """`catch_up` before a search. A disk that takes no more keeps nobody from searching what is known."""
        try:
            await self.catch_up()
        except SoulmemError as error:
            if error.name not in {ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY}:
                raise

    async def _some(self) -> tuple[int, int]:
        """One transaction: how many notes were looked at, and how many changed."""
        now_exp = self._now_exp()

        def step(connection: Connection) -> tuple[int, list[Note]]:
            due = elements.overdue(connection, now_exp, _CHUNK)
            changed = showing.refresh(connection, due, now_exp)
            return len(due), list(notes.get_many(connection, changed).values()) if changed else []

        def after(found: tuple[int, list[Note]]) -> None:
            _, changed = found
            self._memory.follow(lambda index: index_anew(index, changed))
            blurred = sum(note.shown is not None for note in changed)
            if blurred:
                self._world.emit("note_blurred", mind=self._memory.name, count=blurred)
            if changed:
                self._wake("embed")

        looked_at, changed = await self._memory.database.write("blur", step, after=after)
        return looked_at, len(changed)

    def _now_exp(self) -> int:
        return self._memory.now(self._world.clock.trusted_now_ms())


def index_anew(index: SearchIndex, changed: Sequence[Note]) -> None:
    """Let notes be found by what shows of them; the vectors of what showed before are gone."""
    for note in changed:
        if note.kind is not NoteKind.TRIGGER:
            hashes = tokens.term_hashes(tokens.segment(note.indexed))
            index.add(
                ItemKind.NOTE, note.id, speaker=note.found_speaker, at_ms=note.found_at, terms=hashes, homes=note.homes
            )
