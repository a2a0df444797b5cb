"""Messages outlive the daemon: all that was said and noted is there after a restart, and after kills amid talk."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from checking import Checking, Json, checking, ranges, rows
from daemon_fixture import daemon_process

START = "2026-03-01T08:00:00Z"
PLAIN = {"window.topic_marks": False}


def everything(api: Checking, mind: str) -> Json:
    told = api.call("mind.get", mind=mind)["mind"]
    return {
        "messages": api.messages(mind) + api.messages(mind, "旁边"),
        "notes": api.notes(mind),
        "links": api.links(mind),
        "jobs": api.jobs(mind),
        "mind": {name: told[name] for name in ("title", "profile", "settings", "messages", "notes", "links", "state")},
    }


@pytest.mark.parametrize("ending", ["SIGTERM", "SIGKILL"])
def test_a_restart_keeps_everything(tmp_path: Path, ending: str) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="mira", title="米拉", settings=PLAIN | {"window.capacity": 3})
        for number in range(5):
            api.say("mira", f"I planted {number} trees 我种了{number}棵树", id=f"t{number}")
        api.call("idle.run", mind="mira")
        for number in range(5, 9):
            last = api.say("mira", f"I planted {number} trees 我种了{number}棵树", id=f"t{number}")
            api.say("mira", f"aside {number} 旁白", conversation="旁边", role="assistant")
        api.settle("mira")
        api.call("clock.advance", seconds=0)  # what is still to be recalled would rehearse notes after the restart
        before = everything(api, "mira")
        assert last["window"]["size"] == 3
        if ending == "SIGKILL":
            daemon.kill()
        else:
            assert daemon.terminate() == 0
    with daemon_process(tmp_path, "--simulated-clock", START, name="e") as daemon:
        api = checking(daemon)
        again = api.say("mira", "I planted 8 trees 我种了8棵树", id="t8")
        assert (again["duplicate"], again["seq"]) == (True, last["seq"])
        api.settle("mira")
        after = everything(api, "mira")
        if ending == "SIGTERM":  # a drain flushes the windows, which makes summary jobs and clears markers
            for state in (before, after):
                state["jobs"] = [job for job in state["jobs"] if job["step"] != "roll"]
                state["messages"] = [{**message, "marker": ""} for message in state["messages"]]
        assert after == before
        assert after["mind"]["state"] == "working", "an unflushed window is a talk that goes on"
        follow = api.say("mira", "next 下一句")
        assert (follow["seq"], follow["window"]) == (last["seq"] + 1, {"size": 3, "capacity": 3})


def test_random_talk_with_kills_leaves_no_gap(tmp_path: Path) -> None:
    """I1 coverage, I2 exactly once, I3 bounded tail, I6 an idle mind has nothing unsummarised."""
    draw = random.Random(20260301)
    capacity = 3
    total = 0
    for life in range(3):
        with daemon_process(tmp_path, "--simulated-clock", START, name=f"d{life}") as daemon:
            api = checking(daemon)
            if life == 0:
                api.call(
                    "mind.create", mind="mira", settings=PLAIN | {"window.capacity": capacity, "window.min_fresh": 1}
                )
            for _ in range(25):
                chance = draw.random()
                extra: Json = {"mark": "topic"} if chance < 0.2 else {"mark": "end"} if chance < 0.25 else {}
                role = draw.choice(["user", "assistant", "system"])
                api.say("mira", f"line {total} 句子{draw.random()}", role=role, **extra)
                total += 1
                if chance > 0.95:
                    capacity = draw.randint(1, 6)
                    api.call("mind.update", mind="mira", settings={"window.capacity": capacity})
                elif chance > 0.9:
                    api.call("idle.run", mind="mira")
            ((low, mark, top),) = rows(daemon, "mira", "SELECT win_lo, hwm, max_pos FROM window")
            assert low - 1 <= mark <= top
            assert top - mark <= capacity
            daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", START, name="last") as daemon:
        api = checking(daemon)
        assert [message["seq"] for message in api.messages("mira")] == list(range(1, total + 1))
        api.call("idle.run", mind="mira")
        spans = ranges(daemon, "mira")
        ((mark, top),) = rows(daemon, "mira", "SELECT hwm, max_pos FROM window")
        assert mark == top == spans[-1][1]
        assert spans[0][0] == 1
        assert [hi + 1 for _, hi in spans[:-1]] == [lo for lo, _ in spans[1:]]
        unfinished = [job for job in api.jobs("mira") if job["state"] != "done"]
        assert unfinished == []
        doubled = rows(
            daemon,
            "mira",
            "SELECT conversation, epoch, covers_hi, count(*) FROM summary GROUP BY 1, 2, 3 HAVING count(*) > 1",
        )
        assert doubled == []
