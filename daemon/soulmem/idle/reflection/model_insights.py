"""Model insights: what a model concludes from what was noted lately and from what belongs to that: a handful.

Called by `reflect_step` before it writes; asks nothing where there is no model. Invariants: one call for what is new,
one for names (`name_questions`), and one for each reflection that is made anew, at most `MOST_RENEWED` a run; a model
sees notes as they show; what it answers passes `core/reflection/insight_admission` before it is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from itertools import zip_longest

from soulmem.core.details.elements import fitting
from soulmem.core.details.masking import NoteState
from soulmem.core.reflection.insight_admission import MOST_ADMITTED, Admitted, Shown, admit
from soulmem.core.reflection.reflection_wording import ALIAS, GENERAL_QUESTION, GIST, LEADING_QUESTION
from soulmem.core.schema.engine_tasks import Insight, InsightsRequest, Labelled
from soulmem.core.schema.note_requests import Cast, NoteKind
from soulmem.core.text.tokens import query_terms, wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.reflection import name_questions
from soulmem.idle.reflection.name_questions import Names
from soulmem.ports import BLIND_BELOW, Call, World
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.index import fts, vectors
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.reflections import reflection_material, reflection_rows
from soulmem.store.reflections.reflection_material import Material
from soulmem.store.reflections.reflection_rows import SHAKEN, NewReflection, Reflection
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import RenderedNote

MOST_RENEWED = 5
_MOST_LATEST = 30  # notes that are thought over in one call, those that matter most
_MOST_NEAR = 12  # earlier ones beside them
_FOCAL = 3  # of the latest, to each of which that is looked for
_MOST_AGAIN = 30  # notes that are thought over anew, because what was concluded from them had to go
_SAME = 0.92  # cosine from which two say the same
_WITHIN = 0.8  # share of the words of a note that stand in another which says it too


@dataclass(slots=True)
class Thoughts:
    """What came of it: new reflections, those made anew by number, those that stand or go, refusals by reason."""

    new: list[NewReflection] = field(default_factory=list)
    renewed: dict[int, NewReflection] = field(default_factory=dict)
    kept: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    names: Names = Names()


@dataclass(slots=True)
class _Asking:
    """One home being thought over: for whom the model is called, and the label of each note in all of it."""

    memory: OpenMind
    world: World
    scope: Scope
    home: int
    call: Call | None
    cast: Cast
    now_exp: int
    labels: dict[int, str] = field(default_factory=dict)
    shown: dict[str, Shown] = field(default_factory=dict)
    faces: dict[int, RenderedNote] = field(default_factory=dict)

    def label(self, face: RenderedNote, depth: int) -> Labelled:
        """A note as it is shown to the model, under the same name in every call."""
        name = self.labels.setdefault(face.note.id, f"N{len(self.labels) + 1}")
        self.shown[name] = Shown(face.note.id, face.text, depth)
        self.faces[face.note.id] = face
        return Labelled(name, face.text, face.day_ms, face.speaker)


async def think(
    memory: OpenMind, world: World, material: Material, home: int, job: Job, run: str, *, since: int | None, apart: bool
) -> Thoughts:
    """What a model makes of it.

    Args: since: the last note that was thought over before; None: this is no time for new thoughts.
    Raises: SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    thoughts = Thoughts()
    stale = [each for each in material.known if each.stale > 0 and each.topic in ("", ALIAS)]
    is_extractive = world.model.name == "extractive"
    for each in stale if is_extractive else [each for each in stale if each.topic == ALIAS]:
        (thoughts.gone if each.stale >= SHAKEN else thoughts.kept).append(each.note)
    if is_extractive:
        return thoughts
    asking = _Asking(
        memory, world, reflection_material.home_scope(home, apart=apart), home,
        memory.call(f"reflect:{job.id}:{home}", run=run, wanted_at_ms=job.created_at), memory.who.cast(),
        memory.now(world.clock.trusted_now_ms()),
    )  # fmt: skip
    for each in [each for each in stale if each.topic != ALIAS][:MOST_RENEWED]:
        await _renew(asking, each, thoughts)
    said = [text for note, text in material.texts.items() if note not in thoughts.gone]
    if since is not None:
        await _conclude(asking, material, since, said, thoughts)
        thoughts.names = await name_questions.ask(memory, world, material, home, asking.call)
        thoughts.new += thoughts.names.same
    elif material.again:
        faces = [material.faces[note] for note in sorted(material.again) if note in material.faces]
        await _conclude_from(asking, faces[-_MOST_AGAIN:], said, thoughts)
    return thoughts


