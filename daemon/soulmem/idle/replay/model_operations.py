"""Model operations: what a model makes of a region that is gone over, and how that is written (algorithms.md §6.9).

Called by `replay_step`; asks nothing where there is no model or its tokens are spent. Invariants: a model sees notes as
they show, under labels, once a region; what it answers passes `core/replay/replay_operations`, what it concludes
`core/reflection/insight_admission` as well, and what it says is over ends nothing that code does not see to be of the
same matter or person (`core/changes/contradiction`), and only through what was told later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field

from soulmem.core.changes.contradiction import Refused, outcomes
from soulmem.core.details.elements import fitting
from soulmem.core.reflection import insight_admission
from soulmem.core.reflection.reflection_wording import GIST
from soulmem.core.replay import replay_operations
from soulmem.core.replay.closed_triads import Tie
from soulmem.core.replay.replay_operations import Shown
from soulmem.core.schema.engine_tasks import FactEvent, Insight, Labelled, ReplayRequest
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.replay.region_choice import Choice
from soulmem.idle.steps import reconcile_step
from soulmem.idle.steps.reconcile_step import Made
from soulmem.idle.steps.similar_notes import told_of
from soulmem.ports import World
from soulmem.store.graph import link_rows
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.reflections import reflection_rows
from soulmem.store.reflections.reflection_rows import Moment, NewReflection
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import RenderedNote, faces

ENGINE = "replay"  # of reflections that were made so
_ASKING = 700  # tokens of a call beside its notes, what it answers included
_MOST_A_NOTE = 160
_FEW_OVER = 2  # contradictions of a region up to which a model is believed where code reads no matter


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a model made of a region: what may be written, and what not."""

    ties: tuple[Tie, ...] = ()
    reflections: tuple[NewReflection, ...] = ()
    over: tuple[tuple[int, int], ...] = ()
    refused: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Written:
    """What of it was written."""

    reflections: list[int] = field(default_factory=list)
    made: Made = field(default_factory=Made)
    links: int = 0


def cost(choice: Choice) -> int:
    """About how many tokens a model would take for a region."""
    return _ASKING + sum(min(_MOST_A_NOTE, node.tokens) for node in choice.nodes.values())


async def think(
    memory: OpenMind, world: World, choice: Choice, job: Job, run: str, *, reflects: bool, apart: bool
) -> Thoughts:
    """What a model makes of a region.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    now_exp = memory.now(world.clock.trusted_now_ms())

    def read(connection: Connection) -> dict[int, RenderedNote]:
        return faces(connection, note_rows.get_many(connection, sorted(choice.nodes)).values(), now_exp)

    found = await memory.database.read(read)
    notes = [note for note in choice.region.notes if note in found and found[note].text.strip()]
    if len(notes) < 2:
        return Thoughts()
    labels = {note: f"N{place}" for place, note in enumerate(notes, start=1)}
    told = tuple(Labelled(labels[n], found[n].text, found[n].day_ms, found[n].speaker) for n in notes)
    walks = tuple(tuple(labels[note] for note in walk if note in labels) for walk in choice.sequences)
    request = ReplayRequest(told, walks, language=memory.who.language or None, cast=memory.who.cast())
    first = choice.nodes[choice.region.notes[0]]
    call = memory.call(f"replay:{job.id}:{first.note}.{first.version}", run=run, wanted_at_ms=job.created_at)
    answer = await world.model.replay(request, call)
    shown = {labels[n]: Shown(n, choice.nodes[n].kind, choice.nodes[n].pinned) for n in notes}
    rows = choice.region.rows
    admitted = replay_operations.admit(answer, shown, lambda a, b: b in rows.get(a, {}) or a in rows.get(b, {}))
    reflections, refused = await _concluded(
        memory, admitted.insights if reflects else (), {labels[n]: found[n] for n in notes}, choice, apart=apart
    )
    return Thoughts(admitted.ties, reflections, admitted.over, Counter(admitted.refused) + refused)


async def _concluded(
    memory: OpenMind, insights: Sequence[Insight], faces_by: dict[str, RenderedNote], choice: Choice, *, apart: bool
) -> tuple[tuple[NewReflection, ...], Counter[str]]:
    """The insights that may be kept, as reflections."""
    homes = choice.nodes[choice.region.notes[0]].homes
    if not insights or (apart and len(homes) != 1):
        return (), Counter()
    home = next(iter(homes)) if apart else 0

    def known(connection: Connection) -> list[str]:
        standing = [each.note for each in reflection_rows.living(connection, home)]
        return [note.text for note in note_rows.get_many(connection, standing).values()]

    shown = {label: insight_admission.Shown(face.note.id, face.text) for label, face in faces_by.items()}
    cast = memory.who.cast()
    people = [each for each in (cast.character, *cast.people) if each]
    admission = insight_admission.admit(insights, shown, await memory.database.read(known), people)
    notes = {face.note.id: face.note for face in faces_by.values()}
    made = []
    for each in admission.admitted:
        cited = [notes[note] for note in each.evidence]
        gist = GIST[wording_language(each.text)]
        made.append(
            NewReflection(
                each.text, max(note.at for note in cited), {note.id: note.version for note in cited}, each.depth,
                ENGINE, fitting(each.text, NoteKind.REFLECTION, (), gist=gist).elements, home=home,
                importance=round(min(0.9, max(0.45, sum(note.importance for note in cited) / len(cited))), 3),
                valence=round(sum(note.valence for note in cited) / len(cited), 3),
            )
        )  # fmt: skip
    return tuple(made), Counter(admission.refused)


def write(
    connection: Connection, thoughts: Thoughts, as_read: frozenset[int], moment: Moment, *, apart: bool
) -> Written:
    """Write what a model concluded and what holds no more, as far as the notes are as they were read."""
    written = Written()
    discerning = len(thoughts.over) <= _FEW_OVER
    for old, new in thoughts.over:
        if old in as_read and new in as_read:
            _end(connection, old, new, written.made, moment, apart=apart, discerning=discerning)
    before = link_rows.count(connection)
    for each in thoughts.reflections:
        if (made := reflection_rows.make(connection, each, moment)) is not None:
            written.reflections.append(made)
    written.links = link_rows.count(connection) - before
    return written


def _end(
    connection: Connection, old: int, new: int, made: Made, moment: Moment, *, apart: bool, discerning: bool
) -> None:
    """Let one note hold no more for what another says, if that was told later and is of the same matter."""
    told = {each.note: each for each in told_of(connection, [old, new])}
    if set(told) != {old, new} or told[new].order < told[old].order:
        return
    said_over = [each.said for each in note_validity.endings(connection, [old]).get(old, ())]
    decided = outcomes(
        told[new], told[old], FactEvent.SUPERSEDE, moment.now, said_over=said_over, discerning=discerning
    )
    for outcome in () if isinstance(decided, Refused) else decided:
        if outcome.ended == old:
            reconcile_step.end(connection, outcome, made, moment.delete_below, moment.now, moment.now_exp, apart=apart)
