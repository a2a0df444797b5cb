"""Element rows: the forgettable spans of notes, with their traces and crossing times.

Owns `element`, and in `meta` the settings they fade by. Called by `note_writes`, `masked_indexing` and the views.
Nothing here decays by being written: opacity is computed when read. Invariants: `due_blur` and `due_blank` are always
what those settings make of the trace; all traces of a mind follow the curve those settings name; `due_next` is the
first crossing that search does not know of yet, so what must be looked at is found by an index.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import lru_cache

from soulmem.core.decay.decay_policy import Fading, moved_to
from soulmem.core.decay.traces import FAR_FUTURE_MS, STABILITY_LIMIT_MS, Curve, ElementDues, Trace, placed
from soulmem.core.details.elements import Element
from soulmem.core.details.masking import state_of
from soulmem.core.importance.retention_periods import Factors
from soulmem.core.schema.detail_tasks import SegmentState
from soulmem.core.schema.note_requests import Anchor, NoteKind, lasts
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, dump_json, listed

_FADING = "fading"
_COLUMNS = 'e.id, e.start, e."end", e.level, e.gist, e.anchor, e.a0, e.t0, e.stability, e.last_growth'
_AT_ONCE = 2_000  # rows in one statement


def fading(connection: Connection) -> Fading:
    """The settings that this mind's elements fade by."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_FADING,)).fetchone()
    return _read(row[0]) if row else Fading()


def of_notes(connection: Connection, ids: Sequence[int]) -> dict[int, list[Element]]:
    """The elements of each of these notes, in the order of the text."""
    found: dict[int, list[Element]] = {note: [] for note in ids}
    curve = fading(connection).curve
    for row in connection.execute(
        f"SELECT {_COLUMNS}, e.note FROM element e WHERE e.note {AMONG} ORDER BY e.note, e.start, e.id", (listed(ids),)
    ):
        found[row[-1]].append(_element(row, curve))
    return found


def insert(connection: Connection, note: int, elements: Iterable[Element], *, lasting: bool) -> None:
    """Give a note elements, whatever their ids; it is indexed as if all of them were clear.

    `lasting`: they never fade (`core.schema.note_requests.lasts`).
    """
    rules = fading(connection)
    connection.executemany(
        'INSERT INTO element (note, start, "end", level, gist, anchor, a0, t0, stability, last_growth, due_blur, '
        "due_blank, due_next) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [_row(note, element, rules, lasting=lasting) for element in elements],
    )


def replace_all(connection: Connection, note: int, elements: Iterable[Element], *, lasting: bool) -> None:
    """Give a note other elements, because its text changed."""
    connection.execute("DELETE FROM element WHERE note = ?", (note,))
    insert(connection, note, elements, lasting=lasting)


def update(connection: Connection, elements: Sequence[Element], now_exp: int) -> bool:
    """Store the traces and anchors of elements; True if one shows now that did not, or the reverse.

    Search does not know of such a change yet: it falls due at once.
    """
    rules = fading(connection)
    before = {row[0]: row[1:] for row in _before(connection, [element.id for element in elements])}
    turned = False
    alike: dict[tuple[Trace, bool], tuple[ElementDues, int | None, SegmentState]] = {}  # details are often of one age
    changes = []
    for element in elements:
        if element.id not in before:
            continue
        a0, t0, stability, due_before, kind, pinned, is_living = before[element.id]
        lasting = lasts(NoteKind(kind), pinned=bool(pinned))
        if (element.trace, lasting) not in alike:
            found = rules.dues(element.trace, lasting=lasting)
            next_due = next_crossing(element.trace, found, rules, now_exp)
            alike[element.trace, lasting] = found, next_due, state_of(element.opacity(now_exp), rules)
        dues, due, state = alike[element.trace, lasting]
        former = Trace(a0, t0, stability, None, rules.curve).strength(now_exp)
        if not lasting and state_of(former, rules) is not state:
            due, turned = now_exp, True
        elif due_before is not None and due_before <= now_exp:
            due = due_before  # search has not heard of what came before
        changes.append(
            (
                element.anchor.value, *_trace(element.trace), dues.blur_ms, dues.blank_ms, due if is_living else None,
                element.id,
            )
        )  # fmt: skip
    connection.executemany(
        "UPDATE element SET anchor = ?, a0 = ?, t0 = ?, stability = ?, last_growth = ?, due_blur = ?, due_blank = ?, "
        "due_next = ? WHERE id = ?",
        changes,
    )
    return turned


