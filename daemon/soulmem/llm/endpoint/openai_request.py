"""One request to an OpenAI-compatible endpoint, and its answer or an `EndpointError`; nothing else ever comes out.

The only file that knows the official client, which it imports in a worker thread when first asked (0.6 s, 40 MB).
Called by `endpoint_calls`. Invariants: one deadline ends the whole exchange, a server that drips bytes included; an
answer is never read beyond `answer_bytes`; no proxy, key or header is taken from the environment; only what the
protocol needs is sent; no message holds the key.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from soulmem.fast_dataclasses import dataclass
from soulmem.llm.endpoint.endpoint_address import Address, address_of
from soulmem.llm.endpoint.endpoint_failures import EndpointError, garbled, not_an_api, not_reached, of_status, timed_out
from soulmem.llm.endpoint.endpoint_options import EngineOptions
from soulmem.ports import Clock

if TYPE_CHECKING:
    import openai

_SENT_HEADERS = frozenset({"host", "accept", "content-type", "content-length", "connection"})
_USER_AGENT = "soulmem"
_MOST_TOKENS = 10_000_000  # a count beyond it is a lie
_NAME_CHARS = 200
_KEPT_ALIVE_S = 2.0  # servers close idle connections after 5 s; a request must not meet one that is closing

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ask:
    """One request. What is None is left out of it; `rung` is for the ledger alone."""

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = None
    response_format: Mapping[str, Any] | None = None
    takes_max_tokens: bool = True  # else max_completion_tokens
    rung: str = ""

    def body(self) -> dict[str, Any]:
        """The request's JSON."""
        body: dict[str, Any] = {"model": self.model, "messages": [dict(message) for message in self.messages]}
        body["max_tokens" if self.takes_max_tokens else "max_completion_tokens"] = self.max_tokens
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if self.response_format is not None:
            body["response_format"] = dict(self.response_format)
        return body


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. Tokens are None where the endpoint counts none; `cut`: it ran into the limit."""

    text: str
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cut: bool = False
    declined: bool = False  # by the model, or by a filter


class Endpoint:
    """The endpoint of the options. For one event loop; asks nothing until it is first used."""

    def __init__(self, options: EngineOptions, clock: Clock) -> None:
        """Raises: SoulmemError: `model_unavailable`, when the URL cannot be one."""
        self.address: Address = address_of(options.base_url)
        self._options, self._clock = options, clock
        self._client: openai.AsyncOpenAI | None = None
        self._opening = anyio.Lock()

    async def ask(self, ask: Ask, *, seconds: float, setting: str) -> Reply:
        """Make one request; `setting` is the one that `seconds`, its deadline, came from.

        Raises EndpointError: whatever went wrong.
        """
        try:
            client = await self._opened()  # the library takes a moment to load the first time: not the endpoint's fault
            with anyio.fail_after(seconds):
                raw = await client.chat.completions.with_raw_response.create(**ask.body(), timeout=seconds + 1)
                content, kind = raw.content, raw.headers.get("content-type", "")
        except TimeoutError as error:
            raise EndpointError(timed_out(setting)) from error
        except Exception as error:  # against a broken server the client raises nearly anything
            raise self._translated(error, ask.model, setting) from None
        return self.read(content, kind, ask.model)

    async def open(self) -> None:
        """Load the client's library, so that the first call does not; asks nothing of the endpoint."""
        await self._opened()

    async def aclose(self) -> None:
        """Let go of all connections; the endpoint may be used again."""
        client, self._client = self._client, None
        if client is not None:
            with anyio.CancelScope(shield=True), anyio.move_on_after(1.0):
                await client.close()

    async def _opened(self) -> openai.AsyncOpenAI:
        async with self._opening:
            if self._client is None:
                self._client = await anyio.to_thread.run_sync(_open, self.address, self._options)
            return self._client

    def _translated(self, error: Exception, model: str, setting: str) -> EndpointError:
        for cause in _causes(error):
            if isinstance(cause, EndpointError):
                return cause
        status = getattr(error, "status_code", None)
        if not isinstance(status, int):
            if "Timeout" in type(error).__name__:
                return EndpointError(timed_out(setting))
            reason = type(_causes(error)[-1]).__name__
            if any(isinstance(cause, OSError) or "Connect" in type(cause).__name__ for cause in _causes(error)):
                return EndpointError(not_reached(reason))
            return EndpointError(garbled(f"answered with something that cannot be read ({reason})"))
        response: Any = getattr(error, "response", None)
        headers = {name.lower(): value for name, value in getattr(response, "headers", {}).items()}
        return EndpointError(self._of_status(status, getattr(response, "content", b""), headers, model))

    def _of_status(self, status: int, content: bytes, headers: Mapping[str, str], model: str) -> Any:
        body: Any
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            body = content[:_NAME_CHARS].decode("utf-8", "replace")
        return of_status(status, body, headers, self._options, model, self._clock.now_ms())

    def read(self, content: bytes, kind: str, model: str) -> Reply:
        """The reply in a body of that content type. Raises EndpointError: when there is none in it."""
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            if "html" in kind or content.lstrip()[:1] == b"<":
                raise EndpointError(not_an_api(self._options.base_url)) from None
            raise EndpointError(garbled("answered with something that is no JSON")) from None
        if isinstance(body, dict) and not body.get("choices") and isinstance(body.get("error"), dict):
            code = body["error"].get("code")  # some relays send their errors as if all were well
            status = code if isinstance(code, int) and 400 <= code < 600 else 502
            raise EndpointError(self._of_status(status, content, {}, model))
        try:
            return _reply(body)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise EndpointError(garbled("answered without a message")) from None


