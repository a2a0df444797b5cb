"""What a judge found useful is found sooner when the same is asked again; who learns nothing stays where he was.

The judge is perfect (`gold_judge`), so that what changes is what recall lays before it, and when it may stop.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import daemon_process
from gold_judge import GoldJudge
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task

FIRST_SHOWN = 8
PATIENCE_S = 20.0

WORLDS: dict[str, dict[str, Any]] = {
    "en": {
        "question": "Where was the grandfather of Tomás' wife born?",
        "near": "The grandfather of Tomás' wife is Gustavo the clockmaker.",
        "told": "Gustavo has his cradle and wife on Chiloé.",  # words find it, but much else before it
        "far": "The ferry to that island sails at dawn.",  # no word of the question is in it
        "bridge": "island",
        "noise": "Tomás went fishing with his wife on day {}, and they spoke of her grandfather.",
        "silent": "Rain fell on the harbour, {} drops.",
    },
    "zh": {
        "question": "阿勇的太太的爷爷是哪里出生的？",
        "near": "阿勇的太太的爷爷是钟表匠老顾。",
        "told": "老顾的太太住在柯桥。",
        "far": "渡船清早开往那座岛。",
        "bridge": "岛屿",
        "noise": "第{}天阿勇和太太去钓鱼，说起了爷爷。",
        "silent": "港口下了{}滴雨。",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def api(endpoint: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checking]:
    env = {
        "SOULMEM_ENGINE_BASE_URL": endpoint.url,
        "SOULMEM_ENGINE_MODEL": "labels",
        "SOULMEM_ENGINE_INTERACTIVE_DEADLINE_S": "20",
        "SOULMEM_EMBEDDER_NAME": "hashing",
    }
    with daemon_process(tmp_path_factory.mktemp("learning"), env=env) as daemon:
        yield checking(daemon)


def furnish(api: Checking, mind: str, world: dict[str, Any]) -> dict[str, str]:
    """Notes that sound like the question, notes that do not, and what answers it, a link or two from what is near."""
    texts = {name: world[name] for name in ("near", "told", "far")}
    texts |= {f"noise{n}": world["noise"].format(n) for n in range(40)}
    texts |= {f"silent{n}": world["silent"].format(n) for n in range(60)}
    ids = {name: api.call("note.add", mind=mind, kind="episodic", text=text)["id"] for name, text in texts.items()}
    ids["bridge"] = api.call("note.add", mind=mind, kind="semantic", text=world["bridge"])["id"]
    links = [("near", "told", 0.3), ("near", "bridge", 0.4), ("bridge", "far", 0.5)]
    links += [("near", f"silent{n}", 0.6) for n in range(60)]
    for src, dst, strength in links:
        api.call("link.add", mind=mind, src=ids[src], dst=ids[dst], kind="association", strength=strength)
    return ids


def think(api: Checking, mind: str, world: dict[str, Any], *, record: bool = False) -> Json:
    asked = {"query": world["question"], "depth": "deep", "k": 5, "kinds": ["episodic"]}
    found: Json = api.call("recall", mind=mind, record=record, explain=True, **asked)
    assert found["deliberation"]["sufficient"] is True
    return found


def tier_of(found: Json, note: str) -> str:
    return next(str(item["tier"]) for item in found["items"] if item["id"] == note)


def soon(api: Checking, mind: str, world: dict[str, Any], *, fewer_than: int) -> Json:
    """What is answered once it was learnt; learning waits for a calm moment."""
    until = time.monotonic() + PATIENCE_S
    while (found := think(api, mind, world))["deliberation"]["judged"] >= fewer_than:
        assert time.monotonic() < until, f"still {found['deliberation']}"
        time.sleep(0.1)
    return found


def test_a_judge_that_has_enough_is_shown_no_more(api: Checking, endpoint: ScriptedEndpoint) -> None:
    world = WORLDS["en"]
    furnish(api, "enough", world)
    endpoint.answer = GoldJudge({world["question"]: [world["near"]]})
    before = len(endpoint.requests)
    found = think(api, "enough", world)
    assert found["deliberation"] | {"confidence": 1.0} == {
        "sufficient": True, "confidence": 1.0, "missing": [], "judged": FIRST_SHOWN, "calls": 1,
        "steps": 0, "reflections": 0, "doubt": None,
        "judgements": [{"shown": FIRST_SHOWN, "useful": 1, "sufficient": True, "missing": [], "followed": 0}],
    }  # fmt: skip
    prompts = [each.body["messages"][-1]["content"] for each in endpoint.requests[before:] if each.task is Task.JUDGE]
    assert len(prompts) == 1
    assert prompts[0].count("\n[N") == FIRST_SHOWN


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_words_found_late_is_found_first_once_it_helped(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    world, mind = WORLDS[language], f"late-{language}"
    ids = furnish(api, mind, world)
    endpoint.answer = GoldJudge({world["question"]: [world["near"], world["told"]]})
    alone = [think(api, mind, world) for _ in range(3)]
    assert alone[0]["deliberation"]["calls"] > 1
    assert alone[0]["deliberation"]["judged"] > FIRST_SHOWN
    for again in alone[1:]:
        assert {**again, "elapsed_ms": 0} == {**alone[0], "elapsed_ms": 0}, "who records nothing learns nothing"
    think(api, mind, world, record=True)
    learnt = soon(api, mind, world, fewer_than=alone[0]["deliberation"]["judged"])
    assert learnt["deliberation"]["calls"] == 1
    assert {item["id"] for item in learnt["items"][:2]} == {ids["near"], ids["told"]}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_was_led_to_comes_by_itself_the_next_time(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    """The way leads over a note of a kind that is not asked for: it is walked through and never shown."""
    world, mind = WORLDS[language], f"led-{language}"
    ids = furnish(api, mind, world)
    endpoint.answer = GoldJudge({world["question"]: [world["near"], world["far"]]})
    before = len(endpoint.requests)
    first = think(api, mind, world, record=True)
    assert tier_of(first, ids["far"]) == "plan"
    way = next(item for item in first["items"] if item["id"] == ids["far"])["why"]["path"]
    assert [step["dst"] for step in way] == [ids["bridge"], ids["far"]]
    told = [each.body["messages"][-1]["content"] for each in endpoint.requests[before:] if each.task is Task.JUDGE]
    assert all(f"] {world['bridge']}\n" not in prompt for prompt in told)
    learnt = soon(api, mind, world, fewer_than=first["deliberation"]["judged"])
    assert learnt["deliberation"]["steps"] == 0
    assert tier_of(learnt, ids["far"]) == "expansion"


def test_a_perfect_judge_reads_nothing_but_its_labels(api: Checking, endpoint: ScriptedEndpoint) -> None:
    """Of a question that is not labelled nothing is said, so that a benchmark cannot measure a guess."""
    world = WORLDS["en"]
    furnish(api, "unlabelled", world)
    endpoint.answer = GoldJudge({"Another question?": [world["near"]]})
    found = api.call(
        "recall", mind="unlabelled", query=world["question"], depth="deep", k=5, record=False, explain=True
    )
    assert found["items"]
    assert found["deliberation"]["sufficient"] is None
