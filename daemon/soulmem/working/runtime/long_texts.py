"""Long texts: a question is read on the event loop only where it is short, and not the first.

Called by what recalls: to read a question full of dates takes a fifth of a second, and so it does to make the patterns
and tables that the first one needs; nobody else would be answered meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from soulmem.core.questions import question_concepts
from soulmem.core.regex import lazy_regex
from soulmem.reading_lanes import SHORT, in_turn
from soulmem.working.runtime.loop_turns import turn

_T = TypeVar("_T")


def is_quick(text: str) -> bool:
    """Whether a text is short, and all is there that reading takes."""
    return len(text) <= SHORT and lazy_regex.is_all_compiled() and question_concepts.is_prepared()


async def aside(text: str, read: Callable[[], _T]) -> _T:
    """What reading the text tells: at once for a short one if all is there that reading takes, else from a thread."""
    if not is_quick(text):
        return await in_turn(text, read)
    await turn()
    return read()
