"""Fits and measures the replacement model (`core/vector_models/replacement_model`): vectors that tell a change.

Pairs of invented lives (`lives/`, all pairs of a life, those marked and a share of the others), of statements on their
own, the train halves of `tests/corpora/changes_told.tsv` and `changes_free.tsv`, the weeks of `weeks.txt` in which
nothing changed, and the lives of `content/` that may be read. A network of one hidden layer is
fitted by Adam with dropout; no author is in the fit that judges his pairs. Printed: the area under the curve for
changes against what sounds like one, and against any other line of the life, by language; and of the test half.

    python -m benchmarks.changes.replacement [--write] [--embedder PAIR]      --write: store a fit on everything
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.changes.hidden_layer import Fit, Floats, Vectors, both_encoders, read_by, store
from benchmarks.changes.lives_told import LANGUAGES, told_files
from benchmarks.content.content_data import Change, lives
from soulmem.core.vector_models import hidden_layer, replacement_model
from soulmem.core.vector_models.hidden_layer import Network, stored

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "tests" / "corpora"
FOLDS = 4
EPOCHS, BATCH = 24, 128
_SLOWER = 0.6  # of the rate
OTHERS = 2  # pairs of which nothing is marked, for each that is, anew in each epoch
COUNTS = {"changed": 2.0, "alike": 1.0, "apart": 1.0, "corpus": 0.6, "other": 0.15, "week": 0.15}


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


def read_of(vectors: Vectors, chosen: Sequence[Pair]) -> Floats:
    """What the network reads of pairs: (n, 3 d)."""
    return read_by(vectors.of([each.old for each in chosen]), vectors.of([each.new for each in chosen]))


def fit(vectors: Vectors, data: Sequence[Pair], seed: int = 0) -> Network:
    """A network that says of each pair whether the first statement is outdated by the second."""
    chance = np.random.default_rng(seed)
    marked = np.array([place for place, each in enumerate(data) if each.source != "other"])
    others = np.array([place for place, each in enumerate(data) if each.source == "other"])
    right = np.array([each.over for each in data], np.float32)
    counts = np.array([COUNTS[each.source] for each in data], np.float32)
    fitting = Fit(read_of(vectors, data[:1]).shape[1], chance, bias=-1.0)
    for epoch in range(EPOCHS):
        order = np.concatenate([marked, chance.choice(others, min(len(others), OTHERS * len(marked)), replace=False)])
        chance.shuffle(order)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]

            def slope(logits: Floats, batch: NDArray[np.int64] = batch) -> Floats:
                """Of the weighed cross-entropy."""
                return np.asarray(counts[batch] * (1 / (1 + np.exp(-logits)) - right[batch]) / len(batch), np.float32)

            fitting.learn(read_of(vectors, [data[place] for place in batch]), slope, _SLOWER * (1 - epoch / EPOCHS))
    return fitting.network()


def judged(network: Network, vectors: Vectors, data: Sequence[Pair]) -> Floats:
    """The logit of each pair."""
    later = defaultdict[str, list[int]](list)
    for place, each in enumerate(data):
        later[each.old].append(place)
    found = np.zeros(len(data), np.float32)
    for old, places in later.items():
        found[places] = hidden_layer.judged(network, vectors.of([old])[0], vectors.of([data[p].new for p in places]))
    return found


def left_out(vectors: Vectors, data: Sequence[Pair]) -> list[Network]:
    """For each fold a network that has seen none of its authors."""
    return [fit(vectors, [each for each in data if each.fold != fold]) for fold in range(FOLDS)]


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
    parser.add_argument("--embedder", default="auto", help="two encoders side by side")
    options = parser.parse_args()
    vectors, data, test = (
        Vectors(both_encoders(options.embedder)),
        pairs(),
        corpus("changes_told", "test") + corpus("changes_free", "test"),
    )
    vectors.add(text for each in (*data, *test) for text in (each.old, each.new))
    own = [each for each in data if each.fold >= 0]
    networks = left_out(vectors, data)
    scores = np.zeros(len(own), np.float32)
    for fold, network in enumerate(networks):
        places = [place for place, each in enumerate(own) if each.fold == fold]
        scores[places] = judged(network, vectors, [own[place] for place in places])
    _report("authors left out", own, scores)
    if options.write:
        size = store(fit(vectors, data), replacement_model.NAME)
        _report("test halves", test, judged(stored(replacement_model.NAME, vectors.width), vectors, test))
        print(f"written: {size:,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
