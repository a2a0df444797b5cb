"""The tasks of a language model beyond summaries, notes and links: what each is given and what it answers.

Pure data, no behaviour; `note_requests` holds the same for the three tasks that make notes. An engine never sees ids:
every note and link travels under a short label of that one call (algorithms.md §0.3). Only the requests of tasks that
speak as the character carry a persona and a mood: analyse_query and reconstruct here, link in `note_requests`.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from soulmem.core.schema.note_requests import TaskRequest, Turn
from soulmem.core.schema.note_topics import Topic
from soulmem.fast_dataclasses import dataclass


class Task(StrEnum):
    """Everything a language model is asked to do."""

    SUMMARISE = "summarise"
    SPLIT = "split"
    LINK = "link"
    JUDGE = "judge"
    RATE_IMPORTANCE = "rate_importance"
    ANALYSE_QUERY = "analyse_query"
    RECONCILE = "reconcile"
    INSIGHTS = "insights"
    RECONSTRUCT = "reconstruct"
    MERGE = "merge"
    FEEDBACK = "feedback"
    MISREMEMBER = "misremember"
    REPLAY = "replay"
    IDENTIFY = "identify"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A note as a task sees it. `at_ms`: when it happened, UTC milliseconds; 0 is unknown. `speaker`: who told it."""

    label: str
    text: str
    at_ms: int = 0
    speaker: str = ""


class Depth(StrEnum):
    """How hard to think; `none` is no retrieval at all."""

    NONE = "none"
    SKIM = "skim"
    NORMAL = "normal"
    DEEP = "deep"


@dataclass(frozen=True, slots=True)
class Subquestion:
    """One thing to look for; times bound when it happened, UTC milliseconds, half-open."""

    text: str
    from_ms: int | None = None
    to_ms: int | None = None
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaning:
    """Which kind of memory a question leans to; the four add up to 1."""

    specific: float = 0.25
    abstract: float = 0.25
    semantic: float = 0.25
    procedural: float = 0.25


@dataclass(frozen=True, slots=True)
class Mood:
    """valence -1..1, arousal and impatience 0..1."""

    valence: float = 0.0
    arousal: float = 0.0
    impatience: float = 0.0


@dataclass(frozen=True, slots=True)
class QueryRequest(TaskRequest):
    """`turns` is the talk just before the question; `now_ms` what "yesterday" is counted from."""

    query: str
    now_ms: int
    turns: tuple[Turn, ...] = ()
    persona: str = ""
    mood: str = ""


@dataclass(frozen=True, slots=True)
class QueryAnalysis:
    """1 to 3 sub-questions (none only with depth `none`), how deep to look, and the state the asker is in."""

    subquestions: tuple[Subquestion, ...]
    depth: Depth = Depth.NORMAL
    leaning: Leaning = Leaning()
    mood: Mood = Mood()
    cares: bool = False


@dataclass(frozen=True, slots=True)
class LabelledLink:
    """A link as it runs from `src` to `dst`; `kind` is a `LinkKind`, empty where none is known."""

    label: str
    src: str
    verb: str
    dst: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """Links of one kind and verb that lead from something seen to `count` notes that were not.

    `src` is the label of a note that is shown, or the first words of one that is not any more (§3.8).
    """

    label: str
    src: str
    verb: str
    kind: str
    is_backward: bool
    count: int


