"""Verification: does every row of a mind still say what was written?

Compares the hash each row of a table of truth carries with its content, which finds damage that SQLite's own check
passes over: its pages have no checksums. And looks whether search knows each message that may be found, once, and no
other, whether each reflection rests on what it says, whether what became one can come apart, and whether a sleeping
mind kept within its bounds. Read-only; works beside a running daemon. Called by `soulmem doctor --deep`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from soulmem.core.decay.traces import Trace
from soulmem.core.reflection.insight_admission import MOST_DEPTH
from soulmem.core.schema.note_requests import LinkKind
from soulmem.errors import SoulmemError
from soulmem.store.conversation_state import audience, window_state
from soulmem.store.graph import link_rows, merge_check, replay_check
from soulmem.store.messages import message_log
from soulmem.store.notes import note_rows
from soulmem.store.plans import plan_rows
from soulmem.store.sqlite import driver, migrations, offline_reader
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import public_id, row_hash


def damages(path: Path) -> list[str]:
    """What is wrong with a mind's file, one line each; empty when all is well."""
    try:
        return offline_reader.look(
            path,
            lambda connection: [
                *_structure(connection),
                *_rows(connection),
                *_searched(connection),
                *reflection_flaws(connection, migrations.versions(connection)[0]),
                *replay_check.flaws(connection, migrations.versions(connection)[0]),
                *merge_check.flaws(connection, migrations.versions(connection)[0]),
                *merge_check.situation_flaws(connection, migrations.versions(connection)[0]),
            ],
        )
    except SoulmemError as error:
        return [f"cannot be opened: {error}"]
    except (driver.DatabaseError, OSError) as error:
        return [f"cannot be read: {error}"]


def _structure(connection: Connection) -> Iterator[str]:
    for (line,) in connection.execute("PRAGMA quick_check(20)"):
        if line != "ok":
            yield str(line)


def _rows(connection: Connection) -> Iterator[str]:
    for number, conversation, seq, role, speaker, content, at, stored in connection.execute(
        "SELECT id, conversation, seq, role, speaker, content, at, hash FROM message"
    ):
        if message_log.content_hash(conversation, seq, role, speaker, content, at) != stored:
            yield f"message {seq} of conversation {conversation} (row {number}) is not what was written"
    for number, kind, text, at, attributes, stored in connection.execute(
        "SELECT id, kind, text, at, attributes, hash FROM note"
    ):
        if stored not in (
            note_rows.content_hash(kind, text, at, attributes),
            _first_hash("NoteKind", kind, text, at, attributes),
        ):
            yield f"note {public_id('n', number)} is not what was written"
    yield from _plans(connection)
    for conversation, epoch, version, text, points, stored in connection.execute(
        "SELECT conversation, epoch, version, text, points, hash FROM summary"
    ):
        if row_hash(conversation, epoch, version, text, points) != stored:
            yield f"summary {version} of conversation {conversation}, epoch {epoch} is not what was written"
    for number, src, dst, kind, verb, a0, t0, stability, stored in connection.execute(
        "SELECT id, src, dst, kind, verb, a0, t0, stability, hash FROM link"
    ):
        trace = Trace(a0, t0, stability)
        if stored != link_rows.content_hash(src, dst, LinkKind(kind), verb, trace) and stored != _first_hash(
            "LinkKind", kind, verb, a0, t0, stability, before=(src, dst)
        ):
            yield f"link {public_id('l', number)} is not what was written"


def _plans(connection: Connection) -> Iterator[str]:
    if migrations.versions(connection)[0] < _PLANS_SINCE:
        return
    for number, *told, stored in connection.execute(
        "SELECT note, level, start_at, end_at, offset_min, status, hash FROM plan_item"
    ):
        if plan_rows.content_hash(*told) != stored:
            yield f"plan {public_id('n', number)} is not what was written"


