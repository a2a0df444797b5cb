"""Hears a daemon's events beside the calls that cause them, so that a command can show what really happened.

Used by the demo. Runs `events.watch` in a thread of its own until the daemon goes away. Invariant: events are
handed out once, in the order they happened.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from soulmem.client import Client, DaemonUnavailable, SoulmemRemoteError

_LISTENING_FOR_S = 2.0  # how long to wait for the subscription
_PAUSE_S = 0.01

Event = dict[str, Any]


class Witness:
    """Collects the events of one daemon by name."""

    def __init__(self, socket: Path, events: Sequence[str]) -> None:
        self._socket = socket
        self._names = list(events)
        self._heard: list[Event] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, name="witness", daemon=True).start()
        time.sleep(_PAUSE_S)

    def _listen(self) -> None:
        try:
            for event in Client(self._socket).watch(self._names):
                with self._lock:
                    self._heard.append(event)
        except (DaemonUnavailable, SoulmemRemoteError, OSError):
            return  # the daemon has ended, and there is nothing more to hear

    def take(self, name: str, *, at_least: int = 0, within_s: float = _LISTENING_FOR_S) -> list[Event]:
        """Hand out the events of a name that were not handed out yet; wait a moment for those that must come."""
        deadline = time.perf_counter() + within_s
        while True:
            with self._lock:
                found = [event for event in self._heard if event.get("event") == name]
                if len(found) >= at_least or time.perf_counter() > deadline:
                    self._heard = [event for event in self._heard if event.get("event") != name]
                    return found
            time.sleep(_PAUSE_S)
