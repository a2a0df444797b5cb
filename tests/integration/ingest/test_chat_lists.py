"""`add` of both clients: a list as chat APIs have it is heard in its order, and brings to mind what it should."""

from collections.abc import Iterator

import pytest

from checking import checking
from daemon_fixture import Daemon, daemon_process
from soulmem.client import AsyncClient, SoulmemRemoteError

HISTORY = [
    {"role": "system", "content": "You are Pell."},
    {"role": "user", "content": [{"type": "text", "text": "My sister Ines keeps bees."}, {"type": "image_url"}]},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
    {"role": "tool", "tool_call_id": "c1", "content": "42 hives"},
    {"role": "assistant", "content": "How many hives 几个蜂箱?"},
    {"role": "user", "content": "四个。", "name": "小苇"},
]
HEARD = [
    ("system", "system", "You are Pell."),
    ("user", "Mara", "My sister Ines keeps bees."),
    ("assistant", "Pell", "How many hives 几个蜂箱?"),
    ("user", "小苇", "四个。"),
]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d")) as daemon:
        yield daemon


def heard(daemon: Daemon, mind: str, conversation: str = "main") -> list[tuple[str, str, str]]:
    return [(each["role"], each["speaker"], each["content"]) for each in checking(daemon).messages(mind, conversation)]


def test_a_list_is_heard_in_its_order(daemon: Daemon) -> None:
    answers = daemon.client().add("sync", HISTORY, speaker="Mara", character="Pell", recall=True)
    assert heard(daemon, "sync") == HEARD
    assert [each["seq"] for each in answers] == [1, 2, 3, 4]
    assert [each.get("context") is not None for each in answers] == [False, False, False, True]
    assert "bees" in answers[-1]["context"]["text"]


async def test_the_asynchronous_client_hears_the_same(daemon: Daemon) -> None:
    async with AsyncClient(str(daemon.socket)) as client:
        answers = await client.add("async", HISTORY, speaker="Mara", character="Pell", conversation="群")
        assert heard(daemon, "async", "群") == HEARD
        assert [each["seq"] for each in answers] == [1, 2, 3, 4]
        long = [{"role": "user", "content": f"line {n} 第{n}句", "id": f"x{n}"} for n in range(100)]
        for is_known in (False, True):
            answers = await client.add("long", long)
            assert [(each["id"], each["duplicate"]) for each in answers] == [(f"x{n}", is_known) for n in range(100)]


def test_a_list_of_which_one_cannot_be_taken_says_so(daemon: Daemon) -> None:
    client = daemon.client()
    with pytest.raises(SoulmemRemoteError, match="NUL"):
        client.add("broken", ["a", "b\x00", "c"])
    with pytest.raises(ValueError, match="narrator"):
        client.add("nothing", ["a", {"role": "narrator", "content": "x"}])
    assert "nothing" not in [each["mind"] for each in client.minds()["items"]]
    assert client.add("nothing", []) == []
