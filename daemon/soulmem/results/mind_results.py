"""What mind, profile, idle, job, replay, system, events, clock, ledger and audit answer."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from soulmem.results.note_results import ProfileEvidence


class JobShape(TypedDict):
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


class TotalShape(TypedDict):
    """One group: its name stands under the name of the grouping. `ms` is a sum; `median_ms` of the calls that ended,
    as long as they are kept one by one.
    """

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


class LimitsShape(TypedDict):
    tokens_per_day: int | None
    tokens_per_mind: int | None
    tokens_per_run: int | None
    cost_per_day: float | None


class LeftShape(TypedDict):
    tokens: int | None
    cost: float | None


class OwnShape(TypedDict):
    tokens: int
    cost: float
    left: int | None


class TodayShape(TypedDict):
    """The UTC day so far, all minds together; a limit that is not set is null."""

    tokens: int
    cost: float
    limits: LimitsShape
    left: LeftShape
    mind: NotRequired[OwnShape | None]


class LedgerResult(TypedDict):
    calls: list[CallShape]
    next_cursor: str | None
    totals: list[TotalShape]
    today: TodayShape


class AuditCounts(TypedDict):
    admitted: int
    refused: int
    by_reason: dict[str, int]
    left_out: Annotated[int, "sentences that are in no note because they tell nothing; no junk"]
    left_out_by_reason: dict[str, int]


class AuditPage(TypedDict):
    items: list[dict[str, Any]]
    next_cursor: str | None
    counts: AuditCounts
    junk_rate: Annotated[
        float, "share of the notes drafted in the last forgetting.journal_days that were refused, 0 to 1"
    ]


class ProfileValue(TypedDict):
    value: str
    since: Annotated[str | None, "null: nobody said"]
    until: Annotated[str | None, "null: it still holds, as far as is known"]
    mentions: Annotated[int, "how many notes tell it", {"ge": 1}]
    last_told: Annotated[str | None, "when the latest of them was told"]
    evidence: Annotated[list[ProfileEvidence], "the latest 8 notes that say so"]


class ProfileAttribute(TypedDict):
    name: Annotated[str, "home, work, job, age, likes, allergy, …; or what somebody calls `my X`"]
    now: list[ProfileValue]
    earlier: list[ProfileValue]


class ProfileRelationship(TypedDict):
    relation: Annotated[str, "the word that was used: sister, 妈妈, colleague, dog"]
    name: Annotated[str | None, "null: nobody said it"]
    until: str | None
    mentions: Annotated[int, "how many notes tell it", {"ge": 1}]
    last_told: Annotated[str | None, "when the latest of them was told"]
    evidence: list[ProfileEvidence]


class ProfileItem(TypedDict):
    what: str
    at: str | None
    mentions: Annotated[int, "how many notes tell it", {"ge": 1}]
    last_told: Annotated[str | None, "when the latest of them was told"]
    evidence: list[ProfileEvidence]


class ProfileList(TypedDict):
    items: Annotated[list[ProfileItem], "oldest first; of more than 50 the latest"]
    more: int


class ProfileResult(TypedDict):
    name: str
    names: Annotated[list[str], "by which it is called, the name among them"]
    known_as: Annotated[str, "whose it is, where that tells it from others of its name"]
    attributes: list[ProfileAttribute]
    relationships: list[ProfileRelationship]
    lists: Annotated[dict[str, ProfileList], "only those that have an entry"]
    text: Annotated[str, "the same in words, for a prompt, within the budget"]


class TieShape(TypedDict):
    relation: Annotated[str, "the word that was used: sister, 妈妈, colleague"]
    who: str
    whose: Annotated[str, "to whom he is that"]
    until: str | None
    evidence: list[ProfileEvidence]


class PathEdge(TypedDict):
    source: str
    relation: Annotated[str, "the word that was used, or the name of an attribute"]
    target: Annotated[str | None, "a name or a value; null: nobody said it"]
    since: Annotated[str | None, "null: nobody said"]
    until: Annotated[str | None, "null: it still holds, as far as is known"]
    mentions: Annotated[int, "how many notes tell it", {"ge": 1}]
    last_told: Annotated[str | None, "when the latest of them was told"]
    evidence: Annotated[list[ProfileEvidence], "the latest 8 notes that say so"]


class RelationPath(TypedDict):
    edges: Annotated[list[PathEdge], "one for each relation that was asked for, in their order"]


class PathResult(TypedDict):
    name: Annotated[str, "who it begins with"]
    paths: Annotated[list[RelationPath], "at most 20"]
    truncated: Annotated[bool, "there were more at some step"]


class BetweenResult(TypedDict):
    name: str
    other: str
    ties: Annotated[list[TieShape], "what one is to the other"]
    shared: Annotated[
        list[ProfileEvidence],
        "the notes that speak of both, in the order in which it happened; of more than 50 the latest",
    ]
    more: int
    text: Annotated[str, "the same in words, for a prompt, within the budget"]


class KnownName(TypedDict):
    name: str
    notes: Annotated[int, "how many notes speak of it or come from it"]


class KnownNames(TypedDict):
    items: Annotated[list[KnownName], "those that most notes speak of first"]
    next_cursor: str | None


class MindResult(TypedDict):
    mind: MindShape
    duplicate: NotRequired[bool | None]


class MindPage(TypedDict):
    items: list[dict[str, Any]]
    next_cursor: str | None


class DeletedMind(TypedDict):
    deleted: str
    remains: list[str]


class IdleResult(TypedDict):
    state: Literal["idle", "working"]
    jobs: list[str]
    preempted: bool


class JobPage(TypedDict):
    items: list[JobShape]
    next_cursor: str | None


class RetriedJobs(TypedDict):
    retried: list[str]


class UndoneReplay(TypedDict):
    job: str
    regions: Annotated[int, "parts of the graph that are as they were"]
    links: Annotated[int, "links that are no more"]
    concluded: Annotated[int, "reflections that are no more"]
    ended: Annotated[int, "times that a note holds again"]
    merged: Annotated[int, "notes that came out of others again"]
    rephrased: Annotated[int, "notes that say again what they said"]
    retagged: Annotated[int, "notes that are listed under the topics of before"]
    duplicate: NotRequired[bool | None]


class Hello(TypedDict):
    server: str
    version: str
    protocol: int


class Pong(TypedDict):
    now: str


class Description(TypedDict):
    methods: dict[str, Any]
    events: dict[str, Any]
    errors: dict[str, Any]


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


class Watching(TypedDict):
    watching: list[str] | None


class Advanced(TypedDict):
    now: str
    fired: int
    jobs: list[str]


class Jumped(TypedDict):
    now: str
    suspect: bool


class ExportedPiece(TypedDict):
    text: Annotated[str, "the next piece: lines of JSON, cut wherever it happens; all pieces are the mind"]
    bytes: Annotated[int, "of the whole, in UTF-8"]
    next_cursor: str | None


class ImportedPiece(TypedDict):
    next_cursor: Annotated[str | None, "to be given with the next piece; null when the mind is there"]
    mind: Annotated[str | None, "its name, once it is there"]
    duplicate: Annotated[bool, "it was there before, made of the same lines"]
    messages: Annotated[NotRequired[int | None], "how many it has, once it is there"]
    notes: Annotated[NotRequired[int | None], "how many it has, once it is there"]
    links: Annotated[NotRequired[int | None], "how many it has, once it is there"]
