"""A recall as it is asked for, and what it brought: the words that the kinds of recall share.

Made by `rpc/methods` and `respond`, read by every file of this folder. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from soulmem.core.questions.question_detection import is_question
from soulmem.core.reranking.stream_ranking import StreamWish
from soulmem.core.schema.attribute_filters import Tree
from soulmem.core.schema.audience import Audience
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.search.score_calibration import LOOSER
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.recall_trace import Trail
from soulmem.graph.walk.spreading_activation import Spread
from soulmem.ports import BLIND_BELOW, FloatVector
from soulmem.working.recall.graph_recall import Entry, Step
from soulmem.working.recall.query_guidance import Guidance
from soulmem.working.recall.rerank import Before, Shown, Suppressed
from soulmem.working.validity.validity_at_recall import Mark

NOTHING_KNOWN = "nothing_known"  # the reason of a recall that brought up nothing sure enough


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """One recall as a client asks for it; times are UTC milliseconds, `exclude` are (kind, row) pairs."""

    query: str
    k: int
    depth: str | None = None  # None: as the question asks for
    conversation: str | None = None
    heard_in: tuple[str, ...] | None = None  # only what was heard in these conversations, and what is common
    kinds: frozenset[str] | None = None
    speaker: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    tags: frozenset[str] = frozenset()
    exclude: frozenset[tuple[ItemKind, int]] = frozenset()
    attributes: Tree | None = None  # a checked tree of conditions (`core.schema.attribute_filters`)
    having: frozenset[ItemRef] | None = None  # nothing but these, which have the attributes that are asked for
    before: tuple[int, int] | None = None
    until: int | None = None  # the row of a message: what was said since is not there yet
    asker: str | None = None
    mood: str = ""
    after: Before | None = None  # the recalls whose memories need not come up again at once
    # rank as the memory stream does (`working/recall/stream_recall`), not by association
    stream: StreamWish | None = None
    traced: bool = True  # by which links each item came is wanted: to tell it, or to learn from it
    is_shown: bool = False  # its items are wanted as they show now, and nothing happens to them before
    # conversations whose memories may surface, by `working.runtime.audience`; None: all
    audience: Audience | None = None
    as_of: int | None = None  # what held at that time is wanted, not what holds
    leaves_out: bool = False  # what holds no more is not wanted, unless the question is about the past
    # where all of something is asked for, whether more than k may come; None: nobody asks how many more there are
    widens: bool | None = None
    min_score: float | None = None  # what is returned scores so much; None: as the mind is set
    reaches_archive: bool = False  # what can be recalled no more is wanted too
    echo: str = ""  # a question that is thought over: where it was put, it is no answer to anything

    def admits(self, kind: ItemKind, number: int) -> bool:
        """Whether an item is not left out by what it is, or by its attributes."""
        return (kind, number) not in self.exclude and (self.having is None or (kind, number) in self.having)

    def numbers_having(self, kind: ItemKind) -> NDArray[np.int64] | None:
        """The items of a kind that have the attributes that are asked for; None where none are."""
        if self.having is None:
            return None
        return np.array(sorted(number for each, number in self.having if each is kind), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Brought:
    """What a recall brought to mind: items best first, the links that led to some, and what had to give way."""

    hits: list[Hit]
    ways: dict[int, tuple[Step, ...]] = field(default_factory=dict)
    suppressed: list[Suppressed] = field(default_factory=list)
    spread: Spread | None = None
    entries: dict[int, Entry] = field(default_factory=dict)
    trail: Trail | None = None  # what is to be remembered of it, should somebody say how good it was
    vector: FloatVector | None = None  # of the question, where the embedder could read it
    shown: Shown | None = None  # the items by kind and number, where they were wanted so
    marks: Mapping[ItemRef, Mark] = field(default_factory=dict)  # of what holds no more
    more: int | None = None  # of all that is asked for, how many more there are; None: one answer is asked for
    guidance: Guidance = Guidance()  # how the question was gone about
    below_floor: int = 0  # items of the best that are asked for, left out because they score less than the floor


def legibility(read: float) -> float:
    """How much the likeness of a vector says of a question of which the embedder can read so much."""
    return max(0.0, min(1.0, (read - BLIND_BELOW) / (1.0 - BLIND_BELOW)))


def floor_of(wanted: RecallRequest, setting: float) -> float:
    """The score below which nothing is returned: what the caller says, else as the mind is set.

    Of a mind's setting a statement needs less: what is said reminds of things, and asks for none. What has the tags
    or attributes that are asked for needs nothing more.
    """
    if wanted.min_score is not None:
        return wanted.min_score
    if wanted.tags or wanted.attributes is not None:
        return 0.0
    return setting if is_question(wanted.query) else setting * LOOSER


def item_kinds(kinds: frozenset[str] | None) -> frozenset[ItemKind]:
    """The kinds of the index that a client's kinds stand for; summaries are no part of it."""
    if kinds is None:
        return frozenset({ItemKind.MESSAGE, ItemKind.NOTE})
    chosen = {ItemKind.MESSAGE} if "message" in kinds else set()
    if kinds - {"message", "summary"}:
        chosen.add(ItemKind.NOTE)
    return frozenset(chosen)
