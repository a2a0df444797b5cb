"""What one client may take from the others: one subscription, no cascades of lag, and no descriptor too many."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from checking import Wire
from daemon_fixture import daemon_process
from probing import add, ids
from soulmem.ops.log.event_bus import EventBus
from soulmem.ops.log.log_output import open_log
from soulmem.ops.process.clock import SystemClock
from soulmem.ops.settings.setting_sections import LogFormat, LogLevel, LogSettings

_FILES = 256
_MINDS = 50  # three times as many as may be open under so many files
_WATCHERS = 1_200  # more than a call may be nested


def test_a_connection_has_one_subscription(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon, Wire(daemon) as wire:
        for number in range(50):
            assert wire.ask("events.watch", '{"events":["mind_created"]}', number)["result"]
        add(daemon, "mira", 1)
        told = wire.receive()
        assert told is not None
        assert told["params"]["event"] == "mind_created"
        wire.send(b'{"jsonrpc":"2.0","id":99,"method":"system.ping"}')
        after = wire.receive()
        assert after is not None
        assert after["id"] == 99, "told once, not fifty times"


def test_who_lags_makes_nobody_else_lag() -> None:
    quiet = os.open(os.devnull, os.O_WRONLY)
    logger = open_log(LogSettings(level=LogLevel.ERROR, format=LogFormat.JSON), fd=quiet, environ={})
    bus = EventBus(logger, SystemClock(), environ={})
    bound = 3
    watchers = [bus.subscribe(["heartbeat", "watcher_lagged", "mind_deleted"], maxlen=bound) for _ in range(_WATCHERS)]
    patient = bus.subscribe(["watcher_lagged"], maxlen=_WATCHERS + 1)
    for _ in range(bound + 1):
        bus("mind_deleted", mind="mira")
    assert all(watcher.lagged for watcher in watchers)
    assert not patient.lagged
    assert len(patient.take()) == _WATCHERS
    os.close(quiet)


@pytest.mark.thorough
def test_many_minds_in_turn_under_few_descriptors(tmp_path: Path) -> None:
    """Those of least use lately make room, and nothing is lost."""
    with daemon_process(tmp_path) as daemon:
        resource.prlimit(daemon.process.pid, resource.RLIMIT_NOFILE, (_FILES, _FILES))
        names = [f"m{number}" for number in range(_MINDS)]
        for name in names:
            add(daemon, name, 1)
        files = len(os.listdir(f"/proc/{daemon.process.pid}/fd"))
        assert files < _FILES * 0.6
        assert daemon.call("system.status")["state"] == "running"
        assert {name for name in names[::7] if ids(daemon, name) != ["m-1"]} == set()
        closed = [each for each in daemon.events("mind_closed") if each["reason"] == "room"]
        assert len(closed) >= _MINDS // 2
