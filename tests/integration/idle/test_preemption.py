"""Talk goes before digestion: a recall is served at once, whatever step is running, and the step is not lost."""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from checking import Checking, Json, Wire, checking, rows
from daemon_fixture import Daemon, daemon_process
from slowness import within

START = "2026-03-01T08:00:00Z"
DAY = 86_400
BOUND_MS = 250.0  # five times the goal: a test of behaviour must hold on a machine with other work
ROUNDS = 3
TALK, RECALLS = (300, 120) if os.environ.get("SOULMEM_TORTURE") else (50, 20)
CITIES = ["Lisbon", "Bergen", "Porto", "Kyoto", "成都", "杭州", "Zürich", "Leeds"]
THINGS = ["a violin", "a kite", "old maps", "绿茶", "望远镜", "a bicycle", "桂花糕", "a lantern"]
NAMES = ["Ann", "小林", "Lars", "Marta"]


def talk(api: Checking, mind: str, count: int, salt: int = 0) -> None:
    draw = random.Random(salt)
    calls = []
    for number in range(count):
        name, city, thing = draw.choice(NAMES), draw.choice(CITIES), draw.choice(THINGS)
        text = draw.choice(
            [
                f"{name} moved to {city} in {2000 + number % 25} and bought {thing} there.",
                f"我去年在{city}买了{thing}，{name}很喜欢。",
                f"My favourite thing is {thing}; I work in {city} with {name}.",
                f"{name} 昨天说 she will sell {thing} in {city} next month.",
            ]
        )
        role = "assistant" if number % 2 else "user"
        calls.append(
            ("message.add", {"mind": mind, "role": role, "content": f"{text} ({salt}.{number})", "speaker": name})
        )
    api.client.call_many(calls)
    api.until(lambda: not api.status(mind)["embed_backlog"], "the vectors", 60)


def first_byte_ms(wire: Wire, mind: str, number: int) -> float:
    query = (
        f"Where is the {THINGS[number % len(THINGS)]} of {NAMES[number % len(NAMES)]}? {CITIES[number % len(CITIES)]}"
    )
    began = time.perf_counter()
    answer = wire.ask("recall", f'{{"mind":"{mind}","query":"{query}","record":false}}', number + 1)
    took = (time.perf_counter() - began) * 1000
    assert "result" in answer, answer
    return took


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    root = tmp_path_factory.mktemp("b")
    with daemon_process(root, "--simulated-clock", START, env={"SOULMEM_LOG_LEVEL": "debug"}) as daemon:
        yield daemon


