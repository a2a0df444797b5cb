"""Classic events: what is new changes the memory there was, as in Mem0 before it only added (algorithms.md §9.1).

Asked for with `add_policy: "classic"`. The daemon decides what a new note is to the known ones, as ever. Where it takes
the place of one or puts it right, that memory gets the new words and keeps its id (UPDATE); where it says that one
holds no more, that memory is deleted (DELETE); all else is ADD or NONE. Invariant: nothing is destroyed: former words
stand in the history, and `restore` brings back what was deleted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from soulmem.mem0.changing import change_words, forget
from soulmem.mem0.finding import read_note
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.wire_steps import Call, Result, Steps, pages

_REPLACED = frozenset({"note_superseded", "note_corrected"})
_ENDED = "note_invalidated"


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
