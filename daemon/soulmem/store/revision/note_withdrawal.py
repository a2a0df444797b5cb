"""Note withdrawal: notes that rest on what was changed or deleted are taken back, and come back saying what is so now.

Called in the transaction that changes a message (`working/ingest/message_edits`, `erasure`) and in the one that stores
what was made anew (`idle/steps/rederive_step`). A note that was taken back is hidden behind a tombstone of its own
kind: nobody recalls, lists or restores it, its history is its owner's. What rests on deleted words loses all it said:
of a note that rests on other messages too only an empty one stays, with its links, to be filled from those. Invariant:
a note that stands rests on sentences that are said as they were.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from soulmem.core.decay.traces import Trace
from soulmem.core.schema.blind_ids import Sentence
from soulmem.core.text import tokens
from soulmem.core.text.repetition import content, is_carried, still_stands
from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_rows
from soulmem.store.index import embedding_backlog, fts, vectors
from soulmem.store.messages import message_log
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import (
    element_rows,
    masked_indexing,
    merge_queue,
    note_rows,
    note_validity,
    note_writes,
    replay_queue,
)
from soulmem.store.notes.note_rows import Note, Source
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.revision import purge_log
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed, public_id

REASON = "withdrawn"
_LINKS = "note_withdrawn"


@dataclass(slots=True)
class TakenBack:
    """What became of notes: hidden ones, purged ones, those that lost a source; and the messages to read again."""

    hidden: list[int] = field(default_factory=list)
    purged: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    sources: set[int] = field(default_factory=set)
    lived: set[int] = field(default_factory=set)  # those of the hidden and purged ones that had not been forgotten
    links: int = 0  # that lived, and went with them
    texts: list[str] = field(default_factory=list)  # what notes ever said that rested on what was deleted
    parted: list[tuple[int, int]] = field(default_factory=list)  # (what came out of a note, that note)

    def add(self, more: TakenBack) -> None:
        self.lived |= more.lived
        self.links += more.links
        self.texts += more.texts
        self.hidden += more.hidden
        self.purged += more.purged
        self.kept += more.kept
        self.sources |= more.sources
        self.parted += more.parted

    def count(self, connection: Connection, note: Note) -> None:
        """Enter what goes with a note that is about to go."""
        if note.lifecycle != note_rows.FORGOTTEN:
            self.lived.add(note.id)
            self.links += len(link_rows.of_notes(connection, [note.id]))

    @property
    def gone(self) -> list[int]:
        """The notes that nobody finds any more."""
        return [*self.hidden, *self.purged]


def resting_on(connection: Connection, message: int) -> list[int]:
    """The notes that were made of a message, forgotten ones included."""
    rows = connection.execute("SELECT DISTINCT note FROM note_source WHERE message = ? ORDER BY note", (message,))
    return [row[0] for row in rows]


def shown(connection: Connection, note: int, scope: Scope = WHOLE) -> Note:
    """A note as `note_rows.get`; one that was taken back is as if it were not there.

    Raises SoulmemError: `not_found`.
    """
    found = note_rows.get(connection, note, scope)
    if note_rows.withdrawn(connection, [note]):
        raise SoulmemError(
            ErrorName.NOT_FOUND,
            Sentence(public_id("n", note), " was taken back: what it was made of was corrected or deleted"),
            hint="note.history tells what it said, if that was not deleted",
        )
    return found


def after_change(connection: Connection, before: Message, after: str, *, now: int, purge_at: int) -> TakenBack:
    """Take back what rests on words of a message that are not said any more.

    A note by hand, which nobody can make anew, is taken back only if it says something that the message no longer does.
    """
    done = TakenBack()
    removed = content(before.content) - content(after)
    for note in note_rows.get_many(connection, resting_on(connection, before.id)).values():
        sources = note_rows.sources_of(connection, [note.id])[note.id]
        quotes = [source.quote for source in sources if source.message == before.id]
        if all(quote is not None and still_stands(quote, before.content, after) for quote in quotes):
            done.kept.append(note.id)
        elif _is_said_elsewhere(connection, note, sources, before):
            replace_sources(connection, note.id, [(s.message, s.quote) for s in sources if s.message != before.id])
            done.kept.append(note.id)
        elif note.epoch is None and removed.isdisjoint(
            content(" ".join((note.text, *note.entities, *_beside(note), *_gists(connection, note))))
        ):
            connection.execute(
                "UPDATE note_source SET quote = NULL WHERE note = ? AND message = ?", (note.id, before.id)
            )
            done.kept.append(note.id)
        else:
            done.count(connection, note)
            _hide(connection, note, now, purge_at)
            done.hidden.append(note.id)
            done.sources |= {source.message for source in sources}
    return done


def after_deletion(
    connection: Connection, message: int, wordings: Sequence[str], *, now: int, purge_at: int
) -> TakenBack:
    """Let nothing be left of a deleted message in any note; `wordings`: all that it ever said."""
    done = TakenBack()
    found = note_rows.get_many(connection, resting_on(connection, message))
    for note in found.values():
        done.texts += wordings_of(connection, note)
        others = _without(connection, note.id, message)
        if not others or note.lifecycle == note_rows.FORGOTTEN:
            done.count(connection, note)
            purge(connection, note, purge_log.Why.SOURCE, now)
            done.purged.append(note.id)
            continue
        said = list(message_log.get_many(connection, others).values())
        connection.execute("DELETE FROM note_version WHERE note = ?", (note.id,))
        if _is_carried(connection, note, said, wordings):
            done.kept.append(note.id)
            continue
        done.count(connection, note)
        _empty(connection, note, now, purge_at)
        done.hidden.append(note.id)
        done.sources |= set(others)
    done.sources.discard(message)
    return done


def wordings_of(connection: Connection, note: Note) -> list[str]:
    """All that a note ever said: what is looked for when it is gone."""
    former = connection.execute("SELECT body FROM note_version WHERE note = ?", (note.id,))
    return [note.text, *(row[0] for row in former)]


def _is_said_elsewhere(connection: Connection, note: Note, sources: Sequence[Source], before: Message) -> bool:
    """Whether a note stands without a message, because the others that it rests on say all of it."""
    others = [source.message for source in sources if source.message != before.id]
    said = list(message_log.get_many(connection, others).values())
    return bool(others) and _is_carried(connection, note, said, [before.content])


def _is_carried(connection: Connection, note: Note, said: Sequence[Message], gone: Sequence[str]) -> bool:
    """Whether a note says nothing that these messages do not say; what is told beside it, nothing that is gone."""
    others = [each.content for each in said]
    vague = content(" ".join((*_beside(note), *_gists(connection, note)))) & content(" ".join(gone))
    return vague <= content(" ".join(others)) and is_carried(
        [note.text, *note.entities], others, (each.speaker for each in said)
    )


def purge(connection: Connection, note: Note, why: purge_log.Why, now: int) -> None:
    """Remove a note for good, whatever it is: only its kind and the time stay; what it ended holds again."""
    _reinstate(connection, note.id, now)
    note_writes.purge(connection, note.id)
    purge_log.record(connection, "note", [note.kind.value], why, now)
    _forget_made(connection, note.id)


def _reinstate(connection: Connection, note: int, now: int) -> None:
    """What a note ended holds again: nobody says any more that it does not."""
    for held in note_validity.withdraw(connection, note):
        if held != note:
            note_writes.record(connection, now, "note_reinstated", held, {})


def _without(connection: Connection, note: int, message: int) -> list[int]:
    """Let a note rest on its other messages; which these are."""
    rows = connection.execute(
        "SELECT message, quote FROM note_source WHERE note = ? AND message <> ? ORDER BY position", (note, message)
    ).fetchall()
    replace_sources(connection, note, rows)
    return [row[0] for row in rows]


def replace_sources(connection: Connection, note: int, sources: Sequence[tuple[int, str | None]]) -> None:
    """Let a note rest on these (message, quote)."""
    connection.execute("DELETE FROM note_source WHERE note = ?", (note,))
    connection.executemany(
        "INSERT INTO note_source (note, position, message, quote) VALUES (?, ?, ?, ?)",
        [(note, position, *source) for position, source in enumerate(sources)],
    )


def _beside(note: Note) -> list[str]:
    """What is told of a note beside its text and its names, in the engine's own words."""
    return [*note.tags, *_strings(note.attributes)]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _gists(connection: Connection, note: Note) -> list[str]:
    return [element.gist for element in element_rows.of_notes(connection, [note.id])[note.id]]


