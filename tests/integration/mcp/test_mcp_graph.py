"""The nine tools of the reference memory server: its shapes and answers, over notes of a mind like any other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from household import Home
from mcp_bench import McpClient, file_holds, over_stdio

NINE = [
    "create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations",
    "delete_relations", "read_graph", "search_nodes", "open_nodes",
]  # fmt: skip
ENTITIES = [
    {"name": "Ines", "entityType": "person", "observations": ["likes tea", "Ines is 33", "  two spaces  ", ""]},
    {"name": "小苇", "entityType": "人", "observations": ["对青霉素过敏", "住在杭州"]},
    {"name": "Café Lune", "entityType": "", "observations": []},
    {"name": "a: b", "entityType": "odd", "observations": ["a: b: c", "line\nbreak", "likes tea"]},
]
RELATIONS = [
    {"from": "Ines", "to": "Café Lune", "relationType": "works_at"},
    {"from": "小苇", "to": "Ines", "relationType": "认识"},
    {"from": "Ines", "to": "nobody known", "relationType": "looks_for"},
    {"from": "Ines", "to": "Ines", "relationType": "knows"},
]


@pytest.fixture(scope="module")
def graph(home: Home) -> Iterator[McpClient]:
    with over_stdio(home.daemon.socket, "--mind", "graph", "--tools", "both", mode="legacy") as client:
        yield client


@pytest.fixture
def filled(graph: McpClient) -> Iterator[McpClient]:
    assert graph.facts("create_entities", entities=ENTITIES) == {"entities": ENTITIES}
    assert graph.facts("create_relations", relations=RELATIONS) == {"relations": RELATIONS}
    yield graph
    left = graph.facts("read_graph")
    graph.facts("delete_entities", entityNames=[each["name"] for each in left["entities"]])
    graph.facts("delete_relations", relations=left["relations"])
    assert graph.facts("read_graph") == {"entities": [], "relations": []}


def names(found: dict[str, Any]) -> list[str]:
    return [each["name"] for each in found["entities"]]


def test_both_sets_are_offered_and_the_graph_is_empty(graph: McpClient) -> None:
    tools = {tool.name: tool for tool in graph.run("list_tools").tools}
    assert list(tools)[10:] == NINE
    assert {name for name in NINE if tools[name].annotations.read_only_hint} == {
        "read_graph", "search_nodes", "open_nodes",
    }  # fmt: skip
    assert graph.facts("read_graph") == {"entities": [], "relations": []}
    graph.facts("delete_entities", entityNames=["nobody"])


def test_the_graph_comes_back_exactly(filled: McpClient) -> None:
    assert filled.facts("read_graph") == {"entities": ENTITIES, "relations": RELATIONS}
    address = "memory://knowledge-graph"
    assert address in [each.uri for each in filled.run("list_resources").resources]
    assert '"Café Lune"' in filled.run("read_resource", address).contents[0].text


def test_what_is_there_already_is_not_made_again(filled: McpClient) -> None:
    assert filled.facts("create_entities", entities=ENTITIES) == {"entities": []}
    assert filled.facts("create_relations", relations=RELATIONS[:1]) == {"relations": []}
    added = filled.facts(
        "add_observations",
        observations=[
            {"entityName": "Ines", "contents": ["likes tea", "plays the cello"]},
            {"entityName": "Café Lune", "contents": ["每周三关门"]},
        ],
    )
    assert added == {
        "results": [
            {"entityName": "Ines", "addedObservations": ["plays the cello"]},
            {"entityName": "Café Lune", "addedObservations": ["每周三关门"]},
        ]
    }
    read = filled.facts("read_graph")["entities"]
    assert read[0]["observations"] == [*ENTITIES[0]["observations"], "plays the cello"]  # type: ignore[misc]  # a table of JSON
    line = filled.fault("add_observations", observations=[{"entityName": "Nemo", "contents": ["x"]}])
    assert line == "Entity with name Nemo not found"


def test_nodes_are_found_by_words_and_by_questions(filled: McpClient) -> None:
    assert names(filled.facts("search_nodes", query="TEA")) == ["Ines", "a: b"]
    found = filled.facts("search_nodes", query="青霉素")
    assert names(found) == ["小苇"]
    assert found["relations"] == [RELATIONS[1]]
    assert "小苇" in names(filled.facts("search_nodes", query="谁对药物青霉素会过敏呢？"))
    opened = filled.facts("open_nodes", names=["Café Lune", "never"])
    assert opened == {"entities": [ENTITIES[2]], "relations": [RELATIONS[0]]}
    assert filled.facts("open_nodes", names=[]) == {"entities": [], "relations": []}


def test_what_is_stored_is_a_memory_like_any_other(filled: McpClient) -> None:
    found = filled.facts("recall", query="Does Ines like tea?")["memories"]
    assert found[0]["text"] == "Ines: likes tea"
    tied = filled.facts("get_memory", id=found[0]["id"])
    assert tied["links"]
    filled.facts("update_memory", id=found[0]["id"], text="Ines: likes coffee")
    assert "likes coffee" in filled.facts("read_graph")["entities"][0]["observations"]
    filled.facts("delete_memory", id=found[0]["id"])
    assert filled.facts("read_graph")["entities"][0]["observations"] == ENTITIES[0]["observations"][1:]


def test_what_is_deleted_is_gone_everywhere(filled: McpClient, home: Home) -> None:
    secret = "carries an obsidian flute"
    filled.facts("add_observations", observations=[{"entityName": "Ines", "contents": [secret]}])
    assert file_holds(home.daemon, "graph", secret)
    filled.facts("delete_observations", deletions=[{"entityName": "Ines", "observations": [secret, "never said"]}])
    filled.facts("delete_relations", relations=[RELATIONS[3]])
    assert "obsidian" not in str(filled.facts("search_memories", query="obsidian flute"))
    assert not file_holds(home.daemon, "graph", secret)
    assert filled.facts("read_graph") == {"entities": ENTITIES, "relations": RELATIONS[:3]}
    filled.facts("delete_entities", entityNames=["Ines"])
    assert filled.facts("read_graph") == {"entities": ENTITIES[1:], "relations": []}
    assert "Ines" not in str(filled.facts("search_memories", query="Ines"))
    for state in ("active", "forgotten"):
        assert "Ines" not in str(home.api.call("note.list", mind="graph", state=state)["items"])


def test_a_refused_call_leaves_nothing_behind(filled: McpClient) -> None:
    for name, kind in (("  ", "x"), ("n", "x" * 300_000)):
        bad = {"name": name, "entityType": kind, "observations": []}
        filled.fault("create_entities", entities=[{"name": "new", "entityType": "x", "observations": []}, bad])
    filled.fault("create_relations", relations=[{"from": "a", "to": "b"}])
    filled.fault("create_entities", entities=[{"name": "new", "entityType": "x", "observations": ["a\x00"]}])
    assert filled.facts("read_graph") == {"entities": ENTITIES, "relations": RELATIONS}


def test_a_large_graph_comes_in_pages(graph: McpClient) -> None:
    wanted = [
        {"name": f"city {number}", "entityType": "city", "observations": ["fog over 江 " * 8_000]}
        for number in range(3)
    ]
    graph.facts("create_entities", entities=wanted)
    seen, cursor, pages = [], None, 0
    while True:
        page = graph.facts("read_graph", cursor=cursor)
        seen += page["entities"]
        pages += 1
        cursor = page.get("next_cursor")
        if cursor is None:
            break
    assert seen == wanted
    assert pages == 2
    graph.facts("delete_entities", entityNames=[each["name"] for each in wanted])
    assert "`cursor`" in graph.fault("read_graph", cursor="-1")
