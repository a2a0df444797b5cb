"""`AsyncMemory` against a daemon: the same methods, many at once, over several loops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon_fixture import Daemon, daemon_process
from soulmem.mem0 import AsyncMemory, Memory


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("async")) as found:
        yield found


def settings(daemon: Daemon, mind: str) -> dict[str, dict[str, str]]:
    return {"soulmem": {"mind": mind, "socket": str(daemon.socket)}}


async def test_the_methods_are_those_of_the_blocking_one(daemon: Daemon) -> None:
    async with AsyncMemory.from_config(settings(daemon, "same")) as memory:
        said = [{"role": "user", "content": "I'm travelling to SF. 我住在杭州。"}]
        added = (await memory.add(messages=said, user_id="alice", agent_id="a", metadata={"k": 1}))["results"]
        assert added
        with Memory(settings(daemon, "same")) as blocking:
            for asked in ({"user_id": "alice"}, {"agent_id": "a"}, {"run_id": "none"}):
                assert await memory.get_all(filters=asked) == blocking.get_all(filters=asked)
            found = await memory.search(query="Where am I travelling?", filters={"user_id": "alice"})
            again = blocking.search("Where am I travelling?", user_id="alice")
            assert [item["id"] for item in found["results"]] == [item["id"] for item in again["results"]]
        kept = added[0]["id"]
        assert (await memory.get(memory_id=kept))["metadata"] == {"k": 1}
        await memory.update(memory_id=kept, text="I'm travelling to Seattle")
        assert [row["event"] for row in await memory.history(memory_id=kept)] == ["ADD", "UPDATE"]
        await memory.delete(memory_id=kept)
        assert await memory.get(kept) is None
        await memory.restore(kept)
        assert (await memory.delete_all(user_id="alice"))["ids"] == [each["id"] for each in added]
        assert await memory.reset() is None


async def test_what_is_wrong_is_a_value_error_when_awaited(daemon: Daemon) -> None:
    memory = AsyncMemory(settings(daemon, "wrong"))
    with pytest.raises(ValueError, match="Invalid query"):
        await memory.search(query="", filters={"user_id": "alice"})
    with pytest.raises(ValueError, match="Memory with id non-existent-id not found"):
        await memory.delete("non-existent-id")
    with pytest.raises(ValueError, match="procedural_memory"):
        await memory.add("x", agent_id="a", memory_type="semantic_memory")
    assert await memory.get(memory_id="non-existent-id") is None
    await memory.close()


async def test_many_add_at_once_and_each_finds_its_own(daemon: Daemon) -> None:
    async with AsyncMemory(settings(daemon, "many")) as memory:

        async def one(number: int) -> None:
            fruit = ("figs", "pears", "plums", "kiwis", "limes", "dates")[number]
            added = (await memory.add(f"I love {fruit}. 我喜欢{fruit}。", user_id=f"user_{number}"))["results"]
            assert added
            assert all(fruit in each["memory"] for each in added)
            found = (await memory.search("What do I love?", filters={"user_id": f"user_{number}"}))["results"]
            assert {item["user_id"] for item in found} == {f"user_{number}"}
            assert any(fruit in item["memory"] for item in found)

        async with asyncio.TaskGroup() as group:
            for number in range(6):
                group.create_task(one(number))


def test_one_instance_serves_several_loops(daemon: Daemon) -> None:
    memory = AsyncMemory(settings(daemon, "loops"))

    async def call(text: str) -> int:
        await memory.add(text, user_id="u", infer=False)
        found = len((await memory.get_all(user_id="u"))["results"])
        await memory.close()
        return found

    assert [asyncio.run(call(text)) for text in ("one", "two")] == [1, 2]


def test_threads_may_share_a_blocking_one(daemon: Daemon) -> None:
    failed: list[BaseException] = []
    with Memory(settings(daemon, "threads")) as memory:

        def work(number: int) -> None:
            try:
                for turn in range(5):
                    memory.add(f"tea {number} {turn}", user_id=f"u{number}", infer=False)
                    assert len(memory.get_all(user_id=f"u{number}")["results"]) == turn + 1
            except BaseException as error:  # told by the thread that waits
                failed.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failed


async def test_a_daemon_that_is_not_there_is_said(tmp_path: Path) -> None:
    memory = AsyncMemory({"soulmem": {"socket": str(tmp_path / "none.sock")}})
    with pytest.raises(ConnectionError, match="no soulmem daemon"):
        await memory.add("hi", user_id="u")
