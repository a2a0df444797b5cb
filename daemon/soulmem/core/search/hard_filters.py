"""Hard filters: which rows of the in-memory index the hard filters of a search let through.

Filters come before any ranking, so that what may not be found takes no place. `core.search.memory_index` ranks what is
left.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema.audience import Audience
from soulmem.core.search.index_columns import KIND_CODES, KINDS, ItemKind, ItemRef, Vector
from soulmem.core.search.index_data import IndexData
from soulmem.core.search.relevance_scoring import Question, speaker_key
from soulmem.fast_dataclasses import dataclass

Part = slice | NDArray[np.int64]  # some of the rows


@dataclass(frozen=True, slots=True)
class Query:
    """One search. All but `question`, `vector`, `k`, `legible` are hard filters; times in UTC ms, `to_ms` exclusive.

    `before` = (conversation, seq) leaves out that message and later ones there: a message must not recall itself.
    `notes`, `messages`: of them only these. With `audience` (`core.schema.audience`) nothing else is found or weighs;
    with `until`, the row of a message, neither that message nor any later one exists. `legible`: how much the likeness
    of vectors may say of whether something answers, 0..1.
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
    messages: NDArray[np.int64] | None = None
    audience: Audience | None = None
    until: int | None = None
    legible: float = 1.0

    def is_open_to(self, kind: ItemKind) -> bool:
        """Whether no filter keeps any item of a kind out, whatever it is; `audience` is not asked."""
        return (self.kinds is None or kind in self.kinds) and self.is_open

    @property
    def is_open(self) -> bool:
        """Whether no filter but that of kinds is set; `audience` is not asked."""
        given = (self.speaker, self.conversation, self.from_ms, self.to_ms, self.before, self.until)
        return not self.exclude and not self.is_of_some and all(each is None for each in given)

    @property
    def is_of_some(self) -> bool:
        """Whether only certain notes or messages are asked for."""
        return self.notes is not None or self.messages is not None


class HardFilters:
    """The filters over the rows of one index."""

    def __init__(self, data: IndexData) -> None:
        self._data = data
        self._open: tuple[int, frozenset[ItemKind] | None, NDArray[np.int64]] | None = None  # in which state

    def admits(self, query: Query, kind: ItemKind, keys: Iterable[int]) -> list[int]:
        """Of these items those that the filters of a query let through, whatever speaks for them."""
        held = self._data.row_of[KIND_CODES[kind]]
        if query.is_open_to(kind):
            return [key for key in keys if key in held]
        rows = {row: key for key in keys if (row := held.get(key)) is not None}
        allowed = self.allowed(query, np.fromiter(rows, dtype=np.int64, count=len(rows)))
        return [key for key, lets in zip(rows.values(), allowed.tolist(), strict=True) if lets]

    def there_for(self, query: Query) -> NDArray[np.bool_]:
        """The rows that exist for a query: for its audience, and at its time. Not to be written to."""
        visible = self._data.visible(query.audience)
        if query.until is None:
            return visible
        rows, count = self._data.rows, self._data.rows.count
        is_message = rows.kind[:count] == KIND_CODES[ItemKind.MESSAGE]
        there: NDArray[np.bool_] = visible & ~(is_message & (rows.key[:count] >= query.until))
        return there

    def of_kinds(
        self, kinds: frozenset[ItemKind] | None, which: NDArray[np.int64] | slice | None = None
    ) -> NDArray[np.bool_]:
        rows = self._data.rows
        which = slice(rows.count) if which is None else which
        found = rows.active[which].copy()
        for kind in KINDS:
            if kinds is not None and kind not in kinds:
                found &= rows.kind[which] != KIND_CODES[kind]
        return found

    def among(self, query: Query, part: slice | NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the rows are of the notes and messages that are asked for, or of whatever is neither."""
        kinds, found = self._data.rows.kind[part], np.True_
        for kind, chosen in ((ItemKind.NOTE, query.notes), (ItemKind.MESSAGE, query.messages)):
            if chosen is not None:
                found = found & ((kinds != KIND_CODES[kind]) | np.isin(self._data.rows.key[part], chosen))
        return np.broadcast_to(found, kinds.shape)

    def allowed(self, query: Query, which: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Which of these rows, or of all, the filters let through."""
        rows = self._data.rows
        part = slice(rows.count) if which is None else which
        allowed = self.of_kinds(query.kinds, part)
        if query.conversation is not None:
            allowed &= rows.conversation[part] == query.conversation
        if query.speaker is not None:
            wanted = self._data.speaker_number(speaker_key(query.speaker))
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
        if query.is_of_some:
            allowed &= self.among(query, part)
        shut = [row for kind, key in query.exclude if (row := self._data.row_of[KIND_CODES[kind]].get(key)) is not None]
        if which is not None:
            allowed &= ~np.isin(which, shut)
        else:
            allowed[shut] = False
        return allowed

    def allowed_rows(self, query: Query, visible: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The rows that the filters let through, of those that are visible; the same as last time where none is set."""
        is_open = query.audience is None and query.is_open
        if is_open and self._open is not None and self._open[:2] == (self._data.state, query.kinds):
            return self._open[2]
        rows = np.flatnonzero(self.allowed(query) & visible)
        if is_open:
            self._open = (self._data.state, query.kinds, rows)
        return rows


def run_of(rows: NDArray[np.int64]) -> Part:
    """These ascending rows to read columns by: a slice where they follow each other, for then nothing is copied."""
    if len(rows) and int(rows[-1]) - int(rows[0]) + 1 == len(rows):
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows
