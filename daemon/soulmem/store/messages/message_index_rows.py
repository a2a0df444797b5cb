"""Messages as the search index holds them."""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.schema.audience import Audience
from soulmem.fast_dataclasses import dataclass
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed


@dataclass(frozen=True, slots=True)
class IndexRow:
    id: int
    conversation: int
    seq: int
    at: int
    speaker: str
    terms: bytes
    replies: bool  # an assistant said it


def index_rows(
    connection: Connection, *, hide_consolidated: bool, ids: Sequence[int] | None = None,
    audience: Audience | None = None,
) -> list[IndexRow]:  # fmt: skip
    """What the search index holds of messages that can be recalled, in order of arrival."""
    hidden = chosen = ""
    if hide_consolidated and ids is None:  # from the few epochs that are not digested to their messages
        hidden = (
            "AND m.id IN (SELECT id FROM message WHERE (conversation, epoch) IN "
            "(SELECT conversation, epoch FROM epoch WHERE state <> 'consolidated') UNION SELECT message FROM rederive)"
        )
    elif hide_consolidated:  # from the few messages to their epochs
        hidden = (
            "AND (NOT EXISTS (SELECT 1 FROM epoch e WHERE e.conversation = m.conversation AND e.epoch = m.epoch "
            "AND e.state = 'consolidated') OR m.id IN (SELECT message FROM rederive))"
        )
    values = list[str]()
    if ids is not None:
        chosen = f"AND m.id {AMONG}"
        values.append(listed(ids))
    if audience is not None:
        chosen += f" AND m.conversation {AMONG}"
        values.append(listed(sorted(audience)))
    rows = connection.execute(
        "SELECT m.id, m.conversation, m.seq, m.at, m.speaker, m.terms, m.role = 'assistant' FROM message m "
        f"WHERE m.deleted = 0 AND m.role IN ('user', 'assistant') {hidden} {chosen} ORDER BY m.id",
        values,
    ).fetchall()
    return [IndexRow(*row) for row in rows]


def around(connection: Connection, ids: Sequence[int], *, reach: int) -> list[int]:
    """These messages and those within `reach` places of them in their conversations."""
    rows = connection.execute(
        "SELECT DISTINCT o.id FROM message m JOIN message o ON o.conversation = m.conversation "
        f"AND o.seq BETWEEN m.seq - ? AND m.seq + ? WHERE m.id {AMONG}",
        (reach, reach, listed(ids)),
    ).fetchall()
    return [row[0] for row in rows]
