"""Who may be forgotten: the deletion of dead links and of the notes they leave isolated.

The sweep (`idle/upkeep/forgetting_sweep`) calls it with what fell due and executes the plan: tombstones, restorable for
30 days that run while there is somebody to do so, so that whoever comes back after a year of silence finds them where
they were. Pure decisions on frozen records, in experienced time; while the clock is suspect the caller does not ask.
Invariants: an exempt note is never in the plan; a note in the plan has no link outside the plan; one plan deletes at
most `cap` notes and says when it stopped there; a silence adds at most `lasts_ms` to the grace, however long it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import assert_never

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass

GRACE_MS = 7 * DAY_MS
RECALL_GRACE_MS = 7 * DAY_MS
RECHECK_MS = 7 * DAY_MS
CASCADE_CAP = 500


class Exemption(StrEnum):
    """Why an isolated note stays, in the order in which reasons are given."""

    PINNED = "pinned"
    LORE = "lore"
    YOUNG = "young"
    OPEN_EPOCH = "open_epoch"
    EVIDENCE = "evidence"
    RECALLED = "recalled"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class NoteStanding:
    """What decides a note's right to stay.

    `born_ms`: creation or last restoration (which restarts grace). `in_open_epoch`: it came from an epoch not
    yet consolidated. `is_evidence`: a live reflection cites it. `has_clear_element`: at least one element is
    still above the blur threshold; of a fact or of what is vital, above the one below which nothing of it is known:
    what it was about can be told until then, and told again it comes back.
    """

    note: str
    born_ms: int
    pinned: bool = False
    lore: bool = False
    in_open_epoch: bool = False
    is_evidence: bool = False
    recalled_ms: int | None = None
    has_clear_element: bool = False


def exemption(standing: NoteStanding, now_ms: int) -> Exemption | None:
    """Say why a note without links is kept at `now_ms`, or None when it may be forgotten."""
    recalled = standing.recalled_ms
    reasons = (
        (standing.pinned, Exemption.PINNED),
        (standing.lore, Exemption.LORE),
        (now_ms - standing.born_ms < GRACE_MS, Exemption.YOUNG),
        (standing.in_open_epoch, Exemption.OPEN_EPOCH),
        (standing.is_evidence, Exemption.EVIDENCE),
        (recalled is not None and now_ms - recalled < RECALL_GRACE_MS, Exemption.RECALLED),
        (standing.has_clear_element, Exemption.CLEAR),
    )
    return next((reason for holds, reason in reasons if holds), None)


def next_check_ms(standing: NoteStanding, reason: Exemption, now_ms: int) -> int | None:
    """When a note that `reason` keeps at `now_ms` is looked at again; None: not before something happens to it.

    What time takes away is waited for: youth, and the week after a recall. A pin, lore and a clear detail go by an
    event, upon which the store asks for another look. What may end without one is looked at weekly.
    """
    match reason:
        case Exemption.PINNED | Exemption.LORE | Exemption.CLEAR:
            return None
        case Exemption.YOUNG:
            return standing.born_ms + GRACE_MS
        case Exemption.RECALLED:
            return now_ms if standing.recalled_ms is None else standing.recalled_ms + RECALL_GRACE_MS
        case Exemption.OPEN_EPOCH | Exemption.EVIDENCE:
            return now_ms + RECHECK_MS
    assert_never(reason)


@dataclass(frozen=True, slots=True)
class LinkEnds:
    link: str
    src: str
    dst: str

    def other(self, note: str) -> str:
        return self.dst if note == self.src else self.src


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """Links and notes to tombstone, in order; `spared` isolated notes with their reasons.

    `linked`: notes that were looked at and are still tied to something. `waves`: how deep the cascade went; `capped`:
    it stopped at the cap, the rest falls due next time.
    """

    links: tuple[str, ...]
    notes: tuple[str, ...]
    spared: tuple[tuple[str, Exemption], ...] = ()
    linked: tuple[str, ...] = ()
    waves: int = 0
    capped: bool = False


def sweep_plan(
    due: Iterable[LinkEnds],
    *,
    links_of: Callable[[str], Sequence[LinkEnds]],
    standing_of: Callable[[str], NoteStanding],
    now_ms: int,
    suspects: Iterable[str] = (),
    doomed: Iterable[str] = (),
    cap: int = CASCADE_CAP,
) -> SweepPlan:
    """Follow the deletion of links past their `due_delete` to the notes it isolates, until no other becomes isolated.

    `links_of`: live links of a note, in any order; `standing_of`: its standing; `suspects`: notes to look at in any
    case, such as those spared a week ago; `doomed`: notes to delete with their links if they have some (above the
    ceiling), but for the exempt.
    """
    dead: dict[str, None] = {}
    gone: dict[str, None] = {}
    spared: dict[str, Exemption] = {}
    linked: dict[str, None] = {}
    waves, capped = 0, False
    condemned = dict.fromkeys(doomed)
    queue: deque[tuple[str, int]] = deque((note, 1) for note in sorted(condemned))
    touched: dict[str, None] = {}
    for link in due:
        dead[link.link] = None
        touched |= {link.src: None, link.dst: None}
    queue.extend((note, 1) for note in sorted({*touched, *suspects} - condemned.keys()))
    while queue:
        note, wave = queue.popleft()
        if note in gone or note in spared:
            continue
        rest = [link for link in links_of(note) if link.link not in dead]
        if rest and note not in condemned:
            linked[note] = None
            continue
        reason = exemption(standing_of(note), now_ms)
        if reason is not None:
            spared[note] = reason
            continue
        if len(gone) >= cap:
            capped = True
            break
        gone[note] = None
        waves = max(waves, wave)
        for link in sorted(rest, key=lambda each: each.link):
            dead[link.link] = None
            linked.pop(link.other(note), None)  # one link less: it is looked at again
            queue.append((link.other(note), wave + 1))
    return SweepPlan(tuple(dead), tuple(gone), tuple(sorted(spared.items())), tuple(linked), waves, capped)


def present_ms(activity: Iterable[int], since: int, until: int, *, lasts_ms: int) -> int:
    """How much of the time from `since` to `until` lies within `lasts_ms` after an activity; all in milliseconds."""
    total, covered = 0, since
    for at in sorted(activity):
        begin, end = max(at, covered), min(at + lasts_ms, until)
        if end > begin:
            total += end - begin
            covered = end
    return total
