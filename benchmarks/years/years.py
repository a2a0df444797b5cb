"""`make bench-life YEARS=10`: years of talk with repetition, change and silence, through a real daemon.

The clock is simulated, the life is `changing_life`. Printed for each year: messages, notes, links and forgotten notes,
the size on disk, seconds of digestion for an evening, tokens a day, the time of recalls, and of the facts that changed
how many are told as they are now before anything outdated. Time is told twice: as it passed, and what the daemon
computed, which is the same on a machine that has other work. The last line on stdout is JSON, each year beside the
first. Without a model tokens are 0.

    python -m benchmarks.years.years [--years N] [--embedder NAME] [--seed N]
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.years.changing_life import YEAR_DAYS, ChangingLife, Fact
from daemon_fixture import Daemon, daemon_process
from soulmem.client import Client
from soulmem.store.sqlite import offline_reader
from soulmem.store.sqlite.driver import Connection

MIND = "years"
START = dt.datetime(2026, 1, 1, 19, tzinfo=dt.UTC)
DAY_S = 86_400
_TURN_S = 60
_QUESTIONS = 24  # about other talk, for the time of recalls
_PATIENCE_S = 3_600.0


@dataclass(frozen=True, slots=True)
class YearEnd:
    """How a mind stands at the end of a year. `cpu`: what the daemon computed, whatever else the machine did."""

    year: int
    messages: int
    notes: int
    links: int
    forgotten: int
    file_mb: float
    digestion_s: float  # for an evening, the mean of the year
    digestion_cpu_s: float
    tokens_a_day: float
    recall_p50_ms: float
    recall_p95_ms: float
    recall_cpu_ms: float  # for one, the mean; threads of the embedder count too
    changed: int  # facts that have had more than one value
    current_first: int  # of these: what is so now stands before anything outdated
    known: int  # of all facts: what is so now is among the first three


def live(directory: Path, years: int, embedder: str, seed: int) -> list[YearEnd]:
    """Live through the years and look at the mind at the end of each."""
    life, found = ChangingLife(seed, years), []
    environment = {"SOULMEM_EMBEDDER_NAME": embedder, "SOULMEM_STRICT_EVENTS": ""}
    with daemon_process(directory, "--simulated-clock", START.isoformat(), env=environment) as daemon:
        client = daemon.client(timeout=_PATIENCE_S)
        client.call("mind.create", {"mind": MIND, "profile": "companion"})
        evenings, today, taken, tokens = life.evenings(), 0, list[tuple[float, float]](), 0
        evening = next(evenings, None)
        for year in range(1, years + 1):
            while evening is not None and evening.day < year * YEAR_DAYS:
                _advance(client, (evening.day - today) * DAY_S)
                today = evening.day
                for each in evening.said:
                    is_user = each.role == "user"
                    client.call(
                        "message.add",
                        {
                            "mind": MIND, "role": each.role, "content": each.text, "recall": is_user,
                            "speaker": "Ann" if is_user else "Pell",
                        },
                    )  # fmt: skip
                began, computed = time.perf_counter(), _computed_s(daemon)
                client.call("idle.run", {"mind": MIND, "wait": True})
                taken.append((time.perf_counter() - began, _computed_s(daemon) - computed))
                tokens += _tokens(client)
                evening = next(evenings, None)
            _advance(client, (year * YEAR_DAYS - today) * DAY_S)
            today = year * YEAR_DAYS
            found.append(_look(daemon, client, life, year, taken, tokens / YEAR_DAYS))
            taken, tokens = [], 0
            print(_row(found[-1]), file=sys.stderr, flush=True)
    return found


def _advance(client: Client, seconds: int) -> None:
    """Let time pass, in steps of days, as it does."""
    while seconds > 0:
        step = min(seconds, 7 * DAY_S)
        client.call("clock.advance", {"seconds": step})
        seconds -= step


def _computed_s(daemon: Daemon) -> float:
    """Seconds that the daemon has computed so far, all its threads together."""
    fields = Path(f"/proc/{daemon.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _tokens(client: Client) -> int:
    """All tokens that a model was given or gave on the day that ends; 0 without one."""
    own = client.call("ledger.get", {"mind": MIND})["today"]["mind"]
    return int(own["tokens"]) if own else 0


def _look(
    daemon: Daemon, client: Client, life: ChangingLife, year: int, digestion: Sequence[tuple[float, float]],
    tokens: float,
) -> YearEnd:  # fmt: skip
    taken, computed = [], _computed_s(daemon)
    for question in life.questions(_QUESTIONS):
        began = time.perf_counter()
        client.call("recall", {"mind": MIND, "query": question, "k": 10, "record": False})
        taken.append((time.perf_counter() - began) * 1000)
    recall_cpu_ms = (_computed_s(daemon) - computed) * 1000 / _QUESTIONS
    daemon.settle(MIND, timeout=600)
    told = life.told_by(year * YEAR_DAYS)
    changed = first = known = 0
    for fact in life.facts:
        now, earlier = told[fact.name]
        texts = _recalled(client, fact)
        changed += bool(earlier)
        first += bool(earlier) and is_current_first(texts, now, earlier)
        known += any(_says(text, now) for text in texts[:3])
    size = offline_reader.look(daemon.state / "minds" / f"{MIND}.db", _bytes)
    forgotten = _forgotten(client)
    status = next(line for line in client.call("system.status")["minds"] if line["mind"] == MIND)
    taken.sort()
    return YearEnd(
        year, status["messages"], status["notes"], status["links"], forgotten, round(size / 1e6, 2),
        round(statistics.mean([each for each, _ in digestion] or [0.0]), 3),
        round(statistics.mean([each for _, each in digestion] or [0.0]), 3), round(tokens, 1),
        round(statistics.median(taken), 1), round(taken[int(len(taken) * 0.95)], 1), round(recall_cpu_ms, 1),
        changed, first, known,
    )  # fmt: skip


def _bytes(connection: Connection) -> int:
    """The size of the mind's file when its log is folded into it."""
    pages, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages * size)


