"""The phases of the core benchmark: messages, recall, start, memory.

Called by `core`, one function a phase. Each starts its own daemons on its own directories, repeats what it measures and
returns figures; nothing is shared between phases but the minds filled with notes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count as numbers
from pathlib import Path

from benchmarks.speed.figures import Figure, load_average
from benchmarks.speed.filling import CHINESE_EVERY, fill
from benchmarks.speed.load import call_line, one_client, percentile
from benchmarks.speed.speech import Speech
from benchmarks.speed.subject import Subject
from benchmarks.speed.yardsticks import PlainRecall, read_matrix
from soulmem.ports import BLIND_BELOW, Embedder

MIND = "bench"
LINKED = (10_000, 100_000)  # notes and links of the mind in which recall follows links
Say = Callable[[str], None]


@dataclass(slots=True)
class Plan:
    """How much is measured, and where. `sizes` are the minds that are filled, in notes."""

    root: Path
    embedder: Embedder
    name: str  # of the embedder, as the settings have it
    say: Say
    calls_alone: int = 2000
    calls_together: int = 4000
    calls_embedding: tuple[int, int] = (1000, 2000)  # the same with a model
    warm_up: int = 200
    questions: int = 200
    sizes: tuple[int, ...] = (10_000, 100_000)
    by_hand: int = 1000  # notes that go in through the socket
    real_texts: int = 400  # with vectors of their own in a filled mind
    repeats: int = 2
    filled: dict[tuple[int, int], Path] = field(default_factory=dict)  # by notes and links
    seeds: Iterator[int] = field(default_factory=lambda: numbers(50))

    @property
    def reads_chinese(self) -> bool:
        return self.embedder.coverage("苍鹭在湖边的芦苇里站了一个下午") >= BLIND_BELOW

    def mind_of(self, count: int, links: int = 0) -> Path:
        """The state directory of a mind with so many notes and links, made on first use."""
        if (count, links) not in self.filled:
            state = self.root / f"notes{count}-{links}"
            self.say(f"filling a mind with {count:,} notes{f' and {links:,} links' if links else ''} ...")
            took = fill(state, MIND, count, self.embedder, self.real_texts, links)
            self.say(f"  {took:.1f} s")
            with Subject(state, self.name) as subject:  # opened and closed in order once, as any mind has been
                subject.call("mind.get", {"mind": MIND})
                assert subject.drain()[0] == 0, "the daemon found something to embed in a filled mind"
            self.filled[count, links] = state
        return self.filled[count, links]


# -- messages -----------------------------------------------------------------------------------------------


def load_with(socket: Path, clients: int, calls: int, warm_up: int, mind: str, seed: int) -> dict[str, float]:
    """Run the load generator in its own process."""
    asked = {
        "socket": str(socket), "clients": clients, "calls": calls, "warm_up": warm_up, "mind": mind, "seed": seed
    }  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.speed.load"]
    done = subprocess.run(command, input=json.dumps(asked).encode(), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the load generator failed: {done.stderr.decode()[-2000:]}")
    report: dict[str, float] = json.loads(done.stdout)
    return report


@contextmanager
def bare_server(directory: Path) -> Iterator[Path]:
    """The bare server in its own process; its socket."""
    directory.mkdir()
    path = directory / "bare.sock"
    command = [sys.executable, "-m", "benchmarks.speed.yardsticks", str(path), str(directory / "bare.db")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield path
    finally:
        process.kill()
        process.communicate()


def measure_adds(plan: Plan) -> list[Figure]:
    """`message.add` acknowledged durable, alone and together, without and with a model embedding meanwhile."""
    figures = []
    alone, together = [], []
    with bare_server(plan.root / "bare") as path:
        for seed in range(plan.repeats):
            alone.append(load_with(path, 1, plan.calls_alone, plan.warm_up, MIND, seed))
            together.append(load_with(path, 8, plan.calls_together, plan.warm_up, MIND, seed))
    yardsticks = {1: alone, 8: together}
    for embedder in dict.fromkeys(("hashing", plan.name)):
        light = embedder == "hashing"
        counts = (plan.calls_alone, plan.calls_together) if light else plan.calls_embedding
        for clients, calls in zip((1, 8), counts, strict=True):
            if not calls:
                continue
            plan.say(f"message.add, {clients} client(s), {calls:,} calls, embedder {embedder} ...")
            figures += _adds(plan, embedder, clients, calls, yardsticks[clients])
    return figures


def _adds(plan: Plan, embedder: str, clients: int, calls: int, bare: Sequence[dict[str, float]]) -> list[Figure]:
    load = load_average()
    runs, rates, drains, during = [], [], [], []
    with Subject(plan.root / f"add-{embedder}-{clients}", embedder) as subject:
        for seed in range(plan.repeats):
            mind = f"{MIND}{seed}"
            runs.append(load_with(subject.socket, clients, calls, plan.warm_up, mind, seed))
            during.append(subject.vector_count(mind))
            drains.append(subject.drain()[1])
            rates.append((subject.vector_count(mind) - during[-1]) / drains[-1])
    name = f"add, {'1 client' if clients == 1 else f'{clients} clients'}, {embedder}"
    goals = {1: (0.7, 2.0, None), 8: (2.0, 8.0, 3000.0)}[clients]

    def values(key: str, those: Sequence[dict[str, float]] = runs) -> tuple[float, ...]:
        return tuple(run[key] for run in those)

    busy = f"{calls:,} calls; the clients used {max(values('client_cpu')):.0%} of a core"
    figures = [
        Figure(f"{name}: p50", "ms", values("p50_ms"), goals[0], min(values("p50_ms", bare)), load=load, note=busy),
        Figure(f"{name}: p99", "ms", values("p99_ms"), goals[1], min(values("p99_ms", bare)), load=load),
        Figure(
            f"{name}: rate", "/s", values("rate"), goals[2], max(values("rate", bare)), more_is_better=True, load=load
        ),
    ]
    if clients > 1:
        put = f"{max(during):,} vectors were stored during the load"
        unread = "" if embedder == "hashing" or plan.reads_chinese else "; Chinese texts get none"
        figures += [
            Figure(f"{name}: backlog drained", "s", tuple(drains), load=load, note=put),
            Figure(
                f"{name}: embedding", "texts/s", tuple(rates), more_is_better=True, load=load,
                note=f"vectors stored a second while draining{unread}",
            ),
        ]  # fmt: skip
    return figures


# -- recall -------------------------------------------------------------------------------------------------


def recall_lines(count: int, depth: str, *, seed: int, chinese: bool = False) -> list[bytes]:
    speech = Speech(seed)
    return [
        call_line(number, "recall", {
            "mind": MIND, "query": speech.question(chinese=chinese), "depth": depth, "record": False
        })
        for number in range(count)
    ]  # fmt: skip


def measure_recalls(plan: Plan) -> list[Figure]:
    """Recall with the query's embedding included, one client, beside a page of code over the same rows."""
    figures = []
    state = plan.root / "by-hand"
    with Subject(state, plan.name) as subject:
        plan.say(f"recall over {plan.by_hand:,} notes that came through the socket ...")
        speech = Speech(3)
        notes = [
            {"mind": MIND, "kind": "episodic", "text": speech.message(chinese=number % CHINESE_EVERY == 0)}
            for number in range(plan.by_hand)
        ]
        lines = [call_line(number, "note.add", params) for number, params in enumerate(notes)]
        one_client(str(subject.socket), lines, 0)
        subject.drain()
        figures += _recalls(plan, subject, plan.by_hand, ("skim", "normal"))
    plan.filled[plan.by_hand, 0] = state
    for count in plan.sizes:
        with Subject(plan.mind_of(count), plan.name) as subject:
            plan.say(f"recall over {count:,} notes ...")
            figures += _recalls(plan, subject, count, ("skim", "normal") if count == 10_000 else ("normal",))
    return figures + _associations(plan)


