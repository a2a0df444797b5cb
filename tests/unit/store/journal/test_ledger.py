"""The ledger on real files: a valid answer is paid once, a call that a crash cut off is lost once, all is counted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.schema.engine_tasks import Task
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ports import CallEnd, CallEntry, CallOutcome, Lane, PastCalls
from soulmem.store.journal import call_ledger
from soulmem.store.journal.call_journal import MindJournal
from soulmem.store.journal.call_ledger import Grouping, Place, Spent, Total
from soulmem.store.session.mind_session import OpenMind
from soulmem.store.sqlite import driver, migrations
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection

NOW = 20_000 * DAY_MS + 3_600_000
ENTRY = CallEntry("split:1", Task.SPLIT, "qwen2.5:7b", Lane.IDLE, "abc", 1, "mira@1", NOW)
OK = CallEnd(CallOutcome.OK, 900, 100, False, 1200.5, 0.25, "json_schema", '{"notes": ["茶 tea"]}')


def opened(path: Path) -> Connection:
    connection = driver.writer(path)()
    migrations.migrate(connection, path, "mind")
    return connection


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    found = opened(tmp_path / "mira.db")
    yield found
    found.close()


def call(connection: Connection, ended: CallEnd | None = OK, **changes: object) -> int:
    entry = replace(ENTRY, **changes)  # type: ignore[arg-type]  # the tests name the fields they mean
    number = call_ledger.begin(connection, entry)
    if ended is not None:
        assert call_ledger.end(connection, number, ended, entry.at_ms + 1000)
    return number


def test_a_valid_answer_is_found_again_by_its_work_and_prompt(connection: Connection) -> None:
    assert call_ledger.past(connection, "split:1", "abc") == PastCalls()
    call(connection)
    assert call_ledger.past(connection, "split:1", "abc") == PastCalls(OK.answer)
    assert call_ledger.past(connection, "split:1", "another prompt") == PastCalls()
    assert call_ledger.past(connection, "split:2", "abc") == PastCalls()
    later = replace(OK, outcome=CallOutcome.REPAIRED, answer='{"notes": []}')
    call(connection, later, attempt=2)
    assert call_ledger.past(connection, "split:1", "abc").answer == later.answer


@pytest.mark.parametrize("outcome", sorted(set(CallOutcome) - {*call_ledger.VALID, CallOutcome.RUNNING}))
def test_what_was_no_valid_answer_is_never_given_back(connection: Connection, outcome: CallOutcome) -> None:
    call(connection, replace(OK, outcome=outcome))
    assert call_ledger.past(connection, "split:1", "abc").answer is None
    [row] = call_ledger.list_page(connection, limit=10)
    assert (row.outcome, row.tokens_in, row.cost) == (outcome.value, 900, 0.25)


def test_a_call_is_closed_once(connection: Connection) -> None:
    number = call(connection)
    assert not call_ledger.end(connection, number, replace(OK, outcome=CallOutcome.FAILED, cost=9.0), NOW)
    assert not call_ledger.end(connection, 999, OK, NOW)
    [row] = call_ledger.list_page(connection, limit=10)
    assert (row.outcome, row.cost) == ("ok", 0.25)
    with pytest.raises(ValueError, match="does not run"):
        call_ledger.end(connection, call(connection, None), CallEnd(CallOutcome.RUNNING), NOW)


def test_what_an_endpoint_reports_cannot_break_an_entry(connection: Connection) -> None:
    wild = replace(OK, tokens_in=-5, tokens_out=10**30, answer='"half \ud83d a face"', error="x\x00\udcff" * 1000)
    call(connection, wild)
    [row] = call_ledger.list_page(connection, limit=10)
    assert (row.tokens_in, row.tokens_out) == (0, 10**12)
    assert len(row.error) == 500
    assert call_ledger.past(connection, "split:1", "abc").answer == '"half ? a face"'


def test_running_calls_are_lost_once(connection: Connection) -> None:
    call(connection)
    call(connection, None, attempt=2)
    assert call_ledger.past(connection, "split:1", "abc").lost == 0
    assert call_ledger.lose_running(connection, NOW) == 1
    assert call_ledger.lose_running(connection, NOW) == 0
    assert call_ledger.past(connection, "split:1", "abc") == PastCalls(OK.answer, 1)


def test_answers_go_when_their_work_is_stored_or_they_are_old(connection: Connection) -> None:
    connection.execute("INSERT INTO conversation (id, name, created_at) VALUES (1, 'main', 0)")
    for number, step, state in ((1, "split", "done"), (2, "link", "pending"), (3, "summarise", "done")):
        connection.execute(
            "INSERT INTO job (id, step, conversation, epoch, state, created_at) VALUES (?, ?, 1, 1, ?, 0)",
            (number, step, state),
        )
    connection.execute(
        "INSERT INTO summary_job (id, conversation, epoch, lo, hi, reason, state, created_at) VALUES "
        "(3, 1, 1, 1, 5, 'full', 'pending', 0), (4, 1, 1, 6, 9, 'full', 'done', 0)"
    )
    for key in ("split:1", "link:2", "summarise:3", "summarise:4", "analyse:0f3a"):
        call(connection, key=key)
    assert call_ledger.forget_answers(connection, NOW) == 2
    kept = [key for key in ("split:1", "link:2", "summarise:3", "summarise:4", "analyse:0f3a")
            if call_ledger.past(connection, key, "abc").answer]  # fmt: skip
    assert kept == ["link:2", "summarise:3", "analyse:0f3a"]
    assert call_ledger.forget_answers(connection, NOW + call_ledger.ANSWER_LIFE_MS - 1) == 0
    assert call_ledger.forget_answers(connection, NOW + call_ledger.ANSWER_LIFE_MS) == 3
    assert call_ledger.spent_on(connection, 20_000) == Spent(5000, 1.25), "what was paid stays in the books"


def test_sums_by_each_grouping(connection: Connection) -> None:
    call(connection, replace(OK, took_ms=100.0))
    call(connection, replace(OK, took_ms=300.0, outcome=CallOutcome.INVALID), task=Task.LINK, key="link:2")
    call(connection, replace(OK, took_ms=900.0), at_ms=NOW + DAY_MS, model="gpt-4o-mini")
    call(connection, None)
    by_task = {total.group: total for total in call_ledger.totals(connection, Grouping.TASK)}
    split = by_task["split"]
    assert (split.calls, split.tokens_in, split.tokens_out, split.cost) == (3, 1800, 200, 0.5)
    assert (split.took_ms, split.median_ms) == (1000.0, 500.0)
    assert by_task["link"].median_ms == 300.0
    groups = {by: {each.group: each.calls for each in call_ledger.totals(connection, by)} for by in Grouping}
    assert groups[Grouping.MODEL] == {"qwen2.5:7b": 3, "gpt-4o-mini": 1}
    assert groups[Grouping.DAY] == {"2024-10-04": 3, "2024-10-05": 1}
    assert groups[Grouping.OUTCOME] == {"ok": 2, "invalid": 1, "running": 1}
    assert groups[Grouping.MIND] == {"": 4}
    [only] = call_ledger.totals(connection, Grouping.MODEL, from_ms=NOW + DAY_MS, to_ms=NOW + 2 * DAY_MS)
    assert (only.group, only.calls) == ("gpt-4o-mini", 1)
    assert call_ledger.totals(connection, Grouping.TASK, from_ms=NOW + 5 * DAY_MS) == []
    both = call_ledger.merged([*by_task.values(), *by_task.values()])
    assert [(total.group, total.calls, total.median_ms) for total in both] == [("link", 2, 300.0), ("split", 6, 500.0)]


def test_folded_calls_are_summed_as_before(connection: Connection) -> None:
    for day in range(3):
        for minute, ended in enumerate((OK, OK, replace(OK, outcome=CallOutcome.FAILED, cost=0.125), None)):
            call(
                connection, ended, at_ms=NOW + day * DAY_MS + minute * 60_000, task=[Task.SPLIT, Task.LINK][minute % 2]
            )

    def sums() -> dict[Grouping, list[Total]]:
        return {by: [replace(each, durations_ms=()) for each in call_ledger.totals(connection, by)] for by in Grouping}

    before, second = sums(), 20_001 * DAY_MS
    late = call_ledger.totals(connection, Grouping.MIND, from_ms=second, to_ms=second + DAY_MS)[0].calls
    for part in ([1, 2], [3, 4, 5], [5, 6, 7, 8], []):  # of a day at once or bit by bit, and whatever was folded before
        call_ledger.fold(connection, part)
        assert sums() == before
    assert [row.id for row in call_ledger.list_page(connection, limit=99)] == [12, 11, 10, 9, 8, 4]
    assert [row[0] for row in connection.execute("SELECT outcome FROM model_call WHERE id IN (4, 8)")] == [
        "running"
    ] * 2
    assert call_ledger.totals(connection, Grouping.MIND, from_ms=second, to_ms=second + DAY_MS)[0].calls == late
    assert call_ledger.spent_on(connection, 20_002) == Spent(3000, 0.625)


def test_a_file_of_before_there_were_sums_of_days_is_summed(connection: Connection) -> None:
    """Closed minds are read as they are."""
    call(connection)
    before = call_ledger.totals(connection, Grouping.TASK)
    connection.execute("DROP TABLE model_day")
    assert call_ledger.totals(connection, Grouping.TASK) == before != []


def test_a_day_ends_at_midnight_utc(connection: Connection) -> None:
    for at in (20_000 * DAY_MS - 1, 20_000 * DAY_MS, 20_001 * DAY_MS - 1, 20_001 * DAY_MS):
        call(connection, at_ms=at)
    spent = [call_ledger.spent_on(connection, day) for day in (19_998, 19_999, 20_000, 20_001)]
    assert spent == [Spent(), Spent(1000, 0.25), Spent(2000, 0.5), Spent(1000, 0.25)]


def test_pages_are_latest_first_and_without_gaps(connection: Connection) -> None:
    numbers = [call(connection, at_ms=NOW + at) for at in (5, 1, 1, 9, 1, 3)]
    seen: list[int] = []
    place = None
    while rows := call_ledger.list_page(connection, limit=2, until=place):
        seen += [row.id for row in rows]
        place = Place(rows[-1].at, rows[-1].id)
    assert seen == [numbers[each] for each in (3, 0, 5, 4, 2, 1)]
    assert [row.id for row in call_ledger.list_page(connection, limit=9, from_ms=NOW + 3, to_ms=NOW + 9)] == [1, 6]


@pytest.mark.parametrize("sql", [
    "UPDATE model_call SET outcome = 'guessed'",
    "UPDATE model_call SET tokens_in = -1",
    "UPDATE model_call SET finished_at = NULL",
    "UPDATE model_call SET outcome = 'failed'",
    "UPDATE model_call SET attempt = 0",
])  # fmt: skip
def test_the_file_itself_refuses_what_makes_no_sense(connection: Connection, sql: str) -> None:
    call(connection)
    with pytest.raises(driver.IntegrityError):
        connection.execute(sql)


def test_every_outcome_is_one_the_file_takes(connection: Connection) -> None:
    for outcome in set(CallOutcome) - {CallOutcome.RUNNING}:
        call(connection, replace(OK, outcome=outcome))
    call(connection, None)
    assert {row.outcome for row in call_ledger.list_page(connection, limit=99)} == {each.value for each in CallOutcome}


# -- the journal ---------------------------------------------------------------------------------------------


async def test_a_call_outlives_the_cancelling_of_its_caller(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "mira.db", schema="mind")
    journal = MindJournal(database, SimulatedClock(NOW + 5000))
    numbers: list[int] = []
    sent = anyio.Event()

    async def paid() -> None:
        numbers.append(await journal.begin(ENTRY))
        sent.set()
        try:
            await anyio.sleep_forever()
        finally:
            await journal.end(numbers[0], replace(OK, outcome=CallOutcome.PREEMPTED, answer=None))

    async with anyio.create_task_group() as group:
        group.start_soon(paid)
        await sent.wait()
        group.cancel_scope.cancel()
    with anyio.CancelScope() as scope:  # called off at the very moment of beginning: the number still comes
        scope.cancel()
        numbers.append(await journal.begin(replace(ENTRY, attempt=2)))
        await journal.end(numbers[1], OK)
    rows = await database.read(call_ledger.list_page, limit=9)
    assert [(row.attempt, row.outcome, row.finished_at) for row in rows] == [
        (2, "ok", NOW + 5000), (1, "preempted", NOW + 5000),
    ]  # fmt: skip
    assert await journal.past("split:1", "abc") == PastCalls(OK.answer)
    await database.close()


KILLED = """
import asyncio, sys
from pathlib import Path
from soulmem.core.schema.engine_tasks import Task
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ports import CallEnd, CallEntry, CallOutcome, Lane
from soulmem.store.sqlite.database import Database
from soulmem.store.journal.call_journal import MindJournal

async def main():
    journal = MindJournal(await Database.open(Path(sys.argv[1]), schema="mind"), SimulatedClock(0))
    for attempt in (1, 2):
        number = await journal.begin(CallEntry("split:1", Task.SPLIT, "m", Lane.IDLE, "abc", attempt, "r", 5))
        if attempt == 1:
            await journal.end(number, CallEnd(CallOutcome.INVALID, 70, 7))
    print(number, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def die_in_flight(path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"2\n", "it was told only once it was certain"
        os.kill(process.pid, signal.SIGKILL)


async def test_a_call_in_flight_at_a_kill_is_found_and_lost_once(tmp_path: Path) -> None:
    path = tmp_path / "mira.db"
    die_in_flight(path)
    for _ in range(2):
        mind, _backlog = await OpenMind.open(path, fingerprint="f" * 12, dimension=8, now=9)
        rows = await mind.database.read(call_ledger.list_page, limit=9)
        assert [(row.attempt, row.outcome, row.finished_at) for row in rows] == [(2, "lost", 9), (1, "invalid", 0)]
        assert await mind.database.read(call_ledger.past, "split:1", "abc") == PastCalls(None, 1)
        assert mind.spent == (0, Spent(77, 0.0))
        await mind.close()
