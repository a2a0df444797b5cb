"""Tokens benchmark: what a language model is asked, and what it costs, for a conversation of a recall set.

    python -m benchmarks.engine.tokens <recall set> [--conversation ID] [--questions N] [--json]

A daemon of its own stands on a simulated clock; its model is a scripted endpoint on loopback that answers sensibly and
counts what goes in and out (about four characters a token, or one CJK character). The conversation goes in session by
session with its own times, the silence between sessions digests it, then questions are asked at depth `deep`, which is
where recall asks a model. Printed: calls and tokens by task, a thousand messages, beside what a formula expects; apart
from digestion what was asked while the talk went on (how a reply was taken), and what the questions took. Formula:
for an epoch ⌈N/C⌉ summaries (C the window), one split, one link. Below stands what Mem0's published pipeline (two calls
an exchange, releases before April 2026) would take for the same conversation, by the sizes of its prompts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from daemon_fixture import Daemon, daemon_process
from scripted_endpoint import scripted_endpoint
from soulmem.client import Client
from soulmem.core.calendar.iso8601 import parse_iso, to_iso
from soulmem.core.text import tokens

CAPACITY = 20
DIGESTION = (
    "summarise", "split", "link", "reconcile", "rate_importance", "merge", "insights", "identify", "replay",
    "misremember",
)  # fmt: skip
# Of Mem0's pipeline, tokens by about four characters: its prompt that extracts facts (mem0/configs/prompts.py, 4,600
# characters), that which updates the memory with the text around it (7,000), and beside them in each call the last ten
# messages (arXiv 2504.19413: m = 10), five memories for each of two facts, and the memories written out again.
_EXTRACTING, _UPDATING = 1_150, 1_750
_LAST, _FACTS, _NEAR, _MEMORY, _EVENT = 10, 2, 5, 20, 45
MIND = "tokens"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="a recall set, JSON or gzipped JSON")
    parser.add_argument("--conversation", default=None, help="its id; the first if not given")
    parser.add_argument("--questions", type=int, default=50, help="how many are asked")
    parser.add_argument("--json", action="store_true", help="only JSON on stdout")
    return parser.parse_args()


def chosen(path: Path, name: str | None) -> dict[str, Any]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    conversations = json.loads(raw)["conversations"]
    found = [each for each in conversations if name is None or str(each["id"]).endswith(name)]
    if not found:
        raise SystemExit(f"no conversation {name}; there are {', '.join(str(each['id']) for each in conversations)}")
    return dict(found[0])


def play(daemon: Daemon, messages: list[dict[str, Any]]) -> int:
    """Tell all messages at their own times; a gap of more than ten minutes is a silence. Epochs digested."""
    with daemon.client(timeout=600) as client:
        now = parse_iso(client.call("system.ping")["now"])
        for place, message in enumerate(messages):
            at = parse_iso(message["at"])
            if at > now:
                client.call("clock.advance", {"seconds": (at - now) / 1000})
                now = at
            said = {key: message[key] for key in ("role", "speaker", "content")}
            told = {"mind": MIND, "conversation": "main", "id": str(place), "at": to_iso(now), **said}
            client.call("message.add", told)
        client.call("idle.run", {"mind": MIND})
        return sum(job["step"] == "split" and job["state"] == "done" for job in pages(client, "job.list"))


def pages(client: Client, method: str) -> Iterator[dict[str, Any]]:
    """All items of a list."""
    cursor = None
    while True:
        page = client.call(method, {"mind": MIND, "limit": 500} | ({"cursor": cursor} if cursor else {}))
        yield from page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def expected(messages: list[dict[str, Any]]) -> dict[str, int]:
    """The formula: per epoch ⌈N/C⌉ summaries, one split, one link; an epoch ends with ten minutes of silence."""
    sizes, last = [0], None
    for message in messages:
        at = parse_iso(message["at"])
        if last is not None and at - last >= 600_000:
            sizes.append(0)
        sizes[-1] += 1
        last = at
    return {"summarise": sum(math.ceil(size / CAPACITY) for size in sizes), "split": len(sizes), "link": len(sizes)}


def of_mem0(messages: list[dict[str, Any]]) -> dict[str, int]:
    """Calls and tokens of Mem0's two calls an exchange for the same conversation."""
    sizes = [tokens.estimate_tokens(str(each["content"])) for each in messages]
    spent = calls = 0
    for place in range(0, len(messages), 2):
        shown = sum(sizes[max(0, place - _LAST) : place + 2])
        near = _FACTS * _NEAR
        spent += _EXTRACTING + shown + _FACTS * _MEMORY
        spent += _UPDATING + (near + _FACTS) * _MEMORY + (near + _FACTS) * _EVENT
        calls += 2
    return {"calls": round(calls * 1000 / len(messages)), "tokens": round(spent * 1000 / len(messages))}


