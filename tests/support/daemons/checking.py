"""A client that trusts the contract alone: every call and every answer is held against `schemas/rpc`."""

from __future__ import annotations

import fcntl
import json
import socket
import sqlite3
import sys
import termios
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it brings no types
import pytest

from daemon_fixture import Daemon
from slowness import PATIENCE_S
from soulmem.client import Client, SoulmemRemoteError
from soulmem.core.schema.blind_ids import BlindIds
from soulmem.store.sqlite import offline_reader

SCHEMAS = Path(__file__).parents[3] / "schemas" / "rpc"
Json = dict[str, Any]
_SOONEST_S, _LATEST_S = 0.01, 0.05  # between two looks at something that is waited for


@cache
def schema(method: str) -> Json:
    found: Json = json.loads((SCHEMAS / f"{method}.json").read_text(encoding="utf-8"))
    return found


@cache
def registry() -> Json:
    found: Json = json.loads((SCHEMAS / "errors.json").read_text(encoding="utf-8"))
    return found


@cache
def _validator(method: str, part: str) -> Any:
    return jsonschema.Draft202012Validator(schema(method)[part])


def undeclared(value: Any, part: Json, root: Json, place: str = "") -> Iterator[str]:
    """Names in an answer that its schema does not tell of; free-form objects are left alone."""
    if "$ref" in part:
        part = root["$defs"][part["$ref"].rsplit("/", 1)[1]]
    for choice in part.get("anyOf", ()):
        if choice.get("type") != "null" and value is not None:
            yield from undeclared(value, choice, root, place)
    if isinstance(value, dict) and "properties" in part:
        for name, inside in value.items():
            if name in part["properties"]:
                yield from undeclared(inside, part["properties"][name], root, f"{place}.{name}")
            else:
                yield f"{place}.{name}"
    elif isinstance(value, list) and "items" in part:
        for inside in value:
            yield from undeclared(inside, part["items"], root, f"{place}[]")


