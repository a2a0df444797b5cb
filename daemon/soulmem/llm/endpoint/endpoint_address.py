"""Where an endpoint is: `engine.base_url` taken apart, checked, and made fit to be shown.

Pure; used by `openai_request` and `endpoint_failures`. Invariant: what is shown, logged or remembered holds no
credentials.
"""

from __future__ import annotations

import base64
from dataclasses import field
from urllib.parse import unquote, urlsplit

from soulmem.errors import ErrorName, SoulmemError
from soulmem.fast_dataclasses import dataclass

_UNIX = "unix:"


@dataclass(frozen=True, slots=True)
class Address:
    """`url` is what requests are made to, `socket` the Unix socket they go through, if any.

    `shown` is for people, `endpoint` (host and port, or the socket) for the log; `v1` is the URL to try when this one
    leads nowhere. `basic` is the value of an Authorization header made of a name and password in the URL.
    """

    url: str
    shown: str
    endpoint: str
    v1: str
    socket: str | None = None
    basic: str | None = field(default=None, repr=False)


def address_of(base_url: str) -> Address:
    """Take `http(s)://host:port/v1` or `unix:/path/of.sock[:/v1]` apart; a socket without a path gets /v1.

    Raises SoulmemError: `model_unavailable`, when it is neither.
    """
    if base_url.startswith(_UNIX):
        return _unix(base_url)
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https"):
        raise _wrong("is not an http(s) or unix: URL")
    place = f"[{host}]" if ":" in host else host
    if port is not None:
        place += f":{port}"
    path = parts.path.rstrip("/")
    shown = f"{parts.scheme}://{place}{path}"
    basic = None
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        basic = "Basic " + base64.b64encode(pair.encode()).decode()
    return Address(shown, shown, place, _with_v1(shown), basic=basic)


def _unix(base_url: str) -> Address:
    socket, _, path = base_url.removeprefix(_UNIX).partition(":")
    if socket.startswith("//"):
        socket = "/" + socket.lstrip("/")
    if not socket.startswith("/") or (path and not path.startswith("/")):
        raise _wrong("needs the absolute path of a socket, as in unix:/run/llm.sock:/v1")
    path = path.rstrip("/") if path else "/v1"
    shown = f"{_UNIX}{socket}:{path}"
    return Address(f"http://localhost{path}", shown, f"{_UNIX}{socket}", _with_v1(shown), socket)


def _with_v1(shown: str) -> str:
    return shown if shown.endswith("/v1") else f"{shown}/v1"


def _wrong(what: str) -> SoulmemError:
    return SoulmemError(ErrorName.MODEL_UNAVAILABLE, f"`engine.base_url` {what}", hint="set `engine.base_url`")
