"""Elements in the file: traces come back as they were, and crossing times are always what the settings make of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mind_file import mind_file
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.traces import FAR_FUTURE_MS, Curve, Trace, placed
from soulmem.core.details.elements import Element, born, fitting
from soulmem.core.details.masking import state_of
from soulmem.core.details.rehearsal import rehearsed, relearnt
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.schema.note_requests import Anchor, ElementDraft, NoteKind, lasts
from soulmem.core.text import tokens
from soulmem.store.notes import element_rows, masked_indexing, note_rows, note_writes
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import rendered_notes

EXAMPLES = 2_000 if os.environ.get("SOULMEM_TORTURE") else 80
NOW = 1_780_000_000_000
EXP = 100 * DAY_MS
TEXT = "Mira hid the silver key under the third step. 米拉把银钥匙藏在第三级台阶下。"

FADINGS = st.builds(
    Fading,
    curve=st.sampled_from(Curve),
    blur_below=st.floats(0.3, 0.99),
    blank_below=st.floats(0.01, 0.29),
    scale=st.sampled_from([0.5, 1.0, 2.0]),
    blurs=st.sampled_from([True, True, True, False]),
)
TRACES = st.builds(
    Trace,
    a0=st.floats(0.01, 1.0),
    t0_ms=st.integers(0, EXP),
    stability_ms=st.integers(1, 3_650 * DAY_MS),
    grown_ms=st.none() | st.integers(0, EXP),
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    with mind_file(tmp_path_factory.mktemp("e") / "m.db") as connection:
        yield connection


def fresh(connection: Connection, fading: Fading | None = None) -> None:
    connection.execute("BEGIN IMMEDIATE")
    element_rows.refit(connection, fading or Fading(), EXP)


def an_element(trace: Trace, span: tuple[int, int], anchor: Anchor = Anchor.NONE, level: int = 2) -> Element:
    return Element(-1, *span, level, "something", anchor, trace)


def note_with(
    connection: Connection, spans: tuple[Element, ...], *, pinned: bool = False, kind: NoteKind = NoteKind.EPISODIC
) -> int:
    new = NewNote(kind, TEXT, NOW, NOW, 0, None, pinned=pinned, elements=spans)
    return note_writes.insert(connection, new)


def dues_in_file(connection: Connection, note: int) -> dict[int, tuple[int, int, int | None]]:
    rows = connection.execute("SELECT id, due_blur, due_blank, due_next FROM element WHERE note = ?", (note,))
    return {row[0]: row[1:] for row in rows}


def assert_dues_fit(connection: Connection, note: int) -> None:
    fading = element_rows.fading(connection)
    lasting = note_rows.get(connection, note).lasts
    stored = dues_in_file(connection, note)
    for element in element_rows.of_notes(connection, [note])[note]:
        dues = fading.dues(element.trace, lasting=lasting)
        assert stored[element.id][:2] == (dues.blur_ms, dues.blank_ms)


def assert_search_knows(connection: Connection, note: int, now: int) -> None:
    """The index holds what shows, and what falls due next is the next change of any state."""
    found = note_rows.get(connection, note)
    fading, spans = element_rows.fading(connection), element_rows.of_notes(connection, [note])[note]
    shown = masked_indexing.indexed(TEXT, masked_indexing.rendering(TEXT, spans, now, fading, lasting=found.lasts))
    assert found.shown == shown
    assert rendered_notes.previews(connection, [note])[note].terms == hashes(found.indexed)
    for element in spans:
        due = dues_in_file(connection, note)[element.id][2]
        state = state_of(element.opacity(now), fading)
        if found.lasts or not fading.blurs or state is SegmentState.BLANK:
            assert due is None
        elif due is not None and due < now + 36_500 * DAY_MS:  # beyond that floats know no milliseconds
            assert due > now
            assert state_of(element.opacity(due - 1), fading) is state
            assert state_of(element.opacity(due + 1), fading) is not state


def hashes(text: str) -> bytes:
    return tokens.term_hashes(tokens.segment(text)).tobytes()


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FADINGS, st.lists(TRACES, min_size=1, max_size=4), st.booleans(), st.sampled_from(NoteKind))
def test_traces_come_back_as_they_were(
    book: Connection, fading: Fading, traces: list[Trace], pinned: bool, kind: NoteKind
) -> None:
    fresh(book, fading)
    try:
        anchors = list(Anchor)
        spans = tuple(
            an_element(replace(trace, curve=fading.curve), (at, at + 5), anchors[at % 3], level=at % 3)
            for at, trace in enumerate(traces)
        )
        note = note_with(book, spans, pinned=pinned, kind=kind)
        back = element_rows.of_notes(book, [note])[note]
        assert [replace(element, id=-1) for element in back] == list(spans)
        assert_dues_fit(book, note)
        due = {row[2] for row in dues_in_file(book, note).values()}
        assert (due == {None}) == (lasts(kind, pinned=pinned) or not fading.blurs)
    finally:
        book.execute("ROLLBACK")


ACTS = st.one_of(
    st.tuples(st.sampled_from(["rehearse", "relearn", "refit", "pin", "unpin", "refresh", "forget", "restore"])),
    st.tuples(st.just("wait"), st.floats(0.01, 60)),
)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), FADINGS, st.lists(ACTS, max_size=12))
def test_whatever_happens_dues_fit_the_traces_and_search_follows(
    book: Connection, data: st.DataObject, fading: Fading, acts: list[tuple[str, float] | tuple[str]]
) -> None:
    fresh(book, fading)
    try:
        now = EXP
        drafts = [ElementDraft(9, 23, 2, "a thing", Anchor.FORCED), ElementDraft(24, 44, 1, "somewhere")]
        note = note_with(book, born(fitting(TEXT, NoteKind.EPISODIC, drafts).elements, now, fading))
        for act, *value in acts:
            match act:
                case "wait":
                    now += round(value[0] * DAY_MS)
                case "rehearse":
                    spans = element_rows.of_notes(book, [note])[note]
                    element_rows.update(book, [rehearsed(e, now, 0.3) for e in spans], now)
                case "relearn":
                    spans = element_rows.of_notes(book, [note])[note]
                    element_rows.update(book, [relearnt(e, now) for e in spans], now)
                case "refit":
                    element_rows.refit(book, data.draw(FADINGS), now)
                case "pin" | "unpin":
                    note_writes.set_pinned(book, note, act == "pin", NOW, now)
                case "refresh":
                    masked_indexing.refresh(book, [note], now)
                case "forget":
                    note_writes.forget(book, note, reason="client", now=NOW, purge_at=NOW)
                case "restore":
                    note_writes.restore(book, note, now=NOW, now_exp=now, due_check=now)
            assert_dues_fit(book, note)
            if note_rows.get(book, note).lifecycle == note_rows.FORGOTTEN:
                assert all(row[2] is None for row in dues_in_file(book, note).values()), "nothing of it falls due"
                continue
            if not element_rows.overdue(book, now, 10):
                assert_search_knows(book, note, now)
        note_writes.restore(book, note, now=NOW, now_exp=now, due_check=now)
        masked_indexing.refresh(book, element_rows.overdue(book, now, 10), now)
        assert_search_knows(book, note, now)
        assert element_rows.overdue(book, now, 10) == []
    finally:
        book.execute("ROLLBACK")


def test_search_finds_a_note_by_what_shows_and_no_more_by_what_is_masked(book: Connection) -> None:
    fresh(book)
    try:
        secrets = [("silver key", "a thing"), ("银钥匙", "一件东西")]
        drafts = [ElementDraft(TEXT.index(q), TEXT.index(q) + len(q), 2, gist) for q, gist in secrets]
        note = note_with(book, born(fitting(TEXT, NoteKind.EPISODIC, drafts).elements, EXP, Fading()))
        found = showing_words(book, note)
        assert {"silver", "银钥"} <= found
        assert masked_indexing.refresh(book, element_rows.overdue(book, EXP + 4 * DAY_MS, 10), EXP + 4 * DAY_MS) == ()
        later = EXP + 5 * DAY_MS
        assert element_rows.overdue(book, later, 10) == [note]
        assert masked_indexing.refresh(book, [note], later) == (note,)
        assert {"silver", "key", "银钥", "钥匙", "xxx"}.isdisjoint(showing_words(book, note))
        assert {"mira", "step", "台阶"} <= showing_words(book, note), "what is clear"
        assert {"thing", "东西", "件"}.isdisjoint(showing_words(book, note)), "what a gist says is not known"
        assert book.execute("SELECT count(*) FROM embed_pending WHERE kind = 'note'").fetchone()[0] == 1
        assert masked_indexing.refresh(book, [note], later) == (), "nothing to be done twice"
    finally:
        book.execute("ROLLBACK")


def showing_words(connection: Connection, note: int) -> set[str]:
    words = set(tokens.index_text(note_rows.get(connection, note).indexed).split())
    found = {
        word
        for word in {*words, *tokens.index_text(f"{TEXT} {RETOLD}").split()}
        if connection.execute(
            "SELECT 1 FROM note_search WHERE note_search MATCH ? AND rowid = ?", (f'"{word}"', note)
        ).fetchone()
    }
    assert found == words, "the full-text index holds the words of what is shown"
    return words


RETOLD = "Mira hid the golden coin under the third step. 米拉把金币藏在第三级台阶下。"


@pytest.mark.parametrize("fades", [True, False], ids=["masked", "clear"])
@pytest.mark.parametrize("text", [TEXT, RETOLD], ids=["the same", "another"])
def test_a_note_that_is_told_anew_is_indexed_once(book: Connection, text: str, fades: bool) -> None:
    """Each time costs its words, the full-text index and a vector."""
    fresh(book)
    try:
        note = note_with(book, ())
        book.execute("DELETE FROM embed_pending")
        trace = Trace(0.1, EXP, DAY_MS) if fades else Trace(1.0, EXP, 365 * DAY_MS)
        said: list[str] = []
        book.set_trace_callback(said.append)
        note_writes.update(
            book, note, changes={"text": text}, new_elements=(an_element(trace, (13, 24)),), version=1, now=NOW,
            now_exp=EXP,
        )  # fmt: skip
        book.set_trace_callback(None)
        once = int(fades or text != TEXT)
        assert sum(sql.startswith("INSERT INTO note_search (rowid") for sql in said) == once
        assert book.execute("SELECT asked FROM embed_pending WHERE kind = 'note'").fetchall() == [(1,)] * once
        assert showing_words(book, note).isdisjoint({"silver", "golden", "coin"} if fades else {"xxx"})
    finally:
        book.execute("ROLLBACK")


def test_what_is_overdue_is_found_by_the_index_alone(book: Connection) -> None:
    fresh(book)
    asked: list[str] = []
    try:
        spans = born(
            fitting(TEXT, NoteKind.EPISODIC, [ElementDraft(9, 23, 2), ElementDraft(0, 4, 2)]).elements, EXP, Fading()
        )
        made = [note_with(book, spans) for _ in range(4)]
        book.set_trace_callback(asked.append)
        assert element_rows.overdue(book, EXP + 5 * DAY_MS, 3) == made[:3], "as many notes, whatever their elements"
        assert element_rows.overdue(book, EXP + 5 * DAY_MS, 10) == made
        assert element_rows.next_due(book) == Fading().dues(spans[1].trace).blur_ms
        book.set_trace_callback(None)
        assert len(set(asked)) == 2
        for sql in asked:
            plan = " ".join(str(row[3]) for row in book.execute(f"EXPLAIN QUERY PLAN {sql}"))
            assert "element_due" in plan, plan
            assert "TEMP B-TREE" not in plan, plan
    finally:
        book.set_trace_callback(None)
        book.execute("ROLLBACK")


@pytest.mark.parametrize("curve", Curve)
def test_other_settings_keep_the_strength_of_the_moment(book: Connection, curve: Curve) -> None:
    fresh(book, Fading(curve=curve))
    try:
        note = note_with(book, born(fitting(TEXT, NoteKind.EPISODIC, []).elements, EXP, Fading(curve=curve)))
        now = EXP + 3 * DAY_MS
        [before] = element_rows.of_notes(book, [note])[note]
        other = next(each for each in Curve if each is not curve)
        assert element_rows.refit(book, Fading(curve=other, scale=2.0), now)
        [after] = element_rows.of_notes(book, [note])[note]
        assert after.trace.curve is other
        assert after.opacity(now) == pytest.approx(before.opacity(now), rel=1e-6)
        assert after.trace.stability_ms == 2 * before.trace.stability_ms, "it keeps twice as long from now on"
        assert not element_rows.refit(book, Fading(curve=other, scale=2.0), now), "the same settings change nothing"
        assert_dues_fit(book, note)
    finally:
        book.execute("ROLLBACK")


def test_an_element_of_another_curve_is_not_taken(book: Connection) -> None:
    fresh(book)
    try:
        with pytest.raises(ValueError, match="curve"):
            note_with(book, born(fitting(TEXT, NoteKind.EPISODIC, []).elements, EXP, Fading(curve=Curve.POWER)))
    finally:
        book.execute("ROLLBACK")


def test_a_pinned_note_stands_still_and_fades_from_the_day_it_is_let_go(book: Connection) -> None:
    fresh(book)
    try:
        note = note_with(book, born(fitting(TEXT, NoteKind.EPISODIC, [ElementDraft(9, 23, 2)]).elements, EXP, Fading()))
        late = EXP + 200 * DAY_MS
        masked_indexing.refresh(book, [note], late)
        assert note_rows.get(book, note).shown == "", "all of it is gone"
        note_writes.set_pinned(book, note, True, NOW, late)
        assert note_rows.get(book, note).shown is None
        assert showing_words(book, note) == set(tokens.index_text(TEXT).split())
        assert {row[:2] for row in dues_in_file(book, note).values()} == {(FAR_FUTURE_MS, FAR_FUTURE_MS)}
        note_writes.set_pinned(book, note, False, NOW, late + DAY_MS)
        for element in element_rows.of_notes(book, [note])[note]:
            assert element.trace == placed(element.trace, 0.9, late + DAY_MS)
        assert_search_knows(book, note, late + DAY_MS)
    finally:
        book.execute("ROLLBACK")


def test_an_older_file_learns_what_falls_due(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = driver.writer(path)()
    known = migrations.migrations("mind")
    for migration in known:
        if migration.version < 5:
            migrations._apply(connection, migration)
    insert = (
        "INSERT INTO note (id, kind, text, at, pinned, lifecycle, created_at, created_exp, terms, hash) "
        "VALUES (?, ?, 'a', 0, ?, ?, 0, 0, x'', x'')"
    )
    element = (
        'INSERT INTO element (note, start, "end", level, a0, t0, stability, due_blur, due_blank) '
        "VALUES (?, 0, 1, 0, 0.9, 0, ?, ?, ?)"
    )
    dues = Fading().dues(Trace(0.9, 0, 30 * DAY_MS))
    for number, (kind, pinned, life) in enumerate(
        [
            ("episodic", 0, "consolidated"), ("episodic", 1, "consolidated"), ("lore", 0, "consolidated"),
            ("semantic", 0, "forgotten"),
        ], 1,
    ):  # fmt: skip
        connection.execute(insert, (number, kind, pinned, life))
        connection.execute(element, (number, 30 * DAY_MS, dues.blur_ms, dues.blank_ms))
    migrations.migrate(connection, path, "mind")
    rows = connection.execute("SELECT due_blur, due_blank, due_next FROM element ORDER BY note").fetchall()
    never = (FAR_FUTURE_MS, FAR_FUTURE_MS, None)
    assert rows == [(dues.blur_ms, dues.blank_ms, dues.blur_ms), never, never, (dues.blur_ms, dues.blank_ms, None)]
    assert connection.execute("SELECT shown, fidelity, rewritten_exp FROM note WHERE id = 1").fetchone() == (
        None, 1.0, None,
    )  # fmt: skip
    assert element_rows.fading(connection) == Fading()
    connection.close()
