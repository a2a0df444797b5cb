"""The Vector configuration counts a log as the log says, and as the mtail program does.

Its programs are compiled and run by VRL itself (`vector_pipeline`). The logs are written by the daemon's own means, and
by a daemon that lived through a day.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from test_units import every_event_log, mtail_metrics, needs, recorded_log

from checking import checking
from daemon_fixture import daemon_process
from household import DAY, START
from soulmem.ops.log.event_catalogue import catalogue, schema
from vector_pipeline import Pipeline, unlabelled

CONFIG = Path(__file__).parents[3] / "systemd" / "monitoring" / "vector.toml"
FOREIGN = ["Started soulmem.service - Memory.", "", "{", "[1]", "null", '"text"', '{"event":"of nobody"}', '{"a":1}']


def counted(log: Path, *, foreign: bool = False) -> dict[str, float]:
    pipeline = Pipeline(CONFIG)
    for line in [*(FOREIGN if foreign else ()), *log.read_text("utf-8").splitlines()]:
        pipeline.take(line)
    return unlabelled(pipeline.metrics)


def told_by_mtail(log: Path) -> dict[str, float]:
    """Its series in the same form, without those that it declares and nothing moved."""
    metrics: dict[str, float] = {}
    for series, value in mtail_metrics(log).items():
        name, labels = series.rstrip("}").split("{")
        metrics[f"{name}{{{','.join(sorted(labels.split(',')))}}}"] = value
    return metrics


def lived_through(root: Path) -> Path:
    """The log of a daemon: minds in two languages that talk, sleep, forget and go, and a client who is refused."""
    with daemon_process(root, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        for mind in ("mira", "xue"):
            for line in ("My sister Ines moved to Ghent in March.", "我妹妹三月搬到了成都，在那里教书。"):
                api.say(mind, line, speaker="Ann", recall=True)
            api.call("recall", mind=mind, query="Ines 妹妹")
            api.call("idle.run", mind=mind)
        for number in range(60):
            api.note("mira", f"A note, {number}. 第{number}条。")
        api.refused("invalid_params", "recall", mind="mira")
        api.call("clock.advance", seconds=60 * DAY)
        api.call("mind.delete", mind="xue", confirm="xue")
        return daemon.log_path


def test_vector_counts_a_recorded_log_and_drops_what_is_none(tmp_path: Path) -> None:
    log = tmp_path / "log"
    recorded_log(log)
    metrics = counted(log, foreign=True)
    expected = {
        "soulmem_starts_total{}": 1, "soulmem_start_ms{}": 321.5, "soulmem_notes_created_total{yuki}": 180,
        "soulmem_notes_forgotten_total{yuki}": 2, "soulmem_notes_blurred_total{yuki}": 4,
        "soulmem_links_created_total{hebb,yuki}": 5, "soulmem_links_created_total{client,yuki}": 1,
        "soulmem_steps_total{split,yuki}": 1, "soulmem_step_ms{split}": 12.5, "soulmem_summaries_total{yuki}": 1,
        "soulmem_library_warnings_total{}": 1, "soulmem_storage_full{}": 1, "soulmem_breaker_open{}": 0,
        "soulmem_messages_total{}": 7, "soulmem_recalls_total{}": 1, "soulmem_refused_total{}": 1,
    }  # fmt: skip
    assert {name: metrics.get(name) for name in expected} == expected
    assert "soulmem_invariants_broken_total{}" not in metrics, "what stands in a text is no event"
    assert metrics == counted(log), "what is no event of ours moves nothing"


def test_every_event_moves_its_metrics_in_vector(tmp_path: Path) -> None:
    log = tmp_path / "log"
    every_event_log(log)
    metrics = counted(log)
    for name, spec in catalogue().items():
        for metric in re.findall(r"soulmem_\w+", "" if spec.reserved else schema()["events"][name].get("metric", "")):
            moved = {value for series, value in metrics.items() if series.startswith(metric + "{")}
            assert moved - {0.0}, f"{name} does not move {metric}"
    assert metrics["soulmem_model_tokens_total{x}"] == 6, "in and out"


def test_vector_counts_what_a_daemon_lived_through(tmp_path: Path) -> None:
    log = lived_through(tmp_path)
    metrics = counted(log)
    events = Counter(re.findall(r'^\{"event":"(\w+)"', log.read_text("utf-8"), re.MULTILINE))
    assert events["step_finished"] > 10
    for event, metric in (("step_finished", "soulmem_steps_total"), ("mind_created", "soulmem_minds_created_total"),
                          ("mind_deleted", "soulmem_minds_deleted_total"), ("heartbeat", "soulmem_heartbeats_total"),
                          ("summary_rolled", "soulmem_summaries_total")):  # fmt: skip
        assert sum(worth for series, worth in metrics.items() if series.startswith(metric + "{")) == events[event]
    assert metrics["soulmem_messages_total{}"] == 4
    assert metrics["soulmem_notes_created_total{mira}"] >= 60


@needs("mtail")
@pytest.mark.parametrize("log_of", [recorded_log, every_event_log, None], ids=["recorded", "every event", "lived"])
def test_vector_and_mtail_come_to_the_same(tmp_path: Path, log_of: object) -> None:
    log = tmp_path / "log"
    if callable(log_of):
        log_of(log)
    else:
        os.replace(lived_through(tmp_path), log)
    by_vector, by_mtail = counted(log), told_by_mtail(log)
    differing = {series: (by_vector.get(series, 0.0), by_mtail.get(series, 0.0))
                 for series in by_vector.keys() | by_mtail.keys()
                 if by_vector.get(series, 0.0) != by_mtail.get(series, 0.0)}  # fmt: skip
    assert not differing
    assert len(by_vector) > 10