def _open(address: Address, options: EngineOptions) -> openai.AsyncOpenAI:
    """Make the client; in a worker thread, for it imports and reads certificates."""
    import httpx2  # noqa: PLC0415  # with openai: only its users pay
    import openai  # noqa: PLC0415 - it takes as long to load as all else

    for name in ("openai", "httpx2", "httpcore2"):  # at lower levels they write prompts and URLs
        logging.getLogger(name).setLevel(logging.WARNING)
    authorization = address.basic or f"Bearer {options.api_key or 'none'}"
    limit = options.answer_bytes

    class Transport(httpx2.AsyncHTTPTransport):
        """Sends what the protocol needs and no more; stops reading an answer that is too long."""

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            kept = [(name, value) for name, value in request.headers.items() if name in _SENT_HEADERS]
            own = [("authorization", authorization), ("user-agent", _USER_AGENT), ("accept-encoding", "identity")]
            sent = httpx2.Request(  # another one: the client looks its own marks up in the one it made
                request.method, request.url, headers=[*kept, *own], stream=request.stream, extensions=request.extensions
            )
            response = await super().handle_async_request(sent)
            response.stream = Bounded(response.stream)
            if response.headers.get("content-encoding", "identity") != "identity":
                await response.aclose()
                raise EndpointError(garbled("answered compressed although it was asked not to"))
            return response

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self, inner: Any) -> None:
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for chunk in self._inner:
                size += len(chunk)
                if size > limit:
                    raise EndpointError(garbled(f"answered with more than {limit:,} bytes"))
                yield chunk

        async def aclose(self) -> None:
            await self._inner.aclose()

    is_secret = address.url.startswith("https:")  # else there is no TLS, and no certificates need be read
    limits = httpx2.Limits(keepalive_expiry=_KEPT_ALIVE_S)
    transport = Transport(uds=address.socket, trust_env=False, verify=is_secret, limits=limits)
    client = openai.AsyncOpenAI(
        base_url=address.url,
        api_key="none",  # the transport sends the real one
        max_retries=0,
        http_client=httpx2.AsyncClient(transport=transport, trust_env=False, follow_redirects=False),
    )
    _ = client.chat.completions.with_raw_response  # imports the rest of the library
    return client


def _reply(body: Any) -> Reply:
    choice = body["choices"][0]
    message = choice["message"]
    content, refusal = message.get("content"), message.get("refusal")
    if isinstance(content, list):  # in parts
        content = "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    if not isinstance(content, str):
        content = ""
    ended = choice.get("finish_reason")
    usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
    model = body.get("model")
    return Reply(
        text=content,
        model=model[:_NAME_CHARS] if isinstance(model, str) else "",
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        cut=ended == "length",
        declined=ended == "content_filter" or (isinstance(refusal, str) and bool(refusal.strip())),
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS else None


def _causes(error: BaseException) -> list[BaseException]:
    """The exception and what led to it, the first cause last."""
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or cause.__context__
    return causes
