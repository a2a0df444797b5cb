"""A stream of messages from several clients, and what of it must be in the files whenever the daemon dies.

Each client is a bare socket in its own thread that keeps a number of requests under way and notes every reply the
moment it arrives: what a client read is acknowledged, nothing else is.
"""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slowness import PATIENCE_S
from soulmem.client import Client
from soulmem.store.conversation_state import window_state
from soulmem.store.journal.work_in_progress import UnderwayFile
from soulmem.store.sqlite import driver, migrations

CONVERSATIONS = ("kitchen", "书房", "night walk", "夜话")
_SAYINGS = (
    "I left the green umbrella at the dentist on Friday, number {n}.",
    "我把绿色的雨伞忘在牙医那里了，第{n}次。",
    "Mixed feelings: 今天的火锅 was too spicy, 第{n} time this month.",
    "Grandma's recipe needs {n} grams of flour, and patience.",
    "奶奶的菜谱要用{n}克面粉，还要耐心。" * 6,
    "The train to Chengdu leaves at 7:4{n}; " * 20,
)


@dataclass
class Sent:
    """One message as its client knows it; `seq` is set once acknowledged."""

    mind: str
    conversation: str
    role: str
    content: str
    id: str
    seq: int | None = None

    def params(self) -> dict[str, Any]:
        return {
            "mind": self.mind,
            "conversation": self.conversation,
            "role": self.role,
            "content": self.content,
            "id": self.id,
        }


@dataclass
class Speaker:
    """One client thread: speaks until the daemon is gone or it is told to stop."""

    socket_path: Path
    mind: str
    number: int
    under_way: int
    tag: str
    sent: dict[str, Sent] = field(default_factory=dict)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._random = random.Random(f"{self.tag}-{self.number}")
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()

    def join(self) -> None:
        self._thread.join(30)
        assert not self._thread.is_alive(), "a client hangs: the daemon neither answers nor closes the connection"

    @property
    def acknowledged(self) -> list[Sent]:
        return [each for each in self.sent.values() if each.seq is not None]

    def _next(self) -> Sent:
        number = len(self.sent)
        conversation = CONVERSATIONS[self._random.randrange(len(CONVERSATIONS))]
        content = self._random.choice(_SAYINGS).format(n=number)
        role = self._random.choice(("user", "assistant", "user", "assistant", "system"))
        return Sent(self.mind, conversation, role, content, f"{self.tag}-{self.number}-{number}")

    def _run(self) -> None:
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as sock:
                sock.settimeout(PATIENCE_S)
                sock.connect(str(self.socket_path))
                self._talk(sock)
        except OSError:
            return  # the daemon has gone: that is the point

    def _talk(self, sock: socket.socket) -> None:
        open_calls = 0
        buffer = b""
        while not (self._stop.is_set() and open_calls == 0):
            while open_calls < self.under_way and not self._stop.is_set():
                message = self._next()
                self.sent[message.id] = message
                request = {"jsonrpc": "2.0", "id": message.id, "method": "message.add", "params": message.params()}
                sock.sendall(json.dumps(request, ensure_ascii=False).encode() + b"\n")
                open_calls += 1
            data = sock.recv(65536)
            if not data:
                return
            *lines, buffer = (buffer + data).split(b"\n")
            for line in lines:
                self._hear(json.loads(line))
                open_calls -= 1

    def _hear(self, reply: dict[str, Any]) -> None:
        if "error" in reply:
            self.refused.append(reply["error"])
            return
        result = reply["result"]
        assert result["id"] == reply["id"]
        self.sent[result["id"]].seq = result["seq"]


def speakers(socket_path: Path, mind: str, tag: str) -> list[Speaker]:
    """Four clients: two that wait for each reply, two that keep several calls under way."""
    return [Speaker(socket_path, mind, number, depth, tag) for number, depth in enumerate((1, 1, 4, 12))]


