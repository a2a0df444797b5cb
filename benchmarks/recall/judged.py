"""Judged recall: do questions asked again reach their answers sooner, when a model judges what came to mind?

    python -m benchmarks.recall.judged <passage set> [--passages N] [--questions N] [--arms A,B] [--keep DIR]

A passage set as `passages` describes it, cut to N passages with all that answer the questions, fills a mind. Every
question is asked at depth `deep`, three rounds of all of them. The model is a scripted endpoint on loopback that judges
by the labels of the set (`tests/gold_judge`): a perfect judge, so that what is measured is what recall lays before it.
Each arm begins with a copy of the same mind:

    alone    recalls are not recorded, nobody learns: rounds 2 and 3 must be round 1
    judged   recalls are recorded, so that the judge's answer teaches the links that were followed
    praised  besides, `feedback` good for what the judge found useful
    misled   at depth normal, with no judge, `good` for up to three passages that answer nothing and that links brought,
             then `bad` for the same, twice; what deep recall makes of it is measured in between, unrecorded

Of every round: notes judged a question (those shown to the judge until it had enough, or till the recall gave up),
judgements, share of questions whose gold was all reached, how far one had to go (tier of the farthest gold passage:
0 words and vectors, 1 expansion, 2 PageRank, 3 led by the judge, 4 not reached), milliseconds. Of `misled` also the
share of the wrongly praised passages that come up for it (`astray`). Intervals: 95 % bootstrap. An answer of the judge
that is known from a round before is not asked for again, but counted. One line of JSON; progress goes to stderr.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.recall import passages
from benchmarks.recall.lessons import wrong_of
from benchmarks.recall.recall import daemon, read_set, say
from benchmarks.speed.figures import load_average
from gold_judge import GoldJudge
from scripted_endpoint import scripted_endpoint
from soulmem.client import Client
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths

ROUNDS = 3
ASKED_FOR = 10
TIERS = {"vector": 0, "expansion": 1, "ppr": 2, "plan": 3}
NOT_REACHED = 4
MISLEADING = 3  # passages praised wrongly, a question
MIND = passages.MIND
Questions = Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one deep recall took."""

    judged: int
    calls: int
    reached: float
    tier: int
    ms: float
    learnt: frozenset[str]  # ids of what came over links that the question was once answered along


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="a passage set, JSON or gzipped JSON")
    parser.add_argument("--passages", type=int, default=500, help="how many fill the mind; the gold ones always do")
    parser.add_argument("--questions", type=int, default=50, help="how many are asked")
    parser.add_argument("--arms", default="alone,judged,praised,misled", help="which, comma-separated")
    parser.add_argument("--keep", type=Path, help="where the minds are left; one that was filled there is used again")
    return parser.parse_args()


def cut(data: dict[str, Any], passages_most: int, questions_most: int) -> dict[str, Any]:
    """The first questions, their gold passages, and so many others in the order of the set."""
    questions = [question for question in data["questions"] if question["gold"]][:questions_most]
    gold = {identifier for question in questions for identifier in question["gold"]}
    others = [passage["id"] for passage in data["passages"] if passage["id"] not in gold]
    kept = gold.union(others[: max(0, passages_most - len(gold))])
    held = [passage for passage in data["passages"] if passage["id"] in kept]
    return {**data, "questions": questions, "passages": held}


# -- asking -------------------------------------------------------------------------------------------------


def ask(client: Client, question: Mapping[str, Any], known: Mapping[str, str], *, record: bool) -> tuple[Asked, Any]:
    """One deep recall: what it took, and what came back."""
    wanted = {"query": question["text"], "k": ASKED_FOR, "kinds": ["episodic"], "depth": "deep"}
    began = time.perf_counter()
    result = client.call("recall", {"mind": MIND, "record": record, "explain": True, **wanted})
    taken = (time.perf_counter() - began) * 1000
    thought = result["deliberation"]
    if thought["sufficient"] is None:
        raise SystemExit(f"the judge did not answer: {question['text']}")
    found = {known[item["id"]]: TIERS[item["tier"]] for item in result["items"] if item["id"] in known}
    tier = max(found.get(identifier, NOT_REACHED) for identifier in question["gold"])
    learnt = frozenset(item["id"] for item in result["items"] if item["tier"] == "expansion")
    return Asked(thought["judged"], thought["calls"], float(thought["sufficient"]), tier, taken, learnt), result


def measure(client: Client, questions: Questions, known: Mapping[str, str]) -> list[Asked]:
    """A round that teaches nothing."""
    return [ask(client, question, known, record=False)[0] for question in questions]


def judged(client: Client, questions: Questions, known: Mapping[str, str], *, praises: bool) -> list[Asked]:
    """A round whose recalls are recorded, and praised if wanted."""
    rows = []
    for question in questions:
        row, result = ask(client, question, known, record=True)
        rows.append(row)
        right = [item["id"] for item in result["items"] if known.get(item["id"]) in question["gold"]]
        if praises and right:
            client.call("feedback", {"mind": MIND, "recall_id": result["recall_id"], "verdict": "good", "used": right})
    return rows


