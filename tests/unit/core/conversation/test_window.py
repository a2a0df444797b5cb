"""The window by hand: the known vectors, every kind of mark, flushes, resizes, edits, and the job queue."""

from __future__ import annotations

import dataclasses
import json

import pytest

from every_row import every_row
from soulmem.core.conversation.sliding_window import (
    EditWay,
    Force,
    JobReason,
    Marker,
    PushPlan,
    WindowBrokenError,
    WindowParams,
    WindowPlan,
    WindowState,
    edit_way,
    flush,
    freeze,
    live_markers,
    push,
    resize,
    surviving,
)
from soulmem.core.conversation.summary_schedule import (
    JobStatus,
    SummaryJob,
    SummaryRun,
    context_positions,
    is_applied,
    is_due,
    is_trivial,
    next_run,
)


class Window:
    """Stores plans the way the shell does: state, markers, jobs."""

    def __init__(self, capacity: int, params: WindowParams | None = None) -> None:
        self.state = WindowState(capacity=capacity)
        self.params = params or WindowParams()
        self.markers: dict[int, Marker] = {}
        self.jobs: list[tuple[int, int]] = []
        self.tokens: dict[int, int] = {}

    def _store(self, plan: PushPlan | WindowPlan) -> None:
        self.markers = surviving(self.markers, plan)
        self.state = plan.state
        self.jobs += [(job.lo, job.hi) for job in plan.assigned]

    def push(self, force: Force | None = None, tokens: int = 1) -> PushPlan:
        fresh = sum(self.tokens[pos] for pos in range(self.state.hwm + 1, self.state.max_pos + 1))
        plan = push(
            self.state,
            markers=self.markers,
            force=force,
            tokens=tokens,
            fresh_tokens=fresh,
            params=self.params,
        )
        self.tokens[plan.pos] = tokens
        self._store(plan)
        return plan

    def push_many(self, count: int) -> list[PushPlan]:
        return [self.push() for _ in range(count)]

    def flush(self, reason: JobReason = JobReason.IDLE) -> WindowPlan:
        plan = flush(self.state, reason)
        self._store(plan)
        return plan

    def resize(self, capacity: int) -> WindowPlan:
        plan = resize(self.state, capacity, markers=self.markers, params=self.params)
        self._store(plan)
        return plan


def test_capacity_three_summarises_each_block_when_its_first_message_leaves() -> None:
    window = Window(3)
    jobs_after = [list(window.jobs) for _ in range(7) if window.push()]
    assert jobs_after == [[], [], [], [(1, 3)], [(1, 3)], [(1, 3)], [(1, 3), (4, 6)]]
    window.flush()
    assert window.jobs == [(1, 3), (4, 6), (7, 7)]


def test_forced_marker_acts_when_it_slides_out_with_min_fresh_one() -> None:
    window = Window(3, WindowParams(min_fresh=1))
    seen = {}
    for pos in range(1, 8):
        plan = window.push(Force.TOPIC if pos == 2 else None)
        seen[pos] = [(job.lo, job.hi, job.reason) for job in plan.assigned]
    assert seen[4] == [(1, 3, JobReason.AUTO)]
    assert seen[5] == [(4, 4, JobReason.FORCED)]
    assert seen[7] == [(5, 6, JobReason.AUTO)]
    assert seen[6] == []


def test_forced_marker_with_too_little_fresh_changes_nothing() -> None:
    forced, unforced = Window(3), Window(3)
    for pos in range(1, 8):
        forced.push(Force.TOPIC if pos == 2 else None)
        unforced.push()
    assert forced.jobs == unforced.jobs == [(1, 3), (4, 6)]
    assert forced.state == unforced.state


def test_auto_marker_takes_precedence_but_the_boundary_is_kept() -> None:
    plan = Window(3).push(Force.TOPIC)
    assert plan.marker is Marker.AUTO
    assert plan.boundary


def test_user_request_marks_without_a_boundary() -> None:
    window = Window(3)
    window.push()
    plan = window.push(Force.USER_REQUEST)
    assert plan.marker is Marker.FORCED
    assert not plan.boundary


def test_snapshot_holds_the_leaving_message_and_not_the_arriving_one() -> None:
    window = Window(2)
    window.push_many(2)
    plan = window.push()
    assert plan.evicted == (1,)
    assert [(job.lo, job.hi) for job in plan.assigned] == [(1, 2)]
    assert list(plan.state.live) == [2, 3]


