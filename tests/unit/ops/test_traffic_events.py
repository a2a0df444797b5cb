"""Events that count: what went through is summed, fits into lines, and can be recomputed from the log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from event_bench import Bench
from recount import recount
from soulmem.ops.log.traffic_counters import Latencies


@pytest.fixture
def bench(tmp_path: Path) -> Any:
    made = Bench(tmp_path / "log", SOULMEM_STRICT_EVENTS="1")
    yield made
    made.close()


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
