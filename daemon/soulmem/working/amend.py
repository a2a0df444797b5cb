"""Amending: a message is edited or deleted after it was heard.

Called by `mind` for `message.update` and `message.delete`. A message that no summary has taken yet simply changes; for
one that was summarised already, the change is told as a correction, an internal message that is summarised like any
other. The older wording is kept either way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from soulmem.core import tokens
from soulmem.core.drafts import Role
from soulmem.core.index import SearchIndex
from soulmem.core.instants import to_iso
from soulmem.core.rows import ItemKind
from soulmem.core.window import EditWay, edit_way
from soulmem.ops.config import MindSettings
from soulmem.ports import World
from soulmem.store import jobs, messages, windows
from soulmem.store.driver import Connection
from soulmem.store.intake import Intake, Scenes
from soulmem.store.messages import Message, NewMessage
from soulmem.store.open_mind import OpenMind
from soulmem.store.rows import public_id, row_hash
from soulmem.working.listen import Heard, push_message

_EDITED = {"zh": "更正：{speaker}先前说的“{old}”应为“{new}”", "en": 'Correction: {speaker} said "{new}", not "{old}"'}
_DELETED = {"zh": "更正：{speaker}收回了先前说的“{old}”", "en": 'Correction: {speaker} took back "{old}"'}
_SHOWN = 300  # characters of the old wording in a correction


class Amending:
    """Edits and deletions of one mind's messages."""

    def __init__(
        self,
        memory: OpenMind,
        world: World,
        settings: Callable[[], MindSettings],
        wake: Callable[[str], None],
        forget_talk: Callable[[], None],
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._wake = wake
        self._forget_talk = forget_talk

    async def amend(
        self,
        method: str,
        conversation: str,
        client_id: str,
        content: str | None,
        *,
        key: str | None,
        request_hash: bytes,
    ) -> dict[str, Any]:
        """Change the words of a message, or with `content` None take it out of all that is recalled or shown.

        Raises:
            SoulmemError: `not_found`, `idempotency_conflict`.
        """
        settings = self._settings()
        now, trusted_now = self._world.clock.now_ms(), self._world.clock.trusted_now_ms()
        now_exp = self._memory.now(trusted_now)
        changed: list[Message] = []

        def change(connection: Connection) -> dict[str, Any]:
            message = messages.get(connection, messages.conversation_named(connection, conversation).id, client_id)
            if message.deleted and content is None:
                return {"message": messages.view(message, to_iso), "corrected": False, "jobs": [], "again": True}
            held = windows.load(connection, message.conversation)
            way = edit_way(held[0], message.pos) if held else EditWay.IN_PLACE
            self._forget_talk()
            messages.replace_text(connection, message, content or "", deleted=content is None, now=now)
            heard: Heard | None = None
            if way is EditWay.CORRECTION:
                correction = _correction(message, content, now)
                intake = Intake(connection, [conversation], Scenes())
                scene = intake.scene(conversation, correction, settings.window.capacity)
                heard = push_message(connection, intake, scene, correction, None, settings, now_exp)
                intake.write()
            changed[:] = [messages.get_many(connection, [message.id])[message.id]]
            return {
                "message": messages.view(changed[0], to_iso),
                "corrected": heard is not None,
                "jobs": [public_id("js", job) for job in heard.jobs] if heard else [],
            }

        def store(connection: Connection) -> dict[str, Any]:
            return jobs.once(connection, key, method, request_hash, trusted_now, change)

        def after(result: dict[str, Any]) -> None:
            for message in changed:
                self._memory.follow(partial(_follow, message=message))
            self._wake("embed")
            if result["jobs"]:
                self._wake("summary")

        return await self._memory.database.write(method, store, after=after)


def _follow(index: SearchIndex, message: Message) -> None:
    if message.deleted:
        index.remove(ItemKind.MESSAGE, message.id)
    else:
        index.replace_terms(ItemKind.MESSAGE, message.id, tokens.text_hashes(message.content))


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
