"""Who may speak: the Host, the Origin and the token of each request, looked at before anything else of it.

A web page can send requests to this machine, by a name of its own that points here too; it cannot bring the token, for
that is read from a header that no page can set without being asked whether it may. Pure.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.types import Scope

from soulmem.bridges.http.http_replies import HttpRefusal

HEALTH = "/health"
_SCHEMES = ("bearer", "token")  # the second is how clients of Mem0's platform say it
_SECRETS = frozenset({"token", "access_token", "api_key", "apikey", "key", "authorization"})


@dataclass(frozen=True, slots=True)
class GuardSetting:
    """`token` None: whoever may open the socket may speak. `hosts` None: not looked at, a Unix socket has no name."""

    token: str | None = field(repr=False)
    hosts: tuple[str, ...] | None = None
    origins: tuple[str, ...] = ()


def admit(setting: GuardSetting, scope: Scope) -> None:
    """Let a request pass. Raises HttpRefusal: with a status of its own for each reason."""
    headers = Headers(scope=scope)
    if setting.hosts is not None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not is_among(hosts[0].lower(), setting.hosts):
            raise HttpRefusal("misdirected", "this is not called by that name", "--host-name adds one")
    for origin in headers.getlist("origin"):
        if origin not in setting.origins:
            raise HttpRefusal("access_denied", "web pages from there are not served", "--allow-origin adds one")
    if _SECRETS & {name.lower() for name, _ in parse_qsl(scope["query_string"].decode("latin-1"))}:
        raise HttpRefusal("invalid_request", "an address is no place for a token", "Authorization: Bearer TOKEN")
    if setting.token is None or scope["path"] == HEALTH or is_preflight(scope):
        return
    if not _is_known(setting.token, headers):
        raise HttpRefusal("unauthorized", "a token is needed", "Authorization: Bearer TOKEN, as in the token file")


def is_preflight(scope: Scope) -> bool:
    """Whether a browser asks here if a page may send a request; it brings no token and gets no memory."""
    return bool(scope["method"] == "OPTIONS")


def _is_known(token: str, headers: Headers) -> bool:
    given = list(_credentials(headers))
    known = [hmac.compare_digest(each.encode("latin-1", "replace"), token.encode()) for each in given]
    return known == [True]


def _credentials(headers: Headers) -> Iterable[str]:
    for value in headers.getlist("authorization"):
        scheme, _, given = value.partition(" ")
        yield given.strip() if scheme.lower() in _SCHEMES else ""
    yield from headers.getlist("x-api-key")


def is_among(host: str, allowed: Iterable[str]) -> bool:
    """Whether a host or origin is one of these; `:*` stands for any port."""
    base, colon, port = host.rpartition(":")
    return host in allowed or bool(colon and port.isascii() and port.isdigit() and f"{base}:*" in allowed)
