"""The same history gives the same answers, whoever else was talking meanwhile and however long it took.

One life is told to two daemons, call by call, and the mind comes to rest after each: who asks before a vector, a
summary or a recall of what was said before is there is answered without it. One daemon has nothing else to do; in the
other somebody else talks, sleeps and asks all the time, and pauses of any length fall between the calls, so that
recalls, summaries, shelving and links come about at other moments. Every answer must be the same: those of the life
itself, and those to questions after it, by every method that the schemas know.
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking, schema
from daemon_fixture import Daemon, daemon_process
from household import DAY, START
from schema_fuzz import METHODS, Fuzz
from slowness import PATIENCE_S
from soulmem.client import Client, DaemonUnavailable, SoulmemRemoteError
from twin_minds import CHANGES_NOTHING

LONG = bool(os.environ.get("SOULMEM_TORTURE"))
PROBES = 40 if LONG else 6  # of each method
DAYS = 3 if LONG else 2
PAUSE_S = 0.002 if LONG else 0.4  # of who talks meanwhile
LONGEST_S = 0.15 if LONG else 0.05  # pause between two calls of the life
MIND = "mira"
ANN = [
    "My sister Ines moved from Porto to Ghent last week.", "我妹妹上周搬到了成都，在那里教大提琴。",
    "On Friday I meet Rui at the harbour, at half past three.", "我妈妈的生日是六月三号。",
    "Actually Ines teaches the viola, not the cello.", "火锅我不吃辣的，小林知道。",
    "My rent is 840 now, it was 820.", "下个月我去里斯本找Ines。", "I am allergic to hazelnuts, almonds are fine.",
    "I sold the boat on Sunday, Rui bought it.", "小林辞职了，现在开了一家咖啡馆。", "Rui and I broke up.",
]  # fmt: skip
QUESTIONS = [
    "Where does Ines live?", "我妹妹住在哪里？", "What does Ines teach?", "妈妈的生日是几号？", "When do I meet Rui?",
    "How much is my rent?", "小林做什么工作？", "What can't I eat?", "Rui", "last week", "上周",
    "nobody ever said this",
]  # fmt: skip
WAYS: list[Json] = [{}, {"ranking": "stream"}, {"depth": "deep"}, {"k": 50, "explain": True}, {"kinds": ["message"]}]
# How long something took, and what tells of the process and not of the mind.
PLAN: list[Json] = [{"status": "done"}, {}]
_OWN = {"elapsed_ms", "ms", "took_ms", "erased", "pid", "uptime_s", "rss_bytes", "loop_lag_ms", "boot", "cursor"}
_OF_THE_PROCESS = {
    "mind.export",
    "system.hello",
    "system.ping",
    "system.status",
    "system.describe",
    "events.watch",
    "mind.list",
}
_MOVES_TIME = {"clock.advance", "clock.jump"}
SILENCE = threading.Lock()


def life() -> Iterator[tuple[str, Json]]:
    """What happens to the mind, in order; ids are numbers of rows, so they are known before."""
    yield "mind.create", {"mind": MIND, "settings": {"window.capacity": 4, "window.min_fresh": 1}}
    for day in range(DAYS):
        for number, line in enumerate(ANN):
            said = {"mind": MIND, "conversation": ("tea", "茶")[number % 2], "id": f"m{day}-{number}"}
            asks = number % 3 == 0
            yield "message.add", {**said, "role": "user", "speaker": "Ann", "content": line, "recall": asks}
            yield "message.add", {**said, "id": f"a{day}-{number}", "role": "assistant", "content": "I see. 我明白了。"}
            if number % 4 == 1:
                yield "note.add", {"mind": MIND, "kind": "episodic", "text": f"{line} {QUESTIONS[number]}"}
                yield "recall", {"mind": MIND, "query": QUESTIONS[number]}
        yield "idle.run", {"mind": MIND}
        yield "link.add", {"mind": MIND, "src": "n1", "dst": f"n{day + 2}", "kind": "semantic"}
        yield "feedback", {"mind": MIND, "recall_id": f"r{day + 1}", "verdict": "good", "used": ["n1"]}
        yield "message.update", {"mind": MIND, "conversation": "tea", "id": f"m{day}-0", "content": f"{ANN[0]} {day}"}
        yield "message.delete", {"mind": MIND, "conversation": "茶", "id": f"m{day}-1"}
        yield "recall", {"mind": MIND, "query": QUESTIONS[day], "depth": "deep"}
        plan = {"text": ANN[2 + day], "start": f"2026-03-0{day + 2}T15:30:00Z"}
        yield "plan.add", {"mind": MIND, "conversation": "tea", "items": [plan]}
        yield "clock.advance", {"seconds": 9 * DAY}
    yield "idle.run", {"mind": MIND}


def questions() -> Iterator[tuple[str, Json]]:
    for number, query in enumerate(QUESTIONS):
        for more in WAYS if LONG else (WAYS[number % 5], WAYS[(number + 2) % 5]):
            yield "recall", {"mind": MIND, "query": query, **more}
        yield "context.get", {"mind": MIND, "query": query, "conversation": "tea"}
    for name in ("Ann", "Ines", "小林"):  # before anything is forgotten
        yield "profile.get", {"mind": MIND, "name": name}
    yield "profile.between", {"mind": MIND, "name": "Ann", "other": "Ines"}
    yield "profile.path", {"mind": MIND, "name": "Ann", "relations": ["*", "*"]}
    yield "plan.supersede", {"mind": MIND, "from": f"2026-03-0{DAYS + 1}T15:45:00Z"}
    for number in range(1, 80):  # those that are plans among them
        yield ("plan.update", "plan.delete")[number % 2], {"mind": MIND, "id": f"n{number}", **PLAN[number % 2]}
    for method in [name for name in METHODS if name not in _OF_THE_PROCESS | _MOVES_TIME | {"mind.delete"}]:
        fuzz = Fuzz(11, oddness=0.02)
        fuzz.learn({"id": [f"n{number}" for number in range(1, 30)], "query": QUESTIONS, "content": ANN, "text": ANN})
        fuzz.learn({"conversation": ["tea", "茶"], "recall_id": ["r1", "r2", "r3"], "src": ["n1"], "dst": ["n5"]})
        for _ in range(PROBES):
            params = {key: value for key, value in fuzz.call(method).items() if key not in {"cursor", "key"}}
            if len(json.dumps(params)) < 900_000:
                yield method, {**params, "mind": MIND} if "mind" in schema(method)["params"]["properties"] else params
    yield "note.unpin", {"mind": MIND, "id": "n2"}
    yield "mind.delete", {"mind": MIND, "confirm": MIND}


class Told:
    """A life that is told to a daemon, and its answers."""

    def __init__(self, daemon: Daemon, chance: random.Random | None) -> None:
        """Args: chance: how long to pause between two calls; without it never."""
        self._daemon = daemon
        self._chance = chance
        self._client = daemon.client(timeout=PATIENCE_S)

    def answers(self, calls: list[tuple[str, Json]]) -> list[Any]:
        looking, given = checking(self._daemon), []
        for method, params in calls:
            given.append(self._call(method, params))
            if method not in CHANGES_NOTHING | {"mind.delete"}:
                self._rest(looking)
        return given

    def _rest(self, looking: Checking) -> None:
        """Wait until nothing is left to do in the background, the recalls of messages that nobody waits for too."""

        def rests() -> bool:
            line = looking.status(MIND)
            return not (line["embed_backlog"] or line["pending_jobs"] or line["pending_recalls"])

        looking.until(rests, f"{MIND} at rest", PATIENCE_S)
        looking.settle(MIND)  # what the last of the recalls left to do

    def _call(self, method: str, params: Json) -> Any:
        if self._chance is not None and self._chance.random() < 0.3:
            time.sleep(self._chance.uniform(0.0, LONGEST_S))
        # The simulated clock moves on when all minds are at rest, so nobody talks meanwhile.
        with SILENCE if method in _MOVES_TIME else nullcontext():
            return self._answer(method, params)

    def _answer(self, method: str, params: Json) -> Any:
        try:
            return alike(self._client.call(method, params))
        except SoulmemRemoteError as error:
            if error.name == "parse_error":
                self._client = self._daemon.client(timeout=PATIENCE_S)
            return error.name, error.message
        except (DaemonUnavailable, ConnectionError):  # the line was no JSON
            self._client = self._daemon.client(timeout=PATIENCE_S)
            return "not heard"


def alike(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: alike(each) for key, each in value.items() if key not in _OWN}
    return [alike(each) for each in value] if isinstance(value, list) else value


@contextmanager
def others_talk(daemon: Daemon) -> Iterator[None]:
    """Somebody else talks to another mind, asks and lets it sleep, almost as fast as he is answered."""
    ended = threading.Event()

    def talk() -> None:
        with Client(str(daemon.socket), timeout=PATIENCE_S) as client:
            number = 0
            while not ended.is_set():
                number += 1
                said = {"mind": "noise", "role": "user", "content": f"{ANN[number % len(ANN)]} {number}"}
                with SILENCE:
                    client.call("message.add", {**said, "recall": True})
                    client.call("note.add", {"mind": "noise", "kind": "episodic", "text": f"{ANN[-1]} {number}"})
                    if number % 20 == 0:
                        client.call("idle.run", {"mind": "noise", "wait": False})
                time.sleep(PAUSE_S)  # nobody keeps the lock

    thread = threading.Thread(target=talk)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(PATIENCE_S)


_PLACES: dict[str, dict[str, str]] = {"memory": {}, "disk": {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}}


@pytest.mark.thorough
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("memory", "disk"),  # where the rows lie is no part of the history either
        *(pytest.param(place, place, marks=pytest.mark.torture) for place in _PLACES),
    ],
)
def test_a_life_told_twice_is_remembered_alike(tmp_path: Path, one: str, other: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    calls = [*life(), *questions()]
    assert len(calls) > 200
    with daemon_process(tmp_path / "a", "--simulated-clock", START, env=_PLACES[one]) as daemon:
        calm = Told(daemon, None).answers(calls)
    with daemon_process(tmp_path / "b", "--simulated-clock", START, env=_PLACES[other]) as daemon, others_talk(daemon):
        busy = Told(daemon, random.Random(5)).answers(calls)
    differing = [
        f"{number} {method} {json.dumps(params, ensure_ascii=False)[:300]}\n  {str(first)[:1500]}\n  {str(then)[:1500]}"
        for number, ((method, params), first, then) in enumerate(zip(calls, calm, busy, strict=True))
        if first != then and method not in _MOVES_TIME  # that tells what fell due in all minds
    ]
    ends = Counter(method for (method, _), answer in zip(calls, calm, strict=True) if isinstance(answer, dict))
    print(len(differing), "of", len(calls), dict(ends))
    assert not differing, f"{len(differing)} of {len(calls)}\n" + "\n".join(differing[:3])
    never = {method for method, _ in calls} - set(ends)
    assert never <= {"note.reconstruct", "mind.import"}, f"never answered, so nothing was compared: {never}"
