"""A daemon that the parts of `learn` talk to: with the embedded engine alone, or with a scripted model beside it.

The scripted model is a real endpoint on this machine that speaks the protocol of OpenAI (`tests/support/models`): what
it answers, each part says. Invariant: both kinds of daemon are told and asked the same.
"""

from __future__ import annotations

import contextlib
import csv
import datetime as dt
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checking import rows
from daemon_fixture import Daemon, daemon_process
from scripted_endpoint import ScriptedEndpoint, scripted_endpoint
from soulmem.client import Client
from soulmem.core.calendar.iso8601 import parse_iso

MODELS = ("none", "scripted")
START = dt.datetime(2026, 3, 2, 18, tzinfo=dt.UTC)
DAY_S = 86_400
USER, COMPANION = {"role": "user", "speaker": "Ann"}, {"role": "assistant", "speaker": "Pell"}
_PATIENCE_S = 60.0
_Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One claim in numbers: the mean `before` and `after`, each of so many askings; `unit`: what they count."""

    what: str
    before: float
    after: float
    of: int
    unit: str = "share"


def figure(what: str, before: list[float], after: list[float], unit: str = "share") -> Figure:
    """The means of both."""
    means = [round(sum(each) / len(each), 3) if each else 0.0 for each in (before, after)]
    return Figure(what, means[0], means[1], len(after), unit)


@dataclass(frozen=True, slots=True)
class Measured:
    """A daemon under measurement, and the endpoint it asks; None: the embedded engine alone."""

    daemon: Daemon
    client: Client
    endpoint: ScriptedEndpoint | None

    def call(self, method: str, /, **params: Any) -> _Answer:
        return self.client.call(method, params)

    def note(self, mind: str, text: str, /, kind: str = "episodic", **more: Any) -> str:
        made: str = self.call("note.add", mind=mind, kind=kind, text=text, **more)["id"]
        return made

    def say(self, mind: str, text: str, /, **more: Any) -> _Answer:
        return self.call("message.add", mind=mind, content=text, **{**USER, **more})

    def reply(self, mind: str, text: str, /, **more: Any) -> _Answer:
        return self.call("message.add", mind=mind, content=text, **COMPANION, **more)

    def look(self, mind: str, query: str, /, **more: Any) -> list[_Answer]:
        """The items of a recall that leaves no record."""
        items: list[_Answer] = self.call("recall", mind=mind, query=query, record=False, **more)["items"]
        return items

    def now_ms(self) -> int:
        return parse_iso(self.call("system.status")["now"])

    def pass_days(self, days: float) -> None:
        """Let time go by; what was begun beside the talk is done then."""
        self.call("clock.advance", seconds=days * DAY_S)

    def settle(self, mind: str) -> None:
        """Wait until nothing is left to embed, to summarise or to bring to mind."""
        ends_at = time.monotonic() + _PATIENCE_S
        while time.monotonic() < ends_at:
            line = next(each for each in self.call("system.status")["minds"] if each["mind"] == mind)
            if not line["embed_backlog"] and not line["pending_jobs"] and not self._waiting(mind):
                return
            time.sleep(0.05)
        raise RuntimeError(f"{mind} does not come to rest")

    def _waiting(self, mind: str) -> bool:
        return self.rows(mind, "SELECT count(*) FROM recall WHERE state = 'pending'") != [(0,)]

    def verdicts(self, mind: str) -> int:
        """How often something was learnt from a recall."""
        return int(self.rows(mind, "SELECT count(*) FROM feedback")[0][0])

    def learnt(self, mind: str, before: int) -> None:
        """Wait until more was learnt than `before`."""
        ends_at = time.monotonic() + _PATIENCE_S
        while self.verdicts(mind) <= before:
            if time.monotonic() > ends_at:
                raise RuntimeError(f"nothing more is learnt in {mind}")
            time.sleep(0.02)

    def rows(self, mind: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Look into the file of a mind."""
        return rows(self.daemon, mind, query, *values)


@contextlib.contextmanager
def measured(
    directory: Path, embedder: str, model: str, environment: Mapping[str, str] | None = None
) -> Iterator[Measured]:
    """A daemon on its own clock in this directory, with this embedder and this model."""
    env = {"SOULMEM_EMBEDDER_NAME": embedder, **(environment or {})}
    with contextlib.ExitStack() as stack:
        endpoint = stack.enter_context(scripted_endpoint()) if model == "scripted" else None
        if endpoint is not None:
            env |= {
                "SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "scripted",
                "SOULMEM_ENGINE_RETRIES": "0", "SOULMEM_BUDGET_TOKENS_PER_DAY": "0",
            }  # fmt: skip
        daemon = stack.enter_context(daemon_process(directory, "--simulated-clock", START.isoformat(), env=env))
        yield Measured(daemon, daemon.client(timeout=600), endpoint)


def scenes(name: str, language: str) -> list[list[str]]:
    """The rows of a table beside this file that are of a language, without that column."""
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    table = csv.reader((line for line in lines if line and not line.startswith("#")), delimiter="\t")
    return [row[1:] for row in table if row[0] == language]


def place_of(items: list[_Answer], note: str, most: int) -> int:
    """At which place a note stands; one more than `most` where it does not."""
    places = [at for at, item in enumerate(items[:most], start=1) if item["id"] == note]
    return places[0] if places else most + 1
