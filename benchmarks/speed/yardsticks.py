"""Yardsticks: the least that could be done instead, measured in the same run on the same machine.

For messages, a bare `asyncio.Protocol` server that makes one INSERT and COMMIT a call (WAL, synchronous=FULL, the same
SQLite); it runs in its own process as `python yardsticks.py SOCKET FILE`. For recall, an FTS5 query of OR-ed terms
ranked by bm25, a NumPy product with all vectors and reciprocal rank fusion, over the daemon's own file, in this
process. For the start, reading all vectors of that file into one matrix.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import numpy as np

from benchmarks.recall.rank_fusion import reciprocal_ranks
from soulmem.core.text.tokens import fts_query
from soulmem.ports import Embedder, FloatMatrix
from soulmem.store.sqlite import driver
from soulmem.store.sqlite.driver import Connection

CANDIDATES = 200


class _Bare(asyncio.Protocol):
    """One connection of the bare server: a line in, a row committed, a line out."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rest = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            call = json.loads(line)
            said = call["params"]
            self._connection.execute("BEGIN IMMEDIATE")
            number = self._connection.execute(
                "INSERT INTO message (conversation, role, speaker, content) VALUES (?, ?, ?, ?) RETURNING id",
                (said["conversation"], said["role"], said["speaker"], said["content"]),
            ).fetchone()[0]
            self._connection.execute("COMMIT")
            reply = {"jsonrpc": "2.0", "id": call["id"], "result": {"seq": number}}
            self._transport.write(json.dumps(reply).encode() + b"\n")


async def _serve(path: str, file: Path) -> None:
    connection = driver.writer(file)()
    connection.execute(
        "CREATE TABLE message (id INTEGER PRIMARY KEY, conversation TEXT, role TEXT, speaker TEXT, content TEXT)"
    )
    server = await asyncio.get_running_loop().create_unix_server(lambda: _Bare(connection), path)
    print("ready", flush=True)
    await server.serve_forever()


def read_matrix(file: Path) -> tuple[list[int], FloatMatrix]:
    """All vectors of the notes of a closed or open mind, as (note numbers, matrix)."""
    connection = driver.reader(file)()
    try:
        rows = connection.execute("SELECT item, data FROM vector WHERE kind = 'note' ORDER BY item").fetchall()
    finally:
        connection.close()
    matrix = np.frombuffer(b"".join(data for _, data in rows), dtype=np.float32).reshape(len(rows), -1)
    return [item for item, _ in rows], matrix


class PlainRecall:
    """Recall as a page of code would do it, over the rows of one mind's file."""

    def __init__(self, file: Path, embedder: Embedder) -> None:
        self._connection = driver.reader(file)()
        self._embedder = embedder
        numbers, self._matrix = read_matrix(file)
        self._numbers = np.array(numbers)

    def recall(self, question: str, k: int = 10) -> list[tuple[int, str]]:
        found = self._connection.execute(
            "SELECT rowid FROM note_search WHERE note_search MATCH ? ORDER BY bm25(note_search) LIMIT ?",
            (fts_query(question), CANDIDATES),
        ).fetchall()
        cosines = self._matrix @ self._embedder.embed([question])[0]
        count = min(CANDIDATES, len(cosines))
        near = np.argpartition(cosines, -count)[-count:]
        near = near[np.argsort(-cosines[near])]
        best = reciprocal_ranks([[row[0] for row in found], self._numbers[near].tolist()])[:k]
        marks = ",".join("?" * len(best))
        return self._connection.execute(f"SELECT id, text FROM note WHERE id IN ({marks})", best).fetchall()

    def close(self) -> None:
        self._connection.close()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], Path(sys.argv[2])))
