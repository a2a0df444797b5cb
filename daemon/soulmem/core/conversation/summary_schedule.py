"""The order of summary jobs: which one runs next, what may be joined, what a restart does.

`working/ingest/summary_worker` calls it with the unfinished jobs of one conversation and runs what it names. Keeps I2
and I4 of `core/conversation/sliding_window` beyond assignment: jobs of a conversation run strictly in sequence, because
each needs its predecessor's summary; joining adjacent jobs keeps their ranges disjoint and consecutive; and a job that
ran already is recognised by `covers_hi`, so running it again repeats no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from soulmem.fast_dataclasses import dataclass

TRIVIAL_MESSAGES = 3
TRIVIAL_CHARACTERS = 200
CONTEXT_MESSAGES = 4


class JobStatus(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SummaryJob:
    """A stored job over messages `lo..hi` (pos, inclusive) of `epoch`; `tokens`: their total length, 0 if unknown."""

    id: str
    epoch: int
    lo: int
    hi: int
    status: JobStatus = JobStatus.PENDING
    attempts: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class SummaryRun:
    """What to run: job `id` over `lo..hi`. `absorbed` jobs are deleted in the transaction that starts it."""

    id: str
    epoch: int
    lo: int
    hi: int
    absorbed: tuple[str, ...] = ()


def next_run(jobs: Sequence[SummaryJob], *, max_tokens: int = 6_000) -> SummaryRun | None:
    """Name the oldest unfinished job of a conversation, joined with the untried ones right behind it.

    Nothing runs while one is running, nor past a failed one: a successor would summarise without its
    predecessor. A job that was tried keeps its range (its call may have succeeded unseen), so it absorbs
    nothing and is not absorbed. Joined ranges stay within one epoch and within `max_tokens`; jobs of unknown
    length are never joined, so 0 switches joining off.
    """
    open_jobs = sorted((job for job in jobs if job.status is not JobStatus.DONE), key=lambda job: job.lo)
    if not open_jobs or any(job.status is JobStatus.RUNNING for job in open_jobs):
        return None
    first, *rest = open_jobs
    if first.status is JobStatus.FAILED:
        return None
    absorbed: list[str] = []
    hi, tokens = first.hi, first.tokens
    for job in rest if first.attempts == 0 else ():
        fits = tokens > 0 and job.tokens > 0 and tokens + job.tokens <= max_tokens
        untried = job.status is JobStatus.PENDING and job.attempts == 0
        if not (untried and fits and job.epoch == first.epoch and job.lo == hi + 1):
            break
        absorbed.append(job.id)
        hi, tokens = job.hi, tokens + job.tokens
    return SummaryRun(first.id, first.epoch, first.lo, hi, tuple(absorbed))


def is_due(hi: int, *, newest: int, capacity: int) -> bool:
    """Whether a model is asked yet for the summary of messages up to `hi`: once half a window came after them.

    Until then most of them stand in the window still, and a talk that ends before needs no summary of them.
    """
    return newest - hi >= capacity // 2


def is_applied(covers_hi: int, hi: int) -> bool:
    """Whether the epoch's summary already covers a job: then only its status is still to be written (I4)."""
    return covers_hi >= hi


def context_positions(lo: int, *, limit: int = CONTEXT_MESSAGES) -> range:
    """Positions shown with a job as already summarised, read-only context; empty at the very start."""
    return range(max(1, lo - limit), lo)


def is_trivial(texts: Sequence[str], *, has_summary: bool) -> bool:
    """Whether a job's raw text is its own best summary: fewer than 3 messages and 200 characters in all.

    Only for the first job of an epoch: a later one must not replace the summary that is there.
    """
    short = len(texts) < TRIVIAL_MESSAGES and sum(map(len, texts)) < TRIVIAL_CHARACTERS
    return short and not has_summary
