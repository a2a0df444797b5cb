"""Times as text: what is read, what is refused, and that nothing is lost between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.iso8601 import EARLIEST_MS, LATEST_MS, InvalidInstantError, parse_iso, to_iso


@every_row(
    [
        ("1970-01-01", "1970-01-01T00:00:00Z"),
        ("2026-03-01T18:30:00+08:00", "2026-03-01T10:30:00Z"),
        ("2026-03-01T18:30:00+0800", "2026-03-01T10:30:00Z"),
        ("2026-03-01 10:30", "2026-03-01T10:30:00Z"),
        ("2026-03-01t10:30:00z", "2026-03-01T10:30:00Z"),
        ("2026-03-01T10:30:00.5Z", "2026-03-01T10:30:00.500Z"),
        ("2026-03-01T10:30:00,123456789Z", "2026-03-01T10:30:00.123Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
    ],
    unpack=True,
)
def test_accepted(text: str, shown: str) -> None:
    assert to_iso(parse_iso(text)) == shown


@every_row(
    [
        "",
        "yesterday",
        "昨天",
        "1700000000",
        "2026-13-01",
        "2025-02-29",
        "2026-03-01T25:00:00Z",
        "2026-03-01T10:30:60Z",
        "0000-01-01",
        "10000-01-01",
        "-0044-03-15",
        "0001-01-01T00:00:00+08:00",
        "9999-12-31T23:59:59-08:00",
        "2026-W10-1",
        "２０２６-03-01",
        "2026-03-01T10:30:00Z\n",
        "2026-03-01" + "9" * 100_000,
    ]
)
def test_refused_with_a_hint(text: str) -> None:
    with pytest.raises(InvalidInstantError) as caught:
        parse_iso(text)
    assert "ISO 8601" in caught.value.hint
    assert len(str(caught.value)) < 200


def test_before_1970_is_negative() -> None:
    assert parse_iso("1969-12-31T23:59:59Z") == -1_000


def test_beyond_the_calendar_shows_its_edge() -> None:
    assert to_iso(1 << 62) == "9999-12-31T23:59:59.999Z"
    assert to_iso(-(1 << 62)) == "0001-01-01T00:00:00Z"


@given(st.integers(EARLIEST_MS, LATEST_MS))
def test_round_trip(ms: int) -> None:
    assert parse_iso(to_iso(ms)) == ms
