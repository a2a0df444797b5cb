"""Filters: which memories a tree of conditions lets pass.

Owns the operators and their meaning. A tree is asked twice: of the scope of each conversation, where nothing else is
known yet, so that what cannot match is never searched; and of each memory that was found. Invariant: what is unknown
is neither true nor false, so the first answer shuts out nothing that the second would let in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.scope_ids import KEYS, entity_id, token

UNKNOWN = object()  # a field that nobody has read yet
_MISSING = object()
_DEEPEST, _MOST = 32, 1000
_LISTS = ("AND", "OR", "NOT")

Fields = Mapping[str, Any]
Filters = Mapping[str, Any]


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


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
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
_BINDING = frozenset({"eq", "in", "*"})  # what says whose memories are meant


def checked_filters(filters: object, scope: Filters) -> dict[str, Any]:
    """The tree that a call means, with the ids that it named beside its filters; ids in it are trimmed.

    Raises Mem0ValidationError: no tree, an operator that there is none of, or one that leaves open whose memories are
    meant: some alternative names no user, agent or run.
    """
    if filters is not None and not isinstance(filters, Mapping):
        raise Mem0ValidationError(f"Invalid filters: must be a dictionary, not {type(filters).__name__}")
    tree = _checked(filters or {}, 0, [0])
    for key, value in scope.items():
        if key in tree and tree[key] != {"eq": token(value)}:
            raise Mem0ValidationError(f"{key} is given twice, and not the same")
        tree[key] = {"eq": token(value)}
    if not _binds(tree):
        raise Mem0ValidationError(
            "At least one of 'user_id', 'agent_id' or 'run_id' must be named, by itself or in filters, in an OR by "
            'each of its parts, as {"user_id": "alice"}'
        )
    return tree


def _checked(tree: Filters, depth: int, seen: list[int]) -> dict[str, Any]:
    if depth > _DEEPEST:
        raise Mem0ValidationError(f"Invalid filters: nested more than {_DEEPEST} deep")
    found: dict[str, Any] = {}
    for name, value in tree.items():
        seen[0] += 1
        if seen[0] > _MOST:
            raise Mem0ValidationError(f"Invalid filters: more than {_MOST} conditions")
        if not isinstance(name, str):
            raise Mem0ValidationError(f"Invalid filters: {name!r} is no name of a field")
        if name in _LISTS:
            parts = [value] if isinstance(value, Mapping) else value
            if (
                not isinstance(parts, list)
                or not parts
                or not all(isinstance(each, Mapping) and each for each in parts)
            ):
                raise Mem0ValidationError(f"Invalid filters: {name} takes a list of conditions, at least one")
            found[name] = [_checked(each, depth + 1, seen) for each in parts]
        else:
            found[name] = _condition(name, value)
    return found


def _condition(name: str, value: Any) -> dict[str, Any]:
    """A condition on a field as operators."""
    if isinstance(value, Mapping):
        operators = dict(value)
    else:
        operators = {"*": True} if value == "*" else {"in" if isinstance(value, list) else "eq": value}
    if not operators:
        raise Mem0ValidationError(f"Invalid filters: {name!r} says nothing")
    for operator, operand in operators.items():
        if operator == "*" and not isinstance(value, Mapping):
            continue
        if operator not in _OPERATORS:
            known = ", ".join(_OPERATORS)
            raise Mem0ValidationError(f"Invalid filters: {name!r} has no operator {operator!r}; there are {known}")
        if operator in ("in", "nin") and not isinstance(operand, list):
            raise Mem0ValidationError(f"Invalid filters: {operator!r} of {name!r} takes a list")
        if name in KEYS:
            operators[operator] = (
                [_id(each, name) for each in operand] if operator in ("in", "nin") else _id(operand, name)
            )
    return operators


def _id(value: object, key: str) -> str | None:
    found = entity_id(value, key)
    return token(found) if found is not None else None


def _binds(tree: Filters) -> bool:
    """Whether the tree says whose memories are meant, on each of its branches."""
    for name, value in tree.items():
        if name in KEYS and any(
            operator in _BINDING and operand is not None and operand != [] for operator, operand in value.items()
        ):
            return True
        if name == "AND" and any(_binds(each) for each in value):
            return True
        if name == "OR" and all(_binds(each) for each in value):
            return True
    return False


def asks_of(tree: Filters) -> set[str]:
    """The fields that a tree asks of."""
    found: set[str] = set()
    for name, value in tree.items():
        found |= {each for part in value for each in asks_of(part)} if name in _LISTS else {name}
    return found


def passes(tree: Filters, fields: Fields, *, otherwise: object = _MISSING) -> bool | None:
    """Whether what has these fields passes; None: that depends on what is unknown.

    `otherwise`: what a field is that is not among them, `UNKNOWN` or missing.
    """
    return _all(_answers(tree, fields, otherwise))


def _answers(tree: Filters, fields: Fields, otherwise: object) -> Iterator[bool | None]:
    for name, value in tree.items():
        if name not in _LISTS:
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
    return _OPERATORS[operator](value, operand)


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _all(answers: Iterator[bool | None]) -> bool | None:
    known: bool | None = True
    for each in answers:
        if each is False:
            return False
        known = None if each is None else known
    return known
