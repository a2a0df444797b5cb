"""The JSON Schema of each answer, in the strict form that endpoints turn into a grammar.

`python -m soulmem.rpc.methods.schema_writer` writes them to `schemas/llm`. Strict means: no name but those listed,
every name required, what may be left out is null, no defaults, no references, none of the keywords that only some
endpoints know. The title is the task's name, so that an endpoint can tell what it is asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from soulmem.llm.contracts.parts.contract_base import Contract

Json = dict[str, Any]

_SIMPLE = frozenset({"string", "number", "integer", "boolean"})


def strict_schema(contract: Contract[Any, Any, Any]) -> Json:
    """The schema of a contract's answer in strict form."""
    raw = contract.answer.model_json_schema()
    return {"title": contract.task.value, **_strict(raw, raw.get("$defs", {}))}


def _strict(node: Mapping[str, Any], defs: Mapping[str, Any]) -> Json:
    if "$ref" in node:
        return _strict(defs[node["$ref"].rsplit("/", 1)[1]], defs)
    if "anyOf" in node:
        return _either([_strict(choice, defs) for choice in node["anyOf"]])
    kind = node.get("type")
    if kind == "object":
        properties = {name: _strict(inner, defs) for name, inner in node["properties"].items()}
        return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    if kind == "array":
        return {"type": "array", "items": _strict(node["items"], defs)}
    if kind == "null" or kind in _SIMPLE:
        return {"type": kind} | ({"enum": list(node["enum"])} if "enum" in node else {})
    raise TypeError(f"an answer may not hold {dict(node)}")


def _either(choices: list[Json]) -> Json:
    """A value or null: as two types where the value is simple, else as two choices."""
    simple = [choice["type"] for choice in choices if choice.keys() == {"type"} and choice["type"] in _SIMPLE]
    if len(simple) + 1 == len(choices) and {"type": "null"} in choices:
        return {"type": [*simple, "null"]}
    return {"anyOf": choices}


def rendered() -> dict[str, str]:
    """File name -> content of everything in `schemas/llm`."""
    from soulmem.llm.contracts import TABLE  # noqa: PLC0415 - it imports every contract, and those the base

    return {
        f"{task.value}.json": json.dumps(strict_schema(contract), ensure_ascii=False, indent=1) + "\n"
        for task, contract in TABLE.items()
    }
