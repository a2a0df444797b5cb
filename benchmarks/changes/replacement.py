"""Fits and measures the replacement model (`core/reranking/replacement_model`): vectors that tell a change.

Pairs of invented lives (`lives/`, all pairs of a life, those marked and a share of the others), of statements on their
own, the train halves of `tests/corpora/changes_told.tsv` and `changes_free.tsv`, the weeks of `weeks.txt` in which
nothing changed, and the lives of `content/` that may be read. A network of one hidden layer is
fitted by Adam with dropout; no author is in the fit that judges his pairs. Printed: the area under the curve for
changes against what sounds like one, and against any other line of the life, by language; and of the test half.

    python -m benchmarks.changes.replacement [--write]      --write: store a fit on everything in core/reranking
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.changes.lives_told import LANGUAGES, told_files
from benchmarks.content.content_data import Change, lives
from soulmem.core.reranking import replacement_model
from soulmem.core.reranking.replacement_model import Network, prepared, product
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import Embedder

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "tests" / "corpora"
FITTED = ROOT / "daemon" / "soulmem" / replacement_model.FITTED
FOLDS = 4
UNITS, EPOCHS, BATCH = 48, 24, 128
RATE, DECAY = 6e-4, 0.03
DROPPED_INPUT, DROPPED_HIDDEN = 0.2, 0.4
OTHERS = 2  # pairs of which nothing is marked, for each that is, anew in each epoch
COUNTS = {"changed": 2.0, "alike": 1.0, "apart": 1.0, "corpus": 0.6, "other": 0.15, "week": 0.15}
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements; `fold` is of their author, -1: none, so that it is in every fit."""

    source: str
    language: str
    fold: int
    over: bool
    old: str
    new: str


def fold_of(author: str) -> int:
    return int(author) % FOLDS


def pairs() -> list[Pair]:
    """All that is fitted on."""
    found = []
    for file in told_files():
        fold = fold_of(file.name)
        for life in file.lives:
            ended = {earlier: later for later, earlier in life.replaced}
            for later, earlier in life.pairs():
                if ended.get(earlier, later) < later and (later, earlier) not in life.replaced:
                    continue  # outdated before: whether this one leaves it so as well nobody marked
                over = (later, earlier) in life.replaced
                source = "changed" if over else "alike" if (later, earlier) in life.alike else "other"
                found.append(Pair(source, file.language, fold, over, life.lines[earlier][1], life.lines[later][1]))
        for each in file.apart:
            found.append(Pair("apart", file.language, fold, True, each.old, each.new))
            found.append(Pair("apart", file.language, fold, False, each.old, each.alike))
    found += [each for name in ("changes_told", "changes_free") for each in corpus(name, "train")]
    return found + list(of_weeks()) + list(of_content())


def of_weeks() -> Iterator[Pair]:
    """Whole weeks in which the same few people come up every day, and nothing changed."""
    language, told = "", list[str]()
    for line in (CORPORA / "weeks.txt").read_text(encoding="utf-8").splitlines():
        head, _, rest = line.partition(" ")
        if head == "==":
            language, told = rest[:2], []
        elif head.isdigit():
            yield from (Pair("week", language, -1, False, earlier, rest) for earlier in told)
            told.append(rest)


def of_content() -> Iterator[Pair]:
    """The lives of the content benchmark that may be read."""
    for life in lives(LANGUAGES, ("dev",)):
        changed = {(change.old, change.new) for change in life.steps(Change) if isinstance(change, Change)}
        names = list(life.statements)
        for place, old in enumerate(names):
            for new in names[place + 1 :]:
                first, then = life.statements[old].message, life.statements[new].message
                over = (old, new) in changed
                if first < then:
                    source = "changed" if over else "other"
                    yield Pair(source, life.language, -1, over, life.texts[first], life.texts[then])


def corpus(name: str, half: str) -> list[Pair]:
    rows = [line.split("\t") for line in (CORPORA / f"{name}.tsv").read_text(encoding="utf-8").splitlines()]
    return [Pair("corpus", row[1], -1, row[2] != "both", row[3], row[4]) for row in rows if row[0] == half]


