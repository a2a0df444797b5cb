"""Recall feedback: what clients, people and judges say of a recall changes what its links remember of the question.

Called by `mind` for `feedback`, by recall with the trail of what it followed, by a judge, and by `implicit_feedback`.
The rules are `graph/learning/edge_learning`; SQL is `store/graph/link_memory` and `store/recalls/recall_traces`.
Invariants: a recall's answer never waits for what is learnt from it; vectors are read, changed and written in one
transaction, and the graph in memory follows after its commit, in the order of commits; a verdict counts once for each
source. A different verdict of the same source is a
correction: it is applied on top, once, and takes nothing back by itself, for a penalty undoes what praise did.
Trails wait in memory until the next commit, so that a crash loses the learning of one turn at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

import anyio
import anyio.lowlevel
import numpy as np

from soulmem.core.details.rehearsal import USED
from soulmem.core.schema.blind_ids import Sentence, as_given
from soulmem.core.schema.engine_tasks import Reaction
from soulmem.core.search.index_columns import ItemKind
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.edge_learning import GUESSED, HEARD, JUDGED, Update, judged, reacted
from soulmem.graph.learning.recall_trace import Trail
from soulmem.graph.state.id_table import Vector
from soulmem.ports import World
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_memory
from soulmem.store.graph.link_memory import Learned, LinkMemory
from soulmem.store.notes import rehearsal_writes
from soulmem.store.recalls import recall_records, recall_traces, reply_rows
from soulmem.store.recalls.recall_traces import JUDGED as JUDGED_BY
from soulmem.store.recalls.recall_traces import Source, Verdict
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views import wire_views
from soulmem.working.feedback.feedback_outcome import JudgeLesson, Outcome

_MOST_WAITING = 256  # trails; whoever brings one more writes them all first
_MOST_MEMORIES = 20_000  # as many as a working graph holds
_BACK_AT_ONCE = 200  # vectors brought into the graph before others get a turn
_RELEARN_AT_ONCE = 100  # links learnt anew in one transaction


class Feedback:
    """What one mind learns from its recalls."""

    def __init__(self, memory: OpenMind, world: World) -> None:
        self._memory = memory
        self._world = world
        self._waiting: dict[int, Trail] = {}
        self._judgements: dict[int, JudgeLesson] = {}  # by recall: what a judge found useful
        self._writing = anyio.Lock()
        self._returning = anyio.Lock()
        self._work = anyio.Event()
        self._changed: set[tuple[int, bool]] | None = None  # what was learnt while the vectors are brought back

    async def remember(self, recall: int, trail: Trail) -> None:
        """Keep what a recorded recall followed; waits for nothing unless very much is waiting already."""
        self._waiting[recall] = trail
        self._work.set()
        if len(self._waiting) > _MOST_WAITING:
            try:
                await self.flush()
            except SoulmemError:  # a disk that takes no more: the recall is answered all the same, the oldest give way
                del self._waiting[next(iter(self._waiting))]

    def forget_recalls(self, recalls: Collection[int]) -> None:
        """What these recalls followed is written down no more: their questions were deleted."""
        for recall in recalls:
            self._waiting.pop(recall, None)

    async def flush(self) -> None:
        """Write the trails that wait; what cannot be written goes on waiting."""
        async with self._writing:
            kept = list(self._waiting.items())
            if not kept:
                return
            fingerprint, now = self._memory.fingerprint, self._world.clock.trusted_now_ms()
            await self._memory.database.write(
                "trail.put", lambda connection: recall_traces.put(connection, kept, fingerprint, now)
            )
            for recall, trail in kept:
                if self._waiting.get(recall) is trail:
                    del self._waiting[recall]

    def remember_judgement(self, recall: int, lesson: JudgeLesson) -> None:
        """Let a judge's answer teach what it teaches (`judged`) when there is time; the reply does not wait for it."""
        self._judgements[recall] = lesson
        self._work.set()

    async def run(self) -> None:
        """Write trails and learn from judgements as they come, until cancelled."""
        while True:
            self._work = anyio.Event()
            await self.flush()
            for recall, lesson in list(self._judgements.items()):
                del self._judgements[recall]  # first: one that cannot be learnt must not keep the others waiting
                await self.judged(recall, lesson)
            if not self._waiting and not self._judgements:
                await self._work.wait()

    async def apply(
        self,
        recall_id: str,
        verdict: Reaction,
        strength: float = 1.0,
        used: Sequence[str] | None = None,
        *,
        source: Source = Source.CLIENT,
        scope: Scope = WHOLE,
    ) -> Outcome:
        """Let links on the ways to the used notes gain or lose; `used` are ids of items the reply was made of.

        Without `used` the verdict falls on what the reply is known to have used, else on all that came back, with no
        more than a judge's weight. What is out of `scope`
        is to this call as if it were not there. Raises: SoulmemError: `not_found` for a recall not of this mind,
        `invalid_params` for no strength, `model_unavailable` when the embedder changed and cannot be asked.
        """
        if verdict is Reaction.NEUTRAL:
            raise SoulmemError(ErrorName.INVALID_PARAMS, "verdict: good or bad; nothing is learnt from neither")
        if not 0.0 <= strength <= 1.0:  # a NaN is not between
            raise SoulmemError(ErrorName.INVALID_PARAMS, "strength: must be a number from 0 to 1")
        recall = private_id("r", recall_id)
        sign = 1 if verdict is Reaction.GOOD else -1
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())

        def teach(connection: Connection, trail: Trail | None, here: Scope) -> _Taught:
            useful, returned, warnings = _useful(connection, recall, used, trail, scope)
            # What misled the reply must not be linked the more strongly for it.
            recall_traces.mark_used(connection, recall, returned, used=sign > 0)
            if sign > 0:
                told = returned if returned or used is not None else None
                praised, weight = recall_traces.praised(connection, recall, told, strength)
                praised = sorted(here.may_mark(connection, praised))
                rehearsal_writes.rehearse(connection, dict.fromkeys(praised, weight), now_exp)
            most = JUDGED if used is None and not returned else math.inf
            return reacted(trail, useful, sign=sign, strength=strength, most=most) if trail else (), warnings

        said = _Said(recall, source, verdict.value, strength, tuple(used or ()))
        outcome = await self._learn(said, teach, scope)
        if outcome.is_recorded and not outcome.is_duplicate:
            self._world.emit(
                "feedback_applied",
                mind=self._memory.name,
                recall=public_id("r", recall),
                source=source.value,
                verdict=verdict.value,
                enhanced=outcome.enhanced,
                penalised=outcome.penalised,
            )
        return outcome

    async def judged(self, recall: int, lesson: JudgeLesson) -> Outcome:
        """What a judge's answer teaches: ways to useful notes and links gain, others that were followed lose; once.

        A reply that was read before the judge answered has taught already.
        """

        def teach(connection: Connection, trail: Trail | None, _here: Scope) -> _Taught:
            if trail is None or recall_traces.verdict_of(connection, recall, Source.MESSAGE, JUDGED_BY) is not None:
                return (), []
            return judged(trail, lesson.useful, weight=lesson.weight, named=trail.ways_over(lesson.links)), []

        noted = tuple(public_id("n", note) for note in lesson.useful)
        return await self._learn(_Said(recall, Source.JUDGE, JUDGED_BY, lesson.weight, noted), teach)

    async def replied(self, recall: int, used: Sequence[tuple[str, int]], scope: Scope = WHOLE) -> Outcome:
        """What a reply teaches that used these items: they are rehearsed, the ways to them gain; once.

        Where it used none that can be told, the ways to the first three gain by half and nothing is rehearsed. What a
        client or a judge said of the recall stands in its place.
        """
        now_exp = self._memory.now(self._world.clock.trusted_now_ms())

        def teach(connection: Connection, trail: Trail | None, here: Scope) -> _Taught:
            if reply_rows.is_outranked(connection, recall):
                return (), []
            notes = [item for kind, item in used if kind == ItemKind.NOTE.value]
            recall_traces.mark_used(connection, recall, used, used=True)
            seen = sorted(here.may_mark(connection, notes))
            rehearsal_writes.rehearse(connection, dict.fromkeys(seen, USED), now_exp)
            if trail is None:
                return (), []
            useful = notes if used else trail.returned[: recall_traces.GUESSED_NOTES]
            return reacted(trail, useful, sign=1, strength=JUDGED / HEARD, most=JUDGED if used else GUESSED), []

        said = tuple(public_id(kind[0], item) for kind, item in used)
        weight = JUDGED if used else GUESSED
        return await self._learn(_Said(recall, Source.MESSAGE, JUDGED_BY, weight, said), teach, scope)

    # -- the graph in memory ------------------------------------------------------------------------------------

    async def bring_back(self) -> None:
        """Give the graph in memory the vectors that the file holds; to be repeated when a graph was loaded anew."""
        await self._memory.graph_ready.wait()
        async with self._returning:
            await self._bring_back()

    async def _bring_back(self) -> None:
        fingerprint, dimension = self._memory.fingerprint, self._world.embedding.embedder.dimension
        self._changed = changed = set[tuple[int, bool]]()
        held = await self._memory.database.read(link_memory.load, fingerprint, dimension, _MOST_MEMORIES)
        for start in range(0, len(held), _BACK_AT_ONCE):
            part = held[start : start + _BACK_AT_ONCE]
            # What was learnt since the file was read is in the graph already, and newer.
            self._bring([each for each in part if (each.link, each.is_backward) not in changed])
            await anyio.lowlevel.checkpoint()
        self._changed = None

    async def relearn(self) -> int:
        """After a change of embedder: learn every vector anew from its last lessons; how many were."""
        fingerprint, done = self._memory.fingerprint, 0
        while texts := await self._memory.database.read(link_memory.outdated, fingerprint, _RELEARN_AT_ONCE):
            vectors = await self._world.embedding.embed_background(texts)
            questions = dict(zip(texts, vectors, strict=True))

            def again(connection: Connection, questions: dict[str, Vector] = questions) -> list[LinkMemory]:
                return link_memory.relearn(connection, fingerprint, questions, _RELEARN_AT_ONCE)

            learned = await self._memory.database.write("memory.relearn", again, after=self._follow)
            done += len(learned)
        return done

    def _follow(self, memories: Sequence[LinkMemory]) -> None:
        """After a commit: the graph in memory remembers it too."""
        if self._changed is not None:
            self._changed.update((each.link, each.is_backward) for each in memories)
        self._bring(memories)

    def _bring(self, memories: Sequence[LinkMemory]) -> None:
        if memories:
            self._memory.follow_graph(lambda graph: link_memory.follow(graph, memories))

    async def _learn(
        self, said: _Said, teach: Callable[[Connection, Trail | None, Scope], _Taught], scope: Scope = WHOLE
    ) -> Outcome:
        await self.flush()
        found = await self._memory.database.read(recall_traces.find, said.recall, scope)
        trail = await self._present(found)
        here = scope  # whoever feels about it in front of nobody shows no more than the recall may
        if scope.audience is None:
            here = await self._memory.in_front_of(await self._memory.database.read(recall_records.place, said.recall))
        fingerprint, clock = self._memory.fingerprint, self._world.clock
        now, now_exp = clock.now_ms(), self._memory.now(clock.trusted_now_ms())

        def write(connection: Connection) -> Outcome:
            before = recall_traces.verdict_of(connection, said.recall, said.source, said.verdict)
            if before is not None:
                return _again(said, before)
            if found.state == "pending":
                late = Sentence(public_id("r", said.recall), " has not been answered yet")
                return Outcome(said.recall, is_recorded=False, warnings=(late,))
            # Old ones are pruned, and its question may have been deleted since: then nothing of it is kept.
            gone = recall_traces.find(connection, said.recall, scope).trail is None
            kept = None if gone else trail
            updates, warnings = teach(connection, kept, here)
            marked = here.may_mark_links(connection, (update.link for update in updates))
            updates = tuple(update for update in updates if update.link in marked)
            learned = Learned()
            if kept is None:
                warnings = [
                    *warnings,
                    Sentence(
                        "no links were followed in ", public_id("r", said.recall), ", or they are not kept any more"
                    ),
                ]
            elif updates:
                learned = link_memory.learn(
                    connection, fingerprint, updates, kept.questions, kept.texts, now_exp=now_exp
                )
            recall_traces.record(connection, said.told(now, now_exp, learned))
            return Outcome(
                said.recall, learned.enhanced, learned.penalised, warnings=tuple(warnings), memories=learned.memories
            )

        return await self._memory.database.write(
            "feedback", write, after=lambda outcome: self._follow(outcome.memories)
        )

    async def _present(self, found: recall_traces.Recalled) -> Trail | None:
        """The trail with its questions as the present embedder sees them."""
        trail = found.trail
        if trail is None or found.fingerprint == self._memory.fingerprint or not trail.texts:
            return trail
        embedded = [await self._world.embedding.embed_now(text) for text in trail.texts]
        return trail.with_questions(np.stack(embedded).astype(np.float32))


