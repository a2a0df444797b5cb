"""Scoping: what a call in front of a conversation may see of the mind.

Called by `converse` and by the methods of the notebook, once a call; what it answers is handed on as a `Scope` and a
`Wanted.audience`, and nobody else looks at the setting. A call is in front of the conversation that it names; one that
names none is its owner's and sees everything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from soulmem.core import scope as scopes
from soulmem.core.index import Hit
from soulmem.core.rows import ItemKind
from soulmem.core.scope import Sharing
from soulmem.ops.config import MindSettings
from soulmem.store import messages
from soulmem.store import scope as stored
from soulmem.store.driver import Connection
from soulmem.store.open_mind import OpenMind
from soulmem.store.scope import WHOLE, Scope

_KEPT = 1_000  # answers for as many conversations, until somebody is new somewhere


class Scoping:
    """Answers for one mind."""

    def __init__(self, memory: OpenMind, settings: Callable[[], MindSettings]) -> None:
        self._memory = memory
        self._settings = settings
        self._known: dict[int, Scope] = {}
        self._known_at = -1  # the version of the speakers that these answers rest on

    async def in_front_of(self, conversation: str | None) -> Scope:
        """What may surface in front of a conversation; a name that nobody used yet knows only what is common."""
        sharing = self._settings().recall.sharing
        if conversation is None or sharing is Sharing.OPEN:
            return WHOLE
        home = await self._memory.database.read(messages.conversation, conversation)
        if home is None or sharing is Sharing.CONVERSATION:
            return Scope(scopes.audience(sharing, home.id if home else None, {}))
        speakers = self._memory.speakers
        if not speakers.is_loaded:
            speakers.take(await self._memory.database.read(stored.spoken))
        if self._known_at != speakers.version or len(self._known) >= _KEPT:
            self._known, self._known_at = {}, speakers.version
        found = self._known.get(home.id)
        if found is None:
            found = self._known[home.id] = Scope(scopes.audience(sharing, home.id, speakers.by_conversation))
        return found

    async def surfacing(self, hits: Sequence[Hit], scope: Scope) -> list[Hit]:
        """Those of the hits of a former recall that may surface now."""
        if scope.audience is None:
            return list(hits)

        def read(connection: Connection) -> set[tuple[ItemKind, int]]:
            return {
                (kind, item)
                for kind in (ItemKind.MESSAGE, ItemKind.NOTE)
                for item in scope.within(connection, kind.value, (hit.key for hit in hits if hit.kind is kind))
            }

        seen = await self._memory.database.read(read)
        return [hit for hit in hits if (hit.kind, hit.key) in seen]
