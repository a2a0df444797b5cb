"""Reflect step: a mind thinks over what it noted, once enough of it has come together (algorithms.md §8.3).

A step of `digestion`, after all epochs are notes and before the sweep. What recurs is counted without a model; a model,
where there is one, is asked beside that. What was concluded before and does not stand as it was is made anew, or goes.
All that of one home is one transaction with the accumulator it is taken from, so a death repeats nothing; model calls
come before it, and what they answered is not paid for again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from functools import partial
from typing import Any

import anyio.to_thread

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.details.elements import fitting
from soulmem.core.reflection import reflection_plan
from soulmem.core.reflection.recurrence import Finding
from soulmem.core.reflection.reflection_plan import Plan, Standing, Tally
from soulmem.core.reflection.reflection_wording import GIST, language_of, worded
from soulmem.core.schema.note_requests import LinkOrigin, NoteKind
from soulmem.core.search.index_columns import ItemKind
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.reflection import name_questions
from soulmem.idle.reflection.model_insights import Thoughts, think
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import note_index_rows, note_rows, note_writes
from soulmem.store.reflections import reflection_material, reflection_rows, reflection_tally
from soulmem.store.reflections.reflection_material import Material
from soulmem.store.reflections.reflection_rows import SHAKEN, Moment, NewReflection
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection

STATISTICS = "statistics"
_GONE = "unsupported"


@dataclass(slots=True)
class Reflected:
    """What the step did. `runs`: how often an accumulator called for it; `refused`: insights of a model, by reason."""

    runs: int = 0
    made: int = 0
    renewed: int = 0
    gone: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, view: Mapping[str, Any] | None) -> Reflected:
        """What was done of a step that died or was called off."""
        given = dict(view or {})
        return cls(**{**given, "refused": Counter(given.get("refused", {}))})

    def add(self, each: _Due, wrote: _Written) -> None:
        self.runs += each.runs
        self.made += wrote.made
        self.renewed += wrote.renewed
        self.gone += len(wrote.gone)

    def view(self) -> dict[str, Any]:
        return {
            "runs": self.runs, "made": self.made, "renewed": self.renewed, "gone": self.gone,
            "refused": dict(self.refused),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Due:
    """What there is to do in a home; `runs`: its accumulator calls for it."""

    home: int
    apart: bool
    tally: Tally
    runs: bool


@dataclass(slots=True)
class _Written:
    """What one transaction wrote."""

    put: list[int] = field(default_factory=list)
    made: int = 0
    renewed: int = 0
    gone: list[int] = field(default_factory=list)
    links: int = 0


async def due(memory: OpenMind, world: World, settings: MindSettings, *, apart: bool) -> bool:
    """Whether there is anything to think over."""
    if not settings.reflection.enabled or world.clock.suspect:
        return False
    return bool(await memory.database.read(_due, settings.reflection.threshold, world.clock.now_ms(), apart))


def _due(connection: Connection, threshold: float, now: int, apart: bool) -> list[_Due]:
    stale = reflection_rows.stale_homes(connection)
    again = reflection_tally.to_rethink(connection)
    waiting = {*stale, *(again.values() if apart else [0] * bool(again))}
    homes = reflection_tally.homes_noted(connection) if apart else [reflection_tally.WHOLE_MIND]
    found = []
    for home in sorted({*homes, *waiting}):
        own = apart or home != reflection_tally.WHOLE_MIND
        tally = reflection_tally.tally(connection, home, apart=own)
        runs = home in homes and reflection_plan.is_due(tally, threshold, now)
        if runs or home in waiting:
            found.append(_Due(home, own, tally, runs))
    return found


async def reflect(
    memory: OpenMind, world: World, settings: MindSettings, job: Job, run: str, *, apart: bool
) -> Reflected:
    """Run the step.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    done = Reflected.of(job.result)
    found = await memory.database.read(_due, settings.reflection.threshold, world.clock.now_ms(), apart)
    for each in found:
        await _think_over(memory, world, settings, each, job, run, done, is_last=each is found[-1])
    if not found:  # what was due is so no more
        now = world.clock.now_ms()
        await memory.database.write(
            "reflect.done", lambda connection: digestion_jobs.finish(connection, job.id, done.view(), now)
        )
    return done


