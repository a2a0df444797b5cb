"""Note merging: a note that tells what another tells goes into it, and comes out of it again (algorithms.md §6.4).

Owns `merge` and the column `note.merged_into`. What goes is put behind a tombstone of its own kind and still answers by
its id; what stays keeps its words and gains what the other rested on, its links and what of it shows. Undone, each is
as it was, but for what became of it meanwhile. Called by digestion (`idle/merging/merge_step`), by `note.restore`, and
before anything that a merged note rests on is changed or deleted, so that each note follows its own messages.
Invariants: a note goes into one that lives and went into none; the texts of both stay as they were.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import Trace, placed
from soulmem.core.details.elements import Element
from soulmem.core.linking.hebbian_linking import STRENGTH_MOST
from soulmem.core.schema.note_requests import LinkKind
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import Link
from soulmem.store.notes import element_rows, masked_indexing, merge_queue, note_rows, note_writes
from soulmem.store.notes.note_rows import Note
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed, public_id

REASON = "merged"
_NOTE = ("importance", "tags", "created_at", "created_exp", "recalls", "recalled_exp", "due_check")
_LINK = ("a0", "t0", "stability", "last_growth", "due_delete", "forgotten", "hash")
_ELEMENT = ("a0", "t0", "stability", "last_growth", "due_blur", "due_blank", "due_next")


@dataclass(frozen=True, slots=True)
class Moment:
    """When it happens, wall and experienced milliseconds, and when what goes is gone for good."""

    now: int
    now_exp: int
    purge_at: int
    due_delete: Callable[[Trace], int]


def moment(tombstone_days: float, delete_below: float, now: int, now_exp: int) -> Moment:
    """The moment by the settings of a mind: how long what goes can come back, and below which strength links go."""
    return Moment(now, now_exp, now + round(tombstone_days * DAY_MS), lambda trace: trace.crossing_ms(delete_below))


def merge(connection: Connection, survivor: Note, loser: Note, moment: Moment) -> None:
    """Let a note go into another."""
    undo: dict[str, Any] = {"was": _row(connection, "note", _NOTE, survivor.id), "due": _due(connection, loser.id)}
    undo["sources"] = _gain_sources(connection, survivor.id, loser.id)
    undo["links"] = _repoint(connection, survivor.id, loser.id, moment)
    undo["elements"] = _gain_clarity(connection, survivor.id, loser.id, moment.now_exp)
    tags = dump_json(list(dict.fromkeys((*survivor.tags, *loser.tags))))
    recalled = [each for each in (survivor.recalled_exp, loser.recalled_exp) if each is not None]
    connection.execute(
        "UPDATE note SET importance = max(importance, ?), tags = ?, created_at = min(created_at, ?), "
        "created_exp = min(created_exp, ?), recalls = recalls + ?, recalled_exp = ? WHERE id = ?",
        (loser.importance, tags, loser.created_at, loser.created_exp, loser.recalls,
         max(recalled) if recalled else None, survivor.id),
    )  # fmt: skip
    undo["made"] = _row(connection, "note", _NOTE, survivor.id)
    note_writes.forget(connection, loser.id, reason=REASON, now=moment.now, purge_at=moment.purge_at)
    connection.execute("UPDATE note SET merged_into = ? WHERE id = ?", (survivor.id, loser.id))
    connection.execute(
        "INSERT INTO merge (loser, survivor, merged_at, undo) VALUES (?, ?, ?, ?)",
        (loser.id, survivor.id, moment.now, dump_json(undo)),
    )
    note_writes.record(connection, moment.now, "note_absorbed", survivor.id, {"note": public_id("n", loser.id)})
    masked_indexing.refresh(connection, [survivor.id], moment.now_exp)


def undo(connection: Connection, loser: int, moment: Moment) -> tuple[int, list[Link]] | None:
    """Let a note come out of the one it went into; which that was, and the links it has again. None: it is in none.

    What went into that one later comes out before it and goes in again, so that nothing of this note is left there.
    """
    survivor = merged_into(connection, [loser]).get(loser)
    if survivor is None:
        return None
    links: list[Link] = []
    later = []
    for other in _latest_first(connection, [survivor]):
        stone = connection.execute(
            "SELECT g.merged_at, t.purge_at FROM merge g JOIN tombstone t ON t.kind = 'note' AND t.item = g.loser "
            "WHERE g.loser = ?",
            (other,),
        ).fetchone()
        found = _take_out(connection, survivor, other, now=moment.now, now_exp=moment.now_exp)
        if other == loser:
            links = found
            break
        later.append((other, *(stone or (moment.now, moment.purge_at))))
    for other, merged_at, purge_at in reversed(later):
        then = replace(moment, now=merged_at, purge_at=purge_at)
        merge(connection, note_rows.get(connection, survivor), note_rows.get(connection, other), then)
    masked_indexing.refresh(connection, [survivor], moment.now_exp)
    return survivor, links


def part(connection: Connection, notes: Sequence[int], *, now: int, now_exp: int) -> list[tuple[int, int]]:
    """Let all that these notes have to do with merging be as before, for something of it is changed.

    Returns (who came out, of which) of each.
    """
    into = merged_into(connection, notes)
    back = []
    for loser in _latest_first(connection, sorted({*notes, *into.values()})):
        survivor = merged_into(connection, [loser])[loser]
        _take_out(connection, survivor, loser, now=now, now_exp=now_exp)
        merge_queue.demand(connection, loser, note_rows.get(connection, loser).kind)
        back.append((loser, survivor))
    masked_indexing.refresh(connection, sorted({survivor for _, survivor in back}), now_exp)
    return back


def _latest_first(connection: Connection, survivors: Sequence[int]) -> list[int]:
    """What went into these notes, the latest first."""
    rows = connection.execute(f"SELECT loser FROM merge WHERE survivor {AMONG} ORDER BY id DESC", (listed(survivors),))
    return [row[0] for row in rows]


def _take_out(connection: Connection, survivor: int, loser: int, *, now: int, now_exp: int) -> list[Link]:
    """Let the note that went in last come out; the links it has again."""
    row = connection.execute("SELECT undo FROM merge WHERE loser = ?", (loser,)).fetchone()
    before = json.loads(row[0])
    links = _put_links_back(connection, loser, before["links"])
    _lose_sources(connection, survivor, before["sources"])
    for number, was, made in before["elements"]:
        _put_back(connection, "element", _ELEMENT, number, was, made)
    _put_back(connection, "note", _NOTE, survivor, before["was"], before["made"])
    connection.execute("DELETE FROM merge WHERE loser = ?", (loser,))
    connection.execute("UPDATE note SET merged_into = NULL, due_check = ? WHERE id = ?", (before["due"], loser))
    note_writes.come_apart(connection, loser, now=now, now_exp=now_exp)
    note_writes.record(connection, now, "note_parted", survivor, {"note": public_id("n", loser)})
    return links


def merged_into(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    """Of those of these notes that went into another: into which."""
    rows = connection.execute(f"SELECT loser, survivor FROM merge WHERE loser {AMONG}", (listed(ids),))
    return {row[0]: row[1] for row in rows}


def held_by(connection: Connection, survivor: int) -> list[int]:
    """The notes that went into one."""
    rows = connection.execute("SELECT loser FROM merge WHERE survivor = ? ORDER BY loser", (survivor,))
    return [row[0] for row in rows]


def _row(connection: Connection, table: str, columns: Sequence[str], number: int) -> list[Any]:
    found = connection.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?", (number,)).fetchone()
    return [each.hex() if isinstance(each, bytes) else each for each in found or ()]


def _put_back(
    connection: Connection, table: str, columns: Sequence[str], number: int, was: Sequence[Any], made: Sequence[Any]
) -> None:
    """Let the columns that are still as the merge made them be as they were before it."""
    for column, now, before, then in zip(columns, _row(connection, table, columns, number), was, made, strict=False):
        if now == then and before != then:
            value = bytes.fromhex(before) if column == "hash" else before
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (value, number))


def _due(connection: Connection, note: int) -> int | None:
    row = connection.execute("SELECT due_check FROM note WHERE id = ?", (note,)).fetchone()
    return row[0] if row else None


def _gain_sources(connection: Connection, survivor: int, loser: int) -> list[int]:
    """Let a note rest on what the other rests on too; on which messages that it did not before."""
    held = {row[0] for row in connection.execute("SELECT message FROM note_source WHERE note = ?", (survivor,))}
    gained = connection.execute(
        "SELECT message, quote FROM note_source WHERE note = ? ORDER BY position", (loser,)
    ).fetchall()
    note_writes.add_sources(connection, survivor, gained)
    return sorted({row[0] for row in gained} - held)


def _lose_sources(connection: Connection, survivor: int, messages: Sequence[int]) -> None:
    rows = connection.execute(
        "SELECT message, quote FROM note_source WHERE note = ? ORDER BY position", (survivor,)
    ).fetchall()
    kept = [row for row in rows if row[0] not in messages]
    if len(kept) < len(rows):
        connection.execute("DELETE FROM note_source WHERE note = ?", (survivor,))
        connection.executemany(
            "INSERT INTO note_source (note, position, message, quote) VALUES (?, ?, ?, ?)",
            [(survivor, position, *row) for position, row in enumerate(kept)],
        )


def _gain_clarity(connection: Connection, survivor: int, loser: int, now_exp: int) -> list[list[Any]]:
    """Let each detail show as much as it does in either note; what was changed, before and after."""
    spans = element_rows.of_notes(connection, [survivor, loser])
    texts = {note.id: note.text for note in note_rows.get_many(connection, [survivor, loser]).values()}
    others = {_matter(texts[loser], each): each for each in spans[loser]}
    changed = []
    for each in spans[survivor]:
        other = others.get(_matter(texts[survivor], each))
        if other is None:
            continue
        strength = max(each.opacity(now_exp), other.opacity(now_exp))
        stability = max(each.trace.stability_ms, other.trace.stability_ms)
        if strength > each.opacity(now_exp) or stability > each.trace.stability_ms:
            trace = placed(replace(each.trace, stability_ms=stability), strength, max(now_exp, each.trace.t0_ms))
            changed.append(replace(each, trace=trace))
    before = {each.id: _row(connection, "element", _ELEMENT, each.id) for each in changed}
    element_rows.update(connection, changed, now_exp)
    masked_indexing.refresh(connection, [survivor], now_exp)
    return [[number, was, _row(connection, "element", _ELEMENT, number)] for number, was in before.items()]


def _matter(text: str, element: Element) -> str:
    """What makes two details of two notes one: that they say the same, or are the whole."""
    return "" if element.level == 0 else tokens.fold(text[element.start : element.end]).strip()


def _repoint(connection: Connection, survivor: int, loser: int, moment: Moment) -> dict[str, list[Any]]:
    """Give a note the links of another; which were made, and which became stronger."""
    made, raised = list[Any](), list[Any]()
    for link in link_rows.of_notes(connection, [loser]):
        other = link.dst if link.src == loser else link.src
        if other != survivor:
            src, dst = (survivor, other) if link.src == loser else (other, survivor)
            held = link_rows.find(connection, src, dst, link.kind, link.verb)
            if held is None:
                made.append(_copied(connection, link, src, dst))
            else:
                was = [_row(connection, "link", _LINK, held.id), _tombstone(connection, held.id)]
                _combine(connection, held, link, moment)
                raised.append([held.id, *was, _row(connection, "link", _LINK, held.id)])
        connection.execute("UPDATE link SET forgotten = 1 WHERE id = ?", (link.id,))
        link_rows.bury(connection, link.id, REASON, link.trace.a0, moment.now, moment.purge_at)
    return {"made": made, "raised": raised}


def _copied(connection: Connection, link: Link, src: int, dst: int) -> int:
    """The same link between other notes, with what it remembers."""
    src, dst = link_rows.ends(src, dst, link.kind)
    number: int = connection.execute(
        "INSERT INTO link (src, dst, kind, verb, origin, initial, confidence, a0, t0, stability, last_growth, "
        "due_delete, created_at, valid_from, valid_to, hash) SELECT ?, ?, kind, verb, origin, initial, confidence, a0, "
        "t0, stability, last_growth, due_delete, created_at, valid_from, valid_to, ? FROM link WHERE id = ? "
        "RETURNING id",
        (src, dst, link_rows.content_hash(src, dst, link.kind, link.verb, link.trace), link.id),
    ).fetchone()[0]
    connection.execute(
        "INSERT INTO link_memory (link, backward, fingerprint, vector, enhanced, penalised, at_exp) SELECT ?, "
        "iif(?, 1 - backward, backward), fingerprint, vector, enhanced, penalised, at_exp FROM link_memory "
        "WHERE link = ?",
        (number, _turns(link, src, dst), link.id),
    )
    return number


def _turns(link: Link, src: int, dst: int) -> bool:
    """Whether a link that is read both ways runs the other way now."""
    kept = link.dst == dst or link.src == src
    return link.kind is LinkKind.ASSOCIATION and not kept


def _combine(connection: Connection, held: Link, link: Link, moment: Moment) -> None:
    """Two links of one kind between the same notes are as strong as both together."""
    own = 0.0 if held.forgotten else held.trace.strength(moment.now_exp)
    both = 1.0 - (1.0 - own) * (1.0 - link.trace.strength(moment.now_exp))
    grown = [each for each in (held.trace.grown_ms, link.trace.grown_ms) if each is not None]
    trace = Trace(
        min(STRENGTH_MOST, max(both, 1e-9)), moment.now_exp, max(held.trace.stability_ms, link.trace.stability_ms),
        max(grown) if grown else None, held.trace.curve,
    )  # fmt: skip
    connection.execute(
        "UPDATE link SET a0 = ?, t0 = ?, stability = ?, last_growth = ?, due_delete = ?, forgotten = 0, hash = ? "
        "WHERE id = ?",
        (trace.a0, trace.t0_ms, trace.stability_ms, trace.grown_ms, moment.due_delete(trace),
         link_rows.content_hash(held.src, held.dst, held.kind, held.verb, trace), held.id),
    )  # fmt: skip
    connection.execute("DELETE FROM tombstone WHERE kind = 'link' AND item = ?", (held.id,))


def _tombstone(connection: Connection, link: int) -> list[Any] | None:
    row = connection.execute(
        "SELECT reason, strength, forgotten_at, purge_at FROM tombstone WHERE kind = 'link' AND item = ?", (link,)
    ).fetchone()
    return list(row) if row else None


def _put_links_back(connection: Connection, loser: int, links: dict[str, list[Any]]) -> list[Link]:
    for number in links["made"]:
        link_rows.purge(connection, number)
    for number, was, stone, made in links["raised"]:
        if _row(connection, "link", _LINK, number) == made:
            _put_back(connection, "link", _LINK, number, was, made)
            if stone is not None:
                link_rows.bury(connection, number, *stone)
    # One whose other end had gone into a note as well is there again with the last of the two.
    back = [
        each
        for each in link_rows.forgotten_with(connection, loser)
        if (_tombstone(connection, each.id) or [""])[0] == REASON
    ]
    for link in back:
        connection.execute("UPDATE link SET forgotten = 0 WHERE id = ?", (link.id,))
        connection.execute("DELETE FROM tombstone WHERE kind = 'link' AND item = ?", (link.id,))
    return [replace(link, forgotten=False) for link in back]
