"""A message that is sent again brings to mind what it did the first time, whatever became of its recall meanwhile."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest

from mind_bench import Host, hosted
from soulmem.store.journal import journal_pruning
from soulmem.store.recalls import recall_records

TOLD = {
    "en": ("Ann's sister keeps bees in Porto.", "What does Ann's sister keep?", "A lamp burns in the hall."),
    "zh": ("小林的姐姐在波尔图养蜜蜂。", "小林的姐姐养什么？", "走廊里亮着一盏灯。"),
}
DOG = {
    "en": ("A stray dog comes to the lighthouse door.", "Mira shares her supper.", "The stray dog at the lighthouse?"),
    "zh": ("一只流浪狗来到灯塔门口。", "米拉分出自己的晚饭。", "灯塔门口的流浪狗？"),
}
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


def told(answer: dict[str, Any]) -> dict[str, str]:
    return {block["kind"]: block["text"] for block in answer["context"]["blocks"]}


async def run_once(host: Host) -> None:
    """Every user's message has exactly one recall, which was run, and each return of it counts once."""
    assert await host.rows("SELECT state, coalesced_into FROM recall WHERE message IS NOT NULL") == [("done", None)]
    assert await host.rows("SELECT max(recalls) FROM note") == [(1,)]


@LANGUAGES
@pytest.mark.parametrize("waited", [True, False], ids=["waited", "unwatched"])
async def test_while_its_recall_is_under_way_it_is_waited_for(tmp_path: Path, language: str, waited: bool) -> None:
    fact, question, _ = TOLD[language]
    async with hosted(tmp_path / "a.db") as host, anyio.create_task_group() as group:
        await host.note(fact)
        await host.mind.workers.wait_settled()
        memory, answers, all_answered = host.mind.memory, list[dict[str, Any]](), anyio.Event()

        async def ask(*, recall: bool) -> None:
            answers.append(await host.hear(question, id="q", recall=recall))
            if len(answers) == 4:
                all_answered.set()

        memory.index_ready = anyio.Event()  # no search can begin until the index is there
        group.start_soon(lambda: ask(recall=waited))
        await anyio.sleep(0.6)  # longer than the worker leaves a recall alone
        for _ in range(3):
            group.start_soon(lambda: ask(recall=True))
        await anyio.sleep(0.1)
        assert len(answers) == (0 if waited else 1)
        memory.index_ready.set()
        with anyio.fail_after(10):
            await all_answered.wait()
        contexts = [told(answer) for answer in answers if "context" in answer]
        assert fact in contexts[0]["notes"]
        assert contexts == [contexts[0]] * (4 if waited else 3)
        assert {answer["recall_id"] for answer in answers} == {"r1"}
        assert sorted(answer["duplicate"] for answer in answers) == [False, True, True, True]
        await run_once(host)


@LANGUAGES
async def test_one_that_nobody_has_come_to_is_run_at_once(tmp_path: Path, language: str) -> None:
    fact, question, _ = TOLD[language]
    async with hosted(tmp_path / "a.db", works=False) as host:
        await host.note(fact)
        await host.hear(question, id="q")
        assert await host.rows("SELECT state FROM recall") == [("pending",)]
        again = await host.hear(question, id="q", recall=True)
        assert again["duplicate"]
        assert fact in told(again)["notes"]
        await run_once(host)
        assert await host.hear(question, id="q", recall=True) == again


@LANGUAGES
async def test_one_for_which_another_stood_is_run_for_itself(tmp_path: Path, language: str) -> None:
    fact, question, other = TOLD[language]
    async with hosted(tmp_path / "a.db", works=False, window__capacity=1) as host:
        await host.note(fact)
        await host.hear(question, id="q")
        await host.hear(other, id="l", recall=True)
        await host.mind.memory.database.write("stand", lambda connection: recall_records.coalesce(connection, [1], 2))
        again = await host.hear(question, id="q", recall=True)
        assert (again["recall_id"], again["duplicate"]) == ("r1", True)
        assert fact in told(again)["notes"]
        assert question not in told(again)["notes"], "a message does not recall itself"
        assert await host.rows("SELECT state, coalesced_into FROM recall ORDER BY id") == [("done", None)] * 2


async def test_a_sender_who_goes_leaves_the_recall_to_the_others(tmp_path: Path) -> None:
    fact, question, _ = TOLD["en"]
    async with hosted(tmp_path / "a.db") as host:
        await host.note(fact)
        await host.mind.workers.wait_settled()
        host.mind.memory.index_ready = anyio.Event()
        with anyio.move_on_after(0.2):
            await host.hear(question, id="q", recall=True)
        host.mind.memory.index_ready.set()
        with anyio.fail_after(10):
            await host.mind.workers.recalls.settled()
        assert fact in told(await host.hear(question, id="q", recall=True))["notes"]
        await run_once(host)


@pytest.mark.parametrize("when", ["before the commit", "right after it"])
async def test_a_sender_who_goes_while_the_message_is_stored_leaves_its_recall_to_the_worker(
    tmp_path: Path, when: str
) -> None:
    fact, question, _ = TOLD["en"]
    async with hosted(tmp_path / "a.db") as host:
        await host.note(fact)
        await host.mind.workers.wait_settled()
        database, held = host.mind.memory.database, threading.Event()
        gate = asyncio.ensure_future(database.write("hold up", lambda _connection: held.wait(10)))
        await asyncio.sleep(0.1)
        sender = asyncio.ensure_future(host.hear(question, id="q", recall=True))
        await asyncio.sleep(0.1)
        if when == "before the commit":
            sender.cancel()
        behind = asyncio.ensure_future(
            database.write("behind it", lambda _connection: None, after=lambda _: sender.cancel())
        )
        held.set()
        with pytest.raises(asyncio.CancelledError):
            await sender
        await asyncio.gather(gate, behind)
        with anyio.fail_after(10):
            await host.mind.workers.recalls.settled()
            again = await host.hear(question, id="q", recall=True)
        assert again["duplicate"]
        assert fact in told(again)["notes"]
        await run_once(host)


