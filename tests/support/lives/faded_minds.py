"""Minds in which a detail of a note has faded, and what a character says when it is asked to fill it in.

Used by the tests of reconstruction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from checking import Json, checking
from daemon_fixture import Daemon
from scripted_answers import default_answer, task_of
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task

DAY = 86_400
SETTINGS: Json = {"forgetting.clock": "wall", "forgetting.deletes": False, "forgetting.whole_days": 3000.0}

# (text, what fades, gist, what is asked, what the character says instead)
PLANTED = {
    "en": (
        "Mira hid the violet lantern behind the bakery in the harbour.", "violet lantern", "some lamp",
        "What did Mira hide behind the bakery?", "rusty lamp",
    ),
    "zh": ("米拉把紫水晶瓶藏在港口的面包房后面。", "紫水晶瓶", "某件东西", "米拉在面包房后面藏了什么？", "旧油灯"),
}  # fmt: skip
LANGUAGES = sorted(PLANTED)


class House:
    def __init__(self, daemon: Daemon, endpoint: ScriptedEndpoint | None) -> None:
        self.daemon, self.endpoint = daemon, endpoint
        self.api = checking(daemon)
        self.made = 0

    def planted(self, language: str, days: float = 6, **more: Any) -> tuple[str, str]:
        """A mind with a note of which a detail has faded: 6 days blur it, 30 leave nothing."""
        self.made += 1
        mind = f"r{self.made}"
        text, quote, gist, *_ = PLANTED[language]
        self.api.call("mind.create", mind=mind, settings=SETTINGS, persona="A lamplighter. 点灯人。")
        given = {"elements": [{"quote": quote, "level": 2, "gist": gist}], "tags": [quote, "kept"]} | more
        note = self.api.note(mind, text, **given)
        self.wait(days)
        return mind, note

    def wait(self, days: float) -> None:
        self.api.call("clock.advance", seconds=days * DAY)

    def context(self, mind: str, language: str) -> Json:
        return self.api.call("context.get", mind=mind, query=PLANTED[language][3])

    def text(self, mind: str, language: str) -> str:
        """The line of the note in a context."""
        shown: str = block(self.context(mind, language))["text"]
        return shown

    def filled(self) -> None:
        """Wait until what was shown has been filled in, as far as the model could."""
        self.api.call("clock.advance", seconds=1)

    def retold(self, mind: str, language: str) -> str:
        """The line of the note in the context of the next turn."""
        self.text(mind, language)
        self.filled()
        return self.text(mind, language)

    def note(self, mind: str, note: str) -> Json:
        found: Json = self.api.call("note.get", mind=mind, id=note)["note"]
        return found

    def asked(self) -> int:
        """How often the model was asked to fill in."""
        assert self.endpoint is not None
        return sum(request.task is Task.RECONSTRUCT for request in self.endpoint.requests)


def block(context: Json) -> Json:
    return next(each for each in context["blocks"] if each["kind"] == "notes")


def saying(words: str | None, *, also: Callable[[], None] | None = None) -> Callable[[Mapping[str, Any]], Any]:
    """A character that fills every gap with the same words."""

    def answer(body: Mapping[str, Any]) -> Any:
        good = default_answer(body)
        if task_of(body) is Task.RECONSTRUCT:
            if also is not None:
                also()
            return {"fills": [{**fill, "text": words} for fill in good["fills"]]}
        return good

    return answer
