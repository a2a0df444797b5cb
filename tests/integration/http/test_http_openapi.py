"""The OpenAPI description: whole, made of the daemon's own schemas, and true of what is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from http_bench import HttpBench
from soulmem.rpc.methods.method_table import METHODS

Json = dict[str, Any]


@pytest.fixture(scope="module")
def document(server: HttpBench) -> Json:
    answer = server.ask("GET", "/openapi.json")
    assert answer.status_code == 200
    found: Json = answer.json()
    return found


def nodes(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from nodes(each)


def validator(document: Json, schema: Json) -> Draft202012Validator:
    return Draft202012Validator(schema | {"components": document["components"]})


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, verbs in document["paths"].items():
        for verb, operation in verbs.items():
            yield path, verb, operation


def schema_of(document: Json, path: str) -> Json:
    """What the body of a POST holds."""
    found: Json = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return found


def test_each_method_is_there_with_its_own_schemas(document: Json) -> None:
    assert document["openapi"] == "3.1.0"
    named = {path.removeprefix("/rpc/") for path in document["paths"] if path.startswith("/rpc/")}
    assert named == set(METHODS) - {"events.watch"}
    for name in named:
        operation = document["paths"][f"/rpc/{name}"]["post"]
        assert operation["summary"] == METHODS[name].does
        schema = METHODS[name].params.model_json_schema(by_alias=True)
        told = document["components"]["schemas"][f"{name}.params"]
        assert told.get("properties", {}).keys() == schema.get("properties", {}).keys()
        assert operation["requestBody"]["required"] is bool(schema.get("required"))
    assert {each["name"] for each in document["paths"]["/events"]["get"]["parameters"]} == {"events", "mind"}


def test_every_schema_is_one_and_every_reference_leads_somewhere(document: Json) -> None:
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    references = {node["$ref"] for node in nodes(document) if "$ref" in node}
    assert len(references) > 100
    for reference in references:
        assert reference.startswith("#/components/schemas/")
        assert reference.removeprefix("#/components/schemas/") in document["components"]["schemas"]
    assert not [node for node in nodes(document) if "$defs" in node]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", name) for name in document["components"]["schemas"])


def test_every_operation_has_a_name_of_its_own_and_can_fail(document: Json) -> None:
    named = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(named)) == len(named)
    for path, _, operation in operations(document):
        assert operation["summary"], path
        in_path = re.findall(r"\{(\w+)\}", path)
        declared = [each["name"] for each in operation.get("parameters", []) if each["in"] == "path"]
        assert declared == in_path


def test_what_it_says_is_so(server: HttpBench, document: Json) -> None:
    """Answers, and refusals, keep to the schemas that stand there."""
    made = {"mind": "described", "kind": "semantic", "text": "Wren keeps bees, 雷恩养蜂。"}
    calls: list[tuple[str, Json]] = [
        ("note.add", made), ("recall", {"mind": "described", "query": "bees 蜂", "explain": True}),
        ("note.list", {"mind": "described"}), ("system.status", {}), ("context.get", {"mind": "described"}),
        ("plan.add", {"mind": "described", "items": [{"text": "a walk 散步", "start": "2026-03-02T10:00:00Z"}]}),
        ("note.get", {"mind": "described", "id": "n404"}), ("recall", {"query": 7}),
    ]  # fmt: skip
    for name, params in calls:
        operation = document["paths"][f"/rpc/{name}"]["post"]
        answer = server.ask("POST", f"/rpc/{name}", params)
        kind = "200" if answer.status_code == 200 else "default"
        validator(document, operation["responses"][kind]["content"]["application/json"]["schema"]).validate(
            answer.json()
        )
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        assert validator(document, body).is_valid(params) is (params != {"query": 7})


def test_mem0s_paths_are_told_by_their_signatures(server: HttpBench, document: Json) -> None:
    for path, verb, operation in operations(document):
        if "mem0" in operation.get("tags", []):
            sent = server.ask(verb.upper(), path.replace("{", "").replace("}", ""))
            assert "unknown_path" not in sent.text, path
    body = schema_of(document, "/search")
    assert body["required"] == ["query"]
    assert {"filters", "top_k", "limit", "threshold", "user_id"} <= body["properties"].keys()
    assert {"page", "page_size"} <= schema_of(document, "/v3/memories")["properties"].keys()
    assert "llm" not in schema_of(document, "/memories")["properties"]
    listed = {each["name"] for each in document["paths"]["/memories"]["get"]["parameters"]}
    assert {"user_id", "agent_id", "run_id", "top_k", "show_expired"} <= listed
    deleted = document["paths"]["/entities/{kind}/{name}"]["delete"]["parameters"]
    assert [each["name"] for each in deleted if each["required"]] == ["kind", "name"]
    assert "user_id" not in {each["name"] for each in deleted}
    assert {"/configure", "/v1/ping"} <= document["paths"].keys()
