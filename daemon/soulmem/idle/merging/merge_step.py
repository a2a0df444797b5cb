"""Merge step: notes that tell the same thing become one while a mind is idle (algorithms.md §6.4).

A step of `digestion`, after all epochs are notes. Each note that came or changed is compared with the few that lie
nearest to it, never with all; what may be one is decided by `core.merging`, and a model, where there is one, may only
say that two are not, and what both are occasions of then. All that is worked out before anything is written. What one
look found is one transaction, which reads its notes once more and takes them out of the queue, so a death or a call-off
repeats nothing and loses nothing.
Nothing merges that may not be told of one another, and nothing while the clock is suspect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import anyio.lowlevel
import anyio.to_thread

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.merging.note_clusters import Candidate, Cluster, clusters, least_likeness
from soulmem.core.schema.audience import Sharing
from soulmem.core.schema.engine_tasks import Labelled, MergeRequest, Sameness
from soulmem.core.schema.note_requests import LinkOrigin
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.merging.shared_situations import situation_of
from soulmem.idle.replay.replay_step import Begin
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ports import World
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.notes import element_rows, merge_queue, note_index_rows, note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.revision import note_merging, situation_notes
from soulmem.store.revision.note_merging import Moment
from soulmem.store.revision.situation_notes import Above, NewSituation
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views.rendered_notes import faces

STEP = "merge"
_MOST_MS = 120_000  # that a round looks
_AT_ONCE = 32  # notes that one look compares
_MOST_ASKED = 8  # clusters of a look that a model is asked about; the others wait
_ASK_AGAIN_MS = 30 * DAY_MS  # two notes that a model told apart are not shown to it for so long


@dataclass(frozen=True, slots=True)
class Look:
    """Notes that were compared, and what of them is one. `is_open`: a former step died over it, and is to be ended."""

    notes: tuple[int, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    versions: Mapping[int, int] | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    notes: dict[int, Candidate]
    pairs: list[tuple[int, int]]
    versions: dict[int, int]


def waits(connection: Connection) -> bool:
    """Whether there is anything to compare, or a step to be ended."""
    return bool(merge_queue.due(connection, 1)) or digestion_jobs.is_open(connection, STEP)


async def merge_all(
    memory: OpenMind, world: World, settings: MindSettings, absorbed: Callable[[], Awaitable[None]], begin: Begin,
    run: str,
) -> None:  # fmt: skip
    """Compare what waits, some at a time, as long as a round may take; `begin` runs the step where some is one."""
    apart, until = settings.recall.sharing is not Sharing.OPEN, world.clock.monotonic_ms() + _MOST_MS
    while await memory.database.read(waits) and world.clock.monotonic_ms() < until:
        await absorbed()
        seen = await look(memory, world, settings, apart=apart)
        if seen is None:
            return
        work = partial(merge, memory, world, settings, seen, run=run)
        if not seen.clusters and not seen.is_open:
            continue
        if await begin(work=work) is None:
            return
        await absorbed()


async def look(memory: OpenMind, world: World, settings: MindSettings, *, apart: bool) -> Look | None:
    """Compare some of what waits with what lies near it; None where nothing waits."""
    if not settings.linking.merge or world.clock.suspect:
        return None
    due = await memory.database.read(merge_queue.due, _AT_ONCE)
    is_open = await memory.database.read(digestion_jobs.is_open, STEP)
    if not due:
        return Look(is_open=True) if is_open else None
    known = await memory.database.read(merge_queue.facts, due)
    near: dict[int, list[int]] = {}
    for note, fact in known.items():  # one at a time: whoever asks meanwhile waits for one of them at most
        least = least_likeness(world.embedding.embedder.name, fact.note.text)
        found_near = await memory.database.read(merge_queue.near, memory.fingerprint, note, least)
        near[note] = [other for other, _ in found_near]
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    gather = partial(_gather, due=due, near=near, apart=apart, now=now, now_exp=now_exp)
    read: _Read = await memory.database.read(gather)
    # Of what was changed since the notes near it were sought, others may lie near: it is looked at again.
    versions = read.versions | {note: fact.note.version for note, fact in known.items()}
    found = await anyio.to_thread.run_sync(clusters, read.notes, read.pairs, abandon_on_cancel=True)
    if not found:
        await memory.database.write("merge.looked", partial(_looked, due=due, versions=versions))
    await anyio.lowlevel.checkpoint()
    return Look(tuple(due), found, versions, is_open)


async def merge(
    memory: OpenMind, world: World, settings: MindSettings, seen: Look, job: Job, *, run: str
) -> dict[str, Any]:
    """Run the step: let what a look found be one.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    asks = world.model.name != "extractive"
    chosen, waiting = (seen.clusters[:_MOST_ASKED], seen.clusters[_MOST_ASKED:]) if asks else (seen.clusters, ())
    refused = await _told_apart(memory, world, chosen, job, run) if asks else {}
    later = {note for each in waiting for note in (each.survivor, *each.others)}
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    forgetting = settings.forgetting
    moment = note_merging.moment(forgetting.tombstone_days, forgetting.delete_below, now, now_exp)

    def store(connection: Connection) -> tuple[list[int], list[Note], list[Above]]:
        gone, stay, above = list[int](), list[int](), list[Above]()
        for each in chosen:
            if each in refused:
                for one, other in combinations(sorted((each.survivor, *each.others)), 2):
                    merge_queue.keep_apart(connection, one, other, now + _ASK_AGAIN_MS)
                above += _put_above(connection, refused[each], seen.versions or {}, moment)
                continue
            merged = _merge(connection, each, seen.versions or {}, moment)
            gone += merged
            stay += [each.survivor] if merged else []
        done = merge_queue.as_read(connection, seen.notes, seen.versions or {})
        merge_queue.looked_at(connection, sorted({*done, *gone} - later))
        digestion_jobs.finish(connection, job.id, told(gone, above), now)
        return gone, list(note_rows.get_many(connection, stay).values()), above

    def told(gone: Sequence[int], above: Sequence[Above]) -> dict[str, Any]:
        return {"merged": len(gone), "refused": len(refused), "situations": len(above)}

    def after(done: tuple[list[int], list[Note], list[Above]]) -> None:
        gone, stay, above = done
        memory.follow(lambda index: _follow(index, gone, stay))
        memory.follow(lambda index: note_index_rows.put(index, [each.note for each in above]))
        if gone:
            world.emit("note_merged", mind=memory.name, count=len(gone))
        if made := sum(each.is_new for each in above):
            world.emit("note_created", mind=memory.name, count=made, origin=STEP)
        if links := sum(each.links for each in above):
            world.emit("link_created", mind=memory.name, count=links, origin=LinkOrigin.MODEL.value)

    gone, _, above = await memory.database.write("merge", store, after=after)
    return told(gone, above)