def test_capacity_one_makes_every_message_its_own_block() -> None:
    window = Window(1)
    window.push_many(4)
    window.flush()
    assert window.jobs == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_conversation_shorter_than_the_window_needs_the_flush() -> None:
    window = Window(20)
    window.push_many(5)
    assert window.jobs == []
    plan = window.flush()
    assert window.jobs == [(1, 5)]
    assert plan.state.hwm == plan.state.max_pos == 5
    assert plan.state.size == 5, "raw messages stay for the prompt"
    assert window.flush().assigned == (), "nothing fresh, no job"


def test_flush_clears_markers_and_opens_a_new_block() -> None:
    window = Window(3)
    window.push_many(2)
    assert window.markers == {1: Marker.AUTO}
    assert window.flush().cleared_through == 2
    assert window.markers == {}
    assert window.push().marker is Marker.AUTO
    window.push_many(3)
    assert window.jobs == [(1, 2), (3, 5)]


def test_flush_of_an_untouched_window_is_empty() -> None:
    plan = flush(WindowState(), JobReason.SHUTDOWN)
    assert plan.assigned == ()
    assert plan.state == WindowState()


def test_end_includes_its_own_message_and_freezes_the_epoch() -> None:
    window = Window(5)
    window.push_many(2)
    plan = window.push(Force.END)
    assert [(job.lo, job.hi, job.epoch, job.reason) for job in plan.assigned] == [(1, 3, 1, JobReason.END)]
    assert (plan.epoch, plan.frozen_epoch, plan.state.epoch) == (1, 1, 2)
    assert window.push().epoch == 2


@pytest.mark.parametrize("force", [Force.IDLE, Force.SHUTDOWN, Force.OVERFLOW])
def test_other_eager_forces_flush_without_freezing(force: Force) -> None:
    window = Window(5)
    plan = window.push(force)
    assert plan.flushed == JobReason(force.value)
    assert plan.frozen_epoch is None
    assert plan.state.epoch == 1
    assert plan.marker is Marker.NONE


def test_freeze_takes_a_tail_that_arrived_after_the_flush() -> None:
    window = Window(5)
    window.push_many(2)
    window.flush()
    window.push()
    plan = freeze(window.state, JobReason.IDLE)
    assert [(job.lo, job.hi, job.epoch) for job in plan.assigned] == [(3, 3, 1)]
    assert (plan.frozen_epoch, plan.state.epoch) == (1, 2)


def test_many_fresh_tokens_flush_at_once() -> None:
    window = Window(20, WindowParams(max_fresh_tokens=100))
    assert window.push(tokens=60).flushed is None
    assert window.push(tokens=40).flushed is None, "exactly the limit still fits"
    assert window.push(tokens=1).flushed is JobReason.OVERFLOW
    assert window.jobs == [(1, 3)]
    assert window.push(tokens=101).flushed is JobReason.OVERFLOW, "a single message above the limit"
    assert window.jobs == [(1, 3), (4, 4)]


def test_tokens_assigned_by_the_eviction_no_longer_count_as_fresh() -> None:
    window = Window(2, WindowParams(max_fresh_tokens=100))
    window.push(tokens=50)
    window.push(tokens=50)
    plan = window.push(tokens=60)
    assert [(job.lo, job.hi, job.reason) for job in plan.assigned] == [(1, 2, JobReason.AUTO)]
    assert plan.flushed is None


def test_shrinking_evicts_by_the_usual_rules_and_marks_the_next_message() -> None:
    window = Window(9)
    window.push_many(8)
    plan = window.resize(2)
    assert plan.evicted == (1, 2, 3, 4, 5, 6)
    assert window.jobs == [(1, 8)]
    assert window.push().marker is Marker.AUTO


def test_growing_evicts_nothing() -> None:
    window = Window(3)
    window.push_many(4)
    plan = window.resize(5)
    assert (plan.evicted, plan.assigned) == ((), ())
    assert window.push().marker is Marker.AUTO
    assert window.state.size == 4


def test_resize_to_the_same_capacity_changes_nothing() -> None:
    window = Window(3)
    window.push_many(2)
    assert window.resize(3).state == window.state
    assert window.state.block_origin == 1


def test_resize_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one message, not 0"):
        resize(WindowState(), 0, markers={})


def test_edits_before_and_after_assignment() -> None:
    window = Window(3)
    window.push_many(4)
    assert edit_way(window.state, 3) is EditWay.CORRECTION
    assert edit_way(window.state, 4) is EditWay.IN_PLACE
    assert edit_way(window.state, None) is EditWay.IN_PLACE, "a system message is in no window"


