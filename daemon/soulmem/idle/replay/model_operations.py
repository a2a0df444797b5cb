"""Model operations: what a model makes of a region that is gone over, and how that is written (algorithms.md §6.9).

Called by `replay_step`; asks nothing where there is no model or its tokens are spent. Invariants: a model sees notes as
they show, under labels, a short line each, once a region; what it answers passes `core/replay/replay_operations`, what
it concludes `core/reflection/insight_admission` as well; what it says is over ends nothing that code does not see to be
of the same matter or person (`core/changes/contradiction`), and only through what was told later; what it says is one
becomes one only where code reads the same telling (`core/merging`); nothing is done again that was taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

from soulmem.core.decay.traces import placed
from soulmem.core.details.elements import Element, fitting
from soulmem.core.details.masking import NoteState
from soulmem.core.details.reconstruction import BLANK_FILL_STRENGTH, with_safe_gists
from soulmem.core.merging.note_clusters import Candidate, clusters
from soulmem.core.reflection import insight_admission
from soulmem.core.reflection.reflection_wording import GIST
from soulmem.core.replay import replay_operations
from soulmem.core.replay.closed_triads import Tie
from soulmem.core.replay.replay_operations import Shown
from soulmem.core.schema.engine_tasks import Insight, Labelled, OperationKind, ReplayRequest
from soulmem.core.schema.note_requests import Anchor, NoteKind
from soulmem.core.schema.note_topics import Topic
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.replay.region_choice import Choice
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import merge_queue, note_rows
from soulmem.store.notes.merge_queue import Facts
from soulmem.store.reflections import reflection_rows
from soulmem.store.reflections.reflection_rows import NewReflection
from soulmem.store.revision import replay_undo
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import RenderedNote, faces

ENGINE = "replay"  # of reflections that were made so
_ASKING = 600  # tokens of a call beside its notes, what it answers included
_MOST_SHOWN = 16  # notes of a region, those that belong to it most
_MOST_A_NOTE = 50  # tokens


@dataclass(frozen=True, slots=True)
class Rephrased:
    """A note of which only vague words were left, and the sentence that they make; `born`: its details then."""

    face: RenderedNote
    text: str
    born: tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a model made of a region: what may be written, and what not."""

    ties: tuple[Tie, ...] = ()
    reflections: tuple[NewReflection, ...] = ()
    over: tuple[tuple[int, int], ...] = ()
    merged: tuple[tuple[int, int], ...] = ()  # (what stays, what goes into it)
    rephrased: tuple[Rephrased, ...] = ()
    retagged: tuple[tuple[int, tuple[Topic, ...], tuple[Topic, ...]], ...] = ()  # with the topics of before
    refused: Counter[str] = field(default_factory=Counter)


def cost(choice: Choice) -> int:
    """About how many tokens a model would take for a region."""
    shown = (choice.nodes[note].tokens for note in choice.region.notes[:_MOST_SHOWN] if note in choice.nodes)
    return _ASKING + sum(min(_MOST_A_NOTE, each) for each in shown)


@dataclass(frozen=True, slots=True)
class Told:
    """The notes of a region as a model would be shown them, those that belong to it most; `found`: all that show."""

    notes: tuple[int, ...]
    found: Mapping[int, RenderedNote]
    is_any_vague: bool


def read(connection: Connection, choice: Choice, now_exp: int) -> Told:
    """Read that of a region."""
    found = faces(connection, note_rows.get_many(connection, sorted(choice.nodes)).values(), now_exp)
    notes = [note for note in choice.region.notes if note in found and found[note].text.strip()][:_MOST_SHOWN]
    return Told(tuple(notes), found, any(_shown(choice, found[note]).is_vague for note in notes))


