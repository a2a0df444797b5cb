"""Grounding step: the write gate around the splitter.

Called by `split_step`. Before an engine reads an epoch, what was handed out to its client is cut from the messages;
what the engine drafts then goes through `core/grounding/grounding_gate` with everything it may rest on. Both run in a
worker thread, so the event loop goes on answering. Invariant: the answer depends on stored data alone, so a step that
is run again admits the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import anyio.to_thread

from soulmem.core.grounding import grounding_gate
from soulmem.core.grounding.echo_masking import cut, index_of, read_turns
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.grounding.grounding_gate import Verdict
from soulmem.core.grounding.served_text_index import Origin, ServedIndex, ServedText
from soulmem.core.schema.note_requests import NoteDraft, Turn
from soulmem.core.schema.sentence_accounting import LeftOut
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.messages import message_log
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import gate_rejections
from soulmem.store.notes.gate_rejections import NewRefusal
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import served_texts

_CUT_OUT = {Origin.PERSONA: grounding_gate.Reason.PERSONA, Origin.SYSTEM: grounding_gate.Reason.SYSTEM_TEXT}


@dataclass(frozen=True, slots=True)
class Reading:
    """An epoch: its messages by their place, the turns an engine may read, and what drafts are held against."""

    epoch: EpochRow
    by_seq: dict[int, Message]
    turns: tuple[Turn, ...]
    grounds: Grounds

    def refused(self, verdicts: Sequence[Verdict], engine: str, now: int) -> tuple[NewRefusal, ...]:
        """What the audit is told: every refused draft, and every message that held text of ours."""
        return (*self._cut_out(now), *self._drafts(verdicts, engine, now))

    def left_out(self, rows: Sequence[LeftOut], now: int) -> tuple[NewRefusal, ...]:
        """What else the audit is told: what was said and is in no note, though nobody doubts it."""
        return tuple(
            NewRefusal(
                at=now,
                task=gate_rejections.LEFT_OUT,
                engine="",
                reason=row.reason.value,
                text=row.text,
                conversation=self.epoch.conversation,
                epoch=self.epoch.epoch,
                message=self.by_seq[row.seq].id,
                count=row.count,
            )
            for row in rows
        )

    def _drafts(self, verdicts: Sequence[Verdict], engine: str, now: int) -> Iterator[NewRefusal]:
        for verdict in verdicts:
            if verdict.refusal is None:
                continue
            named = verdict.draft.sources[0] if verdict.draft.sources else None
            message = self.by_seq.get(named.seq) if named else None
            yield NewRefusal(
                at=now,
                task="split",
                engine=engine,
                reason=verdict.refusal.reason.value,
                text=verdict.draft.text,
                quote=named.quote if named else "",
                detail=verdict.refusal.detail,
                conversation=self.epoch.conversation,
                epoch=self.epoch.epoch,
                message=message.id if message else None,
            )

    def _cut_out(self, now: int) -> Iterator[NewRefusal]:
        for ground in self.grounds.turns:
            if not ground.masked:
                continue
            origin = ground.masked[0].origin
            yield NewRefusal(
                at=now,
                task=gate_rejections.MASK,
                engine="",
                reason=_CUT_OUT.get(origin, grounding_gate.Reason.INJECTED).value,
                text=" … ".join(ground.turn.text[m.start : m.end].strip() for m in ground.masked),
                detail=f"it had been handed out ({origin.value}) before it came back",
                conversation=self.epoch.conversation,
                epoch=self.epoch.epoch,
                message=self.by_seq[ground.turn.seq].id,
            )


async def read_epoch(memory: OpenMind, epoch: EpochRow) -> Reading:
    """The messages of an epoch with what was handed out cut from them."""
    who = memory.who
    scope = await memory.in_front_of(epoch.conversation_name)

    def read(connection: Connection) -> tuple[list[Message], tuple[ServedText, ...], tuple[str, ...]]:
        said = message_log.of_epoch(connection, epoch.conversation, epoch.epoch)
        return (
            [message for message in said if message.content and not message.deleted],
            served_texts.served(connection, epoch.conversation, epoch.epoch, who.persona, scope),
            served_texts.system_texts(connection, epoch.conversation),
        )

    said, texts, system = await memory.database.read(read)

    def masked() -> tuple[ServedIndex, tuple[Ground, ...]]:
        index = index_of(texts)
        return index, tuple(Ground(*each) for each in read_turns((message.turn() for message in said), index))

    index, grounds = await anyio.to_thread.run_sync(masked, abandon_on_cancel=True)
    turns = (cut(ground.turn, ground.masked) for ground in grounds)
    names = tuple(name for name in (who.title, who.name) if name)
    return Reading(
        epoch,
        {message.seq: message for message in said},
        tuple(turn for turn in turns if turn.text),
        Grounds(grounds, names=names, persona=who.persona, system=system, served=index),
    )


async def admit(memory: OpenMind, reading: Reading, drafts: Sequence[NoteDraft]) -> tuple[Verdict, ...]:
    """A verdict for each draft of an epoch."""
    if not drafts:
        return ()
    unknown = await anyio.to_thread.run_sync(
        partial(grounding_gate.unknown_names, drafts, reading.grounds), abandon_on_cancel=True
    )
    scope = await memory.in_front_of(reading.epoch.conversation_name)
    known = (
        await memory.database.read(served_texts.known_names, sorted(unknown), scope) if unknown else frozenset[str]()
    )
    grounds = replace(reading.grounds, known=known)
    return await anyio.to_thread.run_sync(partial(grounding_gate.judge, drafts, grounds), abandon_on_cancel=True)
