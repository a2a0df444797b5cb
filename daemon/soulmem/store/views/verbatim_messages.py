"""Verbatim messages: the messages that may still be told word for word.

In a mind that forgets, what was digested lives on in its notes. The last turns stay as they were said while those
notes are whole, so that a talk goes on after a pause; once anything of the notes of a digested epoch has faded, been
made up anew or been forgotten, none of its messages is told any more. Read-only; called for the window, for a recall
that is answered again and for what a model is shown of the talk.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from soulmem.core.details.masking import NoteState
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.store.messages import message_index_rows
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import element_rows, note_rows
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed
from soulmem.store.views.rendered_notes import faces


def still_told(connection: Connection, said: Sequence[Message], now_exp: int) -> list[Message]:
    """Those of these messages that may be told word for word at an experienced time."""
    if not element_rows.fading(connection).blurs:
        return list(said)
    epochs: dict[tuple[int, int], list[int]] = {}
    for message in said:
        epochs.setdefault((message.conversation, message.epoch), []).append(message.id)
    faded = {epoch: _has_faded(connection, *epoch, ids, now_exp) for epoch, ids in epochs.items()}
    return [message for message in said if not faded[message.conversation, message.epoch]]


def still_recallable(connection: Connection, hits: Iterable[Hit]) -> list[Hit]:
    """The hits of a former recall without messages that were digested since: those are recalled through notes."""
    hits = list(hits)
    said = [hit.key for hit in hits if hit.kind is ItemKind.MESSAGE]
    open_ones = (
        {row.id for row in message_index_rows.index_rows(connection, hide_consolidated=True, ids=said)}
        if said
        else set()
    )
    return [hit for hit in hits if hit.kind is not ItemKind.MESSAGE or hit.key in open_ones]


def _has_faded(connection: Connection, conversation: int, epoch: int, said: Sequence[int], now_exp: int) -> bool:
    """Whether anything has faded of what was made of a digested epoch, or by hand of these of its messages."""
    state = connection.execute(
        "SELECT state FROM epoch WHERE conversation = ? AND epoch = ?", (conversation, epoch)
    ).fetchone()
    if state is None or state[0] != "consolidated":
        return False
    split_into = _made(connection, conversation, epoch)
    if split_into is None:
        return True  # nobody knows any more; see `journal_pruning`
    made = {row[0] for row in connection.execute("SELECT id FROM note WHERE conversation = ? AND epoch = ?",
                                                 (conversation, epoch))}  # fmt: skip
    if not made.issuperset(split_into):
        return True  # one was removed for good
    made |= {
        row[0] for row in connection.execute(f"SELECT note FROM note_source WHERE message {AMONG}", (listed(said),))
    }
    # What has no element beyond a threshold is clear, so only the rest is looked at closely.
    suspects = connection.execute(
        "SELECT id, lifecycle = 'forgotten' OR rewritten_exp IS NOT NULL FROM note n "
        f"WHERE id {AMONG} AND (lifecycle = 'forgotten' OR rewritten_exp IS NOT NULL OR EXISTS "
        f"(SELECT 1 FROM element e WHERE e.note = n.id AND e.due_blur <= ?)) AND NOT {note_rows.WITHDRAWN} "
        "AND n.merged_into IS NULL",  # what went into another note is told by that one
        (listed(sorted(made)), now_exp),
    ).fetchall()
    if any(is_lost for _, is_lost in suspects):
        return True
    found = note_rows.get_many(connection, [note for note, _ in suspects])
    return any(face.state is not NoteState.CLEAR for face in faces(connection, found.values(), now_exp).values())


def _made(connection: Connection, conversation: int, epoch: int) -> list[int] | None:
    """The notes that the epoch was split into, those that were purged since included; None if there is no record."""
    row = connection.execute(
        "SELECT result FROM job WHERE step = 'split' AND conversation = ? AND epoch = ?", (conversation, epoch)
    ).fetchone()
    if row is None:
        return None
    return list(json.loads(row[0]).get("notes", ())) if row[0] else []


_QUERIES = (
    (ItemKind.NOTE, "SELECT id, coalesce(shown, text), coalesce(shown_speaker, speaker, '') FROM note"),
    (ItemKind.MESSAGE, "SELECT id, content, coalesce(speaker, '') FROM message"),
)


def texts_and_speakers(connection: Connection, items: Sequence[ItemRef]) -> dict[ItemRef, tuple[str, str]]:
    """The text and the speaker, empty where there is none, of each of these notes and messages that is there."""
    return {
        (kind, row): (text, speaker)
        for kind, query in _QUERIES
        for row, text, speaker in connection.execute(
            f"{query} WHERE id {AMONG}", (listed([key for of, key in items if of is kind]),)
        )
    }
