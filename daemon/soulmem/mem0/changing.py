"""Changing: memories are given other words or metadata, deleted, brought back; all of a scope, or all there are.

To delete hides: the note can be brought back for as long as the mind keeps what it forgot. Only `purge` takes the
messages with it, for good. With `add_policy: "classic"` what is new changes the memory there was (algorithms.md §9.1):
one whose place it takes gets the new words and keeps its id (UPDATE), one that holds no more is deleted (DELETE);
former words stand in the history, and `restore` brings back what went. Invariant: what is of no matching scope is never
touched, whatever an id looks like.
"""

from __future__ import annotations

import contextlib
import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from soulmem.client.faults import SoulmemRemoteError
from soulmem.mem0.adding import digest
from soulmem.mem0.filter_trees import checked_filters
from soulmem.mem0.finding import existing, matching, read_note
from soulmem.mem0.input_errors import Mem0ValidationError, MemoryNotFoundError, checked_text, not_found
from soulmem.mem0.kept_metadata import NAME, checked_day, checked_metadata, checked_time, kept_of
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.memory_items import Item, attributes_with, item_of, note_scope
from soulmem.mem0.scope_ids import Scope, named_scope, scope_of
from soulmem.mem0.wire_steps import (
    Call,
    Result,
    Steps,
    daemon_time,
    ensure_mind,
    matching_conversations,
    pages,
)

UNSET: Any = type("Unset", (), {"__repr__": lambda _self: "UNSET"})()
_LOG = logging.getLogger("soulmem.mem0")
_IN_A_BATCH = 1000
_TRIES = 5  # of a change that somebody else's change came before
_REPLACED = frozenset({"note_superseded", "note_corrected"})
_ENDED = "note_invalidated"


class Change(NamedTuple):
    """What a memory is given: other words, further metadata, another day or time; what is not given stays."""

    words: Result
    metadata: Mapping[str, Any]
    day: Result
    at: str | None


def _checked_change(text: Any, data: Any, metadata: Any, expiration_date: Any, timestamp: Any) -> Change:
    """Raises Mem0ValidationError: nothing is given, or something that cannot be taken."""
    if data is not None:
        _LOG.warning("update(data=...) is deprecated, use text=...")
    text = data if text is None else text
    if text is None and metadata is None and expiration_date is UNSET and timestamp is None:
        raise Mem0ValidationError("nothing to change: give any of text, metadata, expiration_date, timestamp")
    if text is not None and not isinstance(text, str):
        raise Mem0ValidationError(f"Invalid text: must be a text, not {type(text).__name__}")
    words = {"text": checked_text(text, "text")} if text is not None else {}
    day: Result = {} if expiration_date in (UNSET, None) else {"expiration_date": checked_day(expiration_date)}
    day |= {"expiration_date": None} if expiration_date is None else {}
    return Change(words, checked_metadata(metadata), day, checked_time(timestamp))


def update(
    config: MemoryConfig, memory_id: Any, ids: Mapping[str, Any], text: Any, data: Any, metadata: Any,
    expiration_date: Any, timestamp: Any,
) -> Steps[Result]:  # fmt: skip
    """Give a memory other words, further metadata or another day. Raises Mem0ValidationError: there is none."""
    change = _checked_change(text, data, metadata, expiration_date, timestamp)
    yield from _apply(config, memory_id, scope_of(ids), change)
    return {"message": "Memory updated successfully!"}


def change_words(config: MemoryConfig, memory_id: str, text: str) -> Steps[None]:
    """Give a memory other words. Raises Mem0ValidationError: there is none."""
    yield from _apply(config, memory_id, {}, Change({"text": text}, {}, {}, None))