async def _conclude(asking: _Asking, material: Material, since: int, said: Sequence[str], thoughts: Thoughts) -> None:
    """What the latest notes say together with what belongs to those of them that matter most."""
    told = [
        face for note, face in sorted(material.faces.items())
        if note > since and face.note.kind is not NoteKind.REFLECTION and _is_told(face)
    ]  # fmt: skip
    weighty = sorted(_distinct(told), key=lambda face: (-face.note.importance, -face.note.id))
    latest = [face for face in told if face in weighty[:_MOST_LATEST]]
    if len(latest) < 2:
        return
    before = [each.note for each in material.known if not each.stale][: -_FOCAL - 1 : -1]
    near = await _near(asking, [face.text for face in weighty[:_FOCAL]], {face.note.id for face in latest}, before)
    statements = [*near, *(asking.label(face, 0) for face in latest)]
    question = LEADING_QUESTION[wording_language("\n".join(face.text for face in latest))]
    request = InsightsRequest(
        question, tuple(statements), MOST_ADMITTED, language=asking.memory.who.language or None, cast=asking.cast
    )
    found = await asking.world.model.insights(request, asking.call)
    await _admit(asking, found, question, said, thoughts)


def _distinct(faces: Sequence[RenderedNote]) -> list[RenderedNote]:
    """Without those whose words stand in a longer one of them: of one sentence there is often a note by each engine."""
    words = {face.note.id: frozenset(query_terms(face.text)) for face in faces}
    kept: list[RenderedNote] = []
    for face in sorted(faces, key=lambda each: -len(words[each.note.id])):
        mine = words[face.note.id]
        if mine and not any(len(mine & words[other.note.id]) >= _WITHIN * len(mine) for other in kept):
            kept.append(face)
    return kept


async def _conclude_from(
    asking: _Asking, faces: Sequence[RenderedNote], said: Sequence[str], thoughts: Thoughts
) -> None:
    """What these notes say together, because what was concluded from them had to go."""
    statements = [asking.label(face, 0) for face in faces if _is_told(face)]
    if len(statements) < 2:
        return
    question = GENERAL_QUESTION[wording_language("\n".join(face.text for face in faces))]
    request = InsightsRequest(
        question, tuple(statements), 2, language=asking.memory.who.language or None, cast=asking.cast
    )
    found = await asking.world.model.insights(request, asking.call)
    await _admit(asking, found, question, said, thoughts)


async def _renew(asking: _Asking, before: Reflection, thoughts: Thoughts) -> None:
    """Make a reflection anew from what is left of what it rested on."""

    def read(connection: Connection) -> tuple[dict[int, RenderedNote], dict[int, Reflection]]:
        ids = sorted(before.evidence)
        faces = reflection_material.statements(connection, ids, asking.now_exp, asking.scope)
        return faces, reflection_rows.of_notes(connection, ids)

    faces, deeper = await asking.memory.database.read(read)
    statements = [asking.label(face, deeper[note].depth if note in deeper else 0) for note, face in faces.items()]
    found: Sequence[Insight] = ()
    question = before.question
    if len(statements) >= 2:
        question = question or GENERAL_QUESTION[wording_language("\n".join(each.text for each in statements))]
        request = InsightsRequest(
            question, tuple(statements), 1, language=asking.memory.who.language or None, cast=asking.cast
        )
        found = await asking.world.model.insights(request, asking.call)
    admission = admit(found, asking.shown, (), _people(asking.cast))
    thoughts.refused.update(admission.refused)
    if admission.admitted:
        thoughts.renewed[before.note] = _reflection(asking, admission.admitted[0], question)
    elif before.stale >= SHAKEN:
        thoughts.gone.append(before.note)
    else:
        thoughts.kept.append(before.note)


