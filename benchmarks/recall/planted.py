"""Planted benchmark: does a memory bring up another that shares nothing with it but having been talked of together?

    python -m benchmarks.recall.planted [--notes N] [--pairs N] [--seed N] [--embedder NAME] [--misses N]

A mind of a companion holds thousands of notes, and among them pairs without a common word or meaning
(`tests/planted_pairs`). Each pair comes up in one conversation, three times each, within three user turns of one
another, mixed with small talk; every user message causes a recall that is recorded. No link is added by hand: digestion
makes them. Then each note's text, and a question about it, is asked of a fresh conversation: is its partner among the
top ten? Asked with the graph and without it, which leaves words and vectors.

Printed: the share of partners in the top ten and in the first three with a bootstrap 95 % interval over pairs, and of
partners or what was said of them in the talk; how many pairs are linked and by how many steps; p50 and p95 of recall
through the socket; and for every partner that did not come why: not linked, not reached, or outranked, and by how much
and how many that links alone brought stood before it. Goal: 90 %. The clock is simulated; the installed model embeds,
else `hashing`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.speed.load import percentile
from daemon_fixture import Daemon, daemon_process
from planted_pairs import ROUND_S, Pair, plant, talk
from soulmem.client import Client
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths

MIND = "planted"
START = "2026-03-01T08:00:00Z"
TOP = 10
FIRST = 3
DEEP = 200  # looked at where a partner is missing
GOAL = 0.9
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Asked:
    """One note asked for its partner: where that stands, 0 if nowhere among the first ten.

    `came`: it, or what the talk left of it, stands there.
    """

    pair: int
    source: str
    target: str
    rank: int
    came: bool
    took_ms: float


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--misses", type=int, default=0, help="show so many misses with the scores that competed")
    return parser.parse_args()


# -- what is lived through ------------------------------------------------------------------------------------


def live(
    daemon: Daemon, client: Client, notes: Sequence[str], pairs: Sequence[Pair], say: Callable[[str], None]
) -> dict[str, str]:
    """Write the notes, talk about the pairs, digest; the id of each note by its text."""
    client.call("mind.create", {"mind": MIND, "profile": "companion"})
    ids: dict[str, str] = {}
    for first in range(0, len(notes), 500):
        part = notes[first : first + 500]
        made = client.call_many([("note.add", {"mind": MIND, "kind": "episodic", "text": text}) for text in part])
        ids |= {text: answer["id"] for text, answer in zip(part, made, strict=True)}
    daemon.settle(MIND, timeout=240)
    say(f"{len(notes):,} notes are written and have their vectors")
    for number, pair in enumerate(pairs):
        for said in talk(pair, number):
            for role, text in said:
                message = {"mind": MIND, "conversation": f"talk{number}", "role": role, "content": text}
                # Waiting for the recall, as a front end does that wants the context for its answer.
                client.call("message.add", message | {"recall": role == "user"})
            client.call("clock.advance", {"seconds": ROUND_S})
    say(f"{len(pairs)} conversations are over")
    client.call("idle.run", {"mind": MIND})
    daemon.settle(MIND, timeout=240)
    say("they are digested")
    return ids


def ask(client: Client, pairs: Sequence[Pair], ids: dict[str, str], query: str) -> list[Asked]:
    """Each note of each pair is asked for its partner; `query`: `text` or `question` of the memory."""
    found = []
    for number, pair in enumerate(pairs):
        for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
            asked = {"mind": MIND, "query": getattr(one, query), "k": TOP, "record": False}
            began = time.perf_counter()
            answer = client.call("recall", asked)["items"]
            took = (time.perf_counter() - began) * 1000
            items, target = [item["id"] for item in answer], ids[other.text]
            rank = items.index(target) + 1 if target in items else 0
            came = any(other.who in item["text"] for item in answer)
            found.append(Asked(number, ids[one.text], target, rank, came, took))
    return found


# -- what it amounts to -----------------------------------------------------------------------------------------


def share(asked: Sequence[Asked]) -> dict[str, Any]:
    """The share of partners that came, resampled by pairs, and what a recall took."""
    rates, low, high = _resampled([(each.pair, each.rank > 0) for each in asked])
    first, *around = _resampled([(each.pair, 0 < each.rank <= FIRST) for each in asked])
    took = [each.took_ms for each in asked]
    return {
        "share": round(rates, 4),
        "first_three": round(first, 4),
        "first_three_95": [round(bound, 4) for bound in around],
        "share_with_what_was_said": round(statistics.fmean(each.came for each in asked), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "p50_ms": round(percentile(took, 0.5), 2),
        "p95_ms": round(percentile(took, 0.95), 2),
        "median_rank": statistics.median([each.rank for each in asked if each.rank] or [0]),
    }


def _resampled(came: Sequence[tuple[int, bool]]) -> tuple[float, float, float]:
    """The share of what came, (pair, whether) each, and its 95 % interval over pairs."""
    by_pair: dict[int, list[bool]] = {}
    for pair, is_there in came:
        by_pair.setdefault(pair, []).append(is_there)
    rates = [statistics.fmean(each) for each in by_pair.values()]
    chance = random.Random(1)
    means = sorted(statistics.fmean(chance.choices(rates, k=len(rates))) for _ in range(RESAMPLES))
    return statistics.fmean(rates), percentile(means, 0.025), percentile(means, 0.975)


class Links:
    """All links of the mind, as digestion left them."""

    def __init__(self, client: Client) -> None:
        self.all = list(_pages(client, "link.list"))
        self._ends: dict[str, dict[str, float]] = {}
        for link in self.all:
            for one, other in ((link["src"], link["dst"]), (link["dst"], link["src"])):
                row = self._ends.setdefault(one, {})
                row[other] = max(row.get(other, 0.0), link["strength"])

    def degree(self, note: str) -> int:
        return len(self._ends.get(note, {}))

    def steps(self, one: str, other: str) -> int:
        """1: linked; 2: both linked to a third note; 0: neither."""
        mine, theirs = self._ends.get(one, {}), self._ends.get(other, {})
        return 1 if other in mine else 2 if mine.keys() & theirs.keys() else 0

    def strength(self, one: str, other: str) -> float:
        return self._ends.get(one, {}).get(other, 0.0)


def _pages(client: Client, method: str) -> Iterator[dict[str, Any]]:
    cursor = None
    while True:
        page = client.call(method, {"mind": MIND, "limit": 500} | ({"cursor": cursor} if cursor else {}))
        yield from page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def reasons(
    client: Client, missed: Sequence[Asked], queries: dict[str, str], links: Links, shown: int
) -> dict[str, Any]:
    """Why partners did not come; of those that were reached, how far they fell short of the tenth."""
    causes: Counter[str] = Counter()
    short: list[float] = []
    before: list[int] = []
    for number, each in enumerate(missed):
        steps = links.steps(each.source, each.target)
        asked = {"mind": MIND, "query": queries[each.source], "k": DEEP, "record": False, "explain": True}
        answer = client.call("recall", asked)
        scores = {item["id"]: item["score"] for item in answer["items"]}
        linked = {0: "not linked", 1: "linked", 2: "linked through a third"}[steps]
        if each.target in scores:
            short.append(scores[each.target] / answer["items"][TOP - 1]["score"])
            place = list(scores).index(each.target)
            before.append(sum(item["tier"] != "vector" for item in answer["items"][:place]))
            causes[f"{linked}, outranked"] += 1
        elif any(held["id"] == each.target for held in answer["suppressed"]):
            causes[f"{linked}, held back"] += 1
        else:
            causes[f"{linked}, not reached" if steps else linked] += 1
        if number < shown:
            _show(each, answer, links, scores)
    return {
        "causes": dict(causes),
        "score_to_tenth": round(statistics.median(short), 3) if short else None,
        "associations_before": statistics.median(before) if before else None,
    }


def _show(asked: Asked, answer: dict[str, Any], links: Links, scores: dict[str, float]) -> None:
    strength = links.strength(asked.source, asked.target)
    print(f"\n{asked.source} -> {asked.target}, strength {strength:.3f}, degree {links.degree(asked.source)}, "
          f"score {scores.get(asked.target)}", file=sys.stderr)  # fmt: skip
    for item in answer["items"][: TOP + 2]:
        channels = " ".join(f"{name} {value:.3f}" for name, value in item["why"]["channels"].items())
        print(
            f"  {item['score']:.4f} {item['tier']:<9} {item['id']:<7} {channels}  {item['text'][:60]}", file=sys.stderr
        )


def main() -> None:
    options = arguments()
    began = time.perf_counter()

    def say(text: str) -> None:
        print(f"{time.perf_counter() - began:6.1f} s  {text}", file=sys.stderr, flush=True)

    embedder, reason = load_embedder(EmbedderSpec(name=options.embedder), default_paths.models_directory(os.environ))
    if reason:
        say(reason)
    planting = plant(options.notes, options.pairs, embedder, seed=options.seed)
    pairs = planting.pairs
    env = {"SOULMEM_EMBEDDER_NAME": embedder.name if reason else options.embedder}
    with (
        tempfile.TemporaryDirectory() as root,
        daemon_process(Path(root), "--simulated-clock", START, env=env) as daemon,
    ):
        client = daemon.client(timeout=240.0)
        ids = live(daemon, client, planting.notes, pairs, say)
        links = Links(client)
        with_graph = {query: ask(client, pairs, ids, query) for query in ("text", "question")}
        texts = {ids[memory.text]: memory.text for pair in pairs for memory in (pair.one, pair.other)}
        why = reasons(client, [each for each in with_graph["text"] if not each.rank], texts, links, options.misses)
        client.call("mind.update", {"mind": MIND, "settings": {"recall.graph": False}})
        without = ask(client, pairs, ids, "text")
    steps = Counter(links.steps(ids[pair.one.text], ids[pair.other.text]) for pair in pairs)
    direct = [links.strength(ids[pair.one.text], ids[pair.other.text]) for pair in pairs]
    report = {
        "benchmark": "planted",
        "embedder": embedder.name,
        "notes": options.notes,
        "pairs": len(pairs),
        "graph": share(with_graph["text"]),
        "graph_question": share(with_graph["question"]),
        "by_language": {
            language: share([each for each in with_graph["text"] if pairs[each.pair].language == language])["share"]
            for language in sorted({pair.language for pair in pairs})
        },
        "without": share(without),
        "linked": {"directly": steps[1], "through a third": steps[2], "not": steps[0]},
        "strength": round(statistics.median([each for each in direct if each] or [0.0]), 4),
        "links": len(links.all),
        "degree": statistics.median([links.degree(note) for note in texts]),
        "missed": why,
        "goal": GOAL,
        "seconds": round(time.perf_counter() - began, 1),
    }
    show(report)
    print(json.dumps(report, ensure_ascii=False))


def show(report: dict[str, Any]) -> None:
    graph, without, linked = report["graph"], report["without"], report["linked"]
    print(
        f"planted: {graph['share']:.1%} of partners in the top ten [{graph['low']:.1%}, {graph['high']:.1%}], "
        f"{graph['first_three']:.1%} in the first three {graph['first_three_95']}, "
        f"{graph['share_with_what_was_said']:.1%} with what was said of them; asked as a question "
        f"{report['graph_question']['share']:.1%}, without the graph {without['share']:.1%}; goal {GOAL:.0%}; "
        f"{linked['directly']} of {report['pairs']} pairs linked, {linked['through a third']} through a third; recall "
        f"p50 {graph['p50_ms']} ms, p95 {graph['p95_ms']} ms (without {without['p50_ms']}, {without['p95_ms']}); "
        f"missed: {report['missed']['causes']}; {report['seconds']} s",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
