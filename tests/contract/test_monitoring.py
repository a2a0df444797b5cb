"""The mtail program, the Vector configuration, the alerts and the dashboard speak of the catalogue's metrics alone.

`schemas/events.json` names the metrics of each event, like `soulmem_steps_total (counter, by mind and step)`; whoever
makes one, shows one or wakes somebody by one must mean the same.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from soulmem.ops.log.event_catalogue import catalogue, schema

MONITORING = Path(__file__).parents[2] / "systemd" / "monitoring"
MTAIL = (MONITORING / "soulmem.mtail").read_text("utf-8")
VECTOR = tomllib.loads((MONITORING / "vector.toml").read_text("utf-8"))
ALERTS = (MONITORING / "alerts.yaml").read_text("utf-8")
DASHBOARD = json.loads((MONITORING / "grafana.json").read_text("utf-8"))
FUNCTIONS = {"increase", "rate", "sum", "absent_over_time", "by", "or"}


class Metric(NamedTuple):
    kind: str
    labels: frozenset[str]


def catalogued() -> dict[str, Metric]:
    """Every metric that the events of the catalogue move, by name."""
    found: dict[str, Metric] = {}
    for name, entry in schema()["events"].items():
        for part in entry.get("metric", "").split(";"):
            if not part or entry.get("reserved"):
                continue
            names, told = re.fullmatch(r"\s*([a-z_0-9, ]+) \((.*)\)", part).groups()  # type: ignore[union-attr]
            kind = re.match(r"counter|gauge", told)
            assert kind, f"{name}: {part} says no kind"
            by = re.search(r", by ([a-z]+(?:(?:, | and )[a-z]+)*)", told)
            labels = frozenset(re.split(r", | and ", by[1])) if by else frozenset()
            for each in names.split(", "):
                assert found.setdefault(each, Metric(kind[0], labels)) == Metric(kind[0], labels)
    return found


METRICS = catalogued()


def test_the_catalogue_names_metrics_as_prometheus_wants_them() -> None:
    assert len(METRICS) > 50
    for name, metric in METRICS.items():
        assert re.fullmatch(r"soulmem_[a-z0-9_]+", name)
        assert name.endswith("_total") == (metric.kind == "counter"), name


def test_mtail_declares_the_metrics_of_the_catalogue() -> None:
    declared = re.findall(r"^(counter|gauge) (\w+)(?: by ([\w, ]+))?$", MTAIL, re.MULTILINE)
    assert {name: Metric(kind, frozenset(filter(None, by.split(", ")))) for kind, name, by in declared} == METRICS


def test_mtail_reads_fields_that_exist() -> None:
    blocks = re.findall(r'^/\^\(\?:<\\d>\)\?\{"event":"(\w+)"(.*?)^\}', MTAIL, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 45
    moved = set()
    for event, body in blocks:
        spec = catalogue()[event]
        for field, pattern in re.findall(r'"(\w+)":\\?"?\(\?P<\w+>([^)]*)\)', body):
            assert field in spec.allowed, f"{event}: {field}"
            if pattern == r"\d+":
                assert "integer" in spec.types[field], f"{event}: {field} is no integer"
        for metric in re.findall(r"soulmem_\w+", body):
            moved.add(metric)
            told = schema()["events"][event].get("metric", "")
            resets = event in {"daemon_started", "storage_recovered"}
            assert metric in told or resets, f"{event} moves {metric}, of which the catalogue says nothing"
    assert moved == METRICS.keys(), "each is moved by some event"


def test_vector_makes_the_metrics_of_the_catalogue_from_fields_that_exist() -> None:
    transforms = VECTOR["transforms"]
    made: dict[str, Metric] = {}
    routes = transforms["by_event"]["route"]
    counting = {name: step for name, step in transforms.items() if step["type"] == "log_to_metric"}
    lasting = {name: step for name, step in counting.items() if step["inputs"] == [f"{name}_told"]}
    assert routes == {name: f'.event == "{name}"' for name in counting if name not in lasting}
    assert sorted(VECTOR["sinks"]["prometheus"]["inputs"]) == sorted(counting)
    for name, step in counting.items():
        for metric in step["metrics"]:
            labels = metric.get("tags", {})
            told = Metric(metric["type"], frozenset(labels))
            assert made.setdefault(metric["name"], told) == told
            if name in lasting:
                assert metric["field"] == "value"
                continue
            spec = catalogue()[name]
            assert step["inputs"] == [f"by_event.{name}"]
            assert metric["field"] in spec.allowed | {"event"}
            assert {label for label, value in labels.items() if value == f"{{{{ {label} }}}}"} <= spec.allowed
            if metric.get("increment_by_value"):
                assert "integer" in spec.types[metric["field"]]
            assert metric["name"] in schema()["events"][name]["metric"]
    assert made == METRICS
    for name in lasting:
        source = transforms[f"{name}_told"]["source"]
        assert set(re.findall(r'\.event == "(\w+)"', source)) <= catalogue().keys()
        assert source.count("{") == source.count("}") == 3


def names_in(expression: str) -> set[str]:
    return set(re.findall(r"soulmem_\w+", expression))


def test_four_alerts_wake_somebody_by_metrics_that_exist() -> None:
    rules = re.findall(r"- alert: (\w+)\n\s+expr: (.*?)\n\s+(?:for|labels):", ALERTS, re.DOTALL)
    assert [name for name, _ in rules] == [
        "SoulmemInvariantBroken", "SoulmemSilent", "SoulmemModelAway", "SoulmemStateInDoubt",
    ]  # fmt: skip
    for name, expression in rules:
        assert names_in(expression), name
        assert names_in(expression) <= METRICS.keys()
        assert set(re.findall(r"\b[a-z_]+\b(?=\()", expression)) <= FUNCTIONS
    for command in re.findall(r"soulmem logs --event (\w+)", ALERTS):
        assert command in catalogue()


def test_the_dashboard_shows_metrics_that_exist() -> None:
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) >= 12
    for panel in panels:
        assert panel["targets"]
        for target in panel["targets"]:
            shown = names_in(target["expr"])
            assert shown, panel["title"]
            assert shown <= METRICS.keys(), panel["title"]
            asked = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            asked |= set(re.findall(r"by \((\w+)\)", target["expr"]))
            assert all(asked <= METRICS[name].labels for name in shown), panel["title"]
            for name in shown:
                grows = METRICS[name].kind == "counter"
                ranged = re.search(rf"(?:increase|rate)\({name}\[", target["expr"])
                assert not ranged or grows, f"{panel['title']}: {name} goes down as well"
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(places)
    woken_by = set().union(*(names_in(line) for line in ALERTS.splitlines()))
    assert woken_by <= set().union(*(names_in(t["expr"]) for panel in panels for t in panel["targets"]))


# -- judged by the program that will read the rules --------------------------------------------------------------------


def promtool(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=60, check=False)


needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
HEALTHY = {
    "soulmem_heartbeats_total": "0+1x240",
    "soulmem_invariants_broken_total": "0x240",
    "soulmem_breaker_open": "0x240",
    "soulmem_storage_full": "0x240",
    "soulmem_storage_readonly_total": "0x240",
    "soulmem_storage_damaged_total": "0x240",
    "soulmem_clock_jumps_total": "0x240",
}


@needs_promtool
@pytest.mark.parametrize(
    ("changed", "minutes", "fired"),
    [
        ({}, 60, set()),
        ({"soulmem_invariants_broken_total": "0x60 1x180"}, 40, {"SoulmemInvariantBroken"}),
        ({"soulmem_heartbeats_total": "0+1x100 100x140"}, 60, {"SoulmemSilent"}),
        ({"soulmem_heartbeats_total": "0+1x100 _x140"}, 60, {"SoulmemSilent"}),
        ({"soulmem_heartbeats_total": "0+1x100 0+1x140"}, 60, set()),
        ({"soulmem_breaker_open": "0x40 1x200"}, 40, {"SoulmemModelAway"}),
        ({"soulmem_breaker_open": "0x40 1x20 0x180"}, 25, set()),
        ({"soulmem_storage_full": "0x40 1x200"}, 30, {"SoulmemStateInDoubt"}),
        ({"soulmem_storage_damaged_total": "0x40 1x200"}, 30, {"SoulmemStateInDoubt"}),
        ({"soulmem_clock_jumps_total": "0x40 1x200"}, 30, {"SoulmemStateInDoubt"}),
        ({"soulmem_clock_jumps_total": "0x4 1x236"}, 110, set()),
    ],
)
def test_the_alerts_fire_when_they_should(
    tmp_path: Path, changed: dict[str, str], minutes: int, fired: set[str]
) -> None:
    """Series of a point each 30 seconds; what is not changed is healthy."""
    series = [{"series": name, "values": values} for name, values in {**HEALTHY, **changed}.items()]
    known = re.findall(r"- alert: (\w+)", ALERTS)
    cases: list[dict[str, Any]] = []
    rules = {name: _details(name) for name in known}
    for name in known:
        expected = [{"exp_labels": rules[name]["labels"], "exp_annotations": rules[name]["annotations"]}]
        cases.append({"eval_time": f"{minutes}m", "alertname": name, "exp_alerts": expected if name in fired else []})
    test = {
        "rule_files": [str(MONITORING / "alerts.yaml")],
        "evaluation_interval": "30s",
        "tests": [{"interval": "30s", "input_series": series, "alert_rule_test": cases}],
    }
    file = tmp_path / "test.yaml"
    file.write_text(json.dumps(test))  # YAML reads JSON
    done = promtool("test", "rules", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


def _details(name: str) -> dict[str, dict[str, str]]:
    """The labels and annotations of a rule."""
    text = ALERTS.partition(f"- alert: {name}\n")[2].partition("- alert:")[0]
    severity = re.search(r"severity: (\w+)", text)
    assert severity
    return {
        "labels": {"severity": severity[1]},
        "annotations": dict(re.findall(r'^\s+(summary|action): "(.*)"$', text, re.MULTILINE)),
    }
