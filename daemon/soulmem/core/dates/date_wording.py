"""Saying a day or a stretch of time absolutely, in English and Chinese, no more precisely than it is known.

Used by `core/dates/date_parser.py` and through it by whoever words a note. Pure.
"""

from __future__ import annotations

from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import Granularity, Period
from soulmem.core.dates.english_date_words import MONTHS

_PARTS_ZH = {"early": "上旬", "mid": "中旬", "late": "下旬"}
_YEAR_PARTS_ZH = {"early": "年初", "mid": "年中", "late": "年底", "first": "年上半年", "second": "年下半年"}
_HALVES_EN = {"first": "first", "second": "second"}
_SEASONS_ZH = {"spring": "春天", "summer": "夏天", "autumn": "秋天", "winter": "冬天"}


def render_day(at_ms: int, language: str) -> str:
    """The day of a moment: `7 May 2023`, `2023年5月7日`."""
    year, month, day = calendar_math.civil(at_ms // calendar_math.DAY_MS)
    if language == "zh":
        return f"{year}年{month}月{day}日"
    return f"{day} {MONTHS[month - 1]} {year}"


def render_period(period: Period, language: str) -> str:
    """A period said absolutely, without a preposition: `the week of 1 May 2023`, `2022年夏天`."""
    return _render_chinese(period) if language == "zh" else _render_english(period)


def _clock(ms: int) -> str:
    minutes = ms % calendar_math.DAY_MS // 60_000
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _render_english(period: Period) -> str:
    year, month, day = calendar_math.civil(period.from_ms // calendar_math.DAY_MS)
    month_name = MONTHS[month - 1]
    match period.granularity:
        case Granularity.RANGE if period.approximate:
            return f"since about {_coarse(period, 'en')}"
        case Granularity.RANGE | Granularity.WEEKEND:
            last_year, last_month, last = calendar_math.civil((period.to_ms - 1) // calendar_math.DAY_MS)
            if (last_year, last_month) == (year, month):
                return f"{day}–{last} {month_name} {year}"
            return f"{day} {month_name} – {last} {MONTHS[last_month - 1]} {last_year}"
        case Granularity.HOUR:
            return f"{day} {month_name} {year}, {_clock(period.from_ms)}"
        case Granularity.YEAR_PART if period.part in _HALVES_EN:
            return f"the {_HALVES_EN[period.part]} half of {year}"
        case Granularity.YEAR_PART:
            return f"{period.part} {year}"
        case Granularity.SEASON if period.part == "winter":
            return f"winter {year}–{(year + 1) % 100:02d}"
        case Granularity.SEASON:
            return f"{period.part} {year}"
        case Granularity.MONTH_PART:
            return f"{period.part} {month_name} {year}"
        case Granularity.WEEK if not period.approximate:
            return f"the week of {render_day(period.from_ms, 'en')}"
        case _:
            return _plain(period, "en", "around {}")


def _render_chinese(period: Period) -> str:
    year, month, day = calendar_math.civil(period.from_ms // calendar_math.DAY_MS)
    match period.granularity:
        case Granularity.RANGE if period.approximate:
            return f"大约{_coarse(period, 'zh')}以来"
        case Granularity.RANGE | Granularity.WEEKEND:
            last_year, last_month, last = calendar_math.civil((period.to_ms - 1) // calendar_math.DAY_MS)
            end = f"{last}日" if last_month == month else f"{last_month}月{last}日"
            end = end if last_year == year else f"{last_year}年{last_month}月{last}日"
            return f"{year}年{month}月{day}日至{end}"
        case Granularity.HOUR:
            return f"{year}年{month}月{day}日{_clock(period.from_ms)}"
        case Granularity.YEAR_PART:
            return f"{year}{_YEAR_PARTS_ZH[period.part]}"
        case Granularity.SEASON:
            return f"{year}年{_SEASONS_ZH[period.part]}"
        case Granularity.MONTH_PART:
            return f"{year}年{month}月{_PARTS_ZH[period.part]}"
        case Granularity.WEEK if not period.approximate:
            return f"{year}年{month}月{day}日当周"
        case _:
            return _plain(period, "zh", "{}前后")


def _coarse(period: Period, language: str) -> str:
    """The beginning of a stretch, no finer than it was told: "the last two years" began in a year, not on a day."""
    year, month, _ = calendar_math.civil(period.from_ms // calendar_math.DAY_MS)
    if period.part == "year":
        return f"{year}年" if language == "zh" else str(year)
    if period.part == "month":
        return f"{year}年{month}月" if language == "zh" else f"{MONTHS[month - 1]} {year}"
    return render_day(period.from_ms, language)


def _plain(period: Period, language: str, vague: str) -> str:
    """A day, month or year; of a vague one its middle."""
    moment = (period.from_ms + period.to_ms) // 2 if period.approximate else period.from_ms
    year, month, _ = calendar_math.civil(moment // calendar_math.DAY_MS)
    if period.granularity is Granularity.YEAR:
        text = f"{year}年" if language == "zh" else str(year)
    elif period.granularity is Granularity.MONTH:
        text = f"{year}年{month}月" if language == "zh" else f"{MONTHS[month - 1]} {year}"
    else:
        text = render_day(moment, language)
    return vague.format(text) if period.approximate else text
