"""What a mind learns from everyday talk, without a model: `make bench-learn`.

    python -m benchmarks.learning.learn [--embedder NAME] [--language en|zh|all] [--part together|days|all] [--misses]

Two things told in one breath (`told_together`). `kept`: those of which both are still told in words, for a trifle fades
within the month; of them `one` and `two` were told as one message and as two. Every share is printed with how many
askings it is of.

Topics talked about for thirty days (`thirty_days`): on some mornings, at which place each of the three things of a
topic stands (11: nowhere), with which share of the best score, over how many links, how often at all, how often in the
first five, and how often the note in which it was told first stands there.
The last line on stdout is JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.learning.thirty_days import by_day, live
from benchmarks.learning.told_together import FIRST, Asked, ask_for_each


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--language", choices=("en", "zh", "all"), default="all")
    parser.add_argument("--part", choices=("together", "days", "all"), default="all")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    chosen = parser.parse_args(arguments)
    languages = ("en", "zh") if chosen.language == "all" else (chosen.language,)
    figures: dict[str, Any] = {}
    if chosen.part != "days":
        figures["told_together"] = _together(languages, chosen.embedder, misses=chosen.misses)
    if chosen.part != "together":
        figures["thirty_days"] = _thirty_days(languages, chosen.embedder)
    print(json.dumps(figures))
    return 0


def _together(languages: Sequence[str], embedder: str, *, misses: bool) -> dict[str, dict[str, float]]:
    figures: dict[str, dict[str, float]] = {}
    print(f"\nof two unlike things told in one breath a month ago, the other among the first {FIRST}")
    print(f"{'':10}{'askings':>9}{'the other':>11}{'itself':>9}{'one note':>10}")
    for language in languages:
        with tempfile.TemporaryDirectory(prefix="soulmem-learn-") as directory:
            asked = ask_for_each(Path(directory), language, {"SOULMEM_EMBEDDER_NAME": embedder})
        kept = [each for each in asked if each.kept]
        parts = {"": asked, " kept": kept, " one": _told(kept, split=False), " two": _told(kept, split=True)}
        for name, some in parts.items():
            figures[language + name] = found = _shares(some)
            shares = f"{found['other']:11.2f}{found['itself']:9.2f}{found['one_note']:10.2f}"
            print(f"{language + name:10}{len(some):9}{shares}")
        if misses:
            _show(asked)
    return figures


def _thirty_days(languages: Sequence[str], embedder: str) -> dict[str, list[dict[str, float | str]]]:
    figures: dict[str, list[dict[str, float | str]]] = {}
    print("\ntopics that are talked about, on a day of thirty")
    print(f"{'':6}{'day':>4}  {'thing':8}{'place':>7}{'score':>7}{'links':>7}{'reached':>9}{'first 5':>9}{'own':>6}")
    for language in languages:
        with tempfile.TemporaryDirectory(prefix="soulmem-learn-") as directory:
            reached = live(Path(directory), language, {"SOULMEM_EMBEDDER_NAME": embedder})
        figures[language] = by_day(reached)
        for row in figures[language]:
            places = f"{row['place']:7.2f}{row['score']:7.2f}{row['hops']:7.2f}"
            shares = f"{row['reached']:9.2f}{row['first_five']:9.2f}{row['own']:6.2f}"
            print(f"{language:6}{row['day']:>4}  {row['thing']:8}{places}{shares}")
    return figures


def _told(asked: Sequence[Asked], *, split: bool) -> list[Asked]:
    return [each for each in asked if each.split is split]


def _shares(asked: Sequence[Asked]) -> dict[str, float]:
    return {
        name: round(sum(getattr(each, name) for each in asked) / len(asked), 3)
        for name in ("other", "itself", "one_note")
    }


def _show(asked: Sequence[Asked]) -> None:
    for each in asked:
        if each.kept and not each.other:
            print(f"\n{each.question}")
            for text in each.texts:
                print(f"    {text[:110]}")


if __name__ == "__main__":
    sys.exit(main())
