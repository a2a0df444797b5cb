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
