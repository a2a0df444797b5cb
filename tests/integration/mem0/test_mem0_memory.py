"""Mem0's methods against a daemon: what code that was written for it relies on, in English and Chinese."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from soulmem.mem0 import Mem0ValidationError, Memory

START = "2026-03-01T08:00:00Z"
NOWHERE = "no-such-id"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("mem0"), "--simulated-clock", START) as found:
        yield found


def texts(found: dict[str, Any]) -> list[str]:
    return [item["memory"] for item in found["results"]]


def raw(memory: Memory, text: str, **given: Any) -> str:
    return str(memory.add(text, infer=False, **given)["results"][0]["id"])


TOLD = [
    ("en", "Hi, I'm Alex. I love basketball.", "Does Alex love basketball?", "basketball"),
    ("zh", "我叫小林，住在杭州，对花生过敏。", "小林住在哪里？", "杭州"),
    ("mixed", "我喜欢 sci-fi movies。I am allergic to 花生.", "花生 allergy?", "花生"),
]


@pytest.mark.parametrize(("language", "said", "asked", "word"), TOLD, ids=[each[0] for each in TOLD])
def test_what_was_added_is_found_by_the_next_call(
    memory: Memory, language: str, said: str, asked: str, word: str
) -> None:
    messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "OK!"}]
    added = memory.add(messages, user_id="alex", metadata={"lang": language, "n": 1.5})["results"]
    assert added
    assert {each["event"] for each in added} == {"ADD"}
    for found in (
        memory.search(asked, user_id="alex"),
        memory.search(asked, user_id="alex", limit=5),
        memory.search(f"  {asked} ", filters={"user_id": "alex"}, top_k=5, rerank=True),
        memory.search(asked, filters={"user_id": "alex", "lang": language}),
    ):
        assert word in found["results"][0]["memory"]
    listed = memory.get_all(user_id="alex")["results"]
    assert [(each["id"], each["memory"]) for each in added] == [(each["id"], each["memory"]) for each in listed]
    for item in listed:
        assert item == memory.get(item["id"])
        assert item["user_id"] == "alex"
        assert item["metadata"] == {"lang": language, "n": 1.5}
        assert item["hash"] == hashlib.md5(item["memory"].encode()).hexdigest()
        assert item["created_at"] == item["updated_at"]
        assert datetime.fromisoformat(item["created_at"]).tzinfo is not None
        assert not {"agent_id", "run_id", "score", "expiration_date"} & item.keys()


def test_the_same_fact_twice_is_one_memory(memory: Memory) -> None:
    first = memory.add("I live in Paris.", user_id="a")["results"]
    again = memory.add("I live in Paris.", user_id="a")["results"]
    assert [each["event"] for each in again] == ["NONE"]
    assert [each["id"] for each in again] == [each["id"] for each in first]
    assert len(memory.get_all(user_id="a")["results"]) == 1


def test_a_fact_that_changed_stands_beside_what_it_was(memory: Memory) -> None:
    (old,) = memory.add("I live in Paris.", user_id="a")["results"]
    (new,) = memory.add("I moved to Berlin yesterday.", user_id="a")["results"]
    assert new["event"] == "ADD"
    assert new["previous_memory"] == old["memory"]
    found = memory.get(old["id"])
    assert found["superseded_by"] == new["id"]
    assert found["valid_to"]
    assert "Berlin" in texts(memory.search("Where do I live?", user_id="a"))[0]


def test_without_inference_each_message_is_kept_in_its_words(memory: Memory) -> None:
    said = [
        {"role": "system", "content": "You are kind."},
        {"role": "user", "content": "I'm planning a trip. 我要去东京。", "name": "Zoe"},
        {"role": "assistant", "content": "Noted."},
    ]
    added = memory.add(said, user_id="a", agent_id="b", infer=False)["results"]
    assert [(each["memory"], each["event"], each["role"]) for each in added] == [
        ("I'm planning a trip. 我要去东京。", "ADD", "user"), ("Noted.", "ADD", "assistant"),
    ]  # fmt: skip
    first, second = (memory.get(each["id"]) for each in added)
    assert (first["actor_id"], first["role"], first["attributed_to"]) == ("Zoe", "user", "user")
    assert second["role"] == "assistant"
    assert "actor_id" not in second
    assert first["metadata"] is None
    twice = memory.add(said, user_id="a", agent_id="b", infer=False)["results"]
    assert len(twice) == 2, "duplicates land"
    assert texts(memory.search("东京", user_id="a", limit=1)) == ["I'm planning a trip. 我要去东京。"]


def test_an_update_keeps_what_is_not_given(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    kept = raw(memory, "I love tennis", user_id="u", metadata={"category": "hobbies", "priority": "high"})
    before = memory.get(kept)
    done = memory.update(kept, "I love tennis and swimming 游泳")
    assert done == {"message": "Memory updated successfully!"}
    found = memory.get(kept)
    assert found["memory"] == "I love tennis and swimming 游泳"
    assert found["metadata"] == before["metadata"]
    assert found["created_at"] == before["created_at"] <= found["updated_at"]
    assert found["hash"] != before["hash"]
    memory.update(kept, metadata={"priority": "low", "new": [1], "user_id": "victim", "actor_id": "x"})
    found = memory.get(kept)
    assert found["metadata"] == {"category": "hobbies", "priority": "low", "new": [1]}
    assert found["user_id"] == "u"
    assert "actor_id" not in found
    memory.update(kept, metadata={})
    memory.update(memory_id=kept, expiration_date="2030-01-31")
    assert memory.get(kept)["expiration_date"] == "2030-01-31"
    memory.update(memory_id=kept, text="I love golf", metadata={"a": 1}, expiration_date=None)
    found = memory.get(kept)
    assert "expiration_date" not in found
    assert found["metadata"]["a"] == 1
    assert texts(memory.search("golf", user_id="u")) == ["I love golf"]
    with caplog.at_level(logging.WARNING):
        memory.update(kept, data="by data")
        memory.update(kept, text="by text", data="ignored")
    assert "deprecated" in caplog.text
    assert memory.get(kept)["memory"] == "by text"


def test_history_tells_of_adding_changing_deleting_and_bringing_back(memory: Memory, daemon: Daemon) -> None:
    (added,) = memory.add("I like Indian food.", user_id="u", metadata={"k": 1})["results"]
    kept, first = added["id"], added["memory"]
    daemon.call("clock.advance", {"seconds": 60})
    memory.update(kept, text="I like Italian food.")
    daemon.call("clock.advance", {"seconds": 60})
    memory.delete(kept)
    assert memory.get(kept) is None
    assert memory.get_all(user_id="u") == memory.search("food", user_id="u") == {"results": []}
    daemon.call("clock.advance", {"seconds": 60})
    assert texts(memory.restore(kept)) == ["I like Italian food."]
    assert memory.get(kept)["memory"] == "I like Italian food."
    rows = memory.history(memory_id=kept)
    assert [(row["event"], row["old_memory"], row["new_memory"], row["is_deleted"]) for row in rows] == [
        ("ADD", None, first, False),
        ("UPDATE", first, "I like Italian food.", False),
        ("DELETE", "I like Italian food.", None, True),
        ("ADD", None, "I like Italian food.", False),
    ]
    assert {row["memory_id"] for row in rows} == {kept}
    assert len({row["id"] for row in rows}) == 4
    assert len({row["created_at"] for row in rows}) == 1
    assert [row["updated_at"] for row in rows] == sorted(row["updated_at"] for row in rows)
    assert {row["role"] for row in rows} == {"user"}


def test_filters_ask_of_metadata_with_every_operator(memory: Memory) -> None:
    for number in range(1, 6):
        metadata = {"category": "work" if number % 2 else "home", "priority": number, "tags": [f"t{number}", "all"]}
        raw(memory, f"task number {number} 任务", user_id="pm", metadata=metadata)
    raw(memory, "task without anything", user_id="pm")

    def found(**asked: Any) -> set[int]:
        searched = memory.search("task 任务", filters={"user_id": "pm", **asked}, top_k=50)["results"]
        listed = memory.get_all(filters={"user_id": "pm", **asked})["results"]
        assert {each["id"] for each in searched} == {each["id"] for each in listed}
        return {each["metadata"]["priority"] if each["metadata"] else 0 for each in listed}

    assert found() == {0, 1, 2, 3, 4, 5}
    assert found(category="work") == {1, 3, 5}
    assert found(category={"ne": "work"}) == {0, 2, 4}
    assert found(priority={"gte": 2, "lt": 5}) == {2, 3, 4}
    assert found(category={"in": ["home"]}, priority={"nin": [2]}) == {4}
    assert found(tags={"contains": "t3"}) == {3}
    assert found(tags={"icontains": "ALL"}) == {1, 2, 3, 4, 5}
    assert found(category="*") == {1, 2, 3, 4, 5}
    assert found(OR=[{"priority": 1}, {"priority": {"gt": 4}}]) == {1, 5}
    assert found(AND=[{"OR": [{"category": "work"}, {"priority": 2}]}, {"NOT": [{"priority": 5}]}]) == {1, 2, 3}
    assert found(created_at={"gte": "2026-03-01"}) == {0, 1, 2, 3, 4, 5}
    assert found(created_at={"lt": "2026-03-01"}) == set()
    assert found(role="user") == {0, 1, 2, 3, 4, 5}


def test_a_filter_finds_what_stands_behind_much_that_does_not_pass(memory: Memory) -> None:
    daemon_calls = [raw(memory, f"tea tea tea {number}", user_id="u") for number in range(30)]
    rare = raw(memory, "tea once, and much that is of nothing of the kind", user_id="u", metadata={"rare": True})
    found = memory.search("tea", filters={"user_id": "u", "rare": True}, top_k=1)["results"]
    assert [each["id"] for each in found] == [rare]
    assert len(memory.search("tea", user_id="u", limit=100)["results"]) == len(daemon_calls) + 1


def test_what_expired_is_hidden_but_for_those_who_ask(memory: Memory, daemon: Daemon) -> None:
    today = str(daemon.call("system.ping")["now"])[:10]
    past = raw(memory, "tea of the past", user_id="u", expiration_date="2026-02-28")
    raw(memory, "tea of today", user_id="u", expiration_date=today)
    (digested,) = memory.add("I drink green tea.", user_id="u", expiration_date="2026-02-27")["results"]
    for shown in (memory.get_all(user_id="u"), memory.search("tea", filters={"user_id": "u"})):
        assert texts(shown) == ["tea of today"]
    for shown in (memory.get_all(user_id="u", show_expired=True), memory.search("tea", user_id="u", show_expired=True)):
        assert len(shown["results"]) == 3
    assert memory.get(past)["expiration_date"] == "2026-02-28"
    assert memory.get(digested["id"])["expiration_date"] == "2026-02-27"


def test_a_time_that_was_given_is_when_it_was_said(memory: Memory) -> None:
    kept = raw(memory, "I bought a boat", user_id="u", timestamp=1736942400)
    assert memory.get(kept)["created_at"] == "2025-01-15T12:00:00+00:00"
    (told,) = memory.add("I sold my boat yesterday.", user_id="u", timestamp="2025-02-10T09:00:00Z")["results"]
    assert "9 February 2025" in told["memory"]
    assert memory.get(told["id"])["created_at"] == "2025-02-10T09:00:00+00:00"


def test_a_procedure_is_one_memory_of_an_agent(memory: Memory) -> None:
    said = [{"role": "user", "content": "Book a flight"}, {"role": "assistant", "content": "1. Search. 2. Book 航班."}]
    (added,) = memory.add(said, agent_id="travel", memory_type="procedural_memory", metadata={"v": 1})["results"]
    assert added["event"] == "ADD"
    assert added["memory"] == "user: Book a flight\nassistant: 1. Search. 2. Book 航班."
    found = memory.get(added["id"])
    assert (found["memory_type"], found["agent_id"], found["metadata"]) == ("procedural_memory", "travel", {"v": 1})
    short = memory.add(
        said,
        agent_id="travel",
        run_id="r",
        memory_type="procedural_memory",
        llm=lambda messages: f"{len(messages)} parts",
    )
    assert texts(short) == ["2 parts"]
    assert (
        len(memory.search("flight", filters={"agent_id": "travel", "memory_type": "procedural_memory"})["results"]) == 2
    )
    for wrong in (
        {"user_id": "u", "memory_type": "procedural_memory"},
        {"agent_id": "a", "memory_type": "semantic_memory"},
    ):
        with pytest.raises(Mem0ValidationError, match=r"procedural_memory|agent_id"):
            memory.add(said, **wrong)


def test_how_a_search_came_to_its_order_is_told_on_demand(memory: Memory) -> None:
    raw(memory, "green tea", user_id="u")
    plain, told = (memory.search("tea", user_id="u", explain=explain)["results"][0] for explain in (False, True))
    assert "score_details" not in plain
    assert told["score_details"]["final_score"] == told["score"]
    assert {"semantic_score", "bm25_score", "threshold"} <= told["score_details"].keys()
    assert 0 <= told["score"] <= 1
    assert memory.search("tea", user_id="u", threshold=1.0)["results"] == []
    assert memory.search("tea", user_id="u", threshold=0.1)["results"]
    assert memory.search("tea", user_id="u", limit=0) == memory.get_all(user_id="u", top_k=0) == {"results": []}


def test_a_filter_that_few_of_many_pass_finds_the_best_of_them(memory: Memory, daemon: Daemon) -> None:
    raw(memory, "coffee without a number", user_id="u")
    notes = [
        ("note.add", {
            "mind": memory.config.mind, "kind": "episodic", "text": f"coffee {n} 咖啡", "elements": [],
            "conversation": "user=u", "attributes": {"mem0": {"scope": {"user_id": "u"}, "metadata": {"n": n}}},
        })
        for n in range(150)
    ]  # fmt: skip
    daemon.client().call_many(notes)
    found = memory.search("coffee 148 咖啡", filters={"user_id": "u", "n": {"gte": 147}}, top_k=2)["results"]
    assert found[0]["metadata"]["n"] == 148
    assert {item["metadata"]["n"] for item in found} <= {147, 148, 149}
    assert len(found) == 2
    assert len(memory.search("coffee", filters={"user_id": "u", "n": {"gte": 147}}, top_k=9)["results"]) == 3
    assert len(memory.search("coffee", filters={"user_id": "u"}, top_k=120)["results"]) == 120
    assert texts(memory.get_all(user_id="u", limit=4))[0] == "coffee without a number"
    assert len(memory.get_all(user_id="u", limit=1000)["results"]) == 151
