"""The sliding window: which messages are live, which are marked, and which range is summarised when.

Owns every decision about a conversation's short-term memory; `working/ingest/message_ingest` and `idle/run/digestion`
call it, store exactly the plan it returns in one transaction, and only then answer. Arithmetic runs on `pos`, the
number of a message among those that enter the window (user, assistant, correction; from 1). Nothing lives only in
memory: `WindowState` plus the markers of the live messages is all there is, and both are rows.

Invariants (kept by every function here, checked on every `WindowState`, tested against a model):

* I1 coverage: an evicted message has `pos <= hwm`, so it is part of some summary job.
* I2 exactly once: job ranges are disjoint, consecutive, non-empty; a message is fresh in exactly one job.
* I3 bounded tail: `max_pos - hwm <= capacity` after every push.
* I4 one summary an epoch, its versions strictly increasing and `covers_hi` monotone (see
`core/conversation/summary_schedule`).
* I5 no idle work: jobs <= markers set + flushes; an empty range makes no job.
* I6 after a flush `hwm == max_pos`.

Proof of I1. Claim J: every unassigned message x (hwm < x <= max_pos) has an auto-marked live message f with
win_lo <= f <= x. J implies I1: if the leaving head x = win_lo is unassigned, then f = x, so x is auto-marked,
and an auto-marked head never leaves before everything up to max_pos is assigned. J holds after each step.
*Eviction* of an auto-marked head assigns all, so nothing is left to cover; any other head is nobody's f.
*Push* of n adds x = n: either n is auto-marked (f = n); or f, the newest message with (f - block_origin) a
multiple of the capacity, has n - f < capacity, so f is still live (a window of `capacity` that ends with n
reaches back to n - capacity + 1), and its marker stands, for a flush or a resize after f would have moved the
origin behind f. *Flush* leaves nothing unassigned. *Resize* sets the origin to the next message, so the next
push is auto-marked, and evicts one by one. I3 follows: J gives win_lo <= hwm + 1, hence
max_pos - hwm <= max_pos - win_lo + 1 <= capacity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum

from soulmem.fast_dataclasses import dataclass


class Marker(StrEnum):
    """What a message triggers when it slides out."""

    NONE = "none"
    AUTO = "auto"  # first message of a block: always summarises
    FORCED = "forced"  # set by a change of topic or on request: summarises if enough is fresh


class Force(StrEnum):
    """Why a marker or a flush is forced: deferred ones act when the message slides out, eager ones flush."""

    TOPIC = "topic_switch"
    USER_REQUEST = "user_request"
    END = "conversation_end"
    IDLE = "idle"
    SHUTDOWN = "shutdown"
    OVERFLOW = "token_overflow"

    @property
    def is_eager(self) -> bool:
        return self not in (Force.TOPIC, Force.USER_REQUEST)


class JobReason(StrEnum):
    """What caused a summary job; the value is stored with it."""

    AUTO = "auto"
    FORCED = "forced"
    END = "conversation_end"
    IDLE = "idle"
    SHUTDOWN = "shutdown"
    OVERFLOW = "token_overflow"


class EditWay(StrEnum):
    """How an edit or deletion of a message takes effect."""

    IN_PLACE = "in_place"  # not yet assigned: change the stored text (a deleted one keeps its pos, empty)
    CORRECTION = "correction"  # already assigned: push a message of role `correction`


class WindowBrokenError(ValueError):
    """A window state violates I1, I3 or its own bounds: a defect or a damaged row, never a user's mistake."""


@dataclass(frozen=True, slots=True)
class WindowParams:
    """`min_fresh`: messages a deferred forced marker needs; `max_fresh_tokens`: above it, flush at once."""

    min_fresh: int = 2
    max_fresh_tokens: int = 6_000