class Vectors:
    """The prepared vectors of texts, embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._held: dict[str, Floats] = {}

    def add(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._held]
        for start in range(0, len(new), 256):
            batch = new[start : start + 256]
            self._held |= dict(zip(batch, prepared(self._embedder.embed(batch)), strict=True))

    def of(self, texts: Sequence[str]) -> Floats:
        return np.stack([self._held[text] for text in texts])


def read_by(vectors: Vectors, chosen: Sequence[Pair]) -> Floats:
    """What the network reads of pairs: (n, 3 d)."""
    old, new = vectors.of([each.old for each in chosen]), vectors.of([each.new for each in chosen])
    return np.concatenate([old, new, product(old, new)], axis=1)


def fit(vectors: Vectors, data: Sequence[Pair], seed: int = 0) -> Network:
    """A network, by Adam with decoupled decay (Loshchilov, Hutter 2019) and a rate that falls to nothing."""
    chance = np.random.default_rng(seed)
    marked = np.array([place for place, each in enumerate(data) if each.source != "other"])
    others = np.array([place for place, each in enumerate(data) if each.source == "other"])
    right = np.array([each.over for each in data], np.float32)
    counts = np.array([COUNTS[each.source] for each in data], np.float32)
    width = read_by(vectors, data[:1]).shape[1]
    weights = {
        "hidden": chance.normal(0, width**-0.5, (width, UNITS)).astype(np.float32),
        "hidden_bias": np.zeros(UNITS, np.float32),
        "last": chance.normal(0, UNITS**-0.5, UNITS).astype(np.float32),
        "bias": np.full(1, -1.0, np.float32),
    }
    first = {name: np.zeros_like(value) for name, value in weights.items()}
    second = {name: np.zeros_like(value) for name, value in weights.items()}
    step = 0
    for epoch in range(EPOCHS):
        order = np.concatenate([marked, chance.choice(others, min(len(others), OTHERS * len(marked)), replace=False)])
        chance.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            read = read_by(vectors, [data[place] for place in batch])
            read *= (chance.random(read.shape, dtype=np.float32) > DROPPED_INPUT) / np.float32(1 - DROPPED_INPUT)
            slopes = _slopes(weights, read, right[batch], counts[batch], chance)
            step += 1
            for name, slope in slopes.items():
                first[name] = 0.9 * first[name] + 0.1 * slope
                second[name] = 0.999 * second[name] + 0.001 * slope * slope
                move = first[name] / (1 - 0.9**step) / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
                decay = DECAY * weights[name] if "bias" not in name else 0.0
                weights[name] = weights[name] - RATE * (1 - epoch / EPOCHS) * (move + decay)
    earlier, later, both = np.split(weights["hidden"], 3)
    return Network(earlier, later, both, weights["hidden_bias"], weights["last"], float(weights["bias"][0]))


def _slopes(
    weights: dict[str, Floats], read: Floats, right: Floats, counts: Floats, chance: np.random.Generator
) -> dict[str, Floats]:
    hidden = read @ weights["hidden"] + weights["hidden_bias"]
    kept = (chance.random(hidden.shape, dtype=np.float32) > DROPPED_HIDDEN) / np.float32(1 - DROPPED_HIDDEN)
    lit = np.maximum(hidden, 0) * kept
    off = counts * (1 / (1 + np.exp(-(lit @ weights["last"] + weights["bias"][0]))) - right) / len(right)
    back = np.outer(off, weights["last"]) * kept * (hidden > 0)
    return {"hidden": read.T @ back, "hidden_bias": back.sum(0), "last": lit.T @ off, "bias": off.sum(keepdims=True)}


def judged(network: Network, vectors: Vectors, data: Sequence[Pair]) -> Floats:
    """The logit of each pair."""
    found = []
    hidden = np.concatenate([network.earlier, network.later, network.product])
    for start in range(0, len(data), 4096):
        read = read_by(vectors, data[start : start + 4096])
        found.append(np.maximum(read @ hidden + network.hidden_bias, 0) @ network.last + network.bias)
    return np.concatenate(found)


def left_out(vectors: Vectors, data: Sequence[Pair]) -> list[Network]:
    """For each fold a network that has seen none of its authors."""
    return [fit(vectors, [each for each in data if each.fold != fold]) for fold in range(FOLDS)]


def store(network: Network, file: Path = FITTED) -> None:
    """The hidden layer as bytes: each unit's weights as 127ths of its largest."""
    hidden = np.concatenate([network.earlier, network.later, network.product])
    scales = np.abs(hidden).max(axis=0) / 127
    np.savez_compressed(
        file, hidden=np.round(hidden / scales).astype(np.int8), scales=scales.astype(np.float32),
        hidden_bias=network.hidden_bias, last=network.last, bias=np.float32(network.bias),
    )  # fmt: skip


def area(over: Floats, other: Floats) -> float:
    ordered = np.sort(other)
    below, upto = np.searchsorted(ordered, over, "left"), np.searchsorted(ordered, over, "right")
    return float((below + upto).mean() / 2 / max(len(other), 1))


def _report(name: str, data: Sequence[Pair], scores: Floats) -> None:
    for language in ("en", "zh"):
        own = [(each, score) for each, score in zip(data, scores, strict=True) if each.language == language]
        line = []
        for over, other in (("changed", "alike"), ("changed", "other"), ("apart", "apart"), ("corpus", "corpus")):
            yes = np.array([score for each, score in own if each.source == over and each.over])
            no = np.array([score for each, score in own if each.source == other and not each.over])
            if len(yes) and len(no):
                line.append(f"{over} {len(yes)}, {other} {len(no)}: {area(yes, no):.3f}")
        print(f"{name:24} {language}  area  " + "   ".join(line))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    embedder, _ = load_embedder(EmbedderSpec("auto"), default_paths.models_directory(os.environ))
    vectors, data, test = Vectors(embedder), pairs(), corpus("changes_told", "test") + corpus("changes_free", "test")
    vectors.add(text for each in (*data, *test) for text in (each.old, each.new))
    own = [each for each in data if each.fold >= 0]
    networks = left_out(vectors, data)
    scores = np.zeros(len(own), np.float32)
    for fold, network in enumerate(networks):
        places = [place for place, each in enumerate(own) if each.fold == fold]
        scores[places] = judged(network, vectors, [own[place] for place in places])
    _report("authors left out", own, scores)
    if options.write:
        store(fit(vectors, data))
        replacement_model.network.cache_clear()
        _report("test halves", test, judged(replacement_model.network(), vectors, test))
        print(f"written: {FITTED.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
