"""The objects that several methods return, for `schemas/rpc`: checked against it by tests, not at run time."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from soulmem.core.schema.note_requests import LinkKind, LinkOrigin, NoteKind, Role
from soulmem.rpc.methods.wire_shapes import Result, optional

KnownTime = Annotated[
    str | None,
    Field(description="ISO 8601; of a faded note only as fine as is still known (a day, a month, a year) or null"),
]


NoteStateName = Annotated[
    Literal["clear", "blurred", "blank", "rewritten"],
    Field(
        description="how much of it shows: all, some, nothing; rewritten: all, but not as it was told, for what had "
        "faded was filled in (note.history has what it was)"
    ),
]


class SourceShape(Result):
    conversation: str
    seq: int
    id: str
    quote: str | None = None


class ElementShape(Result):
    id: str
    start: int
    end: int
    level: Literal[0, 1, 2]
    gist: str
    anchor: Literal["none", "spontaneous", "forced"]
    opacity: float
    state: Literal["clear", "blurred", "blank"]
    blurs_at: str | None
    blanks_at: str | None


class NoteShape(Result):
    id: str
    kind: NoteKind
    text: str
    rendered: str
    speaker: str | None = Field(default=None, description="who said it; null where nobody alone did, or where it faded")
    state: NoteStateName
    elements: list[ElementShape]
    sources: list[SourceShape]
    tags: list[str]
    importance: float
    valence: float
    attributes: dict[str, Any]
    version: int
    pinned: bool
    lifecycle: Literal["working", "consolidated", "forgotten"]
    created_at: KnownTime
    at: KnownTime
    valid_from: KnownTime = optional("since when it is so, where somebody said; else null")
    valid_to: KnownTime = optional("until when it was so; null while it holds; as valid_from where it never held")
    superseded_by: str | None = optional("the note that says so, and holds instead")
    fidelity: float | None = optional(
        "for its editor: how much of it is still what was told; each reconstruction lowers it"
    )
    reason: str | None = optional("of a forgotten note: client, isolated, merged, ...")
    forgotten_at: str | None = None
    purge_at: str | None = optional("until when note.restore brings it back")
    merged_into: str | None = optional("the note that tells it now; note.restore takes it out of that again")


class LinkShape(Result):
    id: str
    src: str
    dst: str
    kind: LinkKind
    verb: str
    origin: LinkOrigin
    strength: float
    initial: float
    stability_days: float
    confidence: float
    created_at: str
    dies_at: str | None
    valid_from: str | None
    valid_to: str | None


class JobShape(Result):
    id: str
    step: str
    conversation: str | None
    epoch: int | None
    state: Literal["pending", "running", "done", "failed", "preempted", "quarantined"]
    attempts: int
    created_at: str | None  # of what has no job of its own nobody knows
    started_at: str | None
    finished_at: str | None
    result: dict[str, Any] | None
    error: str | None


_REF = "of a message: what tells it from one of the same id in another conversation, like main/m7"


class MessageShape(Result):
    id: str
    ref: str | None = optional(_REF)
    conversation: str
    seq: int
    role: Role
    speaker: str
    content: str
    at: str
    arrived_at: str
    marker: Literal["none", "auto", "forced"]
    boundary: bool
    epoch: int
    version: int
    attributes: dict[str, Any]


class WindowShape(Result):
    size: int
    capacity: int


class SegmentShape(Result):
    number: int
    state: Literal["clear", "blurred", "blank"]
    text: str | None = optional("of a clear one")
    gist: str | None = optional("of a blurred one")
    length: int = Field(description="characters of what stood there; a fill has at most twice as many")


class FadedShape(Result):
    id: str
    version: int
    shown: int = Field(description="to be given back to note.reconstruct: when the segments were numbered so")
    segments: list[SegmentShape]


class BlockShape(Result):
    kind: Literal["core", "profile", "behaviour", "summary", "plans", "notes", "window"]
    text: str
    tokens: int
    items: list[str]
    faded: list[FadedShape] | None = optional(
        "of recalled notes: those with gaps that a client may fill with note.reconstruct"
    )
    archived: list[str] | None = optional(
        "of recalled notes of which something is gone: those whose words still lie in the archive (recall, reach)"
    )
    rewritten: list[str] | None = optional(
        "with tell_rewritten: those of the notes in it that do not say what was told any more, for gaps were filled in"
    )


class ContextShape(Result):
    recall_id: str | None
    text: str
    blocks: list[BlockShape]


class PlanTimesShape(Result):
    level: Literal["day", "hour", "action"]
    start: str
    end: str
    status: Literal["planned", "active", "done", "dropped", "missed", "superseded"]


class ItemShape(Result):
    id: str
    kind: str
    text: str
    state: NoteStateName
    score: float
    tier: str
    created_at: KnownTime
    at: KnownTime
    sources: list[SourceShape]
    ref: str | None = optional(f"{_REF}; where ids of items are given back, it is understood too")
    speaker: str | None = optional("who said it, or told what the note says")
    tags: list[str] | None = optional("of a note")
    attributes: dict[str, Any] | None = optional("of a note, or of a message that has some")
    valid_from: KnownTime = optional("of what holds no more: since when it was so, where known")
    valid_to: KnownTime = optional("of what holds no more: until when it was so; its text says so")
    superseded_by: str | None = optional("of what holds no more: the note that says so")
    later: str | None = optional(
        "of an earlier answer to the question: the item told later that seems to hold instead; its text says so"
    )
    faded: list[str] | None = optional("of a note with gaps: of what kinds the lost things were")
    archived: bool | None = optional(
        "of a note with gaps, or rewritten: true where the words as they were told still lie in the archive (recall, "
        "reach)"
    )
    from_: Literal["archive"] | None = optional(
        "archive: no memory, but the words themselves, for the owner who asked for them", alias="from"
    )
    via: Literal["trigger", "semantic"] | None = None
    plan: PlanTimesShape | None = optional("of a plan: for when it is, and what became of it")
    why: dict[str, Any] | None = None


class MindShape(Result):
    mind: str
    title: str
    profile: Literal["companion", "assistant"]
    persona: str
    language: str
    settings: dict[str, Any]
    state: Literal["idle", "working"]
    messages: int
    notes: int
    links: int
    recalls: int
    created_at: str
