"""The memory stream: recall that weighs how recent and how important a note is beside how well it fits.

The view of observations, reflections and plans (ALGORITHMS §8.1), called by `converse` when a client asks for it.
Gathers the candidates (the nearest notes, and the latest however far they are), lets `core/stream` rank them, and
shows the answer. Messages and summaries stand in no stream. Recency is of experienced time and is not moved by being
a candidate: what is returned counts as retrieved, through the record of the recall like any other, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from soulmem.core import ranking, stream
from soulmem.core.filters import Subject
from soulmem.core.index import Hit
from soulmem.core.ranking import Question
from soulmem.core.rows import ItemKind
from soulmem.core.stream import STREAM_TIER, Components, Ranked, StreamWish
from soulmem.core.traces import DAY_MS
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.config import MindSettings
from soulmem.ports import BLIND_BELOW, FloatVector, World
from soulmem.store import search, vectors, views
from soulmem.store import stream as streams
from soulmem.store.driver import Connection
from soulmem.store.open_mind import OpenMind
from soulmem.store.rows import public_id
from soulmem.store.stream import Entry
from soulmem.working.recall import Wanted

_READ = 2_000  # characters of a query that are looked at
_FARTHEST = vectors.VEC0_MOST  # how far candidates are looked for when only some kinds, tags or times are wanted
_RETURNS = 2_000  # of recent recalls that are looked through for what was retrieved last


@dataclass(frozen=True, slots=True)
class Streamed:
    """What a recall of the stream found, best first; `weights` are those it was weighed by."""

    ranked: list[Ranked]
    weights: Components

    @property
    def hits(self) -> list[Hit]:
        return [Hit(ItemKind.NOTE, each.key, round(each.score, 6), _named(each.raw)) for each in self.ranked]


@dataclass(frozen=True, slots=True)
class _Search:
    """One search, once the query has been read and embedded."""

    wanted: Wanted
    wish: StreamWish
    question: Question
    vector: FloatVector | None
    now: int
    now_exp: int

    @property
    def is_narrow(self) -> bool:
        wanted = self.wanted
        given = (wanted.kinds, wanted.speaker, wanted.from_ms, wanted.to_ms, self.wish.filter)
        return bool(wanted.tags or wanted.exclude) or any(each is not None for each in given)

    @property
    def reach(self) -> int:
        return _FARTHEST if self.is_narrow else stream.pool_size(self.wanted.k)


class Streaming:
    """Answers recalls of one mind's memory stream."""

    def __init__(self, memory: OpenMind, world: World, settings: Callable[[], MindSettings]) -> None:
        self._memory = memory
        self._world = world
        self._settings = settings

    async def search(self, wanted: Wanted) -> Streamed:
        """The notes that come first in the stream for a query; records nothing."""
        await self._memory.index_ready.wait()
        index = self._memory.index
        speakers = index.speakers if index is not None else frozenset[str]()
        question = ranking.read_question(wanted.query[:_READ], speakers)
        vector = await self._vector(question.embed_text)
        clock = self._world.clock
        now_exp = self._memory.now(clock.trusted_now_ms())
        asked = _Search(wanted, wanted.stream or StreamWish(), question, vector, clock.now_ms(), now_exp)
        near: dict[int, float] | None = None
        index = self._memory.index
        if index is not None:
            found = index.nearest(vector, asked.reach, frozenset({ItemKind.NOTE})) if vector is not None else []
            near = {hit.key: hit.score for hit in found}
        decay = self._settings().recall.stream_decay
        pool = await self._memory.database.read(_pool, asked, near, self._memory.fingerprint, decay)
        weights = stream.WEIGHTS[asked.wish.emphasis]
        return Streamed(stream.rank(pool, weights, wanted.k), weights)

    async def answer(
        self, found: Streamed, recall: int | None, warnings: Sequence[str], *, explained: bool
    ) -> dict[str, Any]:
        """What `recall` returns: the notes with their scores, and with `explained` what each score is made of."""
        shown = await self._memory.database.read(views.items, found.hits)
        items = [
            {**shown[hit.kind.value, hit.key], "score": hit.score, "tier": STREAM_TIER}
            | ({"why": _explained(ranked, found.weights)} if explained else {})
            for hit, ranked in zip(found.hits, found.ranked, strict=True)
            if (hit.kind.value, hit.key) in shown
        ]
        result: dict[str, Any] = {"recall_id": public_id("r", recall) if recall is not None else None, "items": items}
        if not items:
            result["reason"] = "no note in the memory stream of this mind passes what was asked for"
        if warnings:
            result["warnings"] = list(warnings)
        return result

    async def _vector(self, text: str) -> FloatVector | None:
        embedding = self._world.embedding
        if embedding.embedder.coverage(text) < BLIND_BELOW:
            return None
        try:
            return await embedding.embed_now(text)
        except SoulmemError as error:
            if error.name is not ErrorName.MODEL_UNAVAILABLE:
                raise
            return None  # an endpoint that is down: words alone say what is relevant


