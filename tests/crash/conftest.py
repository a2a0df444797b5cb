"""What dies here was started as users start it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daemon_fixture import WARM


@pytest.fixture(scope="package", autouse=True)
def _cold_starts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(WARM)
        yield


@pytest.fixture(scope="module")
def warm_starts(_cold_starts: None) -> Iterator[None]:
    """For files whose daemons are forked warm all the same: those that look at what a death left, not at the start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(WARM, "1")
        yield
