"""Profile evidence: the notes that a profile is put together from, as they show now, in what a call may see.

Read-only. All notes of a small mind; of a large one those that name whom it is of, facts first, the latest first.
Invariants: at most `MOST` notes are read; what is masked, forgotten or out of scope is not among what is read.
Of reflections only those are that say by which other name somebody goes.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.facts.fact_reader import told_by
from soulmem.core.profiles.telling import Telling
from soulmem.core.reflection.reflection_wording import ALIAS
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.notes import note_rows, note_validity
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import rendered_notes

MOST = 2_000
_A_DAY = len("2026-05-09")
_KINDS = (
    "(n.kind IN ('semantic', 'episodic') OR (n.kind = 'reflection' AND EXISTS (SELECT 1 FROM reflection r "
    f"WHERE r.note = n.id AND r.topic = '{ALIAS}' AND r.stale = 0))) AND n.lifecycle <> 'forgotten'"
)
_ORDER = "ORDER BY n.pinned DESC, n.kind = 'semantic' DESC, n.id DESC LIMIT ?"
_ESCAPED = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})


def tellings(connection: Connection, words: Sequence[str], now_exp: int, scope: Scope = WHOLE) -> list[Telling]:
    """The notes by which one of these words may be known, oldest first.

    Args: words: names; without any, whatever notes there are.
    """
    ids = _all(connection, scope)
    if len(ids) > MOST and words:
        ids = _naming(connection, words, scope)
    return _read(connection, ids[:MOST], now_exp, scope)


def _all(connection: Connection, scope: Scope) -> list[int]:
    clause, values = scope.notes("n")
    rows = connection.execute(f"SELECT n.id FROM note n WHERE {_KINDS} AND {clause} {_ORDER}", (*values, MOST + 1))
    return [row[0] for row in rows]


def _naming(connection: Connection, words: Sequence[str], scope: Scope) -> list[int]:
    clause, values = scope.notes("n")
    likes = [f"%{word.translate(_ESCAPED)}%" for word in words]
    named = " OR ".join(["n.text LIKE ? ESCAPE '\\' OR n.speaker LIKE ? ESCAPE '\\'"] * len(likes))
    given = [like for like in likes for like in (like, like)]
    rows = connection.execute(
        f"SELECT n.id FROM note n WHERE {_KINDS} AND ({named}) AND {clause} {_ORDER}", (*given, *values, MOST)
    )
    return [row[0] for row in rows]


def _read(connection: Connection, ids: Sequence[int], now_exp: int, scope: Scope) -> list[Telling]:
    found = note_rows.get_many(connection, sorted(ids), scope)
    shown = rendered_notes.faces(connection, found.values(), now_exp)
    told = note_validity.told(connection, list(found))
    ended = note_validity.endings(connection, list(found), scope)
    begun = note_validity.beginnings(connection, list(found))
    read = []
    for note, face in shown.items():
        is_dated = face.at is not None and len(face.at) >= _A_DAY
        at = face.at_ms
        read.append(
            Telling(
                note, face.text, told_by(face.text, face.speaker), at, told[note][0] if is_dated else at,
                face.note.pinned, begun.get(note), ended.get(note, ()),
            )
        )  # fmt: skip
    return sorted(read, key=lambda each: each.note)
