"""Values that pass between the mind and a language model: what a task is given and what it answers.

Pure data, no behaviour. Every sentence an engine returns names the messages it came from, so that nothing
enters the memory without a source (algorithms.md §0.3, §6.2).
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Any

from soulmem.fast_dataclasses import dataclass


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    CORRECTION = "correction"


class NoteKind(StrEnum):
    EPISODIC = "episodic"
    ABSTRACT = "abstract"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    TRIGGER = "trigger"
    REFLECTION = "reflection"
    PLAN = "plan"
    LORE = "lore"


class LinkKind(StrEnum):
    ASSOCIATION = "association"
    SEMANTIC = "semantic"
    ABSTRACT_OF = "abstract_of"
    TRIGGER = "trigger"
    EVIDENCE = "evidence"
    SUPERSEDES = "supersedes"


class LinkOrigin(StrEnum):
    CLIENT = "client"
    MODEL = "model"
    HEBB = "hebb"
    SIMILARITY = "similarity"
    SYNONYM = "synonym"


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is who, as every task is told it: whose memory it is, who speaks with it, who asks now.

    `character` is a name that people know, never a mind's technical one; empty where nobody gave it one. `people` are
    those known beyond the turns of the request itself.
    """

    character: str = ""
    persona: str = ""
    people: tuple[str, ...] = ()
    asker: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as an engine sees it. `at_ms`: when it happened, UTC milliseconds."""

    seq: int
    role: Role
    speaker: str
    text: str
    at_ms: int
    boundary: bool = False


@dataclass(frozen=True, slots=True)
class SourceQuote:
    """A verbatim substring of the message `seq` that supports a sentence."""

    seq: int
    quote: str


@dataclass(frozen=True, slots=True)
class SummaryPoint:
    """One self-contained sentence of a summary (who, what, when) with its support."""

    text: str
    sources: tuple[SourceQuote, ...]
    at_ms: int
    salience: float  # 0..1, comparable across rolls of one summary


@dataclass(frozen=True, slots=True)
class Summary:
    """A rolling summary. `text` is what a prompt shows; `points` is what the splitter works from."""

    text: str
    points: tuple[SummaryPoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRequest:
    """What every request says: the language it is put in, None for that of its texts; and who is who."""

    language: str | None = None
    cast: Cast = Cast()


@dataclass(frozen=True, slots=True)
class SummariseRequest(TaskRequest):
    """`is_last`: the talk is over, and its messages are split into notes next, whatever this summary says."""

    previous: Summary | None
    turns: tuple[Turn, ...]
    context: tuple[Turn, ...] = ()  # already summarised, read-only
    max_tokens: int = 800
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class SplitRequest(TaskRequest):
    """`context` are the turns just before: they help to understand, and no note is made of them."""

    summary: Summary
    turns: tuple[Turn, ...]  # the raw messages of the epoch, or its last ones
    context: tuple[Turn, ...] = ()


class Anchor(StrEnum):
    """What holds a detail back from fading: struck at once, or learnt on purpose (algorithms.md §6.3)."""

    NONE = "none"
    SPONTANEOUS = "spontaneous"
    FORCED = "forced"


@dataclass(frozen=True, slots=True)
class ElementDraft:
    """A span of a note that may fade by itself: characters `[start, end)`, level 1 a clause, 2 a detail."""

    start: int
    end: int
    level: int
    gist: str = ""
    anchor: Anchor = Anchor.NONE


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """A note to be. `gist` is a vaguer wording of the whole note, `valence` -1..1.

    `importance` 0..1; None where the engine gave none: then it is rated by itself. `arousal` 0..1: how stirred up it is
    told, which makes it last.
    """

    label: str
    kind: NoteKind
    text: str
    sources: tuple[SourceQuote, ...]
    at_ms: int
    gist: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    elements: tuple[ElementDraft, ...] = ()
    importance: float | None = None
    valence: float = 0.0
    arousal: float = 0.0
    attributes: dict[str, Any] = field(default_factory=dict)  # semantic facts: subject, relation, object


@dataclass(frozen=True, slots=True)
class LinkNode:
    """A note as the linker sees it, under a short label. Hot notes carry their recall count and frequency."""

    label: str
    kind: NoteKind
    text: str
    entities: tuple[str, ...] = ()
    at_ms: int = 0
    count: int = 0
    frequency: float = 0.0
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class LinkRequest(TaskRequest):
    new: tuple[LinkNode, ...]
    hot: tuple[LinkNode, ...]
    summary: str = ""
    persona: str = ""
    mood: str = ""


@dataclass(frozen=True, slots=True)
class LinkDraft:
    src: str
    dst: str
    kind: LinkKind
    verb: str = ""
    intensity: float = 0.0  # 0..1; initial strength = 0.3 + 0.5 * intensity (algorithms.md §2.4)
    confidence: float = 0.5


GIST_LENGTH = 60
# Kinds that never fade by themselves: text the client gave as it is.
LASTING = frozenset({NoteKind.LORE})


def lasts(kind: NoteKind, *, pinned: bool) -> bool:
    """Whether nothing of a note ever fades: it is pinned, or text the client gave as it is."""
    return pinned or kind in LASTING