def _hide(connection: Connection, note: Note, now: int, purge_at: int) -> None:
    """Put a note behind a tombstone of its own, its links with it; one that was forgotten gets another tombstone."""
    _reinstate(connection, note.id, now)
    connection.execute("DELETE FROM tombstone WHERE kind = 'note' AND item = ?", (note.id,))
    if not note_writes.forget(connection, note.id, reason=REASON, now=now, purge_at=purge_at):
        note_writes.bury(connection, note.id, REASON, now, purge_at)
    tied = link_rows.of_notes(connection, [note.id])
    link_rows.forget(connection, tied, reason=_LINKS, now=now, purge_at=purge_at)


def _empty(connection: Connection, note: Note, now: int, purge_at: int) -> None:
    """Hide a note and let it say nothing; what it ended holds again."""
    _hide(connection, note, now, purge_at)
    for table in ("element", "claim", "ending"):
        connection.execute(f"DELETE FROM {table} WHERE note = ?", (note.id,))
    connection.execute("UPDATE note_source SET quote = NULL WHERE note = ?", (note.id,))
    connection.execute(
        "UPDATE note SET text = '', speaker = '', tags = '[]', entities = '[]', attributes = '{}', terms = x'', "
        "shown = NULL, shown_at = NULL, shown_speaker = NULL, shown_tags = NULL, version = version + 1, hash = ? "
        "WHERE id = ?",
        (note_rows.content_hash(note.kind, "", note.at, "{}"), note.id),
    )


