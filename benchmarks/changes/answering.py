"""Fits and measures the answer model (`core/vector_models/answer_model`): vectors that tell what answers a question.

A question of the invented lives (`lives/`) about what changed is answered by two of its lines, what was so and what is
so now; so is the question of each statement on its own, among its neighbours; one about what stands (`asked/`) by one
line. The network learns to put an answer before what else was said: the loss is the cross-entropy of a choice among it
and others, drawn the more often the nearer they are to the question. Printed, of authors that were left out: how often
each of these comes before all other lines, and among the first three, by the cosines alone and by the network.

    python -m benchmarks.changes.answering [--write] [--embedder PAIR]      --write: store a fit on everything
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.changes.hidden_layer import Fit, Floats, Vectors, both_encoders, read_by, store
from benchmarks.changes.lives_told import told_files
from benchmarks.changes.replacement import FOLDS, fold_of
from soulmem.core.vector_models import answer_model
from soulmem.core.vector_models.answer_model import by_cosines, weighed
from soulmem.core.vector_models.hidden_layer import SCALE, Network

EPOCHS, BATCH = 8, 32
OTHERS = 16  # beside each answer
NEARER = 4.0  # how much the more often near ones are drawn, by the sum of both cosines
USUAL = -2.8  # the logit of what does not answer, on the average
EACH_OF = 8  # of the questions one in so many tells how the logits lie
BESIDE = 12  # statements on their own before and after, as others


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what answers it (what was so, what is so now; or what stands), and what else was said."""

    language: str
    fold: int
    question: str
    answers: tuple[str, ...]
    others: tuple[str, ...]
    stands: bool = False  # nothing of it changed


def asked() -> list[Asked]:
    """All that is fitted on."""
    found = []
    for file in told_files():
        fold = fold_of(file.name)
        for life in file.lives:
            numbers: defaultdict[str, list[int]] = defaultdict(list)
            for (later, earlier), question in life.replaced.items():
                numbers[question] += [number for number in (earlier, later) if number not in numbers[question]]
            for question, of in numbers.items():
                answers = tuple(life.lines[number][1] for number in of)
                others = tuple(text for number, (_, text) in life.lines.items() if number not in of)
                found.append(Asked(file.language, fold, question, answers, others))
            for question, right in life.asked:
                answers = tuple(life.lines[number][1] for number in right)
                others = tuple(text for number, (_, text) in life.lines.items() if number not in right)
                if answers:
                    found.append(Asked(file.language, fold, question, answers, others, stands=True))
        for place, each in enumerate(file.apart):
            near = [*file.apart[max(0, place - BESIDE) : place], *file.apart[place + 1 : place + BESIDE]]
            others = tuple(text for other in near for text in (other.old, other.new))
            found.append(Asked(file.language, fold, each.question, (each.old, each.new), others))
    return found


def fit(vectors: Vectors, data: Sequence[Asked], seed: int = 0) -> Network:
    """A network, its logits added to what the cosines say."""
    chance = np.random.default_rng(seed)
    pairs = [(each, answer) for each in data for answer in each.answers]
    drawn = {id(each): _odds(vectors, each) for each in data}
    fitting: Fit | None = None
    for epoch in range(EPOCHS):
        chance.shuffle(pairs)
        for start in range(0, len(pairs), BATCH):
            batch = pairs[start : start + BATCH]
            questions = np.repeat(vectors.of([each.question for each, _ in batch]), OTHERS + 1, axis=0)
            texts = [
                text
                for each, answer in batch
                for text in (answer, *chance.choice(each.others, OTHERS, p=drawn[id(each)]))
            ]
            told = vectors.of(texts)
            read = read_by(questions, told)
            near = by_cosines(questions, told)

            def slope(logits: Floats, near: Floats = near, count: int = len(batch)) -> Floats:
                """Of the cross-entropy of a choice in which the first is right."""
                table = (logits + near).reshape(count, OTHERS + 1)
                odds = np.exp(table - table.max(axis=1, keepdims=True))
                odds /= odds.sum(axis=1, keepdims=True)
                odds[:, 0] -= 1
                return np.asarray(odds.ravel() / count, dtype=np.float32)

            fitting = fitting or Fit(read.shape[1], chance)
            fitting.learn(read, slope, 1 - epoch / EPOCHS)
    assert fitting is not None
    return _levelled(fitting.network(), vectors, data)


def _levelled(network: Network, vectors: Vectors, data: Sequence[Asked]) -> Network:
    """The network with logits of a level that every fit has: a choice leaves open what all of them share."""
    drawn = data[::EACH_OF]
    questions = vectors.of([each.question for each in drawn])
    told = [weighed(network, q, vectors.of(each.others)) for q, each in zip(questions, drawn, strict=True)]
    return network._replace(bias=network.bias + USUAL - float(np.concatenate(told).mean()))


def _odds(vectors: Vectors, asked: Asked) -> Floats:
    """How often each of the others is drawn."""
    near = vectors.of(asked.others) @ vectors.of([asked.question])[0] / SCALE**2
    odds = np.exp(NEARER * near.astype(np.float64))
    return np.asarray(odds / odds.sum())


def left_out(vectors: Vectors, data: Sequence[Asked]) -> list[Network]:
    """For each fold a network that has seen none of its authors."""
    return [fit(vectors, [each for each in data if each.fold != fold]) for fold in range(FOLDS)]


def _report(name: str, vectors: Vectors, data: Sequence[Asked], networks: Sequence[Network] | None) -> None:
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for each in data:
        question, table = vectors.of([each.question])[0], vectors.of([*each.answers, *each.others])
        scores = by_cosines(question, table) if networks is None else weighed(networks[each.fold], question, table)
        others = scores[len(each.answers) :]
        kinds = ("what was", "what is now") if not each.stands else ("what stands",)
        for kind, score in zip(kinds, scores, strict=False):
            places[each.language, kind].append(int((others >= score).sum()))
    for language in ("en", "zh"):
        for kind in ("what was", "what is now", "what stands"):
            found = np.array(places[language, kind])
            shares = f"first {(found == 0).mean():.3f}, among three {(found < 3).mean():.3f}"
            print(f"{name:10} {language}  {len(found)} questions  {kind}: {shares}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--embedder", default="auto", help="two encoders side by side")
    options = parser.parse_args()
    vectors, data = Vectors(both_encoders(options.embedder)), asked()
    vectors.add(text for each in data for text in (each.question, *each.answers, *each.others))
    _report("cosines", vectors, data, None)
    _report("left out", vectors, data, left_out(vectors, data))
    if options.write:
        print(f"written: {store(fit(vectors, data), answer_model.NAME):,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
