"""Message import: what was said before is heard as if it had been said then, many messages at a time.

Called by `mind` for `message.import`. The messages go through the same window, markers, topics and indexes as those of
`message_ingest`, a chunk of them in one transaction; silences between their times end epochs (`session_borders`). They
cause no recall unless that is asked for, and nobody is answered about each. Invariants: a chunk is stored wholly or not
at all, so what was not acknowledged may be sent again under the same ids; a message that is refused changes nothing for
the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial

import anyio.to_thread
import numpy as np

from soulmem.core.schema.note_requests import Role
from soulmem.core.search.memory_index import SearchIndex
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings.config_loader import SettingsNow
from soulmem.ports import World
from soulmem.store.messages import aged_messages, message_log
from soulmem.store.messages.message_insert import Intake
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import row_hash
from soulmem.working.ingest.message_ingest import (
    IncomingMessage,
    MessageIngest,
    StoredMessage,
    Told,
    index_message,
    repeated_message,
    told_of,
)
from soulmem.working.ingest.session_borders import end_session

_CHUNK = 64  # messages in one transaction: nobody who talks meanwhile waits long behind it
_CHUNK_CHARS = 100_000
_NAMED_BYTES = 12  # of the hash that names a message without an id


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a history, and its place in it, from 0."""

    index: int
    message: IncomingMessage
    is_moved: bool = False  # it stands behind one that was said later


@dataclass(slots=True)
class Imported:
    """What became of a history; the lists hold places in it, `refused` with the reason.

    `late`: stored though something said after it had been heard before; `sessions`: epochs that a silence ended.
    """

    stored: int = 0
    duplicates: list[int] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    refused: list[tuple[int, str | None, SoulmemError]] = field(default_factory=list)
    reordered: int = 0
    late: int = 0
    sessions: int = 0

    @property
    def seen(self) -> int:
        return self.stored + len(self.duplicates) + len(self.deleted) + len(self.refused)


@dataclass(frozen=True, slots=True)
class _Fate:
    """What the writer thread made of one line: stored, known, or refused."""

    line: Line
    told: Told
    heard: StoredMessage | None
    error: SoulmemError | None = None


