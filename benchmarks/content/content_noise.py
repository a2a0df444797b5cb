"""How much of what comes to mind for a question answers it, and what would be left out as noise at which bar.

    python -m benchmarks.content.content_noise [--embedder NAME] [--half dev|held] [--fit]

The lives of `content` and the weeks of `weeks` are told to a real daemon. The questions of a life are asked where they
come in its talk, those of a week after its last sleep; each that has an answer is asked for ten items with nothing left
out (`min_score` 0). An item is right where it holds the keys of the answer. Printed for lives and weeks, each language:
for several bars of `recall.noise`, and as the daemon has it, the items that come back, the share of them that is right
(95 % bootstrap intervals over questions), and the share of questions that keep a right one. `--fit`: the weights of the
logistic curve of `core.reranking.noise_floor` as the half `dev` gives them, lives and weeks alike, beside those
in use, which were fitted to half of the questions of LoCoMo as well.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.content.content_data import LANGUAGES, Line, Question, lives
from benchmarks.content.content_keys import holds
from benchmarks.content.content_telling import Told, told
from benchmarks.recall.passages import interval
from benchmarks.weeks.week_data import weeks
from benchmarks.weeks.weeks import lived
from soulmem.core.reranking import noise_floor
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

Floats = NDArray[np.float64]
_BARS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.2)
_WEIGHTS = ("BIAS", "FITS", "PLACE", "LEXICAL", "DENSE", "COVERS")
_STEPS = 60


@dataclass(frozen=True, slots=True)
class Case:
    """One question: the items that came, which of them are right, and how many of them the daemon returns itself."""

    source: str
    language: str
    hits: list[Hit]
    right: NDArray[np.bool_]
    returned: int


def asked(telling: Told, source: str, text: str, right: list[Any]) -> Case:
    """Put one question; `right`: the keys of whatever answers it."""
    items = telling.recall(text, min_score=0.0, explain=True)["items"]
    hits = [
        Hit(
            ItemKind(kind if (kind := item["kind"]) in {"message", "summary"} else "note"), place, item["score"],
            item["why"]["channels"], item["tier"], item["why"]["fit"], item["why"]["covers"],
        )
        for place, item in enumerate(items)
    ]  # fmt: skip
    found = np.array([any(holds(keys, str(item["text"])) for keys in right) for item in items], dtype=np.bool_)
    return Case(source, telling.life.language, hits, found, len(telling.recall(text)["items"]))


def cases(root: Path, embedder: str, half: str) -> Iterator[Case]:
    environment = {"SOULMEM_EMBEDDER_NAME": embedder}
    for life in lives(LANGUAGES, (half,)):
        with told(life, root / life.mind, environment) as telling:
            for session in life.sessions:
                telling.wait_until(session.at)
                telling.settle()
                for step in session.steps:
                    if isinstance(step, Line):
                        telling.say(step, session.conversation)
                    elif isinstance(step, Question) and step.kind == "answer":
                        telling.settle()
                        yield asked(telling, "lives", step.text, [life.statements[name].must for name in step.of])
    for week in weeks(LANGUAGES, (half,)):
        with lived(week, root, embedder, anew=True) as telling:
            for each in week.asked:
                if each.right:
                    yield asked(telling, "weeks", each.text, [each.right])


def line(data: list[Case], bar: float | None) -> str:
    """What comes back at one bar; None: as the daemon has it, of which only the number is told."""
    kept = [_kept(case, bar) for case in data] if bar is not None else []
    if bar is None:
        return f"as the mind is set: items {np.mean([case.returned for case in data]):.1f}"
    shares = np.array([float(case.right[stay].mean()) for case, stay in zip(data, kept, strict=True) if stay.any()])
    known = [(case, stay) for case, stay in zip(data, kept, strict=True) if case.right.any()]
    low, high = interval(shares)
    found = np.mean([case.right[stay].any() for case, stay in known])
    items = np.mean([stay.sum() for stay in kept])
    return f"bar {bar:.2f}: items {items:.1f}, right {shares.mean():.2f} [{low:.2f}, {high:.2f}], kept {found:.3f}"


def _kept(case: Case, bar: float) -> NDArray[np.bool_]:
    stays = {hit.key for hit in noise_floor.without_noise(case.hits, bar)}
    return np.array([hit.key in stays for hit in case.hits], dtype=np.bool_)


def fitted(data: list[Case]) -> Floats:
    """The weights of the curve, by Newton's method; lives and weeks count alike."""
    rows, right, worth = [], [], []
    for source in ("lives", "weeks"):
        of = [case for case in data if case.source == source and case.hits]
        count = sum(len(case.hits) for case in of)
        for case in of:
            best = max(hit.fit for hit in case.hits) or 1.0
            rows += [_features(hit, hit.fit / best, place) for place, hit in enumerate(case.hits, start=1)]
            right += case.right.tolist()
            worth += [1_000.0 / count] * len(case.hits)
    table, truth, parts = np.array(rows), np.array(right, dtype=np.float64), np.array(worth)
    weights = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        told = 1.0 / (1.0 + np.exp(-table @ weights))
        curve = table.T @ (table * (parts * told * (1.0 - told))[:, None]) + np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, table.T @ (parts * (truth - told)) - weights)
    return weights


def _features(hit: Hit, fits: float, place: int) -> list[float]:
    lexical, dense = hit.channels.get("lexical", 0.0), max(0.0, hit.channels.get("dense", 0.0))
    return [1.0, fits, float(np.log(place)), lexical, dense, hit.covers]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--half", choices=("dev", "held"), default="dev")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soulmem-noise-") as name:
        data = list(cases(Path(name), options.embedder, "dev" if options.fit else options.half))
    for source in ("lives", "weeks"):
        for language in LANGUAGES:
            those = [case for case in data if (case.source, case.language) == (source, language)]
            print(f"{source} {language}: {len(those)} questions")
            for bar in (*_BARS, None):
                print(f"  {line(those, bar)}")
    if options.fit:
        for weight, found in zip(_WEIGHTS, fitted(data), strict=True):
            print(f"  {weight:8} {getattr(noise_floor, weight):6.2f} {found:6.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
