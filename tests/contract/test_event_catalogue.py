"""`schemas/events.json`, the constants, and every place in the code that emits agree with one another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from every_row import every_row
from soulmem.ops.log.event_catalogue import LEVELS, catalogue, schema

SOURCE = Path(__file__).parents[2] / "daemon" / "soulmem"
TYPES = {"string", "integer", "number", "boolean", "object", "array", "null"}
TEXT_FIELDS = {"text", "content", "query", "quote", "summary", "gist", "api_key"}
MONITORING = Path(__file__).parents[2] / "systemd" / "monitoring"


@every_row(sorted(schema()["events"]))
def test_entry_is_whole(name: str) -> None:
    data = schema()
    entry = data["events"][name]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    assert entry["level"] in LEVELS
    assert entry["meaning"].endswith(".")
    assert not entry["fields"].keys() & data["common"].keys(), "the log uses these names itself"
    for field, told in entry["fields"].items():
        assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", field)
        assert set(told["type"].split("|")) <= TYPES
        assert told["meaning"]
    if entry["level"] != "debug":
        assert not entry["fields"].keys() & TEXT_FIELDS, "memory text stays out of the log"
    for change in entry.get("counts", {}).values():
        assert change[0] in "+-="
        assert change[1:] in entry["fields"].keys() | {"", "0"}
        assert "mind" in entry["fields"] or name == "traffic"
    spec = catalogue()[name]
    if spec.summed:
        assert spec.required == spec.allowed, "lines are summed by all their fields"
        others = [told["type"] for field, told in entry["fields"].items() if field != "count"]
        assert set(others) == {"string"}


def test_critical_is_for_broken_invariants_alone() -> None:
    assert [name for name, spec in catalogue().items() if spec.level == "critical"] == ["invariant_broken"]


def emissions() -> Iterator[tuple[str, str, set[str], bool]]:
    """Yield (place, event, keywords, whether more come by **) of every call that emits a constant name."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if called.lstrip("_") in {"emit", "bus"} and isinstance(first, ast.Constant):
                name = str(first.value)
            else:
                continue
            keywords = {keyword.arg for keyword in node.keywords if keyword.arg}
            place = f"{path.relative_to(SOURCE)}:{node.lineno}"
            yield place, name, keywords - {"exc_info"}, any(k.arg is None for k in node.keywords)


def test_code_emits_only_what_is_catalogued() -> None:
    found = list(emissions())
    assert found, "nothing emits: the scan is broken"
    faults = []
    for place, name, fields, more in found:
        spec = catalogue().get(name)
        if spec is None:
            faults.append(f"{place}: {name} is not catalogued")
        elif not fields <= spec.allowed or not (more or spec.required <= fields):
            faults.append(f"{place}: {spec.fault(dict.fromkeys(fields))}")
        elif spec.reserved:
            faults.append(f"{place}: {name} is emitted, so it is not reserved any more")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("file", ["soulmem.mtail", "vector.toml"])
def test_monitoring_speaks_of_catalogued_events_only(file: str) -> None:
    text = (MONITORING / file).read_text("utf-8")
    named = set(re.findall(r'event\\?"?\s*(?::|==)\s*\\?"([a-z_]+)', text))
    assert named, "the pattern finds nothing"
    assert named <= catalogue().keys()