def _associations(plan: Plan) -> list[Figure]:
    """Recall along links, with the graph and without it by turns; the yardstick is the same mind without."""
    runs: dict[bool, list[list[float]]] = {True: [], False: []}
    load = load_average()
    with Subject(plan.mind_of(*LINKED), plan.name) as subject:
        plan.say(f"recall over {LINKED[0]:,} notes and {LINKED[1]:,} links ...")
        for _ in range(plan.repeats):
            for graph in (True, False):
                subject.call("mind.update", {"mind": MIND, "settings": {"recall.graph": graph}})
                warm = min(20, plan.questions)
                lines = recall_lines(plan.questions + warm, "normal", seed=next(plan.seeds))
                runs[graph].append(one_client(str(subject.socket), lines, warm)[0])
    figures = []
    for what, share, goal in (("p50", 0.5, 12.0), ("p95", 0.95, 25.0)):
        values, plain = (tuple(percentile(run, share) for run in runs[graph]) for graph in (True, False))
        name = f"recall, {LINKED[0]:,} notes, {LINKED[1]:,} links, normal: {what}"
        note = "yardstick: the same mind with recall.graph false"
        figures.append(Figure(name, "ms", values, goal, min(plain), load=load, note=note))
    return figures


def _recalls(plan: Plan, subject: Subject, count: int, depths: Sequence[str]) -> list[Figure]:
    goals = {10_000: (10.0, 16.0), 100_000: (None, 40.0)}.get(count, (None, None))
    plain = _plain_recalls(plan, subject.file_of(MIND))
    kinds = [(depth, False) for depth in depths] + ([("normal", True)] if count == 10_000 else [])
    figures = []
    for depth, chinese in kinds:
        load = load_average()
        runs = []
        for _ in range(plan.repeats):
            warm = min(20, plan.questions)
            # New questions each time: the daemon remembers the vectors of the last 256.
            lines = recall_lines(plan.questions + warm, depth, seed=next(plan.seeds), chinese=chinese)
            runs.append(one_client(str(subject.socket), lines, warm)[0])
        name = f"recall, {count:,} notes, {depth}{', Chinese' if chinese else ''}"
        for what, share, goal, beside in zip(("p50", "p95"), (0.5, 0.95), goals, plain, strict=True):
            values = tuple(percentile(run, share) for run in runs)
            yardstick = None if chinese else beside
            note = "no query vector: no model here reads Chinese" if chinese and not plan.reads_chinese else ""
            figures.append(Figure(f"{name}: {what}", "ms", values, goal, yardstick, load=load, note=note))
    return figures


