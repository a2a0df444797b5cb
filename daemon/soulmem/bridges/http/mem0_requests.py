"""Requests for Mem0's server, read as calls of the class that stands for it here.

What a call takes is said by the signatures of `MemoryMethods` alone. Fields that those do not know are passed over, as
Mem0's servers pass them over, but for those that would make a call mean something else. Pure.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from soulmem.bridges.http.http_replies import HttpRefusal
from soulmem.mem0.memory_methods import MemoryMethods

_NOT_OVER_THE_WIRE = {"self", "llm"}
_OTHER_NAMES = {"data": "text", "memory": "text"}  # of the words of a memory, in older clients
_LISTS = ("AND", "OR", "NOT")
_BY_APP = {"add", "search", "get_all"}
NOT_BY_APP = "app_id: memories are not deleted or changed by it, name a user, an agent or a run"
_TRUE, _FALSE = {"true", "1"}, {"false", "0"}

Given = Mapping[str, Any]


def parameters_of(method: str) -> dict[str, inspect.Parameter]:
    """What may be given to a method over the wire."""
    named = inspect.signature(getattr(MemoryMethods, method)).parameters
    return {name: each for name, each in named.items() if name not in _NOT_OVER_THE_WIRE}


def arguments_of(method: str, given: Given) -> dict[str, Any]:
    """The arguments of a call. Raises HttpRefusal: one is missing, or of no kind that it takes."""
    known = parameters_of(method)
    given = _read_app(method, given)
    if given.get("delete_linked") not in (None, False, "false", "0"):
        raise _refusal("delete_linked: there is no such deletion here, name each memory")
    found: dict[str, Any] = {}
    for called, value in given.items():
        name = _OTHER_NAMES.get(called, called) if method == "update" else called
        if name in known and (value is not None or name == "expiration_date"):
            found[name] = _read(name, value, known[name])
    for name, each in known.items():
        if each.default is inspect.Parameter.empty and name not in found:
            raise _refusal(f"{name} is missing")
    if "filters" in found:
        found["filters"] = _flattened(found["filters"])
    return found


def whole_number(given: Given, name: str, otherwise: int, most: int) -> int:
    """A number of a page, or of what stands on it. Raises HttpRefusal."""
    value = given.get(name, otherwise)
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10 else value
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise _refusal(f"{name} must be a whole number from 1 to {most}, not {str(value)[:40]!r}")
    return number


def _read(name: str, value: Any, parameter: inspect.Parameter) -> Any:
    """A value by its kind; in an address everything is a text."""
    kind = str(parameter.annotation)
    if kind == "bool":
        folded = value.lower() if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else ""
        if folded not in _TRUE | _FALSE:
            raise _refusal(f"{name} must be true or false, not {str(value)[:40]!r}")
        return folded in _TRUE
    if kind == "int | None" and isinstance(value, str):
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            raise _refusal(f"{name} must be a whole number, not {value[:40]!r}")
        return int(value)
    return value


def _read_app(method: str, given: Given) -> Given:
    """An `app_id`, which Mem0's platform keeps beside the other ids, is kept in the metadata here.

    Raises HttpRefusal: it would be passed over where it says what is to be deleted.
    """
    app = given.get("app_id")
    if app is None:
        return given
    if method not in _BY_APP:
        raise _refusal(NOT_BY_APP)
    name = "metadata" if method == "add" else "filters"
    there = given.get(name) or {}
    if not isinstance(there, Mapping):
        raise _refusal(f"{name} must be an object")
    kept = (
        {**there, "app_id": app}
        if method == "add"
        else {"AND": [there, {"app_id": app}] if there else [{"app_id": app}]}
    )
    return {**given, name: kept}


def _flattened(filters: Any) -> Any:
    """Conditions that stand under `metadata`, as Mem0's platform writes them, among the others."""
    if not isinstance(filters, Mapping):
        return filters
    found: dict[str, Any] = {}
    within: list[Any] = []
    for name, value in filters.items():
        if name in _LISTS and isinstance(value, list):
            found[name] = [_flattened(each) for each in value]
        elif name == "metadata" and isinstance(value, Mapping):
            within.append(value)
        else:
            found[name] = value
    if within:
        there = found.get("AND", [])
        found["AND"] = [*(there if isinstance(there, list) else [there]), *within]
    return found


def _refusal(message: str) -> HttpRefusal:
    return HttpRefusal("invalid_params", message)
