"""Forget step: what somebody asked in talk to be forgotten is taken back, before anything is noted of it.

Runs before an epoch is summed up and split. Each message of its speaker that plainly tells what the request means
(`core.conversation.forget_requests`) loses those words, what the companion answered to it too, and last the request
itself. It is an edit, as by `message.update`: notes that rest on the words are withdrawn, summaries are rolled again,
and the former wording stays in the history for the owner alone, who may bring it back or delete it for good. Where it
is not plain what is meant, nothing goes, and the owner is told (`store/messages/unmet_requests`). Invariant: nobody's
words are taken back but those of whoever asks, and answers to them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import anyio.to_thread

from soulmem.core.conversation.forget_requests import (
    MOST_MEANT,
    ForgetRequest,
    forget_request,
    mentions,
    telling,
    told_part,
)
from soulmem.core.schema.note_requests import Role
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import World
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.messages import message_log, unmet_requests
from soulmem.store.messages.message_log import Message
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

Amend = Callable[[str, str, str], Awaitable[dict[str, Any]]]

_REACH = 4_000  # messages before a request in which what it means is looked for
_SITTING_MS = 3_600_000  # what was said longer ago is not what "that" means
_ANSWERS = 3  # messages behind a confidence that may answer it


async def honour(memory: OpenMind, world: World, settings: SettingsNow, amend: Amend, epoch: EpochRow) -> int:
    """Take back what messages of this epoch ask to be forgotten; how many messages lost words.

    Args: amend: changes the words of a message, given its conversation, its id and what it says from now on.
    Raises: SoulmemError: the storage errors; what was taken back by then stays so, and the rest is done next time.
    """
    if not settings().forgetting.on_request:
        return 0
    asking = await memory.database.read(_asking, epoch)
    count = 0
    for message, request in asking:
        said = await memory.database.read(message_log.before, epoch.conversation, message.seq, _REACH)
        edits, meant = await anyio.to_thread.run_sync(partial(_edits, message, request, said))
        for each, words in edits:
            await amend(each.conversation_name, each.client_id, words)
        where = {"mind": memory.name, "conversation": epoch.conversation_name}
        if edits:
            world.emit("words_withdrawn", count=len(edits), **where)
        elif await _entered(memory, world, message, meant):
            world.emit("words_kept", message_seq=message.seq, count=meant, **where)
        count += len(edits)
    return count


async def _entered(memory: OpenMind, world: World, message: Message, meant: int) -> bool:
    """Enter a request that cannot be obeyed; False: it was entered before, by a digestion that was called off."""
    enter = partial(unmet_requests.enter, message=message, meant=meant, now=world.clock.now_ms())
    return await memory.database.write("forget.unmet", enter)


def _asking(connection: Connection, epoch: EpochRow) -> list[tuple[Message, ForgetRequest]]:
    """The messages of an epoch that ask for anything to be forgotten."""
    said = message_log.of_epoch(connection, epoch.conversation, epoch.epoch)
    asking = ((each, forget_request(each.content)) for each in said if each.role is Role.USER and not each.deleted)
    return [(message, request) for message, request in asking if request is not None]


def _edits(message: Message, request: ForgetRequest, said: Sequence[Message]) -> tuple[list[tuple[Message, str]], int]:
    """Each message that loses words, with what it says from now on; the request comes last, so that a kill repeats it.

    None where it is not plain what is meant: then the request stays too. Beside it how many messages may be meant.
    """
    own = [each for each in said if each.role is Role.USER and each.speaker == message.speaker and each.content]
    topic = request.topic - _names(said)
    told = telling(topic, [each.content for each in own])
    if request.topic:
        meant = [own[place] for place in told] if len(told) <= MOST_MEANT else []
    else:
        meant = [] if request.is_here else [each for each in own[-1:] if message.at - each.at <= _SITTING_MS]
    found: dict[int, tuple[Message, str]] = {}
    for each in meant:
        found[each.id] = (each, told_part(each.content, topic))
        for answer in said:
            is_answer = answer.role is Role.ASSISTANT and each.seq < answer.seq <= each.seq + _ANSWERS
            if is_answer and mentions(answer.content, topic):
                found[answer.id] = (answer, told_part(answer.content, topic))
    if not found and not request.is_here:
        return [], len(told) or sum(mentions(each.content, topic) for each in own)
    left = f"{message.content[: request.start].strip()} …".strip()
    return [*found.values(), (message, left)], len(told)


def _names(said: Sequence[Message]) -> frozenset[str]:
    """What those who talk are called: to call somebody by name names no topic."""
    return frozenset(word for each in {m.speaker for m in said} for word in (each, each.lower()) if word)
