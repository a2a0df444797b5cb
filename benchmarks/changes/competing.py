"""Fits and measures which of two answers to a question counts (`core/reranking/competing_answers`).

Each group of `tests/corpora/changes_asked.tsv` is told as one life, twice, in another order each time: a statement, and
later what was said of the same matter, which leaves it outdated (`over`), does not (`both`), or was never said
(`only`); so are the statements on their own of `lives/`, and the lives there as they stand. `changes_told_asked.tsv`
asks of pairs of `changes_told.tsv`, where most changes are worded to share nothing with what they end. Then each
question is put to an index of the whole life, as a recall puts it. In `weeks.txt` the same few people come up every day
and nothing that is asked changed. Printed, for questions of groups and authors that neither the curve nor the
replacement model was fitted on: the share of outdated answers that are marked, and of others that are.

    python -m benchmarks.changes.competing [--write]      --write: print the weights fitted on all of them
"""

from __future__ import annotations

import argparse
import os
import random
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.changes.changes import fit
from benchmarks.changes.lives_told import ToldLife, told_files
from benchmarks.changes.replacement import FOLDS, Vectors, fold_of, left_out, pairs
from soulmem.core.facts.topic_terms import terms_in
from soulmem.core.reranking import competing_answers
from soulmem.core.reranking.competing_answers import MARKED, NAMES, Answer, Curve, features, is_of_event
from soulmem.core.reranking.replacement_model import Network, network, prepared, weighed
from soulmem.core.schema import two_part_vectors
from soulmem.core.search.answer_type import read_calls
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit, SearchIndex
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import text_hashes
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import Embedder
from soulmem.working.recall.answer_check import by_worth
from soulmem.working.recall.recall_request import legibility
from soulmem.working.validity.told_earlier import LOOKED_AT

CORPORA = Path(__file__).resolve().parents[2] / "tests" / "corpora"
START, DAY = 1_772_442_000_000, 86_400_000
ROUNDS, TELLINGS = 4, 2
TOGETHER = 25  # statements on their own that are told as one life
KINDS, SHARES = ("over", "both", "only"), (0.4, 0.2, 0.4)
WEEKS, _OF_A_LIFE = "weeks", 8.0  # in a life little changes: how often each case of a week counts
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """One matter of a life: what is asked, what was said first, and later; `over`: the later one counts."""

    group: str
    language: str
    over: bool
    question: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Case:
    """One question put: the features of each later answer, and which of them is of the same matter."""

    row: Row
    features: Floats
    same: NDArray[np.bool_]


@dataclass(slots=True)
class Life:
    """What one person said, as it is searched."""

    speaker: str
    embedder: Embedder
    network: Network
    index: SearchIndex
    said: list[tuple[str, int]] = field(default_factory=list)

    def hear(self, text: str, at_ms: int) -> None:
        self.said.append((text, at_ms))
        key = len(self.said)
        self.index.add(ItemKind.NOTE, key, speaker=self.speaker, terms=text_hashes(text), at_ms=at_ms)
        self.index.set_vectors(ItemKind.NOTE, key, self._vector(text))

    def found(self, query: str) -> list[str]:
        """What comes to mind first."""
        return [self.said[hit.key - 1][0] for hit in self._search(query)[1]]

    def _search(self, query: str) -> tuple[NDArray[np.float32], list[Hit]]:
        question = read_question(query, self.index.speakers_within(None), asker=self.speaker, at_ms=self.said[-1][1])
        asked = self._vector(question.embed_text)
        read = legibility(self.embedder.coverage(question.embed_text))
        return asked, by_worth(self.index.search(Query(question, asked, k=60, legible=read)))[:LOOKED_AT]

    def ask(self, row: Row) -> Case:
        asked, hits = self._search(row.question)
        best = max((hit.score for hit in hits), default=1.0)
        table = np.stack([self._vector(self.said[hit.key - 1][0]) for hit in hits] + [asked])
        start = two_part_vectors.shared_from(self.embedder.fingerprint)
        likeness = two_part_vectors.cosines(table, table, start)
        answers = [
            Answer(
                self.said[hit.key - 1][0], self.speaker, (self.said[hit.key - 1][1], hit.key), hit.score / best,
                float(likeness[place][-1]),
            )
            for place, hit in enumerate(hits)
        ]  # fmt: skip
        replaced = weighed(self.network, prepared(table[:-1])).tolist()
        calls, words, event = (
            read_calls(row.question, self.speaker),
            terms_in(row.question, ()),
            is_of_event(row.question),
        )
        first = next((place for place, each in enumerate(answers) if each.text == row.old), None)
        later = [] if first is None else [at for at, each in enumerate(answers) if each.told > answers[first].told]
        found = [
            features(calls, words, event, answers, (at, first), likeness[:-1, :-1].tolist(), replaced)
            for at in later
            if first is not None
        ]
        return Case(
            row, np.array(found).reshape(-1, len(NAMES)), np.array([answers[at].text == row.new for at in later], bool)
        )

    def _vector(self, text: str) -> NDArray[np.float32]:
        if text not in _VECTORS:
            _VECTORS[text] = np.asarray(self.embedder.embed([text])[0], dtype=np.float32)
        return _VECTORS[text]


