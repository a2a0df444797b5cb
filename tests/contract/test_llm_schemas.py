"""`schemas/llm` is what the contracts say, in the strict form endpoints hold a model to, and good answers fit it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it brings no types
import pytest

from goldens.answers_given import answer
from goldens.requests_sent import request
from soulmem.core.schema.engine_tasks import Task
from soulmem.llm.contracts import TABLE
from soulmem.llm.engine.answer_schema import strict_schema

FOLDER = Path(__file__).parents[2] / "schemas" / "llm"
EVERY = pytest.mark.parametrize("task", list(Task), ids=str)
# What the strict mode of the API knows; the rest is refused by some endpoint or other.
KNOWN = {"title", "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}


def load(task: Task) -> dict[str, Any]:
    found = json.loads((FOLDER / f"{task.value}.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from nodes(inner)
    if "items" in schema:
        yield from nodes(schema["items"])


def test_there_is_one_contract_and_one_file_a_task() -> None:
    assert set(TABLE) == set(Task)
    assert all(task is contract.task for task, contract in TABLE.items())
    assert {path.stem for path in FOLDER.glob("*.json")} == {task.value for task in Task}


def test_the_files_are_what_the_contracts_say() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "soulmem.rpc.methods.schema_writer", "--check"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


@EVERY
def test_a_schema_is_valid_and_strict(task: Task) -> None:
    schema = load(task)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == strict_schema(TABLE[task])
    assert (schema["title"], schema["type"]) == (task.value, "object")
    for node in nodes(schema):
        assert node.keys() <= KNOWN
        assert ("title" in node) is (node is schema)
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])


@pytest.mark.parametrize("lang", ["en", "zh"])
@EVERY
def test_a_good_answer_fits_the_schema_and_is_read_without_loss(task: Task, lang: str) -> None:
    given, asked, contract = answer(task, lang), request(task, lang), TABLE[task]
    jsonschema.validate(given, load(task))
    model = contract.answer.model_validate(given)
    assert model.model_dump(by_alias=True, exclude_unset=True) == given
    assert contract.read(model, asked) is not None


@EVERY
def test_the_main_field_must_be_there(task: Task) -> None:
    """An answer without it, such as the schema itself, is sent back instead of read as nothing."""
    for wrong in ({}, load(task), {"answer": []}, "text", 7, None):
        with pytest.raises(ValueError, match="valid"):
            TABLE[task].answer.model_validate(wrong)
