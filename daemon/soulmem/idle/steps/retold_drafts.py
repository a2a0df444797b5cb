"""Retold drafts: of the drafts of an epoch, those that tell again what a note tells already.

Called by the steps `split` and `rederive`. A draft that is only told again becomes no note of its own: the note that is
there gains a source and comes back to mind (`rehearsal_writes.retell`). What counts as the same is
`core.conversation.retelling`'s; facts that are known by subject, relation and object are `note_rows.told_before`'s.
Invariant: nothing is stored here, and what was found is looked at again in the transaction that stores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import anyio.to_thread

from soulmem.core.conversation.retelling import Saying, is_retelling
from soulmem.core.schema.note_requests import NoteDraft, NoteKind
from soulmem.core.text import tokens
from soulmem.idle.steps.importance_step import Weighed
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import element_rows, note_rows, note_writes, rehearsal_writes, retold_notes
from soulmem.store.notes.note_rows import Note
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

Known = tuple[int, int]
"""A note that tells the same, and the version in which it does."""


async def told_already(
    memory: OpenMind, wanted: Sequence[Weighed], by_seq: Mapping[int, Message]
) -> tuple[tuple[Known, ...], ...]:
    """For each draft the notes that tell it already, the oldest first."""
    told = [_saying(each.draft, by_seq) for each in wanted]
    letters = sorted({saying.key for saying in told if saying is not None and saying.key})
    found: list[list[Known]] = [[] for _ in wanted]
    first: int | None = 1
    while first is not None and letters:
        part = await memory.database.read(retold_notes.with_letters, first, letters)
        if part.notes:
            for place, known in await anyio.to_thread.run_sync(_matches, wanted, told, part.notes):
                found[place].append(known)
        first = part.next_id
    return tuple(map(tuple, found))


def twin_of(connection: Connection, each: Weighed, known: Sequence[Known], home: int | None) -> int | None:
    """The living note that a draft only tells again; None where it says something of its own."""
    if each.draft.kind is NoteKind.SEMANTIC:
        twin = note_rows.told_before(connection, each.draft, home)
        if twin is not None and not _says_more(each, note_rows.get(connection, twin)):
            return twin
    return next((note for note, version in known if retold_notes.still_told(connection, note, version, home)), None)


def retell(
    connection: Connection, twin: int, each: Weighed, sources: Sequence[tuple[int, str | None]],
    by_seq: Mapping[int, Message], now_exp: int,
) -> None:  # fmt: skip
    """Let a note that was told again rest on that too, and come back to mind."""
    note_writes.add_sources(connection, twin, sources)
    spans = each.elements(now_exp, element_rows.fading(connection))
    said = _saying(each.draft, by_seq)
    rehearsal_writes.retell(connection, twin, spans, each.importance, now_exp, said=said)


def _says_more(each: Weighed, twin: Note) -> bool:
    """Whether a fact is told with a detail that the note has not, faded or not: "in Bruges" is not "in Ghent"."""
    draft, plain = each.draft, tokens.fold(twin.text)
    bare = Saying(draft.text, twin.speaker, draft.at_ms, draft.at_ms).bare
    told = (draft.text[d.start : d.end] for d in draft.elements if d.level == 2)
    return any(words in bare and tokens.fold(words) not in plain for words in told)


def _matches(
    wanted: Sequence[Weighed], told: Sequence[Saying | None], notes: Sequence[Note]
) -> list[tuple[int, Known]]:
    found = []
    for note in notes:
        former = Saying(note.text, note.speaker, note.source.told_ms if note.source else note.at, note.at)
        for place, saying in enumerate(told):
            if saying is None or not saying.key or wanted[place].draft.kind is not note.kind:
                continue
            if saying.key in note.text and is_retelling(saying, former):
                found.append((place, (note.id, note.version)))
    return found


def _saying(draft: NoteDraft, by_seq: Mapping[int, Message]) -> Saying | None:
    if draft.kind not in retold_notes.KINDS or not draft.sources:
        return None
    told = [by_seq[source.seq] for source in draft.sources]
    return Saying(draft.text, speaker_of(draft.text, [message.speaker for message in told]), told[0].at, draft.at_ms)


def speaker_of(text: str, speakers: Sequence[str]) -> str:
    """Who told a note: of the speakers of its sources the one it begins with, for the first may only have asked."""
    return next((name for name in speakers if name and text.startswith(name)), speakers[0])
