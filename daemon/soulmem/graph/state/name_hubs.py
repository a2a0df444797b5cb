"""Name hubs: which notes speak of one person or thing, whatever they say of it and by whatever name they call it.

Part of the working graph; `walk/name_spread` goes through them. A hub is no note: nothing stores it, so it is never a
result, is not counted, and is gone with the last note that rests on it. Invariant: what a hub holds depends on the
notes that are held, not on the order in which they came in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

KIN = "\0"  # between a speaker and his word for a relative


class NameHubs:
    """Names by note, and notes by name."""

    def __init__(self) -> None:
        self._names: dict[int, tuple[str, ...]] = {}
        self._notes: dict[str, set[int]] = {}

    def __len__(self) -> int:
        return len(self._notes)

    def put(self, note: int, names: Iterable[str]) -> None:
        """Say of whom and what a note speaks now."""
        if note in self._names:
            self.drop(note)
        spoken_of = tuple(sorted(set(names)))
        if spoken_of:
            self._names[note] = spoken_of
            for name in spoken_of:
                self._notes.setdefault(name, set()).add(note)

    def drop(self, note: int) -> None:
        """Forget a note; a name that no other note speaks of goes with it."""
        for name in self._names.pop(note, ()):
            held = self._notes[name]
            held.discard(note)
            if not held:
                del self._notes[name]

    def names_in(self, note: int) -> tuple[str, ...]:
        """Of whom and what a note speaks."""
        return self._names.get(note, ())

    def knows_kin(self, note: int) -> bool:
        """Whether a note speaks of somebody's relative by name."""
        kin = [KIN in name for name in self.names_in(note)]
        return any(kin) and not all(kin)

    def others(self, name: str, note: int, barred: Collection[int], most: int) -> list[int]:
        """The other notes that speak of one, by id; none where more than `most` that are not barred do."""
        held = self._notes.get(name, ())
        if len(held) > most + 1 + len(barred):
            return []  # too many whichever of them are barred
        found = [other for other in held if other != note and other not in barred]
        return sorted(found) if len(found) <= most else []
