"""What is said of somebody, without a sign of what it weighs, can be read for a month and is gone after a season."""

from __future__ import annotations

import datetime as dt
import math

import pytest

from every_row import every_row
from soulmem.core.importance.importance_rating import weigh
from soulmem.core.importance.retention_periods import TRIVIAL_BELOW, Factors, Keeping, Level
from soulmem.core.schema.note_requests import NoteKind
from soulmem.ops.settings.setting_sections import ForgettingSettings, fading_of

AT = round(dt.datetime(2026, 9, 7, 19, tzinfo=dt.UTC).timestamp() * 1000)
FADING = fading_of(ForgettingSettings())
PLAIN = (
    "truck's a Peterbilt 389, dark red, I call her Loretta", "she has a lodger from Bari",
    "been thinking of retiring at 60",
    "my desk looks out on the canal", "Otto drives a yellow van", "he never eats breakfast",
    "I drink my coffee without sugar", "我喝咖啡不加糖", "我吃面不放香菜", "I sleep with the light on", "我睡觉要开灯",
    "铺子叫安记裁缝，开了十五年了", "我会弹古筝，小时候考过八级", "建国的车是东风天龙", "他属兔，比我大一岁",
    "楼下那家店换了老板", "我 roommate 用的是 Pixel",
)  # fmt: skip
TRIFLES = (
    "手机快没电了",
    "ugh my phone's at 4%",
    "the bus came",
    "nothing much",
    "外面好冷",
    "刚吃完一碗面",
    "我今天喝咖啡没加糖",
    "中午吃面不错",
)


def _clear_days(level: int, importance: float) -> tuple[float, float]:
    """After how many days an element of an episode blurs, and when nothing of it shows."""
    stability = FADING.days_of(level, importance, Keeping(NoteKind.EPISODIC), is_sense=level == 0) * (0.5 + importance)
    return stability * math.log(0.9 / FADING.blur_below), stability * math.log(0.9 / FADING.blank_below)


@every_row(PLAIN)
def test_a_plain_statement_is_no_trifle(text: str) -> None:
    assert weigh(text, AT).level is Level.ORDINARY


@every_row(PLAIN)
def test_a_plain_statement_reads_clear_for_a_month_and_goes_within_a_season(text: str) -> None:
    importance = min(weigh(text, AT).value, 0.49)
    assert all(_clear_days(level, importance)[0] > 28 for level in (0, 1, 2))
    assert all(_clear_days(level, importance)[1] < 120 for level in (0, 1, 2))


@every_row(TRIFLES)
def test_a_trifle_goes_as_before(text: str) -> None:
    importance = weigh(text, AT).value
    assert importance < TRIVIAL_BELOW
    assert all(_clear_days(level, importance)[0] < 7 for level in (0, 1, 2))


def test_what_weighs_more_never_keeps_shorter_and_colour_never_longer_than_sense() -> None:
    steps = [step / 100 for step in range(101)]
    for level in (0, 1, 2):
        days = [_clear_days(level, each)[0] for each in steps]
        assert days == sorted(days)
    assert all(_clear_days(2, each)[0] <= _clear_days(0, each)[0] + 1e-9 for each in steps)


def test_factors_of_one_leave_the_plain_formula() -> None:
    assert all(Factors().of_sense(step / 10) == Factors().of_colour(step / 10) == 1.0 for step in range(11))


def test_a_plain_factor_above_the_ordinary_one_counts_as_that() -> None:
    fading = fading_of(ForgettingSettings(plain_factor=30.0, ordinary_factor=3.0))
    assert fading.factors.plain == fading.factors.ordinary == 3.0


@pytest.mark.parametrize("text", ["the toaster broke, a new one was 40 quid", "洗衣机坏了，修了两百六"])
def test_what_costs_money_is_no_trifle(text: str) -> None:
    assert weigh(text, AT).level is Level.ORDINARY