class Checking:
    """Calls a daemon; what does not fit the schemas fails the test. `stray` gathers undeclared result names."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.stray: set[str] = set()
        self._knows_status = False

    def call(self, method: str, /, **params: Any) -> Json:
        given = {name.rstrip("_"): value for name, value in params.items()}
        _validator(method, "params").validate(given)
        result = self.client.call(method, given)
        _validator(method, "result").validate(result)
        answer = schema(method)["result"]
        self.stray |= {f"{method}{name}" for name in undeclared(result, answer, answer)}
        return result

    def refused(self, name: str, method: str, /, **params: Any) -> SoulmemRemoteError:
        """The call must fail by this name, with the code of the registry and something to read."""
        given = {key.rstrip("_"): value for key, value in params.items()}
        return self.refused_raw(name, method, given)

    def refused_raw(self, name: str, method: str, params: Any) -> SoulmemRemoteError:
        call = f"{method} {str(params)[:200]}"
        with pytest.raises(SoulmemRemoteError) as caught:
            pytest.fail(f"{call} was answered: {str(self.client.call(method, params))[:200]}")
        error = caught.value
        assert error.name == name, f"{call}: {error}"
        assert error.code == registry()[name]["code"]
        assert error.retryable == registry()[name]["retryable"]
        assert error.message
        return error

    # -- what tests do most ------------------------------------------------------------------------------

    def say(self, mind: str, content: str, /, role: str = "user", **params: Any) -> Json:
        return self.call("message.add", mind=mind, role=role, content=content, **params)

    def pages(self, method: str, /, limit: int = 500, **params: Any) -> list[Json]:
        """All items of a list, page by page."""
        items: list[Json] = []
        cursor: Json = {}
        while True:
            found = self.call(method, limit=limit, **params, **cursor)
            assert len(found["items"]) <= limit
            items += found["items"]
            if found["next_cursor"] is None:
                return items
            assert found["items"], "an empty page promises another"
            cursor = {"cursor": found["next_cursor"]}

    def messages(self, mind: str, conversation: str = "main") -> list[Json]:
        return self.pages("message.list", mind=mind, conversation=conversation)

    def notes(self, mind: str, **params: Any) -> list[Json]:
        return self.pages("note.list", mind=mind, **params)

    def links(self, mind: str, **params: Any) -> list[Json]:
        return self.pages("link.list", mind=mind, **params)

    def delete_minds(self) -> None:
        """Delete all minds: the time of later tests would pass for each of them too."""
        for each in self.pages("mind.list"):
            self.call("mind.delete", mind=each["mind"], confirm=each["mind"])

    def jobs(self, mind: str) -> list[Json]:
        return self.pages("job.list", mind=mind)

    def note(self, mind: str, text: str, /, kind: str = "episodic", **params: Any) -> str:
        made: str = self.call("note.add", mind=mind, kind=kind, text=text, **params)["id"]
        return made

    def found(self, mind: str, query: str, /, **params: Any) -> list[Json]:
        """The items of a recall that leaves no record."""
        items: list[Json] = self.call("recall", mind=mind, query=query, **{"record": False, **params})["items"]
        return items

    def status(self, mind: str) -> Json:
        """Its line; who waits asks over and over, so only the first answer is held against the schema."""
        ask = self.client.call if self._knows_status else self.call
        self._knows_status = True
        return next(line for line in ask("system.status")["minds"] if line["mind"] == mind)

    def until(self, holds: Callable[[], Any], what: str, seconds: float = PATIENCE_S) -> Any:
        began = time.monotonic()
        while (waited := time.monotonic() - began) < seconds:
            if value := holds():
                return value
            # To ask costs the daemon time for what is waited for: who has waited long asks less often.
            time.sleep(min(max(_SOONEST_S, waited / 10), _LATEST_S))
        raise AssertionError(f"never came: {what}")

    def settle(self, mind: str) -> Json:
        """Wait until nothing is left to embed, to summarise or to recall in the background."""

        def settled() -> Json | None:
            line = self.status(mind)
            return line if not line["embed_backlog"] and not line["pending_jobs"] else None

        line: Json = self.until(settled, f"{mind} at rest")
        return line


def checking(daemon: Daemon) -> Checking:
    return Checking(daemon.client(timeout=PATIENCE_S))


def rows(daemon: Daemon, mind: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Look into a mind's file without touching it."""

    def asked(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
        return connection.execute(query, values).fetchall()

    return offline_reader.look(daemon.state / "minds" / f"{mind}.db", asked)


class IdForms:
    """Both forms of the ids of a mind that is not open, of hidden things too; each takes an id in either form."""

    def __init__(self, ids: BlindIds) -> None:
        self._ids = ids

    def blind(self, name: str) -> str:
        return name if self._ids.plain(name) is not None else self._ids.blind(name)

    def plain(self, name: str) -> str:
        return self._ids.plain(name) or name


def ids_of(daemon: Daemon, mind: str) -> IdForms:
    """The forms of the ids of a mind, made with the secret that stands in its file."""
    daemon.call("note.list", {"mind": mind, "conversation": "nobody", "limit": 1})  # so that there is one
    ((secret,),) = rows(daemon, mind, "SELECT value FROM meta WHERE key = 'blinding'")
    return IdForms(BlindIds(bytes.fromhex(secret)))


def ranges(daemon: Daemon, mind: str, conversation: str = "main") -> list[tuple[int, int]]:
    """The positions (lo, hi) that each summary job of a conversation was given, in order."""
    found = rows(
        daemon,
        mind,
        "SELECT j.lo, j.hi FROM summary_job j JOIN conversation c ON c.id = j.conversation "
        "WHERE c.name = ? ORDER BY j.id",
        conversation,
    )
    return [(lo, hi) for lo, hi in found]


class Wire:
    """A bare connection, for what no client would send."""

    def __init__(self, daemon: Daemon, timeout: float = PATIENCE_S) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        self._socket.connect(str(daemon.socket))
        self._lines = self._socket.makefile("rb")

    def __enter__(self) -> Wire:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    def send(self, line: bytes) -> None:
        self._socket.sendall(line + b"\n")

    def unread_bytes(self) -> int:
        """What has arrived and was not read; the rest of what is owed is in the daemon's hands."""
        return int.from_bytes(fcntl.ioctl(self._socket, termios.FIONREAD, bytes(4)), sys.byteorder)

    def receive(self) -> Json | None:
        """The next message, or None at the end."""
        line = self._lines.readline()
        return json.loads(line) if line else None

    def ask(self, method: str, params: str, number: int = 1) -> Json:
        """Call with parameters given as JSON text, byte for byte."""
        self.send(f'{{"jsonrpc":"2.0","id":{number},"method":"{method}","params":{params}}}'.encode())
        answer = self.receive()
        assert answer is not None, "closed instead of answering"
        assert answer["id"] == number
        return answer

    def error_of(self, method: str, params: str, number: int = 1) -> str:
        answer = self.ask(method, params, number)
        assert "error" in answer, answer
        name: str = answer["error"]["data"]["name"]
        return name
