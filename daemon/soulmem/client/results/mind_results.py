"""What mind, profile, idle, job, replay, system, events, clock, ledger and audit answer.

Generated from `schemas/rpc` by `python -m soulmem.client.result_writer`; do not edit.
"""
# ruff: noqa
# fmt: off

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from soulmem.client.results.shared_results import ProfileEvidence

class Advanced(TypedDict):
    now: str
    fired: int
    jobs: list[str]

class AuditCounts(TypedDict):
    admitted: int
    refused: int
    by_reason: dict[str, int]
    left_out: int
    left_out_by_reason: dict[str, int]

class AuditPage(TypedDict):
    items: list[dict[str, Any]]
    next_cursor: str | None
    counts: AuditCounts
    junk_rate: float

class BetweenResult(TypedDict):
    name: str
    other: str
    ties: list[TieShape]
    shared: list[ProfileEvidence]
    more: int
    text: str

class CallShape(TypedDict):
    mind: str
    id: str
    at: str
    key: str
    task: str
    model: str
    lane: Literal["interactive", "idle"]
    attempt: int
    run: str
    outcome: Literal["running", "ok", "repaired", "invalid", "failed", "timeout", "preempted", "lost"]
    tokens_in: int
    tokens_out: int
    estimated: bool
    cost: float
    ms: float
    rung: str
    error: str
    finished_at: str | None

class DeletedMind(TypedDict):
    deleted: str
    remains: list[str]

class Description(TypedDict):
    methods: dict[str, Any]
    events: dict[str, Any]
    errors: dict[str, Any]

class ExportedPiece(TypedDict):
    text: str
    bytes: int
    next_cursor: str | None

class Hello(TypedDict):
    server: str
    version: str
    protocol: int

class IdleResult(TypedDict):
    state: Literal["idle", "working"]
    jobs: list[str]
    preempted: bool

class ImportedPiece(TypedDict):
    next_cursor: str | None
    mind: str | None
    duplicate: bool
    messages: NotRequired[int | None]
    notes: NotRequired[int | None]
    links: NotRequired[int | None]

class JobPage(TypedDict):
    items: list[JobShape]
    next_cursor: str | None

class JobShape(TypedDict):
    id: str
    step: str
    conversation: str | None
    epoch: int | None
    state: Literal["pending", "running", "done", "failed", "preempted", "quarantined"]
    attempts: int
    created_at: str | None
    started_at: str | None
    finished_at: str | None
    result: dict[str, Any] | None
    error: str | None

class Jumped(TypedDict):
    now: str
    suspect: bool

class KnownName(TypedDict):
    name: str
    notes: int

class KnownNames(TypedDict):
    items: list[KnownName]
    next_cursor: str | None

class LedgerResult(TypedDict):
    calls: list[CallShape]
    next_cursor: str | None
    totals: list[TotalShape]
    today: TodayShape

class LeftShape(TypedDict):
    tokens: int | None
    cost: float | None

class LimitsShape(TypedDict):
    tokens_per_day: int | None
    tokens_per_mind: int | None
    tokens_per_run: int | None
    cost_per_day: float | None

class MindPage(TypedDict):
    items: list[dict[str, Any]]
    next_cursor: str | None

class MindResult(TypedDict):
    mind: MindShape
    duplicate: NotRequired[bool | None]

class MindShape(TypedDict):
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

class OwnShape(TypedDict):
    tokens: int
    cost: float
    left: int | None

class Pong(TypedDict):
    now: str

class ProfileAttribute(TypedDict):
    name: str
    now: list[ProfileValue]
    earlier: list[ProfileValue]

class ProfileItem(TypedDict):
    what: str
    at: str | None
    evidence: list[ProfileEvidence]

class ProfileList(TypedDict):
    items: list[ProfileItem]
    more: int

class ProfileRelationship(TypedDict):
    relation: str
    name: str | None
    until: str | None
    evidence: list[ProfileEvidence]

class ProfileResult(TypedDict):
    name: str
    names: list[str]
    known_as: str
    attributes: list[ProfileAttribute]
    relationships: list[ProfileRelationship]
    lists: dict[str, ProfileList]
    text: str

class ProfileValue(TypedDict):
    value: str
    since: str | None
    until: str | None
    evidence: list[ProfileEvidence]

class RetriedJobs(TypedDict):
    retried: list[str]

class Status(TypedDict):
    state: Literal["starting", "running", "draining", "stopped"]
    minds: list[dict[str, Any]]
    engine: str
    model: dict[str, Any] | None
    budget: dict[str, Any]
    embedder: str
    embed_backlog: int
    pid: int
    uptime_s: float
    version: str
    rss_bytes: int
    connections: int
    state_dir: str
    models_dir: str
    socket: str
    sqlite: str
    driver: str
    now: str
    clock: Literal["system", "simulated", "suspect"]

class TieShape(TypedDict):
    relation: str
    who: str
    whose: str
    until: str | None
    evidence: list[ProfileEvidence]

class TodayShape(TypedDict):
    tokens: int
    cost: float
    limits: LimitsShape
    left: LeftShape
    mind: NotRequired[OwnShape | None]

class TotalShape(TypedDict):
    task: NotRequired[str | None]
    model: NotRequired[str | None]
    day: NotRequired[str | None]
    outcome: NotRequired[str | None]
    mind: NotRequired[str | None]
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    ms: float
    median_ms: float

class UndoneReplay(TypedDict):
    job: str
    regions: int
    links: int
    concluded: int
    ended: int
    merged: int
    rephrased: int
    retagged: int
    duplicate: NotRequired[bool | None]

class Watching(TypedDict):
    watching: list[str] | None
