"""Long texts: a question is read on the event loop only where it is short, and not the first.

Called by what recalls: to read a question full of dates takes a fifth of a second, and so it does to make the patterns
and tables that the first one needs; nobody else would be answered meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread

from soulmem.core.questions import question_concepts
from soulmem.core.regex import lazy_regex

_SHORT = 200  # characters that are read in passing
_T = TypeVar("_T")


async def aside(text: str, read: Callable[[], _T]) -> _T:
    """What reading the text tells: at once for a short one if all is there that reading takes, else from a thread."""
    is_quick = len(text) <= _SHORT and lazy_regex.is_all_compiled() and question_concepts.is_prepared()
    return read() if is_quick else await anyio.to_thread.run_sync(read)
