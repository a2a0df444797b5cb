"""Curves, meters and bars of forgetting, drawn with characters.

Called by the commands that show how memories fade. Every drawing is a list of plain lines of known width, coloured only
for a terminal, so that it reads the same in a pipe; a curve is known by its letter, colour only helps. Pure but for the
colour.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import groupby
from string import ascii_lowercase
from typing import NamedTuple

from soulmem.cli.output.tables import paint

Points = Sequence[Sequence[float]]  # (day, strength), by day

LETTERS = ascii_lowercase
_COLOURS = ("cyan", "yellow", "green", "red", "bold")
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))  # of a braille cell: two columns of four
_HEIGHTS = "·▁▂▃▄▅▆▇█"  # no blank among them: a table folds blanks
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LABEL = 5  # cells of the scale at the left
_LEAST_COLUMNS = 20


class Level(NamedTuple):
    """A line across the chart with a word at the left, such as the threshold where a detail blurs."""

    at: float
    name: str


def meter(share: float, cells: int = 8) -> str:
    """A share of 1 as a horizontal bar, at most `cells` wide."""
    eighths = round(min(1.0, max(0.0, share)) * cells * 8)
    whole, rest = divmod(eighths, 8)
    return "█" * whole + (_EIGHTHS[rest] if rest else "")


def height(share: float) -> str:
    """A share of 1 as one character that is the taller the more is left; nothing left is a dot."""
    return _HEIGHTS[min(8, max(0, -int(-share * 8 // 1)))]


def distinct(curves: Sequence[Points]) -> list[int]:
    """For each curve the number of its shape, by first appearance: those that look alike share a letter."""
    shapes: dict[tuple[float, ...], int] = {}
    return [shapes.setdefault(tuple(round(at, 3) for _, at in curve), len(shapes)) for curve in curves]


def chart(curves: Sequence[Points], *, columns: int, rows: int, levels: Sequence[Level] = ()) -> list[str]:
    """Curves over the same days as a drawing `columns` wide and `rows + 2` high, scale and days included.

    Strength runs from 1 at the top to 0 at the bottom. Each curve bears its letter where it is farthest from the
    others.
    """
    wide = max(_LEAST_COLUMNS, columns) - _LABEL - 2
    days = curves[0][-1][0]
    heights = [[_height(value_at(curve, days * x / (2 * wide - 1)), rows) for x in range(2 * wide)] for curve in curves]
    cells: dict[tuple[int, int], int] = {}
    owner: dict[tuple[int, int], int] = {}
    for number, line in enumerate(heights):
        for x, y in _dots(line):
            place = (x // 2, y // 4)
            cells[place] = cells.get(place, 0) | _DOTS[x % 2][y % 4]
            owner.setdefault(place, number)
    letters = {place: number for number, place in _letters(heights, wide).items()}
    marks = {_height(level.at, rows) // 4: level for level in reversed(levels)}
    lines = []
    for row in range(rows):
        name = marks[row].name if row in marks else "1" if row == 0 else "0" if row == rows - 1 else ""
        field = [_cell((x, row), cells, owner, letters, ruled=row in marks) for x in range(wide)]
        lines.append(f"{paint(name.rjust(_LABEL), 'dim')} {paint('┤', 'dim')}{_painted(field)}")
    return [*lines, *_axis(days, wide)]


def value_at(curve: Points, day: float) -> float:
    """The strength on a day, between two points on the straight line that joins them."""
    after = bisect_left(curve, day, key=lambda point: point[0])
    if after == 0:
        return curve[0][1]
    if after == len(curve):
        return curve[-1][1]
    (day0, at0), (day1, at1) = curve[after - 1], curve[after]
    return at0 + (at1 - at0) * (day - day0) / (day1 - day0)


def _height(share: float, rows: int) -> int:
    """The dot of a share, counted from the top."""
    return round((1.0 - min(1.0, max(0.0, share))) * (4 * rows - 1))


def _dots(line: Sequence[int]) -> list[tuple[int, int]]:
    """The dots of a curve, without gaps where it is steep."""
    dots = [(0, line[0])]
    for x in range(1, len(line)):
        step = 1 if line[x] > line[x - 1] else -1
        dots += [(x, y) for y in range(line[x - 1] + step, line[x], step)]
        dots.append((x, line[x]))
    return dots


def _letters(heights: Sequence[Sequence[int]], wide: int) -> dict[int, tuple[int, int]]:
    """Where each curve bears its letter."""
    places: dict[int, tuple[int, int]] = {}
    for number, line in enumerate(heights):
        others = [other for place, other in enumerate(heights) if place != number]

        def room(x: int, line: Sequence[int] = line, others: Sequence[Sequence[int]] = others) -> tuple[int, int]:
            near = min((abs(line[2 * x] - other[2 * x]) for other in others), default=0)
            return min(near, 12), -abs(x - wide // 3)

        free = [x for x in range(wide) if (x, line[2 * x] // 4) not in places.values()]
        x = max(free, key=room)
        places[number] = (x, line[2 * x] // 4)
    return places


def _cell(
    place: tuple[int, int],
    cells: Mapping[tuple[int, int], int],
    owner: Mapping[tuple[int, int], int],
    letters: Mapping[tuple[int, int], int],
    *,
    ruled: bool,
) -> tuple[str, str]:
    """A character of the field and its colour."""
    if place in letters:
        return LETTERS[letters[place] % 26], _COLOURS[letters[place] % len(_COLOURS)]
    if place in cells:
        return chr(0x2800 + cells[place]), _COLOURS[owner[place] % len(_COLOURS)]
    return ("┄", "dim") if ruled else (" ", "")


def _painted(field: Sequence[tuple[str, str]]) -> str:
    """Join characters, painting each run of one colour at once; blanks at the end are left out."""
    last = max((x for x, (_, style) in enumerate(field) if style), default=-1)
    runs = groupby(field[: last + 1], key=lambda each: each[1])
    joined = [(style, "".join(character for character, _ in run)) for style, run in runs]
    return "".join(paint(text, style) if style else text for style, text in joined)


def _axis(days: float, wide: int) -> list[str]:
    parts = 4 if wide >= 40 else 2 if wide >= 24 else 1
    ticks = [round(part * (wide - 1) / parts) for part in range(parts + 1)]
    line = "".join("┴" if x in ticks else "─" for x in range(wide))
    labels = ""
    for x in ticks:
        text = "now" if x == 0 else f"{_short(days * x / (wide - 1))} d"
        start = min(x, wide - len(text)) if x == ticks[-1] else x - (len(text) // 2 if x else 0)
        labels = labels.ljust(start) + text
    lead = " " * (_LABEL + 1)
    return [lead + paint("└" + line, "dim"), (lead + " " + paint(labels, "dim")).rstrip()]


def _short(days: float) -> str:
    return f"{days:.0f}" if days >= 10 else f"{days:.1f}".removesuffix(".0")
