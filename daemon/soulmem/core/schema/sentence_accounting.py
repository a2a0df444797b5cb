"""What becomes of every sentence of an epoch: told in a note, or left out for a reason that can be looked up.

Values that pass between the splitter and an engine. Left out is not refused: a refused draft is not believed, while
what is left out was said and says nothing about anybody's life. Invariant: a reason is one of `Untold`, and names the
message and the words it is given for.
"""

from __future__ import annotations

from enum import StrEnum

from soulmem.core.schema.note_requests import NoteDraft, SourceQuote, Turn
from soulmem.fast_dataclasses import dataclass


class Untold(StrEnum):
    """Why a sentence is in no note."""

    SMALL_TALK = "small_talk"  # greetings, thanks, wishes, praise, laughter
    QUESTION = "question"  # it asks, or asks for something
    NO_STATEMENT = "no_statement"  # nothing is said of anything
    SAID_BEFORE = "said_before"  # in a note already, in the same words of the same speaker, or echoed by a reply
    TOO_LONG = "too_long"  # of a wall of text, what lies between its beginning and its end


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of one message is in no note for one reason: `count` sentences, `text` as much of them as is shown."""

    seq: int
    reason: Untold
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class AccountRequest:
    """The turns of an epoch, the notes admitted of them, and quotations whose drafts were refused for good.

    With `literal` what is still missing is told in the very words of its message: a wording of ours was refused.
    """

    turns: tuple[Turn, ...]
    notes: tuple[NoteDraft, ...]
    settled: tuple[SourceQuote, ...] = ()
    literal: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """Notes of what no note told so far, and what is left out with its reasons, in the order it was said."""

    missing: tuple[NoteDraft, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
