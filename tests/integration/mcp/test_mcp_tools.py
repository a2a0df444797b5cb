"""The ten tools, driven by the official client over stdio: what each does to a mind, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from household import Home
from mcp_bench import McpClient, over_stdio

TEN = [
    "add_memory", "search_memories", "get_memory", "update_memory", "delete_memory",
    "recall", "pin_memory", "explain_recall", "reflect", "memory_status",
]  # fmt: skip


@pytest.fixture(scope="module")
def memory(home: Home) -> Iterator[McpClient]:
    with over_stdio(home.daemon.socket, "--mind", "tools", "--speaker", "Mara") as client:
        yield client


def ids(found: dict[str, Any]) -> list[str]:
    return [each["id"] for each in found["memories"]]


def test_a_mind_that_is_not_yet(memory: McpClient) -> None:
    """The first test of the file: nothing was told yet."""
    assert memory.facts("memory_status")["exists"] is False
    assert memory.fault("recall", query="tea") == (
        "the mind 'tools' does not exist yet; add_memory brings it into being"
    )


def test_the_tools_describe_themselves(memory: McpClient) -> None:
    tools = {tool.name: tool for tool in memory.run("list_tools").tools}
    assert list(tools) == TEN
    for tool in tools.values():
        assert len(tool.description or "") > 60
        assert tool.title
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        for name, argument in tool.input_schema["properties"].items():
            assert argument.get("description"), (tool.name, name)
            assert "anyOf" not in argument
        notes = tool.annotations
        assert notes.open_world_hint is False
        assert None not in (notes.read_only_hint, notes.destructive_hint, notes.idempotent_hint)
    reading = {name for name, tool in tools.items() if tool.annotations.read_only_hint}
    assert reading == {"search_memories", "get_memory", "explain_recall", "memory_status"}
    assert {name for name, tool in tools.items() if tool.annotations.destructive_hint} == {
        "update_memory", "delete_memory",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Wendeline keeps bees behind the chapel.", "who keeps bees?"),
        ("老周在码头修船。", "谁在码头修船？"),
        ("Odile 每周三去 Café Lune 画画。", "Odile 每周三去 Café Lune 做什么？"),
    ],
)
def test_what_is_added_is_found_and_recalled(memory: McpClient, told: str, asked: str) -> None:
    made = memory.facts("add_memory", text=told, tags=["told"])["id"]
    found = memory.facts("search_memories", query=asked)["memories"]
    assert found[0]["id"] == made
    assert found[0]["text"] == told
    recalled = memory.facts("recall", query=asked)
    assert ids(recalled)[0] == made
    assert recalled["recall_id"]
    assert told in memory.text("recall", query=asked)
    assert memory.facts("search_memories", query=asked, tags=["told"])["memories"]
    assert memory.facts("search_memories", query=asked, tags=["never"])["memories"] == []


def test_attributes_are_kept_and_narrow_what_is_found(memory: McpClient) -> None:
    for text, shelf in (("Oda reads the almanac. 奥达读年历。", 3), ("Oda reads the atlas. 奥达读地图集。", 5)):
        memory.facts("add_memory", text=text, attributes={"shelf": shelf, "书架": "左"})
    memory.facts("add_memory", messages=[{"role": "user", "content": "Oda dusted."}], attributes={"shelf": 9})
    for asked, found in (
        ({"shelf": {"gte": 4, "lt": 9}}, ["atlas"]),
        ({"书架": "左"}, ["almanac", "atlas"]),
        ({"shelf": 1}, []),
    ):
        for tool in ("recall", "search_memories"):
            texts = [each["text"] for each in memory.facts(tool, query="Oda reads 读", attributes=asked)["memories"]]
            assert sorted(texts) == [text for text in sorted(texts) if any(word in text for word in found)]
            assert len(texts) == len(found)
    assert "dusted" in memory.text("recall", query="Oda dusted", attributes={"shelf": 9})
    memory.facts("reflect")
    assert "needs a `query`" in memory.fault("search_memories", attributes={"shelf": 1})
    assert "attributes" in memory.fault("recall", query="Oda", attributes={"shelf": {"near": 3}})


def test_nothing_known_is_no_error(memory: McpClient) -> None:
    memory.facts("add_memory", text="The cellar key hangs behind the clock.")
    found = memory.facts("recall", query="zyzzyva quokka")
    assert found == {"memories": [], "reason": "nothing_known", "recall_id": found["recall_id"]}
    assert "nothing is known" in memory.text("recall", query="zyzzyva quokka")


def test_a_memory_is_read_changed_pinned_and_let_go(memory: McpClient, home: Home) -> None:
    made = memory.facts("add_memory", text="Bruno sails a red dinghy.", kind="episodic", importance=0.9)["id"]
    whole = memory.facts("get_memory", id=made)
    assert (whole["text"], whole["kind"], whole["importance"]) == ("Bruno sails a red dinghy.", "episodic", 0.9)
    assert memory.facts("update_memory", id=made, text="Bruno sails a blue dinghy.", tags=["boats"])["tags"] == [
        "boats"
    ]
    assert "blue" in memory.facts("get_memory", id=made)["text"]
    history = home.api.call("note.history", mind="tools", id=made)
    assert "red" in str(history["versions"])
    assert memory.facts("pin_memory", id=made)["pinned"] is True
    assert memory.facts("pin_memory", id=made)["pinned"] is True
    assert "pinned" not in memory.facts("pin_memory", id=made, pinned=False)


def test_a_long_memory_comes_in_pieces(memory: McpClient) -> None:
    told = "The chronicle of Vesperholm: " + "".join(f"year {year}, 雪; " for year in range(4000))
    made = memory.facts("add_memory", text=told)["id"]
    listed = memory.facts("search_memories", query="chronicle of Vesperholm")["memories"][0]
    assert listed["truncated"] is True
    assert len(listed["text"]) == 1000
    pieces, begin = "", 0
    while begin is not None:
        whole = memory.facts("get_memory", id=made, from_character=begin)
        assert len(whole["text"]) <= 20_000
        pieces, begin = pieces + whole["text"], whole.get("next_character")
    assert pieces == told
    memory.facts("delete_memory", id=made)


def test_pages_lead_through_all_memories(memory: McpClient) -> None:
    made = [memory.facts("add_memory", text=f"Heron number {number} nests at the weir.")["id"] for number in range(12)]
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.facts("search_memories", query="heron weir", limit=5, cursor=cursor)
        seen += ids(page)
        cursor = page.get("next_cursor")
        if cursor is None:
            break
    assert set(made) <= set(seen)
    assert len(seen) == len(set(seen))
    listed: list[str] = []
    while True:
        page = memory.facts("search_memories", limit=7, cursor=cursor)
        listed += ids(page)
        cursor = page.get("next_cursor")
        if cursor is None:
            break
    assert listed == sorted(listed, key=lambda each: int(each[1:]))
    assert set(made) <= set(listed)


def test_a_talk_is_heard_and_rested_on(memory: McpClient) -> None:
    heard = memory.facts(
        "add_memory",
        messages=[
            {"role": "user", "content": "I am allergic to walnuts."},
            {"role": "assistant", "content": "I will remember that."},
            {"role": "user", "content": "小苇对青霉素过敏。", "speaker": "小苇"},
        ],
    )["heard"]
    assert len(heard) == 3
    made = memory.facts("reflect")
    assert made["done"] is True
    assert made["made"] == 2
    texts = {each["speaker"]: each["text"] for each in made["memories"]}
    assert "walnuts" in texts["Mara"]
    assert "青霉素" in texts["小苇"]
    assert memory.facts("reflect")["made"] == 0
    why = memory.facts("explain_recall", query="who is allergic to walnuts?")
    assert "walnuts" in why["memories"][0]["text"]
    assert why["memories"][0]["evidence"]["lexical"] > 0
    assert why["memories"][0]["sources"][0]["id"] == heard[0]
    assert any("walnuts" in step for each in why["memories"] for step in each["path"]), "the two are linked"


def test_deleted_is_gone_and_what_still_says_it_is_told(memory: McpClient, home: Home) -> None:
    secret = "Quillon hides a silver astrolabe"
    memory.facts(
        "add_memory", messages=[{"role": "user", "content": f"{secret} under the stairs.", "speaker": "Quillon"}]
    )
    (made,) = memory.facts("reflect")["memories"]
    gone = memory.facts("delete_memory", id=made["id"])
    assert gone["deleted"] == [made["id"]]
    (left,) = gone["still_said_in"]
    assert left["kind"] == "message"
    assert memory.fault("get_memory", id=made["id"])
    also = memory.facts("delete_memory", id=left["id"], kind="message")
    assert also["still_said_in"] == []
    assert "astrolabe" not in str(memory.facts("search_memories", query="silver astrolabe"))
    assert "astrolabe" not in str(home.api.call("message.list", mind="tools"))


def test_with_its_sources_all_goes_at_once(memory: McpClient) -> None:
    memory.facts("add_memory", messages=[{"role": "user", "content": "我把玉佩藏在井边。", "speaker": "阿竹"}])
    (made,) = memory.facts("reflect")["memories"]
    gone = memory.facts("delete_memory", id=made["id"], with_sources=True)
    assert len(gone["deleted"]) == 2
    assert gone["still_said_in"] == []
    assert "玉佩" not in str(memory.facts("search_memories", query="玉佩藏在哪里？"))


def test_the_status_counts(memory: McpClient) -> None:
    status = memory.facts("memory_status")
    assert status["exists"] is True
    assert status["memories"] > 10
    assert status["profile"] == "companion"
    assert "tools" in memory.text("memory_status")


@pytest.mark.parametrize(
    ("tool", "arguments", "line"),
    [
        ("add_memory", {}, "give either `text` or `messages`"),
        ("add_memory", {"text": "   "}, "the text is empty"),
        ("add_memory", {"text": "a\x00b"}, "NUL"),
        ("add_memory", {"text": "x" * 262_145}, "at most 262144"),
        ("add_memory", {"text": 5}, "`text`: input should be a valid string"),
        ("add_memory", {"text": "x", "importance": 7}, "`importance`"),
        ("add_memory", {"text": "x", "happened_at": "yesterdayish"}, "2026-03-01T10:30:00Z"),
        ("add_memory", {"messages": []}, "`messages`"),
        ("add_memory", {"messages": [{"role": "god", "content": "x"}]}, "`messages.0.role`"),
        ("search_memories", {"limt": 3}, "did you mean limit?"),
        ("search_memories", {"limit": 51}, "`limit`"),
        ("search_memories", {"query": "x", "cursor": "nonsense"}, "`cursor`"),
        ("search_memories", {"cursor": "nonsense"}, "cursor: not one of ours"),
        ("search_memories", {"tags": ["x"]}, "`tags` needs a `query`"),
        ("get_memory", {}, "the argument `id` is missing"),
        ("get_memory", {"id": "n99999"}, "there is no note 'n99999'"),
        ("get_memory", {"id": ["n1"]}, "`id`"),
        ("update_memory", {"id": "n1"}, "say what changes"),
        ("update_memory", {"id": "n99999", "text": "x"}, "there is no note"),
        ("delete_memory", {"id": "n99999"}, "there is no note"),
        ("delete_memory", {"id": "nope", "kind": "message"}, "there is no message"),
        ("pin_memory", {"id": "x"}, "there is no note"),
        ("recall", {"query": ""}, "the text is empty"),
        ("reflect", {"now": True}, "unknown argument `now`"),
    ],
)
def test_a_refusal_is_one_line_that_names_what_is_wrong(
    memory: McpClient, tool: str, arguments: dict[str, Any], line: str
) -> None:
    assert line in memory.fault(tool, **arguments)


def test_what_small_models_send_is_understood(memory: McpClient) -> None:
    assert len(memory.facts("search_memories", limit="2", query=None)["memories"]) == 2
    assert memory.facts("recall", query="heron", limit="1", since=None)["memories"]