async def test_a_sender_who_goes_while_its_recall_is_stored_lets_it_count_once(tmp_path: Path) -> None:
    """Whoever takes it up finds it pending still, and runs it again."""
    fact, question, _ = TOLD["en"]
    async with hosted(tmp_path / "a.db") as host:
        await host.note(fact)
        await host.mind.workers.wait_settled()
        memory, held = host.mind.memory, threading.Event()
        memory.index_ready = anyio.Event()
        sender = asyncio.ensure_future(host.hear(question, id="q", recall=True))
        await asyncio.sleep(0.3)
        gate = asyncio.ensure_future(memory.database.write("hold up", lambda _connection: held.wait(10)))
        await asyncio.sleep(0.1)
        memory.index_ready.set()
        await asyncio.sleep(0.3)  # the search is over, and what it found waits to be written
        sender.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sender
        await asyncio.sleep(0.3)  # the worker has done the same
        held.set()
        await gate
        with anyio.fail_after(10):
            await host.mind.workers.recalls.settled()
            again = await host.hear(question, id="q", recall=True)
        assert fact in told(again)["notes"]
        await run_once(host)


@LANGUAGES
async def test_what_a_situation_calls_for_stands_apart_again(tmp_path: Path, language: str) -> None:
    scene, act, question = DOG[language]
    path = tmp_path / "a.db"
    async with hosted(path) as host:
        seen, does = await host.note(scene), await host.note(act, "procedural")
        await host.link(seen, does, 0.9, "trigger")
        await host.mind.workers.wait_settled()
        first = told(await host.hear(question, id="q", recall=True))
        assert act in first["behaviour"]
        assert told(await host.hear(question, id="q", recall=True)) == first
    async with hosted(path) as host:
        assert told(await host.hear(question, id="q", recall=True)) == first


@LANGUAGES
async def test_what_stands_in_the_window_is_not_told_twice(tmp_path: Path, language: str) -> None:
    fact, question, _ = TOLD[language]
    async with hosted(tmp_path / "a.db") as host:
        await host.hear(fact, id="f")
        await host.hear(question, id="q")
        with anyio.fail_after(10):
            await host.mind.workers.recalls.settled()
        assert await host.rows("SELECT count(*) FROM recall_hit WHERE kind = 'message'") == [(1,)]
        again = told(await host.hear(question, id="q", recall=True))
        assert fact in again["window"]
        assert fact not in again.get("notes", "")


async def test_a_recall_whose_sender_failed_before_it_began_is_run_all_the_same(tmp_path: Path) -> None:
    """A read that fails after the message was stored must leave nobody waiting for a recall that nobody is at."""

    async def rename(host: Host, before: str, after: str) -> None:
        await host.mind.memory.database.write(
            "rename", lambda connection: connection.execute(f"ALTER TABLE {before} RENAME TO {after}").close()
        )

    fact, question, _ = TOLD["en"]
    async with hosted(tmp_path / "a.db") as host:
        await host.note(fact)
        await rename(host, "summary", "torn")
        with pytest.raises(Exception, match="no such table"):
            await host.hear(question, recall=True, id="q")
        await rename(host, "torn", "summary")
        with anyio.fail_after(10):
            again = await host.hear(question, recall=True, id="q")
            await host.mind.workers.recalls.settled()
        assert fact in told(again)["notes"]
        await run_once(host)


async def prune(host: Host, recall: int) -> None:
    """Its record goes, as one does that is old enough."""
    gone = journal_pruning.Old(recalls=(recall,))
    await host.mind.memory.database.write("prune", lambda connection: journal_pruning.remove(connection, gone))


@LANGUAGES
@pytest.mark.parametrize("when", ["before it is looked at", "while it is run"])
async def test_one_whose_record_goes_while_its_message_is_sent_again_brings_it_to_mind_anew(
    tmp_path: Path, language: str, when: str
) -> None:
    fact, question, other = TOLD[language]
    async with hosted(tmp_path / "a.db", works=False, window__capacity=1) as host:
        memory, answers = host.mind.memory, list[dict[str, Any]]()
        await host.note(fact)
        await host.hear(question, id="q", recall=True)
        await host.hear(other, id="l", recall=True)

        async def ask() -> None:
            answers.append(await host.hear(question, id="q", recall=True))

        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                if when == "before it is looked at":
                    host.mind.workers.recalls.reserve(1)  # somebody is at it
                    group.start_soon(ask)
                    await anyio.sleep(0.2)
                    await prune(host, 1)
                    host.mind.workers.recalls.let_go(1)
                else:
                    stands = "UPDATE recall SET state = 'coalesced', coalesced_into = 2 WHERE id = 1"
                    await memory.database.write("stand", lambda connection: connection.execute(stands).close())
                    memory.index_ready = anyio.Event()  # no search can begin until the index is there
                    group.start_soon(ask)
                    await anyio.sleep(0.2)
                    await prune(host, 1)
                    memory.index_ready.set()
        assert answers[0]["duplicate"]
        assert fact in told(answers[0])["notes"]
        assert await host.rows("SELECT id FROM recall") == [(2,)]
        assert await host.rows("SELECT DISTINCT recall FROM recall_hit") == [(2,)]
