"""Crowds of messages in which something fails: rolled back together, done one by one, found by their words."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from test_store_crowds import NOW, Mouth

from soulmem.core.schema.note_requests import Role
from soulmem.store.index import fts
from soulmem.store.sqlite.database import Database
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.writing.group_commit import Joint
from soulmem.working.ingest.message_ingest import IncomingMessage

# -- the crowd itself ------------------------------------------------------------------------------------------


async def test_what_fails_jointly_is_rolled_back_and_done_one_by_one(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "mira.db", schema="mind")
    joints: list[list[int]] = []

    def put_all(connection: Connection, numbers: Any) -> list[str]:
        joints.append(list(numbers))
        for number in numbers:
            connection.execute("INSERT INTO t VALUES (?)", (number,))
        return [f"joint {number}" for number in numbers]

    def put(number: int) -> Callable[[Connection], str]:
        def run(connection: Connection) -> str:
            connection.execute("INSERT INTO t VALUES (?)", (number,))
            return f"single {number}"

        return run

    async def crowd(*numbers: int) -> list[object]:
        began, go = threading.Event(), threading.Event()

        def hold(_connection: Connection) -> None:
            began.set()
            assert go.wait(10)

        gate = asyncio.ensure_future(database.write("gate", hold))
        assert await asyncio.to_thread(began.wait, 10)
        tasks = [asyncio.ensure_future(database.write("n", put(n), joint=Joint(put_all, n))) for n in numbers]
        await asyncio.sleep(0)
        go.set()
        await gate
        return [str(each) for each in await asyncio.gather(*tasks, return_exceptions=True)]

    try:
        await database.write("t", lambda c: c.execute("CREATE TABLE t (n INTEGER UNIQUE)") and None)
        assert await crowd(1, 2, 3) == ["joint 1", "joint 2", "joint 3"]
        again = await crowd(4, 2, 5)
        assert (again[0], again[2]) == ("single 4", "single 5")
        assert "UNIQUE" in str(again[1])
        assert await crowd(6) == ["single 6"], "alone there is no crowd"
        assert joints == [[1, 2, 3], [4, 2, 5]]
        rows = await database.read(lambda c: [row[0] for row in c.execute("SELECT n FROM t ORDER BY n")])
        assert rows == [1, 2, 3, 4, 5, 6]
    finally:
        await database.close()


async def test_what_is_not_done_at_once_is_done_in_a_transaction(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "mira.db", schema="mind")
    tried: list[list[int]] = []

    def at_once(connection: Connection, numbers: Any) -> list[str]:
        assert not connection.in_transaction
        tried.append(list(numbers))
        connection.execute(f"INSERT INTO t VALUES {', '.join(['(?)'] * len(numbers))}", numbers)
        return [f"at once {number}" for number in numbers]

    def put_all(connection: Connection, numbers: Any) -> list[str]:
        assert connection.in_transaction
        for number in numbers:
            connection.execute("INSERT INTO t VALUES (?)", (number,))
        return [f"joint {number}" for number in numbers]

    def put(number: int) -> Callable[[Connection], str]:
        return lambda connection: connection.execute("INSERT INTO t VALUES (?)", (number,)) and f"single {number}"

    async def crowd(*numbers: int) -> list[str]:
        writes = [database.write("n", put(n), joint=Joint(put_all, n, at_once)) for n in numbers]
        return [str(each) for each in await asyncio.gather(*writes, return_exceptions=True)]

    try:
        await database.write("t", lambda c: c.execute("CREATE TABLE t (n INTEGER UNIQUE)") and None)
        before = database.withdrawn
        assert await crowd(1) == ["at once 1"], "alone too"
        assert await crowd(2, 3) == ["at once 2", "at once 3"]
        assert database.withdrawn == before
        again = await crowd(4, 2, 5)
        assert (again[0], again[2]) == ("single 4", "single 5"), "one that is refused harms nobody"
        assert "UNIQUE" in again[1]
        assert database.withdrawn > before, "whoever keeps what he wrote hears that it came to nothing"
        database.owe(lambda c: c.execute("INSERT INTO t VALUES (100)"), lambda: None)
        assert await crowd(6, 7) == ["joint 6", "joint 7"], "what is owed goes before, in the same transaction"
        assert tried == [[1], [2, 3], [4, 2, 5]]
        rows = await database.read(lambda c: [row[0] for row in c.execute("SELECT n FROM t ORDER BY n")])
        assert rows == [1, 2, 3, 4, 5, 6, 7, 100]
    finally:
        await database.close()


# -- full-text search, fed later ---------------------------------------------------------------------------------


async def test_whatever_was_indexed_when_full_text_search_finds_the_living_words(tmp_path: Path) -> None:
    chance = random.Random(5)
    mouth = await Mouth.open(tmp_path / "mira.db")
    words = ["violin", "harbour", "lisbon", "图书馆", "橘猫"]
    truth: dict[str, set[str]] = {}
    rows: dict[str, int] = {}

    def found(connection: Connection, word: str) -> set[int]:
        indexed = {item for item, _ in fts.find(connection, "message", word, 10_000)}
        waits = set(fts.find_waiting(connection, word))
        assert not indexed & waits
        return indexed | waits

    try:
        for step in range(300):
            drawn = chance.random()
            if drawn < 0.5 or not truth:
                said = chance.sample(words, 2)
                heard = await mouth.listening.hear(
                    IncomingMessage("main", Role.USER, f"{said[0]} {said[1]}", "Ann", NOW, id=f"n{step}")
                )
                truth[f"n{step}"], rows[f"n{step}"] = set(said), heard.message
            elif drawn < 0.8:
                name = chance.choice([name for name in truth if truth[name]] or [None])
                if name is None:
                    continue
                word = chance.choice([None, *words])
                await mouth.amending.amend("message.update", "main", name, word, key=None, request_hash=b"")
                truth[name] = {word} if word else set()
            else:
                await mouth.memory.database.write("feed", lambda c: fts.feed(c, chance.randint(1, 9)))
            if step % 25 == 0:
                for word in words:
                    wanted = {rows[name] for name, held in truth.items() if word in held}
                    assert await mouth.memory.database.read(found, word) == wanted
        while await mouth.memory.database.write("feed", lambda c: fts.feed(c, 32)):
            pass
        check = "INSERT INTO message_search (message_search) VALUES ('integrity-check')"
        await mouth.memory.database.write("check", lambda c: c.execute(check) and None)
        for word in words:
            wanted = {rows[name] for name, held in truth.items() if word in held}
            assert await mouth.memory.database.read(found, word) == wanted
            assert await mouth.memory.database.read(fts.find_waiting, word) == []
        assert await mouth.memory.database.read(fts.waiting) == 0
    finally:
        await mouth.close()
