"""A hard question is judged after it was answered: nobody waits for the model, and what it says teaches."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from threading import Event
from typing import Any

import pytest

from checking import Checking, checking, rows
from daemon_fixture import Daemon, daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import M, ScriptedEndpoint
from slowness import PATIENCE_S
from soulmem.core.schema.engine_tasks import Task

WORLDS = {
    "en": {
        "door": "Tom hates the lift in the tower.", "reason": "Tom was stuck there as a boy.",
        "wrong": "The plumber came late.", "hard": "Why does Tom hate the lift in the tower?",
        "easy": "Where does Tom live?", "told": "Tom hates the lift, and why is beyond me.",
    },
    "zh": {
        "door": "汤姆讨厌塔楼的电梯。", "reason": "他小时候在里面关过一夜。",
        "wrong": "水管工来晚了。", "hard": "汤姆为什么讨厌塔楼的电梯？",
        "easy": "汤姆住在哪儿？", "told": "汤姆讨厌电梯，说不清原因。",
    },
}  # fmt: skip
BOTH = pytest.mark.parametrize("language", ["en", "zh"])
Asking = Callable[[Checking, str, str], Any]
WAYS: dict[str, Asking] = {
    "client": lambda api, mind, text: api.call("recall", mind=mind, query=text),
    "context": lambda api, mind, text: api.call("context.get", mind=mind, query=text),
    "message": lambda api, mind, text: api.say(mind, text, speaker="Ann", recall=True),
    "background": lambda api, mind, text: api.say(mind, text, speaker="Ann"),
}


@pytest.fixture(scope="module")
def house(endpoint: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daemon, Checking]]:
    env = {
        "SOULMEM_ENGINE_BASE_URL": endpoint.url,
        "SOULMEM_ENGINE_MODEL": "afterwards",
        "SOULMEM_ENGINE_RETRIES": "0",
        "SOULMEM_ENGINE_INTERACTIVE_DEADLINE_S": "600",  # whoever waits for the model is noticed
        "SOULMEM_EMBEDDER_NAME": "hashing",
    }
    with daemon_process(tmp_path_factory.mktemp("after"), env=env) as daemon:
        yield daemon, checking(daemon)


@pytest.fixture(autouse=True)
def _well_behaved(endpoint: ScriptedEndpoint) -> Iterator[None]:
    yield
    endpoint.released.set()
    endpoint.misbehaviour, endpoint.answer = M.NONE, default_answer


def furnish(api: Checking, mind: str, language: str) -> dict[str, str]:
    api.call("mind.create", mind=mind)
    api.call("mind.update", mind=mind, settings={"recall.min_score": 0.0})
    ids = {name: api.note(mind, WORLDS[language][name]) for name in ("door", "reason", "wrong")}
    api.call("link.add", mind=mind, src=ids["door"], dst=ids["reason"], kind="association", strength=0.6)
    api.call("link.add", mind=mind, src=ids["door"], dst=ids["wrong"], kind="association", strength=0.6)
    api.settle(mind)
    return ids


def judging(text: str, asked: list[str], may_answer: Event | None = None) -> Callable[[Mapping[str, Any]], Any]:
    """A judge to whom the note of this text alone is of use; it answers once it may."""

    def answer(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        prompt = body["messages"][-1]["content"]
        asked.append(prompt)
        if may_answer is not None:
            may_answer.wait(PATIENCE_S)
        label = re.search(rf"^\[(N\d+)\] .*{re.escape(text)}$", prompt, re.MULTILINE)
        return {
            "sufficient": bool(label), "confidence": 0.9, "missing": [] if label else ["?"],
            "useful_nodes": [label[1]] if label else [], "useful_links": [], "useful_dummies": [], "follow": [],
        }  # fmt: skip

    return answer


def verdicts(daemon: Daemon, mind: str) -> list[tuple[Any, ...]]:
    return rows(daemon, mind, "SELECT source, used, enhanced FROM feedback ORDER BY recall")


@BOTH
@pytest.mark.parametrize("way", list(WAYS))
def test_nobody_waits_and_the_links_learn(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, way: str, language: str
) -> None:
    daemon, api = house
    mind, world = f"after-{way}-{language}", WORLDS[language]
    ids = furnish(api, mind, language)
    asked: list[str] = []
    may_answer = Event()
    endpoint.answer = judging(world["reason"], asked, may_answer)
    WAYS[way](api, mind, world["hard"])  # answers, though the model does not
    api.until(lambda: asked, "the judge being asked", PATIENCE_S)
    assert not verdicts(daemon, mind)
    may_answer.set()
    api.until(lambda: verdicts(daemon, mind), "what the judge taught", PATIENCE_S)
    assert 1 <= len(asked) <= 2
    assert world["hard"] in asked[0]
    ((source, used, enhanced),) = verdicts(daemon, mind)
    assert source == "judge"
    assert used == f'["{ids["reason"]}"]'
    assert enhanced >= 1
    learnt = rows(daemon, mind, "SELECT l.src, l.dst FROM link_memory m JOIN link l ON l.id = m.link WHERE m.enhanced")
    assert {f"n{end}" for pair in learnt for end in pair} == {ids["door"], ids["reason"]}


@BOTH
def test_what_is_easy_asks_nothing_or_leaves_no_trace_is_not_judged(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, language: str
) -> None:
    daemon, api = house
    mind, world = f"easy-{language}", WORLDS[language]
    furnish(api, mind, language)
    asked: list[str] = []
    endpoint.answer = judging(world["reason"], asked)
    for text in (world["easy"], world["told"]):
        api.call("recall", mind=mind, query=text)
        api.say(mind, text, speaker="Ann", recall=True)
    api.call("recall", mind=mind, query=world["hard"], record=False)
    api.call("recall", mind=mind, query=world["hard"])  # judged after all that was before it
    api.until(lambda: verdicts(daemon, mind), "what the judge taught", PATIENCE_S)
    assert len(asked) == 1


@BOTH
def test_a_judge_that_never_has_enough_is_asked_twice(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, language: str
) -> None:
    daemon, api = house
    mind, world = f"twice-{language}", WORLDS[language]
    furnish(api, mind, language)
    for number in range(12):
        api.note(mind, f"{world['door']} {number}")
    api.settle(mind)
    asked: list[str] = []
    endpoint.answer = judging("no such note", asked)
    api.call("recall", mind=mind, query=world["hard"], k=12)
    api.until(lambda: verdicts(daemon, mind), "what the judge taught", PATIENCE_S)
    time.sleep(0.3)
    assert len(asked) == 2
    assert len(re.findall(r"^\[N\d+\]", asked[0], re.MULTILINE)) == 8
    assert len(re.findall(r"^\[R\d+\]", "".join(asked), re.MULTILINE)) == 0, "it is not led on: nobody waits for that"


def test_a_model_that_is_broken_teaches_nothing_and_costs_nothing(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint
) -> None:
    daemon, api = house
    furnish(api, "broken", "en")
    endpoint.misbehaviour = M.EMPTY_CHOICES
    before = len(endpoint.requests)
    assert api.call("recall", mind="broken", query=WORLDS["en"]["hard"])["items"]
    api.until(lambda: len(endpoint.requests) > before, "the judge being asked")
    api.say("broken", "Thanks, he told me himself.", role="assistant")
    assert all(source != "judge" for source, *_ in verdicts(daemon, "broken"))


@BOTH
def test_a_question_that_is_deleted_before_it_is_judged_is_not_asked(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, language: str
) -> None:
    """The judge is at one question when the next is deleted."""
    daemon, api = house
    mind, world = f"gone-{language}", WORLDS[language]
    furnish(api, mind, language)
    asked: list[str] = []
    may_answer = Event()
    endpoint.answer = judging(world["reason"], asked, may_answer)
    api.call("recall", mind=mind, query=world["hard"])
    api.until(lambda: asked, "the judge being asked", PATIENCE_S)
    secret = world["hard"].replace("Tom", "Ulf").replace("汤姆", "乌尔夫")
    said = api.say(mind, secret, speaker="Ann", recall=True)
    api.call("message.delete", mind=mind, id=said["id"])
    api.call("recall", mind=mind, query=world["hard"] + "?")
    may_answer.set()
    api.until(lambda: len(verdicts(daemon, mind)) >= 2, "what the judge taught", PATIENCE_S)
    assert not [prompt for prompt in asked if "Ulf" in prompt or "乌尔夫" in prompt]
