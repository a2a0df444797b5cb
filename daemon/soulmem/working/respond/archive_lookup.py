"""Archive lookup: what was said and can be recalled no more, for the owner who asks for it; and that there is some.

Called by `dialogue_service`: for `recall` with `reach: archive`, and where a question brought up nothing, to tell what
was never known from what has faded. The archive is looked through by words alone, part by part; it is no memory, so
nothing is recorded, rehearsed or learnt from it. Invariant: nothing outside the scope of the call is looked at, and
nothing that was deleted or taken back (`store/views/archived_words`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import anyio.to_thread
import numpy as np
from numpy.typing import NDArray

from soulmem.core.questions.question_detection import is_question
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.search.score_calibration import LOOKED_AT
from soulmem.core.text import tokens
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.messages import message_index_rows
from soulmem.store.notes import note_rows
from soulmem.store.session.index_building import build_index
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id
from soulmem.store.views import archived_words, wire_views
from soulmem.store.views.archived_words import Part
from soulmem.store.views.faded_summary import Lost
from soulmem.store.views.rendered_notes import REWRITTEN
from soulmem.working.recall.answer_check import calibrated
from soulmem.working.recall.recall_request import NOTHING_KNOWN, RecallRequest, floor_of, item_kinds
from soulmem.working.runtime.long_texts import aside, plainly

ARCHIVE = "archive"
FADED = "faded"  # the reason of a recall that brought up nothing of what was once known
_NOT_AS_TOLD = frozenset({"blurred", "blank", REWRITTEN})
_CANDIDATES = 200
_AROUND = 2  # neighbouring turns loaded with each candidate
_READ = 2_000  # characters of a query
_MOST_ASIDE = 10_000  # messages looked through where nobody asked for the archive


class ArchiveLookup:
    """Looks through the archive of one mind."""

    def __init__(self, memory: OpenMind, world: World, settings: Callable[[], MindSettings]) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings

    async def told(self, wanted: RecallRequest, items: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """The items of a recall, with what of them lies in the archive and what is wanted from there.

        Returns: what `recall` answers of it: `items`, and `reason` where there is none.
        """
        gone = {private_id("n", each["id"]): each for each in items if each["state"] in _NOT_AS_TOLD}
        archived = await self.lie_in(list(gone), wanted) if gone else frozenset()
        for note, item in gone.items():
            if note in archived:
                item["archived"] = True
        shown = await self._with_archive(wanted, items) if wanted.reaches_archive else list(items)
        if shown:
            return {"items": shown}
        lost = await self.lost_to(wanted)
        if not lost:
            return {"items": [], "reason": NOTHING_KNOWN}
        kinds = list(dict.fromkeys(kind for each in lost for kind in each.kinds))
        return {"items": [], "reason": FADED, "archived": True, **({"faded": kinds} if kinds else {})}

    async def lost_to(self, wanted: RecallRequest) -> list[Lost]:
        """What was once known of a question that brought up nothing: notes of which something is gone."""
        floor = self._floor(wanted)
        is_any = wanted.kinds is None or not wanted.kinds.isdisjoint(("note", "message"))
        if self._settings().recall.digested_messages or floor <= 0.0 or not is_any or wanted.as_of is not None:
            return []
        if not is_question(wanted.query):
            return []
        asked = replace(wanted, kinds=frozenset({"message"}), k=3, min_score=floor)
        said = [hit.key for hit in await self._search(asked, most=_MOST_ASIDE)]
        if not said:
            return []
        lost = await self._memory.database.read(archived_words.lost_of, said, self._now(), Scope(wanted.audience))
        return [each for each in lost if (ItemKind.NOTE, each.note) not in wanted.exclude]

    async def lie_in(self, notes: Sequence[int], wanted: RecallRequest) -> frozenset[int]:
        """Those of these notes whose words still lie in the archive."""
        digested = self._settings().recall.digested_messages
        scope = Scope(wanted.audience)
        return await self._memory.database.read(
            lambda connection: archived_words.lie_archived(connection, notes, scope, digested=digested)
        )

    async def _with_archive(self, wanted: RecallRequest, items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The recalled items with what the archive holds beside them, marked so; the best k of both, best first."""
        hits = await self._search(wanted, most=None)
        shown = await self._memory.database.read(_items, hits, self._now())
        # Of a note that shows with gaps the archive has all the words.
        told = {(item["kind"], item.get("ref") or item["id"]) for item in shown}
        kept = [item for item in items if (item["kind"], item.get("ref") or item["id"]) not in told]
        return sorted([*kept, *shown], key=lambda item: -item["score"])[: wanted.k]

    def _floor(self, wanted: RecallRequest) -> float:
        return floor_of(wanted, self._settings().recall.min_score)

    def _now(self) -> int:
        return self._memory.now(self._world.clock.trusted_now_ms())

    async def _search(self, wanted: RecallRequest, *, most: int | None) -> list[Hit]:
        """The best of the archive for a query, by words."""
        text = await plainly(wanted.query[:_READ])
        index = self._memory.index
        speakers = index.speakers_within(wanted.audience) if index is not None else frozenset[str]()
        question = await aside(
            text, lambda: read_question(text, speakers, asker=wanted.asker, at_ms=self._world.clock.now_ms())
        )
        kinds = item_kinds(wanted.kinds)
        if self._settings().recall.digested_messages:
            kinds -= {ItemKind.MESSAGE}
        if wanted.tags:
            return []  # what bears tags is recalled, or forgotten
        scope = Scope(wanted.audience)
        found = await self._candidates(text, kinds, scope, most)
        query = Query(
            question=question, k=max(wanted.k, LOOKED_AT), kinds=kinds, speaker=wanted.speaker, from_ms=wanted.from_ms,
            to_ms=wanted.to_ms, exclude=wanted.exclude, audience=wanted.audience, legible=0.0,
            notes=wanted.numbers_having(ItemKind.NOTE), messages=wanted.numbers_having(ItemKind.MESSAGE),
        )  # fmt: skip

        def rank(connection: Connection) -> list[Hit]:
            near = message_index_rows.around(connection, found[ItemKind.MESSAGE], reach=_AROUND)
            said = archived_words.message_rows(connection, near, scope) if near else []
            noted = archived_words.note_rows_of(connection, found[ItemKind.NOTE], scope)
            return build_index(connection, self._memory.fingerprint, said, noted).search(query)

        hits = await self._memory.database.read(rank) if any(found.values()) else []
        # What only stands beside something that fits says nothing of what is asked.
        hits = [hit for hit in hits if hit.key in set(found[hit.kind])]
        return calibrated(hits, self._floor(wanted), asking=is_question(text))[: wanted.k]

    async def _candidates(
        self, text: str, kinds: frozenset[ItemKind], scope: Scope, most: int | None
    ) -> dict[ItemKind, list[int]]:
        """What shares most with the query, the rarer its words the more."""
        wanted = np.unique(tokens.term_hashes(tokens.query_terms(text)))
        database, found = self._memory.database, dict[ItemKind, list[int]]()
        found[ItemKind.MESSAGE] = found[ItemKind.NOTE] = []
        if not len(wanted):
            return found
        if ItemKind.MESSAGE in kinds:
            parts, before, looked = list[Part](), None, 0
            while most is None or looked < most:
                part = await database.read(archived_words.messages_before, before, scope)
                parts.append(part)
                if (before := part.next_id) is None:
                    break
                looked += archived_words.ROWS_AT_ONCE
            found[ItemKind.MESSAGE] = await anyio.to_thread.run_sync(_best, parts, wanted)
        if ItemKind.NOTE in kinds:
            written = await database.read(archived_words.notes_by_hand, scope)
            found[ItemKind.NOTE] = await anyio.to_thread.run_sync(_best, [written], wanted)
        return found


