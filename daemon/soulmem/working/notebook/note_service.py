"""Note service: notes and links that clients write, change, pin, forget and restore by hand.

Called by `mind` for `note.*` and `link.*`. Every change is one transaction with its history; forgetting is reversible;
the index in memory follows after the commit.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import anyio.to_thread

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay import pruning_policy
from soulmem.core.decay.traces import Trace, grown
from soulmem.core.details.elements import Element, born, fitting, kept_alike
from soulmem.core.importance import importance_rating
from soulmem.core.importance.importance_rating import Importance
from soulmem.core.importance.retention_periods import MIDDLING, Level
from soulmem.core.linking import hebbian_linking
from soulmem.core.schema.blind_ids import Sentence
from soulmem.core.schema.note_requests import LinkKind, LinkOrigin, NoteKind
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import World
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link, NewLink
from soulmem.store.messages import conversations, message_log
from soulmem.store.notes import element_rows, merge_queue, note_index_rows, note_rows, note_validity, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.revision import note_merging, note_rewrites
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.working.notebook.note_drafts import Details, Draft, Found

RESTORED_STRENGTH = 0.3
_FARTHEST_MS = 36_525 * DAY_MS  # a hundred years: what is planned for later begins to fade before


DetailsOf = Callable[[str, int], Awaitable[Details]]


class NoteService:
    """Writes of one mind's graph on behalf of clients. Each method takes the connection of its transaction."""

    def __init__(self, memory: OpenMind, world: World, settings: SettingsNow, details_of: DetailsOf) -> None:
        """Args: details_of: finds the details of a text told at a time (UTC milliseconds)."""
        self._memory = memory
        self._world = world
        self._settings = settings
        self._details_of = details_of

    def _moment(self) -> tuple[int, int]:
        """(wall now, experienced now), milliseconds."""
        clock = self._world.clock
        return clock.now_ms(), self._memory.now(clock.trusted_now_ms())

    async def detailed(self, draft: Draft) -> Draft:
        """The draft with its elements found, unless the client named them, and weighed."""
        if draft.elements is not None:
            weight = await anyio.to_thread.run_sync(importance_rating.weigh, draft.text, self._moment()[0])
            return replace(draft, weight=weight)
        found = await self._found(draft.text, draft.kind, draft.at, draft.gist)
        return replace(draft, elements=found.elements, arousal=found.arousal, weight=found.weight)

    async def elements_of_change(self, note: int, changes: dict[str, Any]) -> Found | None:
        """The elements of a note's new text; None if it keeps its text."""
        before = (await self._memory.database.read(note_rows.get_many, [note])).get(note) if "text" in changes else None
        if before is None:
            return None
        return await self._found(changes["text"], before.kind, changes.get("at", before.at))

    async def _found(self, text: str, kind: NoteKind, at: int, gist: str = "") -> Found:
        """The elements of a text and how much it matters; details are looked for in an episodic one alone."""
        now = self._moment()[0]
        details = await self._details_of(text, at) if kind is NoteKind.EPISODIC else None
        drafts, arousal = (details.elements, details.arousal) if details else ((), 0.0)

        def looked_at() -> Found:
            weight = importance_rating.weigh(text, at if at <= now else now)
            return Found(fitting(text, kind, drafts, gist=gist).elements, arousal, weight)

        return await anyio.to_thread.run_sync(looked_at)

    def add(self, connection: Connection, draft: Draft, scope: Scope = WHOLE) -> int:
        """Raises: SoulmemError: `not_found` for a source, `invalid_text` for a quote that is not in its source."""
        now, now_exp = self._moment()
        sources = tuple(_source(connection, scope, *source) for source in draft.sources)
        home = conversations.ensure_conversation(connection, draft.conversation, now) if draft.conversation else None
        drafts = draft.elements or fitting(draft.text, draft.kind, gist=draft.gist).elements
        weight = draft.weight or importance_rating.weigh(draft.text, now)
        rated = _by_hand(weight) if draft.importance is None else draft.importance
        spans = self._spans(
            connection, Found(drafts, draft.arousal), weight, rated, draft.kind, draft.text, draft.until
        )
        return note_writes.insert(
            connection,
            NewNote(
                kind=draft.kind,
                text=draft.text,
                at=draft.at,
                created_at=now,
                created_exp=now_exp,
                speaker=draft.speaker,
                importance=rated,
                valence=draft.valence,
                tags=draft.tags,
                attributes=draft.attributes or {},
                pinned=draft.pinned,
                conversation=home.id if home else None,
                sources=sources,
                elements=spans,
            ),
        )

    def update(
        self, connection: Connection, note: int, changes: dict[str, Any], version: int | None,
        found: Found | None = None, until: int | None = None,
    ) -> Note:  # fmt: skip
        """Change a note; with a new text its elements begin anew, as they were `found`; so they do where it is told
        `until` when what it speaks of is not over.

        Raises SoulmemError: `not_found`, `version_conflict`.
        """
        now, now_exp = self._moment()
        spans: tuple[Element, ...] | None = None
        if "text" in changes or until is not None:
            before = note_rows.get(connection, note)
            text = changes.get("text", before.text)
            found = found or Found(fitting(text, before.kind).elements)
            weight = found.weight or importance_rating.weigh(text, now)
            if "importance" not in changes and weight.level is Level.VITAL:
                changes = {**changes, "importance": max(before.importance, weight.value)}
            rated = changes.get("importance", before.importance)
            spans = self._spans(connection, found, weight, rated, before.kind, text, until)
        return note_writes.update(
            connection, note, changes=changes, new_elements=spans, version=version, now=now, now_exp=now_exp
        )

    def _spans(
        self, connection: Connection, found: Found, weight: Importance, rated: float, kind: NoteKind, text: str,
        until: int | None = None,
    ) -> tuple[Element, ...]:  # fmt: skip
        """The elements of a text that a note is given, beginning now, or when what it speaks of is over."""
        now, now_exp = self._moment()
        plain = importance_rating.keeping(weight, rated, kind, text, now, by_hand=True)
        if until is not None:
            plain = replace(plain, ahead_ms=min(max(plain.ahead_ms, until - now), _FARTHEST_MS))
        keeping = kept_alike(text, found.elements, plain)
        rules = element_rows.fading(connection)
        return born(found.elements, now_exp, rules, importance=rated, arousal=found.arousal, keeping=keeping)

    def pin(self, connection: Connection, note: int, pinned: bool) -> Note:
        return note_writes.set_pinned(connection, note, pinned, *self._moment())

    def forget(self, connection: Connection, note: int) -> bool:
        """Put a note and its links behind tombstones; False when it was there already."""
        now, _ = self._moment()
        purge_at = now + round(self._settings().forgetting.tombstone_days * DAY_MS)
        if not note_writes.forget(connection, note, reason="client", now=now, purge_at=purge_at):
            return False
        link_rows.forget(
            connection, link_rows.of_notes(connection, [note]), reason="note_forgotten", now=now, purge_at=purge_at
        )
        for held in note_validity.withdraw(connection, note):  # what it ended holds again: it was taken back on purpose
            note_writes.record(connection, now, "note_reinstated", held, {})
        return True

    async def elements_of_version(self, note: int, version: int) -> Found:
        """The elements of what a note was at an earlier version. Raises SoulmemError: `not_found`."""

        def read(connection: Connection) -> tuple[NoteKind, dict[str, Any]]:
            return note_rows.get(connection, note).kind, note_rewrites.former(connection, note, version)

        kind, body = await self._memory.database.read(read)
        return await self._found(body["text"], kind, body["at"])

    def put_back(self, connection: Connection, note: int, version: int, found: Found) -> Note:
        """Let a note be again what it was at an earlier version, as if it were told today.

        Raises SoulmemError: `not_found`.
        """
        now, now_exp = self._moment()
        body, kind = note_rewrites.former(connection, note, version), note_rows.get(connection, note).kind
        weight = found.weight or importance_rating.weigh(body["text"], now)
        spans = self._spans(connection, found, weight, body["importance"], kind, body["text"])
        return note_rewrites.put_back(connection, note, version, spans, now, now_exp)

    def restore(self, connection: Connection, note: int) -> tuple[bool, list[Link]]:
        """Bring a note back with its links, each at no less than 0.3, or as it was out of the one it went into; of one
        that was not forgotten, let it hold again whatever ended it. (False, []) when there was nothing to bring back.
        """
        now, now_exp = self._moment()
        purge_at = now + round(self._settings().forgetting.tombstone_days * DAY_MS)
        moment = note_merging.Moment(now, now_exp, purge_at, self.due_delete)
        if (parted := note_merging.undo(connection, note, moment)) is not None:
            merge_queue.keep_apart(connection, note, parted[0])
            return True, parted[1]
        due = now_exp + pruning_policy.GRACE_MS
        if not note_writes.restore(connection, note, now=now, now_exp=now_exp, due_check=due):
            if not note_validity.take_back(connection, note):
                return False, []
            note_writes.record(connection, now, "note_reinstated", note, {})
            return True, []
        back = link_rows.forgotten_with(connection, note)
        for link in back:
            strength = link.trace.strength(now_exp)
            trace = Trace(max(RESTORED_STRENGTH, strength), now_exp, link.trace.stability_ms, link.trace.grown_ms)
            link_rows.set_trace(
                connection, link, trace, due_delete=self.due_delete(trace), cause="restored", before=strength,
                now_exp=now_exp,
            )  # fmt: skip
        return True, back

    def link(
        self, connection: Connection, src: int, dst: int, kind: LinkKind, verb: str, strength: float | None,
        confidence: float,
    ) -> tuple[int, bool]:  # fmt: skip
        """Link two notes, or strengthen the link that is there; (link, whether it is new).

        Raises SoulmemError: `not_found` for a note that is missing or forgotten, `invalid_params` for a self-link.
        """
        now, now_exp = self._moment()
        if src == dst:
            raise SoulmemError(ErrorName.INVALID_PARAMS, "a note cannot be linked to itself")
        for end in (src, dst):
            if note_rows.get(connection, end).lifecycle == note_rows.FORGOTTEN:
                raise SoulmemError(
                    ErrorName.NOT_FOUND,
                    Sentence(public_id("n", end), " is forgotten"),
                    hint="restore it with note.restore before linking it",
                )
        initial = strength if strength is not None else hebbian_linking.strength_of(kind, 0.4)
        before = link_rows.find(connection, src, dst, kind, verb)
        if before is None:
            trace = Trace(initial, now_exp, hebbian_linking.stability_of(kind, confidence))
            new = NewLink(
                src, dst, kind, LinkOrigin.CLIENT, trace, self.due_delete(trace), now, verb=verb, confidence=confidence
            )
            return link_rows.insert(connection, new), True
        reinforce(connection, before, initial, now_exp=now_exp, due_delete=self.due_delete, cause="client")
        return before.id, False

    def due_delete(self, trace: Trace) -> int:
        return trace.crossing_ms(self._settings().forgetting.delete_below)

    def follow(self, note: Note) -> None:
        """Bring a changed note into the index in memory."""
        self._memory.follow(lambda index: index_note(index, note))


