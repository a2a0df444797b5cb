"""A mind does not grow by its journals: old records go, what may still be asked for stays, and space is given back."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from mind_bench import NOW, Host, hosted
from soulmem.core.schema.engine_tasks import Task
from soulmem.idle.upkeep.storage_maintenance import tidy
from soulmem.ops.process.clock import SimulatedClock
from soulmem.ports import CallEnd, CallEntry, CallOutcome, Lane
from soulmem.store.journal import call_ledger, journal_pruning
from soulmem.store.journal.call_journal import MindJournal
from soulmem.store.journal.call_ledger import Total
from soulmem.store.session.verify import damages
from soulmem.store.sqlite.driver import Connection
from soulmem.working.recall.recall_request import RecallRequest

DAY_MS = 86_400_000
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
LAST_SAID = journal_pruning._LAST_SAID
MANY = 70 if LONG else 24  # messages of a talk in which what was said before it is out of reach
JOURNALS = ("job", "summary_job", "summary", "recall", "recall_hit", "recall_epoch", "refusal", "reinforcement")


async def evening(host: Host, turns: int, name: str) -> None:
    for turn in range(turns):
        await host.hear(f"{name}: Ines told me story {turn} at the harbour. 港口的第{turn}个故事。", recall=True)
    await host.mind.life.sleep(None, wait=True)
    await host.mind.workers.wait_settled()


async def counts(host: Host) -> dict[str, int]:
    return {table: (await host.rows(f"SELECT count(*) FROM {table}"))[0][0] for table in JOURNALS}


async def swept(host: Host) -> int:
    mind = host.mind
    return await tidy(mind.memory, mind.world, mind.life.settings())


def pass_days(host: Host, days: float) -> None:
    host.clock.advance(round(days * DAY_MS))


@pytest.fixture(autouse=True)
def _few_recalls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_pruning, "LAST_RECALLS", 3)
    monkeypatch.setattr(journal_pruning, "_LAST_SAID", LAST_SAID if LONG else MANY - 6)


async def test_records_go_after_a_month_and_memories_stay(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", forgetting__deletes=False) as host:
        await evening(host, 6, "first")
        await evening(host, 6, "second")
        told = await counts(host)
        assert all(told[table] for table in ("job", "summary_job", "summary", "recall", "recall_hit", "reinforcement"))
        notes = await host.rows("SELECT id, text FROM note ORDER BY id")
        links = await host.rows("SELECT id FROM link ORDER BY id")
        pass_days(host, 31)
        await evening(host, MANY, "third")  # the first two are out of the window
        await swept(host)
        assert await host.rows("SELECT min(conversation), min(epoch) FROM summary") == [(1, 3)]
        assert await host.rows("SELECT min(epoch) FROM job WHERE epoch IS NOT NULL") == [(3,)]
        assert await host.rows("SELECT min(epoch) FROM summary_job") == [(3,)]
        young = host.clock.now_ms() - 30 * DAY_MS
        assert await host.rows(f"SELECT count(*) FROM recall WHERE at < {young}") == [(0,)]
        assert await host.rows("SELECT count(*) FROM recall_hit WHERE recall NOT IN (SELECT id FROM recall)") == [(0,)]
        assert await host.rows("SELECT count(*) FROM recall_epoch WHERE recall NOT IN (SELECT id FROM recall)") == [
            (0,)
        ]
        kept = await host.rows(f"SELECT id, text FROM note WHERE id <= {notes[-1][0]} ORDER BY id")
        assert kept == notes
        assert await host.rows(f"SELECT id FROM link WHERE id <= {links[-1][0]} ORDER BY id") == links
        assert await host.rows("SELECT count(*) FROM message") == [(12 + MANY,)]
        assert damages(host.mind.memory.database.path) == []


async def test_what_is_young_stays_and_where_nothing_is_old_nothing_is_written(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await evening(host, 6, "first")
        pass_days(host, 29)
        await evening(host, MANY, "second")
        before, version = await counts(host), await host.rows("PRAGMA data_version")
        assert await swept(host) == 0
        assert await counts(host) == before
        assert await host.rows("PRAGMA data_version") == version


async def test_a_talk_that_rests_keeps_what_it_may_still_ask_for(tmp_path: Path) -> None:
    """Its window is told word for word while its notes are whole, and what was handed out in it masks the next."""
    async with hosted(tmp_path / "a.db") as host:
        await evening(host, 6, "first")
        before = await counts(host)
        pass_days(host, 400)
        await swept(host)
        after = await counts(host)
        assert {name: after[name] for name in ("summary", "summary_job", "recall", "recall_hit")} == {
            name: before[name] for name in ("summary", "summary_job", "recall", "recall_hit")
        }
        assert await host.rows("SELECT count(*) FROM job WHERE step = 'split'") == [(1,)]


async def test_recalls_without_a_talk_do_not_stay_for_an_epoch_that_nobody_talked_in(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await evening(host, 2, "first")
        await host.mind.recall(RecallRequest("harbour", 5), [], record=True, explained=False)
        asked = (await host.rows("SELECT max(id) FROM recall"))[0][0]
        assert await host.rows(f"SELECT epoch FROM recall_epoch WHERE recall = {asked}") == [(2,)]
        pass_days(host, 31)
        for _ in range(4):
            await host.mind.recall(RecallRequest("harbour", 5), [], record=True, explained=False)
        await swept(host)
        assert await host.rows(f"SELECT 1 FROM recall WHERE id = {asked}") == []


async def test_what_the_system_says_keeps_no_recalls_for_an_epoch_that_nobody_talks_in(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await evening(host, 2, "first")
        await host.hear("You are a lighthouse keeper.", role="system")
        await host.mind.recall(RecallRequest("harbour", 5), [], record=True, explained=False)
        asked = (await host.rows("SELECT max(id) FROM recall"))[0][0]
        pass_days(host, 31)
        for _ in range(4):
            await host.mind.recall(RecallRequest("harbour", 5), [], record=True, explained=False)
        await swept(host)
        assert await host.rows(f"SELECT 1 FROM recall WHERE id = {asked}") == []


async def test_recalls_that_stay_do_not_hide_those_behind_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A talk that rests keeps its recalls; however many, all that may go is found, in looks that are short."""
    monkeypatch.setattr(journal_pruning, "_LOOKED_AT", 2)
    monkeypatch.setattr(journal_pruning, "_MOST_LOOKED_AT", 4)
    async with hosted(tmp_path / "a.db") as host:
        for turn in range(9):
            await host.hear(f"Otto saw heron {turn}.", recall=True, conversation="pond")
        await evening(host, 6, "first")
        pass_days(host, 31)
        await evening(host, MANY, "second")
        young = host.clock.now_ms() - 30 * DAY_MS
        await swept(host)
        old_ones = "SELECT m.conversation, count(*) FROM recall r JOIN message m ON m.id = r.message WHERE r.at < {}"
        assert await host.rows(f"{old_ones.format(young)} GROUP BY 1") == [(1, 9)]


