"""Message edits: a message is edited or deleted after it was heard, a note is removed for good.

Called by `mind` for `message.update`, `message.delete` and `note.purge`. An edit takes back what was made of the former
words in its own transaction; a job of the idle half makes it anew (`idle/steps/rederive_step`), and the former wording
stays for the owner's history. A deletion leaves nothing (`store/revision/erasure`), and waits a moment for the file to
be gone over (`working/ingest/erasure_worker`). Whoever asks for `keep_notes` gets what was done before there was
either: what was made stays, and a correction is told of what was summarised already (`correction_messages`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from typing import Any

import numpy as np

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.text.repetition import Telling, telling
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import World
from soulmem.store.graph.link_memory import LinkMemory, follow
from soulmem.store.index import vectors
from soulmem.store.journal import digestion_jobs
from soulmem.store.messages import amendments, conversations, message_index_rows, message_log, rolling_summaries
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import note_index_rows, note_rows
from soulmem.store.revision import erasure, note_merging, note_withdrawal, reflection_withdrawal
from soulmem.store.revision.note_withdrawal import TakenBack
from soulmem.store.session.index_building import put_summary
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite import mind_files
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id
from soulmem.working.ingest import correction_messages
from soulmem.working.ingest.erasure_worker import ErasureWorker

_WAITS_S = 2.0  # for the file to be gone over, before a deletion is answered


@dataclass(slots=True)
class _Changed:
    """What a transaction changed, for whoever follows it."""

    message: Message | None = None
    rows: list[message_index_rows.IndexRow] = field(default_factory=list)  # messages that are searched from now on
    gone: list[int] = field(default_factory=list)  # messages of which nothing is left
    notes: TakenBack = field(default_factory=TakenBack)
    recalls: set[int] = field(default_factory=set)
    memories: list[LinkMemory] = field(default_factory=list)
    rolled: dict[int, rolling_summaries.Current | None] = field(default_factory=dict)
    homes: dict[int, frozenset[int]] = field(default_factory=dict)  # of notes that lost a source
    parted: list[note_rows.Note] = field(default_factory=list)  # what came out of another note, and that note
    traces: Telling | None = None
    is_erased: bool = False


class MessageEdits:
    """Edits and deletions of one mind's messages, and notes that are removed for good."""

    def __init__(
        self,
        memory: OpenMind,
        world: World,
        settings: SettingsNow,
        wake: Callable[[str], None],
        forget_talk: Callable[[], None],
        forget_recalls: Callable[[set[int]], None],
        rederive: Callable[[], None],
        erasing: ErasureWorker,
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._wake = wake
        self._forget_talk = forget_talk
        self._forget_recalls = forget_recalls
        self._rederive = rederive
        self._erasing = erasing  # goes over the file

    async def amend(
        self,
        method: str,
        conversation: str,
        client_id: str,
        content: str | None,
        *,
        key: str | None,
        request_hash: bytes,
        keep_notes: bool = False,
        attributes: str | None = None,
    ) -> dict[str, Any]:
        """Change the words or attributes of a message, or with neither leave nothing of it.

        Args: keep_notes: what was made of the former words stays, and these stay in the history. attributes: JSON.
        Raises: SoulmemError: `not_found`, `idempotency_conflict`, the storage errors; then nothing was changed.
        """
        trusted_now = self._world.clock.trusted_now_ms()
        changed = _Changed()
        is_removed = content is None and attributes is None

        def change(connection: Connection) -> dict[str, Any]:
            home = conversations.conversation_named(connection, conversation).id
            message = message_log.get(connection, home, client_id)
            if is_removed and (message.is_gone or (message.deleted and keep_notes)):
                return _told(message, again=True)
            if message.is_gone or (message.deleted and content is None and not is_removed):
                raise SoulmemError(
                    ErrorName.NOT_FOUND,
                    f"the message {client_id[:80]!r} was deleted",
                    hint="give what is said now an id of its own",
                )
            said = content if content is not None or is_removed else message.content
            is_described = attributes is not None and amendments.describe(connection, message, attributes)
            if message.content == said and not message.deleted:
                return _told(message_log.get(connection, home, client_id), again=not is_described)
            self._forget_talk()
            if keep_notes:
                return self._tell(connection, message, said, changed)
            if said is None:
                return self._delete(connection, message, changed)
            return self._edit(connection, message, said, changed)

        def store(connection: Connection) -> dict[str, Any]:
            return digestion_jobs.once(connection, key, method, request_hash, trusted_now, change)

        result = await self._memory.database.write(method, store, after=lambda result: self._follow(changed, result))
        if not is_removed or keep_notes:
            return result
        repeats = await self._repeats(changed.traces, conversation) if changed.traces is not None else []
        return {**await self._gone_over(result), "repeats": repeats}

    async def take_back(self, conversation: str, client_id: str, left: str) -> dict[str, Any]:
        """Let a message say only what is `left`, for whoever told it asked to forget the rest."""
        return await self.amend("message.take_back", conversation, client_id, left, key=None, request_hash=b"")

    async def purge(self, number: int, *, key: str | None, request_hash: bytes) -> dict[str, Any]:
        """Remove a note for good; the messages that it was made of stay, and are made into no note again.

        Raises SoulmemError: `not_found`, `idempotency_conflict`, the storage errors; then nothing was changed.
        """
        trusted_now = self._world.clock.trusted_now_ms()
        changed = _Changed()

        def remove(connection: Connection) -> dict[str, Any]:
            note = note_rows.get(connection, number)
            sources = note_rows.sources_of(connection, [number])[number]
            wordings = note_withdrawal.wordings_of(connection, note)
            now, now_exp, _ = self._moment()
            changed.notes = erasure.erase_note(connection, note, now=now, now_exp=now_exp)
            self._kept(connection, changed)
            self._erasing.expect(connection, [*wordings, *changed.notes.texts])
            changed.is_erased = True
            said = {(source.conversation, source.client_id): None for source in sources}
            return {
                "id": public_id("n", number),
                "purged": True,
                "sources": [{"conversation": home, "id": name} for home, name in said],
            }

        def store(connection: Connection) -> dict[str, Any]:
            return digestion_jobs.once(connection, key, "note.purge", request_hash, trusted_now, remove)

        result = await self._memory.database.write(
            "note.purge", store, after=lambda result: self._follow(changed, result)
        )
        return await self._gone_over(result)

    def _moment(self) -> tuple[int, int, int]:
        """(wall now, experienced now, when what is taken back now goes for good)."""
        clock = self._world.clock
        now = clock.now_ms()
        purge_at = now + round(self._settings().forgetting.tombstone_days * DAY_MS)
        return now, self._memory.now(clock.trusted_now_ms()), purge_at

    def _edit(self, connection: Connection, message: Message, content: str, changed: _Changed) -> dict[str, Any]:
        now, now_exp, purge_at = self._moment()
        resting = note_withdrawal.resting_on(connection, message.id)
        parted = note_merging.part(connection, resting, now=now, now_exp=now_exp)
        message_log.replace_text(connection, message, content, deleted=False, now=now)
        amendments.touch(connection, message.conversation, message.epoch)
        amendments.seal(connection, [message.id], sealed=False)
        connection.execute("UPDATE recall SET query = ? WHERE message = ?", (content, message.id))
        rested = reflection_withdrawal.cited(connection, note_withdrawal.resting_on(connection, message.id))
        taken = note_withdrawal.after_change(connection, message, content, now=now, purge_at=purge_at)
        reflection_withdrawal.take_along(connection, rested, taken, [message.content], now=now, still=[content])
        waiting = amendments.demand(connection, sorted({message.id, *taken.sources}), now)
        vectors.remove_surroundings(connection, message_log.beside(connection, message.id))
        rewound = message.pos is not None and rolling_summaries.rewind(
            connection, message.conversation, message.epoch, message.pos
        )
        taken.parted += parted
        changed.notes = taken
        self._kept(connection, changed)
        changed.message = message_log.get_many(connection, [message.id])[message.id]
        self._searched(connection, [message.id, *waiting], changed)
        if rewound:
            self._rolled(connection, [message.conversation], changed)
        return _told(changed.message, taken=taken, waiting=waiting, rewound=int(rewound))

    def _delete(self, connection: Connection, message: Message, changed: _Changed) -> dict[str, Any]:
        now, now_exp, purge_at = self._moment()
        wordings = [*message_log.former_words(connection, message.id), message.content]
        changed.traces = telling(wordings)
        erased = erasure.erase_message(connection, message, now=now, now_exp=now_exp, purge_at=purge_at)
        self._erasing.expect(connection, [*wordings, *erased.notes.texts])
        changed.notes, changed.recalls, changed.memories = erased.notes, erased.recalls, erased.memories
        changed.gone, changed.is_erased = [each.id for each in erased.messages], True
        changed.message = erased.messages[0]
        self._kept(connection, changed)
        self._searched(connection, erased.waiting, changed)
        self._rolled(connection, [home for home, _ in erased.summaries], changed)
        return _told(changed.message, taken=erased.notes, waiting=erased.waiting, rewound=len(erased.summaries))

    def _tell(self, connection: Connection, message: Message, content: str | None, changed: _Changed) -> dict[str, Any]:
        """Change the words alone; for what was summarised, tell of it by an internal message."""
        now, now_exp, _ = self._moment()
        message_log.replace_text(connection, message, content or "", deleted=content is None, now=now)
        heard = correction_messages.tell(connection, message, content, self._settings(), now, now_exp)
        changed.message = message_log.get_many(connection, [message.id])[message.id]
        self._searched(connection, [message.id], changed)
        jobs_made = [public_id("js", job) for job in heard.jobs] if heard is not None else []
        return {**_told(changed.message), "corrected": heard is not None, "jobs": jobs_made}

    def _kept(self, connection: Connection, changed: _Changed) -> None:
        """A note that lost a message was heard where its others were."""
        kept = note_rows.get_many(connection, changed.notes.kept)
        changed.homes = {note.id: note.homes for note in kept.values() if note.lifecycle != note_rows.FORGOTTEN}
        ends = sorted({note for pair in changed.notes.parted for note in pair})
        found = note_rows.get_many(connection, ends)
        changed.parted = [note for note in found.values() if note.lifecycle != note_rows.FORGOTTEN]

    def _searched(self, connection: Connection, ids: Sequence[int], changed: _Changed) -> None:
        hides = not self._settings().recall.digested_messages
        changed.rows = message_index_rows.index_rows(connection, hide_consolidated=hides, ids=ids)

    def _rolled(self, connection: Connection, conversations: Sequence[int], changed: _Changed) -> None:
        for home in conversations:
            changed.rolled[home] = next(iter(rolling_summaries.current(connection, [home])), None)

    def _follow(self, changed: _Changed, result: dict[str, Any]) -> None:
        if result.get("duplicate") or (changed.message is None and not changed.is_erased):
            return
        self._memory.follow(partial(_index, changed=changed))
        for home, current in changed.rolled.items():
            self._memory.follow_summaries(partial(_roll, home=home, current=current))
        if changed.memories:
            self._memory.follow_graph(lambda graph: follow(graph, changed.memories))
        if changed.recalls:
            self._forget_recalls(changed.recalls)
        self._tell_log(changed)
        self._wake("embed")
        if changed.rolled or result.get("jobs"):
            self._wake("summary")
        if result.get("rederiving"):
            self._rederive()
        if changed.is_erased:
            self._world.embedding.forget()
            self._erasing.wake()

    def _tell_log(self, changed: _Changed) -> None:
        name, taken = self._memory.name, changed.notes
        if hidden := [note for note in taken.hidden if note in taken.lived]:
            self._world.emit("notes_withdrawn", mind=name, count=len(hidden))
        lived = sum(note in taken.lived for note in taken.purged)
        if lived:
            self._world.emit(
                "note_purged", mind=name, count=lived, reason="client" if changed.message is None else "source"
            )
        if lived < len(taken.purged):
            self._world.emit("tombstone_purged", mind=name, count=len(taken.purged) - lived)
        if taken.parted:
            self._world.emit("note_restored", mind=name, count=len(taken.parted))
        if taken.links:
            self._world.emit("link_forgotten", mind=name, count=taken.links, reason="note_withdrawn")

    async def _repeats(self, traces: Telling, conversation: str) -> list[dict[str, str]]:
        """What else says what a deleted message said: the client may want to delete that too."""
        scope = await self._memory.in_front_of(conversation)
        found = await self._memory.database.read(erasure.repeats, traces, scope)
        return [
            {"kind": kind, **({"conversation": home} if kind == "message" else {}), "id": name}
            for kind, home, name in found
        ]

    async def _gone_over(self, result: dict[str, Any]) -> dict[str, Any]:
        """The answer to a deletion: whether the bytes are gone by now, and which copies of the file hold them."""
        erased = await self._erasing.done(_WAITS_S)
        copies = mind_files.copies_of(self._memory.database.path)
        return {**result, "erased": erased, "copies": [str(copy) for copy in copies]}


def _told(
    message: Message, *, taken: TakenBack | None = None, waiting: Sequence[int] = (), rewound: int = 0,
    again: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """The answer to an edit or a deletion, without what only one of them has."""
    taken = taken or TakenBack()
    told = {
        "message": message_log.view(message, to_iso),
        "corrected": False,
        "jobs": [],
        "withdrawn": [public_id("n", note) for note in taken.hidden],
        "purged": [public_id("n", note) for note in taken.purged],
        "rederiving": len(waiting),
        "summaries": rewound,
    }
    return {**told, "again": True} if again else told


def _index(index: SearchIndex, changed: _Changed) -> None:
    for note in changed.notes.gone:
        index.remove(ItemKind.NOTE, note)
    for each in changed.parted:
        if not index.says(ItemKind.NOTE, each.id, note_index_rows.terms_of(each)):
            note_index_rows.put(index, [each])
        index.set_homes(each.id, each.homes)
    for note, homes in changed.homes.items():
        index.set_homes(note, homes)
    for message in changed.gone:
        index.remove(ItemKind.MESSAGE, message)
    shown = {row.id: row for row in changed.rows}
    if changed.message is not None and changed.message.id not in shown:
        index.remove(ItemKind.MESSAGE, changed.message.id)
    for row in changed.rows:
        terms = np.frombuffer(row.terms, dtype=np.uint32)
        index.add(
            ItemKind.MESSAGE, row.id, conversation=row.conversation, seq=row.seq, speaker=row.speaker, at_ms=row.at,
            terms=terms, replies=bool(row.replies),
        )  # fmt: skip


def _roll(rolled: SearchIndex, home: int, current: rolling_summaries.Current | None) -> None:
    rolled.remove(ItemKind.SUMMARY, home)
    if current is not None:
        put_summary(rolled, current)
