"""A daemon with a model that answers what a test says when a region is gone over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daemon_fixture import daemon_process
from replay_bench import START, Bench
from scripted_endpoint import scripted_endpoint


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with scripted_endpoint() as endpoint:
        env = {
            "SOULMEM_ENGINE_BASE_URL": endpoint.url, "SOULMEM_ENGINE_MODEL": "scripted", "SOULMEM_ENGINE_RETRIES": "0",
        }  # fmt: skip
        root = tmp_path_factory.mktemp("model")
        with daemon_process(root, "--simulated-clock", START, env=env) as daemon:
            yield Bench(daemon, endpoint)
