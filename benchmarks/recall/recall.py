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
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from benchmarks.recall import passages
from benchmarks.recall.rank_fusion import reciprocal_ranks
from soulmem.client import Client
from soulmem.core.text.tokens import query_terms, segment
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import BLIND_BELOW, Embedder

CUTS = (5, 10, 20)
SHOWN = 10  # the cut whose bootstrap interval is printed
DEPTH = 20  # items asked for, and the length of every ranking
ADVERSARIAL = "5"  # LoCoMo's questions about what was never said: apart from the total
PATIENCE_S = 3_600.0


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# -- scoring ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Score:
    """Recall (mean share of gold found) and hit (any gold found) at the cuts, over all and by category."""

    found: dict[str, list[list[float]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, question: dict[str, Any], ranking: Sequence[str]) -> None:
        gold = set(question["gold"])
        if not gold:
            return
        places = {identifier: place for place, identifier in reversed(list(enumerate(ranking)))}
        hits = [sum(places.get(wanted, DEPTH) < cut for wanted in gold) for cut in CUTS]
        row = [count / len(gold) for count in hits] + [float(count > 0) for count in hits]
        self.found[str(question["category"])].append(row)

    def totals(self, categories: Sequence[str]) -> dict[str, Any]:
        rows = [row for category in categories for row in self.found.get(category, ())]
        means = np.mean(rows, axis=0) if rows else np.zeros(2 * len(CUTS))
        names = [f"{what}@{cut}" for what in ("recall", "hit") for cut in CUTS]
        found: dict[str, Any] = {name: round(float(mean), 4) for name, mean in zip(names, means, strict=True)}
        if rows:
            found[f"recall@{SHOWN}_95"] = passages.interval(np.array(rows)[:, CUTS.index(SHOWN)])
        return found | {"questions": len(rows)}

    def report(self) -> dict[str, Any]:
        counted = [category for category in sorted(self.found) if category != ADVERSARIAL]
        by_category = {category: self.totals([category]) for category in sorted(self.found)}
        return self.totals(counted) | {"by_category": by_category}


def expanded(items: Sequence[dict[str, Any]]) -> list[str]:
    """The first distinct message ids behind the items, in rank order."""
    ids = (source["id"] for item in items for source in item.get("sources", ()))
    return list(dict.fromkeys(ids))[:DEPTH]


# -- baselines --------------------------------------------------------------------------------------------


class Baselines:
    """BM25 (k1 1.2, b 0.75), cosine and their reciprocal ranks over the single turns with their speakers' names."""

    def __init__(self, messages: Sequence[dict[str, Any]], embedder: Embedder) -> None:
        self.ids = [message["id"] for message in messages]
        self._embedder = embedder
        self._held: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = []
        texts = [f"{message['speaker']}: {message['content']}" for message in messages]
        for place, text in enumerate(texts):
            counts = Counter(segment(text))
            lengths.append(counts.total())
            for term, count in counts.items():
                self._held[term].append((place, count))
        self._norm = 1.2 * (0.25 + 0.75 * np.array(lengths) / max(1.0, float(np.mean(lengths))))
        self._legible = np.array([embedder.coverage(message["content"]) >= BLIND_BELOW for message in messages])
        chosen = [text for text, legible in zip(texts, self._legible, strict=True) if legible]
        self._vectors = np.zeros((len(messages), embedder.dimension), dtype=np.float32)
        for start in range(0, len(chosen), 64):
            places = np.flatnonzero(self._legible)[start : start + 64]
            self._vectors[places] = embedder.embed(chosen[start : start + 64])

    def rank(self, question: str) -> dict[str, list[str]]:
        bm25 = self._ranked(self._bm25(question))
        dense = self._ranked(self._dense(question))
        fused = reciprocal_ranks([bm25, dense])
        return {
            name: [self.ids[place] for place in places[:DEPTH]]
            for name, places in (("bm25", bm25), ("dense", dense), ("rrf", fused))
        }

    def _bm25(self, question: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        scores = np.zeros(len(self.ids))
        for term in query_terms(question):
            held = self._held.get(term, ())
            idf = math.log1p((len(self.ids) - len(held) + 0.5) / (len(held) + 0.5))
            for place, count in held:
                scores[place] += idf * count * 2.2 / (count + self._norm[place])
        return scores

    def _dense(self, question: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        if self._embedder.coverage(question) < BLIND_BELOW:
            return np.zeros(len(self.ids))
        cosines = self._vectors @ self._embedder.embed([question])[0]
        return np.where(self._legible, cosines + 1.0, 0.0)

    @staticmethod
    def _ranked(scores: np.ndarray[Any, np.dtype[np.float64]]) -> list[int]:
        order = np.argsort(-scores, kind="stable")[:100]
        return [int(place) for place in order if scores[place] > 0]


# -- the daemon -------------------------------------------------------------------------------------------


@contextmanager
def daemon(directory: Path) -> Iterator[Client]:
    """A daemon of our own under `directory`, and a client of it; ended in order afterwards."""
    path = directory / "soulmem.sock"
    command = [sys.executable, "-m", "soulmem", "daemon", "--state", str(directory / "state"), "--socket", str(path)]
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