def _apply(config: MemoryConfig, memory_id: Any, scope: Scope, change: Change) -> Steps[None]:
    words, further, day, at = change
    for attempt in range(_TRIES):
        note = yield from existing(config, memory_id, scope)
        kept = {"scope": note_scope(note), **kept_of(note), **day, "updated_at": (yield from daemon_time())}
        kept |= {"metadata": {**(kept.get("metadata") or {}), **further} or None}
        kept |= {"timestamp": at} if at is not None else {}
        own = {NAME: kept_of(note)} if words else note["attributes"]  # what was read of other words says nothing now
        sent = {"attributes": attributes_with({"attributes": own}, kept), "version": note["version"], **words}
        sent |= {"at": at} if at is not None else {}
        try:
            yield Call(
                "note.update", {"mind": config.mind, "id": memory_id, **sent, "key": uuid.uuid4().hex}, retry=True
            )
        except SoulmemRemoteError as error:
            if error.name == "not_found":
                raise not_found(memory_id) from error
            if error.name != "version_conflict" or attempt + 1 == _TRIES:
                raise
        else:
            break


def batch_update(config: MemoryConfig, memories: Any) -> Steps[Result]:
    """Change many memories, all of them looked at before the first is changed."""
    changes = []
    for given in _batch(memories):
        try:
            change = _checked_change(
                given.get("text"), given.get("data"), given.get("metadata"),
                given.get("expiration_date", UNSET), given.get("timestamp"),
            )  # fmt: skip
        except Mem0ValidationError as error:
            raise Mem0ValidationError(f"{str(given['memory_id'])[:80]}: {error}") from error
        changes.append((given["memory_id"], change))
    for memory_id, _ in changes:
        yield from existing(config, memory_id, {})
    done = 0
    for memory_id, change in changes:
        with contextlib.suppress(MemoryNotFoundError):  # somebody deleted it meanwhile
            yield from _apply(config, memory_id, {}, change)
            done += 1
    return {"message": f"Successfully updated {done} memories"}


def batch_delete(config: MemoryConfig, memories: Any) -> Steps[Result]:
    """Hide many memories, if all of them are there; `restore` brings them back."""
    named = list(dict.fromkeys(str(given["memory_id"]) for given in _batch(memories)))
    for memory_id in named:
        yield from existing(config, memory_id, {})
    for memory_id in named:
        yield from forget(config, memory_id)  # somebody else may have been first: it is gone, as was asked
    return {"message": f"Successfully deleted {len(named)} memories"}


def _batch(memories: Any) -> list[Mapping[str, Any]]:
    """Raises Mem0ValidationError: no list of memories that are named, or too many for one call."""
    if not isinstance(memories, (list, tuple)) or not memories:
        raise Mem0ValidationError('memories must be a list like [{"memory_id": "n1"}], and not empty')
    if len(memories) > _IN_A_BATCH:
        raise Mem0ValidationError(
            f"{len(memories)} memories are too many for one call, at most {_IN_A_BATCH} are taken"
        )
    for place, given in enumerate(memories):
        if not isinstance(given, Mapping) or not isinstance(given.get("memory_id"), str):
            raise Mem0ValidationError(f"memories[{place}] must be an object with the memory_id that is meant")
    return list(memories)


def delete(config: MemoryConfig, memory_id: Any, ids: Mapping[str, Any]) -> Steps[Result]:
    """Hide a memory; `restore` brings it back. Raises Mem0ValidationError: there is none."""
    yield from existing(config, memory_id, scope_of(ids))
    if not (yield from forget(config, memory_id)):
        raise not_found(memory_id)
    return {"message": "Memory deleted successfully!"}


def forget(config: MemoryConfig, memory_id: str) -> Steps[bool]:
    """Hide a memory; False where somebody else was first."""
    return (yield from _if_there("note.forget", config, id=memory_id))


def _if_there(method: str, config: MemoryConfig, **params: Any) -> Steps[bool]:
    """Call it; False where somebody else was first."""
    try:
        yield Call(method, {"mind": config.mind, **params, "key": uuid.uuid4().hex}, retry=True)
    except SoulmemRemoteError as error:
        if error.name != "not_found":
            raise
        return False
    return True


