"""The event bus: what is written, who is told, and what happens to too many."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recount import recount
from soulmem.errors import ErrorName, SoulmemError
from soulmem.ops.log.event_bus import EventBus
from soulmem.ops.log.log_output import open_log
from soulmem.ops.log.traffic_counters import Latencies
from soulmem.ops.settings.setting_sections import LogFormat, LogLevel, LogSettings


class HandClock:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.wall_ms = 1_700_000_000_123
        self.elapsed_ms = 0.0
        self.suspect = False
        self.simulated = True

    def now_ms(self) -> int:
        return self.wall_ms

    def monotonic_ms(self) -> float:
        return self.elapsed_ms


class Bench:
    """A bus that writes into a file, and what it wrote."""

    def __init__(self, path: Path, level: LogLevel = LogLevel.INFO, **environ: str) -> None:
        self.path = path
        self.clock = HandClock()
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        logger = open_log(LogSettings(level=level, format=LogFormat.JSON), fd=self.fd, environ={})
        self.bus = EventBus(logger, self.clock, boot="b00t", environ=environ)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]

    def names(self) -> list[str]:
        return [line["event"] for line in self.lines()]

    def close(self) -> None:
        os.close(self.fd)


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


def test_what_counts_is_summed_not_lost(bench: Bench) -> None:
    watcher = bench.bus.subscribe(["note_created"], maxlen=1000)
    for number in range(300):
        mind = "甲" if number % 3 else "乙"
        bench.bus("note_created", mind=mind, count=2, origin="client")
    bench.bus.close()
    assert len(watcher.take()) == 300, "watchers see each"
    lines = bench.lines()
    assert len(lines) == 52
    assert {line["mind"]: line["suppressed"] for line in lines if "suppressed" in line} == {
        "甲": 300 * 2 // 3 - 33 - 1,
        "乙": 300 // 3 - 17 - 1,
    }
    assert {mind: counts["notes"] for mind, counts in recount(map(json.dumps, lines)).items()} == {
        "甲": 400,
        "乙": 200,
    }


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


def test_the_record_names_each_event_once(tmp_path: Path) -> None:
    record = tmp_path / "record"
    bench = Bench(tmp_path / "log", SOULMEM_EVENT_RECORD=str(record))
    for _ in range(3):
        bench.bus("message_changed", mind="a", conversation="main", message_seq=1)  # unwatched, still named
        bench.bus("clock_trusted", suspect_ms=1)
    assert record.read_text("utf-8").splitlines() == ["message_changed", "clock_trusted"]
    bench.close()


def test_traffic_tells_what_went_through(bench: Bench) -> None:
    bench.bus.tick()
    assert bench.lines() == []
    for number in range(100):
        bench.bus.traffic.message("甲", 1.0 if number else 50.0)
    bench.bus.traffic.recall("甲", 8.0)
    bench.bus.traffic.recall("b", 8.0)
    bench.bus.traffic.refused()
    bench.clock.elapsed_ms = 10_000
    bench.bus.tick()
    (line,) = bench.lines()
    assert (line["window_s"], line["messages"], line["recalls"]) == (10.0, {"甲": 100}, {"甲": 1, "b": 1})
    assert line["adds_p50_ms"] == pytest.approx(1.0, rel=0.03)
    assert line["adds_p99_ms"] == pytest.approx(1.0, rel=0.03)
    assert line["recalls_p95_ms"] == pytest.approx(8.0, rel=0.03)
    assert (line["refused"], line["errors"]) == (1, 0)
    bench.bus.tick()
    assert len(bench.lines()) == 1
    bench.bus.traffic.error()
    bench.bus.close()
    assert bench.lines()[1]["errors"] == 1
    assert bench.lines()[1]["adds_p50_ms"] is None


def test_traffic_of_many_minds_fits_into_lines(bench: Bench) -> None:
    names = [f"{'m' * 60}{number:04d}" for number in range(500)]
    for name in names:
        bench.bus.traffic.message(name, 1.0)
        bench.bus.traffic.recall(name, 1.0)
    bench.bus.traffic.refused()
    bench.bus.close()
    raw = bench.path.read_text("utf-8").splitlines()
    assert all(len(line) < 8192 for line in raw)
    assert {name: counts["messages"] for name, counts in recount(raw).items()} == dict.fromkeys(names, 1)
    assert sum(line["refused"] for line in bench.lines()) == 1


@settings(max_examples=100, deadline=None)
@given(values=st.lists(st.floats(0.02, 50_000), min_size=1, max_size=200), share=st.sampled_from([0.5, 0.95, 0.99]))
def test_quantiles_are_right_within_three_percent(values: list[float], share: float) -> None:
    latencies = Latencies()
    for value in values:
        latencies.add(value)
    rank = max(1, -(-len(values) * round(share * 100) // 100))
    assert latencies.quantile(share) == pytest.approx(sorted(values)[rank - 1], rel=0.03)


STEPS = st.one_of(
    st.tuples(st.just("message"), st.integers(0, 2)),
    st.tuples(st.just("notes"), st.integers(1, 3)),
    st.tuples(st.just("links"), st.integers(1, 3)),
    st.tuples(st.just("reopen"), st.just(0)),
    st.tuples(st.just("delete"), st.just(0)),
    st.tuples(st.just("wait"), st.integers(1, 8)),
)


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.tuples(st.sampled_from(["甲", "b"]), STEPS, st.integers(1, 40)), max_size=40))
def test_counts_can_be_recomputed_from_the_log_alone(
    steps: list[tuple[str, tuple[str, int], int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    bench = Bench(tmp_path_factory.mktemp("log") / "log")
    truth = {mind: {"messages": 0, "notes": 0, "links": 0} for mind in ("甲", "b")}
    for mind in truth:
        bench.bus("mind_created", mind=mind, profile="companion")
    for mind, (what, number), times in steps:
        counts = truth[mind]
        if what == "wait":
            bench.clock.elapsed_ms += number * 1000
            bench.bus.tick()
        elif what == "reopen":
            bench.bus("mind_opened", mind=mind, pending_jobs=0, ms=1.0, **counts)
        elif what == "delete":
            bench.bus("mind_deleted", mind=mind)
            truth[mind] = {"messages": 0, "notes": 0, "links": 0}
        for _ in range(times):
            if what == "message":
                bench.bus.traffic.message(mind, 0.5)
                counts["messages"] += 1
            elif what == "notes":
                bench.bus("note_created", mind=mind, count=number, origin="digestion")
                bench.bus("note_forgotten", mind=mind, count=1, reason="isolated")
                counts["notes"] += number - 1
            elif what == "links":
                bench.bus("link_created", mind=mind, count=number, origin="hebb")
                counts["links"] += number
    bench.bus.close()
    bench.close()
    seen = recount(bench.path.read_text("utf-8").splitlines())
    empty = {"messages": 0, "notes": 0, "links": 0}
    assert {mind: seen.get(mind, empty) for mind in truth} == truth
