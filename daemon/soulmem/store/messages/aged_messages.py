"""Aged messages: those that were imported to fade as if the mind had heard them when they were said.

A row of `meta` holds their numbers as ranges, for histories come in long runs. Digestion asks how old, in experienced
time, what they tell would be by now. Invariant: a message that is not marked is as new as its note.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from soulmem.core.calendar.experienced_time import ExperiencedTime, experienced_ages
from soulmem.store.messages.message_log import Message
from soulmem.store.sqlite.driver import Connection

_KEY = "aged_messages"


def mark(connection: Connection, messages: Sequence[int]) -> None:
    """Remember that these messages age from when they were said."""
    if not messages:
        return
    ranges = sorted([*_ranges(connection), *([each, each] for each in messages)])
    merged: list[list[int]] = []
    for low, high in ranges:
        if merged and low <= merged[-1][1] + 1:
            merged[-1][1] = max(merged[-1][1], high)
        else:
            merged.append([low, high])
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_KEY, json.dumps(merged)))


def ages(connection: Connection, said: Mapping[int, Message], time: ExperiencedTime, now: int) -> Mapping[int, int]:
    """How old each of these messages is in experienced milliseconds, by its key; only those that are marked.

    Talk of that time counts as lived, whoever had it and wherever: a silence between two messages passes as any other.
    """
    ranges = _ranges(connection)
    lows = [low for low, _ in ranges]
    marked = {
        key: message.at
        for key, message in said.items()
        if (place := bisect_right(lows, message.id)) and message.id <= ranges[place - 1][1]
    }
    if not marked:
        return {}
    rows = connection.execute(
        "SELECT DISTINCT at FROM message WHERE at > ? AND at < ? ORDER BY at", (min(marked.values()), now)
    )
    found = experienced_ages(time, list(marked.values()), [row[0] for row in rows], now)
    return dict(zip(marked, found, strict=True))


def _ranges(connection: Connection) -> list[list[int]]:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    return json.loads(row[0]) if row else []
