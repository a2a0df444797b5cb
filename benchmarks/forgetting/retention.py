"""What stays: a week of statements, then four months of other talk, or of silence.

Two readers, neither of whom saw what the other wrote, labelled the statements of `retention/statements.jsonl` vital,
ordinary or trivial. How far they agree is printed, and what is measured is measured where they do; the others are
reported apart. All are told to a real daemon within a week; then one copy of the mind hears 120 days of other talk,
another 120 days of nothing, on a simulated clock. Vital: the sense of it can be read in a note, and a natural question
brings it back. Ordinary: a note of it is still there, clear or blurred. Trivial: its sense can still be read in a note.
What never became a note is told apart: that is a matter of noting, not of forgetting. Every measure is printed with its
goal; the last line on stdout is JSON.

    python -m benchmarks.forgetting.retention [--language en|zh|all] [--embedder NAME] [--half dev|held|all] [--misses]
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daemon_fixture import daemon_process
from soulmem.client import Client

DATA = Path(__file__).parent / "retention"
LANGUAGES = ("en", "zh")
ARMS = ("talk", "silence")
WEEK, AFTER = 7, 120  # days
START = dt.datetime(2026, 1, 5, 18, tzinfo=dt.UTC)
DAY_S, TURN_S = 86_400, 60
FIRST = 10
_A_DAY = 3  # sentences of other talk
SPEAKERS = {"en": "Robin", "zh": "小满"}
_REPLIES = {"en": ("Mm, tell me more.", "I see.", "Ha, right."), "zh": ("嗯嗯，继续说。", "这样啊。", "哈哈，好。")}
# Of what share at least, and at most.
_LABEL = {"asked": "vital"}  # what a measure is taken of, where that is not its name
GOALS = {"vital": (0.95, 1.0), "asked": (0.95, 1.0), "ordinary": (0.40, 0.80), "trivial": (0.0, 0.15)}
_SAID = {
    "vital": "vital: clear", "asked": "vital: found clear when asked", "ordinary": "ordinary: told or blurred",
    "trivial": "trivial: clear",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Statement:
    id: str
    language: str
    half: str
    text: str
    question: str
    sense: str
    reader_a: str
    reader_b: str

    @property
    def label(self) -> str | None:
        """What both readers say; None where they differ."""
        return self.reader_a if self.reader_a == self.reader_b else None

    def is_read_in(self, text: str) -> bool:
        return all(re.search(part, text, re.IGNORECASE) for part in self.sense.split("&"))


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of a statement. `noted`: a note was made of it at all."""

    statement: Statement
    arm: str
    noted: bool
    holds: bool
    shown: str = ""
    asked: bool = False  # of a vital one: the recall of a natural question showed it


def statements(languages: Iterable[str]) -> list[Statement]:
    lines = (DATA / "statements.jsonl").read_text(encoding="utf-8").splitlines()
    found = [Statement(**json.loads(line)) for line in lines]
    return [each for each in found if each.language in set(languages)]


def talk() -> list[str]:
    """Other sentences, English and Chinese by turns, in an order of their own."""
    said = [line for name in LANGUAGES for line in (DATA / f"talk.{name}.txt").read_text(encoding="utf-8").splitlines()]
    random.Random("talk").shuffle(said)
    return said


def kappa(told: Sequence[Statement]) -> float:
    """Cohen's kappa of the two readers."""
    first, second = Counter(each.reader_a for each in told), Counter(each.reader_b for each in told)
    by_chance = sum(first[label] * second[label] for label in first) / len(told) ** 2
    return (agreed(told) - by_chance) / (1 - by_chance)


def agreed(told: Sequence[Statement]) -> float:
    """The share of the statements to which both readers gave the same label."""
    return sum(each.label is not None for each in told) / len(told)


def apart(seen: Sequence[Seen]) -> list[dict[str, Any]]:
    """Of the statements on which the readers differ: how many there are, and of how many the sense can be read."""
    return [
        {"arm": arm, "language": language, "n": len(those), "noted": sum(each.noted for each in those),
         "clear": sum(each.holds for each in those)}
        for arm in ARMS
        for language in LANGUAGES
        if (those := [
            each for each in seen
            if each.statement.label is None and (each.arm, each.statement.language) == (arm, language)
        ])
    ]  # fmt: skip


