"""How well notes that tell the same are told from those that do not: planted pairs, English and Chinese.

Each pair of `tests/corpora/merges.tsv` is two notes with the hours between their tellings; half of them tell the same,
half are near misses (twins' names, numbers, negations, days, places, who did what). Counted is what would become one:
the pair lies near enough for the embedder, and is the same by what it says.

    python -m benchmarks.merging.merging [--half dev|held|all] [--embedder NAME ...] [--misses]
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from soulmem.core.merging.note_clusters import Candidate, clusters, least_likeness
from soulmem.core.merging.same_telling import Telling
from soulmem.core.schema.note_requests import NoteKind
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import Embedder
from soulmem.text_similarity import likenesses

CORPUS = Path(__file__).parents[2] / "tests" / "corpora" / "merges.tsv"
HALVES, LANGUAGES = ("dev", "held"), ("en", "zh")
_TOLD_MS, _HOUR_MS = 1_780_000_000_000, 3_600_000


@dataclass(frozen=True)
class Pair:
    half: str
    language: str
    is_same: bool
    one: Telling
    other: Telling
    about: str


def pairs(halves: Sequence[str] = HALVES) -> Iterator[Pair]:
    """The planted pairs of these halves."""
    for line in CORPUS.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        half, language, verdict, kind, hours, first, second, about = line.split("\t")
        if half in halves:
            one, other = (
                Telling(text, NoteKind(kind), "", at, at)
                for text, at in ((first, _TOLD_MS), (second, _TOLD_MS + int(hours) * _HOUR_MS))
            )
            yield Pair(half, language, verdict == "same", one, other, about)


def merged(found: Sequence[Pair], embedder: Embedder) -> list[bool]:
    """Which of these pairs become one note."""
    cosines = likenesses(embedder, [(each.one.text, each.other.text) for each in found])
    verdicts = []
    for pair, cosine in zip(found, cosines, strict=True):
        notes = {number: Candidate(number, told, 0.5) for number, told in enumerate((pair.one, pair.other))}
        is_near = cosine is None or cosine >= least_likeness(embedder.name, pair.one.text)
        verdicts.append(is_near and bool(clusters(notes, [(0, 1)])))
    return verdicts


def shares(found: Sequence[Pair], verdicts: Sequence[bool]) -> dict[str, float | int]:
    """Precision and recall of the merges."""
    counts = Counter((pair.is_same, verdict) for pair, verdict in zip(found, verdicts, strict=True))
    right, wrong, missed = counts[True, True], counts[False, True], counts[True, False]
    return {
        "pairs": len(found), "merged": right + wrong, "wrong": wrong,
        "precision": round(right / max(1, right + wrong), 3), "recall": round(right / max(1, right + missed), 3),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=(*HALVES, "all"), default="all")
    parser.add_argument("--embedder", nargs="*", default=["hashing", "auto"])
    parser.add_argument("--misses", action="store_true", help="print each pair of `dev` that was judged wrongly")
    given = parser.parse_args()
    found = list(pairs(HALVES if given.half == "all" else (given.half,)))
    for name in given.embedder:
        embedder, warning = load_embedder(EmbedderSpec(name=name), default_paths.models_directory(os.environ))
        if warning:
            print(warning)
        verdicts = merged(found, embedder)
        for language in LANGUAGES:
            own = [(pair, made) for pair, made in zip(found, verdicts, strict=True) if pair.language == language]
            figures = shares([pair for pair, _ in own], [made for _, made in own])
            print(json.dumps({"embedder": embedder.name, "language": language, **figures}))
        for pair, made in zip(found, verdicts, strict=True) if given.misses else ():
            if made is not pair.is_same and pair.half == "dev":
                print(f"{'merged' if made else 'two'}: {pair.one.text} | {pair.other.text} ({pair.about})")


if __name__ == "__main__":
    main()
