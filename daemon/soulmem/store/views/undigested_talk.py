"""What was said, as it is compared: the talk that is not notes yet, and the items of a recall.

Read-only; called at recall by `working.validity.validity_at_recall`. Invariant: what is out of scope, was taken back by
its client, or came after the message that asks, is not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.conversation_state.window_state import UNCOMPARED
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed

_LONGEST = 2_000  # characters of a text that are read


@dataclass(frozen=True, slots=True)
class Said:
    """A message or a note: its number, who says it, when it was told (with the number of the message),
    when it happened; 0 for what is so and does not happen."""

    row: int
    conversation: int
    speaker: str
    text: str
    told: tuple[int, int]
    at: int
    before: str = ""  # what was said just before it, a line each


_LINES = 2  # messages before one that are read with it


def before(connection: Connection, messages: Sequence[int]) -> dict[int, str]:
    """What was said just before each of these messages, a line each, so that it is known who "he" is."""
    if not messages:
        return {}
    rows = connection.execute(
        "SELECT m.id, b.content FROM message m JOIN message b ON b.conversation = m.conversation "
        f"AND b.seq < m.seq AND b.seq >= m.seq - ? AND b.deleted = 0 WHERE m.id {AMONG} ORDER BY m.id, b.seq",
        (_LINES, listed(messages)),
    )
    found: dict[int, list[str]] = {}
    for message, content in rows:
        found.setdefault(message, []).append(" ".join(content[:_LONGEST].split("\n")))
    return {message: "\n".join(lines) for message, lines in found.items()}


def before_notes(connection: Connection, notes: Sequence[int]) -> dict[int, str]:
    """What was said just before each of these notes: before its first message, and in that before the note's words."""
    if not notes:
        return {}
    rows = connection.execute(
        "SELECT s.note, m.id, substr(m.content, 1, ?), s.quote FROM note_source s JOIN message m ON m.id = s.message "
        f"WHERE s.note {AMONG} AND s.position = 0 AND m.deleted = 0",
        (_LONGEST, listed(notes)),
    ).fetchall()
    lines = before(connection, [row[1] for row in rows])
    return {
        note: "\n".join(filter(None, (lines.get(message, ""), content[: max(0, content.find(quote))] if quote else "")))
        for note, message, content, quote in rows
    }


def speakers(connection: Connection, notes: Sequence[int]) -> dict[int, str]:
    """Who said what each of these notes rests on, where one alone did; what the companion asked counts only alone."""
    found: dict[int, dict[bool, set[str]]] = {}
    for note, role, speaker in connection.execute(
        "SELECT DISTINCT s.note, m.role, m.speaker FROM note_source s JOIN message m ON m.id = s.message "
        f"WHERE s.note {AMONG} AND m.speaker IS NOT NULL",
        (listed(notes),),
    ):
        found.setdefault(note, {}).setdefault(role == "user", set()).add(speaker)
    said = {note: of.get(True) or of[False] for note, of in found.items()}
    return {note: next(iter(names)) for note, names in said.items() if len(names) == 1}


def of_assistants(connection: Connection, notes: Sequence[int]) -> set[int]:
    """The notes of what an assistant alone said: advice has no successor."""
    rows = connection.execute(
        "SELECT s.note FROM note_source s JOIN message m ON m.id = s.message "
        f"WHERE s.note {AMONG} GROUP BY s.note HAVING max(m.role = 'user') = 0",
        (listed(notes),),
    )
    return {note for (note,) in rows}


def with_before(connection: Connection, found: Mapping[ItemRef, Said]) -> dict[ItemRef, Said]:
    """The same items with what was said just before each."""
    of_messages = before(connection, [key for kind, key in found if kind is ItemKind.MESSAGE])
    of_notes = before_notes(connection, [key for kind, key in found if kind is ItemKind.NOTE])
    return {
        ref: replace(each, before=(of_notes if ref[0] is ItemKind.NOTE else of_messages).get(ref[1], ""))
        for ref, each in found.items()
    }


