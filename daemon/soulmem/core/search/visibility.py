"""Visibility: which rows of the in-memory index exist for an audience.

Owns the homes of the notes that have several; those with one, and messages and summaries, have it in the rows' column
of conversations. Only `core.search.memory_index` calls it, and says when something comes, goes or moves: until then the
rows of the last audience are known. The rule itself is in `core.schema.audience`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from soulmem.core.schema.audience import COMMON, SEVERAL, Audience, column_home
from soulmem.core.search.index_columns import Rows


class Visibility:
    """The homes of one index."""

    def __init__(self) -> None:
        self._several: dict[int, frozenset[int]] = {}  # by note
        self._last: tuple[Audience, NDArray[np.bool_]] | None = None

    def changed(self) -> None:
        """A row came, went or moved."""
        self._last = None

    def put(self, note: int, homes: frozenset[int]) -> int:
        """Keep a note's homes; returns what stands for them in the column."""
        self.drop(note)
        if len(homes) > 1:
            self._several[note] = homes
        return column_home(homes)

    def put_all(self, several: Mapping[int, frozenset[int]]) -> None:
        """Keep those of many notes that have several."""
        self.changed()
        self._several.update(several)

    def drop(self, note: int) -> None:
        self.changed()
        self._several.pop(note, None)

    def of(self, note: int, column: int) -> frozenset[int]:
        """A note's homes, given what stands in the column."""
        if column == SEVERAL:
            return self._several[note]
        return frozenset() if column == COMMON else frozenset({column})

    def visible(self, audience: Audience | None, rows: Rows, notes: Mapping[int, int]) -> NDArray[np.bool_]:
        """The rows that exist for an audience; `notes` are the rows of the notes. Not to be written to."""
        active = rows.active[: rows.count]
        if audience is None:
            return active
        if self._last is not None and self._last[0] == audience:
            return self._last[1]
        known = np.array([COMMON, *sorted(audience)], dtype=np.int64)
        within = np.isin(rows.conversation[: rows.count], known)
        for note, homes in self._several.items():
            within[notes[note]] = homes <= audience
        visible = active & within
        self._last = (audience, visible)
        return visible
