"""Drift by what words mean: with the real model, with one that cannot read, without any language model."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from real_model import installed_minilm
from scripted_endpoint import scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.embed.adapters.onnx_embedder import OnnxEmbedder
from soulmem.ports import BLIND_BELOW
from tiny_model import write_model

START = "2026-03-01T08:00:00Z"
DAY = 86_400
LATE = 9.5
DRIFTING: Json = {"forgetting.clock": "wall", "forgetting.drift": True}
ENGLISH = "Olga baked a cake with Mira on 12 May 2023 in the garden."
CHINESE = "小苇把紫水晶镯子、铜钥匙、旧怀表统统藏进面包房柜子抽屉底下，那是2023年5月12日。"


def tried(api: Checking, mind: str) -> list[Json]:
    return [job["result"] for job in api.jobs(mind) if job["step"] == "drift"]


def marked(daemon: Daemon, mind: str) -> int:
    return len(rows(daemon, mind, "SELECT * FROM drift"))


@pytest.mark.weights
def test_a_day_becomes_its_month_and_what_is_not_read_stays(tmp_path: Path) -> None:
    """The built-in engine's ladder and the real model's meanings, nothing scripted."""
    minilm = "minilm"
    embedder = OnnxEmbedder(installed_minilm(), name=minilm)
    assert embedder.coverage(CHINESE) < BLIND_BELOW < embedder.coverage(ENGLISH)
    env = {"SOULMEM_EMBEDDER_NAME": minilm, "SOULMEM_ENGINE_NAME": "extractive"}
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", settings=DRIFTING)
        dated = [{"quote": "on 12 May 2023", "level": 2, "gist": "in May 2023"}]
        english = api.note("m", ENGLISH, elements=dated, at="2023-05-12T15:00:00Z")
        chinese = api.note("m", CHINESE, elements=[{"quote": "2023年5月12日", "level": 2, "gist": "2023年5月"}])
        api.call("note.add", mind="m", kind="semantic", text="May is a month.")
        api.settle("m")
        api.call("clock.advance", seconds=LATE * DAY)
        after = api.call("note.get", mind="m", id=english)["note"]
        assert after["text"] == ENGLISH.replace("on 12 May 2023", "in May 2023")
        [detail] = [each for each in after["elements"] if each["level"] == 2]
        assert "May" not in detail["gist"]
        assert "12" not in (after["at"] or "")[8:10], "nor does its time tell the day"
        [told] = api.call("note.history", mind="m", id=english)["history"][-1]["detail"]["details"]
        assert 0.55 <= told["likeness"] < 1
        assert all(0 < each < 2 for each in told["rarity"]), "how far from what this mind has concepts of"
        assert api.call("note.get", mind="m", id=chinese)["note"]["text"] == CHINESE
        assert marked(daemon, "m") == 2, "both were looked at"
        assert [result for result in tried(api, "m") if result["tried"]] == [{"tried": 2, "drifted": 1}]


def test_what_the_embedder_cannot_read_is_put_to_no_model(tmp_path: Path) -> None:
    """A model that knows a few dozen words, asked about a note in those words and about two in others."""
    with scripted_endpoint() as endpoint:
        env = {
            "SOULMEM_EMBEDDER_NAME": str(write_model(tmp_path / "tiny")),
            "SOULMEM_ENGINE_BASE_URL": endpoint.url,
            "SOULMEM_ENGINE_MODEL": "small",
        }
        with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
            api = checking(daemon)
            api.call("mind.create", mind="m", settings=DRIFTING)
            for text, detail, gist in (
                ("anna went to the lake with a cat", "the lake", "a cat"),
                (ENGLISH, "on 12 May 2023", "in May 2023"),
                (CHINESE, "2023年5月12日", "2023年5月"),
            ):
                api.note("m", text, elements=[{"quote": detail, "level": 2, "gist": gist}])
            api.call("clock.advance", seconds=LATE * DAY)
            asked = [each.body["messages"][-1]["content"] for each in endpoint.tasks if each.task is Task.MISREMEMBER]
            assert len(asked) == 1
            assert "the lake" in asked[0]
            assert marked(daemon, "m") == 3, "all were looked at"


def test_names_are_taken_from_what_everybody_may_know_who_knows_the_note(tmp_path: Path) -> None:
    """Details of one conversation are not mistaken for names that were heard in another."""
    with scripted_endpoint() as endpoint:
        env = {"SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "small"}
        with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
            api = checking(daemon)
            api.call("mind.create", mind="m", settings=DRIFTING)
            for conversation, speaker, town in (("here", "Oona", "Lisbon"), ("there", "Ruben", "Porto")):
                for _ in range(2):
                    api.say("m", f"I moved to {town} in May.", speaker=speaker, conversation=conversation)
            api.call("idle.run", mind="m")
            text = "There was a parade with violet lanterns down at the quay."
            detail = [{"quote": "violet lanterns", "level": 2, "gist": "lights"}]
            api.note("m", text, elements=detail, conversation="here")
            api.call("clock.advance", seconds=LATE * DAY)
            asked = [each.body["messages"][-1]["content"] for each in endpoint.tasks if each.task is Task.MISREMEMBER]
            [asked_here] = [each for each in asked if "violet lanterns" in each]
            assert "Oona" in asked_here, "a name of the same conversation"
            assert "Ruben" not in asked_here
