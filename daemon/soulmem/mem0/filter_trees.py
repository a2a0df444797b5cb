"""Filters: whose memories a tree of conditions means, and what of them it lets pass.

The operators are those of `core/schema/attribute_filters.py`. A tree is asked twice: of the scope of each conversation,
where nothing else is known yet, so that what cannot match is never searched; and of each memory that was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from soulmem.core.schema.attribute_filters import (
    UNKNOWN,
    Filters,
    InvalidFilterError,
    asks_of,
    checked_tree,
    passes,
)
from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.scope_ids import KEYS, entity_id, token

__all__ = ["UNKNOWN", "asks_of", "checked_filters", "passes"]

_BINDING = frozenset({"eq", "in", "*"})  # what says whose memories are meant


def checked_filters(filters: object, scope: Filters) -> dict[str, Any]:
    """The tree that a call means, with the ids that it named beside its filters; ids in it are trimmed.

    Raises Mem0ValidationError: no tree, an operator that there is none of, or one that leaves open whose memories are
    meant: some alternative names no user, agent or run.
    """
    if filters is not None and not isinstance(filters, Mapping):
        raise Mem0ValidationError(f"Invalid filters: must be a dictionary, not {type(filters).__name__}")
    try:
        tree = checked_tree(filters or {}, _with_ids)
    except InvalidFilterError as error:
        raise Mem0ValidationError(f"Invalid filters: {error}") from error
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


def _with_ids(name: str, operators: dict[str, Any]) -> dict[str, Any]:
    """The condition on a field; of one that says whose memories are meant with the ids as they are kept."""
    if name not in KEYS:
        return operators
    return {
        operator: operand
        if operator == "*"
        else [_id(each, name) for each in operand]
        if operator in ("in", "nin")
        else _id(operand, name)
        for operator, operand in operators.items()
    }


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
