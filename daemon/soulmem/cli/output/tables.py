"""What the command line prints: aligned tables, moments, quantities and colour, for people.

Called by every command family; imports the standard library only, so that a short command stays short.
Invariants: nothing is coloured unless a terminal reads it (and `NO_COLOR` is unset), columns align by
display width (a Chinese character takes two cells), and a table in a pipe is never cut.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TextIO

_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_ELLIPSIS = "…"
_LEAST_FLEXIBLE = 16
_BAR_CELLS = 24


class Column(NamedTuple):
    """A column of a table. `right` aligns numbers; the one `flexible` column gives way to the terminal."""

    title: str
    right: bool = False
    flexible: bool = False


def columns(titles: str) -> list[Column]:
    """Columns by their titles, parted by commas: `>` behind a title says that it is right, `*` that it is flexible."""
    return [Column(each.rstrip(">*"), each.endswith(">"), each.endswith("*")) for each in titles.split(", ")]


def speak_utf8() -> None:
    """Make the standard streams UTF-8 whatever the locale says, so that no text is ever mangled."""
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        reconfigure = getattr(stream, "reconfigure", None)  # a captured stream may not have it
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)


def out(text: str = "") -> None:
    sys.stdout.write(text + "\n")


def err(text: str) -> None:
    sys.stderr.write(text + "\n")


def out_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object: indented for a person, one line for a pipe."""
    indent = 2 if sys.stdout.isatty() else None
    out(json.dumps(value, ensure_ascii=False, indent=indent))


def coloured(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str, stream: TextIO | None = None) -> str:
    """Colour text for a terminal; elsewhere return it as it is."""
    if not coloured(stream or sys.stdout):
        return text
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m"


def width(text: str) -> int:
    """Terminal cells that text takes: two for wide characters, none for combining ones."""
    if text.isascii():
        return len(text)
    cells = 0
    for character in text:
        if unicodedata.combining(character) or character in "\u200b\u200d\ufe0f":
            continue
        cells += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return cells


def clip(text: str, cells: int) -> str:
    """Cut text to a number of cells, with an ellipsis where something is missing."""
    if width(text) <= cells:
        return text
    kept, used = [], 1
    for character in text:
        used += width(character)
        if used > cells:
            break
        kept.append(character)
    return "".join(kept).rstrip() + _ELLIPSIS


def one_line(text: str) -> str:
    """Fold text into one line without control characters, so that it can neither break nor paint a table."""
    return "".join(character if character.isprintable() else " " for character in " ".join(text.split()))


def terminal_cells() -> int | None:
    """Columns of the terminal; None when nobody watches and nothing need be cut."""
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else None


def table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lay out rows under their titles, as lines without trailing blanks."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max([width(column.title), *(width(row[i]) for row in cells)]) for i, column in enumerate(columns)]
    total = terminal_cells()
    for i, column in enumerate(columns):
        if column.flexible and total is not None:
            others = sum(widths) - widths[i] + 2 * (len(columns) - 1)
            widths[i] = min(widths[i], max(_LEAST_FLEXIBLE, total - others))
    lines = [paint(_row(columns, widths, [column.title for column in columns]), "dim")]
    lines += [_row(columns, widths, row) for row in cells]
    return lines


def show_table(titles: str, rows: Iterable[Sequence[str]]) -> None:
    """Print rows under their titles, which are as `columns` takes them."""
    for line in table(columns(titles), rows):
        out(line)


def _row(columns: Sequence[Column], widths: Sequence[int], row: Sequence[str]) -> str:
    parts = []
    for column, cells, text in zip(columns, widths, row, strict=True):
        shown = clip(text, cells)
        blanks = " " * (cells - width(shown))
        parts.append(blanks + shown if column.right else shown + blanks)
    return "  ".join(parts).rstrip()


def pairs(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Lay out `name  value` lines."""
    listed = list(rows)
    widest = max((width(name) for name, _ in listed), default=0)
    return [f"{paint(name, 'dim')}{' ' * (widest - width(name))}  {value}" for name, value in listed]


def moment(value: object) -> str:
    """Show an ISO time of the protocol in local time, to the minute; a coarser one as it is."""
    if isinstance(value, str) and 4 <= len(value) <= 10:  # all that a faded note still tells
        return value
    parsed = parse_time(value)
    return "-" if parsed is None else parsed.astimezone().strftime("%Y-%m-%d %H:%M")


def moment_utc(value: object) -> str:
    """Show an ISO time of the protocol in UTC, as simulated clocks and examples keep it."""
    parsed = parse_time(value)
    return "-" if parsed is None else parsed.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def parse_time(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def iso(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def duration(seconds: float) -> str:
    """Say a length of time in its two largest units: `3 d 4 h`, `12 min`, `8 s`."""
    left = int(max(0.0, seconds))
    parts = []
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) if parts else "0 s"


def number(value: object, digits: int = 2) -> str:
    return f"{value:.{digits}f}" if isinstance(value, int | float) else "-"


def plural(count: int, noun: str, many: str | None = None) -> str:
    return f"{count} {noun if count == 1 else many or noun + 's'}"


def describe(result: object) -> str:
    """Say an object of counts in a line: `created 12, refused 1`; lists are counted."""
    if not isinstance(result, Mapping):
        return ""
    shown = []
    for name, value in result.items():
        if isinstance(value, Mapping):
            shown.append(describe(value))
        elif isinstance(value, list):
            shown.append(f"{name} {len(value)}")
        elif isinstance(value, float):
            shown.append(f"{name} {value:.2f}")
        elif value not in (None, ""):
            shown.append(f"{name} {value}")
    return ", ".join(part for part in shown if part)


def show_bar(share: float, told: str) -> None:
    """A line on a terminal that shows how far something is; nowhere else is anything shown."""
    if sys.stderr.isatty():
        full = round(min(1.0, max(0.0, share)) * _BAR_CELLS)
        sys.stderr.write(f"\r\x1b[K[{'#' * full}{'-' * (_BAR_CELLS - full)}] {min(1.0, share):4.0%} {told}")
        sys.stderr.flush()


def end_bar() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
