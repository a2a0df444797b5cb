"""Reconstruction service: what was remembered with gaps is filled in by the character, and that becomes the memory.

Recall is reconstruction (algorithms.md §7.7). Called by `dialogue_service` with the notes that stand in an answer that
somebody got, and by `note.reconstruct` with the fills of a client that asked its own model. One call of the engine a
turn, for at most three notes; the text is put together in `core/details/reconstruction`. Invariants: nobody waits for
it, the next turn has what was filled in; a model that fails, is slow or talks nonsense changes nothing; a note that
changed meanwhile keeps what it became; of two who fill the same note at once one wins.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio

from soulmem.core.details import gap_fills as filling
from soulmem.core.details.elements import DETAILED
from soulmem.core.details.gap_fills import (
    MOST_A_TURN,
    Faded,
    Refusal,
    RefusedFillError,
    can_be_rewritten,
    may_rewrite,
)
from soulmem.core.details.masking import masked_note, segments_of
from soulmem.core.details.reconstruction import Reconstruction, assemble
from soulmem.core.schema.detail_tasks import Fill, ReconstructRequest, Segment, SegmentState
from soulmem.core.text.tokens import wording_language
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import World
from soulmem.store.notes import note_rows, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.recalls import reply_rows
from soulmem.store.revision import note_rewrites
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.store.views.rendered_notes import RenderedNote, faces

LONGEST_S = 60.0  # whatever the engine's own deadlines are
_MOST_WAITING = 16  # turns whose notes wait for the model; of more the oldest are left as they are
SHOWN_MS = 86_400_000  # experienced: how long after it was shown a note may be filled in


class ReconstructionService:
    """Fills the gaps of one mind's notes."""

    def __init__(self, memory: OpenMind, world: World, follow: Callable[[Note], None]) -> None:
        """Args: follow: brings a changed note into the index after the commit."""
        self._memory = memory
        self._world = world
        self._follow = follow
        self._waiting: deque[tuple[Sequence[int], str]] = deque(maxlen=_MOST_WAITING)
        self._work = anyio.Event()
        self.is_resting = True

    def begin(self, shown: Sequence[int], mood: str = "") -> None:
        """Let the character fill in what was shown with gaps, the first notes first, while the talk goes on."""
        if shown and self._world.model.name != "extractive":  # it makes nothing up
            self._waiting.append((tuple(shown), mood))
            self.is_resting = False
            self._work.set()

    async def run(self) -> None:
        """Fill in what was shown, one turn after the other, until cancelled."""
        while True:
            self._work = anyio.Event()
            try:
                while self._waiting:
                    await self._complete(*self._waiting.popleft())
            finally:
                self.is_resting = not self._waiting
            await self._work.wait()

    def now_exp(self) -> int:
        """Now, experienced."""
        return self._memory.now(self._world.clock.trusted_now_ms())

    async def _complete(self, shown: Sequence[int], mood: str) -> None:
        chosen = (await self._memory.database.read(fillable_notes, list(shown), self.now_exp()))[:MOST_A_TURN]
        if not chosen:
            return
        labelled = {f"N{place}": face for place, face in enumerate(chosen, start=1)}
        given = await self._filled(labelled, mood)
        made = [(face, m) for label, face in labelled.items() if (m := self._made(label, face, given)) is not None]
        if made:
            await self._store(made)

    async def fill(self, face: RenderedNote, fills: Sequence[Fill], message: int) -> None:
        """Take over what a message said for the gaps of a note, as far as it can be used; the note rests on it then."""
        made = self._made(fills[0].note, face, fills)
        if made is not None:
            await self._store([(face, made)], (message, fills[0].text or ""))

    async def _filled(self, labelled: Mapping[str, RenderedNote], mood: str) -> tuple[Fill, ...]:
        who = self._memory.who
        request = ReconstructRequest(
            notes=tuple(masked_note(label, face.note.text, face.rendering) for label, face in labelled.items()),
            persona=who.persona,
            mood=mood,
            language=who.language or None,
            cast=who.cast(),
        )
        seen = repr([(face.note.id, face.note.version, face.text) for face in labelled.values()])
        key = f"reconstruct:{hashlib.sha256(seen.encode()).hexdigest()[:16]}"
        call = self._memory.call(key, wanted_at_ms=self._world.clock.now_ms())
        given: tuple[Fill, ...] = ()
        try:
            with anyio.move_on_after(LONGEST_S):
                given = await self._world.model.reconstruct(request, call)
        except SoulmemError as error:
            if error.name not in (ErrorName.MODEL_UNAVAILABLE, ErrorName.BUDGET_EXHAUSTED):
                raise
        return given

    def _made(self, label: str, face: RenderedNote, given: Sequence[Fill]) -> Reconstruction | None:
        """What becomes of a note; None where nothing that was said about it can be used."""
        faded = face.faded(label)
        usable = filling.usable(faded, [fill for fill in given if fill.note == label])
        try:
            return self._assembled(faded, usable) if usable else None
        except RefusedFillError:
            return None  # nothing would be left of it: rather as it is

    def _assembled(self, faded: Faded, given: Sequence[Fill]) -> Reconstruction:
        language = wording_language(faded.text)
        return assemble(faded, given, self.now_exp(), language=language)

    async def _store(
        self, made: Sequence[tuple[RenderedNote, Reconstruction]], source: tuple[int, str] | None = None
    ) -> list[Note]:
        now, now_exp = self._world.clock.now_ms(), self.now_exp()

        def run(connection: Connection) -> list[Note]:
            if source is not None and not reply_rows.is_said(connection, *source):
                return []  # it was deleted, or edited
            written = (note_rewrites.rewrite(connection, face, result, now, now_exp) for face, result in made)
            notes = [note for note in written if note is not None]
            if source is not None:
                for note in notes:
                    note_writes.add_sources(connection, note.id, [source])
            return notes

        try:
            return await self._memory.database.write("reconstruct", run, after=self.told)
        except SoulmemError as error:  # a disk that takes no more costs the rewriting, not the answer
            if error.name not in (ErrorName.STORAGE_FULL, ErrorName.STORAGE_READONLY):
                raise
            return []

    def told(self, changed: Sequence[Note]) -> None:
        """After a commit: the index follows, and the log is told."""
        for note in changed:
            self._follow(note)
        if changed:
            self._world.emit("note_reconstructed", mind=self._memory.name, count=len(changed))

    def rewrite(
        self, connection: Connection, note: Note, version: int, given: Sequence[tuple[int, str | None]],
        shown_exp: int | None,
    ) -> Note:  # fmt: skip
        """Take over the fills (segment, words or None) of a client for a note of that version, in its transaction.

        `shown_exp`: when its segments were shown (experienced ms), for they are numbered as they were then; None: now.
        Raises: SoulmemError: `version_conflict`; `invalid_params`, with why by name.
        """
        now_exp = self.now_exp()
        if shown_exp is not None and not now_exp - SHOWN_MS <= shown_exp <= now_exp:
            raise SoulmemError(ErrorName.INVALID_PARAMS, "shown: that is longer ago than a day, or still to come")
        if note.version != version:
            raise _conflict(note, version)
        face = faces(connection, [note], now_exp if shown_exp is None else shown_exp)[note.id]
        if (why := _barred(face, now_exp)) is not None:
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"{why}: {_WHY[why]}")
        faded = face.faded(public_id("n", note.id))
        fills = [Fill(faded.label, segment, words) for segment, words in given]
        try:
            made = self._assembled(faded, fills)
        except RefusedFillError as error:
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"{error.reason.value}: {error}") from error
        written = note_rewrites.rewrite(connection, face, made, self._world.clock.now_ms(), now_exp)
        if written is None:
            raise _conflict(note, version)
        return written


