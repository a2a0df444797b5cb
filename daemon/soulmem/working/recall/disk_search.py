"""Disk search: what belongs to a query, of a mind that is too large for memory.

Called by `basic_recall` where no index is held in memory. Full-text search and vec0 bring up candidates, of which an
index is made that ranks them as ever. Read-only. Invariants: what fits into one reading is read in whole, so that it
ranks as in memory; nothing outside the audience is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from soulmem.core.questions.advice_questions import WISH_WORDS
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index import fts, vectors
from soulmem.store.messages import message_index_rows, message_log
from soulmem.store.notes import note_index_rows
from soulmem.store.session.index_building import build_index
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

WHOLE = 4_096  # rows that are read in whole for one search
_CANDIDATES = 200  # a channel
_REACH = 2  # neighbouring turns loaded with each candidate


class DiskSearch:
    """Searches the file of one mind."""

    def __init__(self, memory: OpenMind, settings: Callable[[], MindSettings]) -> None:
        self._memory = memory
        self._settings = settings

    async def admitted(self, query: Query, keys: Sequence[int]) -> Collection[int]:
        """Those of these notes that the filters of a query let through."""

        def look(connection: Connection) -> Collection[int]:
            rows = note_index_rows.index_rows(connection, keys)
            return build_index(connection, self._memory.fingerprint, [], rows).admits(query, ItemKind.NOTE, keys)

        return await self._memory.database.read(look)

    async def search(self, query: Query, text: str) -> list[Hit]:
        """The best items for a query, best first; `text`: the beginning of it."""
        return await self._memory.database.read(self._gather, query, text)

    def _gather(self, connection: Connection, query: Query, text: str) -> list[Hit]:
        hide = not self._settings().recall.digested_messages
        fingerprint, scope, seen = self._memory.fingerprint, Scope(query.audience), query.audience
        many = message_log.count(connection) if seen is None else message_log.count_within(connection, seen)
        if many + note_index_rows.count(connection, scope) <= WHOLE:
            said = message_index_rows.index_rows(connection, hide_consolidated=hide, audience=seen)
            noted = note_index_rows.index_rows(connection, scope=scope)
            return build_index(connection, fingerprint, said, noted).search(query)
        found = self._candidates(connection, query, text, scope)
        spoken = list(found["message"])
        near_said = message_index_rows.around(connection, spoken, reach=_REACH) if spoken else []
        near_noted = note_index_rows.around(connection, sorted(found["note"]), reach=_REACH)
        index = build_index(
            connection,
            fingerprint,
            message_index_rows.index_rows(connection, hide_consolidated=hide, ids=near_said),
            note_index_rows.index_rows(connection, near_noted, scope),
        )
        return index.search(query)

    def _candidates(self, connection: Connection, query: Query, text: str, scope: Scope) -> dict[str, set[int]]:
        """The messages and notes that full-text search and vec0 bring up; of few notes that are asked for, all."""
        chosen = {"note": query.notes, "message": query.messages}
        found: dict[str, set[int]] = {"message": set(), "note": set()}
        for kind, items in found.items():
            among = None if (few := chosen[kind]) is None else few.tolist()
            if among is not None and len(among) <= WHOLE:
                items.update(among)
                continue
            best = fts.find(connection, kind, text, _CANDIDATES, scope, among=among)
            items.update(item for item, _ in best)
            if query.question.seeks_advice:  # wishes share no word with what is to be done
                wishes = fts.find(connection, kind, WISH_WORDS, _CANDIDATES, scope, among=among)
                items.update(item for item, _ in wishes)
            if query.vector is not None:
                near = vectors.nearest_within(
                    connection, self._memory.fingerprint, query.vector, _CANDIDATES, scope, kind=kind, among=among
                )
                items.update(item for item, _ in near)
        found["message"].update(fts.find_waiting(connection, text, scope))
        return found
