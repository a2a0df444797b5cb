"""Conversations by their names."""

from __future__ import annotations

import json
from collections.abc import Sequence

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.sqlite.driver import Connection


@dataclass(frozen=True, slots=True)
class Conversation:
    id: int
    name: str
    next_seq: int
    user_turns: int


def conversation(connection: Connection, name: str) -> Conversation | None:
    row = connection.execute(
        "SELECT id, name, next_seq, user_turns FROM conversation WHERE name = ?", (name,)
    ).fetchone()
    return Conversation(*row) if row else None


def conversation_name(connection: Connection, conversation: int) -> str:
    row = connection.execute("SELECT name FROM conversation WHERE id = ?", (conversation,)).fetchone()
    return str(row[0]) if row else ""


def latest(connection: Connection) -> Conversation | None:
    """The conversation in which something was said last."""
    row = connection.execute(
        "SELECT c.id, c.name, c.next_seq, c.user_turns FROM message m JOIN conversation c ON c.id = m.conversation "
        "ORDER BY m.id DESC LIMIT 1"
    ).fetchone()
    return Conversation(*row) if row else None


def conversation_named(connection: Connection, name: str, scope: Scope = WHOLE) -> Conversation:
    """Raises: SoulmemError: `not_found`."""
    found = conversation(connection, name)
    if found is None or (scope.audience is not None and found.id not in scope.audience):
        raise SoulmemError(ErrorName.NOT_FOUND, f"there is no conversation {name!r} in this mind")
    return found


def list_page(connection: Connection, after: int, limit: int) -> list[tuple[int, str, int, int]]:
    """(row, name, messages, created_at) of the conversations, in the order in which they began, `after` excluded."""
    return connection.execute(
        "SELECT id, name, next_seq - 1, created_at FROM conversation WHERE id > ? ORDER BY id LIMIT ?", (after, limit)
    ).fetchall()


def speakers(connection: Connection, names: Sequence[str]) -> dict[str, list[str]]:
    """Who spoke in each of the conversations of these names, in the order in which they first did."""
    rows = connection.execute(
        "SELECT c.name, m.speaker FROM conversation c JOIN message m ON m.conversation = c.id "
        "WHERE c.name IN (SELECT value FROM json_each(?)) AND m.deleted = 0 AND m.role IN ('user', 'assistant') "
        "GROUP BY c.id, m.speaker ORDER BY c.id, min(m.seq)",
        (json.dumps(list(names)),),
    )
    found: dict[str, list[str]] = {name: [] for name in names}
    for name, speaker in rows.fetchall():
        found[name].append(speaker)
    return found


def rows_of(connection: Connection, names: Sequence[str]) -> frozenset[int]:
    """The rows of the conversations of these names; a name that nobody used has none."""
    rows = connection.execute(
        "SELECT id FROM conversation WHERE name IN (SELECT value FROM json_each(?))", (json.dumps(list(names)),)
    )
    return frozenset(row[0] for row in rows)


def ensure_conversation(connection: Connection, name: str, now: int) -> Conversation:
    found = conversation(connection, name)
    if found is None:
        connection.execute("INSERT INTO conversation (name, created_at) VALUES (?, ?)", (name, now))
        found = conversation(connection, name)
        assert found is not None
    return found
