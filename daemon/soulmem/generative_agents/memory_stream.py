"""The stream: all memories in the order in which they were added, stored as notes and found by how recent, important
and relevant they are (algorithms.md §8.1).

What is relevant is the daemon's to say; the weights, and the times of access, are the stream's. Invariants: recency
falls by the hour, not by the second; a filter is parsed, never evaluated; only what is returned counts as accessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from typing import Any

from soulmem.core.reranking import filter_expressions
from soulmem.core.reranking.filter_expressions import Subject
from soulmem.generative_agents.stream_items import Memory, Reflection
from soulmem.generative_agents.stream_session import StreamSession, current

_POOL, _A_PLACE, _MOST = 60, 4, 500
_HOUR_S, _DAY_S = 3_600.0, 86_400.0
_FLAT = 1e-9  # a range below which all are alike
COLUMNS = ("description", "importance", "recency", "relevance", "pointer", "score")


class MemoryStream:
    """A list of memories that stands in a mind."""

    def __init__(
        self,
        memories: Sequence[Memory],
        alpha_recency: float,
        alpha_importance: float,
        alpha_relevance: float,
        decay_factor: float,
        context_window_size: int,
        session: StreamSession | None = None,
    ) -> None:
        """Args: decay_factor: what is left of recency after an hour; context_window_size: how many are retrieved."""
        self.session = session or current()
        self.memories: list[Memory] = []
        self.alpha_recency = alpha_recency
        self.alpha_importance = alpha_importance
        self.alpha_relevance = alpha_relevance
        self.decay_factor = decay_factor
        self.context_window_size = context_window_size
        for memory in memories:
            self.add_memory(memory)

    def add_memory(self, memory: Memory) -> None:
        """Put a memory at the end of the stream, and its note into the mind."""
        memory.belongs_to(self.session)
        if memory.note is None:
            note = self.session.call(
                "note.add", kind=memory.kind, text=memory.description, at=_iso(memory.creation_timestamp),
                importance=memory.importance, key=memory.key,
            )  # fmt: skip
            memory.note = str(note["id"])
            for pointer in memory.pointers if isinstance(memory, Reflection) else ():
                evidence = self.memories[pointer].note if 0 <= pointer < len(self.memories) else None
                if evidence is not None:
                    self.session.call("link.add", src=memory.note, dst=evidence, kind="evidence")
        self.memories.append(memory)

    def retrieve_memories(self, query_memory: Memory, filter_statement: str | None = None) -> Any:
        """The memories that belong most to a query, best first, as a data frame.

        `filter_statement`: comparisons of relevance, recency, importance, kind, such as `relevance > 0.5`.
        Raises ValueError: for a filter that cannot be read. ImportError: without pandas.
        """
        passes = filter_expressions.parse(filter_statement) if filter_statement is not None else None
        frames = _pandas()
        now = self.session.now()
        found = self._candidates(query_memory.description)
        recency = {place: self._recency(self.memories[place], now) for place in found}
        scaled_recency, scaled_relevance = _scaled(recency), _scaled(found)
        rows = []
        for place, relevance in found.items():
            memory = self.memories[place]
            age = (now - _aware(memory.creation_timestamp)).total_seconds() / _DAY_S
            subject = Subject(relevance, recency[place], memory.importance, 0.0, age, memory.kind, frozenset())
            if passes is not None and not passes(subject):
                continue
            score = (
                self.alpha_recency * scaled_recency[place]
                + self.alpha_importance * memory.importance
                + self.alpha_relevance * scaled_relevance[place]
            )
            rows.append((memory.description, memory.importance, recency[place], relevance, place, score))
        rows.sort(key=lambda row: (-row[-1], -row[-2]))
        kept = rows[: self.context_window_size]
        for *_, place, _score in kept:
            self.memories[place].most_recent_access_timestamp = _like(now, self.memories[place])
        return frames.DataFrame(kept, columns=list(COLUMNS))

    def get_memory_df(self) -> Any:
        """All memories as a data frame. Raises ImportError: without pandas."""
        names = (
            "description", "importance", "creation_timestamp", "most_recent_access_timestamp", "memory_type",
            "embedding_vector",
        )  # fmt: skip
        return _pandas().DataFrame([{name: getattr(each, name) for name in names} for each in self.memories])

    def _candidates(self, query: str) -> dict[int, float]:
        """The places of the memories that the mind brings up, each with how relevant it is, 0..1."""
        if not self.memories:
            return {}
        places: dict[str, int] = {}
        for place, memory in enumerate(self.memories):
            if memory.note is not None:
                places[memory.note] = place
        wanted = min(_MOST, max(_POOL, _A_PLACE * self.context_window_size))
        items = self.session.call(
            "recall", query=query, ranking="stream", k=wanted, record=False, explain=True, min_score=0.0
        )["items"]
        return {places[each["id"]]: each["why"]["channels"]["relevance"] for each in items if each["id"] in places}

    def _recency(self, memory: Memory, now: datetime) -> float:
        hours = (now - _aware(memory.most_recent_access_timestamp)).total_seconds() / _HOUR_S
        return float(self.decay_factor ** max(0.0, hours))


def _scaled(values: dict[int, float]) -> dict[int, float]:
    """Stretched from 0 to 1; one half where all are alike."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    if high - low < _FLAT:
        return dict.fromkeys(values, 0.5)
    return {place: (value - low) / (high - low) for place, value in values.items()}


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.astimezone()


def _iso(moment: datetime) -> str:
    return _aware(moment).isoformat(timespec="milliseconds")


def _like(now: datetime, memory: Memory) -> datetime:
    """Now, with a zone if the times of this memory have one."""
    return now if memory.most_recent_access_timestamp.tzinfo is not None else now.replace(tzinfo=None)


def _pandas() -> Any:
    try:
        return import_module("pandas")
    except ImportError as error:
        raise ImportError("data frames need pandas: pip install 'soulmem[generative-agents]'") from error