_Taught = tuple[tuple[Update, ...], list[str]]


@dataclass(frozen=True, slots=True)
class _Said:
    """What somebody said of a recall."""

    recall: int
    source: Source
    verdict: str
    strength: float
    used: tuple[str, ...]

    def told(self, at: int, at_exp: int, learned: Learned) -> Verdict:
        return Verdict(
            self.recall, self.source, self.verdict, self.strength, self.used, at, at_exp,
            learned.enhanced, learned.penalised,
        )  # fmt: skip


def _again(said: _Said, before: Verdict) -> Outcome:
    differs = before.strength != said.strength or before.used != said.used
    warnings = ("this verdict stands already; another strength or list of used items changes nothing",)
    return Outcome(
        said.recall, before.enhanced, before.penalised, is_duplicate=True, warnings=warnings if differs else ()
    )


def _useful(
    connection: Connection, recall: int, used: Sequence[str] | None, trail: Trail | None, scope: Scope
) -> tuple[list[int], list[tuple[str, int]], list[str]]:
    """The notes that a reply was made of, all returned items it was made of, and what is wrong with the ids given."""
    if used is None:
        told = reply_rows.used_by_reply(connection, recall)
        notes = [item for kind, item in told if kind == ItemKind.NOTE.value]
        return notes if told or trail is None else list(trail.returned), told, []
    named, _ = wire_views.named(connection, used, None, scope)
    said = scope.within(connection, ItemKind.MESSAGE, (item for kind, item in named if kind is ItemKind.MESSAGE))
    named = {ref: text for ref, text in named.items() if ref[0] is not ItemKind.MESSAGE or ref[1] in said}
    borne = set(named.values())
    unknown = [text for text in used if text not in borne]
    back = {
        (hit.kind, hit.item)
        for hit in recall_records.hits_of(connection, recall_traces.standing_for(connection, recall))
    }
    returned = [(kind.value, item) for kind, item in named if (kind.value, item) in back]
    useful = [item for kind, item in named if kind is ItemKind.NOTE]
    known = {named[ItemKind(kind), item] for kind, item in returned}
    if trail is not None:
        known |= {named[ItemKind.NOTE, note] for note in useful if trail.holds(note)}
    warnings = [f"used: there is no {as_given(text)[:80]!r} in this mind" for text in unknown]
    strangers = dict.fromkeys(text for text in named.values() if text not in known)
    warnings += [f"used: {as_given(text)[:80]} did not come back in this recall" for text in strangers]
    return useful, returned, warnings
