"""Edits and deletions while a language model is at work on those very words: what it makes of them is not kept."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process, start, wait_ready
from leftovers import files_with, tables_with
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from spread import spread

START = "2026-03-02T09:00:00Z"
SAID = {
    "en": ("My landlord is called Quarzplover and he hates drums.", "Quarzplover", "My landlord is called Whitlock."),
    "zh": ("我的房东叫鹧鸪岭，他很讨厌打鼓。", "鹧鸪岭", "我的房东叫白洛川，他很讨厌打鼓。"),
}
AROUND = (
    "My office is near the harbour in Bergen.",
    "On Fridays I swim with my neighbour Lars.",
    "我的办公室在港口旁边。",
)


class Held:
    """An endpoint whose answers to one task wait until they are let go."""

    def __init__(self, endpoint: ScriptedEndpoint) -> None:
        self.endpoint = endpoint
        self.task: Task | None = None
        self.came, self.go = threading.Event(), threading.Event()
        endpoint.answer = self.answer

    def hold(self, task: Task) -> None:
        self.came.clear()
        self.go.clear()
        self.task = task

    def answer(self, body: Mapping[str, Any]) -> Any:
        if self.task is not None and task_of(body) is self.task:
            self.came.set()
            assert self.go.wait(60)
        return default_answer(body)

    def let_go(self) -> None:
        self.task = None
        self.go.set()


class House:
    def __init__(self, daemon: Daemon, held: Held) -> None:
        self.daemon, self.held = daemon, held
        self.api: Checking = checking(daemon)
        self.made = 0

    def mind(self, profile: str = "companion", **settings: object) -> str:
        self.made += 1
        flat = {key.replace("__", "."): value for key, value in settings.items()}
        self.api.call("mind.create", mind=f"h{self.made}", profile=profile, settings=flat)
        return f"h{self.made}"

    def tell(self, mind: str, language: str) -> None:
        self.api.say(mind, AROUND[0], id="a", speaker="Ann")
        self.api.say(mind, SAID[language][0], id="secret", speaker="Ann")
        self.api.say(mind, AROUND[1], id="b", speaker="Ann")
        self.api.say(mind, AROUND[2], id="c", speaker="Ann")

    def told(self, mind: str) -> Json:
        """What anybody but the owner's history is told."""
        call = self.api.call
        question = "What is my landlord called? 我的房东叫什么？"
        return {
            "recall": call("recall", mind=mind, query=question, k=50),
            "context": call("context.get", mind=mind, conversation="main", query=question),
            "notes": self.api.notes(mind),
            "forgotten": self.api.notes(mind, state="forgotten"),
            "summaries": rows(self.daemon, mind, "SELECT text, points FROM summary"),
        }


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with scripted_endpoint() as endpoint:
        held = Held(endpoint)
        env = {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "tiny", "SOULMEM_ENGINE_RETRIES": "0",
        }  # fmt: skip
        with daemon_process(tmp_path_factory.mktemp("h"), "--simulated-clock", START, env=env) as daemon:
            yield House(daemon, held)


def change(house: House, mind: str, act: str, language: str) -> Json:
    if act == "delete":
        return house.api.call("message.delete", mind=mind, id="secret")
    return house.api.call("message.update", mind=mind, id="secret", content=SAID[language][2])