def stored(client: Client, mind: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Everything `message.list` shows, page by page; fails on an id shown twice or a gap in the numbering."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for conversation in CONVERSATIONS:
        cursor, expected = None, 1
        while True:
            params = {
                "mind": mind,
                "conversation": conversation,
                "limit": 137,
                **({"cursor": cursor} if cursor else {}),
            }
            try:
                page = client.call("message.list", params)
            except Exception as error:
                if getattr(error, "name", "") == "not_found":  # nobody spoke here yet
                    break
                raise
            for message in page["items"]:
                key = (conversation, message["id"])
                assert key not in found, f"{key} is there twice"
                assert message["seq"] == expected, f"{conversation}: {message['seq']} follows {expected - 1}"
                expected += 1
                found[key] = message
            cursor = page["next_cursor"]
            if cursor is None:
                break
    return found


def check_stored(sent: list[Sent], found: dict[tuple[str, str], dict[str, Any]]) -> int:
    """Every acknowledged message is there as it was said, at its number; how many unacknowledged ones are too."""
    extra = 0
    for message in sent:
        got = found.get((message.conversation, message.id))
        if got is None:
            assert message.seq is None, f"acknowledged and lost: {message}"
            continue
        assert (got["content"], got["role"]) == (message.content, message.role)
        if message.seq is None:
            extra += 1
        else:
            assert got["seq"] == message.seq
    return extra


def set_aside(state: Path, mind: str) -> set[int]:
    """The messages that get no vector for now, because daemons were killed twice while they were embedded."""
    found = UnderwayFile(state)
    try:
        keys = [item.split(".") for step, item in found.aside(mind) if step == "embed"]
        return {int(item) for kind, item, variant in keys if (kind, variant) == ("message", "self")}
    finally:
        found.close()


def check_file(path: Path, aside: Collection[int] = ()) -> int:
    """The file itself: sound, and of every message its whole trail or nothing; how many messages.

    `path` is opened as the daemon would open it, so hand over a copy.
    """
    connection = driver.writer(path)()
    try:
        migrations.migrate(connection, path, "mind")  # it may have been cut off between two of them
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        heard = {row[0] for row in connection.execute("SELECT id FROM message WHERE role IN ('user', 'assistant')")}
        # What a long pause between two kills let the mind digest may have left the indexes: it is in notes now.
        shelved = {row[0] for row in connection.execute(f"SELECT m.id FROM message m WHERE {window_state.SHELVED}")}
        sought = heard - shelved
        indexed = {row[0] for row in connection.execute("SELECT id FROM message_search_docsize")}
        owed = {row[0] for row in connection.execute("SELECT item FROM search_pending")}
        assert sought <= indexed | owed, "stored without being searchable"
        assert not indexed & owed, "what is indexed would be indexed again"
        embedded = {
            row[0]
            for row in connection.execute(
                "SELECT item FROM vector WHERE kind = 'message' AND variant = 'self' "
                "UNION SELECT item FROM embed_pending WHERE kind = 'message' AND variant = 'self'"
            )
        }
        assert sought - set(aside) <= embedded <= heard, "stored without its vector being owed"
        asked = connection.execute(
            "SELECT message, count(*) FROM recall WHERE message IS NOT NULL GROUP BY 1"
        ).fetchall()
        users = {row[0] for row in connection.execute("SELECT id FROM message WHERE role = 'user'")}
        assert {row[0] for row in asked} == users, "a user message without its recall"
        assert all(count == 1 for _, count in asked), "a user message with two recalls"
        behind = connection.execute(
            "SELECT c.name FROM conversation c WHERE c.next_seq <> "
            "(SELECT coalesce(max(seq), 0) + 1 FROM message m WHERE m.conversation = c.id)"
        ).fetchall()
        assert behind == [], f"numbering out of step in {behind}"
        return int(connection.execute("SELECT count(*) FROM message").fetchone()[0])
    finally:
        connection.close()