def mislead(
    client: Client, questions: Questions, known: Mapping[str, str], verdict: str, before: dict[str, list[str]]
) -> dict[str, list[str]]:
    """Praise passages that do not answer, or blame those praised `before`; returns which they were, by question."""
    said = {}
    for question in questions:
        wanted = {"mind": MIND, "query": question["text"], "k": ASKED_FOR, "kinds": ["episodic"]}
        result = client.call("recall", wanted)
        wrong = [item["id"] for item in wrong_of(result["items"], question, known) if item["tier"] != "vector"]
        praised = before.get(question["id"], [])
        chosen = [item["id"] for item in result["items"] if item["id"] in praised] if before else wrong[:MISLEADING]
        if chosen:
            params = {"recall_id": result["recall_id"], "verdict": verdict, "used": chosen}
            client.call("feedback", {"mind": MIND, **params})
        said[question["id"]] = chosen
    return said


# -- the arms -------------------------------------------------------------------------------------------------


def run_misled(client: Client, questions: Questions, known: Mapping[str, str]) -> dict[str, Any]:
    """The figures of being misled and put right, with how much of what was praised wrongly comes up for it."""
    rounds = {"before": measure(client, questions, known)}
    praised = mislead(client, questions, known, "good", {})
    rounds["misled"] = measure(client, questions, known)
    for times in ("blamed_once", "blamed_twice"):
        mislead(client, questions, known, "bad", praised)
        rounds[times] = measure(client, questions, known)
    line = report(rounds)
    wrong = [frozenset(praised[question["id"]]) for question in questions]
    for name, rows in rounds.items():
        shares = [len(ids & row.learnt) / len(ids) for ids, row in zip(wrong, rows, strict=True) if ids]
        line[name] |= {"astray": round(float(np.mean(shares)), 3), "astray_95": passages.interval(np.array(shares))}
    return line | {"praised_wrongly": sum(map(len, wrong))}


def run_arm(name: str, client: Client, questions: Questions, known: Mapping[str, str]) -> dict[str, list[Asked]]:
    """The rounds of one arm by name, in order."""
    names = [f"round_{number}" for number in range(1, ROUNDS + 1)]
    if name == "alone":
        return {each: measure(client, questions, known) for each in names}
    return {each: judged(client, questions, known, praises=name == "praised") for each in names}


def report(rounds: Mapping[str, Sequence[Asked]]) -> dict[str, Any]:
    """Means of every round with their intervals; then what each changed against the first, question by question."""
    line: dict[str, Any] = {}
    first = next(iter(rounds.values()))
    for name, rows in rounds.items():
        entry: dict[str, Any] = {}
        for key in ("judged", "calls", "reached", "tier"):
            found, at_first = (np.array([getattr(row, key) for row in each], dtype=float) for each in (rows, first))
            entry |= {key: round(float(found.mean()), 3), f"{key}_95": passages.interval(found)}
            if rows is not first:
                change = found - at_first
                entry |= {f"{key}_change": round(float(change.mean()), 3)}
                entry |= {f"{key}_change_95": passages.interval(change)}
        taken = [row.ms for row in rows]
        entry["tiers"] = dict(sorted(Counter(row.tier for row in rows).items()))
        line[name] = entry | {f"p{share}_ms": round(float(np.percentile(taken, share)), 1) for share in (50, 95)}
    return line


def filled(root: Path, data: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """A mind with the set in it under `root`; passage ids by note id, and what it took. One that is there is kept."""
    told = root / "filled" / "known.json"
    if not told.exists():
        embedder, _ = load_embedder(EmbedderSpec(), default_paths.models_directory(os.environ))
        told.parent.mkdir(parents=True)
        with daemon(told.parent) as client:
            known, made = passages.put_in(client, data, embedder)
        told.write_text(json.dumps([known, made]))
    known, made = json.loads(told.read_text())
    return known, made


def run(root: Path, data: dict[str, Any], arms: Sequence[str]) -> dict[str, Any]:
    """The figures of all arms; the endpoint must be up."""
    known, made = filled(root, data)
    line: dict[str, Any] = {"import": made, "load": {}}
    say(f"{data['name']}: {made}")
    for name in arms:
        shutil.rmtree(root / name, ignore_errors=True)
        shutil.copytree(root / "filled" / "state", root / name / "state")
        began = time.monotonic()
        line["load"][name] = round(load_average(), 2)
        with daemon(root / name) as client:
            ask(client, data["questions"][0], known, record=False)  # the index and the graph are in memory
            if name == "misled":
                line[name] = run_misled(client, data["questions"], known)
            else:
                line[name] = report(run_arm(name, client, data["questions"], known))
        say(f"  {name}: {time.monotonic() - began:.0f} s")
    return line


def main() -> None:
    options = arguments()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    data = cut(read_set(options.set, "passages"), options.passages, options.questions)
    texts = {passage["id"]: f"{passage['title']}\n{passage['text']}" for passage in data["passages"]}
    gold = {each["text"]: [texts[one] for one in each["gold"]] for each in data["questions"]}
    root = options.keep or Path(tempfile.mkdtemp(prefix="soulmem-bench-"))
    with scripted_endpoint() as endpoint:
        endpoint.answer = GoldJudge(gold)
        os.environ |= {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "labels",
            "SOULMEM_ENGINE_INTERACTIVE_DEADLINE_S": "60", "SOULMEM_BUDGET_TOKENS_PER_DAY": "0",
        }  # fmt: skip
        try:
            line = {"set": data["name"], "n": len(gold), **run(root, data, options.arms.split(","))}
        finally:
            if options.keep is None:
                shutil.rmtree(root, ignore_errors=True)
    print(json.dumps(line, ensure_ascii=False))


if __name__ == "__main__":
    main()
