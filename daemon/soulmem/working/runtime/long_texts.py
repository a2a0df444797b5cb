"""Long texts: a question is read on the event loop only where it is short, and not the first.

Called by what recalls: to read a question full of dates takes a fifth of a second, and so it does to make the patterns
and tables that the first one needs; nobody else would be answered meanwhile. `embedded` gives the vector of a question
that somebody waits for: an embedder that is away or cannot read it fails no recall.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from soulmem.core.questions import question_concepts
from soulmem.core.regex import lazy_regex
from soulmem.core.text.plain_wording import in_plain_words
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ports import BLIND_BELOW, Embedding, FloatVector
from soulmem.reading_lanes import SHORT, in_turn, in_turn_until
from soulmem.working.runtime.backpressure import turn

_T = TypeVar("_T")


def is_prepared() -> bool:
    """Whether all is there that reading takes."""
    return lazy_regex.is_all_compiled() and question_concepts.is_prepared()


def is_quick(text: str) -> bool:
    """Whether a text is read at once."""
    return len(text) <= SHORT and is_prepared()


async def aside(text: str, read: Callable[[], _T]) -> _T:
    """What reading the text tells: at once for a short one if all is there that reading takes, else from a thread.

    Whoever came while it was not there yet goes on as all others once it is, or they would overtake him.
    """
    if len(text) > SHORT:
        return await in_turn(text, read)
    if not is_prepared() and (told := await in_turn_until(is_prepared, text, lambda: (read(),))) is not None:
        return told[0]
    await turn()
    return read()


async def plainly(question: str) -> str:
    """A question in the words that everybody asks with."""
    return await aside(question, lambda: in_plain_words(question))


def begin_embedded(embedding: Embedding, text: str) -> None:
    """Begin to compute what `embedded` will be asked for, if the embedder can read it."""
    if embedding.embedder.coverage(text) >= BLIND_BELOW:
        embedding.begin(text)


async def embedded(
    embedding: Embedding, text: str, meanwhile: Callable[[], None] | None = None, read: float | None = None
) -> FloatVector | None:
    """The vector of a question; None where the embedder cannot read it or is away: then words answer alone.

    `meanwhile` is done while the embedder is at work, if it is; `read`: how much of it the embedder can read, if known.
    """
    if read is None:
        covers = embedding.embedder.coverage
        read = covers(text) if is_quick(text) else await aside(text, lambda: covers(text))
    if read < BLIND_BELOW:
        return None
    try:
        return await embedding.embed_now(text, meanwhile)
    except SoulmemError as error:
        if error.name is not ErrorName.MODEL_UNAVAILABLE:
            raise
        return None
