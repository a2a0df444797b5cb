"""What message, conversation, context, recall and feedback answer."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from soulmem.results.note_results import Clarity, KnownTime, NoteStateName, PlanLevel, PlanStatus, SourceShape

Role = Literal["user", "assistant", "system", "correction"]
_REF = "of a message: what tells it from one of the same id in another conversation, like main/m7"


class MessageShape(TypedDict):
    id: str
    ref: Annotated[NotRequired[str | None], _REF]
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


class WindowShape(TypedDict):
    size: int
    capacity: int


class SegmentShape(TypedDict):
    number: int
    state: Clarity
    text: Annotated[NotRequired[str | None], "of a clear one"]
    gist: Annotated[NotRequired[str | None], "of a blurred one"]
    length: Annotated[int, "characters of what stood there; a fill has at most twice as many"]


class FadedShape(TypedDict):
    id: str
    version: int
    shown: Annotated[int, "to be given back to note.reconstruct: when the segments were numbered so"]
    segments: list[SegmentShape]


class BlockShape(TypedDict):
    kind: Literal["core", "profile", "behaviour", "summary", "plans", "notes", "window"]
    text: str
    tokens: int
    items: list[str]
    faded: Annotated[
        NotRequired[list[FadedShape] | None],
        "of recalled notes: those with gaps that a client may fill with note.reconstruct",
    ]
    archived: Annotated[
        NotRequired[list[str] | None],
        "of recalled notes of which something is gone: those whose words still lie in the archive (recall, reach)",
    ]
    rewritten: Annotated[
        NotRequired[list[str] | None],
        "with tell_rewritten: those of the notes in it that do not say what was told any more, for gaps were filled in",
    ]


class ContextShape(TypedDict):
    recall_id: str | None
    text: str
    blocks: list[BlockShape]


class PlanTimesShape(TypedDict):
    level: PlanLevel
    start: str
    end: str
    status: PlanStatus


class _ItemBefore(TypedDict):
    id: str
    kind: str
    text: str
    state: NoteStateName
    score: float
    tier: str
    created_at: KnownTime
    at: KnownTime
    sources: list[SourceShape]
    ref: Annotated[NotRequired[str | None], f"{_REF}; where ids of items are given back, it is understood too"]
    speaker: Annotated[NotRequired[str | None], "who said it, or told what the note says"]
    tags: Annotated[NotRequired[list[str] | None], "of a note"]
    attributes: Annotated[NotRequired[dict[str, Any] | None], "of a note, or of a message that has some"]
    valid_from: Annotated[NotRequired[KnownTime], "of what holds no more: since when it was so, where known"]
    valid_to: Annotated[NotRequired[KnownTime], "of what holds no more: until when it was so; its text says so"]
    superseded_by: Annotated[NotRequired[str | None], "of what holds no more: the note that says so"]
    later: Annotated[
        NotRequired[str | None],
        "of an earlier answer to the question: the item told later that seems to hold instead; its text says so",
    ]
    faded: Annotated[NotRequired[list[str] | None], "of a note with gaps: of what kinds the lost things were"]
    archived: Annotated[
        NotRequired[bool | None],
        "of a note with gaps, or rewritten: true where the words as they were told still lie in the archive (recall, "
        "reach)",
    ]


_FromArchive = Annotated[
    Literal["archive"] | None, "archive: no memory, but the words themselves, for the owner who asked for them"
]
_ItemFrom = TypedDict("_ItemFrom", {"from": NotRequired[_FromArchive]})  # a word that no attribute can be named by


class ItemShape(_ItemBefore, _ItemFrom):
    via: NotRequired[Literal["trigger", "semantic"] | None]
    plan: Annotated[NotRequired[PlanTimesShape | None], "of a plan: for when it is, and what became of it"]
    why: NotRequired[dict[str, Any] | None]


class RefusedMessage(TypedDict):
    index: Annotated[int, "its place in `messages`, from 0"]
    id: Annotated[str | None, "your id of it, if it had one that could be read"]
    error: Annotated[str, "name of the reason, as in the registry of errors"]
    message: str
    hint: str | None


class ImportResult(TypedDict):
    stored: Annotated[int, "how many are new, and safe on disk: all that stand in none of the three lists"]
    duplicates: Annotated[list[int], "places of those that had been heard before; nothing changed for them"]
    deleted: Annotated[list[int], "places of those that were deleted since, and are not heard again"]
    refused: list[RefusedMessage]
    reordered: Annotated[int, "how many stood behind one that was said later, and were put in order"]
    late: Annotated[int, "how many were stored though something said after them had been heard before"]
    sessions: Annotated[int, "epochs that a silence between two messages, or since the last, ended"]
    state: Annotated[Literal["idle", "working"] | None, "of the mind; none where nothing could be taken"]


class AddMessageResult(TypedDict):
    id: str
    ref: Annotated[
        NotRequired[str | None], "tells it from a message of the same id in another conversation, like main/m7"
    ]
    seq: int
    duplicate: bool
    state: Literal["idle", "working"]
    window: WindowShape
    jobs: list[str]
    recall_id: NotRequired[str | None]
    context: NotRequired[ContextShape | None]
    deleted: Annotated[
        NotRequired[bool | None], "the message of this id was deleted, and is not heard again; a new one needs a new id"
    ]


class MessagePage(TypedDict):
    items: list[MessageShape]
    next_cursor: str | None


class ConversationShape(TypedDict):
    id: str
    name: str
    messages: Annotated[int, "how many were said in it, those included that were deleted since"]
    created_at: str
    speakers: Annotated[NotRequired[list[str] | None], "names of who spoke in it, in the order in which they first did"]


class ConversationPage(TypedDict):
    items: list[ConversationShape]
    next_cursor: str | None


class AmendedResult(TypedDict):
    message: MessageShape
    corrected: Annotated[bool, "with keep_notes: whether a correction was told, because it was summarised"]
    jobs: list[str]
    withdrawn: Annotated[list[str], "notes that nobody finds any more until they are made anew, if they are"]
    purged: Annotated[list[str], "notes that are gone for good"]
    rederiving: Annotated[int, "messages whose notes are made anew when the mind is idle; searched till then"]
    summaries: Annotated[int, "summaries that are rolled again without the former words"]
    duplicate: NotRequired[bool | None]
    again: Annotated[NotRequired[bool | None], "it was so already; nothing was changed"]


class Repeat(TypedDict):
    kind: Literal["message", "note"]
    id: str
    conversation: NotRequired[str | None]


class DeletedMessage(AmendedResult):
    repeats: Annotated[
        NotRequired[list[Repeat] | None],
        "what else says the same and was not deleted: other messages, and notes of those",
    ]
    erased: Annotated[
        NotRequired[bool | None], "whether its bytes are out of the file by now; else erasure_finished tells when"
    ]
    copies: Annotated[
        NotRequired[list[str] | None], "copies of the file, made before it was brought up to date, that still hold it"
    ]


class RecallResult(TypedDict):
    recall_id: str | None
    items: list[ItemShape]
    below_floor: Annotated[
        int,
        "so many of the k best items score less than min_score, or hardly answer beside the best (recall.noise), and "
        "were left out; min_score 0 returns them",
    ]
    analysis: Annotated[
        NotRequired[dict[str, Any] | None],
        "with explain: how the question was taken: depth, leaning, mood; where an engine read it, its parts too",
    ]
    deliberation: NotRequired[dict[str, Any] | None]
    suppressed: NotRequired[list[dict[str, Any]] | None]
    missing: Annotated[
        NotRequired[list[str] | None], "of a deep recall that did not find enough: what the model still misses"
    ]
    more: Annotated[
        NotRequired[int | None],
        "where all of something is asked for (which cities), how many more there are beside the items",
    ]
    reason: Annotated[
        NotRequired[str | None],
        "why there is no item: nothing_known; faded, for it was known once; or what was wrong with the question",
    ]
    faded: Annotated[NotRequired[list[str] | None], "with the reason faded: of what kinds it was"]
    archived: Annotated[
        NotRequired[bool | None], "with the reason faded: true, for the words still lie in the archive (reach)"
    ]
    warnings: NotRequired[list[str] | None]
    elapsed_ms: float


class FeedbackResult(TypedDict):
    recall_id: str
    applied: int
    enhanced: int
    penalised: int
    duplicate: bool
    warnings: NotRequired[list[str] | None]
