"""What the vectors of multilingual-e5-small share, and how cosines lie once it is taken out (`e5_embedder`).

Of questions and statements of the invented lives in `benchmarks/changes/lives`, as many in each language, the mean of
all vectors is taken and the directions in which they differ most; of these the first tells the language. Printed, for
each number of directions and each share of the mean that goes: the cosines of what has nothing to do with one another
and of what says the same (`tests/support/lives/paraphrases_told.py`) in each pair of languages, beside those of the
other encoders. Those in use bring the former to 0.15 in Chinese and across languages, as with the other encoders, so
that thresholds mean the same; at last is printed how much of either lies above each threshold.

    python -m benchmarks.recall.e5_space [--write]      --write: store those in use
"""

from __future__ import annotations

import argparse
import os
import random
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.changes.answering import asked
from benchmarks.recall.paraphrases import ROWS
from soulmem.core.schema.two_part_vectors import cosines, shared_from
from soulmem.embed.adapters.e5_embedder import SPACE_FILE, E5Embedder
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.embed.base.model_manifest import E5, MINILM_INT8, MULTILINGUAL
from soulmem.ops.settings import default_paths
from soulmem.ports import Embedder

PACKAGE = Path(__file__).resolve().parents[2] / "daemon" / "soulmem"
DIRECTIONS, SHARE = 2, 0.82
TEXTS = 2_000  # of each language
THRESHOLDS = (0.32, 0.55, 0.6, 0.65, 0.75)  # of topics, links and drift, announced topics, judging, the same meaning
COLUMNS = {"en": (0, 1), "zh": (2, 3), "zh, en": (2, 0), "en, zh": (1, 3)}
Floats = NDArray[np.float32]


def texts() -> list[str]:
    chance, chosen = random.Random(0), list[str]()
    for language in ("en", "zh"):
        own = sorted({text for each in asked() if each.language == language for text in (each.question, *each.answers)})
        chosen += chance.sample(own, TEXTS)
    return chosen


def apart_and_same(likeness: Floats) -> str:
    apart = likeness[~np.eye(len(likeness), dtype=bool)]
    first = np.mean((likeness > np.diag(likeness)[:, None]).sum(axis=1) == 0)
    return f"{apart.mean():.2f} ± {apart.std():.2f}, {np.diag(likeness).mean():.2f}, first {first:.2f}"


def of_rows(embedder: Embedder) -> dict[str, str]:
    column = [embedder.embed([row[place] for row in ROWS]) for place in range(4)]
    start = shared_from(embedder.fingerprint)
    return {name: apart_and_same(cosines(column[one], column[other], start)) for name, (one, other) in COLUMNS.items()}


def _over_thresholds(name: str, embedder: Embedder, language: str) -> None:
    """Which share of cosines lies above each threshold in use: of what was said of other things, and of the same."""
    chance = random.Random(3)
    told = sorted({text for each in asked() if each.language == language for text in each.answers})
    vectors = embedder.embed(chance.sample(told, 250))
    apart = (vectors @ vectors.T)[np.triu_indices(len(vectors), 1)]
    one, other = (embedder.embed([row[place] for row in ROWS]) for place in COLUMNS[language])
    line = []
    for what, found in (("apart", apart), ("the same", (one * other).sum(axis=1))):
        line.append(what + ": " + ", ".join(f"{np.mean(found > least):.4f}" for least in THRESHOLDS))
    print(f"{name:18} {language}  above {THRESHOLDS}  " + "   ".join(line))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    models = default_paths.models_directory(os.environ)
    embedder = E5Embedder(models / E5)
    vectors = embedder.plain(texts())
    mean = vectors.mean(axis=0)
    directions = np.linalg.svd(vectors - mean, full_matrices=False)[2]
    for name in (MINILM_INT8, MULTILINGUAL):
        print(
            f"{name:24}",
            "   ".join(
                f"{pair}: {told}" for pair, told in of_rows(load_embedder(EmbedderSpec(name), models)[0]).items()
            ),
        )
    plain = [embedder.plain([row[place] for row in ROWS]) for place in range(4)]
    for count in (0, 1, 2, 3, 6):
        for share in (0.0, 0.75, SHARE, 0.9, 1.0):
            taken = directions[:count]
            column = [each - share * mean - (each - mean) @ taken.T @ taken for each in plain]
            column = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in column]
            told = (f"{pair}: {apart_and_same(column[a] @ column[b].T)}" for pair, (a, b) in COLUMNS.items())
            print(f"{count} directions, {share:.2f}".ljust(24), "   ".join(told))
    if options.write:
        held = {"mean": mean, "directions": directions[:DIRECTIONS], "share": np.float32(SHARE)}
        np.savez(PACKAGE / SPACE_FILE, **{name: np.asarray(value, dtype=np.float32) for name, value in held.items()})
        embedder = E5Embedder(models / E5)
        print(f"written: {(PACKAGE / SPACE_FILE).stat().st_size:,} bytes")
    others = {name: load_embedder(EmbedderSpec(name), models)[0] for name in (MINILM_INT8, MULTILINGUAL)}
    for name, language in ((MINILM_INT8, "en"), (MULTILINGUAL, "zh"), (E5, "zh")):
        _over_thresholds(name, others.get(name, embedder), language)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