@dataclass(frozen=True, slots=True)
class JudgeRequest(TaskRequest):
    """Do these notes answer the questions? `dummies` are edges that stand for a path not yet known (§3.7)."""

    subquestions: tuple[str, ...]
    notes: tuple[Labelled, ...]
    links: tuple[LabelledLink, ...] = ()
    dummies: tuple[LabelledLink, ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """Labels are among those shown; `confidence` 0..1. `follow`: the relations to go along next, none if sufficient."""

    sufficient: bool
    confidence: float = 0.5
    missing: tuple[str, ...] = ()
    useful_nodes: tuple[str, ...] = ()
    useful_links: tuple[str, ...] = ()
    useful_dummies: tuple[str, ...] = ()
    follow: tuple[str, ...] = ()
    contradicts: bool = field(default=False, compare=False)  # enough, and yet something is missing or nothing helped
    is_guess: bool = field(default=False, compare=False)  # a model did not answer: this is what words say


@dataclass(frozen=True, slots=True)
class ImportanceRequest(TaskRequest):
    """At most 20 items a call. The answer is one whole number 1..10 an item, in order; 4 where none was given."""

    items: tuple[Labelled, ...]


class FactEvent(StrEnum):
    """What a new fact is to a known one."""

    ADD = "add"  # both hold
    SUPERSEDE = "supersede"  # it holds instead of the known one, which was true before
    INVALIDATE = "invalidate"  # it says that the known one holds no more
    REINFORCE = "reinforce"  # it says the same again


@dataclass(frozen=True, slots=True)
class ReconcileRequest(TaskRequest):
    new: tuple[Labelled, ...]
    known: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """What a new fact is to `known`, the label of a known one; None with `add`.

    The answers stand in the order of the new facts, one at least for each; one that changes several known facts has one
    for each of them.
    """

    new: str
    event: FactEvent
    known: str | None = None


@dataclass(frozen=True, slots=True)
class InsightsRequest(TaskRequest):
    question: str
    statements: tuple[Labelled, ...]
    count: int = 5


@dataclass(frozen=True, slots=True)
class Insight:
    """`evidence` holds labels of the statements shown; never empty."""

    text: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CondenseRequest(TaskRequest):
    """The answer is at most `limit` insights; together they cite all that these cite."""

    question: str
    insights: tuple[Insight, ...]
    limit: int = 5


class Sameness(StrEnum):
    SAME = "same"
    VARIANT = "variant"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class MergeRequest(TaskRequest):
    """Two to five notes that look alike."""

    notes: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """`text` is the merged wording (same) or the abstract parent's (variant); empty if different."""

    verdict: Sameness
    text: str = ""


class OperationKind(StrEnum):
    """What may come of memories that are gone over; nothing else may."""

    LINK = "link"  # two belong together
    ABSTRACT = "abstract"  # some show the same again, which is said in a sentence
    CONTRADICTION = "contradiction"  # of two the first holds no more, for the second does
    MERGE = "merge"  # two tell one thing
    REPHRASE = "rephrase"  # of one only vague words are left, which make a sentence
    RETAG = "retag"  # one is about other topics


@dataclass(frozen=True, slots=True)
class ReplayRequest(TaskRequest):
    """A few notes, and the sequences in which they are gone over, by label; `topics`: under which each is listed."""

    notes: tuple[Labelled, ...]
    sequences: tuple[tuple[str, ...], ...] = ()
    topics: tuple[tuple[str, tuple[Topic, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """`notes` holds labels that were shown: two for most, more for an abstraction, one for other words or topics.

    An abstraction and other words have a `text`, other topics have `topics`.
    """

    kind: OperationKind
    notes: tuple[str, ...]
    text: str = ""
    strength: float = 0.5
    topics: tuple[Topic, ...] = ()


class OneOrTwo(StrEnum):
    """Whether two names are one's."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class NamePair:
    """Two names, and what is told under each."""

    label: str
    one: str
    other: str
    of_one: tuple[Labelled, ...]
    of_other: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class IdentifyRequest(TaskRequest):
    """The answer is one verdict a pair, in their order."""

    pairs: tuple[NamePair, ...]


@dataclass(frozen=True, slots=True)
class SameName:
    """`evidence` holds labels of what was shown, under each name one at least where the verdict is `same`."""

    pair: str
    verdict: OneOrTwo
    evidence: tuple[str, ...] = ()


class Reaction(StrEnum):
    GOOD = "good"
    BAD = "bad"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class FeedbackRequest(TaskRequest):
    """What the user said after the character's reply to `query`."""

    query: str
    reply: str
    reaction: str


@dataclass(frozen=True, slots=True)
class Feedback:
    verdict: Reaction
    strength: float = 0.5  # 0..1
