"""Types of what the daemon answers, generated from `schemas/rpc`: TypedDicts, and the methods that return them.

`python -m soulmem.client.result_writer` writes `client/results` and `client/typed_calls.pyi`; with
`--check` it compares instead. Which method of the protocol a method of `Calls` asks is read from its source.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from typing import Any

Schema = Mapping[str, Any]

_FAMILIES = {  # module -> the families of methods whose answers it holds
    "talk_results": ("message", "conversation", "context", "recall", "feedback"),
    "note_results": ("note", "link", "graph", "reflection", "plan"),
    "mind_results": ("mind", "profile", "idle", "job", "replay", "system", "events", "clock", "ledger", "audit"),
}
_SHARED = "shared_results"
_CLIENT = Path(str(files("soulmem").joinpath("client")))
_RPC = Path(str(files("soulmem").joinpath("schemas", "rpc")))
_HEAD = """{doc}

Generated from `schemas/rpc` by `python -m soulmem.client.result_writer`; do not edit.
\"\"\"
# ruff: noqa
# fmt: off

from __future__ import annotations

"""
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_SPELT = ("calls.py", "planning_calls.py")  # the methods of the clients, spelt out


def type_of(part: Schema) -> str:
    """The Python type of what a schema allows."""
    if "$ref" in part:
        return str(part["$ref"]).rsplit("/", 1)[1]
    if "const" in part or "enum" in part:
        return f"Literal[{', '.join(json.dumps(each) for each in part.get('enum', [part.get('const')]))}]"
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(map(type_of, part["anyOf"])))
    kind = part.get("type")
    if kind == "array":
        return f"list[{type_of(part['items'])}]" if "items" in part else "list[Any]"
    if kind == "object":
        inner = part.get("additionalProperties")
        return f"dict[str, {type_of(inner) if isinstance(inner, Mapping) else 'Any'}]"
    return _PLAIN.get(str(kind), "Any")


def shape_of(name: str, part: Schema) -> str:
    """A TypedDict, of which NotRequired is what an answer may leave out; or a set of words."""
    if part.get("type") != "object":  # one of certain words
        return f"{name} = {type_of(part)}\n"
    needed = part.get("required", ())
    fields = {
        field: type_of(inner) if field in needed else f"NotRequired[{type_of(inner)}]"
        for field, inner in part.get("properties", {}).items()
    }
    if any(map(iskeyword, fields)):  # `from` can be no attribute
        told = ", ".join(f"{field!r}: {kind!r}" for field, kind in fields.items())
        return f"{name} = TypedDict({name!r}, {{{told}}})\n"
    lines = [f"    {field}: {kind}" for field, kind in fields.items()] or ["    pass"]
    return "\n".join([f"class {name}(TypedDict):", *lines]) + "\n"


def _places() -> tuple[dict[str, Schema], dict[str, set[str]], dict[str, str]]:
    """Every shape by its name, the modules that need each, and the shape that each method answers."""
    shapes: dict[str, Schema] = {}
    needed: dict[str, set[str]] = {}
    answers: dict[str, str] = {}
    for path in sorted(_RPC.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if "method" not in schema:
            continue
        result = schema["result"]
        answers[schema["method"]] = result["title"]
        family = schema["method"].split(".")[0]
        module = next(name for name, families in _FAMILIES.items() if family in families)
        for name, part in {result["title"]: result, **result.get("$defs", {})}.items():
            shapes[name] = part
            needed.setdefault(name, set()).add(module)
    return shapes, needed, answers


def rendered() -> dict[str, str]:
    """Path below `client` -> content of everything that is generated."""
    shapes, needed, answers = _places()
    homes = {name: next(iter(where)) if len(where) == 1 else _SHARED for name, where in needed.items()}
    modules = {_SHARED: '"""Shapes that several families of answers hold.'}
    modules |= {name: f'"""What {", ".join(those[:-1])} and {those[-1]} answer.' for name, those in _FAMILIES.items()}
    found = {f"results/{module}.py": _module(module, doc, shapes, homes) for module, doc in modules.items()}
    names = sorted(homes)
    imports = "".join(
        f"from soulmem.client.results.{module} import {', '.join(name for name in names if homes[name] == module)}\n"
        for module in sorted(modules)
    )
    doc = '"""Types of what the daemon answers: TypedDicts, one for each shape of the protocol.'
    listed = f"\n__all__ = [{', '.join(json.dumps(name) for name in names)}]\n"
    found["results/__init__.py"] = _HEAD.format(doc=doc) + imports + listed
    found["typed_calls.pyi"] = _stub(answers)
    return found


def _module(module: str, doc: str, shapes: Mapping[str, Schema], homes: Mapping[str, str]) -> str:
    own = sorted(name for name, home in homes.items() if home == module)
    body = "\n".join(shape_of(name, shapes[name]) for name in own)
    typing = [name for name in ("Any", "Literal", "NotRequired", "TypedDict") if name in body]
    lines = f"from typing import {', '.join(typing)}\n"
    shared = [name for name, home in sorted(homes.items()) if home == _SHARED and _names(body, name)]
    if module != _SHARED and shared:
        lines += f"\nfrom soulmem.client.results.{_SHARED} import {', '.join(shared)}\n"
    return _HEAD.format(doc=doc) + lines + "\n" + body


def _names(body: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", body) is not None


def _stub(answers: Mapping[str, str]) -> str:
    """`Calls` once for each client, every method with what it returns."""
    methods = list(_methods())
    used = sorted({answers[wire] for _, wire in methods})
    head = _HEAD.format(doc='"""The clients\' methods with the types of what they return.').replace(
        "from __future__ import annotations\n\n", ""
    )
    lines = [
        "from abc import ABCMeta",
        "from collections.abc import Awaitable, Mapping, Sequence",
        "from typing import Any, Literal",
        "",
        "from soulmem.client.calls import Calls",
        f"from soulmem.client.results import {', '.join(used)}",
        "",
    ]
    for name, returned in (("BlockingCalls", "{}"), ("AwaitedCalls", "Awaitable[{}]")):
        lines.append(f"class {name}(Calls[Any], metaclass=ABCMeta):")
        for method, wire in methods:
            returns = returned.format(answers[wire])
            told = (ast.get_docstring(method) or "...").splitlines()[0]
            body = "..." if told == "..." else f'"""{told}"""'
            lines.append(f"    def {method.name}({ast.unparse(method.args)}) -> {returns}: {body}")
        lines.append("")
    return head + "\n".join(lines)


def _methods() -> Iterator[tuple[ast.FunctionDef, str]]:
    """The methods of the clients that ask one method of the protocol, and which."""
    for file in _SPELT:
        for each in ast.walk(ast.parse((_CLIENT / file).read_text(encoding="utf-8"))):
            if not isinstance(each, ast.FunctionDef):
                continue
            asked = {
                call.args[0].value
                for call in ast.walk(each)
                if isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "call"
                and isinstance(call.args[0], ast.Constant)
            }
            if len(asked) == 1:
                yield each, str(asked.pop())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m soulmem.client.result_writer", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    wrong = 0
    for name, content in rendered().items():
        path = _CLIENT / name
        if path.is_file() and path.read_text(encoding="utf-8") == content:
            continue
        wrong += 1
        if check:
            told = f"client/{name} is out of date: run `python -m soulmem.client.result_writer`"
            print(told, file=sys.stderr)  # noqa: T201 - a command
        else:
            path.write_text(content, encoding="utf-8")
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.exit(main())