_WHY = {
    "forgotten": "restore it with note.restore first",
    "not_episodic": "only what was lived through, or is a fact, is put together anew when it is remembered",
    "fact_lost": "nothing is left of the fact, and none is made up",
    "pinned": "a pinned note stays as it is",
    "no_gaps": "nothing of the note has faded",
    "rewritten_lately": "it was filled in within the last ten minutes",
}


def _barred(face: RenderedNote, now_exp: int) -> str | None:
    """Why a note is not to be filled in now; None if it is."""
    note = face.note
    if note.lifecycle == note_rows.FORGOTTEN:
        return "forgotten"
    if may_rewrite(note.kind, face.rendering, now_exp, pinned=note.pinned, rewritten_ms=note.rewritten_exp):
        return None
    if note.kind not in DETAILED:
        return "not_episodic"
    if note.pinned:
        return "pinned"
    if not can_be_rewritten(note.kind, face.rendering):
        return "fact_lost"
    return "rewritten_lately" if face.rendering.has_gaps else "no_gaps"


def fillable(shown: Sequence[RenderedNote], now_exp: int) -> list[RenderedNote]:
    """Those of these notes that may be filled in now."""
    return [face for face in shown if _barred(face, now_exp) is None]


def with_gaps(connection: Connection, ids: Sequence[int], now_exp: int) -> dict[int, dict[str, Any]]:
    """Those of these notes that may be filled in, with their segments by number, for a client that has its own model.

    A clear segment has its text, a blurred one its gist; `length` is the number of characters of what stood there.
    """
    return {
        face.note.id: {
            "id": public_id("n", face.note.id),
            "version": face.note.version,
            "shown": now_exp,
            "segments": [_segment(segment) for segment in segments_of(face.note.text, face.rendering)],
        }
        for face in fillable_notes(connection, ids, now_exp)
    }


_STATES = {SegmentState.CLEAR: "clear", SegmentState.BLUR: "blurred", SegmentState.BLANK: "blank"}


def _segment(segment: Segment) -> dict[str, Any]:
    view: dict[str, Any] = {"number": segment.number, "state": _STATES[segment.state], "length": segment.length}
    if segment.state is SegmentState.CLEAR:
        return view | {"text": segment.text}
    return view | ({"gist": segment.gist} if segment.gist else {})


def fillable_notes(connection: Connection, ids: Sequence[int], now_exp: int) -> list[RenderedNote]:
    """Those of these notes that may be filled in at an experienced time, in their order."""
    shown = faces(connection, note_rows.get_many(connection, ids).values(), now_exp)
    return fillable([shown[note] for note in ids if note in shown], now_exp)


def _conflict(note: Note, version: int) -> SoulmemError:
    reason = Refusal.WRONG_VERSION.value
    return SoulmemError(
        ErrorName.VERSION_CONFLICT,
        f"{reason}: the note is at version {note.version}, not {version}",
        hint="ask for the context again and fill in what it shows now",
    )
