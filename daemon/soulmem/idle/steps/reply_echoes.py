"""Reply echoes: what the assistant said after a recall and what says no more than it had been handed is no memory.

Called by the step `split` with the drafts that the gate let through. What is only an echo is told already, by the note
or the message that it echoes; the audit says so, as of other sentences that are in no note. Invariant: what the
assistant says of itself, promises, or adds stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import anyio.to_thread

from soulmem.core.grounding.grounding_gate import Verdict
from soulmem.core.grounding.reply_overlap import says_nothing_new
from soulmem.core.schema.note_requests import NoteDraft, Role
from soulmem.core.schema.sentence_accounting import LeftOut, Untold
from soulmem.store.messages.message_log import Message
from soulmem.store.recalls import reply_rows
from soulmem.store.session.mind_session import OpenMind


async def without_echoes(
    memory: OpenMind, conversation: str, by_seq: Mapping[int, Message], verdicts: Sequence[Verdict]
) -> tuple[tuple[Verdict, ...], tuple[LeftOut, ...]]:
    """The verdicts without those on echoes, and what is left out with them."""
    replies = sorted({seq for each in verdicts if each.admitted for seq in _replied(each.draft, by_seq)})
    if not replies:
        return tuple(verdicts), ()
    scope = await memory.in_front_of(conversation)
    handed: dict[int, list[str]] = {}
    for seq in replies:
        handed[seq] = await memory.database.read(reply_rows.stated_before, by_seq[seq].id, scope)
    names = tuple({message.speaker for message in by_seq.values()})

    def parted() -> tuple[tuple[Verdict, ...], tuple[LeftOut, ...]]:
        kept, left = [], []
        for each in verdicts:
            seqs = _replied(each.draft, by_seq) if each.admitted else ()
            if seqs and all(
                handed[source.seq] and says_nothing_new(source.quote or "", handed[source.seq], names)
                for source in each.draft.sources
            ):
                text = " … ".join(source.quote or "" for source in each.draft.sources)
                left.append(LeftOut(seqs[0], Untold.SAID_BEFORE, text))
            else:
                kept.append(each)
        return tuple(kept), tuple(left)

    return await anyio.to_thread.run_sync(parted)


def _replied(draft: NoteDraft, by_seq: Mapping[int, Message]) -> tuple[int, ...]:
    """The places of the replies that a draft was made of; none where anybody else said some of it."""
    seqs = tuple(source.seq for source in draft.sources)
    return seqs if all(seq in by_seq and by_seq[seq].role is Role.ASSISTANT for seq in seqs) else ()
