"""Correction messages: a changed message of which the summary stands is told of by an internal message.

Called by `message_edits` for who wants what was made of the former words kept (`keep_notes`). A message that no summary
has taken yet simply changes; for one that was summarised the change is told, and summarised like any other. It repeats
the former words, so it goes with the message when that is deleted (`store/revision/erasure`).
"""

from __future__ import annotations

from soulmem.core.conversation.sliding_window import EditWay, edit_way
from soulmem.core.schema.note_requests import Role
from soulmem.core.text import tokens
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.store.conversation_state import window_state
from soulmem.store.messages.message_insert import Intake, Scenes
from soulmem.store.messages.message_log import Message, NewMessage
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import row_hash
from soulmem.working.ingest.message_ingest import StoredMessage, push_message

_EDITED = {"zh": "更正：{speaker}先前说的“{old}”应为“{new}”", "en": 'Correction: {speaker} said "{new}", not "{old}"'}
_DELETED = {"zh": "更正：{speaker}收回了先前说的“{old}”", "en": 'Correction: {speaker} took back "{old}"'}
_SHOWN = 300  # characters of the old wording


def tell(
    connection: Connection, message: Message, content: str | None, settings: MindSettings, now: int, now_exp: int
) -> StoredMessage | None:
    """Tell that a message says something else now, or with `content` None nothing; None where it simply changes."""
    held = window_state.load(connection, message.conversation)
    if held is None or edit_way(held[0], message.pos) is EditWay.IN_PLACE:
        return None
    correction = _correction(message, content, now)
    intake = Intake(connection, [message.conversation_name], Scenes())
    scene = intake.scene(message.conversation_name, correction, settings.window.capacity)
    heard = push_message(connection, intake, scene, correction, None, settings, now_exp)
    intake.write()
    return heard


def _correction(message: Message, content: str | None, now: int) -> NewMessage:
    language = tokens.wording_language(message.content + (content or ""))
    pattern = (_DELETED if content is None else _EDITED)[language]
    text = pattern.format(speaker=message.speaker, old=message.content[:_SHOWN], new=content)
    return NewMessage(
        client_id=None,
        role=Role.CORRECTION,
        speaker=message.speaker,
        content=text,
        at=message.at,
        arrived_at=now,
        tokens=tokens.estimate_tokens(text),
        terms=b"",
        request_hash=row_hash(text),
    )
