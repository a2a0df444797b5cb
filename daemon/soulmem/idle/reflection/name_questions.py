"""Name questions: a model is asked whether two names are one person's, where the rules can tell neither.

Called by `model_insights` when a mind thinks over what is new; asks nothing without a model. What it calls the same
becomes a reflection that says so and rests on what shows it: profiles read it as they read what people say of names,
and who forgets it takes it back. Invariants: one call a run, of `MOST_ASKED` pairs at most; no pair is asked about
twice, whatever the answer was; a verdict without evidence under both names changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import anyio.to_thread

from soulmem.core.details.elements import fitting
from soulmem.core.facts.fact_reader import told_by
from soulmem.core.profiles.doubtful_names import Doubt, doubtful_names
from soulmem.core.profiles.telling import Telling
from soulmem.core.reflection.reflection_wording import ALIAS
from soulmem.core.schema.engine_tasks import IdentifyRequest, Labelled, NamePair, OneOrTwo, SameName
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.text.tokens import script_of
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import Call, World
from soulmem.store.notes import merge_queue
from soulmem.store.reflections.reflection_material import Material
from soulmem.store.reflections.reflection_rows import NewReflection
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

MOST_ASKED = 3  # pairs of names
_MOST_SHOWN = 4  # notes under a name, the latest
_IMPORTANCE = 0.5
_VERDICTS = tuple(OneOrTwo)
_SAYS = {"latin": "{} goes by {}.", "cjk": "{}又叫{}。"}
_GIST = {"latin": "what somebody is called", "cjk": "一个人的称呼"}


@dataclass(frozen=True, slots=True)
class Names:
    """What came of it: who goes by which other name, and of each pair that was asked about two notes and a verdict."""

    same: tuple[NewReflection, ...] = ()
    asked: tuple[tuple[int, int, int], ...] = ()


async def ask(memory: OpenMind, world: World, material: Material, home: int, call: Call | None) -> Names:
    """Ask about a few pairs.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    told = [
        Telling(note, face.text, told_by(face.text, face.speaker), face.at_ms, face.at_ms)
        for note, face in sorted(material.faces.items())
        if face.note.kind in (NoteKind.EPISODIC, NoteKind.SEMANTIC)
    ]
    found = await anyio.to_thread.run_sync(partial(doubtful_names, told), abandon_on_cancel=True)
    doubts: list[Doubt] = await memory.database.read(_unasked, found)
    if not doubts:
        return Names()
    labels: dict[str, int] = {}
    pairs = tuple(
        NamePair(f"A{place}", each.one, each.other, _shown(material, each.of_one, labels),
                 _shown(material, each.of_other, labels))
        for place, each in enumerate(doubts, start=1)
    )  # fmt: skip
    request = IdentifyRequest(pairs, language=memory.who.language or None, cast=memory.who.cast())
    answer = await world.model.identify(request, call)
    said = [(doubt, verdict) for doubt, verdict in zip(doubts, answer, strict=True)]
    same = [_alias(doubt, each, labels, material, home, world.model.name) for doubt, each in said
            if each.verdict is OneOrTwo.SAME]  # fmt: skip
    asked = [(min(each.of_one), min(each.of_other), _VERDICTS.index(verdict.verdict)) for each, verdict in said]
    return Names(tuple(same), tuple(asked))


def _unasked(connection: Connection, found: Sequence[Doubt]) -> list[Doubt]:
    left = (each for each in found if not merge_queue.asked_of_names(connection, each.one, each.other))
    return [each for _, each in zip(range(MOST_ASKED), left, strict=False)]


def keep(connection: Connection, names: Names) -> None:
    """Keep that these pairs were asked about."""
    for one, other, verdict in names.asked:
        merge_queue.keep_verdict(connection, one, other, verdict)


def _shown(material: Material, notes: Sequence[int], labels: dict[str, int]) -> tuple[Labelled, ...]:
    lines = []
    for note in sorted(notes[:_MOST_SHOWN]):
        face = material.faces[note]
        labels[label := f"S{len(labels) + 1}"] = note
        lines.append(Labelled(label, face.text, face.day_ms, face.speaker))
    return tuple(lines)


def _alias(
    doubt: Doubt, said: SameName, labels: dict[str, int], material: Material, home: int, engine: str
) -> NewReflection:
    """That the longer name goes by the other."""
    short, full = sorted((doubt.one, doubt.other), key=len)
    script = "cjk" if script_of(full) == "cjk" and script_of(short) == "cjk" else "latin"
    text = _SAYS[script].format(full, short)
    cited = [labels[label] for label in said.evidence]
    return NewReflection(
        text, max(material.faces[note].note.at for note in cited), material.versions(cited), 1, engine,
        fitting(text, NoteKind.REFLECTION, (), gist=_GIST[script]).elements, topic=ALIAS, home=home,
        importance=_IMPORTANCE, entities=(full, short),
    )  # fmt: skip
