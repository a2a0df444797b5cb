"""What the terminal interface asks of the daemon, and what it changed: the one place that makes calls.

Invariant: whatever is changed here can be taken back here, in reverse order, as long as the program runs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from soulmem.client import AsyncClient

_PAGE = 500
MOST_NOTES = 5_000  # listed at once; what is beyond is searched for
_FOUND = 40
Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to a note, and the call that takes it back."""

    verb: str
    mind: str
    note: str
    back: str
    params: Item = field(default_factory=dict)


class NoteDesk:
    """Reads and changes notes of any mind."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self.done: list[Change] = []

    async def minds(self) -> list[Item]:
        return list((await self._client.status())["minds"])

    async def notes(self, mind: str, *, forgotten: bool) -> list[Item]:
        """The notes of a mind, those alive or those forgotten, the latest first."""
        items: list[Item] = []
        params: Item = {"mind": mind, "limit": _PAGE, "state": "forgotten" if forgotten else "active"}
        async for item in self._client.items("note.list", params):
            items.append(item)
            if len(items) >= MOST_NOTES:
                break
        return sorted(items, key=lambda item: str(item.get("at") or ""), reverse=True)

    async def unmet(self, mind: str) -> list[Item]:
        """What was asked in talk to be forgotten and is there still, the latest first."""
        page = await self._client.call("note.list", {"mind": mind, "state": "forgotten", "limit": 1}, retry=True)
        return list(page.get("unmet") or ())

    async def search(self, mind: str, query: str) -> list[Item]:
        """What a mind remembers of something, best first; the recall leaves no trace."""
        params = {"mind": mind, "query": query, "k": _FOUND, "record": False}
        return list((await self._client.call("recall", params, retry=True))["items"])

    async def note(self, mind: str, note: str) -> tuple[Item, Item]:
        """A note, and its history."""
        params = {"mind": mind, "id": note}
        found = await self._client.call("note.get", params, retry=True)
        return found.get("note", found), await self._client.call("note.history", params, retry=True)

    async def reword(self, mind: str, note: Item, text: str) -> None:
        params = {"mind": mind, "id": note["id"], "text": text, "version": note["version"]}
        await self._client.call("note.update", params)
        self._remember(Change("reworded", mind, note["id"], "restore", {"version": note["version"]}))

    async def pin(self, mind: str, note: Item) -> None:
        """Pin it, or unpin it where it is pinned."""
        verb, back = ("unpin", "pin") if note.get("pinned") else ("pin", "unpin")
        await self._client.call(f"note.{verb}", {"mind": mind, "id": note["id"]})
        self._remember(Change(f"{verb}ned", mind, note["id"], back))

    async def forget(self, mind: str, note: Item) -> None:
        await self._client.call("note.forget", {"mind": mind, "id": note["id"]})
        self._remember(Change("forgotten", mind, note["id"], "restore"))

    async def restore(self, mind: str, note: Item) -> bool:
        """Bring it back; whether there was anything to bring back."""
        done = await self._client.call("note.restore", {"mind": mind, "id": note["id"]})
        restored = done.get("restored") is not False
        if restored and is_forgotten(note):
            self._remember(Change("restored", mind, note["id"], "forget"))
        return restored

    async def undo(self) -> Change | None:
        """Take the last change back; None: there is none."""
        if not self.done:
            return None
        change = self.done[-1]
        await self._client.call(f"note.{change.back}", {"mind": change.mind, "id": change.note, **change.params})
        self.done.pop()
        return change

    def events(self) -> AsyncIterator[Item]:
        return self._client.watch()

    def _remember(self, change: Change) -> None:
        self.done.append(change)


def is_forgotten(note: Item) -> bool:
    return note.get("lifecycle") == "forgotten"
