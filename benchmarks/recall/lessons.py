"""Whether recall learns: the same questions asked again after being told what was right, then what was wrong.

Run by `passages` at the end, on the mind it filled. Three rounds of asking, each followed by praise for the passages
that truly answer (only those that came back: nobody praises what he did not see); then one round of praise for a
passage that does not answer, and two of blame for it. Reported of each round: recall, how many passages one reads until
the last right one that comes back, and which tier brought the right ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from soulmem.client import Client

ROUNDS = 3
ASKED_FOR = 10
CUT = 5


def lessons(client: Client, mind: str, questions: Sequence[dict[str, Any]], known: Mapping[str, str]) -> dict[str, Any]:
    """The figures of every round, in order."""
    return {
        "right": [_round(client, mind, questions, known, praise_right) for _ in range(ROUNDS)],
        "before_wrong": _round(client, mind, questions, known, praise_wrong),
        "misled": _round(client, mind, questions, known, blame_wrong),
        "blamed_once": _round(client, mind, questions, known, blame_wrong),
        "blamed_twice": _round(client, mind, questions, known, nothing),
    }


def wrong_of(
    items: Sequence[dict[str, Any]], question: Mapping[str, Any], known: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Of the items recalled those that do not answer; what links brought first: only there can praise lead astray."""
    others = [item for item in items if known.get(item["id"]) not in question["gold"]]
    return sorted(others, key=lambda item: item["tier"] == "vector")


def praise_right(right: Sequence[str], wrong: Sequence[str]) -> tuple[str, Sequence[str]] | None:
    return ("good", right) if right else None


def praise_wrong(right: Sequence[str], wrong: Sequence[str]) -> tuple[str, Sequence[str]] | None:
    return ("good", wrong[:1]) if wrong else None


def blame_wrong(right: Sequence[str], wrong: Sequence[str]) -> tuple[str, Sequence[str]] | None:
    return ("bad", wrong[:1]) if wrong else None


def nothing(right: Sequence[str], wrong: Sequence[str]) -> None:
    return None


def _round(
    client: Client, mind: str, questions: Sequence[dict[str, Any]], known: Mapping[str, str], verdict: Any
) -> dict[str, Any]:
    recalls, read, tiers = [], [], Counter[str]()
    for question in questions:
        wanted = {"mind": mind, "query": question["text"], "k": ASKED_FOR, "kinds": ["episodic"]}
        result = client.call("recall", wanted)
        gold = set(question["gold"])
        places = [place for place, item in enumerate(result["items"], start=1) if known.get(item["id"]) in gold]
        recalls.append(sum(place <= CUT for place in places) / len(gold))
        read.append(max(places, default=ASKED_FOR))
        tiers.update(result["items"][place - 1]["tier"] for place in places)
        right = [result["items"][place - 1]["id"] for place in places]
        wrong = [item["id"] for item in wrong_of(result["items"], question, known)]
        said = verdict(right, wrong)
        if said is not None:
            params = {"mind": mind, "recall_id": result["recall_id"], "verdict": said[0], "used": list(said[1])}
            client.call("feedback", params)
    return {
        f"recall@{CUT}": round(float(np.mean(recalls)), 4),
        "read_until_last": round(float(np.mean(read)), 2),
        "right_by_tier": dict(sorted(tiers.items())),
    }
