"""Drift step: in an idle mind that wants it, blurred details silently turn into others like them (algorithms.md §7.9).

A step of `digestion`, off unless `forgetting.drift` is on, never in profile `assistant`: an experiment. For each
blurred detail the engine names what it could be taken for, the embedder says what all of that means,
`core.details.drift` decides. Each detail is looked at once while it is blurred, late, and a few in a round. What a note
says next, its version, history, indexes and the mark that its details were looked at are one transaction under a
version check, so a death or a change in between leaves no half effect. Where the embedder cannot read a detail nothing
drifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import partial
from typing import Any

import anyio.lowlevel

from soulmem.core.details import drift as rules
from soulmem.core.details.elements import Element
from soulmem.core.details.masking import Rendering, state_of
from soulmem.core.details.reconstruction import BLUR_FIDELITY
from soulmem.core.schema.detail_tasks import FadedDetail, MisrememberRequest, SegmentState
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ops.settings.setting_sections import Profile
from soulmem.ports import BLIND_BELOW, Embedder, FloatMatrix, FloatVector, World
from soulmem.store.index import vectors
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import element_rows, note_index_rows, note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.revision import drift_writes
from soulmem.store.revision.drift_writes import Overwrite
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import RenderedNote, faces

MOST_NOTES = 8  # in one round
MOST_DETAILS = 20
_NAMES = 40
_NEAR = 200  # notes among which concepts are looked for
_AROUND = 120  # characters of what shows beside a detail


@dataclass(frozen=True, slots=True)
class _Faint:
    """A note with blurred details: those to be looked at, and those of them that may drift."""

    face: RenderedNote
    looked_at: tuple[Element, ...]
    able: tuple[Element, ...]
    names: tuple[str, ...]

    @property
    def note(self) -> Note:
        return self.face.note


@dataclass(slots=True)
class _Picks:
    """What was decided for a note: element id -> its new words; how like the old ones, how rare before and after."""

    wordings: dict[int, str] = field(default_factory=dict)
    told: list[dict[str, Any]] = field(default_factory=list)


def is_on(memory: OpenMind, settings: MindSettings) -> bool:
    """Whether details of this mind drift."""
    wanted = settings.forgetting
    return wanted.drift and wanted.blurs and memory.who.profile != Profile.ASSISTANT.value


async def drift(memory: OpenMind, world: World, settings: MindSettings, job: Job, run: str) -> dict[str, int]:
    """Run the step: how many details were looked at, and how many of them are others now.

    Raises SoulmemError: `model_unavailable`, when the engine or the embedder asks to be tried again later.
    """
    done = {"tried": 0, "drifted": 0}
    if is_on(memory, settings) and not world.clock.suspect:
        await _let_drift(memory, world, job, run, done)
    finish = partial(digestion_jobs.finish, job=job.id, result=done, now=world.clock.now_ms())
    await memory.database.write("drift.done", finish)
    return done


async def _let_drift(memory: OpenMind, world: World, job: Job, run: str, done: dict[str, int]) -> None:
    """Let the details drift that blurred since they were last looked at, a few of them."""
    await memory.up_to_date()
    due = await memory.database.read(drift_writes.due, memory.now(world.clock.trusted_now_ms()), MOST_NOTES)
    for number in due:
        if done["tried"] >= MOST_DETAILS:
            break
        now_exp = memory.now(world.clock.trusted_now_ms())
        faint = await memory.database.read(_gather, number, now_exp, MOST_DETAILS - done["tried"])
        if faint is None or not faint.looked_at:
            continue
        picks = await _decided(memory, world, faint, now_exp, job, run)
        done["tried"] += len(faint.looked_at)
        done["drifted"] += await _store(memory, world, faint, picks)
        await anyio.lowlevel.checkpoint()


def _gather(connection: Connection, number: int, now_exp: int, most: int) -> _Faint | None:
    note = note_rows.get_many(connection, [number]).get(number)
    if note is None or note.lasts:
        return None
    fading = element_rows.fading(connection)
    face = faces(connection, [note], now_exp)[number]
    fresh = drift_writes.due_of(connection, number, now_exp)
    looked_at = tuple(
        each for each in face.spans if each.id in fresh and state_of(each.opacity(now_exp), fading) is SegmentState.BLUR
    )[:most]
    able = [each for each in rules.driftable(note.text, face.spans, now_exp, fading) if each in looked_at]
    names = drift_writes.names_beside(connection, note, _NAMES) if able else ()
    return _Faint(face, looked_at, tuple(able), names)


async def _decided(memory: OpenMind, world: World, faint: _Faint, now_exp: int, job: Job, run: str) -> _Picks:
    """What each detail that may drift turns into, if into anything."""
    embedder, note, picks = world.embedding.embedder, faint.note, _Picks()
    if not faint.able or not _reads(embedder, note.text):
        return picks
    texts = {each.id: note.text[each.start : each.end].strip() for each in faint.able}
    able = {f"D{i}": e for i, e in enumerate((e for e in faint.able if _reads(embedder, texts[e.id], e.gist)), 1)}
    if not able:
        return picks
    shown = faint.face.rendering
    details = tuple(_detail(label, each, faint, shown) for label, each in able.items())
    request = MisrememberRequest(
        details, rules.CANDIDATES, language=memory.who.language or None, cast=memory.who.cast()
    )
    call = memory.call(f"drift:{note.id}.{note.version}", run=run, wanted_at_ms=job.created_at)
    offered = {each.label: each.wordings for each in await world.model.misremember(request, call)}
    for label, each in able.items():
        hidden = _hidden(note.text, each, shown)
        wordings = rules.usable(offered.get(label, ()), texts[each.id], hidden)
        wordings = tuple(wording for wording in wordings if _reads(embedder, wording))
        if wordings:
            found = await world.embedding.embed_background([texts[each.id], each.gist, *wordings])
            await _decide(memory, faint, each, wordings, found, now_exp, picks)
    return picks


async def _decide(
    memory: OpenMind, faint: _Faint, element: Element, wordings: Sequence[str], found: FloatMatrix,
    now_exp: int, picks: _Picks,
) -> None:  # fmt: skip
    original, gist, candidates = found[0], found[1], found[2:]
    seed = rules.seed_of(faint.note.id, faint.note.version, element.id)
    stray = rules.stray_from(original, gist, seed)
    aim = rules.move_meaning(original, gist, element.opacity(now_exp), stray)
    place = rules.pick_wording(original, aim, list(candidates))
    if place is None:
        return
    rarity = [await _rarity(memory, vector) for vector in (original, candidates[place])]
    picks.wordings[element.id] = wordings[place]
    picks.told.append({"likeness": round(float(candidates[place] @ original), 4), "rarity": rarity})


def _reads(embedder: Embedder, *texts: str) -> bool:
    """Whether the embedder knows what these mean."""
    return all(embedder.coverage(text) >= BLIND_BELOW for text in texts)


def _detail(label: str, element: Element, faint: _Faint, shown: Rendering) -> FadedDetail:
    """The detail as an engine sees it: around it only what shows of the note."""
    note = faint.note
    before, after = (_seen(note.text, shown, *span) for span in ((0, element.start), (element.end, len(note.text))))
    text = note.text[element.start : element.end].strip()
    return FadedDetail(label, text, element.gist, before[-_AROUND:], after[:_AROUND], note.at, faint.names)


def _seen(text: str, shown: Rendering, start: int, end: int) -> str:
    """A stretch of a note as it shows, with a placeholder for each masked piece."""
    parts: list[str] = []
    for piece in shown.pieces:
        low, high = max(start, piece.start), min(end, piece.end)
        if low < high:
            parts.append(shown.placeholder if piece.is_masked else text[low:high])
    return "".join(parts)


def _hidden(text: str, element: Element, shown: Rendering) -> list[str]:
    """The wordings of a note that are masked, apart from the detail's own."""
    pieces = (piece for piece in shown.pieces if piece.is_masked and not piece.is_gone)
    others = (piece for piece in pieces if piece.end <= element.start or element.end <= piece.start)
    return [words for piece in others if any(map(str.isalnum, words := text[piece.start : piece.end].strip()))]


