"""A model concludes: what was noted and what belongs to it, insights with their evidence, trees; and one that lies."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from recurring_weeks import START, LivedWeeks, reflections
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.store.session.verify import damages

Body = Mapping[str, Any]
_SHOWN = re.compile(r"^\[(N\d+)\] (?:\([^)]*\) |（[^）]*）)?(.*)$", re.MULTILINE)
_COUNT = itertools.count()
THOUGHT = "leaning"
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
OBSERVED, THRESHOLD = (300, 150.0) if LONG else (144, 72.0)  # in a day, and what makes a mind think it over
HOUR = 3_600
OF_REFLECTION = {Task.INSIGHTS}


def shown(body: Body) -> list[tuple[str, str]]:
    """The labels of the statements and what they say."""
    asked = next(message["content"] for message in body["messages"] if message["role"] == "user")
    return _SHOWN.findall(asked)


def thought() -> str:
    """An insight unlike any other."""
    number = next(_COUNT)
    words = ["".join(chr(ord("b") + int(digit)) for digit in f"{number * 7 + place * 1_009:05d}") for place in range(4)]
    return f"what is told shows a {THOUGHT} towards {' and '.join(words)}"


def thinks(cites: Callable[[list[tuple[str, str]]], list[list[str]]]) -> Callable[[Body], Any]:
    """A model that answers everything well, and whose insights rest on what `cites` picks of the statements."""

    def answer(body: Body) -> Any:
        if task_of(body) is Task.INSIGHTS:
            return {"insights": [{"text": thought(), "evidence": labels} for labels in cites(shown(body))]}
        return default_answer(body)

    return answer


def deep_first(statements: list[tuple[str, str]]) -> list[list[str]]:
    """Two insights of two statements each, what was concluded before among them where it is shown."""
    order = sorted(statements, key=lambda each: (THOUGHT not in each[1], each[0]))
    labels = [label for label, _ in order]
    return [labels[:2], labels[1:3]]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedEndpoint]:
    with scripted_endpoint() as made:
        yield made


@pytest.fixture
def endpoint(model: ScriptedEndpoint) -> ScriptedEndpoint:
    """The model of the file, before which nobody has stood yet."""
    model.answer = thinks(deep_first)
    model.requests.clear()
    return model


def with_model(endpoint: ScriptedEndpoint) -> dict[str, str]:
    given = {"BASE_URL": endpoint.url, "MODEL": "tiny", "RETRIES": "0", "PATIENCE_S": "0"}
    return {f"SOULMEM_ENGINE_{name}": value for name, value in given.items()} | {"SOULMEM_RECALL_CARES": "false"}


@pytest.fixture(scope="module")
def weeks(model: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> LivedWeeks:
    """Weeks that were noted and not thought over yet."""
    settings = {"reflection.enabled": False, "reflection.threshold": 50.0}
    return LivedWeeks(tmp_path_factory.mktemp("weeks"), settings, with_model(model))


@contextlib.contextmanager
def thought_over(weeks: LivedWeeks, root: Path, language: str = "en") -> Iterator[tuple[Daemon, str]]:
    """A daemon whose mind now thinks its weeks over."""
    with weeks.daemon(root, language) as (daemon, mind):
        daemon.call("mind.update", {"mind": mind, "settings": {"reflection.enabled": True}})
        daemon.call("idle.run", {"mind": mind})
        yield daemon, mind


def asked_of(endpoint: ScriptedEndpoint) -> list[Task]:
    return [request.task for request in endpoint.tasks if request.task in OF_REFLECTION]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_model_concludes_from_what_belongs_to_its_questions(
    endpoint: ScriptedEndpoint, weeks: LivedWeeks, tmp_path: Path, language: str
) -> None:
    with thought_over(weeks, tmp_path, language) as (house, mind):
        own = [each for each in reflections(house, mind) if each["by"] != "statistics"]
        assert own
        assert {each["by"] for each in own} == {"openai:tiny"}
        known = {note["id"] for note in house.call("note.list", {"mind": mind, "limit": 500})["items"]}
        for each in own:
            assert THOUGHT in each["text"]
            assert {on["id"] for on in each["evidence"]} <= known
            assert len(each["evidence"]) >= 2
        assert len(asked_of(endpoint)) == 1, "one call, whatever is asked"
        assert damages(house.state / "minds" / f"{mind}.db") == []
        again = len(asked_of(endpoint))
        house.call("idle.run", {"mind": mind})
        assert not asked_of(endpoint)[again:], "nothing was noted since"


def _outside(_: list[tuple[str, str]]) -> list[list[str]]:
    return [["N901", "N902"], ["Z7", "Q8"]]


def _every(statements: list[tuple[str, str]]) -> list[list[str]]:
    return [[label for label, _ in statements]]


def _same(body: Body) -> Any:
    if task_of(body) is Task.INSIGHTS:
        labels = [label for label, _ in shown(body)][:2]
        return {"insights": [{"text": "whoever is told of keeps to what is known", "evidence": labels}] * 5}
    return default_answer(body)


def _nothing(body: Body) -> Any:
    return {task_of(body).value: []} if task_of(body) in OF_REFLECTION else default_answer(body)  # type: ignore[union-attr]


LIARS: dict[str, tuple[Callable[[Body], Any], int]] = {
    "nothing": (_nothing, 0), "ids outside the list": (thinks(_outside), 0), "every label": (thinks(_every), 0),
    "the same again": (_same, 1),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIARS)
def test_a_model_that_lies_costs_bounded_work_and_one_line(
    endpoint: ScriptedEndpoint, weeks: LivedWeeks, tmp_path: Path, lie: str
) -> None:
    endpoint.answer, kept = LIARS[lie]
    with thought_over(weeks, tmp_path) as (house, mind):
        assert len([each for each in reflections(house, mind) if each["by"] != "statistics"]) <= kept
        jobs = house.call("job.list", {"mind": mind, "limit": 500})["items"]  # of what comes often the log tells a part
        runs = [job for job in jobs if job["step"] == "reflect" and job["state"] == "done"]
        assert len(runs) >= 1
        assert asked_of(endpoint), "it was asked"
        assert len(asked_of(endpoint)) <= 2 * len(runs), "it is put once more with what was wrong"
        about = [line for line in house.log() if "insight" in str(line) and line["event"] not in {"model_called"}]
        assert len(about) <= 6 * len(runs), about
        assert damages(house.state / "minds" / f"{mind}.db") == []


@pytest.mark.usefixtures("endpoint")
def test_what_a_model_concluded_is_made_anew_when_its_evidence_goes(weeks: LivedWeeks, tmp_path: Path) -> None:
    with thought_over(weeks, tmp_path) as (house, mind):
        before = next(each for each in reflections(house, mind) if each["by"] != "statistics" and each["depth"] == 1)
        gone = before["evidence"][0]["id"]
        house.call("note.forget", {"mind": mind, "id": gone})
        assert next(each["stale"] for each in reflections(house, mind) if each["id"] == before["id"])
        house.call("idle.run", {"mind": mind})
        assert not any(each["stale"] for each in reflections(house, mind))
        assert gone not in [on["id"] for each in reflections(house, mind) for on in each["evidence"]]
        assert damages(house.state / "minds" / f"{mind}.db") == []


def observed(daemon: Daemon, mind: str) -> tuple[int, float]:
    """How many observations there are, and their importances together, 1 to 10 each."""
    items: list[dict[str, Any]] = []
    cursor: dict[str, Any] = {}
    while True:
        page = daemon.call("note.list", {"mind": mind, "limit": 500, **cursor})
        items += [note for note in page["items"] if note["kind"] != "reflection"]
        if page["next_cursor"] is None:
            return len(items), sum(10 * note["importance"] for note in items)
        cursor = {"cursor": page["next_cursor"]}


def test_a_day_of_many_observations(endpoint: ScriptedEndpoint, tmp_path: Path) -> None:
    """Evidence is there, trees are bounded, and the trigger fires as often as the accumulator says and no more."""
    with daemon_process(tmp_path, "--simulated-clock", START, env=with_model(endpoint)) as house:
        settings = {"window.capacity": 60, "reflection.threshold": THRESHOLD}
        house.call("mind.create", {"mind": "day", "profile": "assistant", "settings": settings})
        client = house.client(timeout=600)
        runs, counted, last, hour, said = 0, 0, -100.0, 0.0, 0
        names = ["Ines", "Bo", "小林", "Marta", "老周"]
        while said < OBSERVED:
            for _ in range(OBSERVED // 12):
                who, said = names[said % 5], said + 1
                text = (
                    f"{who} carried crate {said} to pier {said % 7}."
                    if said % 2
                    else f"{who}把第{said}个箱子搬到了{said % 7}号码头。"
                )
                client.call("message.add", {"mind": "day", "role": "user", "speaker": "Ann", "content": text})
            client.call("clock.advance", {"seconds": 2 * HOUR})
            hour += 2
            house.settle("day", timeout=300)
            count, heard = observed(house, "day")
            if heard - runs * THRESHOLD >= THRESHOLD and count - counted >= 10 and hour - last >= 4:
                runs, counted, last = runs + 1, count, hour
            done = [
                job
                for job in house.call("job.list", {"mind": "day", "limit": 500})["items"]
                if job["step"] == "reflect"
            ]
            assert sum(job["result"]["runs"] for job in done) == runs, (hour, heard, done)
        found = reflections(house, "day", limit=500)
        depths = sorted({each["depth"] for each in found})
        ids = {note["id"] for note in client.call("note.list", {"mind": "day", "limit": 500})["items"]}
        assert all({on["id"] for on in each["evidence"]} <= ids | {one["id"] for one in found} for each in found)
        assert all(each["evidence"] for each in found)
        assert max(depths) <= 4
        assert len(depths) >= 3, "reflections rest on reflections"
        assert damages(house.state / "minds" / "day.db") == []
        print(f"\n{count} observations of {heard:.0f} in all: {runs} runs, {len(found)} reflections, depths {depths}")