@every_row(
    [
        {"capacity": 0},
        {"epoch": 0},
        {"win_lo": 0},
        {"win_lo": 3, "hwm": 1, "max_pos": 4},  # 2 left unassigned
        {"hwm": 5, "max_pos": 4},
        {"capacity": 3, "win_lo": 1, "max_pos": 4},  # four live in a window of three
        {"block_origin": 9, "max_pos": 4},
    ]
)
def test_an_impossible_state_is_never_built(numbers: dict[str, int]) -> None:
    with pytest.raises(WindowBrokenError, match="window invariant broken"):
        WindowState(**numbers)


def test_state_and_markers_survive_being_rows() -> None:
    window = Window(3, WindowParams(min_fresh=1))
    window.push_many(2)
    window.push(Force.TOPIC)
    row = json.loads(json.dumps(dataclasses.asdict(window.state)))
    assert WindowState(**row) == window.state
    assert live_markers([(1, "auto"), (2, "none"), (3, "forced")]) == window.markers


def job(number: int, lo: int, hi: int, **fields: object) -> SummaryJob:
    return SummaryJob(f"j{number}", 1, lo, hi, **{"tokens": 10, **fields})  # type: ignore[arg-type]  # test shorthand


def test_jobs_run_oldest_first_and_adjacent_untried_ones_join() -> None:
    jobs = [job(2, 4, 6), job(1, 1, 3), job(3, 7, 7)]
    assert next_run(jobs) == SummaryRun("j1", 1, 1, 7, ("j2", "j3"))


def test_a_running_or_failed_job_holds_back_its_successors() -> None:
    assert next_run([job(1, 1, 3, status=JobStatus.RUNNING), job(2, 4, 6)]) is None
    assert next_run([job(1, 1, 3, status=JobStatus.FAILED), job(2, 4, 6)]) is None
    assert next_run([job(1, 1, 3, status=JobStatus.DONE), job(2, 4, 6)]) == SummaryRun("j2", 1, 4, 6)
    assert next_run([]) is None


def test_a_tried_job_keeps_its_range() -> None:
    assert next_run([job(1, 1, 3, attempts=1), job(2, 4, 6)]) == SummaryRun("j1", 1, 1, 3)
    assert next_run([job(1, 1, 3), job(2, 4, 6, attempts=1)]) == SummaryRun("j1", 1, 1, 3)


def test_joining_stops_at_the_epoch_and_at_the_token_limit() -> None:
    other_epoch = SummaryJob("j2", 2, 4, 6, tokens=10)
    assert next_run([job(1, 1, 3), other_epoch]) == SummaryRun("j1", 1, 1, 3)
    assert next_run([job(1, 1, 3, tokens=60), job(2, 4, 6, tokens=50)], max_tokens=100) == SummaryRun("j1", 1, 1, 3)


def test_jobs_of_unknown_length_are_not_joined() -> None:
    assert next_run([job(1, 1, 3, tokens=0), job(2, 4, 6)]) == SummaryRun("j1", 1, 1, 3)
    assert next_run([job(1, 1, 3), job(2, 4, 6, tokens=0)]) == SummaryRun("j1", 1, 1, 3)
    assert next_run([job(1, 1, 3), job(2, 4, 6)], max_tokens=0) == SummaryRun("j1", 1, 1, 3)


def test_reexecution() -> None:
    assert is_applied(6, 6)
    assert is_applied(7, 6)
    assert not is_applied(5, 6)


@pytest.mark.parametrize(("capacity", "late"), [(1, 0), (2, 1), (7, 3), (20, 10)])
def test_a_model_is_asked_once_half_a_window_came_after(capacity: int, late: int) -> None:
    assert is_due(40, newest=40 + late, capacity=capacity)
    assert not is_due(40, newest=39 + late, capacity=capacity)


def test_context_is_at_most_four_positions_before_the_job() -> None:
    assert list(context_positions(1)) == []
    assert list(context_positions(3)) == [1, 2]
    assert list(context_positions(9)) == [5, 6, 7, 8]


def test_trivial_text_is_its_own_summary_but_never_replaces_one() -> None:
    assert is_trivial(["你好", "hi 你好呀"], has_summary=False)
    assert not is_trivial(["hi", "hi", "hi"], has_summary=False)
    assert not is_trivial(["字" * 200], has_summary=False)
    assert not is_trivial(["hi"], has_summary=True)
