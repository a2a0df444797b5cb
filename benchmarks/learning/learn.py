"""What a mind learns from everyday talk, without a model: `make bench-learn`.

    python -m benchmarks.learning.learn [--embedder NAME] [--language en|zh|all] [--misses]

Two things told in one breath (`told_together`). `kept`: those of which both are still told in words, for a trifle fades
within the month; of them `one` and `two` were told as one message and as two. Every share is printed with how many
askings it is of; the last line on stdout is JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.learning.told_together import FIRST, Asked, ask_for_each


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--language", choices=("en", "zh", "all"), default="all")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    chosen = parser.parse_args(arguments)
    figures: dict[str, dict[str, float]] = {}
    print(f"\nof two unlike things told in one breath a month ago, the other among the first {FIRST}")
    print(f"{'':10}{'askings':>9}{'the other':>11}{'itself':>9}{'one note':>10}")
    for language in ("en", "zh") if chosen.language == "all" else (chosen.language,):
        with tempfile.TemporaryDirectory(prefix="soulmem-learn-") as directory:
            asked = ask_for_each(Path(directory), language, {"SOULMEM_EMBEDDER_NAME": chosen.embedder})
        kept = [each for each in asked if each.kept]
        parts = {"": asked, " kept": kept, " one": _told(kept, split=False), " two": _told(kept, split=True)}
        for name, some in parts.items():
            figures[language + name] = found = _shares(some)
            shares = f"{found['other']:11.2f}{found['itself']:9.2f}{found['one_note']:10.2f}"
            print(f"{language + name:10}{len(some):9}{shares}")
        if chosen.misses:
            _show(asked)
    print(json.dumps({"told_together": figures}))
    return 0


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
