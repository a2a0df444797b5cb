"""Messages and conversations: the append-only log of what was said.

Owns `conversation`, `message` and `message_version`. A message is found by full text from the transaction that
stores it; corrections and system messages are kept but never searched. Edits keep the older wording.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from soulmem.core.schema.audience import Audience
from soulmem.core.schema.message_refs import message_ref
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.core.text import tokens
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state import window_state
from soulmem.store.index import embedding_backlog, fts, vectors
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.list_pages import read_page
from soulmem.store.sqlite.row_hash import AMONG, listed, row_hash

_COLUMNS = (
    "m.id, m.conversation, m.seq, m.pos, m.client_id, m.role, m.speaker, m.content, m.at, m.arrived_at, m.marker, "
    "m.boundary, m.epoch, m.tokens, m.version, m.deleted, c.name, m.attributes"
)
_FROM = "FROM message m JOIN conversation c ON c.id = m.conversation"


SEARCHABLE = frozenset({Role.USER, Role.ASSISTANT})
GONE = 2  # in `deleted`
_ENDLESS = 1 << 62  # beyond every number and every time
_BESIDE = (  # the searchable message next to the message `m`
    "(SELECT o.id FROM message o WHERE o.conversation = m.conversation AND o.seq {side} m.seq "
    "AND o.deleted = 0 AND o.role IN ('user', 'assistant') ORDER BY o.seq {order} LIMIT 1)"
)
_RIGHT_BEFORE, _RIGHT_AFTER = _BESIDE.format(side="<", order="DESC"), _BESIDE.format(side=">", order="ASC")


@dataclass(frozen=True, slots=True)
class Message:
    id: int
    conversation: int
    seq: int
    pos: int | None
    client_id: str
    role: Role
    speaker: str
    content: str
    at: int
    arrived_at: int
    marker: str
    boundary: bool
    epoch: int
    tokens: int
    version: int
    deleted: bool
    is_gone: bool  # deleted for good: nothing of its words is left
    conversation_name: str
    attributes: str | None  # JSON

    def turn(self) -> Turn:
        return Turn(self.seq, self.role, self.speaker, self.content, self.at, self.boundary)


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message with everything the writer needs worked out beforehand, so that the writer thread only writes."""

    client_id: str | None
    role: Role
    speaker: str
    content: str
    at: int
    arrived_at: int
    tokens: int
    terms: bytes  # uint32 term hashes
    request_hash: bytes
    mood: str | None = None
    attributes: str | None = None  # JSON


def _message(row: Row) -> Message:
    values = [*row[:5], Role(row[5]), *row[6:11], bool(row[11]), *row[12:15], bool(row[15]), row[15] == GONE, *row[16:]]
    return Message(*values)


def _messages(connection: Connection, condition: str, values: Sequence[Any]) -> list[Message]:
    """The messages `m` of which this is true."""
    return [_message(row) for row in connection.execute(f"SELECT {_COLUMNS} {_FROM} WHERE {condition}", values)]


def by_client_id(connection: Connection, conversation: int, client_id: str) -> tuple[Message, bytes] | None:
    """The message a client named so, with the hash of the request that made it."""
    row = connection.execute(
        f"SELECT {_COLUMNS}, m.request_hash {_FROM} WHERE m.conversation = ? AND m.client_id = ?",
        (conversation, client_id),
    ).fetchone()
    return (_message(row[:-1]), row[-1]) if row else None


def content_hash(conversation: int, seq: int, role: str, speaker: str, content: str, at: int) -> bytes:
    return row_hash(conversation, seq, str(role), speaker, content, at)


def replace_text(connection: Connection, message: Message, content: str, *, deleted: bool, now: int) -> None:
    """Change (or blank) a message's words; the former ones go to `message_version`."""
    words = tokens.segment(content)
    connection.execute(
        "INSERT INTO message_version (message, version, content, replaced_at) VALUES (?, ?, ?, ?)",
        (message.id, message.version, message.content, now),
    )
    connection.execute(
        "UPDATE message SET content = ?, tokens = ?, terms = ?, version = version + 1, deleted = ?, hash = ? "
        "WHERE id = ?",
        (
            content, tokens.estimate_tokens(content), tokens.text_hashes(content).tobytes(), deleted,
            content_hash(message.conversation, message.seq, message.role, message.speaker, content, message.at),
            message.id,
        ),
    )  # fmt: skip
    if message.role not in SEARCHABLE or window_state.shelved(connection, [message.id]):
        return
    if not message.deleted:
        fts.remove(connection, "message", message.id, message.content)
    vectors.remove(connection, "message", message.id)
    if not deleted:
        fts.put(connection, "message", message.id, " ".join(words))
        embedding_backlog.enqueue(connection, [("message", message.id, "self"), ("message", message.id, "context")])


