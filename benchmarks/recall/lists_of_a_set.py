"""What lists bring to the questions of a recall set that ask for several things, in one run.

    python -m benchmarks.recall.lists_of_a_set SET [--category 1]

Each question of the category is asked with k = 20, where no list widens the answer, and without k, where one may; of
both the first 10 and 20 messages are held against the evidence, so both take the same context. Beside it stands why: of
the evidence that is missed, how much lies among the first 80, how much tells an entry of any list that profiles keep,
and how many of the questions ask for such a list. Prints one JSON line.
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
from soulmem.core.profiles.list_entries import asked_list, entries_of
from soulmem.core.questions.list_questions import asks_all

FAR = 80
CUTS = (10, 20)


def ids_of(result: dict[str, Any]) -> list[str]:
    """The messages that the items of a recall rest on, in their order."""
    return list(dict.fromkeys(source["id"] for item in result["items"] for source in item["sources"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--category", default="1")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    found: dict[str, list[float]] = defaultdict(list)
    why: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="soulmem-bench-") as folder, daemon(Path(folder)) as client:
        for talk in read_set(given.set, "conversations")["conversations"]:
            mind, said = str(talk["id"]).lower(), {each["id"]: each for each in talk["messages"]}
            put_in(client, mind, "assistant", talk)
            for question in talk["questions"]:
                if str(question["category"]) != given.category or not question["gold"]:
                    continue
                asked, gold = {"mind": mind, "query": question["text"], "record": False}, set(question["gold"])
                without = ids_of(client.call("recall", asked | {"k": max(CUTS)}))
                with_lists = ids_of(client.call("recall", asked))
                far = ids_of(client.call("recall", asked | {"k": FAR}))
                for cut in CUTS:
                    found[f"without@{cut}"].append(len(gold & set(without[:cut])) / len(gold))
                    # Where nothing asks for more, a recall without k stops early: what k = 20 brings is the same there.
                    both = list(dict.fromkeys([*with_lists, *without]))
                    found[f"with@{cut}"].append(len(gold & set(both[:cut])) / len(gold))
                kind = asked_list(question["text"], "", question["text"])
                why["questions"] += 1
                why["ask for several"] += asks_all(question["text"])
                why["ask for a list"] += kind is not None and asks_all(question["text"])
                for each in gold - set(without[: max(CUTS)]):
                    told = entries_of(said[each]["content"], said[each]["speaker"]) if each in said else ()
                    why["missed"] += 1
                    why["missed, among the first 80"] += each in far
                    why["missed, telling an entry"] += bool(told)
            say(f"  {mind}: {why['questions']} questions")
    print(json.dumps({name: round(float(np.mean(values)), 3) for name, values in found.items()} | dict(why)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
