"""Settings of a model that cannot be meant, what the doctor says of an endpoint, embedders that change."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from test_model import settings, tell, wait_for

from daemon_fixture import daemon_process
from misbehaviours import M
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from shell import run
from soulmem.core.schema.engine_tasks import Task
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"MODEL": ""}, "engine.base_url is set, but engine.model is not"),
        ({"BASE_URL": ""}, "engine.model is set, but engine.base_url is not"),
        ({"BASE_URL": "http://[bad"}, "engine.base_url"),
        ({"BASE_URL": "http://127.0.0.1:99999/v1"}, "engine.base_url"),
    ],
)
def test_settings_that_cannot_be_meant_stop_the_start_and_are_told_by_the_doctor(
    tmp_path: Path, given: dict[str, str], said: str
) -> None:
    with scripted_endpoint() as endpoint:
        env = {**os.environ, **settings(endpoint, **given), "HOME": str(tmp_path), "SOULMEM_EMBEDDER_NAME": "hashing"}
        done = run("daemon", "--state", str(tmp_path / "s"), env=env)
        assert done.returncode == 78
        line = done.stderr.decode().strip().splitlines()[-1]
        assert said in line
        assert "bug" not in line
        told = doctor(tmp_path, endpoint, **given)
        assert told["engine"]["verdict"] == "wrong"
        assert said in told["engine"]["found"]
        assert "endpoint" not in told


# -- what people see ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_doctor_tries_every_task(tmp_path: Path, language: str) -> None:
    with scripted_endpoint() as endpoint:
        told = doctor(tmp_path, endpoint, "--language", language)
        assert told["endpoint"]["verdict"] == "fine"
        assert "JSON schema" in told["endpoint"]["found"]
        for task in Task:
            assert told[task.value]["verdict"] == "fine", told[task.value]
            assert "tokens" in told[task.value]["found"]
        assert {request.task for request in endpoint.tasks} == set(Task)


def test_the_doctor_says_what_is_wrong(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        endpoint.misbehaviour = M.NO_MODEL
        told = doctor(tmp_path, endpoint)
        assert told["endpoint"]["verdict"] == "wrong"
        assert "engine.model" in told["endpoint"]["advice"]


def doctor(root: Path, endpoint: ScriptedEndpoint, *arguments: str, **given: str) -> dict[str, dict[str, str]]:
    """Findings of `soulmem doctor --model` by subject."""
    environment = {**os.environ, **settings(endpoint, **given), "HOME": str(root)}
    done = run("doctor", "--model", "--json", "--state", str(root), *arguments, env=environment)
    return {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}


def test_an_embedder_that_changes_its_dimension_is_told_and_waited_for(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = {
            "SOULMEM_EMBEDDER_NAME": "openai",
            "SOULMEM_EMBEDDER_BASE_URL": endpoint.url,
            "SOULMEM_EMBEDDER_MODEL": "tiny-embedder",
        }
        with daemon_process(tmp_path, env=env) as daemon:
            tell(daemon, "mira")
            daemon.settle("mira")
            endpoint.misbehaviour = M.WRONG_SIZE
            daemon.call("message.add", {"mind": "mira", "role": "user", "content": "The bakery burnt down."})
            wait_for(lambda: daemon.events("embedding_failed"))
            line = daemon.events("embedding_failed")[0]["error"]
            assert "embedder.model" in line
            assert "\n" not in line
            assert daemon.call("recall", {"mind": "mira", "query": "bakery"})["items"], "words find it meanwhile"
            endpoint.misbehaviour = M.NONE
            daemon.settle("mira")


def test_what_is_edited_while_it_is_embedded_is_embedded_again(tmp_path: Path) -> None:
    with scripted_endpoint() as endpoint:
        env = {
            "SOULMEM_EMBEDDER_NAME": "openai",
            "SOULMEM_EMBEDDER_BASE_URL": endpoint.url,
            "SOULMEM_EMBEDDER_MODEL": "tiny-embedder",
        }
        with daemon_process(tmp_path, env=env) as daemon:
            daemon.call("mind.create", {"mind": "mira"})
            endpoint.latency_s = 1.0
            before = len(endpoint.requests)
            note = daemon.call("note.add", {"mind": "mira", "kind": "semantic", "text": "The key is under the pot."})
            wait_for(lambda: len(endpoint.requests) > before)
            after = "Olga 奥尔加 took the key with her."
            daemon.call("note.update", {"mind": "mira", "id": note["id"], "text": after})
            endpoint.latency_s = 0.0
            daemon.settle("mira")
        with contextlib.closing(sqlite3.connect(tmp_path / "state" / "minds" / "mira.db")) as connection:
            ((stored,),) = connection.execute("SELECT data FROM vector WHERE kind = 'note'").fetchall()
        wanted = HashingEmbedder().embed([after])[0]
        assert float(np.frombuffer(stored, dtype=np.float32) @ wanted) > 0.999
