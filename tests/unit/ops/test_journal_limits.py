"""The log stays within what the journal takes of a service: 48 KiB a line, 10,000 lines in 30 seconds (journald.conf).

`LineMax=` and `RateLimitBurst=` are the journal's defaults; what is beyond them it cuts or drops.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from recount import recount
from soulmem.ops.log.event_bus import TICK_S, EventBus
from soulmem.ops.log.event_catalogue import catalogue
from soulmem.ops.log.log_output import LINE_BYTES, open_log
from soulmem.ops.settings.setting_sections import LogFormat, LogSettings
from spread import IN_FULL

LINE_MAX = 48 * 1024
BURST, INTERVAL_S = 10_000, 30
MINDS = 200
_PART = 1 if IN_FULL else 4  # of the load: still twice as many events as the journal takes lines
# How often each event comes in a second: all at once, more than two cores can cause. The minds take turns; those that
# are opened are others, for a mind is not opened while it is written to.
LOAD = {
    "note_created": 500, "note_forgotten": 250, "link_created": 500, "note_blurred": 100, "step_finished": 100,
    "state_changed": 100, "mind_opened": 100, "mind_closed": 100, "client_refused": 200, "request_failed": 200,
    "library_log": 200, "model_called": 50, "model_failed": 50, "storage_full": 100, "summary_rolled": 50,
    "watcher_lagged": 50,
}  # fmt: skip
SAMPLES: dict[str, Any] = {
    "integer": 1,
    "number": 2.5,
    "string": "x",
    "boolean": True,
    "object": {},
    "array": [],
    "null": None,
}


class SteppedClock:
    """A clock that is moved by hand."""

    suspect = False
    simulated = True

    def __init__(self) -> None:
        self.ms = 0.0

    def now_ms(self) -> int:
        return 1_700_000_000_000 + round(self.ms)

    def monotonic_ms(self) -> float:
        return self.ms


def emitted(name: str, mind: str, **given: Any) -> dict[str, Any]:
    spec = catalogue()[name]
    fields = {field: SAMPLES[spec.types[field][0]] for field in spec.required | {"mind"} & spec.allowed}
    return {**fields, **({"mind": mind} if "mind" in spec.allowed else {}), **given}


@pytest.mark.thorough
def test_at_full_load_the_journal_drops_no_line_and_the_counts_are_right(tmp_path: Path) -> None:
    log = tmp_path / "log"
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT)
    clock = SteppedClock()
    notes = {f"mind{number}": 0 for number in range(MINDS)}
    turn = 0
    try:
        bus = EventBus(open_log(LogSettings(format=LogFormat.JSON), fd=descriptor, environ={}), clock, environ={})
        for mind in notes:
            bus("mind_opened", **emitted("mind_opened", mind, notes=0))
        before = len(log.read_bytes().splitlines())
        for second in range(INTERVAL_S):
            clock.ms = second * 1000.0
            for _ in range(500):
                bus.traffic.message(f"mind{turn % MINDS}", 1.0)
                turn += 7
            for name, times in LOAD.items():
                for _ in range(times // _PART):
                    mind = f"mind{turn % MINDS}"
                    turn += 7
                    bus(name, **emitted(name, f"resting {mind}" if name == "mind_opened" else mind))
                    notes[mind] += {"note_created": 1, "note_forgotten": -1}.get(name, 0)
            if second % TICK_S == TICK_S - 1:
                bus.tick()
        lines = log.read_bytes().splitlines()
        assert len(lines) - before < BURST
        bus.close()
    finally:
        os.close(descriptor)
    counted = recount(log.read_bytes().splitlines())
    assert {mind: counts["notes"] for mind, counts in counted.items() if mind in notes} == notes
    assert max(map(len, lines)) < LINE_BYTES


def test_one_mind_that_is_opened_lets_no_other_event_through(tmp_path: Path) -> None:
    """A base line writes what was held back of its own mind, and neither more nor the limits anew."""
    log = tmp_path / "log"
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT)
    clock = SteppedClock()
    try:
        bus = EventBus(open_log(LogSettings(format=LogFormat.JSON), fd=descriptor, environ={}), clock, environ={})
        for _ in range(60):
            bus("note_created", mind="a", count=1, origin="client")
            bus("note_created", mind="b", count=1, origin="client")
            bus("library_log", logger="x", severity="warning", message="m")
        bus.traffic.message("a", 1.0)
        bus.traffic.message("b", 1.0)
        held = len(log.read_bytes().splitlines())
        assert held == 100
        bus("mind_opened", mind="a", messages=1, notes=60, links=0, pending_jobs=0, ms=1.0)
        told = [json.loads(line) for line in log.read_bytes().splitlines()[held:]]
        assert [(line["event"], line.get("mind")) for line in told] == [
            ("traffic", None), ("note_created", "a"), ("mind_opened", "a"),
        ]  # fmt: skip
        assert told[0]["messages"] == {"a": 1}
        bus("library_log", logger="x", severity="warning", message="m")
        assert len(log.read_bytes().splitlines()) == held + 3, "its limit goes on"
        bus.close()
    finally:
        os.close(descriptor)
    assert recount(log.read_bytes().splitlines())["b"] == {"messages": 1, "notes": 60, "links": 0}


@pytest.mark.parametrize("name", sorted(name for name, spec in catalogue().items() if not spec.reserved))
@pytest.mark.parametrize("text", ["x" * 60_000, "梦" * 60_000, "\x00\x1b" * 30_000, "𠮷" * 60_000])
def test_no_event_makes_a_line_that_the_journal_cuts(tmp_path: Path, name: str, text: str) -> None:
    log = tmp_path / "log"
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT)
    spec = catalogue()[name]
    samples = {
        **SAMPLES,
        "string": text,
        "object": {text: {text: 1}, **{f"m{i}": i for i in range(999)}},
        "integer": 1 << 62,
    }
    try:
        bus = EventBus(
            open_log(LogSettings(format=LogFormat.JSON), fd=descriptor, environ={}), SteppedClock(), environ={}
        )
        error = ValueError(text)
        bus(name, error, **{field: samples[spec.types[field][0]] for field in spec.allowed})
        bus.close()
    finally:
        os.close(descriptor)
    for line in log.read_bytes().splitlines():
        assert len(line) < LINE_BYTES < LINE_MAX
        assert json.loads(line)["event"]
