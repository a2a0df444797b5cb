"""What dies here was started as users start it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from warm_start import WARM


@pytest.fixture(scope="module", autouse=True)  # a package's fixture would last for every file that comes after
def _cold_starts() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(WARM)
        yield


@pytest.fixture(scope="module")
def warm_starts(_cold_starts: None) -> Iterator[None]:
    """For files whose daemons are forked warm all the same: those that look at what a death left, not at the start.

    In torture they are started as users start them, too.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "SOULMEM_TORTURE" not in os.environ:
            patch.setenv(WARM, "1")
        yield
