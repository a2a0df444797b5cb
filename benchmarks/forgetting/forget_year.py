"""A year of daily talk, lived through on a simulated clock: does what a mind holds level off?

Part of `forget`. Every evening twenty messages go in through the socket (`daily_talk`), each user message waits for its
recall as a front end does, the mind falls quiet and digests. At checkpoints the living notes and links, the bytes of
the file and the time of a fixed set of recalls are read. What comes in every day is the same, so a mind that forgets
holds about as much after a year as after a season; the last quarter's growth is set beside the first's, for the file
table by table. Raw messages are kept for good, so the file goes on growing by those and by nothing else. At the end
every pinned note must still be there, and every note forgotten within the last thirty days must come back.
"""

from __future__ import annotations

import datetime as dt
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.forgetting.daily_talk import Life
from benchmarks.forgetting.file_tables import bytes_by_table
from daemon_fixture import Daemon, daemon_process
from soulmem.client import Client, SoulmemRemoteError
from soulmem.store.sqlite import driver, offline_reader
from soulmem.store.sqlite.driver import Connection

MIND = "year"
START = dt.datetime(2026, 1, 1, 20, tzinfo=dt.UTC)
DAY_S = 86_400
QUESTIONS = 24
PINNED_EVERY = 30
_TURN_S = 60  # from one user message to the next
# What is remembered, as it lies on disk; the rest of the file are raw messages, kept for good, and the journals.
_REMEMBERED = (
    ("note", ("text", "shown", "terms", "tags", "entities", "attributes")),
    ("element", ("gist", "a0", "t0", "stability", "due_blur", "due_blank")),
    ("link", ("a0", "t0", "stability", "due_delete", "hash")),
    ("tombstone", ("kind", "item", "reason", "forgotten_at", "purge_at")),
    ("vector WHERE kind = 'note'", ("data",)),
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How a mind stands after so many days. Times in milliseconds.

    `file_bytes`: all of it, with the raw messages that are kept for good and what was recorded of recalls;
    `remembered_bytes`: the contents of notes, details, links and tombstones.
    """

    day: int
    messages: int
    notes: int
    links: int
    file_bytes: int
    remembered_bytes: int
    recall_p50_ms: float
    recall_p95_ms: float
    evening_s: float
    tables: Counter[str] = field(default_factory=Counter)

    @property
    def other_bytes(self) -> int:
        """The file without the raw messages, where their share of it can be told."""
        return self.file_bytes - self.tables["message"]


@dataclass(slots=True)
class Year:
    """What was seen of a year."""

    checkpoints: list[Checkpoint] = field(default_factory=list)
    pinned: int = 0
    pinned_lost: int = 0
    forgotten: int = 0
    restorable: int = 0
    restored: int = 0
    failures: list[str] = field(default_factory=list)

    def growth(self, name: str) -> tuple[float, float]:
        """What was added in the first and in the last quarter of the days."""
        first, *_, last = self._quarters([float(getattr(each, name)) for each in self.checkpoints])
        return first, last

    def table_growth(self) -> dict[str, list[float]]:
        """The bytes that each table gained in each quarter of the days; what grows most at last comes first."""
        names = sorted(set().union(*(each.tables for each in self.checkpoints)))
        grown = {name: self._quarters([each.tables[name] for each in self.checkpoints]) for name in names}
        return dict(sorted(grown.items(), key=lambda each: -each[1][-1]))

    def _quarters(self, values: Sequence[float]) -> list[float]:
        days = [each.day for each in self.checkpoints]
        bounds = [min(range(len(days)), key=lambda place: abs(days[place] - days[-1] * part / 4)) for part in range(5)]
        return [values[after] - values[before] for before, after in pairwise(bounds)]


def live(
    directory: Path, *, days: int, every: int, embedder: str, seed: int, settings: dict[str, Any],
    say: Callable[[str], None],
) -> Year:  # fmt: skip
    """Live through `days` evenings and look at the mind every so many days."""
    life, year = Life(seed), Year()
    questions = life.questions(QUESTIONS)
    environment = {"SOULMEM_EMBEDDER_NAME": embedder, "SOULMEM_STRICT_EVENTS": ""}
    with daemon_process(directory, "--simulated-clock", START.isoformat(), env=environment) as daemon:
        client = daemon.client(timeout=3_600)
        client.call("mind.create", {"mind": MIND, "profile": "companion", "settings": settings})
        pinned: list[str] = []
        began, evenings = time.perf_counter(), []
        for day in range(days + 1):
            if day % every == 0 or day == days:
                at = _look(daemon, client, day, questions, statistics.mean(evenings or [0.0]))
                year.checkpoints.append(at)
                evenings = []
                say(
                    f"  day {day:3}: {at.notes} notes, {at.links} links, {at.file_bytes / 1e6:.1f} MB, "
                    f"{at.recall_p50_ms:.1f} ms a recall, {at.evening_s:.2f} s an evening "
                    f"({time.perf_counter() - began:.0f} s so far)"
                )
            if day == days:
                break
            if day % PINNED_EVERY == 0:
                pinned += _pin(client, day)
            started = time.perf_counter()
            _evening(client, life, day)
            evenings.append(time.perf_counter() - started)
        _reckon(client, year, pinned)
    return year


def _evening(client: Client, life: Life, day: int) -> None:
    """Twenty messages, two a minute, then silence until the next evening; digestion is done when it ends."""
    said = life.evening(day)
    for each in said:
        is_user = each.role == "user"
        speaker = "Ann" if is_user else "Pell"
        message = {"mind": MIND, "role": each.role, "content": each.text, "speaker": speaker, "recall": is_user}
        client.call("message.add", message)
        if not is_user:
            client.call("clock.advance", {"seconds": _TURN_S})
    turns = sum(each.role != "user" for each in said)
    client.call("clock.advance", {"seconds": DAY_S - _TURN_S * turns})


def _pin(client: Client, day: int) -> list[str]:
    """Pin the newest note there is, and one written by hand."""
    text = f"Ann's rule number {day} 安的第{day}条规矩: never sail on a Friday 周五不出海"
    chosen = [client.call("note.add", {"mind": MIND, "kind": "episodic", "text": text})["id"]]
    chosen += [note["id"] for note in notes(client, "active")[-2:-1]]
    for note in chosen:
        client.call("note.pin", {"mind": MIND, "id": note})
    return chosen


def _look(daemon: Daemon, client: Client, day: int, questions: list[str], evening_s: float) -> Checkpoint:
    taken = []
    for question in questions:
        began = time.perf_counter()
        client.call("recall", {"mind": MIND, "query": question, "k": 10, "record": False})
        taken.append((time.perf_counter() - began) * 1000)
    daemon.settle(MIND, timeout=600)
    with tempfile.TemporaryDirectory(prefix="soulmem-") as folder:
        copy = Path(folder) / f"{MIND}.db"
        offline_reader.look(daemon.state / "minds" / copy.name, partial(_copy, to=copy))
        with closing(driver.reader(copy, traceless=True)()) as connection:
            remembered = sum(_bytes(connection, table, columns) for table, columns in _REMEMBERED)
        size, tables = copy.stat().st_size, bytes_by_table(copy)
    status = next(line for line in client.call("system.status")["minds"] if line["mind"] == MIND)
    taken.sort()
    return Checkpoint(
        day, status["messages"], status["notes"], status["links"], size, remembered,
        statistics.median(taken), taken[int(len(taken) * 0.95)], evening_s, tables,
    )  # fmt: skip


def _copy(connection: Connection, to: Path) -> None:
    """Page by page, so that the free ones are counted too; the daemon keeps its own file to itself."""
    with closing(type(connection)(str(to))) as copy:
        connection.backup(copy)


def _bytes(connection: Connection, table: str, columns: tuple[str, ...]) -> int:
    lengths = " + ".join(f"ifnull(length({column}), 0)" for column in columns)
    return int(connection.execute(f"SELECT ifnull(sum({lengths}), 0) FROM {table}").fetchone()[0])


def _reckon(client: Client, year: Year, pinned: list[str]) -> None:
    """Is every pinned note there, and does all that was forgotten within thirty days come back?"""
    now = dt.datetime.fromisoformat(client.call("system.ping")["now"])
    active = {note["id"]: note for note in notes(client, "active")}
    year.pinned = len(pinned)
    year.pinned_lost = sum(note not in active or not active[note]["pinned"] for note in pinned)
    gone = list(notes(client, "forgotten"))
    year.forgotten = len(gone)
    recent = [note for note in gone if (now - dt.datetime.fromisoformat(note["forgotten_at"])).days < 30]
    year.restorable = len(recent)
    for note in recent:
        try:
            client.call("note.restore", {"mind": MIND, "id": note["id"]})
        except SoulmemRemoteError as error:
            year.failures.append(f"{note['id']}: {error}")
    alive = {note["id"]: note for note in notes(client, "active")}
    for note in recent:
        if alive.get(note["id"], {}).get("text") == note["text"]:
            year.restored += 1
        else:
            year.failures.append(f"{note['id']} did not come back as it was")


def notes(client: Client, state: str) -> list[dict[str, Any]]:
    """All notes in a state, page by page."""
    return list(_pages(client, state))


def _pages(client: Client, state: str) -> Iterator[dict[str, Any]]:
    cursor: dict[str, Any] = {}
    while True:
        page = client.call("note.list", {"mind": MIND, "state": state, "limit": 500, **cursor})
        yield from page["items"]
        if page["next_cursor"] is None:
            return
        cursor = {"cursor": page["next_cursor"]}
