"""Memory items: how a note, and what was done with it, is shown to code that was written for Mem0.

Pure. A note's versions and the acts that its mind recorded become the rows ADD, UPDATE and DELETE of a history; what
this surface keeps with a note right after digestion is no change of it. Invariant: whose a note is comes from the
conversation it was heard in or from what this surface kept with it, and a note of which neither says it is nobody's
and is never shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from soulmem.mem0.kept_metadata import NAME, kept_of
from soulmem.mem0.scope_ids import KEYS, Scope, conversation_of, is_digest, scope_named, token

Item = dict[str, Any]
_ROLES = ("user", "assistant")


def note_scope(note: Mapping[str, Any]) -> Scope | None:
    """Whose a note is; None: that of no single scope."""
    homes = {source["conversation"] for source in note.get("sources") or ()}
    kept = kept_of(note).get("scope")
    if isinstance(kept, dict) and kept:
        scope = {key: value for key, value in kept.items() if key in KEYS and isinstance(value, str)}
        return scope if homes <= {conversation_of(scope)} else None
    if len(homes) != 1:
        return None
    found = scope_named(homes.pop())
    return found if found is not None and not any(map(is_digest, found.values())) else None


def item_of(note: Mapping[str, Any]) -> Item | None:
    """A note, or an item of a recall, as a memory; None where it is nobody's."""
    scope = note_scope(note)
    if scope is None:
        return None
    kept = kept_of(note)
    created = utc_offset(kept.get("timestamp") or note.get("created_at"))
    text = note["text"]
    speaker = note.get("speaker")
    role = kept.get("role") or (speaker if speaker in _ROLES else None)
    actor = kept.get("actor_id") or (speaker if speaker and speaker not in (*_ROLES, "system") else None)
    more = {
        **scope,
        "actor_id": actor,
        "role": role,
        "attributed_to": role if role in _ROLES else None,
        "expiration_date": kept.get("expiration_date"),
        "memory_type": kept.get("memory_type"),
        "valid_to": note.get("valid_to"),
        "superseded_by": note.get("superseded_by"),
    }
    return {
        "id": note["id"],
        "memory": text,
        "hash": hash_of(text),
        "created_at": created,
        "updated_at": utc_offset(kept.get("updated_at")) or created,
        **{name: value for name, value in more.items() if value is not None},
        "metadata": kept.get("metadata") or None,
    }


def fields_of(item: Item) -> dict[str, Any]:
    """What filters may ask of a memory: its metadata by their names, and what is told of each."""
    scope = {key: token(item[key]) for key in KEYS if key in item}
    return {**(item["metadata"] or {}), **{k: v for k, v in item.items() if k != "metadata"}, **scope}


def is_expired(item: Item, today: str) -> bool:
    """Whether the day after which it is not shown has passed; `today` as YYYY-MM-DD."""
    return "expiration_date" in item and item["expiration_date"] < today


def hash_of(text: str) -> str:
    return hashlib.md5(text.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()


def utc_offset(time: str | None) -> str | None:
    """A time as Mem0 writes it."""
    return time[:-1] + "+00:00" if time and time.endswith("Z") else time


def attributes_with(note: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of a note, with what is kept of it from now on."""
    return {**(note.get("attributes") or {}), NAME: {k: v for k, v in kept.items() if v is not None}}


def history_rows(note: Mapping[str, Any], told: Mapping[str, Any], item: Item) -> list[dict[str, Any]]:
    """The rows of a note, oldest first; `told` is what `note.history` answers."""
    wordings = _wordings(note, told["versions"])
    rows: list[dict[str, Any]] = []

    def add(event: str, old: str | None, new: str | None, at: str | None) -> None:
        rows.append(
            {
                "id": f"{item['id']}.{len(rows) + 1}",
                "memory_id": item["id"],
                "old_memory": old,
                "new_memory": new,
                "event": event,
                "created_at": item["created_at"],
                "updated_at": utc_offset(at) if rows else item["created_at"],
                "is_deleted": event == "DELETE",
                "actor_id": item.get("actor_id"),
                "role": item.get("role"),
            }
        )

    add("ADD", None, wordings[0][0], None)
    changes: list[tuple[str | None, str, str | None, str | None]] = [
        (at, "UPDATE", old, new) for (old, _, _), (new, _, at) in _pairs(wordings)
    ]
    text = wordings[-1][0]
    for act in told["history"]:
        if act["action"] == "note_forgotten":
            changes.append((act["at"], "DELETE", _at(wordings, act["at"], text), None))
        elif act["action"] == "note_restored":
            changes.append((act["at"], "ADD", None, _at(wordings, act["at"], text)))
    for at, event, old, new in sorted(changes, key=lambda change: change[0] or ""):
        add(event, old, new, at)
    return rows


_Wording = tuple[str, Any, str | None]  # the words, what is kept with them, since when


def _wordings(note: Mapping[str, Any], versions: Sequence[Mapping[str, Any]]) -> list[_Wording]:
    """What a note was, each with the time from which on it was so."""
    found: list[_Wording] = []
    since: str | None = None
    for version in versions:
        found.append((version["text"], (version.get("attributes") or {}).get(NAME), since))
        since = version["replaced_at"]
    found.append((note["text"], kept_of(note) or None, since))
    return found


def _pairs(wordings: Sequence[_Wording]) -> list[tuple[_Wording, _Wording]]:
    """Each change that somebody made: other words, or other metadata than there were."""
    return [
        (old, new) for old, new in pairwise(wordings) if new[0] != old[0] or (old[1] is not None and new[1] != old[1])
    ]


def _at(wordings: Sequence[_Wording], at: str, otherwise: str) -> str:
    """The words of a time."""
    held = [text for text, _, since in wordings if since is None or since <= at]
    return held[-1] if held else otherwise
