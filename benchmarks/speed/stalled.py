"""Stalled benchmark: does anybody who writes a message notice that the language model hangs?

    python -m benchmarks.speed.stalled [--calls N] [--rounds N]

Two daemons on the real clock take the same stream by turns: one without a model, one whose endpoint accepts every call
and never answers. Every twentieth message wants a summary, so the second always has a call in flight. Printed: p50 and
p99 of `message.add` in every round, and how many calls the endpoint was holding.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.speed.phases import load_with
from benchmarks.speed.subject import Subject
from misbehaviours import M
from scripted_endpoint import scripted_endpoint


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1000, help="messages a round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as root, scripted_endpoint() as endpoint:
        endpoint.misbehaviour = M.HANG
        model = {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url,
            "SOULMEM_ENGINE_MODEL": "stalled",
            "SOULMEM_ENGINE_PATIENCE_S": "86400",
        }
        rounds: dict[str, list[dict[str, float]]] = {"without": [], "hanging": []}
        with (
            Subject(Path(root) / "without", "hashing") as plain,
            Subject(Path(root) / "hanging", "hashing", model) as stalled,
        ):
            for subject in (plain, stalled):  # files are made, libraries loaded
                load_with(subject.socket, 1, 200, 0, "bench", 99)
            for number in range(options.rounds):
                for name, subject in (("without", plain), ("hanging", stalled)):
                    rounds[name].append(load_with(subject.socket, 1, options.calls, 100, "bench", number))
        held = len(endpoint.requests)
    medians = {}
    for name, runs in rounds.items():
        medians[name] = {which: statistics.median(run[which] for run in runs) for which in ("p50_ms", "p99_ms")}
        shown = "  ".join(f"{run['p50_ms']:.2f}/{run['p99_ms']:.2f}" for run in runs)
        print(f"{name:<8} p50/p99 ms by round: {shown}; medians {medians[name]['p50_ms']:.2f}", end="", file=sys.stderr)
        print(f"/{medians[name]['p99_ms']:.2f}", file=sys.stderr)
    print(json.dumps({"benchmark": "stalled", "medians": medians, "calls_held": held, "calls": options.calls}))


if __name__ == "__main__":
    main()
