"""Recent talk: the messages that may still be told word for word.

In a mind that forgets, what was digested lives on in its notes. The last turns stay as they were said while those
notes are whole, so that a talk goes on after a pause; once anything of the notes of an epoch has faded, been made up
anew or been forgotten, none of its messages is told any more. Read-only; called for the window, for a recall that is
answered again and for what a model is shown of the talk.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.core.index import Hit
from soulmem.core.masking import NoteState
from soulmem.core.rows import ItemKind
from soulmem.store import elements, messages, notes
from soulmem.store.driver import Connection
from soulmem.store.faces import faces
from soulmem.store.messages import Message


def still_told(connection: Connection, said: Sequence[Message], now_exp: int) -> list[Message]:
    """Those of these messages that may be told word for word at an experienced time."""
    if not elements.fading(connection).blurs:
        return list(said)
    faded = {
        epoch: _has_faded(connection, *epoch, now_exp)
        for epoch in {(message.conversation, message.epoch) for message in said}
    }
    return [message for message in said if not faded[message.conversation, message.epoch]]


def still_recallable(connection: Connection, hits: Iterable[Hit]) -> list[Hit]:
    """The hits of a former recall without messages that were digested since: those are recalled through notes."""
    hits = list(hits)
    said = [hit.key for hit in hits if hit.kind is ItemKind.MESSAGE]
    open_ones = {row.id for row in messages.index_rows(connection, hide_consolidated=True, ids=said)} if said else set()
    return [hit for hit in hits if hit.kind is not ItemKind.MESSAGE or hit.key in open_ones]


def _has_faded(connection: Connection, conversation: int, epoch: int, now_exp: int) -> bool:
    rows = connection.execute(
        "SELECT n.id FROM note n WHERE n.conversation = ? AND n.epoch = ? UNION SELECT s.note FROM note_source s "
        "JOIN message m ON m.id = s.message WHERE m.conversation = ? AND m.epoch = ?",
        (conversation, epoch, conversation, epoch),
    )
    made = notes.get_many(connection, [row[0] for row in rows])
    if any(note.lifecycle == notes.FORGOTTEN or note.rewritten_exp is not None for note in made.values()):
        return True
    return any(face.state is not NoteState.CLEAR for face in faces(connection, made.values(), now_exp).values())
