"""The validity check of one recall: what it may see, when it asks, and what may come in instead of what holds no more.

Made by `basic_recall` for `rerank`. Read-only. Invariant: what holds instead comes in only where the client's filters
let it in, and never for a question of what happened in a time that is over.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from soulmem.core.questions.time_questions import TimeAsked
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.messages import message_index_rows
from soulmem.store.notes import note_index_rows
from soulmem.store.session.index_building import build_index
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall.recall_request import RecallRequest
from soulmem.working.validity.validity_at_recall import ValidityCheck


def check_for_recall(
    wanted: RecallRequest,
    query: Query,
    asked: TimeAsked | None,
    text: str,
    *,
    now_ms: int,
    fingerprint: str,
    tells_digested: bool,
) -> ValidityCheck:
    """How what still holds is told for a question, `text` as it is read.

    `asked`: of which time it asks; `tells_digested`: messages that became notes come back as well.
    """

    def admits(connection: Connection, kind: ItemKind, keys: Sequence[int]) -> Collection[int]:
        if (asked is not None and asked.is_over) or (query.kinds is not None and kind not in query.kinds):
            return ()
        is_note, hide = kind is ItemKind.NOTE, not tells_digested
        said = [] if is_note else message_index_rows.index_rows(connection, hide_consolidated=hide, ids=keys)
        noted = note_index_rows.index_rows(connection, keys) if is_note else []
        return build_index(connection, fingerprint, said, noted).admits(query, kind, keys)

    return ValidityCheck(
        text,
        Scope(wanted.audience),
        admits,
        now_ms,
        as_of=wanted.as_of,
        before=wanted.before,
        conversation=wanted.conversation,
        leaves_out=wanted.leaves_out,
        asker=wanted.asker or "",
        vector=query.vector,
        fingerprint=fingerprint,
    )
