"""What the tests of the proxy share: an endpoint behind it, and a proxy for each file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra soulmem[proxy] is not installed")
pytest.importorskip("uvicorn", reason="the extra soulmem[proxy] is not installed")

from chat_upstream import ChatUpstream, chat_upstream
from household import Home
from proxy_bench import ProxyBench, proxy_process


@pytest.fixture(scope="module")
def behind() -> Iterator[ChatUpstream]:
    with chat_upstream() as running:
        yield running


@pytest.fixture(scope="module")
def shared_proxy(home: Home, behind: ChatUpstream) -> Iterator[ProxyBench]:
    with proxy_process(behind, home.daemon, "--deadline-ms", "20000") as running:
        yield running


@pytest.fixture
def proxy(shared_proxy: ProxyBench) -> ProxyBench:
    """The proxy of the file, before an endpoint that behaves."""
    fresh = ChatUpstream()
    kept = shared_proxy.upstream
    for name in ("answer", "tools", "status", "error", "cut_after", "pause_s", "gate"):
        setattr(kept, name, getattr(fresh, name))
    kept.requests.clear()
    kept.raw.clear()
    kept.broken_off = 0
    return shared_proxy