def _pool(
    connection: Connection, asked: _Search, near: dict[int, float] | None, fingerprint: str, decay: float
) -> list[tuple[int, Components]]:
    """The candidates: of the notes that pass, the most relevant and the most recent.

    `near` has the cosines of the nearest notes; None if the mind is not in memory and the disk must be asked.
    """
    if near is None and asked.vector is not None:
        near = dict(vectors.nearest(connection, fingerprint, asked.vector, asked.reach, kind="note"))
    near = near or {}
    entries = _gathered(connection, asked, near)
    relevance = _relevance(connection, asked, entries, near, fingerprint)
    passing: list[tuple[Entry, Components]] = []
    for entry, fit in zip(entries, relevance, strict=True):
        recency = stream.recency(entry.touched_exp, asked.now_exp, decay)
        if _passes(asked, entry, recency, fit):
            passing.append((entry, Components(recency, entry.importance, stream.nearness(fit))))
    fitting = sorted(passing, key=lambda each: (-each[1].relevance, -each[0].id))[: stream.pool_size(asked.wanted.k)]
    recent = sorted(passing, key=lambda each: (-each[0].touched_exp, -each[0].id))[: stream.MOST_RECENT]
    return list({entry.id: parts for entry, parts in fitting + recent}.items())


def _passes(asked: _Search, entry: Entry, recency: float, relevance: float) -> bool:
    if asked.wish.filter is None:
        return True
    age_days = (asked.now - entry.at) / DAY_MS
    subject = Subject(relevance, recency, entry.importance, entry.valence, age_days, entry.kind, entry.tags)
    return asked.wish.filter.passes(subject)


def _gathered(connection: Connection, asked: _Search, near: dict[int, float]) -> list[Entry]:
    """Every note that may become a candidate, once; what the client left out is not among them."""
    worded = [note for note, _ in search.find(connection, "note", asked.wanted.query[:_READ], asked.reach)]
    known = dict.fromkeys([*near, *worded, *streams.last_returned(connection, _RETURNS)])
    gathered = {entry.id: entry for entry in streams.of_ids(connection, list(known)) if _fits(asked.wanted, entry)}
    latest = (entry for entry in streams.newest(connection, _FARTHEST) if _fits(asked.wanted, entry))
    # A filter may look at what is only known once all are weighed: then all of the latest are looked at.
    some = latest if asked.wish.filter is not None else islice(latest, stream.MOST_RECENT)
    gathered.update((entry.id, entry) for entry in some)
    return list(gathered.values())


def _fits(wanted: Wanted, entry: Entry) -> bool:
    if wanted.kinds is not None and "note" not in wanted.kinds and entry.kind not in wanted.kinds:
        return False
    if wanted.speaker is not None and ranking.speaker_key(wanted.speaker) != ranking.speaker_key(entry.speaker):
        return False
    if wanted.from_ms is not None and entry.at < wanted.from_ms:
        return False
    if wanted.to_ms is not None and entry.at >= wanted.to_ms:
        return False
    return wanted.tags <= entry.tags and (ItemKind.NOTE, entry.id) not in wanted.exclude


def _relevance(
    connection: Connection, asked: _Search, entries: Sequence[Entry], near: dict[int, float], fingerprint: str
) -> list[float]:
    """The cosine of each note to the query; of one without a vector, what its words say."""
    cosines = dict(near)
    vector = asked.vector
    rest = [entry.id for entry in entries if entry.id not in near]
    for first in range(0, len(rest), vectors.FEW_ITEMS):
        if vector is None:
            break
        some = rest[first : first + vectors.FEW_ITEMS]
        matrix, seen = vectors.means(connection, fingerprint, {("note", note): at for at, note in enumerate(some)})
        if matrix is not None and seen is not None:
            found = matrix @ vector
            cosines |= {note: round(float(found[at]), 6) for at, note in enumerate(some) if seen[at]}
    if all(entry.id in cosines for entry in entries):
        return [cosines[entry.id] for entry in entries]
    wanted = list(zip(asked.question.terms.tolist(), asked.question.weights.tolist(), strict=True))
    held = [frozenset(np.frombuffer(entry.terms, dtype=np.uint32).tolist()) for entry in entries]
    words = stream.shared_words(wanted, held)
    return [cosines.get(entry.id, shared) for entry, shared in zip(entries, words, strict=True)]


def _named(parts: Components) -> dict[str, float]:
    return {"recency": parts.recency, "importance": parts.importance, "relevance": parts.relevance}


def _explained(ranked: Ranked, weights: Components) -> dict[str, Any]:
    return {
        "channels": {name: round(value, 4) for name, value in _named(ranked.raw).items()},
        "scaled": {name: round(value, 4) for name, value in _named(ranked.scaled).items()},
        "weights": _named(weights),
    }
