"""Where the server listens over HTTP, and by what names it may be called there.

Called by the command, before anything heavy is loaded, and by `bridges/mcp/http_transport`. A name that merely points
here is none of its names: a web page could make one.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """`names`: by what names it is called beside its address."""

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

    @property
    def hosts(self) -> list[str]:
        """What may stand in the Host of a request; `:*` stands for any port."""
        own = f"[{self.host}]" if ":" in self.host else self.host
        known = [*(_LOOPBACK if self.is_loopback else () if self.is_any else (own,)), *self.names]
        return [form for host in known for form in (host, f"{host}:*")]

    @property
    def origins(self) -> list[str]:
        """The web pages that may call it: those that come from itself."""
        return [f"{scheme}://{host}" for host in self.hosts for scheme in ("http", "https")]


def read_address(text: str) -> tuple[str, int] | None:
    """Host and port of `HOST:PORT`, `[V6]:PORT` or `PORT`; None if it is none of them.

    >>> read_address("[::1]:8765")
    ('::1', 8765)
    """
    host, colon, port = text.rpartition(":")
    is_bracketed = host.startswith("[") and host.endswith("]")
    if (":" in host) is not is_bracketed or not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        return None
    host = host.strip("[]") if colon else "127.0.0.1"
    return (host, int(port)) if host else None
