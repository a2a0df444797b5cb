"""A mind as SillyTavern's World Info: an entry for each note, called up by its tags and by the names in it.

An entry that came from such a file is written as it came. Every other holds what shows of its note: what has faded is
not told by the book either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

from soulmem.client import Client
from soulmem.interchange.exporting import mind_pages
from soulmem.interchange.formats.world_book import NAME

_PLAIN: dict[str, Any] = {
    "keysecondary": [], "comment": "", "constant": False, "vectorized": False, "selective": True, "selectiveLogic": 0,
    "addMemo": True, "order": 100, "position": 0, "disable": False, "excludeRecursion": False,
    "preventRecursion": False, "delayUntilRecursion": False, "probability": 100, "useProbability": True, "depth": 4,
    "group": "", "groupOverride": False, "groupWeight": 100, "scanDepth": None, "caseSensitive": None,
    "matchWholeWords": None, "useGroupScoring": None, "automationId": "", "role": None, "sticky": 0, "cooldown": 0,
    "delay": 0,
}  # fmt: skip
_COMMENT_CHARACTERS = 60


def write(client: Client, mind: str, stream: BinaryIO) -> int:
    """Write all notes as a book; how many. Raises OSError; SoulmemRemoteError."""
    names = mind_pages.known_names(client, mind)
    stream.write(b'{"entries":{')
    count = 0
    for note in mind_pages.notes(client, mind):
        if not note["rendered"].strip():
            continue
        entry = json.dumps(_entry(note, count, names), ensure_ascii=False)
        stream.write(f"{',' if count else ''}\n{json.dumps(str(count))}:{entry}".encode())
        count += 1
    stream.write(b"\n}}\n")
    return count


def _entry(note: Mapping[str, Any], number: int, names: list[str]) -> dict[str, Any]:
    kept = note["attributes"].get(NAME)
    kept = kept if isinstance(kept, dict) else {}
    came, keys = kept.get("entry"), kept.get("keys")
    if not isinstance(keys, list):
        keys = list(dict.fromkeys([*note["tags"], *mind_pages.named_in(note["rendered"], names)]))
    return {
        **_PLAIN,
        "comment": note["rendered"][:_COMMENT_CHARACTERS],
        **(came if isinstance(came, dict) else {"vectorized": not keys and not note["pinned"]}),
        "uid": number, "key": keys, "content": note["rendered"], "constant": note["pinned"], "displayIndex": number,
    }  # fmt: skip
