"""The window against an independent model: random lives of several conversations keep I1 to I6.

The model is the plain pseudo-code over a list of message records with mutable flags; it shares no code with
the implementation. Every step compares both, and the invariants are judged from the recorded history alone.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections import deque
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.conversation import summary_schedule
from soulmem.core.conversation.sliding_window import (
    EditWay,
    Force,
    JobReason,
    Marker,
    PushPlan,
    WindowParams,
    WindowPlan,
    WindowState,
    edit_way,
    flush,
    freeze,
    live_markers,
    push,
    resize,
)
from soulmem.core.conversation.summary_schedule import JobStatus, SummaryJob

EXAMPLES = 20_000 if os.environ.get("SOULMEM_TORTURE") == "1" else 300
CASES = settings(max_examples=EXAMPLES, deadline=None)


@dataclass
class Message:
    pos: int
    tokens: int
    text: str
    mark: str = "none"


@dataclass
class Model:
    """The specification, literally: a deque of messages, a counter of the block, a high-water mark."""

    capacity: int
    min_fresh: int
    max_fresh_tokens: int
    window: deque[Message] = field(default_factory=deque)
    log: list[Message] = field(default_factory=list)
    in_block: int = 0
    assigned: int = 0
    jobs: list[tuple[int, int]] = field(default_factory=list)
    marks: int = 0
    flushes: int = 0

    def assign(self) -> None:
        newest = len(self.log)
        if newest > self.assigned:
            self.jobs.append((self.assigned + 1, newest))
            self.assigned = newest

    def slide_out(self) -> None:
        head = self.window[0]
        enough = len(self.log) - self.assigned >= self.min_fresh
        if head.mark == "auto" or (head.mark == "forced" and enough):
            self.assign()
        self.window.popleft()

    def push(self, tokens: int, text: str, force: Force | None) -> None:
        while len(self.window) >= self.capacity:
            self.slide_out()
        message = Message(len(self.log) + 1, tokens, text)
        self.window.append(message)
        self.log.append(message)
        if self.in_block == 0:
            message.mark = "auto"
        elif force in (Force.TOPIC, Force.USER_REQUEST):
            message.mark = "forced"
        self.marks += message.mark != "none"
        self.in_block = (self.in_block + 1) % self.capacity
        fresh = sum(each.tokens for each in self.log[self.assigned :])
        deferred = (None, Force.TOPIC, Force.USER_REQUEST)
        if force not in deferred or fresh > self.max_fresh_tokens:
            self.flush()

    def flush(self) -> None:
        self.assign()
        self.flushes += 1
        self.in_block = 0
        for message in self.log:
            message.mark = "none"

    def resize(self, capacity: int) -> None:
        if capacity != self.capacity:
            while len(self.window) > capacity:
                self.slide_out()
            self.capacity, self.in_block = capacity, 0


@dataclass
class Conversation:
    """The rows a store would hold, written from plans alone, beside the model."""

    model: Model
    params: WindowParams
    state: WindowState
    markers: dict[int, str] = field(default_factory=dict)
    tokens: dict[int, int] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    jobs: list[SummaryJob] = field(default_factory=list)
    ranges: list[tuple[int, int]] = field(default_factory=list)
    evicted: list[int] = field(default_factory=list)
    summarised: list[int] = field(default_factory=list)
    versions: dict[int, list[int]] = field(default_factory=dict)  # epoch -> covers_hi of each version
    frozen: list[int] = field(default_factory=list)
    epochs: dict[int, int] = field(default_factory=dict)  # pos -> epoch

    @property
    def live(self) -> dict[int, Marker]:
        return live_markers((pos, mark) for pos, mark in self.markers.items() if pos >= self.state.win_lo)

    def store(self, plan: PushPlan | WindowPlan) -> None:
        hwm_before = self.state.hwm
        self.state = plan.state
        for each in plan.assigned:
            assert each.lo == hwm_before + 1  # I2, as handed out
            hwm_before = each.hi
            tokens = sum(self.tokens[pos] for pos in range(each.lo, each.hi + 1))
            self.jobs.append(SummaryJob(f"j{len(self.ranges)}", each.epoch, each.lo, each.hi, tokens=tokens))
            self.ranges.append((each.lo, each.hi))
        self.evicted += plan.evicted
        if plan.cleared_through is not None:
            self.markers = {pos: "none" if pos <= plan.cleared_through else m for pos, m in self.markers.items()}
        if plan.frozen_epoch is not None:
            self.frozen.append(plan.frozen_epoch)

    def push(self, force: Force | None, tokens: int, text: str) -> None:
        fresh = sum(t for pos, t in self.tokens.items() if pos > self.state.hwm)
        plan = push(
            self.state,
            markers=self.live,
            force=force,
            tokens=tokens,
            fresh_tokens=fresh,
            params=self.params,
        )
        assert plan.pos not in self.texts
        self.tokens[plan.pos] = tokens
        self.texts[plan.pos] = text
        self.epochs[plan.pos] = plan.epoch
        self.markers[plan.pos] = plan.marker.value
        self.store(plan)
        assert plan.boundary == (force is Force.TOPIC)
        self.model.push(tokens, text, force)

    def flush(self, *, freezing: bool) -> None:
        self.store((freeze if freezing else flush)(self.state, JobReason.IDLE))
        self.model.flush()
        assert self.state.hwm == self.state.max_pos  # I6

    def resize(self, capacity: int) -> None:
        self.store(resize(self.state, capacity, markers=self.live, params=self.params))
        self.model.resize(capacity)

    def edit(self, pos: int, text: str) -> None:
        covered = any(lo <= pos <= hi for lo, hi in self.ranges)
        way = edit_way(self.state, pos)
        assert (way is EditWay.CORRECTION) == covered
        if way is EditWay.IN_PLACE:
            self.texts[pos] = text
            self.model.log[pos - 1].text = text
        else:
            self.push(None, 1, f"correction of {pos}: {text}")

    def work(self, *, outcome: str) -> None:
        """Run one job as the worker does; it may fail, or be killed before or after its effect."""
        run = summary_schedule.next_run(self.jobs, max_tokens=self.params.max_fresh_tokens)
        if run is None:
            return
        unfinished = [job for job in self.jobs if job.status is not JobStatus.DONE]
        assert all(job.status is JobStatus.PENDING for job in unfinished), "one at a time, in sequence"
        assert run.lo == min(job.lo for job in unfinished)
        tried = [job for job in unfinished if job.attempts > 0 and run.lo <= job.lo <= run.hi]
        assert all((job.lo, job.hi) == (run.lo, run.hi) for job in tried), "a retry keeps its range"
        self.jobs = [job for job in self.jobs if job.id not in run.absorbed]
        at = next(i for i, job in enumerate(self.jobs) if job.id == run.id)
        job = dataclasses.replace(
            self.jobs[at], hi=run.hi, status=JobStatus.RUNNING, attempts=self.jobs[at].attempts + 1
        )
        self.jobs[at] = job
        if outcome == "fail":
            self.jobs[at] = dataclasses.replace(job, status=JobStatus.PENDING)
            return
        if outcome == "killed":
            return  # found running after the restart
        covered = self.versions.setdefault(run.epoch, [])
        if not summary_schedule.is_applied(covered[-1] if covered else 0, run.hi):
            covered.append(run.hi)
            self.summarised += range(run.lo, run.hi + 1)
        if outcome == "done":
            self.jobs[at] = dataclasses.replace(job, status=JobStatus.DONE)

    def restart(self) -> None:
        self.state = WindowState(**json.loads(json.dumps(dataclasses.asdict(self.state))))
        self.markers = {int(pos): mark for pos, mark in json.loads(json.dumps(self.markers)).items()}
        self.jobs = [
            dataclasses.replace(job, status=JobStatus.PENDING) if job.status is JobStatus.RUNNING else job
            for job in self.jobs
        ]

    def check(self) -> None:
        newest, model = len(self.texts), self.model
        assert self.ranges == model.jobs
        assert list(self.state.live) == [message.pos for message in model.window]
        assert self.live == {m.pos: Marker(m.mark) for m in model.window if m.mark != "none"}
        assert [self.texts[pos] for pos in self.state.live] == [m.text for m in model.window]
        covered = [pos for lo, hi in self.ranges for pos in range(lo, hi + 1)]
        assert all(lo <= hi for lo, hi in self.ranges)
        assert covered == list(range(1, len(covered) + 1))  # I2: disjoint, consecutive, from the first on
        assert set(self.evicted) <= set(covered)  # I1
        assert self.evicted == list(range(1, len(self.evicted) + 1))
        assert newest - len(covered) <= self.state.capacity  # I3
        assert len(self.state.live) <= self.state.capacity
        assert len(self.ranges) <= model.marks + model.flushes  # I5
        for covers in self.versions.values():
            assert covers == sorted(set(covers))  # I4
        assert self.summarised == covered[: len(self.summarised)]  # strictly in sequence, each once
        assert [self.epochs[pos] for pos in sorted(self.epochs)] == sorted(self.epochs.values())

    def finish(self) -> None:
        """Whatever happened: once the worker has caught up, every message is in a summary exactly once."""
        self.restart()
        self.flush(freezing=True)
        for _ in range(len(self.jobs)):
            self.work(outcome="done")
        self.check()
        assert self.summarised == list(range(1, len(self.texts) + 1))
        assert self.frozen == list(range(1, self.state.epoch))
        for job in self.jobs:
            assert {self.epochs[pos] for pos in range(job.lo, job.hi + 1)} == {job.epoch}


who = st.sampled_from([0, 0, 0, 1, 2])
outcomes = st.sampled_from(["done", "done", "fail", "killed", "killed after effect"])
force = st.one_of(st.none(), st.sampled_from([Force.TOPIC, Force.USER_REQUEST]), st.sampled_from(list(Force)))
one_push = st.tuples(st.just("push"), who, force, st.integers(0, 30))
marked_run = st.tuples(st.just("run of pushes"), who, st.lists(st.booleans(), min_size=2, max_size=12))
steps = st.one_of(
    one_push,
    marked_run,
    marked_run,
    st.tuples(st.just("flush"), who, st.booleans()),
    st.tuples(st.just("resize"), who, st.integers(1, 9)),
    st.tuples(st.just("edit"), who, st.integers(0, 200)),
    st.tuples(st.just("work"), who, outcomes),
    st.tuples(st.just("restart")),
)
lives = st.lists(steps, min_size=12, max_size=60)
params = st.builds(WindowParams, min_fresh=st.integers(1, 4), max_fresh_tokens=st.sampled_from([20, 40, 6_000]))


def take(conversations: list[Conversation], step: tuple[object, ...]) -> None:
    match step:
        case ("restart",):
            for conversation in conversations:
                conversation.restart()
        case ("push", int(index), force, int(tokens)):
            assert force is None or isinstance(force, Force)
            conversations[index].push(force, tokens, f"第{tokens}句 message")
        case ("run of pushes", int(index), list(marks)):
            for number, marked in enumerate(marks):
                conversations[index].push(Force.TOPIC if marked else None, 1 + 5 * marked, f"{number}")
                conversations[index].check()
        case ("flush", int(index), bool(freezing)):
            conversations[index].flush(freezing=freezing)
        case ("resize", int(index), int(capacity)):
            conversations[index].resize(capacity)
        case ("edit", int(index), int(number)):
            if conversations[index].texts:
                conversations[index].edit(1 + number % len(conversations[index].texts), "改过了")
        case ("work", int(index), str(outcome)):
            conversations[index].work(outcome=outcome)
        case _:
            raise AssertionError(step)


@CASES
@given(st.lists(st.integers(1, 9), min_size=3, max_size=3), params, lives)
def test_invariants_hold_through_any_life(
    capacities: list[int], chosen: WindowParams, life: list[tuple[object, ...]]
) -> None:
    conversations = [
        Conversation(Model(capacity, chosen.min_fresh, chosen.max_fresh_tokens), chosen, WindowState(capacity=capacity))
        for capacity in capacities
    ]
    for step in life:
        before = [dataclasses.astuple(each.state) for each in conversations]
        take(conversations, step)
        touched = step[1] if len(step) > 1 else None
        for index, conversation in enumerate(conversations):
            conversation.check()
            if index != touched:
                assert dataclasses.astuple(conversation.state) == before[index], "others are untouched"
    for conversation in conversations:
        conversation.finish()


@CASES
@given(st.integers(1, 9), st.integers(0, 70))
def test_an_undisturbed_life_is_blocks_of_exactly_the_capacity(capacity: int, count: int) -> None:
    conversation = Conversation(Model(capacity, 2, 6_000), WindowParams(), WindowState(capacity=capacity))
    for number in range(count):
        conversation.push(None, 1, str(number))
    assert conversation.ranges == [(lo, lo + capacity - 1) for lo in range(1, count - capacity + 1, capacity)]