def measure(
    *, languages: tuple[str, ...] = LANGUAGES, directory: Path | None = None, embedder: str = "auto", half: str = "all"
) -> list[dict[str, Any]]:
    """The rows of the table: a measure, language and arm each, with n, share and a 95 % interval."""
    return rows(look(languages, directory, embedder), languages, half)


def look(languages: Iterable[str], directory: Path | None, embedder: str) -> list[Seen]:
    with tempfile.TemporaryDirectory(prefix="soulmem-retention-", dir=directory) as name:
        return [seen for language in languages for seen in _of_language(language, Path(name) / language, embedder)]


def rows(seen: Sequence[Seen], languages: Iterable[str], half: str = "all") -> list[dict[str, Any]]:
    return [
        row
        for label in GOALS
        for arm in ARMS
        for language in languages
        for row in _row(seen, label, arm, language, half)
    ]


def _row(seen: Sequence[Seen], label: str, arm: str, language: str, half: str) -> Iterator[dict[str, Any]]:
    those = [
        each
        for each in seen
        if (each.statement.label, each.arm, each.statement.language) == (_LABEL.get(label, label), arm, language)
        and half in ("all", each.statement.half)
    ]
    noted = [each for each in those if each.noted]
    if not those:
        return
    right, n = sum(_holds(each, label) for each in those), len(those)
    low, high = _wilson(right, n)
    of_noted = round(sum(_holds(each, label) for each in noted) / len(noted), 3) if noted else None
    yield {
        "measure": f"{label}.{arm}", "label": f"{_SAID[label]}, 120 days of {arm}", "language": language, "half": half,
        "n": n, "right": right, "share": round(right / n, 3), "low": low, "high": high, "noted": len(noted),
        "of_noted": of_noted, "goal": GOALS[label], "held": GOALS[label][0] <= right / n <= GOALS[label][1],
    }  # fmt: skip


def _holds(seen: Seen, measure: str) -> bool:
    return seen.asked if measure == "asked" else seen.holds


def _wilson(right: int, n: int) -> tuple[float, float]:
    z, share = 1.96, right / n
    middle, width = share + z * z / (2 * n), z * ((share * (1 - share) + z * z / (4 * n)) / n) ** 0.5
    scale = 1 + z * z / n
    return round((middle - width) / scale, 3), round((middle + width) / scale, 3)


# -- the lives -----------------------------------------------------------------------------------------------------


def _of_language(language: str, root: Path, embedder: str) -> list[Seen]:
    """Tell the week once and go on twice."""
    told = statements([language])
    week, seen = root / "week", []
    week.mkdir(parents=True)
    with _daemon(week, START, embedder) as client:
        client.call("mind.create", {"mind": language, "profile": "companion", "language": language})
        _week(client, language, told)
        noted = {message for note in _notes(client, language) for message in _sources(note)}
        began = dt.datetime.fromisoformat(client.call("system.ping")["now"])
    for arm in ARMS:
        place = root / arm
        shutil.copytree(week / "state", place / "state")
        with _daemon(place, began, embedder) as client:
            if arm == "talk":
                _talk(client, language)
            else:
                client.call("clock.advance", {"seconds": AFTER * DAY_S})
            seen += [_seen(client, each, arm, noted, _notes(client, language)) for each in told]
    return seen


class _daemon:  # noqa: N801 (a context)
    """A daemon on a simulated clock with one client."""

    def __init__(self, root: Path, now: dt.datetime, embedder: str) -> None:
        environment = {"SOULMEM_EMBEDDER_NAME": embedder, "SOULMEM_STRICT_EVENTS": ""}
        self._made = daemon_process(root, "--simulated-clock", now.isoformat(), env=environment)

    def __enter__(self) -> Client:
        return self._made.__enter__().client(timeout=3_600)

    def __exit__(self, *raised: Any) -> None:
        self._made.__exit__(*raised)


def _week(client: Client, mind: str, told: Sequence[Statement]) -> None:
    """Ten or so statements an evening, in an order that mixes the classes."""
    order = list(told)
    random.Random(mind).shuffle(order)
    for day in range(WEEK):
        lines = [(each.text, each.id) for each in order[day::WEEK]]
        _evening(client, mind, mind, lines)


def _talk(client: Client, mind: str) -> None:
    said = talk()
    for day in range(AFTER):
        lines = [(said[(day * _A_DAY + turn) % len(said)], f"t{day}-{turn}") for turn in range(_A_DAY)]
        _evening(client, mind, mind, lines)


