"""What a recall shows of a note after a glance is what it shows after reading all of it, whatever happened to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mind_file import mind_file
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import Curve, Trace
from soulmem.core.details.elements import Element
from soulmem.core.details.masking import NoteState
from soulmem.core.schema.note_requests import Anchor, NoteKind
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit
from soulmem.store.notes import element_rows, masked_indexing, note_rows, note_writes, rehearsal_writes
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection, snapshot
from soulmem.store.views import faded_summary, rendered_notes, wire_views

EXAMPLES = 2_000 if os.environ.get("SOULMEM_TORTURE") else 150
NOW = 1_780_000_000_000
TEXT = "On 3 May Mira hid the silver key under the third step. 米拉把银钥匙藏在第三级台阶下。"
BORN = 400 * DAY_MS

TRACES = st.builds(
    Trace,
    a0=st.floats(0.1, 1.0),
    t0_ms=st.integers(BORN - 60 * DAY_MS, BORN),
    stability_ms=st.integers(10 * DAY_MS, 400 * DAY_MS),
)
SPANS = st.sampled_from([(0, len(TEXT)), (3, 8), (9, 13), (22, 32), (55, 57)])
NOTES = st.tuples(
    st.lists(st.tuples(TRACES, SPANS), min_size=1, max_size=3),
    st.booleans(),
    st.sampled_from([NoteKind.EPISODIC, NoteKind.SEMANTIC, NoteKind.LORE]),
)
FADINGS = st.sampled_from([Fading(), Fading(curve=Curve.POWER), Fading(blur_below=0.8), Fading(blurs=False)])
ACTS = ["wait", "pin", "unpin", "reword", "give up", "forget", "restore", "rehearse"]
STEPS = st.lists(
    st.tuples(
        st.one_of(
            st.tuples(st.just("add"), NOTES),
            st.tuples(st.sampled_from(ACTS), st.integers(0, 120)),
            st.tuples(st.just("fade by"), FADINGS),
        ),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    with mind_file(tmp_path_factory.mktemp("g") / "m.db") as connection:
        yield connection


def spans_of(connection: Connection, drawn: list[tuple[Trace, tuple[int, int]]]) -> tuple[Element, ...]:
    curve = element_rows.fading(connection).curve
    at = {span: replace(trace, curve=curve) for trace, span in drawn}
    return tuple(Element(-1, *span, 1, "something", Anchor.NONE, trace) for span, trace in at.items())


def hear(connection: Connection, now: int) -> None:
    """Let search hear of all that faded, as it does before it searches."""
    while due := element_rows.overdue(connection, now, 100):
        masked_indexing.refresh(connection, due, now)


def happen(connection: Connection, what: str, given_: Any, held: list[int], now: int) -> None:
    match what:
        case "add":
            drawn, pinned, kind = given_
            spans = spans_of(connection, drawn)
            held.append(
                note_writes.insert(
                    connection,
                    NewNote(
                        kind,
                        TEXT,
                        NOW,
                        NOW,
                        0,
                        None,
                        speaker="Mira",
                        tags=("silver", "stair"),
                        attributes={"what": "the silver key", "n": 1},
                        pinned=pinned,
                        elements=spans,
                    ),
                )
            )
        case "fade by":
            element_rows.refit(connection, given_, now)
        case "rehearse":
            rehearsal_writes.rehearse(connection, dict.fromkeys(held, 1.0), now)
        case _ if held:
            note = held[len(held) // 2]
            match what:
                case "pin" | "unpin":
                    note_writes.set_pinned(connection, note, what == "pin", NOW, now)
                case "reword":
                    fresh = spans_of(connection, [(Trace(1.0, now, 30 * DAY_MS), (0, 9))])
                    note_writes.update(
                        connection, note, changes={"text": "A new day."}, new_elements=fresh, version=None, now=NOW,
                        now_exp=now,
                    )  # fmt: skip
                case "give up":  # as reconstruction does with what nobody can fill in
                    before = note_rows.get(connection, note)
                    gone = Element(-1, 20, 20, 1, "", Anchor.NONE, Trace(1.0, now, 400 * DAY_MS))
                    gone = replace(gone, trace=replace(gone.trace, curve=element_rows.fading(connection).curve))
                    element_rows.replace_all(connection, note, [gone], lasting=before.lasts)
                    masked_indexing.retell(connection, note, before.indexed, now)
                case "forget":
                    note_writes.forget(connection, note, reason="client", now=NOW, purge_at=NOW)
                case "restore":
                    note_writes.restore(connection, note, now=NOW, now_exp=now, due_check=now)


def read_in_full(connection: Connection, held: list[int], now: int) -> dict[tuple[str, int], dict[str, Any]]:
    shown = rendered_notes.faces(connection, note_rows.get_many(connection, held).values(), now)
    return {
        ("note", note): {
            "id": f"n{note}", "kind": face.note.kind.value, "text": face.text, "state": face.state.value,
            "created_at": face.created_at, "at": face.at, "sources": [], "speaker": face.speaker or None,
            "tags": list(face.tags), "attributes": face.attributes, "valid_from": None, "valid_to": None,
            "superseded_by": None,
            **({"faded": list(gone.kinds)} if (gone := faded_summary.of_face(face)) is not None and gone.kinds else {}),
        }
        for note, face in shown.items()
    }  # fmt: skip


def assert_shown(connection: Connection, held: list[int], now: int) -> None:
    hits = [Hit(ItemKind.NOTE, note, 0.5) for note in [*held, 999_999]]
    expected = read_in_full(connection, held, now)
    assert wire_views.items(connection, hits, now) == expected
    assert wire_views.items(connection, hits, now, rendered_notes.previews(connection, held)) == expected


@given(steps=STEPS)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_glance_shows_what_reading_in_full_shows(book: Connection, steps: list[tuple[str, Any]]) -> None:
    book.execute("BEGIN IMMEDIATE")
    try:
        held: list[int] = []
        now = BORN
        for (what, given_), hears in steps:
            if what == "wait":
                now += given_ * DAY_MS
            happen(book, what, given_, held, now)
            assert_shown(book, held, now)
            if hears:
                hear(book, now)
                assert_shown(book, held, now)
    finally:
        book.execute("ROLLBACK")


def test_what_is_clear_is_shown_without_reading_its_elements(book: Connection) -> None:
    """And what is not is read: else the comparison above would not compare the two."""
    book.execute("BEGIN IMMEDIATE")
    try:
        element_rows.refit(book, Fading(), BORN)
        spans = spans_of(book, [(Trace(1.0, BORN, 30 * DAY_MS), (0, len(TEXT)))])
        note = note_writes.insert(book, NewNote(NoteKind.EPISODIC, TEXT, NOW, NOW, 0, None, elements=spans))
        hit, read = Hit(ItemKind.NOTE, note, 0.5), list[str]()
        book.set_trace_callback(read.append)
        assert wire_views.items(book, [hit], BORN)["note", note]["state"] == NoteState.CLEAR.value
        assert not any("FROM element e" in statement for statement in read)
        later = BORN + 60 * DAY_MS
        overdue = wire_views.items(book, [hit], later)["note", note]
        assert overdue["state"] != NoteState.CLEAR.value
        hear(book, later)
        assert wire_views.items(book, [hit], later)["note", note] == overdue
        assert not rendered_notes.previews(book, [note])[note].is_clear
    finally:
        book.set_trace_callback(None)
        book.execute("ROLLBACK")


def test_a_look_within_a_look_is_of_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    writer = driver.writer(path)()
    migrations.migrate(writer, path, "mind")
    reader = driver.reader(path)()
    with snapshot(reader):
        assert rendered_notes.previews(reader, [1]) == {}
        note_writes.insert(writer, NewNote(NoteKind.EPISODIC, TEXT, NOW, NOW, 0))
        with snapshot(reader):
            assert rendered_notes.previews(reader, [1]) == {}
        assert rendered_notes.previews(reader, [1]) == {}
    assert rendered_notes.previews(reader, [1])[1].text == TEXT
    reader.close()
    writer.close()


def test_a_place_that_shows_a_day_gets_one_only_while_the_note_knows_it(book: Connection) -> None:
    book.execute("BEGIN IMMEDIATE")
    try:
        element_rows.refit(book, Fading(), BORN)
        text, day = "Mira hid the key (3 May 2026).", 1_777_766_400_000
        start = text.index("3 May")
        fading = Element(-1, start, start + 10, 2, "in May 2026", Anchor.NONE, Trace(0.9, BORN, 7 * DAY_MS))
        note = note_writes.insert(book, NewNote(NoteKind.EPISODIC, text, day, day, 0, None, elements=(fading,)))
        held = note_rows.get_many(book, [note]).values()
        clear, blurred = (rendered_notes.faces(book, held, BORN + days * DAY_MS)[note] for days in (0, 5))
        assert (clear.at_ms, clear.day_ms) == (day, day)
        assert blurred.at == "2026-05"
        assert blurred.day_ms == 0 < blurred.at_ms
    finally:
        book.execute("ROLLBACK")
