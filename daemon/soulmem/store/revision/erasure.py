"""Erasure: what is deleted for good is taken out of every table, and the file is gone over afterwards.

Owns `erasure`, the list of deletions whose bytes may still stand in the write-ahead log or in the word indexes. Called
in the transaction that deletes a message or purges a note; what is left for afterwards is
`working/ingest/erasure_worker`'s. With a message go its earlier wordings, the corrections that repeat it, the notes
that rest on it alone, the summaries that cover it, what was recalled because of it, what links learnt of it, what
engines refused or answered, and the answers under idempotency keys. Invariant: after the transaction no row of any
table holds words that only the message had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

import numpy as np

from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.text.repetition import Telling, telling
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state import window_state
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.graph import link_memory
from soulmem.store.graph.link_memory import LinkMemory
from soulmem.store.index import fts, vectors
from soulmem.store.journal import call_ledger, digestion_jobs
from soulmem.store.messages import amendments, message_log, rolling_summaries
from soulmem.store.messages.message_log import GONE, SEARCHABLE, Message
from soulmem.store.notes import note_rows
from soulmem.store.revision import note_merging, note_withdrawal, purge_log, reflection_withdrawal
from soulmem.store.revision.note_withdrawal import TakenBack
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, listed, public_id

MOST_REPEATS = 50  # of messages, and of notes
_MOST_LOOKED_AT = 100_000


@dataclass(slots=True)
class Erased:
    """What a deletion took along: messages, corrections of them included; recalls whose question is gone; notes."""

    messages: list[Message] = field(default_factory=list)
    notes: TakenBack = field(default_factory=TakenBack)
    recalls: set[int] = field(default_factory=set)
    memories: list[LinkMemory] = field(default_factory=list)
    summaries: set[tuple[int, int]] = field(default_factory=set)
    waiting: list[int] = field(default_factory=list)


def erase_message(connection: Connection, message: Message, *, now: int, now_exp: int, purge_at: int) -> Erased:
    """Leave nothing of a message but its place, its id and that it was deleted."""
    wordings = [*message_log.former_words(connection, message.id), message.content]
    erased = Erased()
    for each in [message, *_corrections(connection, message, wordings)]:
        resting = note_withdrawal.resting_on(connection, each.id)
        erased.notes.parted += note_merging.part(connection, resting, now=now, now_exp=now_exp)
        _erase_one(connection, each, wordings, erased, now=now, purge_at=purge_at)
    traces = telling(wordings)
    _erase_questions(connection, message, traces, erased)
    _erase_lessons(connection, traces, erased, now_exp)
    _erase_refusals(connection, erased.messages, traces)
    _erase_endings(connection, traces)
    _erase_answers(connection, [each.client_id for each in erased.messages], erased.notes.gone)
    erased.waiting = amendments.demand(connection, sorted(erased.notes.sources), now)
    dropped = note_withdrawal.drop_empty(connection, now)  # nothing will ever be made of what is left to them
    erased.notes.hidden = [note for note in erased.notes.hidden if note not in dropped]
    erased.notes.purged += dropped
    mark(connection, now)
    return erased


def erase_note(connection: Connection, note: note_rows.Note, *, now: int, now_exp: int) -> TakenBack:
    """Leave nothing of a note; what it was made of is not made into notes again.

    A message of another epoch only lent it a day, and is left as it was. Of a reflection what it rests on is left too.
    What went into the note goes with it; from one that it went into it is taken out first.
    """
    held = note_merging.held_by(connection, note.id)
    parted = note_merging.part(connection, [note.id], now=now, now_exp=now_exp)
    note = note_rows.get(connection, note.id)
    if note.kind is NoteKind.REFLECTION:
        reflection_withdrawal.not_again(connection, note.id)
    said_ever, rested = (
        note_withdrawal.wordings_of(connection, note),
        reflection_withdrawal.cited(connection, [note.id]),
    )
    sources = [source.message for source in note_rows.sources_of(connection, [note.id])[note.id]]
    said = message_log.get_many(connection, sources)
    if note.epoch is not None:
        sources = [each for each in sources if each not in said or said[each].epoch == note.epoch]
    amendments.seal(connection, sources, sealed=True)
    for message in message_log.get_many(connection, sources).values():
        amendments.touch(connection, message.conversation, message.epoch)
    taken = TakenBack(purged=[note.id], sources=set(sources))
    taken.count(connection, note)
    note_withdrawal.purge(connection, note, purge_log.Why.CLIENT, now)
    reflection_withdrawal.take_along(connection, rested, taken, said_ever, now=now)
    connection.execute("DELETE FROM refusal WHERE text = ? OR quote = ?", (note.text, note.text))
    _erase_answers(connection, [], [note.id])
    mark(connection, now)
    for each in note_rows.get_many(connection, held).values():
        taken.texts += note_withdrawal.wordings_of(connection, each)
        taken.add(erase_note(connection, each, now=now, now_exp=now_exp))
    taken.parted += parted
    return taken


def repeats(connection: Connection, traces: Telling, scope: Scope = WHOLE) -> list[tuple[str, str, str]]:
    """What says what a deleted message said: (message or note, conversation or "", id), bounded.

    Of that only what may be known where it was deleted. What holds a number or a code of it stands in front of what is
    merely worded alike, the latest of each first.
    """
    clause, values = scope.items("message", "m.id")
    said = connection.execute(
        "SELECT 'message', c.name, m.client_id, m.content FROM message m JOIN conversation c ON c.id = m.conversation "
        f"WHERE m.deleted = 0 AND {clause} ORDER BY m.id DESC LIMIT ?",
        (*values, _MOST_LOOKED_AT),
    )
    clause, values = scope.notes("n")
    noted = connection.execute(
        "SELECT 'note', '', n.id, n.text FROM note n WHERE lifecycle <> 'forgotten' "
        f"AND {clause} ORDER BY n.id DESC LIMIT ?",
        (*values, _MOST_LOOKED_AT),
    )
    named = ((kind, home, public_id("n", number), text) for kind, home, number, text in noted)
    return [row[:3] for rows in (said, named) for row in _repeating(rows, traces)]


def _repeating(rows: Iterable[tuple[str, str, str, str]], traces: Telling) -> list[tuple[str, str, str, str]]:
    naming: list[tuple[str, str, str, str]] = []
    alike: list[tuple[str, str, str, str]] = []
    for row in rows:
        if len(naming) < MOST_REPEATS and traces.names(row[3]):
            naming.append(row)
        elif len(alike) < MOST_REPEATS and traces.is_repeated_in(row[3]):
            alike.append(row)
        if len(naming) == MOST_REPEATS:
            break
    return [*naming, *alike][:MOST_REPEATS]


def _erase_one(
    connection: Connection, message: Message, wordings: Sequence[str], erased: Erased, *, now: int, purge_at: int
) -> None:
    surroundings = message_log.beside(connection, message.id) if message.role in SEARCHABLE else []
    if message.role in SEARCHABLE and not window_state.shelved(connection, [message.id]):
        if not message.deleted:
            fts.remove(connection, "message", message.id, message.content)
        vectors.remove(connection, "message", message.id)
    rested = reflection_withdrawal.cited(connection, note_withdrawal.resting_on(connection, message.id))
    taken = note_withdrawal.after_deletion(connection, message.id, wordings, now=now, purge_at=purge_at)
    reflection_withdrawal.take_along(connection, rested, taken, [*wordings, *taken.texts], now=now)
    erased.notes.add(taken)
    connection.execute("DELETE FROM rederive WHERE message = ?", (message.id,))
    connection.execute("DELETE FROM message_version WHERE message = ?", (message.id,))
    connection.execute(
        "UPDATE message SET content = '', tokens = 0, terms = x'', mood = NULL, request_hash = x'', deleted = ?, "
        "version = version + 1, hash = ? WHERE id = ?",
        (
            GONE,
            message_log.content_hash(message.conversation, message.seq, message.role, message.speaker, "", message.at),
            message.id,
        ),
    )
    vectors.remove_surroundings(connection, surroundings)
    connection.execute("DELETE FROM recall_hit WHERE kind = 'message' AND item = ?", (message.id,))
    amendments.touch(connection, message.conversation, message.epoch)
    if message.pos is not None and rolling_summaries.rewind(
        connection, message.conversation, message.epoch, message.pos
    ):
        erased.summaries.add((message.conversation, message.epoch))
    for table in ("job", "summary_job"):
        connection.execute(
            f"UPDATE {table} SET error = NULL WHERE conversation = ? AND epoch = ?",
            (message.conversation, message.epoch),
        )
    purge_log.record(connection, "message", [message.role.value], purge_log.Why.CLIENT, now)
    erased.messages.append(message_log.get_many(connection, [message.id])[message.id])


def _corrections(connection: Connection, message: Message, wordings: Iterable[str]) -> list[Message]:
    """The corrections that were told of a message when it was changed before: they repeat what it said."""
    shown = [wording[:300] for wording in wordings if wording.strip()]
    rows = connection.execute(
        "SELECT id, content FROM message WHERE conversation = ? AND role = 'correction' AND deleted = 0",
        (message.conversation,),
    ).fetchall()
    found = [number for number, content in rows if any(wording in content for wording in shown)]
    return list(message_log.get_many(connection, found).values())


def _erase_questions(connection: Connection, message: Message, traces: Telling, erased: Erased) -> None:
    asked = connection.execute("SELECT id FROM recall WHERE message = ?", (message.id,)).fetchall()
    connection.execute("UPDATE recall SET state = 'done' WHERE message = ? AND state = 'pending'", (message.id,))
    settled = connection.execute("SELECT id, query FROM recall WHERE state <> 'pending' AND query <> ''")
    erased.recalls = {row[0] for row in asked} | set(_made_of(settled, traces))
    connection.execute(f"UPDATE recall SET query = '' WHERE id {AMONG}", (listed(erased.recalls),))
    connection.execute(f"DELETE FROM recall_trail WHERE recall {AMONG}", (listed(erased.recalls),))


def _erase_lessons(connection: Connection, traces: Telling, erased: Erased, now_exp: int) -> None:
    """Links forget what they learnt of it; from the lessons that are left they learn anew (`link_memory.relearn`)."""
    rows = connection.execute("SELECT id, text FROM link_memory_log")
    lessons = listed(_made_of(rows, traces))
    owners = connection.execute(
        f"DELETE FROM link_memory_log WHERE id {AMONG} RETURNING link, backward", (lessons,)
    ).fetchall()
    for link, backward in dict.fromkeys(owners):
        held = connection.execute(
            "DELETE FROM link_memory WHERE link = ? AND backward = ? RETURNING vector", (link, backward)
        ).fetchall()
        connection.execute(
            "UPDATE link_memory_log SET fingerprint = '' WHERE link = ? AND backward = ?", (link, backward)
        )
        if held and (vector := link_memory.unpacked(held[0][0])) is not None:
            erased.memories.append(LinkMemory(link, bool(backward), np.zeros_like(vector), now_exp))


def _erase_refusals(connection: Connection, gone: Sequence[Message], traces: Telling) -> None:
    """A line of the audit of any conversation may quote it: what was known is quoted where it was compared."""
    connection.execute(f"DELETE FROM refusal WHERE message {AMONG}", (listed(each.id for each in gone),))
    for part in ("text", "quote", "detail"):
        rows = connection.execute(f"SELECT id, {part} FROM refusal WHERE {part} <> ''")
        connection.execute(f"DELETE FROM refusal WHERE id {AMONG}", (listed(_made_of(rows, traces)),))


def _erase_endings(connection: Connection, traces: Telling) -> None:
    """What is over stays over, but the words of it go."""
    rows = connection.execute("SELECT note, said FROM ending WHERE said <> ''").fetchall()
    ended = listed({note for note, said in rows if traces.is_source_of(said)})
    connection.execute(f"UPDATE ending SET said = '' WHERE note {AMONG}", (ended,))


def _erase_answers(connection: Connection, names: Sequence[str], gone: Sequence[int]) -> None:
    """What engines answered, and what was answered to clients with these messages and notes in it."""
    call_ledger.erase(connection)
    for name in names:
        digestion_jobs.drop_results(connection, "message", "message", name)
    for note in gone:
        digestion_jobs.drop_results(connection, "note", "note", public_id("n", note))


def _made_of(rows: Iterable[tuple[int, str]], traces: Telling) -> Iterator[int]:
    return (number for number, text in rows if traces.is_source_of(text))


def mark(connection: Connection, now: int) -> None:
    """Something was deleted for good: the file is to be gone over."""
    connection.execute("INSERT INTO erasure (at) VALUES (?)", (now,))


def marked(connection: Connection) -> int | None:
    """The number of the last deletion after which the file was not gone over yet; None if it was."""
    row = connection.execute("SELECT max(id) FROM erasure").fetchone()
    return row[0] if row else None


def unmark(connection: Connection, through: int) -> None:
    connection.execute("DELETE FROM erasure WHERE id <= ?", (through,))
