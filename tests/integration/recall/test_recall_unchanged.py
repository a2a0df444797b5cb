"""What fifty questions bring to mind in a fixed mind stays the same, note for note and score for score.

The answers lie in `goldens/recall.json`; `SOULMEM_WRITE_GOLDENS=1` writes them anew, for a change of the ranking
that is meant. Whoever only makes recall faster must not need that.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from mind_bench import NOW, Host, hosted
from soulmem.working.recall.recall_request import RecallRequest

GOLDEN = Path(__file__).resolve().parents[2] / "goldens" / "recall.json"
WHO = ["Anna", "the baker", "小林", "our captain", "楼下的邻居", "Tom"]
DID = ["bought", "lost", "修好了", "borrowed", "忘记了", "painted"]
WHAT = ["a blue bicycle", "the harbour map", "三罐蜂蜜", "an old piano", "那只橘猫", "the garden key", "花园的钥匙"]
WHERE = ["at the market", "behind the station", "在河边", "on the ferry", "在剧院门口", "in the library"]
KINDS = ["episodic", "episodic", "semantic", "procedural", "trigger", "abstract"]
DEPTHS = ["normal", "normal", "skim", "deep"]


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(part) for part in (WHO, DID, WHAT, WHERE)) + "."


async def furnish(host: Host, chance: random.Random) -> None:
    made = [await host.note(sentence(chance), kind) for kind in KINDS * 20]
    for _ in range(240):
        src, dst = chance.sample(made, 2)
        await host.link(src, dst, round(chance.uniform(0.1, 0.9), 2), chance.choice(["association", "semantic"]))
    for turn in range(30):  # no reply comes after what it answers: it would teach
        await host.hear(sentence(chance) + ("?" if turn % 5 == 0 else ""), role=["assistant", "user"][turn >= 15])
        await host.mind.workers.wait_settled()  # or what a vector was made beside would depend on the machine


async def answers(host: Host, chance: random.Random) -> list[dict[str, Any]]:
    found = []
    for number in range(50):
        asked: dict[str, Any] = {"depth": DEPTHS[number % 4], "kinds": frozenset({"note"}) if number % 7 == 3 else None}
        if number % 9 == 4:
            asked |= {"from_ms": NOW, "to_ms": NOW + 1}
        query = sentence(chance).replace(".", "?")
        answer = await host.mind.recall(
            RecallRequest(query, 5 + number % 8, **asked), (), record=False, explained=False
        )
        found.append({"query": query, "items": [[each["id"], each["score"], each["tier"]] for each in answer["items"]]})
    return found


async def test_fifty_answers_are_what_they_were(tmp_path: Path) -> None:
    chance = random.Random(20261122)
    async with hosted(tmp_path / "mira.db") as host:
        await furnish(host, chance)
        await host.mind.workers.wait_settled()
        found = await answers(host, chance)
    if os.environ.get("SOULMEM_WRITE_GOLDENS"):
        lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in found)
        GOLDEN.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    before = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert [each["query"] for each in found] == [each["query"] for each in before]
    for now, then in zip(found, before, strict=True):
        assert [(note, tier) for note, _, tier in now["items"]] == [(note, tier) for note, _, tier in then["items"]]
        # Other builds of BLAS may add in another order; a score has six decimals.
        assert [each[1] for each in now["items"]] == pytest.approx([each[1] for each in then["items"]], abs=1.5e-6)
