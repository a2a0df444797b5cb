"""What the way in keeps of a conversation between two messages is what the file says, whoever changed it meanwhile."""

from __future__ import annotations

import asyncio
import random
import threading
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mind_bench import Host, hosted
from soulmem.core.conversation.sliding_window import JobReason
from soulmem.errors import SoulmemError
from soulmem.store.conversation_state import window_state
from soulmem.store.messages.message_insert import Intake, Scene, Scenes
from soulmem.store.sqlite.driver import Connection

NAMES = ("main", "茶话")


async def certain(host: Host) -> dict[str, Scene]:
    """What the next message would find without looking."""

    def look(connection: Connection) -> dict[str, Scene]:
        kept, withdrawn = host.mind.workers.listening.scenes, host.mind.memory.database.withdrawn
        kept.resume(connection, withdrawn)
        known = dict(kept.known)
        kept.hold(connection, withdrawn)
        return known

    return await host.mind.memory.database.write("look", look)


async def agrees(host: Host) -> int:
    """Compare what is kept with what a look finds; how many conversations were kept."""
    known = await certain(host)

    def look(connection: Connection) -> Scenes:
        found = Scenes()
        Intake(connection, NAMES, found)
        return found

    found = await host.mind.memory.database.write("look", look)
    kept = host.mind.workers.listening.scenes
    if known:
        assert (kept.message, kept.recall, kept.job) == (found.message, found.recall, found.job)
    for name, scene in known.items():
        # Whether our next name is free is found out by trying it.
        assert replace(scene, taken=False) == replace(found.known[name], taken=False)
    return len(known)


class Steps:
    """Everything that changes what a message finds."""

    def __init__(self, host: Host, seed: int) -> None:
        self._host = host
        self._random = random.Random(seed)
        self._said: dict[str, list[str]] = {name: [] for name in NAMES}

    async def step(self) -> None:
        kinds = [self.hear] * 8 + [self.crowd, self.edit, self.delete, self.flush, self.resize, self.mark]
        await self._random.choice(kinds)()

    async def hear(self) -> None:
        name, role = self._random.choice(NAMES), self._random.choice(("user", "user", "assistant", "system"))
        mark = self._random.choice((None,) * 12 + ("topic", "end")) if role != "system" else None
        given = {"id": f"m{self._random.randint(1, 90)}"} if self._random.random() < 0.1 else {}
        words = "".join(self._random.choices("茶湖山雨 tea lake hill", k=12))
        if given.get("id") in self._said[name]:
            given = {}
        heard = await self._host.hear(f"{words}.", conversation=name, role=role, mark=mark, **given)
        self._said[name].append(heard["id"])

    async def crowd(self) -> None:
        await asyncio.gather(*(self.hear() for _ in range(4)))

    async def edit(self) -> None:
        await self._amend("another wording 换个说法")

    async def delete(self) -> None:
        await self._amend(None)

    async def _amend(self, content: str | None) -> None:
        name = self._random.choice(NAMES)
        if self._said[name]:
            keeps = self._random.random() < 0.5
            with suppress(SoulmemError):  # what was deleted cannot be edited
                await self._host.amend(name, self._random.choice(self._said[name]), content, keep_notes=keeps)

    async def flush(self) -> None:
        await self._host.mind.life.flush(JobReason.IDLE)

    async def resize(self) -> None:
        memory = self._host.mind.memory
        capacity = {"window.capacity": self._random.choice((4, 6, 9))}
        memory.become(replace(memory.who, settings={**memory.who.settings, **capacity}))
        self._host.mind.life.settings.apply()

    async def mark(self) -> None:
        rows = await self._host.rows("SELECT conversation, id FROM message ORDER BY id DESC LIMIT 3")
        for last in rows[-1:]:
            await self._host.mind.memory.database.write(
                "mark", partial(window_state.mark_topic, conversation=last[0], message=last[1])
            )


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.torture) for seed in (2, 3))])
async def test_what_is_kept_is_what_a_look_finds(tmp_path: Path, seed: int) -> None:
    kept = 0
    async with hosted(tmp_path / "mira.db", works=False, window__capacity=6) as host:
        steps = Steps(host, seed)
        for _ in range(60):
            await steps.step()
            kept += await agrees(host)
        names = await host.rows("SELECT count(*), count(DISTINCT conversation || ' ' || client_id) FROM message")
    assert kept > 20, "little is gained if it is forgotten at every turn"
    assert names[0][0] == names[0][1]


