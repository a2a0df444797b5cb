"""A million traces: what forgetting costs while nothing falls due, and what a crossing costs among so many.

Part of `forget`. Two minds of the same make, one with a hundredth of the other's notes, are written into their files
through the store's own functions. A real daemon on a simulated clock lives a hundred days with them in which nothing
crosses a threshold: the files must stay what they are, byte for byte, and nobody may commit. Then, on a few days, a
thousand details blur in each mind: a sweep must cost what crosses, not what lives. Invariant: nothing is due in either
mind before the day of the first crossing.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import math
import random
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.speech import Speech
from daemon_fixture import Daemon, daemon_process
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.traces import BLUR_BELOW, Trace
from soulmem.core.details.elements import Element
from soulmem.core.schema.note_requests import Anchor, NoteKind
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.store.index import vectors
from soulmem.store.index.embedding_backlog import Pending
from soulmem.store.notes import note_writes
from soulmem.store.notes.note_writes import NewNote
from soulmem.store.recalls import recall_records
from soulmem.store.session import mind_metadata
from soulmem.store.session.mind_metadata import Identity
from soulmem.store.sqlite import migrations
from soulmem.store.sqlite.driver import Connection, reader, writer

START = dt.datetime(2026, 3, 1, 8, tzinfo=dt.UTC)
DETAILS = 10  # of a note, one word each
CROSSING = 1_000
SILENT_DAYS = 100
CROSSING_DAYS = (101, 111, 121)
GOAL_RATIO = 3.0
_BATCH = 2_000
_STRENGTH = 0.9
_LASTING_MS = 3_650 * DAY_MS
_SETTINGS = {"forgetting.clock": "wall", "forgetting.sweep_cap": 10 * CROSSING}


@dataclass(frozen=True, slots=True)
class Silence:
    """A mind before and after days without a crossing: whether a byte changed, commits seen, bytes of the file."""

    traces: int
    same_bytes: bool
    commits: int
    file_bytes: int
    advance_s: float


@dataclass(frozen=True, slots=True)
class Sweeps:
    """Sweeps in which a thousand details crossed: what each took, milliseconds, and how many notes changed."""

    traces: int
    ms: tuple[float, ...]
    blurred: tuple[int, ...]


def measure(
    directory: Path, *, sizes: tuple[int, int], say: Callable[[str], None]
) -> tuple[list[Silence], list[Sweeps]]:
    """Build both minds, let a hundred days pass, then sweep."""
    minds = {f"traces{size}": size for size in sizes}
    for mind, size in minds.items():
        took = build(directory / "state" / "minds" / f"{mind}.db", size)
        say(f"  {size:,} traces are written, {took:.0f} s")
    environment = {"SOULMEM_EMBEDDER_NAME": "hashing", "SOULMEM_STRICT_EVENTS": ""}
    with daemon_process(directory, "--simulated-clock", START.isoformat(), env=environment) as daemon:
        client = daemon.client(timeout=3_600)
        for mind in minds:
            client.call("recall", {"mind": mind, "query": "lantern", "record": False})
            client.call("idle.run", {"mind": mind})
            daemon.settle(mind, timeout=600)
        silences = _silences(daemon, client, minds)
        say(f"  {SILENT_DAYS} days are over")
        taken: dict[str, list[tuple[float, int]]] = {mind: [] for mind in minds}
        now = float(SILENT_DAYS)
        for day in CROSSING_DAYS:
            seen = {mind: _sweeps(daemon, mind) for mind in minds}
            client.call("clock.advance", {"seconds": (day + 1 - now) * 86_400})
            now = day + 1.0
            for mind, size in minds.items():
                daemon.settle(mind, timeout=600)
                new = _sweeps(daemon, mind)[len(seen[mind]) :]
                blurred, ms = sum(each["blurred"] for each in new), sum(each["ms"] for each in new)
                taken[mind].append((ms, blurred))
                say(f"  day {day}, {size:,} traces: {blurred} notes blurred in {ms:.0f} ms")
    return silences, [
        Sweeps(size, tuple(ms for ms, _ in taken[mind]), tuple(count for _, count in taken[mind]))
        for mind, size in minds.items()
    ]


def _silences(daemon: Daemon, client: Any, minds: dict[str, int]) -> list[Silence]:
    found = []
    paths = {mind: daemon.state / "minds" / f"{mind}.db" for mind in minds}
    watchers = {mind: reader(path)() for mind, path in paths.items()}
    try:
        versions = {mind: _version(each) for mind, each in watchers.items()}
        before = {mind: _image(path) for mind, path in paths.items()}
        began = time.perf_counter()
        client.call("clock.advance", {"seconds": SILENT_DAYS * 86_400})
        took = time.perf_counter() - began
        for mind, size in minds.items():
            commits = _version(watchers[mind]) - versions[mind]
            same = _image(paths[mind]) == before[mind]
            found.append(Silence(size, same, commits, paths[mind].stat().st_size, took))
    finally:
        for each in watchers.values():
            each.close()
    return found


def _version(connection: Connection) -> int:
    """A number that moves when another connection has committed."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def _image(path: Path) -> str:
    digest = hashlib.sha256()
    for part in (path, path.with_name(path.name + "-wal")):
        if part.exists():
            with part.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _sweeps(daemon: Daemon, mind: str) -> list[dict[str, Any]]:
    return [event for event in daemon.events("sweep_finished") if event["mind"] == mind]


