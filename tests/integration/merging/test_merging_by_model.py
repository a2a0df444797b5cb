"""A model may keep two notes apart, and say what both are occasions of; it never words what becomes one."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import Daemon, daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.store.session.verify import damages
from soulmem.store.sqlite import driver

TWICE = {
    "en": (
        "We burnt the lasagne because Tom fell asleep",
        "We burnt the lasagne cos Tom fell asleep, we laughed a lot",
    ),
    "zh": ("我和老王看了一部关于鲸鱼的电影", "我和老王看了一部关于鲸鱼的电影，笑死了"),
}


@pytest.mark.parametrize(("language", "verdict"), [("en", "different"), ("en", "same"), ("zh", "different")])
def test_a_model_has_a_veto_and_no_more(language: str, verdict: str, tmp_path: Path) -> None:
    def answer(body: Any) -> Any:
        if task_of(body) is Task.MERGE:
            return json.dumps({"verdict": verdict, "text": "x"})
        return default_answer(body)

    with scripted_endpoint() as endpoint:
        endpoint.answer = answer
        env = {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url,
            "SOULMEM_ENGINE_MODEL": "scripted",
            "SOULMEM_ENGINE_RETRIES": "0",
        }
        with daemon_process(tmp_path, env=env) as daemon:
            api = checking(daemon)
            api.call("mind.create", mind="m", profile="companion")
            for text in TWICE[language]:
                api.say("m", text, speaker="Ann")
                api.call("idle.run", mind="m")
            api.call("idle.run", mind="m")
            found = [note["text"] for note in api.notes("m")]
            asked = [request for request in endpoint.tasks if request.task is Task.MERGE]
    assert len(asked) == 1
    assert len(found) == (1 if verdict == "same" else 2), found
    assert any(TWICE[language][1][-4:] in text for text in found), "the words are those of the one that tells more"


SITUATION = {"en": "dinners that went wrong", "zh": "去影院的晚上"}
INVENTED = {"en": "dinners with Marta", "zh": "陪王小明去影院"}


@contextlib.contextmanager
def variants(root: Path, language: str, text: str) -> Iterator[tuple[Daemon, Checking, list[Any]]]:
    """A mind that was told of two occasions which a model calls variants of one kind, and the requests about it."""

    def answer(body: Any) -> Any:
        if task_of(body) is Task.MERGE:
            return json.dumps({"verdict": "variant", "text": text}, ensure_ascii=False)
        return default_answer(body)

    with scripted_endpoint() as endpoint:
        endpoint.answer = answer
        env = {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url,
            "SOULMEM_ENGINE_MODEL": "scripted",
            "SOULMEM_ENGINE_RETRIES": "0",
        }
        with daemon_process(root, env=env) as daemon:
            api = checking(daemon)
            api.call("mind.create", mind="m", profile="companion", settings={"reflection.enabled": False})
            for number, said in enumerate(TWICE[language]):
                api.say("m", said, speaker="Ann", id=f"t{number}")
                api.call("idle.run", mind="m")
                api.settle("m")
            yield daemon, api, endpoint.tasks


def above(api: Checking) -> list[Json]:
    return [note for note in api.notes("m") if note["kind"] == "abstract"]


@pytest.mark.parametrize("language", TWICE)
def test_variants_stand_below_what_they_are_occasions_of(language: str, tmp_path: Path) -> None:
    with variants(tmp_path, language, SITUATION[language]) as (daemon, api, tasks):
        (parent,) = above(api)
        below = [note for note in api.notes("m") if note["kind"] == "episodic"]
        assert (parent["text"], len(below)) == (SITUATION[language], 2)
        assert {source["id"] for source in parent["sources"]} == {"t0", "t1"}, "it rests on what both rest on"
        ends = {(link["src"], link["dst"]) for link in api.links("m") if link["kind"] == "abstract_of"}
        assert ends == {(parent["id"], note["id"]) for note in below}
        assert damages(daemon.state / "minds" / "m.db") == []
        api.call("note.forget", mind="m", id=parent["id"])
        api.call("idle.run", mind="m")
        api.say("m", TWICE[language][0], speaker="Ann", id="t2")
        api.call("idle.run", mind="m")
        left = [note["id"] for note in api.notes("m") if note["kind"] == "episodic"]
        assert {note["id"] for note in below} <= set(left), "they stay two"
        assert above(api) == [], "what somebody forgot is not put above them again"
        asked = [task for task in tasks if task.task is Task.MERGE]
        assert len(asked) == 1
        back = api.call("note.restore", mind="m", id=parent["id"])
        assert back["restored"]
        assert damages(daemon.state / "minds" / "m.db") == []


@pytest.mark.parametrize("language", TWICE)
def test_what_nobody_said_is_put_above_nothing(language: str, tmp_path: Path) -> None:
    with variants(tmp_path, language, INVENTED[language]) as (_, api, _tasks):
        assert above(api) == []
        assert len(api.notes("m")) == 2, "and they are two"


@pytest.mark.parametrize("language", TWICE)
def test_a_situation_goes_with_the_words_it_rests_on(language: str, tmp_path: Path) -> None:
    with variants(tmp_path, language, SITUATION[language]) as (daemon, api, _):
        assert above(api)
        for number in range(2):
            api.call("message.delete", mind="m", conversation="main", id=f"t{number}")
        api.call("idle.run", mind="m")
        api.settle("m")
        assert api.notes("m") == []
        file = daemon.state / "minds" / "m.db"
        assert damages(file) == []
        assert SITUATION[language].encode() not in file.read_bytes()


def test_doctor_sees_what_is_wrong_with_a_situation(tmp_path: Path) -> None:
    with variants(tmp_path, "en", SITUATION["en"]) as (daemon, api, _):
        (parent,) = above(api)
        assert daemon.terminate() == 0
        file = daemon.state / "minds" / "m.db"
    with contextlib.closing(driver.writer(file)()) as mind:
        mind.execute("DELETE FROM note_source WHERE note = ?", (int(parent["id"][1:]),))
        mind.execute("UPDATE note SET kind = 'semantic' WHERE id IN (SELECT dst FROM link WHERE kind = 'abstract_of')")
    found = [line for line in damages(file) if "stands above" in line]
    assert len(found) == 3, found
