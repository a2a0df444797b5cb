"""Fits and measures what tells a change: does a later statement leave an earlier one outdated
(`core/changes/change_probability`).

Pairs of talk in both languages: `tests/corpora/changes_free.tsv` and `changes_told.tsv` (train and test half, worded
freely, the second by people of many voices who seldom name what changed), the corpora that
the rules were written for, and all pairs of statements of the lives of `content/` that may be read. Fitted on all but
the test half, with the tone of each pair learnt from the others. Printed: recall of changes and the share of pairs
wrongly ended, by half and language, for the rules alone, the score alone and both, at two thresholds. Only the rules
end anything; what is likely is laid before a model.

    python -m benchmarks.changes.changes [--write]    --write: store the fit in core/changes/change_weights.txt
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.content.content_data import Change, lives
from soulmem.core.changes import change_features, change_probability
from soulmem.core.changes.change_clauses import Statement, statement_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.changes.change_features import NAMES
from soulmem.core.changes.change_tone import grams
from soulmem.core.changes.supersession import Effect, findings
from soulmem.core.facts.fact_reader import readings_of

ROOT = Path(__file__).resolve().parents[2]
TALK = ROOT / "benchmarks" / "forgetting" / "retention"
CORPORA = ROOT / "tests" / "corpora"
FITTED = ROOT / "daemon" / "soulmem" / "core" / "changes" / "change_weights.txt"
DAY = 86_400_000
START = 1_772_442_000_000
LATER = START + 9 * DAY
FOLDS = 5
TONE_RIDGE, RIDGE = 1.0, 1.0
LEAST_SEEN = 2  # times a gram has to be seen
LEAST_WEIGHT = 0.1  # of a gram that is stored
SURE_SHARE = 0.985  # of all pairs that are no change must stay below the threshold that ends something
LIKELY, LEAST_SURE = 0.4, 4.0  # three to two; of talk of months hardly a pair that is no change reaches the second
_WEIGHTS = {"free": 1.0, "told": 0.5, "rules": 0.5, "strangers": 0.15, "lives": 0.4}

Floats = NDArray[np.float64]
SPEAKERS = {"en": "Ana", "zh": "小安"}


@dataclass(frozen=True, slots=True)
class Case:
    """Two statements: `over` where the later leaves the earlier one outdated, or a part of it."""

    source: str
    half: str
    language: str
    over: bool
    old: str
    new: str


def corpus(chance: random.Random) -> list[Case]:
    """Every pair there is."""
    found = []
    for line in (CORPORA / "changes_free.tsv").read_text(encoding="utf-8").splitlines():
        half, language, label, old, new, _ = line.split("\t")
        found.append(Case("free", half, language, label != "both", old, new))
    for line in (CORPORA / "changes_told.tsv").read_text(encoding="utf-8").splitlines():
        half, language, label, old, new = line.split("\t")
        found.append(Case("told", half, language, label != "both", old, new))
    for name in ("changes.tsv", "currency.tsv"):
        for line in (CORPORA / name).read_text(encoding="utf-8").splitlines():
            label, old, new = line.split("\t")
            found.append(Case("rules", "train", _language(new), label != "both", old, new))
    own = [case for case in found if case.half == "train"]
    for case in own:
        others = [each for each in own if each.language == case.language and each is not case]
        found += [
            Case("strangers", "train", case.language, False, other.old, case.new) for other in chance.sample(others, 4)
        ]
    for life in lives(("en", "zh"), ("dev",)):
        told = {(change.old, change.new) for change in life.steps(Change) if isinstance(change, Change)}
        names = list(life.statements)
        for place, old in enumerate(names):
            for new in names[place + 1 :]:
                first, then = life.statements[old].message, life.statements[new].message
                is_change = (old, new) in told
                if first != then and (is_change or chance.random() < 0.6):
                    found.append(Case("lives", "train", life.language, is_change, life.texts[first], life.texts[then]))
    return found


def _language(text: str) -> str:
    return "zh" if re.search("[\u4e00-\u9fff]", text) else "en"


# -- the tone -----------------------------------------------------------------------------------------------------


def tone_data(cases: list[Case]) -> list[tuple[str, bool, float]]:
    """Texts that tell of a change or not, with what each counts."""
    own = [case for case in cases if case.half == "train" and case.source in {"free", "rules", "told"}]
    found = [(case.new, case.over, 1.0) for case in own] + [(case.old, False, 0.5) for case in own]
    for language in ("en", "zh"):
        talk = (
            (ROOT / "benchmarks" / "forgetting" / "retention" / f"talk.{language}.txt")
            .read_text(encoding="utf-8")
            .splitlines()
        )
        found += [(line.strip(), False, 0.3) for line in talk[::3] if line.strip()]
    return found


def fit_tone(data: list[tuple[str, bool, float]]) -> tuple[dict[str, float], float]:
    """What each gram weighs: a ridge logistic regression by gradient descent."""
    seen = Counter(gram for text, _, _ in data for gram in grams(text))
    places = {gram: place for place, gram in enumerate(sorted(g for g in seen if seen[g] >= LEAST_SEEN))}
    table = np.zeros((len(data), len(places)), np.float32)
    for row, (text, _, _) in enumerate(data):
        found = grams(text)
        for gram in found & places.keys():
            table[row, places[gram]] = 1 / math.sqrt(len(found))
    right = np.array([over for _, over, _ in data], np.float32)
    counts = np.array([count for _, _, count in data], np.float32)
    weights, bias = np.zeros(len(places), np.float32), np.float32(0)
    first, second = np.zeros(len(places) + 1), np.zeros(len(places) + 1)
    for step in range(1, 151):
        off = counts * (1 / (1 + np.exp(-np.clip(table @ weights + bias, -30, 30))) - right)
        slope = np.append(table.T @ off + TONE_RIDGE * weights, off.sum())
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope * slope
        move = 0.15 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)
        weights, bias = weights - move[:-1].astype(np.float32), bias - np.float32(move[-1])
    kept = {
        gram: round(float(weights[place]), 1) for gram, place in places.items() if abs(weights[place]) >= LEAST_WEIGHT
    }
    return {gram: weighs for gram, weighs in kept.items() if weighs}, round(float(bias), 2)


def tones(cases: list[Case]) -> tuple[dict[str, float], dict[str, float], tuple[dict[str, float], float]]:
    """The tone of each text as it is learnt from the others, as it is learnt from all, and the table of all."""
    data = tone_data(cases)
    chance = random.Random(5)
    own = {case.new: chance.randrange(FOLDS) for case in cases if case.half == "train" and case.source != "lives"}
    held: dict[str, float] = {}
    for fold in range(FOLDS):
        table, bias = fit_tone([each for each in data if own.get(each[0]) != fold])
        held |= {text: table_tone(text, table, bias) for text, place in own.items() if place == fold}
    table, bias = fit_tone(data)
    return held, {case.new: table_tone(case.new, table, bias) for case in cases}, (table, bias)


def table_tone(text: str, table: dict[str, float], bias: float) -> float:
    found = grams(text)
    return 1 / (1 + math.exp(-bias - sum(table.get(each, 0.0) for each in found) / math.sqrt(len(found) or 1)))


# -- the judge ----------------------------------------------------------------------------------------------------


def read(case: Case) -> tuple[Statement, Statement]:
    speaker = SPEAKERS[case.language]
    return statement_of(case.new, speaker, LATER), statement_of(case.old, speaker, START)


def fit(rows: Floats, right: Floats, counts: Floats) -> Floats:
    """Newton's method; the last weight is the bias."""
    table = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(table.shape[1])
    ridge = RIDGE * np.eye(len(weights))
    ridge[-1, -1] = 1e-6
    for _ in range(40):
        likely = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (counts * (likely - right)) + ridge @ weights
        bend = (table * (counts * likely * (1 - likely))[:, None]).T @ table + ridge
        weights = weights - np.linalg.solve(bend, slope)
    return weights


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = corpus(random.Random(7))
    held, every, table = tones(cases)
    parts: list[list[tuple[float, ...]]] = []
    for case in cases:
        tone = held.get(case.new, every[case.new]) if case.half == "train" else every[case.new]
        change_features.tone_of = lambda _, tone=tone: tone  # type: ignore[assignment,misc]
        parts.append([each.features for each in change_probability.pairs(*read(case), (LATER, START))])
    weights = _fitted(cases, parts)
    scores = np.array([max((_score(weights, each) for each in part), default=-math.inf) for part in parts])
    sure = _sure(cases, scores)
    _report(cases, scores, sure)
    for name, weighs in zip((*NAMES, "bias"), weights, strict=True):
        print(f"  {name:16s}{weighs:7.2f}")
    if options.write:
        _write(weights, table)
    return 0


