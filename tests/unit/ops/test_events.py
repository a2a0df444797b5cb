"""The event bus: what is written, who is told, and what happens to too many."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from event_bench import Bench
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.settings.setting_sections import LogLevel


@pytest.fixture
def bench(tmp_path: Path) -> Any:
    made = Bench(tmp_path / "log", SOULMEM_STRICT_EVENTS="1")
    yield made
    made.close()


@pytest.fixture
def lenient(tmp_path: Path) -> Any:
    made = Bench(tmp_path / "log")
    yield made
    made.close()


def watched(bench: Bench, *events: str, mind: str | None = None) -> Any:
    return bench.bus.subscribe(events or None, mind)


def test_an_event_is_one_line_with_its_head(bench: Bench) -> None:
    bench.bus("epoch_frozen", mind="小夜", conversation="主线", epoch=3, messages=40)
    bench.bus("clock_trusted", suspect_ms=5)
    first, second = bench.lines()
    assert first == {
        "event": "epoch_frozen",
        "level": "info",
        "ts": "2023-11-14T22:13:20.123Z",
        "seq": 1,
        "boot": "b00t",
        "mind": "小夜",
        "conversation": "主线",
        "epoch": 3,
        "messages": 40,
    }
    assert (second["event"], second["seq"]) == ("clock_trusted", 2)
    assert list(first)[:5] == ["event", "level", "ts", "seq", "boot"]


@pytest.mark.parametrize(
    ("event", "fields", "said"),
    [
        ("note_dreamt", {}, "note_dreamt is not catalogued"),
        ("note_created", {"mind": "a", "count": 1}, "missing \\['origin'\\]"),
        ("note_created", {"mind": "a", "count": 1, "origin": "client", "text": "x"}, "unknown \\['text'\\]"),
        ("note_created", {"mind": "a", "count": "1", "origin": "client"}, "count is str, not integer"),
        ("note_created", {"mind": "a", "count": True, "origin": "client"}, "count is bool, not integer"),
        ("clock_trusted", {"suspect_ms": None}, "suspect_ms is NoneType"),
    ],
)
def test_strict_mode_refuses_what_is_not_catalogued(
    bench: Bench, event: str, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        bench.bus(event, **fields)
    assert bench.lines() == []


def test_otherwise_a_mistake_breaks_an_invariant_once_and_leaks_nothing(lenient: Bench) -> None:
    for _ in range(3):
        lenient.bus("note_dreamt", text="我的秘密")
        lenient.bus("note_created", mind="a", count=1, origin="client", text="my secret")
        lenient.bus("note_forgotten", mind="a")
    for _ in range(60):
        lenient.bus("note_forgotten", mind="a")  # not even past the limit on lines
    lenient.bus.close()
    broken = [line for line in lenient.lines() if line["event"] == "invariant_broken"]
    assert len(broken) == 3
    assert {line["level"] for line in broken} == {"critical"}
    assert "note_dreamt is not catalogued" in broken[0]["detail"]
    assert "secret" not in lenient.path.read_text("utf-8")
    assert "秘密" not in lenient.path.read_text("utf-8")
    assert lenient.names().count("note_created") == 3


def test_debug_events_cost_nothing_unless_someone_watches(bench: Bench) -> None:
    event = {"mind": "a", "conversation": "main", "message_seq": 1, "role": "user", "ms": 0.4}
    bench.bus("message_recorded", **event)
    usual = watched(bench)
    bench.bus("message_recorded", **event)
    keen = watched(bench, "message_recorded")
    everything = watched(bench, "*")
    bench.bus("message_recorded", **event)
    assert usual.take() == []
    assert [record["event"] for record in everything.take()] == ["message_recorded"]
    (record,) = keen.take()
    assert record["seq"] == 1, "what nobody wants takes no number"
    assert record["level"] == "debug"
    assert bench.lines() == []
    keen.close()
    everything.close()
    bench.bus("message_recorded", **event)
    assert keen.take() == []


def test_an_event_that_nobody_heard_is_heard_by_who_watches_later(lenient: Bench) -> None:
    def say(**more: Any) -> None:
        lenient.bus("window_slid", mind="mira", conversation="main", message_seq=4, assigned=False, **more)

    for _ in range(3):
        say()
    watcher = watched(lenient, "window_slid")
    say()
    assert [event["event"] for event in watcher.take()] == ["window_slid"]
    watcher.close()
    say()
    later = watched(lenient, "window_slid")
    say()
    assert len(later.take()) == 1
    later.close()
    say()
    assert lenient.names() == []
    say(words="secret")
    assert lenient.names() == ["invariant_broken"], "a field too many is noticed, however often the event was right"


def test_debug_events_are_written_when_asked_for(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "log", LogLevel.DEBUG)
    for seq in range(200):
        bench.bus("message_changed", mind="a", conversation="main", message_seq=seq)
    assert len(bench.lines()) == 200
    bench.close()


def test_watching_one_mind(bench: Bench) -> None:
    watcher = watched(bench, mind="甲")
    for mind in ("甲", "乙", "甲"):
        bench.bus("note_created", mind=mind, count=2, origin="digestion")
    bench.bus("clock_trusted", suspect_ms=1)
    assert [(record["mind"], record["seq"]) for record in watcher.take()] == [("甲", 1), ("甲", 3)]


def test_watching_an_unknown_event_names_the_nearest(bench: Bench) -> None:
    with pytest.raises(SoulmemError) as caught:
        bench.bus.subscribe(["note_creatd"])
    assert caught.value.name is ErrorName.INVALID_PARAMS
    assert caught.value.hint == "did you mean note_created?"
    with pytest.raises(SoulmemError) as caught:
        bench.bus.subscribe(["记忆"])
    assert caught.value.hint == "system.describe lists all events"


async def test_a_slow_watcher_is_dropped_and_the_others_are_not(bench: Bench) -> None:
    slow = bench.bus.subscribe(None, maxlen=3)
    quick = bench.bus.subscribe(None, maxlen=100)
    for number in range(10):
        bench.bus("clock_trusted", suspect_ms=number)
    seen = [record["suspect_ms"] async for record in slow]
    assert seen == [0, 1, 2]
    assert slow.lagged
    assert not quick.lagged
    names = Counter(record["event"] for record in quick.take())
    assert names == {"clock_trusted": 10, "watcher_lagged": 1}


async def test_a_watcher_is_woken_from_this_and_from_other_threads(bench: Bench) -> None:
    watcher = bench.bus.subscribe(["clock_trusted"])
    waiting = asyncio.create_task(watcher.__anext__())
    await asyncio.sleep(0)
    bench.bus("clock_trusted", suspect_ms=1)
    assert (await asyncio.wait_for(waiting, 2))["suspect_ms"] == 1
    waiting = asyncio.create_task(watcher.__anext__())
    await asyncio.sleep(0)
    thread = threading.Thread(target=lambda: bench.bus("clock_trusted", suspect_ms=2))
    thread.start()
    assert (await asyncio.wait_for(waiting, 2))["suspect_ms"] == 2
    thread.join()
    bench.bus.close()
    assert [record async for record in watcher] == []
    assert not watcher.lagged


def test_many_threads_get_distinct_numbers_and_whole_lines(bench: Bench) -> None:
    def emit_many() -> None:
        for _ in range(100):
            bench.bus("mind_closed", mind="a", reason="rest", ms=1.5)
            bench.bus("note_created", mind="a", count=1, origin="client")

    threads = [threading.Thread(target=emit_many) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bench.bus.close()
    lines = bench.lines()
    numbers = [line["seq"] for line in lines]
    assert numbers == sorted(set(numbers))
    assert sum(line["count"] for line in lines if line["event"] == "note_created") == 400


def test_repeated_lines_are_limited_and_told(bench: Bench) -> None:
    for _ in range(80):
        bench.bus("accept_paused", error="EMFILE", pause_ms=100)
    assert bench.names() == ["accept_paused"] * 50
    bench.clock.elapsed_ms = 9_999
    bench.bus.tick()
    assert len(bench.lines()) == 50
    bench.clock.elapsed_ms = 10_000
    bench.bus("accept_paused", error="EMFILE", pause_ms=100)
    told = bench.lines()[50:]
    assert [line["event"] for line in told] == ["log_suppressed", "accept_paused"]
    assert (told[0]["name"], told[0]["count"]) == ("accept_paused", 30)


def test_broken_invariants_are_never_suppressed(bench: Bench) -> None:
    for _ in range(70):
        bench.bus("invariant_broken", invariant="I2", detail="a message in two jobs")
    assert len(bench.lines()) == 70


def test_a_traceback_goes_to_the_log_and_not_to_watchers(bench: Bench) -> None:
    watcher = watched(bench)
    try:
        raise OSError("disk on fire")
    except OSError as error:
        bench.bus("request_failed", exc_info=error, method="recall", error="OSError")
    (line,) = bench.lines()
    assert "disk on fire" in line["traceback"]
    assert "test_events.py" in line["traceback"]
    assert "traceback" not in watcher.take()[0]


def test_a_clock_gone_mad_does_not_silence_the_log(bench: Bench) -> None:
    bench.clock.wall_ms = 10**18
    bench.bus("clock_jumped", by_ms=10**18)
    assert bench.lines()[0]["ts"] == str(10**18)


def test_a_year_of_three_digits_is_written_with_four(bench: Bench) -> None:
    bench.clock.wall_ms = -58_107_636_273_608
    bench.bus("clock_jumped", by_ms=1)
    assert bench.lines()[0]["ts"] == "0128-08-22T21:55:26.392Z"


def test_the_record_names_each_event_once(tmp_path: Path) -> None:
    record = tmp_path / "record"
    bench = Bench(tmp_path / "log", SOULMEM_EVENT_RECORD=str(record))
    for _ in range(3):
        bench.bus("message_changed", mind="a", conversation="main", message_seq=1)  # unwatched, still named
        bench.bus("clock_trusted", suspect_ms=1)
    assert record.read_text("utf-8").splitlines() == ["message_changed", "clock_trusted"]
    bench.close()
