"""Filters: what a tree of conditions on attributes lets pass.

Owns the operators and their meaning, and the check of a tree; Mem0's filters are the same (`mem0/filter_trees.py`). A
tree may be asked where not all is known yet. Invariant: what is unknown is neither true nor false, so that answer shuts
out nothing that a later one would let in. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

UNKNOWN = object()  # a field that nobody has read yet
_MISSING = object()
LISTS = ("AND", "OR", "NOT")

Fields = Mapping[str, Any]
Filters = Mapping[str, Any]
Tree = dict[str, Any]  # one that was checked


def _comparable(value: Any, operand: Any) -> bool:
    texts = isinstance(value, str) and isinstance(operand, str)
    return texts or (_is_number(value) and _is_number(operand))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(value: Any, operand: Any) -> bool:
    return value is not _MISSING and isinstance(value, bool) == isinstance(operand, bool) and bool(value == operand)


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _contains(value: Any, operand: Any) -> bool:
    if isinstance(value, str):
        return isinstance(operand, str) and operand in value
    return isinstance(value, list) and any(_same(each, operand) for each in value)


def _icontains(value: Any, operand: Any) -> bool:
    folded = [_folded(each) for each in value] if isinstance(value, list) else _folded(value)
    return _contains(folded, _folded(operand))


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": _same,
    "ne": lambda value, operand: not _same(value, operand),
    "gt": lambda value, operand: _comparable(value, operand) and value > operand,
    "gte": lambda value, operand: _comparable(value, operand) and value >= operand,
    "lt": lambda value, operand: _comparable(value, operand) and value < operand,
    "lte": lambda value, operand: _comparable(value, operand) and value <= operand,
    "in": lambda value, operand: any(_same(value, each) for each in operand),
    "nin": lambda value, operand: not any(_same(value, each) for each in operand),
    "contains": _contains,
    "icontains": _icontains,
}
_DEEPEST, _MOST = 32, 1000


class InvalidFilterError(ValueError):
    """No tree of conditions."""


def checked_tree(tree: Filters, condition: Callable[[str, dict[str, Any]], dict[str, Any]] | None = None) -> Tree:
    """The tree with every condition as operators; `condition` may change those of a field.

    Raises InvalidFilterError: it is none, or has an operator that there is none of.
    """
    return _checked(tree, condition or (lambda _name, operators: operators), 0, [0])


def _checked(
    tree: Filters, condition: Callable[[str, dict[str, Any]], dict[str, Any]], depth: int, seen: list[int]
) -> Tree:
    if depth > _DEEPEST:
        raise InvalidFilterError(f"nested more than {_DEEPEST} deep")
    found: Tree = {}
    for name, value in tree.items():
        seen[0] += 1
        if seen[0] > _MOST:
            raise InvalidFilterError(f"more than {_MOST} conditions")
        if not isinstance(name, str):
            raise InvalidFilterError(f"{name!r} is no name of a field")
        if name in LISTS:
            parts = [value] if isinstance(value, Mapping) else value
            if not isinstance(parts, list) or not parts or not all(isinstance(p, Mapping) and p for p in parts):
                raise InvalidFilterError(f"{name} takes a list of conditions, at least one")
            found[name] = [_checked(each, condition, depth + 1, seen) for each in parts]
        else:
            found[name] = condition(name, _operators(name[:80], value))
    return found


def _operators(name: str, value: Any) -> dict[str, Any]:
    """A condition on a field as operators."""
    if isinstance(value, Mapping):
        operators = dict(value)
    else:
        operators = {"*": True} if value == "*" else {"in" if isinstance(value, list) else "eq": value}
    if not operators:
        raise InvalidFilterError(f"{name!r} says nothing")
    for operator, operand in operators.items():
        if operator == "*" and not isinstance(value, Mapping):
            continue
        if operator not in OPERATORS:
            shown = operator[:80] if isinstance(operator, str) else operator
            raise InvalidFilterError(f"{name!r} has no operator {shown!r}; there are {', '.join(OPERATORS)}")
        if operator in ("in", "nin") and not isinstance(operand, list):
            raise InvalidFilterError(f"{operator!r} of {name!r} takes a list")
    return operators


def asks_of(tree: Filters) -> set[str]:
    """The fields that a tree asks of."""
    found: set[str] = set()
    for name, value in tree.items():
        found |= {each for part in value for each in asks_of(part)} if name in LISTS else {name}
    return found


def passes(tree: Filters, fields: Fields, *, otherwise: object = _MISSING) -> bool | None:
    """Whether what has these fields passes; None: that depends on what is unknown.

    `otherwise`: what a field is that is not among them, `UNKNOWN` or missing.
    """
    return _all(_answers(tree, fields, otherwise))


def _answers(tree: Filters, fields: Fields, otherwise: object) -> Iterator[bool | None]:
    for name, value in tree.items():
        if name not in LISTS:
            found = fields.get(name, otherwise)
            found = _MISSING if found is None else found
            yield None if found is UNKNOWN else all(_holds(found, *each) for each in value.items())
            continue
        parts = [passes(each, fields, otherwise=otherwise) for each in value]
        if name == "AND":
            yield _all(iter(parts))
        else:
            any_of = _not(_all(_not(each) for each in parts))
            yield any_of if name == "OR" else _not(any_of)


def _holds(value: Any, operator: str, operand: Any) -> bool:
    if operator == "*":
        return value is not _MISSING
    if operand is None and operator in ("eq", "ne"):
        return (value is _MISSING) == (operator == "eq")
    return OPERATORS[operator](value, operand)


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _all(answers: Iterator[bool | None]) -> bool | None:
    known: bool | None = True
    for each in answers:
        if each is False:
            return False
        known = None if each is None else known
    return known