# -- the minds ---------------------------------------------------------------------------------------------------


def build(path: Path, traces: int) -> float:
    """Write a mind with so many traces of details, ten a note; seconds it took."""
    began = time.perf_counter()
    path.parent.mkdir(parents=True, exist_ok=True)
    now = round(START.timestamp() * 1000)
    count = traces // DETAILS
    embedder, names = HashingEmbedder(), Speech(3)
    chance = np.random.default_rng(3)
    words = [names.name(chinese=number % 4 == 0) for number in range(5_000)]
    pick = random.Random(3)
    with closing(writer(path)()) as connection:
        migrations.migrate(connection, path, "mind")
        connection.execute("BEGIN IMMEDIATE")
        mind_metadata.create(connection, Identity(path.stem, "", "companion", "", "", _SETTINGS, now, now, now, 0))
        vectors.ensure_index(connection, embedder.fingerprint, embedder.dimension)
        # it was used just now
        recall_records.insert(connection, query="", depth="skim", k=1, at=now, at_exp=0, state="done")
        connection.execute("COMMIT")
        for first in range(0, count, _BATCH):
            numbers = range(first, min(count, first + _BATCH))
            rows = chance.normal(size=(len(numbers), embedder.dimension)).astype(np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            connection.execute("BEGIN IMMEDIATE")
            made: list[tuple[Pending, vectors.Vector | None]] = [
                (Pending("note", _note(connection, pick.choices(words, k=DETAILS), number, count, now), "self", 1), row)
                for number, row in zip(numbers, rows, strict=True)
            ]
            vectors.put(connection, embedder.fingerprint, made)
            connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return time.perf_counter() - began


def _note(connection: Connection, words: list[str], number: int, count: int, now: int) -> int:
    """A note of ten words, each a detail; evenly spread, a thousand notes have one that crosses on each of the days."""
    crosses = number * CROSSING // count != (number - 1) * CROSSING // count
    details, at = [], 0
    for place, word in enumerate(words):
        stability = _LASTING_MS
        if crosses and place < len(CROSSING_DAYS):
            stability = round(CROSSING_DAYS[place] * DAY_MS / math.log(_STRENGTH / BLUR_BELOW))
        trace = Trace(_STRENGTH, 0, stability)
        details.append(Element(-1 - place, at, at + len(word), 2, "a word", Anchor.NONE, trace))
        at += len(word) + 1
    new = NewNote(NoteKind.EPISODIC, " ".join(words), now, now, 0, importance=0.5, elements=tuple(details))
    return note_writes.insert(connection, new)
