"""Link step: new notes are tied to what was recalled most often while they were heard.

A step of `digestion`. Hebb, not similarity: what was on the mind together is linked, however unlike. The engine may add
links; the floor and the links among hot notes need none. All of it, the end of the epoch and the step's `done` are one
transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from soulmem.core.decay.traces import Trace
from soulmem.core.linking import hebbian_linking
from soulmem.core.linking.contiguity import Telling, answered_with, told_together
from soulmem.core.linking.hebbian_linking import LinkKey, LinkPlan, LinkProposal
from soulmem.core.linking.link_validation import LabelledNote, judge_drafts
from soulmem.core.linking.recall_frequency import Hit, HotNote, rank_hot, tally
from soulmem.core.schema.note_requests import LinkNode, LinkRequest, NoteKind
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.score_calibration import rank_share
from soulmem.errors import SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import MindSettings
from soulmem.ops.settings.setting_sections import LinkingSettings
from soulmem.ports import BLIND_BELOW, Call, World
from soulmem.store.conversation_state import window_state
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.index import vectors
from soulmem.store.journal import digestion_jobs
from soulmem.store.journal.digestion_jobs import Job
from soulmem.store.messages import amendments, message_log, rolling_summaries
from soulmem.store.notes import note_rows, note_writes
from soulmem.store.recalls import recall_records, reply_rows
from soulmem.store.recalls.recall_records import NoteHit
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id
from soulmem.store.views.rendered_notes import RenderedNote, faces

_MOST_SHOWN = 4  # new notes that an engine is asked about; the others are tied by what was recalled with them
_MOST_HOT = 3  # of what was recalled most


@dataclass(frozen=True, slots=True)
class Linked:
    """What linking did: links made and strengthened, by origin where new."""

    created: int
    strengthened: int
    hot: tuple[HotNote, ...]
    by_origin: dict[str, int]
    ended: bool = False  # the conversation has no summary left that is not notes by now
    hidden: tuple[int, ...] = ()  # its messages that are recalled through notes from now on


@dataclass(frozen=True, slots=True)
class Material:
    """What an epoch offers to link: its new notes, what was recalled in it, and the notes that were hottest."""

    new: list[RenderedNote]
    hits: list[NoteHit]
    hot: tuple[HotNote, ...]
    hot_notes: list[RenderedNote]
    tellings: list[Telling]
    used: list[tuple[int, str]]  # what the answers of the epoch were made of, by the place of the message
    summary: str
    mood: str  # the latest that a message of the epoch told; empty if none did
    spoke_as: str  # the mind's own name in the epoch; empty if it said nothing under one


def gather(
    connection: Connection, epoch: EpochRow, new: Sequence[int], linking: LinkingSettings, now_exp: int
) -> Material:
    """Read that; notes are as they show at `now_exp`."""
    hits = recall_records.note_hits(connection, epoch.conversation, epoch.epoch)
    # What came back before it was a note counts where nothing else did: whole talks come back beside one another.
    hits = hits or recall_records.message_hits(connection, epoch.conversation, epoch.epoch)
    tallies = tally(Hit(public_id("n", hit.note), hit.turn, hit.at, hit.score) for hit in hits)
    hot = rank_hot(tallies, k=linking.k_hot)
    concerned = note_rows.get_many(connection, [*new, *(private_id("n", each.note) for each in hot)])
    found = faces(connection, concerned.values(), now_exp)
    latest = rolling_summaries.latest(connection, epoch.conversation, epoch.epoch)
    return Material(
        new=[found[note] for note in new if note in found and found[note].note.lifecycle != note_rows.FORGOTTEN],
        hits=hits,
        hot=hot,
        hot_notes=[found[private_id("n", each.note)] for each in hot],
        tellings=note_rows.tellings(connection, new),
        used=[
            (place, public_id("n", note))
            for place, note in reply_rows.used_in(connection, epoch.conversation, epoch.epoch)
        ],
        summary=latest.summary.text if latest else "",
        mood=message_log.mood_of_epoch(connection, epoch.conversation, epoch.epoch),
        spoke_as=message_log.own_name_in_epoch(connection, epoch.conversation, epoch.epoch),
    )


async def link(
    memory: OpenMind, world: World, settings: MindSettings, epoch: EpochRow, new: Sequence[int], job: Job, run: str
) -> Linked:
    """Run the step: count what was recalled, propose, settle with what exists, store, end the epoch.

    Raises SoulmemError: `model_unavailable`, when the engine asks to be tried again later.
    """
    material = await memory.database.read(
        gather, epoch, new, settings.linking, memory.now(world.clock.trusted_now_ms())
    )
    call = memory.call(f"link:{job.id}", run=run, wanted_at_ms=job.created_at)
    proposals = list(await _drafted(world, material, memory.who, call))
    proposals += told_together(material.tellings)
    proposals += answered_with(material.tellings, material.used)
    new_ids = [public_id("n", face.note.id) for face in material.new]
    # Notes that came later to an epoch that is digested are tied in; what was recalled in it has had its effect.
    activity = {} if epoch.state == "consolidated" else activity_of(material.hits)
    if material.hot:
        proposals += hebbian_linking.hebbian_floor(new_ids, material.hot)
        proposals += hebbian_linking.hot_links(material.hot, activity) if activity else []
    elif material.new:
        proposals += hebbian_linking.fallback_links(new_ids, await _nearest(memory, world, material.new))
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    scope = await memory.in_front_of(epoch.conversation_name)

    def store(connection: Connection) -> Linked:
        offered = {each.key.src for each in proposals} | {each.key.dst for each in proposals} | set(activity)
        concerned = _living(connection, offered)  # some may have been taken back since they were read
        marked = {public_id("n", n) for n in scope.may_mark(connection, (private_id("n", each) for each in concerned))}
        wanted = [each for each in proposals if each.key.src in concerned and each.key.dst in concerned]
        wanted = [each for each in wanted if each.key.src in marked or each.key.dst in marked]
        existing = _existing(connection, concerned)
        existing = {key: link for key, link in existing.items() if key.src in marked or key.dst in marked}
        held = link_rows.alike(connection, sorted(private_id("n", each) for each in concerned))
        fresh = [each for each in wanted if each.key not in existing]
        few = hebbian_linking.few_alike(fresh, {public_id("n", note): count for note, count in held.items()})
        wanted = [each for each in wanted if each.key in existing or each in few]
        plan = hebbian_linking.digest_links(
            wanted, {key: link.trace for key, link in existing.items()}, activity, now_exp
        )
        result = _write(connection, plan, existing, material.hot, settings.forgetting.delete_below, now, now_exp)
        note_writes.consolidate(connection, epoch.conversation, epoch.epoch)
        window_state.consolidate(connection, epoch.conversation, epoch.epoch, now)
        ended = not rolling_summaries.current(connection, [epoch.conversation])
        if ended:
            vectors.remove(connection, "summary", epoch.conversation)
        hot = [[each.note, each.count, round(each.frequency, 6)] for each in result.hot]
        told = {"created": result.created, "strengthened": result.strengthened, "hot": hot}
        digestion_jobs.finish(connection, job.id, told, now)
        hidden: Sequence[int] = ()
        if not settings.recall.digested_messages:
            said = [message.id for message in message_log.of_epoch(connection, epoch.conversation, epoch.epoch)]
            searched = amendments.among(connection, said)
            hidden = [message for message in said if message not in searched]
        return replace(result, ended=ended, hidden=tuple(hidden))

    def after(result: Linked) -> None:
        for origin, count in result.by_origin.items():
            world.emit("link_created", mind=memory.name, count=count, origin=origin)
        if result.strengthened:
            world.emit("link_strengthened", mind=memory.name, count=result.strengthened, origin="coactivation")
        # In a mind that forgets, a digested message is recallable only through its notes.
        memory.follow(lambda index: index.remove_all(ItemKind.MESSAGE, result.hidden))
        if result.ended:
            memory.follow_summaries(lambda rolled: rolled.remove_all(ItemKind.SUMMARY, [epoch.conversation]))

    return await memory.database.write("link", store, after=after)


def activity_of(hits: Sequence[NoteHit]) -> dict[str, dict[int, float]]:
    """The user turns at which each note was recalled: 1 where the reply used it, else up to 0.5.

    A note that was not used counts by its share of the best score of that turn: what came up faintly beside another
    was hardly on the mind, and must not take the few links of what was.
    """
    best: dict[int, float] = {}
    for hit in hits:
        best[hit.turn] = max(best.get(hit.turn, 0.0), hit.score)
    activity: dict[str, dict[int, float]] = {}
    for hit in hits:
        returned = hebbian_linking.RETURNED * rank_share(hit.score, best[hit.turn])
        turns = activity.setdefault(public_id("n", hit.note), {})
        turns[hit.turn] = max(turns.get(hit.turn, 0.0), hebbian_linking.USED if hit.used else returned)
    return activity


async def _drafted(world: World, material: Material, who: Identity, call: Call | None) -> Sequence[LinkProposal]:
    """What the engine proposes, as far as it holds."""
    if not material.new:
        return ()
    weighty = sorted(material.new, key=lambda face: -face.note.importance)[:_MOST_SHOWN]
    told = [face for face in material.new if face in weighty]
    new = {f"N{place}": note for place, note in enumerate(told, start=1)}
    hot = {f"H{place}": note for place, note in enumerate(material.hot_notes[:_MOST_HOT], start=1)}
    counts = dict(zip(hot, material.hot, strict=False))
    request = LinkRequest(
        new=tuple(LinkNode(label, *_shown(face), speaker=face.speaker) for label, face in new.items()),
        hot=tuple(
            LinkNode(label, *_shown(face), counts[label].count, counts[label].frequency, face.speaker)
            for label, face in hot.items()
        ),
        summary=material.summary,
        persona=who.persona,
        mood=material.mood,
        language=who.language or None,
        cast=who.cast(spoke_as=material.spoke_as),
    )
    drafts = await world.model.link(request, call)
    labelled = {
        label: LabelledNote(public_id("n", face.note.id), face.note.kind) for label, face in (new | hot).items()
    }
    verdict = judge_drafts(drafts, {label: labelled[label] for label in new}, {label: labelled[label] for label in hot})
    return verdict.accepted


def _shown(face: RenderedNote) -> tuple[NoteKind, str, tuple[str, ...], int]:
    """What a model gets to see of a note."""
    return face.note.kind, face.text, face.entities, face.at_ms


async def _nearest(memory: OpenMind, world: World, new: Sequence[RenderedNote]) -> dict[str, list[tuple[str, float]]]:
    """The notes most like each new one, for an epoch in which nothing was recalled; none where vectors mean little."""
    embedder = world.embedding.embedder
    legible = [face for face in new if face.note.indexed and embedder.coverage(face.note.indexed) >= BLIND_BELOW]
    if not legible:
        return {}
    try:
        matrix = await world.embedding.embed_background([face.note.indexed for face in legible])
    except SoulmemError:
        return {}
    fingerprint = memory.fingerprint
    own = {face.note.id for face in new}

    def read(connection: Connection) -> dict[str, list[tuple[str, float]]]:
        found: dict[str, list[tuple[str, float]]] = {}
        for face, vector in zip(legible, matrix, strict=True):
            near = vectors.nearest(connection, fingerprint, vector, len(own) + 8, kind="note")
            # Only earlier notes: whether a later one has its vector yet depends on the embedding queue.
            found[public_id("n", face.note.id)] = [
                (public_id("n", item), cosine) for item, cosine in near if item not in own
            ]
        return found

    return await memory.database.read(read)


def _living(connection: Connection, concerned: set[str]) -> set[str]:
    found = note_rows.get_many(connection, [private_id("n", note) for note in concerned])
    return {public_id("n", note.id) for note in found.values() if note.lifecycle != note_rows.FORGOTTEN}


def _existing(connection: Connection, concerned: set[str]) -> dict[LinkKey, link_rows.Link]:
    numbers = sorted(private_id("n", note) for note in concerned)
    if not numbers:
        return {}
    inside = set(numbers)
    return {
        hebbian_linking.link_key(public_id("n", link.src), public_id("n", link.dst), link.kind, link.verb): link
        for link in link_rows.of_notes(connection, numbers)
        if link.src in inside and link.dst in inside
    }


def _write(
    connection: Connection, plan: LinkPlan, existing: dict[LinkKey, link_rows.Link], hot: tuple[HotNote, ...],
    delete_below: float, now: int, now_exp: int,
) -> Linked:  # fmt: skip
    by_origin: dict[str, int] = {}
    for proposal in plan.created:
        _create(connection, proposal, delete_below, now, now_exp)
        by_origin[proposal.origin.value] = by_origin.get(proposal.origin.value, 0) + 1
    for update in plan.updated:
        before = existing[update.key]
        due, strength = update.trace.crossing_ms(delete_below), before.trace.strength(now_exp)
        link_rows.set_trace(
            connection, before, update.trace, due_delete=due, cause="coactivation", before=strength, now_exp=now_exp
        )
    strengthened = sum(update.strengthened for update in plan.updated)
    return Linked(len(plan.created), strengthened, hot, by_origin)


def _create(connection: Connection, proposal: LinkProposal, delete_below: float, now: int, now_exp: int) -> None:
    key = proposal.key
    src, dst = private_id("n", key.src), private_id("n", key.dst)
    trace: Trace = proposal.trace(now_exp)
    due = trace.crossing_ms(delete_below)
    former = link_rows.find(connection, src, dst, key.kind, key.verb)
    if former is not None:  # forgotten once: it comes back under its own id
        link_rows.set_trace(
            connection, former, trace, due_delete=due, cause="again",
            before=former.trace.strength(now_exp), now_exp=now_exp,
        )  # fmt: skip
        return
    new = NewLink(src, dst, key.kind, proposal.origin, trace, due, now, verb=key.verb, confidence=proposal.confidence)
    link_rows.insert(connection, new)
