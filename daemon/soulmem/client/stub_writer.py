"""The stub of the clients' methods, generated from `schemas/rpc`: each returns a TypedDict of `soulmem.results`.

`python -m soulmem.client.stub_writer` writes `client/typed_calls.pyi`; with `--check` it compares instead. Which
method of the protocol a method of `Calls` asks is read from its source.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

_CLIENT = Path(str(files("soulmem").joinpath("client")))
_RPC = Path(str(files("soulmem").joinpath("schemas", "rpc")))
_HEAD = """\"\"\"The clients' methods with the types of what they return.

Generated from `schemas/rpc` by `python -m soulmem.client.stub_writer`; do not edit.
\"\"\"
# Lines are as long as what they tell: it is generated.
# ruff: noqa
# fmt: off

from abc import ABCMeta
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Literal

from soulmem.client.calls import Calls
from soulmem.client.results import {}

"""
_SPELT = ("calls.py", "planning_calls.py")  # the methods of the clients, spelt out


def rendered() -> str:
    """`Calls` once for each client, every method with what it returns."""
    schemas = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(_RPC.glob("*.json")))
    answers = {schema["method"]: schema["result"]["title"] for schema in schemas if "method" in schema}
    methods = list(_methods())
    lines = []
    for name, returned in (("BlockingCalls", "{}"), ("AwaitedCalls", "Awaitable[{}]")):
        lines.append(f"class {name}(Calls[Any], metaclass=ABCMeta):")
        for method, wire in methods:
            returns = returned.format(answers[wire])
            told = (ast.get_docstring(method) or "...").splitlines()[0]
            body = "..." if told == "..." else f'"""{told}"""'
            lines.append(f"    def {method.name}({ast.unparse(method.args)}) -> {returns}: {body}")
        lines.append("")
    return _HEAD.format(", ".join(sorted({answers[wire] for _, wire in methods}))) + "\n".join(lines)


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
    parser = argparse.ArgumentParser(prog="python -m soulmem.client.stub_writer", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    path, content = _CLIENT / "typed_calls.pyi", rendered()
    if not parser.parse_args().check:
        path.write_text(content, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != content:
        told = "client/typed_calls.pyi is out of date: run `python -m soulmem.client.stub_writer`"
        print(told, file=sys.stderr)  # noqa: T201 - a command
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
