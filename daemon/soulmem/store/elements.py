"""Elements: the forgettable spans of notes, with their traces and crossing times.

Owns `element`. Called by `notes` and by the views; nothing here decays by being written: opacity is computed when read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from soulmem.store.driver import Connection


@dataclass(frozen=True, slots=True)
class ElementRow:
    id: int
    note: int
    start: int
    end: int
    level: int
    gist: str
    anchor: str
    a0: float
    t0: int
    stability: int
    due_blur: int
    due_blank: int


@dataclass(frozen=True, slots=True)
class NewElement:
    start: int
    end: int
    level: int
    gist: str
    a0: float
    t0: int
    stability: int
    due_blur: int
    due_blank: int
    anchor: str = "none"


def of_notes(connection: Connection, ids: Sequence[int]) -> dict[int, list[ElementRow]]:
    found: dict[int, list[ElementRow]] = {note: [] for note in ids}
    marks = ",".join("?" * len(ids))
    for row in connection.execute(
        'SELECT id, note, start, "end", level, gist, anchor, a0, t0, stability, due_blur, due_blank '
        f"FROM element WHERE note IN ({marks}) ORDER BY note, start, id",
        tuple(ids),
    ):
        found[row[1]].append(ElementRow(*row))
    return found


def insert(connection: Connection, note: int, elements: tuple[NewElement, ...]) -> None:
    connection.executemany(
        'INSERT INTO element (note, start, "end", level, gist, anchor, a0, t0, stability, due_blur, due_blank) '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (note, e.start, e.end, e.level, e.gist, e.anchor, e.a0, e.t0, e.stability, e.due_blur, e.due_blank)
            for e in elements
        ],
    )


def replace(connection: Connection, note: int, elements: tuple[NewElement, ...]) -> None:
    """Give a note other elements, because its text changed."""
    connection.execute("DELETE FROM element WHERE note = ?", (note,))
    insert(connection, note, elements)
