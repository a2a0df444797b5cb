"""When a language model is asked, and when not: of what left the window, of a night, of a region nobody waits for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import checking
from daemon_fixture import Daemon, daemon_process
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task

CAPACITY = 6
SAID = {
    "en": [f"Tom carried the crate with {thing} to the pier." for thing in "apples pears plums figs dates nuts".split()]
    + [f"Lena painted the {thing} blue." for thing in "fence gate door shed".split()],
    "zh": [f"老王把一箱{thing}搬到了码头。" for thing in ("苹果", "梨", "李子", "无花果", "枣", "核桃")]
    + [f"李娜把{thing}漆成了蓝色。" for thing in ("围栏", "大门", "房门", "棚子")],
}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint() as made:
        yield made


@pytest.fixture(scope="module")
def house(endpoint: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    root: Path = tmp_path_factory.mktemp("asked")
    given = {"BASE_URL": endpoint.url, "MODEL": "tiny", "RETRIES": "0", "PATIENCE_S": "0"}
    env = {f"SOULMEM_ENGINE_{name}": value for name, value in given.items()} | {"SOULMEM_RECALL_CARES": "false"}
    with daemon_process(root, "--simulated-clock", "2026-03-02T18:00:00Z", env=env) as daemon:
        yield daemon


def told(daemon: Daemon, mind: str, language: str, count: int) -> None:
    """A mind that was told the first of it."""
    settings = {"window.capacity": CAPACITY, "reflection.enabled": False}
    daemon.call("mind.create", {"mind": mind, "language": language, "settings": settings})
    say(daemon, mind, SAID[language][:count])


def say(daemon: Daemon, mind: str, lines: list[str]) -> None:
    for line in lines:
        daemon.call("message.add", {"mind": mind, "role": "user", "speaker": "Ann", "content": line})


def summaries(endpoint: ScriptedEndpoint) -> int:
    return sum(request.task is Task.SUMMARISE for request in endpoint.tasks)


def blocks(daemon: Daemon, mind: str) -> dict[str, str]:
    found = daemon.call("context.get", {"mind": mind, "query": "?", "max_tokens": 4_000})["blocks"]
    return {block["kind"]: block["text"] for block in found}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_left_the_window_is_told_until_a_model_summed_it_up(
    house: Daemon, endpoint: ScriptedEndpoint, language: str
) -> None:
    mind, lines, before = f"rolled-{language}", SAID[language], summaries(endpoint)
    told(house, mind, language, CAPACITY + CAPACITY // 2 - 1)
    assert summaries(endpoint) == before, "most of it stands in the window"
    shown = blocks(house, mind)
    assert "summary" not in shown
    assert all(line in shown["window"] for line in lines[: CAPACITY + CAPACITY // 2 - 1])
    say(house, mind, lines[CAPACITY + CAPACITY // 2 - 1 : CAPACITY + CAPACITY // 2])
    checking(house).until(lambda: "summary" in blocks(house, mind), "a summary")
    assert summaries(endpoint) == before + 1
    shown = blocks(house, mind)
    assert lines[0] not in shown["window"]
    assert lines[CAPACITY] in shown["window"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_talk_that_ends_before_costs_no_summary(house: Daemon, endpoint: ScriptedEndpoint, language: str) -> None:
    mind, before = f"short-{language}", summaries(endpoint)
    told(house, mind, language, CAPACITY + 1)
    house.call("idle.run", {"mind": mind})
    assert summaries(endpoint) == before
    jobs = house.call("job.list", {"mind": mind, "limit": 500})["items"]
    assert {job["state"] for job in jobs} == {"done"}
    notes = house.call("note.list", {"mind": mind, "limit": 100})["items"]
    assert len({source["id"] for note in notes for source in note["sources"]}) == CAPACITY + 1, "nothing is lost of it"


def test_a_night_asks_about_a_region_once_enough_was_gone_over(house: Daemon) -> None:
    def asked() -> int:
        totals = house.call("ledger.get", {"mind": "nights", "by": "task"})["totals"]
        return sum(each["calls"] for each in totals if each["task"] == Task.REPLAY)

    told(house, "nights", "en", 3)
    counts = [asked()]
    for night in range(5):
        say(house, "nights", [f"On day {night} {line}" for line in SAID["en"][night : night + 3]])
        house.call("clock.advance", {"seconds": 12 * 3_600})
        house.settle("nights")
        counts.append(asked())
    jobs = house.call("job.list", {"mind": "nights", "limit": 500})["items"]
    gone_over = [job["result"]["notes"] for job in jobs if job["step"] == "replay" and job["result"]]
    assert sum(each > 0 for each in gone_over) >= 2, "it went over them night after night"
    assert counts == [0, 1, 1, 1, 1, 1], "the first time, and not again for so few"
