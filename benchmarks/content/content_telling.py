"""Tells a life to a mind of a real daemon, on its simulated clock, and does on the way what the life says.

Called by `content`, once a life. Everything goes through the socket. A method that this daemon does not have, or that
it refuses, is `None` here and counts as a failure where it is measured, so that older code can be measured as well.
Invariant: every question is asked with `record: false`, so asking changes nothing that is measured later.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.content.content_data import Life, Line
from daemon_fixture import Daemon, daemon_process
from soulmem.client import Client, SoulmemRemoteError

TURN_S = 40
_REST_S = 20 * 3600  # after the last session
FIRST = 10


@dataclass(slots=True)
class Told:
    """A mind that a life is told to."""

    life: Life
    daemon: Daemon
    client: Client
    refused: dict[str, int] = field(default_factory=dict)
    recall_ms: list[float] = field(default_factory=list)

    def call(self, method: str, **params: Any) -> dict[str, Any] | None:
        """The answer, or None where there is none to be had."""
        try:
            return self.client.call(method, {"mind": self.life.mind, **params})
        except SoulmemRemoteError as error:
            name = f"{method}: {error}"[:160]
            self.refused[name] = self.refused.get(name, 0) + 1
            return None

    @property
    def now(self) -> dt.datetime:
        return dt.datetime.fromisoformat(self.client.call("system.ping", {})["now"])

    def wait_until(self, at: dt.datetime) -> None:
        if (seconds := (at - self.now).total_seconds()) > 0:
            self.client.call("clock.advance", {"seconds": seconds})

    def say(self, line: Line, conversation: str) -> None:
        self.call(
            "message.add", conversation=conversation, role=line.role, content=line.text, speaker=line.speaker,
            id=line.message, at=self.now.isoformat(),
        )  # fmt: skip
        if line.role == "user":
            self.client.call("clock.advance", {"seconds": TURN_S})

    def rest(self) -> None:
        """The talk is over for now; the mind digests."""
        self.client.call("clock.advance", {"seconds": _REST_S})
        self.settle()

    def settle(self) -> None:
        self.daemon.settle(self.life.mind, timeout=600)

    def recall(self, query: str, **params: Any) -> dict[str, Any]:
        began = time.perf_counter()
        answer = self.call("recall", query=query, k=FIRST, record=False, **params)
        self.recall_ms.append((time.perf_counter() - began) * 1000)
        return answer or {"items": [], "reason": "refused"}

    def context(self, query: str) -> list[dict[str, Any]]:
        """The blocks of a context in the conversation `main`."""
        answer = self.call("context.get", query=query, conversation="main", max_tokens=4000)
        return answer["blocks"] if answer else []

    def notes(self, *states: str) -> list[dict[str, Any]]:
        return [note for state in states or ("active",) for note in self.listed("note.list", state=state)]

    def listed(self, method: str, **params: Any) -> list[dict[str, Any]]:
        """All pages of a list."""
        return list(self._pages(method, params))

    def _pages(self, method: str, params: dict[str, Any]) -> Iterator[dict[str, Any]]:
        cursor: dict[str, Any] = {}
        while (page := self.call(method, limit=200, **params, **cursor)) is not None:
            yield from page["items"]
            if page.get("next_cursor") is None:
                return
            cursor = {"cursor": page["next_cursor"]}


@contextmanager
def told(life: Life, directory: Path, environment: dict[str, str], begins: dt.datetime | None = None) -> Iterator[Told]:
    """A daemon with a mind for this life, to which nothing was said yet but by an earlier run; stopped at the end."""
    directory.mkdir(parents=True, exist_ok=True)
    begins = begins or life.sessions[0].at - dt.timedelta(minutes=5)
    given = {"SOULMEM_STRICT_EVENTS": "", **environment}
    with daemon_process(directory, "--simulated-clock", begins.isoformat(), env=given, check_log=False) as daemon:
        telling = Told(life, daemon, daemon.client(timeout=3_600))
        telling.call("mind.create", profile="companion", persona=life.persona)
        yield telling
