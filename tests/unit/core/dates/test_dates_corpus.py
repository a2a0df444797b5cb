"""Whole sentences with what their dates and amounts mean: each row of the corpora was read and decided by a person.

Where an expression may mean either of two days the corpus holds both, parted by a bar, the likelier one first; a row
without dates is one in which nobody may find any. `differs` says where other programs read it otherwise, and why.
"""

from __future__ import annotations

import json
import os
import pathlib
import time
from typing import Any

import pytest

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity, Period, Tense
from soulmem.core.dates.date_parser import find_dates, render_span, resolve_dates
from soulmem.core.numbers.amount_parser import Amount, AmountKind, find_amounts
from spread import spread

_CORPORA = pathlib.Path(__file__).parents[3] / "corpora"


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_CORPORA / name).read_text(encoding="utf-8").splitlines()]


DATES, AMOUNTS = _rows("dates.jsonl"), _rows("amounts.jsonl")


def _said_at(day: str) -> int:
    year, month, number = map(int, day.split("-"))
    return calendar_math.day_number(year, month, number) * calendar_math.DAY_MS + 10 * calendar_math.HOUR_MS


def _shown(period: Period) -> str:
    part = f" {period.part}" if period.granularity is Granularity.DAY_PART else ""
    return render_span(period, "en") + part


def _told(amount: Amount) -> str:
    if amount.kind is AmountKind.PHONE:
        return "phone"
    kind = "" if amount.kind is AmountKind.NUMBER else f"{amount.kind} "
    to = f"..{amount.high:.10g}" if amount.high != amount.low else ""
    return f"{kind}{round(amount.low, 6):.10g}{to}{'~' if amount.approximate else ''}"


@every_row(DATES)
def test_dates_mean_what_a_reader_says(row: dict[str, Any]) -> None:
    text = row["text"]
    found = [
        [text[span.start : span.end], " | ".join(_shown(period) for period in span.readings)]
        for span in find_dates(text, _said_at(row["said"]))
    ]
    assert found == row["dates"]


@every_row(DATES)
def test_a_note_states_no_date_that_is_not_certain(row: dict[str, Any]) -> None:
    said_at = _said_at(row["said"])
    resolved = resolve_dates(row["text"], said_at)
    assert resolve_dates(resolved, said_at) == resolved
    for span in find_dates(row["text"], said_at):
        if not span.certain:
            assert len(resolved) < len(row["text"]) + 60 * len(row["dates"])
            for period in span.readings:
                assert f"({render_span(period, 'en')})" not in resolved
                assert f"（{render_span(period, 'zh')}）" not in resolved


@every_row(AMOUNTS)
def test_amounts_come_to_what_a_reader_says(row: dict[str, Any]) -> None:
    text = row["text"]
    assert [[text[a.start : a.end], _told(a)] for a in find_amounts(text)] == row["amounts"]


def test_the_corpus_is_as_large_as_it_has_to_be() -> None:
    assert len({row["text"] for row in DATES}) >= 400
    assert sum(row["lang"] == "zh" for row in DATES) >= 150
    assert sum(not row["dates"] for row in DATES) >= 60
    assert sum("|" in date for row in DATES for _, date in row["dates"]) >= 40


@every_row(
    [
        ("the one on Friday", (2026, 5, 8)),
        ("周五那个", (2026, 5, 8)),
        ("Christmas presents from whom", None),
        ("my trip in November", (2025, 11, 1)),
        ("What will I do on Friday?", (2026, 5, 15)),
        ("我周五要做什么", (2026, 5, 15)),
    ],
    unpack=True,
)
def test_a_question_that_does_not_tell_looks_back(question: str, first: tuple[int, int, int] | None) -> None:
    spans = find_dates(question, _said_at("2026-05-13"), Tense.BEHIND)
    assert [(calendar_math.civil(span.from_ms // calendar_math.DAY_MS), span.certain) for span in spans] == (
        [(first, True)] if first else []
    )


_HOSTILE = [
    "March 3, ", "一二三", "tomorrow ", "周一", "on Friday ", "the 3rd ", "3号", "1月", "in a year and a half ", "十点",
    "今天的", "next Friday the 3rd, ", "农历八月十五", "1/2/2020 ", "三", "1", "a ",
    "half a ", "twenty ", "百分之", "半", "$", "-", "was ", "了，周五",
]  # fmt: skip


_SHORT = 2_000 if os.environ.get("SOULMEM_TORTURE") else 1_000  # characters
_FREE_S = 0.025 * _SHORT / 2_000  # of what costs next to nothing the ratio says little


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("piece", "find"), spread(_HOSTILE, [lambda text: find_dates(text, _said_at("2026-05-13")), find_amounts])
)
def test_the_work_grows_with_the_text_and_no_faster(piece: str, find: Any) -> None:
    def seconds(length: int) -> float:
        text = (piece * (length // len(piece) + 1))[:length]
        began = time.thread_time()  # its own work alone: whatever else this machine does is not counted
        find(text)
        return time.thread_time() - began

    find(piece)
    short, long = 9.0, 9.0
    for _ in range(3):  # a collection of garbage falls anywhere
        short, long = min(short, seconds(_SHORT)), min(long, seconds(8 * _SHORT))
        if long < 24 * short + _FREE_S:
            break
    assert long < 24 * short + _FREE_S, f"eight times the text takes {long / short:.0f} times as long"


@every_row([1, 2, 1899, 1900, 2099, 2100, 9998, 9999], DATES[::7])
def test_any_year_can_be_spoken_in(year: int, row: dict[str, Any]) -> None:
    at_ms = calendar_math.day_number(year, 6, 15) * calendar_math.DAY_MS
    for span in find_dates(row["text"], at_ms):
        for period in span.readings:
            assert period.from_ms < period.to_ms
            assert render_span(period, "en")
            assert render_span(period, "zh")
