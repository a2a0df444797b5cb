"""What a mind learns from everyday talk, without a model and with a scripted one: `make bench-learn`.

    python -m benchmarks.learning.learn [--part NAME ...] [--model none|scripted|all] [--language en|zh|all]
                                        [--embedder NAME] [--misses]

Parts: `guided`, `lessons`, `relearning`, `gaps`, `deep`, each a table of claims with a figure before and after (what
"before" is, the first lines of its file say); `first_byte`: milliseconds to the first byte of `message.add` with
`recall: true` without a model and with one that hangs; `together` and `days`, both without a model.

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
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.learning import (
    deep_questions,
    everyday_lessons,
    first_byte,
    gap_filling,
    guided_recalls,
    relearning,
)
from benchmarks.learning.measured_daemon import MODELS, measured
from benchmarks.learning.thirty_days import by_day, live
from benchmarks.learning.told_together import FIRST, Asked, ask_for_each

CLAIMS: dict[str, Any] = {
    "guided": guided_recalls, "lessons": everyday_lessons, "relearning": relearning, "gaps": gap_filling,
    "deep": deep_questions,
}  # fmt: skip
PARTS = (*CLAIMS, "first_byte", "together", "days")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--language", choices=("en", "zh", "all"), default="all")
    parser.add_argument("--part", choices=(*PARTS, "all"), nargs="+", default=["all"])
    parser.add_argument("--model", choices=(*MODELS, "all"), default="all")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    chosen = parser.parse_args(arguments)
    languages = ("en", "zh") if chosen.language == "all" else (chosen.language,)
    models = MODELS if chosen.model == "all" else (chosen.model,)
    parts = PARTS if "all" in chosen.part else tuple(dict.fromkeys(chosen.part))
    figures: dict[str, Any] = {}
    for name in parts:
        if name in CLAIMS:
            figures[name] = _claims(name, languages, models, chosen.embedder)
        elif name == "first_byte":
            figures[name] = _first_bytes(languages, chosen.embedder)
        elif name == "together":
            figures["told_together"] = _together(languages, chosen.embedder, misses=chosen.misses)
        else:
            figures["thirty_days"] = _thirty_days(languages, chosen.embedder)
    print(json.dumps(figures, ensure_ascii=False))
    return 0


def _claims(name: str, languages: Sequence[str], models: Sequence[str], embedder: str) -> dict[str, Any]:
    """The claims of one part, each with its figure before and after, by model and language."""
    part, told = CLAIMS[name], dict[str, Any]()
    for model in models:
        for language in languages:
            with (
                tempfile.TemporaryDirectory(prefix="soulmem-learn-") as directory,
                measured(Path(directory), embedder, model, getattr(part, "ENVIRONMENT", None)) as on,
            ):
                found = part.measure(on, language)
            print(f"\n{name}, model {model}, {language}\n{'':76}{'before':>9}{'after':>9}{'of':>5}")
            for each in found:
                print(f"{each.what:76}{each.before:9.2f}{each.after:9.2f}{each.of:5} {each.unit}", flush=True)
            told[f"{model} {language}"] = [
                {"what": each.what, "before": each.before, "after": each.after, "of": each.of, "unit": each.unit}
                for each in found
            ]
    return told


def _first_bytes(languages: Sequence[str], embedder: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    seconds = f"{first_byte.HANGS_S:.0f}"
    print(
        f"\nmilliseconds to the first byte of message.add with recall: true; a model that takes {seconds} s, and none"
    )
    print(f"{'':22}{'none: p50':>10}{'p95':>7}{'worst':>8}{'model: p50':>12}{'p95':>7}{'worst':>8}", end="")
    print(f"{'later: p50':>12}{'p95':>7}{'worst':>8}{'calls held':>12}{'load':>6}")
    for analysis in first_byte.ANALYSES:
        for language in languages:
            with tempfile.TemporaryDirectory(prefix="soulmem-learn-") as directory:
                found = first_byte.measure(Path(directory), language, embedder, analysis)
            name = f"{language} analysis={analysis}"
            cells = [first_byte.percentiles(each) for each in (found.without, found.hanging, found.later)]
            print(f"{name:22}{cells[0][0]:10.1f}{cells[0][1]:7.1f}{cells[0][2]:8.1f}", end="")
            print(f"{cells[1][0]:12.1f}{cells[1][1]:7.1f}{cells[1][2]:8.1f}", end="")
            print(f"{cells[2][0]:12.1f}{cells[2][1]:7.1f}{cells[2][2]:8.1f}", end="")
            print(f"{sum(found.held.values()):12}{os.getloadavg()[0]:6.1f}", flush=True)
            told[name] = {
                which: dict(zip(("p50_ms", "p95_ms", "worst_ms"), (round(each, 1) for each in cell), strict=True))
                for which, cell in zip(("none", "hanging", "later"), cells, strict=True)
            } | {"turns": len(found.later), "calls_held": found.held}
    return told


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
