"""What is read from the file may be a moment ahead of what is in memory; whoever waits for that moment has both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio

from soulmem.store.sqlite.database import Database

ROUNDS = 150


async def test_the_effects_of_a_commit_are_there_once_it_is_followed(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "a.db", schema="mind")
    seen: list[int] = []
    ahead = 0

    def write(number: int) -> Any:
        return lambda connection: (
            connection.execute("INSERT INTO meta (key, value) VALUES (?, '')", (f"round {number}",)).rowcount
        )

    def count(connection: Any) -> int:
        found: int = connection.execute("SELECT count(*) FROM meta WHERE key LIKE 'round %'").fetchone()[0]
        return found

    async def put(number: int) -> None:
        await database.write("put", write(number), after=lambda _rows: seen.append(number))

    try:
        async with anyio.create_task_group() as group:
            for number in range(ROUNDS):
                group.start_soon(put, number)
                for _ in range(10_000):
                    if await database.read(count) > number:
                        break
                ahead += len(seen) <= number
                await database.followed()
                assert seen == list(range(number + 1)), "the file was ahead"
    finally:
        await database.close()
    print(f"the file was ahead of memory in {ahead} of {ROUNDS} rounds")
