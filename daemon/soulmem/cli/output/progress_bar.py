"""A line that shows how far something is, on a terminal; nowhere else is anything shown."""

from __future__ import annotations

import sys

_CELLS = 24


def show_bar(share: float, told: str) -> None:
    if sys.stderr.isatty():
        full = round(min(1.0, max(0.0, share)) * _CELLS)
        sys.stderr.write(f"\r\x1b[K[{'#' * full}{'-' * (_CELLS - full)}] {min(1.0, share):4.0%} {told}")
        sys.stderr.flush()


def end_bar() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
