"""Pauses, `Retry-After` and what is left of a deadline."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.llm.endpoint.retries import LONGEST_PAUSE_MS, TimeLeft, pause_ms, retry_after_ms

NOON = 1_778_328_000_000  # Sat, 09 May 2026 12:00:00 GMT


@given(st.integers(1, 1000), st.integers())
def test_a_pause_is_within_its_bound(attempt: int, seed: int) -> None:
    bound = min(LONGEST_PAUSE_MS, 500 * 2.0 ** min(attempt - 1, 20))
    assert 0 <= pause_ms(attempt, Random(seed)) <= bound


def test_pauses_spread_over_all_of_their_bound() -> None:
    drawn = [pause_ms(3, Random(seed)) for seed in range(300)]
    assert min(drawn) < 200
    assert max(drawn) > 1_800


def test_the_endpoint_s_own_word_is_kept() -> None:
    assert all(pause_ms(1, Random(seed), retry_after_ms=7_000) == 7_000 for seed in range(20))


@every_row(
    [
        ({}, None),
        ({"retry-after": "1"}, 1_000),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "2.5"}, 2_500),
        ({"retry-after": " 3600 "}, 3_600_000),
        ({"retry-after-ms": "250", "retry-after": "9"}, 250),
        ({"retry-after": "Sat, 09 May 2026 12:01:00 GMT"}, 60_000),
        ({"retry-after": "Sat, 09 May 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "Sat, 09 May 2026 20:00:30 GMT", "date": "Sat, 09 May 2026 20:00:00 GMT"}, 30_000),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after": "Sat, 99 May 99999 12:00:00 GMT"}, None),
    ],
    unpack=True,
)
def test_retry_after(headers: dict[str, str], expected: int | None) -> None:
    assert retry_after_ms(headers, NOON) == expected


@given(st.text())
def test_nothing_in_a_header_breaks_it(value: str) -> None:
    told = retry_after_ms({"retry-after": value, "date": value}, NOON)
    assert told is None or told >= 0


def test_while_somebody_waits_all_time_counts() -> None:
    now = 1_000.0
    left = TimeLeft(lambda: now, 4_000, somebody_waits=True)
    left.spend(9_999)
    assert left.ms == 4_000
    now = 4_500.0
    assert left.ms == 500
    now = 9_000.0
    assert left.ms == 0


def test_while_nobody_waits_only_what_was_spent_counts() -> None:
    now = 0.0
    left = TimeLeft(lambda: now, 4_000, somebody_waits=False)
    now = 1e9
    assert left.ms == 4_000
    left.spend(1_500)
    assert left.ms == 2_500
    left.spend(5_000)
    assert left.ms == 0