def totals_of(daemon: Daemon) -> dict[str, dict[str, Any]]:
    """What the ledger has counted so far, by task."""
    return {line["task"]: line for line in daemon.call("ledger.get", {"mind": MIND, "by": "task"})["totals"]}


def spent_on(line: Mapping[str, Any] | None) -> int:
    return line["tokens_in"] + line["tokens_out"] if line is not None else 0


def show(report: Mapping[str, Any]) -> None:
    print(f"{report['messages']} messages, {report['epochs']} epochs, {report['questions']} questions, {report['s']} s")
    print(f"{'task':<16}{'calls':>7}{'formula':>9}{'tokens in':>11}{'tokens out':>12}{'per 1,000 messages':>20}")
    for task, line in report["tasks"].items():
        formula = line["formula"] if line["formula"] is not None else "-"
        spent = f"{line['tokens_in']:>11,}{line['tokens_out']:>12,}{line['per_1000_messages']:>20,}"
        print(f"{task:<16}{line['calls']:>7}{formula:>9}{spent}")
    print(f"digestion: {report['digestion_per_1000_messages']:,} tokens per 1,000 messages")
    print(f"           {report['digestion_calls_per_1000_messages']:,} calls")
    print(f"beside it: {report['beside_per_1000_messages']:,} tokens per 1,000 messages, of how replies were taken")
    print(f"recall:    {report['recall_per_question']:,} tokens a question asked at depth deep")
    of = report["mem0_per_1000_messages"]
    print(f"Mem0:      {of['tokens']:,} tokens, {of['calls']:,} calls per 1,000 messages")
    print(f"           {report['share_of_mem0']:.3f} of its tokens are used by digestion here")


def main() -> None:
    options = arguments()
    conversation = chosen(options.set, options.conversation)
    messages, questions = conversation["messages"], conversation["questions"][: options.questions]
    began = time.monotonic()
    start = to_iso(parse_iso(messages[0]["at"]) - 60_000)
    with tempfile.TemporaryDirectory() as root, scripted_endpoint() as endpoint:
        endpoint.counts_tokens = True
        env = {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url,
            "SOULMEM_ENGINE_MODEL": "scripted",
            "SOULMEM_ENGINE_INTERACTIVE_DEADLINE_S": "60",
            "SOULMEM_BUDGET_TOKENS_PER_DAY": "0",
            "SOULMEM_BUDGET_TOKENS_PER_RUN": "0",
        }
        with daemon_process(Path(root), "--simulated-clock", start, env=env) as daemon:
            epochs = play(daemon, messages)
            told = totals_of(daemon)
            for question in questions:
                daemon.call("recall", {"mind": MIND, "query": question["text"], "depth": "deep", "record": False})
            asked = totals_of(daemon)
    formula = expected(messages)
    tasks = {}
    for task in (*DIGESTION, *sorted(told.keys() - set(DIGESTION))):
        line = told.get(task, {"calls": 0, "tokens_in": 0, "tokens_out": 0})
        spent = line["tokens_in"] + line["tokens_out"]
        tasks[task] = {
            "calls": line["calls"],
            "formula": formula.get(task),
            "tokens_in": line["tokens_in"],
            "tokens_out": line["tokens_out"],
            "per_1000_messages": round(spent * 1000 / len(messages)),
        }
    recall = sum(spent_on(line) - spent_on(told.get(task)) for task, line in asked.items())
    report = {
        "benchmark": "tokens",
        "conversation": conversation["id"],
        "messages": len(messages),
        "epochs": epochs,
        "questions": len(questions),
        "s": round(time.monotonic() - began, 1),
        "tasks": tasks,
        "digestion_per_1000_messages": sum(tasks[task]["per_1000_messages"] for task in DIGESTION),
        "digestion_calls_per_1000_messages": round(
            sum(tasks[task]["calls"] for task in DIGESTION) * 1000 / len(messages)
        ),
        "beside_per_1000_messages": sum(tasks[task]["per_1000_messages"] for task in tasks if task not in DIGESTION),
        "recall_per_question": round(recall / max(1, len(questions))),
    }
    report["mem0_per_1000_messages"] = of_mem0(messages)
    report["share_of_mem0"] = report["digestion_per_1000_messages"] / report["mem0_per_1000_messages"]["tokens"]
    if options.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        show(report)


if __name__ == "__main__":
    main()
