"""A large mind in numbers: 200,000 notes and a million links, written straight into the file, asked through the socket.

    python -m benchmarks.speed.large [--notes N] [--links N] [--questions N] [--state DIR]

The file is filled through the store's own functions (`filling`); with `--state DIR` it stays there, and a second run
uses it. Printed, each where it makes sense beside the same mind with `recall.graph` false: seconds from the start of
the process to the first recall answered, which waits for index and graph; what reading the two takes alone; p50 and
p95 of recall at depth `normal`; resident memory. People get a table on stderr, programs one JSON object on stdout.
Filling takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the daemon does; before NumPy is loaded

from benchmarks.speed.figures import Figure, load_average, show
from benchmarks.speed.filling import fill
from benchmarks.speed.load import one_client, percentile
from benchmarks.speed.phases import MIND, recall_lines
from benchmarks.speed.subject import Subject
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.graph.state.working_graph import WorkingGraph
from soulmem.ops.settings import default_paths
from soulmem.store.graph import graph_sync
from soulmem.store.sqlite import driver

REAL_TEXTS = 400
WARM_UP = 20
REPEATS = 2


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=200_000)
    parser.add_argument("--links", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--state", type=Path, help="where the mind is, or is made and stays")
    return parser.parse_args()


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def measure(state: Path, name: str, options: argparse.Namespace) -> list[Figure]:
    what = f"{options.notes:,} notes, {options.links:,} links"
    load, took = load_average(), read_graph(state / "minds" / f"{MIND}.db")
    figures = [Figure(f"graph read from the file, {what}", "s", (took,), load=load)]
    load = load_average()
    first, ready, runs, memory = [], [], {True: [], False: []}, []
    seeds = count(60)  # new questions each time: the daemon remembers the vectors of the last 256
    for repeat in range(REPEATS):
        say(f"start {repeat + 1} of {REPEATS} ...")
        with Subject(state, name) as subject:
            ready.append(subject.ready_s)
            one_client(str(subject.socket), recall_lines(1, "normal", seed=99), 0)
            first.append(time.perf_counter() - subject.began)
            for graph in (True, False):
                subject.call("mind.update", {"mind": MIND, "settings": {"recall.graph": graph}})
                lines = recall_lines(options.questions + WARM_UP, "normal", seed=next(seeds))
                runs[graph].append(one_client(str(subject.socket), lines, WARM_UP)[0])
            subject.call("mind.update", {"mind": MIND, "settings": {"recall.graph": True}})
            memory.append(subject.rss_mb())
            subject.call("idle.run", {"mind": MIND, "wait": True})  # else it is opened before anybody asks
    figures += [
        Figure(f"start to READY, {name}", "s", tuple(ready), load=load),
        Figure(f"start to first recall, {what}", "s", tuple(first), load=load, note="file in the page cache"),
    ]
    for name_of, share in (("p50", 0.5), ("p95", 0.95)):
        values, plain = (tuple(percentile(run, share) for run in runs[graph]) for graph in (True, False))
        note = "yardstick: the same mind with recall.graph false"
        figures.append(Figure(f"recall, normal: {name_of}", "ms", values, None, min(plain), load=load, note=note))
    figures.append(Figure("RSS", "MB", tuple(memory), load=load, note=f"after {2 * options.questions} recalls"))
    return figures


def read_graph(file: Path) -> float:
    with closing(driver.reader(file)()) as connection:
        began = time.perf_counter()
        graph_sync.read(connection, WorkingGraph())
        return time.perf_counter() - began


def main() -> None:
    options = arguments()
    embedder, reason = load_embedder(EmbedderSpec(), default_paths.models_directory(os.environ))
    if reason:
        say(reason)
    with tempfile.TemporaryDirectory(prefix="soulmem-bench-") as temporary:
        state = options.state or Path(temporary)
        if not (state / "minds" / f"{MIND}.db").exists():
            say(f"filling a mind with {options.notes:,} notes and {options.links:,} links ...")
            say(f"  {fill(state, MIND, options.notes, embedder, REAL_TEXTS, options.links):.0f} s")
            with Subject(state, embedder.name) as subject:  # opened and closed in order once, as any mind has been
                subject.call("mind.get", {"mind": MIND})
        figures = measure(state, embedder.name, options)
    show(figures, sys.stderr)
    report: dict[str, Any] = {"benchmark": "large", "embedder": embedder.name, "notes": options.notes}
    print(json.dumps(report | {"links": options.links, "figures": [each.report() for each in figures]}))


if __name__ == "__main__":
    main()