@dataclass(frozen=True, slots=True)
class WindowState:
    """One row a conversation. The live messages are `win_lo..max_pos`; `hwm` is the last assigned one.

    Raises WindowBrokenError: when the numbers contradict I1 or I3.
    """

    capacity: int = 20
    win_lo: int = 1
    block_origin: int = 1
    hwm: int = 0
    max_pos: int = 0
    epoch: int = 1

    def __post_init__(self) -> None:
        sound = (
            self.capacity >= 1
            and self.epoch >= 1
            and 1 <= self.win_lo <= self.hwm + 1  # I1
            and self.hwm <= self.max_pos
            and self.max_pos - self.win_lo < self.capacity  # the window fits, and with I1: I3
            and 1 <= self.block_origin <= self.max_pos + 1
        )
        if not sound:
            raise WindowBrokenError(f"window invariant broken: {self!r}")

    def moved(self, *, win_lo: int | None = None, hwm: int | None = None, max_pos: int | None = None) -> WindowState:
        """This window with some positions moved on; every message comes through here, `replace` costs three times."""
        return WindowState(
            self.capacity,
            self.win_lo if win_lo is None else win_lo,
            self.block_origin,
            self.hwm if hwm is None else hwm,
            self.max_pos if max_pos is None else max_pos,
            self.epoch,
        )

    @property
    def size(self) -> int:
        """Live messages, 0..capacity."""
        return self.max_pos - self.win_lo + 1

    @property
    def fresh(self) -> int:
        """Messages that no job covers yet, 0..capacity."""
        return self.max_pos - self.hwm

    @property
    def live(self) -> range:
        return range(self.win_lo, self.max_pos + 1)


@dataclass(frozen=True, slots=True)
class JobRange:
    """A summary job to insert: messages `lo..hi` (inclusive) of `epoch`."""

    lo: int
    hi: int
    epoch: int
    reason: JobReason


@dataclass(frozen=True, slots=True)
class PushPlan:
    """All that one push writes: the message at `pos`, jobs in order, evictions, and the state after it.

    `cleared_through`: set the marker of every message with pos <= it to `none` (only when a flush happened).
    `frozen_epoch`: the epoch that ends with this message (mark `end`), to be digested.
    """

    state: WindowState
    pos: int
    epoch: int
    marker: Marker
    boundary: bool
    assigned: tuple[JobRange, ...] = ()
    evicted: tuple[int, ...] = ()
    flushed: JobReason | None = None
    cleared_through: int | None = None
    frozen_epoch: int | None = None


@dataclass(frozen=True, slots=True)
class WindowPlan:
    """What a flush, a freeze or a resize writes; fields as in `PushPlan`."""

    state: WindowState
    assigned: tuple[JobRange, ...] = ()
    evicted: tuple[int, ...] = ()
    cleared_through: int | None = None
    frozen_epoch: int | None = None


def push(
    state: WindowState,
    *,
    markers: Mapping[int, Marker],
    force: Force | None = None,
    tokens: int = 0,
    fresh_tokens: int = 0,
    params: WindowParams | None = None,
) -> PushPlan:
    """Decide what the next message does to its window.

    `markers`: of live messages, those that are not `none`; `tokens`: length of this message; `fresh_tokens`: total of
    the messages after `hwm` before it. The head leaves before the message enters, and its job is taken from the window
    as it stands then: with the leaving message, without the arriving one.
    """
    params = params or WindowParams()
    pos = state.max_pos + 1
    after, jobs, evicted = _evict(state, state.capacity - 1, markers, params.min_fresh)
    if jobs:
        fresh_tokens = 0  # an eviction's job takes everything before this message
    after = after.moved(max_pos=pos)
    marker = Marker.NONE
    if (pos - after.block_origin) % after.capacity == 0:
        marker = Marker.AUTO
    elif force is not None and not force.is_eager:
        marker = Marker.FORCED
    plan = PushPlan(after, pos, state.epoch, marker, boundary=force is Force.TOPIC, assigned=jobs, evicted=evicted)
    if force is not None and force.is_eager:
        reason = JobReason(force.value)
    elif fresh_tokens + tokens > params.max_fresh_tokens:
        reason = JobReason.OVERFLOW
    else:
        return plan
    flushed = freeze(after, reason) if reason is JobReason.END else flush(after, reason)
    return replace(
        plan,
        state=flushed.state,
        marker=Marker.NONE,
        assigned=jobs + flushed.assigned,
        flushed=reason,
        cleared_through=flushed.cleared_through,
        frozen_epoch=flushed.frozen_epoch,
    )


