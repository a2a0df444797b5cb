"""Merging and its undoing on rows alone: in whatever order notes go in and come out, all is as before."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mind_file import mind_file
from soulmem.core.decay.traces import Trace
from soulmem.core.details.elements import Element
from soulmem.core.schema.note_requests import Anchor, LinkKind, LinkOrigin, NoteKind
from soulmem.store.graph import link_rows
from soulmem.store.graph.link_rows import NewLink
from soulmem.store.notes import masked_indexing, merge_queue, note_rows, note_writes
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.revision import note_merging
from soulmem.store.revision.note_merging import Moment
from soulmem.store.sqlite.driver import Connection

NOW, DAY = 1_780_000_000_000, 86_400_000
MOMENT = Moment(NOW, DAY * 10, NOW + 30 * DAY, lambda trace: trace.crossing_ms(0.05))
NOTES = 4  # alike, and one beside them
LOG = {"history", "merge_due", "embed_pending"}


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with tempfile.TemporaryDirectory() as root, mind_file(Path(root) / "m.db") as opened:
        yield opened


@contextmanager
def undone(connection: Connection) -> Iterator[None]:
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def content(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    tables = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
    names = [name for name, sql in tables if "VIRTUAL" not in sql and not name.startswith(("sqlite_", "note_search"))]
    found = {name: sorted(connection.execute(f'SELECT * FROM "{name}"').fetchall(), key=repr) for name in names}
    return {name: rows for name, rows in found.items() if name not in LOG}


def told(connection: Connection, number: int, strength: float, tags: tuple[str, ...], messages: list[int]) -> int:
    text = f"We burnt the lasagne 我们烤糊了千层面 {'!' * number}"
    trace = Trace(strength, DAY, 7 * DAY)
    spans = (
        Element(-1, 0, len(text), 0, "supper", Anchor.NONE, trace),
        Element(-2, 13, 20, 2, "a dish", Anchor.NONE, Trace(strength / 2, DAY, 3 * DAY)),
    )
    return note_writes.insert(
        connection,
        NewNote(
            NoteKind.EPISODIC, text, NOW, NOW + number, DAY + number, importance=strength, tags=tags,
            sources=tuple((message, None) for message in messages), elements=spans,
        ),
    )  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(
    strengths=st.lists(st.floats(0.1, 1.0), min_size=NOTES, max_size=NOTES),
    links=st.lists(st.tuples(st.integers(0, NOTES - 1), st.booleans(), st.floats(0.1, 0.9)), max_size=6),
    goes_in=st.permutations(range(1, NOTES)),
    comes_out=st.permutations(range(1, NOTES)),
)
def test_in_any_order_all_is_as_before(
    connection: Connection, strengths: list[float], links: list[tuple[int, bool, float]], goes_in: list[int],
    comes_out: list[int],
) -> None:  # fmt: skip
    with undone(connection):
        connection.execute("INSERT INTO conversation (id, name, created_at) VALUES (1, 'main', ?)", (NOW,))
        for seq in range(1, NOTES + 1):
            connection.execute(
                "INSERT INTO message (id, conversation, seq, client_id, role, speaker, content, at, arrived_at, epoch, "
                "tokens, terms, request_hash, hash) VALUES (?, 1, ?, ?, 'user', 'Ann', 'x', ?, ?, 1, 1, x'', x'', x'')",
                (seq, seq, f"t{seq}", NOW, NOW),
            )
        notes = [told(connection, n, strengths[n], (f"tag{n % 2}",), [n + 1, n % 2 + 1]) for n in range(NOTES)]
        beside = told(connection, 9, 0.5, (), [])
        for place, turned, strength in links:
            src, dst = (notes[place], beside) if turned else (beside, notes[place])
            trace = Trace(strength, DAY, 7 * DAY)
            for kind in (LinkKind.ASSOCIATION, LinkKind.SEMANTIC):
                if link_rows.find(connection, src, dst, kind, "") is None:
                    new = NewLink(src, dst, kind, LinkOrigin.CLIENT, trace, trace.crossing_ms(0.05), NOW)
                    link_rows.insert(connection, new)
        masked_indexing.refresh(connection, [*notes, beside], MOMENT.now_exp)
        before = content(connection)
        for place in goes_in:
            survivor, loser = (note_rows.get(connection, notes[each]) for each in (0, place))
            note_merging.merge(connection, survivor, loser, MOMENT)
        whole = note_rows.get(connection, notes[0])
        assert whole.text == before_text(before, notes[0])
        assert whole.importance == max(strengths)
        assert {s.message for s in note_rows.sources_of(connection, [notes[0]])[notes[0]]} == set(range(1, NOTES + 1))
        assert note_merging.merged_into(connection, notes) == dict.fromkeys(notes[1:], notes[0])
        for done, place in enumerate(comes_out, 1):
            parted = note_merging.undo(connection, notes[place], MOMENT)
            assert parted is not None
            assert parted[0] == notes[0]
            assert len(note_merging.held_by(connection, notes[0])) == NOTES - 1 - done
        after = content(connection)
        assert {name: rows for name, rows in after.items() if rows != before[name]} == {}


def before_text(before: dict[str, list[tuple[Any, ...]]], note: int) -> str:
    return next(str(row[2]) for row in before["note"] if row[0] == note)


def test_what_came_after_the_merge_stays(connection: Connection) -> None:
    with undone(connection):
        one, other = (told(connection, n, 0.5, (), []) for n in (1, 2))
        note_merging.merge(connection, *(note_rows.get(connection, each) for each in (one, other)), MOMENT)
        connection.execute("UPDATE note SET importance = 0.9 WHERE id = ?", (one,))
        assert note_merging.undo(connection, other, MOMENT) is not None
        assert [note_rows.get(connection, each).importance for each in (one, other)] == [0.9, 0.5]
        assert note_merging.undo(connection, other, MOMENT) is None


def test_no_link_is_lost_between_notes_that_both_went_into_others(connection: Connection) -> None:
    with undone(connection):
        a, b, s, t = (told(connection, n, 0.5, (), []) for n in range(4))
        trace = Trace(0.5, DAY, 7 * DAY)
        new = NewLink(a, b, LinkKind.SEMANTIC, LinkOrigin.CLIENT, trace, trace.crossing_ms(0.05), NOW)
        link_rows.insert(connection, new)
        for loser, survivor in ((a, s), (b, t)):
            note_merging.merge(connection, *(note_rows.get(connection, n) for n in (survivor, loser)), MOMENT)
        assert [(link.src, link.dst) for link in link_rows.between(connection, [s, t])] == [(s, t)]
        for loser in (a, b):
            assert note_merging.undo(connection, loser, MOMENT) is not None
        ends = [(link.src, link.dst) for link in link_rows.of_notes(connection, [a, b, s, t])]
        assert (a, b) in ends
        assert not [pair for pair in itertools.product((s, t), (a, b)) if pair in ends]


@pytest.mark.parametrize(("places", "turns"), [((0, 1, 2), True), ((1, 0, 2), False)])
def test_a_link_goes_on_remembering_whichever_way_it_runs_now(
    connection: Connection, places: tuple[int, int, int], turns: bool
) -> None:
    with undone(connection):
        notes = [told(connection, n, 0.5, (), []) for n in range(3)]
        stays, other, goes = (notes[place] for place in places)
        trace = Trace(0.5, DAY, 7 * DAY)
        new = NewLink(other, goes, LinkKind.ASSOCIATION, LinkOrigin.HEBB, trace, trace.crossing_ms(0.05), NOW)
        link = link_rows.insert(connection, new)
        connection.execute(
            "INSERT INTO link_memory (link, backward, fingerprint, vector, at_exp) VALUES (?, 0, 'f', x'00', 0)",
            (link,),
        )
        note_merging.merge(connection, *(note_rows.get(connection, each) for each in (stays, goes)), MOMENT)
        (made,) = link_rows.of_notes(connection, [stays])
        assert {made.src, made.dst} == {stays, other}
        backward = connection.execute("SELECT backward FROM link_memory WHERE link = ?", (made.id,)).fetchall()
        assert backward == [(int(turns),)]
        assert (made.src == other) is not turns


def test_what_was_changed_while_it_was_looked_at_is_due_still(connection: Connection) -> None:
    with undone(connection):
        notes = [told(connection, number, 0.5, (), []) for number in range(3)]
        read = {number: note.version for number, note in note_rows.get_many(connection, notes).items()}
        connection.execute("UPDATE note SET version = version + 1, text = 'The lasagne 千层面' WHERE id = ?", notes[:1])
        note_writes.purge(connection, notes[1])
        merge_queue.demand(connection, notes[0], NoteKind.EPISODIC)  # it waits already
        assert merge_queue.as_read(connection, notes, read) == notes[2:]
        merge_queue.looked_at(connection, merge_queue.as_read(connection, notes, read))
        assert connection.execute("SELECT note FROM merge_due").fetchall() == [(notes[0],)]


def test_nothing_lies_near_a_note_that_went_meanwhile(connection: Connection) -> None:
    with undone(connection):
        gone, stays = (told(connection, number, 0.5, (), []) for number in range(2))
        assert merge_queue.near(connection, "hashing", gone, 0.5) == [(stays, 0.0)]
        note_writes.purge(connection, gone)
        assert merge_queue.near(connection, "hashing", gone, 0.5) == []