def _forget_made(connection: Connection, note: int) -> None:
    """A note that is gone for good was never made: what a digested epoch became is whole without
    it (`verbatim_messages`).
    """
    for job, result in connection.execute(
        "SELECT id, result FROM job WHERE step IN ('split', 'rederive') AND instr(result, ?)", (str(note),)
    ).fetchall():
        made = json.loads(result)
        if note in made.get("notes", ()):
            made["notes"] = [each for each in made["notes"] if each != note]
            connection.execute("UPDATE job SET result = ? WHERE id = ?", (dump_json(made), job))


def taken_back(connection: Connection, said: Sequence[int]) -> list[Note]:
    """The notes that were taken back and rest on these messages."""
    return _resting(connection, said, f"n.lifecycle = 'forgotten' AND {note_rows.WITHDRAWN}")


def told_already(connection: Connection, said: Sequence[int]) -> list[Note]:
    """The notes that rest on these messages and were not taken back, forgotten ones included."""
    return _resting(connection, said, f"NOT {note_rows.WITHDRAWN}")


def _resting(connection: Connection, said: Sequence[int], condition: str) -> list[Note]:
    rows = connection.execute(
        "SELECT DISTINCT n.id FROM note n JOIN note_source s ON s.note = n.id "
        f"WHERE s.message {AMONG} AND {condition} ORDER BY n.id",
        (listed(said),),
    ).fetchall()
    return list(note_rows.get_many(connection, [row[0] for row in rows]).values())


def come_back(
    connection: Connection, before: Note, new: NewNote, *, now: int, now_exp: int, due_delete: Callable[[Trace], int]
) -> int:
    """Let a note that was taken back say what is so now; what it said stays in its history.

    Returns how many links it has back.
    """
    if before.text:
        note_writes.keep_version(connection, before, "corrected", now)
    attributes, words = dump_json(new.attributes), tokens.segment(new.text)
    connection.execute("DELETE FROM tombstone WHERE kind = 'note' AND item = ?", (before.id,))
    connection.execute(
        "UPDATE note SET text = ?, at = ?, at_parts = NULL, speaker = ?, importance = ?, valence = ?, tags = ?, "
        "entities = ?, attributes = ?, lifecycle = ?, terms = ?, shown = NULL, shown_at = NULL, shown_speaker = NULL, "
        "shown_tags = NULL, fidelity = 1, rewritten_exp = NULL, version = version + 1, hash = ? WHERE id = ?",
        (
            new.text, new.at, new.speaker, new.importance, new.valence, dump_json(new.tags), dump_json(new.entities),
            attributes, new.lifecycle, tokens.term_hashes(words).tobytes(),
            note_rows.content_hash(before.kind, new.text, new.at, attributes), before.id,
        ),
    )  # fmt: skip
    replace_sources(connection, before.id, new.sources)
    note_validity.retold(connection, before.id)
    merge_queue.demand(connection, before.id, before.kind)
    replay_queue.demand(connection, before.id, before.kind, before.epoch)
    element_rows.replace_all(connection, before.id, new.elements, lasting=before.lasts)
    fts.put(connection, "note", before.id, " ".join(words))
    vectors.remove(connection, "note", before.id)
    embedding_backlog.enqueue(connection, [("note", before.id, "self")])
    masked_indexing.refresh(connection, [before.id], now_exp)
    note_writes.record(connection, now, "note_corrected", before.id, {"version": before.version + 1})
    note_validity.retold(connection, before.id)
    tied = 0
    for link in link_rows.forgotten_with(connection, before.id):
        stone = connection.execute(
            "SELECT reason FROM tombstone WHERE kind = 'link' AND item = ?", (link.id,)
        ).fetchone()
        if stone is not None and stone[0] == _LINKS:
            strength, due = link.trace.strength(now_exp), due_delete(link.trace)
            link_rows.set_trace(
                connection, link, link.trace, due_delete=due, cause="restored", before=strength, now_exp=now_exp
            )
            tied += 1
    return tied


def drop_empty(connection: Connection, now: int) -> list[int]:
    """Purge the empty notes of which nothing is still to be made; which these were."""
    rows = connection.execute(
        f"SELECT n.id FROM note n WHERE n.text = '' AND n.lifecycle = 'forgotten' AND {note_rows.WITHDRAWN} AND NOT "
        "EXISTS "
        "(SELECT 1 FROM note_source s JOIN rederive r ON r.message = s.message WHERE s.note = n.id)"
    ).fetchall()
    for note in note_rows.get_many(connection, [row[0] for row in rows]).values():
        purge(connection, note, purge_log.Why.SOURCE, now)
    return [row[0] for row in rows]
