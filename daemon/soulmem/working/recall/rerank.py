"""Rerank: of all that could come back, what does.

The last step of a recall, called by `recall`: near repetitions give way to what says something else, and what came up a
moment ago to what fits about as well (`core/reranking/mmr`). Reads the words of the candidates, the last recalls of the
conversation and, for who wants it, how the chosen show, in one look at one moment. Invariants: a look that is not
recorded is not swayed by what came up before; where something is asked, what only asks stands below what tells, and
answers nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from soulmem.core.facts.fact_reader import asked_before
from soulmem.core.facts.topic_terms import terms_in, weight
from soulmem.core.questions.question_detection import only_asks
from soulmem.core.reranking import reflection_ranking, standing_wishes
from soulmem.core.reranking.mmr import Candidate, Pick, diverse
from soulmem.core.schema.note_requests import NoteKind
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.search.memory_index import Hit
from soulmem.core.search.postings import Terms
from soulmem.core.search.score_calibration import LOOKED_AT
from soulmem.fast_dataclasses import dataclass
from soulmem.store.messages import conversations, message_log
from soulmem.store.recalls import recall_records
from soulmem.store.reflections import reflection_rows
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite.driver import Connection, snapshot
from soulmem.store.views import rendered_notes, wire_views
from soulmem.store.views.rendered_notes import NotePreview
from soulmem.working.recall.answer_check import Asking, answered
from soulmem.working.validity import told_earlier
from soulmem.working.validity.validity_at_recall import Mark, Settled, ValidityCheck

Shown = dict[tuple[str, int], dict[str, Any]]

_BEYOND = 2  # candidates looked at for each item wanted
_AT_LEAST = 2 * LOOKED_AT
_BELOW = 0.5  # of the least score that something has which tells
_LATELY = 3  # recalls that are remembered
_SAME_WORDS = 0.6  # of what a question is about, in another that asks the same
_ASKED_READ = 400  # characters of a question
_LONGEST_ASKING = 100  # characters of what only asks


@dataclass(frozen=True, slots=True)
class Suppressed:
    """An item that would have come back: `like` says nearly the same, or it `returned` too soon."""

    hit: Hit
    like: Hit | None
    returned: bool


@dataclass(frozen=True, slots=True)
class Chosen:
    """`shown`: the items as the protocol shows them, by kind and number, where they were asked for; `marks`: what of
    the chosen holds no more.
    """

    hits: list[Hit]
    suppressed: list[Suppressed]
    shown: Shown = field(default_factory=dict)
    marks: Mapping[ItemRef, Mark] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Before:
    """The recalls that came before this one in its conversation, by row or by name; `below`: its own number."""

    conversation: int | str
    below: int | None = None


async def choose(
    memory: OpenMind,
    hits: Sequence[Hit],
    k: int,
    before: Before | None,
    *,
    asking: bool = False,
    asked: str = "",
    asks: Asking | None = None,
    showing_at: int | None = None,
    settling: ValidityCheck | None = None,
    wanted: int | None = None,
    request: str = "",
    recurring: bool = False,
) -> Chosen:
    """The `k` items at hand, best first, and those that had to give way; `before`: what came up then counts.

    `wanted`: how many of them will be returned, if not all; what would be among these and is not had to give way.
    `asking`: they are to answer a question, `asked`, which is no answer where it was put before; "": it is one.
    `asks`: what it asks for, by which their texts are judged.
    `showing_at`: the experienced time at which the chosen are to be shown; None: nobody wants to see them.
    `settling`: how what still holds is told from what does not; None: that is of no interest.
    `request`: what is to be done or advised, to which standing wishes apply; "": nothing is.
    `recurring`: they are to tell what recurs, or it is reflections that are wanted, so that these may stand first.
    """
    if len(hits) < 2 and showing_at is None and settling is None and not (hits and asking):
        return Chosen(list(hits[:k]), [])
    return await memory.database.read(
        _choose, hits, k, before, asking, asked, asks, showing_at, settling, wanted or k, request, recurring
    )


def _choose(
    connection: Connection,
    hits: Sequence[Hit],
    k: int,
    before: Before | None,
    asking: bool,
    asked: str,
    asks: Asking | None,
    showing_at: int | None,
    settling: ValidityCheck | None,
    wanted: int,
    request: str,
    recurring: bool,
) -> Chosen:
    with snapshot(connection):
        settled = told_earlier.settled(connection, settling, hits) if settling is not None else Settled(list(hits))
        most = max(_AT_LEAST, _BEYOND * k)
        wishes = (hit for hit in settled.hits[most:] if request and standing_wishes.WISH in hit.channels)
        looked: Sequence[Hit] = [*settled.hits[:most], *wishes]
        noted = rendered_notes.previews(connection, [hit.key for hit in looked if hit.kind is ItemKind.NOTE])
        concluded = {key for key, look in noted.items() if look.kind == NoteKind.REFLECTION}
        if concluded and (unsteady := reflection_rows.unsteady(connection, concluded)):
            looked = [hit for hit in looked if hit.kind is not ItemKind.NOTE or hit.key not in unsteady]
        words, said = _words(connection, looked, noted)
        ago = _lately(connection, before)
        texts = said | {(ItemKind.NOTE, key): look.text for key, look in noted.items()}
        if asking:
            only = _asking(looked, texts)
            twins = _twins(only, said, asked)
            looked = _telling_first([hit for hit in looked if _ref(hit) not in twins], only)
        candidates = [Candidate(hit.score, words.get(_ref(hit), _NO_WORDS), ago.get(_ref(hit), 0)) for hit in looked]
        picks = diverse(candidates, len(looked)) if len(looked) > 1 else [Pick(0, hit.score) for hit in looked]
        picked = [looked[pick.place]._replace(score=round(pick.score, 6)) for pick in picks]
        kept = standing_wishes.kept(picked, k, texts, request)
        marks = settled.marks
        if asking and asks is not None:
            kept, marks = answered(connection, kept, asks, marks)
        kept = reflection_ranking.behind(kept, concluded, asking=asking, recurring=recurring)
        suppressed = [
            Suppressed(looked[pick.place], looked[pick.like] if pick.like is not None else None, pick.returned)
            for pick in picks[wanted:]
            if pick.place < wanted
        ]
        shown = wire_views.items(connection, kept, showing_at, noted) if showing_at is not None else {}
        return Chosen(kept, suppressed, shown, marks)


def _asking(looked: Sequence[Hit], texts: Mapping[ItemRef, str]) -> set[ItemRef]:
    """Those that only ask. A note without a mark or 吗 tells: whoever wrote it down would have set one, and so does one
    that quotes a question and its answer. So does who asks at length: he says first what it is about."""
    found = set[ItemRef]()
    for ref in map(_ref, looked):
        text = texts.get(ref, "")
        if len(text) > _LONGEST_ASKING:
            continue
        marked = "?" in text or "？" in text or text.rstrip().endswith("吗")
        may_ask = ref[0] is ItemKind.MESSAGE or (marked and not asked_before(text))
        if may_ask and only_asks(text):
            found.add(ref)
    return found


def _twins(asking: Collection[ItemRef], said: Mapping[ItemRef, str], asked: str) -> set[ItemRef]:
    """The messages among those that only ask which ask what is asked: the question itself, and where it was put before.

    They are no memory of it, wherever they would stand.
    """
    found = set[ItemRef]()
    if not asked:
        return found
    wanted = terms_in(asked, ())
    for ref in asking:
        if (text := said.get(ref)) is not None:
            own = terms_in(text[:_ASKED_READ], ())
            most = max(weight(own), weight(wanted))
            if weight(own & wanted) >= _SAME_WORDS * most if most else text == asked:
                found.add(ref)
    return found


def _telling_first(looked: Sequence[Hit], asking: Collection[ItemRef]) -> Sequence[Hit]:
    """What only asks, an echo of the question among it, below all that tells; it is no sign that anything is known."""
    if not asking:
        return looked
    telling = [hit for hit in looked if _ref(hit) not in asking]
    least = min((hit.score for hit in telling), default=1.0)
    asked = (hit for hit in looked if _ref(hit) in asking)
    return [*telling, *(hit._replace(score=_BELOW * min(hit.score, least), fit=0.0) for hit in asked)]


_NO_WORDS: Terms = np.zeros(0, dtype=np.uint32)


def _ref(hit: Hit) -> ItemRef:
    return hit.kind, hit.key


def _words(
    connection: Connection, hits: Sequence[Hit], noted: Mapping[int, NotePreview]
) -> tuple[dict[ItemRef, Terms], dict[ItemRef, str]]:
    """The words of each item, and the texts of the messages."""
    words = {(ItemKind.NOTE, key): np.frombuffer(look.terms, dtype=np.uint32) for key, look in noted.items()}
    spoken = [hit.key for hit in hits if hit.kind is ItemKind.MESSAGE]
    texts = dict[ItemRef, str]()
    for key, terms, content in message_log.words_of(connection, spoken) if spoken else ():
        words[ItemKind.MESSAGE, key] = np.frombuffer(terms, dtype=np.uint32)
        texts[ItemKind.MESSAGE, key] = content
    return words, texts


def _lately(connection: Connection, before: Before | None) -> dict[ItemRef, int]:
    """How many recalls ago an item last came up in the conversation."""
    ago: dict[ItemRef, int] = {}
    home = before.conversation if before is not None else None
    if isinstance(home, str):
        known = conversations.conversation(connection, home)
        home = known.id if known is not None else None
    if before is not None and home is not None:
        for kind, item, since in recall_records.lately(connection, home, _LATELY, below=before.below):
            ago.setdefault((ItemKind(kind), item), since)
    return ago