def _plain_recalls(plan: Plan, file: Path) -> tuple[float, float]:
    """(p50, p95) in milliseconds of the yardstick on the same questions."""
    speech = Speech(next(plan.seeds))
    questions = [speech.question(chinese=False) for _ in range(min(plan.questions, 100) + 10)]
    took = []
    with closing(PlainRecall(file, plan.embedder)) as plain:
        for question in questions:
            began = time.perf_counter()
            plain.recall(question)
            took.append((time.perf_counter() - began) * 1000)
    return percentile(took[10:], 0.5), percentile(took[10:], 0.95)


# -- start and memory -----------------------------------------------------------------------------------------


def measure_start(plan: Plan) -> list[Figure]:
    """From the start of the process to READY and to the first recall answered, on the largest mind."""
    count = plan.sizes[-1]
    state = plan.mind_of(count)
    plan.say(f"start on {count:,} notes ...")
    load = load_average()
    ready, first, matrix = [], [], []
    question = recall_lines(1, "normal", seed=99)
    for _ in range(plan.repeats):
        began = time.perf_counter()
        read_matrix(state / "minds" / f"{MIND}.db")
        matrix.append(time.perf_counter() - began)
        with Subject(state, plan.name) as subject:
            one_client(str(subject.socket), question, 0)
            first.append(time.perf_counter() - subject.began)
            ready.append(subject.ready_s)
            # Else the mind would be found awake, and opened before anybody asks.
            subject.call("idle.run", {"mind": MIND, "wait": True})
    note = "file in the page cache; yardstick: all vectors read by NumPy"
    goal = 3.0 if count == 100_000 else None
    return [
        Figure(f"start to READY, {plan.name}", "s", tuple(ready), load=load),
        Figure(f"start to first recall, {count:,} notes", "s", tuple(first), goal, min(matrix),
               load=load, note=note),
    ]  # fmt: skip


def measure_memory(plan: Plan) -> list[Figure]:
    """Resident memory: bare, with a mind in use, and what a thousand vectors add."""
    load = load_average()
    plan.say("resident memory ...")
    with Subject(plan.root / "empty", "hashing") as subject:
        bare = subject.rss_mb()
    with Subject(plan.root / "empty", plan.name) as subject:
        model = subject.rss_mb()
    used = {}
    for count in (plan.by_hand, *plan.sizes):
        with Subject(plan.mind_of(count), plan.name) as subject:
            one_client(str(subject.socket), recall_lines(100, "normal", seed=5), 0)
            used[count] = subject.rss_mb()
    largest = plan.sizes[-1]
    smaller = plan.by_hand
    slope = (used[largest] - used[smaller]) / ((largest - smaller) / 1000)
    figures = [
        Figure("RSS, no mind, hashing", "MB", (bare,), 90.0, load=load),
        Figure(f"RSS, no mind, {plan.name}", "MB", (model,), load=load),
    ]
    figures += [
        Figure(f"RSS, {count:,} notes, {plan.name}", "MB", (value,), 260.0 if count == 10_000 else None,
               load=load, note="after 100 recalls")
        for count, value in used.items()
    ]  # fmt: skip
    note = f"notes, words and vectors, from {smaller:,} to {largest:,}; the yardstick is the floats alone"
    figures.append(
        Figure("RSS per 1,000 vectors", "MB", (slope,), 1.5, plan.embedder.dimension * 4 / 1000, load=load, note=note)
    )
    return figures


PHASES: dict[str, Callable[[Plan], list[Figure]]] = {
    "add": measure_adds,
    "recall": measure_recalls,
    "start": measure_start,
    "memory": measure_memory,
}
