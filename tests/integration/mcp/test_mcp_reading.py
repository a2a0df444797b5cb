"""What can be read: resources, their completions, a server that only reads, and one that speaks in a conversation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceTemplateReference

from household import Home
from mcp_bench import McpClient, http_server, over_http
from soulmem.bridges.mcp import recall_tools
from soulmem.bridges.mcp.mind_door import DoorSetting, MindDoor
from soulmem.client import AsyncClient


@pytest.fixture(scope="module")
def told(home: Home) -> Home:
    """A mind with a persona, a pinned note, another note and a talk, and one whose conversations are apart."""
    home.api.call("mind.create", mind="pell", persona="Pell keeps the lighthouse, 守灯塔的人。")
    home.api.call("note.add", mind="pell", kind="semantic", text="Mara must not eat hazelnuts.", pinned=True)
    home.api.call("note.add", mind="pell", kind="episodic", text="阿竹把玉佩藏在井边。")
    home.api.call("message.add", mind="pell", role="user", content="The storm took the jetty.", speaker="Mara")
    home.api.call("mind.create", mind="apart", settings={"recall.sharing": "conversation"})
    for conversation, secret in (("red", "The red door hides Ottoline."), ("blue", "蓝门后面是林静。")):
        home.api.call("note.add", mind="apart", kind="semantic", text=secret, conversation=conversation)
    return home


@pytest.fixture(scope="module")
def reader(told: Home) -> Iterator[McpClient]:
    with (
        http_server(told.daemon.socket, "--mind", "pell", "--read-only", "--tools", "both") as url,
        over_http(url) as client,
    ):
        yield client


def read(client: McpClient, path: str) -> str:
    contents = client.run("read_resource", f"soulmem://mind/pell/{path}").contents
    assert len(contents) == 1
    assert contents[0].mime_type == "text/plain"
    return str(contents[0].text)


def test_resources_show_the_character_and_the_talk(reader: McpClient) -> None:
    listed = reader.run("list_resources").resources
    assert [each.name for each in listed] == ["persona", "recent", "knowledge-graph"]
    assert all(each.description for each in listed)
    persona = read(reader, "persona")
    assert "守灯塔的人" in persona
    assert "hazelnuts" in persona
    assert "The storm took the jetty." not in persona
    assert read(reader, "recent") == "Mara: The storm took the jetty."


def test_a_note_is_read_by_its_id(reader: McpClient) -> None:
    (template,) = reader.run("list_resource_templates").resource_templates
    assert template.uri_template == "soulmem://mind/pell/notes/{id}"
    assert read(reader, "notes/n2") == "阿竹把玉佩藏在井边。"
    known = ResourceTemplateReference(type="ref/resource", uri=template.uri_template)
    found = reader.run("complete", known, {"name": "id", "value": "n"}).completion.values
    assert found == ["n1", "n2"]
    other = ResourceTemplateReference(type="ref/resource", uri="soulmem://mind/else/notes/{id}")
    assert reader.run("complete", other, {"name": "id", "value": "n"}).completion.values == []


@pytest.mark.parametrize("path", ["notes/n99", "notes/", "notes/n1/x", "else", ""])
def test_what_there_is_not_is_said(reader: McpClient, path: str) -> None:
    with pytest.raises(MCPError, match="there is no") as fault:
        read(reader, path)
    assert "\n" not in fault.value.message


def test_a_server_that_only_reads_offers_nothing_else_and_leaves_no_trace(reader: McpClient, told: Home) -> None:
    tools = reader.run("list_tools").tools
    assert [tool.name for tool in tools] == [
        "search_memories", "get_memory", "recall", "explain_recall", "memory_status",
        "read_graph", "search_nodes", "open_nodes",
    ]  # fmt: skip
    assert all(tool.annotations.read_only_hint for tool in tools)
    before = told.recalls("pell")
    found = reader.facts("recall", query="玉佩藏在哪里？")
    assert found["memories"][0]["id"] == "n2"
    assert "recall_id" not in found
    assert told.recalls("pell") == before
    with pytest.raises(MCPError, match="there is no tool 'add_memory'"):
        reader.call("add_memory", text="x")
    assert reader.facts("memory_status")["read_only"] is True


def test_in_a_conversation_others_secrets_are_not_found(told: Home) -> None:
    arguments = ("--mind", "apart", "--conversation", "red", "--speaker", "Ottoline")
    with http_server(told.daemon.socket, *arguments) as url, over_http(url) as red:
        assert "林静" not in str(red.facts("search_memories"))
        assert red.facts("recall", query="蓝门后面是谁？")["memories"] == []
        own = red.facts("recall", query="Ottoline, red door")["memories"][0]
        assert own["id"].startswith("n_")
        assert red.facts("get_memory", id=own["id"])["text"] == "The red door hides Ottoline."
        assert "there is no note" in red.fault("get_memory", id="n2")
        assert "there is no note" in red.fault("delete_memory", id="n2")
        assert "speaks in the conversation 'red' only" in red.fault(
            "delete_memory", id="m1", kind="message", conversation="blue"
        )
        red.facts("add_memory", messages=[{"role": "user", "content": "I painted the hinges green."}])
        made = red.facts("reflect")["memories"]
        assert all("hinges" in each["text"] for each in made)
        assert red.facts("memory_status")["conversation"] == "red"
    said = told.api.call("message.list", mind="apart", conversation="red")["items"]
    assert [each["speaker"] for each in said] == ["Ottoline"]


async def test_a_rest_that_takes_long_is_not_waited_for(told: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall_tools, "REST_S", 0.0001)
    told.api.call("message.add", mind="slow", role="user", content="I keep a heron named Aldous.", speaker="Ida")
    async with AsyncClient(told.daemon.socket) as client:
        answer = await recall_tools.reflect(MindDoor(client, DoorSetting("slow")), recall_tools.Reflect())
        assert answer.facts == {"done": False, "made": 0, "memories": []}
        assert "still resting" in answer.text
        monkeypatch.undo()
        await recall_tools.reflect(MindDoor(client, DoorSetting("slow")), recall_tools.Reflect())
    assert "Aldous" in str(told.api.call("note.list", mind="slow"))


def test_the_reference_tools_alone(told: Home) -> None:
    with (
        http_server(told.daemon.socket, "--mind", "nine", "--tools", "reference") as url,
        over_http(url) as nine,
    ):
        assert len(nine.run("list_tools").tools) == 9
        nine.facts("create_entities", entities=[{"name": "灯", "entityType": "thing", "observations": ["shines 夜里"]}])
        assert nine.facts("search_nodes", query="SHINES")["entities"][0]["name"] == "灯"