def delete_all(config: MemoryConfig, ids: Mapping[str, Any], *, dry_run: bool, purge: bool) -> Steps[Result]:
    """Delete what is of a scope, and nothing else; what was told but is no note yet becomes one first, and goes too."""
    scope = named_scope(ids)
    tree = checked_filters(None, scope)
    yield from ensure_mind(config)
    if not dry_run:
        yield from digest(config)
    items = yield from matching(config, tree)
    found = [item["id"] for item in items]
    if dry_run:
        return {"message": f"{len(found)} memories would be deleted", "ids": found}
    deleted = []
    if purge:
        deleted = yield from _purge(config, tree, items)
    else:
        for memory_id in found:
            if (yield from forget(config, memory_id)):
                deleted.append(memory_id)
    return {"message": "Memories deleted successfully!", "ids": deleted}


def _purge(config: MemoryConfig, tree: Mapping[str, Any], items: Sequence[Item]) -> Steps[list[str]]:
    """Remove for good, with the messages that said it; what was hidden before goes too."""
    hidden = yield from matching(config, tree, state="forgotten")
    for name in (yield from matching_conversations(config, tree)):
        for message in (yield from pages("message.list", {"mind": config.mind, "conversation": name})):
            yield from _if_there("message.delete", config, id=message["id"], conversation=name)
    for item in [*items, *hidden]:
        yield from _if_there("note.purge", config, id=item["id"])
    return [item["id"] for item in items]


def restore(config: MemoryConfig, memory_ids: Any, ids: Mapping[str, Any]) -> Steps[Result]:
    """Bring back what was deleted, one or several. Raises Mem0ValidationError: it is gone, or never was."""
    given = [memory_ids] if isinstance(memory_ids, str) else memory_ids
    if not isinstance(given, (list, tuple)):
        raise Mem0ValidationError(f"memory_ids must be an id or a list of them, not {type(memory_ids).__name__}")
    scope = scope_of(ids)
    results = []
    for memory_id in given:
        yield from existing(config, memory_id, scope, gone_too=True)
        back = yield Call("note.restore", {"mind": config.mind, "id": memory_id, "key": uuid.uuid4().hex}, retry=True)
        results.append(item_of(back["note"]))
    return {"results": results}


def reset(config: MemoryConfig) -> Steps[None]:
    """Delete all memories of the mind, for good."""
    yield from ensure_mind(config)
    yield Call("mind.delete", {"mind": config.mind, "confirm": config.mind}, timeout=max(60.0, config.timeout))


def as_events(config: MemoryConfig, steps: Steps[Result]) -> Steps[Result]:
    """What `add` made, with its events as the configuration wants them."""
    added = yield from steps
    if not config.is_classic:
        return added
    results: list[Result] = []
    for each in added["results"]:
        results += [each] if each["event"] != "ADD" else (yield from _events_of(config, each))
    return {"results": results}


def _events_of(config: MemoryConfig, added: Mapping[str, Any]) -> Steps[list[Result]]:
    """A new memory as what it does to those that it ended."""
    plain = {name: value for name, value in added.items() if name != "previous_memory"}
    links = yield from pages("link.list", {"mind": config.mind, "note": added["id"]})
    ended = [link["dst"] for link in links if link["kind"] == "supersedes" and link["src"] == added["id"]]
    deleted: list[Result] = []
    replaced: Result | None = None
    for memory_id in dict.fromkeys(ended):
        before = yield from read_note(config, memory_id, {})
        if before is None:  # somebody deleted it meanwhile
            continue
        how = yield from _how_it_ended(config, memory_id)
        if how in _REPLACED and replaced is None:
            replaced = {
                "id": memory_id,
                "memory": added["memory"],
                "event": "UPDATE",
                "previous_memory": before["text"],
            }
        elif how in _REPLACED or how == _ENDED:
            deleted.append({"id": memory_id, "memory": before["text"], "event": "DELETE"})
    if replaced is not None:
        yield from change_words(config, replaced["id"], added["memory"])
        yield from forget(config, added["id"])  # what it ended holds again, in its words
    for each in deleted:
        yield from forget(config, each["id"])
    return [replaced or plain, *deleted]


def _how_it_ended(config: MemoryConfig, memory_id: str) -> Steps[str]:
    """By which act a memory ended last; "" where none is told."""
    told = yield Call("note.history", {"mind": config.mind, "id": memory_id}, retry=True)
    return next((each["action"] for each in reversed(told["history"]) if each["action"] in {*_REPLACED, _ENDED}), "")
