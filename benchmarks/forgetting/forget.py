"""Forgetting in figures: the curves, a million traces, a conversation a year later, a year of daily talk.

    python -m benchmarks.forgetting.forget [SET] [--only curves,traces,replay,year]
        [--days N] [--traces N] [--conversation ID]
    make bench-forget SET=<recall set>

Each figure stands beside its baseline of the same run. `curves`: the savings that Ebbinghaus measured, the power curve
and the exponential; spaced rehearsals and massed ones. `traces`: a hundred days in which nothing crosses a threshold,
and sweeps in which a thousand details do, among few traces and a hundred times as many. `replay`: one conversation of a
recall set (the form is that of `recall`) at its own pace, in both profiles and with forgetting switched off; left out
without SET. `year`: twenty messages a day in English and Chinese. The last two take minutes and tell how far they are.
A goal that is missed is marked, and the exit code is 3.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.forgetting import forget_curves, forget_replay, forget_traces, forget_year
from benchmarks.forgetting.daily_talk import MESSAGES_A_DAY
from benchmarks.forgetting.forget_curves import SAVINGS
from benchmarks.recall.recall import read_set

PARTS = ("curves", "traces", "replay", "year")
EXIT_MISSED = 3
TABLES = 12  # those that grow most are shown by name
LEVEL_OFF = 0.25  # the last quarter may add at most this share of what the first one added


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a plain table, the first column to the left."""
    widths = [max(len(line[column]) for line in (header, *rows)) for column in range(len(header))]
    print(f"\n{title}")
    for line in (header, *rows):
        cells = [
            cell.ljust(width) if not i else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        print("  " + "  ".join(cells).rstrip())


def verdict(*, holds: bool) -> str:
    return "ok" if holds else "MISSED"


def curves() -> bool:
    """Both tables of the curves."""
    found = forget_curves.fits()
    rows = [["Ebbinghaus 1885", *(f"{saved:.3f}" for _, saved in SAVINGS), ""]]
    rows += [[fit.name, *(f"{held:.3f}" for held in fit.at_points), f"{fit.rmse:.3f}"] for fit in found]
    header = ["savings after", *(_minutes(minutes) for minutes, _ in SAVINGS), "rmse"]
    table("How syllables learnt by rote are forgotten", header, rows)
    holds = found[0].rmse <= forget_curves.GOAL_RMSE
    print(f"  power, rote-learnt: rmse {found[0].rmse:.3f}, goal {forget_curves.GOAL_RMSE}: {verdict(holds=holds)}")
    spacings = forget_curves.spacings()
    table(
        f"Five rehearsals of a detail: its opacity on day {forget_curves.TEST_DAY}",
        ["curve, weight", "none", "massed day 0", "day 2", "day 4", "an hour of day 4", "one a day"],
        [
            [f"{each.curve}, {each.weight}", f"{each.unrehearsed:.3f}", *(f"{left:.3f}" for left in each.massed),
             f"{each.drawn_out:.3f}", f"{each.spaced:.3f}"]
            for each in spacings
        ],
    )  # fmt: skip
    beats = all(each.spaced > max(each.massed) for each in spacings)
    print(f"  one a day beats one sitting: {verdict(holds=beats)}")
    return holds and beats


def traces(directory: Path, count: int) -> bool:
    """Silence and sweeps among a hundredth of the traces and among all of them."""
    silences, sweeps = forget_traces.measure(directory, sizes=(count // 100, count), say=say)
    table(
        f"{forget_traces.SILENT_DAYS} days in which nothing crosses a threshold",
        ["traces", "file", "bytes", "commits", "all minds, s"],
        [
            [f"{each.traces:,}", f"{each.file_bytes / 1e6:.0f} MB", "the same" if each.same_bytes else "CHANGED",
             str(each.commits), f"{each.advance_s:.2f}"]
            for each in silences
        ],
    )  # fmt: skip
    table(
        f"Sweeps in which {forget_traces.CROSSING:,} details cross",
        ["traces", "notes changed", "ms, three sweeps", "best"],
        [
            [f"{each.traces:,}", " ".join(map(str, each.blurred)), " ".join(f"{ms:.0f}" for ms in each.ms),
             f"{min(each.ms):.0f}"]
            for each in sweeps
        ],
    )  # fmt: skip
    ratio = min(sweeps[1].ms) / min(sweeps[0].ms)
    silent = all(each.same_bytes and each.commits == 0 for each in silences)
    print(f"  no write while nothing crosses: {verdict(holds=silent)}")
    cheap = ratio <= forget_traces.GOAL_RATIO
    print(f"  {ratio:.2f} times the cost among 100 times the traces, goal 3: {verdict(holds=cheap)}")
    return silent and cheap


def chosen(file: Path, conversation: str | None) -> dict[str, Any]:
    """The conversation to replay; read before anything is measured, so that a wrong name costs no hour."""
    talks: list[dict[str, Any]] = read_set(file, "conversations")["conversations"]
    talk = next((each for each in talks if conversation in (None, each["id"])), None)
    if talk is None:
        raise SystemExit(f"{file} has no conversation {conversation}: {', '.join(each['id'] for each in talks)}")
    return talk


def replay(directory: Path, talk: dict[str, Any], most: int | None, embedder: str) -> bool:
    """What a companion and an assistant find, and have, when the conversation ends and a year later."""
    talk = forget_replay.beginning(talk, most)
    found = forget_replay.live(directory, talk, embedder=embedder, say=say)
    shares = [
        [f"{each.share('clear'):.2f}", f"{each.share('blurred'):.2f}", f"{each.share('blank'):.2f}",
         f"{each.share('forgotten'):.2f}", str(sum(each.evidence.values()))]
        for each in found
    ]  # fmt: skip
    table(
        f"Conversation {talk['id']}: {len(talk['messages'])} messages, {len(found[0].recalls)} questions",
        ["mind", "", f"recall@{forget_replay.CUT}", "clear", "blurred", "blank", "forgotten", "notes of evidence"],
        [[each.mind, each.when, f"{each.recall:.3f}", *share] for each, share in zip(found, shares, strict=True)],
    )
    by_name = {(each.mind, each.when): each for each in found}
    same = all(
        by_name["assistant", when].rankings == by_name["unforgetting", when].rankings
        for when in ("at the end", "a year later")
    )
    print(f"  the assistant finds what a mind finds that cannot forget, in the same order: {verdict(holds=same)}")
    return same


def year(directory: Path, days: int, embedder: str) -> bool:
    """How much a mind holds, by the day, and whether that levels off."""
    every = max(1, days // 28)
    seen = forget_year.live(directory, days=days, every=every, embedder=embedder, seed=7, settings={}, say=say)
    table(
        f"{days} days of talk, {MESSAGES_A_DAY} messages a day",
        ["day", "messages", "notes", "links", "remembered MB", "file MB", "recall p50 ms", "p95", "s an evening"],
        [
            [str(each.day), str(each.messages), str(each.notes), str(each.links), f"{each.remembered_bytes / 1e6:.2f}",
             f"{each.file_bytes / 1e6:.1f}", f"{each.recall_p50_ms:.1f}", f"{each.recall_p95_ms:.1f}",
             f"{each.evening_s:.2f}"]
            for each in seen.checkpoints
        ],
    )  # fmt: skip
    level = []
    rows = []
    first, last = seen.growth("file_bytes")
    rows.append(["file_bytes", f"{first:,.1f}", f"{last:,.1f}", ""])
    for name in ("other_bytes", "notes", "links", "remembered_bytes", "recall_p50_ms"):
        first, last = seen.growth(name)
        level.append(last <= LEVEL_OFF * max(first, 0.0))
        rows.append([name, f"{first:,.1f}", f"{last:,.1f}", verdict(holds=level[-1])])
    table(
        f"Added in a quarter; the last may add {LEVEL_OFF:.0%} of the first", ["", "first", "last", "levels off"], rows
    )
    grown_by_table(seen)
    kept = seen.pinned_lost == 0 and seen.restored == seen.restorable
    print(f"  pinned notes: {seen.pinned}, lost {seen.pinned_lost}")
    print(f"  forgotten within thirty days: {seen.restorable}, brought back {seen.restored}: {verdict(holds=kept)}")
    for failure in seen.failures[:5]:
        print(f"    {failure}")
    return all(level) and kept


def grown_by_table(seen: forget_year.Year) -> None:
    """Which tables the file grows by, where that can be told; the least of them together."""
    grown = seen.table_growth()
    if not grown:
        return
    shown = list(grown)[:TABLES]
    rest = [sum(column) for column in zip(*(grown[name] for name in list(grown)[TABLES:]), strict=True)] or [0.0] * 4
    total = [sum(column) for column in zip(*grown.values(), strict=True)]
    last = seen.checkpoints[-1]
    rows = [(name, grown[name], last.tables[name]) for name in shown]
    rows.append(("all others", rest, sum(last.tables.values()) - sum(last.tables[name] for name in shown)))
    rows.append(("the file", total, sum(last.tables.values())))
    table(
        "kB that each table added in a quarter, with its indexes",
        ["", "first", "second", "third", "last", "at last"],
        [
            [name, *(f"{added / 1e3:+,.0f}" for added in quarters), f"{held / 1e3:,.0f}"]
            for name, quarters, held in rows
        ],
    )
    print(f"  {last.tables['message'] / max(1, last.messages):.0f} bytes a message are kept for good")


def _minutes(minutes: int) -> str:
    return (
        f"{minutes} min"
        if minutes < 120
        else f"{minutes / 60:.0f} h"
        if minutes < 1_440
        else f"{minutes / 1_440:.0f} d"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, nargs="?", help="the recall set to replay, JSON or gzipped JSON")
    parser.add_argument("--only", default=",".join(PARTS), help="which parts to run, comma-separated")
    parser.add_argument("--conversation", help="which one of the set; the first")
    parser.add_argument("--messages", type=int, help="replay only so many, and ask what they can answer; all")
    parser.add_argument("--days", type=int, default=365, help="of daily talk")
    parser.add_argument("--traces", type=int, default=1_000_000)
    parser.add_argument("--embedder", default="auto", help="of `replay` and `year`")
    parser.add_argument("--state", type=Path, help="where the minds are made; a temporary directory")
    given = parser.parse_args()
    given.only = given.only.split(",")
    if unknown := set(given.only) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return given


def main() -> int:
    given = arguments()
    talk = chosen(given.set, given.conversation) if given.set is not None and "replay" in given.only else None
    root = Path(tempfile.mkdtemp(prefix="soulmem-forget-", dir=given.state))
    held = []
    try:
        for part in PARTS:
            if part not in given.only:
                continue
            say(f"{part} ...")
            place = root / part
            place.mkdir()
            match part:
                case "curves":
                    held.append(curves())
                case "traces":
                    held.append(traces(place, given.traces))
                case "replay" if talk is None:
                    say("  left out: no recall set was given")
                case "replay":
                    held.append(replay(place, talk, given.messages, given.embedder))
                case _:
                    held.append(year(place, given.days, given.embedder))
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return 0 if all(held) else EXIT_MISSED


if __name__ == "__main__":
    sys.exit(main())
