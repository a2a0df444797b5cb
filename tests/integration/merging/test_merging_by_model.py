"""A model may keep two notes apart; it never words what becomes one, and is not asked of the same pair again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checking import checking
from daemon_fixture import daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import scripted_endpoint
from soulmem.core.schema.engine_tasks import Task

TWICE = {
    "en": (
        "We burnt the lasagne because Tom fell asleep",
        "We burnt the lasagne cos Tom fell asleep, we laughed a lot",
    ),
    "zh": ("我在收容所领养了一只灰猫", "我真的在收容所收养了一只灰猫，好开心"),
}


@pytest.mark.parametrize(("language", "verdict"), [("en", "different"), ("en", "same")])
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
