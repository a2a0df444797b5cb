"""What the tests of HTTP share: a server for each file, before the daemon of the file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra soulmem[http] is not installed")
pytest.importorskip("uvicorn", reason="the extra soulmem[http] is not installed")

from household import Home
from http_bench import HttpBench, http_process


@pytest.fixture(scope="module")
def server(home: Home) -> Iterator[HttpBench]:
    with http_process(home.daemon) as running:
        yield running
