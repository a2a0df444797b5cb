"""The steps of a method, without a daemon: what is asked next after what was answered."""

from __future__ import annotations

from typing import Any

import pytest

from soulmem.client import SoulmemRemoteError
from soulmem.mem0 import Mem0ValidationError, MemoryConfig
from soulmem.mem0.filter_trees import checked_filters
from soulmem.mem0.memory_items import history_rows, item_of
from soulmem.mem0.wire_steps import (
    Steps,
    as_input_error,
    ensure_mind,
    matching_conversations,
    named_in_batches,
    notes_heard_in,
    pages,
)


def answered(steps: Steps[Any], *answers: dict[str, Any] | Exception) -> tuple[Any, list[dict[str, Any]]]:
    """What the steps come to when they are answered so, and what they asked."""
    asked = [next(steps)]
    for answer in answers:
        try:
            asked.append(steps.throw(answer) if isinstance(answer, Exception) else steps.send(answer))
        except StopIteration as end:
            return end.value, [{"method": call.method, **call.params} for call in asked]
    raise AssertionError(f"it asks for more: {asked[-1]}")


def page(*items: dict[str, Any], more: str | None = None) -> dict[str, Any]:
    return {"items": list(items), "next_cursor": more}


def test_a_list_is_read_to_its_end_or_until_there_is_enough() -> None:
    found, asked = answered(pages("x.list", {"mind": "m"}), page({"id": "1"}, more="1"), page({"id": "2"}))
    assert [each["id"] for each in found] == ["1", "2"]
    assert [each.get("cursor") for each in asked] == [None, "1"]
    enough = pages("x.list", {}, after="7", at_once=900, enough=lambda items: len(items) > 1)
    found, asked = answered(enough, page({"id": "8"}, more="8"), page({"id": "9"}, more="9"))
    assert len(found) == 2
    assert asked[0] == {"method": "x.list", "limit": 500, "cursor": "7"}


def test_no_call_names_more_conversations_than_it_may() -> None:
    names = [f"user=u{number}" for number in range(2500)]
    assert [len(batch) for batch in named_in_batches(names)] == [1000, 1000, 500]
    found, asked = answered(notes_heard_in(MemoryConfig(), names), *[page({"id": "n"})] * 3)
    assert len(found) == 3
    assert [name for each in asked for name in each["heard_in"]] == names
    first = notes_heard_in(MemoryConfig(), names, enough=lambda notes: len(notes) >= 2)
    assert len(answered(first, page({"id": "n"}), page({"id": "n"}))[1]) == 2


def test_only_new_conversations_are_asked_for_until_the_mind_is_another() -> None:
    config, tree = MemoryConfig(), checked_filters({"user_id": "a"}, {})
    settings = {"recall.sharing": "conversation"}
    one = page({"id": "c1", "name": "user=a"}, {"id": "c2", "name": "main"}, {"id": "c3", "name": "user=b"})
    answered(ensure_mind(config), {"mind": {"settings": settings, "created_at": "1"}})
    assert answered(matching_conversations(config, tree), one)[0] == ["user=a"]
    found, asked = answered(matching_conversations(config, tree), page({"id": "c4", "name": "user=a run=r"}))
    assert found == ["user=a", "user=a run=r"]
    assert asked[0]["cursor"] == "c3"
    answered(ensure_mind(config), {"mind": {"settings": settings, "created_at": "2"}})
    found, asked = answered(matching_conversations(config, tree), page())
    assert found == []
    assert "cursor" not in asked[0]


def test_a_mind_that_somebody_else_makes_first_is_taken() -> None:
    missing = SoulmemRemoteError("mind_not_found", "there is none")
    late = SoulmemRemoteError("mind_exists", "there is one")
    mind = {"mind": {"settings": {"recall.sharing": "conversation"}, "created_at": "1"}}
    _, asked = answered(ensure_mind(MemoryConfig()), missing, late, mind)
    assert [each["method"] for each in asked] == ["mind.get", "mind.create", "mind.get"]
    assert asked[1]["settings"] == {"recall.sharing": "conversation"}
    mind["mind"]["settings"] = {}
    with pytest.raises(Mem0ValidationError, match="not made for this"):
        answered(ensure_mind(MemoryConfig()), mind)


def test_what_the_daemon_refuses_of_a_call_is_a_value_error() -> None:
    refused = as_input_error(SoulmemRemoteError("too_large", "too long", hint="split it"))
    assert isinstance(refused, ValueError)
    assert str(refused) == "too long (split it)"
    full = SoulmemRemoteError("storage_full", "no room")
    assert as_input_error(full) is full


NOTE: dict[str, Any] = {
    "id": "n1", "text": "b", "speaker": "Zoe", "created_at": "2026-03-01T08:00:00Z", "valid_to": None, "attributes": {},
    "sources": [{"conversation": "user=a run=r", "id": "m1"}],
}  # fmt: skip


def test_whose_a_note_is_comes_from_where_it_was_heard() -> None:
    item = item_of(NOTE)
    assert item is not None
    assert (item["user_id"], item["run_id"], item["actor_id"]) == ("a", "r", "Zoe")
    kept = {"mem0": {"scope": {"user_id": "a", "run_id": "r"}}}
    assert item_of({**NOTE, "attributes": kept}) == item
    for lie in ({"user_id": "b"}, {"user_id": "a"}, {"user_id": "a", "run_id": "r", "agent_id": "x"}):
        assert item_of({**NOTE, "attributes": {"mem0": {"scope": lie}}}) is None
    elsewhere = [*NOTE["sources"], {"conversation": "user=b", "id": "m1"}]
    for homes in ([], elsewhere, [{"conversation": "main", "id": "m1"}]):
        assert item_of({**NOTE, "sources": homes}) is None
    for odd in ({"mem0": []}, {"mem0": {"scope": "a"}}, {"mem0": {"scope": {}}}, {}):
        assert item_of({**NOTE, "attributes": odd}) == item


def test_a_history_tells_of_words_and_not_of_what_is_kept_beside_a_new_note() -> None:
    item = item_of(NOTE)
    assert item is not None
    kept = {"mem0": {"metadata": {"k": 1}}}
    versions = [
        {"text": "a", "attributes": {}, "replaced_at": "2026-03-01T08:00:01Z"},
        {"text": "a", "attributes": kept, "replaced_at": "2026-03-02T08:00:00Z"},
    ]
    acts = [{"at": "2026-03-03T08:00:00Z", "action": "note_forgotten", "detail": {}}]
    rows = history_rows({**NOTE, "attributes": kept}, {"versions": versions, "history": acts}, item)
    assert [(row["event"], row["old_memory"], row["new_memory"]) for row in rows] == [
        ("ADD", None, "a"), ("UPDATE", "a", "b"), ("DELETE", "b", None),
    ]  # fmt: skip
    assert [row["updated_at"][:10] for row in rows] == ["2026-03-01", "2026-03-02", "2026-03-03"]
    assert [row["is_deleted"] for row in rows] == [False, False, True]
