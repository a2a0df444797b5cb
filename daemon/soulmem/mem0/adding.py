"""Adding: what was said becomes memories of a scope.

With `infer` the messages go the daemon's own way, into the conversation of their scope, and are digested at once, for
who adds a memory wants to find it by the next call: what comes back are the notes that were made of them. Without it
each message is a note in its own words, and so is the record of a procedure.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from soulmem.client.faults import CallTimeout, SoulmemRemoteError
from soulmem.mem0.input_errors import Mem0ValidationError, checked_text
from soulmem.mem0.kept_metadata import checked_day, checked_metadata, checked_time, kept_of
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.memory_items import attributes_with
from soulmem.mem0.said_messages import PROCEDURAL, Said, read_messages, told_as_procedure
from soulmem.mem0.scope_ids import Scope, conversation_of, named_scope, token
from soulmem.mem0.wire_steps import Call, Result, Steps, ensure_mind, pages

T = TypeVar("T")
_LOG = logging.getLogger("soulmem.mem0")
_STEPS = ["flush", "freeze", "summarise", "split", "link", "rederive", "reconcile"]
_CAUGHT_UP = 10  # calls whose late notes one call looks after
_TRIES = 200  # of a digestion that others, who talk meanwhile, call off


class Wanted(NamedTuple):
    """One call of `add`, checked."""

    said: list[Said]
    scope: Scope
    metadata: dict[str, Any]
    at: str | None
    expires: str | None


def add(
    config: MemoryConfig, messages: Any, ids: Mapping[str, Any], metadata: Any, timestamp: Any, expiration_date: Any,
    infer: Any, memory_type: Any, prompt: Any, llm: Any,
) -> Steps[Result]:  # fmt: skip
    """Store what was said; `{"results": [{"id", "memory", "event"}]}`."""
    if memory_type is not None and memory_type != PROCEDURAL:
        raise Mem0ValidationError(f"Invalid memory_type: {memory_type!r}. Pass {PROCEDURAL!r}, or leave it out")
    wanted = Wanted(
        read_messages(messages),
        named_scope(ids),
        checked_metadata(metadata),
        checked_time(timestamp),
        checked_day(expiration_date) if expiration_date is not None else None,
    )
    if prompt is not None and not isinstance(prompt, str):
        raise Mem0ValidationError(f"Invalid prompt: must be a text, not {type(prompt).__name__}")
    if memory_type is not None:
        if "agent_id" not in wanted.scope:
            raise Mem0ValidationError(f"agent_id is needed for memory_type {PROCEDURAL!r}")
        text = checked_text(told_as_procedure(wanted.said, prompt, llm), "messages")
        yield from ensure_mind(config)
        return {"results": [(yield from _write(config, wanted, text, "procedural", {"memory_type": PROCEDURAL}))]}
    if prompt:
        _LOG.info("prompt has no effect here: what is remembered is decided by the daemon and its own prompts")
    yield from ensure_mind(config)
    if infer:
        return {"results": (yield from _hear(config, wanted))}
    results = []
    for each in wanted.said:
        if each.role != "system":
            by = {"role": each.role, "actor_id": each.name}
            results.append((yield from _write(config, wanted, each.text, "episodic", by)) | _given(by))
    return {"results": results}


def _given(found: Mapping[str, Any]) -> Result:
    return {name: value for name, value in found.items() if value is not None}


def _kept(wanted: Wanted, **more: Any) -> Result:
    """What is kept with a note of this call."""
    kept = {"metadata": wanted.metadata or None, "timestamp": wanted.at, "expiration_date": wanted.expires}
    return _given({"scope": wanted.scope, **kept, **more})


def _write(config: MemoryConfig, wanted: Wanted, text: str, kind: str, more: Mapping[str, Any]) -> Steps[Result]:
    """A note in just these words."""
    note: dict[str, Any] = {
        "mind": config.mind,
        "kind": kind,
        "text": text,
        "conversation": conversation_of(wanted.scope),
        "elements": [],
        "attributes": attributes_with({}, _kept(wanted, **more)),
        "key": uuid.uuid4().hex,
    }
    made = yield Call("note.add", note | ({"at": wanted.at} if wanted.at else {}), retry=True)
    # Whoever names a conversation is told an id in another form than its owner, by whom all others are told.
    found = yield Call("note.get", {"mind": config.mind, "id": made["id"]}, retry=True)
    return {"id": found["note"]["id"], "memory": text, "event": "ADD"}


def _hear(config: MemoryConfig, wanted: Wanted) -> Steps[list[Result]]:
    """Let the mind hear the messages and digest them; what it made of them."""
    conversation = conversation_of(wanted.scope)
    batch = uuid.uuid4().hex
    heard: dict[str, Said] = {}
    for place, each in enumerate(wanted.said):
        if each.role == "tool":
            _LOG.info("what a tool answered is left out: it is no part of the talk")
            continue
        message_id = f"mem0-{batch}-{place}"
        message = {
            "mind": config.mind, "conversation": conversation, "role": each.role, "content": each.text,
            "id": message_id, "speaker": each.name, "at": wanted.at,
        }  # fmt: skip
        yield Call("message.add", _given(message), retry=True)
        heard[message_id] = each
    if not heard:
        return []
    done = yield from digest(config)
    results = []
    for note in (yield from _made_of(config, conversation, heard)):
        result = {"id": note["id"], "memory": note["text"], "event": "NONE"}
        said = heard.get(note["sources"][0]["id"])
        if said is not None:  # else it was known already, and rests on this too
            yield from _keep_with(config, wanted, note, said)
            result |= {"event": "ADD"} | (yield from _outdated_by(config, note))
        elif not kept_of(note):
            yield from _keep_with(config, Wanted([], wanted.scope, {}, None, None), note, None)
        results.append(result)
    if not done or (not results and (yield from _is_behind(config))):
        _LOG.warning("%s is still at making notes of what was said; they come when it is done", config.mind)
        config.known.awaited[batch] = (conversation, heard, wanted)
    return results


def _made_of(config: MemoryConfig, conversation: str, heard: Iterable[str]) -> Steps[list[Result]]:
    """The notes that rest on these messages."""
    refs = [{"conversation": conversation, "id": message_id} for message_id in heard]
    return (yield from pages("note.list", {"mind": config.mind, "made_of": refs}))


def _is_behind(config: MemoryConfig) -> Steps[bool]:
    """Whether notes are still to come: a model is away or slow."""
    status = yield Call("system.status", {}, retry=True)
    return any(each["mind"] == config.mind and each["pending_jobs"] for each in status["minds"])


def caught_up(config: MemoryConfig, steps: Steps[T]) -> Steps[T]:
    """The steps of a method, after what calls before it said of notes that came late was kept with them."""
    awaited = config.known.awaited
    is_behind = bool(awaited) and (yield from _is_behind(config))
    for batch, said_then in list(awaited.items())[:_CAUGHT_UP]:
        conversation, heard, wanted = said_then
        notes = yield from _made_of(config, conversation, heard)
        for note in notes:
            said = heard.get(note["sources"][0]["id"])
            if said is not None and not kept_of(note):
                yield from _keep_with(config, wanted, note, said)
        awaited.pop(batch, None)
        if is_behind and not notes:
            awaited[batch] = said_then  # behind those that wait longer
    return (yield from steps)


def _outdated_by(config: MemoryConfig, note: Mapping[str, Any]) -> Steps[Result]:
    """What a new note says holds no more: its words, as `previous_memory`."""
    links = yield from pages("link.list", {"mind": config.mind, "note": note["id"]})
    ended = [link["dst"] for link in links if link["kind"] == "supersedes" and link["src"] == note["id"]]
    if not ended:
        return {}
    try:
        found = yield Call("note.get", {"mind": config.mind, "id": ended[-1]}, retry=True)
    except SoulmemRemoteError as error:
        if error.name != "not_found":  # somebody removed it meanwhile
            raise
        return {}
    return {"previous_memory": found["note"]["text"]}


def digest(config: MemoryConfig) -> Steps[bool]:
    """Make notes of all that was said so far; others who talk meanwhile are let pass, and it goes on.

    False: it takes longer than anybody waits.
    """
    for _ in range(_TRIES):
        try:
            done = yield Call("idle.run", {"mind": config.mind, "steps": _STEPS}, config.digest_s)
        except CallTimeout:
            break
        if not done["preempted"]:
            return True
    return False


def _keep_with(config: MemoryConfig, wanted: Wanted, note: Mapping[str, Any], said: Said | None) -> Steps[None]:
    """Keep with a new note what the call said of it, where that is more than its conversation tells."""
    is_long = any(token(value) != value for value in wanted.scope.values())
    by = {"role": said.role, "actor_id": said.name} if said is not None else {}
    if not (wanted.metadata or wanted.at or wanted.expires or by.get("actor_id") or is_long):
        return
    kept = _kept(wanted, **by)
    change = {"mind": config.mind, "id": note["id"], "attributes": attributes_with(note, kept)}
    try:
        yield Call("note.update", change)
    except SoulmemRemoteError as error:
        if error.name != "not_found":  # somebody deleted it meanwhile
            raise