def flush(state: WindowState, reason: JobReason) -> WindowPlan:
    """Assign everything that is fresh, as if the whole window slid out; the messages stay live (I6).

    Their markers are satisfied and cleared, or they would cause tiny jobs later; the next message opens a
    new block. A flush with nothing fresh makes no job.
    """
    jobs = _assign(state, reason)
    after = replace(state, hwm=state.max_pos, block_origin=state.max_pos + 1)
    return WindowPlan(after, jobs, cleared_through=state.max_pos)


def freeze(state: WindowState, reason: JobReason) -> WindowPlan:
    """Flush what is fresh and open the next epoch, so that nobody can add to the frozen one."""
    plan = flush(state, reason)
    return replace(plan, state=replace(plan.state, epoch=state.epoch + 1), frozen_epoch=state.epoch)


def resize(
    state: WindowState, capacity: int, *, markers: Mapping[int, Marker], params: WindowParams | None = None
) -> WindowPlan:
    """Change the capacity: the next message opens a block; heads leave by the usual rules until it fits.

    Raises ValueError: when the capacity is below 1.
    """
    if capacity < 1:
        raise ValueError(f"a window holds at least one message, not {capacity}")
    if capacity == state.capacity:
        return WindowPlan(state)
    min_fresh = (params or WindowParams()).min_fresh
    after, jobs, evicted = _evict(state, capacity, markers, min_fresh)
    after = replace(after, capacity=capacity, block_origin=state.max_pos + 1)
    return WindowPlan(after, jobs, evicted)


def edit_way(state: WindowState, pos: int | None) -> EditWay:
    """Say how to edit or delete a message; `pos` is None for one that never entered the window."""
    return EditWay.IN_PLACE if pos is None or pos > state.hwm else EditWay.CORRECTION


def surviving(markers: Mapping[int, Marker], plan: PushPlan | WindowPlan) -> dict[int, Marker]:
    """The markers of the live messages after a plan: what the next call takes as `markers`."""
    through = plan.cleared_through or 0
    live = plan.state.live
    kept = {pos: marker for pos, marker in markers.items() if pos in live and pos > through}
    if isinstance(plan, PushPlan) and plan.marker is not Marker.NONE:
        kept[plan.pos] = plan.marker
    return kept


def _evict(
    state: WindowState, room_for: int, markers: Mapping[int, Marker], min_fresh: int
) -> tuple[WindowState, tuple[JobRange, ...], tuple[int, ...]]:
    """Let heads leave until at most `room_for` are live: decide the job first, then evict."""
    jobs: list[JobRange] = []
    evicted: list[int] = []
    while state.size > room_for:
        head = state.win_lo
        marker = markers.get(head, Marker.NONE)
        if marker is Marker.AUTO:
            jobs += _assign(state, JobReason.AUTO)
            state = state.moved(hwm=state.max_pos)
        elif marker is Marker.FORCED and state.fresh >= min_fresh:
            jobs += _assign(state, JobReason.FORCED)
            state = state.moved(hwm=state.max_pos)
        evicted.append(head)
        state = state.moved(win_lo=head + 1)
    return state, tuple(jobs), tuple(evicted)


def _assign(state: WindowState, reason: JobReason) -> tuple[JobRange, ...]:
    """The job over everything fresh, or none."""
    if state.fresh == 0:
        return ()
    return (JobRange(state.hwm + 1, state.max_pos, state.epoch, reason),)


def live_markers(rows: Iterable[tuple[int, str]]) -> dict[int, Marker]:
    """Stored `(pos, marker)` pairs as `push` and `resize` take them."""
    return {pos: Marker(value) for pos, value in rows if value != Marker.NONE.value}