def _first_hash(enumeration: str, kind: str, *values: Any, before: tuple[Any, ...] = ()) -> bytes:
    """The hash as files of the first schema have it, in which a kind stands as the program shows it."""
    return row_hash(*before, f"<{enumeration}.{kind.upper()}: {kind!r}>".encode(), *values)


_PLANS_SINCE = 15  # the schema in which notes may have times
_SHELVES_SINCE = 8  # the schema in which digested messages may leave the indexes


def _searched(connection: Connection) -> Iterator[str]:
    """Messages that search does not know though it should, knows twice, or knows though it should not."""
    if migrations.versions(connection)[0] < _SHELVES_SINCE:
        return
    indexed = "m.id IN (SELECT rowid FROM message_search)"
    waiting = "m.id IN (SELECT item FROM search_pending)"
    for conversation, seq, is_searched, times in connection.execute(
        "SELECT m.conversation, m.seq, (m.role IN ('user', 'assistant') AND m.deleted = 0 AND NOT "
        f"{window_state.SHELVED}) "
        f"AS wanted, ({indexed}) + ({waiting}) AS times FROM message m WHERE wanted <> times"
    ):
        found = "is not in the full-text index" if not times else "is in the full-text index twice"
        wrong = found if is_searched else "is in the full-text index though nobody searches it"
        yield f"message {seq} of conversation {conversation} {wrong}"
    for conversation, seq in connection.execute(
        "SELECT m.conversation, m.seq FROM message m WHERE "
        f"{window_state.SHELVED} AND m.id IN (SELECT item FROM vector WHERE kind = 'message')"
    ):
        yield f"message {seq} of conversation {conversation} has a vector though nobody searches it"


_REFLECTIONS_SINCE = 14  # the schema in which there are any


def reflection_flaws(connection: Connection, schema: int) -> Iterator[str]:
    """Reflections that do not keep an invariant of `reflection_rows`: they do not rest on what they say they do."""
    if schema < _REFLECTIONS_SINCE:
        return
    rested: dict[int, list[int]] = {}
    unsound: dict[int, str] = {}
    for reflection, note, version, kind, lifecycle, now, over in connection.execute(
        "SELECT e.reflection, e.note, e.version, n.kind, n.lifecycle, n.version, EXISTS (SELECT 1 FROM ending x "
        "WHERE x.note = e.note AND x.by <> x.note AND x.expired_at > r.made_at) "
        "FROM evidence e JOIN reflection r ON r.note = e.reflection LEFT JOIN note n ON n.id = e.note "
        "ORDER BY e.reflection, e.note"
    ):
        rested.setdefault(reflection, []).append(note)
        if kind is None:
            unsound[reflection] = f"rests on {public_id('n', note)}, which is not there"
        elif lifecycle == "forgotten" or now != version or over:
            unsound.setdefault(reflection, f"is not marked though {public_id('n', note)} is not as it was")
    depths = dict(connection.execute("SELECT note, depth FROM reflection").fetchall())
    heard = audience.homes(connection)
    for note, depth, stale, kind, lifecycle in connection.execute(
        "SELECT r.note, r.depth, r.stale, n.kind, n.lifecycle FROM reflection r LEFT JOIN note n ON n.id = r.note "
        "ORDER BY r.note"
    ):
        on = rested.get(note, [])
        if kind != "reflection":
            yield f"reflection {public_id('n', note)} is no note of its kind"
        if depth > MOST_DEPTH:
            yield f"reflection {public_id('n', note)} lies deeper than {MOST_DEPTH}"
        if stale or lifecycle == "forgotten":
            continue
        if note in unsound:
            yield f"reflection {public_id('n', note)} {unsound[note]}"
        elif not on:
            yield f"reflection {public_id('n', note)} rests on nothing and is not marked"
        elif depth != 1 + max(depths.get(each, 0) for each in on):
            yield f"reflection {public_id('n', note)} does not lie one deeper than what it rests on"
        elif heard.get(note, frozenset()) != frozenset().union(*(heard.get(each, frozenset()) for each in on)):
            yield f"reflection {public_id('n', note)} was not heard where what it rests on was"
