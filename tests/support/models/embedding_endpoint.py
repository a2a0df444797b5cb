"""A real HTTP server on 127.0.0.1 that speaks `/v1/embeddings`, properly or in one of many wrong ways."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from soulmem.embed.adapters.hashing_embedder import HashingEmbedder


class EmbeddingEndpoint(ThreadingHTTPServer):
    """Answers with hashed vectors; `behaviour` names what it does wrong, `model_seed` which model it is."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behaviour = "proper"
        self.wobble = 0.0
        self.turned = False
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is what some tests are about."""


@contextlib.contextmanager
def running_endpoint() -> Iterator[EmbeddingEndpoint]:
    server = EmbeddingEndpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: EmbeddingEndpoint
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(asked)
        self.server.keys.append(self.headers.get("Authorization", ""))
        behaviour = self.server.behaviour
        if behaviour == "hang":
            self.server.released.wait(20)
            self.close_connection = True
        elif behaviour == "drip":
            self._drip()
        elif behaviour == "html":
            self._send(200, b"<html><body>It works!</body></html>", "text/html")
        elif behaviour.isdigit():
            body = b"" if behaviour == "204" else b'{"error": {"message": "no"}}'
            self._send(int(behaviour), body)
        else:
            self._send(200, json.dumps(self._answer(asked, behaviour)).encode())

    def _answer(self, asked: dict[str, Any], behaviour: str) -> Any:
        vectors = HashingEmbedder().embed(asked["input"]) * 3.0  # not of unit length, as some servers answer
        if self.server.turned:
            vectors = vectors[:, ::-1]
        if dimensions := asked.get("dimensions"):
            vectors = vectors[:, :dimensions]
        vectors = vectors + self.server.wobble
        rows: list[Any] = [[float(value) for value in row] for row in vectors]
        match behaviour:
            case "nan":
                rows[0][3] = float("nan")
            case "infinite":
                rows[0][3] = float("inf")
            case "zeros":
                rows[0] = [0.0] * len(rows[0])
            case "short":
                rows = [row[:-1] for row in rows]
            case "ragged":
                rows[-1] = rows[-1][:-1]
            case "fewer":
                rows = rows[:-1]
            case "text":
                rows[0] = "AAAA"
            case "empty":
                rows[0] = []
        data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
        match behaviour:
            case "doubled":
                data[-1]["index"] = 0
            case "reversed":
                data.reverse()
            case "no_data":
                return {"object": "list"}
            case "null":
                return None
            case "null_vector":
                data[0]["embedding"] = None
        return {
            "object": "list",
            "data": data,
            "model": asked["model"],
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }

    def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while not self.server.released.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's name for it
        """Quiet."""