def move(connection: Connection, elements: Iterable[Element]) -> None:
    """Store where elements stand and their gists, because words around or in them changed; they fade as before."""
    connection.executemany(
        'UPDATE element SET start = ?, "end" = ?, gist = ? WHERE id = ?',
        [(element.start, element.end, element.gist, element.id) for element in elements],
    )


def _before(connection: Connection, ids: Sequence[int]) -> Iterator[Row]:
    for first in range(0, len(ids), _AT_ONCE):
        yield from connection.execute(
            "SELECT e.id, e.a0, e.t0, e.stability, e.due_next, n.kind, n.pinned, n.lifecycle <> 'forgotten' "
            f"FROM element e JOIN note n ON n.id = e.note WHERE e.id {AMONG}",
            (listed(ids[first : first + _AT_ONCE]),),
        ).fetchall()


def next_crossing(trace: Trace, dues: ElementDues, rules: Fading, now_exp: int) -> int | None:
    """The crossing after `now_exp` of an element that search knows as it is now; None if none will come."""
    if dues.blur_ms >= FAR_FUTURE_MS:
        return None
    state = state_of(trace.strength(now_exp), rules)
    if state is SegmentState.BLANK:
        return None
    due = dues.blur_ms if state is SegmentState.CLEAR else dues.blank_ms
    return max(due, now_exp + 1) if due < FAR_FUTURE_MS else None


def known(connection: Connection, note: int, elements: Iterable[Element], now_exp: int, *, lasting: bool) -> None:
    """Search knows a note as it is now: what comes next for each of its elements is what it does not know."""
    rules = fading(connection)
    connection.executemany(
        "UPDATE element SET due_next = ? WHERE id = ? AND note = ?",
        [(next_crossing(e.trace, rules.dues(e.trace, lasting=lasting), rules, now_exp), e.id, note) for e in elements],
    )


def unknown(connection: Connection, note: int) -> None:
    """The note is in no index: nothing of it falls due."""
    connection.execute("UPDATE element SET due_next = NULL WHERE note = ? AND due_next IS NOT NULL", (note,))


def set_lasting(connection: Connection, note: int, now_exp: int, *, lasting: bool) -> None:
    """A note was pinned or unpinned. One that may fade again begins now, as strong as it was shown meanwhile."""
    rules = fading(connection)
    for element in of_notes(connection, [note])[note]:
        trace = element.trace if lasting else placed(element.trace, element.trace.a0, max(now_exp, element.trace.t0_ms))
        dues = rules.dues(trace, lasting=lasting)
        connection.execute(
            "UPDATE element SET a0 = ?, t0 = ?, stability = ?, last_growth = ?, due_blur = ?, due_blank = ? "
            "WHERE id = ?",
            (*_trace(trace), dues.blur_ms, dues.blank_ms, element.id),
        )


def overdue(connection: Connection, now_exp: int, limit: int) -> list[int]:
    """Notes of which something crossed a threshold that search does not know of, the longest overdue first."""
    found: dict[int, None] = {}
    # Details of one note often fall due together, so notes are counted while they are read, not rows.
    cursor = connection.execute("SELECT note FROM element WHERE due_next <= ? ORDER BY due_next, id", (now_exp,))
    for (note,) in cursor:
        found[note] = None
        if len(found) >= limit:
            break
    cursor.close()
    return list(found)


def next_due(connection: Connection) -> int | None:
    """When the next element crosses a threshold that search does not know of, experienced time."""
    row = connection.execute("SELECT min(due_next) FROM element WHERE due_next IS NOT NULL").fetchone()
    return row[0] if row else None


