"""`systemd/monitoring/vector.toml` carried out: what Vector would offer Prometheus for a log.

Its programs run in VRL itself, the language's own compiler and runtime (`vrl-python`); what `route` and `log_to_metric`
do with an event is written down here after Vector's reference, and nothing of it is ours.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]
Series = tuple[str, frozenset[tuple[str, str]]]  # the name of a metric, and its labels


class Pipeline:
    """One configuration and what its metrics have come to."""

    def __init__(self, config: Path) -> None:
        """Raises: AssertionError: a program that VRL does not compile. Without `vrl-python` the test is skipped."""
        self._vrl = pytest.importorskip("vrl_python").VRLRuntime()
        loaded = tomllib.loads(config.read_text("utf-8"))
        self._transforms: dict[str, Json] = loaded["transforms"]
        self._offered = set(loaded["sinks"]["prometheus"]["inputs"])
        self._sources = set(loaded["sources"])
        self.metrics: dict[Series, float] = {}
        for name, step in self._transforms.items():
            for program in [step["source"]] if step["type"] == "remap" else step.get("route", {}).values():
                wrong = self._vrl.check_syntax(program)
                assert wrong is None, f"{name}: {wrong.formatted_message}"

    def take(self, line: str) -> None:
        """A line of the journal."""
        for source in self._sources:
            self._hand_on(source, {"message": line, "_SYSTEMD_UNIT": "soulmem.service"})

    def _hand_on(self, output: str, event: Json) -> None:
        for name, step in self._transforms.items():
            if output in step["inputs"]:
                for onward, changed in self._done(name, step, json.loads(json.dumps(event))):
                    self._hand_on(onward, changed)

    def _done(self, name: str, step: Json, event: Json) -> Iterator[tuple[str, Json]]:
        """What comes out of a transform, and under which name others read it."""
        match step["type"]:
            case "remap":
                changed = self._remapped(step, event)
                if changed is not None:
                    yield name, changed
            case "route":
                assert not step["reroute_unmatched"]
                for branch, condition in step["route"].items():
                    holds = self._vrl.execute(condition, event).runtime_result
                    assert isinstance(holds, bool), f"{name}.{branch}: a condition is true or false"
                    if holds:
                        yield f"{name}.{branch}", event
            case "log_to_metric":
                for metric in step["metrics"]:
                    self._count(metric, event, is_offered=name in self._offered)
            case other:
                raise AssertionError(f"{name}: nobody here knows what {other} does")

    def _remapped(self, step: Json, event: Json) -> Json | None:
        try:
            changed = self._vrl.execute(step["source"], event).processed_event
        except RuntimeError as error:
            dropped = "drop_on_abort" if "aborted" in str(error) else "drop_on_error"
            return None if step.get(dropped) else event
        assert isinstance(changed, dict)
        return changed

    def _count(self, metric: Json, event: Json, *, is_offered: bool) -> None:
        value = event.get(metric["field"])
        if value is None or not is_offered:
            return
        tags = {tag: re.sub(r"\{\{ (\w+) \}\}", lambda found: str(event[found[1]]), told)
                for tag, told in metric.get("tags", {}).items()}  # fmt: skip
        series = metric["name"], frozenset(tags.items())
        if metric["type"] == "counter":
            by = float(value) if metric.get("increment_by_value") else 1.0
            self.metrics[series] = self.metrics.get(series, 0.0) + by
        else:
            self.metrics[series] = float(value)


def unlabelled(metrics: dict[Series, float]) -> dict[str, float]:
    """By name and the values of their labels, in order: `soulmem_steps_total{split,yuki}`."""
    return {f"{name}{{{','.join(sorted(value for _, value in tags))}}}": worth
            for (name, tags), worth in metrics.items()}  # fmt: skip