async def think(
    memory: OpenMind, world: World, settings: MindSettings, choice: Choice, told: Told, job: Job, run: str, *,
    apart: bool,
) -> Thoughts:  # fmt: skip
    """What a model makes of a region.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    now_exp = memory.now(world.clock.trusted_now_ms())
    found, notes = told.found, told.notes
    labels = {note: f"N{place}" for place, note in enumerate(notes, start=1)}
    lines = tuple(Labelled(labels[n], found[n].text, found[n].day_ms, found[n].speaker) for n in notes)
    walks = tuple(tuple(labels[note] for note in walk if note in labels) for walk in choice.sequences)
    listed = {labels[n]: tuple(map(Topic, replay_undo.topics_of(found[n].tags))) for n in notes}
    topics = tuple((label, each) for label, each in listed.items() if each)
    request = ReplayRequest(lines, walks, topics, language=memory.who.language or None, cast=memory.who.cast())
    first = choice.nodes[choice.region.notes[0]]
    call = memory.call(f"replay:{job.id}:{first.note}.{first.version}", run=run, wanted_at_ms=job.created_at)
    answer = await world.model.replay(request, call)
    shown = {labels[n]: _shown(choice, found[n]) for n in notes}
    rows = choice.region.rows
    admitted = replay_operations.admit(answer, shown, lambda a, b: b in rows.get(a, {}) or a in rows.get(b, {}))
    refused = Counter(admitted.refused)
    reflections, unfit = await _concluded(
        memory,
        admitted.insights if settings.reflection.enabled else (),
        {labels[n]: found[n] for n in notes},
        choice,
        apart=apart,
    )
    merges = settings.linking.merge

    def read_again(connection: Connection) -> tuple[dict[int, Facts], dict[int, Candidate], _Refused]:
        facts = merge_queue.facts(connection, notes)
        spans = {n: found[n].spans for n in facts}
        candidates = {n: merge_queue.candidate(facts[n], spans[n], now_exp) for n in facts}
        return facts, candidates, _Refused.read(connection, notes, world.clock.now_ms())

    facts, candidates, former = await memory.database.read(read_again)
    merged = []
    for pair in admitted.merged if merges else ():
        found_one = pair not in former.apart and all(n in facts for n in pair)
        may = found_one and merge_queue.may_meet(facts[pair[0]], facts[pair[1]], apart=apart)
        made = clusters({n: candidates[n] for n in pair}, [pair]) if may else ()
        merged += [(each.survivor, other) for each in made for other in each.others]
        refused[replay_operations.Why.OTHER.value] += not made
    rephrased = tuple(
        _rephrased(found[n], text, now_exp)
        for n, text in admitted.rephrased
        if n in facts and facts[n].may_go and (n, 0) not in former.of[OperationKind.REPHRASE]
    )
    return Thoughts(
        admitted.ties,
        reflections,
        tuple(pair for pair in admitted.over if pair not in former.of[OperationKind.CONTRADICTION]),
        tuple(merged),
        rephrased,
        tuple(
            (n, tuple(map(Topic, replay_undo.topics_of(found[n].note.tags))), topics)
            for n, topics in admitted.retagged
            if (n, 0) not in former.of[OperationKind.RETAG]
        ),
        refused + unfit,
    )


def _shown(choice: Choice, face: RenderedNote) -> Shown:
    node, topics = choice.nodes[face.note.id], frozenset(map(Topic, replay_undo.topics_of(face.tags)))
    is_anchored = any(each.anchor is not Anchor.NONE for each in face.spans)
    is_vague = face.state is NoteState.BLANK and not is_anchored and any(
        piece.gist and not piece.is_gone for piece in face.rendering.pieces
    )  # fmt: skip
    return Shown(node.note, node.kind, node.pinned, face.text, is_vague, topics)


def _rephrased(face: RenderedNote, text: str, now_exp: int) -> Rephrased:
    """The new words of a note as one detail, as strong as what was made up for a gap, and no more lasting."""
    whole = max(face.spans, key=lambda each: (each.level == 0, each.opacity(now_exp)))
    trace = placed(whole.trace, BLANK_FILL_STRENGTH, now_exp)
    element = Element(-1, 0, len(text), 0, whole.gist, Anchor.NONE, trace)
    return Rephrased(face, text, with_safe_gists(text, (element,), wording_language(text)))


@dataclass(frozen=True, slots=True)
class _Refused:
    """What was taken back of these notes, and which of them stay two."""

    of: Mapping[OperationKind, frozenset[tuple[int, int]]]
    apart: frozenset[tuple[int, int]]

    @classmethod
    def read(cls, connection: Connection, notes: Sequence[int], now: int) -> _Refused:
        kinds = (OperationKind.CONTRADICTION, OperationKind.REPHRASE, OperationKind.RETAG)
        of = {kind: replay_undo.refused(connection, kind, notes) for kind in kinds}
        return cls(of, merge_queue.apart(connection, sorted(notes), now))


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