class MessageImport:
    """The way in for what was said before."""

    def __init__(
        self, memory: OpenMind, world: World, settings: SettingsNow, wake: Callable[[str], None], ingest: MessageIngest
    ) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings
        self._wake = wake
        self._ingest = ingest

    async def hear(
        self,
        lines: Sequence[Line],
        done: Imported,
        *,
        recall: bool,
        continues: bool,
        ages: bool,
        progress: Callable[[Imported, Imported], None],
    ) -> None:
        """Store a history in the order of its times; returns after its last commit.

        `done`: what became of it so far, with what was refused before it came here; added to; `recall`: let each user
        message cause a recall, as `message.add` does; `continues`: more of it follows, so the last session of each
        conversation stays open; `ages`: what it tells fades as if it had been heard then; `progress`: told after each
        commit what it did, and what was done in all.

        Raises SoulmemError: the storage errors; what was told as done is stored all the same.
        """
        ordered = sorted(_marked(lines), key=lambda line: line.message.at)
        for chunk in _chunks(ordered):
            part = await self._hear_chunk(chunk, recall=recall, ages=ages)
            for name in ("stored", "reordered", "late", "sessions"):
                setattr(done, name, getattr(done, name) + getattr(part, name))
            for name in ("duplicates", "deleted", "refused"):
                getattr(done, name).extend(getattr(part, name))
            progress(part, done)
        if not continues:
            done.sessions += await self._end_sessions({line.message.conversation for line in lines})
        for found in (done.duplicates, done.deleted):
            found.sort()
        done.refused.sort(key=lambda each: each[0])

    async def _hear_chunk(self, chunk: Sequence[Line], *, recall: bool, ages: bool) -> Imported:
        arrived_at = self._world.clock.now_ms()
        now_exp = self._memory.now(self._world.clock.trusted_now_ms()) if recall else None
        silence_ms = self._silence_ms()

        def read() -> list[Told]:
            return [told_of(_named(line.message), arrived_at, now_exp, silence_ms=silence_ms) for line in chunk]

        told = await anyio.to_thread.run_sync(read)
        fates = await self._memory.database.write(
            "message.import",
            lambda connection: self._store(connection, chunk, told, ages=ages),
            after=partial(self._follow, wakes_recall=recall),
        )
        return _summed(fates)

    def _silence_ms(self) -> int:
        return round(self._settings().idle.after_s * 1000)

    def _store(self, connection: Connection, chunk: Sequence[Line], told: Sequence[Told], *, ages: bool) -> list[_Fate]:
        """In the writer thread: leave out what is known or refused, push the rest through its windows."""
        fates: list[_Fate | None] = [None] * len(chunk)
        fresh: dict[tuple[str, str], int] = {}
        for place, (line, each) in enumerate(zip(chunk, told, strict=True)):
            name = (each.conversation, each.new.client_id or "")
            try:
                heard = repeated_message(connection, each.conversation, each.new)
                if heard is None and name in fresh:
                    heard = _repeated_within(told[fresh[name]], each)
            except SoulmemError as error:
                fates[place] = _Fate(line, each, None, error)
                continue
            if heard is None:
                fresh[name] = place
            else:
                fates[place] = _Fate(line, each, heard)
        stored = self._ingest.store_all(connection, [told[place] for place in fresh.values()])
        for place, heard in zip(fresh.values(), stored, strict=True):
            fates[place] = _Fate(chunk[place], told[place], heard)
        if ages:
            heard_here = [fate.heard for fate in fates if fate is not None and fate.heard is not None]
            aged_messages.mark(connection, [each.message for each in heard_here if each.message and not each.is_gone])
        return [fate for fate in fates if fate is not None]

    def _follow(self, fates: Sequence[_Fate], *, wakes_recall: bool) -> None:
        """After the commit: the index in memory follows, the workers have something to do."""
        new = [(fate.told, fate.heard, fate.line.message) for fate in fates if fate.heard and not fate.heard.duplicate]
        searched = [each for each in new if each[2].role in message_log.SEARCHABLE]

        def index(held: SearchIndex) -> None:
            for told, heard, message in searched:
                index_message(held, heard, message, np.frombuffer(told.new.terms, dtype=np.uint32))

        if searched:
            self._memory.follow(index, waits=True)
            self._wake("embed")
            self._wake("index")
        for _, heard, message in new:
            if message.role is Role.USER:
                self._memory.speakers.heard(heard.conversation, message.speaker)
        if new:
            self._wake("summary")
            if wakes_recall:
                self._wake("recall")

    async def _end_sessions(self, names: set[str]) -> int:
        """End the epochs of these conversations whose last message lies as far back as a silence that ends one."""
        now = self._world.clock.now_ms()
        silence_ms = self._silence_ms()
        database = self._memory.database

        def run(connection: Connection) -> int:
            scenes = self._ingest.scenes
            scenes.resume(connection, database.withdrawn)
            intake = Intake(connection, sorted(names), scenes)
            ended = 0
            for name in sorted(names):
                scene = scenes.known.get(name)
                if scene is not None and scene.before_at is not None and now - scene.before_at > silence_ms:
                    ended += end_session(connection, intake, scene, now) is not None
            intake.write()
            scenes.hold(connection, database.withdrawn)
            return ended

        def after(ended: int) -> None:
            if ended:
                self._wake("summary")
                self._wake("embed")

        return await database.write("message.import", run, after=after)


def _named(message: IncomingMessage) -> IncomingMessage:
    """A message with an id: without one of its own it is known by all that it says, so that twice is once."""
    if message.id is not None:
        return message
    known_by = (message.conversation, str(message.role), message.speaker, str(message.at), message.content)
    return replace(message, id=f"i{row_hash(*known_by)[:_NAMED_BYTES].hex()}")


def _repeated_within(first: Told, again: Told) -> StoredMessage:
    """What becomes of a message whose id stood before it in the same chunk.

    Raises SoulmemError: `idempotency_conflict`.
    """
    if first.new.request_hash != again.new.request_hash:
        raise SoulmemError(
            ErrorName.IDEMPOTENCY_CONFLICT,
            f"the message id {(again.new.client_id or '')[:80]!r} was used for another message before it",
            hint="give each message its own id",
        )
    return StoredMessage(0, again.new.client_id or "", 0, True, None)


def _marked(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, with those told that stand behind one which was said later."""
    latest: int | None = None
    for line in lines:
        if latest is not None and line.message.at < latest:
            yield replace(line, is_moved=True)
        else:
            latest = line.message.at
            yield line


def _chunks(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """The lines in order, in pieces that one transaction takes."""
    first = chars = 0
    for place, line in enumerate(lines):
        size = len(line.message.content)
        if place > first and (place - first >= _CHUNK or chars + size > _CHUNK_CHARS):
            yield lines[first:place]
            first, chars = place, 0
        chars += size
    if first < len(lines):
        yield lines[first:]


def _summed(fates: Sequence[_Fate]) -> Imported:
    done = Imported()
    for fate in fates:
        index, heard = fate.line.index, fate.heard
        if heard is None:
            assert fate.error is not None
            done.refused.append((index, fate.line.message.id, fate.error))
        elif heard.is_gone:
            done.deleted.append(index)
        elif heard.duplicate:
            done.duplicates.append(index)
        else:
            done.stored += 1
            done.reordered += fate.line.is_moved
            done.late += heard.is_late
            done.sessions += heard.ended_epoch is not None
    return done