def _fitted(cases: list[Case], parts: list[list[tuple[float, ...]]]) -> Floats:
    """Fitted twice: of a text of several parts the one counts that looks most like a change."""
    weights = np.zeros(len(NAMES) + 1)
    chosen = [place for place, case in enumerate(cases) if case.half == "train" and parts[place]]
    right = np.array([cases[place].over for place in chosen], float)
    counts = np.array(
        [
            _WEIGHTS[cases[place].source] * (3 if cases[place].over and cases[place].source == "lives" else 1)
            for place in chosen
        ]
    )
    for _ in range(2):
        rows = np.array([max(parts[place], key=lambda each: _score(weights, each)) for place in chosen])
        weights = fit(rows, right, counts)
    return np.round(weights, 2)


def _score(weights: Floats, features: tuple[float, ...]) -> float:
    return float(weights[:-1] @ np.array(features) + weights[-1])


def _sure(cases: list[Case], scores: Floats) -> float:
    """The least score that ends something: few of what both hold, worded to be hard, come so far."""
    hard = sorted(
        score for case, score in zip(cases, scores, strict=True)
        if case.half == "train" and not case.over and case.source in {"free", "rules", "told"}
    )  # fmt: skip
    return math.ceil(10 * max(hard[int(SURE_SHARE * len(hard))], LEAST_SURE)) / 10


