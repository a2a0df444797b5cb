"""A real HTTP server that chats: whole or word by word, with calls of tools, with errors, or breaking off.

Every request is kept. `answer` makes the words of a body; `tools` answers with a call instead; `status` and `error`
fail; `cut_after` breaks off behind so many words; `pause_s` passes before each word, `gate`, if set, before the second.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CALL = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"里斯本"}'}}


@dataclass
class ChatUpstream:
    """The endpoint; all of it may be changed while it runs."""

    answer: Callable[[Any], str] = lambda body: "Noted, 记下了。"
    tools: bool = False
    status: int = 200
    error: Any = None
    cut_after: int | None = None
    pause_s: float = 0.0
    gate: threading.Event | None = None
    port: int = 0
    requests: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    broken_off: int = 0  # clients that hung up while words were sent

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def last(self) -> Any:
        """The body of the last request."""
        return self.requests[-1][2]

    def words_of(self, body: Any) -> list[str]:
        return [f"{word} " for word in self.answer(body).split(" ")]


@contextlib.contextmanager
def chat_upstream() -> Iterator[ChatUpstream]:
    upstream = ChatUpstream()

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that gave up is what some tests are about."""

    class Handler(_Handler):
        owner = upstream

    server = Server(("127.0.0.1", 0), Handler)
    upstream.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield upstream
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    owner: ChatUpstream
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._keep(b"")
        self._json(200, {"object": "list", "data": [{"id": "tiny", "object": "model"}]})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        body = self._keep(raw)
        owner = self.owner
        if owner.status != 200:
            self._json(owner.status, owner.error)
        elif self.path.split("?")[0].endswith("/embeddings"):
            row = {"object": "embedding", "index": 0, "embedding": [0.5, 0.25]}
            self._json(200, {"object": "list", "data": [row], "model": body["model"], "usage": {}})
        elif isinstance(body, dict) and body.get("stream"):
            self._stream(body)
        else:
            message: dict[str, Any] = {"role": "assistant", "content": owner.answer(body)}
            if owner.tools:
                message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
            choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if owner.tools else "stop"}
            self._json(200, {**self._head("chat.completion"), "choices": [choice]})

    def _stream(self, body: Any) -> None:
        owner = self.owner
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("X-Upstream", "kept")
        self.end_headers()
        try:
            self._event({"role": "assistant", "content": ""})
            if owner.tools:
                self._event({"tool_calls": [{"index": 0, **CALL}]})
            for number, word in enumerate([] if owner.tools else owner.words_of(body)):
                if number == owner.cut_after:
                    self.close_connection = True
                    return
                if number == 1 and owner.gate is not None:
                    owner.gate.wait(30)
                if owner.pause_s:
                    threading.Event().wait(owner.pause_s)
                self._event({"content": word})
            self._event({}, "tool_calls" if owner.tools else "stop")
            self._chunk(b": a remark\n\ndata: [DONE]\n\n")
            self._chunk(b"")
        except OSError:
            owner.broken_off += 1
            self.close_connection = True

    def _event(self, delta: Any, finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self._chunk(
            b"data: " + json.dumps({**self._head("chat.completion.chunk"), "choices": [choice]}).encode() + b"\n\n"
        )

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": "c1", "object": kind, "created": 1, "model": "tiny", "x_own_field": {"kept": [1, None]}}

    def _keep(self, raw: bytes) -> Any:
        try:
            body = json.loads(raw) if raw else None
        except ValueError:
            body = None
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.raw.append(raw)
        self.owner.requests.append((self.path, headers, body))
        return body

    def _json(self, status: int, body: Any) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Retry-After", "7")
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name for it
        """Quiet."""
