"""Mem0's own tests and documentation, read from its checkout and run against `soulmem.mem0` (`MEM0_SOURCES`).

A test runs as it stands: its body, with `mem0` being ours and a memory of our own where its fixture would make one of
mocks; what it patches is nothing here. A page runs block by block from its top, in one namespace. Nothing of either is
copied: without the folder there is nothing to run.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock, patch

import pytest

from soulmem import mem0

SOURCES = os.environ.get("MEM0_SOURCES", "")
_FIXTURES = ("memory_instance", "memory_custom_instance", "memory_client")
_BLOCK = re.compile(r"^[ \t]*```python[^\n]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_ASYNC = re.compile(r"\bAsyncMemory\b")


_MADE: list[Any] = []  # what their code made and does not close


class _Memory(mem0.Memory):
    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        _MADE.append(self)


class _AsyncMemory(mem0.AsyncMemory):
    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        _MADE.append(self)


@contextmanager
def in_place_of_mem0() -> Iterator[None]:
    """Let `mem0` be ours for whoever imports it."""
    names = ("mem0", "mem0.configs", "mem0.configs.base", "mem0.memory", "mem0.memory.main", "mem0.exceptions")
    modules = {name: types.ModuleType(name) for name in names}
    for module in modules.values():
        for name in dir(mem0):
            if not name.startswith("_"):
                setattr(module, name, getattr(mem0, name))
        module.__dict__.update({"Memory": _Memory, "AsyncMemory": _AsyncMemory})
    with patch.dict(sys.modules, modules):
        yield


class Beside:
    """A memory of ours to which a test may say what it likes of stores and models: these are nothing here."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and hasattr(self._real, name):
            return getattr(self._real, name)
        made = MagicMock()
        setattr(self, name, made)
        return made


def their_tests(file: Path) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The tests of a file by their names, those of a class behind its own."""
    found: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in tree.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for each in inner:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test_"):
                found[f"{before}{each.name}"] = each
    return found


def run_test(test: ast.FunctionDef | ast.AsyncFunctionDef, memory: Callable[[], Any], tmp_path: Path) -> None:
    """Run a test of theirs; raises what it raises."""
    cases = _cases(test)
    bare = ast.parse(ast.unparse(test)).body[0]
    assert isinstance(bare, ast.FunctionDef | ast.AsyncFunctionDef)
    bare.decorator_list = []
    names: dict[str, Any] = {
        "pytest": pytest, "Mock": Mock, "MagicMock": MagicMock, "AsyncMock": AsyncMock, "patch": patch,
        "Memory": lambda *_: Beside(memory()), "MemoryConfig": mem0.MemoryConfig,
    }  # fmt: skip
    exec(compile(ast.Module([bare], []), test.name, "exec"), names)
    for case in cases:
        given: dict[str, Any] = {}
        for name in inspect.signature(names[test.name]).parameters:
            given[name] = case.get(
                name, Beside(memory()) if name in _FIXTURES else tmp_path if name == "tmp_path" else MagicMock()
            )
        result = names[test.name](**given)
        if inspect.isawaitable(result):
            asyncio.run(_awaited(result))


async def _awaited(result: Any) -> None:
    try:
        await result
    finally:
        await _closed()


async def _closed() -> None:
    while _MADE:
        done = _MADE.pop().close()
        if inspect.isawaitable(done):
            await done


def _cases(test: ast.FunctionDef | ast.AsyncFunctionDef) -> list[dict[str, Any]]:
    """What a test is parametrised by, if it is."""
    for each in test.decorator_list:
        if isinstance(each, ast.Call) and ast.unparse(each.func) == "pytest.mark.parametrize":
            name, values = (ast.literal_eval(argument) for argument in each.args[:2])
            return [{name: value} for value in values]
    return [{}]


def blocks_of(page: Path) -> list[str]:
    """The examples of a page that are Python, in their order."""
    return [inspect.cleandoc(f"\n{body}") for body in _BLOCK.findall(page.read_text(encoding="utf-8"))]


def run_page(page: Path, make: Callable[[], Any]) -> dict[int, str]:
    """Run the examples of a page from its top; what went wrong, by their places."""
    names: dict[str, Any] = {"__name__": page.stem}
    loop = asyncio.new_event_loop()
    wrong: dict[int, str] = {}
    for place, body in enumerate(blocks_of(page)):
        try:
            code = compile(body, f"{page.name}:{place}", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            result = eval(code, names)
            if inspect.isawaitable(result):
                loop.run_until_complete(result)
        except Exception as error:
            wrong[place] = f"{type(error).__name__}: {error}"[:300]
    loop.run_until_complete(_closed())
    loop.close()
    return wrong
