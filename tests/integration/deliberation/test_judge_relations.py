"""A judge sees what links say and which way they run, follows those it chooses, and what it names learns."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task

PATIENCE_S = 20.0
Answer = Callable[[str], dict[str, Any]]

WORLDS: dict[str, dict[str, Any]] = {
    "en": {
        "question": "Who taught the baker of Bergen his trade?",
        "near": "The baker of Bergen is called Anselm.",
        "other": "Ruy taught Anselm the baker how to knead.",
        "bridge": "harbour school",
        "far": "Old Gustavo lectured there for forty years.",
        "wrong": "The lamp was lit, on evening {}.",
        "verbs": ("is pupil of", "walks past"),
        "mutual": "—reminds of—",
        "noise": "Fog lay on Bergen for {} days.",
    },
    "zh": {
        "question": "卑尔根的面包师跟谁学的手艺？",
        "near": "卑尔根的面包师叫安瑟姆。",
        "other": "鲁意教过面包师安瑟姆揉面的手艺。",
        "bridge": "码头学堂",
        "far": "古斯塔夫每天清早都在那里。",
        "wrong": "灯亮了，第{}个晚上。",
        "verbs": ("师从", "路过"),
        "mutual": "—让人想起—",
        "noise": "卑尔根起雾{}天。",
    },
}  # fmt: skip
BOTH = pytest.mark.parametrize("language", ["en", "zh"])


@pytest.fixture(scope="module")
def api(endpoint: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checking]:
    env = {
        "SOULMEM_ENGINE_BASE_URL": endpoint.url,
        "SOULMEM_ENGINE_MODEL": "relations",
        "SOULMEM_ENGINE_INTERACTIVE_DEADLINE_S": "20",
        "SOULMEM_EMBEDDER_NAME": "hashing",
    }
    with daemon_process(tmp_path_factory.mktemp("relations"), env=env) as daemon:
        yield checking(daemon)


def judging(answer: Answer) -> Callable[[Mapping[str, Any]], Any]:
    """A model that answers judgements as `answer` makes of the prompt, and everything else well."""

    def respond(body: Mapping[str, Any]) -> Any:
        if task_of(body) is not Task.JUDGE:
            return default_answer(body)
        usual = {
            "sufficient": False, "confidence": 0.9, "missing": ["?"], "useful_nodes": [], "useful_links": [],
            "useful_dummies": [], "follow": [],
        }  # fmt: skip
        return usual | answer(body["messages"][-1]["content"])

    return respond


def prompts(endpoint: ScriptedEndpoint, since: int) -> list[str]:
    asked = [each for each in endpoint.requests[since:] if each.task is Task.JUDGE]
    return [each.body["messages"][-1]["content"] for each in asked]


def label_of(prompt: str, text: str) -> str:
    """The label of the line that holds a text."""
    return next(line.split("]")[0].strip("[") for line in prompt.splitlines() if text in line and line[:1] == "[")


def think(api: Checking, mind: str, language: str, *, k: int = 5, **more: Any) -> Json:
    asked = {"query": WORLDS[language]["question"], "depth": "deep", "k": k, "explain": True, "record": False, **more}
    found: Json = api.call("recall", mind=mind, **asked)
    return found


def furnish(api: Checking, mind: str, language: str) -> dict[str, str]:
    """What sounds like the question; from it two relations lead on, one to the answer; much fog beside."""
    world = WORLDS[language]
    ids = {name: api.note(mind, world[name]) for name in ("near", "other", "far")}
    ids["bridge"] = api.call("note.add", mind=mind, kind="semantic", text=world["bridge"])["id"]
    ids |= {f"noise{n}": api.note(mind, world["noise"].format(n)) for n in range(70)}
    api.call("link.add", mind=mind, src=ids["near"], dst=ids["other"], kind="association", strength=0.5)
    return ids


@BOTH
def test_it_reads_what_a_link_says_and_which_way_it_runs(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    world, mind = WORLDS[language], f"reads-{language}"
    ids = furnish(api, mind, language)
    third = api.note(mind, world["near"].replace("Anselm", "Ole").replace("安瑟姆", "奥勒"))
    api.call("link.add", mind=mind, src=ids["other"], dst=third, kind="semantic", verb=world["verbs"][0], strength=0.5)
    api.call("link.add", mind=mind, src=third, dst=ids["near"], kind="supersedes", strength=0.5)
    endpoint.answer = judging(lambda _prompt: {"sufficient": True, "missing": [], "useful_nodes": ["N1"]})
    before = len(endpoint.requests)
    think(api, mind, language)
    shown = prompts(endpoint, before)[0]
    name, replaces = ("Ole", "replaces") if language == "en" else ("奥勒", "取代了")
    near, other, last = (label_of(shown, text) for text in (world["near"], world["other"], name))
    either = rf"({near} {world['mutual']} {other}|{other} {world['mutual']} {near})"
    for line in (f"{other} —{world['verbs'][0]}→ {last}", f"{last} —{replaces}→ {near}", either):
        assert re.search(rf"^\[L\d+\] {line}$", shown, re.MULTILINE), shown


@BOTH
def test_it_is_led_by_the_relation_it_chooses_and_goes_back_where_that_leads_nowhere(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    """It chooses the wrong relation first; of the note that it saw at first the right one is still offered."""
    world, mind = WORLDS[language], f"chooses-{language}"
    ids = furnish(api, mind, language)
    right, wrong = world["verbs"]
    for n in range(40):
        lamp = api.note(mind, world["wrong"].format(n))
        api.call("link.add", mind=mind, src=ids["near"], dst=lamp, kind="semantic", verb=wrong, strength=0.6)
    api.call("link.add", mind=mind, src=ids["far"], dst=ids["near"], kind="semantic", verb=right, strength=0.06)
    chosen: list[str] = []

    def choose(prompt: str) -> dict[str, Any]:
        if world["far"] in prompt:
            return {"sufficient": True, "missing": [], "useful_nodes": [label_of(prompt, world["far"])]}
        offered = {
            verb: match[1]
            for verb in world["verbs"]
            if (match := re.search(rf"^\[(R\d+)\] .*—{verb}→.*$", prompt, re.MULTILINE))
        }
        verb = wrong if not chosen and wrong in offered else right
        chosen.append(verb)
        return {"follow": [offered[verb]] if verb in offered else []}

    endpoint.answer = judging(choose)
    before = len(endpoint.requests)
    found = think(api, mind, language)
    told = prompts(endpoint, before)
    assert chosen == [wrong, right], told[-1]
    assert found["items"][0]["id"] == ids["far"]
    assert [each["followed"] for each in found["deliberation"]["judgements"]] == [1, 1, 0]
    assert found["deliberation"]["reflections"] == 0
    assert world["far"] not in told[0] + told[1], "what lies beyond a relation is not told before it is chosen"
    # It runs from what lies beyond to what was seen, and says so, by name now that this is no longer in view.
    backwards = re.search(rf"^\[R\d+\] \(1[^)]*\) —{right}→ (.+)$", told[1], re.MULTILINE)
    assert backwards
    assert world["near"][:20] in backwards[1]


def reached(api: Checking, mind: str, language: str, note: str, tier: str) -> Json:
    """What is answered once `note` comes by `tier`; learning waits for a calm moment."""
    until = time.monotonic() + PATIENCE_S
    while True:
        found = think(api, mind, language, k=40, kinds=["episodic"])
        if any(item["id"] == note and item["tier"] == tier for item in found["items"]):
            return found
        assert time.monotonic() < until, [(item["id"], item["tier"]) for item in found["items"]]
        time.sleep(0.1)


@BOTH
def test_a_bridge_that_helped_makes_the_way_it_stands_for_easier(
    api: Checking, endpoint: ScriptedEndpoint, language: str
) -> None:
    """The way leads over a note that is not shown: the judge names the bridge alone, its links learn."""
    world, mind = WORLDS[language], f"bridge-{language}"
    ids = furnish(api, mind, language)
    api.call("link.add", mind=mind, src=ids["near"], dst=ids["bridge"], kind="semantic", strength=0.5)
    api.call("link.add", mind=mind, src=ids["bridge"], dst=ids["far"], kind="semantic", strength=0.5)

    def name_the_bridge(prompt: str) -> dict[str, Any]:
        if world["far"] not in prompt:
            return {}
        ends = rf"{label_of(prompt, world['near'])} ⇢ {label_of(prompt, world['far'])}"
        bridge = re.search(rf"^\[(D\d+)\] {ends}$", prompt, re.MULTILINE)
        return {"sufficient": True, "missing": [], "useful_dummies": [bridge[1]] if bridge else []}

    endpoint.answer = judging(name_the_bridge)
    before = len(endpoint.requests)
    first = think(api, mind, language, k=40, kinds=["episodic"], record=True)
    told = prompts(endpoint, before)
    assert all(f"] {world['bridge']}\n" not in prompt for prompt in told)
    assert next(item["tier"] for item in first["items"] if item["id"] == ids["far"]) == "ppr"
    endpoint.answer = judging(lambda _prompt: {"sufficient": True, "missing": []})
    learnt = reached(api, mind, language, ids["far"], "expansion")
    way = next(item for item in learnt["items"] if item["id"] == ids["far"])["why"]["path"]
    assert [step["dst"] for step in way] == [ids["bridge"], ids["far"]]


DOUBTFUL: dict[str, Answer] = {
    "praise": lambda prompt: {
        "sufficient": True, "missing": [], "useful_nodes": re.findall(r"^\[(N\d+)\]", prompt, re.MULTILINE),
        "useful_links": re.findall(r"^\[(L\d+)\]", prompt, re.MULTILINE),
    },
    "nothing": lambda _prompt: {"sufficient": True, "missing": []},
    "both": lambda _prompt: {"sufficient": True, "missing": ["who it was"], "useful_nodes": ["N1", "N2", "N3"]},
    "invented": lambda _prompt: {"useful_links": ["L99", "D7"], "useful_nodes": ["N77"], "follow": ["R55", "N1"]},
}  # fmt: skip


@BOTH
@pytest.mark.parametrize(
    ("kind", "doubt"),
    [("praise", "all_useful"), ("nothing", "contradiction"), ("both", "contradiction"), ("invented", None)],
)
def test_a_judge_that_is_wrong_is_told_of_and_teaches_little(
    api: Checking, endpoint: ScriptedEndpoint, language: str, kind: str, doubt: str | None
) -> None:
    mind = f"doubt-{kind}-{language}"
    ids = furnish(api, mind, language)
    ids |= {f"like{n}": api.note(mind, WORLDS[language]["near"] + str(n)) for n in range(6)}
    endpoint.answer = judging(DOUBTFUL[kind])
    found = think(api, mind, language, record=True)
    assert found["deliberation"]["doubt"] == doubt
    assert found["deliberation"]["calls"] <= 12
    assert {item["id"] for item in found["items"]} <= {*ids.values()}
    assert all(each["followed"] == 0 for each in found["deliberation"]["judgements"])
    if kind == "invented":
        assert all(each["useful"] == 0 for each in found["deliberation"]["judgements"])
