"""A model is asked whether two names are one person's where the rules cannot tell; what it says can be taken back."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import Daemon, daemon_process
from scripted_answers import default_answer, task_of
from scripted_endpoint import scripted_endpoint
from soulmem.client import SoulmemRemoteError
from soulmem.core.schema.engine_tasks import Task
from soulmem.store.session.verify import damages

START = "2026-03-02T18:00:00Z"
TOLD = {
    "en": ("Ann", "Mel", "Melanie",
           ["Mel plays the cello in our choir.", "Mel lent me her bike.", "Melanie lives in Bergen.",
            "Melanie bakes rye bread every Sunday."]),
    "zh": ("阿禾", "小红", "王小红",
           ["小红在合唱团里拉大提琴。", "小红借给我一辆自行车。", "王小红住在昆明。", "王小红每个周日都烤面包。"]),
}  # fmt: skip
THINGS = {
    "en": "figs nuts dates plums bolts ropes sails lamps hooks tiles paint glue cork salt flour beans".split(),
    "zh": "无花果 核桃 红枣 李子 螺丝 绳子 船帆 油灯 铁钩 瓦片 油漆 胶水 软木 食盐 面粉 豆子".split(),
}


def more(language: str, pier: int) -> list[str]:
    """A day of other work."""
    text = "I carried a crate of {} to pier {}." if language == "en" else "我把一箱{}搬到了{}号码头。"
    return [text.format(thing, pier) for thing in THINGS[language]]


_LABEL = re.compile(r"^\[(S\d+)\]", re.MULTILINE)


def says(verdict: str, evidence: Callable[[list[str]], list[str]] = lambda labels: labels) -> Callable[[Any], Any]:
    def answer(body: Any) -> Any:
        if task_of(body) is not Task.IDENTIFY:
            return default_answer(body)
        labels = _LABEL.findall(body["messages"][-1]["content"])
        return json.dumps({"pairs": [{"pair": "A1", "verdict": verdict, "evidence": evidence(labels)}]})

    return answer


@contextlib.contextmanager
def mind(
    root: Path, language: str, answer: Callable[[Any], Any]
) -> Iterator[tuple[Daemon, Checking, Callable[[], int]]]:
    """A mind that was told of somebody under two names, and how often names were asked about."""
    with scripted_endpoint() as endpoint:
        endpoint.answer = answer
        given = {"BASE_URL": endpoint.url, "MODEL": "tiny", "RETRIES": "0"}
        env = {f"SOULMEM_ENGINE_{name}": value for name, value in given.items()} | {"SOULMEM_RECALL_CARES": "false"}
        with daemon_process(root, "--simulated-clock", START, env=env) as daemon:
            api = checking(daemon)
            settings = {"reflection.threshold": 10, "idle.replay": False}
            api.call("mind.create", mind="m", profile="companion", language=language, settings=settings)
            speaker, _, _, lines = TOLD[language]
            sleep(daemon, api, speaker, [*lines, *more(language, 1)])
            yield daemon, api, lambda: sum(request.task is Task.IDENTIFY for request in endpoint.tasks)


def sleep(daemon: Daemon, api: Checking, speaker: str, lines: list[str]) -> None:
    for line in lines:
        api.say("m", line, speaker=speaker)
    api.call("idle.run", mind="m")
    api.settle("m")
    assert damages(daemon.state / "minds" / "m.db") == []


def aliases(api: Checking) -> list[Json]:
    items: list[Json] = api.call("reflection.list", mind="m", limit=100)["items"]
    return [each for each in items if "goes by" in each["text"] or "又叫" in each["text"]]


@pytest.mark.parametrize("language", TOLD)
def test_the_same_is_known_by_either_name_until_somebody_takes_it_back(language: str, tmp_path: Path) -> None:
    speaker, short, full, _ = TOLD[language]
    with mind(tmp_path, language, says("same")) as (daemon, api, asked):
        assert asked() == 1
        (alias,) = aliases(api)
        assert len(alias["evidence"]) >= 2
        profile = api.call("profile.get", mind="m", name=short)
        assert (profile["name"], set(profile["names"])) == (full, {short, full})
        api.call("note.forget", mind="m", id=alias["id"])
        for name in (short, full):
            with contextlib.suppress(SoulmemRemoteError):
                assert api.call("profile.get", mind="m", name=name)["names"] == [name]
        api.call("clock.advance", seconds=5 * 3_600)
        sleep(daemon, api, speaker, more(language, 2))
        assert aliases(api) == []
        assert asked() == 1


@pytest.mark.parametrize("language", TOLD)
@pytest.mark.parametrize("verdict", ["different", "unsure"])
def test_any_other_answer_is_kept_and_changes_nothing(language: str, verdict: str, tmp_path: Path) -> None:
    speaker = TOLD[language][0]
    with mind(tmp_path, language, says(verdict)) as (daemon, api, asked):
        assert aliases(api) == []
        before = asked()
        api.call("clock.advance", seconds=5 * 3_600)
        sleep(daemon, api, speaker, more(language, 2))
        jobs = api.call("job.list", mind="m", limit=500)["items"]
        assert sum(job["result"]["runs"] for job in jobs if job["step"] == "reflect" and job["result"]) >= 2
        assert (before, asked()) == (1, 1), "nobody is asked of the same names twice"


def test_the_same_needs_what_shows_it_under_both_names(tmp_path: Path) -> None:
    with mind(tmp_path, "en", says("same", lambda labels: labels[:1])) as (_, api, asked):
        assert asked() == 1
        assert aliases(api) == []


def test_it_goes_with_what_it_rests_on(tmp_path: Path) -> None:
    with mind(tmp_path, "en", says("same")) as (daemon, api, _):
        assert aliases(api)
        said = api.call("message.list", mind="m", conversation="main", limit=100)["items"]
        for message in said:
            if "Mel " in message["content"]:
                api.call("message.delete", mind="m", conversation="main", id=message["id"])
        api.call("idle.run", mind="m")
        api.settle("m")
        assert aliases(api) == []
        assert damages(daemon.state / "minds" / "m.db") == []
