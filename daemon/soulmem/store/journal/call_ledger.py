"""Call ledger: every call of a language model, entered before it is sent and closed when it ended.

Owns `model_call` and `model_day`. An answer that was valid once is kept until the work it was for is stored, so that
the same work is never paid for twice; a call found running when the file is opened was in flight at a crash and is
entered as lost. Old calls are folded (`journal_pruning`): of each UTC day only its sums stay, so that what was paid is
known for ever and a mind does not grow by every call. Called by `journal`, by `mind_session` and, for sums and lists,
by the protocol. What an endpoint reports is bounded here: no number and no text of it can make an entry fail.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.fast_dataclasses import dataclass
from soulmem.ports import CallEnd, CallEntry, CallOutcome, PastCalls
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, listed

ANSWER_LIFE_MS = 7 * DAY_MS
VALID = (CallOutcome.OK, CallOutcome.REPAIRED)
_MOST_TOKENS = 10**12  # what no call can have cost; an endpoint may say anything
_MOST_ERROR = 500  # characters


class Grouping(StrEnum):
    """What calls are summed by."""

    TASK = "task"
    MODEL = "model"
    DAY = "day"
    OUTCOME = "outcome"
    MIND = "mind"


_GROUPS = {
    Grouping.TASK: "task",
    Grouping.MODEL: "model",
    Grouping.DAY: "date(at / 1000, 'unixepoch')",
    Grouping.OUTCOME: "outcome",
    Grouping.MIND: "''",
}


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call as the ledger holds it, without the text of its answer."""

    id: int
    key: str
    task: str
    model: str
    lane: str
    attempt: int
    run: str
    at: int
    outcome: str
    tokens_in: int
    tokens_out: int
    estimated: bool
    took_ms: float
    cost: float
    rung: str
    error: str
    finished_at: int | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: after (that is, before in time) the call `id` of `at`."""

    at: int
    id: int


@dataclass(frozen=True, slots=True)
class Total:
    """The calls of one group. `durations_ms`: of what ended by itself and is not folded, for their median."""

    group: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float
    took_ms: float
    durations_ms: tuple[float, ...]

    @property
    def median_ms(self) -> float:
        return statistics.median(self.durations_ms) if self.durations_ms else 0.0


@dataclass(frozen=True, slots=True)
class Spent:
    tokens: int = 0
    cost: float = 0.0


_COLUMNS = (
    "id, key, task, model, lane, attempt, run, at, outcome, tokens_in, tokens_out, estimated, took_ms, cost, rung, "
    "error, finished_at"
)

_CALLS = "SELECT at, task, model, outcome, 1 AS calls, tokens_in, tokens_out, cost, took_ms FROM model_call"
_DAYS = (
    f" UNION ALL SELECT day * {DAY_MS}, task, model, outcome, calls, tokens_in, tokens_out, cost, took_ms "
    "FROM model_day"
)


def begin(connection: Connection, entry: CallEntry) -> int:
    """Enter a call that is about to be sent; its number."""
    number: int = connection.execute(
        "INSERT INTO model_call (key, task, model, lane, prompt_hash, attempt, run, at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            entry.key, entry.task.value, entry.model, entry.lane.value, entry.prompt_hash, entry.attempt, entry.run,
            entry.at_ms,
        ),
    ).fetchone()[0]  # fmt: skip
    return number


def end(connection: Connection, number: int, ended: CallEnd, now: int) -> bool:
    """Close a call; False when it is closed already, and then nothing changes.

    Raises ValueError: when the end given is that it still runs.
    """
    if ended.outcome is CallOutcome.RUNNING:
        raise ValueError("a call that ended does not run")
    answer = ended.answer if ended.outcome in VALID else None
    changed = connection.execute(
        "UPDATE model_call SET outcome = ?, tokens_in = ?, tokens_out = ?, estimated = ?, took_ms = ?, cost = ?, "
        "rung = ?, answer = CASE WHEN sealed THEN NULL ELSE ? END, error = CASE WHEN sealed THEN '' ELSE ? END, "
        "finished_at = ? WHERE id = ? AND outcome = 'running'",
        (
            ended.outcome.value, _tokens(ended.tokens_in), _tokens(ended.tokens_out), ended.estimated, ended.took_ms,
            ended.cost, ended.rung, None if answer is None else _storable(answer),
            _storable(ended.error[:_MOST_ERROR]), now, number,
        ),
    ).rowcount  # fmt: skip
    return changed > 0


def past(connection: Connection, key: str, prompt_hash: str) -> PastCalls:
    """What is known of this work: the latest valid answer to this very prompt, and how many calls were lost."""
    answer = connection.execute(
        "SELECT answer FROM model_call WHERE key = ? AND prompt_hash = ? AND answer IS NOT NULL "
        "ORDER BY id DESC LIMIT 1",
        (key, prompt_hash),
    ).fetchone()
    lost = connection.execute(
        "SELECT count(*) FROM model_call WHERE key = ? AND prompt_hash = ? AND outcome = 'lost'", (key, prompt_hash)
    ).fetchone()
    return PastCalls(answer[0] if answer else None, int(lost[0]))


def lose_running(connection: Connection, now: int) -> int:
    """At open: calls still running belong to a process that is gone. What they cost nobody knows. Their number."""
    return connection.execute(
        "UPDATE model_call SET outcome = 'lost', finished_at = ? WHERE outcome = 'running'", (now,)
    ).rowcount


def forget_answers(connection: Connection, now: int) -> int:
    """Drop the answers nobody will ask for again: their work is stored, or they are a week old. Their number.

    The key of digestion's work is `<step>:<job>`, that of a rolling summary `summarise:<summary job>`.
    """
    return connection.execute(
        "UPDATE model_call SET answer = NULL WHERE answer IS NOT NULL AND (at <= ? "
        "OR key IN (SELECT step || ':' || id FROM job WHERE state = 'done' AND step <> 'summarise') "
        "OR key IN (SELECT 'summarise:' || id FROM summary_job WHERE state = 'done'))",
        (now - ANSWER_LIFE_MS,),
    ).rowcount


def erase(connection: Connection) -> None:
    """Keep no word of any call: something of what was sent, or answered, is to be gone. What still runs is sealed."""
    connection.execute(
        "UPDATE model_call SET answer = NULL, error = '', sealed = outcome = 'running' "
        "WHERE answer IS NOT NULL OR error <> '' OR outcome = 'running'"
    )


def fold(connection: Connection, numbers: Sequence[int]) -> None:
    """Keep of these calls only what their days came to; one that still runs stays as it is."""
    chosen = f"FROM model_call WHERE id {AMONG} AND outcome <> 'running'"
    connection.execute(
        f"INSERT INTO model_day SELECT at / {DAY_MS}, task, model, outcome, count(*), sum(tokens_in), "
        f"sum(tokens_out), sum(cost), sum(took_ms) {chosen} GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET "
        "calls = calls + excluded.calls, tokens_in = tokens_in + excluded.tokens_in, "
        "tokens_out = tokens_out + excluded.tokens_out, cost = cost + excluded.cost, "
        "took_ms = took_ms + excluded.took_ms",
        (listed(numbers),),
    )
    connection.execute(f"DELETE {chosen}", (listed(numbers),))


def spent_on(connection: Connection, day: int) -> Spent:
    """What the calls begun on a UTC day (days since 1970) came to."""
    row = connection.execute(
        "SELECT coalesce(sum(tokens_in + tokens_out), 0), coalesce(sum(cost), 0.0) FROM model_call "
        "WHERE at >= ? AND at < ?",
        (day * DAY_MS, (day + 1) * DAY_MS),
    ).fetchone()
    return Spent(int(row[0]), float(row[1]))


def list_page(
    connection: Connection, *, limit: int, until: Place | None = None, from_ms: int | None = None,
    to_ms: int | None = None,
) -> list[CallRow]:  # fmt: skip
    """Calls that are not folded, latest first; times bound when they began, half-open."""
    where, values = _between(from_ms, to_ms)
    if until is not None:
        where += " AND (at < ? OR (at = ? AND id < ?))"
        values += [until.at, until.at, until.id]
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM model_call WHERE {where} ORDER BY at DESC, id DESC LIMIT ?", (*values, limit)
    ).fetchall()
    return [_call(row) for row in rows]


def _call(row: Row) -> CallRow:
    values = [*row[:11], bool(row[11]), *row[12:]]
    return CallRow(*values)


def totals(
    connection: Connection, by: Grouping, *, from_ms: int | None = None, to_ms: int | None = None
) -> list[Total]:  # fmt: skip
    """The sums of the calls begun in a time, by group; a call that runs or was lost has no duration.

    A day of which only the sums are kept counts where it began.
    """
    where, values = _between(from_ms, to_ms)
    group = _GROUPS[by]
    durations: dict[str, list[float]] = defaultdict(list)
    for name, took_ms in connection.execute(
        f"SELECT {group}, took_ms FROM model_call WHERE {where} AND outcome NOT IN ('running', 'lost')", values
    ):
        durations[name].append(took_ms)
    # A file that nobody has opened since may be of before there were days.
    has_days = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'model_day'").fetchone() is not None
    rows = connection.execute(
        f"SELECT {group}, sum(calls), sum(tokens_in), sum(tokens_out), sum(cost), sum(took_ms) "
        f"FROM ({_CALLS}{_DAYS if has_days else ''}) WHERE {where} GROUP BY 1 ORDER BY 1",
        values,
    ).fetchall()
    return [Total(*[*row, tuple(durations[row[0]])]) for row in rows]


def merged(found: Iterable[Total]) -> list[Total]:
    """Totals of several minds as one, in the order of their groups."""
    groups: dict[str, list[Total]] = defaultdict(list)
    for total in found:
        groups[total.group].append(total)
    return [_sum(name, parts) for name, parts in sorted(groups.items())]


def admitted(connection: Connection, since: int) -> int:
    """Notes that digestion made since then, forgotten ones included: what passed the write gate."""
    made = "SELECT count(*) FROM note WHERE epoch IS NOT NULL AND created_at >= ?"
    return int(connection.execute(made, (since,)).fetchone()[0])


def _sum(name: str, parts: Sequence[Total]) -> Total:
    return Total(
        name,
        calls=sum(part.calls for part in parts),
        tokens_in=sum(part.tokens_in for part in parts),
        tokens_out=sum(part.tokens_out for part in parts),
        cost=sum(part.cost for part in parts),
        took_ms=sum(part.took_ms for part in parts),
        durations_ms=tuple(ms for part in parts for ms in part.durations_ms),
    )


def _between(from_ms: int | None, to_ms: int | None) -> tuple[str, list[int]]:
    bounds = [("at >= ?", from_ms), ("at < ?", to_ms)]
    given = [(condition, value) for condition, value in bounds if value is not None]
    return " AND ".join(condition for condition, _ in given) or "1", [value for _, value in given]


def _tokens(count: int) -> int:
    return min(max(0, count), _MOST_TOKENS)


def _storable(text: str) -> str:
    """A model may write half a character (a lone surrogate), which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
