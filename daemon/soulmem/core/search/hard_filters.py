"""Hard filters: which rows of the in-memory index the hard filters of a search let through.

Filters come before any ranking, so that what may not be found takes no place. `core.search.memory_index` ranks what is
left.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema.audience import Audience
from soulmem.core.search import relevance_scoring
from soulmem.core.search.index_columns import KIND_CODES, KINDS, ItemKind, ItemRef, Vector
from soulmem.core.search.index_data import Held
from soulmem.core.search.relevance_scoring import Question
from soulmem.fast_dataclasses import dataclass

Part = slice | NDArray[np.int64]  # some of the rows


@dataclass(frozen=True, slots=True)
class Query:
    """One search. Everything but `question`, `vector` and `k` is a hard filter, applied before ranking.

    `from_ms` is inclusive, `to_ms` exclusive (UTC milliseconds of `at`). `before` = (conversation, seq) leaves out that
    message and later ones of the same conversation: a message must not recall itself. `notes`: of the notes only these.
    With `audience` (`core.schema.audience`) only what has its homes there exists: nothing else is found, and nothing
    else weighs. With `until`, the row of a message, neither that message nor any that came later exists. `legible`: how
    much the likeness of vectors may say of whether something answers, 0..1.
    """

    question: Question
    vector: Vector | None = None
    k: int = 10
    kinds: frozenset[ItemKind] | None = None
    speaker: str | None = None
    conversation: int | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    before: tuple[int, int] | None = None
    exclude: frozenset[ItemRef] = frozenset()
    notes: NDArray[np.int64] | None = None
    audience: Audience | None = None
    until: int | None = None
    legible: float = 1.0

    def is_open_to(self, kind: ItemKind) -> bool:
        """Whether no filter keeps any item of a kind out, whatever it is; `audience` is not asked."""
        return (self.kinds is None or kind in self.kinds) and self.is_open

    @property
    def is_open(self) -> bool:
        """Whether no filter but that of kinds is set; `audience` is not asked."""
        given = (self.speaker, self.conversation, self.from_ms, self.to_ms, self.before, self.notes, self.until)
        return not self.exclude and all(each is None for each in given)


class FilteredIndex(Held):
    """The rows of one mind, filtered."""

    def __init__(self, dimension: int = 0, *, shared_from: int = 0) -> None:
        super().__init__(dimension, shared_from=shared_from)
        self._open: tuple[int, frozenset[ItemKind] | None, NDArray[np.int64]] | None = None  # in which state

    def admits(self, query: Query, kind: ItemKind, keys: Iterable[int]) -> list[int]:
        """Of these items those that the filters of a query let through, whatever speaks for them."""
        held = self._row_of[KIND_CODES[kind]]
        if query.is_open_to(kind):
            return [key for key in keys if key in held]
        rows = {row: key for key in keys if (row := held.get(key)) is not None}
        allowed = self._allowed(query, np.fromiter(rows, dtype=np.int64, count=len(rows)))
        return [key for key, lets in zip(rows.values(), allowed.tolist(), strict=True) if lets]

    def around(self, query: Query, kind: ItemKind, stretches: Iterable[tuple[int, int]], most: int) -> list[ItemRef]:
        """Items of a kind that filters let through, with their time in one of these stretches, latest first."""
        rows = self._allowed_rows(query, self._there_for(query))
        at_ms = self._rows.at_ms[rows]
        inside = np.zeros(len(rows), dtype=np.bool_)
        for start, end in stretches:
            inside |= (at_ms >= start) & (at_ms < end)
        found = rows[inside]
        found = found[self._rows.kind[found] == KIND_CODES[kind]]
        latest = np.argsort(-self._rows.at_ms[found], kind="stable")[:most]
        return self._refs(found[latest])

    # -- inside -------------------------------------------------------------------------------------------

    def _there_for(self, query: Query) -> NDArray[np.bool_]:
        """The rows that exist for a query: for its audience, and at its time. Not to be written to."""
        visible = self._visible(query.audience)
        if query.until is None:
            return visible
        rows, count = self._rows, self._rows.count
        is_message = rows.kind[:count] == KIND_CODES[ItemKind.MESSAGE]
        there: NDArray[np.bool_] = visible & ~(is_message & (rows.key[:count] >= query.until))
        return there

    def _of_kinds(
        self, kinds: frozenset[ItemKind] | None, which: NDArray[np.int64] | slice | None = None
    ) -> NDArray[np.bool_]:
        rows = self._rows
        which = slice(rows.count) if which is None else which
        found = rows.active[which].copy()
        for kind in KINDS:
            if kinds is not None and kind not in kinds:
                found &= rows.kind[which] != KIND_CODES[kind]
        return found

    def _among(self, notes: NDArray[np.int64], part: slice | NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the rows are of these notes, or of whatever is no note."""
        is_other: NDArray[np.bool_] = self._rows.kind[part] != KIND_CODES[ItemKind.NOTE]
        return is_other | np.isin(self._rows.key[part], notes)

    def _allowed(self, query: Query, which: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Which of these rows, or of all, the filters let through."""
        rows = self._rows
        part = slice(rows.count) if which is None else which
        allowed = self._of_kinds(query.kinds, part)
        if query.conversation is not None:
            allowed &= rows.conversation[part] == query.conversation
        if query.speaker is not None:
            wanted = self._speaker_ids.get(relevance_scoring.speaker_key(query.speaker), -1)
            allowed &= rows.speaker[part] == wanted
        if query.from_ms is not None:
            allowed &= rows.at_ms[part] >= query.from_ms
        if query.to_ms is not None:
            allowed &= rows.at_ms[part] < query.to_ms
        if query.before is not None:
            conversation, seq = query.before
            allowed &= ~((rows.conversation[part] == conversation) & (rows.seq[part] >= seq))
        if query.until is not None:
            is_message = rows.kind[part] == KIND_CODES[ItemKind.MESSAGE]
            allowed &= ~(is_message & (rows.key[part] >= query.until))
        if query.notes is not None:
            allowed &= self._among(query.notes, part)
        shut = [row for kind, key in query.exclude if (row := self._row_of[KIND_CODES[kind]].get(key)) is not None]
        if which is not None:
            allowed &= ~np.isin(which, shut)
        else:
            allowed[shut] = False
        return allowed

    def _allowed_rows(self, query: Query, visible: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The rows that the filters let through, of those that are visible; the same as last time where none is set."""
        is_open = query.audience is None and query.is_open
        if is_open and self._open is not None and self._open[:2] == (self.state, query.kinds):
            return self._open[2]
        rows = np.flatnonzero(self._allowed(query) & visible)
        if is_open:
            self._open = (self.state, query.kinds, rows)
        return rows

    def _refs(self, rows: NDArray[np.int64]) -> list[ItemRef]:
        kinds, keys = self._rows.kind[rows].tolist(), self._rows.key[rows].tolist()
        return [(KINDS[kind], key) for kind, key in zip(kinds, keys, strict=True)]


def run_of(rows: NDArray[np.int64]) -> Part:
    """These ascending rows to read columns by: a slice where they follow each other, for then nothing is copied."""
    if len(rows) and int(rows[-1]) - int(rows[0]) + 1 == len(rows):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows
