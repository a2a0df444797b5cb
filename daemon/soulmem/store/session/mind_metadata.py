"""Who a mind is: the one row of `mind`, and the numbers its status shows.

Owns `mind`. The anchors of experienced time live here: they move at activity, never on a timer.
"""

from __future__ import annotations

import json
from typing import Any

from soulmem.core.schema.note_requests import Cast
from soulmem.fast_dataclasses import dataclass
from soulmem.store.graph import link_rows
from soulmem.store.index import embedding_backlog
from soulmem.store.journal import digestion_jobs, step_quarantine
from soulmem.store.messages import message_log
from soulmem.store.notes import note_index_rows
from soulmem.store.recalls import recall_records
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import dump_json

_BLINDING = "blinding"


@dataclass(frozen=True, slots=True)
class Identity:
    name: str
    title: str
    profile: str
    persona: str
    language: str
    settings: dict[str, Any]
    created_at: int
    updated_at: int
    wall_anchor_at: int
    exp_anchor: int

    def cast(self, asker: str = "", *, spoke_as: str = "") -> Cast:
        """Who is who for a language model; the technical name of the mind is nobody's.

        `spoke_as`: the name it speaks under, which stands where it was given none.
        """
        return Cast(self.title or spoke_as, self.persona, asker=asker)


@dataclass(frozen=True, slots=True)
class Counts:
    messages: int
    notes: int
    links: int
    recalls: int
    pending_jobs: int
    embed_backlog: int
    pending_recalls: int
    quarantined: int = 0  # steps that are tried no more


def load(connection: Connection) -> Identity | None:
    row = connection.execute(
        "SELECT name, title, profile, persona, language, settings, created_at, updated_at, wall_anchor_at, "
        "exp_anchor FROM mind"
    ).fetchone()
    return Identity(*[*row[:5], json.loads(row[5]), *row[6:]]) if row else None


def create(connection: Connection, who: Identity) -> None:
    connection.execute(
        "INSERT INTO mind (one, name, title, profile, persona, language, settings, created_at, updated_at, "
        "wall_anchor_at, exp_anchor) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            who.name, who.title, who.profile, who.persona, who.language, dump_json(who.settings), who.created_at,
            who.updated_at, who.wall_anchor_at, who.exp_anchor,
        ),
    )  # fmt: skip


def update(connection: Connection, changes: dict[str, Any], now: int) -> None:
    """Change any of title, profile, persona, language, settings."""
    for column, value in changes.items():
        if column not in {"title", "profile", "persona", "language", "settings"}:
            raise ValueError(f"no such column: {column}")
        stored = dump_json(value) if column == "settings" else value
        connection.execute(f"UPDATE mind SET {column} = ?, updated_at = ?", (stored, now))


def save_anchor(connection: Connection, wall_anchor_at: int, exp_anchor: int) -> None:
    connection.execute("UPDATE mind SET wall_anchor_at = ?, exp_anchor = ?", (wall_anchor_at, exp_anchor))


def id_secret(connection: Connection) -> bytes | None:
    """What the blind ids of the mind are made with; no method shows it."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_BLINDING,)).fetchone()
    return bytes.fromhex(row[0]) if row else None


def keep_id_secret(connection: Connection, secret: bytes) -> bytes:
    """Keep it for ever; the one that is kept already, if there is one."""
    connection.execute("INSERT OR IGNORE INTO meta (key, value) VALUES (?, ?)", (_BLINDING, secret.hex()))
    return id_secret(connection) or secret


def last_activity(connection: Connection) -> int | None:
    """When the last message or recorded recall came."""
    recalled = recall_records.last_moment(connection)
    found = [at for at in (message_log.last_arrival(connection), recalled.at if recalled else None) if at is not None]
    return max(found) if found else None


def counts(connection: Connection) -> Counts:
    return Counts(
        message_log.count(connection),
        note_index_rows.count(connection),
        link_rows.count(connection),
        recall_records.count(connection),
        digestion_jobs.pending_count(connection),
        embedding_backlog.backlog(connection),
        recall_records.pending_count(connection),
        step_quarantine.count(connection),
    )
