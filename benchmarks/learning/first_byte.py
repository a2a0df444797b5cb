"""First byte: does somebody who waits for what a message brings to mind notice that the model takes twenty seconds?

Part of `learn`. Two daemons on the real clock are told and asked the same by turns: one without a model, one whose
model answers each call after twenty seconds. Every question is hard, so that it is judged afterwards; details of what
it brings have faded, so that they are filled in; each is answered and reacted to, so that the reaction is read.
Measured is the time from the last byte of `message.add` with `recall: true` to the first one of its answer. Invariant:
the model does hang: how many calls it was holding is printed.
"""

from __future__ import annotations

import json
import socket
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.speed.subject import Subject
from scripted_endpoint import scripted_endpoint

TURNS = 60
HANGS_S = 20.0
BAR_MS = 150.0  # later than without a model
ANALYSES = ("deep", "normal")
_WARM_UP = 5
_PAUSE_S = 0.05
_NOTES = 200
_THINGS = {
    "en": ("the copper lamp", "old Mr Pell", "the boat shed", "quince jam", "the choir", "a blue kayak"),
    "zh": ("铜灯", "老陈", "船屋", "木瓜酱", "合唱团", "蓝色皮划艇"),
}
_TOLD = {"en": "{} was spoken of on evening {} by the harbour.", "zh": "第{1}个晚上在码头说起了{0}。"}
_ASKED = {"en": "Why did we speak of {} on evening {}?", "zh": "为什么第{1}个晚上说起了{0}？"}
_REPLY = {"en": "Because of {}, by the harbour.", "zh": "因为{}呀，在码头。"}
_GIST = {"en": "something", "zh": "某样"}
_FADES_AT_ONCE = {
    "forgetting.clock": "wall", "forgetting.deletes": False, "forgetting.whole_days": 3650.0, "forgetting.scale": 0.001,
    "forgetting.detail_days": 0.001, "forgetting.detail_factor": 1.0,
}  # fmt: skip
_REACTION = {"en": "Exactly, you remembered!", "zh": "对，你记得！"}


@dataclass(frozen=True, slots=True)
class FirstByte:
    """Milliseconds to the first byte of each turn, without a model and with one; calls that it held, by task."""

    without: list[float]
    hanging: list[float]
    held: dict[str, int]

    @property
    def later(self) -> list[float]:
        """How much later the first byte came for the model, turn by turn."""
        return [hung - plain for plain, hung in zip(self.without, self.hanging, strict=True)]


def measure(directory: Path, language: str, embedder: str, analysis: str) -> FirstByte:
    """The times of the turns of one language; `analysis`: which recalls the model thinks about."""
    with ExitStack() as stack:
        endpoint = stack.enter_context(scripted_endpoint())
        model = {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "slow",
            "SOULMEM_ENGINE_ANALYSIS": analysis, "SOULMEM_BUDGET_TOKENS_PER_DAY": "0",
            "SOULMEM_ENGINE_CONCURRENCY": "4",
        }  # fmt: skip
        subjects = [
            stack.enter_context(Subject(directory / name, embedder, environment))
            for name, environment in (("without", {}), ("hanging", model))
        ]
        lines = [stack.enter_context(_Line(subject)) for subject in subjects]
        for line in lines:
            _furnish(line, language)
        times: tuple[list[float], ...] = ([], [])
        answered = 0
        for turn in range(TURNS + _WARM_UP):
            if turn == _WARM_UP:  # until then the model answers at once, so that it is known to be there
                answered, endpoint.latency_s = len(endpoint.requests), HANGS_S
            for took, line in zip(times, lines, strict=True):
                took.append(_turn(line, language, turn))
        without, hanging = (took[_WARM_UP:] for took in times)
        held = dict(Counter(str(each.task or "probe") for each in endpoint.requests[answered:]))
        endpoint.stop()
    return FirstByte(without, hanging, held)


def percentiles(times: Sequence[float]) -> tuple[float, float, float]:
    """The middle, the 95th percentile and the worst of these."""
    return statistics.median(times), statistics.quantiles(times, n=20)[-1], max(times)


def _furnish(line: _Line, language: str) -> None:
    line.ask("mind.create", mind="m", profile="companion", settings=_FADES_AT_ONCE)
    for number in range(_NOTES):
        thing = _THINGS[language][number % len(_THINGS[language])]
        line.ask(
            "note.add", mind="m", kind="episodic", text=_TOLD[language].format(thing, number),
            elements=[{"quote": thing, "level": 2, "gist": _GIST[language]}],
        )  # fmt: skip
    while any(each["embed_backlog"] for each in line.ask("system.status")["minds"]):
        time.sleep(0.05)


def _turn(line: _Line, language: str, turn: int) -> float:
    """One question with its answer and what is said to that; milliseconds to the first byte of what it brought."""
    thing = _THINGS[language][turn % len(_THINGS[language])]
    time.sleep(_PAUSE_S)  # people read before they write
    took = line.first_byte_ms(
        "message.add", mind="m", role="user", speaker="Ann", recall=True, content=_ASKED[language].format(thing, turn)
    )
    line.ask("message.add", mind="m", role="assistant", speaker="Pell", content=_REPLY[language].format(thing))
    line.ask("message.add", mind="m", role="user", speaker="Ann", content=_REACTION[language])
    return took


class _Line:
    """A bare connection to a daemon, on which the first byte of an answer can be seen."""

    def __init__(self, subject: Subject) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(120)
        self._socket.connect(str(subject.socket))
        self._calls = 0

    def __enter__(self) -> _Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._send(method, params)
        return self._answer(b"")

    def first_byte_ms(self, method: str, **params: Any) -> float:
        """Milliseconds from the request to the first byte of its answer; the rest is read too."""
        self._send(method, params)
        began = time.perf_counter()
        first = self._socket.recv(1)
        took = (time.perf_counter() - began) * 1000
        self._answer(first)
        return took

    def _send(self, method: str, params: dict[str, Any]) -> None:
        self._calls += 1
        call = {"jsonrpc": "2.0", "id": self._calls, "method": method, "params": params}
        self._socket.sendall(json.dumps(call).encode() + b"\n")

    def _answer(self, read: bytes) -> dict[str, Any]:
        while not read.endswith(b"\n"):
            read += self._socket.recv(65_536)
        answer: dict[str, Any] = json.loads(read)
        if "error" in answer:
            raise RuntimeError(f"{answer['error']}")
        return dict(answer["result"])
