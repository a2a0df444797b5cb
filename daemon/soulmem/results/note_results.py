"""What note, link, graph, reflection and plan answer; and the parts that other answers share with them.

A string beside a type says in the schema what it means; an answer may leave out what is NotRequired.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

NoteKind = Literal["episodic", "abstract", "semantic", "procedural", "trigger", "reflection", "plan", "lore"]
LinkKind = Literal["association", "semantic", "abstract_of", "trigger", "evidence", "supersedes"]
LinkOrigin = Literal["client", "model", "hebb", "similarity", "synonym"]
PlanLevel = Literal["day", "hour", "action"]
PlanStatus = Literal["planned", "active", "done", "dropped", "missed", "superseded"]
Clarity = Literal["clear", "blurred", "blank"]
AnchorKind = Literal["none", "spontaneous", "forced"]
KnownTime = Annotated[
    str | None, "ISO 8601; of a faded note only as fine as is still known (a day, a month, a year) or null"
]
NoteStateName = Annotated[
    Literal["clear", "blurred", "blank", "rewritten"],
    "how much of it shows: all, some, nothing; rewritten: all, but not as it was told, for what had faded was filled "
    "in (note.history has what it was)",
]
Points = list[list[Any]]  # pairs: [day, how much]


class SourceShape(TypedDict):
    conversation: str
    seq: int
    id: str
    quote: NotRequired[str | None]


class ElementShape(TypedDict):
    id: str
    start: int
    end: int
    level: Literal[0, 1, 2]
    gist: str
    anchor: AnchorKind
    opacity: float
    state: Clarity
    blurs_at: str | None
    blanks_at: str | None


class NoteShape(TypedDict):
    id: str
    kind: NoteKind
    text: str
    rendered: str
    speaker: Annotated[NotRequired[str | None], "who said it; null where nobody alone did, or where it faded"]
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
    valid_from: Annotated[NotRequired[KnownTime], "since when it is so, where somebody said; else null"]
    valid_to: Annotated[
        NotRequired[KnownTime], "until when it was so; null while it holds; as valid_from where it never held"
    ]
    superseded_by: Annotated[NotRequired[str | None], "the note that says so, and holds instead"]
    fidelity: Annotated[
        NotRequired[float | None],
        "for its editor: how much of it is still what was told; each reconstruction lowers it",
    ]
    reason: Annotated[NotRequired[str | None], "of a forgotten note: client, isolated, merged, ..."]
    forgotten_at: NotRequired[str | None]
    purge_at: Annotated[NotRequired[str | None], "until when note.restore brings it back"]
    merged_into: Annotated[
        NotRequired[str | None], "the note that tells it now; note.restore takes it out of that again"
    ]


class LinkShape(TypedDict):
    id: str
    src: str
    dst: str
    kind: LinkKind
    verb: str
    origin: LinkOrigin
    strength: float
    prob: Annotated[
        NotRequired[float],
        "of a trigger: how probably the situation leads to the action now; those of one situation sum to at most 1",
    ]
    initial: float
    stability_days: float
    confidence: float
    created_at: str
    dies_at: str | None
    valid_from: str | None
    valid_to: str | None


class ElementForecast(TypedDict):
    id: str
    level: Literal[0, 1, 2]
    anchor: AnchorKind
    state: Clarity
    opacity: float
    stability_days: float
    blurs_at: str | None
    blanks_at: str | None
    quote: Annotated[NotRequired[str | None], "of a clear one: its words as they show now"]
    gist: Annotated[NotRequired[str | None], "of a blurred one"]
    points: Annotated[Points, "[day, opacity], evenly spaced from now (day 0), at most 120"]


class LinkForecast(TypedDict):
    id: str
    note: Annotated[str, "the note at its other end"]
    kind: LinkKind
    verb: str
    strength: float
    stability_days: float
    dies_at: str | None
    points: Annotated[Points, "[day, strength]; 0 once it is dead"]


class EndShape(TypedDict):
    at: Annotated[str | None, "when it is forgotten, about; null for one that is kept"]
    kept_by: Annotated[
        str | None,
        "what keeps it: pinned, lore, open_epoch (its conversation is not digested yet), clear (a detail "
        "that never blurs), settings (the mind deletes nothing), tombstone (it is forgotten, and can be restored until "
        "`at`)",
    ]


class ForecastResult(TypedDict):
    id: str
    text: Annotated[str, "as it shows now"]
    state: Clarity
    now: str
    days: int
    blur_below: float
    blank_below: float
    elements: list[ElementForecast]
    links: Annotated[list[LinkForecast], "the strongest 40"]
    more_links: int
    dies: Annotated[NotRequired[EndShape | None], "told to the owner only: not where a conversation is named"]


class ProfileEvidence(TypedDict):
    id: Annotated[str, "the note"]
    at: Annotated[str | None, "when it happened, as far as that is still known"]
    quote: Annotated[str, "the note as it shows now, at most 300 characters"]


class ReflectionShape(TypedDict):
    id: Annotated[str, "the note that says it"]
    text: Annotated[str, "as it shows now"]
    state: Literal["clear", "blurred", "blank", "rewritten"]
    at: Annotated[str | None, "when the latest of what it rests on happened"]
    made_at: Annotated[str, "when it was concluded, or last made anew"]
    depth: Annotated[int, "1: it rests on notes alone; one more than the deepest reflection it rests on", {"ge": 1}]
    stale: Annotated[bool, "what it rests on changed since: it is made anew, and recalled by nobody meanwhile"]
    by: Annotated[str, "statistics, or the language model that concluded it"]
    evidence: Annotated[list[ProfileEvidence], "what it rests on"]


class ReflectionPage(TypedDict):
    items: Annotated[list[ReflectionShape], "oldest first"]
    next_cursor: str | None


class AddLinkResult(TypedDict):
    id: str
    created: bool


class LinkPage(TypedDict):
    items: list[LinkShape]
    next_cursor: str | None


class GraphResult(TypedDict):
    notes: list[NoteShape]
    links: list[LinkShape]
    truncated: bool


class IdResult(TypedDict):
    id: str
    duplicate: NotRequired[bool | None]


class SourceOf(TypedDict):
    conversation: str
    id: str


class NoteResult(TypedDict):
    note: NoteShape


class FoundNote(NoteResult):
    why_important: Annotated[
        NotRequired[list[str] | None], "of a note that shows whole: what its words show of why it matters, or why not"
    ]


class PurgedShape(TypedDict):
    """How much of a kind went for good, and when; nothing of what it said is left."""

    item: Literal["message", "note", "link"]
    kind: Annotated[str, "the role of a message, the kind of a note or of a link"]
    reason: Annotated[str, "client: asked for, source: what it rested on was deleted, forgotten: in time"]
    count: int
    first_at: str
    last_at: str


class UnmetRequest(TypedDict):
    """A message that asks for something to be forgotten which is there still: it was not plain what is meant."""

    conversation: str
    id: str
    at: str
    meant: Annotated[int, "how many messages of that person may be meant: too many, or none plainly"]


class NotePage(TypedDict):
    items: list[NoteShape]
    next_cursor: str | None
    purged: Annotated[
        NotRequired[list[PurgedShape] | None], "of forgotten notes, on the first page: what of the mind went for good"
    ]
    unmet: Annotated[
        NotRequired[list[UnmetRequest] | None],
        "of forgotten notes, on the first page: what was asked in talk to be forgotten and was not, the latest first",
    ]


class ForgetResult(TypedDict):
    id: str
    forgotten: bool


class PurgeResult(TypedDict):
    id: str
    purged: bool
    sources: Annotated[list[SourceOf], "the messages it was made of, which still say it: message.delete"]
    erased: Annotated[bool, "whether its bytes are out of the file by now; else erasure_finished tells when"]
    copies: Annotated[list[str], "copies of the file, made before it was brought up to date, that hold it"]
    duplicate: NotRequired[bool | None]


class RestoreResult(TypedDict):
    note: NoteShape
    links: list[LinkShape]
    restored: Annotated[bool, "false: it stands, holds, and nothing had to be brought back"]


class HistoryResult(TypedDict):
    id: str
    versions: Annotated[list[dict[str, Any]], "oldest first; of very long ones only the latest"]
    history: list[dict[str, Any]]


class PlanShape(TypedDict):
    id: Annotated[str, "its id, as that of any note: note.get, note.pin and the others take it"]
    text: Annotated[str, "as it shows now"]
    state: NoteStateName
    level: PlanLevel
    start: str
    end: Annotated[str, "until when it is kept"]
    told_end: Annotated[NotRequired[str | None], "of one that was shortened: until when it was to last"]
    status: Annotated[
        PlanStatus,
        "planned; active while it lasts; done or dropped as plan.update said; missed when the mind found "
        "its time over in its idle hours; superseded when another took its time",
    ]
    whose: Annotated[str | None, "null: the character's own, or faded"]
    parent: str | None
    superseded_by: Annotated[str | None, "the plan that took its time, or the rest of it"]
    version: int
    created_at: KnownTime


class PlansMade(TypedDict):
    items: Annotated[list[PlanShape], "the plans that were made or changed, as they are now"]
    superseded: Annotated[list[str], "what is not to be kept any more, for these took its time; at most 500"]
    shortened: Annotated[list[str], "what ends where these begin; at most 500"]
    duplicate: NotRequired[bool | None]


class PlanPage(TypedDict):
    items: Annotated[list[PlanShape], "by when they begin"]
    next_cursor: str | None