_VECTORS: dict[str, NDArray[np.float32]] = {}


def asked() -> list[Row]:
    lines = (CORPORA / "changes_asked.tsv").read_text(encoding="utf-8").splitlines()
    return [Row(each[0], each[1], each[2] == "over", *each[3:6]) for each in (line.split("\t") for line in lines)]


def hard(chance: random.Random) -> list[Row]:
    """Of two in five statements what changed is told, of one in seven what did not, of the others nothing."""
    told: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for line in (CORPORA / "changes_told.tsv").read_text(encoding="utf-8").splitlines():
        half, language, label, old, new = line.split("\t")
        told.setdefault((half, language, old), {}).setdefault("both" if label == "both" else "over", []).append(new)
    found = []
    for place, line in enumerate((CORPORA / "changes_told_asked.tsv").read_text(encoding="utf-8").splitlines()):
        half, language, old, question = line.split("\t")
        label = chance.choices(("over", "both", "only"), (0.4, 0.15, 0.45))[0]
        news = told[half, language, old].get(label, [])
        new = chance.choice(news) if news else ""
        found.append(Row(f"{half}-{language}-{place % 8}", language, label == "over", question, old, new))
    return found


def life_of(speaker: str, embedder: Embedder, using: Network) -> Life:
    index = SearchIndex(shared_from=two_part_vectors.shared_from(embedder.fingerprint))
    return Life(speaker, embedder, using, index)


def lived(embedder: Embedder, networks: list[Network]) -> list[Case]:
    """The questions of the lives, each asked of what it ended and of what is so now, which nothing ended since."""
    found = []
    for file in told_files():
        group, using = f"{fold_of(file.name)} author", networks[fold_of(file.name)]
        for told in file.lives:
            life = life_of(told.name, embedder, using)
            for number, (day, text) in sorted(told.lines.items()):
                life.hear(text, START + day * DAY + number * 60_000)
            found += [life.ask(row) for row in _asked_of(told, group, file.language)]
        chance = random.Random(f"{file.language}{file.name}")
        for start in range(0, len(file.apart), TOGETHER):
            rows = []
            for each in file.apart[start : start + TOGETHER]:
                label = chance.choices(KINDS, SHARES)[0]
                new = {"over": each.new, "both": each.alike}.get(label, "")
                rows.append(Row(group, file.language, label == "over", each.question, each.old, new))
            found += cases(rows, embedder, using)
    return found


def _asked_of(told: ToldLife, group: str, language: str) -> list[Row]:
    found = []
    for (later, earlier), question in told.replaced.items():
        new = told.lines[later][1]
        found.append(Row(group, language, True, question, told.lines[earlier][1], new))
        if not any(over == later for _, over in told.replaced):
            found.append(Row(group, language, False, question, new, ""))
    return found


def cases(rows: list[Row], embedder: Embedder, using: Network) -> list[Case]:
    """Each group told `TELLINGS` times, and all its questions put at the end."""
    found = []
    for group in dict.fromkeys(row.group for row in rows):
        own = [row for row in rows if row.group == group]
        for telling in range(TELLINGS):
            chance = random.Random(f"{group}{telling}")
            life = life_of(group, embedder, using)
            told: list[tuple[float, str]] = []
            for row in own:
                first = chance.uniform(0, 12)
                told += [(first, row.old)] + ([(chance.uniform(first + 2, 34), row.new)] if row.new else [])
            for place, (day, text) in enumerate(sorted(told, key=lambda each: (int(each[0] / 2), chance.random()))):
                life.hear(text, START + int(day / 2) * 3 * DAY + place * 60_000)
            found += [life.ask(row) for row in own]
    return found


