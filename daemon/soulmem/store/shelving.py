"""Shelving: messages whose epoch was digested leave the search indexes, and come back when they are to be found again.

In a mind whose settings recall digested messages through notes alone, their vectors and full-text rows would be more
than half of the file, for ever. Owns `epoch.shelved_through` (`windows.SHELVED`). Each call is one short step of a
transaction; epochs are worked off in order, a shelved epoch always from its first message on and one that comes back
from its last, so that a step that was cut off, or a change of mind, goes on where it stands. Invariant: a message is in
the full-text index, or waits for it, if and only if it can be searched at all and is not on the shelf.
"""

from __future__ import annotations

from soulmem.core import tokens
from soulmem.store import search, vectors, windows
from soulmem.store.driver import Connection

_SEARCHABLE = "role IN ('user', 'assistant') AND deleted = 0"


def shelve(connection: Connection, most: int) -> bool:
    """Take some messages of digested epochs out of all indexes, at most so many; False when nothing is left to do."""
    left = most
    while left > 0:
        found = connection.execute(
            "SELECT conversation, epoch, shelved_through FROM epoch WHERE state = 'consolidated' "
            f"AND shelved_through < {windows.ALL_SHELVED} ORDER BY conversation, epoch LIMIT 1"
        ).fetchone()
        if found is None:
            break
        conversation, epoch, through = found
        rows = connection.execute(
            f"SELECT id, content, {_SEARCHABLE} FROM message WHERE conversation = ? AND epoch = ? AND id > ? "
            "ORDER BY id LIMIT ?",
            (conversation, epoch, through, left),
        ).fetchall()
        for message, content, is_searchable in rows:
            if is_searchable:
                search.remove(connection, "message", message, content)
            vectors.remove(connection, "message", message)
        _set(connection, conversation, epoch, rows[-1][0] if len(rows) == left else windows.ALL_SHELVED)
        left -= max(1, len(rows))
    if is_due(connection, searched=False):
        return True
    search.drop_leavings(connection, "message")
    return False


def unshelve(connection: Connection, most: int) -> bool:
    """Bring some messages back into the full-text index and ask for their vectors, the latest first.

    At most so many; False when nothing is left to do.
    """
    left = most
    while left > 0:
        found = connection.execute(
            "SELECT conversation, epoch, shelved_through FROM epoch WHERE shelved_through > 0 "
            "ORDER BY conversation DESC, epoch DESC LIMIT 1"
        ).fetchone()
        if found is None:
            break
        conversation, epoch, through = found
        rows = connection.execute(
            f"SELECT id, content, {_SEARCHABLE} FROM message WHERE conversation = ? AND epoch = ? AND id <= ? "
            "ORDER BY id DESC LIMIT ?",
            (conversation, epoch, through, left),
        ).fetchall()
        for message, content, is_searchable in rows:
            if is_searchable:
                search.put(connection, "message", message, tokens.index_text(content))
                vectors.enqueue(connection, [("message", message, "self"), ("message", message, "context")])
        _set(connection, conversation, epoch, rows[-1][0] - 1 if len(rows) == left else 0)
        left -= max(1, len(rows))
    return is_due(connection, searched=True)


def is_due(connection: Connection, *, searched: bool) -> bool:
    """Whether any message has to come back, or has to go where digested messages are not `searched`."""
    where = "shelved_through > 0"
    if not searched:
        where = f"state = 'consolidated' AND shelved_through < {windows.ALL_SHELVED}"
    return connection.execute(f"SELECT 1 FROM epoch WHERE {where} LIMIT 1").fetchone() is not None


def _set(connection: Connection, conversation: int, epoch: int, through: int) -> None:
    connection.execute(
        "UPDATE epoch SET shelved_through = ? WHERE conversation = ? AND epoch = ?", (through, conversation, epoch)
    )
