"""A law of each row of a corpus as one test: it goes through all rows and then names every one that fails.

Thousands of rows are one test for the time it takes to keep the book of thousands of tests, which is several times what
most rows take. What has few rows, or rows that are slow, is `parametrize`d as ever.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

_SHOWN = 40  # failures that are told in full


def every_row(*columns: Iterable[Any], unpack: bool = False) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Call the test with each row, or with each combination of the rows of several columns.

    `unpack`: a row is a sequence of arguments.
    """
    combined = itertools.product(*columns)
    rows: list[Sequence[Any]] = [tuple(row) for (row,) in combined] if unpack else list(combined)
    assert rows, "a corpus without rows proves nothing"

    def decorate(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            failed = [f"{row}: {error}" for row in rows if (error := _failure(check, row)) is not None]
            if failed:
                told = "\n\n".join(failed[:_SHOWN])
                pytest.fail(f"{len(failed)} of {len(rows)} rows fail:\n{told}", pytrace=False)

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return decorate


def _failure(check: Callable[..., None], row: Sequence[Any]) -> str | None:
    """What is wrong with a row; the other rows are looked at all the same."""
    try:
        check(*row)
    except (
        Exception,
        pytest.fail.Exception,
    ) as error:
        return f"{type(error).__name__}: {error}"
    return None
