"""What is wrong with the files of minds, until that is over: kept for who asks how they stand, and told in the log."""

from __future__ import annotations

from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import Emit
from soulmem.store.sqlite.database import Database


class MindTroubles:
    """Why minds cannot be read or written, each until it is opened again, or its rights are put right."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._known: dict[str, SoulmemError] = {}

    def __contains__(self, mind: str) -> bool:
        return mind in self._known

    def get(self, mind: str) -> SoulmemError | None:
        return self._known.get(mind)

    def enter(self, mind: str, error: SoulmemError) -> None:
        """Something is wrong; damage is told in the log, once until it is over."""
        before = self._known.get(mind)
        self._known[mind] = error
        if error.name is ErrorName.STORAGE_DAMAGED and (before is None or before.name is not error.name):
            self._emit("storage_damaged", mind=mind, detail=error.message)

    def end(self, mind: str) -> None:
        """The mind was opened, or is no more."""
        self._known.pop(mind, None)

    def follow(self, mind: str, database: Database) -> None:
        """Hear of what becomes of the file of a mind that was just opened."""
        database.report(
            lambda error: self.enter(mind, error),
            lambda what: self._emit("storage_exposed", mind=mind, detail=what),
        )

    def compare(self, mind: str, database: Database, refusal: SoulmemError | None) -> None:
        """Look at an open mind, of which `refusal` was just found: what rights forbid passes by itself."""
        database.tell()
        error = database.broken or refusal
        if error is not None:
            self.enter(mind, error)
        elif (before := self._known.get(mind)) is not None and before.name is ErrorName.STORAGE_READONLY:
            self.end(mind)
