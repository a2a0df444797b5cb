"""How a ranking of messages is scored against those that answer a question, and three rankings to compare it with."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.recall import passages
from benchmarks.recall.rank_fusion import reciprocal_ranks
from soulmem.core.text.tokens import query_terms, segment
from soulmem.ports import BLIND_BELOW, Embedder

CUTS = (5, 10, 20)
SHOWN = 10  # the cut whose bootstrap interval is printed
DEPTH = 20  # items asked for, and the length of every ranking
ADVERSARIAL = "5"  # LoCoMo's questions about what was never said: apart from the total


# -- scoring ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Score:
    """Recall (mean share of gold found) and hit (any gold found) at the cuts, over all and by category."""

    found: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, question: dict[str, Any], ranking: Sequence[str]) -> None:
        gold = set(question["gold"])
        if not gold:
            return
        places = {identifier: place for place, identifier in reversed(list(enumerate(ranking)))}
        hits = [sum(places.get(wanted, DEPTH) < cut for wanted in gold) for cut in CUTS]
        row = [count / len(gold) for count in hits] + [float(count > 0) for count in hits]
        self.found[str(question["category"])].append(row)

    def totals(self, categories: Sequence[str]) -> dict[str, Any]:
        rows = [row for category in categories for row in self.found.get(category, ())]
        means = np.mean(rows, axis=0) if rows else np.zeros(2 * len(CUTS))
        names = [f"{what}@{cut}" for what in ("recall", "hit") for cut in CUTS]
        found: dict[str, Any] = {name: round(float(mean), 4) for name, mean in zip(names, means, strict=True)}
        if rows:
            found[f"recall@{SHOWN}_95"] = passages.interval(np.array(rows)[:, CUTS.index(SHOWN)])
        return found | {"questions": len(rows)}

    def report(self) -> dict[str, Any]:
        counted = [category for category in sorted(self.found) if category != ADVERSARIAL]
        by_category = {category: self.totals([category]) for category in sorted(self.found)}
        return self.totals(counted) | {"by_category": by_category}


def expanded(items: Sequence[dict[str, Any]]) -> list[str]:
    """The first distinct message ids behind the items, in rank order."""
    ids = (source["id"] for item in items for source in item.get("sources", ()))
    return list(dict.fromkeys(ids))[:DEPTH]


# -- baselines --------------------------------------------------------------------------------------------


class Baselines:
    """BM25 (k1 1.2, b 0.75), cosine and their reciprocal ranks over the single turns with their speakers' names."""

    def __init__(self, messages: Sequence[dict[str, Any]], embedder: Embedder) -> None:
        self.ids = [message["id"] for message in messages]
        self._embedder = embedder
        self._held: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        texts = [f"{message['speaker']}: {message['content']}" for message in messages]
        for place, text in enumerate(texts):
            counts = Counter(segment(text))
            lengths.append(counts.total())
            for term, count in counts.items():
                self._held[term].append((place, count))
        self._norm = 1.2 * (0.25 + 0.75 * np.array(lengths) / max(1.0, float(np.mean(lengths))))
        self._legible = np.array([embedder.coverage(message["content"]) >= BLIND_BELOW for message in messages])
        chosen = [text for text, legible in zip(texts, self._legible, strict=True) if legible]
        self._vectors = np.zeros((len(messages), embedder.dimension), dtype=np.float32)
        for start in range(0, len(chosen), 64):
            places = np.flatnonzero(self._legible)[start : start + 64]
            self._vectors[places] = embedder.embed(chosen[start : start + 64])

    def rank(self, question: str) -> dict[str, list[str]]:
        bm25 = self._ranked(self._bm25(question))
        dense = self._ranked(self._dense(question))
        fused = reciprocal_ranks([bm25, dense])
        return {
            name: [self.ids[place] for place in places[:DEPTH]]
            for name, places in (("bm25", bm25), ("dense", dense), ("rrf", fused))
        }

    def _bm25(self, question: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        scores = np.zeros(len(self.ids))
        for term in query_terms(question):
            held = self._held.get(term, ())
            idf = math.log1p((len(self.ids) - len(held) + 0.5) / (len(held) + 0.5))
            for place, count in held:
                scores[place] += idf * count * 2.2 / (count + self._norm[place])
        return scores

    def _dense(self, question: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        if self._embedder.coverage(question) < BLIND_BELOW:
            return np.zeros(len(self.ids))
        cosines = self._vectors @ self._embedder.embed([question])[0]
        return np.where(self._legible, cosines + 1.0, 0.0)

    @staticmethod
    def _ranked(scores: np.ndarray[Any, np.dtype[np.float64]]) -> list[int]:
        order = np.argsort(-scores, kind="stable")[:100]
        return [int(place) for place in order if scores[place] > 0]
