"""Recounts messages, notes and links of every mind from log lines alone, by the catalogue's `counts`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from soulmem.ops.log.event_catalogue import catalogue

Counts = dict[str, int]


def recount(lines: Iterable[str | bytes]) -> dict[str, Counts]:
    """Return `{mind: {messages, notes, links}}` after the last line; lines that are no events are passed over."""
    minds: dict[str, Counts] = {}
    for line in lines:
        text = line.decode() if isinstance(line, bytes) else line
        start = text.find("{")  # a syslog prefix may stand before it
        if start < 0:
            continue
        record: dict[str, Any] = json.loads(text[start:])
        spec = catalogue().get(record.get("event", ""))
        if spec is None or not spec.counts:
            continue
        if spec.name == "traffic":
            for mind, count in record["messages"].items():
                _of(minds, mind)["messages"] += count
            continue
        mind = record["mind"]
        for what, change in spec.counts.items():
            if what == "*":
                minds.pop(mind, None)
                if change == "=0":
                    _of(minds, mind)
            elif change.startswith("="):
                _of(minds, mind)[what] = record[change[1:]]
            else:
                _of(minds, mind)[what] += record[change[1:]] * (1 if change[0] == "+" else -1)
    return minds


def _of(minds: dict[str, Counts], mind: str) -> Counts:
    return minds.setdefault(mind, {"messages": 0, "notes": 0, "links": 0})
