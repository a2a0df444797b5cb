"""The server over streamable HTTP at `/mcp`, for any number of clients on this machine, or elsewhere with a token.

Called by the command. Owns who may speak: the address it listens on, the token, and the Host and Origin of each
request, so that no web page reaches it by a name that was made to point here.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from soulmem.bridges.mcp.mcp_server import MindServer

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_SESSIONS = 200
_STOP_S = 3


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where it listens. `names`: by what names it is called beside its address."""

    host: str
    port: int
    names: Sequence[str] = ()

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def is_any(self) -> bool:
        """Whether it listens on every address of the machine, so that no name follows from it."""
        return self.host in ("0.0.0.0", "::")  # noqa: S104 - told apart, not chosen

    def security(self) -> TransportSecuritySettings:
        """The names under which it may be called, and the pages that may call it."""
        own = f"[{self.host}]" if ":" in self.host else self.host
        hosts = [*(_LOOPBACK if self.is_loopback else () if self.is_any else (own,)), *self.names]
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[form for host in hosts for form in (host, f"{host}:*")],
            allowed_origins=[
                f"{scheme}://{form}" for host in hosts for scheme in ("http", "https") for form in (host, f"{host}:*")
            ],
        )


def read_address(text: str) -> tuple[str, int] | None:
    """Host and port of `HOST:PORT`, `[V6]:PORT` or `PORT`; None if it is none of them."""
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or ("" if ":" in text else "127.0.0.1")
    if not host or not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        return None
    return host, int(port)


class TokenCheck:
    """Lets through who brings the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_known(Headers(scope=scope)):
            refusal = PlainTextResponse(
                "a token is needed: Authorization: Bearer TOKEN\n", 401, {"WWW-Authenticate": "Bearer"}
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_known(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token)


async def serve_http(server: MindServer, address: HttpAddress, token: str | None) -> None:
    """Serve until it is told to stop (SIGTERM, Ctrl-C); stderr says where, once it listens.

    Raises OSError: the address is taken, or not ours.
    """
    app: ASGIApp = server.protocol_server().streamable_http_app(
        streamable_http_path=PATH, transport_security=address.security(), max_sessions=_SESSIONS
    )
    if token is not None:
        app = TokenCheck(app, token)
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.create_server((address.host, address.port), family=family, backlog=128) as listener:
        host, port = listener.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"soulmem: MCP on http://{shown}:{port}{PATH}\n")
        sys.stderr.flush()
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_STOP_S
        )
        await uvicorn.Server(config).serve(sockets=[listener])