async def _think_over(
    memory: OpenMind, world: World, settings: MindSettings, each: _Due, job: Job, run: str, done: Reflected,
    *, is_last: bool,
) -> None:  # fmt: skip
    """Think over one home. `is_last`: with it the step is done."""
    now_exp = memory.now(world.clock.trusted_now_ms())
    material: Material = await memory.database.read(
        reflection_material.gather, each.home, world.clock.now_ms(), now_exp, apart=each.apart
    )
    decided = await anyio.to_thread.run_sync(partial(_decide, material, each), abandon_on_cancel=True)
    counted = await anyio.to_thread.run_sync(partial(_worded, material, each, decided), abandon_on_cancel=True)
    thoughts = await think(
        memory, world, material, each.home, job, run, since=each.tally.counted if each.runs else None, apart=each.apart
    )
    done.refused.update(thoughts.refused)
    _store_all = partial(
        _store, each=each, material=material, decided=decided, counted=counted, thoughts=thoughts, job=job, done=done,
        is_last=is_last,
    )  # fmt: skip
    moment = Moment(world.clock.now_ms(), memory.now(world.clock.trusted_now_ms()), settings.forgetting.delete_below)
    purge_at = moment.now + round(settings.forgetting.tombstone_days * DAY_MS)
    store = partial(_store_all, moment=moment, threshold=settings.reflection.threshold, purge_at=purge_at)

    def after(written: tuple[_Written, list[note_rows.Note]]) -> None:
        wrote, found = written
        memory.follow(lambda index: note_index_rows.put(index, found))
        memory.follow(lambda index: index.remove_all(ItemKind.NOTE, wrote.gone))
        if wrote.made:
            world.emit("note_created", mind=memory.name, count=wrote.made, origin="reflect")
        if wrote.links:
            world.emit("link_created", mind=memory.name, count=wrote.links, origin=LinkOrigin.MODEL.value)
        if wrote.gone:
            world.emit("note_forgotten", mind=memory.name, count=len(wrote.gone), reason=_GONE)

    wrote, _ = await memory.database.write("reflect", store, after=after)
    done.add(each, wrote)


def _decide(material: Material, each: _Due) -> Plan:
    standing = [
        Standing(one.note, one.topic, frozenset(one.evidence), one.stale > 0, one.stale >= SHAKEN)
        for one in material.known
        if one.engine == STATISTICS
    ]
    return reflection_plan.plan(material.occasions, standing, is_run=each.runs, again=material.again)


def _worded(material: Material, each: _Due, decided: Plan) -> dict[str, NewReflection]:
    """What recurs, as notes: by the number of the reflection it renews, or by its topic where it is new."""
    found: dict[str, NewReflection] = {}
    wanted: list[tuple[str, Finding]] = [(str(note), one) for note, one in decided.renewed.items()]
    wanted += [(f"+{one.topic}", one) for one in decided.new]
    for name, finding in wanted:
        notes = [material.faces[note].note for note in finding.evidence]
        language = language_of([note.text for note in notes])
        text = worded(finding, language)
        if not text:
            continue
        importance = min(0.9, max(0.45, sum(note.importance for note in notes) / len(notes) + 0.1))
        people = [finding.speaker, finding.beside, *(deed.whom for deed in finding.wordings)]
        people += [finding.cause.english] if finding.cause is not None and finding.cause.is_person else []
        found[name] = NewReflection(
            text, max(note.at for note in notes), material.versions(finding.evidence), 1, STATISTICS,
            fitting(text, NoteKind.REFLECTION, (), gist=GIST[language]).elements, topic=finding.topic, home=each.home,
            importance=round(importance, 3), valence=round(sum(note.valence for note in notes) / len(notes), 3),
            entities=tuple(dict.fromkeys(filter(None, people))),
        )  # fmt: skip
    return found


def _store(
    connection: Connection, *, each: _Due, material: Material, decided: Plan, counted: dict[str, NewReflection],
    thoughts: Thoughts, moment: Moment, threshold: float, purge_at: int, job: Job, done: Reflected, is_last: bool,
) -> tuple[_Written, list[note_rows.Note]]:  # fmt: skip
    """Write all that came of a home, and that it was thought over."""
    wrote = _Written()
    before = connection.execute("SELECT count(*) FROM link").fetchone()[0]
    known = reflection_rows.of_notes(connection, [one.note for one in material.known])
    renewed = {int(name): new for name, new in counted.items() if not name.startswith("+")} | thoughts.renewed
    for note, new in renewed.items():
        if note in known and reflection_rows.renew(connection, known[note], new, moment) is not None:
            wrote.put.append(note)
            wrote.renewed += 1
    gone = [*decided.gone, *thoughts.gone]
    for note in (*decided.kept, *thoughts.kept):
        if note in known and not reflection_rows.steady(connection, known[note], moment):
            gone.append(note)
    for note in dict.fromkeys(gone):
        if note in known and note_writes.forget(connection, note, reason=_GONE, now=moment.now, purge_at=purge_at):
            wrote.gone.append(note)
    for new in (*(new for name, new in counted.items() if name.startswith("+")), *thoughts.new):
        if (made := reflection_rows.make(connection, new, moment)) is not None:
            wrote.put.append(made)
            wrote.made += 1
    name_questions.keep(connection, thoughts.names)
    reflection_tally.thought_over(connection, material.again)
    reflection_tally.drop_forgotten(connection)
    if each.runs:
        reflection_tally.settle(connection, each.home, reflection_plan.after_run(each.tally, threshold, moment.now))
    wrote.links = connection.execute("SELECT count(*) FROM link").fetchone()[0] - before
    so_far = Reflected.of(done.view())
    so_far.add(each, wrote)
    if is_last:
        digestion_jobs.finish(connection, job.id, so_far.view(), moment.now)
    else:
        digestion_jobs.keep(connection, job.id, so_far.view())
    return wrote, list(note_rows.get_many(connection, wrote.put).values())