def _forgotten(client: Client) -> int:
    """How many notes are forgotten and can still come back."""
    count, cursor = 0, dict[str, Any]()
    while True:
        page = client.call("note.list", {"mind": MIND, "state": "forgotten", "limit": 500, **cursor})
        count += len(page["items"])
        if page["next_cursor"] is None:
            return count
        cursor = {"cursor": page["next_cursor"]}


def _recalled(client: Client, fact: Fact) -> list[str]:
    wanted = {"mind": MIND, "query": fact.question, "k": 10, "record": False}
    return [item["text"] for item in client.call("recall", wanted)["items"]]


def is_current_first(texts: Sequence[str], now: str, earlier: Sequence[str]) -> bool:
    """Whether the first text that names any value of a fact names what is so now."""
    for text in texts:
        if _says(text, now):
            return True
        if any(_says(text, value) for value in earlier):
            return False
    return False


def _says(text: str, value: str) -> bool:
    pattern = rf"(?<!\w){re.escape(value)}s?(?!\w)" if value.isascii() else re.escape(value)
    return re.search(pattern, text, re.IGNORECASE) is not None


def _row(at: YearEnd) -> str:
    return (
        f"year {at.year:2}: {at.messages:6} messages {at.notes:5} notes {at.links:6} links {at.forgotten:5} forgotten "
        f"{at.file_mb:7.1f} MB  digestion {at.digestion_s:.2f} s an evening ({at.digestion_cpu_s:.2f} computed)  "
        f"recall p50 {at.recall_p50_ms:.1f} p95 {at.recall_p95_ms:.1f} ms ({at.recall_cpu_ms:.1f} computed)  "
        f"current first {at.current_first} of {at.changed}, known {at.known}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    if not 1 <= given.years <= 12:
        parser.error("--years is 1 to 12")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="soulmem-years-") as root:
        found = live(Path(root), given.years, given.embedder, given.seed)
    print("\n".join(map(_row, found)))
    line: dict[str, Any] = {"benchmark": "life", "embedder": given.embedder, "years": [asdict(each) for each in found]}
    print(json.dumps(line | {"seconds": round(time.perf_counter() - began), "load": round(os.getloadavg()[0], 1)}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