def reinforce(
    connection: Connection,
    link: Link,
    coactivation: float,
    *,
    now_exp: int,
    due_delete: Callable[[Trace], int],
    cause: str,
) -> float:
    """Strengthen a link by long-term potentiation, a <- a + 0.2 C (1 - a), and let it grow; the new strength."""
    before = link.trace.strength(now_exp)
    if link.forgotten:
        raised = max(RESTORED_STRENGTH, before)
    else:
        raised = before + hebbian_linking.POTENTIATION * coactivation * (1.0 - before)
    stronger = grown(link.trace, now_exp, coactivation)
    trace = Trace(min(raised, hebbian_linking.STRENGTH_MOST), now_exp, stronger.stability_ms, stronger.grown_ms)
    link_rows.set_trace(
        connection, link, trace, due_delete=due_delete(trace), cause=cause, before=before, now_exp=now_exp
    )
    return trace.a0


def _by_hand(weight: Importance) -> float:
    """The importance of a note that a client took the trouble to write without rating it: never a trifle's."""
    return weight.value if weight.level is Level.VITAL else MIDDLING


def index_note(index: SearchIndex, note: Note) -> None:
    if note.lifecycle == note_rows.FORGOTTEN or note.kind is NoteKind.TRIGGER:
        index.remove(ItemKind.NOTE, note.id)
        return
    if index.says(ItemKind.NOTE, note.id, note_index_rows.terms_of(note)):
        index.place(ItemKind.NOTE, note.id, speaker=note.found_speaker, at_ms=note.found_at)
        index.set_homes(note.id, note.homes)
    else:  # its vector is of other words: the file has dropped it as well
        note_index_rows.put(index, [note])


def _source(
    connection: Connection, scope: Scope, conversation: str, client_id: str, quote: str | None
) -> tuple[int, str | None]:
    home = conversations.conversation_named(connection, conversation, scope)
    message = message_log.get(connection, home.id, client_id)
    if quote is not None and quote not in message.content:
        raise SoulmemError(
            ErrorName.INVALID_TEXT,
            f"the quote is not in message {client_id[:80]!r}",
            hint="quote the message's words exactly, or leave the quote out",
        )
    return message.id, quote