async def _rarity(memory: OpenMind, vector: FloatVector) -> float | None:
    """How far a meaning lies from the concepts this mind knows (`core.details.drift.rarity`)."""

    def read(connection: Connection) -> list[float]:
        near = dict(vectors.nearest(connection, memory.fingerprint, vector, _NEAR, kind="note"))
        known = note_rows.get_many(connection, list(near))
        return [near[each.id] for each in known.values() if each.kind.value in {"semantic", "abstract"}]

    found = rules.rarity(await memory.database.read(read))
    return None if found is None else round(found, 4)


async def _store(memory: OpenMind, world: World, faint: _Faint, picks: _Picks) -> int:
    """Write what was decided; how many details are others now."""
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    change = _change(faint, picks) if picks.wordings else None
    store = partial(
        drift_writes.overwrite, shown=faint.face, looked_at=faint.looked_at, change=change, now=now, now_exp=now_exp
    )

    def after(stored: Note | None) -> None:
        if stored is not None and change is not None:
            memory.follow(lambda index: note_index_rows.put(index, [stored]))
            world.emit("note_drifted", mind=memory.name, count=len(picks.wordings))

    stored = await memory.database.write("drift", store, after=after)
    return len(picks.wordings) if stored is not None and change is not None else 0


def _change(faint: _Faint, picks: _Picks) -> Overwrite | None:
    note = faint.note
    language = tokens.wording_language(note.text)
    try:
        text, moved = rules.replace_details(note.text, faint.face.spans, picks.wordings, language=language)
    except ValueError:  # a wording that would run into its neighbour
        return None
    return Overwrite(text, moved, BLUR_FIDELITY ** len(picks.wordings), {"details": picks.told})
