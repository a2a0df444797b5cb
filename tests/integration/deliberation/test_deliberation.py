"""Recall that thinks: a model judges what came to mind and is led along the links until it has the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import daemon_process
from misbehaviours import M
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task

CHAINS = {
    "en": (
        "Where was the grandfather of Tomás' wife born?",
        [
            "Tomás took Marta for his wife in the spring of 1998.",
            "Marta is the daughter of Gustavo the clockmaker.",
            "Gustavo the clockmaker learned his trade from Anselm.",
            "Anselm kept letters of a sailor called Ruy.",
            "Ruy wrote them on the island of Chiloé.",
            "Chiloé lent a cradle to the clan of Lobos.",
        ],
        "Tomás told of rain on day {}.",
    ),
    "zh": (
        "阿勇的太太的爷爷是哪里人？",
        [
            "阿勇的太太叫秀兰。",
            "秀兰认识钟表匠老顾。",
            "老顾跟着长庚学手艺。",
            "长庚留着水手鲁意的信。",
            "鲁意在柯桥写的信。",
            "柯桥借了摇篮给罗家。",
        ],
        "阿勇说第{}天下雨。",
    ),
}


def judging(chain: list[str]) -> Callable[[Mapping[str, Any]], Any]:
    """A judge that knows what belongs to the chain, and is content once its end was shown."""

    def answer(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        asked = body["messages"][-1]["content"]
        labels = [line.split("]")[0].strip("[") for text in chain for line in asked.splitlines() if text in line]
        done = chain[-1] in asked
        return {
            "sufficient": done, "confidence": 0.9, "missing": [],
            "useful_nodes": labels, "useful_links": [], "useful_dummies": [],
        }  # fmt: skip

    return answer


@pytest.fixture(scope="module")
def api(endpoint: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checking]:
    env = {
        "SOULMEM_ENGINE_BASE_URL": endpoint.url,
        "SOULMEM_ENGINE_MODEL": "tiny",
        "SOULMEM_ENGINE_INTERACTIVE_DEADLINE_S": "2",
        "SOULMEM_ENGINE_RETRIES": "0",
        "SOULMEM_EMBEDDER_NAME": "hashing",
    }
    with daemon_process(tmp_path_factory.mktemp("thinking"), env=env) as daemon:
        yield checking(daemon)


def remember(api: Checking, mind: str, language: str, strength: float = 0.35) -> list[str]:
    """The chain, each note linked to the next, each also to many that say nothing."""
    _, chain, noise = CHAINS[language]
    ids = [api.call("note.add", mind=mind, kind="episodic", text=text)["id"] for text in chain]
    others = [api.call("note.add", mind=mind, kind="episodic", text=noise.format(n))["id"] for n in range(60)]
    for src, dst in pairwise(ids):
        api.call("link.add", mind=mind, src=src, dst=dst, kind="association", strength=strength)
    for place, src in enumerate(ids):
        for dst in others[place * 10 : place * 10 + 10]:
            api.call("link.add", mind=mind, src=src, dst=dst, kind="association", strength=0.6)
    return ids


def think(api: Checking, mind: str, language: str, **more: Any) -> Json:
    result: Json = api.call(
        "recall", mind=mind, query=CHAINS[language][0], depth="deep", k=8, explain=True, record=False, **more
    )
    return result


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_is_led_to_the_answer_link_by_link(api: Checking, endpoint: ScriptedEndpoint, language: str) -> None:
    ids = remember(api, f"chain-{language}", language)
    endpoint.answer = judging(CHAINS[language][1])
    found = think(api, f"chain-{language}", language)
    assert found["deliberation"]["sufficient"] is True
    assert 2 <= found["deliberation"]["calls"] <= 5
    assert found["deliberation"]["steps"] >= 1
    assert {item["id"] for item in found["items"][: len(ids)]} == set(ids), "all that was useful, before all else"
    last = next(item for item in found["items"] if item["id"] == ids[-1])
    assert last["tier"] == "plan"
    assert last["why"]["path"][-1]["dst"] == ids[-1]
    assert last["why"]["path"][-1]["strength"] == pytest.approx(0.35, abs=0.01)
    scores = [item["score"] for item in found["items"]]
    assert scores == sorted(scores, reverse=True)


CROWDS = {
    "en": (
        "What became of the lantern of Bergen?",
        "The lantern of Bergen, told for the {}th time.",
        "Rain on day {}.",
    ),
    "zh": ("卑尔根的灯笼后来怎么样了？", "卑尔根的灯笼，第{}次讲起。", "第{}天下雨。"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_however_much_is_useful_there_is_room_for_what_is_new(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    """A judge that finds everything useful is led on all the same: the answer lies links away."""
    question, told, noise = CROWDS[language]
    mind, chain = f"crowd-{language}", CHAINS[language][1][1:]
    said = [api.note(mind, told.format(number)) for number in range(24)]
    for number in range(48):
        other = api.note(mind, noise.format(number))
        api.call("link.add", mind=mind, src=said[number // 2], dst=other, strength=0.3)
    ids = [said[0], *(api.note(mind, text) for text in chain)]
    for place, (src, dst) in enumerate(pairwise(ids)):  # strong bonds are followed without a judge, but not so far
        api.call("link.add", mind=mind, src=src, dst=dst, strength=0.95 if place < 2 else 0.6)

    def content(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        asked = body["messages"][-1]["content"]
        return {
            "sufficient": chain[-1] in asked, "confidence": 0.9, "missing": [],
            "useful_nodes": re.findall(r"^\[(N\d+)\]", asked, re.MULTILINE), "useful_links": [], "useful_dummies": [],
        }  # fmt: skip

    endpoint.answer = content
    before = len(endpoint.requests)
    found = api.call("recall", mind=mind, query=question, depth="deep", k=20, explain=True, record=False)
    asked = [request.body["messages"][-1]["content"] for request in endpoint.requests[before:]]
    shown = [len(re.findall(r"^\[N\d+\]", text, re.MULTILINE)) for text in asked]
    assert max(shown) == 48, f"the view was full: {shown}"
    assert found["deliberation"]["sufficient"] is True
    assert found["deliberation"]["steps"] >= 2


def test_it_gives_up_within_its_calls(api: Checking, endpoint: ScriptedEndpoint) -> None:
    remember(api, "never", "en")

    def never(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        return {
            "sufficient": False, "confidence": 0.2, "missing": ["everything", "别的"],
            "useful_nodes": [], "useful_links": [], "useful_dummies": [],
        }  # fmt: skip

    endpoint.answer = never
    found = think(api, "never", "en")
    assert found["items"], "what came to mind is answered all the same"
    assert found["deliberation"]["sufficient"] is False
    assert found["deliberation"]["calls"] <= 12


UNSURE = {
    "en": (
        "What do Ann and Tom both love to do?", ["Ann loves rowing on the lake.", "Tom loves the lake at dawn."],
        "what Tom does",
    ),
    "zh": ("安娜和汤姆都喜欢做什么？", ["安娜喜欢在湖上划船。", "汤姆喜欢清晨的湖。"], "汤姆做什么"),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_question_is_never_judged_and_every_step_is_told(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    """Asked before in the talk, it is no memory of itself; what is missing stands in the answer, filler behind."""
    question, told, missing = UNSURE[language]
    mind = f"unsure-{language}"
    ids = [api.note(mind, text) for text in told]
    for text in (question, {"en": "Hm, tell me more.", "zh": "嗯，再说说。"}[language]):
        api.call("message.add", mind=mind, role="user", content=text, speaker="Ann", conversation="c")

    def judge(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        return {
            "sufficient": False, "confidence": 0.4, "missing": [missing],
            "useful_nodes": [], "useful_links": [], "useful_dummies": [],
        }  # fmt: skip

    endpoint.answer = judge
    before = len(endpoint.requests)
    asked = {"mind": mind, "query": question, "depth": "deep", "conversation": "c", "record": False}
    found = api.call("recall", **asked, explain=True)
    judged = [request for request in endpoint.requests[before:] if task_of(request.body) is Task.JUDGE]
    assert judged, found
    for request in judged:
        shown = [line for line in request.body["messages"][-1]["content"].splitlines() if line.startswith("[N")]
        assert shown
        assert not [line for line in shown if question in line]
    steps = found["deliberation"]["judgements"]
    assert len(steps) == found["deliberation"]["calls"] == len(judged)
    assert all(each["missing"] == [missing] and not each["sufficient"] and each["shown"] >= 1 for each in steps)
    assert found["missing"] == [missing]
    assert set(ids) <= {item["id"] for item in found["items"][:3]}
    assert api.call("recall", **asked)["missing"] == [missing], "it is told without asking for reasons too"


def test_filters_hold_while_it_thinks(api: Checking, endpoint: ScriptedEndpoint) -> None:
    ids = remember(api, "filtered", "en")
    endpoint.answer = judging(CHAINS["en"][1])
    before = len(endpoint.requests)
    found = think(api, "filtered", "en", exclude=[ids[-1]])
    assert ids[-1] not in {item["id"] for item in found["items"]}
    told = json.dumps([request.body for request in endpoint.requests[before:]], ensure_ascii=False)
    assert CHAINS["en"][1][0] in told
    assert CHAINS["en"][1][-1] not in told


HIDDEN = {
    "en": ("Ann said that Tom loves lake number {}.", "Sundays belong to the kayak.", "the Sundays, a kayak"),
    "zh": ("安娜说汤姆喜欢第{}个湖。", "礼拜天归皮划艇。", "礼拜天、皮划艇"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_missing_is_searched_for_and_comes_first(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    """No word of the question and no link leads to it; the model's own word for what it misses does."""
    question, told, _ = UNSURE[language]
    much, hidden, missing = HIDDEN[language]
    mind = f"hidden-{language}"
    for text in (*told, *(much.format(number) for number in range(40))):
        api.note(mind, text)
    note = api.note(mind, hidden)

    def judge(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        asked = body["messages"][-1]["content"]
        useful = [line.split("]")[0].strip("[") for line in asked.splitlines() if line.endswith(hidden)]
        return {
            "sufficient": bool(useful), "confidence": 0.9, "missing": [] if useful else [missing],
            "useful_nodes": useful, "useful_links": [], "useful_dummies": [], "follow": [],
        }  # fmt: skip

    endpoint.answer = judge
    found = api.call("recall", mind=mind, query=question, depth="deep", k=10, explain=True, record=False)
    assert found["deliberation"]["reflections"] == 1
    assert found["items"][0]["id"] == note
    assert "missing" not in found
    assert [each["sufficient"] for each in found["deliberation"]["judgements"]][-2:] == [False, True]


@pytest.mark.parametrize("did", [M.HANG, M.BROKEN, M.EMPTY_CHOICES])
def test_a_model_that_fails_costs_the_thought_not_the_recall(api: Checking, endpoint: ScriptedEndpoint, did: M) -> None:
    mind = f"failing-{did.value.replace('_', '-')}"
    ids = remember(api, mind, "en")
    endpoint.answer = default_answer
    endpoint.misbehaviour = did
    try:
        found = think(api, mind, "en")
    finally:
        endpoint.released.set()
        endpoint.misbehaviour = M.NONE
    assert ids[0] in {item["id"] for item in found["items"]}


def test_a_mind_that_follows_no_links_is_not_led_along_them(api: Checking, endpoint: ScriptedEndpoint) -> None:
    ids = remember(api, "staid", "en")
    api.call("mind.update", mind="staid", settings={"recall": {"graph": False}})
    endpoint.answer = judging(CHAINS["en"][1])
    found = think(api, "staid", "en")
    assert all("path" not in item["why"] for item in found["items"])
    assert ids[-1] not in {item["id"] for item in found["items"] if item["tier"] == "plan"}
