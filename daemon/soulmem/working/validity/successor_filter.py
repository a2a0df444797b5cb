"""The successor filter of one recall: of what holds instead of something that came to mind, what may come in.

Made by `basic_recall` for its `ValidityCheck`. Read-only. Invariant: what holds instead comes in only where filters of
the client let it in, and never for a question of what happened in a time that is over.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from soulmem.core.questions.time_questions import TimeAsked
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.store.messages import message_index_rows
from soulmem.store.notes import note_index_rows
from soulmem.store.session.index_building import build_index
from soulmem.store.sqlite.driver import Connection
from soulmem.working.validity.validity_at_recall import Admits


def successor_filter(query: Query, asked: TimeAsked | None, *, fingerprint: str, tells_digested: bool) -> Admits:
    """Which notes and messages a query lets in.

    `asked`: of which time it asks; `fingerprint`: of the embedder; `tells_digested`: messages that became notes come
    back as well.
    """

    def admits(connection: Connection, kind: ItemKind, keys: Sequence[int]) -> Collection[int]:
        if (asked is not None and asked.is_over) or (query.kinds is not None and kind not in query.kinds):
            return ()
        is_note, hide = kind is ItemKind.NOTE, not tells_digested
        said = [] if is_note else message_index_rows.index_rows(connection, hide_consolidated=hide, ids=keys)
        noted = note_index_rows.index_rows(connection, keys) if is_note else []
        return build_index(connection, fingerprint, said, noted).admits(query, kind, keys)

    return admits
