"""The state tables: a mind is idle or working, the daemon starts, runs, drains, stops.

Owns every transition of both, said here and nowhere else; a mind's owner task and the daemon's root are the only
callers. `transitions.Machine` is used as a pure synchronous table: no callbacks, no automatic transitions, nothing
awaited. Invariant: `fire` either moves along the table and returns the new state, or raises and changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Generic, TypeVar

from transitions import Machine

# Its lines are about its own callbacks, in its own words; our events say what changed.
logging.getLogger("transitions").setLevel(logging.CRITICAL)


class MindState(StrEnum):
    IDLE = "idle"
    WORKING = "working"


class MindTrigger(StrEnum):
    REQUEST = "request"  # message.add, recall or context.get: somebody is talking
    QUIET = "quiet"  # no activity for `idle_after`
    SLEEP = "sleep"  # asked to digest now


class DaemonState(StrEnum):
    STARTING = "starting"
    RUNNING = "running"
    DRAINING = "draining"
    STOPPED = "stopped"


class DaemonTrigger(StrEnum):
    READY = "ready"  # everything is open and listening
    DRAIN = "drain"  # asked to stop: finish what was accepted, flush, checkpoint
    DRAINED = "drained"  # everything is closed
    FAIL = "fail"  # could not start, or broke, or was told twice to stop


State = TypeVar("State", bound=StrEnum)
Trigger = TypeVar("Trigger", bound=StrEnum)
Table = Mapping[tuple[State, Trigger], State]

# A request while working only renews the activity; quiet or sleep while idle finds the work already begun.
MIND_TABLE: Table[MindState, MindTrigger] = {
    (MindState.IDLE, MindTrigger.REQUEST): MindState.WORKING,
    (MindState.IDLE, MindTrigger.QUIET): MindState.IDLE,
    (MindState.IDLE, MindTrigger.SLEEP): MindState.IDLE,
    (MindState.WORKING, MindTrigger.REQUEST): MindState.WORKING,
    (MindState.WORKING, MindTrigger.QUIET): MindState.IDLE,
    (MindState.WORKING, MindTrigger.SLEEP): MindState.IDLE,
}

# A signal may arrive at any time, so `drain` and `fail` are answered in every state; `ready` and `drained` are
# said by the root alone, each in its one place.
DAEMON_TABLE: Table[DaemonState, DaemonTrigger] = {
    (DaemonState.STARTING, DaemonTrigger.READY): DaemonState.RUNNING,
    (DaemonState.STARTING, DaemonTrigger.DRAIN): DaemonState.DRAINING,
    (DaemonState.STARTING, DaemonTrigger.FAIL): DaemonState.STOPPED,
    (DaemonState.RUNNING, DaemonTrigger.DRAIN): DaemonState.DRAINING,
    (DaemonState.RUNNING, DaemonTrigger.FAIL): DaemonState.STOPPED,
    (DaemonState.DRAINING, DaemonTrigger.DRAIN): DaemonState.DRAINING,
    (DaemonState.DRAINING, DaemonTrigger.DRAINED): DaemonState.STOPPED,
    (DaemonState.DRAINING, DaemonTrigger.FAIL): DaemonState.STOPPED,
    (DaemonState.STOPPED, DaemonTrigger.DRAIN): DaemonState.STOPPED,
    (DaemonState.STOPPED, DaemonTrigger.FAIL): DaemonState.STOPPED,
}


class ImpossibleTransitionError(RuntimeError):
    """A trigger fired in a state that has no answer to it: a defect of the caller."""


class _Holder:
    """What the machine writes its `state` to."""

    state: Any


class Lifecycle(Generic[State, Trigger]):
    """A typed machine over one of the tables; not for several tasks at once."""

    def __init__(self, table: Table[State, Trigger], initial: State) -> None:
        self._table = table
        self._holder = _Holder()
        self._machine = Machine(
            model=self._holder,
            states=list(type(initial)),
            transitions=[
                {"trigger": trigger.value, "source": source, "dest": target}
                for (source, trigger), target in table.items()
            ],
            initial=initial,
            auto_transitions=False,
        )

    @property
    def state(self) -> State:
        state: State = self._holder.state
        return state

    def fire(self, trigger: Trigger) -> State:
        """Move along the table and return the new state, which may be the old one.

        Raises ImpossibleTransitionError: when the table has no row for the state and the trigger.
        """
        if (self.state, trigger) not in self._table:
            allowed = ", ".join(sorted(answer.value for source, answer in self._table if source == self.state))
            message = f"{self.state.value!r} does not answer to {trigger.value!r} (only to: {allowed})"
            raise ImpossibleTransitionError(message)
        self._machine.events[trigger.value].trigger(self._holder)
        return self.state


class MindLifecycle(Lifecycle[MindState, MindTrigger]):
    """The life of one mind; a new one is idle."""

    def __init__(self, initial: MindState = MindState.IDLE) -> None:
        super().__init__(MIND_TABLE, initial)


class DaemonLifecycle(Lifecycle[DaemonState, DaemonTrigger]):
    """The life of the daemon, from its start."""

    def __init__(self) -> None:
        super().__init__(DAEMON_TABLE, DaemonState.STARTING)