def undigested(
    connection: Connection, most: int, scope: Scope = WHOLE, *, until: int | None = None,
    before: tuple[int, int] | None = None,
) -> list[Said]:  # fmt: skip
    """The latest messages of users that nothing was compared with yet, oldest first; those last edited among them.

    Args:
        until: only what was told by then.
        before: (conversation, seq) of a message: neither it nor what came after it in its conversation.
    """
    clause, values = scope.items("message", "m.id")
    said = "SELECT m.id, m.conversation, m.speaker, substr(m.content, 1, ?), m.at"
    wanted = (
        f"m.role = 'user' AND m.deleted = 0 AND {clause} AND (? IS NULL OR m.at <= ?) "
        "AND NOT (m.conversation = ? AND m.seq >= ?)"
    )
    told = (_LONGEST, *values, until, until, *(before or (0, 0)))
    rows = connection.execute(
        f"SELECT * FROM ({said} FROM epoch e JOIN message m ON m.conversation = e.conversation AND m.epoch = e.epoch "
        f"WHERE (e.state IN ('open', 'frozen') OR {UNCOMPARED}) "
        f"AND {wanted} ORDER BY m.id DESC LIMIT ?) UNION SELECT * FROM ({said} FROM rederive r "
        f"JOIN message m ON m.id = r.message WHERE {wanted} ORDER BY m.id DESC LIMIT ?) ORDER BY 1 DESC LIMIT ?",
        (*told, most, *told, most, most),
    ).fetchall()
    return [Said(row, home, speaker, text, (at, row), at) for row, home, speaker, text, at in reversed(rows)]


def notes(connection: Connection, ids: Sequence[int]) -> dict[ItemRef, Said]:
    """Notes by what of them still shows: what is masked is ended by nothing, and gives nothing away."""
    if not ids:
        return {}
    rows = connection.execute(
        "SELECT n.id, coalesce(n.conversation, 0), n.speaker, coalesce(n.shown, n.text), "
        "iif(n.kind = 'semantic', 0, n.at), n.created_at, "
        "(SELECT max(m.at) FROM note_source s JOIN message m ON m.id = s.message WHERE s.note = n.id), "
        "(SELECT max(s.message) FROM note_source s WHERE s.note = n.id) "
        f"FROM note n WHERE n.id {AMONG} AND n.kind IN ('semantic', 'episodic', 'plan', 'procedural')",
        (listed(ids),),
    )
    return {
        (ItemKind.NOTE, row): Said(row, home, speaker, text[:_LONGEST], (told or created, message or 0), at)
        for row, home, speaker, text, at, created, told, message in rows
    }


def messages(connection: Connection, ids: Sequence[int]) -> dict[ItemRef, Said]:
    if not ids:
        return {}
    rows = connection.execute(
        f"SELECT id, conversation, speaker, substr(content, 1, ?), at FROM message WHERE id {AMONG} AND role = 'user'",
        (_LONGEST, listed(ids)),
    )
    return {
        (ItemKind.MESSAGE, row): Said(row, home, speaker, text, (at, row), at) for row, home, speaker, text, at in rows
    }


def speaker(connection: Connection, conversation: str | None) -> str:
    """Who asks: the user who spoke last in a conversation; without one whoever alone spoke lately, else nobody."""
    if conversation is not None:
        row = connection.execute(
            "SELECT m.speaker FROM message m JOIN conversation c ON c.id = m.conversation "
            "WHERE c.name = ? AND m.role = 'user' ORDER BY m.seq DESC LIMIT 1",
            (conversation,),
        ).fetchone()
        return row[0] if row is not None else ""
    rows = connection.execute(
        "SELECT DISTINCT speaker FROM (SELECT speaker FROM message WHERE role = 'user' ORDER BY id DESC LIMIT 30)"
    ).fetchall()
    return rows[0][0] if len(rows) == 1 else ""
