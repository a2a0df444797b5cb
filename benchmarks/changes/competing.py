"""Fits and measures which of two answers to a question counts (`core/reranking/competing_answers`).

Each group of `tests/corpora/changes_asked.tsv` is told as one life, twice, in another order each time: a statement, and
later what was said of the same matter, which leaves it outdated (`over`), does not (`both`), or was never said
(`only`); so are the statements on their own of `lives/`, and the lives there as they stand. `changes_told_asked.tsv`
asks of pairs of `changes_told.tsv`, where most changes share no word with what they end. Then each
question is put to an index of the whole life, as a recall puts it. In `weeks.txt` the same few people come up every day
and nothing that is asked changed. The curve is fitted on all pairs that `rivals` weighs: the right one of each
question, and every later answer beside one that nothing left outdated. Printed, for questions of groups and authors
that neither the curve nor the models were fitted on: the share of outdated answers that are marked, and how many
answers that still hold are, for each question.

    python -m benchmarks.changes.competing [--write] [--embedder PAIR]      --write: print the weights fitted on all
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.changes import answering, replacement
from benchmarks.changes.changes import fit
from benchmarks.changes.hidden_layer import Vectors, both_encoders
from benchmarks.changes.lives_told import ToldLife, told_files
from benchmarks.changes.replacement import FOLDS, fold_of
from soulmem.core.reranking import competing_answers
from soulmem.core.reranking.competing_answers import NAMES, Answer, Curve, rivals
from soulmem.core.reranking.competing_answers import pairs as pairs_of
from soulmem.core.reranking.rival_questions import has_rivals
from soulmem.core.schema import two_part_vectors
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit, SearchIndex
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import text_hashes
from soulmem.core.vector_models import answer_model, replacement_model
from soulmem.core.vector_models.hidden_layer import Network, prepared, stored
from soulmem.ports import Embedder
from soulmem.working.recall.answer_check import by_worth
from soulmem.working.recall.recall_request import legibility
from soulmem.working.validity.told_earlier import LOOKED_AT

CORPORA = Path(__file__).resolve().parents[2] / "tests" / "corpora"
START, DAY = 1_772_442_000_000, 86_400_000
TELLINGS = 2
TOGETHER = 25  # statements on their own that are told as one life
KINDS, SHARES = ("over", "both", "only"), (0.4, 0.2, 0.4)
WEEKS, _OF_A_LIFE = "weeks", 8.0  # in a life little changes: how often each case of a week counts
TALKS, _OF_A_TALK = "16", 4.0  # the file of lives told in whole talks, where a talk takes back what was told in it
_WARY = {"ALONE": 0.3, "WITH_MODEL": 0.2}  # logits by which less is marked than was fitted, and less falsely
_COUNTS = {WEEKS: _OF_A_LIFE, "author of talks": _OF_A_TALK}  # by kind of group
_OF_MODELS = (
    "replaced", "replaces_sooner", "first_after", "answers", "later_answers", "answers_alone", "later_answers_alone",
)  # fmt: skip


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
    """One question put: what came to mind as `rivals` takes it, and which of that nothing left outdated."""

    row: Row
    asker: str
    answers: list[Answer]
    cosines: list[list[float]]
    replaced: list[list[float]]
    stands: list[bool]

    def marked(self, curve: Curve) -> Mapping[int, int]:
        """What is marked, and for which answer."""
        if not has_rivals(self.row.question):
            return {}
        found = rivals(self.row.question, self.asker, self.answers, self.cosines, self.replaced, curve=curve)
        return {place: later.place for place, later in found.items()}

    def pairs(self) -> Iterator[tuple[tuple[float, ...], bool]]:
        """What the curve learns from: the features of pairs, and whether the later answer counts."""
        if not has_rivals(self.row.question):
            return
        found = pairs_of(self.row.question, self.asker, self.answers, self.cosines, self.replaced)
        for (place, other), features in found.items():
            texts = self.answers[place].text, self.answers[other].text
            if self.row.over and texts == (self.row.old, self.row.new):
                yield features, True
            elif self.stands[place]:
                yield features, False


@dataclass(slots=True)
class Life:
    """What one person said, as it is searched; `over`: what of it is outdated by now."""

    speaker: str
    embedder: Embedder
    networks: tuple[Network, Network]
    index: SearchIndex
    said: list[tuple[str, int]] = field(default_factory=list)
    over: set[str] = field(default_factory=set)

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
        texts = [self.said[hit.key - 1][0] for hit in hits]
        table = np.stack([self._vector(text) for text in texts] + [asked])
        start = two_part_vectors.shared_from(self.embedder.fingerprint)
        likeness = two_part_vectors.cosines(table, table, start)
        read = prepared(table)
        replaced = replacement_model.weighed(self.networks[0], read[:-1]).tolist()
        sure = answer_model.weighed(self.networks[1], read[-1], read[:-1]).tolist()
        answers = [
            Answer(
                text, self.speaker, (self.said[hit.key - 1][1], hit.key), hit.score / best, float(likeness[place][-1]),
                answers=sure[place],
            )
            for place, (text, hit) in enumerate(zip(texts, hits, strict=True))
        ]  # fmt: skip
        stands = [text not in self.over for text in texts]
        return Case(row, self.speaker, answers, likeness[:-1, :-1].tolist(), replaced, stands)

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


def life_of(speaker: str, embedder: Embedder, using: tuple[Network, Network]) -> Life:
    index = SearchIndex(shared_from=two_part_vectors.shared_from(embedder.fingerprint), answering=using[1])
    return Life(speaker, embedder, using, index)


def in_use(embedder: Embedder) -> tuple[Network, Network]:
    """The replacement and the answer model as they are stored."""
    return stored(replacement_model.NAME, embedder.dimension), stored(answer_model.NAME, embedder.dimension)


def lived(embedder: Embedder, networks: list[tuple[Network, Network]]) -> list[Case]:
    """The questions of the lives: each that a line ended, of what it ended and of what is so now, which nothing ended
    since; and those about lines that stand."""
    found = []
    for file in told_files():
        group, using = f"{fold_of(file.name)} author", networks[fold_of(file.name)]
        group += " of talks" if file.name == TALKS else ""
        for told in file.lives:
            life = life_of(told.name, embedder, using)
            for number, (day, text) in sorted(told.lines.items()):
                life.hear(text, START + day * DAY + number * 60_000)
            life.over = {told.lines[earlier][1] for _, earlier in told.replaced}
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
    for question, right in told.asked:
        if right:
            found.append(Row(group, language, False, question, told.lines[right[0]][1], ""))
    return found


def cases(rows: list[Row], embedder: Embedder, using: tuple[Network, Network]) -> list[Case]:
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
            life.over = {row.old for row in own if row.over}
            found += [life.ask(row) for row in own]
    return found


def weeks(embedder: Embedder) -> list[Case]:
    """Of two whole weeks, where the same people come up every day and nothing that is asked changed."""
    found: list[Case] = []
    life, language = None, ""
    for line in (CORPORA / "weeks.txt").read_text(encoding="utf-8").splitlines():
        head, _, rest = line.partition(" ")
        if head == "==":
            language, _, speaker = rest.partition(" ")
            life = life_of(speaker, embedder, in_use(embedder))
        elif life is not None and head == "?":
            found.append(life.ask(Row(WEEKS, language, False, rest, "", "")))
        elif life is not None and head.isdigit():
            life.hear(rest, START + int(head) * DAY + len(life.said) * 60_000)
    return found


def fitted(data: list[Case], without: Collection[str] = ()) -> Curve:
    """Weights and bias; features `without` which it decides weigh nothing."""
    rows, right, counts = [], [], []
    for case in data:
        for features, counts_now in case.pairs():
            rows.append(features)
            right.append(float(counts_now))
            counts.append(_COUNTS.get(case.row.group.partition(" ")[2] or case.row.group, 1.0))
    used = [place for place, name in enumerate(NAMES) if name not in without]
    found = fit(np.array(rows)[:, used], np.array(right), np.array(counts))
    weights = np.zeros(len(NAMES))
    weights[used] = found[:-1]
    return Curve(tuple(map(float, np.round(weights, 2))), round(float(found[-1]), 2))


@dataclass(slots=True)
class Tally:
    """What became of the questions of one language."""

    asked: int = 0
    over: int = 0
    marked: int = 0
    rightly: int = 0  # with what is so now
    false: int = 0

    def add(self, case: Case, curve: Curve) -> None:
        found = case.marked(curve)
        texts = [each.text for each in case.answers]
        self.asked += 1
        self.false += sum(case.stands[place] for place in found)
        if case.row.over:
            place = texts.index(case.row.old) if case.row.old in texts else -1
            self.over += 1
            self.marked += place in found
            self.rightly += place in found and texts[found[place]] == case.row.new


def report(name: str, told: Iterable[tuple[Case, Curve]]) -> None:
    tallies = {language: Tally() for language in ("en", "zh")}
    for case, curve in told:
        tallies[case.row.language].add(case, curve)
    for language, tally in tallies.items():
        over = f"marked {tally.marked / tally.over:.2f} of {tally.over}, " if tally.over else ""
        rightly = f"with what is so now {tally.rightly / tally.over:.2f}; " if tally.over else ""
        print(f"{name:45} {language}  {over}{rightly}false {tally.false / max(1, tally.asked):.3f} a question")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--embedder", default="auto", help="two encoders side by side")
    options = parser.parse_args()
    embedder = both_encoders(options.embedder)
    vectors, data, questions = Vectors(embedder), replacement.pairs(), answering.asked()
    vectors.add(text for each in data for text in (each.old, each.new))
    vectors.add(text for each in questions for text in (each.question, *each.answers, *each.others))
    networks = list(zip(replacement.left_out(vectors, data), answering.left_out(vectors, questions), strict=True))
    lives = lived(embedder, networks)
    own, week = cases(asked(), embedder, in_use(embedder)), weeks(embedder)
    told = cases([row for row in hard(random.Random(11)) if row.group.startswith("test")], embedder, in_use(embedder))
    folds = {group: place % FOLDS for place, group in enumerate(dict.fromkeys(case.row.group for case in own))}
    folds |= {case.row.group: int(case.row.group[0]) for case in lives}
    curves = [
        fitted([case for case in (*own, *lives) if folds[case.row.group] != fold] + week) for fold in range(FOLDS)
    ]
    for part, chosen in (("asked", own), ("lives", lives)):
        report(f"{part}, left out", ((case, curves[folds[case.row.group]]) for case in chosen))
    for name, curve in (("alone", competing_answers.ALONE), ("in use", competing_answers.WITH_MODEL)):
        for part, chosen in (("asked", own), ("lives", lives), ("hard pairs", told), ("weeks", week)):
            report(f"{part}, {name}", ((case, curve) for case in chosen))
    if options.write:
        for name, without in (("ALONE", _OF_MODELS), ("WITH_MODEL", ())):
            curve = fitted([*own, *lives, *week], without)
            bias = round(curve.bias - _WARY[name], 2)
            print(f"{name} = Curve({curve.weights}, {bias})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
