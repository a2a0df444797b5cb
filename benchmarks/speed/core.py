"""The core in numbers: how fast messages are made durable, how fast the mind recalls, starts, and what it weighs.

Run as `make bench-core`, or `python -m benchmarks.speed.core [--quick] [--json] [--only PHASE ...]`. Real daemons run
on the real clock in temporary state directories. People get a table on stderr, programs one JSON object on stdout; each
figure stands beside its goal, beside a yardstick measured in the same run (`yardsticks`), and beside the load average
at which it was taken. Latencies are measured twice; the better counts, both are shown.

  add     message.add answered after its commit: 1 client; 8 clients of one process; with the `hashing` embedder and
          with the installed model embedding meanwhile; how long the texts that wait for vectors take afterwards.
          Messages are half English, half Chinese, 20 to 60 tokens. Yardstick: one INSERT and COMMIT a call.
  recall  with the embedding of the question, over 1 k notes that came through the socket and 10 k and 100 k notes
          written straight into the file: a few hundred texts with real vectors, reused with a little noise.
          Yardstick: FTS5 with bm25, a NumPy product and rank fusion over the same rows, called in process. Then over
          10 k notes and 100 k links, beside the same mind with `recall.graph` false.
  start   process start to READY, and to the first recall answered. Yardstick: reading all vectors.
  memory  resident memory without a mind, with a mind in use, and per 1,000 vectors.

`--quick` (under a minute) leaves out the mind of 100 k notes; the whole takes about five minutes. Without an
installed model everything runs on `hashing`, and says so. `--state DIR` puts the files on another disk: the cost of a
durable message is that disk's.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the daemon does; before NumPy is loaded

from benchmarks.speed.figures import Figure, load_average, show
from benchmarks.speed.phases import PHASES, Plan
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.store.sqlite import driver

EXIT_MISSED = 1


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small numbers, under a minute")
    parser.add_argument("--json", action="store_true", help="no table, no progress: only JSON on stdout")
    parser.add_argument("--only", nargs="+", choices=tuple(PHASES), default=tuple(PHASES), help="these phases alone")
    parser.add_argument("--state", type=Path, help="where the temporary directories are made")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a goal is missed")
    return parser.parse_args()


def plan_of(options: argparse.Namespace, root: Path) -> Plan:
    began = time.perf_counter()

    def say(text: str) -> None:
        if not options.json:
            print(f"{time.perf_counter() - began:6.1f} s  {text}", file=sys.stderr, flush=True)

    embedder, reason = load_embedder(EmbedderSpec(), default_paths.models_directory(os.environ))
    if reason:
        say(reason)
    name = embedder.name if embedder.name == "hashing" else "auto"
    plan = Plan(root=root, embedder=embedder, name=name, say=say)
    if options.quick:
        plan.calls_alone, plan.calls_together, plan.calls_embedding = 300, 800, (0, 200)
        plan.questions, plan.sizes, plan.warm_up = 50, (10_000,), 40
        plan.by_hand, plan.real_texts = 200, 100
    return plan


def machine() -> dict[str, Any]:
    return {
        "cpus": os.cpu_count(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "sqlite": f"{driver.DRIVER} {driver.SQLITE_VERSION}",
        "load_average": [round(value, 2) for value in os.getloadavg()],
    }


def about(plan: Plan) -> dict[str, Any]:
    """What the figures rest on."""
    return {
        "embedder": plan.name,
        "calls": {"1 client": plan.calls_alone, "8 clients": plan.calls_together, "with a model": plan.calls_embedding},
        "repeats": plan.repeats,
        "filled_minds": f"written into the file; {plan.real_texts} real vectors, reused with a little noise",
    }


def main() -> int:
    options = arguments()
    began = time.perf_counter()
    host = machine()
    root = Path(tempfile.mkdtemp(prefix="soulmem-bench-", dir=options.state))
    figures: list[Figure] = []
    try:
        plan = plan_of(options, root)
        plan.say(f"{host['cpus']} cpus, load average {load_average():.2f}: on a busy machine figures mean little")
        for phase in PHASES:
            if phase in options.only:
                figures += PHASES[phase](plan)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    seconds = round(time.perf_counter() - began, 1)
    if not options.json:
        show(figures, sys.stderr)
        plan.say(f"{seconds} s; load average {host['load_average'][0]} at the start, {load_average():.2f} at the end")
    report = {
        "benchmark": "core",
        "quick": options.quick,
        "machine": host,
        "about": about(plan),
        "seconds": seconds,
        "missed": [each.name for each in figures if each.holds is False],
        "figures": [each.report() for each in figures],
    }
    print(json.dumps(report, ensure_ascii=False))
    return EXIT_MISSED if options.strict and report["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
