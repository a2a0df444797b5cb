"""The server over streamable HTTP, for any number of clients on this machine, or elsewhere with a token.

Called by the command. Owns who may speak: the token, and the Host and Origin of each request.
"""

from __future__ import annotations

import hmac
import logging
import sys

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from soulmem.bridges.http_server import StoppableServer, listening, shown_place
from soulmem.bridges.mcp.http_address import PATH, HttpAddress
from soulmem.bridges.mcp.mcp_server import MindServer

logging.getLogger("uvicorn").setLevel(logging.ERROR)  # no line for each request that is none
_SESSIONS = 1_000  # clients that leave without a word are let go after half an hour
_STOP_S = 3


class TokenCheck:
    """Lets through who brings the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_known(Headers(scope=scope)):
            said = "a token is needed: Authorization: Bearer TOKEN\n"
            await PlainTextResponse(said, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_known(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token)


async def serve_http(server: MindServer, address: HttpAddress, token: str | None) -> None:
    """Serve until it is told to stop (SIGTERM, Ctrl-C); stderr says where, once it listens.

    Raises OSError: the address is taken, or not ours.
    """
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=address.hosts, allowed_origins=address.origins
    )
    app: ASGIApp = server.protocol_server().streamable_http_app(
        streamable_http_path=PATH, transport_security=security, max_sessions=_SESSIONS
    )
    if token is not None:
        app = TokenCheck(app, token)
    with listening(address) as listener:
        sys.stderr.write(f"soulmem: MCP on {shown_place(address, listener)}{PATH}\n")
        sys.stderr.flush()
        config = uvicorn.Config(
            app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_STOP_S
        )
        await StoppableServer(config).serve(sockets=[listener])
