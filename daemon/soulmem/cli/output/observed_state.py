"""The picture of a daemon that its events alone draw: its vital signs, its traffic, its minds, what is wrong.

Fed by `monitor` from the log or from `events.watch`; asks nobody anything. Invariant: what no event has told yet is
None, never a guess, and a new run of the daemon begins a new picture.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from soulmem.ops.log.event_catalogue import LEVELS, catalogue

RECENT = 8
_COUNTED = ("messages", "notes", "links")
_ENDED_BY = {
    "storage_full": "storage_recovered",
    "storage_readonly": "storage_recovered",
    "storage_damaged": "storage_recovered",
    "clock_jumped": "clock_trusted",
    "breaker_opened": "breaker_closed",
}
_LASTING = {*_ENDED_BY, "invariant_broken", "model_missing"}  # shown until they are over
_ALL_THE_TIME = {"heartbeat", "traffic"}


@dataclass
class MindSeen:
    """A mind as its events show it; counts are None until an event told where they stand."""

    state: str | None = None
    counts: dict[str, int | None] = field(default_factory=lambda: dict.fromkeys(_COUNTED))
    step: str | None = None
    messages_now: int = 0  # of the last window of traffic
    recalls_now: int = 0
    last: str = ""  # ISO time of its last event

    def change(self, name: str, how: str, fields: Mapping[str, Any]) -> None:
        """Apply one rule of the catalogue's `counts`, like `+count`."""
        by = int(how[1:]) if how[1:].isdigit() else fields.get(how[1:], 0)
        known = self.counts.get(name)
        if how[0] == "=":
            self.counts[name] = by
        elif known is not None:
            self.counts[name] = known + (by if how[0] == "+" else -by)


class Picture:
    """What was heard so far."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()
        self.begin("")

    def begin(self, boot: str) -> None:
        """Forget what was known of another run."""
        self.boot = boot
        self.state: str | None = None
        self.last: str = ""
        self.vitals: dict[str, Any] = {}
        self.traffic: dict[str, Any] = {}
        self.minds: dict[str, MindSeen] = {}
        self.wrong: dict[tuple[str, str], dict[str, Any]] = {}
        self.tokens: Counter[str] = Counter()
        self.recent: deque[dict[str, Any]] = deque(maxlen=RECENT)

    def take(self, record: Mapping[str, Any]) -> None:
        """Learn from one event. One that is not catalogued, of a newer daemon, is counted alone."""
        name, boot = str(record.get("event")), str(record.get("boot", ""))
        self.events[name] += 1
        if boot != self.boot:
            self.begin(boot)
        self.last = str(record.get("ts", ""))
        spec = catalogue().get(name)
        if spec is None:
            return
        if name not in _ALL_THE_TIME and spec.number >= LEVELS["info"]:
            self.recent.append(dict(record))
        self._count(spec.counts, record)
        self._judge(name, record)
        match name:
            case "heartbeat":
                self.vitals = dict(record)
                self.state = str(record.get("state"))
            case "traffic":
                self._pass(record)
            case "state_changed":
                self._move(record)
            case "step_finished":
                self._mind(record).step = str(record.get("step"))
            case "model_called":
                self.tokens["in"] += record.get("tokens_in") or 0
                self.tokens["out"] += record.get("tokens_out") or 0
                self.tokens["calls"] += 1

    def _mind(self, record: Mapping[str, Any]) -> MindSeen:
        seen = self.minds.setdefault(str(record["mind"]), MindSeen())
        seen.last = self.last
        return seen

    def _count(self, rules: Mapping[str, str], record: Mapping[str, Any]) -> None:
        if "mind" not in record:
            return
        for name, how in rules.items():
            if name != "*":
                self._mind(record).change(name, how, record)
            elif how == "-":
                self.minds.pop(str(record["mind"]), None)
            else:
                for counted in _COUNTED:
                    self._mind(record).change(counted, how, record)

    def _pass(self, record: Mapping[str, Any]) -> None:
        self.traffic = dict(record)
        messages, recalls = record.get("messages") or {}, record.get("recalls") or {}
        for seen in self.minds.values():
            seen.messages_now = seen.recalls_now = 0
        for name in {*messages, *recalls}:
            seen = self._mind({"mind": name})
            seen.messages_now, seen.recalls_now = messages.get(name, 0), recalls.get(name, 0)
            seen.change("messages", "+now", {"now": seen.messages_now})

    def _move(self, record: Mapping[str, Any]) -> None:
        if record.get("machine") == "daemon":
            self.state = str(record.get("after"))
        elif record.get("mind"):
            self._mind(record).state = str(record.get("after"))

    def _judge(self, name: str, record: Mapping[str, Any]) -> None:
        """Keep what is wrong until an event says that it is over."""
        whose = str(record.get("mind") or record.get("endpoint") or "")
        if name in _LASTING:
            self.wrong[name, whose] = dict(record)
        for begun, ended in _ENDED_BY.items():
            if name == ended:
                self.wrong.pop((begun, whose), None)
        if name == "mind_deleted":
            self.wrong = {key: value for key, value in self.wrong.items() if key[1] != whose}

    def as_json(self) -> dict[str, Any]:
        """The whole picture, for programs."""
        return {
            "boot": self.boot,
            "state": self.state,
            "last": self.last,
            "vitals": self.vitals,
            "traffic": self.traffic,
            "minds": [{"mind": name, "state": seen.state, **seen.counts} for name, seen in sorted(self.minds.items())],
            "wrong": list(self.wrong.values()),
            "model": dict(self.tokens),
            "events": dict(self.events),
        }
