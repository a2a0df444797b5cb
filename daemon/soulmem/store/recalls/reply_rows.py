"""Reply rows: which recalls a reply came after, and what they had brought.

Read by `working/feedback/reply_usage`. Nothing is written here; that a reply was read is a row of `feedback`, so that
it teaches once, whatever is replayed or killed.
"""

from __future__ import annotations

from soulmem.core.schema.note_requests import Role
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index import vectors
from soulmem.store.index.vectors import Vector
from soulmem.store.messages import message_log
from soulmem.store.notes import note_rows
from soulmem.store.recalls import recall_records, recall_traces
from soulmem.store.recalls.recall_traces import JUDGED, Source
from soulmem.store.sqlite.driver import Connection

_MOST_RECALLS = 3
_UNREAD_MOST = 40


@dataclass(frozen=True, slots=True)
class Reply:
    """What an assistant said after a user, and the recalls that were made for it and that it has taught nothing of.

    `is_early`: one of these has not been answered yet.
    """

    message: int
    text: str
    question: str
    speakers: tuple[str, ...]
    recalls: tuple[int, ...]
    is_early: bool
    home: int  # its conversation


@dataclass(frozen=True, slots=True)
class HandedOut:
    """An item of a recall as it shows now, with its vectors as far as there are any."""

    kind: str
    item: int
    text: str
    vectors: tuple[Vector, ...] = ()


def reply_at(connection: Connection, conversation: str, seq: int) -> Reply | None:
    """The reply that stands at a place of a conversation; None unless it is the first after what a user said."""
    rows = connection.execute(
        "SELECT m.id, m.role, m.content, m.speaker, m.arrived_at, m.conversation FROM message m "
        "JOIN conversation c ON c.id = m.conversation WHERE c.name = ? AND m.seq <= ? AND m.deleted = 0 "
        "AND m.role IN ('user', 'assistant') ORDER BY m.seq DESC LIMIT 2",
        (conversation, seq),
    ).fetchall()
    if [row[1] for row in rows] != [Role.ASSISTANT, Role.USER]:
        return None
    (message, _, text, speaker, until, home), (asked, _, question, asker, since, _) = rows
    found = connection.execute(
        "SELECT r.id, r.state FROM recall r JOIN recall_epoch e ON e.recall = r.id AND e.conversation = ? "
        "WHERE (r.message = ? OR (r.message IS NULL AND r.at BETWEEN ? AND ?)) AND NOT EXISTS (SELECT 1 "
        "FROM feedback f WHERE f.recall = r.id AND f.source = ? AND f.verdict = ?) ORDER BY r.id DESC LIMIT ?",
        (home, asked, since, until, Source.MESSAGE, JUDGED, _MOST_RECALLS),
    ).fetchall()
    if not found:
        return None
    early = any(state == "pending" for _, state in found)
    return Reply(message, text, question, (speaker, asker), tuple(row[0] for row in reversed(found)), early, home)


def unread(connection: Connection, since: int) -> list[tuple[str, int]]:
    """The latest replies since a time, of which some may have taught nothing yet: conversation and place."""
    rows = connection.execute(
        "SELECT c.name, m.seq FROM message m JOIN conversation c ON c.id = m.conversation WHERE m.role = 'assistant' "
        "AND m.deleted = 0 AND m.arrived_at >= ? ORDER BY m.id DESC LIMIT ?",
        (since, _UNREAD_MOST),
    ).fetchall()
    return [(name, seq) for name, seq in reversed(rows)]


def is_said(connection: Connection, message: int, words: str) -> bool:
    """Whether a message says these words still."""
    row = connection.execute(
        "SELECT instr(content, ?) FROM message WHERE id = ? AND deleted = 0", (words, message)
    ).fetchone()
    return row is not None and row[0] > 0


def handed_out(connection: Connection, fingerprint: str, recall: int, scope: Scope) -> list[HandedOut]:
    """What a recall brought, the best first: notes as far as they show, and messages that are still said."""
    hits = recall_records.hits_of(connection, recall_traces.standing_for(connection, recall))
    notes = note_rows.get_many(connection, [hit.item for hit in hits if hit.kind == "note"], scope)
    said = scope.within(connection, "message", [hit.item for hit in hits if hit.kind == "message"])
    messages = message_log.get_many(connection, sorted(said))
    known = vectors.of_items(connection, fingerprint, [(hit.kind, hit.item) for hit in hits])
    found = []
    for hit in hits:
        note, message = notes.get(hit.item), messages.get(hit.item)
        if hit.kind == "note" and note is not None and note.lifecycle != note_rows.FORGOTTEN:
            text = note.indexed
        elif hit.kind == "message" and message is not None and not message.deleted:
            text = message.content
        else:
            continue
        if text:
            found.append(HandedOut(hit.kind, hit.item, text, tuple(known[hit.kind, hit.item])))
    return found


def stated_before(connection: Connection, message: int, scope: Scope) -> list[str]:
    """What had been handed out before a reply and is told in notes, or by a user who did not ask."""
    asked = connection.execute(
        "SELECT u.id FROM message m JOIN message u ON u.conversation = m.conversation AND u.seq < m.seq "
        "AND u.role = 'user' AND u.deleted = 0 WHERE m.id = ? ORDER BY u.seq DESC LIMIT 1",
        (message,),
    ).fetchone()
    recall = recall_records.of_message(connection, asked[0]) if asked is not None else None
    if recall is None:
        return []
    items = handed_out(connection, "", recall, scope)
    said = message_log.get_many(connection, [each.item for each in items if each.kind == "message"])
    return [
        each.text
        for each in items
        if each.kind == "note" or (said[each.item].role is Role.USER and not tokens.asks(each.text))
    ]


def vectors_of(connection: Connection, fingerprint: str, message: int) -> list[Vector]:
    """Those of a reply, as far as it has any yet."""
    return vectors.of_items(connection, fingerprint, [("message", message)])["message", message]


def is_outranked(connection: Connection, recall: int) -> bool:
    """Whether a client or a judge has said what was good of a recall."""
    row = connection.execute(
        "SELECT 1 FROM feedback WHERE recall = ? AND source IN (?, ?) LIMIT 1", (recall, Source.CLIENT, Source.JUDGE)
    ).fetchone()
    return row is not None


def used_by_reply(connection: Connection, recall: int) -> list[tuple[str, int]]:
    """What a reply is known to have used of a recall."""
    rows = connection.execute(
        "SELECT kind, item FROM recall_hit WHERE recall = ? AND used = 1 ORDER BY rank",
        (recall_traces.standing_for(connection, recall),),
    )
    return [(kind, item) for kind, item in rows]


def used_in(connection: Connection, conversation: int, epoch: int) -> list[tuple[int, int]]:
    """Of each message of an epoch the living notes that the answer to it was made of: (place, note), best first."""
    rows = connection.execute(
        "SELECT m.seq, n.id FROM recall_epoch e JOIN recall r ON r.id = e.recall JOIN message m ON m.id = r.message "
        "JOIN recall_hit h ON h.recall = r.id AND h.kind = 'note' AND h.used = 1 JOIN note n ON n.id = h.item "
        "WHERE e.conversation = ? AND e.epoch = ? AND n.lifecycle <> 'forgotten' AND n.kind <> 'trigger' "
        "ORDER BY m.seq, h.rank",
        (conversation, epoch),
    ).fetchall()
    return [(place, note) for place, note in rows]
