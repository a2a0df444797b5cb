"""Audience: what a call in front of a conversation may see of the mind.

Called by `dialogue_service` and by the methods of the notebook, once a call; what it answers is handed on as a `Scope`
and a `RecallRequest.audience`, and nobody else looks at the setting. A call is in front of the conversation that it
names; one that names none is its owner's and sees everything.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from soulmem.core.schema import audience as scopes
from soulmem.core.schema.audience import Sharing
from soulmem.core.schema.blind_ids import SECRET_BYTES, BlindIds
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.errors import SoulmemError
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.store.conversation_state import audience as stored
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.messages import conversations
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

_KEPT = 1_000  # answers for as many conversations, until somebody is new somewhere


class AudienceLookup:
    """Answers for one mind."""

    def __init__(self, memory: OpenMind, settings: SettingsNow) -> None:
        self._memory = memory
        self._settings = settings
        self._known: dict[int, Scope] = {}
        self._ids: BlindIds
        self._secret = b""  # one that is not in the file yet
        self._is_secret_kept = False
        self._known_at = -1  # the version of the speakers that these answers rest on

    def hides_from(self, conversation: str | None) -> bool:
        """Whether there may be anything that a call in front of this conversation must not know of."""
        return conversation is not None and self._settings().recall.sharing is not Sharing.OPEN

    async def blind_ids(self) -> BlindIds:
        """The form of ids in front of whom something is hidden from; the same for as long as the mind is.

        Where the disk takes no more, they are so until it does, or the mind is closed.
        """
        if not self._is_secret_kept:
            found = await self._memory.database.read(mind_metadata.id_secret)
            if found is None:
                self._secret = self._secret or secrets.token_bytes(SECRET_BYTES)
                with suppress(SoulmemError):
                    found = await self._memory.database.write(
                        "id_secret", partial(mind_metadata.keep_id_secret, secret=self._secret)
                    )
            self._is_secret_kept = found is not None
            self._ids = BlindIds(found or self._secret)
        return self._ids

    async def in_front_of(self, conversation: str | None) -> Scope:
        """What may surface in front of a conversation; a name that nobody used yet knows only what is common."""
        sharing = self._settings().recall.sharing
        if conversation is None or sharing is Sharing.OPEN:
            return WHOLE
        home = await self._memory.database.read(conversations.conversation, conversation)
        if home is None or sharing is Sharing.CONVERSATION:
            here = home.id if home else None
            return Scope(scopes.audience(sharing, here, {}), scopes.witnesses(sharing, here, {}))
        speakers = self._memory.speakers
        if not speakers.is_loaded:
            speakers.take(await self._memory.database.read(stored.spoken))
        if self._known_at != speakers.version or len(self._known) >= _KEPT:
            self._known, self._known_at = {}, speakers.version
        found = self._known.get(home.id)
        if found is None:
            said = speakers.by_conversation
            seen, told = (rule(sharing, home.id, said) for rule in (scopes.audience, scopes.witnesses))
            found = self._known[home.id] = Scope(seen, told or frozenset())
        return found

    async def within(self, conversation: str | None, heard_in: Sequence[str] | None) -> Scope:
        """What may surface in front of a conversation and was heard in some, or is common; `heard_in` None: anywhere.

        What is asked for in front of several conversations bears no mark of it: none of them need know of the others.
        """
        scope = await self.in_front_of(conversation)
        if heard_in is None:
            return scope
        rows = await self._memory.database.read(conversations.rows_of, heard_in)
        if scope.audience is not None:
            return Scope(scope.audience & rows, scope.witnesses)
        return Scope(rows, rows if len(rows) == 1 else frozenset())

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
