"""What Mem0's methods refuse, and with what words; a daemon that is gone; minds that are not theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from soulmem.client import DaemonUnavailable
from soulmem.mem0 import Memory

NOWHERE = "no-such-id"


def texts(found: dict[str, Any]) -> list[str]:
    return [item["memory"] for item in found["results"]]


def raw(memory: Memory, text: str, **given: Any) -> str:
    return str(memory.add(text, infer=False, **given)["results"][0]["id"])


@pytest.mark.parametrize(
    ("method", "given", "line"),
    [
        ("add", {"messages": "hi"}, "At least one of"),
        ("add", {"messages": "hi", "user_id": "  "}, "Invalid user_id.*cannot be empty"),
        ("add", {"messages": "hi", "user_id": "*"}, "names none"),
        ("add", {"messages": "", "user_id": "u"}, "cannot be empty"),
        ("add", {"messages": "hi", "user_id": "u", "metadata": {"a": {1}}}, "Invalid metadata"),
        ("add", {"messages": "hi", "user_id": "u", "expiration_date": "soon"}, "Invalid expiration_date"),
        ("add", {"messages": "hi", "user_id": "u", "timestamp": "2199-01-01"}, "more than a day in the future"),
        ("add", {"messages": "hi", "user_id": "u", "prompt": 3}, "Invalid prompt"),
        ("search", {"query": "q"}, "At least one of"),
        ("search", {"query": " \n", "user_id": "u"}, "Invalid query.*empty or whitespace-only"),
        ("search", {"query": None, "user_id": "u"}, "Invalid query"),
        ("search", {"query": "\ud800", "user_id": "u"}, "lone surrogate"),
        ("search", {"query": "q", "user_id": "u", "threshold": 1.5}, "Invalid threshold.*Must be between 0 and 1"),
        ("search", {"query": "q", "user_id": "u", "threshold": -0.5}, "Invalid threshold"),
        ("search", {"query": "q", "user_id": "u", "top_k": -5}, "Invalid top_k.*Must be a non-negative"),
        ("search", {"query": "q", "user_id": "u", "limit": -1}, "Invalid top_k"),
        ("search", {"query": "q", "filters": {"user_id": "user 123"}}, "Invalid user_id.*cannot contain whitespace"),
        ("get_all", {}, "At least one of"),
        ("get_all", {"filters": {"user_id": "u"}, "top_k": "3"}, "Invalid top_k"),
        ("delete_all", {}, "At least one of"),
        ("delete_all", {"user_id": "user\t1"}, "cannot contain whitespace"),
        ("delete_all", {"user_id": "*"}, "names none"),
        ("update", {"memory_id": NOWHERE}, "nothing to change"),
        ("update", {"memory_id": NOWHERE, "text": "x"}, f"Memory with id {NOWHERE} not found"),
        ("update", {"memory_id": NOWHERE, "text": " "}, "Invalid text"),
        ("update", {"memory_id": NOWHERE, "text": 3}, "Invalid text"),
        ("delete", {"memory_id": NOWHERE}, f"Memory with id {NOWHERE} not found"),
        ("delete", {"memory_id": "n999"}, "not found"),
        ("delete", {"memory_id": None}, "not found"),
        ("delete", {"memory_id": "x" * 1000}, "not found"),
        ("batch_update", {"memories": []}, "must be a list"),
        ("batch_update", {"memories": [{"memory_id": NOWHERE, "text": "茶"}]}, f"Memory with id {NOWHERE} not found"),
        ("batch_update", {"memories": [{"memory_id": NOWHERE, "expiration_date": "soon"}]}, f"{NOWHERE}: Invalid"),
        ("batch_delete", {"memories": [{"memory_id": 3}]}, r"memories\[0\] must be an object"),
        ("restore", {"memory_ids": NOWHERE}, "not found"),
        ("restore", {"memory_ids": 3}, "must be an id"),
    ],
)
def test_what_is_wrong_is_a_value_error_of_one_line(
    memory: Memory, method: str, given: dict[str, Any], line: str
) -> None:
    with pytest.raises(ValueError, match=line) as told:
        getattr(memory, method)(**given)
    assert "\n" not in str(told.value)


def test_what_never_was_is_none_and_has_no_history(memory: Memory) -> None:
    for unknown in (NOWHERE, "n1", "", None, 3, "\ud800", "x" * 300):
        assert memory.get(unknown) is None  # type: ignore[arg-type]  # what people hand over
        assert memory.history(unknown) == []  # type: ignore[arg-type]  # ditto


def test_nothing_of_a_call_that_is_refused_is_kept(memory: Memory, daemon: Daemon) -> None:
    good = {"role": "user", "content": "I love jazz."}
    for bad in ({"role": "user", "content": "x" * 262_145}, {"role": "wizard", "content": "x"}, {"role": "user"}):
        with pytest.raises(ValueError, match="messages"):
            memory.add([good, bad], user_id="u")
    assert memory.get_all(user_id="u") == {"results": []}
    assert daemon.call("mind.get", {"mind": memory.config.mind})["mind"]["messages"] == 0


def test_a_long_text_is_kept_whole(memory: Memory) -> None:
    long = "茶 tea " * 30_000
    kept = raw(memory, long, user_id="u")
    assert memory.get(kept)["memory"] == long
    assert memory.history(kept)[0]["new_memory"] == long


def test_a_mind_that_shares_is_none_of_ours(daemon: Daemon) -> None:
    daemon.call("mind.create", {"mind": "shared"})
    daemon.call("message.add", {"mind": "shared", "role": "user", "content": "I love jazz."})
    memory = Memory({"soulmem": {"mind": "shared", "socket": str(daemon.socket)}})
    for call in (
        lambda: memory.add("hi", user_id="u"), lambda: memory.search("jazz", user_id="u"), memory.reset,
        lambda: memory.delete_all(user_id="u"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="'shared' was not made for this"):
            call()
    memory.close()
    assert daemon.call("mind.get", {"mind": "shared"})["mind"]["messages"] == 1


def test_reset_forgets_all_of_the_mind_and_nothing_of_another(memory: Memory, daemon: Daemon) -> None:
    other = Memory({"soulmem": {"mind": "another", "socket": str(daemon.socket)}})
    for each in (memory, other):
        raw(each, "tea", user_id="u")
        each.search("tea", user_id="u")
    assert memory.reset() is None
    assert memory.get_all(user_id="u") == {"results": []}
    assert len(other.get_all(user_id="u")["results"]) == 1
    raw(memory, "coffee", user_id="v")
    assert texts(memory.search("coffee", user_id="v")) == ["coffee"]
    other.close()


def test_a_daemon_that_is_not_there_is_said(tmp_path: Path) -> None:
    with Memory({"soulmem": {"socket": tmp_path / "none.sock"}}) as memory:
        with pytest.raises(DaemonUnavailable, match="no soulmem daemon"):
            memory.add("hi", user_id="u")
        with pytest.raises(ConnectionError):
            memory.search("hi", user_id="u")
        with pytest.raises(ValueError, match="At least one"):
            memory.search("hi")


def test_a_daemon_that_goes_and_comes_back_is_found_again(tmp_path: Path) -> None:
    settings = {"soulmem": {"socket": str(tmp_path / "d.sock")}}
    with Memory(settings) as memory:
        with daemon_process(tmp_path):
            kept = raw(memory, "tea", user_id="u")
        with pytest.raises(ConnectionError):
            memory.get(kept)
        with daemon_process(tmp_path):
            assert memory.get(kept)["memory"] == "tea"
