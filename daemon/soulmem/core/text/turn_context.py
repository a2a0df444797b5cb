"""Turn context: the text by which a turn is embedded once more, together with what stands beside it.

Called by the embedding queue. An answer rarely repeats the words of its question, so a turn is read with its
neighbours; but encoders read only the beginning of a long text, and of a page beside a sentence nothing but the page
would be left. Pure. Invariant: all of a turn is in its context; of what stands beside it only the nearest words are.
"""

from __future__ import annotations

BESIDE = 240  # characters of a neighbour, a turn of usual length
PAGE = 1_000  # characters from which on a text leaves encoders no room for others: it is read alone


def in_context(before: str | None, text: str, after: str | None) -> str:
    """The text with the end of what stands before it and the beginning of what comes after; "" of a page."""
    if len(text) > PAGE:
        return ""
    return " ".join(part for part in ((before or "")[-BESIDE:], text, (after or "")[:BESIDE]) if part)
