"""What lists bring to the questions of a recall set that ask for several things, in one run.

    python -m benchmarks.recall.lists_of_a_set SET [--category 1]

Two daemons hear the same talk; to one of them no question asks for all of something (`without_lists`). Each question of
the category is put to both with k = 20, and the first 10 and 20 messages are held against the evidence, so both take as
many messages; `characters` says how much text that is, and `as long` fills just as many characters as those without
lists have, each message that still fits in its turn; `context of` so many tokens is what `context.get` then holds.
`wide` is what comes where nobody gives k. Beside it stands why: how many of the questions ask for all of something, for
a list of which entries are known, for a class of which members are; and of the evidence that is missed, how much lies
among the first 80, and how much tells an entry. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.recall.recall import daemon, put_in, read_set, say
from soulmem.client import Client
from soulmem.core.profiles.asked_lists import asked_list
from soulmem.core.profiles.list_entries import entries_of
from soulmem.core.questions.asked.asked_classes import class_terms
from soulmem.core.questions.list_questions import asks_all

FAR = 80
CUTS = (10, 20)
BUDGETS = (1000, 2000)  # tokens


def ids_of(client: Client, mind: str, query: str, **more: Any) -> list[str]:
    """The messages that the items of a recall rest on, in their order."""
    result = client.call("recall", {"mind": mind, "query": query, "record": False, **more})
    return list(dict.fromkeys(source["id"] for item in result["items"] for source in item["sources"]))


def in_context(client: Client, mind: str, query: str, budget: int) -> set[str]:
    """The messages that stand in a context of so many tokens for what was asked."""
    result = client.call("context.get", {"mind": mind, "query": query, "max_tokens": budget})
    return {item for block in result["blocks"] if block["kind"] == "notes" for item in block["items"]}


def fitting(messages: list[str], lengths: list[int], room: int) -> list[str]:
    """Those that fit into so many characters, each in its turn; one that does not is left out."""
    found = []
    for each, length in zip(messages, lengths, strict=True):
        if length <= room:
            found.append(each)
            room -= length
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--category", default="1")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    found: dict[str, list[float]] = defaultdict(list)
    why: Counter[str] = Counter()
    longest: dict[tuple[str, str], int] = {}
    talks = read_set(given.set, "conversations")["conversations"]
    for how, program in (("without", "benchmarks.recall.without_lists"), ("with", "soulmem")):
        with tempfile.TemporaryDirectory(prefix="soulmem-bench-") as folder, daemon(Path(folder), program) as client:
            for talk in talks:
                mind, said = str(talk["id"]).lower(), {each["id"]: each for each in talk["messages"]}
                put_in(client, mind, "assistant", talk)
                for question in talk["questions"]:
                    if str(question["category"]) != given.category or not question["gold"]:
                        continue
                    text, gold = question["text"], set(question["gold"])
                    came = ids_of(client, mind, text, k=max(CUTS))
                    for cut in CUTS:
                        found[f"{how}@{cut}"].append(len(gold & set(came[:cut])) / len(gold))
                    for budget in BUDGETS:
                        shown = in_context(client, mind, text, budget)
                        found[f"{how}, context of {budget}"].append(len(gold & shown) / len(gold))
                    length = sum(len(said[each]["content"]) for each in came[: max(CUTS)])
                    found[f"{how}, characters"].append(length)
                    if how == "without":
                        longest[mind, text] = length
                        continue
                    far = ids_of(client, mind, text, k=FAR)
                    filled = fitting(far, [len(said[each]["content"]) for each in far], longest[mind, text])
                    found["with, as long"].append(len(gold & set(filled)) / len(gold))
                    wide = ids_of(client, mind, text)
                    found["wide"].append(len(gold & set(wide)) / len(gold))
                    found["wide, messages"].append(len(wide))
                    is_all = asks_all(text)
                    why["questions"] += 1
                    why["ask for all"] += is_all
                    why["ask for a list"] += is_all and asked_list(text, "", text) is not None
                    why["ask for a class"] += is_all and bool(class_terms(text))
                    for each in gold - set(came[: max(CUTS)]):
                        why["missed"] += 1
                        why["missed, among the first 80"] += each in far
                        why["missed, telling an entry"] += bool(
                            each in said and entries_of(said[each]["content"], said[each]["speaker"])
                        )
                say(f"  {how}, {mind}")
    print(json.dumps({name: round(float(np.mean(values)), 3) for name, values in found.items()} | dict(why)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
