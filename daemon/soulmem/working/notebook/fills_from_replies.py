"""Fills from replies: what the assistant said itself where its memory had gaps becomes the memory, free of charge.

Called by `working/feedback/reply_usage` for each reply, with what the recall before it had brought; nobody waits for
it. What counts as a fill says `core.grounding.reply_fills`, what form it has `core.details.gap_fills`, and it is stored
as any other (`reconstruction_service`). Invariants: no model is called; a note that changed meanwhile keeps what it
became; a reply that recites what it was handed fills nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol

import anyio.to_thread

from soulmem.core.details import gists
from soulmem.core.grounding.reply_fills import Gapped, Spoken, fills_in, kind_of
from soulmem.core.schema.detail_tasks import Fill
from soulmem.core.schema.note_requests import ElementDraft
from soulmem.core.text.tokens import wording_language
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.recalls.reply_rows import HandedOut, Reply
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.views.rendered_notes import RenderedNote
from soulmem.working.notebook.reconstruction_service import ReconstructionService, fillable_notes

_MOST_NOTES = 5
_MOST_KNOWN = 8
_READ = 2_000


class Details(Protocol):
    """What fades of a text by itself."""

    @property
    def elements(self) -> tuple[ElementDraft, ...]: ...


DetailsOf = Callable[[str, int], Awaitable[Details]]


class FillsFromReplies:
    """Reads the replies in one mind for what they put into gaps."""

    def __init__(
        self, memory: OpenMind, now_exp: Callable[[], int], details_of: DetailsOf, reconstructing: ReconstructionService
    ) -> None:
        self._memory = memory
        self._now_exp = now_exp
        self._details_of = details_of
        self._reconstructing = reconstructing

    async def take(self, reply: Reply, items: Sequence[HandedOut], scope: Scope) -> None:
        """Let a reply fill the gaps of one of the notes that had been handed out before it.

        The note rests on the reply then, and goes or is made anew with it; so one that rests on no message is left
        alone, and where talks may not know of each other, one that was heard in another.
        """
        noted = [each.item for each in items if each.kind == "note"]
        faces = await self._memory.database.read(fillable_notes, noted, self._now_exp()) if noted else []
        faces = [
            face for face in faces
            if face.note.source is not None and (scope.audience is None or face.note.homes == {reply.home})
        ]  # fmt: skip
        if not faces:
            return
        by_label = {f"N{place}": face for place, face in enumerate(faces[:_MOST_NOTES], 1)}
        notes = [await self._gapped(label, face) for label, face in by_label.items()]
        said = await self._spoken(reply.text[:_READ], faces[0].note.at)
        if not await _fills(notes, said, reply.question, []):
            return
        gapped = {face.note.id for face in by_label.values()}
        others = [each.text[:_READ] for each in items if each.kind != "note" or each.item not in gapped]
        known = [await self._spoken(text, faces[0].note.at) for text in others[:_MOST_KNOWN]]
        fills = await _fills(notes, said, reply.question, known)
        if fills:
            await self._reconstructing.fill(by_label[fills[0].note], fills, reply.message)

    async def _spoken(self, text: str, at_ms: int) -> Spoken:
        return Spoken(text, (await self._details_of(text, at_ms)).elements)

    async def _gapped(self, label: str, face: RenderedNote) -> Gapped:
        """A note with the kinds of what stood in its gaps: by its words where these tell it, else by their gists."""
        note, language = face.note, wording_language(face.note.text)
        found = (await self._details_of(note.text, note.at)).elements
        kinds = {element.id: gists.kind_said(element.gist, language) for element in face.spans}
        for element in face.spans:
            own = [each for each in found if element.start < each.end and each.start < element.end and each.level == 2]
            if element.level == 2 and not kinds[element.id] and len(own) == 1:
                kinds[element.id] = kind_of(own[0], language)
        return Gapped(face.faded(label), kinds, note.at)


async def _fills(notes: Sequence[Gapped], reply: Spoken, question: str, known: Sequence[Spoken]) -> tuple[Fill, ...]:
    return await anyio.to_thread.run_sync(partial(fills_in, notes, reply, question, known))