def _looked(connection: Connection, due: Sequence[int], versions: Mapping[int, int]) -> None:
    """They lie near nothing that tells the same; what was changed meanwhile says something else, and is due still."""
    merge_queue.looked_at(connection, merge_queue.as_read(connection, due, versions))


def _follow(index: SearchIndex, gone: Sequence[int], stay: Sequence[Note]) -> None:
    index.remove_all(ItemKind.NOTE, gone)
    for each in stay:  # more of it may show now, and then it is found by other words
        if not index.says(ItemKind.NOTE, each.id, note_index_rows.terms_of(each)):
            note_index_rows.put(index, [each])
        index.set_homes(each.id, each.homes)


def _version(connection: Connection, note: int) -> int | None:
    row = connection.execute("SELECT version FROM note WHERE id = ?", (note,)).fetchone()
    return row[0] if row else None


def _gather(
    connection: Connection, due: Sequence[int], near: Mapping[int, Sequence[int]], now: int, now_exp: int, *,
    apart: bool,
) -> _Read:  # fmt: skip
    """The notes that wait and those near them, as they are compared, and which lie near which."""
    known = merge_queue.facts(connection, sorted({*due, *(other for each in near.values() for other in each)}))
    separate = merge_queue.apart(connection, sorted(known), now)
    pairs = {
        (min(one, other), max(one, other))
        for one, others in near.items() for other in others if one in known and other in known
    }  # fmt: skip
    may = [pair for pair in sorted(pairs - separate) if merge_queue.may_meet(*(known[n] for n in pair), apart=apart)]
    concerned = {note for pair in may for note in pair}
    # Each two of a cluster have to tell the same, whether or not each lies among the nearest of the other.
    linked = _all_pairs(may)
    may += [
        pair for pair in linked
        if pair not in separate and pair not in pairs and merge_queue.may_meet(*(known[n] for n in pair), apart=apart)
    ]  # fmt: skip
    spans = element_rows.of_notes(connection, sorted(concerned))
    candidates = {n: merge_queue.candidate(known[n], spans[n], now_exp) for n in sorted(concerned)}
    versions = {note: each.note.version for note, each in known.items()}
    versions |= {note: version for note in due if note not in versions
                 and (version := _version(connection, note)) is not None}  # fmt: skip
    return _Read(candidates, may, versions)