def former_words(connection: Connection, message: int) -> list[str]:
    """What a message said before it was changed, the first wording first."""
    rows = connection.execute("SELECT content FROM message_version WHERE message = ? ORDER BY version", (message,))
    return [row[0] for row in rows]


def beside(connection: Connection, message: int) -> list[int]:
    """The searchable messages right before and right after one: those whose surroundings it is part of."""
    found = [
        connection.execute(f"SELECT {beside} FROM message m WHERE m.id = ?", (message,)).fetchone()[0]
        for beside in (_RIGHT_BEFORE, _RIGHT_AFTER)
    ]
    return [item for item in found if item is not None]


def rows_named(connection: Connection, client_id: str, conversation: str | None) -> list[int]:
    """The messages a client named so: in one conversation, or in all of them."""
    where = "TRUE" if conversation is None else "name = ?"
    values = (client_id,) if conversation is None else (conversation, client_id)
    rows = connection.execute(
        f"SELECT id FROM message WHERE conversation IN (SELECT id FROM conversation WHERE {where}) "
        "AND client_id = ? ORDER BY id",
        values,
    )
    return [row[0] for row in rows]


def get(connection: Connection, conversation: int, client_id: str) -> Message:
    """Raises: SoulmemError: `not_found`."""
    found = by_client_id(connection, conversation, client_id)
    if found is None:
        raise SoulmemError(ErrorName.NOT_FOUND, f"there is no message {client_id[:80]!r} in this conversation")
    return found[0]


def get_many(connection: Connection, ids: Sequence[int]) -> dict[int, Message]:
    return {message.id: message for message in _messages(connection, f"m.id {AMONG}", (listed(ids),))}


def between(connection: Connection, conversation: int, lo: int, hi: int) -> list[Message]:
    """Messages of positions lo..hi, oldest first."""
    return _messages(connection, "m.conversation = ? AND m.pos BETWEEN ? AND ? ORDER BY m.pos", (conversation, lo, hi))


def before(connection: Connection, conversation: int, seq: int, limit: int) -> list[Message]:
    """The last messages of users and assistants before `seq`, oldest first."""
    earlier = "m.conversation = ? AND m.seq < ? AND m.role IN ('user', 'assistant') AND m.deleted = 0"
    return _messages(connection, f"{earlier} ORDER BY m.seq DESC LIMIT ?", (conversation, seq, limit))[::-1]


def before_each(connection: Connection, ids: Sequence[int], limit: int) -> dict[int, list[Message]]:
    """`before` of each of these messages."""
    rows = connection.execute(
        f"SELECT s.id, {_COLUMNS} FROM message s JOIN message m ON m.id IN (SELECT o.id FROM message o "
        "WHERE o.conversation = s.conversation AND o.seq < s.seq AND o.role IN ('user', 'assistant') "
        f"AND o.deleted = 0 ORDER BY o.seq DESC LIMIT ?) JOIN conversation c ON c.id = m.conversation "
        f"WHERE s.id {AMONG} ORDER BY s.id, m.seq",
        (limit, listed(ids)),
    ).fetchall()
    found: dict[int, list[Message]] = {message: [] for message in ids}
    for row in rows:
        found[row[0]].append(_message(row[1:]))
    return found


def of_seqs(connection: Connection, conversation: int, seqs: Sequence[int]) -> list[Message]:
    return _messages(connection, f"m.conversation = ? AND m.seq {AMONG} ORDER BY m.seq", (conversation, listed(seqs)))


def of_epoch(connection: Connection, conversation: int, epoch: int) -> list[Message]:
    # The plus keeps SQLite from walking through the whole conversation by position.
    condition = "m.conversation = ? AND m.epoch = ? AND +m.pos IS NOT NULL ORDER BY +m.pos"
    return _messages(connection, condition, (conversation, epoch))


def mood_of_epoch(connection: Connection, conversation: int, epoch: int) -> str:
    """The latest mood that a message of the epoch came with; empty if none did."""
    return _latest_in(connection, conversation, epoch, "mood", "TRUE")