def _evening(client: Client, mind: str, language: str, lines: Sequence[tuple[str, str]]) -> None:
    replies = _REPLIES[language]
    for turn, (text, message) in enumerate(lines):
        user = {"mind": mind, "role": "user", "speaker": SPEAKERS[language], "content": text, "id": message}
        client.call("message.add", user)
        reply = {"mind": mind, "role": "assistant", "speaker": "Pell", "content": replies[turn % len(replies)]}
        client.call("message.add", reply)
        client.call("clock.advance", {"seconds": TURN_S})
    client.call("clock.advance", {"seconds": DAY_S - TURN_S * len(lines)})


def _seen(client: Client, statement: Statement, arm: str, noted: set[str], notes: Sequence[dict[str, Any]]) -> Seen:
    own = [note for note in notes if statement.id in _sources(note)]
    shown = " / ".join(str(note["rendered"]) for note in own)
    if statement.label == "ordinary":
        return Seen(statement, arm, statement.id in noted, any(note["state"] != "blank" for note in own), shown)
    holds = any(statement.is_read_in(note["rendered"]) for note in own)
    if statement.label != "vital":
        return Seen(statement, arm, statement.id in noted, holds, shown)
    asked = {"mind": statement.language, "query": statement.question, "k": FIRST, "record": False}
    items = client.call("recall", asked)["items"]
    found = any(statement.is_read_in(item["text"]) for item in items)
    return Seen(statement, arm, statement.id in noted, holds, shown, found)


def _sources(note: dict[str, Any]) -> set[str]:
    return {source["id"] for source in note["sources"]}


def _notes(client: Client, mind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = client.call("note.list", {"mind": mind, "state": "active", "limit": 500, **cursor})
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


# -- the table -----------------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", choices=(*LANGUAGES, "all"), default="all")
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--half", choices=("dev", "held", "all"), default="all")
    parser.add_argument("--misses", action="store_true", help="show what was wrong, of the half dev alone")
    given = parser.parse_args()
    languages = LANGUAGES if given.language == "all" else (given.language,)
    began, told = time.perf_counter(), statements(languages)
    seen = look(languages, None, given.embedder)
    if given.misses:
        for each in seen:
            wanted = each.statement.label in ("vital", "ordinary")
            lost = each.statement.label == "vital" and not each.asked
            if each.statement.label and each.statement.half == "dev" and (each.holds != wanted or lost):
                why = "" if each.noted else "  NEVER NOTED"
                why += "  NOT FOUND" if lost else ""
                print(f"{each.statement.label:8} {each.arm:7} {each.statement.text} -> {each.shown}{why}")
    lines = rows(seen, languages, given.half)
    print(f"{'':50} {'lang':4} {'n':>3} {'share':>6}  {'95 %':9}  {'goal':9}        noted  of these")
    for row in lines:
        goal = f"{row['goal'][0]:.2f}–{row['goal'][1]:.2f} {'' if row['held'] else 'MISSED'}"
        of_noted = "-" if row["of_noted"] is None else f"{row['of_noted']:.2f}"
        interval = f"{row['low']:.2f}–{row['high']:.2f}"
        share = f"{row['label']:50} {row['language']:4} {row['n']:3} {row['share']:6.2f}  {interval}"
        print(f"{share}  {goal:16} {row['noted']:5}  {of_noted}")
    for each in apart(seen):
        print(
            f"the readers differ on {each['n']} in {each['language']}, 120 days of {each['arm']}: "
            f"{each['noted']} became notes, {each['clear']} can be read clearly"
        )
    print(
        f"{len(told)} statements, two readers: the same label for {agreed(told):.1%}, Cohen's kappa {kappa(told):.2f}; "
        + ", ".join(
            f"{label} {sum(each.label == label for each in told)}" for label in ("vital", "ordinary", "trivial")
        )
    )
    report = {
        "benchmark": "retention", "statements": len(told), "agreed": round(agreed(told), 3),
        "kappa": round(kappa(told), 3), "talk": len(set(talk())), "apart": apart(seen),
        "embedder": given.embedder, "seconds": round(time.perf_counter() - began, 1), "rows": lines,
    }  # fmt: skip
    print(json.dumps(report, ensure_ascii=False))
    return 0 if all(row["held"] for row in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
