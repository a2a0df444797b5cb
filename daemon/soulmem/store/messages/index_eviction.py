"""Shelving: messages whose epoch was digested leave the search indexes, and come back when they are to be found again.

In a mind whose settings recall digested messages through notes alone, their vectors and full-text rows would be more
than half of the file, for ever. Owns `epoch.shelved_through` (`window_state.SHELVED`). Each call is one short step of a
transaction; epochs are worked off in order, a shelved epoch always from its first message on and one that comes back
from its last, so that a step that was cut off, or a change of mind, goes on where it stands. Invariant: a message is in
the full-text index, or waits for it, if and only if it can be searched at all and is not on the shelf.
"""

from __future__ import annotations

from collections.abc import Callable

from soulmem.core.text import tokens
from soulmem.store.conversation_state import window_state
from soulmem.store.index import embedding_backlog, fts, vectors
from soulmem.store.messages import amendments
from soulmem.store.sqlite.driver import Connection

_DUE = {True: "shelved_through > 0", False: f"state = 'consolidated' AND shelved_through < {window_state.ALL_SHELVED}"}
_SEARCHABLE = "role IN ('user', 'assistant') AND deleted = 0"


def shelve(connection: Connection, most: int) -> bool:
    """Take some messages of digested epochs out of all indexes, at most so many; False when nothing is left to do."""

    def leave(message: int, content: str, is_searchable: bool) -> None:
        if is_searchable:
            fts.remove(connection, "message", message, content)
        vectors.remove(connection, "message", message)

    if _work_off(connection, most, searched=False, move=leave):
        return True
    fts.drop_leavings(connection, "message")
    return False


def unshelve(connection: Connection, most: int) -> bool:
    """Bring some messages back into the full-text index and ask for their vectors, the latest first.

    At most so many; False when nothing is left to do.
    """

    def come_back(message: int, content: str, is_searchable: bool) -> None:
        if is_searchable:
            fts.put(connection, "message", message, tokens.index_text(content))
            embedding_backlog.enqueue(connection, [("message", message, "self"), ("message", message, "context")])

    return _work_off(connection, most, searched=True, move=come_back)


def is_due(connection: Connection, *, searched: bool) -> bool:
    """Whether any message has to come back, or has to go where digested messages are not `searched`."""
    return connection.execute(f"SELECT 1 FROM epoch WHERE {_DUE[searched]} LIMIT 1").fetchone() is not None


def _work_off(connection: Connection, most: int, *, searched: bool, move: Callable[[int, str, bool], None]) -> bool:
    """Move at most so many messages, epoch by epoch, and note how far it came; whether anything is left to do.

    An epoch goes from its first message on and comes back from its last, so `shelved_through` says all either way.
    """
    order, beyond = ("DESC", "<=") if searched else ("ASC", ">")
    left = most
    while left > 0:
        found = connection.execute(
            f"SELECT conversation, epoch, shelved_through FROM epoch WHERE {_DUE[searched]} "
            f"ORDER BY conversation {order}, epoch {order} LIMIT 1"
        ).fetchone()
        if found is None:
            return False
        conversation, epoch, through = found
        rows = connection.execute(
            f"SELECT id, content, {_SEARCHABLE} FROM message WHERE conversation = ? AND epoch = ? AND id {beyond} ? "
            f"ORDER BY id {order} LIMIT ?",
            (conversation, epoch, through, left),
        ).fetchall()
        kept = amendments.among(connection, [row[0] for row in rows])
        for row in rows:
            if row[0] not in kept:  # it is searched itself until its notes are made anew
                move(*row)
        through = 0 if searched else window_state.ALL_SHELVED
        if len(rows) == left:  # there may be more of it
            through = rows[-1][0] - (1 if searched else 0)
        connection.execute(
            "UPDATE epoch SET shelved_through = ? WHERE conversation = ? AND epoch = ?", (through, conversation, epoch)
        )
        left -= max(1, len(rows))
    return is_due(connection, searched=searched)
