"""A mind whose notes lie in a ring, and a model that says what a test wants when a region of them is gone over."""

from __future__ import annotations

import json
import re
from typing import Any

from checking import Json, checking
from daemon_fixture import Daemon
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.store.session.verify import damages

START = "2026-03-02T18:00:00Z"
SETTINGS: Json = {"forgetting.clock": "wall", "forgetting.deletes": False, "reflection.threshold": 100_000}
LANGUAGES = ("en", "zh")
TALK_STEPS = ("flush", "freeze", "summarise", "split", "link")
TOLD = {
    "en": (
        "Lena keeps the spare key under the blue flowerpot.",
        "Tom repairs old clocks in Bern.",
        "Our Friday choir sang in the harbour.",
    ),
    "zh": ("李娜把备用钥匙放在蓝色花盆下面。", "老王在修一座旧钟。", "周五合唱团在港口唱歌。"),
}
MOVED = {"en": "Lena keeps the spare key in the letter box.", "zh": "李娜把备用钥匙放在信箱里。"}


class Bench:
    """A daemon with a model that answers what a test says when a region is gone over."""

    def __init__(self, daemon: Daemon, endpoint: ScriptedEndpoint) -> None:
        self.daemon, self.api, self.endpoint, self.made = daemon, checking(daemon), endpoint, 0
        self.says: Any = {"operations": []}
        endpoint.answer = self.answer

    def answer(self, body: Any) -> Any:
        if task_of(body) is not Task.REPLAY:
            return default_answer(body)
        said = self.says(body["messages"][-1]["content"]) if callable(self.says) else self.says
        return said if isinstance(said, str) else json.dumps(said)

    def mind(self, language: str, **settings: object) -> tuple[str, list[str]]:
        """A mind that heard nothing and was given notes in one ring, the first of which waits to be gone over."""
        self.made += 1
        mind = f"m{self.made}"
        self.api.call(
            "mind.create", mind=mind, profile="companion", language=language, settings={**SETTINGS, **settings}
        )
        notes = [self.api.note(mind, text, kind="semantic") for text in (*TOLD[language], MOVED[language])]
        self.api.say(mind, "The nurse gave me a green umbrella. 护士送了我一把伞。", speaker="Ann")
        self.api.settle(mind)
        self.api.call("idle.run", mind=mind)
        told = [note["id"] for note in self.api.notes(mind) if note["id"] not in notes]
        for one, other in zip([*told[:1], *notes], [*notes, told[0]], strict=True):
            self.api.call("link.add", mind=mind, src=one, dst=other, kind="semantic", verb="beside", strength=0.8)
        self.api.settle(mind)
        return mind, notes

    def sleep(self, mind: str, says: Any) -> Json:
        """Go over it; what the step told, with what was asked of the model."""
        self.says, before = says, len(self.asked)
        self.api.call("idle.run", mind=mind, steps=["replay"])
        self.api.settle(mind)
        jobs = self.api.call("job.list", mind=mind, limit=500)["items"]
        (job,) = [job for job in jobs if job["step"] == "replay"]
        assert job["state"] == "done", job
        assert damages(self.daemon.state / "minds" / f"{mind}.db") == []
        return {**job["result"], "asked": len(self.asked) - before}

    @property
    def asked(self) -> list[Any]:
        return [request for request in self.endpoint.tasks if request.task is Task.REPLAY]


def labels(prompt: str, *texts: str) -> list[str]:
    """The labels under which notes with these words were shown; none where one of them was not."""
    lines = re.findall(r"^\[(N\d+)\] (.*)$", prompt, re.MULTILINE)
    found = [label for text in texts for label, shown in lines if text[:-1] in shown]
    return found if len(found) == len(texts) else []


def operations(*wanted: Json) -> Json:
    """An answer with those operations of which the notes were shown."""
    return {"operations": [each for each in wanted if each["notes"]]}


def operation(op: str, notes: list[str], text: str | None = None, strength: float = 1.0) -> Json:
    return {"op": op, "notes": notes, "text": text, "strength": strength}
