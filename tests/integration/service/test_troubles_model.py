"""Troubles in any order and together: full disk, deaf watchers, leaping clock, deaths while digesting, minds that go.

After each step the daemon answers, and holds what a dictionary holds of what it acknowledged; what it refuses it
refuses by a name that fits the trouble, and when all troubles are over all works. `make torture` has Hypothesis make up
stories of them.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from checking import Checking, Wire, checking
from daemon_fixture import Daemon, daemon_process
from full_disks import leave, small_disk
from probing import outcome
from slowness import within

START = "2026-03-01T08:00:00Z"
STORIES, STEPS = 30, 25
DAY = 86_400
MINDS = st.sampled_from(["luna", "tian"])
TOLD = (
    "Bo bought 3 red kites in Lima on March 3, and 小王 paid 200 yuan. ",
    "我妹妹小雨明年要去上海读大学。",
    "My brother Lars gets married on 14 June 2026 in Oslo. ",
)
FULL = {"storage_full", "storage_readonly"}
_DISK_MB = 64
_REPLIES = 20  # that a deaf watcher asks for as well


class Troubles(RuleBasedStateMachine):
    """One daemon on a small disk."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, dict[str, str]] = {}
        self.number = self.starts = 0
        self.is_full = False
        self.deaf: list[Wire] = []
        self.ground = ExitStack()  # what outlives a daemon
        self.stack = ExitStack()
        self.daemon: Daemon
        self.api: Checking

    @initialize()
    def begin(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="soulmem-troubles-"))
        self.ground.callback(shutil.rmtree, self.root, ignore_errors=True)
        self.disk = self.ground.enter_context(small_disk(self.root / "disk", megabytes=_DISK_MB))
        (self.disk / "run").mkdir(mode=0o700)
        (self.root / "state").symlink_to(self.disk / "run")
        self._start(START)
        for mind in ("luna", "tian"):
            self._say(mind, TOLD[0])

    def teardown(self) -> None:
        try:
            if self.starts:
                self._all_works_again()
        finally:
            self.stack.close()
            self.ground.close()

    def _start(self, *at: str) -> None:
        self.starts += 1
        self.stack = ExitStack()
        started = daemon_process(self.root, "--simulated-clock", *at, name=f"d{self.starts}", check_log=False)
        self.daemon = self.stack.enter_context(started)
        self.api = checking(self.daemon)

    def _end(self) -> None:
        """After a daemon: no fault of ours is in its log, and nobody listens to it any more."""
        log = self.daemon.log()
        assert not [each for each in log if each["level"] == "critical" or each["event"] == "request_failed"]
        while self.deaf:
            self.deaf.pop().close()
        self.stack.close()

    def _may(self, did: str, *names: str) -> bool:
        """Whether it was done; if not, for a reason that there is."""
        assert did == "answered" or did in names or (self.is_full and did in FULL), did
        return did == "answered"

    # -- what clients do ------------------------------------------------------------------------------------

    @rule(mind=MINDS, words=st.sampled_from(TOLD), times=st.sampled_from([1, 60]))
    def say(self, mind: str, words: str, times: int) -> None:
        self._say(mind, words * times)

    def _say(self, mind: str, words: str) -> None:
        self.number += 1
        text, name = f"{words} {self.number}", f"m{self.number}"
        if self._may(outcome(lambda: self.api.say(mind, text, id=name))):
            self.said.setdefault(mind, {})[name] = text

    @precondition(lambda self: self.said)
    @rule(mind=MINDS)
    def sleep(self, mind: str) -> None:
        if mind in self.said:
            self._may(outcome(lambda: self.api.call("idle.run", mind=mind)))

    @precondition(lambda self: self.said)
    @rule(mind=MINDS, amid_digestion=st.booleans())
    def delete(self, mind: str, amid_digestion: bool) -> None:
        if mind in self.said:
            if amid_digestion:
                self._may(outcome(lambda: self.api.call("idle.run", mind=mind, wait=False)))
            if self._may(outcome(lambda: self.api.call("mind.delete", mind=mind, confirm=mind))):
                del self.said[mind]

    # -- what happens --------------------------------------------------------------------------------------

    @precondition(lambda self: not self.is_full)
    @rule(bytes_left=st.sampled_from([0, 40_000]))
    def fill(self, bytes_left: int) -> None:
        self.is_full = True
        with suppress(FileNotFoundError):
            (self.disk / "run" / "reserve").unlink()
        with suppress(OSError):  # the daemon took some of the room meanwhile
            leave(self.disk, bytes_left)

    @precondition(lambda self: self.is_full)
    @rule()
    def make_room(self) -> None:
        (self.disk / "filling").unlink()
        self.is_full = False

    @precondition(lambda self: len(self.deaf) < 3)
    @rule()
    def deafen(self) -> None:
        deaf = Wire(self.daemon)
        self.deaf.append(deaf)
        deaf.send(b'{"jsonrpc":"2.0","id":1,"method":"events.watch","params":{}}')
        for number in range(_REPLIES):
            deaf.send(b'{"jsonrpc":"2.0","id":%d,"method":"system.describe"}' % (number + 2))

    @rule(days=st.sampled_from([-3652, -2, 2, 3652]))
    def leap(self, days: int) -> None:
        self._may(outcome(lambda: self.api.call("clock.jump", seconds=days * DAY)))

    @precondition(lambda self: self.said)
    @rule(mind=MINDS)
    def die_digesting(self, mind: str) -> None:
        """Twice over the same step, and it is set aside."""
        if mind in self.said:
            self._may(outcome(lambda: self.api.call("idle.run", mind=mind, wait=False)))
            self.daemon.kill()
            self._end()
            self._start()

    @rule()
    def restart(self) -> None:
        began = time.monotonic()
        assert self.daemon.terminate() == 0
        assert time.monotonic() - began < within(10), "nobody holds up a drain"
        self._end()
        self._start()

    # -- what must be so -----------------------------------------------------------------------------------

    @invariant()
    def holds_what_it_acknowledged(self) -> None:
        if not self.starts:
            return
        told = {each["mind"] for each in self.api.call("system.status")["minds"]}
        assert set(self.said) <= told
        for mind, said in self.said.items():
            assert {each["id"]: each["content"] for each in self.api.messages(mind)} == said
            assert self.api.call("recall", mind=mind, query="Lima 上海 Oslo", record=False) is not None

    def _all_works_again(self) -> None:
        if self.is_full:
            self.make_room()
        for mind in list(self.said):
            self._say(mind, TOLD[0])
            self.sleep(mind)
        self.holds_what_it_acknowledged()
        self.restart()
        self.holds_what_it_acknowledged()
        assert not list((self.disk / "run" / "minds").glob("*-journal"))


@pytest.mark.thorough
def test_all_troubles_at_once() -> None:
    story = Troubles()
    story.begin()
    try:
        for mind in ("luna", "tian"):
            story.say(mind, TOLD[0], 40)
        story.deafen()
        story.fill(0)
        story.holds_what_it_acknowledged()
        story.leap(-3652)
        story.sleep("luna")
        story.say("luna", TOLD[1], 1)
        story.die_digesting("luna")
        story.holds_what_it_acknowledged()
        story.make_room()
        story.fill(40_000)
        story.delete("tian", amid_digestion=True)
        story.holds_what_it_acknowledged()
        assert "luna" in story.said
    finally:
        story.teardown()


@pytest.mark.torture
@pytest.mark.timeout(6000)
def test_no_two_troubles_are_worse_than_one() -> None:
    Troubles.TestCase.settings = settings(
        max_examples=STORIES, stateful_step_count=STEPS, deadline=None, database=None,
        suppress_health_check=list(HealthCheck), print_blob=True,
    )  # fmt: skip
    Troubles.TestCase("runTest").runTest()
