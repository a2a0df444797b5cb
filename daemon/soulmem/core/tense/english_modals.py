"""Whether a modal verb tells of what is to come or was: "had better go", "should have come", "he'd land".

Called by `core/tense/english_tense.py` before it looks for the finite verb, which alone would mislead. Pure.
"""

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern

AHEAD, BEHIND, MIXED = "ahead", "behind", "mixed"
_NEAR_A_MODAL = 60  # characters
_HAD_BETTER = LazyPattern(r"\bhad better\b|['’]d better\b", re.IGNORECASE)
_SHOULD_HAVE = LazyPattern(  # and not "I should have my results by Friday"
    r"\b(?:should|shouldn['’]?t|must)(?: have| of|['’]ve|a)(?: \w+ly| just| already| never)? (?:been|come|gone|done|got"
    r"|had|made|said|seen|taken|left|paid|rung|told|sent|met|bought|brought|begun|run|known|\w{2,}ed)\b",
    re.IGNORECASE,
)
_THINKING_ABOUT = LazyPattern(
    r"\b(?:think|thinking|worry|worrying|dream|dreaming|talking) (?:about|of)(?: the)? ?$", re.I
)
_WOULD_DO = LazyPattern(
    r"\b(?:i|you|he|she|it|we|they)['’]d (?:be|come|go|leave|land|arrive|start|call|ring|visit|bring|send|fly|drive|do"
    r"|get|take|finish|pay) [^.!?]*$",
    re.IGNORECASE,
)
_OFFERED = LazyPattern(  # "the first they could offer me was the 19th of June" is yet to come
    r"\b(?:offer(?:ed)?|earliest|soonest|(?:first|next) (?:appointment|slot|available|thing they|one they))\b"
    r"[^.!?]{0,40} was(?: for| on)?(?: the)? ?$",
    re.IGNORECASE,
)
_INVITED = LazyPattern(  # "he asked me to dinner on Friday": he asked then, and the dinner is yet to come
    r"\b(?:asked|invited) (?:me|us|him|her|them|you) (?:both |all )?(?:to|out|over|round|for|along)\b"
    r"[^.!?]{0,30}?(?: on| for| this| next)?(?: the)? ?$",
    re.IGNORECASE,
)


def sign_of_modal(before: str, after: str) -> str | None:
    """What a modal verb tells of a date between `before` and `after`; None where there is none."""
    near = f"{before[-_NEAR_A_MODAL:]} {after[:_NEAR_A_MODAL]}"
    if _HAD_BETTER.search(near) is not None:
        return AHEAD
    if _SHOULD_HAVE.search(near) is not None:
        return BEHIND
    before = before[-_NEAR_A_MODAL:]
    return MIXED if any(each.search(before) for each in (_THINKING_ABOUT, _WOULD_DO, _OFFERED, _INVITED)) else None
