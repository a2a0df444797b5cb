"""`make bench-content`: does a mind hold what it was told: whole, right, current, and gone when told to.

Invented lives (`content/*.life`, English and Chinese) are told to a real daemon on a simulated clock, session by
session; questions, edits and deletions come where they would in such a talk. Every measure is printed with how many
things were counted and a 95 % interval, for each language and half; the last line on stdout is JSON. The half `held`
is for whoever judges, not for whoever writes rules: what was missed in it is never shown.

    python -m benchmarks.content.content [--half dev|held|all] [--language en|zh|all] [--embedder NAME]
                          [--engine embedded|model|both] [--quick] [--misses [MEASURE]] [--show en|zh]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.content import content_phases
from benchmarks.content.content_data import HALVES, LANGUAGES, Change, Deletion, Edit, Life, Line, Question, lives
from benchmarks.content.content_gone import Deleting, check_secrets
from benchmarks.content.content_measures import Measuring
from benchmarks.content.content_scores import Scores, show
from benchmarks.content.content_telling import Told, told


def tell(life: Life, root: Path, environment: dict[str, str], scores: Scores, *, shows: bool) -> dict[str, Any]:
    """Tell one life and count everything; what it cost."""
    began = time.perf_counter()
    directory = root / life.mind
    with told(life, directory, environment) as telling:
        measuring = Measuring(telling, scores)
        deleting = Deleting(telling, measuring)
        for session in life.sessions:
            telling.wait_until(session.at)
            telling.settle()
            measuring.look()
            for step in session.steps:
                match step:
                    case Line():
                        telling.say(step, session.conversation)
                    case Question():
                        telling.settle()
                        measuring.ask(step)
                    case Change():
                        telling.settle()
                        measuring.change(step, asleep=False)
                    case Edit():
                        measuring.edit(step, session.conversation)
                    case Deletion():
                        deleting.delete(step, session.conversation)
        telling.rest()
        measuring.look()
        _at_the_end(life, measuring, deleting)
        notes = telling.notes()
        if shows and life.half == "dev":
            _print_notes(telling, notes)
        refused = telling.refused
    for deletion in life.steps(Deletion):
        assert isinstance(deletion, Deletion)
        deleting.stopped(deletion, directory / "state")
    recalls = sorted(telling.recall_ms)
    return {
        "mind": life.mind, "statements": len(life.statements), "notes": len(notes), "refused": refused,
        "recall_p50_ms": round(recalls[len(recalls) // 2], 2) if recalls else None,
        "seconds": round(time.perf_counter() - began, 1),
    }  # fmt: skip


def _at_the_end(life: Life, measuring: Measuring, deleting: Deleting) -> None:
    measuring.notes_and_dates()
    measuring.still_true()
    measuring.still_answering()
    for step in (step for session in life.sessions for step in session.steps):
        match step:
            case Change():
                measuring.change(step, asleep=True)
            case Edit():
                measuring.edited(step)
            case Deletion():
                deleting.rested(step)


def _print_notes(telling: Told, notes: list[dict[str, Any]]) -> None:
    """All that a mind holds, in full, for a reader."""
    life = telling.life
    print(f"\nWhat the mind of {life.companion} holds of {life.user}'s life on {telling.now:%Y-%m-%d} ({life.mind}):\n")
    for note in notes:
        marks = {name: note[name] for name in ("validity", "valid_from", "valid_to") if note.get(name)}
        pinned = ", pinned" if note.get("pinned") else ""
        print(f"- {note['text']}")
        if note.get("rendered") not in (None, note["text"]):
            print(f"  shown as: {note['rendered']}")
        print(
            f"  {note['kind']}, at {str(note.get('at'))[:16]}, importance {note['importance']:.2f}, {note['state']}"
            f"{pinned}{', ' + json.dumps(marks, ensure_ascii=False) if marks else ''}"
        )
    forgotten = telling.notes("forgotten")
    print(f"\n{len(notes)} notes; {len(forgotten)} forgotten; {len(telling.listed('audit.list'))} lines in the audit")


def main() -> int:
    options = _options()
    languages = LANGUAGES if options.language == "all" else (options.language,)
    if options.show:
        languages = (options.show,)
    halves = HALVES if options.half == "all" else (options.half,)
    chosen = lives(languages, halves)
    if options.life:
        chosen = [life for life in chosen if life.mind in options.life]
    for life in chosen:
        lines = [step for step in life.steps(Line) if isinstance(step, Line)]
        deletions = [step for step in life.steps(Deletion) if isinstance(step, Deletion)]
        messages = {name: statement.message for name, statement in life.statements.items()}
        if wrong := check_secrets(lines, deletions, messages):
            raise SystemExit(f"{life.mind}: secrets said elsewhere too: {wrong}")
    if options.quick:
        chosen = [next(life for life in chosen if life.language == language) for language in languages]
    engines = content_phases.ENGINES if options.engine == "both" else (options.engine,)
    lines, costs = [], []
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="soulmem-content-") as name:
        for engine in engines:
            scores, spent = _lived(chosen, Path(name) / engine, engine, options)
            told = scores.shares(languages, halves)
            costs += spent
            whole = options.half == "all" and not (options.quick or options.life or options.show)
            if engine == "embedded" and (options.retention or whole):
                told += content_phases.retention(languages, options.half, Path(name), options.embedder)
            lines += [line | {"engine": engine} for line in told]
            if options.misses:
                for miss in scores.misses(options.misses):
                    print(f"[{miss.measure}] {miss.life} {miss.name}: {miss.seen}")
            show(told, engine, sys.stdout)
    report = {
        "benchmark": "content", "embedder": options.embedder, "code": _code(),
        "seconds": round(time.perf_counter() - began, 1), "lives": costs, "shares": lines,
    }  # fmt: skip
    print(json.dumps(report, ensure_ascii=False))
    return 0


def _lived(
    chosen: list[Life], root: Path, name: str, options: argparse.Namespace
) -> tuple[Scores, list[dict[str, Any]]]:
    """All lives told with one engine."""
    scores, costs = Scores(), []
    with content_phases.engine(name) as engine:
        for life in chosen:
            environment = {"SOULMEM_EMBEDDER_NAME": options.embedder, **engine.environment(life)}
            cost = tell(life, root, environment, scores, shows=bool(options.show))
            costs.append({"engine": name} | cost | engine.cost(life))
            print(json.dumps(costs[-1], ensure_ascii=False), file=sys.stderr)
    return scores, costs


def _code() -> str:
    import soulmem  # noqa: PLC0415  # whichever is importable

    place = Path(soulmem.__file__).parent
    asked = subprocess.run(
        ["git", "-C", str(place), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or str(place)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("dev", "held", "all"), default="dev")
    parser.add_argument("--language", choices=("en", "zh", "all"), default="all")
    parser.add_argument("--engine", choices=(*content_phases.ENGINES, "both"), default="embedded")
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--quick", action="store_true", help="one life a language, without retention")
    parser.add_argument("--retention", action="store_true", help="what stays after 120 days; always with --half all")
    parser.add_argument("--life", nargs="*", help="only these lives")
    parser.add_argument("--misses", nargs="?", const="all", help="print what was missed in the half dev")
    parser.add_argument("--show", choices=("en", "zh"), help="print in full what a mind holds at the end")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
