"""`schemas/rpc` is whole and sound: one file a method, valid JSON Schema, in step with the table it comes from."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it brings no types
import pytest

from every_row import every_row
from soulmem.errors import REGISTRY

FOLDER = Path(__file__).parents[2] / "schemas" / "rpc"
METHODS = sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "errors")
# the methods of the protocol whose subject exists
TABLE = """
system.hello system.ping system.describe system.status events.watch mind.create mind.update mind.list mind.get
mind.delete message.add message.import message.list message.update message.delete context.get recall note.add note.get
note.list note.update note.pin note.unpin note.forget note.restore note.history link.add link.list graph.get idle.run
job.list job.retry clock.advance clock.jump ledger.get audit.list feedback note.forecast note.reconstruct note.purge
conversation.list profile.get profile.list profile.between plan.add plan.list plan.update plan.supersede plan.delete
profile.path mind.export mind.import
reflection.list replay.undo
""".split()
ERRORS = """
invalid_params unknown_method mind_not_found not_found mind_exists idempotency_conflict invalid_text invalid_time
too_large version_conflict access_denied overloaded stopping storage_full storage_readonly storage_damaged
model_unavailable budget_exhausted simulated_clock_only internal
""".split()
STANDARD = {"parse_error": -32700, "invalid_request": -32600, "unknown_method": -32601, "invalid_params": -32602}
RIGHTS = {"read", "write", "admin"}


def load(name: str) -> dict[str, Any]:
    found = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def test_every_method_of_the_protocol_has_its_file() -> None:
    assert sorted(TABLE) == METHODS


def test_the_files_are_what_the_table_says() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "soulmem.rpc.methods.schema_writer", "--check"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("method", METHODS)
def test_a_method_is_described_in_full(method: str) -> None:
    found = load(method)
    assert found.keys() == {"method", "does", "rights", "since", "params", "result"}
    assert found["method"] == method
    assert found["does"]
    assert found["rights"] in RIGHTS
    for part in ("params", "result"):
        jsonschema.Draft202012Validator.check_schema(found[part])
        assert found[part]["type"] == "object"
    assert found["params"]["additionalProperties"] is False, "unknown parameters are refused"


@every_row(METHODS)
def test_lists_are_items_and_a_cursor(method: str) -> None:
    found = load(method)
    if not method.endswith(".list"):
        return
    assert {"items", "next_cursor"} <= set(found["result"]["required"])
    limit = found["params"]["properties"]["limit"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 500, 100)


def test_reading_needs_less_than_writing() -> None:
    rights = {method: load(method)["rights"] for method in METHODS}
    for method in ("recall", "context.get", "note.get", "system.status", "events.watch", "message.list"):
        assert rights[method] == "read"
    for method in ("message.add", "message.import", "note.add", "link.add", "mind.create", "message.update"):
        assert rights[method] == "write"
    assert rights["mind.delete"] == "admin"


def test_the_registry_numbers_every_error_once() -> None:
    found = load("errors")
    assert set(ERRORS) | STANDARD.keys() == found.keys()
    codes = [entry["code"] for entry in found.values()]
    assert len(codes) == len(set(codes))
    assert {name: found[name]["code"] for name in STANDARD} == STANDARD
    assert all(isinstance(entry["retryable"], bool) for entry in found.values())
    for name in ("overloaded", "stopping", "storage_full", "model_unavailable"):
        assert found[name]["retryable"] is True
    for name in ("invalid_params", "not_found", "idempotency_conflict", "access_denied", "storage_damaged"):
        assert found[name]["retryable"] is False
    assert {name.value: code for name, (code, _) in REGISTRY.items()} == {n: e["code"] for n, e in found.items()}


EXAMPLES: list[tuple[str, dict[str, Any], bool]] = [
    ("message.add", {"mind": "mira", "role": "user", "content": "你好"}, True),
    ("message.add", {"mind": "mira", "role": "tool", "content": "x"}, False),
    ("message.add", {"mind": "mira", "content": "x"}, False),
    ("message.add", {"mind": "mira", "role": "user", "content": "x", "mark": "end", "recall": True, "at": None}, True),
    ("message.import", {"mind": "mira", "messages": [{"role": "user", "content": "茶", "at": "2024-01-01"}]}, True),
    ("message.import", {"mind": "mira", "messages": []}, False),
    ("message.import", {"mind": "mira", "messages": [{"role": "user", "content": "茶"}]}, False),
    ("recall", {"mind": "mira", "query": "茶", "k": 500, "from": "2026-01-01", "record": False}, True),
    ("recall", {"mind": "mira", "query": "茶", "k": 0}, False),
    ("recall", {"mind": "mira", "query": "茶", "depth": "abyss"}, False),
    ("note.add", {"mind": "mira", "kind": "lore", "text": "x", "importance": 1.5}, False),
    ("link.add", {"mind": "mira", "src": "n1", "dst": "n2", "strength": 0}, False),
    ("mind.delete", {"mind": "mira"}, False),
    ("mind.import", {"mind": "mira", "text": "x" * 262_145}, False),
    ("clock.advance", {"seconds": -1}, False),
    ("job.list", {"mind": "mira", "limit": 501}, False),
]


@every_row(EXAMPLES, unpack=True)
def test_the_schemas_tell_right_from_wrong(method: str, params: dict[str, Any], fits: bool) -> None:
    assert jsonschema.Draft202012Validator(load(method)["params"]).is_valid(params) is fits


def test_a_mind_name_is_described_by_a_pattern() -> None:
    """A client that checks against the schema must know which names are refused."""
    named = load("message.add")["params"]
    for name, fits in (
        ("mira", True),
        ("a-b_c", True),
        ("x" * 64, True),
        ("x" * 65, False),
        ("A", False),
        ("a/b", False),
    ):
        params = {"mind": name, "role": "user", "content": "x"}
        assert jsonschema.Draft202012Validator(named).is_valid(params) is fits, name


def properties_of(schema: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every parameter with its schema, those of the objects among them too."""
    tables = [("", schema), *((f"{name}.", table) for name, table in schema.get("$defs", {}).items())]
    return [(f"{prefix}{name}", each) for prefix, table in tables for name, each in table.get("properties", {}).items()]


@every_row(METHODS)
def test_every_parameter_says_what_it_means(method: str) -> None:
    found = properties_of(load(method)["params"])
    assert [name for name, each in found if len(each.get("description", "")) < 10] == []
    assert found or method in {"system.hello", "system.ping", "system.describe", "system.status"}


def test_a_parameter_without_a_description_is_seen() -> None:
    bare = {"properties": {"a": {"type": "string"}}, "$defs": {"B": {"properties": {"c": {"type": "string"}}}}}
    assert [name for name, each in properties_of(bare) if "description" not in each] == ["a", "B.c"]