def _all_pairs(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs among those that lie near one and the same note."""
    beside: dict[int, set[int]] = {}
    for one, other in pairs:
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)
    return sorted({pair for others in beside.values() for pair in combinations(sorted(others), 2)})


def _merge(connection: Connection, each: Cluster, versions: Mapping[int, int], moment: Moment) -> list[int]:
    """Let a cluster be one, as far as its notes are as they were read; which went."""
    known = merge_queue.facts(connection, (each.survivor, *each.others))
    if each.survivor not in known or known[each.survivor].note.version != versions.get(each.survivor):
        return []
    gone = []
    for other in each.others:
        fact = known.get(other)
        if fact is None or fact.note.version != versions.get(other) or not fact.may_go:
            continue
        note_merging.merge(connection, note_rows.get(connection, each.survivor), fact.note, moment)
        gone.append(other)
    return gone


def _put_above(
    connection: Connection, new: NewSituation | None, versions: Mapping[int, int], moment: Moment
) -> list[Above]:
    """Put a situation above its notes, if they are as they were read."""
    if new is None or len(merge_queue.as_read(connection, new.notes, versions)) < len(new.notes):
        return []
    above = situation_notes.put_above(connection, new, moment)
    return [above] if above is not None else []


async def _told_apart(
    memory: OpenMind, world: World, chosen: Sequence[Cluster], job: Job, run: str
) -> dict[Cluster, NewSituation | None]:
    """The clusters of which a model says that they are not one, each with the situation that its notes are of."""
    numbers = sorted({note for each in chosen for note in (each.survivor, *each.others)})
    now_exp = memory.now(world.clock.trusted_now_ms())
    found = await memory.database.read(
        lambda connection: faces(connection, note_rows.get_many(connection, numbers).values(), now_exp)
    )
    refused: dict[Cluster, NewSituation | None] = {}
    cast = memory.who.cast()
    people = [each for each in (cast.character, *cast.people) if each]
    for each in chosen:
        told = [found[note] for note in (each.survivor, *each.others) if note in found]
        labelled = tuple(Labelled(f"N{place}", n.text, n.at_ms, n.speaker) for place, n in enumerate(told, 1))
        request = MergeRequest(labelled, language=memory.who.language or None, cast=cast)
        call = memory.call(f"merge:{job.id}:{each.survivor}", run=run, wanted_at_ms=job.created_at)
        if len(told) > 1 and (answer := await world.model.merge(request, call)).verdict is not Sameness.SAME:
            refused[each] = situation_of(answer, told, people)
    return refused