def test_a_recall_is_served_at_once_during_every_step(busy: Daemon) -> None:
    api = checking(busy)
    talk(api, "mira", TALK)
    api.call("mind.get", mind="mira")
    took: dict[str, list[float]] = {}
    running = {"step": ""}
    done = threading.Event()

    def follow() -> None:
        with Wire(busy) as wire:
            wire.ask(
                "events.watch",
                '{"mind":"mira","events":["step_started","step_finished","step_preempted","epoch_frozen"]}',
            )
            while not done.is_set():
                message = wire.receive()
                if message is None:
                    return
                event = message["params"]
                running["step"] = event["step"] if event["event"] == "step_started" else ""

    watcher = threading.Thread(target=follow, daemon=True)
    watcher.start()
    worst = []  # of each round: what keeps a recall waiting comes again in the next one, what others do here does not
    with Wire(busy) as wire:
        while len(worst) < ROUNDS and (not worst or worst[-1] > within(BOUND_MS)):
            took.clear()
            for number in range(RECALLS):
                api.call("idle.run", mind="mira", wait=False)
                deadline = time.monotonic() + 0.02
                while not running["step"] and time.monotonic() < deadline:
                    time.sleep(0.0005)
                step = running["step"] or "between"
                took.setdefault(step, []).append(first_byte_ms(wire, "mira", number))
                if number == RECALLS // 2:
                    talk(api, "mira", TALK // 5, salt=len(worst) + 1)
            for step, times in sorted(took.items()):
                print(f"{step}: n={len(times)} p50={sorted(times)[len(times) // 2]:.1f} max={max(times):.1f} ms")
            everything = sorted(ms for times in took.values() for ms in times)
            print(f"first byte of a recall during digestion: p99 {everything[int(len(everything) * 0.99) - 1]:.1f} ms")
            worst.append(everything[-1])
        api.call("idle.run", mind="mira")
        done.set()
        api.call("idle.run", mind="mira")  # an event to end the watcher by
    watcher.join(20)
    assert worst[-1] <= within(BOUND_MS)
    assert api.status("mira")["pending_jobs"] == 0
    assert {job["state"] for job in api.jobs("mira")} == {"done"}
    assert api.notes("mira", limit=500)


def test_a_sweep_of_five_hundred_deletions_stands_in_nobodys_way(busy: Daemon) -> None:
    api = checking(busy)
    api.call("mind.create", mind="wide", settings={"forgetting.clock": "wall", "idle.after_s": 30_000_000})
    names = [
        ("note.add", {"mind": "wide", "kind": "episodic", "text": f"bead {n} 珠子", "pinned": True}) for n in range(40)
    ]
    notes = [answer["id"] for answer in api.client.call_many(names) if isinstance(answer, dict)]
    pairs = [(a, b) for place, a in enumerate(notes) for b in notes[place + 1 :]][:600]
    api.client.call_many(("link.add", {"mind": "wide", "src": a, "dst": b, "strength": 0.06}) for a, b in pairs)
    assert api.status("wide")["links"] == 600
    api.settle("wide")
    finished = threading.Event()

    def advance() -> None:
        with busy.client(timeout=60) as mover:
            mover.call("clock.advance", {"seconds": 2 * DAY})
        finished.set()

    mover = threading.Thread(target=advance, daemon=True)
    took = []
    with Wire(busy) as wire:
        first_byte_ms(wire, "wide", 0)
        api.call("idle.run", mind="wide")
        mover.start()
        number = 0
        while not finished.is_set() or number < 10:
            number += 1
            answer_ms = first_byte_ms(wire, "mira" if number % 2 else "wide", number)
            took.append(answer_ms)
        mover.join(30)
    api.call("idle.run", mind="wide")
    api.call("idle.run", mind="wide")
    assert api.status("wide")["links"] == 0
    forgotten = [event["count"] for event in busy.events("link_forgotten") if event["mind"] == "wide"]
    assert sum(forgotten) == 600
    swept = [event for event in busy.events("sweep_finished") if event["mind"] == "wide"]
    assert max(event["links"] + event["notes"] for event in swept) <= 500, "one run deletes no more"
    took.sort()
    print(f"a sweep of 600: n={len(took)} p50={took[len(took) // 2]:.1f} p99={took[int(len(took) * 0.99) - 1]:.1f} ms")
    assert took[-1] <= within(BOUND_MS)


@contextmanager
def watched(daemon: Daemon, mind: str) -> Iterator[Wire]:
    """A connection that is told of every step of the mind's digestion."""
    with Wire(daemon, timeout=60) as wire:
        wire.ask("events.watch", json.dumps({"mind": mind, "events": ["step_started"]}))
        yield wire


def recall_amid_a_step(api: Checking, steps: Wire, mind: str, query: str) -> str:
    """Send the mind to digest and ask it something as soon as it has begun with a step; that step's name."""
    api.call("idle.run", mind=mind, wait=False)
    begun = steps.receive()
    assert begun is not None
    api.call("recall", mind=mind, query=query, record=False)
    return str(begun["params"]["step"])


def test_a_step_called_off_three_times_then_runs_to_its_end(tmp_path: Path) -> None:
    """Talk goes on without a pause; the step must come through all the same."""
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon, watched(daemon, "mira") as steps:
        api = checking(daemon)
        talk(api, "mira", TALK, salt=2)
        api.settle("mira")
        for _ in range(60):
            if recall_amid_a_step(api, steps, "mira", "Lisbon 绿茶") == "sweep":  # it comes after those of the talk
                break
        api.call("idle.run", mind="mira")
        counted = rows(daemon, "mira", "SELECT step, attempts, preempted FROM job WHERE conversation IS NOT NULL")
        print(counted)
        assert {step for step, _, _ in counted} == {"flush", "freeze", "summarise", "split", "link", "reconcile"}
        assert sum(preempted for _, _, preempted in counted) > 0, "nothing was ever called off"
        assert len(daemon.events("step_preempted")) >= sum(preempted for _, _, preempted in counted)
        assert rows(daemon, "mira", "SELECT DISTINCT state FROM job WHERE conversation IS NOT NULL") == [("done",)]
        assert all(preempted <= 3 for _, _, preempted in counted), "the fourth time it is not called off"
        assert all(attempts == preempted + 1 for _, attempts, preempted in counted)
        assert api.notes("mira")


def test_a_preempted_job_shows_and_resumes(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon, watched(daemon, "mira") as steps:
        api = checking(daemon)
        off: list[Json] = []
        for number in range(20):
            talk(api, "mira", TALK if number == 0 else TALK // 3, salt=10 + number)
            api.settle("mira")
            while recall_amid_a_step(api, steps, "mira", "Bergen 望远镜") != "sweep":
                off = [job for job in api.jobs("mira") if job["state"] == "preempted"]
                if off:
                    break
            if off:
                break
        (job,) = off
        assert job["attempts"] >= 1
        assert job["finished_at"] is None
        assert api.call("mind.get", mind="mira")["mind"]["state"] == "working"
        done = api.client.call("idle.run", {"mind": "mira"}, timeout=100.0)  # hundreds of messages wait for it
        assert job["id"] in done["jobs"]
        again = next(each for each in api.jobs("mira") if each["id"] == job["id"])
        assert (again["state"], again["attempts"]) == ("done", job["attempts"] + 1)
        made = [(note["text"], str(note["sources"])) for note in api.notes("mira")]
        assert len(made) == len(set(made)), "no effect was repeated"
        assert rows(daemon, "mira", "SELECT count(*) FROM job WHERE state <> 'done'") == [(0,)]
