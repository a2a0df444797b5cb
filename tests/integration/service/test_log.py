"""The log of a real daemon: counts recomputed from it alone, no memory text in it, and events streamed to watchers."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, Wire, checking
from daemon_fixture import Daemon, daemon_process
from recount import recount
from soulmem.client import Client

START = "2026-03-01T08:00:00Z"
DAY = 86_400
CATALOGUE = json.loads((Path(__file__).parents[3] / "schemas" / "events.json").read_text(encoding="utf-8"))
PLANTED = ["Xylobrindle", "夔龘貔貅", "QuillonZephyr"]


def counted(api: Checking) -> dict[str, dict[str, int]]:
    return {
        line["mind"]: {name: line[name] for name in ("messages", "notes", "links")}
        for line in api.call("system.status")["minds"]
    }


def lines(*paths: Path) -> list[str]:
    return [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def live(api: Checking, mind: str) -> None:
    """Everything that changes the counts of a mind."""
    for number in range(6):
        api.say(mind, f"I grow {PLANTED[0]} and {PLANTED[1]} in pot {number} 我种花", id=f"p{number}", speaker="Ann")
        api.say(mind, f"My name is {PLANTED[2]}, I love tea. 我喜欢喝茶。", role="assistant", conversation="旁")
    api.say(mind, "p0 again", id="q")
    api.say(mind, "p0 again", id="q")
    api.call("message.update", mind=mind, id="p1", content=f"{PLANTED[0]} corrected 改正")
    api.call("message.delete", mind=mind, id="p2")
    api.call("message.delete", mind=mind, id="p2")
    notes = [api.note(mind, f"{PLANTED[0]} note {number} {PLANTED[1]}", tags=[PLANTED[2]]) for number in range(5)]
    for other in notes[1:]:
        api.call(
            "link.add", mind=mind, src=notes[0], dst=other, strength=0.06 if other == notes[1] else 0.5, verb=PLANTED[2]
        )
    api.call("link.add", mind=mind, src=notes[0], dst=notes[2], strength=0.5, verb=PLANTED[2])
    api.call("recall", mind=mind, query=f"{PLANTED[0]} {PLANTED[1]}")
    api.call("context.get", mind=mind, conversation="main", query=PLANTED[2])
    api.call("idle.run", mind=mind)
    api.call("note.forget", mind=mind, id=notes[0])
    api.call("note.forget", mind=mind, id=notes[3])
    api.call("note.restore", mind=mind, id=notes[0])
    api.call("note.restore", mind=mind, id=notes[3])
    api.call("note.forget", mind=mind, id=notes[4])
    api.call("note.update", mind=mind, id=notes[2], text=f"{PLANTED[2]} rewritten")
    api.settle(mind)


@pytest.mark.parametrize("level", ["info", "debug"])
def test_the_counts_of_the_status_follow_from_the_log_alone(tmp_path: Path, level: str) -> None:
    env = {"SOULMEM_LOG_LEVEL": level}
    logs = []
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        live(api, "mira")
        live(api, "gone")
        api.call("mind.create", mind="empty", title=PLANTED[0], persona=PLANTED[1])
        api.call("mind.delete", mind="gone", confirm="gone")
        expected = counted(api)
        assert daemon.terminate() == 0
        logs.append(daemon.log_path)
    assert expected["mira"]["messages"] == 12
    assert expected["mira"]["notes"] > 4
    assert recount(lines(*logs)) == expected
    with daemon_process(tmp_path, "--simulated-clock", START, name="e", env=env) as daemon:
        api = checking(daemon)
        assert counted(api) == expected
        api.say("mira", "after the restart 重启之后")
        api.call("clock.advance", seconds=200 * DAY)
        expected = counted(api)
        assert expected["mira"]["links"] < 30
        assert daemon.terminate() == 0
        logs.append(daemon.log_path)
    assert recount(lines(*logs)) == expected
    assert recount(lines(logs[-1])).items() <= expected.items(), "each open gives a base line"


def test_no_memory_text_in_the_log(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        live(api, "mira")
        api.refused("invalid_params", "message.add", mind="mira", role="user", content=PLANTED[0], contents=1)
        api.refused("idempotency_conflict", "message.add", mind="mira", role="user", content=PLANTED[1], id="p3")
        api.refused("not_found", "message.update", mind="mira", id=PLANTED[2], content=PLANTED[0])
        with Wire(daemon) as wire:
            wire.send(f'{{"jsonrpc":"2.0","id":1,"method":"{PLANTED[0]}","params":{{"{PLANTED[1]}":1}}'.encode())
            assert wire.receive() is not None
        api.call("clock.advance", seconds=200 * DAY)
        assert daemon.terminate() == 0
        text = daemon.log_path.read_text(encoding="utf-8")
    escaped = [json.dumps(word)[1:-1] for word in PLANTED]
    for word in PLANTED + escaped + [word.casefold() for word in PLANTED]:
        assert word not in text, next(line for line in text.splitlines() if word in line)


def test_every_line_is_an_event_of_the_catalogue(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START, env={"SOULMEM_LOG_LEVEL": "debug"}) as daemon:
        live(checking(daemon), "mira")
        checking(daemon).refused("not_found", "note.get", mind="mira", id="n999")
        assert daemon.terminate() == 0
        raw = daemon.log_path.read_bytes().splitlines()
    seqs, boots = [], set()
    for line in raw:
        assert len(line) <= 8192
        record = json.loads(line)
        entry = CATALOGUE["events"][record["event"]]
        assert record["level"] == entry["level"]
        common = {name for name, told in CATALOGUE["common"].items() if not told.get("optional")}
        required = {name for name, told in entry["fields"].items() if not told.get("optional")}
        assert common | required <= record.keys(), record
        assert record.keys() <= CATALOGUE["common"].keys() | entry["fields"].keys(), record
        seqs.append(record["seq"])
        boots.add(record["boot"])
    assert seqs == sorted(set(seqs))
    assert len(boots) == 1
    names = [json.loads(line)["event"] for line in raw]
    assert names[0] == "daemon_started"
    assert names[-1] == "daemon_stopped"
    for name in (
        "daemon_ready",
        "daemon_draining",
        "state_changed",
        "mind_created",
        "mind_closed",
        "message_recorded",
        "request_refused",
    ):
        assert name in names


def test_messages_and_recalls_are_debug_and_counted_in_traffic(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        for number in range(50):
            api.say("mira", f"line {number} 句")
        assert daemon.terminate() == 0
        log = daemon.log()
    assert {record["event"] for record in log}.isdisjoint({"message_recorded", "recall_served", "client_connected"})
    assert sum(record["messages"].get("mira", 0) for record in log if record["event"] == "traffic") == 50
    assert len(log) < 40, "the log stays small however much is said"


# -- watching ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with daemon_process(tmp_path_factory.mktemp("v"), "--simulated-clock", START) as daemon:
        yield daemon


def watch(daemon: Daemon, params: str) -> Wire:
    wire = Wire(daemon)
    assert "result" in wire.ask("events.watch", params)
    return wire


def until(wire: Wire, name: str, mind: str | None = None) -> list[Json]:
    """The events up to one of this name."""
    found = []
    while (message := wire.receive()) is not None:
        assert message["method"] == "event"
        found.append(message["params"])
        if found[-1]["event"] == name and mind in {None, found[-1].get("mind")}:
            return found
    raise AssertionError(f"closed before {name}")


def test_events_stream_to_whoever_asks(watched: Daemon) -> None:
    api = checking(watched)
    with (
        watch(watched, "{}") as everything,
        watch(watched, '{"events":["message_recorded","note_created"]}') as chosen,
        watch(watched, '{"mind":"wren","events":["*"]}') as one,
    ):
        for mind in ("wren", "crow"):
            api.say(mind, f"hello {mind} 你好")
            api.note(mind, "a note 笔记")
        api.call("mind.create", mind="end")
        heard = until(everything, "mind_created", "end")
        assert {"mind_created", "note_created", "state_changed"} <= {event["event"] for event in heard}
        assert "message_recorded" not in {event["event"] for event in heard}, "debug is for those who name it"
        got = [until(chosen, "note_created", mind) for mind in ("wren", "crow")]
        assert [(event["event"], event["mind"]) for part in got for event in part] == [
            ("message_recorded", "wren"), ("note_created", "wren"),
            ("message_recorded", "crow"), ("note_created", "crow"),
        ]  # fmt: skip
        api.call("mind.update", mind="wren", title="鹪鹩")
        own = until(one, "mind_updated")
        assert {event["mind"] for event in own} == {"wren"}
        assert {"message_recorded", "note_created"} <= {event["event"] for event in own}
        for events in (heard, [event for part in got for event in part], own):
            seqs = [event["seq"] for event in events]
            assert seqs == sorted(set(seqs))
        assert "hello" not in json.dumps(heard + own)
    error = api.refused("invalid_params", "events.watch", events=["note_creatd"])
    assert "note_created" in (error.hint or "")


def test_calls_are_answered_on_a_watching_connection(watched: Daemon) -> None:
    with watch(watched, '{"events":["note_created"]}') as wire:
        wire.send(b'{"jsonrpc":"2.0","id":9,"method":"note.add","params":{"mind":"owl","kind":"lore","text":"x"}}')
        told = [wire.receive(), wire.receive()]
        assert {message.get("method", message.get("id")) for message in told if message} == {"event", 9}


def test_a_watcher_who_does_not_read_is_dropped_and_nobody_else(watched: Daemon) -> None:
    api = checking(watched)
    with watch(watched, '{"events":["*"]}') as slow, watch(watched, '{"events":["mind_created"]}') as quick:
        client = watched.client()
        text = "x" * 40
        deadline = time.monotonic() + 30
        sent = 0
        while not watched.events("watcher_lagged") and time.monotonic() < deadline:
            calls = [
                ("message.add", {"mind": "flood", "role": "system", "content": text, "conversation": "c" * 200})
                for _ in range(1000)
            ]
            client.call_many(calls)
            sent += 1000
        assert watched.events("watcher_lagged"), f"{sent} events were kept for somebody who never read"
        api.call("mind.create", mind="after")
        assert until(quick, "mind_created", "after")
        last: Json | None = None
        while True:
            try:
                message = slow.receive()
            except (TimeoutError, OSError):
                break
            if message is None:
                break
            last = message
            if message["method"] == "lagged":
                break
        assert last is not None
        assert last["method"] == "lagged"
    assert api.call("system.ping")["now"]


def test_minds_that_come_and_go_do_not_flood_the_journal(tmp_path: Path) -> None:
    """What a few hurried clients can cause in 30 seconds stays under the 10,000 lines that the journal takes."""
    seconds, clients = 3.0, 4
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        began = time.monotonic()
        before = len(daemon.log_path.read_bytes().splitlines())

        def hurry(name: str) -> None:
            number = 0
            with Client(str(daemon.socket)) as client:
                while time.monotonic() - began < seconds:
                    number += 1
                    mind = f"{name}{number}"
                    client.call("mind.create", {"mind": mind})
                    note = client.call("note.add", {"mind": mind, "kind": "semantic", "text": "tea 茶"})
                    client.call("message.add", {"mind": mind, "role": "user", "content": "hello 你好"})
                    client.call("note.forget", {"mind": mind, "id": note["id"]})
                    if number % 2:
                        client.call("mind.delete", {"mind": mind, "confirm": mind})

        with ThreadPoolExecutor(clients) as pool:
            list(pool.map(hurry, "abcd"))
        took = time.monotonic() - began
        written = len(daemon.log_path.read_bytes().splitlines()) - before
        assert written > 20
        assert written * 30 / took < 10_000
        expected = counted(api)
        assert daemon.terminate() == 0
    assert recount(lines(daemon.log_path)) == expected
