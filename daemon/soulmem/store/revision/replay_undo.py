"""Replay undo: what a sleeping mind did in a night, kept so that the night can be taken back (algorithms.md §6.9).

Owns `replay_region`, `replay_rewrite` and `replay_refused`. Written by `idle/replay` in the transaction of each region,
read and emptied by `replay.undo`. No words of notes are kept here: what a note said stays in `note_version`, and what
that loses is lost here too; a night goes with its job. Invariants: undone, each note, link and detail is as it was, but
for what became of it meanwhile; what was taken back is not done again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import Any

from soulmem.core.decay.traces import Curve, Trace
from soulmem.core.details.elements import Element
from soulmem.core.schema.engine_tasks import OperationKind
from soulmem.core.schema.note_requests import Anchor, LinkKind
from soulmem.core.schema.note_topics import TOPICS
from soulmem.fast_dataclasses import dataclass
from soulmem.store.graph import link_rows
from soulmem.store.notes import element_rows, masked_indexing, merge_queue, note_rows, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.reflections import reflection_rows
from soulmem.store.revision import erasure, note_merging, note_rewrites
from soulmem.store.revision.note_merging import Moment
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed

_NOTE = ("importance", "valid_from")
_TOPICS = frozenset(topic.value for topic in TOPICS)


@dataclass(frozen=True, slots=True)
class Standing:
    """How the notes of a region stand: columns by note, traces by element, and the last link there is."""

    notes: dict[int, list[Any]]
    elements: dict[int, list[Any]]
    last_link: int


@dataclass(slots=True)
class Done:
    """What else became of a region.

    `endings`: pairs (ended, by); `merged`: pairs (loser, survivor); `reworded`: notes as they were, with their details;
    `retagged`: (note, its topics before, its topics now).
    """

    reflections: list[int] = field(default_factory=list)
    endings: list[tuple[int, int]] = field(default_factory=list)
    merged: list[tuple[int, int]] = field(default_factory=list)
    reworded: list[tuple[Note, tuple[Element, ...]]] = field(default_factory=list)
    retagged: list[tuple[int, list[str], list[str]]] = field(default_factory=list)


@dataclass(slots=True)
class TakenBack:
    """What a night did and was taken back. `changed`: notes that may show otherwise; `gone`: those that are no more."""

    job: int
    regions: int = 0
    links: int = 0
    concluded: int = 0
    ended: int = 0
    merged: int = 0
    rephrased: int = 0
    retagged: int = 0
    changed: set[int] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)


def standing(connection: Connection, notes: Sequence[int]) -> Standing:
    """How these notes stand now."""
    rows = connection.execute(f"SELECT id, {', '.join(_NOTE)} FROM note WHERE id {AMONG}", (listed(notes),)).fetchall()
    spans = element_rows.of_notes(connection, notes)
    last = connection.execute("SELECT coalesce(max(id), 0) FROM link").fetchone()[0]
    return Standing(
        {row[0]: list(row[1:]) for row in rows}, {each.id: _shape(each) for of in spans.values() for each in of}, last
    )


def keep(
    connection: Connection, job: int, was: Standing, made: Standing, links: Sequence[int], done: Done, now: int
) -> None:
    """Keep what was done to a region, in the transaction that did it."""
    notes = [[note, was.notes[note], row] for note, row in made.notes.items() if row != was.notes.get(note, row)]
    elements = [
        [each, was.elements[each], row] for each, row in made.elements.items() if row != was.elements.get(each, row)
    ]
    undo = {
        "notes": notes, "elements": elements, "links": links, "reflections": done.reflections,
        "endings": done.endings, "merged": done.merged, "retagged": done.retagged,
    }  # fmt: skip
    if not any(undo.values()) and not done.reworded:
        return
    region = connection.execute(
        "INSERT INTO replay_region (job, made_at, undo) VALUES (?, ?, ?) RETURNING id", (job, now, dump_json(undo))
    ).fetchone()[0]
    connection.executemany(
        "INSERT INTO replay_rewrite (note, version, region, elements, rewritten_exp) VALUES (?, ?, ?, ?, ?)",
        [
            (note.id, note.version, region, dump_json([_whole(each) for each in elements]), note.rewritten_exp)
            for note, elements in done.reworded
        ],
    )


def tied_since(connection: Connection, was: Standing) -> list[int]:
    """The links that came since."""
    return [row[0] for row in connection.execute("SELECT id FROM link WHERE id > ? ORDER BY id", (was.last_link,))]


def refused(connection: Connection, kind: OperationKind, notes: Iterable[int]) -> frozenset[tuple[int, int]]:
    """What of this kind was taken back among these notes: pairs, or (note, 0)."""
    rows = connection.execute(
        f"SELECT one, other FROM replay_refused WHERE kind = ? AND one {AMONG}", (kind.value, listed(sorted(notes)))
    )
    return frozenset((row[0], row[1]) for row in rows)


def night_of(connection: Connection, job: int | None) -> int | None:
    """The night that can be taken back: this one, or the last; None where there is nothing of it."""
    row = connection.execute(
        "SELECT max(job) FROM replay_region WHERE ? IS NULL OR job = ?", (job, job)
    ).fetchone()  # fmt: skip
    return row[0] if row else None


def undo(connection: Connection, job: int, moment: Moment) -> TakenBack:
    """Take a night back, the last region first, in one transaction."""
    back = TakenBack(job)
    rows = connection.execute(
        "SELECT id, made_at, undo FROM replay_region WHERE job = ? ORDER BY id DESC", (job,)
    ).fetchall()
    for region, made_at, told in rows:
        _undo_region(connection, region, made_at, json.loads(told), moment, back)
        back.regions += 1
    connection.execute("DELETE FROM replay_region WHERE job = ?", (job,))
    return back


def _undo_region(
    connection: Connection, region: int, made_at: int, done: dict[str, list[Any]], moment: Moment, back: TakenBack
) -> None:
    for note in _say_again(connection, region, moment):
        _refuse(connection, OperationKind.REPHRASE, note)
        back.rephrased += 1
        back.changed.add(note)
    for loser, survivor in reversed(done["merged"]):
        if note_merging.merged_into(connection, [loser]).get(loser) == survivor:
            note_merging.undo(connection, loser, moment)
            merge_queue.keep_apart(connection, loser, survivor)
            merge_queue.looked_at(connection, [loser])
            back.merged += 1
            back.changed |= {loser, survivor}
    for number in done["reflections"]:
        if number in reflection_rows.of_notes(connection, [number]):
            taken = erasure.erase_note(
                connection, note_rows.get(connection, number), now=moment.now, now_exp=moment.now_exp
            )
            back.gone |= {number, *taken.gone}
            back.concluded += 1
    for ended, by in done["endings"]:
        went = connection.execute(
            "DELETE FROM ending WHERE note = ? AND by = ? AND expired_at = ?", (ended, by, made_at)
        ).rowcount
        if went:
            note_writes.record(connection, moment.now, "note_reinstated", ended, {})
            _refuse(connection, OperationKind.CONTRADICTION, ended, by)
            back.ended += 1
            back.changed |= {ended, by}
    for link in link_rows.get_many(connection, done["links"]):
        if link.kind is LinkKind.ASSOCIATION:
            _refuse(connection, OperationKind.LINK, *sorted((link.src, link.dst)))
        link_rows.purge(connection, link.id)
        back.links += 1
    for note, before, then in done["retagged"]:
        if list_under(connection, note, then, before, moment.now, moment.now_exp):
            _refuse(connection, OperationKind.RETAG, note)
            back.retagged += 1
            back.changed.add(note)
    _put_back(connection, done["notes"], done["elements"], moment, back)


def _put_back(
    connection: Connection, notes: Sequence[Any], elements: Sequence[Any], moment: Moment, back: TakenBack
) -> None:
    """Let what is still as that night made it be as it was before."""
    for note, was, made in notes:
        now = connection.execute(f"SELECT {', '.join(_NOTE)} FROM note WHERE id = ?", (note,)).fetchone()
        for column, before, then, is_now in zip(_NOTE, was, made, now or (), strict=False):
            if is_now == then and before != then:
                connection.execute(f"UPDATE note SET {column} = ? WHERE id = ?", (before, note))
                back.changed.add(note)
    held = {each[0]: (each[1], each[2]) for each in elements}
    rows = connection.execute(f"SELECT DISTINCT note FROM element WHERE id {AMONG}", (listed(sorted(held)),))
    curve = element_rows.fading(connection).curve
    touched = [row[0] for row in rows]
    former = [
        _as(each, held[each.id][0], curve)
        for of in element_rows.of_notes(connection, touched).values()
        for each in of
        if each.id in held and _shape(each) == held[each.id][1]
    ]
    element_rows.update(connection, former, moment.now_exp)
    masked_indexing.refresh(connection, touched, moment.now_exp)
    back.changed |= set(touched)


def _say_again(connection: Connection, region: int, moment: Moment) -> Iterator[int]:
    """Let notes say again what they said; which these were."""
    rows = connection.execute(
        "SELECT note, version, elements, rewritten_exp FROM replay_rewrite WHERE region = ? ORDER BY note", (region,)
    ).fetchall()
    curve = element_rows.fading(connection).curve
    for number, version, elements, rewritten_exp in rows:
        note = note_rows.get(connection, number)
        if note.version == version + 1 and note.lifecycle != note_rows.FORGOTTEN:
            born = tuple(_read(each, curve) for each in json.loads(elements))
            note_rewrites.say_again(connection, note, version, born, rewritten_exp, moment.now, moment.now_exp)
            yield number


def list_under(
    connection: Connection, number: int, before: Sequence[str], topics: Sequence[str], now: int, now_exp: int
) -> bool:
    """Let a note be listed under these topics and no others, its other tags as they are; False if it is under others
    than `before` by now.
    """
    note = note_rows.get_many(connection, [number]).get(number)
    if note is None or note.lifecycle == note_rows.FORGOTTEN or topics_of(note.tags) != list(before):
        return False
    tags = [*topics, *(tag for tag in note.tags if tag not in _TOPICS)]
    connection.execute("UPDATE note SET tags = ? WHERE id = ?", (dump_json(tags), number))
    masked_indexing.refresh(connection, [number], now_exp)
    note_writes.record(connection, now, "note_retagged", number, {"before": list(before), "after": list(topics)})
    return True


def topics_of(tags: Sequence[str]) -> list[str]:
    """The topics under which a note is listed."""
    return [tag for tag in tags if tag in _TOPICS]


def _refuse(connection: Connection, kind: OperationKind, one: int, other: int = 0) -> None:
    connection.execute(
        "INSERT OR IGNORE INTO replay_refused (kind, one, other) VALUES (?, ?, ?)", (kind.value, one, other)
    )


def _shape(element: Element) -> list[Any]:
    trace = element.trace
    return [element.anchor.value, trace.a0, trace.t0_ms, trace.stability_ms, trace.grown_ms]


def _as(element: Element, shape: Sequence[Any], curve: Curve) -> Element:
    return replace(element, anchor=Anchor(shape[0]), trace=Trace(shape[1], shape[2], shape[3], shape[4], curve))


def _whole(element: Element) -> list[Any]:
    return [element.start, element.end, element.level, element.gist, *_shape(element)]


def _read(told: Sequence[Any], curve: Curve) -> Element:
    start, end, level, gist, anchor, strength, at_ms, stability_ms, grown_ms = told
    return Element(0, start, end, level, gist, Anchor(anchor), Trace(strength, at_ms, stability_ms, grown_ms, curve))
