"""The catalogue of events: their names as constants, and what `schemas/events.json` says of each.

`ops/log/event_bus.py` checks every event against it. Invariant: the constants and the file name the same events
(compared by a contract test), and no event has a field that the log uses for itself.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from soulmem.fast_dataclasses import dataclass


class Event(StrEnum):
    """Every name an event may have."""

    DAEMON_STARTED = "daemon_started"
    DAEMON_READY = "daemon_ready"
    DAEMON_DRAINING = "daemon_draining"
    DAEMON_STOPPED = "daemon_stopped"
    DAEMON_REFUSED = "daemon_refused"
    STATE_CHANGED = "state_changed"
    HEARTBEAT = "heartbeat"
    TRAFFIC = "traffic"
    INVARIANT_BROKEN = "invariant_broken"
    LOG_SUPPRESSED = "log_suppressed"
    LIBRARY_LOG = "library_log"
    CLIENT_CONNECTED = "client_connected"
    CLIENT_DISCONNECTED = "client_disconnected"
    CLIENT_REFUSED = "client_refused"
    ACCEPT_PAUSED = "accept_paused"
    REQUEST_REFUSED = "request_refused"
    REQUEST_FAILED = "request_failed"
    WATCHER_LAGGED = "watcher_lagged"
    MIND_CREATED = "mind_created"
    MIND_UPDATED = "mind_updated"
    MIND_OPENED = "mind_opened"
    MIND_CLOSED = "mind_closed"
    MIND_DELETED = "mind_deleted"
    STORAGE_MIGRATED = "storage_migrated"
    STORAGE_FULL = "storage_full"
    STORAGE_RECOVERED = "storage_recovered"
    STORAGE_READONLY = "storage_readonly"
    STORAGE_DAMAGED = "storage_damaged"
    CHECKPOINT_MADE = "checkpoint_made"
    BACKUP_MADE = "backup_made"
    CLOCK_JUMPED = "clock_jumped"
    CLOCK_TRUSTED = "clock_trusted"
    CLOCK_ADVANCED = "clock_advanced"
    MESSAGE_RECORDED = "message_recorded"
    MESSAGE_CHANGED = "message_changed"
    ERASURE_FINISHED = "erasure_finished"
    MESSAGE_DELETED = "message_deleted"
    WINDOW_SLID = "window_slid"
    WINDOW_FLUSHED = "window_flushed"
    TOPIC_MARKED = "topic_marked"
    SUMMARY_ROLLED = "summary_rolled"
    RECALL_SERVED = "recall_served"
    RECALL_COALESCED = "recall_coalesced"
    FEEDBACK_APPLIED = "feedback_applied"
    CONTEXT_SERVED = "context_served"
    EPOCH_FROZEN = "epoch_frozen"
    STEP_STARTED = "step_started"
    STEP_FINISHED = "step_finished"
    STEP_FAILED = "step_failed"
    STEP_QUARANTINED = "step_quarantined"
    STEP_PREEMPTED = "step_preempted"
    JOB_FAILED = "job_failed"
    NOTE_CREATED = "note_created"
    NOTE_UPDATED = "note_updated"
    NOTE_MERGED = "note_merged"
    NOTE_SUPERSEDED = "note_superseded"
    NOTE_RECONSTRUCTED = "note_reconstructed"
    NOTE_BLURRED = "note_blurred"
    NOTE_DRIFTED = "note_drifted"
    NOTE_FORGOTTEN = "note_forgotten"
    NOTES_WITHDRAWN = "notes_withdrawn"
    NOTE_PURGED = "note_purged"
    NOTE_RESTORED = "note_restored"
    LINK_CREATED = "link_created"
    LINK_STRENGTHENED = "link_strengthened"
    LINK_FORGOTTEN = "link_forgotten"
    LINK_RESTORED = "link_restored"
    SWEEP_FINISHED = "sweep_finished"
    TOMBSTONE_PURGED = "tombstone_purged"
    MODEL_MISSING = "model_missing"
    EMBEDDING_FAILED = "embedding_failed"
    REEMBEDDING_STARTED = "reembedding_started"
    REEMBEDDING_FINISHED = "reembedding_finished"
    MODEL_CALLED = "model_called"
    MODEL_FAILED = "model_failed"
    BREAKER_OPENED = "breaker_opened"
    BREAKER_CLOSED = "breaker_closed"
    BUDGET_EXHAUSTED = "budget_exhausted"


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
