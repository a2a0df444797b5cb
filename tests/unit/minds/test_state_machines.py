"""The state tables, walked completely: every state with every trigger has an expected answer."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from every_row import every_row
from soulmem.minds.state_machines import (
    DAEMON_TABLE,
    MIND_TABLE,
    DaemonLifecycle,
    DaemonState,
    DaemonTrigger,
    ImpossibleTransitionError,
    Lifecycle,
    MindLifecycle,
    MindState,
    MindTrigger,
    Table,
)

MIND = """
          request  quiet  sleep
idle      working  idle   idle
working   working  idle   idle
"""

DAEMON = """
          ready    drain     drained  fail
starting  running  draining  -        stopped
running   -        draining  -        stopped
draining  -        draining  stopped  stopped
stopped   -        stopped   -        stopped
"""


def expected(text: str) -> list[tuple[str, str, str]]:
    head, *rows = (line.split() for line in text.strip().splitlines())
    return [(row[0], trigger, target) for row in rows for trigger, target in zip(head, row[1:], strict=True)]


def rows(table: Table[Any, Any]) -> list[tuple[str, str, str]]:
    return sorted((source.value, trigger.value, target.value) for (source, trigger), target in table.items())


@every_row(expected(MIND), unpack=True)
def test_every_pair_of_a_mind(state: str, trigger: str, target: str) -> None:
    mind = MindLifecycle(MindState(state))
    assert mind.fire(MindTrigger(trigger)) is MindState(target)
    assert mind.state is MindState(target)


@every_row(expected(DAEMON), unpack=True)
def test_every_pair_of_the_daemon(state: str, trigger: str, target: str) -> None:
    daemon: Lifecycle[DaemonState, DaemonTrigger] = Lifecycle(DAEMON_TABLE, DaemonState(state))
    if target == "-":
        with pytest.raises(ImpossibleTransitionError, match=f"'{state}' does not answer to '{trigger}'"):
            daemon.fire(DaemonTrigger(trigger))
        assert daemon.state is DaemonState(state)
    else:
        assert daemon.fire(DaemonTrigger(trigger)) is DaemonState(target)


def test_the_expectations_above_are_complete() -> None:
    assert len(expected(MIND)) == len(MindState) * len(MindTrigger)
    assert len(expected(DAEMON)) == len(DaemonState) * len(DaemonTrigger)
    assert rows(MIND_TABLE) == sorted(expected(MIND))
    assert rows(DAEMON_TABLE) == sorted(row for row in expected(DAEMON) if row[2] != "-")


def test_a_whole_life() -> None:
    daemon = DaemonLifecycle()
    lived = [daemon.state, *map(daemon.fire, [DaemonTrigger.READY, DaemonTrigger.DRAIN, DaemonTrigger.DRAINED])]
    assert [state.value for state in lived] == ["starting", "running", "draining", "stopped"]
    assert MindLifecycle().state is MindState.IDLE


def test_the_error_says_what_would_be_answered() -> None:
    with pytest.raises(ImpossibleTransitionError, match=r"only to: drain, fail, ready"):
        DaemonLifecycle().fire(DaemonTrigger.DRAINED)


def test_minds_do_not_share_their_state() -> None:
    one, other = MindLifecycle(), MindLifecycle()
    one.fire(MindTrigger.REQUEST)
    assert (one.state, other.state) == (MindState.WORKING, MindState.IDLE)


def test_the_library_logs_nothing_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        MindLifecycle().fire(MindTrigger.REQUEST)
    assert caplog.records == []
