"""Minds in which blurred details drift, the notes that are planted in them, and a model that words them anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import Daemon
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task

START = "2026-03-01T08:00:00Z"
DAY = 86_400
DRIFTING: Json = {"forgetting.clock": "wall", "forgetting.drift": True}
LATE = 9.5  # days: a detail blurs after 4.1, is looked at after 8.9 and goes blank after 10.5


@dataclass(frozen=True)
class Case:
    text: str
    detail: str
    gist: str
    other: str  # a further detail of the same note, with its gist
    other_gist: str
    clear: str


CASES = {
    "en": Case(
        "Mira hid seven violet lanterns under the old harbour bridge, Olga kept the copper compass in a tin box.",
        "seven violet lanterns under the old harbour bridge", "violet lanterns under the old harbour bridge",
        "the copper compass", "a thing of metal", "Mira hid",
    ),
    "zh": Case(
        "米拉藏起了港口旧桥下面挂着的紫色玻璃灯笼三盏，奥尔加把铜罗盘收在铁盒里。",
        "港口旧桥下面挂着的紫色玻璃灯笼三盏", "港口旧桥下面挂着的紫色玻璃灯笼",
        "铜罗盘", "某个金属物件", "米拉藏起了",
    ),
}  # fmt: skip
BOTH = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def vaguer(body: Mapping[str, Any]) -> Any:
    """A model that offers what leaks, what is marked up, and what is left of the detail."""
    if task_of(body) is not Task.MISREMEMBER:
        return default_answer(body)
    asked = next(message["content"] for message in body["messages"] if message["role"] == "user")
    found = next((case for case in CASES.values() if case.detail in asked), None)
    texts = [found.other, f"**{found.gist}**", "xxx", found.gist] if found else ["some of it", "another"]
    return {"wordings": [{"detail": "D1", "texts": texts}, {"detail": "D7", "texts": ["nobody asked"]}]}


class House:
    def __init__(self, daemon: Daemon, endpoint: ScriptedEndpoint) -> None:
        self.daemon, self.endpoint = daemon, endpoint
        self.api = checking(daemon)
        self.made = 0

    def mind(self, settings: Json = DRIFTING, **params: object) -> str:
        self.made += 1
        name = f"m{self.made}"
        self.api.call("mind.create", mind=name, settings=settings, **params)
        return name

    def wait(self, days: float) -> None:
        self.api.call("clock.advance", seconds=days * DAY)

    def asked(self) -> list[str]:
        """What a model was shown to make up wordings from."""
        found = [each.body for each in self.endpoint.tasks if each.task is Task.MISREMEMBER]
        return [body["messages"][-1]["content"] for body in found]


def engine(endpoint: ScriptedEndpoint) -> dict[str, str]:
    return {
        "SOULMEM_ENGINE_BASE_URL": endpoint.url,
        "SOULMEM_ENGINE_MODEL": "tiny",
        "SOULMEM_ENGINE_DEADLINE_S": "5",
        "SOULMEM_ENGINE_RETRIES": "0",
        "SOULMEM_ENGINE_PATIENCE_S": "0",
    }


def plant(api: Checking, mind: str, case: Case, **params: object) -> str:
    elements = [
        {"quote": case.detail, "level": 2, "gist": case.gist},
        {"quote": case.other, "level": 2, "gist": case.other_gist, "anchor": "spontaneous"},
    ]
    return api.note(mind, case.text, elements=elements, **params)


def note_of(api: Checking, mind: str, note: str) -> Json:
    found: Json = api.call("note.get", mind=mind, id=note)["note"]
    return found


def history_of(api: Checking, mind: str, note: str) -> Json:
    return api.call("note.history", mind=mind, id=note)


def said(note: Json) -> dict[str, Json]:
    return {note["text"][each["start"] : each["end"]]: each for each in note["elements"] if each["level"] > 0}