async def test_what_was_recorded_while_the_clock_was_ahead_holds_nothing_back(tmp_path: Path) -> None:
    """Its time is to come, but what came after it is old: so is it."""
    async with hosted(tmp_path / "a.db") as host:
        host.clock.jump(400 * DAY_MS)
        await evening(host, 2, "ahead")
        host.clock.jump(-400 * DAY_MS)
        assert not host.clock.suspect
        await evening(host, 2, "first")
        before = {table: (await host.rows(f"SELECT max(id) FROM {table}"))[0][0] for table in ("job", "recall")}
        pass_days(host, 31)
        await evening(host, MANY, "second")
        await swept(host)
        for table, last in before.items():
            assert await host.rows(f"SELECT count(*) FROM {table} WHERE id <= {last}") == [(0,)], table
        assert await host.rows("SELECT min(epoch) FROM summary_job") == [(3,)]


async def test_a_jump_of_the_clock_at_the_last_moment_removes_nothing(tmp_path: Path) -> None:
    """Between the question whether the clock is to be believed and the look at it."""
    async with hosted(tmp_path / "a.db") as host:
        await evening(host, 6, "first")
        await evening(host, MANY, "second")
        before = await counts(host)
        clock = _Jumping(host.clock.now_ms())
        world = replace(host.mind.world, clock=clock)
        assert await tidy(host.mind.memory, world, host.mind.life.settings()) == 0
        assert clock.suspect
        assert await counts(host) == before


