"""Importing a package without another that it would take along if it were there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hidden(name: str) -> Iterator[None]:
    """Let a package seem not installed inside the block, unless it is imported already. For imports at the top only."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # how the import system is told that there is no such module
    try:
        yield
    finally:
        sys.modules.pop(name, None)
