"""Drift by what words mean: with the real model, with one that cannot read, without any language model."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from soulmem.embed.install import install_minilm
from soulmem.embed.manifest import default_models_dir
from soulmem.errors import SoulmemError
from tiny_model import write_model

START = "2026-03-01T08:00:00Z"
DAY = 86_400
LATE = 9.5
DRIFTING: Json = {"forgetting.clock": "wall", "forgetting.drift": True}
ENGLISH = "Olga baked a cake with Mira on 12 May 2023 in the garden."
CHINESE = "奥尔加2023年5月12日和米拉在花园里烤了一个蛋糕。"
UNREACHABLE = ("reach", "does not offer", "no pip", "did not finish")


def tried(api: Checking, mind: str) -> list[Json]:
    return [job["result"] for job in api.jobs(mind) if job["step"] == "drift"]


def marked(daemon: Daemon, mind: str) -> int:
    return len(rows(daemon, mind, "SELECT * FROM drift"))


@pytest.fixture(scope="module")
def minilm() -> str:
    try:
        install_minilm(default_models_dir(), progress=lambda line: None)
    except SoulmemError as error:
        if any(word in error.message for word in UNREACHABLE):
            pytest.skip(f"the weights cannot be had here: {error.message}")
        raise
    return "minilm"


@pytest.mark.weights
def test_a_day_becomes_its_month_and_what_is_not_read_stays(minilm: str, tmp_path: Path) -> None:
    """The built-in engine's ladder and the real model's meanings, nothing scripted."""
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


def test_what_the_embedder_cannot_read_does_not_drift(tmp_path: Path) -> None:
    env = {"SOULMEM_EMBEDDER_NAME": str(write_model(tmp_path / "tiny")), "SOULMEM_ENGINE_NAME": "extractive"}
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", settings=DRIFTING)
        notes = {
            api.note("m", ENGLISH, elements=[{"quote": "on 12 May 2023", "level": 2, "gist": "in May 2023"}]): ENGLISH,
            api.note("m", CHINESE, elements=[{"quote": "2023年5月12日", "level": 2, "gist": "2023年5月"}]): CHINESE,
        }
        api.call("clock.advance", seconds=LATE * DAY)
        for note, text in notes.items():
            assert api.call("note.get", mind="m", id=note)["note"]["text"] == text
        assert marked(daemon, "m") == 2
        assert sum(result["drifted"] for result in tried(api, "m")) == 0
