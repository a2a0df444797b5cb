"""Long texts: a question is read on the event loop only while it is short.

Called by what recalls: to read a question full of dates takes a fifth of a second, and nobody else would be answered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread

_SHORT = 200  # characters that are read in passing
_T = TypeVar("_T")


async def aside(text: str, read: Callable[[], _T]) -> _T:
    """What reading the text tells: at once for a short one, else from a thread."""
    return read() if len(text) <= _SHORT else await anyio.to_thread.run_sync(read)
