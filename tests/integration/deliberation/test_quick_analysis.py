"""A model that is quick reads what messages and contexts ask as well; one that is not is not waited for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from checking import Checking, checking, rows
from daemon_fixture import Daemon, daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint
from slowness import within
from soulmem.core.schema.engine_tasks import Task

BOTH = pytest.mark.parametrize("language", ["en", "zh"])
# what is known, what links tie to it (done, happened), much else, a question that leans to neither, a statement
WORLDS = {
    "en": (
        "The bread of Bergen is dark.", "Fold it nine times.", "Somebody burnt a sleeve.", "Fog in Bergen, {} hours.",
        "What of the bread of Bergen, dark?", "The bread of Bergen is dark again.",
    ),
    "zh": (
        "卑尔根的黑面包。", "要叠九回。", "有人烧了袖子。", "卑尔根有雾，{}小时。",
        "卑尔根的黑面包呢？", "卑尔根的面包又黑了。",
    ),
}  # fmt: skip
Asking = Callable[[Checking, str, str, str], Any]
WAYS: dict[str, Asking] = {
    "client": lambda api, mind, text, _: api.call("recall", mind=mind, query=text, k=80),
    "context": lambda api, mind, text, _: api.call("context.get", mind=mind, query=text),
    "message": lambda api, mind, text, talk: api.say(mind, text, speaker="Ann", recall=True, conversation=talk),
    "background": lambda api, mind, text, talk: api.say(mind, text, speaker="Ann", conversation=talk),
}
SLOW_S = 20.0


def leaning(kind: str, *, slow_s: float = 0.0) -> Callable[[Mapping[str, Any]], Any]:
    """A model that takes every question to be after one kind of memory."""

    def answer(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.ANALYSE_QUERY:
            return default_answer(body)
        time.sleep(slow_s)
        shares = {"specific": 0.15, "abstract": 0.1, "semantic": 0.3, "procedural": 0.15} | {kind: 0.45}
        return {"subquestions": [], "depth": "normal", "leaning": shares, "mood": {}}

    return answer


@pytest.fixture(scope="module")
def house(endpoint: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daemon, Checking]]:
    env = {
        "SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "quick", "SOULMEM_ENGINE_RETRIES": "0",
        "SOULMEM_ENGINE_ANALYSIS": "normal", "SOULMEM_EMBEDDER_NAME": "hashing", "SOULMEM_ENGINE_CONCURRENCY": "8",
    }  # fmt: skip
    with daemon_process(tmp_path_factory.mktemp("quick"), env=env) as daemon:
        yield daemon, checking(daemon)


@pytest.fixture(autouse=True)
def _well_behaved(endpoint: ScriptedEndpoint) -> Iterator[None]:
    yield
    endpoint.answer = default_answer


def furnish(api: Checking, mind: str, language: str) -> dict[str, str]:
    door, act, event, fog, *_ = WORLDS[language]
    api.call("mind.create", mind=mind)
    api.call("mind.update", mind=mind, settings={"recall.min_score": 0.0, "recall.k": 80})
    ids = {"door": api.note(mind, door, kind="semantic")}
    for hours in range(64):
        api.note(mind, fog.format(hours))
    ids |= {"act": api.note(mind, act, kind="procedural"), "event": api.note(mind, event, valence=-1.0)}
    for end in ("act", "event"):
        api.call("link.add", mind=mind, src=ids["door"], dst=ids[end], kind="association", strength=0.5)
    api.settle(mind)
    return ids


def places(house: tuple[Daemon, Checking], mind: str, way: str, text: str, talk: str) -> dict[str, int]:
    """At which places a recall on record brought notes."""
    daemon, api = house
    WAYS[way](api, mind, text, talk)
    pending = "SELECT count(*) FROM recall WHERE state = 'pending'"
    api.until(lambda: rows(daemon, mind, pending) == [(0,)], "the recall")
    hits = "SELECT item, rank FROM recall_hit WHERE kind = 'note' AND recall = (SELECT max(id) FROM recall)"
    return {f"n{item}": rank for item, rank in rows(daemon, mind, hits)}


def analyses(endpoint: ScriptedEndpoint) -> int:
    return sum(each.task is Task.ANALYSE_QUERY for each in endpoint.requests)


@BOTH
@pytest.mark.parametrize("way", list(WAYS))
def test_a_quick_model_says_what_is_asked_whichever_way_it_is_put(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, way: str, language: str
) -> None:
    found = {}
    for kind in ("procedural", "specific"):
        mind = f"{kind}-{way}-{language}"
        ids = furnish(house[1], mind, language)
        endpoint.answer = leaning(kind)
        before = analyses(endpoint)
        found[kind] = places(house, mind, way, WORLDS[language][4], "one")
        assert analyses(endpoint) == before + 1
    assert found["procedural"][ids["act"]] < found["procedural"][ids["event"]]
    assert found["specific"][ids["event"]] < found["specific"][ids["act"]]


@BOTH
def test_a_mood_that_is_told_counts_whatever_the_model_says(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, language: str
) -> None:
    mind, question = f"mood-{language}", WORLDS[language][4]
    ids = furnish(house[1], mind, language)
    endpoint.answer = leaning("semantic")
    found = {}
    for valence in (-1, 1):
        mood = {"valence": valence, "arousal": 1}
        items = house[1].found(mind, question, k=80, mood=mood)
        found[valence] = {item["id"]: place for place, item in enumerate(items)}
    assert found[-1][ids["event"]] < found[-1][ids["act"]]
    assert found[1][ids["act"]] < found[1][ids["event"]]


@BOTH
def test_a_statement_is_not_read_by_a_model(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, language: str
) -> None:
    mind = f"told-{language}"
    furnish(house[1], mind, language)
    before = analyses(endpoint)
    for way in ("context", "message", "background"):
        assert places(house, mind, way, WORLDS[language][5], "one")
    assert analyses(endpoint) == before


@BOTH
def test_a_model_that_is_slow_is_left_alone_for_a_while(
    house: tuple[Daemon, Checking], endpoint: ScriptedEndpoint, language: str
) -> None:
    """The first message waits for a tenth of a second, and is answered by its words; the next do not wait."""
    mind, question = f"slow-{language}", WORLDS[language][4]
    ids = furnish(house[1], mind, language)
    endpoint.answer = leaning("procedural", slow_s=SLOW_S)
    before, began = analyses(endpoint), time.monotonic()
    for number, way in enumerate(("message", "context", "message", "background")):
        found = places(house, mind, way, question, f"talk{number}")
        assert {ids["act"], ids["event"]} <= found.keys()
    assert time.monotonic() - began < within(SLOW_S / 4)
    assert analyses(endpoint) == before + 1
