"""What recalls followed, kept for a while, and the verdicts that were given on them.

Owns `recall_trail` and `feedback`. Called by `working/feedback/recall_feedback`. Invariants: trails are kept for a day,
and the last fifty longer than that; a verdict of one source on one recall is taken once, however often it is sent.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from enum import StrEnum

from soulmem.core.details.rehearsal import PRAISED, USED
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.learning.recall_trace import Trail
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.recalls import recall_records
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import not_there, public_id

KEPT_MS = 24 * 3_600_000
KEPT_MOST_RECENT = 50
JUDGED = "judged"  # the verdict of a judge, and of a reply on what it was made of
GUESSED_NOTES = 3  # the best returned stand for what the reply used, when nobody says what it did


class Source(StrEnum):
    """Who said how good a recall was."""

    CLIENT = "client"
    MESSAGE = "message"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was said of a recall, and what it changed. `verdict` is good, bad or, of a judge or a reply, judged."""

    recall: int
    source: Source
    verdict: str
    strength: float
    used: tuple[str, ...]
    at: int
    at_exp: int
    enhanced: int
    penalised: int


@dataclass(frozen=True, slots=True)
class Recalled:
    """A recall as feedback finds it; `trail` is None when it is kept no longer, or of another form."""

    recall: int
    state: str
    fingerprint: str
    trail: Trail | None


def put(connection: Connection, kept: Sequence[tuple[int, Trail]], fingerprint: str, at: int) -> None:
    """Keep what recalls followed, and give up what was kept long enough; recalls that are gone are passed over."""
    connection.executemany(
        "INSERT OR REPLACE INTO recall_trail (recall, at, fingerprint, trail) "
        "SELECT id, ?, ?, ? FROM recall WHERE id = ? AND query <> ''",
        [(at, fingerprint, trail.to_bytes(), recall) for recall, trail in kept],
    )
    expire(connection, at)


def expire(connection: Connection, at: int) -> int:
    """Give up the trails of more than a day ago, but for the last fifty; how many went."""
    return connection.execute(
        "DELETE FROM recall_trail WHERE at < ? AND recall NOT IN "
        "(SELECT recall FROM recall_trail ORDER BY recall DESC LIMIT ?)",
        (at - KEPT_MS, KEPT_MOST_RECENT),
    ).rowcount


def find(connection: Connection, recall: int, scope: Scope = WHOLE) -> Recalled:
    """A recall and its trail; one that another stands for is found by that other.

    Raises SoulmemError: `not_found`, for one out of scope as for one that never was.
    """
    row = connection.execute("SELECT state, coalesced_into FROM recall WHERE id = ?", (recall,)).fetchone()
    if row is None or not recall_records.is_within(connection, recall, scope):
        raise not_there("r", public_id("r", recall))
    state, into = row
    for_it = into if into is not None else recall
    kept = connection.execute("SELECT fingerprint, trail FROM recall_trail WHERE recall = ?", (for_it,)).fetchone()
    if kept is None:
        return Recalled(recall, state, "", None)
    try:
        return Recalled(recall, state, kept[0], Trail.from_bytes(kept[1]))
    except ValueError:
        return Recalled(recall, state, "", None)


def standing_for(connection: Connection, recall: int) -> int:
    """The recall that was run: under load one stands for several."""
    row = connection.execute("SELECT coalesced_into FROM recall WHERE id = ?", (recall,)).fetchone()
    return row[0] if row is not None and row[0] is not None else recall


def verdict_of(connection: Connection, recall: int, source: Source, verdict: str) -> Verdict | None:
    row = connection.execute(
        "SELECT strength, used, at, at_exp, enhanced, penalised FROM feedback "
        "WHERE recall = ? AND source = ? AND verdict = ?",
        (recall, source, verdict),
    ).fetchone()
    if row is None:
        return None
    strength, used, *rest = row
    return Verdict(recall, source, verdict, strength, tuple(json.loads(used)), *rest)


def record(connection: Connection, verdict: Verdict) -> None:
    connection.execute(
        "INSERT INTO feedback (recall, source, verdict, strength, used, at, at_exp, enhanced, penalised) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            verdict.recall, verdict.source, verdict.verdict, verdict.strength, json.dumps(verdict.used), verdict.at,
            verdict.at_exp, verdict.enhanced, verdict.penalised,
        ),
    )  # fmt: skip


def mark_used(connection: Connection, recall: int, items: Collection[tuple[str, int]], *, used: bool) -> None:
    """Note which of the returned items a reply used; items that the recall did not return are passed over."""
    run = standing_for(connection, recall)
    connection.executemany(
        "UPDATE recall_hit SET used = ? WHERE recall = ? AND kind = ? AND item = ?",
        [(used, run, kind, item) for kind, item in items],
    )


def praised(
    connection: Connection, recall: int, returned: Sequence[tuple[str, int]] | None, strength: float
) -> tuple[list[int], float]:
    """The notes that praise rehearses, and how strongly: what was used at least as what is used, a guess by half."""
    if returned is not None:
        return [item for kind, item in returned if kind == "note"], max(USED, PRAISED * strength)
    hits = recall_records.hits_of(connection, standing_for(connection, recall))
    return [hit.item for hit in hits if hit.kind == "note"][:GUESSED_NOTES], 0.5 * PRAISED * strength
