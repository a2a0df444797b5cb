"""Requests to a daemon whose power will be cut, noted as deeds, and how one looks for them when it is back."""

from __future__ import annotations

import json
import socket
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soulmem.store.session import verify
from soulmem.store.sqlite import driver, migrations

Json = dict[str, Any]


@dataclass(frozen=True)
class Deed:
    """One request and what was answered."""

    id: str
    method: str
    params: Json
    result: Json


class Client:
    """Asks one thing after another over a bare socket, under ids that the trace shows."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(120)
        self._socket.connect(str(path))
        self._answers = self._socket.makefile("rb")
        self.deeds: list[Deed] = []

    def ask(self, part: str, method: str, **params: Any) -> Json:
        number = f"{part}-{len(self.deeds):04}"
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self._socket.sendall(json.dumps(request, ensure_ascii=False).encode() + b"\n")
        answer = json.loads(self._answers.readline())
        assert "result" in answer, (method, params, answer)
        self.deeds.append(Deed(number, method, params, answer["result"]))
        return dict(answer["result"])

    def close(self) -> None:
        self._answers.close()
        self._socket.close()


def mark_of(number: int) -> str:
    return f"quarz{number * 7919 % 100_000:05d}plover"


def marks(deed: Deed, owed: list[Deed]) -> set[str]:
    """All that a deleted message or note ever said, by its marks."""
    about = [each for each in owed if deed.params["id"] in {each.params.get("id"), each.result.get("id")}]
    told_so = repr([each.params for each in about])
    return {mark for number in range(300) if (mark := mark_of(number)) in told_so}


# -- what all have in common -------------------------------------------------------------------------------------


def is_there(file: Path, owed: list[Deed]) -> bool:
    """Whether the mind's file is there, opens and is sound; it must be if anything is owed."""
    if not file.exists():
        assert not owed, f"{file.name} is not there, {len(owed)} acknowledged requests are lost"
        return False
    with closing(driver.writer(file)()) as connection:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'mind'").fetchone()[0]
        if tables:
            migrations.migrate(connection, file, "mind")  # it may have been cut off between two of them
    if not tables:
        assert not owed, f"{file.name} is empty, {len(owed)} acknowledged requests are lost"
        return False
    assert verify.damages(file) == []
    return True


def rows(file: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(driver.writer(file)()) as connection:
        return list(connection.execute(sql).fetchall())