async def _near(asking: _Asking, focal: Sequence[str], latest: set[int], before: Sequence[int]) -> list[Labelled]:
    """What belongs to these texts beside the latest notes: earlier ones, and what was concluded `before`."""
    embedding, fingerprint = asking.world.embedding, asking.memory.fingerprint
    seen = [text for text in focal if embedding.embedder.coverage(text) >= BLIND_BELOW]
    found = dict(zip(seen, await embedding.embed_background(seen), strict=True)) if seen else {}

    def read(connection: Connection) -> tuple[dict[int, RenderedNote], dict[int, Reflection]]:
        lists = [list(before)]
        most = _MOST_NEAR + len(latest)
        for text in focal:
            if text in found:
                near = vectors.nearest_within(connection, fingerprint, found[text], most, asking.scope, kind="note")
                lists.append([note for note, _ in near])
            lists.append([note for note, _ in fts.find(connection, "note", text, most, asking.scope)])
        ids = [note for place in zip_longest(*lists) for note in place if note is not None and note not in latest]
        ids = list(dict.fromkeys(ids))[: 2 * _MOST_NEAR]
        faces = reflection_material.statements(connection, ids, asking.now_exp, asking.scope)
        unsteady = reflection_rows.unsteady(connection, ids)
        kept = [note for note, face in faces.items() if note not in unsteady and _is_told(face)][:_MOST_NEAR]
        return {note: faces[note] for note in kept}, reflection_rows.of_notes(connection, kept)

    faces, deeper = await asking.memory.database.read(read)
    return [asking.label(face, deeper[note].depth if note in deeper else 0) for note, face in faces.items()]


async def _admit(
    asking: _Asking, found: Sequence[Insight], question: str, said: Sequence[str], thoughts: Thoughts
) -> None:
    """Keep those of the insights that may be kept and are not known."""
    admission = admit(found, asking.shown, said, _people(asking.cast))
    thoughts.refused.update(admission.refused)
    for each in admission.admitted:
        others = [*said, *(new.text for new in thoughts.new)]
        alike = await asking.world.embedding.likenesses([(each.text, other) for other in others]) if others else []
        if any(cosine is not None and cosine >= _SAME for cosine in alike):
            thoughts.refused["known"] += 1
        else:
            thoughts.new.append(_reflection(asking, each, question))


def _reflection(asking: _Asking, each: Admitted, question: str) -> NewReflection:
    notes = [asking.faces[note].note for note in each.evidence]
    importance = min(0.9, max(0.45, sum(note.importance for note in notes) / len(notes) + 0.1))
    language = wording_language(each.text)
    names = dict.fromkeys(name for note in notes for name in note.entities if name in each.text)
    return NewReflection(
        each.text, max(note.at for note in notes), {note.id: note.version for note in notes}, each.depth,
        asking.world.model.name, fitting(each.text, NoteKind.REFLECTION, (), gist=GIST[language]).elements,
        question=question[:300], home=asking.home, importance=round(importance, 3),
        valence=round(sum(note.valence for note in notes) / len(notes), 3), entities=tuple(names),
    )  # fmt: skip


def _is_told(face: RenderedNote) -> bool:
    """Whether a note says enough still to conclude something from."""
    return face.state is not NoteState.BLANK


def _people(cast: Cast) -> tuple[str, ...]:
    return tuple(filter(None, (cast.character, *cast.people)))
