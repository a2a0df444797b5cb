"""The endpoint behind the proxy: requests go to it as they came, answers come back as it gives them.

Called by `bridges/proxy/proxy_app`. Owns the connections to it and its key, which is kept in memory only. Invariants:
headers that are ours, or of one connection, go no further; nothing is followed to another address.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import httpx2

from soulmem.llm.endpoint.endpoint_address import Address

for _name in ("httpx2", "httpcore2"):  # at lower levels they write prompts and URLs
    logging.getLogger(_name).setLevel(logging.ERROR)
_HOP = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade"
    .split()
)  # fmt: skip
_NOT_SENT = _HOP | {"host", "content-length", "accept-encoding", "expect"}
_OURS = "x-soulmem-"
_CONNECT_S = 15.0
_KEPT_ALIVE_S = 4.0  # shorter than servers keep theirs
_MOST = 1_000

Pairs = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class UpstreamSetting:
    """`key`: sent in place of what the client brings. `patience_s`: the longest silence of it."""

    address: Address
    key: str | None = field(default=None, repr=False)
    patience_s: float = 600.0


class Upstream:
    """The connections to one endpoint."""

    def __init__(self, setting: UpstreamSetting) -> None:
        self._setting = setting
        self._client = httpx2.AsyncClient(
            transport=httpx2.AsyncHTTPTransport(
                uds=setting.address.socket,
                trust_env=False,
                limits=httpx2.Limits(
                    max_connections=_MOST, max_keepalive_connections=64, keepalive_expiry=_KEPT_ALIVE_S
                ),
            ),
            timeout=httpx2.Timeout(setting.patience_s, connect=_CONNECT_S),
            trust_env=False,
            follow_redirects=False,
        )

    async def send(
        self,
        method: str,
        path: str,
        query: bytes,
        headers: Iterable[tuple[bytes, bytes]],
        body: bytes,
        *,
        is_token: bool,
    ) -> httpx2.Response:
        """Send a request on; the answer's head, its body still to be read.

        Args: is_token: the client's Authorization is the proxy's token, which is none of the endpoint's business.

        Raises httpx2.HTTPError: it cannot be reached, or falls silent.
        """
        url = httpx2.URL(f"{self._setting.address.url}/{path}").copy_with(query=query or None)
        request = self._client.build_request(method, url, headers=self._sent(headers, is_token=is_token), content=body)
        return await self._client.send(request, stream=True)

    async def close(self) -> None:
        await self._client.aclose()

    def _sent(self, headers: Iterable[tuple[bytes, bytes]], *, is_token: bool) -> list[tuple[str, str]]:
        own = f"Bearer {self._setting.key}" if self._setting.key else self._setting.address.basic
        sent = []
        for raw_name, value in headers:
            name = raw_name.decode("latin-1").lower()
            if name in _NOT_SENT or name.startswith(_OURS) or (name == "authorization" and (own or is_token)):
                continue
            sent.append((name, value.decode("latin-1")))
        sent.append(("accept-encoding", "identity"))  # what is packed cannot be read as it passes
        return [*sent, ("authorization", own)] if own else sent


def passed_on(headers: Mapping[str, str]) -> Pairs:
    """The headers of an answer that the client gets."""
    raw: Pairs = getattr(headers, "raw", [])
    return [(name.lower(), value) for name, value in raw if name.lower().decode("latin-1") not in _HOP]