def refit(connection: Connection, after: Fading, now_exp: int) -> bool:
    """Let all elements fade by other settings from now on; False if they are the same.

    Every trace is as strong at `now_exp` as before, on the curve that is asked for; what the character's memory gained
    or lost (`scale`) its stability gains or loses. Notes that are masked differently then fall due at once.
    """
    before = fading(connection)
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_FADING, dump_json(asdict(after))),
    )
    if before == after:
        return False
    # What was looked at for drift since it blurred stays so, wherever the crossing goes; see `drift`.
    connection.execute(
        "UPDATE drift SET tried_exp = ? WHERE tried_exp >= (SELECT due_blur FROM element WHERE id = element)",
        (now_exp,),
    )
    for part in _in_parts(connection):
        changes = []
        alike: dict[tuple[Trace, bool], tuple[Trace, ElementDues, bool, int | None]] = {}
        for row in part:
            note_kind, pinned, is_shown, is_living = row[-4:]
            lasting = lasts(NoteKind(note_kind), pinned=bool(pinned))
            former = _element(row, before.curve).trace
            if (former, lasting) not in alike:
                trace = _refitted(former, before, after, now_exp)
                dues = after.dues(trace, lasting=lasting)
                is_clear = lasting or state_of(trace.strength(now_exp), after) is SegmentState.CLEAR
                alike[former, lasting] = trace, dues, is_clear, next_crossing(trace, dues, after, now_exp)
            trace, dues, is_clear, due = alike[former, lasting]
            shows_gap = after.blurs and not lasting and row[1] == row[2]  # what was given up
            due = due if is_clear and not is_shown and not shows_gap else now_exp
            changes.append((*_trace(trace), dues.blur_ms, dues.blank_ms, due if is_living else None, row[0]))
        connection.executemany(
            "UPDATE element SET a0 = ?, t0 = ?, stability = ?, last_growth = ?, due_blur = ?, due_blank = ?, "
            "due_next = ? WHERE id = ?",
            changes,
        )
    return True


def _refitted(trace: Trace, before: Fading, after: Fading, now_exp: int) -> Trace:
    if before.scale != after.scale:
        stability = round(trace.stability_ms * after.scale / before.scale)
        strength = trace.strength(now_exp)
        trace = placed(
            replace(trace, stability_ms=min(STABILITY_LIMIT_MS, max(1, stability))), strength, max(now_exp, trace.t0_ms)
        )
    return moved_to(trace, after.curve, now_exp)


def _in_parts(connection: Connection) -> Iterator[list[Row]]:
    last = -1
    while True:
        rows = connection.execute(
            f"SELECT {_COLUMNS}, n.kind, n.pinned, n.shown IS NOT NULL, n.lifecycle <> 'forgotten' "
            "FROM element e JOIN note n ON n.id = e.note WHERE e.id > ? ORDER BY e.id LIMIT ?",
            (last, _AT_ONCE),
        ).fetchall()
        if not rows:
            return
        yield rows
        last = rows[-1][0]


@lru_cache(maxsize=16)
def _read(text: str) -> Fading:
    stored = json.loads(text)
    read = {"curve": Curve(stored["curve"]), "level_days": tuple(stored["level_days"])}
    return Fading(**{**stored, **read, "factors": Factors(**stored.get("factors", {}))})


def _element(row: Row, curve: Curve) -> Element:
    number, start, end, level, gist, anchor, a0, t0, stability, grown = row[:10]
    return Element(number, start, end, level, gist, Anchor(anchor), Trace(a0, t0, stability, grown, curve))


def _trace(trace: Trace) -> tuple[float, int, int, int | None]:
    return trace.a0, trace.t0_ms, trace.stability_ms, trace.grown_ms


def _row(note: int, element: Element, rules: Fading, *, lasting: bool) -> tuple[object, ...]:
    if element.trace.curve is not rules.curve:
        raise ValueError(f"an element of a mind that fades by the {rules.curve} curve: {element.trace!r}")
    dues = rules.dues(element.trace, lasting=lasting)
    due = dues.blur_ms if dues.blur_ms < FAR_FUTURE_MS else None
    return (
        note, element.start, element.end, element.level, element.gist, element.anchor.value, *_trace(element.trace),
        dues.blur_ms, dues.blank_ms, due,
    )  # fmt: skip
