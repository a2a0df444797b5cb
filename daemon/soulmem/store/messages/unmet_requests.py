"""Unmet requests: what somebody asked in talk to be forgotten and is there still: it was not plain what is meant.

A row of `history` for each, entered by digestion (`idle/upkeep/forget_step`) and told to the owner: which message asks,
and how many may be meant. Invariant: no word of a message stands here. A request is open until its own message is
changed or deleted, and for as long as what was forgotten can be restored.
"""

from __future__ import annotations

import json
from typing import Any

from soulmem.core.calendar.iso8601 import to_iso
from soulmem.store.messages.message_log import Message
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import dump_json, public_id

_ACTION = "forget_unmet"
_MOST = 100
_OPEN = (  # `GLOB`, so that only rows of messages are read: those of notes are many
    "FROM history h JOIN message m ON m.id = CAST(substr(h.item, 2) AS INTEGER) "
    "JOIN conversation c ON c.id = m.conversation WHERE h.item GLOB 'm*' AND h.action = ? AND h.at >= ? "
    "AND m.deleted = 0 AND m.version = json_extract(h.detail, '$.version')"
)


def enter(connection: Connection, message: Message, meant: int, now: int) -> bool:
    """Enter that a message asks for something that stays; `meant`: how many may be meant. False: it is known."""
    item, detail = public_id("m", message.id), {"version": message.version, "meant": meant}
    known = connection.execute("SELECT detail FROM history WHERE item = ? AND action = ?", (item, _ACTION)).fetchall()
    if any(json.loads(row[0])["version"] == message.version for row in known):
        return False
    connection.execute(
        "INSERT INTO history (at, action, item, detail) VALUES (?, ?, ?, ?)", (now, _ACTION, item, dump_json(detail))
    )
    return True


def still_open(connection: Connection, since: int) -> list[dict[str, Any]]:
    """Those that were entered since then and whose message says so still, the latest first."""
    rows = connection.execute(
        f"SELECT c.name, m.client_id, m.at, json_extract(h.detail, '$.meant') {_OPEN} ORDER BY h.id DESC LIMIT ?",
        (_ACTION, since, _MOST),
    )
    return [{"conversation": row[0], "id": row[1], "at": to_iso(row[2]), "meant": row[3]} for row in rows]


def count_open(connection: Connection, since: int) -> int:
    """How many were entered since then and are open still."""
    return int(connection.execute(f"SELECT count(*) {_OPEN}", (_ACTION, since)).fetchone()[0])
