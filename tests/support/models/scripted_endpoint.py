"""A real HTTP server on 127.0.0.1 or a Unix socket that speaks the OpenAI protocol, properly or in many wrong ways.

`/v1/chat/completions`, `/v1/embeddings` and `/v1/models`. Every request is kept. Good answers come from `answer`, by
default `scripted_answers.default_answer`; what goes wrong is `misbehaviour`, or request by request what stands in
`script`; all of it may be changed while it runs.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from misbehaviours import M, Misbehaviour, error, spoilt, worded
from scripted_answers import default_answer, task_of
from soulmem.core.schema.engine_tasks import Task
from soulmem.core.text.tokens import estimate_tokens
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder

__all__ = ["M", "Misbehaviour", "Received", "ScriptedEndpoint", "scripted_endpoint"]

DRIP_S = 0.2
HUGE_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it came: header names in lower case, `body` the parsed JSON, `at` seconds of the monotonic clock."""

    path: str
    headers: Mapping[str, str]
    body: Any
    at: float
    did: Misbehaviour

    @property
    def task(self) -> Task | None:
        return task_of(self.body) if isinstance(self.body, dict) and "messages" in self.body else None


@dataclass
class ScriptedEndpoint:
    """The endpoint. `latency_s` passes before every answer; `key`, if set, is the only one that is let in."""

    socket_path: Path | None = None
    answer: Callable[[Mapping[str, Any]], Any] = default_answer
    model: str | None = None  # the name it answers under; the one it was asked for if None
    latency_s: float = 0.0
    counts_tokens: bool = False  # else every call is said to have taken the same
    key: str | None = None
    script: deque[Misbehaviour] = field(default_factory=deque)
    requests: list[Received] = field(default_factory=list)
    most_at_once: int = 0

    def __post_init__(self) -> None:
        self.released = threading.Event()
        self.lock = threading.Lock()
        self.at_once = 0
        self._misbehaviour = M.NONE
        self._port = 0
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        return f"unix:{self.socket_path}:/v1" if self.socket_path else f"http://127.0.0.1:{self._port}/v1"

    @property
    def misbehaviour(self) -> Misbehaviour:
        return self._misbehaviour

    @misbehaviour.setter
    def misbehaviour(self, wanted: Misbehaviour) -> None:
        if wanted is M.DOWN:
            self.stop()
        self._misbehaviour = wanted
        if wanted is not M.DOWN and self._server is None:
            self.start()

    @property
    def tasks(self) -> list[Received]:
        """The requests that were tasks of ours: no probes."""
        return [request for request in self.requests if request.task is not None]

    def start(self) -> None:
        """Listen, where it listened before."""
        self.released.clear()
        if self.socket_path is not None:
            self.socket_path.unlink(missing_ok=True)
        self._server = (_UnixServer if self.socket_path else _Server)(self, self.socket_path or self._port)
        self._port = 0 if self.socket_path else self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def stop(self) -> None:
        """Stop listening, and let go of whoever hangs."""
        server, thread = self._server, self._thread
        if server is not None and thread is not None:
            self._server = self._thread = None
            self.released.set()
            server.shutdown()
            thread.join()
            server.server_close()


@contextlib.contextmanager
def scripted_endpoint(socket_path: Path | None = None) -> Iterator[ScriptedEndpoint]:
    endpoint = ScriptedEndpoint(socket_path)
    endpoint.start()
    try:
        yield endpoint
    finally:
        endpoint.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, endpoint: ScriptedEndpoint, place: int | Path) -> None:
        self.endpoint = endpoint
        super().__init__(("127.0.0.1", place) if isinstance(place, int) else str(place), _Handler)  # type: ignore[arg-type]

    def handleerror(self, request: Any, client_address: Any) -> None:
        """A client that gave up is what some tests are about."""