class _Jumping(SimulatedClock):
    """A clock that is set 400 days ahead right after it was asked whether it is suspect."""

    @property
    def suspect(self) -> bool:
        answer = super().suspect
        if not answer:
            self.jump(400 * DAY_MS)
        return answer


async def test_what_waits_to_be_digested_keeps_its_recalls(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        for turn in range(6):
            await host.hear(f"Ines told me story {turn} at the harbour.", recall=True)
        pass_days(host, 400)
        await swept(host)
        assert await host.rows("SELECT count(*) FROM recall") == [(6,)]


async def test_a_message_that_comes_again_after_its_recall_went_is_answered(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", forgetting__deletes=False, forgetting__blurs=False) as host:
        await host.hear("Ines keeps bees at the harbour.", recall=True, id="x1")
        await evening(host, 2, "first")
        pass_days(host, 31)
        await evening(host, MANY, "second")
        await swept(host)
        assert await host.rows("SELECT 1 FROM recall WHERE message = 1") == []
        again = await host.hear("Ines keeps bees at the harbour.", recall=True, id="x1", at=NOW)
        assert again["duplicate"]
        assert again["context"]["recall_id"] is None
        assert "bees" in again["context"]["text"]


async def test_nothing_goes_while_the_clock_is_suspect(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await evening(host, 6, "first")
        before = await host.rows("SELECT id FROM job WHERE epoch = 1")
        host.clock.jump(400 * DAY_MS)
        assert host.clock.suspect
        await evening(host, MANY, "second")
        assert await swept(host) == 0
        assert await host.rows("SELECT id FROM job WHERE epoch = 1") == before
        host.clock.advance(2 * 3_600_000)
        assert not host.clock.suspect
        assert await swept(host) > 0
        assert await host.rows("SELECT id FROM job WHERE epoch = 1") == []


async def test_of_old_model_calls_the_sums_of_their_days_stay(tmp_path: Path) -> None:
    """However many days a mind lives: what it cost is known for ever, and what was called lately one by one."""
    async with hosted(tmp_path / "a.db") as host:
        ended = CallEnd(CallOutcome.OK, 90, 10, False, 5.0, 0.5, "text", "an answer")
        journal = MindJournal(host.mind.memory.database, host.clock)

        async def ask(end: CallEnd | None = ended) -> None:
            entry = CallEntry("split:1", Task.SPLIT, "qwen", Lane.IDLE, "hash", 1, "a@1", host.clock.now_ms())
            number = await journal.begin(entry)
            if end is not None:
                await journal.end(number, end)

        def sums(connection: Connection) -> list[Total]:
            return [replace(each, durations_ms=()) for each in call_ledger.totals(connection, call_ledger.Grouping.DAY)]

        await ask(None)  # nobody knows what became of it
        for _ in range(250):
            await ask(replace(ended, outcome=CallOutcome.FAILED))
        await ask()
        for _ in range(34):
            pass_days(host, 1)
            await ask()
        before = await host.mind.memory.database.read(sums)
        now = host.clock.now_ms()
        await host.mind.memory.database.write("answers", lambda connection: call_ledger.forget_answers(connection, now))
        assert await swept(host) == 250 + 1 + 3
        assert await host.rows("SELECT count(*) FROM model_call WHERE outcome = 'running'") == [(1,)]
        kept = await host.rows("SELECT min(at) FROM model_call WHERE outcome <> 'running'")
        assert kept == [(now - 30 * DAY_MS,)]
        assert await host.mind.memory.database.read(sums) == before
        assert sum(each.calls for each in before) == 286
        assert await swept(host) == 0
