"""Recall benchmark: conversations go in through the socket, every question is asked, one JSON line comes out.

Run as `make bench-recall SET=<file>`. Starts its own daemon on a temporary state directory. Each conversation object of
the set gets a mind of profile `assistant` (raw messages are recallable) and one of profile `companion` (digested first,
so only notes are). Scoring looks at the first k distinct message ids after expanding the items in rank order. The three
baselines rank the same messages, single turns, in this process. Progress goes to stderr.

Set: {name, conversations: [{id, language, messages: [{id, conversation, role, speaker, content, at}],
questions: [{id, text, gold: [message ids], category}]}]}, JSON or gzipped JSON. A set with `passages` instead of
`conversations` goes to `passages`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from benchmarks.recall import passages
from benchmarks.recall.recall_scores import DEPTH, Baselines, Score, expanded
from soulmem.client import Client
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import Embedder

PATIENCE_S = 3_600.0


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# -- the daemon -------------------------------------------------------------------------------------------


@contextmanager
def daemon(directory: Path, program: str = "soulmem") -> Iterator[Client]:
    """A daemon of our own under `directory`, and a client of it; ended in order afterwards.

    `program`: the module that is the command line; another one leaves something out, to show what that brings.
    """
    path = directory / "soulmem.sock"
    command = [sys.executable, "-m", program, "daemon", "--state", str(directory / "state"), "--socket", str(path)]
    with (directory / "daemon.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + 60
        while not answers(path):
            if process.poll() is not None or time.monotonic() > deadline:
                tail = (directory / "daemon.log").read_text(errors="replace")[-2000:]
                raise SystemExit(f"the daemon did not come up:\n{tail}")
            time.sleep(0.05)
        with Client(path, timeout=PATIENCE_S) as client:
            yield client
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def answers(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        with Client(path, timeout=2) as client:
            client.call("system.ping")
    except Exception:  # noqa: BLE001, RUF100  whatever it is, it is not ready yet
        return False
    return True


def put_in(client: Client, mind: str, profile: str, talk: dict[str, Any]) -> dict[str, float]:
    """Create a mind and add every message of a conversation object; returns what it took."""
    client.call("mind.create", {"mind": mind, "profile": profile})
    calls = [
        (
            "message.add",
            {
                "mind": mind,
                **{name: message[name] for name in ("conversation", "role", "content", "speaker", "at", "id")},
            },
        )
        for message in talk["messages"]
    ]
    started = time.perf_counter()
    client.call_many(calls)
    acknowledged = time.perf_counter() - started
    while client.call("system.status")["embed_backlog"]:
        time.sleep(0.05)
    total = time.perf_counter() - started
    return {"messages": len(calls), "acknowledged_s": acknowledged, "drain_s": total - acknowledged, "total_s": total}


def ask(client: Client, mind: str, talk: dict[str, Any], score: Score) -> list[float]:
    """Ask every question of a conversation object; returns the latencies in milliseconds."""
    taken = []
    for question in talk["questions"]:
        started = time.perf_counter()
        result = client.call("recall", {"mind": mind, "query": question["text"], "k": DEPTH, "record": False})
        taken.append((time.perf_counter() - started) * 1000)
        score.add(question, expanded(result["items"]))
    return taken


# -- the whole --------------------------------------------------------------------------------------------


def read_set(file: Path, *parts: str) -> dict[str, Any]:
    """A recall or passage set that holds one of `parts`; ends with one line and code 2 if the file is none."""
    try:
        data = file.read_bytes()
        found = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except OSError as error:
        _refuse(f"cannot read {file}: {error.strerror or error}")
    except (ValueError, EOFError, RecursionError, zlib.error) as error:
        _refuse(f"{file} is not JSON: {error}")
    wanted = parts or ("conversations", "passages")
    if not isinstance(found, dict) or not any(found.get(part) for part in wanted):
        _refuse(f"{file} is not a set for this benchmark: it has no {' and no '.join(wanted)}")
    return found


def _refuse(reason: str) -> NoReturn:
    print(f"{reason}; the README says of what form a set is", file=sys.stderr)
    raise SystemExit(2)


def mind_name(identifier: str, suffix: str = "") -> str:
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in identifier.lower())
    return f"b{safe}"[: 64 - len(suffix)] + suffix


def summed(parts: Sequence[dict[str, float]]) -> dict[str, float]:
    return {name: round(sum(part[name] for part in parts), 2) for name in parts[0]} if parts else {}


def percentiles(taken: Sequence[float]) -> dict[str, float]:
    return {f"p{share}_ms": round(float(np.percentile(taken, share)), 2) if taken else 0.0 for share in (50, 95)}


def run_assistant(client: Client, talks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    score, taken, parts = Score(), [], []
    per_talk = {}
    for talk in talks:
        mind = mind_name(talk["id"])
        parts.append(put_in(client, mind, "assistant", talk))
        alone = Score()
        taken += ask(client, mind, talk, alone)
        for category, rows in alone.found.items():
            score.found[category] += rows
        per_talk[talk["id"]] = {name: value for name, value in alone.report().items() if name != "by_category"}
        say(f"  {talk['id']}: in {parts[-1]['total_s']:.1f} s, recall@10 {per_talk[talk['id']]['recall@10']:.3f}")
    return score.report() | percentiles(taken) | {"by_conversation": per_talk, "import": summed(parts)}


def run_companion(client: Client, talks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    score, taken, parts = Score(), [], []
    digested_s, notes = 0.0, 0
    for talk in talks:
        mind = mind_name(talk["id"], "-c")
        parts.append(put_in(client, mind, "companion", talk))
        started = time.perf_counter()
        client.call("idle.run", {"mind": mind, "wait": True})
        while client.call("system.status")["embed_backlog"]:
            time.sleep(0.05)
        digested_s += time.perf_counter() - started
        taken += ask(client, mind, talk, score)
        entry = next(entry for entry in client.call("system.status")["minds"] if entry["mind"] == mind)
        notes += entry["notes"]
        say(f"  {talk['id']}: digested into {entry['notes']} notes")
    apart = {"import": summed(parts), "digest_s": round(digested_s, 2), "notes": notes}
    return score.report() | percentiles(taken) | apart


def run_baselines(talks: Sequence[dict[str, Any]], embedder: Embedder) -> dict[str, Any]:
    scores = {name: Score() for name in ("bm25", "dense", "rrf")}
    for talk in talks:
        baselines = Baselines(talk["messages"], embedder)
        for question in talk["questions"]:
            for name, ranking in baselines.rank(question["text"]).items():
                scores[name].add(question, ranking)
        say(f"  {talk['id']}: ranked")
    return {name: score.report() for name, score in scores.items()}


def run_passages(data: dict[str, Any], *, keep: bool) -> None:
    """A set of linked passages is another benchmark, with a mind and a daemon of its own (`passages`)."""
    directory = Path(tempfile.mkdtemp(prefix="soulmem-bench-"))
    say(f"{data['name']}: {len(data['passages'])} passages, {len(data['questions'])} questions")
    try:
        with daemon(directory) as client:
            print(json.dumps(passages.run(client, data), ensure_ascii=False))
    finally:
        if keep:
            say(f"kept: {directory}")
        else:
            shutil.rmtree(directory, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Evidence recall through the socket.")
    parser.add_argument("set", type=Path, help="the recall set, JSON or gzipped JSON")
    parser.add_argument("--profiles", default="assistant,companion", help="which to run, comma-separated")
    parser.add_argument("--limit", type=int, default=None, help="only the first N conversation objects")
    parser.add_argument("--keep", action="store_true", help="leave the state directory behind")
    parser.add_argument("--no-baselines", action="store_true", help="measure the product alone")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    data = read_set(given.set)
    if "passages" in data:
        run_passages(data, keep=given.keep)
        return
    talks = data["conversations"][: given.limit]
    directory = Path(tempfile.mkdtemp(prefix="soulmem-bench-"))
    profiles = given.profiles.split(",")
    line: dict[str, Any] = {"set": data["name"], "n": sum(len(talk["questions"]) for talk in talks)}
    try:
        with daemon(directory) as client:
            line["embedder"] = client.call("system.status")["embedder"]
            if "assistant" in profiles:
                say(f"{data['name']}: profile assistant")
                line |= run_assistant(client, talks)
            if "companion" in profiles:
                say(f"{data['name']}: profile companion")
                line["companion"] = run_companion(client, talks)
        if not given.no_baselines:
            say(f"{data['name']}: baselines over single turns")
            embedder, warning = load_embedder(EmbedderSpec(), default_paths.models_directory(os.environ))
            if warning:
                say(f"  {warning}")
            line["baselines"] = run_baselines(talks, embedder)
        print(json.dumps(line, ensure_ascii=False))
    finally:
        if given.keep:
            say(f"kept: {directory}")
        else:
            shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    main()
