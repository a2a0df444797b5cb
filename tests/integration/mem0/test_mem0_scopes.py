"""Scopes against a daemon: what was told in one is found, changed and deleted in no other, whatever ids look like."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon
from soulmem.mem0 import Memory

# ids that begin alike, look alike, or mean something to a language, a pattern or a name
IDS = [
    "al", "alice", "Alice", "alice2", "alic%", "alic_", "al*", "alice%20", "user=alice", "alice&run_id=r", "a'b", 'a"b',
    "';DROP/**/TABLE/**/note;--", "\\", "#", "é", "e\u0301", "ａlice", "小林", "小林2", "alice\u200b", "null", "0",
    "x" * 64, "x" * 65, "x" * 66, "x" * 4000,
]  # fmt: skip


def texts(found: dict[str, Any]) -> set[str]:
    return {item["memory"] for item in found["results"]}


def test_ids_that_look_alike_are_not_the_same(memory: Memory) -> None:
    made = {
        each: memory.add(f"tea {n} 茶", user_id=each, infer=False)["results"][0]["id"] for n, each in enumerate(IDS)
    }
    for n, each in enumerate(IDS):
        for found in (
            memory.search("tea 茶", user_id=each), memory.get_all(user_id=each),
            memory.search("tea 茶", filters={"user_id": each}), memory.get_all(filters={"AND": [{"user_id": each}]}),
            memory.get_all(filters={"user_id": {"in": [each]}}),
        ):  # fmt: skip
            assert texts(found) == {f"tea {n} 茶"}, each
            assert [item["user_id"] for item in found["results"]] == [each]
        assert memory.get_all(agent_id=each) == memory.get_all(run_id=each) == {"results": []}
    for each in IDS[::2]:
        assert memory.delete_all(user_id=each, dry_run=True)["ids"] == [made[each]]
        assert memory.delete_all(user_id=each)["ids"] == [made[each]]
    left = set(IDS[1::2])
    assert {each for each in IDS if memory.get(made[each]) is not None} == left
    assert {each for each in IDS if memory.get_all(user_id=each)["results"]} == left


def test_each_id_that_is_named_must_be_that_of_the_memory(memory: Memory) -> None:
    scopes: list[dict[str, str]] = []
    for size in (1, 2, 3):
        for keys in itertools.combinations(("user_id", "agent_id", "run_id"), size):
            scopes += [dict(zip(keys, values, strict=True)) for values in itertools.product("ab", repeat=size)]
    for n, scope in enumerate(scopes):
        memory.add(f"tea {n}", infer=False, **scope)
    for asked in scopes:
        expected = {f"tea {n}" for n, scope in enumerate(scopes) if asked.items() <= scope.items()}
        assert texts(memory.get_all(**asked)) == expected
        assert texts(memory.search("tea", filters=asked, top_k=100)) == expected
    everyone = {f"tea {n}" for n, scope in enumerate(scopes) if "agent_id" in scope}
    assert texts(memory.get_all(filters={"agent_id": "*"})) == everyone
    either = {"OR": [{"user_id": "a", "agent_id": "b"}, {"run_id": "b"}]}
    assert texts(memory.get_all(filters=either)) == {
        f"tea {n}"
        for n, scope in enumerate(scopes)
        if {"user_id": "a", "agent_id": "b"}.items() <= scope.items() or scope.get("run_id") == "b"
    }
    gone = {f"tea {n}" for n, scope in enumerate(scopes) if {"user_id": "a", "run_id": "b"}.items() <= scope.items()}
    memory.delete_all(user_id="a", run_id="b")
    left = set().union(*(texts(memory.get_all(**scope)) for scope in scopes))
    assert left == {f"tea {n}" for n in range(len(scopes))} - gone


@pytest.mark.parametrize(
    ("home", "other", "asked", "word"),
    [
        ("I live in Paris.", "I moved to Berlin. I no longer live in Paris.", "Where do I live?", "Paris"),
        ("我住在杭州。", "我搬到成都了，不住杭州了。", "我住在哪里？", "杭州"),
        ("I live in 杭州 now.", "I moved from 杭州 to Berlin.", "我 live in 哪里?", "杭州"),
    ],
    ids=["en", "zh", "mixed"],
)
def test_what_one_tells_changes_nothing_of_what_another_told(
    memory: Memory, home: str, other: str, asked: str, word: str
) -> None:
    memory.add(home, user_id="alice")
    for infer in (True, False):
        memory.add(other, user_id="bob", infer=infer)
        memory.add(other, user_id="alice", run_id="r", infer=infer)
        memory.add(other, agent_id="alice", infer=infer)
    memory.add("I love jazz. 我喜欢爵士乐。", user_id="alice", agent_id="a")
    memory.add("I drink tea.", user_id="carol")
    items = [item for item in memory.get_all(user_id="alice")["results"] if not {"run_id", "agent_id"} & item.keys()]
    assert [("valid_to" in item, "superseded_by" in item) for item in items] == [(False, False)] * len(items)
    assert any(word in item["memory"] for item in items)
    seen = texts(memory.search(asked, user_id="carol", limit=50)) | texts(memory.get_all(user_id="carol"))
    assert not [text for text in seen if word in text or "Berlin" in text or "成都" in text]


def test_the_same_words_in_two_scopes_are_two_memories(memory: Memory) -> None:
    first = memory.add("I prefer vegetarian food. 我吃素。", user_id="alice")["results"]
    second = memory.add("I prefer vegetarian food. 我吃素。", user_id="bob")["results"]
    assert {each["event"] for each in (*first, *second)} == {"ADD"}
    assert not {each["id"] for each in first} & {each["id"] for each in second}
    memory.delete_all(user_id="alice")
    assert memory.get_all(user_id="alice") == {"results": []}
    assert [each["id"] for each in memory.get_all(user_id="bob")["results"]] == [each["id"] for each in second]


def test_a_scope_that_is_named_beside_an_id_is_held_to(memory: Memory) -> None:
    kept = memory.add("tea", user_id="alice", infer=False)["results"][0]["id"]
    assert memory.get(kept, user_id="bob") is None
    assert memory.get(kept, user_id="alice", run_id="r") is None
    assert memory.history(kept, user_id="bob") == []
    for call in (
        lambda: memory.update(kept, "x", user_id="bob"), lambda: memory.delete(kept, agent_id="alice"),
        lambda: memory.restore(kept, user_id="bob"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="not found"):
            call()
    assert memory.get(kept, user_id="alice")["memory"] == "tea"


def test_metadata_makes_nobody_the_owner_of_what_is_anothers(memory: Memory) -> None:
    injected = {"user_id": "victim", "agent_id": "victim", "run_id": "victim", "mem0": {"scope": {"user_id": "victim"}}}
    kept = memory.add("tea", user_id="mallory", infer=False, metadata=injected)["results"][0]["id"]
    memory.update(kept, metadata={"user_id": "victim", "scope": {"user_id": "victim"}})
    memory.add("I love tea.", user_id="mallory", metadata=injected)
    for key in ("user_id", "agent_id", "run_id"):
        assert (
            memory.get_all(filters={key: "victim"}) == memory.search("tea", filters={key: "victim"}) == {"results": []}
        )
    assert memory.get(kept)["user_id"] == "mallory"


def test_what_was_deleted_of_a_scope_comes_back_and_nothing_else(memory: Memory) -> None:
    for user in ("alice", "bob"):
        memory.add("I love jazz. 我住在杭州。", user_id=user, metadata={"of": user})
    before = {user: memory.get_all(user_id=user)["results"] for user in ("alice", "bob")}
    planned = memory.delete_all(user_id="alice", dry_run=True)
    assert planned["ids"] == [item["id"] for item in before["alice"]]
    assert memory.get_all(user_id="alice")["results"] == before["alice"]
    done = memory.delete_all("alice")
    assert done == {"message": "Memories deleted successfully!", "ids": planned["ids"]}
    assert memory.delete_all(user_id="alice")["ids"] == []
    assert memory.get_all(user_id="bob")["results"] == before["bob"]
    assert memory.restore(done["ids"], user_id="alice")["results"] == before["alice"]
    assert memory.get_all(user_id="alice")["results"] == before["alice"]
    assert texts(memory.search("jazz", user_id="alice"))


def test_a_deleted_memory_may_be_told_again(memory: Memory) -> None:
    (first,) = memory.add("I live in Paris.", user_id="alice")["results"]
    memory.delete(first["id"])
    assert memory.get_all(user_id="alice") == {"results": []}
    (again,) = memory.add("I live in Paris.", user_id="alice")["results"]
    assert again["event"] == "ADD"
    assert texts(memory.search("Where do I live?", user_id="alice")) == {again["memory"]}


def test_what_was_told_and_is_no_note_yet_is_deleted_too(memory: Memory, daemon: Daemon) -> None:
    memory.add("I love jazz.", user_id="alice")
    said = {"mind": memory.config.mind, "conversation": "user=alice", "role": "user", "content": "I live in Paris."}
    daemon.call("message.add", said)
    memory.delete_all(user_id="alice")
    memory.add("I love tea.", user_id="alice")
    assert {"Paris" in text for text in texts(memory.get_all(user_id="alice"))} == {False}


def test_purging_leaves_nothing_of_the_scope_in_the_file(memory: Memory, daemon: Daemon, tmp_path: Path) -> None:
    for user, word in (("alice", "zanzibar"), ("alicia", "timbuktu")):
        memory.add(f"I live in {word.title()}.", user_id=user)
        memory.add(f"I was born in {word.title()}.", user_id=user, run_id="r")
        memory.add(f"{word} by hand", user_id=user, infer=False)
    hidden = memory.get_all(user_id="alice")["results"][0]["id"]
    memory.delete(hidden)
    done = memory.delete_all(user_id="alice", purge=True)
    assert done["ids"]
    assert memory.get_all(user_id="alice") == {"results": []}
    for gone in (hidden, *done["ids"]):
        with pytest.raises(ValueError, match="not found"):
            memory.restore(gone)
    assert len(memory.get_all(user_id="alicia")["results"]) >= 3
    said = daemon.call("message.list", {"mind": memory.config.mind, "conversation": "user=alicia"})["items"]
    assert any("Timbuktu" in message["content"] for message in said)
    daemon.settle(memory.config.mind)
    told = daemon.call("message.list", {"mind": memory.config.mind, "conversation": "user=alice"})["items"]
    assert not [message for message in told if message["content"]]
    recalled = daemon.call("recall", {"mind": memory.config.mind, "query": "zanzibar", "min_score": 0, "k": 100})
    assert not [item for item in recalled["items"] if "zanzibar" in item["text"].lower()]
