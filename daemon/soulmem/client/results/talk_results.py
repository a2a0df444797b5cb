"""What message, conversation, context, recall and feedback answer.

Generated from `schemas/rpc` by `python -m soulmem.client.result_writer`; do not edit.
"""
# ruff: noqa
# fmt: off

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from soulmem.client.results.shared_results import SourceShape

class AddMessageResult(TypedDict):
    id: str
    ref: NotRequired[str | None]
    seq: int
    duplicate: bool
    state: Literal["idle", "working"]
    window: WindowShape
    jobs: list[str]
    recall_id: NotRequired[str | None]
    context: NotRequired[ContextShape | None]
    deleted: NotRequired[bool | None]

class AmendedResult(TypedDict):
    message: MessageShape
    corrected: bool
    jobs: list[str]
    withdrawn: list[str]
    purged: list[str]
    rederiving: int
    summaries: int
    duplicate: NotRequired[bool | None]
    again: NotRequired[bool | None]

class BlockShape(TypedDict):
    kind: Literal["core", "profile", "behaviour", "summary", "plans", "notes", "window"]
    text: str
    tokens: int
    items: list[str]
    faded: NotRequired[list[FadedShape] | None]
    archived: NotRequired[list[str] | None]
    rewritten: NotRequired[list[str] | None]

class ContextShape(TypedDict):
    recall_id: str | None
    text: str
    blocks: list[BlockShape]

class ConversationPage(TypedDict):
    items: list[ConversationShape]
    next_cursor: str | None

class ConversationShape(TypedDict):
    id: str
    name: str
    messages: int
    created_at: str
    speakers: NotRequired[list[str] | None]

class DeletedMessage(TypedDict):
    message: MessageShape
    corrected: bool
    jobs: list[str]
    withdrawn: list[str]
    purged: list[str]
    rederiving: int
    summaries: int
    duplicate: NotRequired[bool | None]
    again: NotRequired[bool | None]
    repeats: NotRequired[list[Repeat] | None]
    erased: NotRequired[bool | None]
    copies: NotRequired[list[str] | None]

class FadedShape(TypedDict):
    id: str
    version: int
    shown: int
    segments: list[SegmentShape]

class FeedbackResult(TypedDict):
    recall_id: str
    applied: int
    enhanced: int
    penalised: int
    duplicate: bool
    warnings: NotRequired[list[str] | None]

class ImportResult(TypedDict):
    stored: int
    duplicates: list[int]
    deleted: list[int]
    refused: list[RefusedMessage]
    reordered: int
    late: int
    sessions: int
    state: Literal["idle", "working"] | None

ItemShape = TypedDict('ItemShape', {'id': 'str', 'kind': 'str', 'text': 'str', 'state': 'Literal["clear", "blurred", "blank", "rewritten"]', 'score': 'float', 'tier': 'str', 'created_at': 'str | None', 'at': 'str | None', 'sources': 'list[SourceShape]', 'ref': 'NotRequired[str | None]', 'speaker': 'NotRequired[str | None]', 'tags': 'NotRequired[list[str] | None]', 'attributes': 'NotRequired[dict[str, Any] | None]', 'valid_from': 'NotRequired[str | None]', 'valid_to': 'NotRequired[str | None]', 'superseded_by': 'NotRequired[str | None]', 'later': 'NotRequired[str | None]', 'faded': 'NotRequired[list[str] | None]', 'archived': 'NotRequired[bool | None]', 'from': 'NotRequired[Literal["archive"] | None]', 'via': 'NotRequired[Literal["trigger", "semantic"] | None]', 'plan': 'NotRequired[PlanTimesShape | None]', 'why': 'NotRequired[dict[str, Any] | None]'})

class MessagePage(TypedDict):
    items: list[MessageShape]
    next_cursor: str | None

class MessageShape(TypedDict):
    id: str
    ref: NotRequired[str | None]
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

class PlanTimesShape(TypedDict):
    level: Literal["day", "hour", "action"]
    start: str
    end: str
    status: Literal["planned", "active", "done", "dropped", "missed", "superseded"]

class RecallResult(TypedDict):
    recall_id: str | None
    items: list[ItemShape]
    below_floor: int
    analysis: NotRequired[dict[str, Any] | None]
    deliberation: NotRequired[dict[str, Any] | None]
    suppressed: NotRequired[list[dict[str, Any]] | None]
    missing: NotRequired[list[str] | None]
    more: NotRequired[int | None]
    reason: NotRequired[str | None]
    faded: NotRequired[list[str] | None]
    archived: NotRequired[bool | None]
    warnings: NotRequired[list[str] | None]
    elapsed_ms: float

class RefusedMessage(TypedDict):
    index: int
    id: str | None
    error: str
    message: str
    hint: str | None

class Repeat(TypedDict):
    kind: Literal["message", "note"]
    id: str
    conversation: NotRequired[str | None]

Role = Literal["user", "assistant", "system", "correction"]

class SegmentShape(TypedDict):
    number: int
    state: Literal["clear", "blurred", "blank"]
    text: NotRequired[str | None]
    gist: NotRequired[str | None]
    length: int

class WindowShape(TypedDict):
    size: int
    capacity: int
