"""Amendments: what was said was changed, and what was made of the former words has to follow.

Owns `epoch.amended`, `message.sealed` and `rederive`. Called in the transaction that changes or deletes a message or
purges a note, and by whoever makes something of what was said: he notes how often the epoch had been amended before he
reads, and stores nothing if it is more by then. Invariant: a message stands in `rederive` from the moment its notes are
withdrawn until others take their place; meanwhile it is searched itself, digested or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.text import tokens
from soulmem.store.conversation_state import window_state
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.index import embedding_backlog, fts, vectors
from soulmem.store.journal import digestion_jobs
from soulmem.store.messages.message_log import Message
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

STEP = "rederive"
_NONE = "{}"


def count(connection: Connection, conversation: int, epoch: int) -> int:
    """How often what was said in an epoch was changed."""
    row = connection.execute(
        "SELECT amended FROM epoch WHERE conversation = ? AND epoch = ?", (conversation, epoch)
    ).fetchone()
    return int(row[0]) if row else 0


def touch(connection: Connection, conversation: int, epoch: int) -> None:
    """What was said in an epoch is another now: whoever has read it must read it again."""
    connection.execute(
        "UPDATE epoch SET amended = amended + 1 WHERE conversation = ? AND epoch = ?", (conversation, epoch)
    )


def describe(connection: Connection, message: Message, attributes: str) -> bool:
    """Give a message these attributes, JSON, instead of those it has; False: it has them already."""
    if attributes == (message.attributes or _NONE):
        return False
    connection.execute(
        "UPDATE message SET attributes = ? WHERE id = ?", (None if attributes == _NONE else attributes, message.id)
    )
    return True


def seal(connection: Connection, messages: Sequence[int], *, sealed: bool) -> None:
    """Let no note be made of these messages again, or let it be."""
    connection.execute(f"UPDATE message SET sealed = ? WHERE id {AMONG}", (sealed, listed(messages)))


def sealed(connection: Connection, messages: Sequence[int]) -> frozenset[int]:
    rows = connection.execute(f"SELECT id FROM message WHERE sealed AND id {AMONG}", (listed(messages),))
    return frozenset(row[0] for row in rows)


def demand(connection: Connection, messages: Sequence[int], now: int) -> list[int]:
    """Ask for new notes of those of these messages whose epochs became notes already; they are searched from now on."""
    asked = connection.execute(
        "SELECT m.id, m.conversation, m.epoch, m.content, m.role IN ('user', 'assistant') FROM message m "
        f"WHERE m.id {AMONG} AND m.deleted = 0 AND m.pos IS NOT NULL AND EXISTS (SELECT 1 FROM epoch e "
        "WHERE e.conversation = m.conversation AND e.epoch = m.epoch AND (e.state = 'consolidated' OR EXISTS "
        "(SELECT 1 FROM job j WHERE j.conversation = e.conversation AND j.epoch = e.epoch AND j.step = 'split' "
        "AND j.state = 'done')))",
        (listed(messages),),
    ).fetchall()
    shelved = window_state.shelved(connection, [row[0] for row in asked])
    for message, conversation, epoch, content, is_searchable in asked:
        connection.execute("INSERT OR IGNORE INTO rederive (message) VALUES (?)", (message,))
        digestion_jobs.reopen(connection, STEP, conversation, epoch, now)
        if message in shelved and is_searchable:
            fts.put(connection, "message", message, tokens.index_text(content))
            embedding_backlog.enqueue(connection, [("message", message, "self"), ("message", message, "context")])
    return [row[0] for row in asked]


def among(connection: Connection, messages: Sequence[int]) -> frozenset[int]:
    """Those of these messages whose notes are still to be made anew."""
    rows = connection.execute(f"SELECT message FROM rederive WHERE message {AMONG}", (listed(messages),))
    return frozenset(row[0] for row in rows)


def waiting(connection: Connection, conversation: int, epoch: int) -> list[int]:
    """The messages of an epoch whose notes are to be made anew."""
    rows = connection.execute(
        "SELECT r.message FROM rederive r JOIN message m ON m.id = r.message "
        "WHERE m.conversation = ? AND m.epoch = ? ORDER BY r.message",
        (conversation, epoch),
    )
    return [row[0] for row in rows]


def settle(connection: Connection, messages: Sequence[int]) -> None:
    """Their notes are there: digested messages go back to the shelf."""
    connection.execute(f"DELETE FROM rederive WHERE message {AMONG}", (listed(messages),))
    shelved = window_state.shelved(connection, messages)
    rows = connection.execute(
        "SELECT id, content FROM message WHERE role IN ('user', 'assistant') AND deleted = 0 "
        f"AND id {AMONG} ORDER BY id",
        (listed(shelved),),
    ).fetchall()
    for message, content in rows:
        fts.remove(connection, "message", message, content)
        vectors.remove(connection, "message", message)


def due(connection: Connection) -> list[EpochRow]:
    """Digested epochs of which something is to be made anew, the first to be digested first."""
    rows = connection.execute(
        f"{window_state.EPOCHS} WHERE e.state = 'consolidated' AND ((e.conversation, e.epoch) IN "
        "(SELECT m.conversation, m.epoch FROM rederive r JOIN message m ON m.id = r.message) OR "
        "(e.conversation, e.epoch) IN (SELECT j.conversation, j.epoch FROM job j WHERE j.step = ? "
        "AND j.state NOT IN ('done', 'failed'))) ORDER BY e.frozen_at, e.conversation, e.epoch",
        (STEP,),
    ).fetchall()
    return [EpochRow(*row) for row in rows]


def open_jobs(connection: Connection, now: int) -> list[EpochRow]:
    """`due`, each with a job that is still to be done: one may have ended just when something else was amended."""
    found = due(connection)
    for each in found:
        if waiting(connection, each.conversation, each.epoch):
            held = digestion_jobs.ensure(connection, STEP, each.conversation, each.epoch, now)
            if held.state in (digestion_jobs.DONE, "failed"):
                digestion_jobs.reopen(connection, STEP, each.conversation, each.epoch, now)
    return found
