"""JSON-RPC over HTTP: what a line of the socket holds, in the body of a request; one, or a batch of them.

`POST /rpc` takes and gives the envelope, `POST /rpc/METHOD` parameters and result alone. Invariant: each request is
read by the rules of the socket, and its error has the same code there and here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from soulmem.bridges.http.daemon_leases import DaemonLeases
from soulmem.bridges.http.http_replies import Failure, HttpRefusal, failure_of, json_reply
from soulmem.bridges.http.request_bodies import read_json, read_object, while_heard
from soulmem.client import AsyncClient, CallTimeout
from soulmem.client.wire import encode_call
from soulmem.errors import ErrorName, SoulmemError
from soulmem.rpc.transport.jsonrpc import Refusal, parse_request
from soulmem.rpc.transport.line_framing import FRAME_BYTES

MOST_CALLS = 100  # of a batch
_STREAM = "events.watch"
_NUMBERED_BYTES = 32  # the number that a call gets on its way may be longer than that of the client

Reply = dict[str, Any]


class RpcEndpoint:
    """All methods of the daemon but the one whose answer never ends."""

    def __init__(self, daemon: DaemonLeases) -> None:
        self._daemon = daemon

    async def envelope(self, request: Request) -> Response:
        """One request, or a batch, which is carried out in its order. A batch is answered with 200, whatever its
        calls came to; of nothing but notifications nothing is told."""
        try:
            body = await read_json(request)
        except HttpRefusal as refusal:
            return _enveloped(refusal.failure)
        if not isinstance(body, list):
            reply, failure = await while_heard(request.receive, self._alone(body))
            return _replied(reply, failure)
        if not body or len(body) > MOST_CALLS:
            message = f"a batch has 1 to {MOST_CALLS} requests, not {len(body)}"
            return _enveloped(_failure(SoulmemError(ErrorName.INVALID_REQUEST, message)))
        replies = await while_heard(request.receive, self._batch(body))
        return json_reply(replies) if replies else Response(status_code=204)

    async def method(self, request: Request) -> Response:
        """One method by its name: the body holds its parameters, the answer its result."""
        params = await read_object(request)
        return json_reply(await while_heard(request.receive, self._call(request.path_params["method"], params)))

    async def _call(self, method: str, params: Mapping[str, Any]) -> Reply:
        async with self._daemon.lend() as client:
            return await _call_on(client, method, params)

    async def _alone(self, frame: Any) -> tuple[Reply | None, Failure | None]:
        try:
            async with self._daemon.lend() as client:
                return await _answer(client, frame)
        except HttpRefusal as refusal:
            return _error(_id_of(frame), refusal.failure), refusal.failure

    async def _batch(self, frames: Sequence[Any]) -> list[Reply]:
        async with self._daemon.lend() as client:
            replies = [(await _answer(client, frame))[0] for frame in frames]
        return [reply for reply in replies if reply is not None]


async def _answer(client: AsyncClient, frame: Any) -> tuple[Reply | None, Failure | None]:
    """The reply to one request, None to a notification; and what went wrong."""
    if not isinstance(frame, dict):
        failure = _failure(SoulmemError(ErrorName.INVALID_REQUEST, "a request is a JSON object"))
        return _error(None, failure), failure
    asked = parse_request(frame)
    if isinstance(asked, Refusal):
        failure = _failure(asked.error)
        return _error(asked.id, failure), failure
    try:
        result = await _call_on(client, asked.method, asked.params)
    except Exception as error:
        failure = _failure(error)
        return (None if asked.id is None else _error(asked.id, failure)), failure
    return (None if asked.id is None else {"jsonrpc": "2.0", "id": asked.id, "result": result}), None


async def _call_on(client: AsyncClient, method: str, params: Mapping[str, Any]) -> Reply:
    if method == _STREAM:
        raise HttpRefusal("invalid_request", f"{_STREAM} has no answer that ends", "GET /events")
    if len(encode_call(0, method, params)) > FRAME_BYTES - _NUMBERED_BYTES:
        raise HttpRefusal("too_large", f"a request has at most {FRAME_BYTES >> 20} MiB", "send it in several requests")
    try:
        result: Reply = await client.call(method, params)
    except CallTimeout:
        await client.aclose()  # it owes an answer that nobody will read
        raise
    return result


def _failure(error: Exception) -> Failure:
    """Raises the error itself: it is a fault of ours."""
    failure = failure_of(error)
    if failure is None:
        raise error
    return failure


def _id_of(frame: Any) -> Any:
    found = frame.get("id") if isinstance(frame, dict) else None
    return found if isinstance(found, (str, int)) and not isinstance(found, bool) else None


def _error(number: Any, failure: Failure) -> Reply:
    return {"jsonrpc": "2.0", "id": number, "error": failure.error}


def _enveloped(failure: Failure) -> Response:
    return _replied(_error(None, failure), failure)


def _replied(reply: Reply | None, failure: Failure | None) -> Response:
    if failure is None:
        return Response(status_code=204) if reply is None else json_reply(reply)
    return json_reply(reply, failure.status, failure.headers) if reply else Response(status_code=failure.status)