class _UnixServer(_Server):
    address_family = socket.AF_UNIX

    def server_bind(self) -> None:
        self.socket.bind(self.server_address)
        self.server_name, self.server_port = "localhost", 0


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    wbufsize = 65_536  # head and body in one packet

    def do_GET(self) -> None:
        endpoint = self.server.endpoint
        if self.path.endswith("/models"):
            self._send(200, {"object": "list", "data": [{"id": endpoint.model or "tiny", "object": "model"}]})
        else:
            self._send(404, {"detail": "Not Found"})

    def do_POST(self) -> None:
        endpoint = self.server.endpoint
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(raw)
        with endpoint.lock:
            did = endpoint.script.popleft() if endpoint.script else endpoint.misbehaviour
            headers = {name.lower(): value for name, value in self.headers.items()}
            endpoint.requests.append(Received(self.path, headers, body, time.monotonic(), did))
            endpoint.at_once += 1
            endpoint.most_at_once = max(endpoint.most_at_once, endpoint.at_once)
        try:
            if endpoint.latency_s and endpoint.released.wait(endpoint.latency_s):
                did = M.DOWN
            self._respond(did, body)
        finally:
            with endpoint.lock:
                endpoint.at_once -= 1

    def _respond(self, did: Misbehaviour, body: Any) -> None:
        endpoint = self.server.endpoint
        if endpoint.key is not None and self.headers.get("Authorization") != f"Bearer {endpoint.key}":
            did = M.WRONG_KEY
        if did is M.NO_V1 or (did is M.NONE and not self.path.startswith("/v1/")):
            self._send(404, {"detail": "Not Found"})
        elif not self._fail(did, body):
            self._send(200, _embeddings(did, body) if self.path.endswith("/embeddings") else self._chat(did, body))

    def _fail(self, did: Misbehaviour, body: Any) -> bool:
        """Whatever is no answer in the protocol's own form; False if there is to be one."""
        match did:
            case M.DOWN:
                self.close_connection = True
            case M.HANG:
                self.server.endpoint.released.wait(60)
                self.close_connection = True
            case M.DRIP:
                self._drip()
            case M.RESET:
                self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
            case M.BUSY:
                self._send(429, error("slow down", code="rate_limit_exceeded"), {"Retry-After": "1"})
            case M.BUSY_FOR_LONG:
                self._send(429, error("quota", code="insufficient_quota"), {"Retry-After": "3600"})
            case M.BROKEN:
                self._send(500, error("internal"))
            case M.HTML:
                self._send(200, b"<!doctype html><title>Welcome</title><p>It works!", {"Content-Type": "text/html"})
            case M.WRONG_KEY:
                self._send(
                    401, error(f"Incorrect API key: {self.headers.get('Authorization')}", code="invalid_api_key")
                )
            case M.NO_MODEL:
                self._send(404, error(f"model {body['model']!r} not found, try pulling it first"))
            case M.NULL:
                self._send(200, None)
            case M.HUGE:
                self._send(200, b'{"choices": [{"message": {"content": "' + b"x" * HUGE_BYTES + b'"}}]}')
            case M.BAD_REQUEST:
                self._send(400, error("no"))
            case _:
                return self._refuse(did, body)
        return True

    def _refuse(self, did: Misbehaviour, body: Any) -> bool:
        """Complain of a parameter, as servers do."""
        kind = body.get("response_format", {}).get("type")
        if did is M.NO_JSON_SCHEMA and kind == "json_schema":
            self._send(400, {"error": "'response_format.type' must be 'json_object' or 'text'"})
        elif did is M.NO_RESPONSE_FORMAT and kind is not None:
            self._send(422, {"detail": "response_format: extra fields not permitted"})
        elif did is M.NO_MAX_TOKENS and "max_tokens" in body:
            line = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            self._send(400, error(line, code="unsupported_parameter", param="max_tokens"))
        elif did is M.NO_TEMPERATURE and "temperature" in body:
            line = "Unsupported value: 'temperature' does not support 0.2 with this model."
            self._send(400, error(line, code="unsupported_value", param="temperature"))
        else:
            return False
        return True

    def _chat(self, did: Misbehaviour, body: Any) -> Any:
        endpoint = self.server.endpoint
        answer = spoilt(did, endpoint.answer(body), body)
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        message: dict[str, Any] = {"role": "assistant", "content": worded(did, text)}
        if did is M.REASONING_FIELD:
            message |= {"reasoning": '{"draft": 1}', "reasoning_content": "Let me think."}
        if did is M.REFUSAL:
            message |= {"content": None, "refusal": "I cannot help with that."}
        ended = "length" if did is M.CUT_BY_LIMIT else "stop"
        choices = [] if did is M.EMPTY_CHOICES else [{"index": 0, "message": message, "finish_reason": ended}]
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        if endpoint.counts_tokens:
            spoken = sum(estimate_tokens(each["content"]) for each in body["messages"])
            shape = estimate_tokens(json.dumps(body.get("response_format", "")))
            usage = {"prompt_tokens": spoken + shape, "completion_tokens": estimate_tokens(text)}
        if did is M.LYING_USAGE:
            usage = {"prompt_tokens": 10**30, "completion_tokens": -5}
        answered = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": endpoint.model or body["model"],
            "choices": choices,
        }
        return answered if did is M.NO_USAGE else answered | {"usage": usage}

    def _send(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(content)
            self.wfile.flush()

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):
            while not self.server.endpoint.released.wait(DRIP_S):
                self.wfile.write(b" ")
                self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's name for it
        """Quiet."""


def _embeddings(did: Misbehaviour, body: Any) -> Any:
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    rows: list[Any] = [[float(value) for value in row] for row in HashingEmbedder().embed(texts)]
    if did is M.WRONG_SIZE:
        rows = [row[:-1] for row in rows]
    elif did is M.NAN:
        rows[0][0] = float("nan")
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return {"object": "list", "data": data, "model": body["model"], "usage": usage}
