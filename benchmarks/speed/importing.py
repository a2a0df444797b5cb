"""Import benchmark: how long until a history is acknowledged, found by words, found by meaning, and digested.

    python -m benchmarks.speed.importing <recall set> [--conversation ID] [--messages N] [--rounds R] [--baseline TREE]

Each round starts a daemon of its own, reads the history in, and waits for each stage in turn. With `--baseline` a
daemon from another checkout does the same, by turns: one that knows `message.import` uses it, an older one is told
message by message, with a mark where a silence ends an epoch. Printed: seconds and processor seconds of the daemon
until each stage, the smallest of the rounds, the texts it embedded a second of processor time, and beside that the
bare encoder over the same messages in this process. Processor seconds are what to compare where others use the
machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.recall.recall import read_set
from soulmem.client import Client, SoulmemRemoteError
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder

HERE = Path(__file__).resolve().parents[2]
MIND = "history"
IDLE_MS = 600_000
BATCH = 500
STAGES = ("acknowledged", "by words", "by meaning", "digested")
TAKEN = ("id", "role", "speaker", "content", "at")
TICKS = os.sysconf("SC_CLK_TCK")


class Run:
    """One daemon on an empty directory, and the laps of what it did."""

    def __init__(self, process: subprocess.Popen[bytes], client: Client) -> None:
        self.client = client
        self._pid = process.pid
        self._began, self._began_cpu = time.perf_counter(), self.cpu_s()
        self.laps: dict[str, tuple[float, float]] = {}

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def lap(self, stage: str) -> None:
        self.laps[stage] = (time.perf_counter() - self._began, self.cpu_s() - self._began_cpu)

    def status(self) -> dict[str, Any]:
        return next(line for line in self.client.call("system.status")["minds"] if line["mind"] == MIND)

    def drain(self) -> None:
        while self.status()["embed_backlog"]:
            time.sleep(0.1)


@contextmanager
def daemon_of(tree: Path) -> Iterator[Run]:
    """A daemon that runs the code of a checkout, with its vectors made by whatever is installed."""
    root = Path(tempfile.mkdtemp(prefix="soulmem-import-"))
    socket, log = root / "d.sock", root / "log"
    environment = {**os.environ, "PYTHONPATH": str(tree / "daemon"), "SOULMEM_LOG_FORMAT": "json"}
    command = [sys.executable, "-m", "soulmem", "daemon", "--state", str(root / "state"), "--socket", str(socket)]
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream, env=environment)
    try:
        while b'"daemon_ready"' not in log.read_bytes():
            if process.poll() is not None:
                raise SystemExit(f"the daemon of {tree} did not start: {log.read_text()[-1000:]}")
            time.sleep(0.01)
        with Client(str(socket), timeout=7_200.0) as client:
            yield Run(process, client)
    finally:
        process.terminate()
        process.wait(60)
        shutil.rmtree(root, ignore_errors=True)


def hand_over(client: Client, messages: Sequence[dict[str, Any]]) -> None:
    """Read the messages in by the best way the daemon knows."""
    said = [{name: message[name] for name in TAKEN if message.get(name)} for message in messages]
    try:
        for first in range(0, len(said), BATCH):
            part = said[first : first + BATCH]
            params = {"mind": MIND, "messages": part, "continues": first + BATCH < len(said)}
            client.call("message.import", params)
    except SoulmemRemoteError as error:
        if error.name != "unknown_method":
            raise
        ends = [parse_iso(after["at"]) - parse_iso(before["at"]) > IDLE_MS for before, after in pairwise(said)]
        calls = [
            ("message.add", {"mind": MIND, **message, **({"mark": "end"} if over else {})})
            for message, over in zip(said, [*ends, True], strict=True)
        ]
        for first in range(0, len(calls), BATCH):
            client.call_many(calls[first : first + BATCH])


def measured(tree: Path, messages: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The laps of one run, and what it left behind."""
    with daemon_of(tree) as run:
        hand_over(run.client, messages)
        run.lap("acknowledged")
        words = {"mind": MIND, "query": messages[-1]["content"][:200], "record": False, "min_score": 0, "k": 50}
        while not run.client.call("recall", words)["items"]:
            time.sleep(0.05)
        run.lap("by words")
        run.drain()
        run.lap("by meaning")
        run.client.call("idle.run", {"mind": MIND, "wait": True})
        run.drain()
        run.lap("digested")
        line = run.status()
        return {"laps": run.laps, "notes": line["notes"], "links": line["links"]}


def bare_encoder(messages: Sequence[dict[str, Any]]) -> float:
    """Texts a second of processor time that the encoder alone makes of the messages, eight at a time by length."""
    embedder, _ = load_embedder(EmbedderSpec(), Path.home() / ".local/share/soulmem/models")
    texts = sorted({message["content"] for message in messages}, key=len)
    began = time.process_time()
    for first in range(0, len(texts), 8):
        embedder.embed(texts[first : first + 8])
    return len(texts) / (time.process_time() - began)


def best(runs: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """The smallest seconds and processor seconds of each stage."""
    return {stage: tuple(min(run["laps"][stage][which] for run in runs) for which in (0, 1)) for stage in STAGES}  # type: ignore[misc]  # two of them


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="a recall set, JSON or gzipped JSON")
    parser.add_argument("--conversation", default=None, help="the end of its id; the first if not given")
    parser.add_argument("--messages", type=int, default=None, help="only the first N")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--baseline", type=Path, default=None, help="another checkout to measure by turns")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    talks = read_set(options.set, "conversations")["conversations"]
    talk = next(each for each in talks if options.conversation is None or each["id"].endswith(options.conversation))
    messages = talk["messages"][: options.messages]
    trees = {"now": HERE} | ({"baseline": options.baseline} if options.baseline else {})
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in trees}
    for _ in range(options.rounds):
        for name, tree in trees.items():
            runs[name].append(measured(tree, messages))
            print(f"  {name}: {json.dumps(runs[name][-1])}", file=sys.stderr)
    told = {name: best(each) for name, each in runs.items()}
    print(f"{len(messages)} messages of {talk['id']}; seconds (processor seconds) until")
    for stage in STAGES:
        line = "".join(f"{name:>12} {told[name][stage][0]:9.1f} ({told[name][stage][1]:7.1f})" for name in trees)
        ratio = told["baseline"][stage][1] / told["now"][stage][1] if "baseline" in told else None
        print(f"{stage:<14}{line}" + (f"   {ratio:5.2f} x" if ratio else ""))
    print(f"bare encoder: {bare_encoder(messages):.0f} texts a second of processor time")
    for name in trees:
        spent = told[name]["by meaning"][1] - told[name]["acknowledged"][1]
        print(f"{name}: {len(messages) / spent:.0f} messages found by meaning a second of processor time")


if __name__ == "__main__":
    main()