async def test_the_next_message_is_heard_without_a_look(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        await host.hear("The kettle is on. 水在烧。")
        said: list[str] = []

        def listen(on: Connection, told: Any) -> None:
            on.set_trace_callback(told)

        await host.mind.memory.database.write("trace", lambda connection: listen(connection, said.append))
        await host.hear("And the tea is green. 是绿茶。")
        await host.mind.memory.database.write("trace", lambda connection: listen(connection, None))
        assert any("INSERT INTO heard" in each for each in said)
        assert not any("group_concat" in each for each in said)


async def test_messages_that_come_together_are_one_statement_and_with_it_one_transaction(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False, window__capacity=3) as host:
        for number in range(3):
            await host.hear(f"Tea number {number}. 第{number}杯茶。")
        told: list[str] = []
        began, held = threading.Event(), threading.Event()

        def listen(connection: Connection) -> None:
            began.set()
            assert held.wait(10)
            connection.set_trace_callback(told.append)

        gate = asyncio.ensure_future(host.mind.memory.database.write("gate", listen))
        assert await asyncio.to_thread(began.wait, 10)
        both = [asyncio.ensure_future(host.hear(f"The kettle sings {number}. 水开了。")) for number in range(2)]
        await asyncio.sleep(0.05)
        held.set()
        await gate
        heard = await asyncio.gather(*both)
        await host.mind.memory.database.write("gate", lambda connection: connection.set_trace_callback(None))
        assert sum(len(each["jobs"]) for each in heard) == 1, "the first block slid out"
        assert await host.rows("SELECT lo, hi, reason FROM summary_job") == [(1, 3, "auto")]
        assert any(each.startswith("INSERT INTO heard") for each in told)
        assert not any(each.startswith("SAVEPOINT") for each in told)
        begun = [each for each in told if each.startswith(("BEGIN", "COMMIT"))]
        assert begun == ["COMMIT", "BEGIN IMMEDIATE"], "those of the writes that began and ended the listening"


async def test_what_did_not_come_to_stay_is_not_kept(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        database = host.mind.memory.database
        await host.hear("One. 一。")
        held = threading.Event()

        def hinder(connection: Connection) -> None:
            # A message and this share a transaction whose COMMIT fails.
            connection.execute("PRAGMA defer_foreign_keys = ON")
            connection.execute("INSERT INTO note_source (note, position, message) VALUES (99, 1, 99)")

        gate = asyncio.ensure_future(database.write("gate", lambda _: held.wait(10)))
        await asyncio.sleep(0.05)
        lost = [asyncio.ensure_future(database.write("bad", hinder)), asyncio.ensure_future(host.hear("Two. 二。"))]
        await asyncio.sleep(0.05)
        held.set()
        await gate
        assert all(isinstance(each, Exception) for each in await asyncio.gather(*lost, return_exceptions=True))
        await agrees(host)
        again = await host.hear("Two, once more. 再说一次。")
        assert (again["id"], again["seq"]) == ("m2", 2)
        await agrees(host)


async def test_a_name_that_a_client_took_is_stepped_over(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False) as host:
        await host.hear("One. 一。")
        await host.hear("Mine is called three. 三。", id="m3")
        third = await host.hear("This would be called so. 叫什么？")
        assert (third["id"], third["seq"]) == ("m3'", 3)
        assert (await host.hear("Four. 四。"))["id"] == "m4"
        await agrees(host)


async def test_jobs_that_go_in_beside_a_message_are_counted(tmp_path: Path) -> None:
    async with hosted(tmp_path / "mira.db", works=False, window__capacity=4) as host:
        for number in range(1, 14):
            await host.hear(
                f"The ferry number {number} is late.", conversation="main", mark="end" if number == 13 else None
            )
        jobs = await host.rows("SELECT id FROM summary_job")
        assert len(jobs) == 4, "the last message brought two"
        assert await agrees(host) == 1
        withdrawn = host.mind.memory.database.withdrawn
        for number in range(14, 24):
            await host.hear(f"The ferry number {number} is late.", conversation="main")
        assert len(await host.rows("SELECT id FROM summary_job")) > len(jobs)
        assert host.mind.memory.database.withdrawn == withdrawn, "none was tried twice"
