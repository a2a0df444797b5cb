"""Notes as values: the element every note is born with, and how opacity reads.

Called by digestion and by `note.add`. Every note has one level-0 element over its whole text from the start, so that
the overall frame of a memory can fade too; finer elements lie inside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from soulmem.core.drafts import NoteKind
from soulmem.core.traces import BLANK_BELOW, BLUR_BELOW, FAR_FUTURE_MS, Trace, element_dues, stability_ms

ELEMENT_STRENGTH = 0.9
# Stability in days by level: the whole note outlives its clauses, and those their details.
LEVEL_DAYS = {0: 30.0, 1: 14.0, 2: 7.0}
GIST_LENGTH = 60
GRACE_MS = 7 * 86_400_000
RECHECK_MS = 7 * 86_400_000

_VAGUE = {"en": "something that happened", "zh": "一件事"}
# Kinds that never fade by themselves: text the client gave as it is.
LASTING = frozenset({NoteKind.LORE})


@dataclass(frozen=True, slots=True)
class Element:
    """A forgettable span `[start, end)` in code points, with its trace and crossing times."""

    start: int
    end: int
    level: int
    gist: str
    trace: Trace
    blur_at: int
    blank_at: int


def whole_note(text: str, gist: str, *, kind: NoteKind, importance: float, now_exp: int, language: str) -> Element:
    """The level-0 element of a new note: a0 = 0.9, S = 30 days x (0.5 + importance)."""
    trace = Trace(ELEMENT_STRENGTH, now_exp, stability_ms(LEVEL_DAYS[0], importance=importance))
    dues = element_dues(trace)
    lasting = kind in LASTING
    return Element(
        0,
        len(text),
        0,
        safe_gist(text, gist, language=language),
        trace,
        FAR_FUTURE_MS if lasting else dues.blur_ms,
        FAR_FUTURE_MS if lasting else dues.blank_ms,
    )


def safe_gist(text: str, gist: str, *, language: str) -> str:
    """A gist that tells less than the text: not empty, short, and not the text itself."""
    gist = gist.strip()
    leaks = not gist or len(gist) > GIST_LENGTH or text in gist or gist == text
    return _VAGUE.get(language, _VAGUE["en"]) if leaks else gist


def element_state(opacity: float) -> str:
    """`clear` from 0.5 up, `blank` below 0.2, `blurred` between."""
    if opacity >= BLUR_BELOW:
        return "clear"
    return "blurred" if opacity >= BLANK_BELOW else "blank"
