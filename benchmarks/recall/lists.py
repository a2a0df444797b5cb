"""Questions that ask for all of something: how much of it comes back, through the socket.

    python -m benchmarks.recall.lists [tests/corpora/lists.tsv] > lists.json

Lays the talks of the file out over a year, each thing told with a short reply, among talk of other matters, into minds
of profile `assistant`; asks each question with k = 10, as before there were lists, and without k. Prints one JSON line:
the share of what was told that came back (`found`), the share of the items that are of it (`right`), how many items
came (`items`), and how many were said to be left (`more`). The same file gives the same talks.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.recall.recall import daemon, put_in

CORPUS = Path(__file__).resolve().parents[2] / "tests" / "corpora" / "lists.tsv"
TALKED = 2  # times that what is told beside is said


def read_talks(file: Path) -> dict[str, dict[str, list[str]]]:
    """By talk and what it is, the texts of the file in their order."""
    talks: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            talk, what, text = line.split("\t")
            talks[talk][what].append(text)
    return talks


def laid_out(name: str, texts: dict[str, list[str]]) -> dict[str, Any]:
    """A conversation object of a recall set."""
    chance = random.Random(name)
    told = [(what, text) for what in "ab" for text in texts[what]] + [("talk", text) for text in texts["talk"]] * TALKED
    chance.shuffle(told)
    at = datetime(2025, 1, 3, 18, tzinfo=UTC)
    messages: list[dict[str, Any]] = []
    gold = defaultdict[str, list[str]](list)
    for what, text in told:
        for role, said in (("user", text), ("assistant", chance.choice(texts["reply"]))):
            messages.append({
                "id": f"m{len(messages)}", "conversation": name, "role": role, "content": said,
                "speaker": "Rina" if role == "user" else "Pell", "at": at.isoformat().replace("+00:00", "Z"),
            })  # fmt: skip
            at += timedelta(seconds=40)
        gold[what].append(messages[-2]["id"])
        at += timedelta(hours=chance.randint(20, 160))
    questions = [{"text": text, "gold": gold[what]} for what in "ab" for text in texts[f"ask-{what}"]]
    return {"id": name, "messages": messages, "questions": questions}


def main() -> None:
    parser = argparse.ArgumentParser(description="Questions that ask for all of something.")
    parser.add_argument("file", type=Path, nargs="?", default=CORPUS)
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    rows: dict[str, list[list[float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="soulmem-bench-") as folder, daemon(Path(folder)) as client:
        for name, texts in read_talks(given.file).items():
            talk = laid_out(name, texts)
            put_in(client, name, "assistant", talk)
            for question in talk["questions"]:
                for how, limit in (("k = 10", {"k": 10}), ("without k", {})):
                    asked = {"mind": name, "query": question["text"], "record": False}
                    result = client.call("recall", asked | limit)
                    came = [source["id"] for item in result["items"] for source in item["sources"]]
                    right = len(set(came) & set(question["gold"]))
                    rows[how].append([
                        right / len(question["gold"]), right / max(1, len(came)), len(came), result.get("more") or 0,
                    ])  # fmt: skip
    names = ("found", "right", "items", "more")
    line = {how: dict(zip(names, np.mean(found, axis=0).round(3).tolist(), strict=True)) for how, found in rows.items()}
    print(json.dumps({"questions": len(next(iter(rows.values())))} | line))


if __name__ == "__main__":
    main()
