"""Finding: which memories of a scope are shown, best or oldest first.

The daemon searches the conversations that can match and no other; what else a filter asks is asked of what it found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from soulmem.client.faults import SoulmemRemoteError
from soulmem.mem0.filter_trees import asks_of, checked_filters, passes
from soulmem.mem0.input_errors import Mem0ValidationError, checked_text, not_found, whole_number
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.memory_items import Item, fields_of, history_rows, is_expired, item_of
from soulmem.mem0.scope_ids import KEYS, Scope, scope_of
from soulmem.mem0.wire_steps import (
    Call,
    Result,
    Steps,
    daemon_time,
    ensure_mind,
    matching_conversations,
    named_in_batches,
    notes_heard_in,
)

_AT_ONCE = 500  # the most that one recall brings
_FILTERED = 100  # what it brings first where a filter asks of more than whose a memory is
_LEFT_OUT = 1000  # the most ids that a recall may be told to leave out
_OTHERS = 2000  # notes that are looked through for what has nothing to do with a query
LISTED = 100  # of what is listed, and of what the first dialect finds, without a number


def search(
    config: MemoryConfig, query: Any, ids: Mapping[str, Any], filters: Any, count: Any, threshold: Any, *,
    explain: bool, show_expired: bool,
) -> Steps[Result]:  # fmt: skip
    """What a query brings to mind, best first, each with its `score`."""
    if not isinstance(query, str) or not query.strip():
        raise Mem0ValidationError("Invalid query: cannot be empty or whitespace-only")
    query = checked_text(query.strip(), "query")
    is_number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    if threshold is not None and not (is_number and 0 <= threshold <= 1):
        raise Mem0ValidationError(f"Invalid threshold: {threshold!r}. Must be between 0 and 1")
    count = whole_number(count, "top_k")
    tree = checked_filters(filters, scope_of(ids))
    yield from ensure_mind(config)
    names = (yield from matching_conversations(config, tree)) if count else []
    asked = {"mind": config.mind, "query": query, "kinds": ["note"], "min_score": float(threshold or 0)}
    asked |= {"explain": True} if explain else {}
    found: list[Item] = []
    for batch in named_in_batches(names):
        found += yield from _recalled(
            config, asked | {"heard_in": batch}, tree, count, threshold, show_expired=show_expired
        )
    found.sort(key=lambda item: -item["score"])
    if threshold is None and len(found) < count:
        found += yield from _others(config, names, tree, found, show_expired=show_expired, explain=explain)
    return {"results": found[:count]}


def _others(
    config: MemoryConfig, names: Sequence[str], tree: Mapping[str, Any], found: Sequence[Item], *,
    show_expired: bool, explain: bool,
) -> Steps[list[Item]]:  # fmt: skip
    """What passes and has nothing to do with the query, the latest first: who gives no threshold wants as many as there
    are, and code asks "all with category" to see what its filter lets pass."""
    notes = yield from notes_heard_in(config, names, enough=lambda notes: len(notes) >= _OTHERS)
    known = {item["id"] for item in found}
    items = [item for item in reversed(_passing(tree, notes)) if item["id"] not in known]
    fits = yield from shown(items, show_expired=show_expired)
    details = {"score_details": {"final_score": 0.0, "threshold": 0}} if explain else {}
    return [item | {"score": 0.0} | details for item in fits]


def _recalled(
    config: MemoryConfig, asked: Mapping[str, Any], tree: Mapping[str, Any], count: int, threshold: Any, *,
    show_expired: bool,
) -> Steps[list[Item]]:  # fmt: skip
    """The best that pass: the daemon is asked for more until there are enough, as far as a recall may be told."""
    is_plain = asks_of(tree) <= set(KEYS)
    at_once = min(_AT_ONCE, count if is_plain else max(_FILTERED, 4 * count))
    found: list[Item] = []
    seen: list[str] = []
    while True:
        more = {"k": at_once, "exclude": seen, "record": not seen}
        recalled = (yield Call("recall", {**asked, **more}))["items"]
        items = [
            item | {"score": each["score"]} | _details(each, threshold)
            for each in recalled
            if (item := item_of(each)) is not None and passes(tree, fields_of(item))
        ]
        found += yield from shown(items, show_expired=show_expired)
        is_first = not seen
        seen += [each["id"] for each in recalled]
        if len(found) >= count or len(recalled) < at_once or len(seen) > _LEFT_OUT:
            return found
        at_once = _AT_ONCE
        if (
            is_first
            and not is_plain
            and (failing := (yield from _failing(config, asked["heard_in"], tree))) is not None
        ):
            found, seen, at_once = [], failing, min(_AT_ONCE, count)


def _failing(config: MemoryConfig, names: Sequence[str], tree: Mapping[str, Any]) -> Steps[list[str] | None]:
    """What of these conversations does not pass; None where it is more than a recall may be told to leave out."""
    notes = yield from notes_heard_in(config, names, enough=lambda notes: len(notes) >= _OTHERS)
    fits = {item["id"] for item in _passing(tree, notes)}
    failing = [note["id"] for note in notes if note["id"] not in fits]
    return failing if 0 < len(failing) <= _LEFT_OUT and len(notes) < _OTHERS else None


def _details(recalled: Mapping[str, Any], threshold: Any) -> Result:
    if "why" not in recalled:
        return {}
    channels = recalled["why"].get("channels") or {}
    theirs = {"semantic_score": channels.get("dense"), "bm25_score": channels.get("lexical")}
    final = {"final_score": recalled["score"], "threshold": threshold or 0}
    return {"score_details": {**theirs, **final, "why": recalled["why"]}}


def shown(items: Sequence[Item], *, show_expired: bool) -> Steps[list[Item]]:
    """Those whose day has not passed; the daemon is asked for the day only if there is one."""
    if show_expired or not any("expiration_date" in item for item in items):
        return list(items)
    today = (yield from daemon_time())[:10]
    return [item for item in items if not is_expired(item, today)]


def matching(config: MemoryConfig, tree: Mapping[str, Any], **more: Any) -> Steps[list[Item]]:
    """All memories that pass, oldest first."""
    names = yield from matching_conversations(config, tree)
    return _passing(tree, (yield from notes_heard_in(config, names, **more)))


def _passing(tree: Mapping[str, Any], notes: Sequence[Result]) -> list[Item]:
    items = [item for note in notes if (item := item_of(note)) is not None]
    return [item for item in items if passes(tree, fields_of(item))]


def get_all(
    config: MemoryConfig, ids: Mapping[str, Any], filters: Any, count: Any, *, show_expired: bool
) -> Steps[Result]:
    """All memories of a scope, oldest first, at most so many."""
    count = whole_number(count, "top_k")
    tree = checked_filters(filters, scope_of(ids))
    yield from ensure_mind(config)
    if not count:
        return {"results": []}
    today = "" if show_expired else (yield from daemon_time())[:10]

    def fitting(notes: Sequence[Result]) -> list[Item]:
        return [item for item in _passing(tree, notes) if not is_expired(item, today)]

    names = yield from matching_conversations(config, tree)
    notes = yield from notes_heard_in(
        config, names, at_once=count + 1, enough=lambda notes: len(fitting(notes)) >= count
    )
    return {"results": fitting(notes)[:count]}


def users(config: MemoryConfig) -> Steps[Result]:
    """Whose memories there are: each user, agent and run, with how many of them are its."""
    yield from ensure_mind(config)
    counts: dict[tuple[str, str], int] = {}
    for item in (yield from matching(config, {})):
        for key in KEYS:
            if key in item:
                named = (key.removesuffix("_id"), str(item[key]))
                counts[named] = counts.get(named, 0) + 1
    results = [
        {"id": name, "name": name, "type": kind, "total_memories": count}
        for (kind, name), count in sorted(counts.items())
    ]
    return {"count": len(results), "results": results}


def read_note(config: MemoryConfig, memory_id: Any, scope: Scope, *, gone_too: bool = False) -> Steps[Result | None]:
    """The note of a memory; None where there is none, it is forgotten, or is not of the scope that was named."""
    if not isinstance(memory_id, str) or not 0 < len(memory_id) <= 256:
        return None
    try:
        note = (yield Call("note.get", {"mind": config.mind, "id": memory_id}, retry=True))["note"]
    except SoulmemRemoteError as error:
        if error.name in ("not_found", "invalid_params", "invalid_text"):
            return None
        raise
    item = item_of(note)
    is_hidden = note["lifecycle"] == "forgotten" and not gone_too
    if item is None or is_hidden or any(item.get(key) != value for key, value in scope.items()):
        return None
    return dict(note)


def get(config: MemoryConfig, memory_id: Any, ids: Mapping[str, Any]) -> Steps[Item | None]:
    """A memory by its id, expired ones too; None where there is none."""
    scope = scope_of(ids)
    yield from ensure_mind(config)
    note = yield from read_note(config, memory_id, scope)
    return item_of(note) if note is not None else None


def existing(config: MemoryConfig, memory_id: Any, scope: Scope, *, gone_too: bool = False) -> Steps[Result]:
    """The same as a note. Raises Mem0ValidationError: there is none."""
    yield from ensure_mind(config)
    note = yield from read_note(config, memory_id, scope, gone_too=gone_too)
    if note is None:
        raise not_found(memory_id)
    return note


def history(config: MemoryConfig, memory_id: Any, ids: Mapping[str, Any]) -> Steps[list[Result]]:
    """What was done with a memory, oldest first; nothing of one that never was."""
    scope = scope_of(ids)
    yield from ensure_mind(config)
    note = yield from read_note(config, memory_id, scope, gone_too=True)
    item = item_of(note) if note is not None else None
    if note is None or item is None:
        return []
    told = yield Call("note.history", {"mind": config.mind, "id": memory_id}, retry=True)
    return history_rows(note, told, item)
