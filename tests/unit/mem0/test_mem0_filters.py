"""Filters: each operator with what it lets pass, and trees that leave open whose memories are meant."""

from __future__ import annotations

from typing import Any

import pytest

from soulmem.mem0.filter_trees import UNKNOWN, asks_of, checked_filters, passes
from soulmem.mem0.input_errors import Mem0ValidationError

FIELDS: dict[str, Any] = {
    "user_id": "alice",
    "category": "Food",
    "priority": 7,
    "rating": 4.5,
    "done": False,
    "title": "Team Meeting 会议",
    "tags": ["urgent", "Home", 3],
    "created_date": "2024-05-01",
    "nothing": None,
}


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"category": "Food"}, True),
        ({"category": "food"}, False),
        ({"category": {"eq": "Food"}}, True),
        ({"category": {"ne": "Food"}}, False),
        ({"absent": {"ne": "x"}}, True),
        ({"absent": "x"}, False),
        ({"absent": {"eq": None}}, True),
        ({"nothing": {"eq": None}}, True),
        ({"category": {"ne": None}}, True),
        ({"priority": {"gt": 6, "lte": 7}}, True),
        ({"priority": {"gt": 7}}, False),
        ({"priority": {"gte": 7.0}}, True),
        ({"priority": 7.0}, True),
        ({"rating": {"lt": 4.5}}, False),
        ({"priority": {"gt": "6"}}, False),
        ({"absent": {"lt": 3}}, False),
        ({"done": False}, True),
        ({"done": 0}, False),
        ({"done": {"gte": 0}}, False),
        ({"created_date": {"gte": "2024-01-01"}}, True),
        ({"category": {"in": ["Food", "travel"]}}, True),
        ({"category": ["Food", "travel"]}, True),
        ({"category": {"in": []}}, False),
        ({"category": {"nin": ["Food"]}}, False),
        ({"absent": {"nin": ["Food"]}}, True),
        ({"title": {"contains": "Meeting"}}, True),
        ({"title": {"contains": "meeting"}}, False),
        ({"title": {"icontains": "mEETING"}}, True),
        ({"title": {"contains": "会议"}}, True),
        ({"tags": {"contains": "urgent"}}, True),
        ({"tags": {"contains": "urg"}}, False),
        ({"tags": {"icontains": "home"}}, True),
        ({"tags": {"contains": 3}}, True),
        ({"priority": {"contains": "7"}}, False),
        ({"category": "*"}, True),
        ({"absent": "*"}, False),
        ({"nothing": "*"}, False),
        ({"AND": [{"category": "Food"}, {"priority": {"gte": 7}}]}, True),
        ({"AND": [{"category": "Food"}, {"priority": {"gt": 7}}]}, False),
        ({"OR": [{"category": "x"}, {"priority": 7}]}, True),
        ({"OR": [{"category": "x"}, {"priority": 8}]}, False),
        ({"NOT": [{"category": "x"}, {"priority": 8}]}, True),
        ({"NOT": [{"category": "x"}, {"priority": 7}]}, False),
        ({"NOT": {"category": "x"}}, True),
        ({"AND": [{"OR": [{"category": "x"}, {"done": False}]}, {"NOT": [{"priority": 1}]}]}, True),
    ],
)
def test_operators(condition: dict[str, Any], holds: bool) -> None:
    tree = checked_filters({"user_id": "alice", **condition}, {})
    assert passes(tree, FIELDS) is holds
    assert passes(tree, {"user_id": "alice"}, otherwise=UNKNOWN) is not False, "no answer before it is known"
    assert passes(tree, {**FIELDS, "user_id": "bob"}) is False
    assert passes(tree, {"user_id": "bob"}, otherwise=UNKNOWN) is False


@pytest.mark.parametrize(
    ("filters", "line"),
    [
        ({}, "At least one of"),
        ({"category": "x"}, "At least one of"),
        ({"user_id": {"ne": "bob"}}, "At least one of"),
        ({"user_id": None}, "At least one of"),
        ({"user_id": []}, "At least one of"),
        ({"user_id": {"contains": "a"}}, "At least one of"),
        ({"NOT": [{"user_id": "bob"}]}, "At least one of"),
        ({"OR": [{"user_id": "alice"}, {"category": "x"}]}, "At least one of"),
        ({"user_id": "   "}, "Invalid user_id: cannot be empty"),
        ({"user_id": "user 123"}, "Invalid user_id: cannot contain whitespace"),
        ({"run_id": {"in": ["r", "r\t2"]}}, "Invalid run_id: cannot contain whitespace"),
        ({"user_id": "a", "x": {"unknown": 1}}, "has no operator 'unknown'"),
        ({"user_id": "a", "x": {}}, "says nothing"),
        ({"user_id": "a", "x": {"in": "abc"}}, "takes a list"),
        ({"user_id": "a", "AND": []}, "AND takes a list"),
        ({"user_id": "a", "OR": "x"}, "OR takes a list"),
        ({"user_id": "a", "NOT": [{}]}, "NOT takes a list"),
        ({"user_id": "a", 3: "x"}, "no name of a field"),
        (["user_id"], "must be a dictionary"),
        ({"user_id": "a", "OR": [{f"k{n}": 1} for n in range(1001)]}, "more than 1000"),
    ],
)
def test_what_is_no_filter_or_leaves_open_whose_memories_is_refused(filters: Any, line: str) -> None:
    with pytest.raises(Mem0ValidationError, match=line):
        checked_filters(filters, {})


def test_a_tree_too_deep_is_refused() -> None:
    tree: dict[str, Any] = {"user_id": "a"}
    for _ in range(10_000):
        tree = {"AND": [tree]}
    with pytest.raises(ValueError, match="nested"):
        checked_filters(tree, {})


def test_whose_memories_may_be_said_anywhere_that_binds() -> None:
    for filters in (
        {"AND": [{"user_id": "alice"}, {"category": "x"}]},
        {"OR": [{"user_id": "alice"}, {"agent_id": {"in": ["a", "b"]}}]},
        {"run_id": "*"},
        {"user_id": 42},
    ):
        assert checked_filters(filters, {})
    assert checked_filters({"user_id": 42}, {}) == checked_filters(None, {"user_id": "42"})
    assert checked_filters({"user_id": " a "}, {"user_id": "a"}) == {"user_id": {"eq": "a"}}
    with pytest.raises(ValueError, match="given twice"):
        checked_filters({"user_id": "b"}, {"user_id": "a"})
    assert asks_of({"OR": [{"a": {}}, {"NOT": [{"b": {}}]}], "c": {}}) == {"a", "b", "c"}