@pytest.mark.parametrize(
    ("task", "act", "language"), spread([Task.SUMMARISE, Task.SPLIT, Task.LINK], ["delete", "update"], SAID)
)
def test_what_a_model_made_of_former_words_is_not_kept(house: House, task: Task, act: str, language: str) -> None:
    mind = house.mind(window__capacity=3, window__topic_marks=False)  # three are rolled when the fourth comes
    _, mark, _ = SAID[language]
    house.held.hold(task)
    house.tell(mind, language)
    house.api.call("idle.run", mind=mind, wait=False)
    assert house.held.came.wait(30), "the model is at it"
    changed = change(house, mind, act, language)
    assert mark not in repr(changed)
    assert mark not in repr(house.told(mind))
    house.held.let_go()
    house.api.call("idle.run", mind=mind)
    house.api.settle(mind)
    assert mark not in repr(house.told(mind))
    if act == "delete":
        assert tables_with(house.daemon.state / "minds" / f"{mind}.db", mark) == []
        assert files_with(house.daemon.state, mark, f"{mind}.db") == []
    else:
        assert "Whitlock" in repr(house.told(mind)["notes"]) or "白洛川" in repr(house.told(mind)["notes"])
        former = rows(house.daemon, mind, "SELECT content FROM message_version")
        assert former == [(SAID[language][0],)]
    assert "Bergen" in repr(house.told(mind)["notes"]), "the rest is noted"
    states = {job["state"] for job in house.api.jobs(mind)}
    assert states == {"done"}


@pytest.mark.parametrize("language", SAID)
def test_a_model_s_notes_are_made_anew(house: House, language: str) -> None:
    mind = house.mind()
    house.tell(mind, language)
    house.api.call("idle.run", mind=mind)
    _, mark, right = SAID[language]
    before = [note for note in house.api.notes(mind) if mark in note["text"]]
    assert before
    house.held.hold(Task.SPLIT)
    changed = house.api.call("message.update", mind=mind, id="secret", content=right)
    assert set(changed["withdrawn"]) == {note["id"] for note in before}
    assert house.held.came.wait(30), "an idle mind makes them anew at once"
    house.api.call("message.update", mind=mind, id="secret", content=f"{right} 123")
    assert mark not in repr(house.told(mind))
    house.held.let_go()
    house.api.call("idle.run", mind=mind)
    told = house.told(mind)
    assert mark not in repr(told)
    assert "123" in repr(told["notes"]) or right[:-1] in repr(told["notes"])


def test_a_model_that_is_away_leaves_the_raw_words(house: House) -> None:
    mind = house.mind()
    house.tell(mind, "en")
    house.api.call("idle.run", mind=mind)
    house.held.hold(Task.SPLIT)
    house.api.call("message.update", mind=mind, id="secret", content=SAID["en"][2])
    house.held.came.wait(30)
    house.api.say(mind, "Hello again, it rains.", id="later", speaker="Ann")  # digestion is called off
    items = house.api.call("recall", mind=mind, query="What is my landlord called?", k=50)["items"]
    assert any("Whitlock" in item["text"] for item in items)
    house.held.let_go()
    house.api.call("idle.run", mind=mind)
    assert "Whitlock" in repr(house.api.notes(mind))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.torture) for seed in (1, 2))])
def test_whenever_the_daemon_dies_the_rest_is_done_at_the_next_start(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    with scripted_endpoint() as endpoint:
        held = Held(endpoint)
        env = {"SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "tiny", "SOULMEM_IDLE_AFTER_S": "0.2"}
        with daemon_process(tmp_path, env=env, check_log=False) as daemon:
            home = House(daemon, held)
            mind = home.mind()
            home.tell(mind, "en")
            home.api.call("idle.run", mind=mind)
            held.hold(Task.SPLIT)
            home.api.call("message.update", mind=mind, id="a", content="My office is in Tromsø, near the church.")
            if chance.random() < 0.7:
                held.came.wait(10)
            if seed % 2:
                home.api.call("message.delete", mind=mind, id="secret")
            daemon.kill()
        held.let_go()
        again = start(tmp_path, env=env)
        try:
            wait_ready(again)
            home = House(again, held)
            home.api.until(lambda: not rows(again, mind, "SELECT 1 FROM rederive"), "the rest")
            home.api.settle(mind)
            notes = repr(home.api.notes(mind))
            assert "Bergen" not in notes
            assert "Tromsø" in notes
            if seed % 2:
                home.api.until(lambda: not rows(again, mind, "SELECT 1 FROM erasure"), "the bytes")
                assert files_with(again.state, "Quarzplover") == []
                assert "Quarzplover" not in notes
        finally:
            home.api.client.close()
            again.terminate()
