"""What a request carries, read within bounds, and work that ends when its client hangs up.

Invariant: of a body that is too long no more is kept than the bound; whoever takes too long to send one is told so.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.types import Receive

from soulmem.bridges.http.http_replies import HttpRefusal
from soulmem.rpc.transport.line_framing import Fault, decode_json

T = TypeVar("T")
MOST_BYTES = 4 << 20
_BODY_S = 30.0


class ClientGone(Exception):  # noqa: N818 - it names a state of the world
    """The client hung up: there is nobody to answer."""


async def read_body(request: Request) -> bytes:
    """Raises HttpRefusal: too long, too slow, or packed; ClientGone."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise HttpRefusal("invalid_request", "a body must not be compressed", "leave Content-Encoding out")
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and (len(declared) > 15 or int(declared) > MOST_BYTES):
        raise _too_long()
    try:
        async with asyncio.timeout(_BODY_S):
            body = await whole_body(request.receive, MOST_BYTES)
    except TimeoutError:
        raise HttpRefusal("slow_request", f"the body did not come within {_BODY_S:g} s") from None
    if body is None:
        raise _too_long()
    return body


async def whole_body(receive: Receive, most: int) -> bytes | None:
    """The body of a request; None if it has more bytes than these. Raises ClientGone: it breaks off."""
    pieces, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        size += len(message.get("body", b""))
        if size > most:
            return None
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


async def read_json(request: Request) -> Any:
    """The body as JSON; None where there is none.

    Raises HttpRefusal: it is none, under the rules that hold on the socket; ClientGone.
    """
    body = await read_body(request)
    if not body.strip():
        return None
    found = decode_json(body)
    if isinstance(found, Fault):
        raise HttpRefusal(found.name.value, found.message, found.hint)
    return found


async def read_object(request: Request) -> dict[str, Any]:
    """The body as a JSON object, empty where there is none. Raises HttpRefusal, ClientGone."""
    found = await read_json(request)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise HttpRefusal("invalid_request", "the body must be a JSON object")
    return found


async def while_heard(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is called off when the client hangs up. The body must have been read.

    Raises ClientGone.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientGone
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await working


async def _gone(receive: Receive) -> None:
    """Wait until the client hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _too_long() -> HttpRefusal:
    return HttpRefusal("too_large", f"a body has at most {MOST_BYTES >> 20} MiB", "send it in several requests")