def _by_rules(case: Case) -> bool:
    later, earlier = read(case)
    speaker = SPEAKERS[case.language]
    found = findings(readings_of(case.new, speaker), readings_of(case.old, speaker)) + changes(later, earlier)
    return any(each.effect is not Effect.REINFORCE for each in found)


def _report(cases: list[Case], scores: Floats, sure: float) -> None:
    print(f"threshold: sure {sure}, likely {LIKELY}\n")
    print(
        "pairs              lang     changes found: rules  judge   both  likely"
        "     wrongly: rules  judge   both  likely   of"
    )
    groups: dict[tuple[str, str, str], list[tuple[Case, float]]] = {}
    for case, score in zip(cases, scores, strict=True):
        if case.source in {"free", "rules", "told"}:
            groups.setdefault((case.source, case.half, case.language), []).append((case, score))
        elif case.source == "lives":
            groups.setdefault(("lives", "dev", case.language), []).append((case, score))
    for (source, half, language), found in groups.items():
        line: list[Any] = []
        for over in (True, False):
            chosen = [(case, score) for case, score in found if case.over is over]
            ruled = [_by_rules(case) if source != "lives" else False for case, _ in chosen]
            line += [
                sum(ruled), sum(score >= sure for _, score in chosen),
                sum(rule or score >= sure for rule, (_, score) in zip(ruled, chosen, strict=True)),
                sum(rule or score >= LIKELY for rule, (_, score) in zip(ruled, chosen, strict=True)), len(chosen),
            ]  # fmt: skip
        over, both = line[:5], line[5:]
        print(
            f"{source:8s}{half:8s}   {language}   {over[0]:20d}{over[1]:7d}{over[2]:7d}{over[3]:8d} of {over[4]:4d}"
            f"{both[0]:12d}{both[1]:7d}{both[2]:7d}{both[3]:8d} of {both[4]}"
        )


def _write(weights: Floats, table: tuple[dict[str, float], float]) -> None:
    by_weight: dict[float, list[str]] = {}
    for gram, weighs in sorted(table[0].items()):
        by_weight.setdefault(weighs, []).append(gram)
    lines = "\n".join("\t".join((f"{weighs:+.1f}", *by_weight[weighs])) for weighs in sorted(by_weight))
    values = "\n".join(f"{name}\t{weighs}" for name, weighs in zip(NAMES, map(float, weights), strict=False))
    explained = "".join(line for line in FITTED.read_text("utf-8").splitlines(keepends=True) if line.startswith("#"))
    scores = f"likely\t{LIKELY}\nbias\t{float(weights[-1])}\ntone\t{table[1]}"
    FITTED.write_text(f"{explained}[scores]\n{scores}\n[weights]\n{values}\n[tone]\n{lines}\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
