"""Answer ranking: how often what answers a question stands first, as it was found, and in the order of all evidence.

Every question of `knowing` that something answers is put to an index of the messages that came before it. Of the first
ten items found, the texts are read and the evidence of each (`core.reranking.answer_ranking`) is the data of a
multinomial logit, fitted by Adam (Kingma & Ba 2015). Printed are, for each language with 95 % bootstrap intervals, the
share of questions whose first item is right: as found, ordered with the weights in use, and ordered with weights that
were fitted to the other lives (the lives in six parts, each left out once); then the weights in use beside those fitted
to all. No weight may have the wrong sign. In use, `share` and `later` count more than fitted here: among the notes of
the half `dev` of `content` they keep what is so now before what was.

    python -m benchmarks.recall.answer_ranking [--embedder auto|minilm-int8|hashing]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.content.content_data import LANGUAGES
from benchmarks.recall.knowing import Told, questions
from benchmarks.recall.passages import interval
from soulmem.core.reranking.answer_ranking import WEIGHTS, Evidence, evidence, told_later
from soulmem.core.search.answer_type import meets, read_calls
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.search.score_calibration import LOOKED_AT, read_fit
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import BLIND_BELOW, Embedder
from soulmem.working.recall.answer_check import by_worth
from soulmem.working.recall.recall_request import legibility

Floats = NDArray[np.float64]
_FOUND = 60  # items of which the first ten are taken, as recall does
_PARTS = 6
_STEPS, _RATE, _DECAY = 600, 0.03, 0.01
_SIGNS = np.sign(np.array(WEIGHTS))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: of which life, in which language, the evidence of each item found (n, features), which are right."""

    life: int
    language: str
    items: Floats
    right: NDArray[np.bool_]


def ask(told: Told, text: str, language: str, right: set[int], embedder: Embedder) -> Asked | None:
    """Put one question; None where nothing was found."""
    index = told.index
    question = read_question(text, index.speakers_within(None), asker=told.asker, at_ms=index.newest_within(None))
    read = embedder.coverage(question.embed_text)
    vector = embedder.embed([question.embed_text])[0].astype(np.float32) if read >= BLIND_BELOW else None
    hits = by_worth(index.search(Query(question, vector, k=_FOUND, legible=legibility(read))))[:LOOKED_AT]
    if not hits:
        return None
    calls, best = read_calls(text, told.asker), max(hit.score for hit in hits)
    items: list[Evidence] = []
    for hit, later in zip(hits, told_later([hit.key for hit in hits]), strict=True):
        said, speaker, role = told.texts[hit.key - 1]
        met = meets(calls, said, speaker, role)
        answers, fit = hit.channels.get("answers", 0.0), read_fit(hit.fit, met)
        asks = said.rstrip().endswith(("?", "？"))
        share, is_reply = hit.score / best, role == "assistant"
        items.append(evidence(share, answers, hit.covers, fit, met, is_reply=is_reply, asks=asks, later=later))
    return Asked(id(index), language, np.array(items), np.array([hit.key in right for hit in hits]))


def fitted(data: Sequence[Asked]) -> Floats:
    """The weights under which the right items of these questions are likeliest."""
    told = [each for each in data if each.right.any() and not each.right.all()]
    scale = np.concatenate([each.items for each in told]).std(0) + 1e-6
    most = max(len(each.items) for each in told)
    items = np.zeros((len(told), most, len(WEIGHTS)))
    none = np.full((len(told), most), -1e9)
    right = np.zeros((len(told), most))
    for place, each in enumerate(told):
        count = len(each.items)
        items[place, :count], none[place, :count], right[place, :count] = each.items / scale, 0, each.right
    weights, mean, square = np.zeros(len(WEIGHTS)), np.zeros(len(WEIGHTS)), np.zeros(len(WEIGHTS))
    for step in range(1, _STEPS + 1):
        odds = items @ weights + none
        likely = np.exp(odds - odds.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        wanted = likely * right / (likely * right).sum(1, keepdims=True)
        slope = np.einsum("nif,ni->f", items, likely - wanted) / len(told) + _DECAY * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - _RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        weights = np.where(np.sign(weights) == _SIGNS, weights, 0)
    return np.asarray(weights / scale)


def _first(data: Sequence[Asked], weights: Floats | None) -> list[bool]:
    return [bool(each.right[0 if weights is None else int(np.argmax(each.items @ weights))]) for each in data]


def _left_out(data: Sequence[Asked]) -> dict[int, bool]:
    """By place: whether what stands first is right, with weights fitted to other lives."""
    lives = np.array(list(dict.fromkeys(each.life for each in data)))
    np.random.default_rng(0).shuffle(lives)
    found: dict[int, bool] = {}
    for part in range(_PARTS):
        away = set(lives[part::_PARTS].tolist())
        weights = fitted([each for each in data if each.life not in away])
        places = [place for place, each in enumerate(data) if each.life in away]
        found |= dict(zip(places, _first([data[place] for place in places], weights), strict=True))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="auto")
    spec = EmbedderSpec(parser.parse_args().embedder)
    embedder, warning = load_embedder(spec, default_paths.models_directory(os.environ))
    if warning:
        print(warning, file=sys.stderr)
    put = (ask(*each[:3], each[3], embedder) for each in questions(embedder) if each[3])
    data = [each for each in put if each is not None]
    ways = {
        "as found": _first(data, None),
        "weights in use": _first(data, np.array(WEIGHTS)),
        "fitted to other lives": [right for _, right in sorted(_left_out(data).items())],
    }
    for name, right in ways.items():
        for language in LANGUAGES:
            of = np.array([r for r, each in zip(right, data, strict=True) if each.language == language], dtype=float)
            low, high = interval(of)
            print(f"{name:22} {language} {len(of)}: first right {of.mean():.3f} [{low:.3f}, {high:.3f}]")
    print("weights in use and fitted to all:")
    for name, used, found in zip(Evidence._fields, WEIGHTS, fitted(data), strict=True):
        print(f"  {name:10} {used:6.2f} {found:6.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
