"""`make bench-weeks`: weeks of plain talk are told to a mind, and it is asked what a friend would be asked.

Each week (`told/*.week`) is told to a real daemon on a simulated clock, which digests after every session. Then each
question is asked of `recall` and of `context.get`. Printed for each language: how often what answers comes first, is
among the first three, is among the ten, stands in the context, and how often nothing comes; of what changed, how often
an outdated item stands there unmarked; and how often a question that nothing answers brings nothing. With `--misses`
each miss of the half `dev` is printed; `held` is for whoever judges, not for whoever writes rules. With `--keep DIR`
the states of the daemons stay there; with `--asked DIR` they are asked again without being told again.

    python -m benchmarks.weeks.weeks [--half dev|held|all] [--language en|zh|all] [--week NAME ...]
                                     [--embedder NAME] [--month] [--misses] [--notes] [--keep DIR | --asked DIR]
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.content.content_data import HALVES, LANGUAGES, Line
from benchmarks.content.content_keys import holds, is_marked, says_past, wilson
from benchmarks.content.content_telling import Told, told
from benchmarks.forgetting import daily_talk
from benchmarks.weeks.week_data import Asked, Week, weeks

_ASKED_AFTER = dt.timedelta(days=2)
_MONTH, _EVENING = 30, 8  # days, and messages of each, of other talk
_SHOWN = 90  # characters of an item in a line about a miss
MEASURES = {
    "first": "what answers comes first",
    "three": "  is among the first three",
    "ten": "  is among the ten (their texts together)",
    "context": "  stands in the context beside the window",
    "empty": "nothing comes though it was told (the fewer the better)",
    "outdated": "of what changed: an outdated item there, unmarked (the fewer the better)",
    "unknown": "nothing was told, and nothing comes",
}


@contextmanager
def lived(week: Week, root: Path, embedder: str, *, anew: bool) -> Iterator[Told]:
    """A daemon whose mind was told this week."""
    environment = {"SOULMEM_EMBEDDER_NAME": embedder}
    first, last = week.life.sessions[0].at, week.life.sessions[-1].at
    with told(week.life, root / week.life.mind, environment, begins=first if anew else last + _ASKED_AFTER) as telling:
        if anew:
            for session in week.life.sessions:
                telling.wait_until(session.at)
                for step in session.steps:
                    assert isinstance(step, Line)
                    telling.say(step, session.conversation)
                telling.rest()
            telling.wait_until(last + _ASKED_AFTER)
        yield telling


def talk_on(telling: Told, week: Week) -> None:
    """A month of other talk, each evening slept on."""
    life, begins = daily_talk.Life(1), telling.now
    for day in range(_MONTH):
        telling.wait_until(begins + dt.timedelta(days=day))
        evening = life.evening(2 * day + (week.life.language == "zh"))[:_EVENING]
        for number, line in enumerate(evening):
            speaker = week.life.user if line.role == "user" else week.life.companion
            telling.say(Line(f"{week.life.mind}-m{day}-{number}", line.role, speaker, line.text), "main")
        telling.rest()


def ask(telling: Told, asked: Asked) -> tuple[dict[str, bool], str]:
    """What was right about the answer to one question, by measure, and what was seen."""
    items = telling.recall(asked.text)["items"]
    texts = [str(item.get("text") or "") for item in items]
    if not asked.right:
        return {"unknown": not items}, _seen(asked, items)
    right = [holds(asked.right, text) for text in texts]
    block = "\n".join(str(each["text"]) for each in telling.context(asked.text) if each["kind"] != "window")
    counted = {
        "first": right[:1] == [True],
        "three": any(right[:3]),
        "ten": any(right) or holds(asked.right, "\n".join(texts)),
        "context": holds(asked.right, block),
        "empty": not items,
    }
    if asked.outdated:
        now = telling.now.isoformat()[:19]
        counted["outdated"] = any(
            holds(asked.outdated, text) and not good and not is_marked(item, now) and not says_past(text)
            for item, text, good in zip(items, texts, right, strict=True)
        )
    return counted, _seen(asked, items)


def _seen(asked: Asked, items: list[dict[str, Any]]) -> str:
    keys = " + ".join("/".join(group) for group in asked.right)
    shown = " || ".join(f"{item.get('score'):.2f} {str(item.get('text'))[:_SHOWN]}" for item in items[:4])
    return f"{asked.text} [{keys}] -> {shown}"


_BAD = frozenset({"empty", "outdated"})


def main() -> int:
    options = _options()
    halves = HALVES if options.half == "all" else (options.half,)
    chosen = weeks(LANGUAGES if options.language == "all" else (options.language,), halves)
    chosen = [week for week in chosen if not options.week or week.life.mind in options.week]
    if not chosen:
        raise SystemExit(f"no such week: {', '.join(options.week or ())} (in the half {options.half})")
    if options.asked and (
        lost := [each.life.mind for each in chosen if not Path(options.asked, each.life.mind).is_dir()]
    ):
        raise SystemExit(f"{options.asked} keeps no state of {', '.join(lost)}: make one with --keep {options.asked}")
    counts: Counter[tuple[str, str, bool]] = Counter()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="soulmem-weeks-") as name:
        root = Path(options.asked or options.keep or name)
        for week in chosen:
            of_week: Counter[str] = Counter()
            with lived(week, root, options.embedder, anew=not options.asked) as telling:
                if options.month:
                    talk_on(telling, week)
                is_shown = week.life.half == "dev"
                if options.notes and is_shown:
                    _print_notes(telling)
                for asked in week.asked:
                    counted, seen = ask(telling, asked)
                    for measure, value in counted.items():
                        counts[week.life.language, measure, value] += 1
                        of_week[measure] += value
                    missed = [each for each, value in counted.items() if value == (each in _BAD)]
                    if options.misses and missed and is_shown:
                        print(f"[{week.life.mind}: {' '.join(missed)}] {seen}")
            print(json.dumps({"week": week.life.mind, "asked": len(week.asked), **of_week}), file=sys.stderr)
    shares = _shares(counts)
    for line in shares:
        print(
            f"{line['language']}  {MEASURES[line['measure']]:<75}",
            f"{line['right']:>4} of {line['n']:<4} {line['share']:.2f}",
        )
    report = {"benchmark": "weeks", "embedder": options.embedder, "seconds": round(time.perf_counter() - began, 1)}
    print(json.dumps({**report, "shares": shares}, ensure_ascii=False))
    return 0


def _shares(counts: Counter[tuple[str, str, bool]]) -> list[dict[str, Any]]:
    lines = []
    for measure in MEASURES:
        for language in LANGUAGES:
            right, n = counts[language, measure, True], sum(counts[language, measure, each] for each in (True, False))
            if n:
                low, high = wilson(right, n)
                lines.append({
                    "measure": measure, "language": language, "right": right, "n": n, "share": round(right / n, 3),
                    "low": round(low, 3), "high": round(high, 3),
                })  # fmt: skip
    return lines


def _print_notes(telling: Told) -> None:
    for note in telling.notes():
        print(f"  {note['importance']:.2f} {note['text']}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=(*HALVES, "all"), default="dev")
    parser.add_argument("--language", choices=(*LANGUAGES, "all"), default="all")
    parser.add_argument("--week", nargs="*", help="only these weeks, by the name of the mind")
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--misses", action="store_true", help="print what was missed")
    parser.add_argument("--notes", action="store_true", help="print every note the mind holds")
    parser.add_argument("--month", action="store_true", help="ask after a month of other talk")
    parser.add_argument("--keep", help="a folder in which the states of the daemons stay")
    parser.add_argument("--asked", help="such a folder: ask again, tell nothing")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
