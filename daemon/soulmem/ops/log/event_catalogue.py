"""The catalogue of events: what `schemas/events.json` says of each.

`ops/log/event_bus.py` checks every event against it. Invariant: no event has a field that the log uses for itself.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from soulmem.fast_dataclasses import dataclass

LEVELS: Mapping[str, int] = MappingProxyType(
    {
        "debug": logging.DEBUG,
        "info": logging.INFO,
        "warning": logging.WARNING,
        "error": logging.ERROR,
        "critical": logging.CRITICAL,
    }
)
_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
        "object": (dict, MappingProxyType),
        "array": (list, tuple),
        "null": (type(None),),
    }
)


@dataclass(frozen=True, slots=True)
class EventSpec:
    """What the catalogue says of one event.

    `counts`: how it changes the counts of its mind, e.g. `{"notes": "+count"}`. `summed`: several of them can be
    written as one line by adding their `count`. `baseline`: it sets counts anew.
    """

    name: str
    level: str
    required: frozenset[str]
    allowed: frozenset[str]
    types: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, str]
    reserved: bool

    @property
    def number(self) -> int:
        return LEVELS[self.level]

    @property
    def summed(self) -> bool:
        return bool(self.counts) and all(change[1:] == "count" for change in self.counts.values())

    @property
    def baseline(self) -> bool:
        return any(change.startswith("=") or change == "-" for change in self.counts.values())

    def fault(self, fields: Mapping[str, Any]) -> str | None:
        """Say what is wrong with the names of the fields, or None."""
        names = fields.keys()
        if self.required <= names <= self.allowed:
            return None
        missing, unknown = sorted(self.required - names), sorted(names - self.allowed)
        return f"{self.name}: missing {missing}, unknown {unknown}"

    def type_fault(self, fields: Mapping[str, Any]) -> str | None:
        """Say which value is of another type than catalogued, or None."""
        for name, value in fields.items():
            expected = self.types[name]
            fits = any(isinstance(value, _PYTHON_TYPES[one]) for one in expected)
            if isinstance(value, bool) and "boolean" not in expected:
                fits = False
            if not fits:
                return f"{self.name}: {name} is {type(value).__name__}, not {' or '.join(expected)}"
        return None


def schema() -> dict[str, Any]:
    """Return the text of `schemas/events.json` as data."""
    text = files("soulmem").joinpath("schemas/events.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def catalogue() -> Mapping[str, EventSpec]:
    """Return every event by name; read once."""
    specs = {}
    for name, entry in schema()["events"].items():
        fields = entry["fields"]
        specs[name] = EventSpec(
            name=name,
            level=entry["level"],
            required=frozenset(field for field, told in fields.items() if not told.get("optional")),
            allowed=frozenset(fields),
            types={field: tuple(told["type"].split("|")) for field, told in fields.items()},
            counts=entry.get("counts", {}),
            reserved=entry.get("reserved", False),
        )
    return MappingProxyType(specs)
