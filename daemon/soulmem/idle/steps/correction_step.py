"""Correction step: what was said by mistake is told anew as it should have been.

The beginning of the step `reconcile`. For each message of an epoch that corrects one of its speaker's last messages
(`core.facts.spoken_corrections`), a note that tells the whole statement takes the place of the fragment: it rests on
both messages. What the wrong one became counts no more, and stays in the history. A correction of a correction mends
what the first one made. One transaction for each; run again, it finds what it did and does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import field
from functools import partial
from typing import Protocol

import anyio.to_thread

from soulmem.core.changes.supersession import Effect, findings
from soulmem.core.dates.date_parser import find_dates, render_day, resolve_dates
from soulmem.core.details.elements import born, fitting
from soulmem.core.facts.corrected_statements import LOOKED_BACK, Correction, corrected
from soulmem.core.facts.fact_reader import readings_of
from soulmem.core.facts.spoken_corrections import correction_of
from soulmem.core.facts.validity_intervals import CORRECT
from soulmem.core.importance.retention_periods import VITAL_FROM, Keeping
from soulmem.core.schema.note_requests import ElementDraft, NoteKind, Role
from soulmem.core.text.tokens import wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import World
from soulmem.store.conversation_state.window_state import EpochRow
from soulmem.store.graph import link_rows
from soulmem.store.messages import message_log
from soulmem.store.messages.message_log import Message
from soulmem.store.notes import element_rows, note_index_rows, note_rows, note_validity, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.notes.note_validity import NewEnding
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id

_LONGEST = 400  # characters of a message in which a mistake is looked for
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|(?<=\d)\.(?=\d))+[.!?。！？]*")  # 6.40 is one number


class Details(Protocol):
    """What fades of a text by itself."""

    @property
    def elements(self) -> tuple[ElementDraft, ...]: ...

    @property
    def arousal(self) -> float: ...


DetailsOf = Callable[[str, int], Awaitable[Details]]


@dataclass(slots=True)
class Mended:
    """`corrects`: which notes a note puts right, where that is told in full and is left to comparing."""

    count: int = 0
    corrects: dict[int, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Mend:
    """The statement `wrong` of message `of` is to be `right`, for message `by` says so."""

    of: Message
    by: Message
    wrong: str
    right: str
    in_passing: bool = False
    counts: bool = False

    @property
    def stands(self) -> bool:
        """Whether what puts it right is true by itself: a mere "the 11th" may have been read as one of this month."""
        if self.counts:
            return True
        days = {span.from_ms for span in find_dates(self.by.content, self.by.at)}
        return self.in_passing and (not days or any(s.from_ms in days for s in find_dates(self.right, self.of.at)))


async def mend(memory: OpenMind, world: World, epoch: EpochRow, details_of: DetailsOf) -> Mended:
    """Put right what was said by mistake in an epoch."""
    said = await memory.database.read(_said, epoch)
    found, full = await anyio.to_thread.run_sync(_found, said)
    mended = Mended()
    for each in found:
        text, at = _worded(each)
        details = await details_of(text, at)
        store = partial(_store, each=each, text=text, at=at, details=details, epoch=epoch, memory=memory, world=world)
        changed = await memory.database.write("correct", store, after=partial(_follow, memory, world))
        mended.count += changed is not None
    if full:
        mended.corrects = await memory.database.read(_made_of, full)
    return mended


def _said(connection: Connection, epoch: EpochRow) -> list[Message]:
    """What was said in an epoch, and just before it."""
    said = [
        each
        for each in message_log.of_epoch(connection, epoch.conversation, epoch.epoch)
        if each.content and not each.deleted and each.role == Role.USER.value
    ]
    if not said:
        return []
    corrections = [found for each in said if (found := correction_of(each.content)) is not None]
    reach = max((each.reach for each in corrections), default=LOOKED_BACK)
    before = message_log.before(connection, epoch.conversation, said[0].seq, 2 * reach)
    return [m for m in before if m.content and not m.deleted and m.role == Role.USER.value] + said


def _found(said: Sequence[Message]) -> tuple[list[_Mend], list[tuple[int, int]]]:
    """What corrects what: with the words that were wrong, and (by, of) where the correction tells all of it itself."""
    mends: list[_Mend] = []
    full: list[tuple[int, int]] = []
    now_said: dict[int, tuple[Message, str]] = {}  # what a message that was itself a correction came to
    for place, message in enumerate(said):
        correction = correction_of(message.content)
        if correction is None:
            continue
        earlier = [each for each in reversed(said[:place]) if each.speaker == message.speaker][: correction.reach]
        if _tells_all(message, earlier, full):
            continue
        for before in earlier:
            of, text = now_said.get(before.id, (before, before.content))
            mend = _mended(of, text, message, correction)
            if mend is not None:
                mends.append(mend)
                now_said[message.id] = (message, mend.right)
                break
    return mends, full


def _tells_all(message: Message, earlier: Sequence[Message], full: list[tuple[int, int]]) -> bool:
    """Whether a correction says the whole statement anew."""
    read = readings_of(message.content, message.speaker)
    for before in earlier if read else ():
        over = findings(read, readings_of(before.content, before.speaker))
        if any(each.effect is Effect.SUPERSEDE for each in over):
            full.append((message.id, before.id))
            return True
    return False


def _mended(of: Message, text: str, by: Message, correction: Correction) -> _Mend | None:
    if len(text) > _LONGEST:
        return None
    for match in reversed(list(_SENTENCE.finditer(text))):
        sentence = match[0].strip()
        right = corrected(sentence, correction, of.at) if sentence else None
        if right is not None and right != sentence:
            return _Mend(of, by, sentence, right, correction.in_passing, correction.counts)
    return None


def _worded(each: _Mend) -> tuple[str, int]:
    """The statement as a note: who says it, with its days resolved; and when it is of."""
    told = each.of.at
    dates = find_dates(each.right, told)
    body = resolve_dates(each.right, told)
    chinese = wording_language(body) == "zh"
    name = each.by.speaker.strip()
    name = ("用户" if chinese else "User") if name.lower() in {"", "user", "self", "human"} else name
    day = "" if dates else (f"（{render_day(told, 'zh')}）" if chinese else f" ({render_day(told, 'en')})")
    at = dates[-1].from_ms if dates else told
    return (f"{name}{day}：{body}" if chinese else f"{name}{day}: {body}"), at


def _store(
    connection: Connection, *, each: _Mend, text: str, at: int, details: Details, epoch: EpochRow, memory: OpenMind,
    world: World,
) -> tuple[Note, list[int]] | None:  # fmt: skip
    """Write the statement down as it should have been; None where that was done before, or is said no more."""
    if any(_tells_anew(connection, note, each.by.id) for note in _resting_on(connection, each.of.id)) or not _are_said(
        connection, (each.of, each.by)
    ):
        return None
    now, now_exp = world.clock.now_ms(), memory.now(world.clock.trusted_now_ms())
    wrong = [
        note
        for note in _resting_on(connection, each.of.id)
        if each.wrong[:-1] in _quoted(connection, note, each.of.id) or _tells_anew(connection, note, each.of.id)
    ]
    fragments = [note for note in _resting_on(connection, each.by.id) if note not in wrong and not each.stands]
    olds = note_rows.get_many(connection, wrong)
    # What somebody took the trouble to put right matters to them.
    importance = max((note.importance for note in olds.values()), default=VITAL_FROM)
    importance = max(importance, VITAL_FROM)
    drafts = fitting(text, NoteKind.EPISODIC, details.elements).elements
    made = note_writes.insert(
        connection,
        NewNote(
            kind=NoteKind.EPISODIC, text=text, at=at, created_at=now, created_exp=now_exp, speaker=each.by.speaker,
            importance=importance, tags=_tags(olds.values()), entities=_entities(olds.values()),
            conversation=epoch.conversation, epoch=epoch.epoch,
            sources=((each.of.id, each.wrong), (each.by.id, each.by.content[:_LONGEST])),
            elements=born(
                drafts, now_exp, element_rows.fading(connection), importance=importance, arousal=details.arousal,
                keeping=Keeping(NoteKind.EPISODIC, ((0, len(text)),)),
            ),
        ),
    )  # fmt: skip
    note_validity.tell_anew(connection, made, each.wrong, now)
    link_rows.carry(connection, wrong, made, now)
    for note in (*wrong, *fragments):
        quoted, wrong_words = _quoted(connection, note, each.of.id), each.wrong[:-1]
        beside = quoted.replace(wrong_words, "") if wrong_words in quoted else ""  # a note made anew tells nothing else
        # What was told beside the mistake still holds; what only says what was wrong is said by the new note.
        whole = not any(char.isalnum() for char in beside) if note in wrong else not each.in_passing
        note_validity.end(connection, NewEnding(note, made, CORRECT, None, said=each.wrong, whole=whole), now)
        detail = {"by": public_id("n", made)}
        note_writes.record(connection, now, "note_corrected", note, detail)
    return note_rows.get(connection, made), [*wrong, *fragments]


def _follow(memory: OpenMind, world: World, made: tuple[Note, list[int]] | None) -> None:
    if made is None:
        return
    note, wrong = made
    memory.follow(lambda index: note_index_rows.put(index, [note]))
    world.emit("note_created", mind=memory.name, count=1, origin="correction")
    if wrong:
        world.emit("note_superseded", mind=memory.name, count=len(wrong), change=CORRECT)


def _are_said(connection: Connection, read: Sequence[Message]) -> bool:
    """Whether messages say what was read of them: somebody may have changed or deleted one meanwhile."""
    now = message_log.get_many(connection, [each.id for each in read])
    return all(each.id in now and now[each.id].version == each.version for each in read)


def _tells_anew(connection: Connection, note: int, by: int) -> bool:
    """Whether a note was made of a correction, by that message."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM ending e JOIN note_source s ON s.note = e.note "
        "WHERE e.note = ? AND e.by = e.note AND s.message = ? AND s.position = 1)",
        (note, by),
    ).fetchone()
    return bool(row[0])


def _resting_on(connection: Connection, message: int) -> list[int]:
    rows = connection.execute(
        "SELECT DISTINCT s.note FROM note_source s JOIN note n ON n.id = s.note "
        "WHERE s.message = ? AND n.lifecycle <> 'forgotten' ORDER BY s.note",
        (message,),
    )
    return [row[0] for row in rows]


def _quoted(connection: Connection, note: int, message: int) -> str:
    """The words of a message that a note rests on; all of them where it names none."""
    rows = connection.execute(
        "SELECT coalesce(s.quote, m.content) FROM note_source s JOIN message m ON m.id = s.message "
        "WHERE s.note = ? AND s.message = ?",
        (note, message),
    )
    return " ".join(row[0] for row in rows)


def _made_of(connection: Connection, full: Sequence[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """For each note of a message that corrects another: the notes of that other."""
    found: dict[int, frozenset[int]] = {}
    for by, of in full:
        wrong = frozenset(_resting_on(connection, of))
        for note in _resting_on(connection, by):
            found[note] = found.get(note, frozenset()) | (wrong - {note})
    return found


def _tags(olds: Iterable[Note]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for note in olds for tag in note.tags))


def _entities(olds: Iterable[Note]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for note in olds for name in note.entities))