def _best(parts: Sequence[Part], wanted: NDArray[np.uint32]) -> list[int]:
    """The items that hold most of these terms, at most two hundred."""
    rows = [row for part in parts for row in part.rows]
    if not rows:
        return []
    held = np.frombuffer(b"".join(terms for _, terms in rows), dtype=np.uint32)
    owners = np.repeat(np.arange(len(rows)), [len(terms) // 4 for _, terms in rows])
    places = np.minimum(np.searchsorted(wanted, held), len(wanted) - 1)
    meets = wanted[places] == held
    pairs = np.unique(np.stack([owners[meets], places[meets]]), axis=1)
    rarity = np.log1p(len(rows) / np.maximum(1, np.bincount(pairs[1], minlength=len(wanted))))
    worth = np.bincount(pairs[0], weights=rarity[pairs[1]], minlength=len(rows))
    order = np.argsort(-worth, kind="stable")[:_CANDIDATES]
    return [rows[place][0] for place in order.tolist() if worth[place] > 0.0]


def _items(connection: Connection, hits: Sequence[Hit], now_exp: int) -> list[dict[str, Any]]:
    """Items of the archive, as they were said."""
    shown = wire_views.items(connection, hits, now_exp)
    noted = note_rows.get_many(connection, [hit.key for hit in hits if hit.kind is ItemKind.NOTE])
    return [
        shown[hit.kind.value, hit.key]
        | ({"text": noted[hit.key].text, "state": "clear"} if hit.kind is ItemKind.NOTE else {})
        | {"score": hit.score, "tier": ARCHIVE, "from": ARCHIVE}
        for hit in hits
        if (hit.kind.value, hit.key) in shown
    ]
