"""Requests about the details of one note that fade: their reconstruction and their drift."""

from __future__ import annotations

from enum import StrEnum

from soulmem.core.schema.note_requests import TaskRequest
from soulmem.fast_dataclasses import dataclass


class SegmentState(StrEnum):
    CLEAR = "clear"
    BLUR = "blur"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a note. `text` is what is still known of it (nothing if blank); `gist` its vaguer wording.

    `length` is the number of characters of what was there, which bounds a fill.
    """

    number: int
    state: SegmentState
    text: str = ""
    gist: str = ""
    length: int = 0


@dataclass(frozen=True, slots=True)
class MaskedNote:
    label: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class ReconstructRequest(TaskRequest):
    notes: tuple[MaskedNote, ...]
    persona: str = ""
    mood: str = ""


@dataclass(frozen=True, slots=True)
class Fill:
    """What the character put into one faded segment; None is "I really do not remember"."""

    note: str
    segment: int
    text: str | None


@dataclass(frozen=True, slots=True)
class FadedDetail:
    """A detail that has blurred, and how it stands in its note.

    `before` and `after` are what still shows around it; `at_ms`: when the note happened, UTC milliseconds; `known`:
    names this mind knows, whatever they name.
    """

    label: str
    text: str
    gist: str
    before: str = ""
    after: str = ""
    at_ms: int = 0
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MisrememberRequest(TaskRequest):
    """What could be taken for each detail? The answer is up to `count` wordings for each."""

    details: tuple[FadedDetail, ...]
    count: int = 5


@dataclass(frozen=True, slots=True)
class Misremembered:
    """Short wordings in place of one detail, from slightly vaguer to alike but wrong."""

    label: str
    wordings: tuple[str, ...]
