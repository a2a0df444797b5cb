"""The schemas of the protocol, generated from the method table and the error registry.

`python -m soulmem.rpc.methods.schema_writer` writes them to `schemas/rpc`, and those of a model's answers to
`schemas/llm`; with `--check` it compares instead. What `system.describe` returns is read from there: to generate it
takes longer than the rest of what stands between the daemon's modules and READY.
"""

from __future__ import annotations

import argparse
import functools
import json
import operator
import sys
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel, ConfigDict, Field, create_model

from soulmem.core.schema.note_requests import LinkKind, LinkOrigin, NoteKind, Role
from soulmem.errors import REGISTRY
from soulmem.ops.log.event_catalogue import catalogue
from soulmem.results.note_results import Points
from soulmem.rpc.methods.method_table import METHODS

_NAMED: dict[Any, type[StrEnum]] = {
    Literal[tuple(each.value for each in kind)]: kind for kind in (Role, NoteKind, LinkKind, LinkOrigin)
}


@functools.cache
def result_model(shape: Any) -> type[BaseModel]:
    """The pydantic model of a TypedDict: a string beside a type is its description, bounds stand in a mapping."""
    fields: dict[str, Any] = {}
    for name, given in get_type_hints(shape, include_extras=True).items():
        hint, told = given, dict[str, Any]()
        while get_origin(hint) in (Annotated, NotRequired):
            if get_origin(hint) is NotRequired:
                told["default"] = None
            for each in getattr(hint, "__metadata__", ()):
                told = (each if isinstance(each, dict) else {"description": each}) | told
            hint = get_args(hint)[0]
        fields[name] = (_modelled(hint), Field(**told))
    return create_model(shape.__name__, __config__=ConfigDict(extra="allow"), __doc__=shape.__doc__, **fields)


def _modelled(hint: Any) -> Any:
    """A type with models in place of TypedDicts, and the enumerations that a schema names in place of their words."""
    if hint == Points:
        return list[tuple[float, float]]
    if is_typeddict(hint):
        return result_model(hint)
    if get_origin(hint) is Literal:
        return _NAMED.get(hint, hint)
    if get_origin(hint) in (Union, UnionType):
        return functools.reduce(operator.or_, map(_modelled, get_args(hint)))
    return hint.__origin__[tuple(map(_modelled, get_args(hint)))] if get_args(hint) else hint


def method_schemas() -> dict[str, dict[str, Any]]:
    """One object a method: what it does, the rights it needs, JSON Schemas of parameters and result."""
    return {
        name: {
            "method": name,
            "does": method.does,
            "rights": method.rights.label,
            "since": "0.1.0",
            "params": method.params.model_json_schema(by_alias=True),
            "result": result_model(method.result).model_json_schema(by_alias=True, mode="serialization"),
        }
        for name, method in METHODS.items()
    }


def error_schema() -> dict[str, Any]:
    return {name.value: {"code": code, "retryable": retryable} for name, (code, retryable) in REGISTRY.items()}


@functools.cache
def description() -> dict[str, Any]:
    """What `system.describe` returns. It reads files: call it in a thread."""
    events = {str(name): {"level": spec.level, "fields": sorted(spec.allowed)} for name, spec in catalogue().items()}
    folder = _folder("rpc")
    methods = {name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in METHODS}
    return {"methods": methods, "events": events, "errors": error_schema()}


def rendered() -> dict[str, str]:
    """File name -> content of everything in `schemas/rpc`."""
    found = {f"{name}.json": schema for name, schema in method_schemas().items()}
    found["errors.json"] = error_schema()
    return {name: json.dumps(schema, ensure_ascii=False, indent=1) + "\n" for name, schema in found.items()}


def _folder(name: str) -> Path:
    return Path(str(files("soulmem").joinpath("schemas", name)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m soulmem.rpc.methods.schema_writer", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    from soulmem.llm.engine import answer_schema as answers  # noqa: PLC0415 - the daemon describes itself without them

    wrong = 0
    for name, wanted in (("rpc", rendered()), ("llm", answers.rendered())):
        folder = _folder(name)
        present = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
        for file in sorted(wanted.keys() | present.keys()):
            if wanted.get(file) == present.get(file):
                continue
            wrong += 1
            if check:
                told = f"schemas/{name}/{file} is out of date: run `python -m soulmem.rpc.methods.schema_writer`"
                print(told, file=sys.stderr)  # noqa: T201 - a command
            elif file in wanted:
                (folder / file).write_text(wanted[file], encoding="utf-8")
            else:
                (folder / file).unlink()
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.exit(main())