def own_name_in_epoch(connection: Connection, conversation: int, epoch: int) -> str:
    """The name under which whoever remembers spoke last in the epoch; empty if under none."""
    return _latest_in(connection, conversation, epoch, "speaker", "role = 'assistant'")


def _latest_in(connection: Connection, conversation: int, epoch: int, column: str, condition: str) -> str:
    row = connection.execute(
        f"SELECT {column} FROM message WHERE conversation = ? AND epoch = ? AND {condition} AND {column} <> '' "
        "AND deleted = 0 ORDER BY +seq DESC LIMIT 1",
        (conversation, epoch),
    ).fetchone()
    return str(row[0]) if row else ""


def list_page(
    connection: Connection,
    conversation: int,
    *,
    after: int,
    limit: int,
    since: int | None = None,
    until: int | None = None,
    is_latest_first: bool = False,
) -> list[Message]:
    """Messages by seq, `after` excluded (0: all), deleted ones left out; said from `since` till `until`."""
    side, order = ("<", "DESC") if is_latest_first else (">", "ASC")
    begin = after if after or not is_latest_first else _ENDLESS
    rows = connection.execute(
        f"SELECT {_COLUMNS} {_FROM} WHERE m.conversation = ? AND m.seq {side} ? AND m.deleted = 0 "
        f"AND m.at >= ? AND m.at < ? ORDER BY m.seq {order} LIMIT ?",
        (conversation, begin, -_ENDLESS if since is None else since, _ENDLESS if until is None else until, limit),
    )
    return read_page(map(_message, rows), text_size)


def text_size(message: Message) -> int:
    """How much of a page a message takes."""
    return len(message.content.encode())


def neighbours(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[int | None, int | None]]:
    """The searchable messages right before and right after each message in its conversation."""
    rows = connection.execute(
        f"SELECT m.id, {_RIGHT_BEFORE}, {_RIGHT_AFTER} FROM message m WHERE m.id {AMONG}", (listed(ids),)
    )
    return {row[0]: (row[1], row[2]) for row in rows.fetchall()}


def lengths(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    """How many characters each message has."""
    return dict(connection.execute(f"SELECT id, length(content) FROM message WHERE id {AMONG}", (listed(ids),)))


def last_arrival(connection: Connection) -> int | None:
    row = connection.execute("SELECT arrived_at FROM message ORDER BY id DESC LIMIT 1").fetchone()
    return row[0] if row else None


def words_of(connection: Connection, ids: Sequence[int]) -> list[tuple[int, bytes, str]]:
    """The words of each message, as the search index holds them, and its text: (id, hashes, content)."""
    return connection.execute(f"SELECT id, terms, content FROM message WHERE id {AMONG}", (listed(ids),)).fetchall()


def latest_times(connection: Connection, audience: Audience | None = None) -> tuple[int, int] | None:
    """When the latest message that an audience may know happened and when it came; None where nothing was said."""
    among, values = ("TRUE", ()) if audience is None else (f"conversation {AMONG}", (listed(sorted(audience)),))
    row = connection.execute(
        f"SELECT at, arrived_at FROM message WHERE {among} ORDER BY id DESC LIMIT 1", values
    ).fetchone()
    return (int(row[0]), int(row[1])) if row else None


def count_within(connection: Connection, audience: Audience) -> int:
    """Messages that an audience may know of."""
    row = connection.execute(
        f"SELECT count(*) FROM message WHERE conversation {AMONG} AND deleted = 0 AND role <> 'correction'",
        (listed(sorted(audience)),),
    ).fetchone()
    return int(row[0])


def count(connection: Connection) -> int:
    """Messages that clients gave us and did not delete."""
    row = connection.execute(  # both are counted in an index, without a look at the messages
        "SELECT (SELECT count(*) FROM message) - "
        "(SELECT count(*) FROM message WHERE deleted <> 0 OR role = 'correction')"
    ).fetchone()
    return int(row[0])


def view(message: Message, iso: Any) -> dict[str, Any]:
    """The message as the protocol shows it."""
    return {
        "id": message.client_id,
        "ref": message_ref(message.conversation_name, message.client_id),
        "conversation": message.conversation_name,
        "seq": message.seq,
        "role": message.role.value,
        "speaker": message.speaker,
        "content": message.content,
        "at": iso(message.at),
        "arrived_at": iso(message.arrived_at),
        "marker": message.marker,
        "boundary": message.boundary,
        "epoch": message.epoch,
        "version": message.version,
        "attributes": json.loads(message.attributes or "{}"),
    }