def weeks(embedder: Embedder) -> list[Case]:
    """Of two whole weeks, where the same people come up every day: each earlier statement that a question finds."""
    found: list[Case] = []
    life, language = None, ""
    for line in (CORPORA / "weeks.txt").read_text(encoding="utf-8").splitlines():
        head, _, rest = line.partition(" ")
        if head == "==":
            language, _, speaker = rest.partition(" ")
            life = life_of(speaker, embedder, network())
        elif life is not None and head == "?":
            found += [life.ask(Row(WEEKS, language, False, rest, text, "")) for text in life.found(rest)]
        elif life is not None and head.isdigit():
            life.hear(rest, START + int(head) * DAY + len(life.said) * 60_000)
    return [case for case in found if len(case.features)]


def fitted(data: list[Case]) -> Curve:
    """Weights and bias: of each question the later answer counts that looks most like the one of now."""
    weights: Floats | None = None
    for _ in range(ROUNDS):
        rows, right, counts = [], [], []
        for case in data:
            if not len(case.features) or (case.row.over and not case.same.any()):
                continue
            looks = case.features @ weights[:-1] if weights is not None else np.zeros(len(case.features))
            if case.row.over:
                looks = np.where(case.same, looks, -np.inf)
            rows.append(case.features[looks.argmax()])
            right.append(float(case.row.over))
            counts.append(_OF_A_LIFE if case.row.group == WEEKS else 1.0)
        weights = fit(np.array(rows), np.array(right), np.array(counts))
    assert weights is not None
    return Curve(tuple(map(float, np.round(weights[:-1], 2))), round(float(weights[-1]), 2))


def scored(case: Case, curve: Curve) -> float:
    return float((case.features @ np.array(curve.weights) + curve.bias).max(initial=-20.0))


def report(name: str, told: list[tuple[Case, float]]) -> None:
    for language in ("en", "zh"):
        over = np.array([score for case, score in told if case.row.over and case.row.language == language])
        other = np.array([score for case, score in told if not case.row.over and case.row.language == language])
        others = f"{(other >= MARKED).mean():.3f} of {len(other):3} others"
        if not len(over):
            print(f"{name:45} {language}  marked {others}")
            continue
        area = float((over[:, None] > other[None, :]).mean() + 0.5 * (over[:, None] == other[None, :]).mean())
        print(
            f"{name:45} {language}  marked {(over >= MARKED).mean():.2f} of {len(over):3} outdated, {others}; "
            f"area {area:.2f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    embedder, _ = load_embedder(EmbedderSpec("auto"), default_paths.models_directory(os.environ))
    vectors, data = Vectors(embedder), pairs()
    vectors.add(text for each in data for text in (each.old, each.new))
    lives = lived(embedder, left_out(vectors, data))
    own, week = cases(asked(), embedder, network()), weeks(embedder)
    told = cases([row for row in hard(random.Random(11)) if row.group.startswith("test")], embedder, network())
    authors = [f"{fold} author" for fold in range(FOLDS)]
    folds = {group: place % FOLDS for place, group in enumerate(dict.fromkeys(case.row.group for case in own))}
    folds |= {group: fold for fold, group in enumerate(authors)}
    left: list[tuple[Case, float]] = []
    for fold in range(FOLDS):
        curve = fitted([case for case in (*own, *lives) if folds[case.row.group] != fold] + week)
        left += [(case, scored(case, curve)) for case in (*own, *lives) if folds[case.row.group] == fold]
    for name, curve in (
        ("left out", None),
        ("alone", competing_answers.ALONE),
        ("in use", competing_answers.WITH_MODEL),
    ):
        for part, chosen in (("asked", own), ("lives", lives)):
            held = {id(case) for case in chosen}
            scores = left if curve is None else [(case, scored(case, curve)) for case in chosen]
            report(f"{part}, {name}", [each for each in scores if id(each[0]) in held])
        if curve is not None:
            report(f"hard pairs, {name}", [(case, scored(case, curve)) for case in told])
            report(f"weeks in which nothing changed, {name}", [(case, scored(case, curve)) for case in week])
    if options.write:
        curve = fitted([*own, *lives, *week])
        for feature, weighs in zip((*NAMES, "bias"), (*curve.weights, curve.bias), strict=True):
            print(f"  {feature:16s}{weighs:7.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
