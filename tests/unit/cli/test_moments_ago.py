"""A week ago is seven days ago where a moment is meant, whatever day of the week it is."""

from __future__ import annotations

from typing import Any, cast

import pytest

from soulmem.cli.output.typed_times import Edge, typed_time


@pytest.mark.parametrize("day", range(23, 31))  # Monday to Monday
@pytest.mark.parametrize(("words", "days"), [("a week ago", 7), ("一周前", 7), ("two weeks ago", 14), ("两周前", 14)])
def test_weeks_ago_on_any_day(monkeypatch: pytest.MonkeyPatch, words: str, days: int, day: int) -> None:
    monkeypatch.setenv("TZ", "UTC")
    now = f"2026-11-{day:02}T00:14:00+00:00"
    read = typed_time(cast("Any", None), words, Edge.AS_OF, now=now)
    month, of_month = (11, day - days) if day > days else (10, 31 + day - days)
    assert read is not None
    assert read.startswith(f"2026-{month}-{of_month:02}T00:14:00")
