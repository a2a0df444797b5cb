"""The OpenAPI description, made of what the daemon says of its methods and of the signatures of Mem0's.

Nothing is described here a second time: parameters, results and errors are the daemon's own schemas. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from soulmem import __version__
from soulmem.bridges.http.mem0_endpoint import ENTITIES, OPERATIONS, OTHERS, Mem0Endpoint, Operation
from soulmem.bridges.http.mem0_requests import parameters_of
from soulmem.bridges.http.request_guard import HEALTH
from soulmem.mem0.memory_methods import MemoryMethods

_SCHEMAS = "#/components/schemas/"
_STREAM = "events.watch"
_KINDS = {"bool": "boolean", "int | None": "integer", "float | None": "number", "str | None": "string", "str": "string"}

Schema = dict[str, Any]


def openapi(description: Mapping[str, Any]) -> Schema:
    """The document. `description`: what `system.describe` returns."""
    components = _Components()
    methods = description["methods"]
    paths: Schema = {"/rpc": {"post": _envelope(components, methods)}}
    for name, method in methods.items():
        if name != _STREAM:
            paths[f"/rpc/{name}"] = {"post": _method(components, name, method)}
    paths["/events"] = {"get": _stream(methods[_STREAM])}
    paths[HEALTH] = {"get": _health()}
    for operation in OPERATIONS:
        for path in operation.paths:
            paths.setdefault(path, {})[operation.verb.lower()] = _mem0(operation, path)
    for verb, path, name in OTHERS:
        paths.setdefault(path, {})[verb.lower()] = _other(verb, name)
    components.schemas["Error"] = _error(description["errors"])
    bearer = {"type": "http", "scheme": "bearer"}
    key = {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "soulmem", "version": __version__},
        "security": [{"bearer": []}, {"key": []}],
        "paths": paths,
        "components": {"schemas": components.schemas, "securitySchemes": {"bearer": bearer, "key": key}},
    }


class _Components:
    """The schemas of the document. Those of one name that are the same in all they lead to stand there once."""

    def __init__(self) -> None:
        self.schemas: Schema = {}
        self._places: dict[tuple[str, str], str] = {}

    def place(self, name: str, schema: Mapping[str, Any]) -> Schema:
        """Put a schema there, with what it leads to; what refers to it."""
        definitions = schema.get("$defs", {})
        own = {key: value for key, value in schema.items() if key != "$defs"}
        places = {each: self._placed(each, definitions) for each in definitions}
        for each, place in places.items():
            self.schemas[place] = _rewritten(definitions[each], places)
        self.schemas[name] = _rewritten(own, places)
        return {"$ref": _SCHEMAS + name}

    def _placed(self, name: str, definitions: Mapping[str, Any]) -> str:
        led_to = {each: definitions[each] for each in sorted(_reachable(name, definitions))}
        known = (name, json.dumps(led_to, sort_keys=True))
        if known not in self._places:
            same = sum(1 for each, _ in self._places if each == name)
            self._places[known] = f"{name}{same + 1}" if same else name
        return self._places[known]


def _references(schema: Any) -> Iterable[str]:
    """The names of the definitions that a schema names itself."""
    if isinstance(schema, dict):
        if isinstance(target := schema.get("$ref"), str):
            yield target.rpartition("/")[2]
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _reachable(name: str, definitions: Mapping[str, Any]) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        for each in _references(definitions[waiting.pop()]):
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found


def _rewritten(schema: Any, places: Mapping[str, str]) -> Any:
    """A schema that refers to where its definitions are now."""
    if isinstance(schema, list):
        return [_rewritten(each, places) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _SCHEMAS + places[value.rpartition("/")[2]]
        if key == "$ref" and isinstance(value, str)
        else _rewritten(value, places)
        for key, value in schema.items()
    }


def _envelope(components: _Components, methods: Mapping[str, Any]) -> Schema:
    request = {
        "type": "object",
        "required": ["jsonrpc", "method"],
        "additionalProperties": False,
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "id": {"type": ["string", "integer"]},
            "method": {"enum": [name for name in methods if name != _STREAM]},
            "params": {"type": "object"},
        },
    }
    one = components.place("rpc.request", request)
    return {
        "operationId": "rpc",
        "summary": "one request of JSON-RPC, or a batch",
        "requestBody": _body({"oneOf": [one, {"type": "array", "items": one, "minItems": 1}]}),
        "responses": _responses({"type": ["object", "array"]}) | {"204": {"description": "to notifications"}},
    }


def _method(components: _Components, name: str, method: Mapping[str, Any]) -> Schema:
    return {
        "operationId": name.replace(".", "_"),
        "summary": method["does"],
        "tags": [name.partition(".")[0]],
        "x-rights": method["rights"],
        "requestBody": _body(
            components.place(f"{name}.params", method["params"]), is_needed=bool(method["params"].get("required"))
        ),
        "responses": _responses(components.place(f"{name}.result", method["result"])),
    }


def _stream(method: Mapping[str, Any]) -> Schema:
    return {
        "operationId": "events",
        "summary": method["does"],
        "parameters": [
            {"name": name, "in": "query", "schema": schema, "style": "form", "explode": False}
            for name, schema in method["params"]["properties"].items()
        ],
        "responses": {
            "200": {
                "description": "server-sent events",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            },
            "default": _failed(),
        },
    }


def _health() -> Schema:
    answers = {"200": {"description": "it does"}, "503": {"description": "it does not"}}
    return {"operationId": "health", "summary": "whether the daemon answers", "security": [], "responses": answers}


def _mem0(operation: Operation, path: str) -> Schema:
    """What a method of the class says of itself."""
    documented = operation.does or (getattr(MemoryMethods, operation.method).__doc__ or "").partition("\n")[0]
    named = parameters_of(operation.method)
    in_path = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    said = {*in_path, *(ENTITIES.values() if operation.handler == "entity" else ())}
    own = {name: each for name, each in named.items() if name not in said}
    needed = [name for name, each in own.items() if each.default is each.empty]
    kinds = {name: _kind(str(each.annotation)) for name, each in own.items()}
    if operation.handler == "page":
        kinds |= {name: {"type": "integer"} for name in ("page", "page_size")}
    parameters: list[Schema] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in in_path
    ]
    found: Schema = {
        "operationId": f"mem0_{operation.verb.lower()}{path.translate(str.maketrans('/', '_', '{}'))}",
        "summary": documented,
        "tags": ["mem0"],
        "responses": _responses({}),
    }
    if operation.has_body:
        found["requestBody"] = _body(
            {"type": "object", "required": needed, "properties": kinds}, is_needed=bool(needed)
        )
    else:
        parameters += [
            {"name": name, "in": "query", "required": name in needed, "schema": kind}
            for name, kind in kinds.items()
            if kind.get("type") in ("string", "integer", "number", "boolean")
        ]
    return found | ({"parameters": parameters} if parameters else {})


def _other(verb: str, name: str) -> Schema:
    documented = (getattr(Mem0Endpoint, name).__doc__ or "").partition("\n")[0]
    found: Schema = {
        "operationId": f"mem0_{name}",
        "summary": documented,
        "tags": ["mem0"],
        "responses": _responses({}),
    }
    return found | ({"requestBody": _body({"type": "object"})} if verb == "POST" else {})


def _kind(annotation: str) -> Schema:
    return {"type": _KINDS[annotation]} if annotation in _KINDS else {}


def _error(errors: Mapping[str, Any]) -> Schema:
    data = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "examples": list(errors)},
            "hint": {"type": "string"},
            "retryable": {"type": "boolean"},
            "retry_after_ms": {"type": "integer"},
        },
    }
    error = {
        "type": "object",
        "required": ["code", "message", "data"],
        "properties": {"code": {"type": "integer"}, "message": {"type": "string"}, "data": data},
    }
    return {
        "type": "object",
        "required": ["error"],
        "properties": {"error": error, "detail": {"type": "string"}},
    }


def _body(schema: Schema, *, is_needed: bool = True) -> Schema:
    return {"required": is_needed, "content": {"application/json": {"schema": schema}}}


def _responses(schema: Schema) -> Schema:
    content = {"application/json": {"schema": schema}}
    return {"200": {"description": "done", "content": content}, "default": _failed()}


def _failed() -> Schema:
    return {"description": "an error", "content": {"application/json": {"schema": {"$ref": _SCHEMAS + "Error"}}}}
