"""What note, link, graph, reflection and plan answer.

Generated from `schemas/rpc` by `python -m soulmem.client.result_writer`; do not edit.
"""
# ruff: noqa
# fmt: off

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from soulmem.client.results.shared_results import ProfileEvidence, SourceShape

class AddLinkResult(TypedDict):
    id: str
    created: bool

class ElementForecast(TypedDict):
    id: str
    level: Literal[0, 1, 2]
    anchor: Literal["none", "spontaneous", "forced"]
    state: Literal["clear", "blurred", "blank"]
    opacity: float
    stability_days: float
    blurs_at: str | None
    blanks_at: str | None
    quote: NotRequired[str | None]
    gist: NotRequired[str | None]
    points: list[list[Any]]

class ElementShape(TypedDict):
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

class EndShape(TypedDict):
    at: str | None
    kept_by: str | None

class ForecastResult(TypedDict):
    id: str
    text: str
    state: Literal["clear", "blurred", "blank"]
    now: str
    days: int
    blur_below: float
    blank_below: float
    elements: list[ElementForecast]
    links: list[LinkForecast]
    more_links: int
    dies: NotRequired[EndShape | None]

class ForgetResult(TypedDict):
    id: str
    forgotten: bool

class FoundNote(TypedDict):
    note: NoteShape
    why_important: NotRequired[list[str] | None]

class GraphResult(TypedDict):
    notes: list[NoteShape]
    links: list[LinkShape]
    truncated: bool

class HistoryResult(TypedDict):
    id: str
    versions: list[dict[str, Any]]
    history: list[dict[str, Any]]

class IdResult(TypedDict):
    id: str
    duplicate: NotRequired[bool | None]

class LinkForecast(TypedDict):
    id: str
    note: str
    kind: LinkKind
    verb: str
    strength: float
    stability_days: float
    dies_at: str | None
    points: list[list[Any]]

LinkKind = Literal["association", "semantic", "abstract_of", "trigger", "evidence", "supersedes"]

LinkOrigin = Literal["client", "model", "hebb", "similarity", "synonym"]

class LinkPage(TypedDict):
    items: list[LinkShape]
    next_cursor: str | None

class LinkShape(TypedDict):
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

NoteKind = Literal["episodic", "abstract", "semantic", "procedural", "trigger", "reflection", "plan", "lore"]

class NotePage(TypedDict):
    items: list[NoteShape]
    next_cursor: str | None
    purged: NotRequired[list[PurgedShape] | None]
    unmet: NotRequired[list[UnmetRequest] | None]

class NoteResult(TypedDict):
    note: NoteShape

class NoteShape(TypedDict):
    id: str
    kind: NoteKind
    text: str
    rendered: str
    speaker: NotRequired[str | None]
    state: Literal["clear", "blurred", "blank", "rewritten"]
    elements: list[ElementShape]
    sources: list[SourceShape]
    tags: list[str]
    importance: float
    valence: float
    attributes: dict[str, Any]
    version: int
    pinned: bool
    lifecycle: Literal["working", "consolidated", "forgotten"]
    created_at: str | None
    at: str | None
    valid_from: NotRequired[str | None]
    valid_to: NotRequired[str | None]
    superseded_by: NotRequired[str | None]
    fidelity: NotRequired[float | None]
    reason: NotRequired[str | None]
    forgotten_at: NotRequired[str | None]
    purge_at: NotRequired[str | None]
    merged_into: NotRequired[str | None]

class PlanPage(TypedDict):
    items: list[PlanShape]
    next_cursor: str | None

class PlanShape(TypedDict):
    id: str
    text: str
    state: Literal["clear", "blurred", "blank", "rewritten"]
    level: Literal["day", "hour", "action"]
    start: str
    end: str
    told_end: NotRequired[str | None]
    status: Literal["planned", "active", "done", "dropped", "missed", "superseded"]
    whose: str | None
    parent: str | None
    superseded_by: str | None
    version: int
    created_at: str | None

class PlansMade(TypedDict):
    items: list[PlanShape]
    superseded: list[str]
    shortened: list[str]
    duplicate: NotRequired[bool | None]

class PurgeResult(TypedDict):
    id: str
    purged: bool
    sources: list[SourceOf]
    erased: bool
    copies: list[str]
    duplicate: NotRequired[bool | None]

class PurgedShape(TypedDict):
    item: Literal["message", "note", "link"]
    kind: str
    reason: str
    count: int
    first_at: str
    last_at: str

class ReflectionPage(TypedDict):
    items: list[ReflectionShape]
    next_cursor: str | None

class ReflectionShape(TypedDict):
    id: str
    text: str
    state: Literal["clear", "blurred", "blank", "rewritten"]
    at: str | None
    made_at: str
    depth: int
    stale: bool
    by: str
    evidence: list[ProfileEvidence]

class RestoreResult(TypedDict):
    note: NoteShape
    links: list[LinkShape]
    restored: bool

class SourceOf(TypedDict):
    conversation: str
    id: str

class UnmetRequest(TypedDict):
    conversation: str
    id: str
    at: str
    meant: int
